"""The draft games load and can be played: no deal gets stuck, no card is lost, and what they claim holds on the way."""

import random
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import Choice
from kozel_verify.model.core import Ask, Claim, End, Game, StateClaim
from kozel_verify.model.load import load
from kozel_verify.model.types import Value

HERE = Path(__file__).parent
GAMES = ("burkozel_table", "kozel_classic", "kozel_pairs", "kozel_shamok")


def broken_claims(game: Game, options: Mapping[str, Value], deals: int, seed: int) -> set[str]:
    """The invariants that fail somewhere in ``deals`` random deals; ``stuck`` stands for a question without answers."""
    rng = random.Random(seed)
    claims = [p for p in game.properties if isinstance(p, StateClaim) and p.claim is Claim.INVARIANT]
    interpreter = Interpreter(game, options)
    state, _ = interpreter.initial()
    failed: set[str] = set()
    while deals:
        failed |= {c.name for c in claims if state.node in c.nodes and not interpreter.evaluate(state, c.statement)}
        if isinstance(game.nodes[state.node], End):
            state, _ = interpreter.initial()
            continue
        deals -= state.node == game.deal_end
        outcomes = interpreter.outcomes(state)
        if not outcomes:
            return failed | {"stuck"}
        if isinstance(game.nodes[state.node], Ask):  # first a verb, then its arguments: rare verbs are tried often
            verb = rng.choice(sorted({o.verb for o in outcomes if isinstance(o, Choice)}))
            outcomes = [o for o in outcomes if isinstance(o, Choice) and o.verb == verb]
        state, _ = interpreter.step(state, rng.choice(outcomes))
    return failed


@pytest.mark.parametrize("name", GAMES)
def test_random_deals_keep_every_claim(name: str) -> None:
    """Twenty random deals with the defaults: nobody is stuck, 120 points are counted, all invariants hold."""
    assert broken_claims(load(HERE / f"{name}.kozel").game, {}, 20, seed=1) == set()


ALONE = sorted(path.stem for path in HERE.glob("alone_*.kozel"))
OF_THE_PAIRS_GAMES = {"leader_choice": 1, "lusya_rows": 2, "second_closed": False, "team_four_queens": 1}


@pytest.mark.parametrize("name", ALONE)
def test_each_boast_alone_keeps_every_claim(name: str) -> None:
    """Ten plays of each boast by itself: nobody is stuck, no card is lost, its counts hold."""
    assert broken_claims(load(HERE / f"{name}.kozel").game, {}, 10, seed=1) == set()


def test_boasts_with_other_options() -> None:
    """Further deals of matches, in which boasts are played, with options that are off by default."""
    pairs, shamok = load(HERE / "kozel_pairs.kozel").game, load(HERE / "kozel_shamok.kozel").game
    assert broken_claims(pairs, {**OF_THE_PAIRS_GAMES, "ace_ban": False}, 20, seed=2) == set()
    special = {
        "royal_goat": True,
        "four_suit_redeal": True,
        "no_trump_allowed": True,
        "star_rounds": 4,
        "catch_queen": 1,
    }
    assert broken_claims(shamok, {**OF_THE_PAIRS_GAMES, **special}, 30, seed=3) == set()


def test_tricks_that_a_boast_does_not_count_are_noticed(tmp_path: Path) -> None:
    """Negative control: an opened round that is no trick breaks the counts of the star."""
    shutil.copytree(HERE, tmp_path / "specs")
    module = tmp_path / "specs" / "lib" / "boast_alone.kozel"
    text, rule = module.read_text(encoding="utf-8"), "tricks[side(taker)] += 1"
    assert rule in text
    module.write_text(text.replace(rule, "tricks[side(taker)] += 0"), encoding="utf-8")
    assert broken_claims(load(tmp_path / "specs" / "alone_star.kozel").game, {}, 2, seed=1)


def test_two_players() -> None:
    """Options that change the table play as well."""
    assert broken_claims(load(HERE / "kozel_classic.kozel").game, {"players": 2}, 10, seed=2) == set()


def test_a_lost_pile_is_noticed(tmp_path: Path) -> None:
    """Negative control: cards thrown away that go to no pile break the claim that all points are counted."""
    shutil.copytree(HERE, tmp_path / "specs")
    module = tmp_path / "specs" / "lib" / "burkozel.kozel"
    text, rule = module.read_text(encoding="utf-8"), "move thrown[s] from thrown[s] to won[taker]"
    assert rule in text
    module.write_text(text.replace(rule, "move {} from thrown[s] to won[taker]"), encoding="utf-8")
    assert broken_claims(load(tmp_path / "specs" / "kozel_classic.kozel").game, {}, 2, seed=1)
