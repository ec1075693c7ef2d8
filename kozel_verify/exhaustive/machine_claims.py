"""Claims about steps and about menus as tests of the fast machine's states.

In go the code of a game's edges and a claim; out comes a test for ``close``. What a test finds is what the reference
finds: the same steps are claimed of, and a menu is held against the same values of its arguments (``model.menus``).
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from kozel_verify.exhaustive.machine_code import Code, literal, operation
from kozel_verify.exhaustive.machine_edges import CHANCE, PROCEED, Edges, Outcome, indented, loads
from kozel_verify.exhaustive.machine_expressions import EMPTY, Scope
from kozel_verify.model.core import Ask, Draw, MenuClaim, Node, StepClaim
from kozel_verify.model.menus import MOST_VALUES, Space, bounds, near_misses, space
from kozel_verify.model.types import Value

if TYPE_CHECKING:
    from kozel_verify.exhaustive.machine import Position

Arguments = tuple[Value, ...]


def step_test(edges: Edges, claim: StepClaim) -> "Callable[[Position, Outcome, Sequence[object], Position], bool]":
    """Steps that the claim is not about pass."""
    scope, names = EMPTY, list[str]()
    for argument in claim.arguments:
        scope, variable = scope.variable(argument.name, argument.type)
        names.append(variable.text)
    code = edges.emitter.code(claim.statement, scope)
    given = [f"{_tuple(names)} = a"] if names else []
    lines = ["_, o, _, w = b", "_, c, _, z = p", *loads(code.uses), *given, f"return {code.text}"]
    function = edges.function("b, a, e, p", lines)
    holds = cast("Callable[[Position, Arguments, Sequence[object], Position], bool]", function)
    kinds = {n: _kind(edges.game.nodes[n], claim.verb) for n in claim.sources}
    targets = frozenset(claim.targets)

    def test(before: "Position", outcome: Outcome, events: Sequence[object], after: "Position") -> bool:
        kind = kinds.get(before.node)
        if kind is None or after.node not in targets or (claim.verb and outcome[0] != kind):
            return True
        return bool(holds(before, outcome[1], events, after))

    return test


def _kind(node: Node, verb: str) -> int:
    """The number of the verb at a node; what stands for it where nothing is chosen, or where any verb will do."""
    if isinstance(node, Ask) and verb:
        return next(n for n, v in enumerate(node.verbs) if v.name == verb)
    return CHANCE if isinstance(node, Draw) else PROCEED


def _tuple(names: Sequence[str]) -> str:
    return f"({', '.join(names)}{',' if len(names) == 1 else ''})"


def menu_test(edges: Edges, claim: MenuClaim, undecided: Callable[[str], None]) -> "Callable[[Position], bool]":
    """Is the choice legal exactly where the statement holds? In a state in which the values of the arguments are at
    most ``MOST_VALUES``, all are tried, once for all states that agree on what is read; else those near the legal
    ones, and ``undecided`` is told the claim's name."""
    tests = {n: _Menu(edges, claim, n, undecided) for n in claim.nodes}
    return lambda position: tests[position.node].holds(position)


class _Menu:
    """One claim at one of its nodes."""

    def __init__(self, edges: Edges, claim: MenuClaim, node: int, undecided: Callable[[str], None]) -> None:
        self.edges = edges
        self.name, self.undecided = claim.name, undecided
        where = edges.game.nodes[node]
        assert isinstance(where, Ask)
        number = next(n for n, v in enumerate(where.verbs) if v.name == claim.verb)
        read, self.legal_lines = edges.choices(number, where.verbs[number])
        self.spaces = [space(a.type, edges.game.pack) for a in claim.arguments]
        scope, self.names = Scope({}, len(where.verbs[number].parameters)), list[str]()
        for argument in claim.arguments:
            scope, variable = scope.variable(argument.name, argument.type)
            self.names.append(variable.text)
        self.statement = edges.emitter.code(claim.statement, scope)
        self.around = _around(edges, claim)
        self.read = read
        self.whole = self._whole()
        self.legal = self._legal()
        self.one = self._one()

    def holds(self, position: "Position") -> bool:
        decided = self.whole(position)
        if decided is not None:
            return decided
        self.undecided(self.name)
        legal = self.legal(position)
        known = set(legal)
        if not all(self.one(position, arguments) for arguments in legal):
            return False
        others = near_misses(self.spaces, legal, position.zones)
        return all(bool(self.one(position, a)) is (a in known) for a in others)

    def _whole(self) -> "Callable[[Position], bool | None]":
        """All values, by one remembered function of the slots that are read; ``None`` where they are too many."""
        masks = [self._mask(n, values) for n, values in enumerate(self.spaces)]
        uses = self.read | self.statement.uses | frozenset[tuple[str, int]]().union(*(m.uses for m in masks))
        slots = sorted({name for name, _ in uses if name[0] in "cz"})
        boxes = [f"b{n}" for n in range(len(masks))]
        each = zip(boxes, self.spaces, strict=True)
        counts = [f"(1 << {b}.bit_count())" if s.groups else f"{b}.bit_count()" for b, s in each]
        lines = [f"{box} = {mask.text}" for box, mask in zip(boxes, masks, strict=True)]
        if counts:
            lines.append(f"if {' * '.join(counts)} > {MOST_VALUES}: return None")
        lines += ["found = []", *self.legal_lines, "legal, n = {a for _, a in found}, 0"]
        lines += self._each(boxes)
        name = self.edges.emitter.define(", ".join(slots), indented(lines), remembered=True)
        call = ["_, c, _, z = p", *loads(uses), f"return {name}({', '.join(slots)})"]
        return cast("Callable[[Position], bool | None]", self.edges.function("p", call))

    def _each(self, boxes: Sequence[str]) -> list[str]:
        """As many values as are legal satisfy the statement, and each of them is legal."""
        lines: list[str] = []
        for depth, (name, box, values) in enumerate(zip(self.names, boxes, self.spaces, strict=True)):
            domain = f"subsets({box}, 0, {box}.bit_count())" if values.groups else f"elements({box})"
            lines.append("    " * depth + f"for {name} in {domain}:")
        inside = "    " * len(self.names)
        chosen = _tuple(self.names)
        lines += [f"{inside}if {self.statement.text}:", f"{inside}    if {chosen} not in legal: return False"]
        return [*lines, f"{inside}    n += 1", "return n == len(legal)"]

    def _mask(self, n: int, values: Space) -> Code:
        bound = self.around.get(n)
        return literal(values.mask) if bound is None else operation("intersect", bound, literal(values.mask))

    def _legal(self) -> "Callable[[Position], list[Arguments]]":
        lines = ["_, c, _, z = p", "found = []", *loads(self.read), *self.legal_lines, "return [a for _, a in found]"]
        return cast("Callable[[Position], list[Arguments]]", self.edges.function("p", lines))

    def _one(self) -> "Callable[[Position, Arguments], bool]":
        given = [f"{_tuple(self.names)} = a"] if self.names else []
        lines = ["_, c, _, z = p", *loads(self.statement.uses), *given, f"return {self.statement.text}"]
        return cast("Callable[[Position, Arguments], bool]", self.edges.function("p, a", lines))


def _around(edges: Edges, claim: MenuClaim) -> dict[int, Code]:
    """The bounds of the arguments that always have a value."""
    found = bounds(claim)
    codes = {n: edges.emitter.code(found[a.name], EMPTY) for n, a in enumerate(claim.arguments) if a.name in found}
    return {n: code for n, code in codes.items() if code.total}
