"""How long each game takes, and how that grows: ``python benchmarks/systems.py [games|growth] [GAME...]``.

``games``: of every game (or those named) its size, and the time to check and test it, to verify it from cold and
again. ``growth``: of a small trick game, from cold, with one of its measures changed at a time. Every number is of one
run of a whole process; "processor" counts its children too. The ratio is to the first row, so that runs on different
machines can be compared. No test asserts any of it.
"""

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from math import prod
from pathlib import Path

from kozel_verify.model.load import load

ROOT = Path(__file__).resolve().parents[1]
KOZEL = [sys.executable, "-c", "import sys; from kozel_verify.cli.main import main; sys.exit(main())"]

GAME = """\
language 1
game grown {{
  deck suits ♠, ♦, ♥, ♣ ranks {ranks}
  seats {seats}
  zone stock seen by nobody
  zone hand[s : Seat] seen by {{s}}
  zone table[s : Seat] seen by all
  zone pile[s : Seat] seen by nobody
  state trump : Suit? = none fresh each deal
  state leader : Seat = seat 1
  state best : Seat = seat 1
  order strength = {order}
{options}
  phase match {{ run deal end }}
  phase deal {{
    gather pack into stock
    for each s in Seat {{ draw {hand} from stock to hand[s] }}
    draw 1 from stock to table[seat 1] as turned
    trump := suit(turned)
    move table[seat 1] from table[seat 1] to stock
    repeat {{ run trick }} until |hand[leader]| == 0
  }}
  outcome(s) = won

  predicate beats(x : Card, y : Card) =
    suit(x) == suit(y) and rank(x) above rank(y) in strength or suit(x) == trump and suit(y) != trump{weak}
  procedure trick {{
    ask leader to lead {{ may play(c in hand[leader]) {{ move {{c}} from hand[leader] to table[leader] }} }}
    best := leader
    for each s in Seat without {{leader}} clockwise after leader {{
      ask s to follow {{
        may play(c in hand[s]) {{
          if beats(c, only(table[best])) {{ best := s }}
          move {{c}} from hand[s] to table[s]
        }}
      }}
    }}
    for each s in Seat {{ move table[s] from table[s] to pile[best] }}
    leader := best
  }}
  invariant hands at lead : every s in Seat : |hand[s]| == |hand[leader]|
  secret held[s : Seat] : hand[s] from all without {{s}}
}}
"""
RANKS = ["6", "7", "8", "9", "J", "Q", "K", "10", "A"]
BASE = {"cards": 20, "hand": 3, "seats": 2, "options": 0}
GROWTH = {"cards": (20, 28, 36), "hand": (3, 5, 8), "seats": (2, 3, 4, 6), "options": (0, 2, 4, 6)}


def grown(cards: int, hand: int, seats: int, options: int) -> str:
    """The small game: ``options`` of them are yes or no, and take from one rank the power of a trump."""
    ranks = RANKS[-cards // 4 :]
    names = [f"weak_{n}" for n in range(options)]
    return GAME.format(
        ranks=", ".join(ranks),
        order=" > ".join(reversed(ranks)),
        seats=seats,
        hand=hand,
        options="\n".join(f"  option {name} : Bool = false" for name in names),
        weak="".join(f" and not ({name} and rank(x) == {ranks[n % len(ranks)]})" for n, name in enumerate(names)),
    )


def seconds(*arguments: str) -> tuple[float, float, int]:
    """Wall and processor seconds of a command, and its exit code."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        [*KOZEL, *arguments], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
    )
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.returncode


def games(names: list[str]) -> Iterator[str]:
    yield "game                cards seats options nodes claims | check   test |  cold processor unchanged  ratio exit"
    base = 0.0
    for path in sorted((ROOT / "spec").glob("*.kozel")):
        if names and path.stem not in names:
            continue
        game = load(path).game
        sets = prod(len(o.values) for o in game.options.values())
        nodes, claims = len(game.nodes), len(game.properties)
        size = f"{game.name:<20}{game.pack.bit_count():>5}{game.seats:>6}{sets:>8,}{nodes:>6}{claims:>7}"
        with tempfile.TemporaryDirectory() as store:
            check, test = seconds("check", str(path))[0], seconds("test", str(path))[0]
            cold, processor, code = seconds("verify", str(path), "--store", store)
            again = seconds("verify", str(path), "--store", store)[0]
        base = base or processor
        yield (
            f"{size} | {check:>5.2f}s {test:>5.2f}s | {cold:>4.0f}s {processor:>8.0f}s {again:>8.2f}s "
            f"{processor / base:>6.2f} {code:>4}"
        )


def growth(_: list[str]) -> Iterator[str]:
    yield "measure   value  processor   ratio exit"
    with tempfile.TemporaryDirectory() as folder:
        path, base = Path(folder, "grown.kozel"), 0.0
        for measure, values in GROWTH.items():
            for value in values:
                path.write_text(grown(**{**BASE, measure: value}), encoding="utf-8")
                _, processor, code = seconds("verify", str(path), "--no-store", "--jobs", "1")
                base = base or processor
                yield f"{measure:<8}{value:>7}{processor:>10.1f}s{processor / base:>8.2f}{code:>5}"


def main() -> int:
    what, names = sys.argv[1] if len(sys.argv) > 1 else "games", sys.argv[2:]
    if what not in ("games", "growth"):
        print(__doc__, file=sys.stderr)
        return 2
    for line in (games if what == "games" else growth)(names):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
