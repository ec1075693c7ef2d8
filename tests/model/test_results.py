"""Results that may lack a value are claimed to have one; others are not spoken of."""

import pytest

from kozel_verify.language.diagnostics import SpecError
from kozel_verify.model.core import Game, StateClaim
from kozel_verify.model.load import load_text
from kozel_verify.model.results import RESULTS
from kozel_verify.verify.findings import Verdict
from kozel_verify.verify.run import verify_spec
from kozel_verify.verify.settings import Settings

TEXT = """language 1
game results {
  deck suits ♠, ♥ ranks 6, A
  seats 2
  zone stock seen by nobody
  state points[s : Seat] : 0..1 = 0
  phase deal { ask seat 1 to turn { may win { points[seat 1] := 1 } may lose { points[seat 2] := 1 } } }
  phase match { run deal end }
  outcome(s) = if points[s] == 1 then won else lost
  loss(s) = points[left(s)]
}
"""
FIRST = "s == (the t in Seat where points[t] == 1)"
BOTH = ("may lose { points[seat 2] := 1 }", "may lose { }")


def claims(game: Game) -> list[tuple[int, ...]]:
    return [p.nodes for p in game.properties if isinstance(p, StateClaim) and p.name == RESULTS]


def verdict(text: str) -> Verdict:
    report = verify_spec(load_text(text), Settings(plays=4, only=(RESULTS,)))
    (found,) = [o.verdict for o in report.obligations]
    return found


def test_results_that_always_have_a_value() -> None:
    """There is nothing to promise."""
    assert claims(load_text(TEXT).game) == []


def test_an_outcome_that_may_lack_a_value() -> None:
    """It is promised to have one at the end of the match, and the promise is kept or refuted like any other."""
    text = TEXT.replace("if points[s] == 1", f"if {FIRST}")
    game = load_text(text).game
    assert [[game.nodes[n].name for n in nodes] for nodes in claims(game)] == [["end"]]
    assert verdict(text) is Verdict.PROVED
    assert verdict(text.replace(*BOTH)) is Verdict.REFUTED  # nobody has a point


def test_a_loss_that_may_lack_a_value() -> None:
    """Likewise at the end of a deal, also where a function that is called has the part without a value."""
    rest = "function rest(n : 0..1) : Nat = 1 - n\n  loss(s) = rest(points[s])"
    text = TEXT.replace("loss(s) = points[left(s)]", rest)
    game = load_text(text).game
    assert claims(game) == [(game.deal_end,)]
    assert verdict(text) is Verdict.PROVED
    assert verdict(text.replace("1 - n", "1 div n")) is Verdict.REFUTED


def test_the_promise_is_none_of_the_authors() -> None:
    """No property may have its name."""
    text = TEXT.replace("outcome(s)", f"invariant {RESULTS} : points[seat 1] <= 1\n  outcome(s)")
    with pytest.raises(SpecError) as refused:
        load_text(text)
    assert [d.code for d in refused.value.diagnostics] == ["clash"]
