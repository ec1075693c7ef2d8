"""Claims about steps and menus, from the text to the run that refutes them."""

import pytest

from kozel_verify.exhaustive.closure import StateCheck, StepCheck, Violation
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import random_play
from kozel_verify.interpret.state import Chance, Choice
from kozel_verify.model.core import Ask, Scenario
from kozel_verify.model.load import Spec, load_text
from kozel_verify.verify import wiring
from kozel_verify.verify.closures import closure_evidence
from kozel_verify.verify.confirm import Disagreement, confirmed
from kozel_verify.verify.findings import Counterexample, Verdict
from kozel_verify.verify.hunt import replayed
from kozel_verify.verify.plays import plays_evidence
from kozel_verify.verify.probes import probe_for
from kozel_verify.verify.run import wanted
from kozel_verify.verify.scenarios import replay_scenario
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.subject import Subject
from kozel_verify.verify.wiring import FAULTS, checks_of, close_pack
from tests.cli.run import SMALL

RIGHT = {
    "laid": "step laid from turn by lay(c) to turn : c in old(hand[s]) and c in table[old(s)]",
    "dealt": "step dealt from dealing : |old(stock)| == |stock| + 1",
    "kept": "step kept from turn by keep : every s in Seat : old(hand[s]) == hand[s] or |stock| == |pack|",
    "lays": "menu lays at turn : lay(c) when c in hand[s]",
    "keeps": "menu keeps at turn : keep when |hand[s]| == 1",
}
WRONG = {
    "laid_elsewhere": "step laid_elsewhere from turn by lay(c) to turn : c in table[s]",
    "stays": "step stays from turn to turn : s == old(s)",
    "nothing_dealt": "step nothing_dealt from dealing to dealing : |old(stock)| == |stock|",
    "lays_less": "menu lays_less at turn : lay(c) when c in hand[s] and c != 6♠",
    "lays_more": "menu lays_more at turn : lay(c) when c in hand[s] union table[left(s)]",
    "never_keeps": "menu never_keeps at turn : keep when false",
}
ALL = RIGHT | WRONG


def spec(*items: str) -> Spec:
    return load_text(SMALL.rstrip()[:-1] + "\n".join(items) + "\n}\n", "small.kozel")


def subject(*items: str) -> Subject:
    return Subject(spec(*items), Settings(plays=8, witness_plays=5))


def test_what_is_wanted() -> None:
    """Each of them is an obligation of its own kind, however many meanings it has."""
    kinds = {w.name: w.kind.value for w in wanted(spec(*ALL.values()))}
    assert {kinds[n] for n in ("laid", "dealt", "kept", "stays")} == {"step"}
    assert {kinds[n] for n in ("lays", "keeps", "lays_more")} == {"menu"}


def test_the_closure_of_a_small_pack() -> None:
    """True claims hold in the whole state space, false ones are refuted; on the interpreter alone the same is found."""
    interpreter = Interpreter(subject(*ALL.values()).small("tiny"))
    closure = close_pack(interpreter, 10_000)
    assert set(closure.violations) == set(WRONG)
    assert closure == close_pack(interpreter, 10_000, reference=True)


