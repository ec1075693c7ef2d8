"""One code of the registry, and the frames in which the examples stand."""

from dataclasses import dataclass, field

GAME = """\
language 1
game sample {
  deck suits ♠, ♥ ranks 6, 10, A
  seats 2
  zone stock seen by nobody
  zone hand[s : Seat] seen by {s}
  zone open_cards seen by all
  state opener : Seat = seat 1
  phase match { repeat { run deal } until true end }
  phase deal {
    gather pack into stock
    draw 1 from stock to hand[opener]
    ask opener to lead { may play(c in hand[opener]) { move {c} from hand[opener] to open_cards } }
STATEMENTS  }
  outcome(s) = neither
ITEMS}
"""


@dataclass(frozen=True, slots=True)
class Code:
    """``example`` is the smallest text with this error; ``«…»`` marks the place that the error names.

    ``frame`` says where the example stands: it is a whole ``file``, or ``items`` of the game above, or ``statements``
    of its phase `deal`. ``files`` are the modules that it uses, by name, and the tables beside it, by file name; the
    mark may stand in one of them. An ``example`` that is empty means an error of a file, not of its text.
    """

    title: str
    explanation: str
    example: str
    frame: str = "items"
    files: dict[str, str] = field(default_factory=dict)

    def text(self) -> str:
        """The whole spec, with the marks."""
        indented = "".join(f"  {line}\n" for line in self.example.splitlines())
        match self.frame:
            case "file":
                return self.example
            case "items":
                return GAME.replace("STATEMENTS", "").replace("ITEMS", indented)
            case _:
                return GAME.replace("STATEMENTS", indented.replace("  ", "    ", 1)).replace("ITEMS", "")


def file_of(name: str) -> str:
    """The file of a key of ``Code.files``: of a module, or a table, whose name has its ending already."""
    return name if "." in name else f"{name}.kozel"
