"""``kozel graph``: the nodes of a game, and what may follow each of them, in the words of the spec."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Literal

import click

from kozel_verify.cli.console import say, say_json
from kozel_verify.cli.settings import game_of
from kozel_verify.cli.specs import open_spec
from kozel_verify.interpret.text import word
from kozel_verify.language.spans import Span
from kozel_verify.model.core import Game
from kozel_verify.verify.course import Asks, Condition, Course, Exit, Stop, StopKind, Way, bare, course

Language = Literal["en", "ru"]
Words = dict[str, str]
WORDS: dict[Language, Words] = {
    "en": {
        "begins": "a match begins", "asks": "asks {}", "secretly": "asks {}, in secret", "draws": "draws from {} to {}",
        StopKind.DEAL_END: "the deal is over", StopKind.MATCH_END: "the match is over", "if": "if {}", "else": "else",
        "not": "not ({})", "and": " and ", "drawn": "all are drawn", "still": "more are to be drawn", "when": "when {}",
        "then": "then {}", "back": "back to {}", "dead": "never: dead {}", "some": "{}, by conditions not told here",
        "names": "can be named here: {}", "kept": "kept without a name: {}", "also": "at {} (also {})", "at": "at {}",
        "nodes": "{} nodes",
    },
    "ru": {
        "begins": "начало игры", "asks": "спрашивает {}", "secretly": "спрашивает {}, тайно",
        "draws": "берёт карту из {} в {}", StopKind.DEAL_END: "сдача окончена", StopKind.MATCH_END: "игра окончена",
        "if": "если {}", "else": "иначе", "not": "не ({})", "and": " и ", "drawn": "взяты все",
        "still": "взяты не все", "when": "когда {}", "then": "затем {}", "back": "назад к {}",
        "dead": "никогда: недостижимо {}", "some": "{}, по условиям, которые здесь не названы",
        "names": "здесь можно назвать: {}", "kept": "хранится без имени: {}", "also": "при {} (также {})",
        "at": "при {}", "nodes": "узлов: {}",
    },
}  # fmt: skip


@click.command("graph", short_help="Show the nodes of a game and what may follow each.")
@click.argument("spec", metavar="SPEC")
@click.option("--pack", metavar="NAME", help="The game on a smaller pack of the spec.")
@click.option("--language", type=click.Choice(["en", "ru"]), default="en", show_default=True, help="Of the text.")
@click.option(
    "--format",
    type=click.Choice(["text", "json", "dot"]),
    default="text",
    show_default=True,
    help="What standard output holds; json is the JSON alone, dot a graph for Graphviz.",
)
def command(spec: str, pack: str | None, language: Language, format: str) -> int:
    """Show the points at which play waits, by the names that properties use, and for each outcome the points that may
    follow, with the conditions that decide between them.

    Conditions are those of the spec, in the order in which play comes to them; `unserved(s) == {}` says that the loop
    over `s` is through.
    """
    loaded = open_spec(spec)
    game = game_of(loaded, pack)
    found = course(loaded.program, game)
    match format:
        case "json":
            say_json(_data(game, found))
        case "dot":
            say(*dot(game, found))
        case _:
            say(*Teller(game, language).lines(found))
    return 0


class Teller:
    """Tells stops in one language."""

    def __init__(self, game: Game, language: Language) -> None:
        self.game, self.language = game, language
        self.words = WORDS[language]

    def lines(self, found: Course) -> list[str]:
        game = self.game
        title = game.titles.get(self.language, game.name)
        pack = f" [{game.pack_name}]" if game.pack_name else ""
        head = [f"{game.name}{pack}: {title}, {self.words['nodes'].format(len(found.stops))}", ""]
        head += [self.words["begins"], *self.told(found.start.ways, -1, "  ")]
        return [*head, *(line for stop in found.stops for line in ("", *self.stop(stop)))]

    def stop(self, stop: Stop) -> Iterator[str]:
        name = bare(stop.name).rsplit(".", 1)[-1]
        term = word(self.game, name, self.language)
        also = ", ".join(stop.shared)
        at = self.words["also"].format(stop.at, also) if also else self.words["at"].format(stop.at)
        yield f"{stop.name}{f' ({term})' if term != name else ''}  {at}".rstrip()
        yield f"  {self.does(stop)}{self.cited(stop.span)}"
        unserved = [f"unserved({n})" for n in stop.unserved]
        if stop.named or unserved:
            yield "  " + self.words["names"].format(", ".join([*stop.named, *unserved]))
        if stop.nameless:
            yield "  " + self.words["kept"].format(", ".join(stop.nameless))
        for ways, exits in groupby(stop.exits, key=lambda e: e.ways):
            for exit_ in exits:
                yield from self.verb(exit_)
            yield from self.told(ways, stop.index, "      " if stop.kind is StopKind.ASK else "    ")

    def does(self, stop: Stop) -> str:
        match stop.kind:
            case StopKind.ASK:
                return self.words["secretly" if stop.secret else "asks"].format(stop.asked)
            case StopKind.DRAW:
                return self.words["draws"].format(stop.source, stop.target)
            case _:
                return self.words[stop.kind]

    def verb(self, exit_: Exit) -> Iterator[str]:
        if exit_.verb:
            term = word(self.game, exit_.verb, self.language)
            said = f"    {exit_.text}" + (f" ({term})" if term != exit_.verb else "")
            when = " " + self.words["when"].format(exit_.when) if exit_.when else ""
            yield said + when + self.cited(exit_.span)

    def cited(self, span: Span) -> str:
        places = self.game.citations.get((span.file, span.line), ())
        return f"  @ {', '.join(places)}" if places else ""

    def told(self, ways: Sequence[Way], here: int, indent: str) -> Iterator[str]:
        """A tree of conditions; the node of a branch stands on the branch's own line."""
        yield from (indent + line for line in self.tree(ways, lambda way: self.end(way, here)))

    def tree(self, ways: Sequence[Way], end: Callable[[Way], str]) -> Iterator[str]:
        first = ways[0].when[0] if ways and ways[0].when else None
        yes = [way for way in ways if first is not None and way.when[:1] == (first,)]
        no = [way for way in ways if way not in yes]
        opposite = None if first is None else Condition(first.asks, first.text, not first.holds)
        if first is None or not first.holds or not no or any(way.when[:1] != (opposite,) for way in no):
            for way in ways:
                when = self.words["and"].join(self.condition(c) for c in way.when)
                yield (self.words["if"].format(when) + ": " if when else "") + end(way)
            return
        heads = (self.words["if"].format(self.condition(first)), self.words["else"])
        for head, side in zip(heads, (yes, no), strict=True):
            inner = list(self.tree([_after_first(way) for way in side], end))
            if len(inner) == 1:
                yield f"{head}: {inner[0]}"
            elif side is no and any(line.startswith(head) for line in inner):  # `else` with one question in it
                yield f"{head} {inner[0]}"
                yield from inner[1:]
            else:
                yield f"{head}:"
                yield from (f"  {line}" for line in inner)

    def condition(self, c: Condition) -> str:
        match c.asks:
            case Asks.SERVED:
                return f"unserved({c.text}) {'==' if c.holds else '!='} {{}}"
            case Asks.DRAWN:
                return self.words["drawn" if c.holds else "still"]
            case Asks.TEXT:
                return c.text if c.holds else self.words["not"].format(c.text)

    def end(self, way: Way, here: int) -> str:
        if way.node is None:
            said = self.words["dead"].format(way.dead)
        else:
            said = self.words["back" if way.node <= here else "then"].format(self.game.nodes[way.node].name)
        return said if way.exact else self.words["some"].format(said)


