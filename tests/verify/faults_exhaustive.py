"""Faults planted in the exhaustive engine: what is changed, and the test that sees it."""

from tests.verify.planting import Fault

FAULTS = {
    "a closure that was cut off is complete": Fault(
        "exhaustive.closure:_Search.discover", "self.complete = False", "pass",
        "exhaustive/test_closure:test_limit_is_honest()",
    ),
    "a state in which nothing can be done is no matter": Fault(
        "exhaustive.closure:_Search.expand", "if not outcomes:", "if False:",
        "exhaustive/test_closure:test_stuck_states_are_found()",
    ),
    "a state is known by its cells and cards alone": Fault(
        "exhaustive.closure:_Search.discover", 'state.node.to_bytes(2, "big") + ', "",
        "exhaustive/test_closure:test_node_is_part_of_a_state()",
    ),
    "claims about steps are not looked at": Fault(
        "exhaustive.closure:_Search.expand", "for check in self.starting[node]:", "for check in ():",
        "exhaustive/test_closure:test_step_check_sees_the_step()",
    ),
    "steps from the last of a claim's nodes are passed over": Fault(
        "exhaustive.machine:FastMachine.checks", "frozenset(claim.sources)", "frozenset(claim.sources[:-1])",
        "verify/test_steps_and_menus:test_the_closure_of_a_small_pack()",
    ),
    "a claim is looked at in the first state only": Fault(
        "exhaustive.closure:_Search.check", "if check.name not in self.violations:", "if number == 0:",
        "exhaustive/test_closure:test_state_check_and_shortest_run()",
    ),
    "a step without a value is passed over": Fault(
        "exhaustive.closure:_Search.expand",
        "self.violate(self.name_of(fault), number, outcome, state.node, _text(fault))", "pass",
        "exhaustive/test_closure:test_faults_are_named_and_others_pass()",
    ),
    "options that constraints exclude are visited": Fault(
        "exhaustive.domains:settings_of", "if all(evaluate(c, {}, options, initial) for c in constraints):",
        "if True:",
        "exhaustive/test_domains:test_constraints_exclude_combinations()",
    ),
    "the greatest size of a group is left out": Fault(
        "exhaustive.domains:_values_of", "min(hi, len(domain)) + 1", "min(hi, len(domain))",
        "exhaustive/test_domains:test_subsets_by_size_and_dependent_domains()",
    ),
    "a lemma without a value holds": Fault(
        "exhaustive.domains:_visit", "true, undefined = False, ", "true, undefined = True, ",
        "exhaustive/test_domains:test_undefined_is_a_failure()",
    ),
    "a matching may use a reply twice (reference)": Fault(
        "exhaustive.groups:all_pairings", "", "lambda rows: all(rows)",
        "exhaustive/test_groups:test_wrong_decisions_are_caught(decision=covers_both_ways, first=3)",
    ),
    "who sees a zone is not asked where the seats are fixed": Fault(
        "exhaustive.machine:FastMachine._hidden", "seen.append(zone)", "pass",
        "verify/test_wiring:test_planted_faults_are_found(game=faults.open_hands, name='hands', steps=2, "
        "reference=False)",
    ),
    "a measure may stay as it is": Fault(
        "exhaustive.machine:FastMachine._measure", "values(after) < latest[0][1]", "values(after) <= latest[0][1]",
        "verify/test_wiring:test_planted_faults_are_found(game=faults.idle_measure, name='progress', steps=1, "
        "reference=False)",
    ),
    "a claim about a verb is about all": Fault(
        "exhaustive.machine_claims:step_test", "(claim.verb and outcome[0] != kind)", "False",
        "exhaustive/test_machine_claims:test_the_machine_and_the_reference_agree(large=False)",
    ),
    "a menu may have less than its claim says": Fault(
        "exhaustive.machine_claims:_Menu._each", 'return [*lines, f"{inside}    n += 1", "return n == len(legal)"]',
        'return [*lines, f"{inside}    n += 1", "return True"]',
        "exhaustive/test_machine_claims:test_the_machine_and_the_reference_agree(large=False)",
    ),
    "the right side of `or` is the left one": Fault(
        "exhaustive.machine_code:_lazy", "return joined(OPERATIONS[op](left.text, right.text), (left, right))",
        "return joined(OPERATIONS[op](left.text, left.text), (left, right))",
        "exhaustive/test_machine_expressions:test_every_operator(name='or')",
    ),
    "`without` keeps all": Fault(
        "exhaustive.machine_code:OPERATIONS", "", "{**right, 'without': lambda a, b: a}",
        "exhaustive/test_machine_expressions:test_every_operator(name='without')",
    ),
    "cards are moved that are not there": Fault(
        "exhaustive.machine_edges:Edges._move", "\"if m & ~z[s]: fail('moved from where they are not')\",", "",
        "exhaustive/test_machine:test_rules_without_a_meaning(name='not_there')",
    ),
    "what is not live is not reset": Fault(
        "exhaustive.machine_edges:Edges._resets", "if c.name not in self.game.live[node]", "if False",
        "verify/test_negative_controls:machines_agree()",
    ),
    "a guard is not asked": Fault(
        "exhaustive.machine_edges:Edges.choices", "if {guard.text}: found", "if True: found",
        "verify/test_negative_controls:machines_agree()",
    ),
    "`clockwise after` begins with the seat itself": Fault(
        "exhaustive.machine_expressions:Emitter._first", "expr.after", "False",
        "verify/test_negative_controls:machines_agree()",
    ),
    "a subtraction below zero is zero": Fault(
        "exhaustive.machine_runtime:minus", 'fail("subtraction below zero")', "0",
        "exhaustive/test_machine_expressions:test_every_operator(name='-')",
    ),
    "of two greatest the last is taken": Fault(
        "exhaustive.machine_runtime:top", "!= 1", "< 1",
        "exhaustive/test_machine_expressions:test_random_expressions(few=8)",
    ),
    "one reply serves two targets": Fault(
        "exhaustive.machine_runtime:matches", "row & ~(1 << reply)", "row",
        "verify/test_confirm:test_both_closures_of_the_toy_are_equal(ruffing=True)",
    ),
    "what a seat sees is the same in all its states": Fault(
        "exhaustive.pairs:_Space.look", "seen = (self.machine.view(state, seat), menu)", "seen = (0, menu)",
        "exhaustive/test_pairs:test_the_toy_leaks_to_the_first_leader()",
    ),
    "what may be chosen is no difference": Fault(
        "exhaustive.pairs:_Space.look", "menu = tuple(self.machine.outcomes(state)) if seat == turn else ()",
        "menu = ()",
        "exhaustive/test_pairs:test_what_may_be_chosen_counts_at_the_own_turn()",
    ),
    "silence tells nothing": Fault(
        "exhaustive.pairs:odd_ones", "if other[0] != kind:", "if False:",
        "exhaustive/test_pairs:test_silence_tells()",
    ),
    "a limit on pairs counts as a proof": Fault(
        "exhaustive.pairs:_Knowing.run", "return None, None", "return True, None",
        "exhaustive/test_pairs:test_without_knowledge_such_a_class_shows_nothing()",
    ),
    "the worth of a deal is not seen": Fault(
        "exhaustive.pairs_machine:TellingMachine._results", "", "lambda self, node: None",
        "exhaustive/test_pairs:test_a_finished_deal_is_looked_at_with_what_it_is_worth()",
    ),
    "hidden cards are heard": Fault(
        "exhaustive.pairs_machine:TellingMachine._heard", "if seats >> seat & 1:", "if True:",
        "exhaustive/test_pairs:test_nobody_can_peek_in_the_quiet_toy()",
    ),
    "what a function reads is not read": Fault(
        "exhaustive.reads:reads_of", "todo.append(game.functions[function].body)", "pass",
        "exhaustive/test_domains:test_all_parameters_cells_and_options()",
    ),
}  # fmt: skip
