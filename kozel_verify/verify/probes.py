"""For each claim about play: what in a state, a step or a fault violates it, and how a violation is shown to people."""

from collections.abc import Sequence

from kozel_verify.exhaustive.closure import STUCK, StateCheck, StepCheck, concerns
from kozel_verify.interpret.errors import NotWellDefined, ReachedDead
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Played, replay
from kozel_verify.interpret.state import Outcome, State
from kozel_verify.model.core import OUTSIDE, Claim, MenuClaim, StateClaim, StepClaim
from kozel_verify.verify.demonstrate import counterexample
from kozel_verify.verify.explain import Explainer
from kozel_verify.verify.explain_claims import menu_line, why_menu, why_step
from kozel_verify.verify.findings import Counterexample
from kozel_verify.verify.hunt import Fault, Found, Probe
from kozel_verify.verify.subject import Subject
from kozel_verify.verify.wiring import checks_of

WELL_DEFINED = "well_defined"


def probe_for(interpreter: Interpreter, name: str) -> Probe:
    """What violates the obligation ``name``, in plays of this interpreter."""
    match name:
        case "well_defined":
            return Probe(fault=_undefined)
        case "conservation":
            return Probe(state=_lost)
        case _ if name == STUCK:
            return Probe(stuck=True)
    checks = [c for c in checks_of(interpreter) if c.name == name]
    if not checks:
        return Probe(fault=lambda fault: _reached(fault, name))

    def state(_: Interpreter, state: State) -> str | None:
        broken = any(isinstance(c, StateCheck) and concerns(c, state.node) and not c.holds(state) for c in checks)
        return f"`{name}` does not hold at `{interpreter.game.nodes[state.node].name}`" if broken else None

    def step(_: Interpreter, played: Played) -> str | None:
        broken = any(
            isinstance(c, StepCheck) and not c.holds(played.before, played.outcome, played.events, played.after)
            for c in checks
        )
        return f"the step from `{interpreter.node(played.before).name}` breaks `{name}`" if broken else None

    return Probe(state=state, step=step)


def _undefined(fault: Fault) -> str | None:
    return str(fault) if isinstance(fault, NotWellDefined) else None


def _reached(fault: Fault, name: str) -> str | None:
    return str(fault) if isinstance(fault, ReachedDead) and fault.name == name else None


def _lost(interpreter: Interpreter, state: State) -> str | None:
    """A card of the pack that lies nowhere, or one that is not in the pack and lies somewhere."""
    game = interpreter.game
    wrong = [c for c, slot in enumerate(state.place) if (slot == OUTSIDE) == bool(game.pack >> c & 1)]
    return f"{game.deck.name(wrong[0])} is not where a card can be" if wrong else None


def show(subject: Subject, interpreter: Interpreter, name: str, run: Sequence[Outcome]) -> Counterexample:
    """The record of a violating run: replayed, explained, printed as a scenario."""
    probe = probe_for(interpreter, name)
    found = Found(tuple(run), f"`{name}` is violated")
    lines, last = why(subject, interpreter, name, run), offending_choice(interpreter, name, run)
    return counterexample(interpreter, found, probe, title=f"{name} fails", last=last, explanation=lines)


def offending_choice(interpreter: Interpreter, name: str, run: Sequence[Outcome]) -> str:
    """The choice about which a violated menu and its claim differ, as a step of a scenario that holds; empty where the
    claim is not about a menu."""
    final = replay(interpreter, run).final
    menus = (c for c in interpreter.game.properties if isinstance(c, MenuClaim) and c.name == name)
    return next((menu_line(interpreter, c, final) for c in menus if final.node in c.nodes), "")


def why(subject: Subject, interpreter: Interpreter, name: str, run: Sequence[Outcome]) -> list[str]:
    """What decides a violated invariant or menu in the last state of a run, or a violated step in its last step."""
    play = replay(interpreter, run)
    explainer = Explainer(interpreter, subject.spec.program.files)
    lines: list[str] = []
    for claim in interpreter.game.properties:
        match claim:
            case StateClaim(Claim.INVARIANT, claimed, nodes, statement) if claimed == name and play.final.node in nodes:
                lines += explainer.why(play.final, statement)
            case StepClaim(claimed) if claimed == name and play.steps:
                lines += why_step(explainer, claim, play.steps[-1])
            case MenuClaim(claimed, nodes) if claimed == name and play.final.node in nodes:
                lines += why_menu(explainer, claim, play.final)
            case _:
                pass
    return lines