def _after_first(way: Way) -> Way:
    return Way(way.node, way.dead, way.when[1:], way.exact)


# --- data ------------------------------------------------------------------------------------------------------------


def _data(game: Game, found: Course) -> dict[str, object]:
    return {
        "name": game.name,
        "pack": game.pack_name,
        "titles": game.titles,
        "nodes": [_stop_data(game, stop) for stop in found.stops],
        "edges": [
            *_edges(game, None, found.start),
            *(edge for stop in found.stops for exit_ in stop.exits for edge in _edges(game, stop.name, exit_)),
        ],
    }


def _stop_data(game: Game, stop: Stop) -> dict[str, object]:
    return {
        "name": stop.name,
        "at": stop.at,
        "shared_with": list(stop.shared),
        "kind": stop.kind.value,
        "seat": stop.asked or None,
        "secret": stop.secret,
        "verbs": [{"name": e.verb, "text": e.text, "when": e.when or None} for e in stop.exits if e.verb],
        "from": stop.source or None,
        "to": stop.target or None,
        "named": list(stop.named),
        "unserved": list(stop.unserved),
        "nameless": list(stop.nameless),
        "terms": game.terms.get(bare(stop.name).rsplit(".", 1)[-1], {}),
        "citations": list(game.citations.get((stop.span.file, stop.span.line), ())),
        "file": stop.span.file,
        "line": stop.span.line,
    }


def _edges(game: Game, source: str | None, exit_: Exit) -> Iterator[dict[str, object]]:
    for way in exit_.ways:
        yield {
            "from": source,
            "outcome": exit_.verb or None,
            "to": None if way.node is None else game.nodes[way.node].name,
            "dead": way.dead or None,
            "when": [{"asks": c.asks.value, "text": c.text, "holds": c.holds} for c in way.when],
            "exact": way.exact,
        }


def dot(game: Game, found: Course) -> list[str]:
    """The graph for Graphviz: an edge for each pair of nodes, with the choices that lead along it."""
    lines = [f"digraph {_quoted(game.name)} {{", "  node [shape=box];", '  "" [shape=point];']
    shapes = {
        StopKind.ASK: "box",
        StopKind.DRAW: "ellipse",
        StopKind.DEAL_END: "octagon",
        StopKind.MATCH_END: "octagon",
    }
    lines += [f"  {_quoted(stop.name)} [shape={shapes[stop.kind]}];" for stop in found.stops]
    labels: dict[tuple[str, str], list[str]] = {}
    for source, exits in [("", (found.start,)), *((stop.name, stop.exits) for stop in found.stops)]:
        for exit_ in exits:
            for way in exit_.ways:
                target = f"dead {way.dead}" if way.node is None else game.nodes[way.node].name
                labels.setdefault((source, target), []).append(exit_.verb)
    for (source, target), verbs in labels.items():
        label = ", ".join(dict.fromkeys(filter(None, verbs)))
        lines.append(f"  {_quoted(source)} -> {_quoted(target)}" + (f" [label={_quoted(label)}];" if label else ";"))
    return [*lines, "}"]


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
