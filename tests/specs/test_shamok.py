"""Kozel with the shamok and its boasts: random deals with its options, and faults that promises notice."""

from pathlib import Path

import pytest

from kozel_verify.model.load import load
from kozel_verify.verify.findings import Verdict
from tests.support.games import broken_claims, verdict_of, with_fault

SPEC = Path(__file__).resolve().parents[2] / "spec" / "kozel_shamok.kozel"
OTHERS = {
    "leader_choice": 1,
    "lusya_rows": 2,
    "second_closed": False,
    "team_four_queens": 1,
    "royal_goat": True,
    "four_suit_redeal": True,
    "no_trump_allowed": True,
    "star_rounds": 4,
    "catch_queen": 1,
}


@pytest.mark.parametrize("options", [{}, OTHERS], ids=["defaults", "others"])
def test_random_deals_keep_every_claim(options: dict[str, int]) -> None:
    """Thirty deals of matches, in which boasts are played: nobody is stuck, 120 points are counted, all holds."""
    assert broken_claims(load(SPEC).game, options, 30, seed=3) == set()


FAULTS = {  # the file, what stands there, what is planted instead, and the promise that notices
    "four queens and the hook lose the match": (
        "kozel_shamok.kozel",
        "        victor := side(s)       ",
        "        victor := opponents(side(s))       ",
        "four queens and the hook: dry wins the match",
    ),
    "the partner's queen is caught too": (
        "kozel_shamok.kozel",
        "and some s in Seat : side(s) != side(taker) and Q♣ in table[s]",
        "and some s in Seat : s != taker and Q♣ in table[s]",
        "catching the partner, or without the agreement, changes nothing",
    ),
    "whoever boasted last does not deal on": (
        "kozel_shamok.kozel",
        "boasted_last is not none then boasted_last else",
        "boasted_last is not none then left(boasted_last) else",
        "the last boaster deals on, where that is agreed",
    ),
    "aces handed over need not be laid": (
        "lib/shamok_pants.kozel",
        "may take_cards when not has_ace(hand[s]) {",
        "may take_cards {",
        "pants: the partner has to beat with an ace that was handed to him",
    ),
    "double pants with seven cards": (
        "kozel_shamok.kozel",
        "if doubled() then 6 else 7",
        "if doubled() then 7 else 7",
        "double pants: a closed and an open card each, two tricks; the closed one leads on",
    ),
    "the opener of the sad boast leads": (
        "kozel_shamok.kozel",
        "if boast == sad then left(opener) else opener            @ H:43",
        "if boast == sad then opener else opener            @ H:43",
        "sad: the boaster's left neighbour leads each packet",
    ),
    "opened rounds are not taken": (
        "lib/star.kozel",
        "      if circle in opened_rounds { run take_row }",
        "      if false { run take_row }",
        "star: three rounds are opened, five cards stay in each hand",
    ),
    "the heap goes to the side of the boaster": (
        "lib/coffins.kozel",
        "      move heap[d] from heap[d] to won[taker]",
        "      move heap[d] from heap[d] to won[mine()]",
        "small coffins: two heaps of twelve cards, two cards in each hand",
    ),
    "an ace is laid though a lower card is there": (
        "lib/barrel.kozel",
        "when some x in h : not permanent(x) and rank(x) != A ->",
        "when some x in h : not permanent(x) and rank(x) == A ->",
        "barrel: a shown trump is exchanged; an ace is spared if a lower card is there",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_noticed(fault: str, tmp_path: Path) -> None:
    """A fault of the rules refutes the scenario that says otherwise, and the game itself plays it."""
    name, right, wrong, notices = FAULTS[fault]
    assert verdict_of(with_fault(SPEC, tmp_path, name, right, wrong), notices) is Verdict.REFUTED
    assert verdict_of(load(SPEC), notices) in (Verdict.PROVED, Verdict.ENUMERATED)
