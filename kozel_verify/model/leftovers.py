"""What players' words are left of things that a variant has taken away."""

from collections.abc import Iterable

from kozel_verify.language import syntax as s


def without_leftovers(items: list[s.Item], before: Iterable[s.Item], own: str) -> list[s.Item]:
    """The items without each `term` for a name that nothing has any more, where something of ``before`` that is no
    longer there had it. A `term` in the file ``own`` stays, and so does one for a name that nothing ever had: those
    are errors."""
    kept = {id(item) for item in items}
    gone = names_said(item for item in before if id(item) not in kept)
    terms = {str(i.name) for i in items if isinstance(i, s.Term) and i.span.file != own and i.name in gone}
    lost = terms - {str(getattr(item, "name", "")) for item in items if not isinstance(item, s.Term)}
    if lost:  # verbs, questions and variables are found only by a walk over everything
        lost -= names_said(items)
    return [i for i in items if not (isinstance(i, s.Term) and i.span.file != own and i.name in lost)]


def names_said(items: Iterable[s.Item]) -> set[str]:
    """All names in the items but in their `term`s."""
    found = (x for i in items if not isinstance(i, s.Term) for x in s.parts(i))
    return {str(x) for x in found if isinstance(x, s.Word)}
