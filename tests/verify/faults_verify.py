"""Faults planted in what puts the methods together: what is changed, and the test that sees it."""

from tests.verify.planting import Fault

STORE = {
    "a key does not name the slice": Fault(
        "verify.kept:Keys._key", "used, content]", "used]",
        "verify/test_soundness:test_a_key_names_what_its_result_depends_on()",
    ),
    "results of other settings are taken": Fault(
        "verify.kept:Keys._key", "arguments, used, content", "arguments, content",
        "verify/test_soundness:test_a_key_names_what_its_result_depends_on()",
    ),
    "results of another tool are taken": Fault(
        "verify.kept:Keys._key", "*tool(), ", "",
        "verify/test_soundness:test_a_key_names_what_its_result_depends_on()",
    ),
    "what is unknown is kept": Fault(
        "verify.kept:HOLDS", "", "(*right, Verdict.UNKNOWN)",
        "verify/test_kept:test_only_what_holds_is_kept(verdict=Verdict.UNKNOWN)",
    ),
    "what is refuted is kept": Fault(
        "verify.kept:HOLDS", "", "(*right, Verdict.REFUTED)",
        "verify/test_kept:test_only_what_holds_is_kept(verdict=Verdict.REFUTED)",
    ),
    "whatever is kept was proved": Fault(
        "verify.kept:_legs", "Verdict(verdict)", "Verdict.PROVED",
        "verify/test_kept:test_only_what_holds_is_kept(verdict=Verdict.CLOSED)",
    ),
    "a slice lacks what is called": Fault(
        "verify.slices:called", "todo += _calls_of(game.functions[name])", "pass",
        "verify/test_soundness:test_a_slice_has_what_is_called_from_what_is_called()",
    ),
    "a number is as good as a text": Fault(
        "verify.slices:_Writer.write", 'parts.append(f"{str(value)!r} ")', 'parts.append(f"{value} ")',
        "verify/test_kept:test_equal_numbers_of_other_types_are_not_equal()",
    ),
    "where the cells of a game begin is not in a key": Fault(
        "verify.slices:TOLD", "", "right | {(Game, 'cells')}",
        "verify/test_soundness:test_what_is_only_told_by_name()",
    ),
    "a checksum is not compared": Fault(
        "verify.store:_value", "or checksum != sha256(rest).hexdigest().encode()", "",
        "verify/test_store:test_every_flipped_bit_is_noticed()",
    ),
    "an entry of any key is taken": Fault(
        "verify.store:_value", "value if found == json.dumps(key).encode() else None", "value",
        "verify/test_store:test_an_entry_of_another_key_is_not_taken()",
    ),
    "an entry is written in its place": Fault(
        "verify.store:_write", "os.unlink(fresh)\n        raise", "pass",
        "verify/test_store:test_a_full_disk()",
    ),
}  # fmt: skip

