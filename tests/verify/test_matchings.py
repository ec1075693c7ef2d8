"""A compiled matching is compared with the reference on all groups; every kind of fault is caught in its leg."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import pytest

from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import replay
from kozel_verify.model.core import Call, Compiled, Const, Game, Local, Matching
from kozel_verify.model.types import BOOL
from kozel_verify.verify.matchings import NotSweepable, compare, matched
from tests.support.toy import CARD, CARDS, op, size, toy_game, zone
from tests.verify import faults

CLAIM = Compiled("captures", "captures", 1, 2, Const(True, BOOL))
ONE_SUIT = replace(CLAIM, restriction=Call("one_suit", (Local("targets", CARDS),), BOOL))
G, R = Local("g", CARDS), Local("r", CARDS)


def pairing(rows: Sequence[int]) -> bool:
    """Right for up to two targets."""
    if len(rows) == 1:
        return bool(rows[0])
    first, second = rows
    return bool(first and second) and (first | second) == 0b11


def greedy(rows: Sequence[int]) -> bool:
    """Wrong: the first target takes its first reply, whatever is left for the other."""
    free = (1 << len(rows)) - 1
    for row in rows:
        if not row & free:
            return False
        free &= ~(row & free & -(row & free))
    return True


def by_hand(game: Game, count: int, suit_only: bool) -> tuple[int, int]:
    """(cases, holds) by asking the interpreter for each pair, trump and option."""
    cases = holds = 0
    for ruffing in (True, False):
        interpreter = Interpreter(game, {"ruffing": ruffing})
        state = replay(interpreter, ()).final
        for trump in (0, 1):
            here = replace(state, cells=(trump, *state.cells[1:]))
            for targets in combinations(range(6), count):
                if suit_only and len({t // 3 for t in targets}) > 1:
                    continue
                for replies in combinations([c for c in range(6) if c not in targets], count):
                    cases += 1
                    masks = {"g": sum(1 << t for t in targets), "r": sum(1 << r for r in replies)}
                    holds += bool(interpreter.evaluate(here, game.functions["captures"].body, masks))
    return cases, holds


@pytest.mark.parametrize("restricted", [False, True])
def test_counts_are_those_of_the_interpreter(restricted: bool) -> None:
    """Cases and captures of each size are what asking for every pair, trump and option gives."""
    result = compare(toy_game(), ONE_SUIT if restricted else CLAIM, pairing, restricted=restricted)
    assert (len(result.settings), result.relation_cases, result.mismatch) == (4, 4 * 30, None)
    found = [(s.cases, s.holds) for s in result.sweeps]
    assert found == [by_hand(toy_game(), count, restricted) for count in (1, 2)]
    assert all(s.difference is None for s in result.sweeps)


def test_wrong_decision_is_reported_with_its_pair() -> None:
    """Negative control: a greedy decision differs for two cards, on a pair that the reference decides the other way."""
    result = compare(toy_game(), CLAIM, greedy)
    assert [s.difference is None for s in result.sweeps] == [True, False]
    found = result.sweeps[1].difference
    assert found is not None and (found.reference, found.compiled) == (True, False)


def test_predicate_that_is_no_matching_is_a_mismatch() -> None:
    """Negative control for the form: a matching with a further condition beside it is caught on a concrete pair."""
    both = op("and", op("==", size(R), size(G)), matching())
    game = faults.captures_by(op("and", both, op("not", op("in", Const(5, CARD), R))))
    found = compare(game, CLAIM, pairing).mismatch
    assert found is not None and found.predicate is False and found.replies >> 5 & 1


def test_missing_size_condition_is_a_mismatch() -> None:
    """Without `as many` a pair of unequal groups shows the difference."""
    few = op("or", matching(), op("==", size(R), Const(1, R.type)))
    found = compare(faults.captures_by(few), CLAIM, pairing).mismatch
    assert found is not None and found.predicate is True


def matching() -> Matching:
    body = toy_game().functions["captures"].body
    return next(e for e in body.args if isinstance(e, Matching))  # type: ignore[union-attr]


def test_other_forms_are_refused() -> None:
    """A predicate without a matching, with one between other things, or that reads a zone is refused by name."""
    with pytest.raises(NotSweepable, match="one matching, not 0"):
        compare(faults.covering(), CLAIM, pairing)
    swapped = replace(matching(), targets=R, replies=G)
    with pytest.raises(NotSweepable, match="not between its parameters"):
        compare(faults.captures_by(swapped), CLAIM, pairing)
    empty = op("==", zone("stock"), Const(0, CARDS))
    with pytest.raises(NotSweepable, match="reads a zone"):
        compare(faults.captures_by(op("and", matching(), empty)), CLAIM, pairing)


def test_matched_by_hand() -> None:
    """A relation on four cards: 0 is answered by 2 and 3, 1 by 2 alone."""
    relation = [0b1100, 0b0100, 0, 0]
    assert matched(relation, 0b0011, 0b1100)
    assert not matched(relation, 0b0010, 0b1000)
    assert not matched(relation, 0b0011, 0b0100)
    assert not matched(relation, 0b0010, 0b1100)  # one card to beat, two replies
