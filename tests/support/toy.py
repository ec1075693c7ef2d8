"""A tiny trick game as a hand-built core, for tests of everything that reads a core.

Six cards (6 Q A of spades and hearts), two seats. A card is turned for trumps and put back, each seat is dealt two
cards. The leader leads one or two cards of one suit; the other seat beats them, each with a higher card of the suit or
(with the option) a trump of its own, or discards as many unseen. The winner takes the trick and leads next. When the
hands are empty each seat scores its cards (A 11, Q 3); the match ends when a seat has 20 points.

Nodes: 0 turn (draw), 1 deal (draw), 2 lead, 3 answer, 4 deal_end (rest), 5 over (end).
Zone slots: 0 stock, 1-2 hand, 3-4 table, 5-6 won. Cards: 0 6S, 1 QS, 2 AS, 3 6H, 4 QH, 5 AH.
"""

from kozel_verify.model.core import (
    Announce,
    Apply,
    Arrive,
    Ask,
    Assign,
    Bind,
    Binding,
    Block,
    Branch,
    Call,
    Cell,
    CellKind,
    CellRead,
    Claim,
    Compiled,
    Const,
    Dead,
    Draw,
    End,
    Example,
    Expr,
    First,
    Function,
    Game,
    Gather,
    Given,
    If,
    Jump,
    Lemma,
    Local,
    Lookup,
    Matching,
    Measure,
    Move,
    Node,
    OptionDecl,
    OptionRead,
    Orders,
    Parameter,
    Property,
    Rest,
    Scenario,
    Secret,
    StateClaim,
    Step,
    Verb,
    Visibility,
    Zone,
    ZoneRead,
    ZoneRef,
)
from kozel_verify.model.deck import Deck
from kozel_verify.model.types import (
    BOOL,
    NAT,
    CardType,
    EnumType,
    RangeType,
    RankType,
    SeatType,
    SetType,
    SuitType,
    Type,
    Value,
)

DECK = Deck(("♠", "♥"), ("6", "Q", "A"))
CARD, SUIT, RANK, SEAT = CardType(6), SuitType(2), RankType(3), SeatType(2)
CARDS, SEATS, COUNT = SetType(CARD), SetType(SEAT), RangeType(0, 6)
RESULT = EnumType("", ("lost", "neither", "won"))
TURN, DEAL, LEAD, ANSWER, DEAL_END, OVER = range(6)

# --- short spellings of expressions ----------------------------------------------------------------------------------

TRUE = Const(True, BOOL)
ALL = Visibility("", Const(0b11, SEATS))
NOBODY = Visibility("", Const(0, SEATS))
OWNER = Visibility("s", Apply("set", (Local("s", SEAT),), SEATS))


def op(name: str, *args: Expr, type: Type = BOOL) -> Apply:
    return Apply(name, args, type)


def nat(value: int) -> Const:
    return Const(value, NAT)


def seat(value: int) -> Const:
    return Const(value, SEAT)


def cell(name: str, type: Type, index: Expr | None = None) -> CellRead:
    return CellRead(name, index, type)


def zone(name: str, index: Expr | None = None) -> ZoneRead:
    return ZoneRead(name, index, CARDS)


def size(cards: Expr) -> Apply:
    return Apply("size", (cards,), COUNT)


def suit(card: Expr) -> Lookup:
    return Lookup(tuple(DECK.suit(c) for c in range(6)), card, SUIT)


def rank(card: Expr) -> Lookup:
    return Lookup(tuple(DECK.rank(c) for c in range(6)), card, RANK)


def place(card: Expr) -> Lookup:
    return Lookup((1, 2, 3), rank(card), RangeType(0, 3))


def other(of: Expr) -> First:
    return First("o", Const(0b11, SEATS), of, True, TRUE, SEAT)


def points(cards: Expr) -> Call:
    return Call("points", (cards,), NAT)


LEADER = cell("leader", SEAT)
ASKED = cell("asked", SEAT)
DEALT_TO = cell("dealt_to", SEAT)
REMAINING = cell("remaining", SEATS)
TRUMP = cell("trump", SUIT)


# --- the parts of the game -------------------------------------------------------------------------------------------


def _cells() -> dict[str, Cell]:
    rows: list[tuple[str, Type, Type | None, Value, Visibility, CellKind]] = [
        ("trump", SUIT, None, 0, ALL, CellKind.DECLARED),
        ("leader", SEAT, None, 0, ALL, CellKind.DECLARED),
        ("score", NAT, SEAT, 0, ALL, CellKind.DECLARED),
        ("turned", CARD, None, 0, NOBODY, CellKind.LET),
        ("remaining", SEATS, None, 0, ALL, CellKind.LOOP),
        ("dealt_to", SEAT, None, 0, ALL, CellKind.LOOP),
        ("asked", SEAT, None, 0, ALL, CellKind.LOOP),
        ("group", CARDS, None, 0, NOBODY, CellKind.CHOICE),
        ("reply", CARDS, None, 0, NOBODY, CellKind.CHOICE),
    ]
    cells, base = {}, 0
    for name, type_, index, initial, seen, kind in rows:
        cells[name] = Cell(name, type_, index, initial, seen, kind, base)
        base += 1 if index is None else 2
    return cells