VERDICTS = {
    "what is unknown holds": Fault(
        "verify.findings:COMPLETE", "", "(*right, Verdict.UNKNOWN)",
        "verify/test_findings:test_exit_codes()",
    ),
    "what was sampled holds": Fault(
        "verify.findings:COMPLETE", "", "(*right, Verdict.SAMPLED)",
        "verify/test_findings:test_exit_codes()",
    ),
    "nothing at all holds": Fault(
        "verify.findings:exit_of", "Exit.HOLDS if verdicts and ", "Exit.HOLDS if ",
        "verify/test_soundness:test_nothing_at_all_is_not_shown()",
    ),
    "a run need not replay": Fault(
        "verify.findings:_refutes", "or not counterexample.confirmed", "",
        "verify/test_findings:test_refuted_needs_a_run_that_replays()",
    ),
    "a proof of no case is a proof": Fault(
        "verify.findings:_weigh", "leg.cases == 0", "False",
        "verify/test_soundness:test_a_proof_of_no_case_shows_nothing()",
    ),
    "a refutation is dropped beside a proof": Fault(
        "verify.findings:_combine", "if refuted and any(leg.verdict in COMPLETE for leg in legs):", "if False:",
        "verify/test_findings:test_contradiction_is_loud(complete=PROVED)",
    ),
    "an obligation vanishes": Fault(
        "verify.run:wanted", "found.append(Wanted(name, Kind.SECRET, (span,)))", "pass",
        "verify/test_soundness:test_every_property_is_an_obligation()",
    ),
    "one obligation of every game vanishes": Fault(
        "verify.run:wanted", "Wanted(NO_PEEKING, Kind.NO_PEEKING)", "Wanted(STUCK, Kind.NEVER_STUCK)",
        "verify/test_soundness:test_every_property_is_an_obligation()",
    ),
    "obligations without a leg are not told": Fault(
        "verify.run:verify_spec", "tuple(o for o in obligations if complete or o.legs)",
        "tuple(o for o in obligations if o.legs)",
        "verify/test_soundness:test_what_nobody_looked_at_is_told()",
    ),
    "what some plays do not refute is looked at no further": Fault(
        "verify.order:SETTLED", "", "(*right, Verdict.SAMPLED)",
        "verify/test_order:test_what_is_not_proved_is_closed_under_all_options()",
    ),
    "what holds on a small pack need not be proved": Fault(
        "verify.order:SETTLED", "", "(*right, Verdict.CLOSED)",
        "verify/test_order:test_what_is_proved_is_not_closed_further()",
    ),
    "where play does not begin all about it is proved": Fault(
        "verify.start:start_evidence", "Verdict.UNKNOWN", "Verdict.PROVED",
        "verify/test_start:test_play_that_does_not_begin(deal='for each s in (those t in Seat where who) "
        "{ ask s to turn { may pass { } } }', who='false', reason='`top` of an empty set')",
    ),
    "only the defaults are tried for a beginning": Fault(
        "verify.start:TRIED", "", "1",
        "verify/test_start:test_play_that_does_not_begin(deal='if who { dead never } ask seat 1 to turn "
        "{ may pass { } }', who='false', reason='`never`')",
    ),
    "with one promise the others are settled": Fault(
        "verify.order:needed", "if name not in settled", "if not settled",
        "verify/test_order:test_a_work_is_done_for_those_that_need_it()",
    ),
    "a seat is told what is shown to others": Fault(
        "verify.told:heard", "case Shown(cards, seen_by) if seen_by >> seat & 1:", "case Shown(cards, seen_by):",
        "verify/test_scenarios:test_what_seats_are_told(steps='draw 6♠; seat 1 : go; ' + WENT)",
    ),
    "a deck is not taken in its order": Fault(
        "verify.stacked:Walk._card", "for card in self.deck if", "for card in sorted(self.deck) if",
        "verify/test_reaching:test_two_rare_hands_in_one_window()",
    ),
    "steps of random plays are held against no claim": Fault(
        "verify.plays:look", "not concerns(check, before.node)", "True",
        "verify/test_steps_and_menus:test_evidence(pack='')",
    ),
    "a small pack is closed with the defaults alone": Fault(
        "verify.run:_works", "covering_options(subject.small(pack))", "covering_options(subject.small(pack))[:1]",
        "verify/test_soundness:test_every_obligation_has_works()",
    ),
    "an example that fails is no refutation": Fault(
        "verify.doing:_example", 'Leg("evaluation", Verdict.REFUTED, 1, 1, 0)',
        'Leg("evaluation", Verdict.ENUMERATED, 1, 1, 0)',
        "verify/test_soundness:test_an_example_that_fails_is_refuted()",
    ),
    "refutations are not kept apart by name": Fault(
        "verify.evidence:only_for", "in evidence.counterexamples if n in names", "in evidence.counterexamples if False",
        "verify/test_soundness:test_legs_and_counterexamples_stay_with_their_names()",
    ),
    "legs of another obligation are taken": Fault(
        "verify.evidence:legs_of", "if n == name", "if True",
        "verify/test_soundness:test_legs_and_counterexamples_stay_with_their_names()",
    ),
    "an option is never changed": Fault(
        "verify.subject:covering_options", "if v != option.default", "if False",
        "verify/test_run:test_options_are_covered()",
    ),
    "options that a constraint excludes are tried": Fault(
        "verify.option_sets:allows", "return False", "return True",
        "verify/test_option_sets:test_fixed_values()",
    ),
    "what a lost process had done is taken twice": Fault(
        "verify.workers:Workers._by_processes", "todo[finished:]", "todo",
        "verify/test_run:test_a_killed_worker_loses_nothing()",
    ),
    "after an interruption nothing is missing": Fault(
        "verify.run:_left", "if n not in found and left is not None]", "if n in found and left is not None]",
        "verify/test_run:test_an_interruption_loses_only_what_has_not_ended()",
    ),
    "a worker of another version is believed": Fault(
        "verify.cluster:do_there", "if parcel.sender != tool():", "if False:",
        "verify/test_cluster:test_another_tool_refuses()",
    ),
}  # fmt: skip

