"""A small game in which tests put the items and statements that they are about.

The pack are the sixes, tens and aces of spades and hearts; two seats. The phase `deal` holds the statements of a test;
after them each play passes one `ask`, so that it has a decision.
"""

from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import Announced, Choice, Outcome, State
from kozel_verify.language.diagnostics import Diagnostic, SpecError
from kozel_verify.model.core import Ask, End, Expr, Function, Game
from kozel_verify.model.load import load_text
from kozel_verify.model.types import Value

TEXT = """\
language 1
game sample {
  deck suits ♠, ♥ ranks 6, 10, A
  seats SEATS
  zone stock seen by nobody
  zone hand[s : Seat] seen by {s}
  zone open_cards seen by all
  phase match { repeat { run deal } until true end }
  phase deal {
STATEMENTS
    ask seat 1 to finish { may pass { } }
  }
  outcome(s) = neither
ITEMS
}
"""
FIRST_ITEM_LINE = 14  # of ITEMS, when there are no statements
FIRST_STATEMENT_LINE = 10


def text(items: str = "", statements: str = "", seats: int = 2) -> str:
    return TEXT.replace("SEATS", str(seats)).replace("STATEMENTS", statements).replace("ITEMS", items)


def game(items: str = "", statements: str = "", seats: int = 2) -> Game:
    return load_text(text(items, statements, seats)).game


def problems(items: str = "", statements: str = "", seats: int = 2) -> list[Diagnostic]:
    """The errors of the game with these items and statements."""
    try:
        game(items, statements, seats)
    except SpecError as e:
        return e.diagnostics
    return []


def codes(items: str = "", statements: str = "", seats: int = 2) -> list[str]:
    return [d.code for d in problems(items, statements, seats)]


def body(expression: str, type_: str = "Bool", items: str = "", parameters: str = "") -> Expr:
    """The core of an expression, as the body of a function."""
    found = game(f"  function probe({parameters}) : {type_} = {expression}\n{items}").functions["probe"]
    assert isinstance(found, Function)
    return found.body


def value(expression: str, type_: str = "Bool", items: str = "", statements: str = "") -> Value:
    """The value of an expression at the node `finish`, where the match's only decision is."""
    made = game(f"  function probe() : {type_} = {expression}\n{items}", statements)
    player = Interpreter(made)
    state, _ = player.initial()
    while made.nodes[state.node].name != "deal.finish":
        state, _ = player.step(state, player.outcomes(state)[0])
    return player.evaluate(state, made.functions["probe"].body)


def told(statements: str, items: str = "", seats: int = 2, verbs: tuple[str, ...] = (), match: str = "") -> list[Value]:
    """All values announced in a play to the end of the match. At each node the first outcome is taken, or where one
    of ``verbs`` is legal, that (each is used once, in order)."""
    made = load_text(
        text(items, statements, seats).replace("repeat { run deal } until true end", match or "run deal end")
    )
    player = Interpreter(made.game)
    state, events = player.initial()
    found = [e.value for e in events if isinstance(e, Announced)]
    wanted = list(verbs)
    for _ in range(200):
        if isinstance(player.node(state), End):
            return found
        state, events = player.step(state, _next(player, state, wanted))
        found += [e.value for e in events if isinstance(e, Announced)]
    raise AssertionError("the match does not end")


def _next(player: Interpreter, state: State, wanted: list[str]) -> Outcome:
    outcomes = player.outcomes(state)
    node = player.node(state)
    if wanted and isinstance(node, Ask):
        for outcome in outcomes:
            if isinstance(outcome, Choice) and node.verbs[outcome.verb].name == wanted[0]:
                wanted.pop(0)
                return outcome
    return outcomes[0]
