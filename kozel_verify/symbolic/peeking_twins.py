"""Two states that a seat cannot tell apart, and the edges from them.

In: a game, a node, a seat, and which hidden parts of a state (cells, the cards of zones) are taken to be equal. Out:
``Twins``: any two real states at the node whose views by the seat are equal, with one evaluator, so that what is equal
in both is one term; and what an edge tells on its way, with the place in the rules where it is told.

A view, as in the reference: the node, the options, the cells that the seat sees, the sizes of all zones, the cards of
the zones whose faces it sees. Trusted: this reading of the visibility of cells and zones.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kozel_verify.model.core import Assign, Cell, CellRead, Effect, Game, Gather, Visibility, Zone, ZoneRef
from kozel_verify.model.types import Type, Value, element_indices
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.edge import Edge, Outcome, Path, Release, Stepper, _Gathered, topological
from kozel_verify.symbolic.evaluate import Evaluator, Scope, SymState, card_set
from kozel_verify.symbolic.faces_sets import FaceEvaluator, mask_of
from kozel_verify.symbolic.faces_system import FaceSystem
from kozel_verify.symbolic.system import Place, cell_types, conserved
from kozel_verify.symbolic.terms import FALSE, TRUE, Term
from kozel_verify.symbolic.values import Counted, SymSet, SymValue, equal
from kozel_verify.symbolic.walk import subexpressions
