"""Lark's parse tree to the syntax tree: one class for each chapter of the grammar, one method for each rule."""

from lark import Token, Tree

from kozel_verify.language import syntax as s
from kozel_verify.language.build.expressions import Expressions
from kozel_verify.language.build.properties import Properties
from kozel_verify.language.build.shared import canonical_rank, span_of
from kozel_verify.language.build.statements import Statements
from kozel_verify.language.build.units import Units

__all__ = ["Builder", "build", "canonical_rank", "span_of"]


class Builder(Units, Statements, Properties, Expressions):
    """All rules of the grammar."""


def build(file: str, tree: Tree[Token]) -> tuple[Token, s.Unit]:
    """The language version's token and the unit of a parse tree. Raises ``VisitError`` around a ``SpecError``."""
    return Builder(file).transform(tree)  # type: ignore[no-any-return]
