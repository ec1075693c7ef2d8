"""The names that the language gives a meaning to, each in two spellings; trees have the English one."""

RUSSIAN = {
    # functions
    "suit": "масть", "rank": "ранг", "left": "слева", "right": "справа", "only": "только", "unserved": "оставшиеся",
    "min": "меньшее", "max": "большее", "viewers": "зрители", "heard": "слышит",
    # types
    "Bool": "Логическое", "Nat": "Число", "Card": "Карта", "Cards": "Карты", "Suit": "Масть", "Rank": "Ранг",
    "Seat": "Место", "Outcome": "Исход",
    # values
    "spades": "пики", "clubs": "трефы", "diamonds": "бубны", "hearts": "черви", "all": "все", "nobody": "никто",
    "lost": "поражение", "neither": "ничья", "won": "победа",
}  # fmt: skip
RESULTS = frozenset({"lost", "neither", "won"})  # only where a result is wanted: elsewhere a game may use these names
_ENGLISH = {russian: english for english, russian in RUSSIAN.items()}
MEANT = {"достоинство": "ранг", "номинал": "ранг", "Достоинство": "Ранг", "Номинал": "Ранг", "крести": "трефы"}
"""What people write for some of them."""


def canonical_name(text: str) -> str:
    """The English spelling of a name that the language gives a meaning to; any other name as it is."""
    return text if text.isascii() else _ENGLISH.get(text, text)
