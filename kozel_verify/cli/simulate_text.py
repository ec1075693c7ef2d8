"""A sample of random plays as lines of text, and as data for JSON.

Interval ends are rounded away from the share or mean, so that what is printed is never narrower than what was computed;
JSON has eight digits.
"""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import ceil, floor, log10

from kozel_verify.interpret.text import value_text
from kozel_verify.model.types import Value
from kozel_verify.verify.intervals import LEVEL, Mean, Share, mean_of, wilson
from kozel_verify.verify.tally import Numbers, Tally, left_out

POLICY = "uniform: every legal choice has the same chance"
RESULTS = ("lost", "neither", "won")
Row = tuple[str, str, str, str, str]  # name, count, share, interval, how often


def lines_of(tally: Tally) -> Iterator[str]:
    """Nothing when there was no play."""
    if not tally.plays:
        return
    lengths = sorted(tally.decisions.elements())
    unit, units = tally.unit, "deals" if tally.unit == "deal" else "matches"
    counted = f"{tally.plays:,} {units}, " + (f"{tally.deals:,} deals, " if unit == "match" else "")
    yield f"{tally.game.name}: {counted}{tally.steps:,} steps, {sum(lengths):,} decisions"
    yield f"decisions a {unit}: least {lengths[0]}, median {lengths[len(lengths) // 2]}, most {lengths[-1]}"
    first = ", each the first of a match" if unit == "deal" else ""
    yield f"These are shares of {units}{first}, in uniformly random play: every legal choice has the same chance."
    level = f"{100 * LEVEL:.0f} %"
    yield f"People do not play like that. Intervals are of {level}: Wilson's for shares, Student's t for means."
    yield from _table(f"choices ({units} in which they are made):", _choices(tally))
    yield from _table(f"announcements ({units} in which they are made):", _announcements(tally))
    yield from _table(f"witnesses ({units} in which they hold):", _witnesses(tally))
    yield from _results(tally)
    yield from _numbers(tally)
    left = left_out(tally.game, unit)
    never = [name for name, counted in tally.witnesses.items() if not counted]
    if never and unit == "deal":
        yield f"in none of these deals: {', '.join(never)}"
        yield "  (some may need a later deal of a match: `--matches` plays those as well)"
    if left:
        yield f"about the end of a match, so without a row here: {', '.join(left)} (`--matches`)"


def _table(head: str, rows: Iterable[Row]) -> Iterator[str]:
    found = list(rows)
    if found:
        yield head
        yield from _aligned(found)


def _aligned(rows: list[Row]) -> Iterator[str]:
    """Names to the left, numbers to the right."""
    widths = [max(len(row[n]) for row in rows) for n in range(5)]
    for name, *cells in rows:
        texts = [text.rjust(width) for text, width in zip(cells, widths[1:], strict=True)]
        yield f"  {name.ljust(widths[0])}  {'  '.join(texts)}".rstrip()


# --- what has rows ----------------------------------------------------------------------------------------------------


def _choices(tally: Tally) -> Iterator[Row]:
    for (node, choice), counted in sorted(tally.chosen.items()):
        yield _event_row(tally, f"{node}: {choice}", counted)


def _announcements(tally: Tally) -> Iterator[Row]:
    for (label, value), counted in tally.announced.items():
        if not value or tally.announced[label, ""]:  # of what was never announced each value was not
            yield _event_row(tally, f"{label}: {value}" if value else label, counted)


def _witnesses(tally: Tally) -> Iterator[Row]:
    for name, counted in tally.witnesses.items():
        share = wilson(counted.total(), tally.plays)
        yield name, f"{share.count:,}", *percent(share), ""


def _event_row(tally: Tally, name: str, counted: Numbers) -> Row:
    share = wilson(counted.total(), tally.plays)
    mean = mean_of(tally.whole(counted))
    often = f"{_number(mean)} a {tally.unit}" if mean.most > 1 else ""
    return name, f"{share.count:,}", *percent(share), often


def _results(tally: Tally) -> Iterator[str]:
    yield "a deal is worth (gain - loss):" if tally.unit == "deal" else "the match is:"
    for seat, counted in enumerate(tally.payoffs):
        yield f"  seat {seat + 1}: mean {_number(mean_of(counted), 3)}" if counted else f"  seat {seat + 1}: nothing"
        yield from _aligned([_value_row(tally, _signed(value), counted[value]) for value in sorted(counted)])
    for seat, counted in enumerate(tally.outcomes):
        yield f"  seat {seat + 1}:"
        yield from _aligned([_value_row(tally, word, counted[value]) for value, word in enumerate(RESULTS)])


def _value_row(tally: Tally, name: str, count: int) -> Row:
    return f"  {name}", f"{count:,}", *percent(wilson(count, tally.plays)), ""


