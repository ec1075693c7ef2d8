"""The map from the sentences of the source texts to what the specs make of them, and the page of it.

`spec/source_map.toml` says for each sentence of a text which clauses state it, or why none does. What the map says of a
line is held against what the specs cite: see ``faults``.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache

from kozel_verify.model.books import Reading, SourceText
from tests.support.cited import SPEC, Citing, Said, citings, lines_of, readings, sources

NONE = {
    "heading": "a title, a heading or a number of a chapter",
    "page": "navigation or layout of the page that the text comes from",
    "history": "where the game or the text comes from",
    "advice": "strategy, manners, how to keep the score",
    "motive": "why a rule is as it is, or what players aim at",
    "other game": "about a game that is not specified here",
    "not here": "something of other games that is not played in this one",
    "gap": "announces something that the text then does not say",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """What becomes of a sentence. ``rule``, ``claim``, ``example``: names as in ``Citing``; ``reading``: what rejects,
    replaces or fills it; ``none``: a key of ``NONE``, and nothing else."""

    rule: tuple[str, ...] = ()
    claim: tuple[str, ...] = ()
    example: tuple[str, ...] = ()
    reading: tuple[str, ...] = ()
    none: str = ""


Map = dict[str, Entry]  # by sentence, such as ``K:7.3``


@cache
def source_map() -> Map:
    return map_of((SPEC / "source_map.toml").read_text(encoding="utf-8"))


def map_of(text: str) -> Map:
    """The map in a text. Raises ``ValueError`` for one that has another form."""
    found: Map = {}
    for source, lines in tomllib.loads(text).items():
        for line, numbers in lines.items():
            for number, entry in numbers.items():
                unknown = entry.keys() - {f.name for f in fields(Entry)}
                if unknown:
                    raise ValueError(f"{source}:{line}.{number}: {', '.join(sorted(unknown))}")
                lists = {k: tuple(v) for k, v in entry.items() if k != "none"}
                found[f"{source}:{line}.{number}"] = Entry(**lists, none=entry.get("none", ""))
    return found


def faults(
    entries: Map, texts: Mapping[str, SourceText], cited: Sequence[Citing], known: Mapping[str, Reading]
) -> Iterator[str]:
    """Everything in which the map, the tables and the specs do not agree."""
    mapped = {name.partition(":")[0] for name in entries}
    wanted = [name for text in texts.values() if text.name in mapped for name in text.ids()]
    yield from (f"{name} is not in the map" for name in wanted if name not in entries)
    yield from (f"{name} is no sentence" for name in entries if name not in wanted)
    index = by_line(cited)
    for name, entry in entries.items():
        yield from (f"{name}: {fault}" for fault in _entry_faults(entry, line_of(name), index, known))
    named: dict[str, set[str]] = {}
    for name, entry in entries.items():
        named.setdefault(line_of(name), set()).update(entry.rule)
    for line, citing in index:
        if line.partition(":")[0] not in mapped:
            continue
        if citing.said is Said.RULE and not named.get(line, set()) & set(citing.names):
            yield f"`{citing.names[0]}` cites {line}, but no sentence of it names that clause"
        if citing.said is not Said.WORDS and all(entries[n].none for n in entries if line_of(n) == line):
            yield f"{citing.file}:{citing.at[0][1]} cites {line}, which is said to hold no rule"


def _entry_faults(
    entry: Entry, line: str, index: Sequence[tuple[str, Citing]], known: Mapping[str, Reading]
) -> Iterator[str]:
    if entry == Entry():
        yield "nothing is said of it"
    if entry.none and (entry.none not in NONE or entry != Entry(none=entry.none)):
        yield f"`{entry.none}` is no kind of text, or not the only thing said"
    for said, names in ((Said.RULE, entry.rule), (Said.CLAIM, entry.claim), (Said.EXAMPLE, entry.example)):
        there = {n for at, c in index if at == line and c.said is said for n in c.names}
        yield from (f"no {said.value} `{n}` cites {line}" for n in names if n not in there)
    for name in entry.reading:
        if name not in known:
            yield f"there is no reading {name}"
        elif not any(line in lines_of(place) for place in known[name].places):
            yield f"{name} is not about {line}"


def by_line(cited: Iterable[Citing]) -> list[tuple[str, Citing]]:
    """Each cited line with what cites it."""
    return [(line, c) for c in cited for place in sorted(c.places()) for line in lines_of(place)]


def line_of(sentence: str) -> str:
    """``K:7`` of ``K:7.3``."""
    return sentence.rpartition(".")[0]


# --- the page --------------------------------------------------------------------------------------------------------

_HEAD = """\
# The source map

<!-- made by `python -m tests.support.pages`; edit `spec/source_map.toml`, not this page -->

What becomes of each sentence of the source texts. `K:7.3` is the third sentence of line 7 of the text `K`; the texts
are not here, [`spec/sources.toml`](../spec/sources.toml) says which they are. A sentence is *stated* by clauses of
the specs (`unit.name`; a unit is a game in `spec` or a module in `spec/lib`), *promised* where it follows from others
and is proved, *shown* by examples, *read* where a reading replaces, rejects or settles it (see
[assumptions](assumptions.md)), or holds no rule. Tests see to it that each sentence has its place, that each clause
named here cites the sentence's line, and that each clause that cites a line is named by a sentence of it. That a
clause means what its sentence says, no test can see.
"""


def page() -> str:
    entries = source_map()
    lines = [*_HEAD.split("\n"), "| text | sentences | stated | promised or shown only | read only | no rule |"]
    lines.append("|---|---:|---:|---:|---:|---:|")
    for text in sources().values():
        own = [entries[name] for name in text.ids() if name in entries]
        lines.append(f"| `{text.name}` {text.title} | {len(text.ids())} | {_counts(own)} |")
    for text in sources().values():
        if text.ids()[0] in entries:
            lines += ["", f"## {text.name}: {text.title}", "", *_table(text, entries)]
    lines += ["", "## Kinds of text without a rule", "", *(f"* *{kind}*: {what}" for kind, what in NONE.items())]
    return "\n".join(lines) + "\n"


def _counts(own: list[Entry]) -> str:
    if not own:
        return "not mapped | | |"
    stated = sum(bool(e.rule) for e in own)
    shown = sum(not e.rule and bool(e.claim or e.example) for e in own)
    none = sum(bool(e.none) for e in own)
    return f"{stated} | {shown} | {len(own) - stated - shown - none} | {none}"


def _table(text: SourceText, entries: Map) -> Iterator[str]:
    claims: dict[str, int] = {}
    for line, citing in by_line(citings()):
        if citing.said is not Said.RULE:
            claims[line] = claims.get(line, 0) + 1
    yield "| sentence | stated by | promised or shown by | read by | properties that cite the line |"
    yield "|---|---|---|---|---:|"
    for name in text.ids():
        e = entries[name]
        stated = f"*{e.none}*" if e.none else _listed(e.rule)
        cells = (name, stated, _listed(e.claim + e.example), ", ".join(e.reading), _first(name, claims))
        yield f"| {' | '.join(cells)} |"


def _first(name: str, claims: Mapping[str, int]) -> str:
    """The number of a line's properties, at its first sentence."""
    return str(claims.get(line_of(name), "")) if name.endswith(".1") else ""


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def check() -> list[str]:
    """The faults of the project's own map."""
    return list(faults(source_map(), sources(), citings(), readings()))
