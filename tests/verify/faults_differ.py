"""Faults planted in what compares two games, and in what writes claims of its own: what is changed, and the test that
sees it."""

from tests.verify.planting import Fault

PROOF = {
    "what the solver gives up is the same": Fault(
        "symbolic.bisimulation:_Proof._answer", 'return NotShown(name, f"{goals[0].text}: {reason}", goals[0].span)',
        "return None",
        "symbolic/test_bisimulation:test_a_used_up_budget_proves_nothing()",
    ),
    "whose turn it is is not asked": Fault(
        "symbolic.bisimulation:_Proof._at", "if isinstance(here, Ask) and isinstance(there, Ask):", "if False:",
        "symbolic/test_bisimulation:test_no_difference_is_proved_away(name='whose turn it is')",
    ),
    "an answer may be open on one side alone": Fault(
        "symbolic.bisimulation:_Proof._at", "here.secret != there.secret", "False",
        "symbolic/test_bisimulation:test_no_difference_is_proved_away(name='an open answer')",
    ),
    "what a match comes to is not asked": Fault(
        "symbolic.bisimulation:_Proof._results", "if isinstance(self.game.nodes[node], End):", "if False:",
        "symbolic/test_bisimulation:test_no_difference_is_proved_away(name='the result alone')",
    ),
    "B may allow more": Fault(
        "symbolic.bisimulation:_Proof._edge", "t.eq(legal[0], legal[1])", "t.implies(legal[0], legal[1])",
        "symbolic/test_bisimulation:test_no_difference_is_proved_away(name='a stricter menu')",
    ),
    "what is written alike is the same though what it reads is not": Fault(
        "symbolic.bisimulation:_Proof._edge",
        "if self.forms.same_edge(node, verbs) and not self.places.forgotten(node):",
        "if self.forms.same_edge(node, verbs):",
        "symbolic/test_bisimulation:test_a_hidden_difference_that_comes_out_later()",
    ),
    "a cell that B alone shows is no matter": Fault(
        "symbolic.bisimulation:_seen_on_one_side", "not for_nobody(cell.seen)", "False",
        "symbolic/test_bisimulation:test_a_cell_that_one_side_alone_shows()",
    ),
    "rules may fail on one side": Fault(
        "symbolic.bisimulation_edges:edge_goals", "t.eq(defined[0], defined[1])", "TRUE",
        "symbolic/test_bisimulation:test_no_difference_is_proved_away(name='rules that fail')",
    ),
    "what is announced is not compared": Fault(
        "symbolic.bisimulation_edges:_Notices._addressed", "(*to, *value)", "tuple(to)",
        "symbolic/test_bisimulation:test_no_difference_is_proved_away(name=\"an announcement's value\")",
    ),
    "to whom it is announced is not compared": Fault(
        "symbolic.bisimulation_edges:_Notices._addressed", "(*to, *value)", "value",
        "symbolic/test_bisimulation:test_no_difference_is_proved_away(name='who hears an announcement')",
    ),
    "things are told in any order": Fault(
        "symbolic.bisimulation_edges:_told", "if m < j and not (mine[i].moves or mine[k].moves):", "if False:",
        "symbolic/test_bisimulation:test_what_is_told_more_or_in_another_order(told='announce 2 as b to all   "
        "announce 1 as a to all')",
    ),
    "B may tell more": Fault(
        "symbolic.bisimulation_edges:_told", "for j in free]", "for j in ()]",
        "symbolic/test_bisimulation:test_what_is_told_more_or_in_another_order(told='announce 1 as a to all   "
        "announce 2 as b to all   announce 3 as more to all')",
    ),
    "cells need not be equal at the end of a step": Fault(
        "symbolic.bisimulation_edges:_states", "if relation.kept_at(cell.name, first.node):", "if False:",
        "symbolic/test_bisimulation:test_no_difference_is_proved_away(name='the score')",
    ),
    "any two conditions are written alike": Fault(
        "symbolic.bisimulation_forms:Forms.same_edge",
        "if (mine.parameters, mine.guard) != (theirs.parameters, theirs.guard):", "if False:",
        "symbolic/test_bisimulation:test_no_difference_is_proved_away(name='a stricter menu')",
    ),
    "any two effects are written alike": Fault(
        "symbolic.bisimulation_forms:Forms.block", "(here.effects, end)", "(len(here.effects), end)",
        "symbolic/test_bisimulation:test_no_difference_is_proved_away(name='the score')",
    ),
    "any two results are written alike": Fault(
        "symbolic.bisimulation_forms:Forms.same_state", "self.game.outcome != self.joined.outcome", "False",
        "symbolic/test_bisimulation:test_no_difference_is_proved_away(name='the result alone')",
    ),
    "who sees a zone is not read": Fault(
        "symbolic.bisimulation_forms:Forms.__init__", "z.seen == joined.zones[z.name]", "True",
        "symbolic/test_bisimulation:test_no_difference_is_proved_away(name='who sees a zone')",
    ),
    "nothing is forgotten": Fault(
        "symbolic.bisimulation_places:Places.forgotten", "not self.kept_at(c.name, node)", "False",
        "symbolic/test_bisimulation:test_a_hidden_difference_that_comes_out_later()",
    ),
    "who sees a cell is not asked": Fault(
        "symbolic.bisimulation_places:Places.viewers", "if both[0] != both[1]:", "if False:",
        "symbolic/test_bisimulation:test_no_difference_is_proved_away(name='who sees a cell')",
    ),
    "an option has one value on both sides": Fault(
        "symbolic.side_by_side:_option_names",
        "if same and fixed[0].get(name, FREE) == fixed[1].get(name, FREE):", "if same:",
        "symbolic/test_bisimulation:test_options_may_be_settled()",
    ),
    "a function is the same though its option is not": Fault(
        "symbolic.side_by_side:_function_names", "None if marked(function) else alike(function)", "alike(function)",
        "symbolic/test_bisimulation:test_options_may_be_settled()",
    ),
    "functions of one name are the same": Fault(
        "symbolic.side_by_side:_function_names", "function if own == number else known.get(number)", "function",
        "symbolic/test_bisimulation:test_the_common_game()",
    ),
    "matches end as in A": Fault(
        "symbolic.side_by_side:join", "theirs.expr(b.outcome)", "mine.expr(a.outcome)",
        "symbolic/test_bisimulation:test_no_difference_is_proved_away(name='the result alone')",
    ),
    "what was not shown is proved": Fault(
        "verify.differ.proof:Proof.proved", "self.failure is None", "True",
        "verify/test_differ:test_a_zone_that_stays_empty()",
    ),
    "what was written over still is a copy": Fault(
        "verify.differ.copies:_without", "not written & set(pair)", "True",
        "verify/test_differ_copies:test_what_is_written_on_the_way_is_no_copy_any_more()",
    ),
    "an option may have another default": Fault(
        "verify.differ.proof:unlike_options",
        "common(option.default, option.type) != common(other.default, other.type)", "False",
        "verify/test_differ_parts:test_games_with_other_options_are_not_equal(exchanged=('option bonus : 0..2 = 1', "
        "'option bonus : 0..2 = 2'))",
    ),
    "an option may have other values": Fault(
        "verify.differ.proof:unlike_options", "option not in free_options(a.game, b.game, (a.fixed, b.fixed))", "False",
        "verify/test_differ_parts:test_games_with_other_options_are_not_equal(exchanged=('option bonus : 0..2 = 1', "
        "'option bonus : 0..3 = 1'))",
    ),
    "constraints may allow other options": Fault(
        "verify.differ.proof:unlike_options", "if allows(a.game, own[0] | mine) is not", "if False and True is not",
        "verify/test_differ_parts:test_games_with_other_options_are_not_equal(exchanged=('  type Guess', "
        "'  constraint bonus < 2\\n  type Guess'))",
    ),
}  # fmt: skip