def _numbers(tally: Tally) -> Iterator[str]:
    if tally.numbers:
        yield f"numbers at the end of the {tally.unit}:"
    for name, counted in tally.numbers.items():
        mean = mean_of(counted)
        if mean.least == mean.most:
            yield f"  {name}: always {mean.least:,}"
        else:
            yield f"  {name}: mean {_number(mean, 3)}, least {mean.least:,}, most {mean.most:,}"


# --- numbers as text --------------------------------------------------------------------------------------------------


def percent(share: Share) -> tuple[str, str]:
    """The share and its interval, with so many places that three digits of the interval's width are shown."""
    places = max(1, 2 - floor(log10(100 * (share.high - share.low))))
    value = f"{100 * share.count / share.of:.{places}f} %" if 0 < share.count < share.of else _whole(share)
    low = _lower(100 * share.low, places) if share.low else "0"
    high = _upper(100 * share.high, places) if share.high < 1 else "100"
    return value, f"({low} to {high})"


def _whole(share: Share) -> str:
    return "100 %" if share.count else "0 %"


def _number(mean: Mean, places: int = 2) -> str:
    text = f"{mean.mean:.{places}f}"
    return f"{text} ({_lower(mean.low, places)} to {_upper(mean.high, places)})" if mean.shown else text


def _lower(number: float, places: int) -> str:
    return f"{floor(Fraction(number) * 10**places) / 10**places:.{places}f}"


def _upper(number: float, places: int) -> str:
    return f"{ceil(Fraction(number) * 10**places) / 10**places:.{places}f}"


def _signed(number: int) -> str:
    return f"{number:+d}" if number else "0"


# --- data -------------------------------------------------------------------------------------------------------------


def data_of(tally: Tally, options: Mapping[str, Value]) -> dict[str, object]:
    """The sample as JSON-able data; shares, means and intervals only where there was a play."""
    game = tally.game
    return {
        "name": game.name,
        "pack": game.pack_name,
        "options": {o.name: value_text(game, options[o.name], o.type) for o in game.options.values()},
        "policy": POLICY,
        "unit": tally.unit,
        "plays": tally.plays,
        "deals": tally.deals,
        "steps": tally.steps,
        "decisions": _histogram(tally.decisions),
        "verbs": _verbs(tally),
        "payoffs": [_histogram(worth) for worth in tally.payoffs],
        "intervals": {"level": LEVEL, "shares": "Wilson score", "means": "Student t"},
        **(_shares(tally) if tally.plays else {}),
        "left_out": left_out(game, tally.unit),
    }


def _shares(tally: Tally) -> dict[str, object]:
    outcomes = [
        {word: _share(wilson(counted[value], tally.plays)) for value, word in enumerate(RESULTS)}
        for counted in tally.outcomes
    ]
    return {
        "choices": [
            {"node": node, "choice": choice, **_event(tally, counted)}
            for (node, choice), counted in sorted(tally.chosen.items())
        ],
        "announcements": [
            {"label": label, "value": value or None, **_event(tally, counted)}
            for (label, value), counted in tally.announced.items()
        ],
        "witnesses": [
            {"name": name, **_share(wilson(counted.total(), tally.plays))} for name, counted in tally.witnesses.items()
        ],
        "worth": [_distribution(tally, counted) for counted in tally.payoffs if counted],
        "outcomes": outcomes,
        "numbers": [{"name": name, **_distribution(tally, counted)} for name, counted in tally.numbers.items()],
    }


def _event(tally: Tally, counted: Numbers) -> dict[str, object]:
    times = sum(number * plays for number, plays in counted.items())
    return {
        **_share(wilson(counted.total(), tally.plays)), "times": times, "mean": _mean(mean_of(tally.whole(counted))),
    }  # fmt: skip


def _distribution(tally: Tally, counted: Numbers) -> dict[str, object]:
    mean = mean_of(counted)
    rows = {str(value): _share(wilson(counted[value], tally.plays)) for value in sorted(counted)}
    return {"mean": _mean(mean), "least": mean.least, "most": mean.most, "values": rows}


def _share(share: Share) -> dict[str, object]:
    return {"count": share.count, "share": digits(share.share), "low": digits(share.low), "high": digits(share.high)}


def _mean(mean: Mean) -> dict[str, object]:
    low, high = (digits(mean.low), digits(mean.high)) if mean.shown else (None, None)
    return {"mean": digits(mean.mean), "low": low, "high": high}


def digits(number: float) -> float:
    """Eight digits: what is beyond them may differ between machines."""
    return float(f"{number:.8g}")


def _verbs(tally: Tally) -> dict[str, dict[str, int]]:
    """How often each verb was chosen, without those that never were."""
    found: dict[str, dict[str, int]] = {}
    for (node, choice), counted in sorted(tally.chosen.items()):
        times = sum(number * plays for number, plays in counted.items())
        if times and " " not in choice:  # else it has arguments
            found.setdefault(node, {})[choice] = times
    return found


def _histogram(numbers: Numbers) -> dict[str, int]:
    return {str(number): times for number, times in sorted(numbers.items())}
