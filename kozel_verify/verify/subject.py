"""What is verified: a spec, its games, and the plays and option sets that several obligations look at."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Play, Stop, habitual, random_play
from kozel_verify.interpret.state import Outcome
from kozel_verify.language.spans import Span
from kozel_verify.model.core import Game
from kozel_verify.model.load import Spec
from kozel_verify.model.types import Value
from kozel_verify.verify.option_sets import Options, OptionSets, allows, defaults, option_sets
from kozel_verify.verify.settings import Settings

Runs = dict[str, tuple[Options, tuple[Outcome, ...]]]  # by the name of what a run leads to
PATIENCE, SHORT = 20_000, 1_000  # steps of a match that may never end; of others where the first has not ended
STRIDE = 7919  # a prime: neighbouring matches differ in several options
FEW, MANY = 3, 8  # where no more plays than that meet some node, so many times as many are made


@dataclass
class Subject:
    """A spec under verification. Cheap to make; plays are made when first needed, always the same ones."""

    spec: Spec
    settings: Settings
    _small: dict[str, Game] = field(default_factory=dict)

    @property
    def game(self) -> Game:
        return self.spec.game

    def small(self, pack: str) -> Game:
        if pack not in self._small:
            self._small[pack] = self.spec.small(pack)
        return self._small[pack]

    @cached_property
    def option_sets(self) -> Sequence[Options]:
        """Every combination of options that the constraints allow, the defaults first."""
        return option_sets(self.game)

    @cached_property
    def plays(self) -> list[tuple[Options, Play]]:
        """Random matches on the full pack."""
        return [(options, play) for _, options, play in map(self.play, range(self.settings.plays))]

    @cached_property
    def sampled(self) -> list[tuple[Options, Play]]:
        """Plays to guess from: the random ones, and many more where few of those meet some node, since what is guessed
        wrongly there has to be taken back query by query."""
        met = Counter(node for _, play in self.plays for node in {state.node for state in play.states})
        rare = any(met[node] <= FEW for node in range(len(self.game.nodes)))
        return [*self.plays, *(self.plays_with({}, MANY) if rare else ())]

    @cached_property
    def _first(self) -> Play:
        return self._match(0, PATIENCE)

    @property
    def patience(self) -> int:
        """Steps of a match at random."""
        return SHORT if self._first.stopped is Stop.LIMIT else PATIENCE

    def play(self, number: int) -> tuple[Interpreter, Options, Play]:
        """The random match of this number on the full pack; the option sets take turns."""
        known = number == 0 and self.patience == PATIENCE
        options = self.options_of(number)
        return Interpreter(self.game, options), options, self._first if known else self._match(number, self.patience)

    def _match(self, number: int, limit: int) -> Play:
        interpreter = Interpreter(self.game, self.options_of(number))
        return random_play(interpreter, self.settings.seed + number, until="match", limit=limit)

    def with_options(self, fixed: Mapping[str, Value]) -> Sequence[Options]:
        """The option sets in which these options have these values."""
        if isinstance(self.option_sets, OptionSets):
            return OptionSets(self.game, fixed)
        return [options for options in self.option_sets if agree(options, fixed)]

    def plays_with(self, fixed: Mapping[str, Value], times: int = 1) -> list[tuple[Options, Play]]:
        """As many matches again (or some times as many) in which some options are fixed, by players with habits, other
        ones in each match."""
        allowed, played = self.with_options(fixed), list[tuple[Options, Play]]()
        for number in range(times * self.settings.plays):
            options, seed = allowed[number * STRIDE % len(allowed)], self.settings.seed + number
            policy = habitual(self.game, seed)
            interpreter = Interpreter(self.game, options)
            played.append((options, random_play(interpreter, seed, until="match", policy=policy, limit=self.patience)))
        return played

    def options_of(self, number: int) -> Options:
        """The option sets in turn."""
        return self.option_sets[number * STRIDE % len(self.option_sets)]

    def citations(self, *spans: Span) -> tuple[str, ...]:
        """The places cited on the lines of the spans, each once, in order."""
        places: list[str] = []
        for span in spans:
            for line in range(span.line, max(span.line, span.end_line) + 1):
                places += self.game.citations.get((span.file, line), ())
        return tuple(dict.fromkeys(places))


def agree(options: Mapping[str, Value], fixed: Mapping[str, Value]) -> bool:
    """Have the options that are fixed these values?"""
    return all(options[name] == value for name, value in fixed.items())


def covering_options(game: Game) -> list[Options]:
    """The defaults, and each other value of each option with the rest at their defaults."""
    default = defaults(game)
    found = [default]
    for name, option in game.options.items():
        found += [{**default, name: v} for v in option.values if v != option.default]
    return [options for options in found if allows(game, options)]
