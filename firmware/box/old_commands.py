"""Reads the commands of version 0.1.0, which were phrases: recordings hold them, and programs may still send them."""

import re
from collections.abc import Callable, Iterable, Mapping

from engine.view import Offer
from firmware.box.commands import (
    Agree,
    AskFirst,
    ChooseDeck,
    ChooseGame,
    ChooseOption,
    ChooseTens,
    ChooseWord,
    Command,
    Confirm,
    EntryLine,
    MovePlayer,
    NameOwner,
    OpenCheck,
    OpenForm,
    RemovePlayer,
    RenamePlayer,
    ResumeMatch,
    SetName,
    SetOption,
    SetPlayerCount,
    ShowPad,
    SpellLetter,
    TakeMovesBack,
    Verb,
    parse_command,
)

PHRASES: Mapping[str, Command] = {
    "again": Verb.PLAY_AGAIN,
    "about": Verb.ABOUT,
    "aim": Verb.SET_UP_CAMERA,
    "all agree": Agree("overrule"),
    "all is right": Verb.ALL_IS_RIGHT,
    "audit": OpenCheck("piles"),
    "by hand": Verb.BY_HAND,
    "check": Verb.CHECK_NEEDED_DECK,
    "check hand": OpenCheck("hand"),
    "deck": Verb.DECKS,
    "enough": Verb.ROW_IS_WHOLE,
    "erase": Verb.ERASE,
    "give up": Verb.GIVE_UP,
    "given up": Confirm(Verb.GIVE_UP),
    "go": Verb.CARDS_ARE_BACK,
    "home": Verb.LEAVE_GAME,
    "joins": Verb.JOINS,
    "keep": Verb.KEEP_EMPTY_TABLE,
    "leaves": Verb.CHOOSE_WHO_LEAVES,
    "line is right": Verb.LINE_IS_RIGHT,
    "moves": Verb.MOVES,
    "new code": Verb.NEW_CODE,
    "new game": Verb.NEW_GAME,
    "next pile": Verb.NEXT_PILE,
    "other game": Confirm(Verb.NEW_GAME),
    "pads": Verb.PADS,
    "pair": Verb.PAIR,
    "pause": Verb.PAUSE,
    "paused": Confirm(Verb.PAUSE),
    "people": Verb.PEOPLE,
    "phones look": Verb.SHOW_PHONES,
    "picture agreed": Agree("phones"),
    "players": Verb.PLAYER_COUNTS,
    "players seats": Verb.PLAYERS_BY_CARDS,
    "power": Verb.POWER_OFF,
    "power off": Confirm(Verb.POWER_OFF),
    "record is right": Verb.RECORD_IS_RIGHT,
    "rename": Verb.CHOOSE_WHO_IS_RENAMED,
    "restart": Verb.RESTART,
    "rules": Verb.RULES,
    "same again": Verb.SAME_AGAIN,
    "seats": Verb.CHOOSE_WHO_MOVES,
    "skip": Verb.SKIP_SHEET,
    "skip now": Confirm(Verb.SKIP_SHEET),
    "spell": Verb.SPELL,
    "spelled": Verb.SPELLED,
    "start": Verb.START,
    "stopped": Verb.STOPPED_GAMES,
    "table is right": Verb.TABLE_IS_RIGHT,
    "we overrule": Verb.OVERRULE,
}
"""Phrases that meant the same everywhere."""
PATTERNS: tuple[tuple[str, Callable[..., Command]], ...] = (
    (r"(begin \S+(?: \S+=\S*)*)", lambda words: parse_command(f"game:{words}")),
    (r"deck (\S+)", ChooseDeck),
    (r"form (.+)", OpenForm),
    (r"game (\S+)(?: (\S+))?", lambda game, variant: ChooseGame(game, variant or "")),
    (r"leaves (\d+)", lambda player: RemovePlayer(int(player))),
    (r"letter (\S)", SpellLetter),
    (r"moves (\d+)", lambda first: TakeMovesBack(int(first))),
    (r"moves (\d+) to (\d+)", lambda first, last: Confirm(TakeMovesBack(int(first), int(last)))),
    (r"name (.+)", SetName),
    (r"option (\S+)", ChooseOption),
    (r"(?:owned|all own) pile:(\d+)=([\d|]+).*", lambda player, cards: NameOwner(cards, int(player))),
    (r"pad (\d+)", lambda player: ShowPad(int(player))),
    (r"players (\d+)", lambda count: SetPlayerCount(int(count))),
    (r"rename (\d+)", lambda player: RenamePlayer(int(player))),
    (r"resume (\d+)", lambda number: ResumeMatch(int(number))),
    (r"seats (\d+)", lambda player: MovePlayer(int(player))),
    (r"sure (.+)", AskFirst),
    (r"set ([a-z]\w*) (\S+)", SetOption),
    (r"set (.+)", ChooseWord),
    (r"tens (\d+)", lambda tens: ChooseTens(int(tens))),
)
"""Phrases with something chosen in them."""


def parse_old_command(words: str, offers: Iterable[Offer] = ()) -> Command:
    """The command that these words were. ``offers`` of the screen tell apart words that meant several things; a
    line that was no command then is read as now.
    """
    command = parse_command(words)
    if not isinstance(command, EntryLine):
        return command
    offered = [parse_command(offer.move) for offer in offers]
    return next((told for told in offered if _was(told, words)), None) or _phrase(words)


def _was(command: Command, words: str) -> bool:
    """Did version 0.1.0 write this command of the screen as these words?"""
    match command:
        case Verb.NEXT_PAGE:
            return words == "next"
        case Agree():
            return words == "agree"
        case NameOwner(_, player):
            return words == f"owner {player}"
        case Confirm(EntryLine(entry)):
            return words == entry
        case _:
            return False


def _phrase(words: str) -> Command:
    if (command := PHRASES.get(words)) is not None:
        return command
    for pattern, build in PATTERNS:
        if found := re.fullmatch(pattern, words):
            return build(*found.groups())
    return EntryLine(words)
