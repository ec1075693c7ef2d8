"""Faults planted in what writes games as formulas, and in what asks the solver: what is changed, and the test
that sees it."""

from tests.verify.planting import Fault

ENCODER = {
    "common cards of a union count twice": Fault(
        "symbolic.counting:CountingEvaluator._union", "t.sub(t.add(x, y), z)", "t.add(x, y)",
        "symbolic/test_counting:test_sizes_of_unions_and_differences()",
    ),
    "parts of one zone are disjoint": Fault(
        "symbolic.counting:CountingEvaluator._disjoint", "not a.home[1] & b.home[1]", "True",
        "symbolic/test_soundness:test_parts_of_one_zone_may_share_cards()",
    ),
    "a part is smaller than the whole": Fault(
        "symbolic.counting:CountingEvaluator.subset", "t.le(p, w)", "t.lt(p, w)",
        "symbolic/test_soundness:test_a_part_may_be_the_whole()",
    ),
    "one branch is taken either way": Fault(
        "symbolic.edge:Stepper._block", "(otherwise, t.not_(truth))", "(otherwise, truth)",
        "symbolic/test_edge:test_every_edge_of_sampled_plays_equals_the_reference(ruffing=True)",
    ),
    "what is not live keeps its value": Fault(
        "symbolic.edge:Stepper.reset", "self.evaluator.constant(c.initial, c.type)", "cells[c.base + n]",
        "symbolic/test_edge:test_every_edge_of_sampled_plays_equals_the_reference(ruffing=True)",
    ),
    "a guard is not asked": Fault(
        "symbolic.edge:Stepper.legality", "t.and_(legal, self.evaluator.truth(verb.guard, scope))", "legal",
        "symbolic/test_edge:test_the_symbolic_guard_is_the_menu()",
    ),
    "a group may be larger than its bound": Fault(
        "symbolic.edge:Stepper.fits", ", t.le(size, hi))", ")",
        "symbolic/test_edge:test_the_symbolic_guard_is_the_menu()",
    ),
    "cards may be moved that are not there": Fault(
        "symbolic.edge:Stepper._effect",
        'self.evaluator.require(scope, inside, "cards are moved that are not there", span)', "pass",
        "symbolic/test_faces:test_moves_of_cards_that_are_there_are_well_defined()",
    ),
    "one may draw from nothing": Fault(
        "symbolic.edge:Stepper._draw", "t.le(t.integer(1), self.evaluator.size(drawn_from))", "TRUE",
        "symbolic/test_edge:test_a_step_that_is_not_well_defined_is_seen()",
    ),
    "a cell can hold what is too great for it": Fault(
        "symbolic.edge:in_type", "t.and_(t.le(t.integer(lo), value), t.le(value, t.integer(hi)))", "TRUE",
        "symbolic/test_soundness:test_a_cell_that_cannot_hold_its_value_is_found()",
    ),
    "`first ... after` begins with the seat itself": Fault(
        "symbolic.evaluate:Evaluator._first", "(s + step + expr.after)", "(s + step)",
        "symbolic/test_edge:test_every_edge_of_sampled_plays_equals_the_reference(ruffing=True)",
    ),
    "a function has one value for all states": Fault(
        "symbolic.evaluate:Evaluator._call", "id(state), ", "",
        "symbolic/test_soundness:test_a_function_is_evaluated_anew_in_another_state()",
    ),
    "what must have a value need not": Fault(
        "symbolic.evaluate:Evaluator.require", "holds is not TRUE", "False",
        "symbolic/test_lemmas:test_a_statement_without_a_value_is_a_failure()",
    ),
    "`old` is the state after the step": Fault(
        "symbolic.evaluate:Evaluator.value", "self.value(inner, scope.earlier())", "self.value(inner, scope)",
        "symbolic/test_steps:test_old_reads_the_first_state_in_every_abstraction(evaluator=Evaluator)",
    ),
    "a card may lie in two places": Fault(
        "symbolic.exact:ExactModel._zone", "t.eq(places[c], here)", "t.variable(f'{slot} {c}', t.BOOL)",
        "symbolic/test_edge:test_every_edge_of_sampled_plays_equals_the_reference(ruffing=True)",
    ),
    "options may have any value": Fault(
        "symbolic.exact:unknown_options", "constraints.extend([*valid, allowed])", "constraints.extend(valid)",
        "symbolic/test_soundness:test_options_have_their_values_only()",
    ),
    "a set is empty though it has cards": Fault(
        "symbolic.faces_sets:FaceEvaluator._linked", "t.not_(t.or_(*mask.bits))", "t.or_(*mask.bits)",
        "symbolic/test_faces_sets:test_every_fact_is_true_of_real_steps_of_the_toy()",
    ),
    "one matching for all cards": Fault(
        "symbolic.faces_sets:FaceEvaluator._application", "if equal is TRUE:", "if True:",
        "symbolic/test_steps:test_a_matching_depends_on_both_states_that_it_reads()",
    ),
    "a card lies in the next zone": Fault(
        "symbolic.faces_system:FaceSystem._zones", "here = t.vector(slot, width)",
        "here = t.vector((slot + 1) % slots, width)",
        "symbolic/test_faces_sets:test_every_fact_is_true_of_real_steps_of_the_toy()",
    ),
    "a lemma says something of sets outside of it": Fault(
        "symbolic.faces_system:_instance", "t.implies(t.and_(fits, defined), holds)", "holds",
        "symbolic/test_soundness:test_a_lemma_says_nothing_of_groups_outside_of_its_domain()",
    ),
    "a reply may be given to two targets": Fault(
        "symbolic.matching:assignments", "used | {j}", "used",
        "symbolic/test_matching:test_pairing_equals_halls_condition(rows=2, columns=3)",
    ),
    "too few is enough": Fault(
        "symbolic.matching:at_least", "range(k, 0, -1)", "range(1, k + 1)",
        "symbolic/test_matching:test_at_least_counts()",
    ),
    "elements beyond the limit are forgotten": Fault(
        "symbolic.matching:as_slots", "t.not_(overflow)", "TRUE",
        "symbolic/test_matching:test_a_mask_as_slots()",
    ),
    "a sum has a value though its body has none": Fault(
        "symbolic.measures:_weights", "if defined and len(known)", "if len(known)",
        "symbolic/test_soundness:test_only_sums_of_weights_are_measures()",
    ),
    "no card is named": Fault(
        "symbolic.measures:named_cards", "sorted(found) if len(found) <= FEW else []", "[]",
        "symbolic/test_counting:test_a_card_that_the_rules_name_is_counted_exactly()",
    ),
    "`mod` by zero has a value": Fault(
        "symbolic.operators:SYMBOLIC", "", "{**right, 'mod': lambda o: (right['mod'](o)[0], t.TRUE)}",
        "symbolic/test_operators:test_meaning_equals_the_concrete_one(op='mod', slots=False)",
    ),
    "a set written as slots is a mask of them all": Fault(
        "symbolic.values:SymSet.bits", "t.and_(p, t.eq(e, self.codec.element(self.type, i)))",
        "t.eq(e, self.codec.element(self.type, i))",
        "symbolic/test_operators:test_meaning_equals_the_concrete_one(op='within', slots=True)",
    ),
    "two optionals without a value differ": Fault(
        "symbolic.values:equal", "t.or_(both, t.and_(t.not_(a.some), t.not_(b.some)))", "both",
        "symbolic/test_operators:test_meaning_equals_the_concrete_one(op='==', slots=False)",
    ),
    "any bits are a card": Fault(
        "symbolic.values:Codec.valid",
        "t.and_(_below(suit, len(self.deck.suits)), _below(rank, len(self.deck.ranks)))", "TRUE",
        "symbolic/test_soundness:test_a_cell_holds_a_value_of_its_type()",
    ),
    "the zones need not have all cards": Fault(
        "symbolic.system:conserved", "t.eq(t.add(*parts), t.integer(total))", "t.TRUE",
        "symbolic/test_soundness:test_cards_that_stay_where_they_were_are_not_conserved()",
    ),
    "the last verb of a question is forgotten": Fault(
        "symbolic.system:CountingSystem.transitions", "range(len(node.verbs))", "range(len(node.verbs) - 1)",
        "symbolic/test_induction:test_what_is_left_is_inductive()",
    ),
    "a chosen group is never all there is": Fault(
        "symbolic.unknowns:Unknowns.unknown_part", "t.le(p, w)", "t.lt(p, w)",
        "symbolic/test_soundness:test_a_part_may_be_the_whole()",
    ),
    "a fork writes into what it comes from": Fault(
        "symbolic.unknowns:Unknowns.fork", "dict(self.facts)", "self.facts",
        "symbolic/test_steps:test_a_fork_keeps_its_facts_to_itself()",
    ),
    "what reads a cell is closed": Fault(
        "symbolic.walk:closed", "case CellRead() | ZoneRead() | OptionRead():\n            return False",
        "case CellRead() | ZoneRead() | OptionRead():\n            return True",
        "symbolic/test_soundness:test_only_sums_of_weights_are_measures()",
    ),
}  # fmt: skip