METHODS = {
    "a closure that was cut off is closed": Fault(
        "verify.closures:_leg", "if closure.complete else Verdict.SAMPLED", "if True else Verdict.SAMPLED",
        "verify/test_soundness:test_a_closure_that_is_cut_off_is_a_sample()",
    ),
    "a dead clause that is reached is no violation": Fault(
        "verify.closures:closure_evidence", " or closure.violations.get(dead_name(name))", "",
        "verify/test_soundness:test_a_dead_clause_that_is_reached_is_refuted()",
    ),
    "a violation is believed without its run": Fault(
        "verify.confirm:_Replays.violation", "if text is None:", "if False:",
        "verify/test_confirm:test_a_wrong_machine_is_refused()",
    ),
    "a witness is believed without its run": Fault(
        "verify.confirm:_Replays.witness", "if all(self._failure(c.holds, state) is not None for c in shown):",
        "if False:",
        "verify/test_confirm:test_a_false_witness_is_refused()",
    ),
    "a run that shows nothing is confirmed": Fault(
        "verify.demonstrate:counterexample", "if confirmed is None:", "if False:",
        "verify/test_demonstrate:test_counterexample_is_confirmed_by_replay()",
    ),
    "a case that fails nowhere is shown": Fault(
        "verify.demonstrate:fails", "return not interpreter.evaluate(state, lemma.statement, arguments)",
        "return True",
        "verify/test_demonstrate:test_a_true_case_is_not_shown()",
    ),
    "what has no value holds": Fault(
        "verify.examples:try_example", 'f"it has no value: {missing.message}"', "",
        "verify/test_examples:test_without_a_value()",
    ),
    "a card may be put in two places": Fault(
        "verify.given:_put", "if put.setdefault(card, slot) != slot:", "if False:",
        "verify/test_examples:test_what_cannot_be_given(given='hand[seat 1] = {6♠}, hand[seat 2] = {6♠}', "
        "message='6♠ is put in two places')",
    ),
    "a run that is not legal shows something": Fault(
        "verify.hunt:replayed", "if found is not None or play.stopped is not Stop.REACHED:", "if False:",
        "verify/test_demonstrate:test_planted_dead_clause_is_found_and_shrunk_to_the_least()",
    ),
    "what induction leaves open is proved": Fault(
        "verify.inductive:_Part.leg", "if self.failures:", "if False:",
        "verify/test_inductive:test_false_claims_stay_unknown_with_the_place()",
    ),
    "a claim about no step is proved": Fault(
        "verify.inductive:induction_evidence", "if not part.queries:", "if False:",
        "verify/test_inductive:test_a_claim_of_which_no_step_is_left_is_not_green()",
    ),
    "an option that shapes the choices has one value": Fault(
        "verify.inductive:shapes", "product(*(o.values for o in shaping))",
        "product(*(o.values[:1] for o in shaping))",
        "verify/test_soundness:test_an_option_in_a_bound_is_proved_for_each_value()",
    ),
    "a predicate is not compared with its matching": Fault(
        "verify.matchings:_predicate", "if predicate is not matched(relation, targets, replies):", "if False:",
        "verify/test_matchings:test_predicate_that_is_no_matching_is_a_mismatch()",
    ),
    "all pairs are swept in one setting": Fault(
        "verify.matchings:compare", "tuple(filter(keep, settings))", "tuple(filter(keep, settings))[:1]",
        "verify/test_matchings:test_counts_are_those_of_the_interpreter(restricted=False)",
    ),
    "no peeking of a pack that was cut off is closed": Fault(
        "verify.peeking:_closed", "if not found.complete or any(s.holds is None for s in found.seats):",
        "if False:",
        "verify/test_peeking:test_a_closure_that_is_cut_off_shows_nothing()",
    ),
    "a leak is believed without two runs": Fault(
        "verify.peeking:confirmed", "if text is None:", "if False:",
        "verify/test_peeking:test_a_pair_that_the_interpreter_does_not_see_is_a_disagreement()",
    ),
    "runs that tell different things are compared": Fault(
        "verify.peeking_runs:compared",
        "if last is not None and _differently_told(interpreter, seat, *last):\n            return None",
        "if False:\n            return None",
        "verify/test_peeking:test_runs_that_do_not_tell_the_same_show_nothing()",
    ),
    "what is worth something is not compared": Fault(
        "verify.peeking_runs:difference",
        "(*_views(interpreter, *views), *_menus(interpreter, seat, a, b), *_worth(interpreter, a, b))", "()",
        "verify/test_peeking:test_what_differs_is_told_by_the_interpreter()",
    ),
    "what is shown is not listed": Fault(
        "verify.peeking_tells:_kind", "case Show()", "case None",
        "verify/test_peeking:test_what_the_shokha_game_tells()",
    ),
    "plays are looked at in their first state": Fault(
        "verify.plays:look", "for length, position in enumerate(positions):",
        "for length, position in enumerate(positions[:1]):",
        "verify/test_steps_and_menus:test_evidence(pack='')",
    ),
    "a witness that was not met is proved": Fault(
        "verify.plays:_witnessed", 'Leg("random plays", Verdict.UNKNOWN,', 'Leg("random plays", Verdict.PROVED,',
        "verify/test_soundness:test_a_witness_that_no_play_meets_is_unknown()",
    ),
    "a state is imagined that no invariant allows": Fault(
        "symbolic.imagine:imagine", "for s in (statement, *statements)", "for s in (statement,)",
        "verify/test_reaching:test_what_cannot_be_is_not_imagined()",
    ),
    "a run with the solver's cards is believed": Fault(
        "verify.reaching:_holds", "bool(interpreter.evaluate(state, claim.statement))", "True",
        "verify/test_reaching:test_two_rare_hands_in_one_window()",
    ),
    "a card that lies nowhere is no matter": Fault(
        "verify.probes:_lost", "if wrong else None", "if False else None",
        "verify/test_defects:test_a_card_dealt_twice_is_lost_elsewhere()",
    ),
    "a scenario goes on though its choice is refused": Fault(
        "verify.scenarios:_Replay.refuse", "if self.interpreter.is_legal(self.state, choice):", "if False:",
        "verify/test_soundness:test_what_is_legal_is_not_refused()",
    ),
    "what a scenario expects is not evaluated": Fault(
        "verify.scenarios:_Replay.expect", "if not self.interpreter.evaluate(self.state, step.statement):",
        "if False:",
        "verify/test_scenarios:test_that_do_not(steps=DECK + '; expect |hand[seat 1]| == 2', line=5, "
        "message='`|hand[seat 1]| == 2` does not hold: `|hand[seat 1]|` is 1')",
    ),
    "a run to a witness is believed": Fault(
        "verify.search:_confirmed", "if not shown:", "if False:",
        "verify/test_soundness:test_a_run_to_a_witness_is_replayed()",
    ),
    "a call is shown that the game does not make": Fault(
        "verify.stacking:tripwire", "",
        "lambda game, call: __import__('tests.verify.faults', fromlist=['x']).deals_again()",
        "verify/test_demonstrate:test_tripwire_changes_nothing_but_the_call()",
    ),
    "a lemma that says nothing is proved": Fault(
        "verify.values:_says_nothing", "0 in (enumerated.cases, enumerated.premises)", "False",
        "verify/test_soundness:test_a_lemma_that_says_nothing_is_unknown()",
    ),
    "a lemma that the solver gives up is proved": Fault(
        "verify.values:_solved",
        'return Leg("smt", Verdict.UNKNOWN, detail=f"{reason} at sizes {sizes}" if sizes else reason)',
        'return Leg("smt", Verdict.PROVED)',
        "verify/test_soundness:test_a_lemma_that_the_solver_gives_up_is_unknown()",
    ),
    "a case that fails is enumerated": Fault(
        "verify.values:_enumerated", "Verdict.REFUTED if failed else Verdict.ENUMERATED", "Verdict.ENUMERATED",
        "verify/test_soundness:test_a_lemma_that_says_nothing_is_unknown()",
    ),
    "secrets are not looked at (reference)": Fault(
        "verify.wiring:_secret", "return lambda state: all(", "return lambda state: True or all(",
        "verify/test_wiring:test_planted_faults_are_found(game=faults.open_hands, name='hands', steps=2, "
        "reference=True)",
    ),
    "a measure may stay as it is (reference)": Fault(
        "verify.wiring:_measure", "of(after) < of(before)", "of(after) <= of(before)",
        "verify/test_wiring:test_planted_faults_are_found(game=faults.idle_measure, name='progress', steps=1, "
        "reference=True)",
    ),
}  # fmt: skip

