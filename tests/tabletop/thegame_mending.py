"""A fault is planted, people obey what the box says, and the next look must be accepted."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from engine.advice import Act
from engine.referee import Follows, Refused, Unclear, Waiting
from engine.table import Table
from tests.tabletop.advice_text import find_unnamed_card, tell
from tests.tabletop.docket import DEAD_END, MISLEADING, WRONG_RECORD
from tests.tabletop.thegame_faults import Fault, plant
from tests.tabletop.thegame_record import find_untrue_pile, looks_legal, looks_unchanged, may_lie_between
from tests.tabletop.thegame_rules import PILES, first_card, run_fits
from tests.tabletop.thegame_session import CardSession
from tests.tabletop.thegame_table import Card

UNSEEN = 2
"""So many cards may be covered before anybody looks: then the number that is told with *Done* is wrong (G-25)."""
UNDER = re.compile(r"((?:Up|Down) pile \d): (\S+) goes under (\S+)")
QUESTIONS = 6
"""So many questions about one fault, each answered."""


def examine_fault(session: CardSession, hand: set[int]) -> None:
    """From a table that agrees with the record: plant a fault, and mend it as the box says."""
    fault = plant(session, hand)
    if fault is None:
        return
    docket, log, before = session.docket, session.log, session.record
    docket.count("faults")
    for _ in range(QUESTIONS):
        table, verdict = session.judge()
        if isinstance(verdict, Waiting) and _answer(session, table, verdict):
            continue
        if isinstance(verdict, Follows):
            if session.log is not log and not verdict.moves and _holds(session, verdict):
                docket.count("fault typed into the record: legal either way")
                break
            _weigh_silence(session, fault, verdict, table, before)
            break
        if isinstance(verdict, Unclear):
            docket.count("fault asked about")
            break
        cure = getattr(verdict, "cure", ())
        if not cure:
            if isinstance(verdict, Refused) and (verdict.why is None or hasattr(verdict, "cure")):
                docket.fail(MISLEADING, session.log.moves, table, verdict, f"{fault.kind}: the refusal names no act")
            if isinstance(verdict, Waiting) and verdict.hint is None:
                docket.count(f"nothing is said: {_sort(fault)}")
            break
        if not _obey(session, fault, verdict, table):
            break
        docket.count("cure")
        return
    session.log = log
    fault.restore()
    _require_agreement(session, fault)


def _answer(session: CardSession, table: Any, verdict: Waiting[Any]) -> bool:
    """A question about the piles as they lie now, for example what is under a card that was laid wrongly."""
    true = session.find_true_offers(table, verdict)
    return bool(true) and session.say(true[0])


def _weigh_silence(session: CardSession, fault: Fault, verdict: Any, table: Any, before: dict[str, list[int]]) -> None:
    """The fault was taken for a legal play, or not noticed: is that because it looks like one?"""
    session.log = session.log.add(*verdict.moves)
    record = session.record
    shown = {pile: [card.name for card in session.table.in_sight(pile)] for pile in PILES}
    alike = all(
        looks_unchanged(pile, record[pile], shown[pile], table.covers)
        if before[pile] == record[pile]
        else looks_legal(pile, before[pile], record[pile], table.covers)
        and set(map(str, record[pile][len(before[pile]) :])) <= set(shown[pile])
        for pile in PILES
    )
    if alike:
        session.docket.count(f"cannot tell: {_sort(fault)}")
    elif record == before and fault.pushed and may_lie_between(fault.pushed, record[fault.pushed], fault.card, UNSEEN):
        session.docket.count("cannot tell: a card under the top, beside which others may be unseen")
    else:
        session.docket.fail(WRONG_RECORD, session.log.moves, table, verdict, f"{fault.kind}: refuse it or ask")


def _obey(session: CardSession, fault: Fault, verdict: Any, table: Any) -> bool:
    """Carry out what the box says; False if that cures nothing, or with more acts than needed."""
    saved = {pile: list(cards) for pile, cards in session.table.piles.items()}
    faces = {id(card): (card, card.name, card.x, card.y) for cards in saved.values() for card in cards}
    lifted, exchanged = _looks_lifted(session, verdict.cure, table), _looks_exchanged(session, verdict.cure)
    told = tell(session.log, table, verdict)
    unnamed = find_unnamed_card(told, _name_heaps_once(fault, verdict.cure))
    wrong, acts = carry_out(session, fault, verdict.cure, told), verdict.cure
    _, after = session.judge()
    if not wrong and isinstance(after, Waiting) and _was_covered(after.cure, verdict.cure):
        wrong, acts = carry_out(session, fault, after.cure, told), acts + after.cure
        _, after = session.judge()
    if wrong:
        pass
    elif not isinstance(after, Follows):
        wrong = f"obeyed, and then {after}"
    elif len({act.source if act.source in fault.heaps else act.piece for act in acts}) > fault.moves:
        wrong = f"{fault.moves} pieces are enough"
    elif not _holds(session, after):
        wrong = f"obeyed, and the record is not what lies there: {session.truth}"
    elif unnamed:
        wrong = f"{told!r} does not name {unnamed}"
    if not wrong:
        session.log = session.log.add(*after.moves)
        session.said += [str(move) for move in after.moves]
        return True
    if lifted and wrong.endswith("covered"):
        session.docket.count(f"cannot tell from a lifted pile: {_sort(fault)}")
    elif exchanged and wrong.startswith("obeyed, and the record"):
        session.docket.count(f"cannot tell from exchanged tops: {_sort(fault)}")
    else:
        session.docket.fail(MISLEADING, session.log.moves, table, verdict, f"{fault.kind}: {wrong}")
    session.table.piles.update(saved)
    for card, name, x, y in faces.values():
        card.name, card.x, card.y = name, x, y
    return False


def _name_heaps_once(fault: Fault, acts: tuple[Act, ...]) -> Iterator[Act]:
    """A pile that is carried as a whole is named by its first card alone."""
    heaps: set[str] = set()
    for act in acts:
        if act.source not in heaps:
            yield act
        if act.source in fault.heaps:
            heaps.add(act.source)


def _looks_lifted(session: CardSession, acts: tuple[Act, ...], table: Table) -> bool:
    """Does a second card of a number, exactly on its pile, show what a pile shows that is lifted down to that number?

    There are two of each start card, so a third one is told.
    """
    copies = Counter(seen.piece for seen in table.seen)
    for act in acts:
        shown = {card.name for card in session.table.in_sight(act.target)} if act.target else set()
        start = str(first_card(act.target)) if act.target else ""
        if act.source or not shown <= {*map(str, session.record[act.target][:-1]), start} or copies[start] > 2:
            return False
    return bool(acts)


def _looks_exchanged(session: CardSession, acts: tuple[Act, ...]) -> bool:
    """Do the two uppermost cards show the other way round? So does a second card of the lower one's number on them."""
    if len(acts) != 1 or acts[0].source or not acts[0].target:
        return False
    (act,) = acts
    shown = [card.name for card in session.table.in_sight(act.target)]
    uppermost = [str(card) for card in session.record[act.target][-2:]]
    return uppermost == [act.after, act.piece] and shown.count(act.after) == shown.count(act.piece) == 1


