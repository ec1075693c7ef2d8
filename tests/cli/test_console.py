"""Text for streams of every encoding, and progress."""

import io
import json

import pytest

from kozel_verify.cli import console
from kozel_verify.language.folders import data_folder


def stream(encoding: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding=encoding)


@pytest.mark.parametrize(
    "encoding, shown",
    [
        ("utf-8", "10♠ → hand — «рука»"),
        ("ascii", '10S > hand - "????"'),
        ("cp1251", "10S > hand — «рука»"),
        ("koi8-r", '10S > hand - "рука"'),
    ],
)
def test_nearest_likeness(encoding: str, shown: str) -> None:
    """What a stream cannot show is replaced, each character by one, so that marks below stay in place."""
    text = "10♠ → hand — «рука»"
    assert console.shown_as(text, stream(encoding)) == shown
    assert len(shown) == len(text)


def test_nothing_steers_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever a file is called, a line shows no control character and no mark that turns the order of letters; line
    breaks, tabs, spaces of any width and Cyrillic stay."""
    console.say("a\x1b[31mb\x07\x9b\u202ec\u2028", "кон\n\t1\u202f%\u00a0—")
    console.complain("a\x1bb")
    out, err = capsys.readouterr()
    assert out == "a?[31mb???c?\nкон\n\t1\u202f%\u00a0—\n"
    assert err == "a?b\n"


def test_files_of_the_tool_are_told_shortly(capsys: pytest.CaptureFixture[str]) -> None:
    """In text, a spec that comes with the tool is `shipped spec/…`, wherever the tool is installed; other files, and
    what JSON holds, stay as they are."""
    spec = data_folder("spec")
    other = spec.parent / "my_spec" / "kozel_shokha.kozel"
    console.say(f"({spec / 'kozel_shokha.kozel'}): see {spec / 'lib' / 'cards36.kozel'}:3:5", str(other))
    console.complain(f"{spec / 'kozel_shokha.kozel'}", "kozel_shokha.kozel", str(spec))
    out, err = capsys.readouterr()
    assert out == f"(shipped spec/kozel_shokha.kozel): see shipped spec/lib/cards36.kozel:3:5\n{other}\n"
    assert err == f"shipped spec/kozel_shokha.kozel\nkozel_shokha.kozel\n{spec}\n"
    console.say_json({"file": str(spec / "kozel_shokha.kozel")})
    assert json.loads(capsys.readouterr().out) == {"file": str(spec / "kozel_shokha.kozel")}


def test_suits() -> None:
    """A stream shows suits exactly when its encoding has them."""
    assert console.shows_suits(stream("utf-8"))
    assert not console.shows_suits(stream("cp1251"))


def test_json_in_any_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    """JSON escapes what the stream cannot hold, instead of replacing it."""
    out = stream("ascii")
    monkeypatch.setattr("sys.stdout", out)
    console.say_json({"card": "6♠"})
    out.flush()
    buffer = out.buffer
    assert isinstance(buffer, io.BytesIO)
    assert buffer.getvalue().decode("ascii").replace("\r", "") == '{\n  "card": "6\\u2660"\n}\n'


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_progress_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that takes longer than a second shows how far it is, and leaves no trace."""
    terminal, now = Terminal(), [0.0]
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    with console.progress("playing") as shown:
        shown.at(1, 9)
        assert terminal.getvalue() == ""
        now[0] = 2.0
        shown.at(5, 9, "deals")
        assert terminal.getvalue() == "\rplaying 5/9 deals"
        shown.at(6, 9, "deals")
        assert terminal.getvalue() == "\rplaying 5/9 deals"
    assert terminal.getvalue().endswith("\r" + " " * 17 + "\r")


def test_no_progress_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file gets no progress, however long the work takes."""
    file, now = io.StringIO(), [0.0]
    monkeypatch.setattr("sys.stderr", file)
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    with console.progress("playing") as shown:
        now[0] = 60.0
        shown.at(5, 9)
    assert file.getvalue() == ""


def test_kept_progress_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where lines are kept a file gets one now and then, each whole; quick work says nothing."""
    file, now = io.StringIO(), [0.0]
    monkeypatch.setattr("sys.stderr", file)
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    with console.progress("verifying", kept=True) as shown:
        for second in range(14):
            now[0] = float(second)
            shown.at(second, 20, "plays")
    assert file.getvalue() == "verifying 5/20 plays\nverifying 10/20 plays\n"
