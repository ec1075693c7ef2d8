"""A small game of three seats that drop out between deals, with claims that hold and claims that do not."""

DROP_OUT = """language 1
game drop_out {
  deck suits ♠, ♥ ranks 6, 7, 8, 9, 10, J
  seats 3
  zone stock seen by nobody
  zone hand[s : Seat] seen by {s}
  zone pile seen by all
  state playing : set of Seat = {}
  state served : set of Seat = {}
  state deals : Nat = 0
  phase deal {
    gather pack into stock
    served := {}
    for each s in playing { draw 1 from stock to hand[s] }
    for each s in playing {
      ask s to turn { may put(c in hand[s]) { move {c} from hand[s] to pile   served := served union {s} } }
    }
    deals += 1
  }
  phase match {
    playing := all
    repeat {
      run deal
      ask first s in playing clockwise from seat 1 to next {
        may drop(t in playing) { playing := playing without {t} }
        may go_on { }
      }
    } until |playing| == 1
    end
  }
  outcome(s) = if s in playing then won else lost
  measure falls : |stock|, |playing without served|
  invariant two_at_least at draw, turn, deal.end : |playing| >= 2
  invariant out_is_out at turn : every s in all without playing : |hand[s]| == 0
  invariant served_play at turn : served within playing and s not in served
  invariant hands at turn : every t in playing : |hand[t]| == (if t in served then 0 else 1)
  invariant with_all at turn : playing == all implies |stock| == 9
  invariant with_two at turn : |playing| == 2 implies |stock| == 10
  invariant all_play at turn : playing == all
  invariant first_plays at turn : seat 1 in playing
  invariant six_in_stock at turn : playing == all or 6♠ in stock
  invariant six_unless_two at turn : 6♠ in stock or 6♠ not in stock
}
"""
FALSE = {"all_play", "first_plays", "six_in_stock"}
