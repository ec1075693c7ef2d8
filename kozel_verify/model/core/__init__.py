"""The core: what a spec means, as data. Every engine reads only this.

A ``Game`` has *slots* that hold its state, pure *functions*, and a *process graph*. The graph's nodes are the points
where play waits (a seat is asked, a card is drawn, a deal has ended, the match has ended); between two nodes run
*blocks* of straight-line effects joined by jumps and branches. No cycle of blocks is free of nodes.

State of a game: the current node, one value for each cell slot, and one place for each card (a zone slot, or
``OUTSIDE`` for a card of the deck that is not in the pack). Cards have one place each, so no card is ever lost or
doubled by a rule. Zones are sets: no order exists that could leak. A draw takes any one card of its source.
"""

from kozel_verify.model.core.expressions import (
    Apply,
    Bind,
    Binding,
    Call,
    CellRead,
    Const,
    Expr,
    First,
    If,
    Local,
    Lookup,
    Matching,
    OptionRead,
    ZoneRead,
)
from kozel_verify.model.core.game import (
    Game,
    Orders,
    slot_count,
)
from kozel_verify.model.core.process import (
    Announce,
    Arrive,
    Ask,
    Assign,
    Block,
    Branch,
    Dead,
    Draw,
    Effect,
    End,
    Gather,
    Jump,
    Move,
    Node,
    Parameter,
    Rest,
    Show,
    Terminator,
    Verb,
    ZoneRef,
)
from kozel_verify.model.core.properties import (
    Claim,
    Compiled,
    Example,
    Given,
    Lemma,
    Measure,
    Property,
    Scenario,
    Secret,
    StateClaim,
    Step,
)
from kozel_verify.model.core.slots import (
    Cell,
    CellKind,
    Function,
    OptionDecl,
    Visibility,
    Zone,
)

OUTSIDE = -1
"""The place of a card of the deck that is not in the pack."""

__all__ = [
    "OUTSIDE",
    "Announce",
    "Apply",
    "Arrive",
    "Ask",
    "Assign",
    "Bind",
    "Binding",
    "Block",
    "Branch",
    "Call",
    "Cell",
    "CellKind",
    "CellRead",
    "Claim",
    "Compiled",
    "Const",
    "Dead",
    "Draw",
    "Effect",
    "End",
    "Example",
    "Expr",
    "First",
    "Function",
    "Game",
    "Gather",
    "Given",
    "If",
    "Jump",
    "Lemma",
    "Local",
    "Lookup",
    "Matching",
    "Measure",
    "Move",
    "Node",
    "OptionDecl",
    "OptionRead",
    "Orders",
    "Parameter",
    "Property",
    "Rest",
    "Scenario",
    "Secret",
    "Show",
    "StateClaim",
    "Step",
    "Terminator",
    "Verb",
    "Visibility",
    "Zone",
    "ZoneRead",
    "ZoneRef",
    "slot_count",
]
