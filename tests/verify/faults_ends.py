"""Faults planted in what is said of ends, of coverage and of what is shown, and the tests that see them."""

from tests.verify.planting import Fault

FAULTS = {
    "what the solver gives up is no longer than seen": Fault(
        "symbolic.deal_length:LengthProver._range_at", "return BEYOND if up else 0", "return None",
        "verify/test_soundness:test_a_length_that_is_given_up_has_no_bound()",
    ),
    "a counter that need not grow bounds a match": Fault(
        "symbolic.deal_length:LengthProver.most_deals", "t.not_(t.le(wanted, after))", "t.FALSE",
        "verify/test_soundness:test_a_number_that_does_not_grow_bounds_no_match()",
    ),
    "a slice goes one way where the game may go either": Fault(
        "symbolic.deal_slice:sliced", "_asking(n, len(free)) if i == game.deal_end else n", "n",
        "symbolic/test_ghosts:test_a_slice_leaves_out_what_comes_from_sums_over_cards()",
    ),
    "a deal that is cut short is none": Fault(
        "symbolic.ghosts:Ghosts.over", "(self.game.deal_end, *self.cut.values())", "(self.game.deal_end,)",
        "symbolic/test_ghosts:test_a_deal_that_is_cut_short_is_one()",
    ),
    "a deal that is cut short is not told apart": Fault(
        "symbolic.ghosts:_Apart._end", "Arrive(self.cut.get(node, node))", "Arrive(node)",
        "symbolic/test_ghosts:test_the_end_of_the_match_in_a_deal_has_a_node_of_its_own()",
    ),
    "no step is ever taken back": Fault(
        "symbolic.deal_length:LengthProver._around", "if a.node in back", "if False",
        "symbolic/test_ghosts:test_steps_that_are_not_taken_back_need_no_measure()",
    ),
    "a deal that is cut short is not one more": Fault(
        "symbolic.deal_length:LengthProver.most_deals", "highest + bool(cut)", "highest",
        "symbolic/test_ghosts:test_a_deal_that_is_cut_short_is_one()",
    ),
    "only steps from a node to itself go around": Fault(
        "symbolic.rounds:rounds", "if n in after[m]", "if n == m and n in after[m]",
        "symbolic/test_ghosts:test_the_nodes_that_play_may_come_back_to()",
    ),
    "a question is counted twice": Fault(
        "symbolic.ghosts:_counting", "Const(1, NAT)", "Const(2, NAT)",
        "symbolic/test_ghosts:test_counters_agree_with_plays()",
    ),
    "what happened twice happens for ever": Fault(
        "symbolic.repetition:repeats", "if goal is t.TRUE:", "if True:",
        "symbolic/test_ghosts:test_a_repetition_that_comes_to_an_end_is_not_proved()",
    ),
    "who sees where a card goes to is not shown it": Fault(
        "symbolic.revealed:_learns", ", (target, release.after))", ",)",
        "symbolic/test_revealed:test_masks_are_what_the_events_show()",
    ),
    "what was not met is covered": Fault(
        "verify.coverage:_leg", "if left:", "if False:",
        "verify/test_coverage:test_an_option_that_nothing_reads_is_reported()",
    ),
    "every clause is met": Fault(
        "verify.coverage_clauses:Clause.shown", "not self.wanted.isdisjoint(trace.sides)", "True",
        "verify/test_coverage:test_a_clause_behind_an_impossible_condition_is_reported()",
    ),
    "any value of an option makes a difference": Fault(
        "verify.coverage_options:_after", "if events != twin_events and _told(one, events) != _told(two, twin_events):",
        "if True:",
        "verify/test_coverage:test_where_a_run_parts()",
    ),
    "what nobody sees is noticed": Fault(
        "verify.coverage_options:_shown", "return view.cells,", "return state.cells,",
        "verify/test_coverage:test_what_nobody_can_notice_is_no_difference()",
    ),
    "what is hidden is not followed": Fault(
        "verify.coverage_options:_after", "return after, twin_after", "return after, after",
        "verify/test_coverage:test_a_run_that_stops_before_a_difference_shows_is_played_on()",
    ),
    "a branch is taken to both sides": Fault(
        "verify.coverage_trace:TracingRules.evaluate", "self.trace.sides.add((branch, bool(value)))",
        "self.trace.sides |= {(branch, True), (branch, False)}",
        "verify/test_coverage:test_a_clause_behind_an_impossible_condition_is_reported()",
    ),
    "a measure of the spec is believed": Fault(
        "verify.ends:_by_measure", "all(step.proved for step in prover.decreases(measure))", "True",
        "verify/test_ends:test_a_measure_of_the_spec_that_does_not_fall_is_not_believed()",
    ),
    "a bound that a play does not keep to is told": Fault(
        "verify.ends:_keep_to", "if counts[word] < bounds.lo or", "if False and",
        "verify/test_ends:test_a_bound_that_a_play_does_not_keep_to_is_loud()",
    ),
    "rounds outside of deals are not told": Fault(
        "verify.ends:_outside", "if names:", "if False:",
        "verify/test_ends:test_rounds_outside_of_deals_are_told()",
    ),
    "a run that comes back is no matter": Fault(
        "verify.ends:_repeated", "if first < n:", "if False:",
        "verify/test_ends:test_an_endless_deal_is_refuted_by_a_run_that_comes_back()",
    ),
    "a match is endless without a proof": Fault(
        "verify.ends_match:_proved", "if not found.proved:", "if False:",
        "verify/test_soundness:test_a_match_that_ends_late_is_not_endless()",
    ),
    "a deal is over when it has begun": Fault(
        "verify.ends_plays:_deal", "over = node == game.deal_end or ", "over = True or ",
        "verify/test_ends:test_extremes_are_played_and_replayed()",
    ),
    "a deal is believed without its run": Fault(
        "verify.ends_plays:confirmed",
        "if play.stopped is not Stop.REACHED or (state.node, state.cells, state.place) != last[:3]:", "if False:",
        "verify/test_soundness:test_a_deal_of_the_fast_machine_is_replayed()",
    ),
}  # fmt: skip
