"""Which nodes and edges of two joined games are written alike.

In go the common game of ``side_by_side``, whose expressions are equal when they are written alike; out come answers
about pairs of nodes, and where edges lead. Nothing is evaluated. Trusted: that equal text means the same in equal
states.
"""

from collections.abc import Hashable, Iterator

from kozel_verify.model.core import Arrive, Ask, Branch, Dead, Draw, End, Jump, Rest
from kozel_verify.model.graph import cells_read
from kozel_verify.symbolic.side_by_side import Joined


class Forms:
    """See the module. ``watched``: the cells on which it depends, on either side, who sees a zone."""

    def __init__(self, joined: Joined) -> None:
        self.joined, self.game = joined, joined.game
        self._forms: dict[int, Hashable] = {}
        self._numbers: dict[Hashable, int] = {}
        zones = [z.seen.seats for z in self.game.zones.values()] + [z.seats for z in joined.zones.values()]
        self.watched = frozenset[str]().union(*(cells_read(seats, self.game.functions) for seats in zones))
        self.alike = all(c.seen == joined.cells.get(c.name, c.seen) for c in self.game.cells.values()) and all(
            z.seen == joined.zones[z.name] for z in self.game.zones.values()
        )

    def block(self, block: int) -> Hashable:
        """The form of all that runs from a block to the next nodes."""
        if block not in self._forms:
            here = self.game.blocks[block]
            match here.end:
                case Jump(target):
                    end: Hashable = ("jump", self.block(target))
                case Branch(condition, then, otherwise):
                    end = ("branch", condition, self.block(then), self.block(otherwise))
                case Arrive(node):
                    end = ("arrive", self.game.nodes[node].name)
                case Dead(name):
                    end = ("dead", name)
            whole = (here.effects, end)
            self._forms[block] = self._numbers.setdefault(whole, len(self._numbers))
        return self._forms[block]

    def same_beginning(self) -> bool:
        written = self.block(self.game.entry) == self.block(self.joined.entry)
        return self.alike and not self.joined.first and written

    def same_state(self, node: int) -> bool:
        """Is all that is asked of the two states written alike (the edges apart)?"""
        here, there = self.game.nodes[node], self.game.nodes[self.joined.pairs[node]]
        if isinstance(here, Ask) and isinstance(there, Ask) and here.seat != there.seat:
            return False
        if isinstance(here, End) and self.game.outcome != self.joined.outcome:
            return False
        worth = (self.game.gain, self.game.loss) == (self.joined.gain, self.joined.loss)
        return self.alike and (node != self.game.deal_end or worth)

    def same_edge(self, node: int, verbs: tuple[int, int]) -> bool:
        """Are choices and all that follows up to the next nodes written alike?"""
        here, there = self.game.nodes[node], self.game.nodes[self.joined.pairs[node]]
        if min(verbs) < -1 or not self.alike:
            return False
        if isinstance(here, Ask) and isinstance(there, Ask):
            mine, theirs = here.verbs[verbs[0]], there.verbs[verbs[1]]
            if (mine.parameters, mine.guard) != (theirs.parameters, theirs.guard):
                return False
        if isinstance(here, Draw) and isinstance(there, Draw):
            drawn = [(node.source, node.target, node.cell) for node in (here, there)]
            if drawn[0] != drawn[1]:
                return False
        starts = self.start(node, verbs[0]), self.start(self.joined.pairs[node], verbs[1])
        return self.block(starts[0]) == self.block(starts[1])

    def start(self, node: int, verb: int) -> int:
        """The block at which an edge begins."""
        match self.game.nodes[node]:
            case Ask(verbs=verbs):
                return verbs[verb].block
            case Draw(block=block) | Rest(block=block):
                return block
            case End():
                raise ValueError("nothing happens after the end")

    def targets(self, block: int) -> Iterator[int]:
        """The nodes of A at which an edge of A may end."""
        waiting, seen = [block], {block}
        while waiting:
            match self.game.blocks[waiting.pop()].end:
                case Jump(target):
                    ways = [target]
                case Branch(_, then, otherwise):
                    ways = [then, otherwise]
                case Arrive(node):
                    yield node
                    ways = []
                case Dead():
                    ways = []
            waiting += [w for w in ways if w not in seen]
            seen.update(ways)