def _functions() -> dict[str, Function]:
    x, y, g, r = Local("x", CARD), Local("y", CARD), Local("g", CARDS), Local("r", CARDS)
    higher = op("and", op("==", suit(x), suit(y)), op(">", place(x), place(y)))
    ruff = op("and", op("==", suit(x), TRUMP), op("!=", suit(y), TRUMP))
    beats = op("or", higher, op("and", OptionRead("ruffing", BOOL), ruff))
    pairing = Matching(g, r, "y", "x", Call("beats", (x, y), BOOL), BOOL)
    captures = op("and", op("==", size(r), size(g)), pairing)
    inner = Bind(Binding.EVERY, "y", g, op("==", suit(x), suit(y)), BOOL)
    total = Bind(Binding.SUM, "x", g, Lookup((0, 3, 11), rank(x), NAT), NAT)
    return {
        "beats": Function("beats", (x, y), beats, BOOL),
        "captures": Function("captures", (r, g), captures, BOOL),
        "one_suit": Function("one_suit", (g,), Bind(Binding.EVERY, "x", g, inner, BOOL), BOOL),
        "points": Function("points", (g,), total, NAT),
    }


def _nodes() -> tuple[Node, ...]:
    hand, table = zone("hand", LEADER), cell("group", CARDS)
    group = Parameter("group", "group", hand, nat(1), nat(2), CARDS)
    lead = Verb("lead", (group,), Call("one_suit", (Local("group", CARDS),), BOOL), 4)
    reply = Parameter("reply", "reply", zone("hand", ASKED), size(table), size(table), CARDS)
    captures = Call("captures", (Local("reply", CARDS), table), BOOL)
    verbs = (Verb("beat", (reply,), captures, 5), Verb("discard", (reply,), TRUE, 6))
    return (
        Draw("turn", ZoneRef("stock", None), ZoneRef("table", LEADER), "turned", 1),
        Draw("deal", ZoneRef("stock", None), ZoneRef("hand", DEALT_TO), None, 3),
        Ask("lead", LEADER, False, (lead,)),
        Ask("answer", ASKED, False, verbs),
        Rest("deal_end", 9),
        End("over"),
    )


def _collect(seat_: int) -> Move:
    return Move(zone("table", seat(seat_)), ZoneRef("table", seat(seat_)), ZoneRef("won", LEADER))


def _score(seat_: int) -> Assign:
    old = cell("score", NAT, seat(seat_))
    return Assign("score", seat(seat_), op("+", old, points(zone("won", seat(seat_))), type=NAT))


def _blocks() -> tuple[Block, ...]:
    turned = cell("turned", CARD)
    put_back = Move(op("set", turned, type=CARDS), ZoneRef("table", LEADER), ZoneRef("stock", None))
    next_seat = First("s", REMAINING, LEADER, False, TRUE, SEAT)
    rest = op("without", REMAINING, op("set", DEALT_TO, type=SEATS), type=SEATS)
    group, reply = cell("group", CARDS), cell("reply", CARDS)
    hands = [zone("hand", seat(s)) for s in (0, 1)]
    empty = Const(0, CARDS)
    scores = [op(">=", cell("score", NAT, seat(s)), nat(20)) for s in (0, 1)]
    told = Announce(points(zone("won", LEADER)), Const(0b11, SEATS), "points of the last taker")
    return (
        Block((Gather(ZoneRef("stock", None)),), Arrive(TURN)),
        Block((Assign("trump", None, suit(turned)), put_back, Assign("remaining", None, Const(0b11, SEATS))), Jump(2)),
        Block((Assign("dealt_to", None, next_seat), Assign("remaining", None, rest)), Arrive(DEAL)),
        Block((), Branch(op("<", size(zone("hand", DEALT_TO)), nat(2)), 11, 10)),
        Block(
            (Move(group, ZoneRef("hand", LEADER), ZoneRef("table", LEADER)), Assign("asked", None, other(LEADER))),
            Arrive(ANSWER),
        ),
        Block((Move(reply, ZoneRef("hand", ASKED), ZoneRef("table", ASKED)), Assign("leader", None, ASKED)), Jump(7)),
        Block((Move(reply, ZoneRef("hand", ASKED), ZoneRef("won", LEADER)),), Jump(7)),
        Block((_collect(0), _collect(1)), Branch(op("==", size(hands[0]), size(hands[1])), 8, 13)),
        Block((), Branch(op("==", hands[0], empty), 14, 12)),
        Block((), Branch(op("or", *scores), 15, 0)),
        Block((), Branch(op("==", REMAINING, Const(0, SEATS)), 12, 2)),
        Block((), Arrive(DEAL)),
        Block((), Arrive(LEAD)),
        Block((), Dead("unequal_hands")),
        Block((_score(0), _score(1), told), Arrive(DEAL_END)),
        Block((), Arrive(OVER)),
    )


