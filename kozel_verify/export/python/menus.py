"""What may be chosen at an ``Ask``, and which rule an illegal choice breaks.

A menu is enumerated in canonical order. Each condition of a guard stands as early as its arguments are known. Where a
guard asks for a matching into the chosen cards, the whole domain is tried first: what all its cards together cannot
match, no choice of them can (a matching into a part is a matching into the whole).
"""

from dataclasses import dataclass, field
from functools import reduce

from kozel_verify.export.python.context import Context, Scope
from kozel_verify.export.python.data import parameter_keys
from kozel_verify.export.python.expressions import Emitter
from kozel_verify.export.python.names import Namer
from kozel_verify.export.python.operators import BIT_OR, OPERATIONS, SHIFT, Code
from kozel_verify.export.python.places import Places
from kozel_verify.language.spans import NOWHERE, Span
from kozel_verify.model.core import Apply, Ask, Call, Const, Expr, Local, Matching, Parameter, Verb

INDENT = "    "
READS = "c: Sequence[int], z: Sequence[int], o: Options"


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of a guard, in the scope in which it stands; ``needs`` are the arguments it depends on."""

    expr: Expr
    scope: Scope
    needs: frozenset[str]
    span: Span


@dataclass(slots=True)
class _Draft:
    """A menu's function while it is written. ``before[n]``: lines in front of the loop over argument ``n`` (the first
    is 1), or of everything; ``tests[n]``: conditions that are decided once ``n`` arguments are known."""

    scope: Scope
    before: list[list[str]]
    tests: list[list[Code]]
    needs: dict[str, int] = field(default_factory=dict)


class MenuWriter:
    def __init__(self, context: Context, emitter: Emitter, places: Places) -> None:
        self.context, self.emitter, self.places = context, emitter, places

    # --- menus -------------------------------------------------------------------------------------------------------

    def menu(self, name: str, ask: Ask) -> str:
        """The function that lists the choices at a node."""
        names = Namer({"found"}, parent=self.context.names)
        lines = ["found: list[tuple[int, ...]] = []"]
        for number, verb in enumerate(ask.verbs):
            lines += self._verb(number, verb, names)
        lines.append("return found")
        body = "\n".join(INDENT + line for line in lines)
        return f"def {name}({READS}) -> list[tuple[int, ...]]:\n{body}"

    def _verb(self, number: int, verb: Verb, names: Namer) -> list[str]:
        scope = Scope(names)
        for parameter in verb.parameters:
            scope.locals[parameter.name] = Code(names.take(parameter.name.lower()))
            scope.origin[parameter.name] = frozenset({parameter.name})
        count = len(verb.parameters)
        draft = _Draft(scope, [[] for _ in range(count + 1)], [[] for _ in range(count + 1)])
        draft.needs = {parameter.name: place + 1 for place, parameter in enumerate(verb.parameters)}
        self._conditions(verb, draft)
        return self._loops(number, verb, draft)

    def _conditions(self, verb: Verb, draft: _Draft) -> None:
        """Put each condition where it stands."""
        latest = 0
        for condition in self._conjuncts(verb.guard, draft.scope, draft):
            level = max((draft.needs[name] for name in condition.needs), default=0)
            if not self.context.facts.total(condition.expr):
                level = max(level, latest)
            latest = max(latest, level)
            if condition.expr == Const(True, condition.expr.type):
                continue
            draft.tests[level].append(self._test(condition, verb, level, draft))

    def _test(self, condition: Condition, verb: Verb, level: int, draft: _Draft) -> Code:
        expr, scope = condition.expr, condition.scope
        if isinstance(expr, Matching) and level:
            code = self._matching(expr, scope, verb.parameters[level - 1], level, draft)
            if code is not None:
                return code
        return self.emitter.truth(expr, scope)

    def _matching(self, expr: Matching, scope: Scope, last: Parameter, level: int, draft: _Draft) -> Code | None:
        """Table and targets are taken once before the loop, and the whole domain is tried there."""
        chosen = draft.scope.locals[last.name]
        targets_need = self._needs(expr.targets, scope)
        rows = self.emitter.rows(expr, scope)
        replies = self.emitter.code(expr.replies, scope)
        body_needs = self._needs(expr, scope) - self._needs(expr.replies, scope)
        early = all(draft.needs[name] < level for name in targets_need | body_needs)
        if rows is None or last.lo is None or replies.text != chosen.text or not early:
            return None
        if not self.context.facts.total(expr.targets) or not self.context.facts.total(last.domain):
            return None
        targets, fits = (Code(scope.names.take(name)) for name in ("targets", "fits"))
        given = self.emitter.code(expr.targets, scope)
        if given.text.isidentifier():
            targets = given
        else:
            draft.before[level].append(f"{targets.text} = {given.text}")
        draft.before[level].append(f"{fits.text} = {rows.text}")
        domain = self.emitter.code(last.domain, draft.scope).text
        draft.tests[level - 1].append(Code(f"_matches({targets.text}, {domain}, {fits.text})"))
        return Code(f"_matches({targets.text}, {chosen.text}, {fits.text})")

    def _loops(self, number: int, verb: Verb, draft: _Draft) -> list[str]:
        lines = [*draft.before[0]]
        depth = 0
        for level in range(len(verb.parameters) + 1):
            if level < len(verb.parameters):
                lines += [INDENT * depth + line for line in draft.before[level + 1]]
            if draft.tests[level]:
                test = reduce(OPERATIONS["and"], draft.tests[level])
                lines.append(f"{INDENT * depth}if {test.text}:")
                depth += 1
            if level < len(verb.parameters):
                parameter = verb.parameters[level]
                variable = draft.scope.locals[parameter.name].text
                lines.append(f"{INDENT * depth}for {variable} in {self._candidates(parameter, draft.scope)}:")
                depth += 1
        arguments = "".join(f", {draft.scope.locals[p.name].text}" for p in verb.parameters)
        lines.append(f"{INDENT * depth}found.append(({number}{arguments or ','}))")
        return lines

    def _candidates(self, parameter: Parameter, scope: Scope) -> str:
        domain = self.emitter.code(parameter.domain, scope).text
        if parameter.lo is None or parameter.hi is None:
            return f"_members({domain})"
        lo, hi = (self.emitter.code(bound, scope).text for bound in (parameter.lo, parameter.hi))
        return f"_choose({domain}, {lo})" if lo == hi else f"_subsets({domain}, {lo}, {hi})"

    # --- conditions --------------------------------------------------------------------------------------------------

    def _needs(self, expr: Expr, scope: Scope) -> frozenset[str]:
        names = self.context.facts.reads(expr).names()
        return frozenset[str]().union(*(scope.origin.get(name, frozenset()) for name in names))

    def _conjuncts(self, expr: Expr, scope: Scope, draft: _Draft | None, span: Span = NOWHERE) -> list[Condition]:
        """The conditions joined by ``and``, those of called predicates included. With a draft, what a call hands over
        is computed once before the loops where that cannot fail; without, nothing is moved."""
        span = expr.span if expr.span != NOWHERE else span
        if isinstance(expr, Apply) and expr.op == "and":
            return [one for part in expr.args for one in self._conjuncts(part, scope, draft, span)]
        if isinstance(expr, Call):
            function = self.context.game.functions[expr.function]
            if isinstance(function.body, Matching | Call) or (
                isinstance(function.body, Apply) and function.body.op == "and"
            ):
                inner = self._enter(expr, scope, draft)
                if inner is not None:
                    return self._conjuncts(function.body, inner, draft, span)
        return [Condition(expr, scope, self._needs(expr, scope), span)]

    def _enter(self, call: Call, scope: Scope, draft: _Draft | None) -> Scope | None:
        """The scope inside a called function; ``None`` when an argument would be computed more than once."""
        inner = Scope(scope.names, {}, scope.cells, scope.options, {})
        for parameter, argument in zip(self.context.game.functions[call.function].parameters, call.args, strict=True):
            code = self.emitter.code(argument, scope)
            needs = self._needs(argument, scope)
            if not isinstance(argument, Local | Const) and draft is not None:
                if needs or not draft.before or not self.context.facts.total(argument):
                    return None
                kept = Code(scope.names.take(parameter.name.lower()), boolean=code.boolean)
                draft.before[0].append(f"{kept.text} = {code.text}")
                code = kept
            inner.locals[parameter.name] = code
            inner.origin[parameter.name] = needs
        return inner

    # --- reasons -----------------------------------------------------------------------------------------------------

    def reason(self, name: str, ask: Ask, verb: Verb) -> str:
        """The function that says which rule a choice outside of the menu breaks."""
        scope, lines = Scope(Namer(parent=self.context.names)), list[str]()
        parameters = []
        for parameter, key in zip(verb.parameters, parameter_keys(verb.parameters), strict=True):
            code = Code(scope.names.take(parameter.name.lower()))
            scope.locals[parameter.name] = code
            parameters.append(f", {code.text}: int")
            lines += self._domain_reason(parameter, key, code, scope)
        own = self.places.rule(verb.span if verb.span != NOWHERE else ask.span)
        for condition in self._conjuncts(verb.guard, scope, None, verb.span):
            if condition.expr == Const(True, condition.expr.type):
                continue
            test = OPERATIONS["not"](self.emitter.truth(condition.expr, condition.scope))
            rule = self.places.rule(condition.span) if condition.span != NOWHERE else own
            text = f"{verb.name}: {self._describe(condition.expr)} does not hold"
            lines += [f"if {test.text}:", f"{INDENT}return {text!r}, {rule}"]
        lines.append(f"return {f'{verb.name}: not legal here'!r}, {own}")
        body = "\n".join(INDENT + line for line in lines)
        return f"def {name}({READS}{''.join(parameters)}) -> tuple[str, int]:\n{body}"

    def _describe(self, expr: Expr) -> str:
        return f"the condition `{expr.function}`" if isinstance(expr, Call) else "a condition of the rule"

    def _domain_reason(self, parameter: Parameter, key: str, code: Code, scope: Scope) -> list[str]:
        domain, rule = self.emitter.code(parameter.domain, scope), self.places.rule(parameter.span)
        outside = f"{key}: not all of it can be chosen here"
        if parameter.lo is None or parameter.hi is None:
            test = f"not {domain.at(SHIFT)} >> {code.text} & 1"
            return [f"if {test}:", f"{INDENT}return {outside!r}, {rule}"]
        lo, hi = (self.emitter.code(bound, scope) for bound in (parameter.lo, parameter.hi))
        number = f"{key}: the wrong number of elements; wanted: "
        wanted = f"{number!r} + str({lo.text}) + ' to ' + str({hi.text})"
        return [
            f"if {OPERATIONS['without'](code, domain).text}:",
            f"{INDENT}return {outside!r}, {rule}",
            f"if not {lo.at(BIT_OR)} <= {code.text}.bit_count() <= {hi.at(BIT_OR)}:",
            f"{INDENT}return {wanted}, {rule}",
        ]
