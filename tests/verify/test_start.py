"""Games of a few lines at the border of what is a game: the verification ends, and says what is wrong with them."""

import pytest

from kozel_verify.interpret.record import Stop
from kozel_verify.model.load import load_text
from kozel_verify.verify.findings import Obligation, Verdict
from kozel_verify.verify.run import verify_spec
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.subject import PATIENCE, SHORT, Subject

GAME = """language 1
game g {{
  deck suits ♠, ♥ ranks 6, A
  seats 2
  zone stock seen by nobody
  zone open seen by all
  state leader : Seat = seat 1
  const limit = 2
  option who : Bool = {who}
  phase deal {{ {deal} }}
  phase match {{ run deal end }}
  outcome(s) = neither
  example 1 + 1 == 2
  lemma small(n : 0..3) : n <= 3
  {claims}
}}
"""
ASK = "ask seat 1 to turn { may pass { } }"
IN_TURN = "for each s in (those t in Seat where t != leader) { ask s to turn { may pass { } } }"
HARDLY = "for each s in (those t in Seat where t == leader and |stock| < 2) { ask s to turn_two { may pass { } } }"


def verified(deal: str, claims: str = "", who: str = "false") -> dict[str, Obligation]:
    text = GAME.format(deal=deal, claims=claims, who=who)
    return {o.name: o for o in verify_spec(load_text(text), Settings(plays=4, jobs=1)).obligations}


@pytest.mark.parametrize(
    ("deal", "who", "reason"),
    [
        (f"move {{6♠}} from open to stock {ASK}", "false", "6♠ cannot be moved: not in `open`"),
        (
            "for each s in (those t in Seat where who) { ask s to turn { may pass { } } }",
            "false",
            "`top` of an empty set",
        ),
        (
            "for each s in (those t in Seat where who) { ask s to turn { may pass { } } }",
            "true",
            "`top` of an empty set",
        ),
        (f"if who {{ dead never }} {ASK}", "false", "`never`"),
    ],
)
def test_play_that_does_not_begin(deal: str, who: str, reason: str) -> None:
    """It refutes one promise, with the options and the place; what is not about play is verified, the rest unknown."""
    found = verified(deal, who=who)
    name = "never" if "dead" in deal else "well_defined"
    shown = found[name].counterexample
    assert found[name].verdict is Verdict.REFUTED
    assert shown is not None
    assert shown.run == ()
    assert reason in shown.explanation[0]
    assert shown.options["who"] is (name == "never")
    rest = {n: o.verdict for n, o in found.items() if n != name}
    assert rest.pop("example_1") is Verdict.ENUMERATED
    assert rest.pop("small") is Verdict.PROVED
    assert set(rest.values()) == {Verdict.UNKNOWN}


def test_play_that_begins() -> None:
    """Whatever the options: then everything is asked."""
    found = verified(ASK)
    assert found["well_defined"].verdict is Verdict.PROVED
    assert Verdict.UNKNOWN not in {o.verdict for n, o in found.items() if n != "options_covered"}


@pytest.mark.parametrize("claim", ["false", "1 == 2", "limit == 3", "not who and who"])
def test_a_claim_that_cannot_hold(claim: str) -> None:
    """It is refuted where play comes, and the search for what holds elsewhere ends."""
    found = verified(ASK, f"invariant f at deal.end : {claim}")
    assert found["f"].verdict is Verdict.REFUTED
    assert found["never_stuck"].verdict is Verdict.PROVED
    assert verified(ASK, "invariant f at deal.end : limit == 2")["f"].verdict is Verdict.PROVED


def test_a_deal_that_no_number_measures() -> None:
    """Where not even the places in the rules are seen to follow each other, no measure is told, and nothing fails."""
    found = verified(f"{IN_TURN} {HARDLY}")
    assert found["ends"].verdict is Verdict.UNKNOWN
    assert "no measure was found; (the place in the rules) is not proved" in found["ends"].legs[0].detail
    assert found["well_defined"].verdict is Verdict.REFUTED


def test_a_match_that_never_ends() -> None:
    """It is played for a while, and others of its game for a shorter while; a match that ends is not cut off."""
    endless = GAME.format(deal=ASK, claims="", who="false").replace(
        "run deal end", "repeat { run deal } until limit == 3"
    )
    subject = Subject(load_text(endless), Settings(plays=3))
    assert [len(play.steps) for _, play in subject.plays] == [SHORT] * 3
    ends = Subject(load_text(GAME.format(deal=ASK, claims="", who="false")), Settings(plays=3))
    assert ends.patience == PATIENCE > SHORT
    assert [play.stopped for _, play in ends.plays] == [Stop.REACHED] * 3
