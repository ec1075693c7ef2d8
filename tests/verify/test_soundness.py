"""Verdicts that must not be given, in small: each would be if a leg, an obligation or a key were taken too lightly."""

from dataclasses import replace

import pytest

from kozel_verify.export.python.module import export_python
from kozel_verify.interpret.play import Interpreter
from kozel_verify.model.core import Apply, Call, CellRead, Const, Lemma, Local, Parameter
from kozel_verify.model.load import Spec
from kozel_verify.model.types import BOOL, NAT
from kozel_verify.symbolic import lemmas
from kozel_verify.verify import doing, ends_plays, kept, plays, search
from kozel_verify.verify.closures import closure_evidence
from kozel_verify.verify.confirm import Disagreement
from kozel_verify.verify.ends_match import endless
from kozel_verify.verify.engine_check import compare_functions, load_engine
from kozel_verify.verify.evidence import Evidence, Work, legs_of, only_for
from kozel_verify.verify.findings import Counterexample, Exit, Kind, Leg, Verdict, conclude, exit_code
from kozel_verify.verify.inductive import shapes
from kozel_verify.verify.kept import Keys
from kozel_verify.verify.option_sets import defaults
from kozel_verify.verify.plays import Seen, _witnessed
from kozel_verify.verify.run import verify_spec, wanted, works
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.slices import TOLD, called
from kozel_verify.verify.subject import Subject
from kozel_verify.verify.values import _solved, lemma_evidence
from tests.support.toy import CARD, CARDS, op, toy_game
from tests.symbolic.test_ghosts import heap, prover
from tests.verify import faults
from tests.verify.test_kept import FEW, TINY, tiny
from tests.verify.test_scenarios import DECK, tried

UNKNOWN = Leg("smt", Verdict.UNKNOWN)


def toy_spec() -> Spec:
    """A spec that means the toy."""
    return replace(tiny(), game=toy_game())


# --- obligations and legs --------------------------------------------------------------------------------------------


def test_nothing_at_all_is_not_shown() -> None:
    """Without any obligation nothing holds."""
    assert exit_code([]) is Exit.NOT_SHOWN


def test_a_proof_of_no_case_shows_nothing() -> None:
    """A proof that had nothing to prove is unknown."""
    assert conclude("x", Kind.LEMMA, [Leg("smt", Verdict.PROVED, 0)]).verdict is Verdict.UNKNOWN


def test_every_property_is_an_obligation() -> None:
    """Four of every game, and all that is written down, with its kind; a compiled predicate for each size."""
    found = [(w.name, w.kind.value) for w in wanted(tiny())]
    assert [f for f in found if f[1] not in ("ends", "options_covered")] == [
        ("conservation", "conservation"),
        ("well_defined", "well_defined"),
        ("never_stuck", "never_stuck"),
        ("no_peeking", "no_peeking"),
        ("example_1", "example"),
        ("asymmetric", "lemma"),
        ("aces", "lemma"),
        ("three", "lemma"),
        ("group_k1", "lemma"),
        ("group_k2", "lemma"),
        ("few", "invariant"),
        ("in_order", "invariant"),
        ("at_most", "invariant"),
        ("hands", "secret"),
        ("scored", "witness"),
        ("both", "witness"),
        ("both lay a card", "scenario"),
    ]
    toy = {(w.name, w.kind.value) for w in wanted(toy_spec())}
    assert toy >= {("progress", "measure"), ("unequal_hands", "dead"), ("hands", "secret")}


def test_every_obligation_has_works() -> None:
    """Each obligation of the tiny game is served by some work; its pack is closed with either value of the option."""
    spec = tiny()
    todo = works(spec, Settings())
    assert {name for w in todo for name in w.serves} >= {w.name for w in wanted(spec)}
    assert [w.arguments for w in todo if w.kind == "closure"] == [("small", {"bonus": 1}), ("small", {"bonus": 2})]


def test_what_nobody_looked_at_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """With works that bring nothing every obligation is there, and unknown."""
    monkeypatch.setattr(doing, "DO", {kind: lambda *_: Evidence() for kind in doing.DO})
    found = verify_spec(tiny(), FEW).obligations
    assert len(found) == len(wanted(tiny())) and {o.verdict for o in found} == {Verdict.UNKNOWN}
    assert exit_code(found) is Exit.NOT_SHOWN


