"""The page of assumptions: every reading that is taken, how sure it is, and where it is used.

From the table of readings and the citations in `spec/`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from kozel_verify.interpret.text import value_text
from kozel_verify.model.books import Reading
from kozel_verify.model.core import Game, OptionDecl
from tests.support.cited import citings, lines_of, readings
from tests.support.source_map import source_map

_HEAD = """\
# Assumptions

<!-- made by `python -m tests.support.pages`; edit `spec/readings.toml`, not this page -->

The source texts are silent, unclear or contradict themselves at many places. A *reading* says how such a place is
taken; specs cite readings as they cite lines. `K:15` is line 15 of the text `K`, see
[`spec/sources.toml`](../spec/sources.toml). Behind each reading stand the options of the specs with the values that
offer other readings, and the lines of the specs (`NAME:LINE`, modules in `spec/lib` too) that cite it. Where no spec
cites a reading, but the [source map](source_map.md) names it at a sentence, "the map" is said to cite it.

Each reading stands once by how sure it is. Those that depart from what a sentence says, taken by the letter, bear a `*`
and stand in a table of their own before: how sure they are is another question, and a reading may leave the letter of
one sentence because the rest of the text leaves no doubt.
"""
_SYSTEMS = {  # what each is, and its game
    "S0": ("Kozel with the shokha, `K`", "kozel_shokha"),
    "S1": ("Burkozel to 61, `C` 1–41", "burkozel_61"),
    "S2": ("Kozel with 32 cards and a turned trump, `C` 43–57", "kozel_32"),
    "S3": ("two half-packs, `C` 59–75", "kozly_two_halves"),
    "S4": ("four cards, `C` 77–101", "kozel_four_card"),
    "S5": ("fifteen cards, `C` 103–117", "kozel_fifteen"),
    "S6": ("Kozel with a board of pairs, `C` 119–233", "kozel_pairs"),
    "S7": ("Kozel with the seven of clubs on top, and boasts, `H`", "kozel_shamok"),
    "S8": ("Kozel for three with a widow, `P`", "kozel_prikup"),
    "S9": ("Burkozel with a table, `B` 1–29", "burkozel_table"),
    "S10": ("classic Kozel, `B` 31–33", "kozel_classic"),
    "S11": ("Bura, `B` 35–37", "bura"),
    "X": ("all games with a stock", "bura"),
}
_CHAPTERS = {
    "H": ("High", "The text says it, or several sources agree."),
    "M": ("Middle", "One source outside, or a strong inference."),
    "L": ("Low", "A guess that has to stay visible as one."),
    "I": ("What follows", "Arithmetic or logic: no choice was made, but it is easy to overlook."),
    "D": ("Design", "No evidence either way; something had to be decided."),
}


def page() -> str:
    cited = citations()
    known = list(readings().values())
    mapped = {name for entry in source_map().values() for name in entry.reading}
    lines = [*_HEAD.split("\n"), *_summary(known, cited)]
    departing = [r for r in known if r.departs]
    lines += ["", "## Defaults that leave the literal text", ""]
    lines += _table(departing, cited, mapped)
    for letter, (title, what) in _CHAPTERS.items():
        chosen = [r for r in known if r.confidence == letter]
        lines += ["", f"## {title}: {len(chosen)}", "", what, "", *_table(chosen, cited, mapped)]
    return "\n".join(lines).rstrip() + "\n"


def citations() -> dict[str, list[tuple[str, int]]]:
    """Each cited reading with the files and lines that cite it."""
    found: dict[str, list[tuple[str, int]]] = {}
    for citing in citings():
        for place, line in citing.at:
            if ":" not in place:
                found.setdefault(place, []).append((citing.file, line))
    return found


def games_in_order() -> list[str]:
    """The games, by their systems."""
    return list(dict.fromkeys(game for _, game in _SYSTEMS.values()))


def family(reading: str) -> str:
    """The system that a reading belongs to: ``S0`` of ``S0-A5``."""
    return reading.partition("-")[0]


def _summary(known: list[Reading], cited: dict[str, list[tuple[str, int]]]) -> Iterator[str]:
    families = list(dict.fromkeys(family(r.name) for r in known))
    yield f"| system | | {' | '.join(title for title, _ in _CHAPTERS.values())} | readings | cited |"
    yield f"|---|---|{'---:|' * (len(_CHAPTERS) + 2)}"
    for name in [*families, ""]:
        own = [r for r in known if name in ("", family(r.name))]
        counts = [str(sum(r.confidence == letter for r in own)) for letter in _CHAPTERS]
        uses = sum(r.name in cited for r in own)
        what = _SYSTEMS[name][0] if name else ""
        yield f"| {name or 'all'} | {what} | {' | '.join(counts)} | {len(own)} | {uses} |"


def _table(chosen: Iterable[Reading], cited: dict[str, list[tuple[str, int]]], mapped: set[str]) -> Iterator[str]:
    yield "| reading | place | question | taken | other readings by | cited by |"
    yield "|---|---|---|---|---|---|"
    for r in chosen:
        options = "; ".join(f"`{name} = {' | '.join(values)}`".replace("|", "\\|") for name, values in r.options)
        without = "the map" if r.name in mapped else "nothing"
        where = _where(cited.get(r.name, ())) or without
        mark = " *" if r.departs else ""
        yield f"| {r.name}{mark} | {', '.join(r.places)} | {r.question} | {r.taken} | {options or 'none'} | {where} |"


def _where(places: Iterable[tuple[str, int]]) -> str:
    """The lines of each file, with a link to it."""
    files: dict[str, list[int]] = {}
    for file, line in places:
        files.setdefault(file, []).append(line)
    return ", ".join(
        f"[{file.rpartition('/')[2].removesuffix('.kozel')}](../spec/{file}):{','.join(map(str, lines))}"
        for file, lines in files.items()
    )


# --- what has to agree -----------------------------------------------------------------------------------------------


def faults(known: Mapping[str, Reading], games: Sequence[Game]) -> Iterator[str]:
    """Everything in which the table of readings and the options of the games do not agree."""
    for reading in known.values():
        yield from (f"{reading.name}: {place} holds no sentence" for place in reading.places if not lines_of(place))
        for name, values in reading.options:
            offering = [g for g in games if name in g.options and reading.name in cites(g, g.options[name])]
            if not offering:
                yield f"{reading.name}: no option `{name}` cites it"
            default = {g.name: value_text(g, g.options[name].default, g.options[name].type) for g in offering}
            if set(default.values()) <= set(values):  # of games that are read differently one takes the reading
                yield from (f"{reading.name}: the default of `{name}` of {g} is no other reading" for g in default)
            for game in offering:
                option = game.options[name]
                there = [value_text(game, v, option.type) for v in option.values]
                yield from (f"{reading.name}: `{name}` of {game.name} is never {v}" for v in values if v not in there)
    for game in games:
        for option in game.options.values():
            own = [known[r] for r in cites(game, option) if r in known]
            if own and not any(option.name in dict(r.options) for r in own):
                yield f"`{option.name}` of {game.name} cites {own[0].name}, which does not name it"


def cites(game: Game, option: OptionDecl) -> tuple[str, ...]:
    """What the declaration of an option cites."""
    return game.citations.get((option.span.file, option.span.line), ())
