"""A small game with secrets, for tests of what a seat can know: text to be changed, and the game loaded from it.

Eight cards, two seats with two cards each, two cards aside. Each seat bids in secret; it is announced whether the
second bids higher; the higher bidder comes to see the cards aside, takes them, and lays two cards away unseen. It is
announced whether the first seat has an ace or the second has none; that seat scores; two points win.
"""

from kozel_verify.model.load import Spec, load_text

BIDDING = """language 1

game bidding {
  title ru "Торг" en "Bidding"
  deck suits ♠, ♥ ranks 6, Q, K, A
  seats 2

  zone stock seen by nobody
  zone hand[s : Seat] seen by {s}
  zone aside seen by those s in Seat where solo == s
  zone laid seen by nobody
  state solo : Seat? = none fresh each deal
  state bid[s : Seat] : 0..2 = 0 seen by {s} fresh each deal
  state points[s : Seat] : 0..2 = 0

  predicate strong(h : Cards) = some c in h : rank(c) == A

  phase deal {
    gather pack into stock
    for each s in Seat { draw 2 from stock to hand[s] called dealing }
    draw 2 from stock to aside called set_aside
    for each s in Seat {
      ask s secretly to bidding {
        may bid(n in 1..2) when n == 1 or strong(hand[s]) { bid[s] := n }
        may pass { bid[s] := 0 }
      }
    }
    let taker = if bid[seat 2] > bid[seat 1] then seat 2 else seat 1
    announce taker as takes
    solo := taker
    move aside from aside to hand[taker]
    ask taker to lay_away {
      may lay(g : 2 of hand[taker]) { move g from hand[taker] to laid }
    }
    let ahead = strong(hand[seat 1]) or not strong(hand[seat 2])
    announce ahead as first_scores
    if ahead { points[seat 1] += 1 } else { points[seat 2] += 1 }
  }

  phase match {
    repeat { run deal } until some s in Seat : points[s] == 2
    end
  }

  outcome(s) = if points[s] == 2 then won else lost
  gain(s) = points[s]

  # With all cards dealt, each seat can work out what the other has.
  pack six { cards {6♠, Q♠, A♠, 6♥, K♥, A♥}   seats 2 }
}
"""


def bidding(*changes: tuple[str, str]) -> Spec:
    """The game with each text, which must be there once, replaced by another."""
    text = BIDDING
    for old, new in changes:
        assert text.count(old) == 1, f"{text.count(old)} times: {old}"
        text = text.replace(old, new)
    return load_text(text)


SILENT: dict[str, tuple[tuple[str, str], ...]] = {
    "menu": (("strong(hand[s])", "strong(hand[left(s)])"),),
    "public cell": (("    announce taker as takes\n", ""),),
    "score": (("    announce ahead as first_scores\n", ""),),
    "silence": (("    announce taker as takes\n", "    if taker == seat 2 { announce taker as takes }\n"),),
    "number of cards": (
        (
            "    ask taker",
            "    move (those c in hand[seat 1] where rank(c) == A) from hand[seat 1] to laid\n    ask taker",
        ),
        ("g : 2 of", "g : 0..2 of"),
    ),
    "next node": (
        (
            "points[seat 2] += 1 }",
            "points[seat 2] += 1 }\n    if strong(hand[seat 2]) { draw 1 from stock to laid called extra }",
        ),
    ),
    "only who can": (
        ("for each s in Seat {\n      ask", "for each s in those t in Seat where strong(hand[t]) {\n      ask"),
    ),
    "worth": (("gain(s) = points[s]", "gain(s) = |those c in hand[s] where rank(c) == A|"),),
}
"""Leaks: what is changed. Each tells a seat something without a statement that says so."""
