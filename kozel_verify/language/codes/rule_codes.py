"""Errors of declarations, rules and properties."""

from kozel_verify.language.codes.entry import Code

_UNDECKED = "language 1\ngame «sample» { seats 2 }\n"

RULE_CODES: dict[str, Code] = {
    "deck": Code(
        "the deck is not stated, or a list of cards is not the pack",
        "A game states its deck once: suits and ranks, each once. The deck of a scenario lists every card of the "
        "pack once, in the order in which they come off it.",
        _UNDECKED,
        "file",
    ),
    "seats": Code(
        "the seats are not stated, or their number is not possible",
        "A game states once how many seats it has: 1 to 6.",
        "language 1\ngame sample {\n  deck suits ♠, ♥ ranks 6, A\n  «seats 9»\n}\n",
        "file",
    ),
    "pack": Code(
        "a smaller pack without cards",
        "A `pack` block names the cards with which the same rules are played at a smaller table: at least one.",
        "pack tiny { cards «{}» }",
    ),
    "table": Code(
        "a table with a gap or a double key",
        "A table gives each key one value; `else` gives one to all other keys.",
        "const worth = «{6: 0, A: 11}»",
    ),
    "order": Code(
        "an order that is none",
        "An order lists cards, ranks, suits, seats or items of an enumeration, the strongest first, each once.",
        "order plain = A > 10 > «A»",
    ),
    "option": Code(
        "an option with too many values",
        "Proofs cover every combination of options, so an option has a finite and small domain: at most 100 values.",
        "option limit : «Nat» = 12",
    ),
    "constraint": Code(
        "defaults that a constraint excludes",
        "Where nobody sets an option its default holds, so the defaults together satisfy every constraint. Then there "
        "is also some choice of options that does.",
        "option limit : 6..12 = 7\nconstraint «limit in {6, 8, 12}»",
    ),
    "no-zone": Code(
        "the game has no zone",
        "Every card is in a zone at every time. The zone that is declared first holds the whole pack at the beginning.",
        "language 1\n"
        "game «sample» {\n"
        "  deck suits ♠, ♥ ranks 6, A\n"
        "  seats 2\n"
        "  phase match { repeat { run deal } until true end }\n"
        "  phase deal { ask seat 1 to lead { may pass { } } }\n"
        "  outcome(s) = neither\n"
        "}\n",
        "file",
    ),
    "no-phase": Code(
        "a required phase is missing",
        "Two phases are required: `match`, where play begins, and `deal`, which it runs; the tool stops at the "
        "end of each deal.",
        "language 1\n"
        "game «sample» {\n"
        "  deck suits ♠, ♥ ranks 6, A\n"
        "  seats 2\n"
        "  zone stock seen by nobody\n"
        "  phase match { end }\n"
        "  outcome(s) = neither\n"
        "}\n",
        "file",
    ),
    "deal": Code(
        "the phase `deal` is run at no place, or at two",
        "The end of a deal is one point of the game: results are read there. So `match` runs `deal` at exactly one "
        "place, usually inside a loop.",
        "language 1\n"
        "game sample {\n"
        "  deck suits ♠, ♥ ranks 6, A\n"
        "  seats 2\n"
        "  zone stock seen by nobody\n"
        "  phase match { run deal run «deal» end }\n"
        "  phase deal { ask seat 1 to lead { may pass { } } }\n"
        "  outcome(s) = neither\n"
        "}\n",
        "file",
    ),
    "no-outcome": Code(
        "the game does not say who has won",
        "`outcome(s) = …` gives for each seat `lost`, `neither` or `won` when the match is over.",
        "language 1\n"
        "game «sample» {\n"
        "  deck suits ♠, ♥ ranks 6, A\n"
        "  seats 2\n"
        "  zone stock seen by nobody\n"
        "  phase match { repeat { run deal } until true end }\n"
        "  phase deal { ask seat 1 to lead { may pass { } } }\n"
        "}\n",
        "file",
    ),
    "not-a-cell": Code(
        "something that cannot be assigned to",
        "Only what is declared by `state` changes by `:=` and `+=`. Cards change their place by `move`; a `let` "
        "keeps its value.",
        "let limit = 12\n«limit» := 13",
        "statements",
    ),
    "not-a-zone": Code(
        "something that holds no cards",
        "Cards are moved and drawn from zones to zones; zones are declared by `zone`.",
        "move {6♠} from open_cards to «opener»",
        "statements",
    ),
    "draw": Code(
        "a draw that is not possible",
        "`draw 1 … as c` names the one card that is drawn. A draw of several cards has a bound on their number "
        "and names none of them.",
        "draw 2 from stock to hand[opener] as «c»",
        "statements",
    ),
    "loop-domain": Code(
        "a loop over values without an order",
        "A loop runs over seats, suits, items of an enumeration or numbers. The order of cards would be a rule that "
        "nobody has written: what concerns a set of cards is said with `every`, `those`, `sum`, or is a choice.",
        "for each c in «hand[opener]» { announce c }",
        "statements",
    ),
    "endless": Code(
        "a loop that may go round without a decision",
        "Play waits at decision points only. In each round of a `repeat`, a `while`, or a loop that asks or draws, "
        "something must be asked or drawn on every path.",
        "while «|open_cards| > 0» { announce true }",
        "statements",
    ),
    "unreachable": Code(
        "a statement that is never come to",
        "What stands before it always leaves, begins again or ends.",
        "end\n«announce true»",
        "statements",
    ),
    "not-in-phase": Code(
        "`leave` or `again` outside of its phase",
        "`leave P` goes on after the phase P, `again P` begins it anew: both stand in P, or in a procedure that "
        "is run only in P.",
        "leave «bidding»",
        "statements",
    ),
    "empty-scenario": Code(
        "a scenario in which nothing happens",
        "A scenario holds when all goes as it is written. One without a choice, a draw or something to expect would "
        "hold whatever the rules say.",
        '«scenario "nothing" { start at lead }»',
    ),
    "old": Code(
        "`old` or `shown` where there is no step",
        "`old(…)` is the value in the state before a step, `shown(…)` the cards that a step shows to a seat. They "
        "stand in the statement of a `step`, outside of functions, and not in `old(…)`.",
        "invariant fewer at lead : |stock| < «old(|stock|)»",
    ),
    "not-kept": Code(
        "a property about a value that is not kept",
        "At a node, the variables of loops and choices and `let`s can be named that are in sight there; but a "
        "value that nothing needs any more is forgotten, so that equal situations are equal states.",
        "language 1\n"
        "game sample {\n"
        "  deck suits ♠, ♥ ranks 6, A\n"
        "  seats 2\n"
        "  zone stock seen by nobody\n"
        "  phase match { repeat { run deal } until true end }\n"
        "  phase deal {\n"
        "    let dealt = |stock|\n"
        "    ask seat 1 to lead { may pass { } }\n"
        "  }\n"
        "  outcome(s) = neither\n"
        "  invariant all_there at lead : «dealt == 4»\n"
        "}\n",
        "file",
    ),
}
