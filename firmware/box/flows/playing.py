"""A game at the table: looks and words go to the desk, BACK held opens the game's menu, and its end is told once."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.game import Illegal
from engine.log import Log
from engine.referee import Follows, adopt
from engine.table import Area, Table
from engine.text import Text, say
from engine.view import View
from firmware.box.context import Context, Stopped
from firmware.box.effects import Effect, Invite
from firmware.box.events import Ticked, Told
from firmware.box.flow import Turn
from firmware.box.flows.assign_cards import TABLE, Owners, Owning, from_words
from firmware.box.flows.game_menu import asked_first, confirmed, menu, more, opened
from firmware.box.flows.manual_entry import ByHand
from firmware.box.flows.pair_phone import PairingPhone
from firmware.box.flows.people import at_table
from firmware.box.flows.rebuild_table import ALL, LINE, Guide
from firmware.box.flows.rename_player import Renaming
from firmware.box.flows.set_aside import KeepApart, tidied
from firmware.box.flows.unanimous_vote import Agreeing
from firmware.box.flows.undo import taken_back
from firmware.box.games import ui_of
from firmware.box.match_start import played
from firmware.box.referee_desk import RECORD, Desk, forget, show, step
from firmware.box.refit import off_table, on_table
from firmware.box.reply_guard import unasked
from firmware.journal.operations import EndGame, PauseGame, ResumeGame, WriteEntries
from vision.live.events import CameraMeasured, TableSeen
from vision.live.read_request import ReadRequest


@dataclass(frozen=True, slots=True)
class Playing:
    """``guide``: the table is being put together as the record has it, and is not judged before it is.

    ``hand``: what happens is told with the buttons, whether a camera sees it or not.
    ``ended``: that the match is over has been told. ``misfit``: why the table as it is now cannot hold the game, so
    that nothing is read until it can.
    """

    desk: Desk
    zones: Mapping[str, Area]
    guide: Guide | None = None
    hand: ByHand | None = None
    ended: bool = False
    area: tuple[int, int] | None = None
    misfit: Text | None = None

    @property
    def log(self) -> Log[Any, Any]:
        return self.desk.log

    def aim(self, known: Context) -> ReadRequest | None:
        return None if self.misfit else ReadRequest("read", self.log.game.name, self.zones, self.log)

    def on(self, area: tuple[int, int] | None) -> "Playing":
        """On a table of this size; what was seen on another says nothing any more."""
        if area is None or (area == self.area and self.misfit is None):
            return self
        found = on_table(self.log, area)
        log, misfit = (self.log, found) if isinstance(found, Text) else (found, None)
        if log is self.log and misfit == self.misfit:
            return self if area == self.area else replace(self, area=area)
        guide = self.guide and replace(self.guide, table=None)
        return replace(playing(log), guide=guide, hand=self.hand, ended=self.ended, area=area, misfit=misfit)

    def view(self, known: Context) -> View:
        shown = self._view(known)
        return replace(shown, alert=self.misfit) if self.misfit and not (self.desk.refused or shown.over) else shown

    def _view(self, known: Context) -> View:
        if self.guide is not None:
            return self.guide.view(self.log)
        shown = show(replace(self.desk, now=known.now))
        if self.hand is not None:
            told = self.hand.view(self.log, shown, self.desk.refused)
            return replace(told, offers=asked_first(told.offers))
        offers, lines = ui_of(self.log.game.name).board_choice(self.log.state)
        if offers:
            back = (offer for offer in shown.offers if offer.label.id == "step_back")
            return replace(shown, offers=(*offers, *back), lines=lines)
        others = more(self.log, known, shown, blind=self.misfit is not None)
        return replace(shown, offers=(*asked_first(shown.offers), *others))

    def take(self, item: TableSeen | CameraMeasured | Told | Ticked, known: Context) -> Turn | None:
        if (here := self.on(known.area)) is not self:
            return here.take(item, known)
        match item:
            case CameraMeasured():
                return None
            case TableSeen() if self.misfit is not None:
                return Turn((self,))
            case TableSeen(table, _) if self.guide is not None:
                return self._guided(replace(self.guide, table=table), item, known)
            case TableSeen() | Ticked():
                return self._judge(item, known)
            case Told(words, _, _) if self.hand is not None and words != "menu":
                return self._refusing(None)._by_hand(self.hand, item, known)
            case Told(words, _, _):
                return self._refusing(None)._told(words, item, known)

    def unsighted(self) -> "Playing":
        """Until somebody looks again."""
        guide = self.guide and replace(self.guide, table=None)
        return replace(self, desk=forget(self.desk), guide=guide)

    def _told(self, words: str, item: Told, known: Context) -> Turn | None:
        why_not = unasked(item, self.log) or off_table(words, self.log)
        match why_not or confirmed(item, self.log) or opened(words, self.log, known):
            case Text() as why:
                return Turn((self._refusing(why, item.at),))
            case None:
                pass
            case flow:
                return Turn((self, flow))
        match words:
            case "back":
                return Turn((self,))
            case "menu":
                return Turn((self, menu(self.log, self._differs(), page=known.page is not None)))
            case "pair" if known.page is not None:
                return Turn((self, PairingPhone(known.now)), (Invite(True),))
            case "by hand":
                return Turn((replace(self, hand=ByHand(), guide=None),))
            case _ if words == RECORD:
                return Turn((replace(self, guide=Guide(self.desk.table)),))
            case _ if words in (LINE, ALL) and self.guide is not None:
                return Turn((replace(self, guide=self.guide.tell(words, self.log)),))
            case _ if words == TABLE:
                return self._adopt((), item, known, by_all=False)
            case "we overrule":
                return Turn((self, Agreeing(at_table(self.log))))
            case "phones look" if known.page is not None:
                return Turn((self, Agreeing(at_table(self.log), picture=True)))
            case "picture agreed":
                return Turn((self,), known=replace(known, picture=known.game))
            case "all agree":
                return self._adopt((), item, known, by_all=True)
            case _ if owned := from_words(words):
                return self._adopt(owned[0], item, known, by_all=owned[1])
            case _ if entry := taken_back(self.log, words):
                return self._followed(entry, self._judge(replace(item, words=entry), known))
            case _:
                return self._leave(item, known) or self._followed(words, self._judge(item, known))

    def _leave(self, item: Told, known: Context) -> Turn | None:
        """Away from this game: put aside, given up, or over."""
        match item.words, self._over():
            case "paused", False:
                return self._put_aside(item.by, known)
            case "other game", False:
                return self._put_aside(item.by, known, then="new game")
            case "given up", False:
                return Turn((), (EndGame("given up"),))
            case "new game", True:
                return Turn((), say="new game", known=played(known, self.log))
            case "home", True:
                return Turn((), known=played(known, self.log))
            case "again", True if known.last is not None and not ui_of(self.log.game.name).plays_on:
                return Turn((), say="same again", known=played(known, self.log))
            case _:
                return None

    def _followed(self, words: str, turn: Turn) -> Turn:
        """Who has just come is asked for a name; what was taken back goes from the table before it is seen anew."""
        (after,) = turn.flows
        assert isinstance(after, Playing)
        match words.split()[:1]:
            case ["join"]:
                fresh = set(at_table(after.log)) - set(at_table(self.log))
                return replace(turn, flows=(after, *map(Renaming, sorted(fresh))))
            case ["amend"] if turn.effects and after.desk.table is not None:
                guide = Guide(after.desk.table)
                return turn if guide.agrees(after.log) else replace(turn, flows=(replace(after, guide=guide),))
            case _:
                return turn

    def _by_hand(self, hand: ByHand, item: Told, known: Context) -> Turn | None:
        match hand.tell(item.words, self.log):
            case ByHand() as more:
                return Turn((replace(self, hand=more),))
            case str() as entry:
                after = replace(self, hand=ByHand())
                return after._judge(replace(item, words=entry), known)
            case None if item.words == "back":
                return Turn((replace(self, hand=None),))
            case None:
                return self._told(item.words, item, known)

    def _guided(self, guide: Guide, item: TableSeen, known: Context) -> Turn:
        if guide.agrees(self.log):
            return replace(self, guide=None)._judge(item, known)
        return Turn((replace(self, guide=guide, desk=replace(self.desk, table=guide.table)),))

    def _adopt(self, owners: Owners, item: Told, known: Context, *, by_all: bool) -> Turn:
        """The table is right; who has what is no longer in the rows is asked first."""
        table = self.desk.table
        if table is None:
            return Turn((self._refusing(say("show_table_first"), item.at),))
        groups = () if owners else ui_of(self.log.game.name).unowned(self.log, table)
        if groups:
            return Turn((self, Owning(groups, at_table(self.log), by_all)))
        try:
            entry = str(adopt(self.log, table, owners, by_all=by_all).moves[-1])
        except Illegal as why:
            return Turn((self._refusing(why.text, item.at),))
        return self._judge(replace(item, words=entry), known)

    def _judge(self, item: TableSeen | Told | Ticked, known: Context) -> Turn:
        """The desk's answer; that a match is over, or goes on after all, is told in the same breath."""
        desk, written = step(self.desk, item)
        effects: tuple[Effect, ...] = written
        after = replace(self, desk=desk)
        if after._over() != self.ended:
            effects = (ResumeGame(known.game), *written) if self.ended else (*written, EndGame("finished"))
        return Turn((replace(after, ended=after._over()),), effects)

    def _put_aside(self, by: str, known: Context, then: str = "") -> Turn:
        tidy = tidied(self.log)
        log = self.log.add(*map(self.log.parse, tidy))
        stopped = (Stopped(known.game, known.names, log), *known.stopped)
        effects: tuple[Effect, ...] = (*((WriteEntries(tidy, by),) if tidy else ()), PauseGame())
        after = replace(known, stopped=stopped)
        if lines := ui_of(log.game.name).keep_apart(log):
            return Turn((KeepApart(lines, then),), effects, known=after)
        return Turn((), effects, say=then, known=after)

    def _refusing(self, why: Text | None, at: float = 0.0) -> "Playing":
        return replace(self, desk=replace(self.desk, refused=why, answered=at))

    def _over(self) -> bool:
        return bool(self.log.game.view(self.log.state).over)

    def _differs(self) -> Table | None:
        """The table, if it is not as the record has it."""
        return None if self.guide or isinstance(self.desk.verdict, Follows | None) else self.desk.table


def playing(log: Log[Any, Any]) -> Playing:
    """A game from where its record stands."""
    return Playing(Desk(log), log.game.plan(log.options).zones)


def guiding(log: Log[Any, Any], table: Table | None = None) -> Playing:
    """A game taken up again: first the table is put together as the record has it, then it is played on."""
    return replace(playing(log), guide=Guide(table))
