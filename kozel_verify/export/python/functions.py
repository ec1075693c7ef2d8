"""The pure functions of a game, in an order in which each stands after those that it calls."""

from kozel_verify.export.python.analysis import functions_in_order
from kozel_verify.export.python.context import SMALL, Context, Definition, Scope
from kozel_verify.export.python.expressions import Emitter
from kozel_verify.export.python.places import Places
from kozel_verify.model.core import Expr, Function, If
from kozel_verify.model.types import BoolType, cardinality

KEPT = 1 << 16  # so many values of a slow function of one large argument are remembered


def write_functions(context: Context, emitter: Emitter, places: Places) -> None:
    """Add every function of the game to the definitions, and its signature to the context."""
    for name in functions_in_order(context.game):
        _function(context, emitter, places, context.game.functions[name])


def _function(context: Context, emitter: Emitter, places: Places, function: Function) -> None:
    parameters = tuple((p.name, p.type) for p in function.parameters)
    reads = context.facts.function_reads(function.name)
    signature = context.signature(context.names.take(function.name.lower()), parameters, reads)
    scope, typed = context.enter(signature)
    before = emitter.loops
    body = _statements(emitter, function.body, scope)
    slow = emitter.loops > before
    result = "bool" if isinstance(function.type, BoolType) else "int"
    large = sum((cardinality(type_) or SMALL + 1) > SMALL for type_ in context.inputs(signature))
    keep = ""
    if slow and not signature.families and not signature.zones:
        keep = "@cache\n" if context.small(signature) else f"@lru_cache(maxsize={KEPT})\n" if large <= 1 else ""
    context.signatures[function.name] = signature
    text = f"{places.comment(function.span)}{keep}def {signature.name}({typed}) -> {result}:\n{body}"
    context.add(Definition(signature.name, text, True))


def _statements(emitter: Emitter, expr: Expr, scope: Scope) -> str:
    """``if c: return a`` for the cases at the top of a body, then the rest."""
    lines = []
    while isinstance(expr, If):
        condition = emitter.truth(expr.condition, scope)
        lines.append(f"    if {condition.text}:\n        return {emitter.code(expr.then, scope).text}")
        expr = expr.otherwise
    lines.append(f"    return {emitter.code(expr, scope).text}")
    return "\n".join(lines)
