"""Exceptions on their way from one process to another."""

import inspect
import pickle
from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import pytest

import kozel_verify
from kozel_verify.interpret.errors import Reason
from kozel_verify.language.diagnostics import Diagnostic, Fix, SpecError
from kozel_verify.language.spans import Span

HERE = Span("some.kozel", 1, 2, 3, 4)
SAMPLES: dict[object, Any] = {
    str: "some text",
    tuple[str, str]: ("one", "other"),
    bool: True,
    Span: HERE,
    Reason: Reason.GUARD,
    Fix | None: Fix(HERE, "x"),
    list[Diagnostic]: [Diagnostic("type", HERE, "a message", "a hint", Fix(HERE, "x")), Diagnostic("seats", HERE, "b")],
}


def exceptions() -> Iterator[type[Exception]]:
    """Those that the package defines, but for the command line's own, which no other process raises."""
    for module in walk_packages(kozel_verify.__path__, "kozel_verify."):
        if not module.name.startswith("kozel_verify.cli"):
            for found in vars(import_module(module.name)).values():
                if inspect.isclass(found) and issubclass(found, Exception) and found.__module__ == module.name:
                    yield found


def sample(kind: type[Exception]) -> Exception:
    """One that has all that it can have."""
    if "__init__" not in vars(kind):
        return kind("some text")
    hints = inspect.get_annotations(kind.__init__, eval_str=True)
    return kind(*(SAMPLES[hints[name]] for name in list(inspect.signature(kind).parameters)))


def parts(error: Exception) -> tuple[type[Exception], str, dict[str, Any]]:
    return type(error), str(error), vars(error)


@pytest.mark.parametrize("kind", list(exceptions()), ids=lambda kind: kind.__name__)
def test_an_exception_survives_its_way_to_another_process(kind: type[Exception]) -> None:
    """Class, text and all that it carries are the same after pickling: else the pool that waits for it breaks, and the
    user is told of too little memory."""
    error = sample(kind)
    assert parts(pickle.loads(pickle.dumps(error))) == parts(error)


def test_all_of_them_are_found() -> None:
    """Control: those that carry more than a text are among them; and one that does not say how to make it again, as
    they do, does not come back."""
    assert {"SpecError", "Problem", "NotWellDefined", "ReachedDead", "IllegalChoice", "IllegalAction", "ClusterFault",
            "NoSuchState", "_Fails"} <= {kind.__name__ for kind in exceptions()}  # fmt: skip
    with pytest.raises(AttributeError):
        pickle.loads(pickle.dumps(Forgetful(SAMPLES[list[Diagnostic]])))


class Forgetful(SpecError):
    def __reduce__(self) -> Any:
        return Exception.__reduce__(self)