def _properties() -> tuple[Property, ...]:
    x, y, s = Local("x", CARD), Local("y", CARD), Local("s", SEAT)
    beats = [Call("beats", pair, BOOL) for pair in ((x, y), (y, x))]
    every_card = Const(0b111111, CARDS)
    hands = [zone("hand", seat(n)) for n in (0, 1)]
    cards = [Parameter(n, "", every_card, None, None, CARD) for n in "xy"]
    left = op("+", op("*", nat(2), size(zone("stock")), type=NAT), size(hands[0]), type=NAT)
    rest = op("-", nat(2), Apply("size", (REMAINING,), RangeType(0, 2)), type=NAT)
    ace_over_queen = Call("captures", (Const(0b000100, CARDS), Const(0b000010, CARDS)), BOOL)
    return (
        Example("ace_over_queen", ace_over_queen, (Given("trump", None, Const(1, SUIT), False),)),
        Lemma("asymmetric", tuple(cards), op("not", op("and", *beats))),
        StateClaim(Claim.INVARIANT, "equal_hands", (LEAD,), op("==", size(hands[0]), size(hands[1]))),
        StateClaim(Claim.WITNESS, "score_of_both", (DEAL_END,), _both_scored()),
        Measure("progress", (op("+", left, size(hands[1]), type=NAT), rest)),
        Secret("hands", "s", SEAT, zone("hand", s), op("set", other(s), type=SEATS), ()),
        _scenario(),
        Compiled("captures", "captures", 1, 2, TRUE),
    )


def _scenario() -> Scenario:
    """Hearts are turned; seat 0 is dealt and leads two of them; seat 1 can only discard."""
    draws = tuple(Step("draw", None, "", (card,), None) for card in (3, 4, 5, 0, 1))
    lead = Step("choose", 0, "lead", (0b110000,), None)
    discard = Step("choose", 1, "discard", (0b000011,), None)
    expect = Step("expect", None, "", (), op("==", cell("score", NAT, seat(0)), nat(17)))
    return Scenario("two hearts win", None, (), (), (*draws, lead, discard, expect))


def _both_scored() -> Apply:
    return op("and", *(op(">", cell("score", NAT, seat(n)), nat(0)) for n in (0, 1)))


def toy_game() -> Game:
    """The game described above. It is a new object at each call, equal to every other."""
    s = Local("seat", SEAT)
    mine, theirs = cell("score", NAT, s), cell("score", NAT, other(s))
    tied = If(op("==", mine, theirs), Const(1, RESULT), Const(0, RESULT), RESULT)
    words = [
        ("lead", "lead", "ход"),
        ("beat", "beat", "крою"),
        ("discard", "discard", "сброс"),
        ("hand", "hand", "рука"),
        ("table", "table", "стол"),
        ("stock", "stock", "колода"),
        ("won", "pile", "взятки"),
        ("trump", "trumps", "козырь"),
        ("score", "points", "очки"),
        ("deal_end", "end of the deal", "конец сдачи"),
    ]
    nothing: frozenset[str] = frozenset()
    return Game(
        name="toy",
        titles={"en": "Toy", "ru": "Игрушка"},
        terms={name: {"en": english, "ru": russian} for name, english, russian in words},
        deck=DECK,
        pack=0b111111,
        pack_name="",
        seats=2,
        enums={},
        orders={"plain": Orders("plain", RANK, (2, 1, 0))},
        options={"ruffing": OptionDecl("ruffing", BOOL, (False, True), True, False, {"en": "trumps beat other suits"})},
        constraints=(),
        cells=_cells(),
        zones={
            "stock": Zone("stock", None, NOBODY, 0),
            "hand": Zone("hand", SEAT, OWNER, 1),
            "table": Zone("table", SEAT, ALL, 3),
            "won": Zone("won", SEAT, NOBODY, 5),
        },
        functions=_functions(),
        blocks=_blocks(),
        nodes=_nodes(),
        entry=0,
        deal_nodes=frozenset({TURN, DEAL, LEAD, ANSWER}),
        deal_end=DEAL_END,
        outcome=If(op(">", mine, theirs), Const(2, RESULT), tied, RESULT),
        gain=points(zone("won", s)),
        loss=points(zone("won", other(s))),
        live=(
            nothing,
            frozenset({"remaining", "dealt_to"}),
            nothing,
            frozenset({"asked", "group"}),
            nothing,
            nothing,
        ),
        properties=_properties(),
        citations={},
    )