PLAYS = {
    "a deck deals past the draw at which the games part": Fault(
        "verify.differ.partings:_scenario", "waits and bool(runs[0] or expect)", "False",
        "verify/test_differ_parts:test_a_difference_where_a_card_is_drawn(more='')",
    ),
    "deals are left out one by one alone": Fault(
        "verify.differ.shorter:fewer_deals", "_joined(deals[first:])", "run",
        "verify/test_differ_parts:test_deals_that_go_only_together()",
    ),
    "a deal between two others stays": Fault(
        "verify.differ.shorter:fewer_deals", "while number < len(deals) - 1:", "while False:",
        "verify/test_differ_parts:test_deals_that_are_needed_stay()",
    ),
    "the options as they stand are not tried": Fault(
        "verify.differ.shorter:shorter", "own is not None and own.name != setting.name", "False",
        "verify/test_differ_parts:test_whole_deals_are_left_out()",
    ),
    "other options are said to be those as they stand": Fault(
        "verify.differ.shorter:shorter", "(setting, found) if there is None else (own, there)", "own, found",
        "verify/test_differ_parts:test_deals_that_are_needed_stay()",
    ),
    "games that part in a play are not different": Fault(
        "verify.differ.compare:Comparison.different", " or bool(self.partings)", "",
        "verify/test_differ:test_each_kind_of_difference_is_found(name='the score')",
    ),
    "a proof that fails is a proof": Fault(
        "verify.differ.compare:Comparison.equal", " and self.proof.proved", "",
        "verify/test_differ:test_a_zone_that_stays_empty()",
    ),
    "what one side alone shows is not told": Fault(
        "verify.differ.compare:compare_plays", "result.declared = shown_by_one(a.game, b.game)", "pass",
        "verify/test_differ:test_a_cell_to_be_seen_on_one_side()",
    ),
    "what is found on the full pack is left out": Fault(
        "verify.differ.compare:compare_plays", "for full in (True, False)", "for full in (False,)",
        "verify/test_differ:test_each_kind_of_difference_is_found(name='the score')",
    ),
    "what A tells is compared with itself": Fault(
        "verify.differ.lockstep:Lockstep.step", "other, also_told), told", "other, told), told",
        "verify/test_differ:test_tables_notice_what_the_interpreter_notices(name='who hears an announcement')",
    ),
    "where B alone fails, both fail": Fault(
        "verify.differ.lockstep:both", "raise OneFails((GOES_ON, str(fault))) from fault", "raise",
        "verify/test_differ:test_tables_notice_what_the_interpreter_notices(name='rules that fail')",
    ),
    "a turn is anybody's": Fault(
        "verify.differ.noticed:_of_state", "if owners[0] != owners[1]:", "if False:",
        "verify/test_differ:test_tables_notice_what_the_interpreter_notices(name='whose turn it is')",
    ),
    "what is told is told to the first seat": Fault(
        "verify.differ.noticed:told_differently", "for seat in range(lock.game.seats):", "for seat in (0,):",
        "verify/test_differ:test_tables_notice_what_the_interpreter_notices(name='who hears an announcement')",
    ),
    "a scenario says what holds on the other side": Fault(
        "verify.differ.partings:_scenario", "found.expect[side]", "found.expect[1 - side]",
        "verify/test_differ:test_scenarios_hold_on_their_side_alone(name='the score')",
    ),
    "a run of the fast machine is believed": Fault(
        "verify.differ.partings:menu_difference", "found is None or found.kind is not Kind.MENU", "False",
        "verify/test_differ_parts:test_what_the_interpreter_does_not_see_is_no_difference()",
    ),
    "nobody looks": Fault(
        "verify.differ.search:Lane.alike", "seen[0] == seen[1]", "True",
        "verify/test_differ:test_tables_notice_what_the_interpreter_notices(name='the score')",
    ),
    "nobody listens": Fault(
        "verify.differ.search:Lane.step", "return (x, y), same", "return (x, y), True",
        "verify/test_differ:test_tables_notice_what_the_interpreter_notices(name='who is shown cards')",
    ),
    "laxer is stricter": Fault(
        "verify.differ.search:Lane.menus", '("laxer" if', '("stricter" if',
        "verify/test_differ:test_menus_are_counted()",
    ),
    "a search that was cut off is complete": Fault(
        "verify.differ.search:_Whole.add", "self.found.complete = False", "pass",
        "verify/test_differ_parts:test_a_search_that_is_cut_off_is_not_complete()",
    ),
    "options are left as they stand": Fault(
        "verify.differ.sides:settings", "for option in free_options(a, b, fixed):", "for option in ():",
        "verify/test_differ:test_a_difference_under_an_option_alone()",
    ),
    "any number of seats will do": Fault(
        "verify.differ.sides:apart_before_play", "if a.seats != b.seats:", "if False:",
        "verify/test_differ:test_other_decks_and_seats()",
    ),
    "what one side shows is for nobody": Fault(
        "verify.differ.sides:shown_by_one", "and not for_nobody(c.seen)", "and for_nobody(c.seen)",
        "verify/test_differ:test_a_cell_to_be_seen_on_one_side()",
    ),
    "what lies in a zone is not in the tables": Fault(
        "verify.differ.tables:Table._zone_code", "{pair.text} if", "{EMPTY_ZONE.text} if",
        "verify/test_differ:test_tables_notice_what_the_interpreter_notices(name='who sees a zone')",
    ),
    "how an answer is given is not in the tables": Fault(
        "verify.differ.tables:Table.noticed", "isinstance(node, Ask) and node.secret", "False",
        "verify/test_differ:test_tables_notice_what_the_interpreter_notices(name='an open answer')",
    ),
    "all announcements are one in the tables": Fault(
        "verify.differ.tables:Table._event", "[(what, label, seats, told, 0)]", "[(what, label, seats, 0, 0)]",
        "verify/test_differ:test_tables_notice_what_the_interpreter_notices(name=\"an announcement's value\")",
    ),
}  # fmt: skip

