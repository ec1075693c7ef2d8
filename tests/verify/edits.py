"""One-clause edits of a spec: for every item of its program, the first few small changes that still mean a game."""

from collections.abc import Iterator
from dataclasses import replace

from kozel_verify.language.diagnostics import SpecError
from kozel_verify.model.elaborate import elaborate
from kozel_verify.model.load import Spec
from kozel_verify.verify.mutants import _Writer


def edits(
    spec: Spec, of_each: int = 1, small: bool = True, share: tuple[int, int] = (0, 1)
) -> Iterator[tuple[str, Spec]]:
    """What was changed, and the changed spec. Rules and properties alike.

    ``small``: its packs must mean games, too. ``share`` (i, n): of the items number i, i + n, … alone.
    """
    writer = _Writer(spec.program)
    first, step = share
    for position, item in list(enumerate(spec.program.items))[first::step]:
        made = 0
        for new, change in writer.item(item):
            items = (*spec.program.items[:position], new, *spec.program.items[position + 1 :])
            program = replace(spec.program, items=items)
            try:
                game = elaborate(program)
                edited = Spec(spec.path, program, game)
                for pack in spec.packs if small else ():
                    edited.small(pack)
            except SpecError:
                continue
            yield f"{change.span.line}: {change.text}", edited
            made += 1
            if made == of_each:
                break
