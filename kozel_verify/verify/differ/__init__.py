"""Two games compared: what somebody at the table can notice, or a proof that nobody can.

In go two *sides*, each a loaded spec with options that are settled on it; out comes a ``Comparison``: plays in which
the two part, replayed by the interpreter and printed as scenarios; the arguments on which pure functions differ,
counted; the changed clauses, with those that make the difference; or, where no play shows one, whether a bisimulation
proves that there is none. Trusted: for a difference the interpreter alone; for equality what ``symbolic.bisimulation``
says.

==============  ====================================================================================================
``sides``       what of one side corresponds to what of the other; the settings to compare under
``lockstep``    both games played side by side by the interpreter; ``noticed``: what is first noticed to differ
``tables``      the same on the fast machine; ``search``: all plays of small packs, random plays of the full one
``partings``    a play in which the games part: replayed, made smaller, written as scenarios
``shorter``     the same without deals that are not needed
``functions``   pure functions compared by enumeration; ``groups``, ``pairings``: over groups of cards
``changes``     the changed clauses, and which of them matter
``proof``       the bisimulation, wired
``compare``     all of it together; ``telling``: as text, and as data
==============  ====================================================================================================

``compare(Side(spec), Side(other_spec)).verdict`` is ``different``, ``equal`` or ``open``; ``decide`` asks for the proof
first, which is quicker where most pairs are equal.
"""

from kozel_verify.verify.differ.compare import Comparison, Effort, compare, compare_plays, decide
from kozel_verify.verify.differ.sides import Side

__all__ = ["Comparison", "Effort", "Side", "compare", "compare_plays", "decide"]