def test_a_menu_of_many_choices_is_only_sampled() -> None:
    """Where a small pack has too many groups for all of them to be tried, the closure shows a sample, whatever the
    states; with a bound in the statement it shows the whole.."""
    rules = """language 1
game g {
  deck suits ♠, ♥ ranks 6, 7, 8, 9, 10, J, Q, K, A
  seats 2
  zone stock seen by nobody
  zone hand[s : Seat] seen by {s}
  zone laid seen by all
  phase match { repeat { run deal } until true end }
  phase deal {
    gather pack into stock
    draw 2 from stock to hand[seat 1]
    ask seat 1 to turn { may lay(g : 1..2 of hand[seat 1]) { move g from hand[seat 1] to laid } }
  }
  outcome(s) = neither
  pack most { cards pack without {A♥} }
  menu bounded at turn : lay(g) when g within hand[seat 1] and |g| >= 1
  menu loose at turn : lay(g) when (every c in g : c in hand[seat 1]) and |g| in 1..2
  menu wrong at turn : lay(g) when (every c in g : c in hand[seat 1]) and |g| == 1
}
"""
    about = Subject(load_text(rules), Settings())
    closure = close_pack(Interpreter(about.small("most")), 10_000)
    assert closure.undecided == {"loose", "wrong"} and set(closure.violations) == {"wrong"}
    assert closure == close_pack(Interpreter(about.small("most")), 10_000, reference=True)
    found = closure_evidence(about, "most", {})
    assert [legs(found, n) for n in ("bounded", "loose", "wrong")] == [
        [Verdict.CLOSED], [Verdict.SAMPLED], [Verdict.REFUTED]]  # fmt: skip


def legs(found: object, name: str) -> list[Verdict]:
    return [leg.verdict for n, leg in found.legs if n == name]  # type: ignore[attr-defined]


@pytest.mark.parametrize("pack", ["tiny", ""])
def test_evidence(pack: str) -> None:
    """A closure and random plays of the full pack bring a leg for each, and for false ones a run that replays."""
    about = subject(*ALL.values())
    found = closure_evidence(about, pack, {"bonus": 1, "opener": 0, "mood": 0}) if pack else plays_evidence(about)
    good = Verdict.CLOSED if pack else Verdict.SAMPLED
    assert [legs(found, n) for n in RIGHT] == [[good]] * len(RIGHT)
    assert [legs(found, n) for n in WRONG] == [[Verdict.REFUTED]] * len(WRONG)
    shown = dict(found.counterexamples)
    assert set(shown) == set(WRONG)
    for name, example in shown.items():
        interpreter = Interpreter(about.small(pack) if pack else about.game, example.options)
        assert example.confirmed and example.run is not None and example.scenario
        assert replayed(interpreter, example.run, probe_for(interpreter, name)) is not None


def shown(name: str) -> Counterexample:
    """The counterexample of the closure to one claim."""
    found = closure_evidence(subject(ALL[name]), "tiny", {"bonus": 1, "opener": 0, "mood": 0})
    return dict(found.counterexamples)[name]


def test_a_step_in_words() -> None:
    """The run ends with the offending step; it is told, with the values before and after it that decide."""
    example = shown("laid_elsewhere")
    assert example.run is not None and isinstance(example.run[-1], Choice) and len(example.run) == 3
    assert example.explanation == (
        "the step from `deal.turn` breaks `laid_elsewhere`",
        "the step from `deal.turn` to `deal.turn`, where seat 1 chooses lay(6♠)",
        "`c in table[s]` does not hold: `c` is 6♠, `table[s]` is {}",
    )
    assert shown("stays").explanation[2] == "`s == old(s)` does not hold: `s` is seat 2, `old(s)` is seat 1"
    example = shown("nothing_dealt")
    assert example.run == (Chance(0),)
    assert example.explanation[1] == "the step from `deal.dealing` to `deal.dealing`, where 6♠ is drawn"


