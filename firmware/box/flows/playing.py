"""A running game: tables and entries go to the referee's desk, commands open menus and questions above it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.game import Illegal
from engine.log import Log
from engine.referee import Follows, adopt_table
from engine.table import Area, Table
from engine.text import Text, say
from engine.view import View
from firmware.box.commands import Confirm, EntryLine, NamePlayer, OpenForm, TakeMovesBack, Verb
from firmware.box.effects import Effect, Invite
from firmware.box.events import AllAgreed, Answered, FlowEvent, Owners, OwnersNamed, Ticked, Told
from firmware.box.flow import Turn, explain_refusal
from firmware.box.flow_context import Context, Stopped
from firmware.box.flows.assign_cards import AssignCards
from firmware.box.flows.change_players import list_players, refuse_seat
from firmware.box.flows.ending_confirmation import ask_about_entry, ask_before_ending
from firmware.box.flows.first_game import explain, show_rule
from firmware.box.flows.game_menu import list_menu_commands, open_flow
from firmware.box.flows.game_offers import list_game_offers
from firmware.box.flows.manual_entry import ManualEntry
from firmware.box.flows.pair_phone import PhonePairing
from firmware.box.flows.pause_match import KeepApart, list_tidy_entries
from firmware.box.flows.rebuild_table import TableRebuild
from firmware.box.flows.rename_player import PlayerRenaming, name_player
from firmware.box.flows.unanimous_vote import UnanimousVote, overrules
from firmware.box.flows.undo import amend_without, ask_take_back
from firmware.box.games import ui_of
from firmware.box.referee_desk import RefereeDesk, forget_table, show_desk, step_desk
from firmware.box.rematch import remember_rematch
from firmware.box.table_size import refit_log
from firmware.journal.operation_types import EndGame, PauseGame, ResumeGame, WriteEntries
from vision.live.perception_events import CameraMeasured, TableSeen
from vision.live.read_request import ReadRequest


@dataclass(frozen=True, slots=True)
class Playing:
    """``guide``: the table is put together as the record has it, and is not judged before that is done.

    ``hand``: manual entry is open. ``ended``: the end of the match has been written. ``misfit``: why the table as it
    is now cannot hold the game; nothing is read until it can. ``taught``: the match explains itself.
    """

    desk: RefereeDesk
    zones: Mapping[str, Area]
    guide: TableRebuild | None = None
    hand: ManualEntry | None = None
    ended: bool = False
    area: tuple[int, int] | None = None
    misfit: Text | None = None
    taught: bool = False

    @property
    def log(self) -> Log[Any, Any]:
        return self.desk.log

    def read_request(self, known: Context) -> ReadRequest | None:
        return None if self.misfit else ReadRequest("read", self.log.game.name, self.zones, self.log)

    def refit(self, area: tuple[int, int] | None) -> "Playing":
        """The game on a table of this size; what was seen on another one is forgotten."""
        if area is None or (area == self.area and self.misfit is None):
            return self
        found = refit_log(self.log, area)
        log, misfit = (self.log, found) if isinstance(found, Text) else (found, None)
        if log is self.log and misfit == self.misfit:
            return self if area == self.area else replace(self, area=area)
        guide = self.guide and replace(self.guide, table=None)
        fresh = play_from(log)
        return replace(self, desk=fresh.desk, zones=fresh.zones, guide=guide, area=area, misfit=misfit)

    def view(self, known: Context) -> View:
        shown = self._view(known)
        return replace(shown, alert=self.misfit) if self.misfit and not (self.desk.refused or shown.over) else shown

    def _view(self, known: Context) -> View:
        if self.guide is not None:
            return self.guide.view(self.log)
        shown = show_desk(replace(self.desk, now=known.now))
        if self.hand is not None and (self.hand.asks(self.log) or not self.hand.alone):
            told = self.hand.view(self.log, shown, self.desk.refused)
            return replace(told, offers=ask_before_ending(told.offers))
        offers, lines = ui_of(self.log.game.name).board_choice(self.log.state)
        if offers:
            back = (offer for offer in shown.offers if offer.label.id == "step_back")
            return replace(shown, offers=(*offers, *back), lines=lines)
        others = list_game_offers(self.log, known, shown, blind=self.misfit is not None)
        asked = replace(shown, offers=(*ask_before_ending(shown.offers), *others))
        return explain(asked, self.log) if self.taught else asked

    def handle(self, event: FlowEvent, known: Context) -> Turn | None:
        if (here := self.refit(known.area)) is not self:
            return here.handle(event, known)
        match event:
            case CameraMeasured():
                return None
            case TableSeen() if self.misfit is not None:
                return Turn((self,))
            case TableSeen(table, _) if self.guide is not None:
                return self._guided(replace(self.guide, table=table), event, known)
            case TableSeen() | Ticked():
                return self._judge(event, known)
            case Answered():
                return self._refusing(None)._answered(event, known)
            case Told():
                quiet = self._refusing(None)
                turn = quiet._by_hand(event, known) if self.hand is not None else quiet._told(event, known)
                return turn or Turn((self._refusing(explain_refusal(event.command), event.at),))

    def forget_table_seen(self) -> "Playing":
        """The game without its last table, which is no longer valid."""
        guide = self.guide and replace(self.guide, table=None)
        return replace(self, desk=forget_table(self.desk), guide=guide)

    def _told(self, told: Told, known: Context) -> Turn | None:
        if isinstance(told.command, EntryLine):
            return self._entered(told, known)
        match open_flow(told.command, self.log, known):
            case Text() as why:
                return Turn((self._refusing(why, told.at),))
            case None:
                return self._leave(told, known) or self._done(told, known)
            case flow:
                return Turn((self, flow))

    def _entered(self, told: Told, known: Context) -> Turn:
        """An entry by a person. What needs the agreement of all players is refused: only their vote can enter it."""
        entry = str(told.command)
        why_not = say("not_asked") if overrules(entry, self.log) else refuse_seat(entry, self.log)
        if why_not is not None:
            return Turn((self._refusing(why_not, told.at),))
        if question := ask_about_entry(told, self.log):
            return Turn((self, question))
        return self._enter(entry, told, known)

    def _enter(self, entry: str, by: Told | Answered, known: Context) -> Turn:
        """A player who joins is asked for a name; moves that are taken back leave the table before it is judged."""
        return self._followed(entry, self._judge(Told(EntryLine(entry), by.by, by.at), known))

    def _done(self, told: Told, known: Context) -> Turn | None:
        match told.command:
            case Verb.BACK:
                return Turn((self,))
            case Verb.MENU:
                return Turn((self, list_menu_commands(self.log, self._differs(), page=known.page is not None)))
            case Verb.PAIR if known.page is not None:
                return Turn((self, PhonePairing(known.now)), (Invite(True),))
            case Verb.EXPLAIN if self.taught and (rule := show_rule(self.log)):
                return Turn((self, rule))
            case NamePlayer(player, name) if player in list_players(self.log):
                turn = name_player(player, name, known)
                return turn and replace(turn, flows=(self,))
            case Verb.BY_HAND:
                return Turn((replace(self, hand=ManualEntry(), guide=None),))
            case OpenForm():
                asked = ManualEntry(alone=True).tell(told.command, self.log)
                return Turn((replace(self, hand=asked, guide=None),)) if isinstance(asked, ManualEntry) else None
            case Verb.RECORD_IS_RIGHT:
                return Turn((replace(self, guide=TableRebuild(self.desk.table)),))
            case Verb.LINE_IS_RIGHT | Verb.ALL_IS_RIGHT as verb if self.guide is not None:
                more = self.guide.line_is_right(self.log) if verb is Verb.LINE_IS_RIGHT else None
                question = None if more else self.guide.ask_if_all_is_right(self.log)
                return Turn((self, question) if question else (replace(self, guide=more),))
            case Verb.TABLE_IS_RIGHT:
                return self._adopt((), told, known, by_all=False)
            case Verb.OVERRULE:
                return Turn((self, UnanimousVote(list_players(self.log), "overrule")))
            case Verb.SHOW_PHONES if known.page is not None:
                return Turn((self, UnanimousVote(list_players(self.log), "phones")))
            case _:
                return None

    def _answered(self, answered: Answered, known: Context) -> Turn | None:
        match answered.conclusion:
            case AllAgreed("phones"):
                return Turn((self,), known=replace(known, picture=known.game))
            case AllAgreed():
                return self._adopt((), answered, known, by_all=True)
            case OwnersNamed(owners, by_all):
                return self._adopt(owners, answered, known, by_all=by_all)
            case Confirm(TakeMovesBack() as moves):
                if entry := amend_without(self.log, moves):
                    return self._enter(str(entry), answered, known)
                question = ask_take_back(self.log, moves.first)  # there are other moves by now
                return Turn((self, question) if question else (self,))
            case Confirm(EntryLine(entry)):
                return self._enter(entry, answered, known)
            case Confirm(Verb.ALL_IS_RIGHT):
                return Turn((replace(self, guide=None),))
            case Confirm(Verb.PAUSE) if not self._over():
                return self._put_aside(answered.by, known)
            case Confirm(Verb.NEW_GAME) if not self._over():
                return self._put_aside(answered.by, known, then=Verb.NEW_GAME)
            case Confirm(Verb.GIVE_UP) if not self._over():
                return Turn((), (EndGame("given up"),))
            case Confirm():
                return None

    def _leave(self, told: Told, known: Context) -> Turn | None:
        """Commands that leave a game that is over."""
        if not self._over():
            return None
        match told.command:
            case Verb.NEW_GAME:
                return Turn((), tell=Verb.NEW_GAME, known=remember_rematch(known, self.log))
            case Verb.LEAVE_GAME:
                return Turn((), known=remember_rematch(known, self.log))
            case Verb.PLAY_AGAIN if known.last is not None and not ui_of(self.log.game.name).plays_on:
                return Turn((), tell=Verb.SAME_AGAIN, known=remember_rematch(known, self.log))
            case _:
                return None

    def _followed(self, entry: str, turn: Turn) -> Turn:
        (after,) = turn.flows
        assert isinstance(after, Playing)
        match entry.split()[:1]:
            case ["join"]:
                fresh = set(list_players(after.log)) - set(list_players(self.log))
                return replace(turn, flows=(after, *map(PlayerRenaming, sorted(fresh))))
            case ["amend"] if turn.effects and after.desk.table is not None:
                guide = TableRebuild(after.desk.table)
                return turn if guide.agrees(after.log) else replace(turn, flows=(replace(after, guide=guide),))
            case _:
                return turn

    def _by_hand(self, told: Told, known: Context) -> Turn | None:
        match self.hand and self.hand.tell(told.command, self.log):
            case ManualEntry() as more:
                return Turn((replace(self, hand=more),))
            case str() as entry:
                after = replace(self, hand=None if self.hand and self.hand.alone else ManualEntry())
                return after._judge(Told(EntryLine(entry), told.by, told.at), known)
            case None if told.command is Verb.BACK:
                return Turn((replace(self, hand=None),))
            case None:
                return self._told(told, known)

    def _guided(self, guide: TableRebuild, seen: TableSeen, known: Context) -> Turn:
        if guide.agrees(self.log):
            return replace(self, guide=None)._judge(seen, known)
        return Turn((replace(self, guide=guide, desk=replace(self.desk, table=guide.table)),))

    def _adopt(self, owners: Owners, by: Told | Answered, known: Context, *, by_all: bool) -> Turn:
        """Adopt the table as right; first ask who has the cards that vanished."""
        table = self.desk.table
        if table is None:
            return Turn((self._refusing(say("show_table_first"), by.at),))
        groups = () if owners else ui_of(self.log.game.name).unowned(self.log, table)
        if groups:
            lie = frozenset(piece.piece for piece in table.seen)
            return Turn((self, AssignCards(groups, list_players(self.log), by_all, lie=lie)))
        try:
            entry = str(adopt_table(self.log, table, owners, by_all=by_all).moves[-1])
        except Illegal as why:
            return Turn((self._refusing(why.text, by.at),))
        return self._judge(Told(EntryLine(entry), by.by, by.at), known)

    def _judge(self, event: TableSeen | Told | Ticked, known: Context) -> Turn:
        """The verdict of the desk, and the end of the match, or its continuation after an undo."""
        desk, written = step_desk(self.desk, event)
        effects: tuple[Effect, ...] = written
        after = replace(self, desk=desk)
        if after._over() != self.ended:
            effects = (ResumeGame(known.game), *written) if self.ended else (*written, EndGame("finished"))
        return Turn((replace(after, ended=after._over()),), effects)

    def _put_aside(self, by: str, known: Context, then: Verb | None = None) -> Turn:
        tidy = list_tidy_entries(self.log)
        log = self.log.add(*map(self.log.parse, tidy))
        stopped = (Stopped(known.game, known.names, log), *known.stopped)
        effects: tuple[Effect, ...] = (*((WriteEntries(tidy, by),) if tidy else ()), PauseGame())
        after = replace(known, stopped=stopped)
        if lines := ui_of(log.game.name).keep_apart(log):
            return Turn((KeepApart(lines, then),), effects, known=after)
        return Turn((), effects, tell=then, known=after)

    def _refusing(self, why: Text | None, at: float = 0.0) -> "Playing":
        return replace(self, desk=replace(self.desk, refused=why, answered=at))

    def _over(self) -> bool:
        return bool(self.log.game.view(self.log.state).over)

    def _differs(self) -> Table | None:
        """The table, if it differs from the record."""
        return None if self.guide or isinstance(self.desk.verdict, Follows | None) else self.desk.table


def play_from(log: Log[Any, Any]) -> Playing:
    """The game as its log stands."""
    return Playing(RefereeDesk(log), log.game.plan(log.options).zones)


def rebuild_from(log: Log[Any, Any], table: Table | None = None) -> Playing:
    """A game that is resumed: the table is put together first."""
    return replace(play_from(log), guide=TableRebuild(table))
