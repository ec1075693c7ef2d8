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
    OptionRead,
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
        case Matching(targets, replies, _, _, body):
            return (targets, replies, body)


def subexpressions(expr: Expr) -> Iterator[Expr]:
    """The expression and all in it, the outer before the inner, without the bodies of functions called."""
    yield expr
    for child in children(expr):
        yield from subexpressions(child)