FUNCTIONS = {
    "what is set otherwise is not compared": Fault(
        "verify.differ.functions:settled_apart", "found.add(name)", "pass",
        "verify/test_differ_functions:test_options_that_are_settled_otherwise()",
    ),
    "every option that is set makes a difference": Fault(
        "verify.differ.functions:settled_apart", "values_[0] != values_[1]", "True",
        "verify/test_differ_functions:test_options_that_are_settled_otherwise()",
    ),
    "groups are the whole domain": Fault(
        "verify.differ.functions:FunctionAnswer.equal", "self.whole and ", "",
        "verify/test_differ_functions:test_groups_are_never_the_whole_domain()",
    ),
    "groups of some sizes are all arguments": Fault(
        "verify.differ.groups:_solved", "whole=not limited", "whole=True",
        "verify/test_differ_functions:test_what_is_too_large_is_put_to_the_solver()",
    ),
    "the solver's answer counts whatever it is": Fault(
        "verify.differ.groups:_solved", "case Proved():", "case Proved() | Failed():",
        "verify/test_differ_functions:test_the_solver_may_decide_the_whole_domain()",
    ),
    "one difference is all there are": Fault(
        "verify.differ.functions:counted", "differing += 1", "differing = 1",
        "verify/test_differ_functions:test_a_changed_predicate_and_what_calls_it()",
    ),
    "an option has its default alone": Fault(
        "verify.differ.functions:_options", "(o.default, *(v for v in o.values if v != o.default))", "(o.default,)",
        "verify/test_differ_functions:test_an_option_is_part_of_the_situation()",
    ),
    "the order of cards is no matter": Fault(
        "verify.differ.functions:_order", "cards, *rest", "-cards, *(-n for n in rest)",
        "verify/test_differ_functions:test_a_changed_predicate_and_what_calls_it()",
    ),
    "the largest groups are not counted": Fault(
        "verify.differ.groups:_matched", "range(1, largest + 1)", "range(1, largest)",
        "verify/test_differ_functions:test_pairs_of_groups_against_enumeration()",
    ),
    "functions that the solver gives up are equal": Fault(
        "verify.differ.groups:_solved", "case _:\n            return FunctionAnswer(name, Verdict.OPEN,",
        "case _:\n            return FunctionAnswer(name, Verdict.EQUAL,",
        "verify/test_differ_functions:test_a_solver_that_gives_up_decides_nothing()",
    ),
    "replies of one kind are one": Fault(
        "verify.differ.pairings:_differing", "found += ways", "found += 1",
        "verify/test_differ_functions:test_counting_is_plain_enumeration(seed=0)",
    ),
    "targets of one signature are one": Fault(
        "verify.differ.pairings:differing_pairs", "signatures[signature] += 1", "signatures[signature] = 1",
        "verify/test_differ_functions:test_counting_is_plain_enumeration(seed=0)",
    ),
    "targets that differ are skipped": Fault(
        "verify.differ.pairings:smallest_pair", "if unlike.isdisjoint(targets):", "if not unlike.isdisjoint(targets):",
        "verify/test_differ_functions:test_counting_is_plain_enumeration(seed=0)",
    ),
}  # fmt: skip

