"""Simulated people: each step they read the screen, and do what it asks, what they wished for, or a mistake."""

import random
from collections import Counter, deque
from collections.abc import Callable
from threading import RLock
from typing import Any, Literal

from engine.log import Log
from engine.view import View
from firmware.box.events import BoxEvent, Pressed, parse_told
from firmware.journal.operation_types import BeginGame, EndGame, Names, PauseGame, ResumeGame, Started, WriteEntries
from firmware.runtime.companion import Happened
from firmware.simulation.people.company import THINK_S, Company, Script, TableMates
from firmware.simulation.people.correction_wishes import AdoptWish, AgreeWish, KeepScoreWish, UndoEntryWish, UndoWish
from firmware.simulation.people.repeated_advice import RepeatedAdvice
from firmware.simulation.people.screen_habits import REBUILDS, answer_screen
from firmware.simulation.people.screen_reading import ScreenReader, SeenScreen, Sentence, read_texts
from firmware.simulation.people.wish import Wish
from firmware.simulation.people.wishes import WISHES
from firmware.simulation.players.companies import COMPANIES
from firmware.simulation.table.physical_table import PhysicalTable
from hw.button_presses import Press

MistakeRate = Literal["none", "some", "many"]
MISTAKE_SHARES: dict[MistakeRate, float] = {"none": 0.0, "some": 0.08, "many": 0.3}
"""Share of the acts at the table before which a mistake is made."""
ALERT_READ_S = 4.0
"""Seconds for which an alert stands before anyone mends it: so long it takes to read."""
NOTICED_S = 4.0
"""Seconds within which the box notices a mistake; until then they look at the screen."""
PUZZLED_S = 3.0
"""Seconds for which people look at a screen that tells them nothing, before they press BACK."""
LOST_S = 15.0
"""Seconds for which people wait at a screen of the game that they can do nothing about."""
OBEYED_OFTEN = 2
"""So often they do what the screen says; when it says the same once more, it is the record that is wrong."""
BACK_TRIES = 2
"""So often they press BACK at such a screen; then they put the table back as the record has it."""
OVER_SHOWN_S = 15.0
"""Seconds for which the end of a match is looked at before the next one begins."""
SCORES_READ_S = 4.0
"""Seconds for which the scores of a round are looked at."""
SCORES = frozenset({"round_over"})
REMATCHES = ("rematch", "play_again")
WAYS_OUT = ("table_is_right", "record_is_right", "step_back")
"""Offers beside an alert, in the order in which people try them."""
GOING_ON = frozenset({"deal", "pick", "reveal", "lay", "take", "play", "done", "next", "adopt", "overrule", "resume"})
"""Moves after which a game is no longer where it was."""
LOST = Sentence("lost")
PRESS_S = 0.4
"""Seconds from one press of a button to the next."""


