"""How each act of the table of rights is done, by buttons and by HTTP, and what shows that it has happened."""

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from threading import Event

import httpx

from tests.rights.examined_table import (
    HIDDEN_CARD,
    LATER_PATHS,
    LATER_WORDS,
    LOW_CARD_OF_ANOTHER,
    NEXT_OWN,
    Effect,
    ExaminedTable,
    NotThere,
    Observed,
    observe,
    shared_screen,
)
from tests.rights.phone_client import HttpAnswer, PhoneClient

NEVER_SEEN = "000000"
MOVES_BACK = 3
"""An older move is the third from the end."""
MOST_STEPS = 4
SCREEN_S = 1.0
"""After so long the screen of the box is drawn."""
PUBLIC_PATHS = ("/api/state", "/api/history", "/export/games/{game}/log.txt", "/export/games/{game}/sheet", "/")
"""What a watcher may fetch while a round runs, and where a hidden card could show."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What was answered, and whether the act has happened by now."""

    answers: tuple[HttpAnswer, ...]
    has_happened: Callable[[], bool]


Doing = Callable[[ExaminedTable, str, PhoneClient | None], Attempt]
"""Do the act as this role: by the buttons of the box where there is no phone."""


@dataclass(frozen=True, slots=True)
class ActWay:
    """``moves`` and ``begin`` are the game in which the act is possible, ``prepare`` what comes before it."""

    do: Doing
    moves: tuple[str, ...] | None = None
    begin: str = "game:begin nimmt variant=base players=4"
    prepare: Callable[[ExaminedTable], None] | None = None


def _command(
    table: ExaminedTable,
    role: str,
    phone: PhoneClient | None,
    words: tuple[str, ...],
    presses: tuple[str, ...] | None,
    effect: Effect,
) -> Attempt:
    before = observe(table, phone)
    answers: list[HttpAnswer] = []
    chosen = words if phone or presses is None else presses
    if not chosen:
        raise NotThere("by buttons it takes a form that this examiner does not fill in")
    for one in chosen:
        told = _fill(table, one)
        if phone and not table.knows(told):
            raise NotThere(f"nothing names {told.split()[0]!r}")
        if phone:
            answers.append(phone.tell(told))
            if effect is has_ended and answers[-1].is_accepted and table.box.has_ended():
                break
        elif len(told) == 1:
            table.box.press(told)
        else:
            table.box.find(told)
    if not phone:
        _say_yes(table)
    if effect is has_ended:
        return Attempt(tuple(answers), table.box.has_ended)
    if effect is is_german:
        Event().wait(SCREEN_S)
    return Attempt(tuple(answers), lambda: effect(before, observe(table, phone)))


def _say_yes(table: ExaminedTable) -> None:
    """What cannot be undone asks once more at the box; the last answer may have ended the program."""
    with suppress(httpx.TransportError):
        for words in table.box.offers():
            if words.startswith("yes "):
                table.box.choose(words)
                return


def _fill(table: ExaminedTable, words: str) -> str:
    """The words with the numbers of moves and games that the box names now."""
    moves = table.watcher.fetch("/api/history").body.get("moves", [])
    filled = words
    if len(moves) > MOVES_BACK:
        filled = filled.replace("{back last}", moves[-1]["back"]).replace("{back older}", moves[-MOVES_BACK]["back"])
        filled = filled.replace("{last}", str(len(moves))).replace("{older}", str(len(moves) - MOVES_BACK + 1))
    if reveals := [move for move in moves if move["words"].startswith("reveal 1 ")]:
        filled = filled.replace("{instead}", reveals[0]["instead"])
    for offer in table.box.offers():
        if offer.startswith("game:resume "):
            filled = filled.replace("{resume}", offer)
    names = {person["name"] for person in table.box.state()["people"]}
    filled = filled.replace("{new name}", next(name for number in count(1) if (name := f"Guest {number}") not in names))
    if "{" in filled:
        raise NotThere(f"the box names no words for {words!r} here")
    return filled


def command(*words: str, presses: Iterable[str] | None = None, shown: Effect) -> Doing:
    by_buttons = None if presses is None else tuple(presses)
    return partial(_command, words=words, presses=by_buttons, effect=shown)


