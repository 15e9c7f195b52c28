"""Check that every sticker is on its card: cards are put down in printed order and must be read in that order."""

from dataclasses import dataclass, replace

from engine.games import GAMES
from engine.table import Area, Table
from engine.text import Text, say
from engine.view import View
from firmware.box.commands import Confirm, Verb
from firmware.box.deck_faults import DeckFault, explain_deck
from firmware.box.deck_reading_order import sort_by_rows
from firmware.box.events import Answered, FlowEvent, Told
from firmware.box.flow import Turn
from firmware.box.flow_context import Context
from firmware.box.games import ui_of
from firmware.box.games.game_ui import Deck
from firmware.box.menu_and_confirmation import Confirmation, offer
from firmware.journal.operation_types import VerifyDeck
from vision.live.perception_events import TableSeen
from vision.live.read_request import ReadRequest

Sheet = tuple[str, ...]
FAULT_DELAY_S = 1.5
"""Seconds for which a fault must last before it is shown."""
HIDDEN_DELAY_S = 5.0
"""Seconds for which a card must be hidden before that is shown."""


def list_decks() -> dict[str, Deck]:
    """Every deck that can be checked, by name."""
    return {deck.name: deck for game in GAMES for deck in ui_of(game).decks}


def game_of_deck(deck: str) -> str:
    """The game to which a deck belongs."""
    return next(game for game in GAMES if any(some.name == deck for some in ui_of(game).decks))


@dataclass(frozen=True, slots=True)
class DeckCheck:
    """``read`` are the cards that are at rest ``since`` then. ``skipped``: a sheet was skipped, so the deck does not
    count as checked. ``over``: cards of the previous sheet may still be on the table, until they were seen gone.
    """

    deck: str
    sheet: int = 0
    read: tuple[str, ...] = ()
    hidden: bool = False
    since: float = 0.0
    over: bool = False
    skipped: bool = False

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        return list_decks()[self.deck].sheets

    @property
    def due(self) -> Sheet:
        """The cards of this sheet; none after the last one."""
        return self.sheets[self.sheet] if self.sheet < len(self.sheets) else ()

    def read_request(self, known: Context) -> ReadRequest | None:
        if known.area is None or not self.due:
            return None
        return ReadRequest("read", game_of_deck(self.deck), {"table": Area(0, 0, *known.area)})

    def view(self, known: Context) -> View:
        if known.area is None:
            return View(say("deck_needs_camera"), offers=(offer(say("aim_camera"), Verb.SET_UP_CAMERA),))
        if not self.due:
            prompt = say("deck_skipped") if self.skipped else say("deck_right", n=sum(map(len, self.sheets)))
            return View(prompt, offers=(offer(say("done"), Verb.BACK),), bar=1.0)
        found = explain_deck(self.due, self.read)
        left = found.to_come if self.read else self.due
        alert = self._alert(found.faults, known.now - self.since)
        offers = (offer(say("skip_sheet"), Verb.SKIP_SHEET),)
        return View(self._prompt(left), offers=offers, alert=alert, bar=self.sheet / len(self.sheets))

    def handle(self, event: FlowEvent, known: Context) -> Turn | None:
        match event:
            case TableSeen(table, at) if self.due:
                return self._look(table, at, known)
            case Told(Verb.BACK, _, _):
                return Turn(())
            case Told(Verb.SKIP_SHEET, _, _) if self.due:
                keep_on = offer(say("keep_on"), Verb.BACK)
                question = Confirmation(say("skip_sure"), Verb.SKIP_SHEET, say("skip_sheet"), keep_on)
                return Turn((self, question))
            case Answered(Confirm(Verb.SKIP_SHEET), _, _) if self.due:
                return Turn((replace(self._next(), skipped=True),))
            case Told(Verb.SET_UP_CAMERA, _, _):
                return Turn((), tell=Verb.SET_UP_CAMERA)
            case _:
                return None

    def _look(self, table: Table, at: float, known: Context) -> Turn:
        read = tuple(piece.partition(".")[0] for piece in sort_by_rows(table.seen))
        before = set(self.sheets[self.sheet - 1]) if self.over else set()
        rest = tuple(piece for piece in read if piece not in before)
        hidden = bool(table.unseen)
        since = self.since if (rest, hidden) == (self.read, self.hidden) else at
        after = replace(self, read=rest, hidden=hidden, since=since, over=self.over and (hidden or rest != read))
        if not explain_deck(self.due, rest).right:
            return Turn((after,))
        after = after._next()
        if after.due or after.skipped:
            return Turn((after,))
        return Turn((after,), (VerifyDeck(self.deck),), known=replace(known, decks=known.decks | {self.deck}))

    def _next(self) -> "DeckCheck":
        return replace(self, sheet=self.sheet + 1, read=(), over=True)

    def _prompt(self, left: Sheet) -> Text:
        if not left:
            return say("deck_look")
        first, last = left[0], left[-1]
        if list_decks()[self.deck].alike:
            kinds = tuple(dict.fromkeys(left))
            one = say("deck_lay_kind", n=left.count(first), kind=first)
            return one if len(kinds) == 1 else say("deck_lay_kinds", kind=first, other=last)
        if first == last:
            return say("deck_lay_card", card=first)
        if self.over and not self.read:
            return say("deck_next", first=first, last=last)
        return say("deck_lay", first=first, last=last)

    def _alert(self, faults: tuple[DeckFault, ...], waited: float) -> Text | None:
        """The first fault. A hidden card may be the missing one."""
        surely = next((fault for fault in faults if not self.hidden or fault.kind != "missing"), None)
        if surely is not None and waited >= FAULT_DELAY_S:
            return describe_fault(surely)
        if self.hidden and faults and waited >= HIDDEN_DELAY_S:
            return say("deck_unreadable", card=faults[0].card)
        return None


def describe_fault(fault: DeckFault) -> Text:
    """What to do. A camera cannot tell a misplaced card from a wrong sticker, so the text asks."""
    match fault:
        case DeckFault("missing", card):
            return say("deck_missing", card=card)
        case DeckFault("swapped", card, read):
            return say("deck_swapped", card=card, other=read)
        case DeckFault("instead", card, read):
            return say("deck_instead", card=card, read=read)
        case DeckFault("twice", card, read):
            return say("deck_twice", card=card, read=read)
        case DeckFault("double", card):
            return say("deck_double", card=card)
        case DeckFault("foreign", card):
            return say("deck_foreign", card=card)
        case DeckFault(_, card):
            return say("deck_astray", card=card)