class People:
    """All the people at the table. ``step`` before each frame; ``watch`` is an observer of the companion.

    ``mistakes`` is how often they err, ``err_now`` makes them err at the next occasion. ``wish`` asks them to go
    through a flow of the box, by its name in ``WISHES``. ``alert_read_s`` is how long an alert stands before it is
    mended. ``end_act`` is called after each act. ``misunderstood`` counts the screens that told them nothing. Any
    thread may call ``wish``, ``err_now`` and ``leave_to_human``.
    """

    def __init__(
        self,
        table: PhysicalTable,
        *,
        seed: int = 0,
        reader: ScreenReader = read_texts,
        mistakes: MistakeRate = "none",
        alert_read_s: float = ALERT_READ_S,
        end_act: Callable[[], None] = lambda: None,
    ) -> None:
        rng = random.Random(seed)
        self.mates = TableMates(table, rng, SeenScreen(Sentence("")))
        self.mistakes: MistakeRate = mistakes
        self.alert_read_s = alert_read_s
        self.misunderstood: Counter[str] = Counter()
        self.companies: dict[int, Company] = {}
        self.company: Company | None = None
        self.wishes: deque[Wish] = deque()
        self.table = table
        self._reader = reader
        self._end_act = end_act
        self._err_now = False
        self._erred = False
        self._over_since: float | None = None
        self.over_shown_s = OVER_SHOWN_S
        self._seen: tuple[View, Names] | None = None
        self._script: Script | None = None
        self._mended: Sentence | None = None
        self._repeated, self._guided = RepeatedAdvice(), RepeatedAdvice()
        self._acts_left: tuple[Sentence, ...] = ()
        self._now = self._rest_until = self._watch_until = 0.0
        self._alert: tuple[Sentence | None, float] = (None, 0.0)
        self._puzzled: tuple[Sentence | None, float] = (None, 0.0)
        self._prompt: tuple[Sentence | None, float] = (None, 0.0)
        self._count_games: Callable[[], int] | None = None
        self._game = 0
        self._lock = RLock()

    def attend(self, game: Callable[[], int]) -> None:
        """``game`` gives the number of the running game in the journal."""
        self._count_games = game

    def wish(self, name: str) -> None:
        """Ask them to go through a flow, as soon as they can."""
        self.wishes.append(WISHES[name]())

    def err_now(self) -> None:
        """Ask for one mistake, now."""
        self._err_now = True

    def leave_to_human(self, players: frozenset[int]) -> None:
        """These players are real people from now on: their hands are not simulated."""
        self.mates.human = players

    @property
    def is_idle(self) -> bool:
        """Are all between two acts?"""
        return self._script is None

    def read(self, view: View, names: Names) -> SeenScreen:
        """What they understand of a screen."""
        return self._reader(view, names)

    def join_match(self, game: int, started: Started) -> None:
        """They have agreed on a match: number ``game`` of the box."""
        self._game = game
        self.company = self.companies[game] = COMPANIES[started.game](self.mates, started)
        self.company.begin()

    def _take_up(self, log: Log[Any, Any]) -> Company:
        """A match of an earlier run of the program, whose pieces were set aside."""
        company = COMPANIES[log.game.name](self.mates, Started(log.game.name, log.options, {}))
        company.take_up(log)
        return company

    def watch(self, happened: Happened) -> None:
        """They see what was chosen: a match begins, stops, goes on or ends."""
        with self._lock:
            self._watch(happened)

    def _watch(self, happened: Happened) -> None:
        for effect in happened.effects:
            match effect:
                case BeginGame(started):
                    self.join_match(self._count_games() if self._count_games else len(self.companies) + 1, started)
                case ResumeGame(id) if id != self._game and happened.log is not None:
                    if id not in self.companies:
                        self.companies[id] = self._take_up(happened.log)
                    self._game, self.company = id, self.companies[id]
                    self.company.resume()
                case PauseGame() if self.company is not None:
                    self.company.set_aside()
                    self._game, self.company = 0, None
                case EndGame("given up"):
                    self._game, self.company = 0, None
                    self.mates.table.clear()
                case WriteEntries(entries, _):
                    for entry in entries:
                        self._hear(entry)
                    continue
                case _:
                    pass
            self._drop_script()
            for wish in self.wishes:
                wish.saw(effect)

    def _drop_script(self) -> None:
        if self._script is not None:
            self.table.withdraw("hand")
        self._script = self._mended = None

    def _hear(self, entry: str) -> None:
        """A move was recorded: who left, joined or changed seats, all have seen."""
        self._acts_left = ()
        if entry.split()[0] in GOING_ON:
            self._repeated.forget()
        if self.company is not None:
            self.company.hear(entry)
        for wish in self.wishes:
            wish.saw(WriteEntries((entry,), ""))

    def step(self, view: View, names: Names, now: float) -> tuple[BoxEvent, ...]:
        """What they do in this instant; the events are for the box."""
        with self._lock:
            return self._step(view, names, now)

    def _step(self, view: View, names: Names, now: float) -> tuple[BoxEvent, ...]:
        if (view, names) != self._seen:
            self._seen = view, dict(names)
            self.mates.screen = self._reader(view, names)
        screen = self.mates.screen
        self._now = now
        self.mates.pads = screen.pads or self.mates.pads
        if screen.fault != self._alert[0]:
            self._alert = screen.fault, now
        if screen.prompt != self._prompt[0]:
            self._prompt = screen.prompt, now
        if now < self._rest_until:
            return ()
        if self._mended is not None and self._mended != _find_task(screen):
            self._drop_script()  # what they are about to mend is right by now, or something else is wrong
        if self._script is None:
            self._script = self._decide(screen, now)
            if self._script is None:
                return ()
            self._mended = _find_task(screen)
        item = next(self._script, None)
        match item:
            case None:
                self._script = self._mended = None
                self._rest_until = now + THINK_S
                if self._erred:
                    self._watch_until = now + NOTICED_S
                self._end_act()
                return ()
            case float():
                self._rest_until = now + item
                return ()
            case Press():
                self._rest_until = now + PRESS_S
                return (Pressed(item, now),)
            case str():
                self._rest_until = now + PRESS_S
                return (parse_told(item, "web", now),)

    @property
    def waits_for_alert(self) -> bool:
        """Was a mistake made so recently that the box may not have said so yet?"""
        return self._now < self._watch_until

    def wait_for_alert(self) -> None:
        """A mistake was made: look at the screen for a while."""
        self._watch_until, self._erred = self._now + NOTICED_S, True

    def _decide(self, screen: SeenScreen, now: float) -> Script | None:
        """The next thing to do: about a wish, an alert, the game, or the box."""
        while self.wishes and self.wishes[0].done:
            self.wishes.popleft()
        company = self.company
        if self.wishes and (script := self.wishes[0].answer(self, screen)) is not None:
            return script
        rebuilding = screen.prompt.topic in REBUILDS
        if not rebuilding:
            self._guided.forget()
        told = screen.fault or screen.prompt
        if company is not None and not self.mates.human and (false := company.find_false_piece(told)):
            self._undo_entry(false)
            return None
        if company is not None and not self.wishes and company.disputes(screen):
            self.wishes.append(UndoWish())
            return None
        self._over_since = self._over_since if screen.over else None
        if screen.fault is not None and company is not None and not rebuilding:
            if now - self._alert[1] < self.alert_read_s:
                return None
            if (not self.mates.human or self._erred) and (script := company.mend(screen.fault)) is not None:
                self._erred = False
                self._acts_left = screen.lines
                return script if self.mates.human else self._doubt(screen, screen.fault) or script
        if company is not None and (script := self._finish_acts(screen, company)) is not None:
            return script
        if company is not None:
            if not rebuilding and self._erred and not company.knows(screen.prompt.topic):
                self._watch_until = now + NOTICED_S  # the box asks about the mistake, and may refuse it then
            elif screen.fault is None and now < self._watch_until:
                return None
            elif now >= self._watch_until and screen.fault is None:
                self._erred = False
            if screen.prompt.topic in SCORES and now - self._prompt[1] < SCORES_READ_S:
                return None
            if (script := company.answer(screen)) is not None:
                if not self._erred:
                    company.remember()
                return (None if screen.fault or rebuilding else self._err(company, now)) or script
        if company is not None and (script := company.obey(screen.prompt)) is not None:
            self._acts_left = screen.lines
            return script if self.mates.human else self._doubt(screen, screen.prompt) or script
        if company is not None and screen.over:
            return self._go_on(screen, now)
        if self.mates.human and not rebuilding and not self.wishes:
            return None  # menus and questions are for the person who opened them
        script = answer_screen(self.mates, company)
        if script is not None and rebuilding and self._guided.note(screen.prompt) > OBEYED_OFTEN:
            return self.mates.press("guide_line")  # it lies there, and the camera does not see it
        return script or self._wonder(screen, now)

    def _undo_entry(self, card: str) -> None:
        """Undo the entry of this card before anything else, once."""
        planned = [wish for wish in self.wishes if isinstance(wish, UndoEntryWish) and wish.card == card]
        for wish in planned:
            self.wishes.remove(wish)
        self.wishes.appendleft(UndoEntryWish(card))

    def _get_over(self) -> None:
        """Nothing on the screen helps them: the record as it is, the table as it is, or one move less."""
        ways: tuple[Callable[[], Wish], ...] = (KeepScoreWish, KeepScoreWish, AdoptWish, UndoEntryWish, AgreeWish)
        self.wishes.appendleft(ways[self._repeated.note(LOST) % len(ways)]())

    def _finish_acts(self, screen: SeenScreen, company: Company) -> Script | None:
        """The next act of an alert of several, also if the alert is gone after the first one."""
        lines, self._acts_left = self._acts_left, ()
        if screen.fault is not None or not (company.knows(screen.prompt.topic) or company.obey(screen.prompt)):
            return None
        for at, line in enumerate(lines, 1):
            if (script := company.obey(line)) is not None:
                self._acts_left = lines[at:]
                return script
        return None

    def _doubt(self, screen: SeenScreen, alert: Sentence) -> Script | None:
        """An alert that returns although they did what it says: the table is right, or else the record."""
        times = self._repeated.note(alert) - OBEYED_OFTEN
        if times < 0:
            return None
        ways = [topic for topic in WAYS_OUT if screen.find_offer(topic) is not None]
        if times < len(ways):
            return self.mates.press(ways[times])
        if times == len(ways):
            late = self.company.find_late_piece((alert, *screen.lines)) if self.company else ""
            self.wishes.appendleft(UndoEntryWish(late))
        else:
            self._repeated.forget()
            self.wishes.appendleft(AgreeWish())
        return None

    def _go_on(self, screen: SeenScreen, now: float) -> Script | None:
        """The match is over: after a while they play again, with the loser first where the game says so."""
        if self._over_since is None:
            self._over_since = now
        if now - self._over_since < self.over_shown_s or self.mates.human:
            return None
        self._over_since = None
        return next((self.mates.press(topic) for topic in REMATCHES if screen.find_offer(topic) is not None), None)

    def _err(self, company: Company, now: float) -> Script | None:
        """A mistake, if one is due."""
        if not self._err_now and self.mates.rng.random() >= MISTAKE_SHARES[self.mistakes]:
            return None
        script = company.err()
        if script is not None:
            self._err_now, self._erred, self._watch_until = False, True, now + NOTICED_S
        return script

    def _wonder(self, screen: SeenScreen, now: float) -> Script | None:
        """The screen tells them nothing: they wait for a while, and then put the table back, or go back."""
        if screen.prompt != self._puzzled[0]:
            self._puzzled = screen.prompt, now
        waits = self.company is not None and self.company.knows(screen.prompt.topic) and not screen.offers
        if now - self._puzzled[1] < (LOST_S if waits else PUZZLED_S) or (waits and self.mates.human):
            return None
        if waits:
            self._puzzled = screen.prompt, now
            self._get_over()
            return None
        self.misunderstood[screen.prompt.topic] += 1
        if self.misunderstood[screen.prompt.topic] % BACK_TRIES == 0 and self.company is not None:
            self._get_over()
            return None
        self._puzzled = screen.prompt, now
        if self._erred and self.company is not None:  # the box asks about what they did: it was a mistake
            self._erred = False
            return self.company.restore()
        if screen.find_offer("record_is_right") is not None:
            return self.mates.press("record_is_right")
        return self.mates.go_back()


def _find_task(screen: SeenScreen) -> Sentence | None:
    """What this screen asks to mend at the table, if it does."""
    return screen.fault or (screen.prompt if screen.prompt.topic in REBUILDS else None)
