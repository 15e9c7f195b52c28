"""The full-screen page of a terminal: keeps its story and scores, and draws it for every frame."""

import os
import sys
import tempfile
import unicodedata
from collections import deque
from typing import TextIO

from rich.console import Console as Paper

from engine.text import say
from engine.view import View
from firmware.box.flow_stack import find_running_game, find_wrong_pieces
from firmware.box.games import ui_of
from firmware.runtime.display_thread import HOLD_TEXTS, ScreenFrame, draw_picture
from firmware.runtime.screen_text import render_screen
from firmware.runtime.terminal_page import LEAST_SIZE, PICTURE_SIZE, StoryLine, TerminalPage, draw_page
from firmware.runtime.terminal_tables import ASCII_GLYPHS, UNICODE_GLYPHS, TableWords
from firmware.texts.render import render
from hw.panel.terminal import HOME

OPEN_PAGE, CLOSE_PAGE = "\x1b[?1049h\x1b[?25l\x1b[?7l", "\x1b[?7h\x1b[?25h\x1b[?1049l"
"""Switch to the alternate screen without cursor and line wrap, and back."""
CLEAR_BELOW = "\r\n\x1b[J"
STORY_LINES = 200


class Console:
    """A context manager: ``note`` adds a line to the story, ``draw`` draws the page.

    Output of libraries on stderr would spoil the page: it is kept and printed when the page is left.
    """

    def __init__(self, title: str, language: str = "en", out: TextIO | None = None, errors: int = 2) -> None:
        self.title = title
        self._language = language
        self._out = out or sys.stdout
        self._errors = errors
        self._story: deque[StoryLine] = deque(maxlen=STORY_LINES)
        self._pads: View | None = None
        self._paper = Paper(file=self._out, force_terminal=True, highlight=False, markup=False, emoji=False)
        self._encoding = self._out.encoding or "ascii"
        self._glyphs = UNICODE_GLYPHS if _encodes(str(UNICODE_GLYPHS), self._encoding) else ASCII_GLYPHS

    def note(self, says: str, alert: bool = False) -> None:
        self._story.append(StoryLine(says, alert))

    def draw(self, shown: ScreenFrame) -> None:
        size = os.get_terminal_size(self._out.fileno())
        self._paper.size = size.columns, size.lines
        rows = draw_page(self._paper, self.lay_out(shown, (size.columns, size.lines)))
        self._write(HOME + "\r\n".join(rows) + (CLEAR_BELOW if len(rows) < size.lines else ""))

    def lay_out(self, shown: ScreenFrame, size: tuple[int, int]) -> TerminalPage:
        """What the page shows of this frame in a window of this size."""
        language = shown.language or self._language
        game = find_running_game(shown.box) if shown.box else None
        if shown.view.pads:
            self._pads = shown.view
        elif game is None:
            self._pads = None
        ui = ui_of(game.log.game.name) if game else None
        known = shown.box.known if shown.box else None
        words = TableWords(
            shown.names,
            language,
            find_wrong_pieces(shown.box, shown.view) if shown.box else (),
            shown.view.turn,
            ui.colours(game.log.state) if game and ui else {},
            self._glyphs,
        )
        held = shown.holding and (
            render(HOLD_TEXTS[shown.holding.kind], language) if shown.holding.kind in HOLD_TEXTS else "",
            shown.holding.part,
        )
        roomy = size[0] >= PICTURE_SIZE[0] and size[1] >= PICTURE_SIZE[1] and self._glyphs is UNICODE_GLYPHS
        columns, lines = LEAST_SIZE
        return TerminalPage(
            title=f"{self.title} · {words.text('game', game=game.log.game.name)}" if game else self.title,
            address=known.page.address if known and known.page else "",
            view=shown.view,
            said=render_screen(shown.view, shown.names, language, note=shown.note),
            words=words,
            table=ui.table_state(game.log) if game and ui else None,
            pads=self._pads,
            story=tuple(self._story),
            held=held or None,
            picture=draw_picture(shown, language) if roomy else None,
            keys=render(say("terminal_keys"), language),
            small=render(say("terminal_small", columns=columns, lines=lines), language),
        )

    def __enter__(self) -> "Console":
        self._true_errors = os.dup(self._errors)
        self._kept = tempfile.TemporaryFile()
        os.dup2(self._kept.fileno(), self._errors)
        self._write(OPEN_PAGE)
        return self

    def __exit__(self, *_: object) -> None:
        self._write(CLOSE_PAGE)
        os.dup2(self._true_errors, self._errors)
        os.close(self._true_errors)
        with self._kept as kept:
            kept.seek(0)
            while part := kept.read(1 << 16):
                os.write(self._errors, part)

    def _write(self, text: str) -> None:
        self._out.write(text if _encodes(text, self._encoding) else to_plain_letters(text, self._encoding))
        self._out.flush()


def _encodes(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def to_plain_letters(text: str, encoding: str) -> str:
    """The text with letters that the encoding has: without accents, and a question mark for what has no such letter."""
    letters = (letter if _encodes(letter, encoding) else unicodedata.normalize("NFKD", letter) for letter in text)
    return "".join(letters).replace("·", "-").encode(encoding, "ignore").decode(encoding)
