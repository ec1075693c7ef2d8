"""That every option, every clause and every premise is met in some play; and what is said of those that are not."""

from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import random_play
from kozel_verify.model.load import Spec, load_text
from kozel_verify.verify.coverage import coverage_evidence
from kozel_verify.verify.coverage_clauses import Clauses
from kozel_verify.verify.coverage_options import Run, parted
from kozel_verify.verify.coverage_trace import Trace, Tracer, apart
from kozel_verify.verify.findings import Leg, Verdict
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.subject import Subject
from tests.cli.run import SMALL

FEW = Settings(coverage_plays=20)
NOBODY = ["mood = calm makes no difference to anybody", "mood = wild makes no difference to anybody"]
READ = SMALL.replace("played += 1", "played += if mood == calm then 1 else 2")


def spec(*changes: tuple[str, str], items: str = "") -> Spec:
    """The small game with each text, which must be there once, replaced by another, and with further items."""
    text = READ
    for old, new in changes:
        assert text.count(old) == 1, f"{text.count(old)} times: {old}"
        text = text.replace(old, new)
    return load_text(text.rstrip()[:-1] + items + "\n}\n", "small.kozel")


def leg(loaded: Spec) -> Leg:
    ((name, found),) = coverage_evidence(Subject(loaded, FEW)).legs
    assert name == "options_covered"
    return found


def missed(loaded: Spec) -> list[str]:
    """What the leg says is not met, without the places."""
    found = leg(loaded)
    assert found.verdict is Verdict.UNKNOWN and found.cases is not None and found.holds is not None
    listed = found.detail.split(": ", 1)[1].split("; ")
    assert len(listed) == found.cases - found.holds
    return [text.split(": ", 1)[1] for text in listed]


def test_a_game_of_which_all_is_met_is_covered() -> None:
    """Seven values of options, and each verb, branch and case; where the options make a difference is told."""
    found = leg(spec())
    assert found.verdict is Verdict.PROVED and found.cases == found.visited == found.holds
    assert found.detail.startswith("7 values of options, ") and "0 premises" in found.detail
    assert "opener = seat 2: " in found.detail and "mood = wild: " in found.detail


def test_an_option_that_nothing_reads_is_reported() -> None:
    """By place, with each of its values."""
    assert missed(load_text(SMALL, "small.kozel")) == [
        "mood = calm makes no difference to anybody: no rule reads it",
        "mood = wild makes no difference to anybody: no rule reads it",
    ]
    assert "small.kozel:8:3: mood = calm" in leg(load_text(SMALL, "small.kozel")).detail


def test_an_option_that_is_read_without_effect_is_reported() -> None:
    """That a rule reads it is not enough."""
    same = spec(("if mood == calm then 1 else 2", "if mood == calm then 1 else 1"))
    assert missed(same) == NOBODY


def test_a_value_that_the_constraints_exclude_is_no_case() -> None:
    """Where it is excluded whatever the other options are; a value that only some of them exclude is wanted."""
    found = leg(spec(items="  constraint bonus in {0, 1}"))
    assert found.verdict is Verdict.PROVED and found.detail.startswith("6 values of options, ")
    with_others = leg(spec(items="  constraint mood == calm or bonus == 1"))
    assert with_others.verdict is Verdict.PROVED and with_others.detail.startswith("7 values of options, ")
    still = spec(("if mood == calm then 1 else 2", "1"), items="  constraint bonus in {0, 1} and mood == calm")
    assert missed(still) == ["mood = calm makes no difference to anybody: no rule reads it"]


def test_a_clause_behind_an_impossible_condition_is_reported() -> None:
    """With its place and its text; the other side is covered."""
    cut = spec(("played += if", "if |hand[seat 1]| > 5 { points[seat 1] += 1 }\n    played += if"))
    assert missed(cut) == ["`|hand[seat 1]| > 5` holds"]


def test_a_verb_that_is_never_legal_is_reported() -> None:
    """Its block stands behind it."""
    assert missed(spec(("may keep { }", "may keep { }\n        may shout when |stock| > 5 { }"))) == [
        "`shout` is chosen"
    ]


def test_a_case_that_never_applies_is_reported() -> None:
    """Of a function that the rules reach; a function that only properties call is no rule."""
    never = "function extra(n : 0..6) : 0..2 = cases { when n > 5 -> 2 when n == 1 -> 1 else 0 }"
    reached = spec(
        ("points[s] += bonus", "points[s] += bonus + extra(|table[s]|)"), ("const worth", f"{never}\n  const worth")
    )
    assert missed(reached) == ["`n > 5` holds", "`n == 1` does not hold"]
    only_told = spec(items=f"  {never}\n  example extra(1) == 1")
    assert leg(only_told).verdict is Verdict.PROVED


def test_what_an_expectation_evaluates_is_not_play() -> None:
    """A scenario that asks for a value of a function does not make its cases fire."""
    never = "function extra(n : 0..6) : 0..2 = cases { when n > 5 -> 2 else 0 }"
    reached = spec(
        ("points[s] += bonus", "points[s] += bonus + extra(|table[s]|)"),
        ("const worth", f"{never}\n  const worth"),
        ("expect points[seat 1] == 1 and played == 2", "expect extra(6) == 2"),
        items="  invariant wide : extra(6) == 2",
    )
    assert missed(reached) == ["`n > 5` holds"]


def test_a_premise_that_is_never_true_is_reported() -> None:
    """An invariant that holds because its premise never does says nothing."""
    hollow = spec(items="  invariant hollow at turn : |hand[s]| > 1 implies played == 7")
    assert missed(hollow) == ["`hollow`: `|hand[s]| > 1` holds"]
    sound = spec(items="  invariant sound at turn : every t in Seat : |hand[t]| > 0 implies |hand[t]| == 1")
    assert leg(sound).verdict is Verdict.PROVED