def later(name: str, shown: Effect, **numbers: int) -> Doing:
    words = LATER_WORDS[name].format(**{"player": 1, "phone": 1, "number": 7, **numbers})
    return command(words, shown=shown)


def reading(
    path: str, shows: Callable[[HttpAnswer], bool] = lambda answer: answer.is_accepted, screen: str = ""
) -> Doing:
    """Fetch this address; at the box, read this fact of the state on the screen."""

    def read(table: ExaminedTable, role: str, phone: PhoneClient | None) -> Attempt:
        if path in LATER_PATHS.values() and path not in table.documents:
            raise NotThere(f"no document names {path}")
        if phone:
            answer = phone.fetch(path.format(game=table.box.state()["number"]))
            return Attempt((answer,), lambda: shows(answer))
        if not screen:
            raise NotThere("no entry of the box shows this")
        return Attempt((), lambda: str(table.box.state()[screen]) in table.box.screen())

    return read


# effects


def has_more_moves(before: Observed, after: Observed) -> bool:
    return bool(after) and len(after["history"]) > len(before["history"])


def has_fewer_moves(before: Observed, after: Observed) -> bool:
    return bool(after) and after["state"]["game"] is not None and len(after["history"]) < len(before["history"])


def has_left_game(before: Observed, after: Observed) -> bool:
    return bool(after) and before["state"]["game"] is not None and after["state"]["game"] is None


def has_begun_game(before: Observed, after: Observed) -> bool:
    return bool(after) and after["state"]["game"] is not None and not after["state"]["over"]


def has_ended(before: Observed, after: Observed) -> bool:
    return not after


def has_own_page(before: Observed, after: Observed) -> bool:
    """This phone shows something else, and the shared screen does not."""
    own = shared_screen(after["own"]) != shared_screen(before["own"])
    return own and shared_screen(after["state"]) == shared_screen(before["state"])


def offers(prefix: str) -> Effect:
    def is_offered(before: Observed, after: Observed) -> bool:
        return bool(after) and any(offer["words"].startswith(prefix) for offer in after["own"]["offers"])

    return is_offered


def has_other_name(player: int) -> Effect:
    def is_renamed(before: Observed, after: Observed) -> bool:
        return bool(after) and _name_of(after, player) != _name_of(before, player)

    return is_renamed


def _name_of(seen: Observed, player: int) -> str:
    return next((str(person["name"]) for person in seen["state"]["people"] if person["player"] == player), "")


def holds_player(before: Observed, after: Observed) -> bool:
    return bool(after) and 1 in after["own"].get("me", {}).get("people", [])


def holds_nobody(before: Observed, after: Observed) -> bool:
    return bool(after) and not after["own"].get("me", {"people": [1]}).get("people")


def has_changed(before: Observed, after: Observed) -> bool:
    return bool(after) and shared_screen(after["state"]) != shared_screen(before["state"])


def has_other_moves(before: Observed, after: Observed) -> bool:
    return bool(after) and [move["text"] for move in after["history"]] != [move["text"] for move in before["history"]]


def shows_pictures(before: Observed, after: Observed) -> bool:
    return bool(after) and bool(after["state"]["picture"]) and not before["state"]["picture"]


def has_next_vote(before: Observed, after: Observed) -> bool:
    """The box asks the next player, or the vote is over."""
    return bool(after) and after["state"]["prompt"] != before["state"]["prompt"]


def is_german(before: Observed, after: Observed) -> bool:
    return bool(after) and "Kamera" in after["screen"]


# acts that are more than words


def _pair(code: str | None) -> Doing:
    def pair(table: ExaminedTable, role: str, phone: PhoneClient | None) -> Attempt:
        stranger = PhoneClient(table.box.address)
        if code is None:
            with table.box.showing_pairing_code() as shown:
                answer = stranger.pair(shown)
        else:
            answer = stranger.pair(code)
        return Attempt((answer,), lambda: bool(stranger.state()["paired"]))

    return pair


def _forget(table: ExaminedTable, role: str, phone: PhoneClient | None) -> Attempt:
    assert phone
    before = phone.cookies()
    answer = phone.send("/api/unpair", {})
    old = PhoneClient(table.box.address)
    old.use_cookies(before)
    return Attempt((answer,), lambda: bool(before) and answer.is_accepted and not old.state()["paired"])


