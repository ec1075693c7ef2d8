"""A game without what does not matter for the course of its deals.

In: a game, expressions about which something is to be proved, and claims that may help. Out: a game with the same nodes
and the same deals, in which nothing is shown or announced; cells whose values come from sums over cards or from
matchings are never written, if no question, draw, move or branch inside of a deal depends on them; and a branch between
two deals that depends on such cells may go either way: the end of a deal becomes a question for it, answered by nobody.
So every run of the game is one of the slice (with other values in the cells that are left out), and what is proved of
the cells that are kept holds in the game. ``kept`` names them: of other cells nothing may be concluded. Claims stay if
they are about what is kept, and neither about matchings nor about sums over cards. Trusted: the argument above.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from kozel_verify.model.core import (
    Announce,
    Apply,
    Ask,
    Assign,
    Bind,
    Binding,
    Block,
    Branch,
    Call,
    Cell,
    CellKind,
    CellRead,
    Const,
    Effect,
    Expr,
    Function,
    Game,
    Matching,
    Node,
    Parameter,
    Rest,
    Show,
    StateClaim,
    Verb,
    Visibility,
    Zone,
    slot_count,
)
from kozel_verify.model.graph import cells_read, effect_parts, node_exits, node_parts, successors, walk
from kozel_verify.model.types import BOOL, CardType, RangeType, SeatType, SetType
from kozel_verify.symbolic.exact import PlainState, Reached

EITHER = RangeType(0, 1)


@dataclass(frozen=True, slots=True)
class Slice:
    game: Game
    kept: frozenset[str]
    claims: tuple[StateClaim, ...]

    def states(self, whole: Game, states: Iterable[PlainState]) -> list[Reached]:
        """The states of the slice for those of the game."""
        kept = [c.name in self.kept for c in whole.cells.values() for _ in range(slot_count(c.index))]
        first = [c.initial for c in self.game.cells.values() for _ in range(slot_count(c.index))]
        found = list[Reached]()
        for state in states:
            cells = [v if k else i for v, k, i in zip(state.cells, kept, first, strict=False)]
            found.append(Reached(state.node, (*cells, *first[len(cells) :]), state.place))
        return found


def sliced(game: Game, about: Iterable[Expr] = (), claims: Iterable[StateClaim] = ()) -> Slice:
    """The slice in which the cells of ``about`` are kept as well. Its game has no properties."""
    about = list(about)
    inside = _reached(game, [b for n in game.deal_nodes for b in node_exits(game.nodes[n])])
    inside |= _reached(game, [game.entry])  # before the first deal there is no question to be asked
    asked = [b for i, n in enumerate(game.nodes) if i not in game.deal_nodes | {game.deal_end} for b in node_exits(n)]
    inside |= _reached(game, asked)
    needed = _needed(game, inside, about) | _light(game)
    blocks = [_without(b, needed) for b in game.blocks]
    free = [
        i
        for i in sorted(_reached(game, node_exits(game.nodes[game.deal_end])) - inside)
        if isinstance(end := blocks[i].end, Branch) and not cells_read(end.condition, game.functions) <= needed
    ]
    cells = dict(game.cells)
    for n, i in enumerate(free):
        end = blocks[i].end
        assert isinstance(end, Branch)
        name = f"either {n}"  # no name of a spec has a space in it
        hidden = Visibility("", Const(0, SetType(SeatType(game.seats))))
        cells[name] = Cell(name, EITHER, None, 0, hidden, CellKind.CHOICE, game.cell_slots() + n)
        test = Apply("==", (CellRead(name, None, EITHER), Const(1, EITHER)), BOOL)
        blocks[i] = replace(blocks[i], end=replace(end, condition=test))
    nodes = tuple(_asking(n, len(free)) if i == game.deal_end else n for i, n in enumerate(game.nodes))
    made = replace(game, cells=cells, blocks=tuple(blocks), nodes=nodes, properties=(), functions={}, citations={})
    fitting = tuple(c for c in claims if _fits(game, c, needed))
    functions = _called(made, game.functions, [*about, *(c.statement for c in fitting)])
    return Slice(replace(made, functions=functions), frozenset(needed), fitting)


def _fits(game: Game, claim: StateClaim, needed: frozenset[str]) -> bool:
    return cells_read(claim.statement, game.functions) <= needed and not _heavy(game, claim.statement)


def _heavy(game: Game, expr: Expr) -> bool:
    """Does it need matchings or sums over cards?"""
    for e in walk(expr, game.functions):
        match e:
            case Matching():
                return True
            case Bind(Binding.SUM, domain=domain) if domain.type == SetType(CardType(len(game.deck))):
                return True
            case _:
                pass
    return False


def _reached(game: Game, start: Iterable[int]) -> set[int]:
    """Blocks that run before the next node."""
    found: set[int] = set()
    todo = list(start)
    while todo:
        block = todo.pop()
        if block not in found:
            found.add(block)
            todo.extend(successors(game.blocks[block]))
    return found


def _needed(game: Game, inside: set[int], about: Iterable[Expr]) -> frozenset[str]:
    """The cells on which the course of a deal depends, and those of ``about``."""
    roots = [*about, *(e for n in game.nodes for e in node_parts(n))]
    for i, block in enumerate(game.blocks):
        roots += [
            e
            for effect in block.effects
            if not isinstance(effect, Assign | Show | Announce)
            for e in effect_parts(effect)
        ]
        if i in inside and isinstance(block.end, Branch):
            roots.append(block.end.condition)
    needed = frozenset[str]().union(*(cells_read(e, game.functions) for e in roots))
    needed |= {p.cell for n in game.nodes for v in getattr(n, "verbs", ()) for p in v.parameters}
    needed |= {name for name, cell in game.cells.items() if cell.kind is CellKind.LOOP}
    assigns = [e for b in game.blocks for e in b.effects if isinstance(e, Assign)]
    while True:
        more = [cells_read(part, game.functions) for a in assigns if a.cell in needed for part in effect_parts(a)]
        grown = needed.union(*more)
        if grown == needed:
            return needed
        needed = grown


def _light(game: Game) -> frozenset[str]:
    """Cells whose values come from no matching and no sum over cards, not even by way of other cells."""
    light = frozenset(game.cells)
    assigns = [e for b in game.blocks for e in b.effects if isinstance(e, Assign)]
    heavy = {a.cell for a in assigns if any(_heavy(game, part) for part in effect_parts(a))}
    while heavy:
        light -= heavy
        left = [a for a in assigns if a.cell in light]
        heavy = {a.cell for a in left if not all(cells_read(e, game.functions) <= light for e in effect_parts(a))}
    return light


def _without(block: Block, needed: frozenset[str]) -> Block:
    def stays(effect: Effect) -> bool:
        match effect:
            case Assign(cell):
                return cell in needed
            case Show() | Announce():
                return False
            case _:
                return True

    return replace(block, effects=tuple(e for e in block.effects if stays(e)))


def _asking(node: Node, free: int) -> Ask | Rest:
    """The end of a deal, with an argument for each branch after it that may go either way."""
    assert isinstance(node, Rest)
    if not free:
        return node
    both = Const(0b11, SetType(EITHER))
    parameters = tuple(Parameter(f"either {n}", f"either {n}", both, None, None, EITHER) for n in range(free))
    verb = Verb("go_on", parameters, Const(True, BOOL), node.block)
    return Ask(node.name, Const(0, SeatType(1)), False, (verb,))


def _called(game: Game, functions: Mapping[str, Function], about: Iterable[Expr]) -> dict[str, Function]:
    """The functions that are called, in their order."""
    roots = [*about, game.outcome, game.gain, game.loss, *(e for n in game.nodes for e in node_parts(n))]
    for block in game.blocks:
        roots += [e for effect in block.effects for e in effect_parts(effect)]
        if isinstance(block.end, Branch):
            roots.append(block.end.condition)
    visible: list[Cell | Zone] = [*game.zones.values(), *game.cells.values()]
    roots += [item.seen.seats for item in visible]
    names = {e.function for root in roots for e in walk(root, dict(functions)) if isinstance(e, Call)}
    return {name: f for name, f in functions.items() if name in names}
