"""The whole module: ``export_python``.

In go a game, the hash of its spec and what is known about its obligations; out comes Python source text that imports
only the standard library. The text depends on nothing else: the same input gives the same bytes.
"""

import ast
import inspect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kozel_verify.export.python import helpers, matching, runtime, runtime_text, runtime_values, runtime_views, tables
from kozel_verify.export.python.context import Context, Definition
from kozel_verify.export.python.data import as_json, plain
from kozel_verify.export.python.expressions import Emitter
from kozel_verify.export.python.functions import write_functions
from kozel_verify.export.python.graph import GraphWriter
from kozel_verify.export.python.places import Places
from kozel_verify.model.core import Game, OptionDecl

RULE = "# --- "
STATES = "# --- states"  # here the second half of the runtime begins
PARTS = (helpers, runtime_values, runtime, runtime_views, runtime_text)


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
    places = Places(game)
    write_functions(context, emitter, places)
    graph = GraphWriter(context, emitter, places)
    functions, data = graph.functions(), graph.data()
    rules = _used(context.definitions, functions)
    sections = [
        _header(obligations),
        _imports(),
        _title("the spec"),
        f"SPEC: dict[str, Any] = {plain(_spec(game, spec_hash, obligations))}",
        _title("the game's data"),
        _definitions(data.before),
        *_spaced([inspect.getsource(matching.has_matching)]),
        _copied(helpers),
        _copied(runtime_values),
        _copied(runtime).split(STATES, 1)[0],
        _title("the rules"),
        *_spaced(rules),
        _title("the course of play"),
        *_spaced(functions),
        _title("what belongs to which node"),
        _definitions(data.after),
        STATES + _copied(runtime).split(STATES, 1)[1],
        _copied(runtime_views),
        _copied(runtime_text),
    ]
    return "\n".join(f"{section.rstrip()}\n" for section in sections)


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
        "from functools import cache, lru_cache\nfrom itertools import combinations\n"
        "from typing import Any, NamedTuple\n\n"
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
        "options": {o.name: _option(game, o) for o in game.options.values()},
        "verified": obligations is not None,
        "obligations": [{"name": o.name, "verdict": o.verdict, "how": o.how} for o in obligations or ()],
    }


def _option(game: Game, option: OptionDecl) -> dict[str, object]:
    values = [as_json(game, option.type, value) for value in option.values]
    default = as_json(game, option.type, option.default)
    return {"type": str(option.type), "values": values, "default": default, "text": dict(option.text)}


def _copied(part: object) -> str:
    """The text of a part of the runtime below its first line of dashes."""
    assert inspect.ismodule(part)
    source = inspect.getsource(part)
    return source[source.index(RULE) :]


def _definitions(data: dict[str, str]) -> str:
    return "\n".join(f"{name}{_type_of(name)} = {text}" for name, text in data.items())


def _spaced(texts: list[str]) -> Iterator[str]:
    """Functions with two empty lines in front, tables without."""
    for text in texts:
        yield text if re.match(r"\w+ = ", text) else f"\n{text.strip()}\n"


def _type_of(name: str) -> str:
    """The type annotation that ``tables`` gives to a name."""
    found = re.search(rf"^{name}(: .*?) = ", inspect.getsource(tables), re.MULTILINE)
    return found.group(1) if found else ""


def _reserved() -> Iterator[str]:
    """Every name that the runtime or the header defines or imports."""
    for text in (_imports(), *(inspect.getsource(part) for part in (*PARTS, matching, tables))):
        for statement in ast.parse(text).body:
            for node in ast.walk(statement) if not isinstance(statement, ast.FunctionDef | ast.ClassDef) else ():
                if isinstance(node, ast.Name):
                    yield node.id
                elif isinstance(node, ast.alias):
                    yield node.asname or node.name
            if isinstance(statement, ast.FunctionDef | ast.ClassDef):
                yield statement.name


def _used(definitions: list[Definition], functions: list[str]) -> list[str]:
    """The functions of the spec, and the other definitions that something refers to, directly or not."""
    kept: list[str] = []
    text = "\n".join(functions)
    for definition in reversed(definitions):
        if definition.always or re.search(rf"\b{definition.name}\b", text):
            kept.append(definition.text)
            text += definition.text
    return kept[::-1]
