"""What promises rest on: a change of a clause that a statement does not need leaves the statement as it was."""

from kozel_verify.language.diagnostics import SpecError
from kozel_verify.model.clauses import ClauseKind
from kozel_verify.model.core import Example, Expr, Game, Lemma
from kozel_verify.model.dependencies import Dependencies
from kozel_verify.model.elaborate import elaborate
from kozel_verify.model.load import load
from kozel_verify.verify.dossier import Dossier
from kozel_verify.verify.mutants import mutants
from tests.support.readme import ROOT

VALUES = (ClauseKind.FUNCTION, ClauseKind.PREDICATE, ClauseKind.CONSTANT, ClauseKind.ORDER)


def meanings(game: Game) -> dict[str, tuple[object, dict[str, Expr]]]:
    """Of each statement about values its core, with the bodies of all functions that it comes to."""
    dependencies = Dependencies(game)
    return {
        p.name: (p, {f: game.functions[f].body for f in sorted(dependencies.of_property(p).functions)})
        for p in game.properties
        if isinstance(p, Lemma | Example)
    }


def test_a_statement_needs_what_its_meaning_hangs_on() -> None:
    """One fault is planted in each function, constant and order of a game: the statements about values whose meaning
    changes are all among those that need the clause, and there are such."""
    spec = load(ROOT / "spec" / "kozel_shokha.kozel")
    dossier = Dossier(spec)
    before = meanings(spec.game)
    by_clause = {m.name: m for m in reversed(mutants(spec.program))}  # the first of each clause
    changed_at_all = 0
    for needed in dossier.needed:
        name = needed.clause.name
        if needed.clause.kind not in VALUES or name not in by_clause:
            continue
        try:
            after = meanings(elaborate(by_clause[name].program))
        except SpecError:
            continue
        changed = {p for p in before if after.get(p) != before[p]}
        changed_at_all += bool(changed)
        assert changed <= set(needed.by), name
    assert changed_at_all >= 5


def test_procedures_are_needed_for_what_they_change() -> None:
    """A statement about play needs a procedure that changes what it reads, and not one that changes nothing of that."""
    dossier = Dossier(load(ROOT / "spec" / "kozel_shokha.kozel"))
    needed = {n.clause.name: set(n.by) for n in dossier.needed}
    assert "equal_hands" in needed["trick"]
    assert "equal_hands" in needed["draw_up"]
    assert "equal_hands" not in needed["count"]
    assert "irreflexive" not in needed["turn_trump"]  # it reads trumps, but is about all of them
    assert dossier.recorded("equal_hands") == ("not recorded", None)  # without a folder of records
