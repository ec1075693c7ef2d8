"""A play in which two games part, made shorter for people to read.

In go two games, the settings to compare under and a run that parts them; out come a setting and a run that do so too.
First whole deals are left out: what a later deal shows, the first one of a match may show as well. Then it is tried
whether the two part under their own options, when it was other ones under which they were found to; then choices are
replaced by smaller ones. Everything is replayed by the interpreter.
"""

from collections.abc import Iterator, Sequence

from kozel_verify.interpret.state import Outcome, Proceed
from kozel_verify.model.core import Game
from kozel_verify.verify.differ.lockstep import Lockstep
from kozel_verify.verify.differ.noticed import first_difference
from kozel_verify.verify.differ.partings import lockstep, smaller
from kozel_verify.verify.differ.sides import Setting

Run = tuple[Outcome, ...]


def shorter(
    a: Game, b: Game, setting: Setting, own: Setting | None, run: Sequence[Outcome], steps: int
) -> tuple[Setting, Run]:
    """``own``: what stands where nobody sets anything, if that is allowed; ``steps``: as for ``smaller``."""
    found = fewer_deals(lockstep(a, b, setting), tuple(run))
    if own is not None and own.name != setting.name:
        there = _parted(lockstep(a, b, own), found)
        setting, found = (setting, found) if there is None else (own, there)
    return setting, smaller(a, b, setting, found, steps)


def fewer_deals(lock: Lockstep, run: Run) -> Run:
    """The last deals alone if these part the two, as few of them as possible; and then without each of the others that
    is not needed."""
    deals = list(_deals(run))
    for first in reversed(range(1, len(deals))):
        found = _parted(lock, _joined(deals[first:]))
        if found is not None:
            deals = list(_deals(found))
            break
    number = 0
    while number < len(deals) - 1:
        found = _parted(lock, _joined([*deals[:number], *deals[number + 1 :]]))
        if found is None:
            number += 1
        else:
            deals = list(_deals(found))
    return _parted(lock, _joined(deals)) or run


def _joined(deals: Sequence[Run]) -> Run:
    return tuple(outcome for deal in deals for outcome in deal)


def _parted(lock: Lockstep, run: Run) -> Run | None:
    """The run as far as the first difference, if it comes to one."""
    found = first_difference(lock, run)
    return None if found is None else found[0]


def _deals(run: Run) -> Iterator[Run]:
    """The run cut where deals end; each piece but the last one ends with the step from there."""
    begun: list[Outcome] = []
    for outcome in run:
        begun.append(outcome)
        if isinstance(outcome, Proceed):
            yield tuple(begun)
            begun = []
    if begun:
        yield tuple(begun)
