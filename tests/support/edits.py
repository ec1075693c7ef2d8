"""How the blocks of a page write its files: whole, by an addition at the end, or by a change of some lines.

A fence ```kozel NAME is a whole file. ```kozel NAME + goes in front of the last line of the file, which is the closing
brace of its unit. ```diff NAME changes lines: those that begin with a space or ``-`` must stand in the file, together
and once, and those with a space or ``+`` take their place.
"""

from pathlib import Path

ADDED = " +"


class NoPlace(Exception):
    """The page says to change what does not stand in the file, or stands there more than once."""


def written(kind: str, name: str, body: str, folder: Path) -> Path:
    """Do what one block says to a file in the folder."""
    path = folder / name.removesuffix(ADDED)
    if kind == "diff":
        text = changed(path.read_text(encoding="utf-8"), body)
    elif name.endswith(ADDED):
        text = added(path.read_text(encoding="utf-8"), body)
    else:
        text = body
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


def added(text: str, more: str) -> str:
    """The text with more in front of its last line."""
    if not text.endswith("\n}\n"):
        raise NoPlace("the file does not end with a closing brace on a line of its own")
    return f"{text[:-2]}{more}}}\n"


def changed(text: str, change: str) -> str:
    """The text with the change made."""
    lines = change.splitlines(keepends=True)
    if odd := [line for line in lines if line[0] not in " +-"]:
        raise NoPlace(f"a line of a change begins with a space, `+` or `-`: {odd[0]}")
    before = "".join(line[1:] for line in lines if line[0] != "+")
    after = "".join(line[1:] for line in lines if line[0] != "-")
    if not before or f"\n{text}".count(f"\n{before}") != 1:
        raise NoPlace(f"this does not stand in the file just once:\n{before}")
    return f"\n{text}".replace(f"\n{before}", f"\n{after}")[1:]