ENGINES = {
    "an engine is equal though nothing was compared": Fault(
        "verify.engine_check:Report.equal", " and check.cases > check.undefined", "",
        "verify/test_engine_check:test_nothing_compared_is_not_equal()",
    ),
    "a function is not compared": Fault(
        "verify.engine_check:_difference", '"" if int(found) == engine_number(expected) else', '"" if True else',
        "verify/test_soundness:test_functions_of_an_engine_are_compared_by_themselves()",
    ),
    "who sees a zone is not said": Fault(
        "verify.engine_json:Expected.seen_zones", "{} if isinstance(cards, Unseen) else", "{} if True else",
        "verify/test_engine_check:test_the_exported_engine_is_the_game()",
    ),
    "views are not compared": Fault(
        "verify.engine_lockstep:Lockstep.compare", "for seat in range(self.game.seats):", "for seat in ():",
        "verify/test_engine_check:test_a_planted_fault_is_found(fault='a hand shown in views')",
    ),
    "keys that nobody expects are not seen": Fault(
        "verify.engine_lockstep:Lockstep._view", "for key in {**expected, **found}:", "for key in expected:",
        "verify/test_defects_of_secrets:test_an_engine_that_shows_the_order_or_a_hidden_face_is_refused(name='the "
        "coming order')",
    ),
    "no rule is changed": Fault(
        "verify.mutants:rules", "todo += sorted(new)", "pass",
        "verify/test_mutate:test_only_rules_are_changed()",
    ),
}  # fmt: skip

FAULTS = {**STORE, **VERDICTS, **METHODS, **ENGINES}
