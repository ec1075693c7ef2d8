"""The shipped game for points with a fault planted in its text."""

import shutil
from pathlib import Path

from kozel_verify.model.load import Spec, load

SPECS = Path(__file__).parents[2] / "spec"
GAME, TRICK, STOCK = "kozel_shokha.kozel", "lib/group_trick.kozel", "lib/stock_game.kozel"
SIDES = "lib/two_sides.kozel"
Change = tuple[str, str, str]  # file, the text to replace, what comes instead


def planted(folder: Path, *changes: Change) -> Spec:
    """The game from a copy of its files in which each text, which must be there once, is replaced."""
    shutil.copy(SPECS / GAME, folder)
    shutil.copytree(SPECS / "lib", folder / "lib")
    for file, old, new in changes:
        path = folder / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{file} has {text.count(old)} times: {old}"
        path.write_text(text.replace(old, new), encoding="utf-8")
    return load(folder / GAME)