def _open_menu(table: ExaminedTable, role: str, phone: PhoneClient | None) -> Attempt:
    """A watcher has the pages that need no command."""
    do = reading("/api/games") if role == "watcher" else command("box:about", shown=has_own_page)
    return do(table, role, phone)


def _see_hidden_card(table: ExaminedTable, role: str, phone: PhoneClient | None) -> Attempt:
    """A hidden card is in what this role can read; numbers with a decimal point are times."""
    if not phone:
        return Attempt((), lambda: names_hidden_card(table.box.screen()))
    game = table.box.state()["number"]
    answers = tuple(phone.fetch(path.format(game=game)) for path in PUBLIC_PATHS)
    return Attempt(answers, lambda: any(answer.is_accepted and names_hidden_card(answer.text) for answer in answers))


def names_hidden_card(text: str) -> bool:
    return re.search(rf"(?<![\d.#-]){HIDDEN_CARD}(?![\d.%])", text) is not None


def _open_vote(table: ExaminedTable) -> None:
    table.choose_all("phone:show-table")


def _speak_english(table: ExaminedTable) -> None:
    if "Kamera" in table.box.screen():
        table.choose_all("box:language", "box:language-is en")


def _agree_at_box(table: ExaminedTable) -> None:
    _open_vote(table)
    while votes := [words for words in table.box.offers() if words.startswith("vote:agree")]:
        table.box.choose(votes[0])


def _see_picture(table: ExaminedTable, role: str, phone: PhoneClient | None) -> Attempt:
    """A picture may take some steps to come."""
    assert phone
    answer = phone.fetch("/camera.jpg")
    for _ in range(MOST_STEPS):
        if answer.is_accepted:
            break
        Event().wait(SCREEN_S)
        answer = phone.fetch("/camera.jpg")
    return Attempt((answer,), lambda: answer.is_accepted)


def _act_last(table: ExaminedTable) -> None:
    """The last act is that of player 1; while they are asked it already is."""
    if NEXT_OWN in table.box.offers():
        table.say(NEXT_OWN)


def _agree_for(player: int) -> Doing:
    return command(f"vote:agree phones {player}", shown=has_next_vote)


PAUSE = command("game:pause", "yes game:pause", shown=has_left_game)
DEALT = ("deal 10,20,30,97",)
LEAVING = ("people:list", "people:choose-leaving")
MOVING = ("people:list", "people:choose-moving")
OFF = ("box:power-off", "yes box:power-off")
SETUP = ("game:new", "setup:game nimmt", "setup:game nimmt base", "setup:start")

