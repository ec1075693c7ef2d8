"""The whole module: ``export_python``.

In go a game, the hash of its spec and what is known about its obligations; out comes Python source text that imports
only the standard library. The text depends on nothing else: the same input gives the same bytes.
"""

import inspect
import pprint
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO

from kozel_verify.export.python import helpers, matching, runtime, runtime_text, runtime_views, tables
from kozel_verify.export.python.context import Context
from kozel_verify.export.python.expressions import Emitter
from kozel_verify.export.python.functions import write_functions
from kozel_verify.export.python.graph import GraphWriter
from kozel_verify.model.core import Game

RULE = "# --- "
PARTS = (helpers, runtime, runtime_views, runtime_text)


@dataclass(frozen=True, slots=True)
class Obligation:
    """What is known about one obligation of the spec: its name, the verdict, and how it was checked."""

    name: str
    verdict: str
    how: str


def export_python(game: Game, *, spec_hash: str, obligations: Sequence[Obligation] | None = None) -> str:
    """The text of the engine of ``game``. ``obligations`` is ``None`` when nothing was verified: the header says so."""
    context = Context(game, _reserved())
    emitter = Emitter(context)
    write_functions(context, emitter)
    graph = GraphWriter(context, emitter)
    functions, data = graph.functions(), graph.data()
    rules = _used(context.definitions, functions)
    sections = [
        _header(obligations),
        _imports(),
        _title("the spec"),
        f"SPEC: dict[str, Any] = {literal(_spec(game, spec_hash, obligations))}",
        _title("the game's data"),
        *(f"{name}{_type_of(name)} = {text}" for name, text in data.before.items()),
        inspect.getsource(matching.has_matching),
        _copied(helpers),
        _copied(runtime).split("# --- errors, states", 1)[0],
        _title("the rules"),
        *rules,
        _title("the course of play"),
        *functions,
        _title("what belongs to which node"),
        *(f"{name}{_type_of(name)} = {text}" for name, text in data.after.items()),
        "# --- errors, states" + _copied(runtime).split("# --- errors, states", 1)[1],
        _copied(runtime_views),
        _copied(runtime_text),
    ]
    return "\n\n".join(section.strip("\n") for section in sections) + "\n"


def literal(value: object) -> str:
    """Data as a Python literal of several lines. ``value`` holds only texts, numbers, truth values and containers."""
    return pprint.pformat(value, width=110, sort_dicts=False)


def _title(text: str) -> str:
    return f"{RULE}{text} ".ljust(119, "-")


def _header(obligations: Sequence[Obligation] | None) -> str:
    if obligations is None:
        status = "UNVERIFIED: nothing is known about the obligations of this spec."
    else:
        status = f"What was checked about its {len(obligations)} obligations, and how, stands in SPEC."
    return (
        '"""A rules engine, generated from the formal spec of a card game. SPEC below says which one.\n\n'
        f"{status}\n\n"
        "It needs nothing but the standard library. States are immutable values; chance is resolved inside; a player\n"
        "may be given `observation(state, player)` and nothing else. This file carries no licence conditions: use it\n"
        'as you like.\n"""'
    )


def _imports() -> str:
    return (
        "import json\nimport secrets\nfrom collections.abc import Callable, Iterable, Mapping, Sequence\n"
        "from functools import cache, lru_cache\nfrom itertools import combinations\nfrom typing import Any, NamedTuple\n\n"
        "Event = tuple[int, ...]\nKind = tuple[Any, ...]\nOptions = tuple[int, ...]\n"
        "Table = Callable[[Sequence[int], Sequence[int], Options], int]\n"
        "Parameters = tuple[tuple[str, Kind, bool], ...]"
    )


def _spec(game: Game, spec_hash: str, obligations: Sequence[Obligation] | None) -> dict[str, object]:
    return {
        "name": game.name,
        "hash": spec_hash,
        "titles": dict(game.titles),
        "pack": game.pack_name,
        "options": {o.name: {"type": str(o.type), "text": dict(o.text)} for o in game.options.values()},
        "verified": obligations is not None,
        "obligations": [{"name": o.name, "verdict": o.verdict, "how": o.how} for o in obligations or ()],
    }


def _copied(part: object) -> str:
    """The text of a part of the runtime below its first line of dashes."""
    assert inspect.ismodule(part)
    source = inspect.getsource(part)
    return source[source.index(RULE) :]


def _type_of(name: str) -> str:
    """The type annotation that ``tables`` gives to a name."""
    found = re.search(rf"^{name}(: .*?) = ", inspect.getsource(tables), re.MULTILINE)
    return found.group(1) if found else ""


def _reserved() -> Iterator[str]:
    """Every name that the runtime or the header uses."""
    text = _imports() + "".join(inspect.getsource(part) for part in (*PARTS, matching, tables))
    for token in tokenize.generate_tokens(StringIO(text).readline):
        if token.type == tokenize.NAME:
            yield token.string


def _used(definitions: list[str], functions: list[str]) -> list[str]:
    """The definitions that something refers to, directly or not."""
    kept: list[str] = []
    text = "\n".join(functions)
    for definition in reversed(definitions):
        name = re.search(r"^(?:def )?(\w+)(?:\(| = )", definition, re.MULTILINE)
        assert name is not None
        public = definition.lstrip().startswith(("def", "@")) and not re.match(r"TABLE|MASKS", name.group(1))
        if public or re.search(rf"\b{name.group(1)}\b", text):
            kept.append(definition)
            text += definition
    return kept[::-1]
