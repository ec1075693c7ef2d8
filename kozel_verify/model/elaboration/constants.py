"""The deck, the seats, enumerations, constants, tables and orders: all that is fixed before play."""

from dataclasses import replace

from kozel_verify.language import syntax as s
from kozel_verify.language.diagnostics import Diagnostic, SpecError
from kozel_verify.language.spans import Span
from kozel_verify.language.syntax import names_read, place_of_name
from kozel_verify.language.words import did_you_mean
from kozel_verify.model.core import Const, Orders
from kozel_verify.model.deck import SUITS, Deck
from kozel_verify.model.elaboration.state import Elaboration
from kozel_verify.model.expressions import constant, element_type, infer, is_number, join
from kozel_verify.model.limits import MAX_SEATS
from kozel_verify.model.program import Program
from kozel_verify.model.scope import ConstantSymbol, Globals, Problem, Scope, TableSymbol, TypeSymbol
from kozel_verify.model.types import CardType, EnumType, RangeType, RankType, SetType, Type, Value, element_indices

_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


def setting(program: Program, pack: s.Pack | None) -> Globals:
    """The deck and the seats. Without them nothing else has a meaning: raises ``SpecError`` at once."""
    deck = _deck(_stated_once(program, s.DeckOf, "deck", "deck suits ♠, ♥ ranks 6, A"))
    stated = _stated_once(program, s.Seats, "seats", "seats 4")
    count, span = stated.count, stated.span
    if pack is not None and pack.seats is not None:
        count, span = pack.seats, pack.span
    if not 1 <= count <= MAX_SEATS:
        raise SpecError([Diagnostic("seats", span, f"a game has 1 to {MAX_SEATS} seats, not {count}")])
    return Globals(deck, count, (1 << len(deck)) - 1)


def _stated_once[T: (s.DeckOf, s.Seats)](program: Program, kind: type[T], word: str, example: str) -> T:
    raise NotImplementedError
