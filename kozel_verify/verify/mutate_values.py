"""Obligations about values, asked about one mutant: lemmas and compiled predicates.

In go a subject and the row of what was said so far; the row has the answers afterwards. A lemma is enumerated where its
domain is small, and else asked of the solver with a small budget; a compiled predicate is swept for groups of one and
two cards. A failure of a lemma counts when the interpreter has evaluated it.
"""

from dataclasses import replace

from kozel_verify.exhaustive.domains import Case, Enumeration, enumerate_lemma
from kozel_verify.export.python.matching import has_matching
from kozel_verify.model.core import Compiled, Game, Lemma
from kozel_verify.symbolic.lemmas import Failed, Proved, prove_lemma
from kozel_verify.verify.matchings import NotSweepable, compare
from kozel_verify.verify.mutate_cases import case_lines, evaluated
from kozel_verify.verify.mutate_cells import Row, Says
from kozel_verify.verify.subject import Subject
from kozel_verify.verify.values import compiled_names
from kozel_verify.verify.wiring import evaluator

SIZES = 2  # of groups that are swept


def ask_values_of(subject: Subject, row: Row) -> None:
    """All that the row still asks about values."""
    for p in subject.game.properties:
        match p:
            case Lemma(name) if row.asks(name):
                _lemma(subject, row, p)
            case Compiled():
                _compiled(subject.game, row, p)
            case _:
                pass


def _lemma(subject: Subject, row: Row, p: Lemma) -> None:
    game, settings = subject.game, subject.settings
    found = enumerate_lemma(game, p, evaluator(game), settings.lemma_cases)
    if isinstance(found, Enumeration):
        if found.counterexample is not None:
            case = found.counterexample
            row.notice(p.name, Says.REFUTED, "enumeration", lambda: case_lines(subject, p, case))
        elif 0 in (found.cases, found.premises):
            row.notice(p.name, Says.UNMET, "enumeration", lambda: ("no case makes the premise true",))
        else:
            row.say(p.name, Says.HOLDS, "enumeration")
        return
    answer = prove_lemma(game, p, settings.budget)
    if isinstance(answer, Proved):
        row.say(p.name, Says.HOLDS, "smt")
    elif isinstance(answer, Failed):
        at = answer.case
        case = Case(at.options, at.cells, at.arguments, at.undefined)
        if case.undefined or not evaluated(game, p, case):
            row.notice(p.name, Says.REFUTED, "smt", lambda: case_lines(subject, p, case))


def _compiled(game: Game, row: Row, p: Compiled) -> None:
    for name, size in compiled_names(game, p):
        if size > SIZES or not row.asks(name):
            continue
        try:
            found = compare(game, replace(p, lo=size, hi=size), has_matching)
        except NotSweepable as reason:
            row.notice(name, Says.UNPROVED, "sweep of all pairs", lambda r=str(reason): (r,))  # type: ignore[misc]
            continue
        swept = found.sweeps[0]
        if swept.difference is not None or swept.differing or found.mismatch is not None:
            row.notice(name, Says.REFUTED, "sweep of all pairs")
        else:
            row.say(name, Says.HOLDS, "sweep of all pairs")
