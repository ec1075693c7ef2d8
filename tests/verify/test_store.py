"""The folder of results: nothing in it is trusted, and nothing that happens to it stops a verification."""

import multiprocessing
import os
import random
from pathlib import Path

import pytest

from kozel_verify.verify import store as module
from kozel_verify.verify.store import HEAD, Store, default_folder

KEY, VALUE = "a key\nof two lines", bytes(range(256)) * 3


def entry(store: Store) -> Path:
    """The only file of a store with one entry."""
    (path,) = [p for p in store.folder.rglob("*") if p.is_file()]
    return path


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.opened(tmp_path / "made" / "on the way")


def test_what_is_put_comes_back(store: Store) -> None:
    """The same bytes under the same key, and nothing under another."""
    store.put(KEY, VALUE)
    store.put("empty", b"")
    assert (store.get(KEY), store.get("empty"), store.get("other"), store.problem) == (VALUE, b"", None, "")


def test_the_last_value_counts(store: Store) -> None:
    """An entry is replaced as a whole, and no other file is left."""
    for value in (VALUE, b"short"):
        store.put(KEY, value)
    assert store.get(KEY) == b"short"
    assert entry(store)


def test_every_flipped_bit_is_noticed(store: Store) -> None:
    """In the head, the checksum, the key, the value, at the line ends: never a wrong value, and writing mends it."""
    store.put(KEY, VALUE)
    path, right = entry(store), entry(store).read_bytes()
    random.seed(1)
    places = {*range(len(HEAD) + 100), len(right) - 1, *random.sample(range(len(right)), 100)}
    for place in sorted(places):
        path.write_bytes(right[:place] + bytes([right[place] ^ 1 << place % 8]) + right[place + 1 :])
        assert store.get(KEY) is None, place
    store.put(KEY, VALUE)
    assert store.get(KEY) == VALUE


def test_every_truncation_is_noticed(store: Store) -> None:
    """Also with something behind, or nothing at all."""
    store.put(KEY, VALUE)
    path, right = entry(store), entry(store).read_bytes()
    for length in [*range(0, len(right), 7), len(right) - 1]:
        path.write_bytes(right[:length])
        assert store.get(KEY) is None, length
    for more in (right + b"\n", right + right, b"\n" + right):
        path.write_bytes(more)
        assert store.get(KEY) is None


def test_an_entry_of_another_key_is_not_taken(store: Store) -> None:
    """A file that is right in itself, but lies in the place of another key."""
    store.put("other", VALUE)
    other = entry(store)
    data = other.read_bytes()
    other.unlink()
    store.put(KEY, b"mine")
    entry(store).write_bytes(data)
    assert store.get(KEY) is None


