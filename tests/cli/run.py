"""Runs the command line as a process of its own, and holds a small spec on which every command is quick."""

import os
import subprocess
import sys
from pathlib import Path

from tests.support.readme import PROGRESS

ROOT = Path(__file__).resolve().parents[2]
START = "import sys; from kozel_verify.cli.main import main; sys.exit(main())"

# Each seat is dealt one card of six; the dealer's left lays one, the other answers; the higher place in `high` scores.
SMALL = """language 1
game small {
  title ru "Пробная" en "Small"
  deck suits ♠, ♥ ranks 6, Q, A
  seats 2
  option bonus : 0..2 = 1                                      @ X-A1
  option opener : Seat = seat 1
  option mood : calm | wild = calm
  order high = A > Q > 6
  const worth = 3
  predicate beats(x : Card, y : Card) = rank(x) above rank(y) in high
  zone stock seen by nobody
  zone hand[s : Seat] seen by {s}
  zone table[s : Seat] seen by all
  state points[s : Seat] : Nat = 0
  state played : Nat = 0
  phase deal {
    gather pack into stock
    for each s in Seat { draw 1 from stock to hand[s] called dealing }
    for each s in Seat clockwise from opener {
      ask s to turn {
        may lay(c in hand[s]) { move {c} from hand[s] to table[s] }
        may keep { }
      }
    }
    for each s in Seat { if |table[s]| == 1 { points[s] += bonus } }
    played += 1
  }
  phase match {
    repeat { run deal } until played >= 2
    end
  }
  outcome(s) = if points[s] > points[left(s)] then won else if points[s] == points[left(s)] then neither else lost
  gain(s) = points[s]
  pack tiny { cards {6♠, A♥}   seats 2 }
  example beats(A♥, 6♠) and not beats(6♠, A♥)
  example worth == 3 and bonus == 1
  scenario "both lay a card" {
    deck 6♠ A♥ Q♠ A♠ 6♥ Q♥
    expect hand[seat 1] == {6♠} and hand[seat 2] == {A♥}
    seat 1 : lay(6♠)
    seat 2 : lay(A♥)
    expect points[seat 1] == 1 and points[seat 2] == 1 and played == 1
    draw Q♠
    draw A♠
    seat 1 : keep
    seat 2 : keep
    expect points[seat 1] == 1 and played == 2
  }
}
"""

COVERED = SMALL.replace("until played >= 2", "until played >= (if mood == wild then 3 else 2)")
"""The same, but that each of its options matters: everything it promises is shown."""


def kozel(
    *arguments: str, cwd: Path | None = None, env: dict[str, str] | None = None, timeout: float = 120
) -> subprocess.CompletedProcess[bytes]:
    """The finished process; its output as bytes, without the lines that tell how far it is. ``env`` is added to this
    process's environment."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", **(env or {})}
    command = [sys.executable, "-c", START, *arguments]
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, timeout=timeout, check=False)
    done.stderr = PROGRESS.sub(b"", done.stderr)
    return done
