"""The page of what each game needs of the language, and of how much text each spec and module is.

From the texts in `spec/` alone: a construct is counted for a game when the game's own file or a module that it uses, of
its own or through others, has it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from kozel_verify.language import syntax as s
from kozel_verify.language.syntax.walk import parts
from kozel_verify.model.load import Spec, load
from tests.support.assumptions import games_in_order
from tests.support.cited import SPEC

_HEAD = """\
# What games need of the language

<!-- made by `python -m tests.support.pages` from `spec/`, not edited -->

[`language.md`](language.md) explains every construct. The games are in the order of their systems, see
[`assumptions.md`](assumptions.md); a row tells what a game uses, in its own file or in its modules, that none before
it does.
"""
WORDS = {  # node: what an author calls it; "" for what is in every game, or counted with something else
    s.Operation: "", s.Quantified: "", s.Name: "", s.Number: "",
    s.CardLiteral: "card literals", s.RankLiteral: "", s.SuitLiteral: "suit literals",
    s.Truth: "", s.Nothing: "`none`", s.SeatLiteral: "seat literals", s.Indexed: "", s.CallExpression: "",
    s.SetLiteral: "", s.Cases: "", s.Case: "", s.Circle: "", s.FirstExpression: "`first … clockwise`",
    s.MatchingExpression: "matchings", s.PlaceOf: "`place of … in`", s.Above: "`above … in`", s.OldExpression: "`old`",
    s.ShownExpression: "`shown`", s.NamedType: "", s.OptionalTypeName: "optional types", s.SetTypeName: "set types",
    s.RangeTypeName: "range types", s.InlineEnumeration: "enumerations in place",
    s.Text: "", s.Title: "", s.Term: "terms", s.Source: "sources", s.Argument: "", s.DeckOf: "",
    s.Seats: "", s.Pack: "smaller packs", s.Enumeration: "enumerations", s.Option: "options",
    s.OptionDefault: "other defaults of options", s.Constraint: "constraints on options", s.Order: "orders",
    s.Entry: "", s.Table: "tables", s.Constant: "constants", s.Family: "", s.ZoneOf: "", s.StateOf: "",
    s.ParameterOf: "", s.FunctionOf: "", s.ProcedureOf: "", s.Result: "", s.Replaceable: "`default` items",
    s.Need: "`need`", s.ExampleOf: "examples", s.GivenValue: "`given`", s.LemmaOf: "lemmas", s.ClaimOf: "",
    s.StepClaimOf: "`step` claims", s.ChoiceOf: "", s.MenuClaimOf: "`menu` claims", s.MeasureOf: "`measure`",
    s.SecretOf: "`secret`", s.CompiledOf: "`compiled`", s.TidingOf: "`told`", s.StepOf: "", s.ScenarioOf: "scenarios",
    s.Withdrawn: "`withdraw`", s.Use: "", s.Unit: "", s.BlockOf: "", s.PlaceName: "", s.Let: "`let`", s.AssignTo: "",
    s.MoveCards: "`move`", s.DrawCards: "", s.GatherPack: "`gather`", s.ShowCards: "`show`",
    s.AnnounceValue: "`announce`", s.BindingOf: "", s.VerbOf: "", s.AskSeat: "", s.ForEach: "`for`",
    s.Repeat: "`repeat … until`", s.While: "`while`", s.IfElse: "", s.Run: "", s.Leave: "`leave`", s.Again: "`again`",
    s.EndMatch: "`end match`", s.DeadClause: "`dead`",
}  # fmt: skip


def _constructs(node: object) -> Iterator[str]:
    """What a node is, in an author's words: itself, and what is special about it."""
    yield WORDS[type(node)]
    match node:
        case s.Operation(operator):
            yield f"`{operator}`"
        case s.Quantified(word):
            yield f"`{word} … in`"
        case s.Unit(kind):
            yield "variants" if kind == "variant" else ""
        case s.Use(_, arguments):
            yield "modules with parameters" if arguments else "modules"
        case s.ClaimOf(word) | s.Result(word):
            yield f"`{word}`"
        case s.Family():
            yield "families of zones and cells"
        case s.StateOf(seen=None, fresh=fresh) if fresh:
            yield f"cells new in each {fresh}"
        case s.DrawCards(name=name):
            yield "`draw`" if name is None else "`draw … as`"
        case s.AskSeat(_, secret):
            yield "secret questions" if secret else "questions"
        case s.BindingOf(_, size):
            yield "" if size is None else "choices of groups of cards"
        case s.ForEach(circle=s.Circle(after)):
            yield f"`for … clockwise {'after' if after else 'from'}`"
        case s.AssignTo(added=True):
            yield "`+=`"
        case s.StepOf(word):
            yield f"`{word}` in scenarios" if word in ("told", "end", "refuse") else ""
        case s.ProcedureOf(phase=phase):
            yield "phases" if phase else "procedures"
        case s.Cases(rows):
            yield "`cases`" if len(rows) > 1 else "`if … then … else`"
        case _:
            pass


@dataclass(frozen=True)
class _Written:
    """A game with the files that it is written in."""

    spec: Spec
    folder: Path

    @property
    def name(self) -> str:
        return self.spec.game.name

    @cached_property
    def files(self) -> dict[str, str]:
        """The name of each file from the folder `spec`, with its text."""
        return {
            Path(f).resolve().relative_to(self.folder).as_posix(): text for f, text in self.spec.program.files.items()
        }

    @cached_property
    def constructs(self) -> frozenset[str]:
        nodes = (x for unit in self.spec.program.units for x in parts(unit) if type(x) is not s.Word)
        return frozenset(c for x in nodes for c in _constructs(x) if c)


def page() -> str:
    return page_of([SPEC / f"{name}.kozel" for name in games_in_order()])


def page_of(paths: list[Path], folder: Path = SPEC) -> str:
    games = [_Written(load(path), folder) for path in paths]
    lines = [*_HEAD.split("\n"), "| game | adds |", "|---|---|"]
    known: frozenset[str] = frozenset()
    for game in games:
        lines.append(f"| {game.name} | {', '.join(sorted(game.constructs - known, key=_sorting)) or '–'} |")
        known |= game.constructs
    lines += ["", "## Lines", "", "Of each file, with citations and comments, and the games that use it.", ""]
    return "\n".join([*lines, *_sizes(games)]) + "\n"


def _sorting(construct: str) -> str:
    return construct.replace("`", "").lower()


def _sizes(games: list[_Written]) -> Iterator[str]:
    texts = {file: text for game in games for file, text in game.files.items()}
    users = {file: [game.name for game in games if file in game.files] for file in texts}
    yield "| file | lines | games |"
    yield "|---|---|---|"
    for file in sorted(texts, key=lambda f: (f.startswith("lib/"), f)):
        told = ", ".join(users[file]) if len(users[file]) < len(games) or len(games) == 1 else "all"
        yield f"| [`{file}`](../spec/{file}) | {texts[file].count(chr(10))} | {told} |"
    yield f"| together | {sum(text.count(chr(10)) for text in texts.values())} | |"
