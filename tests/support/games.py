"""Games in tests: random deals that hold every claim against the reference, and faults planted in copies of a game."""

import random
import shutil
from collections.abc import Mapping
from pathlib import Path

from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import Choice
from kozel_verify.model.core import Ask, Claim, End, Game, StateClaim
from kozel_verify.model.load import Spec, load
from kozel_verify.model.types import Value
from kozel_verify.verify.findings import Verdict
from kozel_verify.verify.run import verify_spec
from kozel_verify.verify.settings import Settings


def broken_claims(game: Game, options: Mapping[str, Value], deals: int, seed: int) -> set[str]:
    """The invariants that fail somewhere in ``deals`` random deals; ``stuck`` stands for a question without answers."""
    rng = random.Random(seed)
    claims = [p for p in game.properties if isinstance(p, StateClaim) and p.claim is Claim.INVARIANT]
    interpreter = Interpreter(game, options)
    state, _ = interpreter.initial()
    failed: set[str] = set()
    while deals:
        failed |= {c.name for c in claims if state.node in c.nodes and not interpreter.evaluate(state, c.statement)}
        if isinstance(game.nodes[state.node], End):
            state, _ = interpreter.initial()
            continue
        deals -= state.node == game.deal_end
        outcomes = interpreter.outcomes(state)
        if not outcomes:
            return failed | {"stuck"}
        if isinstance(game.nodes[state.node], Ask):  # first a verb, then its arguments: rare verbs are tried often
            verb = rng.choice(sorted({o.verb for o in outcomes if isinstance(o, Choice)}))
            outcomes = [o for o in outcomes if isinstance(o, Choice) and o.verb == verb]
        state, _ = interpreter.step(state, rng.choice(outcomes))
    return failed


def with_fault(spec: Path, folder: Path, name: str, right: str, wrong: str) -> Spec:
    """The game of a file with one fault in the file ``name`` (beside it, or in its ``lib``), read from copies that are
    made in ``folder``. ``right`` stands there once."""
    shutil.copytree(spec.parent, folder / "spec")
    path = folder / "spec" / name
    text = path.read_text(encoding="utf-8")
    assert text.count(right) == 1
    path.write_text(text.replace(right, wrong), encoding="utf-8")
    return load(folder / "spec" / spec.name)


def verdict_of(spec: Spec, promise: str) -> Verdict:
    """The verdict on one promise of a game, with a single sampled match."""
    (obligation,) = verify_spec(spec, Settings(only=(promise,), plays=1)).obligations
    return obligation.verdict
