"""Whether the checks can fail: one fault at a time is planted in the tool, and a named check turns red.

Many modules hold such controls beside their checks; they are listed here, and what is missing there follows below.

=====================================================  ================================================================
fault                                                  noticed by
=====================================================  ================================================================
an operator's symbolic meaning                         symbolic/test_operators: test_a_planted_wrong_meaning_is_found
an operator that claims to have a value everywhere     symbolic/test_operators: test_a_lost_definedness_is_found
a move that leaves the cards in their source (sizes)   symbolic/test_counting: test_a_forgotten_subtraction_is_found
a size that is wrong by one (cards)                    symbolic/test_faces_sets: test_a_wrong_size_breaks_a_fact
a zone that too many see                               symbolic/test_faces: test_a_wrong_visibility_is_refuted
a solver that gives up                                 symbolic/test_induction: test_a_used_up_budget_proves_nothing
an operator of the fast machine                        exhaustive/test_machine, test_machine_expressions:
                                                       test_a_wrong_operator_is_noticed
a line missing in an effect of the fast machine        exhaustive/test_machine: test_a_wrong_effect_is_noticed
a violation that only the fast machine sees            verify/test_confirm: test_a_wrong_machine_is_refused,
                                                       test_a_false_violation_is_refused,
                                                       test_a_false_witness_is_refused
a decision of groups that is no matching               exhaustive/test_groups: test_wrong_decisions_are_caught,
                                                       verify/test_matchings:
                                                       test_wrong_decision_is_reported_with_its_pair
faults in the rules of the toy                         verify/test_wiring: test_planted_faults_are_found
a shuffle that is not uniform                          interpret/test_chance: test_wrong_shuffles_are_caught
two players who are dealt one card                     verify/test_defects: test_a_card_dealt_twice_is_lost_elsewhere
a line of an exported engine, or of its exporter       verify/test_engine_check: test_a_planted_fault_is_found,
                                                       test_a_fault_of_the_exporter_is_found
=====================================================  ================================================================
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from kozel_verify.exhaustive import closure, domains, groups
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.run import Rules, Run
from kozel_verify.model.load import Spec, load_text
from kozel_verify.model.operators import OPERATORS
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.operators import SYMBOLIC
from kozel_verify.verify import closures, findings, inductive, order, plays
from kozel_verify.verify.findings import Exit, Kind, Leg, Obligation, Verdict
from kozel_verify.verify.plays import Seen
from kozel_verify.verify.run import verify_spec
from kozel_verify.verify.settings import Settings
from tests.cli.run import SMALL
from tests.exhaustive import test_closure as closes
from tests.exhaustive import test_domains as domain_checks
from tests.exhaustive import test_groups as sweeps
from tests.exhaustive.test_machine import Pair
from tests.interpret import test_play as plays_by_hand
from tests.interpret import test_run as steps
from tests.interpret import test_view as views
from tests.support.toy import toy_game
from tests.symbolic import test_operators as meanings
from tests.verify import test_findings as verdicts

Wrong = Callable[[Any], Any]  # the right thing to the wrong one
Check = Callable[[], None]


@pytest.fixture(autouse=True)
def every_method(monkeypatch: pytest.MonkeyPatch) -> None:
    """All methods are asked, also those that could say no more than is settled."""
    monkeypatch.setattr(order, "SETTLED", ())


@dataclass(frozen=True)
class Fault:
    """``place.name`` (or ``place[name]``) is replaced by ``wrong`` of what it was; ``check`` is to notice."""

    place: Any
    name: str
    wrong: Wrong
    check: Check

    def plant(self, monkeypatch: pytest.MonkeyPatch) -> None:
        if isinstance(self.place, dict):
            monkeypatch.setitem(self.place, self.name, self.wrong(self.place[self.name]))
        else:
            monkeypatch.setattr(self.place, self.name, self.wrong(getattr(self.place, self.name)))


def red(check: Check) -> bool:
    try:
        check()
    except Exception:  # in a test run whatever is raised is red
        return True
    return False


# --- checks that the faults are held against -------------------------------------------------------------------------

CLAIMS = (
    SMALL[: SMALL.index("  example")]
    + """
  invariant never_scores : points[seat 1] == 0
  lemma more(n : 0..5) : n >= 2
}"""
)


@cache
def claims() -> Spec:
    """The small game with an invariant and a lemma that do not hold."""
    return load_text(CLAIMS)


def obligation(name: str) -> Obligation:
    found = verify_spec(claims(), Settings(plays=4, states=3_000, only=(name,))).obligations
    return found[0]


def each_method_finds_the_violation() -> None:
    """Plays and closures refute the false invariant, and induction does not prove it."""
    found = {(leg.method.split(" ")[0], leg.verdict) for leg in obligation("never_scores").legs}
    assert found >= {
        ("induction", Verdict.UNKNOWN),
        ("random", Verdict.REFUTED),
        ("closure", Verdict.REFUTED),
    }


def the_false_invariant_is_refuted() -> None:
    assert obligation("never_scores").verdict is Verdict.REFUTED


def the_false_lemma_is_refuted() -> None:
    found = obligation("more")
    assert found.verdict is Verdict.REFUTED and found.holds == 4


def machines_agree() -> None:
    """The interpreter and the fast machine, in every 17th state of the toy."""
    assert Pair(toy_game()).difference(17) == []


def nothing(*_: object) -> None:
    return None


# --- the interpreter -------------------------------------------------------------------------------------------------

INTERPRETER = {
    "cards that are moved stay where they are": Fault(Run, "_put", lambda _: nothing, machines_agree),
    "the last choice of a menu is left out": Fault(
        Interpreter, "outcomes", lambda right: lambda self, state: right(self, state)[:-1], machines_agree
    ),
    "whatever lies in the domain is legal": Fault(
        Interpreter, "check", lambda _: nothing, plays_by_hand.test_legal_is_what_the_menu_lists
    ),
    "what stays in a cell that is not live is not reset": Fault(
        Rules, "_resets", lambda _: lambda self, node: (), machines_agree
    ),
    "everybody sees into every zone": Fault(
        Rules,
        "zone_viewers",
        lambda _: lambda self, state, slot: 0b11,
        steps.test_events_of_a_lead_and_a_hidden_discard,
    ),
    "a hidden card is in the view": Fault(
        Rules,
        "zone_viewers",
        lambda _: lambda self, state, slot: 0b11,
        views.test_states_that_differ_in_hidden_cards_look_equal,
    ),
    "`<=` means `<`": Fault(
        OPERATORS, "<=", lambda _: OPERATORS["<"], lambda: meanings.test_meaning_equals_the_concrete_one("<=", False)
    ),
    "`without` means `intersect`": Fault(OPERATORS, "without", lambda _: OPERATORS["intersect"], machines_agree),
}


# --- the solver's side -----------------------------------------------------------------------------------------------

SYMBOLS = {
    "`>=` is always true": Fault(SYMBOLIC, ">=", lambda _: lambda o: (t.TRUE, t.TRUE), the_false_lemma_is_refuted),
    "a failed step of an induction is forgotten": Fault(
        inductive._Part, "leg", lambda _: lambda self: Leg("induction", Verdict.PROVED), the_false_invariant_is_refuted
    ),
}


# --- enumeration -----------------------------------------------------------------------------------------------------

ENUMERATION = {
    "the last group of each size is left out": Fault(
        domains,
        "combinations",
        lambda right: lambda items, n: list(combinations(items, n))[:-1],
        domain_checks.test_subsets_by_size_and_dependent_domains,
    ),
    "options have their defaults only": Fault(
        domains,
        "_default_first",
        lambda _: lambda option: (option.default,),
        domain_checks.test_option_that_matters_in_one_value,
    ),
    "cells have their initial values only": Fault(
        domains, "_family", lambda _: lambda cell: range(0), domain_checks.test_all_parameters_cells_and_options
    ),
    "what has no value holds": Fault(
        domains, "Undefined", lambda _: ZeroDivisionError, domain_checks.test_undefined_is_a_failure
    ),
    "the reference of groups only looks at the first pairing": Fault(
        groups,
        "_reference_table",
        lambda _: lambda size: tuple(sweeps.positional(rows) for rows in groups._all_matrices(size)),
        lambda: sweeps.test_counts_equal_plain_loops(2),
    ),
    "groups of one kind are counted once": Fault(
        groups, "comb", lambda _: lambda n, k: 1, lambda: sweeps.test_counts_equal_plain_loops(2)
    ),
    "two replies of one kind are never tried": Fault(
        groups, "_multisets", lambda _: combinations, lambda: sweeps.test_counts_equal_plain_loops(2)
    ),
    "no pair is looked for": Fault(
        groups, "_find", lambda _: nothing, lambda: sweeps.test_wrong_decisions_are_caught(sweeps.covers_both_ways, 3)
    ),
}


# --- closures and plays ----------------------------------------------------------------------------------------------


class Last(list[Any]):
    """A stack with the words of a queue: depth first."""

    def popleft(self) -> Any:
        return self.pop()


SEARCH = {
    "no state is checked": Fault(closure._Search, "check", lambda _: nothing, closes.test_state_check_and_shortest_run),
    "a check without a value holds": Fault(
        closure._Search, "failure", lambda _: lambda self, holds, *a: None, closes.test_check_without_a_value_fails
    ),
    "the last outcome is left out": Fault(
        closes.Grid, "outcomes", lambda right: lambda self, state: right(self, state)[:-1], closes.test_every_state_once
    ),
    "depth first": Fault(closure, "deque", lambda _: Last, closes.test_longest_is_not_depth),
    "no run is thought to be endless": Fault(
        closure, "_longest", lambda _: lambda *a: 6, closes.test_a_way_back_is_endless
    ),
    "plays are not looked at": Fault(plays, "look", lambda _: lambda *a: Seen(), each_method_finds_the_violation),
    "what a closure finds is dropped": Fault(
        closures,
        "close_pack",
        lambda right: lambda *a: replace(right(*a), violations={}),
        each_method_finds_the_violation,
    ),
}


# --- verdicts --------------------------------------------------------------------------------------------------------


def best(legs: Sequence[Leg]) -> Verdict:
    return findings._ranked(legs)[0].verdict if findings._ranked(legs) else Verdict.UNKNOWN


def quiet(obligations: Sequence[Obligation]) -> Exit:
    return Exit.REFUTED if Verdict.REFUTED in {o.verdict for o in obligations} else Exit.HOLDS


VERDICTS = {
    "a closed pack counts as a proof": Fault(
        findings, "COMPLETE", lambda right: (*right, Verdict.CLOSED), verdicts.test_exit_codes
    ),
    "a counterexample need not be confirmed": Fault(
        findings, "_refutes", lambda _: lambda *a: True, verdicts.test_refuted_needs_a_run_that_replays
    ),
    "a claim about play needs no run": Fault(
        findings,
        "WITHOUT_RUN",
        lambda _: frozenset(Kind),
        lambda: verdicts.test_only_statements_about_values_are_refuted_without_a_run(Kind.INVARIANT),
    ),
    "a leg that visited nothing counts": Fault(
        findings,
        "_weigh",
        lambda _: lambda leg, *a: leg,
        lambda: verdicts.test_looking_at_nothing_shows_nothing(Verdict.CLOSED, 0),
    ),
    "the best leg wins over a refutation": Fault(
        findings, "_combine", lambda _: best, lambda: verdicts.test_contradiction_is_loud(verdicts.PROVED)
    ),
    "counts are not compared": Fault(
        findings, "_counts_differ", lambda _: lambda legs: False, verdicts.test_counts_must_agree
    ),
    "the weakest leg is the best": Fault(
        findings, "_BEST_FIRST", lambda right: right[::-1], verdicts.test_best_leg_decides_when_all_agree
    ),
    "what is unknown exits with 0": Fault(
        verdicts, "exit_code", lambda _: lambda o: quiet(list(o)), verdicts.test_exit_codes
    ),
    "a disagreement exits with 0": Fault(
        verdicts, "exit_code", lambda _: lambda o: quiet(list(o)), verdicts.test_disagreement_has_its_own_exit_code
    ),
}

FAULTS = {**INTERPRETER, **SYMBOLS, **ENUMERATION, **SEARCH, **VERDICTS}


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_turns_a_check_red(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The check holds without the fault, and does not with it."""
    fault = FAULTS[name]
    fault.check()
    fault.plant(monkeypatch)
    assert red(fault.check)


def test_methods_that_contradict_each_other_are_loud(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that proves a false lemma, and an induction that proves a false claim, end in `disagree`."""
    monkeypatch.setitem(SYMBOLIC, ">=", lambda o: (t.TRUE, t.TRUE))
    monkeypatch.setattr(inductive._Part, "leg", lambda self: Leg("induction", Verdict.PROVED))
    found = [obligation("more"), obligation("never_scores")]
    assert [o.verdict for o in found] == [Verdict.DISAGREE, Verdict.DISAGREE]
    assert findings.exit_code(found) is Exit.DISAGREE


def test_the_table_names_tests_that_exist() -> None:
    """Each test that the table above names is defined in a module that it names."""
    table = (__doc__ or "").split("noticed by")[1]
    modules = re.findall(r"\w+/test_\w+", table)
    named = [word for word in re.findall(r"(?<![/\w])test_\w+", table) if word != "test_machine_expressions"]
    texts = [(Path(__file__).parents[1] / f"{module}.py").read_text(encoding="utf-8") for module in modules]
    assert len(modules) > 10 and len(named) > 15
    assert [n for n in named if not any(f"def {n}(" in text for text in texts)] == []
