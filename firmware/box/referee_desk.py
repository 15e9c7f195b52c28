"""The referee of a running game as a pure step: tables and entries go in, entries to write come out."""

from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from engine.game import Illegal, Unfinished
from engine.log import Amend, Log
from engine.notation import BadNotation
from engine.referee import Follows, Refused, Unclear, Verdict, Waiting, judge
from engine.table import Placement, Table
from engine.text import Text, say
from engine.view import Offer, View
from firmware.box.advice_texts import describe_acts, is_buried, names_act
from firmware.box.alert_delays import ANSWER_SHOWN_S, BLIND_DELAY_S, FOUL_DELAY_S, HINT_DELAY_S
from firmware.box.commands import EntryLine, Verb
from firmware.box.events import Ticked, Told
from firmware.box.flows.assign_cards import find_adoption
from firmware.box.games import ui_of
from firmware.box.kept_looks import doubt_look, judge_looks
from firmware.box.menu_and_confirmation import offer
from firmware.box.seat_names import name_seats
from firmware.journal.operation_types import WriteEntries
from vision.live.perception_events import TableSeen


@dataclass(frozen=True, slots=True)
class RefereeDesk:
    """The log, the last table, its verdict and since when it stands; ``refused`` answers the last entry.

    ``patience`` is how many seconds the verdict must stand before it is shown: infinite if no table was seen since an
    entry was made. ``hidden`` are zones and since when they cannot be seen, ``kept`` tables that
    wait for the answer to the question about the first of them, and ``asked`` is a question that stands.
    """

    log: Log[Any, Any]
    now: float = 0.0
    table: Table | None = None
    verdict: Verdict[Any] | None = None
    since: float = 0.0
    patience: float = FOUL_DELAY_S
    hidden: tuple[tuple[str, float], ...] = ()
    kept: tuple[Table, ...] = ()
    asked: Text | None = None
    refused: Text | None = None
    answered: float = 0.0


def step_desk(desk: RefereeDesk, event: TableSeen | Told | Ticked) -> tuple[RefereeDesk, tuple[WriteEntries, ...]]:
    """The desk after this event, and what must be written before it is shown."""
    desk = replace(desk, now=event.at)
    match event:
        case Ticked():
            return desk, ()
        case TableSeen(table, _):
            return _judge_table(desk, table)
        case Told(EntryLine(entry), by, _):
            return _enter(desk, entry, by)
        case Told():
            return desk, ()


def _judge_table(desk: RefereeDesk, table: Table) -> tuple[RefereeDesk, tuple[WriteEntries, ...]]:
    """The verdict that people are shown. ``vision.live.doubted_zones`` asks the referee too, about tables that have not
    been reported yet, and only to choose how long a change must rest."""
    if not shows_answer(desk, desk.now):
        desk = replace(desk, refused=None)
    read = doubt_look(desk.log, desk.asked, table, judge_looks(desk.log, desk.kept, table))
    verdict = read.verdict
    seen = dict(desk.hidden)
    named = desk.log.game.plan(desk.log.options).zones
    hidden = desk.log.game.arrange(desk.log.state, table).hidden
    dark = (hidden if hidden & named.keys() else frozenset(named) if hidden else hidden) & find_needed_zones(desk.log)
    hidden_since = tuple((zone, seen.get(zone, desk.now)) for zone in sorted(dark))
    desk = replace(desk, table=table, hidden=hidden_since, kept=read.kept, asked=read.asked)
    moves = (*read.moves, *verdict.moves) if isinstance(verdict, Follows) else read.moves
    if moves:
        shown: Verdict[Any] = Follows(()) if isinstance(verdict, Follows) else verdict
        after = replace(desk, log=desk.log.add(*moves), verdict=shown, since=desk.now, refused=None)
        return after, (WriteEntries(tuple(map(str, moves)), "seen"),)
    if _essence(verdict) != _essence(desk.verdict):
        desk = replace(desk, since=desk.now, patience=FOUL_DELAY_S)
    return replace(desk, verdict=verdict, patience=min(desk.patience, HINT_DELAY_S)), ()


def find_needed_zones(log: Log[Any, Any]) -> frozenset[str]:
    """The zones of the plan that must be in sight now: not a seat without a player, for example."""
    ui = ui_of(log.game.name)
    return frozenset(zone for zone in log.game.plan(log.options).zones if ui.needs(zone, log.state))


