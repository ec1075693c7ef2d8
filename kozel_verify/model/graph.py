"""The process graph made ready: unreachable parts dropped, cycles without a decision refused, liveness computed."""

from collections.abc import Iterator
from dataclasses import replace

from kozel_verify.language.diagnostics import Diagnostic
from kozel_verify.language.spans import NOWHERE, Span
from kozel_verify.model.core import (
    Announce,
    Arrive,
    Ask,
    Assign,
    Block,
    Branch,
    Call,
    CellRead,
    Dead,
    Draw,
    Effect,
    End,
    Expr,
    Function,
    Gather,
    Jump,
    Move,
    Node,
    Old,
    OptionRead,
    Rest,
    Show,
    ZoneRef,
)
from kozel_verify.model.walk import children


def walk(e: Expr, functions: dict[str, Function], *, earlier: bool = True) -> Iterator[Expr]:
    """The expression and all its parts, through the bodies of the functions it calls; without ``earlier`` not what it
    reads in the state before a step."""
    seen: set[str] = set()
    todo = [e]
    while todo:
        x = todo.pop()
        if isinstance(x, Old) and not earlier:
            continue
        yield x
        todo.extend(children(x))
        if isinstance(x, Call) and x.function not in seen:
            seen.add(x.function)
            todo.append(functions[x.function].body)


def cells_read(e: Expr, functions: dict[str, Function], *, earlier: bool = True) -> frozenset[str]:
    """Names of the cells that an expression may read; without ``earlier`` not those of the state before a step."""
    return frozenset(x.cell for x in walk(e, functions, earlier=earlier) if isinstance(x, CellRead))


def options_read(e: Expr, functions: dict[str, Function]) -> tuple[str, ...]:
    """Names of the options that an expression may read, each once."""
    return tuple(dict.fromkeys(x.name for x in walk(e, functions) if isinstance(x, OptionRead)))


def _zone_parts(*refs: ZoneRef) -> tuple[Expr, ...]:
    return tuple(r.index for r in refs if r.index is not None)


def effect_parts(effect: Effect) -> tuple[Expr, ...]:
    """The expressions that an effect evaluates."""
    match effect:
        case Assign(_, index, value):
            return (value,) if index is None else (index, value)
        case Move(group, source, target):
            return (group, *_zone_parts(source, target))
        case Gather(target):
            return _zone_parts(target)
        case Show(group, to):
            return (group, to)
        case Announce(value, to, _):
            return (value, to)


def node_parts(node: Node) -> tuple[Expr, ...]:
    """The expressions that are evaluated while play waits at a node."""
    match node:
        case Ask(_, seat, _, verbs):
            parts = [seat]
            for v in verbs:
                for p in v.parameters:
                    parts += [x for x in (p.domain, p.lo, p.hi) if x is not None]
                parts.append(v.guard)
            return tuple(parts)
        case Draw(_, source, target):
            return _zone_parts(source, target)
        case Rest() | End():
            return ()


def node_exits(node: Node) -> tuple[int, ...]:
    """The blocks at which play goes on."""
    match node:
        case Ask(_, _, _, verbs):
            return tuple(v.block for v in verbs)
        case Draw() | Rest():
            return (node.block,)
        case End():
            return ()


def successors(block: Block) -> tuple[int, ...]:
    match block.end:
        case Jump(b):
            return (b,)
        case Branch(_, a, b):
            return (a, b)
        case Arrive() | Dead():
            return ()


def next_nodes(blocks: tuple[Block, ...], start: int) -> frozenset[int]:
    """The nodes at which play may wait next when it goes on at a block."""
    seen, found, todo = set[int](), set[int](), [start]
    while todo:
        block = todo.pop()
        if block in seen:
            continue
        seen.add(block)
        todo.extend(successors(blocks[block]))
        end = blocks[block].end
        if isinstance(end, Arrive):
            found.add(end.node)
    return frozenset(found)


def compact(
    blocks: tuple[Block, ...], nodes: tuple[Node, ...], entry: int
) -> tuple[tuple[Block, ...], tuple[Node, ...], int, dict[int, int]]:
    """Blocks and nodes that can be reached, renumbered in order; the last item maps old to new node numbers."""
    reached_blocks, reached_nodes = _reach(blocks, nodes, entry)
    new_block = {old: new for new, old in enumerate(sorted(reached_blocks))}
    new_node = {old: new for new, old in enumerate(sorted(reached_nodes))}
    kept_blocks = tuple(_renumber_block(blocks[b], new_block, new_node) for b in sorted(reached_blocks))
    kept_nodes = tuple(_renumber_node(nodes[n], new_block) for n in sorted(reached_nodes))
    return kept_blocks, kept_nodes, new_block[entry], new_node


