"""Nodes to which no random play comes: what is guessed there begins with a model of the solver."""

from kozel_verify.model.load import load_text
from kozel_verify.verify.findings import Verdict
from kozel_verify.verify.inductive import induction_evidence
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.subject import Subject

RARE = """
language 1
game rarely {
  deck suits ♠, ♣, ♦, ♥ ranks 6, 7, 8, 9, 10, J, Q, K, A
  seats 2
  zone stock seen by nobody
  zone hand[s : Seat] seen by {s}
  zone laid seen by all
  state starter : Seat = seat 1 fresh each deal
  state shown_all : Bool = false fresh each deal
  phase deal {
    gather pack into stock
    starter := seat 2
    for each s in Seat clockwise from starter {
      draw 4 from stock to hand[s]
      if CONDITION {
        ask s to boast { may boast { shown_all := true } }
      }
      ask s to play { may play(c in hand[s]) { move {c} from hand[s] to laid } }
    }
  }
  phase match { run deal end }
  outcome(s) = neither
  invariant four at play : |hand[s]| == 4
  invariant each_lays at play : |laid| == (if s == seat 2 then 0 else 1) and starter == seat 2
  invariant nothing_shown at play : not shown_all
}
"""


def verdicts(condition: str) -> dict[str, Verdict]:
    text = RARE.replace("CONDITION", condition)
    subject = Subject(load_text(text, "rarely.kozel"), Settings(budget=10_000_000, plays=4))
    return {name: leg.verdict for name, leg in induction_evidence(subject).legs}


def test_what_holds_before_a_rare_question_holds_after_it() -> None:
    """Four aces in one hand: no play meets the question, but hands and table stay as they were. What the question
    changes is not claimed to stay."""
    found = verdicts("{A♠, A♣, A♦, A♥} within hand[s]")
    assert found["four"] is found["each_lays"] is found["well_defined"] is Verdict.PROVED
    assert found["nothing_shown"] is Verdict.UNKNOWN


def test_a_question_that_is_never_asked() -> None:
    """No hand has five cards: nothing that would follow from the question spoils a claim."""
    found = verdicts("|hand[s]| == 5")
    assert found["four"] is found["nothing_shown"] is Verdict.PROVED


def test_more_plays_are_made_where_few_meet_some_node() -> None:
    """Four plays that never come to the question are not enough to guess from; four that all come to each node are."""
    settings = Settings(plays=4)
    rare = Subject(load_text(RARE.replace("CONDITION", "{A♠, A♣, A♦, A♥} within hand[s]"), "rarely.kozel"), settings)
    often = Subject(load_text(RARE.replace("CONDITION", "|hand[s]| == 4"), "often.kozel"), settings)
    assert len(rare.sampled) == 4 * (1 + 8) and rare.sampled[:4] == rare.plays
    assert often.sampled == often.plays and len(often.plays) == 4
