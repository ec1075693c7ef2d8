"""The core: what a spec means, as data. Every engine reads only this.

A ``Game`` has *slots* that hold its state, pure *functions*, and a *process graph*. The graph's nodes are the points
where play waits (a seat is asked, a card is drawn, a deal has ended, the match has ended); between two nodes run
*blocks* of straight-line effects joined by jumps and branches. No cycle of blocks is free of nodes.

State of a game: the current node, one value for each cell slot, and one place for each card (a zone slot, or
``OUTSIDE`` for a card of the deck that is not in the pack). Cards have one place each, so no card is ever lost or
doubled by a rule. Zones are sets: no order exists that could leak. A draw takes any one card of its source.
"""

from dataclasses import dataclass, field
from enum import Enum

from kozel_verify.language.spans import NOWHERE, Span
from kozel_verify.model.deck import Deck
from kozel_verify.model.types import EnumType, Type, Value

OUTSIDE = -1


# --- expressions -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Const:
    value: Value
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Local:
    """A bound variable: of a quantifier, a function, a lemma, or a binding of a choice (in its domain and guard)."""

    name: str
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class OptionRead:
    name: str
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class CellRead:
    """The value of a cell; ``index`` is given exactly when the cell is a family."""

    cell: str
    index: "Expr | None"
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class ZoneRead:
    """The set of cards in a zone."""

    zone: str
    index: "Expr | None"
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Apply:
    """An operator of ``kozel_verify.model.operators`` applied to its arguments."""

    op: str
    args: "tuple[Expr, ...]"
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Lookup:
    """``table[position]`` for a constant table: entry ``i`` belongs to the element of index ``i``."""

    table: tuple[Value, ...]
    key: "Expr"
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class If:
    condition: "Expr"
    then: "Expr"
    otherwise: "Expr"
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    function: str
    args: "tuple[Expr, ...]"
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


class Binding(Enum):
    EVERY = "every"  # Bool: the body holds for all elements of the domain
    SOME = "some"  # Bool: it holds for at least one
    THOSE = "those"  # set: the elements for which it holds
    THE = "the"  # element: the only one for which it holds; undefined unless exactly one
    SUM = "sum"  # number: the sum of the body over the domain
    TOP = "top"  # element: the one with the greatest body; undefined when empty or not unique


@dataclass(frozen=True, slots=True)
class Bind:
    """``binding variable in domain : body``. The domain is a set; the variable is a ``Local`` in the body."""

    binding: Binding
    variable: str
    domain: "Expr"
    body: "Expr"
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class First:
    """``first variable in domain clockwise from/after start where body``: a seat; undefined when there is none.

    ``after`` begins at the left neighbour of ``start`` and comes to ``start`` itself last.
    """

    variable: str
    domain: "Expr"
    start: "Expr"
    after: bool
    body: "Expr"
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Matching:
    """``matching targets -> replies by p``: can each target be given its own reply with ``p(reply, target)``?

    Replies may be left over. ``body`` is the predicate with ``target`` and ``reply`` as its ``Local`` variables.
    """

    targets: "Expr"
    replies: "Expr"
    target: str
    reply: str
    body: "Expr"
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


Expr = Const | Local | OptionRead | CellRead | ZoneRead | Apply | Lookup | If | Call | Bind | First | Matching


# --- slots, functions ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Visibility:
    """Who sees a slot: ``seats`` is a set of seats; ``variable`` names the slot's index in it (empty if no family).

    The expression may read options and public cells only.
    """

    variable: str
    seats: Expr


class CellKind(Enum):
    DECLARED = "declared"  # written in the spec as `state`
    CHOICE = "choice"  # the argument of a choice that is still needed later
    LET = "let"  # a `let`, or a drawn card's name
    LOOP = "loop"  # a loop's variable or what is left of its domain


