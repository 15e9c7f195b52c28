"""The first game of people who do not know it: what to do now and why, the rule one press away, for three rounds."""

from dataclasses import replace
from typing import Any

from engine.games import GAMES
from engine.log import Log
from engine.text import say
from engine.view import View
from firmware.box.commands import LearnGame, Verb
from firmware.box.games import ui_of
from firmware.box.games.lesson import Lesson
from firmware.box.menu_and_confirmation import UNDERSTOOD, Menu, offer

EXPLAINED_ROUNDS = 3
"""Rounds after which a first game explains nothing any more."""


def choose_first_game() -> Menu:
    return Menu(say("first_game_which"), tuple(offer(say("game", game=game), LearnGame(game)) for game in GAMES))


def find_lesson(log: Log[Any, Any]) -> Lesson | None:
    """What there is to explain now; None from the fourth round on."""
    ui = ui_of(log.game.name)
    if ui.rounds_played(log) >= EXPLAINED_ROUNDS:
        return None
    return ui.choose_lesson(log)


def explain(view: View, log: Log[Any, Any]) -> View:
    """The view with the reason of its prompt. An alert comes first: it says itself what to do."""
    lesson = find_lesson(log)
    if lesson is None or view.alert is not None or view.prompt != log.game.view(log.state).prompt:
        return view
    why = offer(say("why_this"), Verb.EXPLAIN)
    return replace(
        view, lines=(lesson.why, *view.lines), offers=(*view.offers, why), ruling=view.ruling or lesson.ruling
    )


def show_rule(log: Log[Any, Any]) -> Menu | None:
    """The rule behind the prompt, line by line."""
    lesson = find_lesson(log)
    return Menu(lesson.why, (UNDERSTOOD,), lesson.rule) if lesson else None