CLAUSES = {
    "what removes a difference does not": Fault(
        "verify.differ.changes:responsible", "None if removes is None else not removes", "removes",
        "verify/test_differ:test_the_responsible_clause()",
    ),
    "the smallest part is the whole clause": Fault(
        "verify.differ.changes:smallest", "best = x, y\n    return best", "pass\n    return best",
        "verify/test_differ:test_the_responsible_clause()",
    ),
}  # fmt: skip

TEXTS = {
    "brackets are left out": Fault(
        "verify.formulas:_Writer.text", 'f"({text})" if level < around else text', "text",
        "verify/test_formulas:test_brackets_stand_where_they_are_needed()",
    ),
    "seats are counted from zero": Fault(
        "verify.formulas:_Writer.written", "literal(self.game, value, type_), _OPERAND", "str(value), _OPERAND",
        "verify/test_formulas:test_seats_and_cells_of_loops_have_the_names_given()",
    ),
    "variables of others are in sight": Fault(
        "verify.variables:Variables.at", "if path == around}", "if True}",
        "verify/test_variables:test_loops_lets_and_parameters()",
    ),
    "what is handed on has no name": Fault(
        "verify.variables:Variables.at", "if word not in named and", "if False and",
        "verify/test_variables:test_loops_lets_and_parameters()",
    ),
}  # fmt: skip

FAULTS = {**PROOF, **PLAYS, **FUNCTIONS, **CLAUSES, **TEXTS}
