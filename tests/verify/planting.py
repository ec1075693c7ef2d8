"""Faults planted in the tool itself, in its own words, and the tests that are to see them.

In go a place of the tool (a function, a method or a constant), a text in it and what stands there instead, and the name
of a test of this suite; ``plant`` puts the changed code in the place of the right one, wherever it is used, and
``passes`` calls the test by its name. Nothing on the disk is changed.
"""

import inspect
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from kozel_verify.symbolic import query_store


@dataclass(frozen=True, slots=True)
class Fault:
    """``where``: the module behind ``kozel_verify.`` and, after a colon, what is changed in it. In its source ``old``,
    which must be there once, becomes ``new``. Of a constant (``old`` is empty) ``new`` is an expression of ``right``.
    ``seen_by``: the test's module behind ``tests/`` and, after a colon, a call; fixtures are filled in."""

    where: str
    old: str
    new: str
    seen_by: str

    @property
    def module(self) -> str:
        return self.where.partition(":")[0]


def plant(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the fault in place; ``monkeypatch`` takes it out again."""
    name, _, path = fault.where.partition(":")
    holder: Any = import_module(f"kozel_verify.{name}")
    *outer, last = path.split(".")
    module = holder
    for part in outer:
        holder = getattr(holder, part)
    right = inspect.getattr_static(holder, last)
    wrong = _edited(fault, right, module) if fault.old else eval(fault.new, {**module.__dict__, "right": right})
    monkeypatch.setattr(holder, last, wrong)
    for user in [m for n, m in sys.modules.items() if n.startswith(("kozel_verify.", "tests."))]:
        if user.__dict__.get(last) is right:
            monkeypatch.setattr(user, last, wrong)
        for table in [t for t in vars(user).values() if isinstance(t, dict)]:
            for key in [k for k, v in table.items() if v is right and callable(right)]:
                monkeypatch.setitem(table, key, wrong)
    monkeypatch.setattr(query_store, "_DIGESTS", query_store._Digests())


def _edited(fault: Fault, right: Any, module: Any) -> Any:
    """The definition with its text changed, made anew in its module."""
    function: Any = right.fget if isinstance(right, property) else right
    text = textwrap.dedent(inspect.getsource(function))
    assert text.count(fault.old) == 1, f"{fault.where} has {text.count(fault.old)} times: {fault.old}"
    body = textwrap.indent(text.replace(fault.old, fault.new), "    ")
    name = fault.where.rpartition(":")[2].rpartition(".")
    made: dict[str, Any] = {}
    exec(f"def make(__class__):\n{body}\n    return {name[2]}\n", module.__dict__, made)
    around = module
    for part in name[0].split(".") if name[0] else ():
        around = getattr(around, part)
    return made["make"](around)


def forget() -> None:
    """Empty what functions of the tool and of the tests remember: it may come from another tool."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("kozel_verify.", "tests.")):
            for thing in list(vars(module).values()):
                clear = getattr(thing, "cache_clear", None)
                if clear is not None and getattr(thing, "__module__", "") == name:
                    clear()


def run(seen_by: str) -> None:
    """Call the test. Raises what it raises."""
    name, _, call = seen_by.partition(":")
    module = import_module(f"tests.{name.replace('/', '.')}")
    test, _, given = call.partition("(")
    function = getattr(module, test)
    arguments = eval(f"dict({given.removesuffix(')')})", dict(vars(module)))
    with pytest.MonkeyPatch.context() as monkeypatch, tempfile.TemporaryDirectory() as folder:
        made: dict[str, Any] = {**arguments, "monkeypatch": monkeypatch, "tmp_path": Path(folder)}
        partial(function, **{p: _fixture(module, p, made) for p in inspect.signature(function).parameters})()


def _fixture(module: Any, name: str, made: dict[str, Any]) -> Any:
    """The value of an argument: given, or made by the fixture of this name in the test's module."""
    if name not in made:
        function = inspect.unwrap(getattr(module, name))
        arguments = {p: _fixture(module, p, made) for p in inspect.signature(function).parameters}
        value = function(**arguments)
        made[name] = next(value) if isinstance(value, Iterator) else value
    return made[name]


def red(seen_by: str) -> bool:
    """Does the test fail? A fault that is no program at all is not seen by a test."""
    try:
        run(seen_by)
    except (NameError, SyntaxError):
        raise
    except (Exception, pytest.fail.Exception):
        return True
    return False