SOLVER = {
    "a budget is not a part of the key": Fault(
        "symbolic.query_store:key_of", "rlimit {budget}\\n", "",
        "symbolic/test_query_store:test_what_a_key_depends_on()",
    ),
    "queries of one shape have one key": Fault(
        "symbolic.query_store:_Digests.of", "{term.payload!r}", "",
        "symbolic/test_query_store:test_what_a_key_depends_on()",
    ),
    "the solver's version is not a part of the key": Fault(
        "symbolic.query_store:key_of", "{KIND}\\n{solver_version()}\\n", "{KIND}\\n",
        "symbolic/test_query_store:test_another_version_finds_nothing()",
    ),
    "whatever is unknown is kept": Fault(
        "symbolic.query_store:keep", "answer.rlimit < budget", "False",
        "symbolic/test_query_store:test_a_used_up_budget_is_kept_and_nothing_else_unknown()",
    ),
    "a query that is kept may be another one": Fault(
        "symbolic.query_store:kept", "found if key_of(found.assertions, found.budget) == key else None", "found",
        "symbolic/test_query_store:test_a_query_under_a_wrong_key_is_none()",
    ),
    "a kept answer is always no": Fault(
        "symbolic.query_store:_answer", "return Model(values, used)", "return Unsatisfiable(used)",
        "symbolic/test_query_store:test_an_answer_is_found_again(query=TRUE_QUERY, kind=Model)",
    ),
    "a term is smaller than itself": Fault(
        "symbolic.terms:ult", "return FALSE", "return TRUE",
        "symbolic/test_soundness:test_every_small_fold_keeps_the_meaning(op_='ult')",
    ),
    "`not` is lost in an `ite`": Fault(
        "symbolic.terms:_choose", "and_(not_(condition), b)", "and_(condition, b)",
        "symbolic/test_soundness:test_every_small_fold_keeps_the_meaning(op_='ite')",
    ),
    "an unknown answer is a proof": Fault(
        "symbolic.z3_api:_answer", "return Unknown(str(solver.reason_unknown()), used)", "return Unsatisfiable(used)",
        "symbolic/test_terms:test_answers()",
    ),
    "what is to stop goes on": Fault(
        "symbolic.stopping:Stop.heed", "if self.asked:", "if False:",
        "symbolic/test_stopping:test_nothing_is_answered_any_more()",
    ),
    "a query that was given up has an answer": Fault(
        "symbolic.z3_api:ask", "STOP.heed()  # what the solver says then is no answer", "",
        "symbolic/test_stopping:test_a_query_is_given_up()",
    ),
    "the last assertion is forgotten": Fault(
        "symbolic.z3_api:_solver", "translate(assertions, context)", "translate(assertions[:-1], context)",
        "symbolic/test_terms:test_answers()",
    ),
    "division by zero is open": Fault(
        "symbolic.z3_api:_Builder._guarded", "return z3.Z3_mk_ite(self.context, none, zero, quotient)",
        "return quotient",
        "symbolic/test_operators:test_the_solver_agrees_with_the_terms()",
    ),
}  # fmt: skip

FAULTS = {**ENCODER, **SOLVER}
