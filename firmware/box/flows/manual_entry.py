"""Manual entry of moves with four buttons: first what happened, then one question for each detail."""

from dataclasses import dataclass, replace
from typing import Any

from engine.log import Log
from engine.text import Text, say
from engine.view import Offer, View
from firmware.box.commands import ChooseTens, ChooseWord, Command, OpenForm, Verb
from firmware.box.games import ui_of
from firmware.box.games.manual_entry_question import Question, offer_by_tens
from firmware.box.menu_and_confirmation import GO_ON, offer
from firmware.box.seat_names import name_seats


@dataclass(frozen=True, slots=True)
class ManualEntry:
    """Open until it is closed: without a camera one entry follows the other. ``alone``: it answers one question.

    ``verb`` is what happened, ``words`` are the answers so far, ``row`` the numbers of an answer that takes several
    and is not complete, ``tens`` the tens of the number to choose.
    """

    verb: str = ""
    words: tuple[str, ...] = ()
    row: tuple[str, ...] = ()
    tens: int | None = None
    alone: bool = False

    def view(self, log: Log[Any, Any], shown: View, refused: Text | None) -> View:
        """``shown`` is the view of the game, ``refused`` the answer to the last entry."""
        ask = self._ask(log)
        if ask is None:
            entries = tuple(Offer(name_seats(form.label, log), form.move) for form in _forms(log))
            offers = (*shown.offers, *(form for form in entries if form not in shown.offers), GO_ON)
            return replace(shown, offers=offers)
        offers = offer_by_tens(ask, self.tens, self.row)
        if ask.many != 1 and self.row:
            offers = (*offers, *((offer(say("that_is_all"), Verb.ROW_IS_WHOLE),) if not ask.many else ()))
        prompt = say("chosen_so_far", cards=tuple(map(int, self.row))) if self.row else ask.prompt
        return View(prompt, shown.turn, shown.pads, offers, refused, lines=ask.lines)

    def tell(self, command: Command, log: Log[Any, Any]) -> "ManualEntry | str | None":
        """The state after this command, or the entry if it is complete; None if the command is for another flow."""
        ask = self._ask(log)
        if ask is None:
            return (
                replace(ManualEntry(alone=self.alone), verb=command.entry)._entered(log)
                if isinstance(command, OpenForm)
                else None
            )
        match command:
            case Verb.BACK:
                return self._back()
            case ChooseTens(tens):
                return replace(self, tens=tens)
            case ChooseWord(word) if any(offer.move == word for offer in ask.offers) and word not in self.row:
                return self._set(word, ask)._entered(log)
            case Verb.ROW_IS_WHOLE if not ask.many and self.row:
                return replace(self, words=(*self.words, ",".join(self.row)), row=(), tens=None)._entered(log)
            case _:
                return None

    def _set(self, word: str, ask: Question) -> "ManualEntry":
        if ask.many == 1:
            return replace(self, words=(*self.words, word), tens=None)
        row = (*self.row, word)
        if len(row) < ask.many or not ask.many:
            return replace(self, row=row, tens=None)
        return replace(self, words=(*self.words, ",".join(row)), row=(), tens=None)

    def asks(self, log: Log[Any, Any]) -> bool:
        """Is there still something to ask? A move from elsewhere may have answered it."""
        return self._ask(log) is not None

    def _back(self) -> "ManualEntry | None":
        """Undo one step: the tens, the last number, the last answer, or what happened. None closes a question."""
        if self.tens is not None:
            return replace(self, tens=None)
        if self.row:
            return replace(self, row=self.row[:-1])
        if self.words:
            return replace(self, words=self.words[:-1])
        return None if self.alone else ManualEntry()

    def _entered(self, log: Log[Any, Any]) -> "ManualEntry | str":
        return self if self._ask(log) else ui_of(log.game.name).entry(self.verb, self.words)

    def _ask(self, log: Log[Any, Any]) -> Question | None:
        """The next question; None as well if a move from elsewhere has made the entry or its answers impossible."""
        if not any(form.move == str(OpenForm(self.verb)) for form in _forms(log)):
            return None
        asked = ui_of(log.game.name).ask
        for n, word in enumerate(self.words):
            before = asked(log.state, self.verb, self.words[:n])
            if before is None or not before.takes(word):
                return None
        return asked(log.state, self.verb, self.words)


def _forms(log: Log[Any, Any]) -> tuple[Offer, ...]:
    return ui_of(log.game.name).manual_forms(log.state)
