"""The page of differences, made from what is recorded of them and from the specs. Nothing is compared here."""

from collections.abc import Iterator

from kozel_verify.model.core import Game, OptionDecl
from kozel_verify.model.load import Spec
from tests.support.differences import EFFORT, Entry, Pair, pairs, record, spec_of

HEAD = f"""\
# What tells them apart

<!-- made by `python -m tests.support.pages` from `proofs/differences.json` and the specs, not edited -->

What a table notices of the other value of an option, or of a related game: `kozel diff` ([comparing.md](comparing.md))
for two values of an option, all other options at their defaults, and for pairs of games: those that stand below; what
was not compared yet is listed at the end. Of a game that is a variant only the options count here that its base does
not have, or has with other values. Each difference has a deal in which it shows, as a scenario of A, and the lines in
which that of B is another one. A test replays them all in both games. Looked at were {EFFORT.deals} random deals of the
full pack, and up to {EFFORT.states:,} states of each smaller one: that no difference was found is no proof that there
is none, unless it says so.

`python -m tests.support.differences` compares again; a comparison of another text of a spec is said to be one.
"""
SHOWN = 24  # lines of a play; a longer one is folded
LONGEST = 240  # characters of a clause


def page() -> str:
    return page_of(list(pairs()), record())


def page_of(wanted: list[Pair], known: dict[str, Entry]) -> str:
    lines, head = HEAD.split("\n"), ""
    for pair in wanted:
        if pair.key in known:
            here = f"## {pair.a}: `{pair.option}`" if pair.option else f"## {pair.a} and {pair.b}"
            if here != head:
                lines += [*_heading(pair, here), ""]
                head = here
            lines += [*_comparison(pair, known[pair.key]), ""]
    return "\n".join([*lines, *_missing([p for p in wanted if p.key not in known])]).rstrip() + "\n"


def _missing(left: list[Pair]) -> list[str]:
    if not left:
        return []
    names = dict.fromkeys(f"`{p.option}` of {p.a}" if p.option else f"{p.a} and {p.b}" for p in left)
    return ["## Not compared yet", "", *(f"- {name}" for name in names)]


def _heading(pair: Pair, head: str) -> Iterator[str]:
    yield head
    yield ""
    spec = _spec(pair.a)
    if pair.option:
        option = spec.game.options[pair.option]
        words = option.text.get("en", pair.option.replace("_", " "))
        places = ", ".join(_cited(spec, option))
        yield f"{words[:1].upper()}{words[1:]}" + (f" ({places})." if places else ".")
    else:
        yield f"A is {_title(spec.game)}, B is {_title(_spec(pair.b).game)}."


def _spec(name: str) -> Spec:
    found = spec_of(name)
    assert found is not None
    return found


def _title(game: Game) -> str:
    return f"`{game.name}` ({game.titles.get('en', game.name)}, {game.seats} seats)"


def _cited(spec: Spec, option: OptionDecl) -> tuple[str, ...]:
    return spec.game.citations.get((option.span.file, option.span.line), ())


def _comparison(pair: Pair, entry: Entry) -> Iterator[str]:
    if pair.option:
        a, b = (_value(_spec(pair.a).game, text) for text in pair.values)
        yield f"### {pair.values[0]} or {pair.values[1]}"
        yield ""
        yield f"A has {a}, B has {b}."
        yield ""
    if any(_spec(name).hash != hash_ for name, hash_ in entry["hashes"].items()):
        yield "**Compared were other texts of the specs**: what follows was found before their last change."
        yield ""
    yield from _found(pair, entry)


def _value(game: Game, text: str) -> str:
    word = game.terms.get(text, {}).get("en", "")
    return f"`{text}`" + (f", {word}" if word and word != text else "")