def _enter(desk: RefereeDesk, entry: str, by: str) -> tuple[RefereeDesk, tuple[WriteEntries, ...]]:
    try:
        log = desk.log.add(desk.log.parse(entry))
    except Illegal as why:
        return replace(desk, refused=why.text, answered=desk.now), ()
    except BadNotation as bad:
        return replace(desk, refused=say("log_line", says=str(bad)), answered=desk.now), ()
    after = replace(desk, log=log, refused=None)
    if desk.table is None:
        return after, (WriteEntries((entry,), by),)
    verdict = judge(log, desk.kept[0] if desk.kept else desk.table)  # the same table may mean something else now
    if _essence(verdict) != _essence(desk.verdict):  # and be older than the entry
        after = replace(after, since=desk.now, patience=inf)
    return replace(after, verdict=verdict), (WriteEntries((entry,), by),)


def forget_table(desk: RefereeDesk) -> RefereeDesk:
    """The camera fails: the last table is no longer valid."""
    return replace(desk, table=None, verdict=None, hidden=(), kept=(), asked=None)


def shows_answer(desk: RefereeDesk, now: float) -> bool:
    """Is the answer to an entry still shown?"""
    return desk.refused is not None and now - desk.answered < ANSWER_SHOWN_S


def announced_wrong(desk: RefereeDesk) -> tuple[Placement, ...]:
    """The pieces that are announced as wrong now."""
    return desk.verdict.wrong if isinstance(desk.verdict, Refused) and _waited(desk) >= desk.patience else ()


def show_desk(desk: RefereeDesk) -> View:
    """The view of the game, with what the last table adds to it."""
    view = desk.log.game.view(desk.log.state)
    if view.over:  # people clear the table in any order
        return replace(view, alert=desk.refused, ruling="") if desk.refused else view
    waited = _waited(desk)
    offers = view.offers
    alert, ruling, prompt, lines = desk.refused, "", view.prompt, view.lines
    advice = tuple(name_seats(text, desk.log) for text in _advise(desk))
    match desk.verdict:
        case Refused(missing=missing, why=why) if waited >= desk.patience:
            stands = why is not None and why.stands
            offers = (*_offer_ways_out(desk), *(() if stands else offers))
            if alert is None or desk.since > desk.answered:  # a foul after the answer is announced
                alert, *more = advice or (alert,)
                lines = tuple(more)
            if stands:
                prompt = say("leave_table")
            elif _relies_on(prompt, missing):
                prompt = next((text for text in advice if text.id == "act_put"), prompt)
            ruling = why.ruling if why else ""
        case Waiting(_, Unfinished() as hint, _):
            prompt, ruling = hint.text, hint.ruling
            offers = (
                *(_answer(desk, answer) for answer in _list_answers(desk, hint.text)),
                *(_offer_late(desk) if hint.late else ()),
                *offers,
                *((*_offer_take_back(desk), *_offer_answers(desk)) if waited >= HINT_DELAY_S else ()),
            )
        case Waiting(missing, hint, _) if waited >= HINT_DELAY_S or _relies_on(prompt, missing):
            if waited >= HINT_DELAY_S:
                ways_out = (*_offer_take_back(desk), offer(say("record_is_right"), Verb.RECORD_IS_RIGHT))
                offers = (*offers, *ways_out, *_offer_doubtful(desk))
            prompt, *more = advice or (prompt,)
            lines, ruling = tuple(more), hint.ruling if hint else ""
        case Unclear(stories):
            prompt, *labels = ui_of(desk.log.game.name).describe_stories(desk.log.state, stories)
            told = (_offer_story(desk, *named) for named in zip(labels, stories, strict=True))
            offers = (*told, offer(say("record_is_right"), Verb.RECORD_IS_RIGHT))  # it may be none of these
        case _:
            pass
    if alert is not None and alert is desk.refused:  # the ruling is not that of the answer
        ruling = ""
    if alert is None:
        alert = _name_hidden(desk)
    if alert is not None and alert not in advice:  # its seats are named already
        alert = name_seats(alert, desk.log)
    asks = isinstance(desk.verdict, Waiting) and isinstance(desk.verdict.hint, Unfinished)
    news = () if asks or _hides_seat(desk) else view.news  # a card may have been missed
    return replace(view, prompt=prompt, offers=offers, alert=alert, ruling=ruling, lines=lines, news=news)


def _advise(desk: RefereeDesk) -> tuple[Text, ...]:
    """What to do about the table, one act after the other, and why: the reason alone where it names the act.

    A number that is read a second time, but lies deep in a pile, is to be checked first: it may be another card.
    """
    if desk.table is None or not isinstance(desk.verdict, Refused | Waiting):
        return ()
    acts, why = desk.verdict.cure, desk.verdict.why if isinstance(desk.verdict, Refused) else desk.verdict.hint
    reason = (why.text,) if why else ()
    if why and len(acts) == 1 and names_act(why.text, acts[0]):
        return reason
    texts = describe_acts(acts, desk.log, desk.table)
    if why and why.why == "already_seen" and acts and is_buried(acts[0], desk.log):
        return (*reason, *texts)
    return (*texts, *reason)