WAYS: Mapping[str, ActWay] = {
    "pair with the code of the box": ActWay(_pair(None)),
    "pair with a wrong code": ActWay(_pair(NEVER_SEEN)),
    "show a pairing code": ActWay(command("phone:pair", shown=offers("phone:new-code"))),
    'say "I am Ana"': ActWay(later("claim", holds_player)),
    'say "I am Ana", whom another phone holds': ActWay(later("claim", holds_player)),
    "give my player back": ActWay(later("release", holds_nobody)),
    "take a player from a phone": ActWay(later("take player", holds_nobody)),
    "name a phone host": ActWay(later("name host", has_changed)),
    "revoke a phone": ActWay(later("revoke", has_changed)),
    "list the phones": ActWay(reading(LATER_PATHS["phones"])),
    "forget my own phone": ActWay(_forget),
    "read the table, the turn and the scores": ActWay(
        reading("/api/state", lambda answer: answer.is_accepted and "prompt" in answer.body, screen="prompt")
    ),
    "read the rules": ActWay(reading("/rules")),
    "open a menu on my own page": ActWay(_open_menu),
    "choose the language of my own page": ActWay(
        reading("/api/state?lang=de", lambda answer: answer.body.get("language") == "de")
    ),
    "read and export finished rounds and games": ActWay(reading("/export/games.csv")),
    "see a card of a bull pile or a hand, or whose pick it was": ActWay(_see_hidden_card),
    "print a sheet": ActWay(reading("/print/markers.pdf")),
    "see the health of the box": ActWay(reading(LATER_PATHS["health"])),
    "see a picture of the table": ActWay(_see_picture),
    "see a picture before all have agreed": ActWay(_see_picture),
    "see a picture after all have agreed": ActWay(_see_picture, prepare=_agree_at_box),
    "see a picture of SIX": ActWay(_see_picture),
    "ask all for pictures": ActWay(command("phone:show-table", shown=shows_pictures)),
    "declare what is mine": ActWay(command(NEXT_OWN, shown=has_more_moves)),
    "declare what is another's": ActWay(command(NEXT_OWN, shown=has_more_moves)),
    "declare the start cards": ActWay(command("deal 10,20,30,97", presses=(), shown=has_more_moves), moves=()),
    "answer the question that asks me": ActWay(command("take 1", shown=has_more_moves)),
    "answer the question that asks another player": ActWay(
        command("take 1", shown=has_more_moves), moves=LOW_CARD_OF_ANOTHER
    ),
    "answer the question that asks the table": ActWay(later("confirm", has_more_moves)),
    "say that I cannot play": ActWay(
        command("entry:ask cannot 1", "yes cannot 1", shown=has_more_moves),
        moves=(),
        begin="game:begin thegame players=2",
    ),
    "start the next round": ActWay(command("next", shown=has_changed)),
    "ask all to overrule": ActWay(command("we overrule", presses=("game:overrule",), shown=has_more_moves)),
    "ask all for a draw": ActWay(command("game:draw", shown=has_left_game), moves=(), begin="game:begin six"),
    "agree for myself": ActWay(_agree_for(1), prepare=_open_vote),
    "agree for another player": ActWay(_agree_for(1), prepare=_open_vote),
    "undo my own last act": ActWay(
        command("{back last}", presses=("game:moves", "moves:take-back {last}"), shown=has_fewer_moves),
        prepare=_act_last,
    ),
    "undo the act of another, or an older one": ActWay(
        command("{back older}", presses=("game:moves", "moves:take-back {older}"), shown=has_fewer_moves)
    ),
    "correct what the box misread": ActWay(
        command("{instead} reveal 1 45", presses=("moves:misread 2",), shown=has_other_moves)
    ),
    "correct a wrong laying before the next reveal": ActWay(later("laid wrong", has_fewer_moves)),
    "correct a wrong laying after the next reveal": ActWay(later("laid wrong", has_fewer_moves)),
    "take the table as it is": ActWay(command("table:is-right", shown=has_more_moves)),
    "put the cards back and keep the score": ActWay(command("table:rebuild", shown=offers("table:"))),
    "start a game when none runs": ActWay(
        command("game:leave", "game:begin nimmt variant=base players=4", presses=SETUP, shown=has_begun_game)
    ),
    "choose on at the set-up of the box": ActWay(command("setup:start", shown=has_begun_game)),
    "pause the game": ActWay(PAUSE),
    "resume the game": ActWay(command("{resume}", shown=has_begun_game)),
    "end the game for good": ActWay(command("game:give-up", "yes game:give-up", shown=has_left_game)),
    "start a new game over a running one": ActWay(command("game:new", "yes game:new", shown=has_left_game)),
    "play a rematch": ActWay(command("game:play-again", shown=has_begun_game)),
    "leave the end page": ActWay(command("game:leave", shown=has_left_game)),
    "switch the box off": ActWay(command(*OFF, shown=has_ended)),
    "restart the program": ActWay(command("box:restart", "yes box:restart", presses=("R",), shown=has_ended)),
    "change my own name": ActWay(command("people:name 1 {new name}", presses=(), shown=has_other_name(1))),
    "change the name of another": ActWay(command("people:name 2 {new name}", presses=(), shown=has_other_name(2))),
    "leave the game myself": ActWay(
        command(*LEAVING, "people:remove 1", "yes leave 1", shown=has_more_moves), moves=DEALT
    ),
    "send another player out of the game": ActWay(
        command(*LEAVING, "people:remove 2", "yes leave 2", shown=has_more_moves)
    ),
    "join the game": ActWay(command("people:list", "people:join", "join 5", shown=has_more_moves)),
    "change seats": ActWay(command(*MOVING, "people:move 1", "sit 1 5", shown=has_more_moves)),
    "change the language of the box": ActWay(
        command("box:language", "box:language-is de", shown=is_german), prepare=_speak_english
    ),
    "set up the camera": ActWay(command("camera:set-up", shown=has_changed)),
    "check the stickers": ActWay(command("deck:list", shown=has_changed)),
    "mute the box": ActWay(later("mute", has_changed)),
}
