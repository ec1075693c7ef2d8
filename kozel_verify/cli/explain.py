"""``kozel explain``: what a promise says and rests on, who needs a clause, what an error means."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from kozel_verify.cli.console import say, say_json
from kozel_verify.cli.explain_text import clause_list, clause_page, code_page, node_page, promise_page, verdict_page
from kozel_verify.cli.formats import format_option
from kozel_verify.cli.specs import Misuse, open_spec, shipped
from kozel_verify.language.codes import CODES
from kozel_verify.language.folders import data_folder
from kozel_verify.language.trees import unit_of
from kozel_verify.language.words import did_you_mean
from kozel_verify.model.clauses import Clause
from kozel_verify.model.core import Ask, Compiled, Draw
from kozel_verify.model.load import Spec
from kozel_verify.model.program import read_text
from kozel_verify.verify.course import answers
from kozel_verify.verify.dossier import Dossier
from kozel_verify.verify.findings import Verdict
from kozel_verify.verify.values import compiled_names

VERDICTS = {verdict.value for verdict in Verdict}
PLACE = re.compile(r"(.+):(-?[0-9]+)")
DIGITS = 9  # of the number of a line
Page = Callable[[], tuple[list[str], dict[str, object]]]


@dataclass(frozen=True, slots=True)
class Match:
    """Something that bears the name: ``source`` is the argument that means its spec, empty for an error code."""

    source: str
    what: str
    page: Page


@click.command("explain", short_help="Tell what a promise, a clause or an error is about.")
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--spec", metavar="SPEC", help="Where to look.  [default: all games that come with the tool]")
@click.option("--clauses", is_flag=True, help="List all clauses, with the number of promises that need each.")
@format_option
def command(name: str | None, spec: str | None, clauses: bool, format: str) -> int:
    """Tell what NAME is about.

    NAME is a promise (what it says, what it rests on, how far it was shown), a clause of the rules, that is a function,
    predicate, procedure, phase, constant, order, type, zone, cell, option, node or verb, or FILE:LINE (its text, and
    which promises need it), or the code of an error or the word of a verdict, which go first without `--spec`. With a
    SPEC for NAME, all its clauses are listed.
    """
    is_spec = name is not None and (clauses or name in shipped() or name.endswith(".kozel"))
    if name is None and not clauses:
        raise Misuse("nothing is named", "give a name, a SPEC, or `--clauses`")
    if name is not None and is_spec and spec is not None:
        raise Misuse(f"`{name}` is a spec, and `--spec` names another", "give one of them")
    if name is None or is_spec:
        return _list(_specs(name if is_spec else spec), format)
    matches = _matches(name, spec)
    _require_one_source(name, matches)
    pages = [match.page() for match in matches]
    if format == "json":
        say_json({"name": name, "found": [data for _, data in pages]})
    else:
        for n, (lines, _) in enumerate(pages):
            say(*([""] if n else []), *lines)
    return 0


def _specs(given: str | None) -> dict[str, Spec]:
    """By the argument that means it."""
    return {argument: open_spec(argument) for argument in ([given] if given is not None else shipped())}


def _dossier(spec: Spec) -> Dossier:
    return Dossier(spec, (Path("proofs"), data_folder("proofs")))


def _list(specs: dict[str, Spec], format: str) -> int:
    found = [clause_list(_dossier(spec)) for spec in specs.values()]
    if format == "json":
        say_json({"specs": [data for _, data in found]})
    else:
        for n, (lines, _) in enumerate(found):
            say(*([""] if n else []), *lines)
    return 0


# --- whose name it is ------------------------------------------------------------------------------------------------


def _matches(name: str, spec: str | None) -> list[Match]:
    """Everything of the name. Raises ``Misuse`` when there is nothing."""
    found: list[Match] = []
    known: set[str] = set(CODES)
    if name in CODES:
        found.append(Match("", "an error", lambda: code_page(name, CODES[name])))
        if spec is None:
            return found
    if spec is None and name in VERDICTS:
        return [Match("", "a verdict", lambda: verdict_page(Verdict(name)))]
    place = PLACE.fullmatch(name)
    if spec is None and place is not None and (alone := _game_of(place[1])):
        return _matches(name, alone)
    for argument, loaded in _specs(spec).items():
        dossier = _dossier(loaded)
        known |= set(_names(dossier))
        found += _in_spec(name, argument, dossier)
    if not found and place is not None and spec is None and os.path.isfile(place[1]):  # a spec of the author's own
        return _matches(name, place[1])
    if not found:
        hint = did_you_mean(name, known) or "`kozel explain SPEC` lists the clauses, `kozel verify SPEC` the promises"
        where = "" if spec is None else f" in `{spec}`"
        if place is not None:
            hint = "give a line of a clause or a promise, and a file that the spec is made of"
        raise Misuse(f"there is nothing called `{name}`{where}", hint)
    return found


def _game_of(file: str) -> str:
    """The argument that means the game or variant in a file, which is then the only one to look at; empty for a module,
    which stands in many, and where there is no such file. Raises ``SpecError`` for a file that cannot be read."""
    if os.path.isfile(file):
        return "" if unit_of(read_text(Path(file)), file).kind == "module" else file
    bare = file.removesuffix(".kozel")
    return bare if bare in shipped() else ""


def _in_spec(name: str, argument: str, dossier: Dossier) -> Iterator[Match]:
    promises = {p.name: p for p in dossier.promises}
    for own in _promises_called(name, dossier):
        yield Match(argument, promises[own].kind.value, lambda p=promises[own]: promise_page(dossier, p, argument))  # type: ignore[misc]
    nodes = _nodes_called(name, dossier)
    if nodes:
        yield Match(argument, "node", lambda: node_page(dossier, nodes))
    clauses, line = _clauses_called(name, dossier)
    for clause in clauses:
        yield Match(argument, clause.kind.value, lambda c=clause: clause_page(dossier, c, line))  # type: ignore[misc]


def _nodes_called(name: str, dossier: Dossier) -> tuple[str, ...]:
    """The nodes that a property means by the name, those with a choice of the name, and those at a place."""
    nodes = dossier.game.nodes
    words = (name, *_called(name, dossier))
    found = [n.name for n in nodes if n.name == name or any(answers(n.name, word) for word in words)]
    found += [n.name for n in nodes if isinstance(n, Ask) and any(v.name in words for v in n.verbs)]
    for file, line in _places(name, dossier):
        waiting = [n for n in nodes if isinstance(n, Ask | Draw)]
        found += [n.name for n in waiting if n.span.file == file and n.span.line <= line <= n.span.end_line]
    return tuple(dict.fromkeys(found))


def _promises_called(name: str, dossier: Dossier) -> list[str]:
    """A compiled predicate has a promise for each size; a line of a file those that are stated on it."""
    compiled = [p for p in dossier.game.properties if isinstance(p, Compiled) and p.name == name]
    sizes = [n for p in compiled for n, _ in compiled_names(dossier.game, p)]
    found = [p.name for p in dossier.promises if p.name == name or p.name in sizes]
    for file, line in _places(name, dossier):
        for p in dossier.promises:
            if any(span.file == file and span.line <= line <= span.end_line for span in p.spans):
                found.append(p.name)
    return found


def _clauses_called(name: str, dossier: Dossier) -> tuple[list[Clause], int | None]:
    """The clauses of a name, of an item of a type, of what players call it, or at a place; and the line of a place."""
    clauses = dossier.clauses
    own = clauses.named(name)
    if own is not None:
        return [own], None
    found = [c for n in _called(name, dossier) if (c := clauses.named(n)) is not None]
    line = None
    for file, number in _places(name, dossier):
        here = clauses.at_line(file, number)
        if here is not None:
            found, line = [*found, here], number
    return list(dict.fromkeys(found)), line


def _called(name: str, dossier: Dossier) -> list[str]:
    """The names of what players call so."""
    terms = dossier.game.terms.items()
    return [n for n, words in terms if name.casefold() in map(str.casefold, words.values())]


def _places(name: str, dossier: Dossier) -> Iterator[tuple[str, int]]:
    """The files of a spec that `FILE:LINE` means, with the line."""
    match = PLACE.fullmatch(name)
    if match is None:
        return
    wanted = Path(match[1]).parts
    for file in dossier.spec.program.files:
        path = Path(file)
        if wanted in (path.parts[-len(wanted) :], path.with_suffix("").parts[-len(wanted) :]):
            yield file, _line(match[2])


def _line(digits: str) -> int:
    """A line that a file can have, or 0 for any other number."""
    return int(digits) if len(digits) <= DIGITS and not digits.startswith("-") else 0


def _names(dossier: Dossier) -> Iterator[str]:
    """All that can be explained, for hints."""
    yield from (p.name for p in dossier.promises)
    yield from dossier.clauses.by_name
    for node in dossier.game.nodes:
        yield node.name
        yield node.name.rsplit(".", 1)[-1].split("#")[0]
        if isinstance(node, Ask):
            yield from (verb.name for verb in node.verbs)


def _require_one_source(name: str, matches: Sequence[Match]) -> None:
    """Pages of one spec are shown together; of several specs the reader has to choose."""
    sources: dict[str, list[str]] = {}
    for match in matches:
        sources.setdefault(match.source, []).append(match.what)
    sources.pop("", None)
    if len(sources) > 1:
        told = "; ".join(f"{source} ({', '.join(dict.fromkeys(kinds))})" for source, kinds in sources.items())
        raise Misuse(f"`{name}` is in several specs: {told}", f"add `--spec {next(iter(sources))}`, or another")
