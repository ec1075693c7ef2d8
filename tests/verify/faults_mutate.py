"""Faults planted in the judging of mutants: what is changed, and the test that sees it."""

from tests.verify.planting import Fault

FAULTS = {
    "a property that has lost its subject makes no game of a mutant": Fault(
        "verify.mutate:_meant", "if any(item is None or isinstance(item, s.ExampleOf) for _, item in wrong):",
        "if True:", "verify/test_mutate:test_some_mean_no_game()",
    ),
    "all mutants mean the very same": Fault(
        "verify.mutate:_same", "return found.game == spec.game and all(a == b for a, b in games)", "return True",
        "verify/test_mutate_fate:test_what_is_not_equivalent_is_not_proved()",
    ),
    "a scenario does not notice": Fault(
        "verify.mutate_ask:Asked._written", "if tried.holds:", "if True:",
        "verify/test_mutate:test_a_scenario_notices()",
    ),
    "nothing is touched": Fault(
        "verify.mutate_ask:Asked._untouched", "if old is not None and same and _same_called(mine, theirs, p, old):",
        "if True:", "verify/test_mutate:test_a_lemma_notices()",
    ),
    "a lemma does not notice": Fault(
        "verify.mutate_values:_lemma", "if found.counterexample is not None:", "if False:",
        "verify/test_mutate:test_a_lemma_notices()",
    ),
    "a case of the solver is believed": Fault(
        "verify.mutate_cases:evaluated", "return bool(Interpreter(", "return not bool(Interpreter(",
        "verify/test_mutate:test_a_case_is_evaluated()",
    ),
    "what holds elsewhere is noticed no more": Fault(
        "verify.mutate_cells:Row.say", "if old is None or old.says is Says.OPEN:", "if True:",
        "verify/test_mutate:test_each_kind_of_property_notices()",
    ),
    "states of matches are not looked at": Fault(
        "verify.mutate_walks:Walker._look", "elif not self._passed(check.name) and not _holds(check, position):",
        "elif False:", "verify/test_mutate:test_random_matches_notice_without_small_packs()",
    ),
    "any scenario shows a difference": Fault(
        "verify.mutate_fate:_shows", "return not _holds(mutant.program, item, title)", "return True",
        "verify/test_mutate_fate:test_what_a_scenario_cannot_say()",
    ),
    "a proof that succeeds notices": Fault(
        "verify.mutate_fate:Proofs._compare", "leg.verdict not in COMPLETE", "True",
        "verify/test_mutate_fate:test_a_proof_that_still_succeeds_says_nothing()",
    ),
    "a large set is called the smallest": Fault(
        "verify.matrix:_Search.branch", "if len(taken) < len(self.best):", "if False:",
        "verify/test_matrix:test_a_set_that_greed_does_not_find()",
    ),
}  # fmt: skip
