"""A play with the cards of a deck in a given order, question by question.

In: an interpreter, a deck, and answers one by one; out: the state in which the next question is asked, with what can be
answered, or a fault. Nothing of any game is known here.
"""

from collections.abc import Sequence
from copy import copy

from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import Chance, Outcome, Proceed
from kozel_verify.model.core import Draw, Rest
from kozel_verify.verify.hunt import FAULTS, Fault


class Walk:
    """A play from the beginning with the cards of a deck: each draw takes the earliest card of it that is there. One
    that was drawn and put back may come at any time: at its old place (``early``), or after all others."""

    def __init__(self, interpreter: Interpreter, deck: Sequence[int], early: bool) -> None:
        self.interpreter = interpreter
        self.deck = deck
        self.early = early
        self.run: tuple[Outcome, ...] = ()
        self.fault: Fault | None = None
        self.outcomes: list[Outcome] = []
        self.state = interpreter.initial()[0]
        self._to_question()

    def after(self, choice: Outcome) -> "Walk":
        """The walk that answers the question with ``choice`` and goes on to the next one."""
        walk = copy(self)
        walk._take(choice)
        walk._to_question()
        return walk

    def _take(self, outcome: Outcome) -> None:
        self.run = (*self.run, outcome)
        try:
            self.state = self.interpreter.step(self.state, outcome)[0]
        except FAULTS as fault:
            self.fault = fault

    def _to_question(self) -> None:
        """Go on until a seat has something to answer, nothing is legal, or a fault."""
        while self.fault is None:
            try:
                self.outcomes = self.interpreter.outcomes(self.state)
            except FAULTS as fault:
                self.fault = fault
                return
            match self.interpreter.node(self.state):
                case Draw():
                    self._take(self._card())
                case Rest():
                    self._take(Proceed())
                case _:
                    return

    def _card(self) -> Outcome:
        there = [Chance(card) for card in self.deck if Chance(card) in self.outcomes]
        return next((draw for draw in there if self.early or draw not in self.run), there[0])
