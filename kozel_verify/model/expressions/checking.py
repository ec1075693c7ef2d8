"""The ways into an expression: its core, when it is to be of a certain type.

Each kind of expression has a rule, a function of the expression, its scope and the type that would suit; the modules
beside this one register theirs.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from kozel_verify.language import syntax as s
from kozel_verify.model.core import Apply, Const, Expr
from kozel_verify.model.expressions.coercion import coerce, described, holds, is_number, plain
from kozel_verify.model.fold import NotClosed, TooLarge, fold, folded
from kozel_verify.model.operators import Undefined
from kozel_verify.model.scope import Problem, Scope
from kozel_verify.model.types import BOOL, NatType, OptionalType, RangeType, SeatType, SetType, Type, Value, is_value

Rule = Callable[[Any, Scope, Type | None], Expr]
RULES: dict[type, Rule] = {}
_R = TypeVar("_R", bound=Callable[..., Expr])


def rule(kind: type) -> Callable[[_R], _R]:
    """Registers the rule for one kind of expression."""

    def register(function: _R) -> _R:
        RULES[kind] = function
        return function

    return register


def infer(e: s.Expression, scope: Scope, expected: Type | None = None) -> Expr:
    """The core of an expression. ``expected`` only helps with literals: it is not enforced. Raises ``Problem``."""
    scope.globals.work.spend(e.span)
    return RULES[type(e)](e, scope, expected)


def check(e: s.Expression, expected: Type, scope: Scope) -> Expr:
    """The expression as a value of ``expected``. Numbers of any range pass: storing checks the range."""
    return coerce(infer(e, scope, expected), expected)


def passed(e: s.Expression, expected: Type, scope: Scope, what: str) -> Expr:
    """An argument: as ``check``, but a number must be known to be in the range that is asked for."""
    found = check(e, expected, scope)
    if not holds(expected, found.type):
        hint = "make the range of the parameter larger, or the argument smaller with `min` and `max`"
        raise Problem("range", e.span, f"{what} takes {expected}, this is {described(found.type)}", hint)
    return found


def predicate(e: s.Expression, scope: Scope) -> Expr:
    return check(e, BOOL, scope)


def cards(e: s.Expression, scope: Scope) -> Expr:
    return check(e, SetType(scope.globals.card), scope)


def seats(e: s.Expression, scope: Scope) -> Expr:
    """A set of seats; a single seat stands for itself."""
    found = infer(e, scope, SetType(scope.globals.seat))
    if found.type == OptionalType(scope.globals.seat):
        hint = "write `those s in Seat where s == …`: nobody where there is none"
        raise Problem("type", e.span, "a set of seats is wanted, this may be `none`", hint)
    if isinstance(found.type, SeatType):
        return folded(Apply("set", (found,), SetType(found.type), found.span))
    return coerce(found, SetType(scope.globals.seat))


def number(e: s.Expression, scope: Scope) -> Expr:
    found = plain(infer(e, scope))
    if not is_number(found.type):
        hint = "write `|…|` for the number of elements of a set" if isinstance(found.type, SetType) else ""
        raise Problem("type", e.span, f"a number is wanted, this is {described(found.type)}", hint)
    return found


def any_set(e: s.Expression, scope: Scope, expected: Type | None = None) -> Expr:
    found = infer(e, scope, expected)
    if not isinstance(found.type, SetType):
        hint = "write `{…}` around it for the set of this one element" if not is_number(found.type) else ""
        raise Problem("type", e.span, f"a set is wanted, this is {described(found.type)}", hint)
    return found


def constant(e: s.Expression, scope: Scope, expected: Type | None = None) -> Const:
    """The value of a closed expression. Raises ``Problem``."""
    found = infer(e, scope, expected)
    if expected is not None:
        found = coerce(found, expected)
    try:
        value = fold(found, scope.globals.folding)
    except NotClosed:
        hint = "it may read neither the state nor options, and call no function"
        raise Problem("not-constant", e.span, "a constant is wanted here", hint) from None
    except Undefined as u:
        raise Problem("undefined", e.span, f"this has no value: {u}") from None
    except TooLarge:
        raise Problem("too-large", e.span, "the number is too large", "write a smaller number") from None
    if expected is not None and not is_value(value, expected):
        raise Problem("range", e.span, f"the value {shown(value)} is not in {expected}")
    return Const(value, _exact(value, found.type) if expected is None else expected, e.span)


def _exact(value: Value, type_: Type) -> Type:
    """A constant number's type is the number itself."""
    if isinstance(type_, RangeType | NatType) and value is not None:
        return RangeType(int(value), int(value))
    return type_


def shown(value: Value) -> str:
    return "`none`" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def constant_number(e: s.Expression, scope: Scope) -> int:
    """The value of a closed expression that is a number. Raises ``Problem``."""
    found = constant(e, scope)
    if not is_number(found.type) or found.value is None:
        what = found.type.of if isinstance(found.type, OptionalType) else found.type
        raise Problem("type", e.span, f"a number is wanted, this is {described(what)}")
    return int(found.value)


def is_weak(e: s.Expression) -> bool:
    """A literal whose type comes from its neighbour."""
    return isinstance(e, s.Number | s.Nothing) or (isinstance(e, s.SetLiteral) and all(map(is_weak, e.elements)))


def in_doubt(e: s.Expression, scope: Scope) -> bool:
    """Does the type of an expression come from its neighbour? So it is with literals, and with items that several
    enumerations share."""
    return is_weak(e) or (isinstance(e, s.Name) and len(scope.globals.items.get(e.name, ())) > 1)
