"""The generator, the shuffle and the order in which cards are dealt."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations, product

import pytest

from kozel_verify.interpret.chance import DeckChance, Generator, choice_generator, shuffled
from kozel_verify.interpret.errors import BadDeck
from kozel_verify.interpret.state import Gathered, Moved
from tests.support.toy import toy_game

GAME = toy_game()
Shuffle = Callable[[list[int], Callable[[int], int]], list[int]]


class Endless(Generator):
    """A generator whose numbers are given."""

    def __init__(self, numbers: list[int]) -> None:
        super().__init__(0)
        self.numbers = iter(numbers)

    def next(self) -> int:
        return next(self.numbers)


def test_splitmix_has_its_published_numbers() -> None:
    """The first numbers of seed 1234567 are those of the reference implementation in C."""
    generator = Generator(1234567)
    assert [generator.next() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_seeds_have_64_bits() -> None:
    """A seed outside of 64 bits is refused; the edges are not."""
    for seed in (-1, 1 << 64):
        with pytest.raises(ValueError, match="a seed is from 0"):
            Generator(seed)
    assert Generator(0).next() == 0xE220A8397B1DCDAF
    assert Generator((1 << 64) - 1).next() == 0xE4D971771B652C20


def test_below_rejects_the_incomplete_last_round() -> None:
    """2^64 mod 3 is 1, so the very last number is drawn again; without that 0 would be likelier."""
    assert Endless([(1 << 64) - 1, 5]).below(3) == 2
    assert Endless([(1 << 64) - 2]).below(3) == 2
    assert Endless([(1 << 64) - 1]).below(4) == 3
    assert Endless([9]).below(1) == 0


def scripted(numbers: tuple[int, ...], sizes: list[int]) -> Callable[[int], int]:
    """Answers ``below(n)`` from a list, and notes each ``n``."""
    rest = iter(numbers)

    def below(n: int) -> int:
        sizes.append(n)
        return next(rest)

    return below


def orders(shuffle: Shuffle, bounds: list[int], n: int) -> Counter[tuple[int, ...]]:
    """How often each order of ``n`` items comes up over all sequences of numbers below the bounds."""
    found: Counter[tuple[int, ...]] = Counter()
    for numbers in product(*(range(b) for b in bounds)):
        sizes: list[int] = []
        found[tuple(shuffle(list(range(n)), scripted(numbers, sizes)))] += 1
        assert sizes == bounds
    return found


def any_index(items: list[int], below: Callable[[int], int]) -> list[int]:
    """A wrong shuffle: exchange every position with any other."""
    for i in range(len(items)):
        j = below(len(items))
        items[i], items[j] = items[j], items[i]
    return items


def last_stays(items: list[int], below: Callable[[int], int]) -> list[int]:
    """A wrong shuffle: the last card is never moved."""
    for i in range(len(items) - 2, 0, -1):
        j = below(i + 1)
        items[i], items[j] = items[j], items[i]
    return items


def uniform(counts: Counter[tuple[int, ...]], n: int) -> bool:
    return set(counts) == set(permutations(range(n))) and len(set(counts.values())) == 1


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6])
def test_the_shuffle_is_a_bijection(n: int) -> None:
    """Each sequence of independent uniform numbers gives another order, and every order is given: n! of n!."""
    counts = orders(shuffled, list(range(n, 1, -1)), n)
    assert uniform(counts, n)
    assert set(counts.values()) == {1}


@pytest.mark.parametrize(("shuffle", "bounds"), [(any_index, [4, 4, 4, 4]), (last_stays, [3, 2])])
def test_wrong_shuffles_are_caught(shuffle: Shuffle, bounds: list[int]) -> None:
    """The same check refutes exchanging with any index, and leaving the last card where it is."""
    assert not uniform(orders(shuffle, bounds, 4), 4)


def test_deals_of_a_seed_are_pinned() -> None:
    """The order of a seed is part of the contract with every engine; here it is written down."""
    assert [DeckChance(GAME, Generator(seed)).order for seed in (0, 1, 2)] == [
        [4, 2, 5, 3, 0, 1],
        [0, 1, 3, 2, 4, 5],
        [2, 5, 0, 3, 1, 4],
    ]


def test_choices_have_their_own_stream() -> None:
    """The numbers for choices are not those for dealing, and depend on the seed."""
    assert choice_generator(1).next() not in [Generator(1).next(), choice_generator(2).next()]


def test_a_given_deck_comes_off_in_order() -> None:
    """Without shuffling moves, draws follow the deck from its first card on."""
    chance = DeckChance(GAME, Generator(7), [5, 3, 1, 0, 2, 4])
    chance.follow([Gathered(0)])
    drawn = []
    for _ in range(6):
        card = chance.draw(0)
        chance.follow([Moved(1 << card, 0, 1, 0b01, True)])
        drawn.append(card)
    assert drawn == [5, 3, 1, 0, 2, 4]
    with pytest.raises(ValueError, match="nothing to draw from zone slot 0"):
        chance.draw(0)


@pytest.mark.parametrize("deck", [[0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 4], [0, 1, 2, 3, 4, 6], []])
def test_decks_name_each_card_once(deck: list[int]) -> None:
    """A deck with a card missing, doubled or foreign is refused."""
    with pytest.raises(BadDeck):
        DeckChance(GAME, Generator(0), deck)


def test_decks_fit_the_pack() -> None:
    """The deck of a smaller pack has only the cards of the pack."""
    game = replace(GAME, pack=0b010110)
    assert DeckChance(game, Generator(0), [4, 1, 2]).order == [4, 1, 2]
    assert sorted(DeckChance(game, Generator(0)).order) == [1, 2, 4]


def test_the_first_gathering_keeps_a_given_deck_only() -> None:
    """A given deck survives one gathering; the second one shuffles."""
    deck = [5, 4, 3, 2, 1, 0]
    chance = DeckChance(GAME, Generator(3), deck)
    chance.follow([Gathered(0)])
    assert chance.order == deck
    chance.follow([Gathered(0)])
    assert chance.order == shuffled(range(6), Generator(3).below)


def test_gathering_shuffles_where_no_deck_is_given() -> None:
    """Without a deck, order and first gathering are two shuffles of one stream."""
    stream = Generator(3)
    first, second = shuffled(range(6), stream.below), shuffled(range(6), stream.below)
    chance = DeckChance(GAME, Generator(3))
    assert chance.order == first
    chance.follow([Gathered(0)])
    assert chance.order == second


class Scripted(Generator):
    """A generator whose bounded numbers are given."""

    def __init__(self, numbers: tuple[int, ...]) -> None:
        super().__init__(0)
        self.scripted = scripted(numbers, [])

    def below(self, n: int) -> int:
        return self.scripted(n)


def test_a_card_put_back_comes_to_a_uniform_place() -> None:
    """Over all numbers, the four cards of the stock come in each of their 24 orders once; the others stay put."""
    found: Counter[tuple[int, ...]] = Counter()
    for numbers in product(range(4), range(3), range(2)):
        chance = DeckChance(GAME, Scripted(numbers), [5, 3, 1, 0, 2, 4])
        away = [Moved(1 << card, 0, 1, 0b01, True) for card in (5, 3, 1)]
        chance.follow([*away, Moved(0b100000, 1, 0, 0, False)])
        assert [card for card in chance.order if card in (1, 3)] == [3, 1]
        found[tuple(card for card in chance.order if card not in (1, 3))] += 1
    assert set(found) == set(permutations([0, 2, 4, 5])) and set(found.values()) == {1}


def test_cards_are_mixed_from_ascending_order() -> None:
    """Which numbers give which order is fixed: the zone's cards are shuffled from ascending order."""
    chance = DeckChance(GAME, Scripted((2, 1)), [5, 3, 1, 0, 2, 4])
    chance.follow([Moved(0b100000, 0, 1, 0b01, True), Moved(0b001010, 0, 1, 0b01, True)])
    chance.follow([Moved(0b010001, 0, 1, 0b01, True), Moved(0b100010, 1, 0, 0, False)])
    assert chance.order == [1, 3, 2, 0, 5, 4]  # the numbers 2, 1 leave 1 2 5 as they are, on places 0, 2, 4


def test_moves_elsewhere_shuffle_nothing() -> None:
    """Only zones that are drawn from are shuffled: a move to a hand uses no number."""
    chance = DeckChance(GAME, Scripted(()), [5, 3, 1, 0, 2, 4])
    chance.follow([Moved(0b100000, 0, 1, 0b01, True), Moved(0b100000, 1, 3, 0b11, False)])
    assert chance.order == [5, 3, 1, 0, 2, 4]


def test_without_mixing_a_card_put_back_would_be_known() -> None:
    """The control: an order that is not shuffled hands the card put back first out again, every time."""
    chance = DeckChance(GAME, Scripted((0, 0, 0, 0, 0)), [5, 3, 1, 0, 2, 4])
    chance._sources = frozenset()
    chance.follow([Moved(0b100000, 0, 1, 0b01, True), Moved(0b100000, 1, 0, 0, False)])
    assert chance.draw(0) == 5
