"""Walks over expressions of the core."""

from collections.abc import Iterator

from kozel_verify.model.core import (
    Apply,
    Bind,
    Call,
    CellRead,
    Const,
    Expr,
    First,
    If,
    Local,
    Lookup,
    Matching,
    Old,
    OptionRead,
    Revealed,
    ZoneRead,
)


def children(expr: Expr) -> tuple[Expr, ...]:
    """The direct parts of an expression."""
    match expr:
        case Const() | Local() | OptionRead():
            return ()
        case CellRead(_, index) | ZoneRead(_, index):
            return () if index is None else (index,)
        case Apply(_, args) | Call(_, args):
            return args
        case Lookup(_, key):
            return (key,)
        case If(condition, then, otherwise):
            return (condition, then, otherwise)
        case Bind(_, _, domain, body):
            return (domain, body)
        case First(_, domain, start, _, body):
            return (domain, start, body)
        case Old(value) | Revealed(value):
            return (value,)
        case Matching(targets, replies, _, _, body):
            return (targets, replies, body)


def earlier_parts(expr: Expr) -> Iterator[Expr]:
    """What an expression reads in the state before a step: the insides of its ``Old``s."""
    return (e.value for e in subexpressions(expr) if isinstance(e, Old))


def subexpressions(expr: Expr) -> Iterator[Expr]:
    """The expression and all in it, the outer before the inner, without the bodies of functions called."""
    yield expr
    for child in children(expr):
        yield from subexpressions(child)
