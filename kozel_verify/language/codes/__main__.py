"""Writes the page of error codes to the file that is named, or to standard output."""

import sys
from pathlib import Path

from kozel_verify.language.codes import markdown


def main(arguments: list[str]) -> int:
    if len(arguments) > 1:
        print("usage: python -m kozel_verify.language.codes [FILE]", file=sys.stderr)
        return 2
    if arguments:
        Path(arguments[0]).write_text(markdown(), encoding="utf-8", newline="\n")
    else:
        sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
        sys.stdout.write(markdown())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
