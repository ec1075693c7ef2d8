"""All parts of a syntax tree."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from kozel_verify.language.spans import Span, Word
from kozel_verify.language.syntax.expressions import Above, CallExpression, Expression, Indexed, Name, PlaceOf
from kozel_verify.language.syntax.items import Citation

_FIELDS: dict[type, tuple[str, ...] | None] = {}  # what ``_fields_of`` has found


def _fields_of(kind: type) -> tuple[str, ...] | None:
    """The fields of a node's class that may hold nodes, the last first; ``None`` for what is no node."""
    if kind not in _FIELDS:
        node = is_dataclass(kind) and not issubclass(kind, Citation | Span)
        _FIELDS[kind] = tuple(f.name for f in reversed(fields(kind)) if f.name != "span") if node else None
    return _FIELDS[kind]


def parts(node: object) -> Iterator[Any]:
    """The nodes of a tree in the order of the text, itself first; names (``Word``) too, citations not."""
    todo: list[Any] = [node]
    while todo:
        x = todo.pop()
        if isinstance(x, tuple):
            todo.extend(reversed(x))
        elif isinstance(x, Word):
            yield x
        elif (names := _fields_of(type(x))) is not None:
            yield x
            todo.extend([getattr(x, name) for name in names])


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
