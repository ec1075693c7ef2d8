"""A small game, and the same game with one piece of its text exchanged, for tests of comparisons.

Each seat is dealt two cards, one at a time. The opener lays one card or two of a suit, the other seat takes them with
cards that beat them, or leaves them, which is announced; then the opener makes a guess in secret. Taking scores.
"""

from kozel_verify.model.load import Spec, load_text
from kozel_verify.verify.differ import Side
from kozel_verify.verify.differ.lockstep import Kind

BASE = """language 1
game base {
  deck suits ♠, ♥ ranks 6, Q, A
  seats 2
  order high = A > Q > 6
  option bonus : 0..2 = 1
  option opener : Seat = seat 1
  type Guess = low | high_one
  zone stock seen by nobody
  zone hand[s : Seat] seen by {s}
  zone table seen by all
  zone out seen by nobody
  state score[s : Seat] : Nat = 0
  state laid : 0..12 = 0 seen by nobody
  state said : Guess? = none seen by nobody fresh each deal
  predicate beats(x : Card, y : Card) = suit(x) == suit(y) and rank(x) above rank(y) in high
  predicate group(g : Cards) = |g| in 1..2 and (some t in Suit : every c in g : suit(c) == t)
  predicate covers(r : Cards, g : Cards) = |r| == |g| and matching g -> r by beats
  function prize(n : 0..6) : 0..20 = n * 2 + bonus
  phase deal {
    gather pack into stock
    for each s in Seat clockwise from opener { draw 1 from stock to hand[s] called dealing }
    for each s in Seat clockwise from opener { draw 1 from stock to hand[s] called second }
    ask opener to lead {
      may lay(g : 1..2 of hand[opener]) when group(g) {
        laid := |g|
        move g from hand[opener] to table
      }
    }
    ask left(opener) to answer {
      may take(r : 1..2 of hand[left(opener)]) when covers(r, table) {
        score[left(opener)] += prize(|r|)
        move r from hand[left(opener)] to out
      }
      may leave_it { announce |hand[left(opener)]| as left_over to {opener} }
    }
    ask opener secretly to guess { may guess(k in Guess) { said := k } }
    move table from table to out
    show out to all
  }
  phase match { run deal end }
  outcome(s) = if score[s] > 0 then won else neither
  gain(s) = score[s]
  pack four { cards {6♠, A♠, Q♠, A♥}   seats 2 }
}
"""


def spec(*exchanged: tuple[str, str]) -> Spec:
    """The game with pieces of its text exchanged, one after another; each must be there."""
    text = BASE
    for old, new in exchanged:
        assert text.count(old) >= 1, old
        text = text.replace(old, new)
    return load_text(text, "base.kozel")


def side(*exchanged: tuple[str, str]) -> Side:
    return Side(spec(*exchanged))


Exchange = tuple[str, str]

DIFFERENCES: dict[str, tuple[Exchange, Kind]] = {
    "a stricter menu": (("|g| in 1..2 and", "|g| == 1 and"), Kind.MENU),
    "a laxer menu": (("beats(x : Card, y : Card) = suit(x) == suit(y) and", "beats(x : Card, y : Card) ="), Kind.MENU),
    "who sees a zone": (("zone out seen by nobody", "zone out seen by {seat 1}"), Kind.TOLD),
    "who sees a cell": (("state laid : 0..12 = 0 seen by nobody", "state laid : 0..12 = 0"), Kind.SHOWN),
    "the score": (("n * 2 + bonus", "n * 2 + 2 * bonus"), Kind.SHOWN),
    "the gain alone": (("gain(s) = score[s]", "gain(s) = 2 * score[s]"), Kind.WORTH),
    "the result alone": (("then won else neither", "then won else lost"), Kind.WORTH),
    "the order of drawing": (
        (
            "for each s in Seat clockwise from opener { draw 1 from stock to hand[s] called second }",
            "for each s in Seat clockwise after opener { draw 1 from stock to hand[s] called second }",
        ),
        Kind.TOLD,
    ),
    "who hears an announcement": (("as left_over to {opener}", "as left_over to all"), Kind.TOLD),
    "an announcement's value": (("announce |hand[left(opener)]|", "announce |hand[opener]|"), Kind.TOLD),
    "who is shown cards": (("show out to all", "show out to {seat 2}"), Kind.TOLD),
    "an open answer": (("ask opener secretly to guess", "ask opener to guess"), Kind.TOLD),
    "the default of an option": (("option opener : Seat = seat 1", "option opener : Seat = seat 2"), Kind.TOLD),
    "whose turn it is": (("ask opener secretly to guess", "ask left(opener) secretly to guess"), Kind.TURN),
    "a name of a decision": (("secretly to guess", "secretly to wager"), Kind.NODE),
    "where cards go": (("move table from table to out", "move table from table to stock"), Kind.TOLD),
    "rules that fail": (("laid := |g|", "laid := |g| * 12"), Kind.FAULT),
}

TABLE, HAND = "move table from table to out", "move hand[opener] from hand[opener] to stock"
MOVES: tuple[Exchange, Exchange] = ((TABLE, f"{TABLE}   {HAND}"), (TABLE, f"{HAND}   {TABLE}"))  # the same at once

SAME: dict[str, tuple[Exchange, ...]] = {
    "renamed variables": (
        ("for each s in Seat clockwise", "for each who in Seat clockwise"),
        ("hand[s] called", "hand[who] called"),
    ),
    "an `and` turned round": (
        (
            "suit(x) == suit(y) and rank(x) above rank(y) in high",
            "rank(x) above rank(y) in high and suit(x) == suit(y)",
        ),
    ),
    "another way to say it": (
        ("(some t in Suit : every c in g : suit(c) == t)", "every c in g : every d in g : suit(c) == suit(d)"),
    ),
    "hidden bookkeeping": (
        (
            "laid := |g|",
            "laid := |g| + 10",
        ),
    ),
    "hidden bookkeeping that is not kept": (
        (
            "laid := |g|\n",
            "\n",
        ),
    ),
    "a hidden cell more": (
        ("state laid", "state more : 0..3 = 0 seen by nobody\n  state laid"),
        ("laid := |g|", "laid := |g|  more := 3"),
    ),
    "a hidden cell less": (
        ("  state laid : 0..12 = 0 seen by nobody\n", ""),
        ("laid := |g|\n", "\n"),
    ),
    "a branch turned round": (
        (
            "if score[s] > 0 then won else neither",
            "if score[s] == 0 then neither else won",
        ),
    ),
    "an unused function": (
        (
            "function prize",
            "function unused(n : 0..2) : 0..9 = n\n  function prize",
        ),
    ),
    "a function that is written out": (
        (
            "prize(|r|)",
            "(|r| * 2 + bonus)",
        ),
    ),
    "an option of one side": (
        ("option bonus", "option fancy : Bool = false\n  option bonus"),
        ("|g| in 1..2 and", "|g| in 1..2 and (not fancy or |g| == 1) and"),
    ),
}
