"""What there is to be covered in a game: verbs, both sides of conditions, premises.

In: a game from ``apart`` and the texts of its files. Out: ``Clause``s, each with its place, what is to happen there,
and how a ``Trace`` tells that it has. Copies of one place (a procedure that is run twice, a loop that is written out)
are one clause. Left out is what no play decides: conditions that read nothing and what they exclude, the rounds of
loops over sets, ways to a `dead` clause.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from kozel_verify.language.spans import Span
from kozel_verify.model.core import (
    Apply,
    Ask,
    Block,
    Branch,
    Call,
    Cell,
    CellRead,
    Claim,
    Const,
    Dead,
    Expr,
    Game,
    If,
    Jump,
    Local,
    OptionRead,
    StateClaim,
    StepClaim,
    Zone,
    ZoneRead,
)
from kozel_verify.model.graph import effect_parts, node_exits, node_parts, successors, walk
from kozel_verify.model.walk import subexpressions
from kozel_verify.verify.coverage_trace import Trace

LOOPS = ("for", "для", "draw", "взять")  # statements whose branches are made by the tool
LONGEST = 60  # characters of a condition that are quoted


@dataclass(slots=True, eq=False)
class Clause:
    """``wanted``: pairs as in ``Trace.sides``, any of which shows it; ``verbs``: identities of verbs likewise."""

    span: Span
    text: str
    wanted: set[tuple[int, bool]] = field(default_factory=set)
    verbs: set[int] = field(default_factory=set)

    def shown(self, trace: Trace) -> bool:
        return not self.wanted.isdisjoint(trace.sides) or not self.verbs.isdisjoint(trace.chosen)


class Clauses:
    """Collects clauses, one for each place and side."""

    def __init__(self, game: Game, texts: Mapping[str, str]) -> None:
        self.game, self.texts = game, texts
        self.lines = {file: text.splitlines() for file, text in texts.items()}
        self.found: dict[tuple[Span, str], Clause] = {}

    def all(self) -> list[Clause]:
        """Those of the rules, by place."""
        for node in self.game.nodes:
            if isinstance(node, Ask):
                for verb in node.verbs:
                    self._at(verb.span, f"`{verb.name}` is chosen").verbs.add(id(verb))
        for block in _entered(self.game):
            if isinstance(block.end, Branch):
                self._branch(block.end)
        for expr in {id(e): e for root in rules(self.game) for e in walk(root, self.game.functions)}.values():
            if isinstance(expr, If):
                self._sides(expr.condition, id(expr), (True, False))
        return sorted(self.found.values(), key=lambda c: c.span)

    def premises(self) -> dict[Clause, list[StateClaim | StepClaim]]:
        """The premises of what is claimed of states and steps, each with the claims in which it stands."""
        found: dict[tuple[Span, str], tuple[Clause, list[StateClaim | StepClaim]]] = {}
        for claim in self.game.properties:
            if isinstance(claim, StepClaim) or (isinstance(claim, StateClaim) and claim.claim is Claim.INVARIANT):
                for e in subexpressions(claim.statement):
                    if isinstance(e, Apply) and e.op == "implies" and self._varies(e.args[0]):
                        text = f"`{claim.name}`: {self._quoted(e.args[0].span)} holds"
                        clause, claims = found.setdefault((e.args[0].span, claim.name), (Clause(e.span, text), []))
                        clause.wanted.add((id(e), True))
                        claims.append(claim)
        return dict(sorted(found.values(), key=lambda pair: pair[0].span))

    # --- one place

    def _at(self, span: Span, text: str) -> Clause:
        return self.found.setdefault((span, text), Clause(span, text))

    def _branch(self, branch: Branch) -> None:
        if self._is_loop(branch):
            return
        live = [side for side, to in ((True, branch.then), (False, branch.otherwise)) if not _is_dead(self.game, to)]
        self._sides(branch.condition, id(branch), live)

    def _sides(self, condition: Expr, owner: int, sides: Iterable[bool]) -> None:
        if self._varies(condition):
            for side in sides:
                text = f"{self._quoted(condition.span)} {'holds' if side else 'does not hold'}"
                self._at(condition.span, text).wanted.add((owner, side))

    def _varies(self, condition: Expr) -> bool:
        """Does it read anything? If not it is decided before play."""
        reads = CellRead | ZoneRead | OptionRead | Local
        return any(isinstance(e, reads) for e in walk(condition, self.game.functions))

    def _is_loop(self, branch: Branch) -> bool:
        """Of a loop over a set, or of a draw: such branches are made by the tool."""
        return self._text(branch.span).split(" ", 1)[0] in LOOPS

    def _text(self, span: Span) -> str:
        """The text from a place to the end of it or of its line."""
        lines = self.lines.get(span.file, [])
        if not 0 < span.line <= len(lines):
            return ""
        end = span.end_column - 1 if span.end_line == span.line else None
        return lines[span.line - 1][span.column - 1 : end]

    def _quoted(self, span: Span) -> str:
        text = " ".join(self._text(span).split())
        return f"`{text if len(text) <= LONGEST else text[:LONGEST] + '…'}`"


def rules(game: Game) -> Iterator[Expr]:
    """All expressions that play evaluates: of effects, branches, questions and draws, results, and who sees what."""
    for block in game.blocks:
        for effect in block.effects:
            yield from effect_parts(effect)
        if isinstance(block.end, Branch):
            yield block.end.condition
    for node in game.nodes:
        yield from node_parts(node)
    yield from (game.outcome, game.gain, game.loss)
    yield from (item.seen.seats for item in visible(game))


def _entered(game: Game) -> list[Block]:
    """The blocks to which no condition that is plainly false bars the way: say, what a module has for other games."""
    seen, todo = set[int](), [game.entry, *(b for node in game.nodes for b in node_exits(node))]
    while todo:
        number = todo.pop()
        if number not in seen:
            seen.add(number)
            block = game.blocks[number]
            match block.end:
                case Branch(condition, then, otherwise) if (decided := _decided(game, condition)) is not None:
                    todo.append(then if decided else otherwise)
                case _:
                    todo.extend(successors(block))
    return [game.blocks[number] for number in sorted(seen)]


def _decided(game: Game, condition: Expr) -> bool | None:
    """The value of a constant, also by the name of a predicate; ``None`` for all else."""
    while isinstance(condition, Call) and not condition.args:
        condition = game.functions[condition.function].body
    return bool(condition.value) if isinstance(condition, Const) else None


def visible(game: Game) -> list[Cell | Zone]:
    """All that is declared to be seen by somebody."""
    return [*game.zones.values(), *game.cells.values()]


def _is_dead(game: Game, block: int) -> bool:
    here: Block = game.blocks[block]
    while not here.effects and isinstance(here.end, Jump):
        here = game.blocks[here.end.block]
    return isinstance(here.end, Dead)