def test_a_choice_in_words() -> None:
    """The run leads to the question; the choice about which menu and claim differ is named, and why they do."""
    assert shown("lays_less").explanation == (
        "`lays_less` does not hold at `deal.turn`",
        "`lay(6♠)` is legal, and the claim does not say so",
        "`c != 6♠` does not hold: `c` is 6♠",
    )
    assert shown("lays_more").explanation[1:] == (
        "`lay(6♠)` is not legal, and the claim says that it is",
        "`c in hand[s] union table[left(s)]` holds: `c` is 6♠, `hand[s] union table[left(s)]` is {6♠, A♥}",
        "the rules refuse it:",
        "  6♠ is not to be had for `c`",
    )
    assert shown("never_keeps").explanation[1] == "`keep` is legal, and the claim does not say so"


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("lays_less", "  seat 1 : lay(6♠)"),
        ("lays_more", "  seat 2 : not lay(6♠)"),
        ("never_keeps", "  seat 1 : keep"),
        ("laid_elsewhere", "  seat 1 : lay(6♠)"),
    ],
)
def test_a_scenario_ends_with_what_offends(name: str, line: str) -> None:
    """The printed scenario has the choice that is in question, or the step, as its last line; and it holds."""
    block = shown(name).scenario
    assert block.splitlines()[-2] == line
    full = block.replace("deck 6♠ A♥", "deck 6♠ A♥ Q♠ A♠ 6♥ Q♥")
    loaded = spec(full)
    scenario = next(p for p in loaded.game.properties if isinstance(p, Scenario) and p.name == f"{name} fails")
    assert replay_scenario(loaded.game, scenario, loaded.program.files) is None


def test_a_statement_without_a_value_in_words() -> None:
    """A statement that has no value for some choice is refuted by it."""
    item = "menu odd at turn : lay(c) when only(table[s] union hand[s] without {c}) == c"
    found = closure_evidence(subject(item), "tiny", {"bonus": 1, "opener": 0, "mood": 0})
    lines = dict(found.counterexamples)["odd"].explanation
    assert any("it has no value" in line for line in lines)


def test_a_claim_with_several_meanings_is_confirmed_by_the_one_that_fails() -> None:
    """Where one name stands for two claims, a violation of either is replayed against that one."""
    again = "    for each s in Seat { ask s to turn { may keep { } } }\n    played += 1\n"
    twice = SMALL.replace("    played += 1\n", again)
    start, end = twice.index("  scenario"), twice.rindex("}")
    for item in ("menu a at turn : keep when s == seat 1", "step a from turn by keep to turn : s == seat 1"):
        game = load_text(twice[:start] + item + twice[end:], "small.kozel").small("tiny")
        interpreter = Interpreter(game)
        assert sum(p.name == "a" for p in game.properties) > 1
        closure = close_pack(interpreter, 10_000)
        assert set(closure.violations) == {"a"}
        assert closure == close_pack(interpreter, 10_000, reference=True)


def test_a_false_violation_is_refused() -> None:
    """Negative control: a closure that reports what the reference does not find is a fault of this program."""
    interpreter = Interpreter(subject(*RIGHT.values()).small("tiny"))
    closure = close_pack(interpreter, 10_000)
    run = ((-1, (0,)), (-1, (5,)))
    for name, told in (("lays", run), ("laid", (*run, (0, (0,))))):
        wrong = Violation(name, told, closure_node(interpreter), "")
        made = closure.__class__(**{f: getattr(closure, f) for f in closure.__slots__} | {"violations": {name: wrong}})
        with pytest.raises(Disagreement, match="does not show it"):
            confirmed(interpreter, checks_of(interpreter), FAULTS, made)  # type: ignore[arg-type]


def closure_node(interpreter: Interpreter) -> int:
    return next(n for n, node in enumerate(interpreter.game.nodes) if isinstance(node, Ask))


def test_remembered_claims_are_the_interpreters(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is remembered of a step or a menu is what is evaluated anew, also after forgetting."""
    game = spec(*ALL.values()).game
    interpreter = Interpreter(game)
    monkeypatch.setattr(wiring.Remembered, "ROOM", 2)
    kept = checks_of(interpreter)
    for seed in range(6):
        for step in random_play(interpreter, seed, until="match").steps:
            fresh = checks_of(interpreter)
            for old, new in zip(kept, fresh, strict=True):
                if isinstance(old, StepCheck) and isinstance(new, StepCheck):
                    arguments = (step.before, step.outcome, step.events, step.after)
                    assert old.holds(*arguments) == new.holds(*arguments)
                elif isinstance(old, StateCheck) and isinstance(new, StateCheck) and old.nodes is not None:
                    assert step.after.node not in old.nodes or old.holds(step.after) == new.holds(step.after)
