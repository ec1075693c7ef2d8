"""Expressions of the core as text: read back, they say the same."""

from functools import cache
from pathlib import Path

from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import random_play
from kozel_verify.interpret.state import State
from kozel_verify.model.core import Const, Expr, Game, Lookup, StateClaim
from kozel_verify.model.load import Spec, load, load_text
from kozel_verify.model.types import NAT, SeatType
from kozel_verify.model.walk import subexpressions
from kozel_verify.verify.formulas import formula
from kozel_verify.verify.variables import Variables
from tests.model.frame import body

SHOKHA = Path(__file__).parents[2] / "spec" / "kozel_shokha.kozel"


@cache
def shokha() -> Spec:
    return load(SHOKHA)


def read_back(statements: list[tuple[str, str]]) -> dict[str, Expr]:
    """Statements at nodes, as the language reads them: by their number."""
    claims = "\n".join(f"invariant read_{n} at {node} : {text}" for n, (node, text) in enumerate(statements))
    head = 'variant once_more of kozel_shokha {\n  title en "once more" ru "once more"\n'
    game = load_text(f"language 1\n{head}{claims}\n}}\n", str(SHOKHA.parent / "once_more.kozel")).game
    return {p.name: p.statement for p in game.properties if isinstance(p, StateClaim) and p.name.startswith("read_")}


def claims() -> list[StateClaim]:
    """The claims about one node, but for those with a table, which has no name in the core."""
    found = [p for p in shokha().game.properties if isinstance(p, StateClaim) and len(p.nodes) == 1]
    return [p for p in found if not any(isinstance(e, Lookup) for e in subexpressions(p.statement))]


def named(node: int) -> dict[str, str]:
    """What hidden cells are called at a node."""
    sight = Variables(shokha().program, shokha().game).at(node)
    left = {cell: f"unserved({word})" for word, cell in sight.unserved.items()}
    return left | {cell: word for word, cell in sight.named.items()}


def states(game: Game) -> list[State]:
    interpreter = Interpreter(game)
    return [s for seed in range(3) for s in random_play(interpreter, seed).states]


def test_what_is_written_is_read_as_the_same() -> None:
    """Each claim about one node, written out and read back, has the same value in every state of some plays."""
    game, told = shokha().game, claims()
    assert len(told) >= 10
    texts = [(game.nodes[p.nodes[0]].name.split("#")[0], formula(game, p.statement, named(p.nodes[0]))) for p in told]
    again, looked = read_back(texts), 0
    interpreter = Interpreter(game)
    for state in states(game):
        for n, claim in enumerate(told):
            if state.node in claim.nodes:
                value = interpreter.evaluate(state, claim.statement)
                assert interpreter.evaluate(state, again[f"read_{n}"]) == value
                looked += 1
    assert looked > 200


def test_brackets_stand_where_they_are_needed() -> None:
    """Precedence is that of the language: brackets around what binds less closely, and none else."""
    game = shokha().game
    for text in (
        "(1 + 2) * 3 == 9 and not (2 == 2 or 1 == 1)",
        "1 + 2 * 3 == 7 and (5 - 2) - 1 == 2",
        "5 - (2 - 1) == 4",
        "(2 == 2 implies 1 == 2) implies 1 == 1",
    ):
        found = formula(game, unfolded(text))
        assert found.replace("(5 - 2) - 1", "5 - 2 - 1") == text.replace("(5 - 2) - 1", "5 - 2 - 1")


def unfolded(text: str) -> Expr:
    """The core of a statement about numbers, with parameters for the numbers so that nothing is folded away."""
    numbers = sorted({c for c in text if c.isdigit()})
    spelled = "".join(f"n{c}" if c.isdigit() else c for c in text)
    parameters = ", ".join(f"n{c} : Nat" for c in numbers)
    return _named(body(spelled, parameters=parameters))


def _named(expr: Expr) -> Expr:
    """The same with each parameter `n7` as the constant 7."""
    from dataclasses import replace

    from kozel_verify.model.core import Apply, Local

    match expr:
        case Local(name):
            return Const(int(name.removeprefix("n")), NAT)
        case Apply(_, args):
            return replace(expr, args=tuple(_named(a) for a in args))
        case _:
            return expr


def test_seats_and_cells_of_loops_have_the_names_given() -> None:
    """A seat counts from one; a hidden cell is called what the caller says."""
    game = shokha().game
    claim = next(p for p in game.properties if isinstance(p, StateClaim) and p.name == "indicator_right")
    cell = next(c.name for c in game.cells.values() if c.name.endswith(".s") and c.name in reads(claim.statement))
    assert "whoever" in formula(game, claim.statement, {cell: "whoever"})
    assert formula(game, Const(2, SeatType(4))) == "seat 3"


def reads(expr: Expr) -> str:
    return " ".join(str(getattr(part, "cell", "")) for part in subexpressions(expr))
