"""The game with a widow: random deals, a small table, and faults of the kind seen in public programs."""

from pathlib import Path

import pytest

from kozel_verify.interpret.play import Interpreter
from kozel_verify.model.load import load
from kozel_verify.verify.findings import Verdict
from kozel_verify.verify.wiring import close_pack
from tests.support.games import broken_claims, verdict_of, with_fault

SPEC = Path(__file__).parents[2] / "spec" / "kozel_prikup.kozel"
FINE = "own < 60 or own == 60 and at_sixty == two"
FAULTS = {  # the file, what stands there, what is planted instead, and the promise that notices
    "thirty is not little": (SPEC.name, "own <= 30 -> 4", "own < 30 -> 4", "fines"),
    "nobody writes at sixty": (SPEC.name, FINE, "own < 60", "sixty to sixty: two to all"),
    "the widow is lost": (
        SPEC.name,
        "won[solo] union widow)",
        "won[solo])",
        "the soloist's cards put away count for him",
    ),
    "no duty to trump": (
        SPEC.name,
        "is_trump(c) or every x in h : not is_trump(x)",
        "true",
        "who cannot answer in suit has to trump, if only below",
    ),
    "a queen follows its printed suit": (
        "lib/follow_trick.kozel",
        "if is_trump(c) then none else suit(c)",
        "suit(c)",
        "a queen or a jack does not answer in its printed suit",
    ),
    "trumps are no better": ("lib/follow_trick.kozel", "-> 30 + strength(c)", "-> strength(c)", "trump_takes_plain"),
}


@pytest.mark.parametrize(
    "options",
    [{}, {"at_sixty": 2, "zero_means": 1, "simultaneous": 1, "first_lead": 1}],
    ids=["as it comes", "all options changed"],
)
def test_random_deals_keep_every_claim(options: dict[str, int]) -> None:
    """Twelve random deals: nobody is stuck, 120 points are counted, all invariants hold."""
    assert broken_claims(load(SPEC).game, options, 12, seed=1) == set()


def test_the_smallest_table_is_visited_whole() -> None:
    """With one card for each seat and one in the widow a deal has 293 states; nothing is wrong in them."""
    closure = close_pack(Interpreter(load(SPEC).small("four")), 1_000)
    assert closure.complete and closure.states == 293 and not closure.violations


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_noticed(fault: str, tmp_path: Path) -> None:
    """A fault of the rules refutes the promise that says otherwise, and the game itself keeps that promise."""
    name, right, wrong, notices = FAULTS[fault]
    assert verdict_of(with_fault(SPEC, tmp_path, name, right, wrong), notices) is Verdict.REFUTED
    assert verdict_of(load(SPEC), notices) in (Verdict.PROVED, Verdict.ENUMERATED)
