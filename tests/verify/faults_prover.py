"""Faults planted in the proofs of the symbolic engine: what is changed, and the test that sees it."""

from tests.verify.planting import Fault

FAULTS = {
    "a guess is stronger when told than when proved": Fault(
        "symbolic.templates:Box.claims", "number(self.hi)", "number(self.hi - 1)",
        "symbolic/test_induction:test_what_is_found_holds_in_other_plays()",
    ),
    "an equation keeps what a state breaks": Fault(
        "symbolic.templates:Affine._admit", "if not broken:", "if True:",
        "symbolic/test_templates:test_equations_through_the_states_seen()",
    ),
    "a remainder is never broken": Fault(
        "symbolic.templates:Congruence.join", "self.broken = True", "pass",
        "symbolic/test_templates:test_remainders()",
    ),
    "no state says anything": Fault(
        "symbolic.guess:guess", "if not rows:", "if rows:",
        "symbolic/test_templates:test_no_rows_no_guesses()",
    ),
    "what the solver gives up holds": Fault(
        "symbolic.induction:Prover._weaken", "return self._one_by_one(work, arrival, goal)", "return False",
        "symbolic/test_induction:test_a_used_up_budget_proves_nothing()",
    ),
    "what rests on a broken claim is not asked again": Fault(
        "symbolic.induction:Prover.run",
        "if not any([self._weaken(w, arrival, goal) for w in works for arrival, goal in w.after]):", "if True:",
        "symbolic/test_induction:test_what_is_left_is_inductive()",
    ),
    "a claim is broken at one node only": Fault(
        "symbolic.induction:Prover.assumed", "if n not in self.broken", "if True",
        "symbolic/test_induction:test_a_claim_that_falls_takes_what_rests_on_it()",
    ),
    "a claim without a value holds": Fault(
        "symbolic.columns:SymbolicColumns.statement", "t.and_(defined, value)", "t.implies(defined, value)",
        "symbolic/test_soundness:test_a_claim_must_have_a_value()",
    ),
    "a value of the cell is no case": Fault(
        "symbolic.cases:cases", "in values(cell.type)", "in [*values(cell.type)][:-1]",
        "symbolic/test_cases:test_a_set_of_seats_that_deals_leave_alone_is_chosen()",
    ),
    "no step leads from case to case": Fault(
        "symbolic.cases:ends", "if path is not t.FALSE:", "if path is arrival.path:",
        "symbolic/test_cases:test_the_ends_of_an_edge_are_all_cases()",
    ),
    "where play turns out to come it still never comes": Fault(
        "symbolic.induction:Prover._excluded", " and not f.broken", "",
        "symbolic/test_cases:test_what_no_sample_shows_is_looked_at_all_the_same()",
    ),
    "what is given up by halves holds": Fault(
        "symbolic.induction:Prover._by_halves", "changed |= self._by_halves(work, arrival, goal, held)", "pass",
        "symbolic/test_cases:test_a_used_up_budget_proves_nothing()",
    ),
    "a seat is left out where each is tried": Fault(
        "symbolic.cases:naming_seats", "range(game.seats)", "range(1, game.seats)",
        "symbolic/test_cases:test_a_cell_of_seats_names_one_of_them()",
    ),
    "cards are looked at in the first cases only": Fault(
        "symbolic.faces:prove_faces_by_cases", "in cases:", "in cases[:1]:",
        "symbolic/test_cases:test_claims_about_cards_fall_in_all_cases_together()",
    ),
    "an unknown answer is a proof of an obligation": Fault(
        "symbolic.obligations:_verdict", "isinstance(answer, Unsatisfiable)", "not isinstance(answer, Model)",
        "symbolic/test_soundness:test_an_obligation_that_is_given_up_is_not_proved()",
    ),
    "a measure may stay as it is": Fault(
        "symbolic.obligations:lexicographic", "smaller = t.FALSE", "smaller = t.TRUE",
        "symbolic/test_induction:test_a_measure_that_does_not_decrease_is_found()",
    ),
    "some choice is always legal": Fault(
        "symbolic.obligations:Obligations._way", "evaluator.truth(verb.guard, scope)", "t.TRUE",
        "symbolic/test_soundness:test_a_guard_may_leave_nothing_to_choose()",
    ),
    "a lemma that is given up is proved": Fault(
        "symbolic.lemmas:prove_lemma", "return Unknown(answer.reason, used, sizes)", "pass",
        "symbolic/test_lemmas:test_a_small_budget_is_unknown()",
    ),
    "the greatest groups of a lemma are left out": Fault(
        "symbolic.lemmas:sizes_of", "_constant(game, p.hi) + 1", "_constant(game, p.hi)",
        "symbolic/test_lemmas:test_a_lemma_that_holds_is_proved(lemma=next(x for x in HOLD if any(p.lo for p in "
        "x.parameters)))",
    ),
    "a lemma without a value holds": Fault(
        "symbolic.lemmas:_Question.__init__", "t.and_(*(o.formula() for o in self.needed), statement)", "statement",
        "symbolic/test_lemmas:test_a_statement_without_a_value_is_a_failure()",
    ),
    "what is given up about faces is proved": Fault(
        "symbolic.faces:failure_of", "return Failure(edge, node, end, None, reason)", "return None",
        "symbolic/test_faces:test_a_used_up_budget_proves_nothing()",
    ),
    "what leans on a broken claim is not asked again": Fault(
        "symbolic.faces:_Induction.run", "[w for w in works if dropped & w.before.keys()]", "[]",
        "symbolic/test_soundness:test_a_claim_that_was_used_before_it_broke_is_not_relied_on()",
    ),
    "who sees a zone is not compared with a secret": Fault(
        "symbolic.faces:_common", "t.and_(a.bit(s), b.bit(s))", "t.FALSE",
        "symbolic/test_faces:test_a_wrong_visibility_is_refuted()",
    ),
    "a dead place that is reached is no failure": Fault(
        "symbolic.faces:prove_dead", "account.failure = account.failure or failure", "pass",
        "symbolic/test_faces:test_a_dead_place_that_is_reached_is_not_proved()",
    ),
    "a menu may have more than its claim says": Fault(
        "symbolic.menus:_at", "t.eq(legal, value)", "t.implies(value, legal)",
        "symbolic/test_menus:test_what_forbids_too_much_is_not_proved()",
    ),
    "a menu may have less than its claim says": Fault(
        "symbolic.menus:_at", "t.eq(legal, value)", "t.implies(legal, value)",
        "symbolic/test_menus:test_each_condition_counts(left_out=3)",
    ),
    "a step without a value is right": Fault(
        "symbolic.steps:_broken", "t.not_(t.and_(value, defined))", "t.and_(defined, t.not_(value))",
        "symbolic/test_steps:test_a_statement_must_have_a_value()",
    ),
    "a step that is given up is right": Fault(
        "symbolic.steps:_asked", "(isinstance(answer, Unknown) and not split)", "False",
        "symbolic/test_steps:test_a_used_up_budget_proves_nothing()",
    ),
    "a claim about no step is proved": Fault(
        "symbolic.steps:StepResult.proved", "not self.vacuous", "True",
        "symbolic/test_steps:test_a_claim_about_no_step_is_not_proved()",
    ),
    "no peeking is proved where the solver gives up": Fault(
        "symbolic.peeking:_Asker._answer", "return self._one_by_one(question, goals, used)",
        "return _Answer([used])",
        "symbolic/test_peeking:test_a_used_up_budget_proves_nothing()",
    ),
    "a dropped part is still relied on": Fault(
        "symbolic.peeking:_seat", "waiting.update(dict.fromkeys(s for s in everything if s.node == goal.node))",
        "pass",
        "symbolic/test_soundness:test_what_is_dropped_is_no_longer_relied_on()",
    ),
    "what is seen where play arrives is not compared": Fault(
        "symbolic.peeking_chain:Chain.ends", "self._views(node, a, b, kept[node])", "pass",
        "symbolic/test_peeking:test_planted_leaks_are_not_proved(name='score')",
    ),
    "that cards are moved tells nothing": Fault(
        "symbolic.peeking_chain:Chain._move", "t.eq(x.noticed, y.noticed)", "TRUE",
        "symbolic/test_soundness:test_that_cards_move_and_how_many_is_noticed(cards='hand[seat 2] intersect {A♠}', "
        "text='whether cards go from `hand` to `hand`')",
    ),
    "how many cards are moved tells nothing": Fault(
        "symbolic.peeking_chain:Chain._move", "t.eq(x.size, y.size)", "TRUE",
        "symbolic/test_soundness:test_that_cards_move_and_how_many_is_noticed(cards='hand[seat 2] without {A♠}', "
        "text='how many cards go from `hand` to `hand`')",
    ),
    "where play goes on tells nothing": Fault(
        "symbolic.peeking_chain:Chain.ends", "t.eq(*here))", "TRUE)",
        "symbolic/test_peeking:test_planted_leaks_are_not_proved(name='next node')",
    ),
    "an announcement tells even who does not hear it": Fault(
        "symbolic.peeking_chain:Chain._to", "t.and_(release.path, release.to.bit(self.seat))", "release.path",
        "symbolic/test_soundness:test_what_another_seat_is_told_is_not_known()",
    ),
    "what may be chosen tells nothing": Fault(
        "symbolic.peeking_questions:Questions._step", "if step.own:", "if False:",
        "symbolic/test_peeking:test_planted_leaks_are_not_proved(name='menu')",
    ),
    "what a deal is worth tells nothing": Fault(
        "symbolic.peeking_questions:Questions._node", "if step.node == game.deal_end else []", "if False else []",
        "symbolic/test_peeking:test_planted_leaks_are_not_proved(name='worth')",
    ),
    "two runs begin alike in what is hidden": Fault(
        "symbolic.peeking_twins:TwinSystem.twins", "TRUE if part in kept else visible", "TRUE",
        "symbolic/test_peeking:test_real_pairs_of_runs_are_among_those_asked_about(seat_=0)",
    ),
    "who sees a zone tells nothing": Fault(
        "symbolic.peeking_twins:needed", "if visible is not FALSE:", "if False:",
        "symbolic/test_peeking:test_planted_leaks_are_not_proved(name='score')",
    ),
}  # fmt: skip
