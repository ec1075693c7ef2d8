"""What the solver answers to a query. Plain data; the solver itself is behind ``z3_api``."""

from dataclasses import dataclass

from kozel_verify.symbolic.terms import BOOL, Constant, Term


@dataclass(frozen=True, slots=True)
class Unsatisfiable:
    """No assignment makes all assertions true: what was to be proved holds."""

    rlimit: int  # resource units used


@dataclass(frozen=True, slots=True)
class Model:
    """An assignment that makes all assertions true. A variable that is missing may have any value."""

    values: dict[str, Constant]
    rlimit: int

    def complete(self, names: dict[str, Term]) -> dict[str, Constant]:
        """The assignment with a value for each of the variables ``names`` (zero or false where z3 gave none)."""
        return {n: self.values.get(n, t.sort != BOOL and 0) for n, t in names.items()}


@dataclass(frozen=True, slots=True)
class Unknown:
    """The budget was used up, or the solver gave in."""

    reason: str
    rlimit: int


Answer = Unsatisfiable | Model | Unknown