def test_legs_and_counterexamples_stay_with_their_names() -> None:
    """What is said of one obligation is not said of another, and nothing of it is lost."""
    shown = Counterexample(None, {}, "", True)
    evidence = Evidence((("a", UNKNOWN), ("b", replace(UNKNOWN, method="plays"))), (("a", shown),))
    assert only_for(evidence, ("a",)) == Evidence((("a", UNKNOWN),), (("a", shown),))
    assert legs_of("a", [evidence]) == [UNKNOWN]


# --- methods ---------------------------------------------------------------------------------------------------------


def test_an_example_that_fails_is_refuted() -> None:
    """The evidence of its work is a refutation with an explanation."""
    spec = tiny(TINY.replace("not beats(6♠, A♥)", "beats(6♠, A♥)"))
    evidence = doing._example(Subject(spec, FEW), 0)
    assert [(name, leg.verdict) for name, leg in evidence.legs] == [("example_1", Verdict.REFUTED)]
    assert evidence.counterexamples[0][1].explanation


def test_a_closure_that_is_cut_off_is_a_sample() -> None:
    """With fewer states than there are nothing is closed."""
    spec = tiny()
    for states, verdict in ((5, Verdict.SAMPLED), (10_000, Verdict.CLOSED)):
        evidence = closure_evidence(Subject(spec, Settings(states=states)), "small", defaults(spec.game))
        assert {leg.verdict for name, leg in evidence.legs if name == "few"} == {verdict}


def test_a_dead_clause_that_is_reached_is_refuted() -> None:
    """The closure of a toy in which hands become unequal has a run to the clause."""
    subject = Subject(toy_spec(), Settings(states=10_000), {"toy": faults.card_kept()})
    evidence = closure_evidence(subject, "toy", defaults(subject.game))
    assert {n: leg.verdict for n, leg in evidence.legs}["unequal_hands"] is Verdict.REFUTED
    assert dict(evidence.counterexamples)["unequal_hands"].confirmed


def test_an_option_in_a_bound_is_proved_for_each_value() -> None:
    """Options that shape the choices take all their values."""
    game = toy_game()
    assert list(shapes(game)) == [{}]
    shaping = {"ruffing": replace(game.options["ruffing"], shape=True)}
    assert list(shapes(replace(game, options=shaping))) == [{"ruffing": False}, {"ruffing": True}]


def test_a_witness_that_no_play_meets_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing was seen, so nothing is shown; one that was met is proved by its run."""
    monkeypatch.setattr(plays, "reach", lambda subject, names: {})
    subject = Subject(tiny(), Settings(plays=1, witness_plays=0))
    seen = Seen(witnesses={"both": (defaults(subject.game), ())})
    assert {n: leg.verdict for n, leg in _witnessed(subject, seen)} == {
        "both": Verdict.PROVED,
        "scored": Verdict.UNKNOWN,
    }


def test_a_run_to_a_witness_is_replayed() -> None:
    """At the beginning of the toy nobody has scored."""
    with pytest.raises(Disagreement):
        search._confirmed(Interpreter(toy_game()), "score_of_both", ())


def test_what_is_legal_is_not_refused() -> None:
    """A scenario that says the opposite fails."""
    assert not tried(f"{DECK}; seat 1 : not lay(6♠)").holds


X = Local("x", CARD)
EVERY = Parameter("x", "", Const(0b111111, CARDS), None, None, CARD)


def lemma_legs(statement: Apply) -> list[Verdict]:
    lemma, subject = Lemma("lemma", (EVERY,), statement), Subject(toy_spec(), Settings())
    return [leg.verdict for _, leg in lemma_evidence(subject, lemma).legs]


def test_a_lemma_that_says_nothing_is_unknown() -> None:
    """Where the premise never holds; a lemma that does not hold is refuted by both legs."""
    beats = Call("beats", (X, X), BOOL)
    assert lemma_legs(op("implies", op("!=", X, X), beats)) == [Verdict.UNKNOWN]
    assert lemma_legs(op("not", beats)) == [Verdict.ENUMERATED, Verdict.PROVED]
    assert lemma_legs(op("==", X, Const(2, CARD))) == [Verdict.REFUTED, Verdict.REFUTED]


def test_a_lemma_that_the_solver_gives_up_is_unknown() -> None:
    """With the solver's reason, and the sizes at which it gave up."""
    assert _solved(lemmas.Unknown("canceled", 5, (1, 2))) == replace(UNKNOWN, detail="canceled at sizes (1, 2)")
    assert _solved(lemmas.Unknown("canceled", 5, ())) == replace(UNKNOWN, detail="canceled")


