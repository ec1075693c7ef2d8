"""All parts of a syntax tree."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from kozel_verify.language.spans import Span, Word
from kozel_verify.language.syntax.expressions import Above, CallExpression, Expression, Indexed, Name, PlaceOf
from kozel_verify.language.syntax.items import Citation


def parts(node: object) -> Iterator[Any]:
    """The nodes of a tree in the order of the text, itself first; names (``Word``) too, citations not."""
    todo = [node]
    while todo:
        x = todo.pop()
        if isinstance(x, tuple):
            todo.extend(reversed(x))
        elif isinstance(x, Word):
            yield x
        elif is_dataclass(x) and not isinstance(x, Citation | Span):
            yield x
            todo.extend(getattr(x, f.name) for f in reversed(fields(x)))


def names_read(e: Expression) -> Iterator[str]:
    """The names that an expression may mean: of values, functions and orders."""
    for x in parts(e):
        match x:
            case Name(name) | Indexed(name) | CallExpression(name):
                yield str(name)
            case PlaceOf(_, order) | Above(_, _, order):
                yield str(order)
            case _:
                pass
