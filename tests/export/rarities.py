"""A small game that uses what the other games of these tests do not: viewers that change, secret questions, choices of
several arguments, cells of every type, options that exclude each other, more than one deal by chance alone."""

from kozel_verify.model.core import Game
from kozel_verify.model.load import load_text

TEXT = """language 1
game rarities {
  title en "Rarities"
  deck suits ♠, ♥ ranks 6, 7, Q, A
  seats 3
  type Mood = calm | bold
  option open_hands : Bool = false
  option extra : 1..3 = 2
  option shade : dark | light = dark
  constraint open_hands implies extra != 3
  order plain = A > Q > 7 > 6
  const value = {A: 5, Q: 2, else 1}

  zone stock seen by nobody
  zone hand[s : Seat] seen by if open_hands then all else {s}
  zone widow seen by if taker is none then nobody else {taker}
  zone heap[m : Mood] seen by nobody
  state taker : Seat? = none
  type Amount = zero | one | two | three
  state bid[s : Seat] : Amount? = none seen by {s}
  state rounds : 0..3 = 0
  state mood : Mood = calm
  state marks[n : 1..3] : Nat = 0
  state moods : set of Mood = {}
  state led : Suit? = none
  state hushed : Bool = false
  state top_rank : Rank = 6

  function worth(g : Cards) : Nat = sum c in g of value[rank(c)]
  function bidders() : set of Seat = those s in Seat where bid[s] is not none
  predicate strong(c : Card) = above_six(c) and suit(c) == led
  predicate above_six(c : Card) = rank(c) above 6 in plain
  predicate fitting(g : Cards, m : Mood) = if m == bold then every c in g : above_six(c) else some c in g : suit(c) == ♥
  predicate covers(x : Card, y : Card) = suit(x) == suit(y) and rank(x) above rank(y) in plain

  phase deal {
    gather pack into stock
    taker := none
    for each n in 1..extra { marks[n] += n }
    for each s in Seat { draw 2 from stock to hand[s] }
    draw 1 from stock to widow as turned
    led := suit(turned)
    if rank(turned) == 6 and rounds < 3 {
      rounds += 1
      again deal
    }
    top_rank := rank(turned)
    for each s in Seat clockwise from seat 2 {
      ask s secretly to bid_now {
        may bid(n in Amount, k in 0..3) when k + rounds <= 3 and (n == zero implies k < 2) { bid[s] := n }
        may pass { }
      }
    }
    announce bidders() as bidders
    if |bidders()| > 0 {
      taker := first s in bidders() clockwise after seat 1
      ask taker to exchange {
        may swap(c in widow, g : 1..2 of hand[taker], m in Mood) when c in widow and fitting(g, m) and strong(c) {
          move g from hand[taker] to heap[m]
          move {c} from widow to hand[taker]
          mood := m
          moods := moods union {m}
        }
        may match_up(g : 1..2 of hand[taker]) when matching g -> (hand[taker] without g) by covers {
          move g from hand[taker] to heap[calm]
          show g to {taker, left(taker)}
        }
        may colour(x in Suit, b : 0..1 of {♠}) when x != led or |b| == 1 { led := x }
        may nothing { hushed := not hushed }
      }
      announce bid[taker] as bid
    }
    for each s in Seat { bid[s] := none }
  }

  phase match {
    repeat { run deal } until marks[1] > 3 or hushed
    end
  }

  outcome(s) = if taker == s then won else neither
  gain(s) = worth(hand[s]) + worth(heap[mood])
  loss(s) = if s == taker then |widow| else 0
}
"""


PEEKING = TEXT.replace("matching g -> (hand[taker] without g)", "matching g -> (hand[left(taker)])")


def rare_game(text: str = TEXT) -> Game:
    return load_text(text, "rarities.kozel").game
