"""The patterns of a page of rules in each language, for ``str.format``. Words of a game come from its spec, never from
here."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Language = Literal["en", "ru"]
LANGUAGES: tuple[Language, ...] = ("en", "ru")


@dataclass(frozen=True, slots=True)
class Phrases:
    """``operators``: by the operator's spelling, with its operands; ``quantified`` and ``says``: by a word for the
    construct."""

    operators: Mapping[str, str]
    quantified: Mapping[str, str]
    says: Mapping[str, str]
    types: Mapping[str, str]
    names: Mapping[str, str]
    ranks: Mapping[str, str]


ENGLISH = Phrases(
    operators={
        "implies": "if {0}, then {1}", "or": "{0} or {1}", "and": "{0} and {1}", "not": "not {0}", ">": "{0} > {1}",
        "==": "{0} = {1}", "!=": "{0} ≠ {1}", "<=": "{0} ≤ {1}", "<": "{0} < {1}", ">=": "{0} ≥ {1}",
        "in": "{0} is among {1}", "not in": "{0} is not among {1}", "within": "{0} is part of {1}",
        "is none": "there is no {0}", "is some": "there is {0}", "..": "{0}–{1}", "union": "{0} with {1}",
        "without": "{0} without {1}", "intersect": "what {0} and {1} share", "+": "{0} + {1}", "-": "{0} − {1}",
        "*": "{0} · {1}", "div": "{0} : {1} rounded down", "mod": "the rest of {0} : {1}", "size": "the number of {0}",
    },
    quantified={
        "every": "for every {name} of {domain}: {body}", "some": "for some {name} of {domain}: {body}",
        "those": "those {name} of {domain} for which {body}", "the": "the {name} of {domain} for which {body}",
        "sum": "the sum over {name} of {domain} of {body}", "top": "the {name} of {domain} with the greatest {body}",
    },
    says={
        "first": "the first {name} of {domain} clockwise {circle}", "where": "{0} for which {1}",
        "from": "from {0}", "after": "after {0}",
        "matching": "each of {targets} can be paired with one of {replies} ({by})",
        "place": "the place of {0} in {1}", "above": "{0} stands above {1} in {2}",
        "case": "if {0}: {1}", "otherwise": "else {0}", "if": "if {0}, then {1}, else {2}", "seat": "seat {0}",
        "family": "{0} of {1}", "call": "{0} ({1})", "none": "nothing", "true": "yes", "false": "no",
        "outcome": "outcome of {0}", "gain": "gain of {0}", "loss": "loss of {0}", "empty": "no cards",
        "let": "Let **{0}** be {1}.", "assign": "{0} becomes {1}.", "increase": "{0} grows by {1}.",
        "move": "{cards}: {source} → {target}.", "draw": "{count} at random: {source} → {target}{name}.",
        "called": " (**{0}**)", "gather": "All cards of the pack → {0}.", "show": "{0}: shown to {1}.",
        "announce": "Told to {to}: {label}{value}.", "label": "**{0}** — ",
        "ask": "**{node}**: {seat} chooses:", "ask_secretly": "**{node}**: {seat} chooses, in secret:",
        "may": "**{verb}**{what}{when}{then}", "may_one": " — {0} is one of {1}", "may_group": " — {0}: {1} of {2}",
        "when": ", if {0}", "stop": ".", "then": ". Then:",
        "each": "For each {name} of {domain}:", "each_circle": "For each {name} of {domain}, clockwise {circle}:",
        "repeat": "Again and again:", "until": "until {0}.", "while": "As long as {0}:", "if_block": "If {0}:",
        "else_block": "Else:", "run": "{0}.", "run_with": "{0}: {1}.", "leave": "{0} ends here.",
        "again": "{0} begins anew.", "end": "The game is over.", "dead": "This never happens.",
        "nothing": "Nothing more.",
        "cards": "Cards", "suits": "Suits: {0}.", "ranks": "Ranks: {0}.", "seats": "Seats: {0}.",
        "highest": "**{0}**, the highest first: {1}.",
        "options": "What a table may agree on", "option_head": "| | values | unless agreed otherwise | places |",
        "constraint": "Only such tables: {0}.", "zones": "What lies where",
        "zone_head": "| cards | who sees them | places |",
        "everybody": "all", "nobody": "nobody", "kept": "What is kept count of",
        "kept_head": "| | at first | who knows it | places |", "fresh": "{0}, anew with each {1}",
        "play": "How it goes", "means": "What the words mean", "results": "What counts in the end",
        "in_other": "else {0}",
        "result_outcome": "Outcome for {0}", "result_gain": "{0} gains", "result_loss": "{0} is charged",
        "made": "Made from `{0}` by `kozel rules`; places in brackets are lines of the sources and readings.",
    },
    types={"Bool": "yes or no", "Nat": "number", "Card": "card", "Cards": "cards", "Suit": "suit", "Rank": "rank",
           "Seat": "seat", "Outcome": "outcome"},
    names={"all": "all seats", "pack": "the pack", "Card": "all cards", "Suit": "all suits", "Rank": "all ranks",
           "Seat": "all seats", "left": "left of", "right": "right of", "rank": "rank", "suit": "suit", "won": "won",
           "lost": "lost", "neither": "neither", "only": "the only one of", "min": "the least of",
        "max": "the greatest of",
           "unserved": "seats still to come"},
    ranks={},
)  # fmt: skip

RUSSIAN = Phrases(
    operators={
        "implies": "если {0}, то {1}", "or": "{0} или {1}", "and": "{0} и {1}", "not": "неверно, что {0}",
        ">": "{0} > {1}", "==": "{0} = {1}", "!=": "{0} ≠ {1}", "<=": "{0} ≤ {1}", "<": "{0} < {1}", ">=": "{0} ≥ {1}",
        "in": "{0} есть среди: {1}", "not in": "{0} нет среди: {1}", "within": "всё из {0} есть среди: {1}",
        "is none": "{0} — нет", "is some": "{0} — есть", "..": "{0}–{1}", "union": "{0} вместе с {1}",
        "without": "{0} без {1}", "intersect": "общее у {0} и {1}", "+": "{0} + {1}", "-": "{0} − {1}",
        "*": "{0} · {1}", "div": "{0} : {1} без остатка", "mod": "остаток от {0} : {1}", "size": "число: {0}",
    },
    quantified={
        "every": "для каждого {name} из {domain} верно: {body}",
        "some": "хотя бы для одного {name} из {domain} верно: {body}",
        "those": "все {name} из {domain}, для которых {body}", "the": "тот {name} из {domain}, для которого {body}",
        "sum": "сумма по всем {name} из {domain}: {body}", "top": "{name} из {domain}, у которого больше всего {body}",
    },
    says={
        "first": "первый {name} из {domain} по часовой стрелке {circle}", "where": "{0}, для которого {1}",
        "from": "начиная с: {0}", "after": "после: {0}",
        "matching": "каждой карте из {targets} можно поставить в пару свою из {replies} ({by})",
        "place": "место {0} в порядке {1}", "above": "{0} старше {1} в порядке {2}",
        "case": "если {0}: {1}", "otherwise": "иначе {0}", "if": "если {0}, то {1}, иначе {2}", "seat": "место {0}",
        "family": "{0} ({1})", "call": "{0} ({1})", "none": "ничего", "true": "да", "false": "нет",
        "outcome": "исход ({0})", "gain": "прибыль ({0})", "loss": "убыток ({0})", "empty": "пусто",
        "let": "Пусть **{0}** — это {1}.", "assign": "{0} теперь: {1}.", "increase": "{0} растёт на {1}.",
        "move": "{cards}: {source} → {target}.", "draw": "{count} наугад: {source} → {target}{name}.",
        "called": " (**{0}**)", "gather": "Вся пачка → {0}.", "show": "Показать ({1}): {0}.",
        "announce": "Объявить ({to}): {label}{value}.", "label": "**{0}** — ",
        "ask": "**{node}**: выбирает {seat}:", "ask_secretly": "**{node}**: выбирает {seat}, тайно:",
        "may": "**{verb}**{what}{when}{then}", "may_one": " — {0}: одно из {1}", "may_group": " — {0}: {1} из {2}",
        "when": ", если {0}", "stop": ".", "then": ". Тогда:",
        "each": "Для каждого {name} из {domain}:",
        "each_circle": "Для каждого {name} из {domain}, по часовой стрелке, {circle}:",
        "repeat": "Снова и снова:", "until": "пока не станет верно: {0}.", "while": "Пока {0}:",
        "if_block": "Если {0}:",
        "else_block": "Иначе:", "run": "{0}.", "run_with": "{0}: {1}.", "leave": "{0}: здесь конец.",
        "again": "{0}: снова с начала.", "end": "Игра окончена.", "dead": "Так не бывает.", "nothing": "Больше ничего.",
        "cards": "Карты", "suits": "Масти: {0}.", "ranks": "Достоинства: {0}.", "seats": "Мест за столом: {0}.",
        "highest": "**{0}**, от старшей к младшей: {1}.",
        "options": "О чём договариваются", "option_head": "| | значения | если не договорились | места |",
        "constraint": "Только при таком уговоре: {0}.", "zones": "Что где лежит",
        "zone_head": "| карты | кто их видит | места |",
        "everybody": "все", "nobody": "никто", "kept": "Что запоминают",
        "kept_head": "| | сначала | кто это знает | места |", "fresh": "{0}, заново с каждым этапом {1}",
        "play": "Порядок игры", "means": "Что значат слова", "results": "Чем всё кончается", "in_other": "иначе {0}",
        "result_outcome": "Исход для {0}", "result_gain": "Прибыль для {0}", "result_loss": "Убыток для {0}",
        "made": "Страница сделана из `{0}` командой `kozel rules`; в скобках — строки источников и прочтения.",
    },
    types={"Bool": "да или нет", "Nat": "число", "Card": "карта", "Cards": "карты", "Suit": "масть",
        "Rank": "достоинство",
           "Seat": "место", "Outcome": "исход"},
    names={"all": "все места", "pack": "пачка", "Card": "все карты", "Suit": "все масти", "Rank": "все достоинства",
           "Seat": "все места", "left": "левый сосед", "right": "правый сосед", "rank": "достоинство", "suit": "масть",
           "won": "выигрыш", "lost": "проигрыш", "neither": "ни то ни другое", "only": "единственное из",
           "min": "меньшее из", "max": "большее из", "unserved": "чья очередь ещё впереди"},
    ranks={"A": "Т", "K": "К", "Q": "Д", "J": "В"},
)  # fmt: skip

PHRASES: Mapping[Language, Phrases] = {"en": ENGLISH, "ru": RUSSIAN}
