"""Menus of exported engines: what a condition hands over to a predicate is there when the condition is tried."""

from kozel_verify.export.python.module import export_python
from kozel_verify.model.load import load_text
from kozel_verify.verify.engine_check import validate_engine
from kozel_verify.verify.option_sets import option_sets

CLAIMS = """
language 1
game claims {
  deck suits ♠, ♥ ranks 6, 7, A
  seats 2
  option agreed : Bool = true
  zone stock seen by nobody
  zone hand[s : Seat] seen by {s}
  zone laid seen by all
  predicate has_pair(h : Cards) = agreed and some c in h : some x in h : rank(c) == rank(x) and suit(c) != suit(x)
  phase deal {
    gather pack into stock
    for each s in Seat { draw 2 from stock to hand[s] }
    for each s in Seat {
      ask s to claim {
        may claim when has_pair(hand[s]) { show hand[s] to all }
        may show_one(c in hand[s]) when has_pair(hand[s]) and rank(c) == A { move {c} from hand[s] to laid }
        may pass { }
      }
    }
  }
  phase match { run deal end }
  outcome(s) = neither
}
"""


def test_what_a_predicate_is_asked_about_is_computed_before_it_is_asked() -> None:
    """Of choices without arguments, and of those with, whose condition is settled before the first argument."""
    spec = load_text(CLAIMS, "claims.kozel")
    source = export_python(spec.game, spec_hash=spec.hash)
    report = validate_engine(spec.game, source, list(option_sets(spec.game)), 30, 1)
    assert report.equal, report
