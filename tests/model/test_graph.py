"""The finished graph: nothing unreachable, no round without a decision, cells kept as long as they are needed."""

import pickle
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from kozel_verify.language.spans import Span, Word
from kozel_verify.model.core import Arrive, Ask, Branch, CellKind, Dead, Draw, Game, Jump, Rest
from kozel_verify.model.graph import cells_read, effect_parts, node_exits, node_parts, successors
from kozel_verify.model.load import load
from tests.language.specs import GAMES
from tests.model.frame import game


def live(made: Game, node: str) -> set[str]:
    [n] = [i for i, x in enumerate(made.nodes) if x.name == node]
    return set(made.live[n])


def test_liveness() -> None:
    """A `let` is live from its statement to the last node before its last use; not where it is set anew."""
    made = game(
        "",
        """let x = |stock|
      ask seat 1 to a { may go { } }
      announce x
      ask seat 1 to b { may go { } }
      repeat { let y = |stock| ask seat 1 to c { may go { announce y } } } until |stock| > 0""",
    )
    assert live(made, "deal.a") == {"deal.x"}
    assert live(made, "deal.b") == set()
    assert live(made, "deal.c") == {"deal.y"}
    assert live(made, "deal.finish") == set()


def test_liveness_of_choices_and_draws() -> None:
    """An argument is not live where it is chosen, a drawn card not where it is drawn; both are where needed."""
    made = game(
        "",
        """draw 1 from stock to open_cards as c called turn
      ask seat 1 to a { may take(s in Seat) { ask s to b { may go { announce s announce c } } } }""",
    )
    assert live(made, "deal.turn") == set()
    assert live(made, "deal.a") == {"deal.c"}
    assert live(made, "deal.b") == {"deal.c", "deal.a.take.s"}


def test_liveness_of_loops() -> None:
    """Inside a loop its place is live; after it nothing of it is."""
    made = game(
        "", "for each s in Seat clockwise from seat 2 { ask s to a { may go { } } } ask seat 1 to b { may go { } }"
    )
    assert live(made, "deal.a") == {"deal.s", "deal.s_unserved"}
    assert live(made, "deal.b") == set()


def test_public_and_hidden_cells() -> None:
    """The place of a loop is public, every other generated cell hidden."""
    made = game(
        "state t : Seat = seat 1",
        """let x = |stock|
      for each s in Seat clockwise from t {
        ask s to a { may take(u in Seat) { ask u to b { may go { announce u announce x } } } }
      }""",
    )
    for cell in made.cells.values():
        if cell.kind is not CellKind.DECLARED:
            everybody = cell.seen.seats.value == 3  # type: ignore[union-attr]
            assert everybody == (cell.kind is CellKind.LOOP), cell.name


def test_every_game_is_sound() -> None:
    """In all specs: all can be come to, every round of blocks holds a node, what is read is live or declared."""
    for path in GAMES:
        made = load(path).game
        _reachable(made)
        _no_round_of_blocks(made)
        _reads_are_kept(made)


def _reachable(made: Game) -> None:
    blocks, nodes, todo = set[int](), set[int](), [made.entry]
    while todo:
        b = todo.pop()
        if b in blocks:
            continue
        blocks.add(b)
        todo += successors(made.blocks[b])
        end = made.blocks[b].end
        if isinstance(end, Arrive) and end.node not in nodes:
            nodes.add(end.node)
            todo += node_exits(made.nodes[end.node])
    assert blocks == set(range(len(made.blocks))) and nodes == set(range(len(made.nodes)))


def _no_round_of_blocks(made: Game) -> None:
    order: dict[int, int] = {}

    def height(block: int, path: frozenset[int]) -> int:
        assert block not in path
        if block not in order:
            order[block] = 1 + max((height(s, path | {block}) for s in successors(made.blocks[block])), default=0)
        return order[block]

    for block in range(len(made.blocks)):
        height(block, frozenset())


def _reads_are_kept(made: Game) -> None:
    for n, node in enumerate(made.nodes):
        for part in node_parts(node):
            for name in cells_read(part, made.functions):
                assert made.cells[name].kind is CellKind.DECLARED or name in made.live[n]
    for block in made.blocks:
        assert isinstance(block.end, Jump | Branch | Arrive | Dead)
        for effect in block.effects:
            assert all(part.span.line > 0 for part in effect_parts(effect))


def test_the_order_of_nodes_is_that_of_the_text() -> None:
    """Nodes are numbered as they are first come to in the text, so that numbers are stable under changes elsewhere."""
    made = game("", "gather pack into stock draw 1 from stock to open_cards ask seat 1 to a { may go { } }")
    assert [type(n) for n in made.nodes[:3]] == [Draw, Ask, Ask]
    assert isinstance(made.nodes[3], Rest)


def test_the_core_is_plain_data() -> None:
    """A game holds no names that know their place, so it is the same after it has been stored and read again."""
    for path in GAMES:
        made = load(path).game
        assert not list(_words(made))
        assert pickle.loads(pickle.dumps(made)) == made
    assert list(_words(("a", Word("b", Span("x", 1, 1, 1, 2))))) == ["b"]


def _words(x: object) -> Iterator[str]:
    if type(x) is Word:
        yield x
    elif isinstance(x, dict):
        yield from _words((tuple(x), tuple(x.values())))
    elif isinstance(x, tuple | frozenset):
        for part in x:
            yield from _words(part)
    elif is_dataclass(x):
        for f in fields(x):
            yield from _words(getattr(x, f.name))
