"""A list to choose from, and a question that only yes answers."""

from dataclasses import dataclass

from engine.text import Text, say
from engine.view import Offer, View
from firmware.box.commands import Command, Confirm, Question, Verb
from firmware.box.events import FlowEvent, Told
from firmware.box.flow import Turn
from firmware.box.flow_context import Context
from vision.live.read_request import ReadRequest


def offer(label: Text, command: Command) -> Offer:
    return Offer(label, str(command))


GO_ON = offer(say("go_on"), Verb.BACK)
"""The harmless answer: where something would be lost it stands first, under the cursor."""
UNDERSTOOD = offer(say("understood"), Verb.BACK)


@dataclass(frozen=True, slots=True)
class Menu:
    """Closes with BACK, or with a choice, which is a command for the flows below."""

    prompt: Text
    entries: tuple[Offer, ...]
    lines: tuple[Text, ...] = ()

    def read_request(self, known: Context) -> ReadRequest | None:
        return None

    def view(self, known: Context) -> View:
        return View(self.prompt, offers=self.entries, lines=self.lines)

    def handle(self, event: FlowEvent, known: Context) -> Turn | None:
        match event:
            case Told(Verb.BACK | Verb.MENU, _, _):
                return Turn(())
            case Told(command, _, _) if any(entry.move == str(command) for entry in self.entries):
                return Turn((), tell=command)
            case _:
                return None


@dataclass(frozen=True, slots=True)
class Confirmation:
    """Asks before ``question`` is done. Only a yes to this very question counts; BACK is no."""

    prompt: Text
    question: Question
    yes: Text
    no: Offer = GO_ON
    lines: tuple[Text, ...] = ()

    def read_request(self, known: Context) -> ReadRequest | None:
        return None

    def view(self, known: Context) -> View:
        return View(self.prompt, offers=(self.no, offer(self.yes, Confirm(self.question))), lines=self.lines)

    def handle(self, event: FlowEvent, known: Context) -> Turn | None:
        match event:
            case Told(Verb.BACK | Verb.MENU, _, _):
                return Turn(())
            case Told(Confirm(question) as answer, _, _) if question == self.question:
                return Turn((), answer=answer)
            case _:
                return None
