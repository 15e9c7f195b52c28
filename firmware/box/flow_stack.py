"""The box as one pure state: a stack of flows of which the top one is shown; each event goes to the one it concerns."""

from dataclasses import dataclass, replace

from engine.table import Placement
from engine.text import Text, say
from engine.view import View
from firmware.box.alert_priority import add_alert
from firmware.box.button_actions import MoveCursor, choose_action
from firmware.box.commands import Verb
from firmware.box.effects import Effect, PowerOff, Restart
from firmware.box.events import Answered, BoxEvent, FactsReady, FlowEvent, PageChanged, Pressed, Ticked, Told
from firmware.box.flow import Flow, Turn, explain_refusal
from firmware.box.flow_context import Context
from firmware.box.flows.playing import Playing
from firmware.box.referee_desk import announced_wrong, shows_answer
from hw.button_presses import Press
from vision.live.fault_sources import BLINDING_SOURCES, FAULT_SOURCES, FaultSource
from vision.live.perception_events import CameraMeasured, FaultChanged, TableSeen
from vision.live.read_request import ReadRequest


@dataclass(frozen=True, slots=True)
class Box:
    """``refused`` answers a command that no flow took; ``fresh`` is when the offer last changed by itself."""

    known: Context
    flows: tuple[Flow, ...]
    cursor: int = 0
    refused: Text | None = None
    fresh: float = float("-inf")


def step_box(box: Box, event: BoxEvent) -> tuple[Box, tuple[Effect, ...]]:
    """The box after this event, and the effects that must be carried out before it is shown."""
    before = show_box(box)
    box = replace(box, known=replace(box.known, now=max(box.known.now, event.at)))
    effects: tuple[Effect, ...] = ()
    match event:
        case FaultChanged(source, text, _):
            box = _note_fault(box, source, text)
        case PageChanged(page, _):
            box = replace(box, known=replace(box.known, page=page))
        case FactsReady(facts, _):
            box = replace(box, known=replace(box.known, facts=facts))
        case Pressed(press, at):
            box, effects = _handle_press(box, press, at, before)
        case Told():
            box, effects = _tell(replace(box, refused=None), event)
        case TableSeen() | CameraMeasured():
            box, effects = _hand_to(box, event, _reading_flow(box))
        case Ticked():
            box, effects = _hand_to(box, event, len(box.flows) - 1)
    return _place_cursor(box, before, by_itself=not isinstance(event, Pressed | Told)), effects


def show_box(box: Box) -> View:
    """The view for all screens: that of the top flow, with the alert that comes first, and with the cursor."""
    top = box.flows[-1]
    answers = box.refused is not None or (isinstance(top, Playing) and shows_answer(top.desk, box.known.now))
    shown = add_alert(top.view(box.known), box.known, box.refused, answers=answers)
    return replace(shown, cursor=min(box.cursor, max(len(shown.offers) - 1, 0)))


def find_read_request(box: Box) -> ReadRequest | None:
    """What perception shall read now, or None."""
    looking = _reading_flow(box)
    return box.flows[looking].read_request(box.known) if looking >= 0 else None


def find_running_game(box: Box) -> Playing | None:
    """The game at the table, also below menus and questions."""
    return next((flow for flow in box.flows if isinstance(flow, Playing)), None)


def find_wrong_pieces(box: Box, shown: View) -> tuple[Placement, ...]:
    """The misplaced pieces that a drawn table marks: only while an alert is shown."""
    playing = find_running_game(box)
    return announced_wrong(replace(playing.desk, now=box.known.now)) if playing and shown.alert else ()


def _reading_flow(box: Box) -> int:
    """The index of the topmost flow that wants something read, -1 if there is none."""
    return max((n for n, flow in enumerate(box.flows) if flow.read_request(box.known) is not None), default=-1)


def _hand_to(box: Box, event: FlowEvent, index: int) -> tuple[Box, tuple[Effect, ...]]:
    turn = box.flows[index].handle(event, box.known) if index >= 0 else None
    return (box, ()) if turn is None else _apply_turn(box, index, turn, event)


def _tell(box: Box, event: Told | Answered) -> tuple[Box, tuple[Effect, ...]]:
    for index in range(len(box.flows) - 1, -1, -1):
        turn = box.flows[index].handle(event, box.known)
        if turn is not None:
            return _apply_turn(box, index, turn, event)
    if isinstance(event, Told) and event.command is Verb.BACK:
        return box, ()
    return replace(box, refused=explain_refusal(event.command) if isinstance(event, Told) else say("not_now")), ()


def _apply_turn(box: Box, index: int, turn: Turn, event: FlowEvent) -> tuple[Box, tuple[Effect, ...]]:
    """Replace the flow by ``turn.flows``. Flows above it are dropped unless exactly one flow takes its place."""
    above = box.flows[index + 1 :] if len(turn.flows) == 1 else ()
    flows = (*box.flows[:index], *turn.flows, *above)
    after = replace(box, known=turn.known or box.known, flows=flows)
    effects = turn.effects
    by = event.by if isinstance(event, Told | Answered) else "seen"
    if turn.answer is not None:
        after, more = _tell(after, Answered(turn.answer, by, event.at))
        effects += more
    if turn.tell is not None:
        after, more = _tell(after, Told(turn.tell, by, event.at))
        effects += more
    return after, effects


def _handle_press(box: Box, press: Press, at: float, shown: View) -> tuple[Box, tuple[Effect, ...]]:
    box = replace(box, refused=None)
    match choose_action(press, shown, offer_shown_s=box.known.now - box.fresh):
        case None:
            return box, ()
        case MoveCursor(by):
            return replace(box, cursor=(box.cursor + by) % max(len(shown.offers), 1)), ()
        case Restart() | PowerOff() as effect:
            return box, (effect,)
        case command:
            return _tell(box, Told(command, "button", at))


def _note_fault(box: Box, source: FaultSource, text: Text | None) -> Box:
    told = {**dict(box.known.faults), source: text}
    faults = tuple((of, standing) for of in FAULT_SOURCES if (standing := told.get(of)) is not None)
    flows = box.flows
    if text is not None and source in BLINDING_SOURCES:
        flows = tuple(flow.forget_table_seen() if isinstance(flow, Playing) else flow for flow in flows)
    return replace(box, known=replace(box.known, faults=faults), flows=flows)


def _place_cursor(box: Box, before: View, *, by_itself: bool) -> Box:
    """A cursor that was moved stays on its offer; in a new list, or if it was not moved, it is at the top."""
    offers = show_box(box).offers
    if offers == before.offers:
        return box
    pointed = before.offers[before.cursor].move if before.offers else ""
    moves = [offer.move for offer in offers]
    cursor = moves.index(pointed) if before.cursor and pointed in moves else 0
    changed = by_itself and bool(offers) and offers[cursor].move != pointed
    return replace(box, cursor=cursor, fresh=box.known.now if changed else box.fresh)