def _was_covered(now: tuple[Act, ...], before: tuple[Act, ...]) -> bool:
    """Is a card missed that might have lain under those that were taken away first?"""
    bared = {act.source for act in before if not act.target}
    return bool(now) and all(not act.source and act.target in bared for act in now)


def carry_out(session: CardSession, fault: Fault, acts: Any, told: str) -> str:
    """First everything is picked up, then everything is put down, on top or under the card that was ``told``; what is
    wrong with an act, or "".
    """
    table = session.table
    under = {(piece, pile.lower()): above for pile, piece, above in UNDER.findall(told)}
    carried: list[tuple[Any, list[Card]]] = []
    for act in acts:
        lying = table.piles.get(act.source, [])
        found = [card for card in lying if card.name == act.piece]
        if act.source in fault.heaps and any(before.source == act.source for before, _ in carried):
            continue  # it came along with the pile
        if act.source in fault.heaps and found:
            carried.append((act, lying[:]))
            lying.clear()
        elif found:
            lying.remove(found[-1])
            carried.append((act, found[-1:]))
        elif not act.source and any(card.name == act.piece for card in fault.held):
            carried.append((act, list(fault.held)))
        elif act.source:
            return f"{act.piece} does not lie on {act.source}"
        elif seen := [card for card in session.table.in_sight(act.target) if card.name == act.piece]:
            table.piles[act.target].remove(seen[-1])
            carried.append((act, seen[-1:]))
        elif any(card.name == act.piece for card in table.piles[act.target]):
            return f"{act.piece} lies on {act.target}, covered"
        else:
            carried.append((act, [Card(act.piece, 0, 0)]))
    for act, cards in carried:
        for card in cards:
            if act.turned:
                card.name = act.turned
            if act.target:
                lying = table.piles[act.target]
                above = under.get((act.piece, act.target.replace(":", " pile ")))
                at = next((n for n, other in enumerate(lying) if other.name == above), len(lying))
                if above and at == len(lying):
                    return f"{above} does not lie on {act.target}"
                card.x, card.y = (lying[at].x, lying[at].y) if above else table.middle(act.target)
                if not (above and lying[at - 1 : at] and lying[at - 1].name == card.name):  # it shows, and lies there
                    lying.insert(at, card)
    return ""


def _holds(session: CardSession, verdict: Any) -> bool:
    log = session.log.add(*verdict.moves)
    before, session.log = session.log, log
    record, truth = session.record, session.truth
    session.log = before
    legal = all(run_fits(truth[pile], first_card(pile), pile) for pile in PILES)
    return legal and find_untrue_pile(record, truth) is None


def _require_agreement(session: CardSession, fault: Fault) -> None:
    """The people put it right themselves: now the box must agree."""
    table, verdict = session.judge()
    if not isinstance(verdict, Follows):
        right = f"{fault.kind}, and all is as before again"
        session.docket.fail(DEAD_END, session.log.moves, table, verdict, right)
    elif verdict.moves:
        session.follow(table, verdict)
    session.resync()


def _sort(fault: Fault) -> str:
    """The kind without numbers and piles."""
    return " ".join(word for word in fault.kind.split() if not any(c.isdigit() for c in word))
