"""The narrator's own words in each language. Words of a game come from its terms, never from here."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrases:
    """Patterns for ``str.format``; ``{cards}``, ``{zone}``, … are filled with texts."""

    everybody: str
    nobody: str
    family: str  # a member of a family of zones or cells
    move: str
    draw: str
    seen_by_all: str
    seen_by_nobody: str
    seen_by: str
    gathered: str
    shown: str
    told: str
    uncovered: str
    answered: str
    unseen: str  # cards that are not seen
    empty: str
    waiting: str
    you: str
    over: str
    results: tuple[str, str, str]
    stopped: dict[str, str]


ENGLISH = Phrases(
    everybody="all",
    nobody="nobody",
    family="{name} ({member})",
    move="{cards}: {source} {arrow} {target}",
    draw="drawn {cards}: {source} {arrow} {target}",
    seen_by_all="seen by all",
    seen_by_nobody="seen by nobody",
    seen_by="seen by {seats}",
    gathered="all cards are gathered: {zone}",
    shown="shown to {seats}: {cards}",
    told="told to {seats}: {label}: {value}",
    uncovered="{seats} can now see {zone}: {cards}",
    answered="{seat} has answered",
    unseen="{count} unseen",
    empty="nothing",
    waiting="{seat} is to choose: {node}",
    you="you are {seat}",
    over="the end",
    results=("has lost", "has neither won nor lost", "has won"),
    stopped={
        "stuck": "nothing is allowed here",
        "limit": "stopped after the given number of steps",
        "illegal": "not allowed",
        "fault": "the rules fail here",
    },
)

RUSSIAN = Phrases(
    everybody="все",
    nobody="никто",
    family="{name} ({member})",
    move="{cards}: {source} {arrow} {target}",
    draw="взято {cards}: {source} {arrow} {target}",
    seen_by_all="видят все",
    seen_by_nobody="не видит никто",
    seen_by="видит {seats}",
    gathered="все карты собраны: {zone}",
    shown="показано ({seats}): {cards}",
    told="объявлено ({seats}): {label}: {value}",
    uncovered="теперь видит {seats}: {zone}: {cards}",
    answered="{seat}: ответ дан",
    unseen="закрытых {count}",
    empty="ничего",
    waiting="выбирает {seat}: {node}",
    you="вы — {seat}",
    over="конец",
    results=("проигрыш", "ни выигрыш, ни проигрыш", "выигрыш"),
    stopped={
        "stuck": "здесь ничего нельзя сделать",
        "limit": "остановлено после заданного числа шагов",
        "illegal": "нельзя",
        "fault": "правила здесь не определены",
    },
)

PHRASES = {"en": ENGLISH, "ru": RUSSIAN}