def _relies_on(prompt: Text, missing: tuple[Placement, ...]) -> bool:
    """Does the prompt point at a card that is not there?"""
    return any(str(prompt.get("behind")) == piece for piece, _ in missing)


def _waited(desk: RefereeDesk) -> float:
    """Seconds for which the verdict has stood."""
    return desk.now - desk.since if desk.patience < inf else 0.0


def _hides_seat(desk: RefereeDesk) -> bool:
    return any(zone.startswith("seat:") for zone, _ in desk.hidden)


def _name_hidden(desk: RefereeDesk) -> Text | None:
    """Name a zone that has been hidden for long, or the whole table."""
    zones = [zone for zone, since in desk.hidden if desk.now - since >= BLIND_DELAY_S]
    if len(zones) > 1 and len(zones) == len(find_needed_zones(desk.log)):
        return say("cannot_see_table")
    return say("cannot_see", zone=zones[0]) if zones else None


def _offer_ways_out(desk: RefereeDesk) -> tuple[Offer, ...]:
    """Offers while something lies wrong: undo, or which is right, table or record. To move the piece needs no press."""
    offers = _offer_take_back(desk)
    if words := find_adoption(desk.log, desk.table):
        offers += (Offer(say("table_is_right"), words),)
    return (*offers, offer(say("record_is_right"), Verb.RECORD_IS_RIGHT))


def _offer_take_back(desk: RefereeDesk) -> tuple[Offer, ...]:
    """Undo, as the label says, and no more: what then lies there is read from the next look."""
    rewind = getattr(desk.verdict, "rewind", None)
    if rewind is None:
        return ()
    count = len(desk.log.moves)
    return (Offer(say("step_back", n=rewind.back), str(Amend(count - rewind.back, count))),)


def _offer_late(desk: RefereeDesk) -> tuple[Offer, ...]:
    """The answer that something else was played before, as one entry in place of the moves that it changes."""
    rewind = getattr(desk.verdict, "rewind", None)
    if rewind is None or not rewind.moves:
        return ()
    count, log = len(desk.log.moves), desk.log
    label = ui_of(log.game.name).name_late(log.states[-1 - rewind.back], rewind.moves)
    return (Offer(label, str(Amend(count - rewind.back, count, rewind.moves))),) if label else ()


def _list_answers(desk: RefereeDesk, asked: Text) -> tuple[Offer, ...]:
    """The answers to a question, which may be about what came after moves that are not recorded yet."""
    before = desk.verdict.before if isinstance(desk.verdict, Waiting) else ()
    states = [desk.log.state]
    with suppress(Illegal):  # then they are no part of an answer
        states += [desk.log.add(*before).state] if before else []
    answers = (answer for state in states for answer in ui_of(desk.log.game.name).answers(state, asked))
    return tuple(dict.fromkeys(answers))


def _answer(desk: RefereeDesk, answer: Offer) -> Offer:
    """An answer to a question about a piece that came after others: with these, if it means nothing without them."""
    before = desk.verdict.before if isinstance(desk.verdict, Waiting) else ()
    for moves in ((), before):
        try:
            told = (*moves, desk.log.game.parse(answer.move))
            desk.log.add(*told)
        except (Illegal, BadNotation):
            continue
        return _offer_story(desk, answer.label, told) if moves else answer
    return answer


def _offer_doubtful(desk: RefereeDesk) -> tuple[Offer, ...]:
    """What may have happened instead, if people confirm it."""
    stories = desk.verdict.stories if isinstance(desk.verdict, Waiting) else ()
    names = ui_of(desk.log.game.name).name_doubtful(desk.log.state, stories) if stories else ()
    return tuple(_offer_story(desk, *named) for named in zip(names, stories, strict=True))


def _offer_answers(desk: RefereeDesk) -> tuple[Offer, ...]:
    """The same where nothing else is asked: of several none is taken by a press that was not meant."""
    doubtful = _offer_doubtful(desk)
    return (offer(say("record_is_right"), Verb.RECORD_IS_RIGHT), *doubtful) if len(doubtful) > 1 else doubtful


def _offer_story(desk: RefereeDesk, label: Text, moves: tuple[Any, ...]) -> Offer:
    count = len(desk.log.moves)
    return Offer(label, str(Amend(count, count, moves)))


def _essence(verdict: Verdict[Any] | None) -> object:
    """What of a verdict matters to people: two verdicts with the same essence are shown alike."""
    match verdict:
        case Refused(wrong, _, why, _):
            return wrong, why and str(why)
        case Waiting(missing, hint, _):
            return missing, hint and str(hint)
        case Unclear(stories):
            return stories
        case Follows(moves):
            return moves
        case None:
            return None