def _found(pair: Pair, entry: Entry) -> Iterator[str]:
    parting = entry["parting"]
    if entry["apart"]:
        yield f"They cannot be played side by side: {entry['apart']}."
    elif parting:
        yield f"**{_upper(parting['what'])}**. A: {parting['a']}. B: {parting['b']}. {_upper(_where(entry))}."
    elif entry["verdict"] == "equal":
        yield "Nobody can tell them apart in any play, proved."
    else:
        yield f"No difference was found, and none is excluded ({_looked(entry)})."
    yield from _list(entry)
    if entry["deals"] and len(entry["deals"]) > 1:
        yield from ("", *_deals(entry["deals"]))
    if parting:
        yield from ("", *_play(parting))
    if entry["changes"]:
        yield from ("", *_changes(entry["changes"]))


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _where(entry: Entry) -> str:
    parting, number = entry["parting"], len(entry["deals"])
    where = f"on the pack `{parting['pack']}`, " if parting["pack"] else ""
    when = f"in a match of {number} deals, " if number > 1 else ""
    how = "in a deal laid by hand, " if entry["laid"] else ""
    under = f"with {parting['setting']} on both sides, " if parting["setting"] else ""
    return f"{where}{when}{how}{under}at `{parting['node']}`"


def _looked(entry: Entry) -> str:
    deals = sum(row["deals"] for row in entry["looked"])
    states = sum(row["states"] for row in entry["looked"])
    return f"{deals:,} random deals, {states:,} states"


def _list(entry: Entry) -> Iterator[str]:
    """What else is known, as a list behind an empty line."""
    rows = [*entry["declared"], *_functions(entry), *_menus(entry)]
    if entry["alike"]:
        rows.append("the same in both: " + ", ".join(f"`{name}`" for name in entry["alike"]))
    if rows:
        yield ""
        yield from (f"- {row}" for row in rows)


def _functions(entry: Entry) -> Iterator[str]:
    for f in entry["functions"]:
        first = f": `{f['first']}`" if f["first"] else ""
        match f["verdict"]:
            case "counted" if f["differing"]:
                number = f"{f['differing']:,} of {f['cases']:,} situations"
                yield f"`{f['name']}` differs in {number} ({f['counted']}){first}"
            case "counted":
                yield f"`{f['name']}` is the same in all {f['cases']:,} situations ({f['counted']})"
            case "equal":
                yield f"`{f['name']}` is the same, proved by the solver ({f['counted']})"
            case "at least one":
                yield f"`{f['name']}` differs, found by the solver{first}"
            case _:
                yield f"`{f['name']}` was not compared: {f['reason']}"


def _menus(entry: Entry) -> Iterator[str]:
    kinds = {"stricter": "A is stricter", "laxer": "A is laxer", "other": "each allows something else"}
    for menu in entry["menus"]:
        told = [f"{text} in {menu[kind]:,}" for kind, text in kinds.items() if menu[kind]]
        yield f"choices at `{menu['node']}`: {', '.join(told)}, the same in {menu['same']:,} of the states visited"


def _deals(rows: list[dict[str, int]]) -> Iterator[str]:
    names = list(rows[0])
    yield f"| after deal, in A | {' | '.join(f'`{name}`' for name in names)} |"
    yield f"|---:|{'---:|' * len(names)}"
    for number, row in enumerate(rows, 1):
        yield f"| {number} | {' | '.join(str(row[name]) for name in names)} |"


def _changes(changes: list[Entry]) -> Iterator[str]:
    """Each changed clause with the smallest part that has changed on either side."""
    yield f"<details><summary>{len(changes)} clauses differ</summary>"
    yield from ("", "| clause | A | B |", "|---|---|---|")
    for change in changes:
        texts = [_code(change[side]) for side in "ab"]
        yield f"| `{change['name']}`{' (decisive in this play)' if change['decisive'] else ''} | {' | '.join(texts)} |"
    yield from ("", "</details>")


def _code(text: str | None) -> str:
    """A text in a cell of a table."""
    if text is None:
        return "none"
    cut = text if len(text) <= LONGEST else text[:LONGEST].rsplit(" ", 1)[0] + " …"
    return "`" + cut.replace("|", "\\|") + "`"


def _play(parting: Entry) -> Iterator[str]:
    """The scenario of A, and the lines in which that of B is another one."""
    first, second = (parting["scenarios"][side].rstrip("\n").split("\n") for side in "ab")
    folded = len(first) > SHOWN
    if folded:
        yield from ("<details><summary>the play</summary>", "")
    yield from ("```kozel scenario", *first, "```")
    if folded:
        yield from ("", "</details>")
    other = [line.strip() for line in second if line not in first and not line.startswith("scenario ")]
    if parting["alike"]:
        yield from ("", "This cannot be said in a scenario; it shows the play.")
    if other:
        yield from ("", "In B: " + ", ".join(f"`{line}`" for line in other) + ".")
