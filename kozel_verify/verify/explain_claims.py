"""Why a claim about a step or a menu fails: the step or choice that offends, and what decides the statement for it.

In go an explainer and a claim that a replayed run has come to break; out come lines for people.
"""

from kozel_verify.interpret.errors import IllegalChoice, NotWellDefined, ReachedDead, Reason
from kozel_verify.interpret.menus import mismatch, named
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Played
from kozel_verify.interpret.state import Chance, Choice, State
from kozel_verify.interpret.text import value_text
from kozel_verify.model.core import Ask, MenuClaim, StepClaim
from kozel_verify.model.types import SeatType
from kozel_verify.verify.explain import Explainer
from kozel_verify.verify.scenarios import choice_literal
from kozel_verify.verify.wiring import arguments_of, claimed_of


def why_step(explainer: Explainer, claim: StepClaim, step: Played) -> list[str]:
    """Nothing when the claim is not about this step, or holds for it."""
    interpreter = explainer.interpreter
    if not claimed_of(interpreter.game, claim, step.before, step.outcome, step.after):
        return []
    arguments = arguments_of(claim, step.outcome)
    try:
        if interpreter.evaluate(step.after, claim.statement, arguments, step.before, step.events):
            return []
    except NotWellDefined:
        pass  # the explainer says so
    reasons = explainer.why(step.after, claim.statement, arguments, step.before, step.events)
    return [step_text(interpreter, step), *reasons]


def step_text(interpreter: Interpreter, step: Played) -> str:
    """What happened, and from where to where play went."""
    game, node = interpreter.game, interpreter.node(step.before)
    way = f"from `{node.name}` to `{interpreter.node(step.after).name}`"
    match step.outcome:
        case Choice() if isinstance(node, Ask):
            seat = value_text(game, interpreter.owner(step.before), SeatType(game.seats))
            return f"the step {way}, where {seat} chooses {choice_literal(game, node, step.outcome)}"
        case Chance(card):
            return f"the step {way}, where {game.deck.name(card)} is drawn"
        case _:
            return f"the step {way}"


def why_menu(explainer: Explainer, claim: MenuClaim, state: State) -> list[str]:
    """The first choice about which menu and claim differ; nothing when none is found."""
    interpreter = explainer.interpreter
    node, found = interpreter.node(state), mismatch(interpreter, state, claim)
    if found is None or not isinstance(node, Ask):
        return []
    said = f"`{choice_literal(interpreter.game, node, found.choice)}`"
    arguments = named(claim, found.choice.arguments)
    reasons = explainer.why(state, claim.statement, arguments)
    if found.legal:
        return [f"{said} is legal, and the claim does not say so", *reasons]
    if found.fault is not None:
        return [f"{said} is not legal, and the claim says nothing of it", *reasons]
    refused = ["the rules refuse it:", *(f"  {line}" for line in why_refused(explainer, state, node, found.choice))]
    return [f"{said} is not legal, and the claim says that it is", *reasons, *refused]


def menu_line(interpreter: Interpreter, claim: MenuClaim, state: State) -> str:
    """That choice as a scenario's step: a choice if it is legal (and comes to no fault), a refusal if it is not."""
    node, found = interpreter.node(state), mismatch(interpreter, state, claim)
    seat = interpreter.owner(state)
    if found is None or seat is None or not isinstance(node, Ask):
        return ""
    if found.legal:
        try:
            interpreter.step(state, found.choice)
        except (NotWellDefined, ReachedDead):
            return ""
    refused = "" if found.legal else "not "
    return f"seat {seat + 1} : {refused}{choice_literal(interpreter.game, node, found.choice)}"


def why_refused(explainer: Explainer, state: State, node: Ask, choice: Choice) -> list[str]:
    """Why a choice is not legal; nothing when it is."""
    try:
        explainer.interpreter.check(state, choice)
    except IllegalChoice as illegal:
        verb = node.verbs[choice.verb]
        if illegal.reason is not Reason.GUARD:
            return [illegal.message]
        values = {p.name: a for p, a in zip(verb.parameters, choice.arguments, strict=True)}
        return explainer.why(state, verb.guard, values)
    return []
