"""How fast an exported engine plays, beside two readable loops that play the same game: one run, with ratios.

    python benchmarks/engine_speed.py [SPEC] [--deals N]

Every line plays whole deals with random legal choices and counts choices ("moves") and deals by CPU time of one core:

* the exported module by its public interface: ``legal_actions`` and ``apply_action``, actions as JSON;
* the same module by numbers: ``action_count`` and ``apply_at``;
* the reference interpreter, which is what a spec means, and made to be read;
* for ``kozel_shokha``, a loop as one writes it by hand in an afternoon, with sets of cards and permutations: no views,
  no events, no checks of what is played.

Each line is measured after a warm-up, in three rounds of which the median is printed.
"""

import argparse
from collections.abc import Callable
from itertools import combinations, permutations
from random import Random
from statistics import median
from time import process_time
from types import ModuleType

from kozel_verify.export.python.module import export_python
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import random_play
from kozel_verify.interpret.state import Choice
from kozel_verify.model.load import load
from kozel_verify.verify.engine_check import load_engine

Player = Callable[[int], int]  # plays the deal of a seed, returns the number of choices


def by_actions(engine: ModuleType) -> Player:
    def play(seed: int) -> int:
        random, moves, state = Random(seed), 0, engine.new_initial_state(seed=seed)
        while not engine.is_terminal(state):
            actions = engine.legal_actions(state)
            state = engine.apply_action(state, actions[int(random.random() * len(actions))])
            moves += 1
        return moves

    return play


def by_numbers(engine: ModuleType) -> Player:
    def play(seed: int) -> int:
        random, moves, state = Random(seed), 0, engine.new_initial_state(seed=seed)
        while not engine.is_terminal(state):
            state = engine.apply_at(state, int(random.random() * engine.action_count(state)))
            moves += 1
        return moves

    return play


def by_reference(interpreter: Interpreter) -> Player:
    def play(seed: int) -> int:
        return sum(isinstance(outcome, Choice) for outcome in random_play(interpreter, seed).outcomes)

    return play


# --- by hand ---------------------------------------------------------------------------------------------------------

RANKS = ("6", "7", "8", "9", "J", "Q", "K", "10", "A")
PACK = [(rank, suit) for suit in "SCDH" for rank in RANKS]
STRENGTH = {rank: n for n, rank in enumerate(RANKS)}
SHOKHA = ("6", "S")
Card = tuple[str, str]


def beats(x: Card, y: Card, trump: str) -> bool:
    if SHOKHA in (x, y):
        return y != SHOKHA
    if x[1] == y[1]:
        return STRENGTH[x[0]] > STRENGTH[y[0]]
    return x[1] == trump


def captures(reply: tuple[Card, ...], group: tuple[Card, ...], trump: str) -> bool:
    return any(all(beats(x, y, trump) for x, y in zip(order, group, strict=True)) for order in permutations(reply))


def one_suit(cards: tuple[Card, ...]) -> bool:
    return len({card[1] for card in cards if card != SHOKHA}) <= 1


def claims(hand: list[Card]) -> list[str]:
    """What a hand of four may declare."""
    found = ["pass"]
    if all(c == SHOKHA or c[0] in ("A", "10") for c in hand) and any(c[0] == "A" for c in hand):
        found.append("moscow")
    if one_suit(tuple(hand)):
        found.append("molodka")
    return found


def by_hand(seed: int) -> int:
    random = Random(seed)
    stock = PACK[:]
    random.shuffle(stock)
    hands = [[stock.pop() for _ in range(4)] for _ in range(4)]
    trump, leader, moves = stock[0][1], 0, 0
    while hands[leader]:
        leads = [g for n in (1, 2, 3, 4) for g in combinations(hands[leader], n) if one_suit(g)]
        best, winner = random.choice(leads), leader
        hands[leader] = [card for card in hands[leader] if card not in best]
        moves += 1
        for step in (1, 2, 3):
            seat = (leader + step) % 4
            groups = list(combinations(hands[seat], len(best)))
            answers = [(g, True) for g in groups if captures(g, best, trump)] + [(g, False) for g in groups]
            group, takes = random.choice(answers)
            hands[seat] = [card for card in hands[seat] if card not in group]
            best, winner = (group, seat) if takes else (best, winner)
            moves += 1
        leader = winner
        if stock:
            while stock and len(hands[leader]) < 4:
                for step in range(4):
                    hands[(leader + step) % 4].append(stock.pop())
            if len(hands[leader]) == 4:
                said = [random.choice(claims(hands[(leader + step) % 4])) for step in range(4)]
                moves += 4
                for claim in ("moscow", "molodka"):
                    if claim in said:
                        leader = (leader + said.index(claim)) % 4
                        break
    return moves


# --- measuring -------------------------------------------------------------------------------------------------------


def measure(play: Player, deals: int) -> tuple[float, float]:
    """Moves and deals a second: the median of three rounds after a tenth of one."""
    for seed in range(max(1, deals // 10)):
        play(seed)
    rounds = []
    for number in range(3):
        began = process_time()
        moves = sum(play(1_000_000 * number + seed) for seed in range(deals))
        spent = process_time() - began
        rounds.append((moves / spent, deals / spent))
    return median(m for m, _ in rounds), median(d for _, d in rounds)


def main() -> None:
    parser = argparse.ArgumentParser(description="how fast an exported engine plays")
    parser.add_argument("spec", nargs="?", default="spec/kozel_shokha.kozel")
    parser.add_argument("--deals", type=int, default=500)
    chosen = parser.parse_args()
    spec = load(chosen.spec)
    engine = load_engine(export_python(spec.game, spec_hash=spec.hash))
    lines = [
        ("exported engine, JSON actions", by_actions(engine), chosen.deals),
        ("exported engine, numbers", by_numbers(engine), chosen.deals),
        ("reference interpreter", by_reference(Interpreter(spec.game)), max(1, chosen.deals // 250)),
    ]
    if spec.game.name == "kozel_shokha":
        lines.append(("loop written by hand", by_hand, chosen.deals))
    results = [(name, *measure(play, deals)) for name, play, deals in lines]
    base = results[0][1]
    print(f"{'':32}{'moves/s':>12}{'deals/s':>12}{'ratio':>10}")
    for name, moves, deals_a_second in results:
        print(f"{name:32}{moves:12,.0f}{deals_a_second:12,.1f}{moves / base:10.4f}")


if __name__ == "__main__":
    main()