def test_another_form_is_not_taken(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store of a later version of the tool."""
    store.put(KEY, VALUE)
    monkeypatch.setattr(module, "HEAD", b"kozel-verify store 2\n")
    assert store.get(KEY) is None


def test_strange_things_in_the_way(store: Store) -> None:
    """A folder where an entry belongs, and a file where its folder belongs: that entry is not kept, all others are."""
    store.put(KEY, VALUE)
    path = entry(store)
    path.unlink()
    path.mkdir()
    (path / "something").write_text("of somebody", encoding="utf-8")
    store.put(KEY, VALUE)
    assert (store.get(KEY), store.problem) == (None, "")
    (path / "something").unlink()
    path.rmdir()
    path.parent.rmdir()
    path.parent.write_text("a file", encoding="utf-8")
    store.put(KEY, VALUE)
    assert (store.get(KEY), store.problem) == (None, "")
    store.put("one more", VALUE)
    assert store.get("one more") == VALUE


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    """Said in ``problem``; reading finds nothing and writing does nothing."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    store = Store.opened(tmp_path / "file" / "inside")
    store.put(KEY, VALUE)
    assert store.problem
    assert store.get(KEY) is None


def test_a_full_disk(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first failure ends the writing and is told; what was kept before stays, and nothing half-written is left."""
    store.put("before", VALUE)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    store.put(KEY, VALUE)
    monkeypatch.undo()
    assert store.problem == "no space left on device"
    assert [p for p in store.folder.rglob("*.new")] == []
    store.put(KEY, VALUE)
    assert (store.get(KEY), store.get("before")) == (None, VALUE)


def test_it_does_not_grow_without_end(store: Store) -> None:
    """Above the limit the oldest entries go, by age and then by name, until a fifth is free; so do old leftovers."""
    for number in range(10):
        store.put(str(number), bytes(1000))
        os.utime(store._place(str(number)), (1_000 + number, 1_000 + number))
    left_over = store._place("9").with_name(".kozel-killed_1.new")
    left_over.write_bytes(b"half")
    os.utime(left_over, (1_000, 1_000))
    store.trim(limit=20_000)
    assert [n for n in range(10) if store.get(str(n))] == list(range(10))
    assert not left_over.exists()
    store.trim(limit=10 * entry_size(store) - 1)
    assert [n for n in range(10) if store.get(str(n))] == list(range(2, 10))


def foreign(folder: Path) -> list[Path]:
    """Files of somebody's own, old, some named nearly or exactly as ours are, but not where ours are, or not so."""
    rest = "0" * 62
    names = ["en/book.bin", "ru/notes.new", f"ab/{rest}", "ab/.kozel-killed_1.new"]
    inside = ["en/.kozel-killed_1.new", "cd/notes.new", "cd/.killed.new", "cd/.kozel-killed_12.new"]
    inside += [rest, f"CD/{rest}", f"abc/{rest}", f"cd/{rest}0", f"cd/{rest[1:]}", f"cd/{'A' * 62}", f"cd/inner/{rest}"]
    names += [f"kozel-results/{name}" for name in inside]
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(HEAD + b"of somebody")
        os.utime(path, (1, 1))
    unlike = folder / "kozel-results" / "cd" / rest  # named like an entry, but it does not begin like one
    unlike.write_bytes(b"of somebody")
    os.utime(unlike, (1, 1))
    return [*(folder / name for name in names), unlike]


def test_nothing_of_somebody_else_is_touched(tmp_path: Path) -> None:
    """A folder with things of its own: whatever they are called, and whatever the limit, only entries go."""
    theirs = foreign(tmp_path)
    before = [(path.read_bytes(), path.stat().st_mtime) for path in theirs]
    store = Store.opened(tmp_path)
    for number in range(10):
        store.put(str(number), VALUE)
    store.trim(limit=0)
    assert [(path.read_bytes(), path.stat().st_mtime) for path in theirs] == before
    assert [n for n in range(10) if store.get(str(n))] == []
    assert {p.name for p in tmp_path.iterdir()} == {"en", "ru", "ab", "kozel-results"}


def test_entries_of_another_version_go_too(store: Store) -> None:
    """What a later version of the tool keeps there does not stay for ever."""
    place = store._place("later")
    place.parent.mkdir()
    place.write_bytes(b"kozel-verify store 2\n and more")
    store.trim(limit=0)
    assert not place.exists()


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_no_link_is_followed(tmp_path: Path) -> None:
    """Neither of an entry, nor of its folder, nor of the folder of all: nothing is read, written or removed there."""
    outside, store = tmp_path / "outside", Store.opened(tmp_path / "store")
    outside.mkdir()
    store.put(KEY, VALUE)
    place, elsewhere = store._place(KEY), outside / store._place(KEY).name
    place.rename(elsewhere)
    for folder, target in ((place, elsewhere), (place.parent, outside)):
        if folder.is_dir():
            folder.rmdir()
        folder.symlink_to(target)
        assert store.get(KEY) is None
        store.trim(limit=0)
        assert elsewhere.exists()
        if folder is place:
            place.unlink()
    store.put(KEY, b"new")
    assert (store.get(KEY), store.problem, sorted(outside.iterdir())) == (None, "", [elsewhere])
    place.parent.unlink()
    (tmp_path / "store" / "kozel-results").rmdir()
    (tmp_path / "store" / "kozel-results").symlink_to(outside)
    linked = Store.opened(tmp_path / "store")
    linked.put(KEY, VALUE)
    assert (linked.problem, linked.get(KEY)) == ("kozel-results in it is a link", None)
    assert sorted(outside.iterdir()) == [elsewhere]


def entry_size(store: Store) -> int:
    return store._place("9").stat().st_size


def write_many(folder: str, first: int) -> None:
    store = Store.opened(Path(folder))
    for number in range(200):
        store.put(str((first + number) % 150), str((first + number) % 150).encode() * 50)
        found = store.get(str(number % 150))
        assert found in (None, str(number % 150).encode() * 50)


def test_several_processes_at_once(tmp_path: Path) -> None:
    """Writers of the same entries do not disturb each other: each entry is there and right in the end."""
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=write_many, args=(str(tmp_path), 40 * n)) for n in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0, 0, 0]
    store = Store.opened(tmp_path)
    assert [store.get(str(n)) for n in range(150)] == [str(n).encode() * 50 for n in range(150)]
    assert list(tmp_path.rglob("*.new")) == []


@pytest.mark.parametrize(
    "platform, variables, expected",
    [
        ("linux", {"XDG_CACHE_HOME": ""}, ".cache/kozel-verify/results"),
        ("linux", {"XDG_CACHE_HOME": "not/absolute"}, ".cache/kozel-verify/results"),
        ("darwin", {}, "Library/Caches/kozel-verify/results"),
        ("win32", {"LOCALAPPDATA": ""}, "AppData/Local/kozel-verify/results"),
    ],
)
def test_where_it_is(
    platform: str, variables: dict[str, str], expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder for what can be made again, as each system has it."""
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert default_folder() == tmp_path / expected
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "x"))
    if platform == "linux":
        assert default_folder() == tmp_path / "x" / "kozel-verify" / "results"