def test_functions_of_an_engine_are_compared_by_themselves() -> None:
    """Without a play: a wrong sum differs on some of its arguments."""
    source = export_python(toy_game(), spec_hash="0" * 64)
    wrong = source.replace("11 * (s & 0x24)", "10 * (s & 0x24)")
    assert wrong != source
    for text, differing in ((source, []), (wrong, ["function points"])):
        checks = compare_functions(load_engine(text), toy_game(), 200, 1)
        assert [c.name for c in checks if c.differences] == differing


def test_a_length_that_is_given_up_has_no_bound() -> None:
    """When the solver decides nothing any more, what was seen is not what is proved."""
    found = prover(heap().game)
    found.rlimit = 1
    assert found.ranges()["take"].hi is None


def test_a_number_that_does_not_grow_bounds_no_match() -> None:
    """What is left of the heap has a bound, but no deal adds to it."""
    assert prover(heap().game).most_deals(CellRead("left_over", None, NAT)) is None


def test_a_match_that_ends_late_is_not_endless() -> None:
    """Deals that can be played again up to the hundredth are not repeated for ever."""
    assert endless(Subject(heap("deals == 0"), FEW)) is not None
    assert endless(Subject(heap("deals >= 100"), FEW)) is None


def test_a_deal_of_the_fast_machine_is_replayed() -> None:
    """One that says to end elsewhere than the interpreter's run does is refused."""
    game = heap().game
    deal = next(iter(ends_plays.extreme_deals(game, 1)))
    assert ends_plays.confirmed(game, deal)
    with pytest.raises(Disagreement):
        ends_plays.confirmed(game, replace(deal, positions=deal.positions[:1]))


# --- keys ------------------------------------------------------------------------------------------------------------


def key(text: str = TINY, settings: Settings = FEW) -> str:
    subject = Subject(tiny(text), settings)
    (work,) = [w for w in works(subject.spec, settings) if w.serves == ("aces",)]
    (found,) = Keys(subject).of(work).values()
    return found


def test_a_key_names_what_its_result_depends_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """The slice, with what is called from it, the settings and the tool; and nothing that is only told."""
    here = key()
    assert here == key(TINY.replace("game tiny {", "\n\ngame tiny {"))
    assert here != key(TINY.replace("rank(x) == A implies", "rank(x) == Q implies"))
    assert here != key(TINY.replace("rank(x) above rank(y) in high", "rank(y) above rank(x) in high"))
    assert here != key(settings=replace(FEW, budget=FEW.budget + 1))
    monkeypatch.setattr(kept, "tool", lambda: ("another tool",))
    assert here != key()


def test_what_is_only_told_by_name() -> None:
    """These fields and no others are left out of keys."""
    assert {(kind.__name__, name) for kind, name in TOLD} == {
        ("Game", "titles"),
        ("Game", "terms"),
        ("Game", "citations"),
        ("Game", "orders"),
        ("OptionDecl", "text"),
        ("Announce", "label"),
    }


def test_a_slice_has_what_is_called_from_what_is_called() -> None:
    """`captures` calls `beats`."""
    pair = Call("captures", (Local("r", CARD), Local("g", CARD)), BOOL)
    assert set(called(toy_game(), [pair])) == {"captures", "beats"}


def test_a_work_that_is_not_known_of_has_no_key() -> None:
    """Nothing is kept of a work of another kind."""
    assert Keys(Subject(tiny(), FEW)).of(Work("something else", (), ("aces",))) == {}