def _reach(blocks: tuple[Block, ...], nodes: tuple[Node, ...], entry: int) -> tuple[set[int], set[int]]:
    reached_blocks: set[int] = set()
    reached_nodes: set[int] = set()
    todo = [entry]
    while todo:
        b = todo.pop()
        if b in reached_blocks:
            continue
        reached_blocks.add(b)
        todo.extend(successors(blocks[b]))
        end = blocks[b].end
        if isinstance(end, Arrive) and end.node not in reached_nodes:
            reached_nodes.add(end.node)
            todo.extend(node_exits(nodes[end.node]))
    return reached_blocks, reached_nodes


def _renumber_block(block: Block, new_block: dict[int, int], new_node: dict[int, int]) -> Block:
    match block.end:
        case Jump(b):
            return replace(block, end=Jump(new_block[b]))
        case Branch(condition, a, b, span):
            return replace(block, end=Branch(condition, new_block[a], new_block[b], span))
        case Arrive(n):
            return replace(block, end=Arrive(new_node[n]))
        case Dead():
            return block


def _renumber_node(node: Node, new_block: dict[int, int]) -> Node:
    match node:
        case Ask():
            return replace(node, verbs=tuple(replace(v, block=new_block[v.block]) for v in node.verbs))
        case Draw() | Rest():
            return replace(node, block=new_block[node.block])
        case End():
            return node


def endless_cycles(blocks: tuple[Block, ...]) -> list[Diagnostic]:
    """Errors for cycles of blocks on which nothing is asked or drawn."""
    state = [0] * len(blocks)  # 1: on the current path, 2: done
    found: list[Diagnostic] = []
    for root in range(len(blocks)):
        stack = [(root, iter(successors(blocks[root])))] if state[root] == 0 else []
        while stack:
            block, following = stack[-1]
            state[block] = 1
            step = next(following, None)
            if step is None:
                state[block] = 2
                stack.pop()
            elif state[step] == 1:
                found.append(_endless(blocks, step))
            elif state[step] == 0:
                stack.append((step, iter(successors(blocks[step]))))
    return found


def _endless(blocks: tuple[Block, ...], head: int) -> Diagnostic:
    span = _some_span(blocks, head)
    message = "a round of this loop may ask nobody and draw nothing"
    return Diagnostic("endless", span, message, "ask or draw on every path through the loop, or end it")


def _some_span(blocks: tuple[Block, ...], head: int) -> Span:
    todo, seen = [head], set()
    while todo:
        b = todo.pop(0)
        if b in seen:
            continue
        seen.add(b)
        end = blocks[b].end
        if isinstance(end, Branch) and end.span != NOWHERE:
            return end.span
        for effect in blocks[b].effects:
            if effect.span != NOWHERE:
                return effect.span
        todo.extend(successors(blocks[b]))
    return NOWHERE


def live_cells(
    blocks: tuple[Block, ...], nodes: tuple[Node, ...], generated: frozenset[str], functions: dict[str, Function]
) -> tuple[frozenset[str], ...]:
    """For each node the generated cells whose value may still be read from there on."""
    reads = _Reads(functions, generated)
    block_use = [reads.block(b) for b in blocks]
    at_block = [frozenset[str]()] * len(blocks)
    at_node = [frozenset[str]()] * len(nodes)
    changed = True
    while changed:
        changed = False
        for n, node in enumerate(nodes):
            new = reads.node(node, at_block)
            if new != at_node[n]:
                at_node[n], changed = new, True
        for b in reversed(range(len(blocks))):
            end = blocks[b].end
            after: frozenset[str] = at_node[end.node] if isinstance(end, Arrive) else frozenset()
            for follower in successors(blocks[b]):
                after |= at_block[follower]
            used, killed = block_use[b]
            new = used | (after - killed)
            if new != at_block[b]:
                at_block[b], changed = new, True
    return tuple(at_node)


class _Reads:
    def __init__(self, functions: dict[str, Function], generated: frozenset[str]) -> None:
        self.functions, self.generated = functions, generated

    def of(self, *exprs: Expr) -> frozenset[str]:
        return frozenset().union(*(cells_read(e, self.functions) for e in exprs)) & self.generated

    def block(self, block: Block) -> tuple[frozenset[str], frozenset[str]]:
        """Cells read before they are written, and cells written."""
        used: frozenset[str] = frozenset()
        killed: frozenset[str] = frozenset()
        for effect in block.effects:
            used |= self.of(*effect_parts(effect)) - killed
            if isinstance(effect, Assign) and effect.index is None:
                killed |= {effect.cell}
        if isinstance(block.end, Branch):
            used |= self.of(block.end.condition) - killed
        return used, killed

    def node(self, node: Node, at_block: list[frozenset[str]]) -> frozenset[str]:
        live = self.of(*node_parts(node))
        match node:
            case Ask(_, _, _, verbs):
                for v in verbs:
                    live |= at_block[v.block] - {p.cell for p in v.parameters}
            case Draw(_, _, _, cell, block):
                live |= at_block[block] - ({cell} if cell else set())
            case Rest(_, block):
                live |= at_block[block]
            case End():
                pass
        return live