def test_a_premise_of_a_step_is_looked_for_in_steps() -> None:
    """Claims about steps are evaluated with the state before, at the steps that they name."""
    sound = "step sound from turn by lay(c) : c in old(hand[seat 1]) implies c not in hand[seat 1]"
    assert leg(spec(items=f"  {sound}")).verdict is Verdict.PROVED
    hollow = "step hollow from turn by lay(c) : |old(hand[seat 1])| > 3 implies played == 7"
    assert missed(spec(items=f"  {hollow}")) == ["`hollow`: `|old(hand[seat 1])| > 3` holds"]


def test_ways_to_a_dead_clause_are_not_wanted() -> None:
    """What the spec calls dead is another obligation's."""
    dead = spec(("played += if", "if |hand[seat 1]| > 5 { dead no_such_hand }\n    played += if"))
    assert leg(dead).verdict is Verdict.PROVED


def test_a_condition_that_reads_nothing_is_no_clause() -> None:
    """It is decided before play."""
    fixed = spec(("played += if", "if worth == 4 { points[seat 1] += 1 }\n    played += if"))
    assert leg(fixed).verdict is Verdict.PROVED


def test_what_a_constant_excludes_is_no_clause() -> None:
    """What a module has for other games stands behind a predicate that is plainly false here; one that is true bars
    nothing."""
    excluded = "if special() { if |hand[seat 1]| > 5 { points[seat 1] += 1 } }\n    played += if"
    assert leg(spec(("played += if", excluded), items="  predicate special() = false")).verdict is Verdict.PROVED
    met = missed(spec(("played += if", excluded), items="  predicate special() = true"))
    assert met == ["`|hand[seat 1]| > 5` holds"]


def test_a_scenario_covers_what_random_matches_miss() -> None:
    """A scenario that begins in the middle covers, and what only such scenarios cover is told apart."""
    rare = ("repeat { run deal }", "repeat { run deal if points[seat 1] > 40 { points[seat 2] += 1 } }")
    assert missed(spec(rare)) == ["`points[seat 1] > 40` holds"]
    late = '  scenario "late" { start at deal.end set points[seat 1] = 41 draw 6♠ expect points[seat 2] == 1 }'
    found = leg(spec(rare, items=late))
    assert found.verdict is Verdict.PROVED
    assert "only in scenarios that begin in the middle: small.kozel:" in found.detail


def test_the_tracing_interpreter_plays_as_the_reference() -> None:
    """The same record, step for step."""
    game = spec().game
    for seed in range(3):
        plain = random_play(Interpreter(game), seed, until="match")
        assert random_play(Tracer(apart(game), {}, Trace()), seed, until="match") == plain


def test_where_a_run_parts() -> None:
    """At the first thing that is not the same; under the same options never."""
    game = spec().game
    options = dict(Interpreter(game).options)
    run = Run(options, None, random_play(Interpreter(game), 2, until="match").outcomes, "here")
    assert parted(game, run, options) is None
    assert parted(game, run, {**options, "opener": 1}) == "who is asked at `deal.turn`"


def hidden(*more: tuple[str, str]) -> Spec:
    """The option is only written, into a cell that nobody sees."""
    noted = ("state played : Nat = 0", "state played : Nat = 0  state noted : 0..2 = 0 seen by nobody")
    return spec(noted, ("played += if mood == calm then 1 else 2", f"played += 1{WRITE}"), *more)


WRITE = "\n    noted := if mood == calm then 1 else 2"


def test_what_nobody_can_notice_is_no_difference() -> None:
    """A cell that nobody sees and nothing reads may be what it likes."""
    assert missed(hidden()) == NOBODY


def test_what_is_hidden_at_first_is_followed_until_it_shows() -> None:
    """By what a deal is worth, by what is announced, by what may be chosen."""
    worth = leg(hidden(("gain(s) = points[s]", "gain(s) = points[s] + noted")))
    assert worth.verdict is Verdict.PROVED and "what the deal is worth at `deal.end` is not as with" in worth.detail
    told = leg(hidden((WRITE, f"{WRITE}\n    announce noted as note_of_it")))
    assert told.verdict is Verdict.PROVED and "what is told after `deal.turn` is not as with" in told.detail
    asked = leg(hidden(("may keep { }", "may keep when noted < 2 { }")))
    assert asked.verdict is Verdict.PROVED and "what may be chosen at `deal.turn` is not as with" in asked.detail


def test_gain_and_loss_count_only_by_their_difference() -> None:
    """What adds the same to both is noticed by nobody."""
    both = ("gain(s) = points[s]", "gain(s) = points[s] + noted  loss(s) = noted")
    assert missed(hidden(both)) == NOBODY


def test_a_run_that_stops_before_a_difference_shows_is_played_on() -> None:
    """A scenario may end before the end of its deal."""
    early = (WRITE, ""), ("gather pack into stock", f"gather pack into stock{WRITE}")
    game = hidden(("gain(s) = points[s]", "gain(s) = points[s] + noted"), *early).game
    options = dict(Interpreter(game).options)
    whole = random_play(Interpreter(game), 2, until="deal").outcomes
    short = Run({**options, "mood": 1}, None, whole[:-1], "here")
    assert parted(game, short, {**options, "mood": 0}) == "what the deal is worth at `deal.end`"


def test_copies_of_a_place_are_one_clause() -> None:
    """A loop that is written out for each seat has one condition with two sides."""
    loaded = spec()
    clauses = Clauses(apart(loaded.game), loaded.program.files).all()
    assert [c.text for c in clauses if "table[s]" in c.text] == [
        "`|table[s]| == 1` holds",
        "`|table[s]| == 1` does not hold",
    ]