@dataclass(frozen=True, slots=True)
class Cell:
    """A variable of the state, or a family of them with one slot for each element of ``index``.

    ``base`` is the position of its first slot in a state's ``cells``; slot ``base + k`` belongs to the ``k``-th
    element of ``index``. Every kind but ``DECLARED`` is set back to ``initial`` at nodes where it is not live.
    """

    name: str
    type: Type
    index: Type | None
    initial: Value
    seen: Visibility
    kind: CellKind
    base: int
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Zone:
    """A set of cards, or a family of them. ``base`` is the number of its first zone slot (a card's ``place``)."""

    name: str
    index: Type | None
    seen: Visibility
    base: int
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class OptionDecl:
    """A rigid unknown. ``values`` is its domain in order; a ``shape`` option occurs in bounds and loop domains."""

    name: str
    type: Type
    values: tuple[Value, ...]
    default: Value
    shape: bool
    text: dict[str, str] = field(compare=False, hash=False)  # language -> what players call it
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Function:
    """A pure function; it may read cells, zones and options. A predicate is one of type Bool. Never recursive."""

    name: str
    parameters: tuple[Local, ...]
    body: Expr
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


# --- effects and blocks ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ZoneRef:
    zone: str
    index: Expr | None


@dataclass(frozen=True, slots=True)
class Assign:
    """``cell[index] := value``. Well defined when the value is in the cell's type."""

    cell: str
    index: Expr | None
    value: Expr
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Move:
    """Move a set of cards. Well defined when all are in ``source``. A seat learns the faces exactly if it sees the
    faces of the source before or of the target after. A card moved to a zone that is drawn from gets a random place."""

    cards: Expr
    source: ZoneRef
    target: ZoneRef
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Gather:
    """All cards of the pack into one zone; all knowledge of where they are is void."""

    target: ZoneRef
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Show:
    """The faces of a set of cards are shown to a set of seats: an event, no state."""

    cards: Expr
    to: Expr
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Announce:
    """A value is told to a set of seats: an event, no state. ``label`` is for people."""

    value: Expr
    to: Expr
    label: str
    span: Span = field(default=NOWHERE, compare=False)


Effect = Assign | Move | Gather | Show | Announce


@dataclass(frozen=True, slots=True)
class Jump:
    block: int


@dataclass(frozen=True, slots=True)
class Branch:
    condition: Expr
    then: int
    otherwise: int
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Arrive:
    """The edge ends at a node (an index into ``Game.nodes``)."""

    node: int


@dataclass(frozen=True, slots=True)
class Dead:
    """The spec says that this is never reached."""

    name: str
    span: Span = field(default=NOWHERE, compare=False)


Terminator = Jump | Branch | Arrive | Dead


@dataclass(frozen=True, slots=True)
class Block:
    effects: tuple[Effect, ...]
    end: Terminator


