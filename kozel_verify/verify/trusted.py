"""What the tool says of itself in a sentence: the promises that every game has, and what each method rests on.

The page on trust says the same at length. Nothing goes in and nothing is decided here.
"""

from kozel_verify.verify.findings import Kind, Verdict

SAYS: dict[Kind, str] = {
    Kind.CONSERVATION: "every card of the pack lies in exactly one zone at every time, and no other card anywhere",
    Kind.WELL_DEFINED: "whatever play computes has a value: no draw from an empty zone, no move of cards that are not "
    "there, no value that its cell cannot hold",
    Kind.NEVER_STUCK: "whenever a seat is asked, at least one choice is legal",
    Kind.ENDS: "every deal comes to its end, whatever is chosen and drawn",
    Kind.NO_PEEKING: "two situations that a seat cannot tell apart go on alike for it: whose turn it is, what may be "
    "chosen and what it is shown tell it nothing but what the rules tell it",
    Kind.OPTIONS_COVERED: "each value of each option makes a difference that somebody notices, each clause "
    "of the rules comes into play, and each premise of a promise is true at some time",
}
"""The obligations that every game has without asking, and what each claims."""

MEANS: dict[Verdict, str] = {
    Verdict.PROVED: "it holds in the whole game: for the full pack, all choices, all chance and all options",
    Verdict.ENUMERATED: "every case of a finite domain was visited, and it holds in all of them",
    Verdict.CLOSED: "it holds in every state of a deal on a smaller pack: evidence, no proof for the full one",
    Verdict.SAMPLED: "it held in the random plays that were looked at: evidence, no proof",
    Verdict.REFUTED: "it does not hold: there is a play, or a case, that breaks it, and the reference interpreter has "
    "replayed it",
    Verdict.UNKNOWN: "nothing was shown within the budget, neither that it holds nor that it fails",
    Verdict.DISAGREE: "two methods contradict each other, which is a fault of this program",
}
"""What each verdict says."""

ALWAYS = "what the words of the spec mean: the grammar, the checker of names and types, the reference interpreter"

_BY_METHOD = (
    ("induction", "Z3, and the symbolic step of an edge, which is compared with the interpreter in tests"),
    ("smt", "Z3, and the symbolic meaning of operators, which is compared with the concrete one in tests"),
    ("enumeration", "that the list of cases is complete; each is evaluated by the reference interpreter"),
    ("evaluation", "nothing but the reference interpreter"),
    ("sweep", "that all pairs of groups are visited, which are counted exactly"),
    ("closure", "the fast machine, which is compared with the interpreter in tests; it is about a smaller pack only"),
    ("pairs of plays", "the fast machine, which is compared with the interpreter in tests; a smaller pack only"),
    ("run on the full pack", "nothing but the reference interpreter, which has replayed the run"),
    (
        "runs on the full pack",
        "nothing but the reference interpreter, which has played them and noted what they use",
    ),
    ("random plays", "the random numbers: plays that were not drawn may be different"),
)


def trusted(methods: list[str]) -> list[str]:
    """What the verdict of these methods rests on, beyond Python and the machine; ``ALWAYS`` comes first."""
    return [ALWAYS, *dict.fromkeys(text for method in methods if (text := rests_on(method)))]


def rests_on(method: str) -> str:
    """What one method rests on; empty for a method that this page does not know."""
    return next((text for begin, text in _BY_METHOD if method.startswith(begin)), "")