# --- nodes -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a choice, stored in the cell ``cell`` when chosen.

    ``lo is None``: one element of ``domain``. Else: a subset of ``domain`` whose size lies in ``lo..hi``.
    Domain and bounds may use the parameters before it, as ``Local``.
    """

    name: str
    cell: str
    domain: Expr
    lo: Expr | None
    hi: Expr | None
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Verb:
    """A kind of choice. ``guard`` says which arguments are legal; play goes on at ``block``."""

    name: str
    parameters: tuple[Parameter, ...]
    guard: Expr
    block: int
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Ask:
    """A seat chooses. ``secret``: the others learn only that it has answered."""

    name: str
    seat: Expr
    secret: bool
    verbs: tuple[Verb, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Draw:
    """Chance moves one card of ``source`` to ``target``, each with the same probability; its face goes to ``cell``
    (if any). Well defined when the source is not empty. A seat learns the face as with ``Move``."""

    name: str
    source: ZoneRef
    target: ZoneRef
    cell: str | None
    block: int
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Rest:
    """Nothing is asked; play goes on by itself. Marks the end of a deal (the phase called ``deal``)."""

    name: str
    block: int
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class End:
    """The match is over."""

    name: str
    span: Span = field(default=NOWHERE, compare=False)


Node = Ask | Draw | Rest | End


# --- properties ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Given:
    """``cell[index] = value``, or an option's value, in an example or a scenario."""

    name: str
    index: Value
    value: Expr
    is_option: bool
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Example:
    """A closed statement about functions, with the cells it depends on."""

    name: str
    statement: Expr
    given: tuple[Given, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Lemma:
    """A statement for all values of its parameters, of the cells and options that it reads (any value of their
    types). A parameter with ``lo`` is a subset of ``domain`` of size ``lo..hi``."""

    name: str
    parameters: tuple[Parameter, ...]  # ``cell`` is empty
    statement: Expr
    span: Span = field(default=NOWHERE, compare=False)


class Claim(Enum):
    INVARIANT = "invariant"  # holds whenever play is at one of the nodes
    WITNESS = "witness"  # holds at one of the nodes in some play


@dataclass(frozen=True, slots=True)
class StateClaim:
    claim: Claim
    name: str
    nodes: tuple[int, ...]
    statement: Expr
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Measure:
    """Lexicographic: each step from a node of the deal to the next makes the tuple smaller."""

    name: str
    values: tuple[Expr, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Secret:
    """At the nodes (all, when empty), no seat of ``hidden_from`` may see a face of ``cards``."""

    name: str
    variable: str
    index: Type | None
    cards: Expr
    hidden_from: Expr
    nodes: tuple[int, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Compiled:
    """``function(replies, targets)`` rests on a matching: its compiled form is compared with the reference for
    groups of each size ``lo..hi``; ``restriction`` (a Bool over the ``Local`` ``targets``) gives the second domain."""

    name: str
    function: str
    lo: int
    hi: int
    restriction: Expr
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Step:
    """A scenario's line. ``kind``: ``"choose"`` (seat, verb, arguments), ``"draw"`` (one card), ``"expect"``."""

    kind: str
    seat: int | None
    verb: str
    arguments: tuple[Value, ...]
    statement: Expr | None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Scenario:
    """A play to be replayed: ``deck`` is the order in which cards come off the pack (empty: draws are written as
    steps), ``given`` sets options, cells and zones at the start node."""

    name: str
    start: int | None  # a node; None: the beginning of the match
    given: tuple[Given, ...]
    deck: tuple[int, ...]
    steps: tuple[Step, ...]
    span: Span = field(default=NOWHERE, compare=False)


Property = Example | Lemma | StateClaim | Measure | Secret | Compiled | Scenario


# --- the game --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Orders:
    """The named orders, for messages: strongest first, as element indices."""

    name: str
    of: Type
    items: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Game:
    """An elaborated spec for one pack. ``entry`` is the block with which a match begins.

    At the start every card of the pack is in zone slot 0 and every cell has its initial value. ``deal_nodes`` are the
    nodes inside the phase ``deal``; the ``Rest`` node that ends it is ``deal_end`` (an index into ``nodes``).
    ``outcome`` gives for the ``Local`` ``seat`` an element of ``("lost", "neither", "won")`` by index at an ``End``;
    ``gain`` and ``loss`` give naturals at ``deal_end``: what the finished deal is worth to a seat is gain - loss.
    """

    name: str
    titles: dict[str, str]
    terms: dict[str, dict[str, str]]  # name -> language -> word
    deck: Deck
    pack: int
    pack_name: str  # "" for the full pack
    seats: int
    enums: dict[str, EnumType]
    orders: dict[str, Orders]
    options: dict[str, OptionDecl]
    constraints: tuple[Expr, ...]
    cells: dict[str, Cell]
    zones: dict[str, Zone]
    functions: dict[str, Function]
    blocks: tuple[Block, ...]
    nodes: tuple[Node, ...]
    entry: int
    deal_nodes: frozenset[int]
    deal_end: int
    outcome: Expr
    gain: Expr
    loss: Expr
    live: tuple[frozenset[str], ...]  # per node: the cells that are not DECLARED and live there
    properties: tuple[Property, ...]
    citations: dict[tuple[str, int], tuple[str, ...]]  # (file, line) -> places cited on that line

    def cell_slots(self) -> int:
        return sum(slot_count(c.index) for c in self.cells.values())

    def zone_slots(self) -> int:
        return sum(slot_count(z.index) for z in self.zones.values())


def slot_count(index: Type | None) -> int:
    """How many slots a family with this index has."""
    from kozel_verify.model.types import element_indices

    return 1 if index is None else len(element_indices(index))
