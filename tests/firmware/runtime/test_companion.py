"""The companion without threads: from rendered frames to the record; effects come before the view that shows them."""

import random
from contextlib import closing
from itertools import islice

import pytest

from engine.games import GAMES
from engine.log import Log
from firmware.app.restore import restore_session
from firmware.box.effects import KeepEmpty, PowerOff, Restart
from firmware.box.events import Ticked, Told, parse_told
from firmware.box.flow import Turn
from firmware.box.flow_context import Context
from firmware.box.flow_stack import Box
from firmware.box.flows.home_menu import Home
from firmware.box.match_start import begin_command
from firmware.journal.journal import open_journal
from firmware.journal.operation_types import (
    BeginGame,
    EndGame,
    PauseGame,
    RenamePlayers,
    ResumeGame,
    Started,
    VerifyDeck,
    WriteEntries,
)
from firmware.journal.row_sql import read_entries
from firmware.journal.sqlite_file import open_readonly
from firmware.runtime.companion import JOURNAL_RETRY_S, NOTICE_SHOWN_S, Companion
from firmware.simulation.players import PLAYERS
from firmware.simulation.session import SimulatedSession
from firmware.simulation.table import SimTable
from vision.live.perception import Perception

SMALL = {"players": 2}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.sqlite"


def session(seed, mistakes=0.0):
    """A companion over a simulated table, without a journal."""
    played = SimulatedSession(SimTable(Log(GAMES["nimmt"], SMALL), random.Random(seed), mistake_share=mistakes), seed)
    played.start_companion()
    return played


def test_cards_are_recorded_as_played():
    played = session(5)
    for act in islice(played.play(), 18):
        assert played.companion.view.alert is None, act
        if not act.reaching:
            assert played.log.state == played.table.truth.state
    assert len(played.log.moves) >= 4


def test_a_wrong_card_is_reported_until_it_is_corrected():
    played = session(1, mistakes=1.0)
    named = set()
    for act in islice(played.play(), 14):
        if act.wrong:
            named.add(played.companion.view.ruling)
            assert played.companion.view.ruling in act.mistake.rulings
        elif not act.reaching:
            assert played.companion.view.alert is None
    assert named


class Doing:
    """A flow that has these effects at any command."""

    def __init__(self, *effects):
        self.effects = effects

    def read_request(self, known):
        return None

    def view(self, known):
        return Home().view(known)

    def handle(self, event, known):
        return Turn((self,), self.effects) if isinstance(event, Told) else None


def doing(path, *effects, **more):
    """A companion and its journal after these effects."""
    with closing(open_journal(path)) as journal:
        companion = Companion(Box(Context(), (Doing(*effects),)), Perception(), journal, clock=lambda: 5.0, **more)
        companion.handle(parse_told("go", "button", 1.0))
        return companion, journal


PILES = Started("thegame", Log(GAMES["thegame"], SMALL).options, {1: "Ana", 2: "Ben"})
WROTE = WriteEntries(("play 12 up:1",), "seen")
EFFECTS = {
    "a game that runs": ((BeginGame(PILES), WROTE), [(None, None, {1: "Ana", 2: "Ben"}, ["play 12 up:1"])]),
    "finished": ((BeginGame(PILES), EndGame("finished")), [(5.0, "finished", {1: "Ana", 2: "Ben"}, [])]),
    "given up": ((BeginGame(PILES), EndGame("given up")), [(5.0, "given up", {1: "Ana", 2: "Ben"}, [])]),
    "paused": ((BeginGame(PILES), PauseGame()), [(None, "paused", {1: "Ana", 2: "Ben"}, [])]),
    "resumed": (
        (BeginGame(PILES), PauseGame(), ResumeGame(1), WROTE),
        [(None, None, {1: "Ana", 2: "Ben"}, ["play 12 up:1"])],
    ),
    "one stopped by another": (
        (BeginGame(PILES), BeginGame(PILES), WROTE),
        [(None, "stopped", {1: "Ana", 2: "Ben"}, []), (None, None, {1: "Ana", 2: "Ben"}, ["play 12 up:1"])],
    ),
    "renamed": ((BeginGame(PILES), RenamePlayers({1: "Eva"})), [(None, None, {1: "Eva"}, [])]),
}


@pytest.mark.parametrize(("effects", "left"), EFFECTS.values(), ids=EFFECTS)
def test_the_journal_holds_the_effects(path, effects, left):
    doing(path, *effects)
    with closing(open_journal(path)) as journal:
        found = [(p.ended, p.how, p.names, [row.entry for row in journal.rows(p.id)]) for p in journal.history()]
    assert found == left


def test_a_checked_deck_is_remembered(path):
    doing(path, VerifyDeck("nimmt"))
    with closing(open_journal(path)) as journal:
        assert restore_session(journal, 9.0)[0].decks == {"nimmt"}


@pytest.mark.parametrize("effect", [Restart(), PowerOff()])
def test_a_restart_or_power_off_is_left_to_the_caller(path, effect):
    assert doing(path, effect)[0].ending == effect


def test_keeping_the_empty_table_calls_its_action(path):
    asked = []
    doing(path, KeepEmpty(), actions={KeepEmpty: asked.append})
    assert asked == [KeepEmpty()]


def test_entries_are_on_disk_before_they_are_shown(path):
    found = []

    def tell(happened):
        with closing(open_readonly(path)) as db:
            found.append([row.entry for row in read_entries(db, 1)])

    doing(path, BeginGame(PILES), WROTE, observers=[tell])
    assert found == [["play 12 up:1"]]


def test_a_journal_fault_is_shown_and_retried_during_the_game(path):
    other = open_journal(path)
    with closing(open_journal(path)) as journal:
        companion = Companion(Box(Context(), (Doing(WROTE),)), Perception(), journal)
        companion.begin(PILES)
        assert companion.view.alert.id == "journal_in_use"
        companion.handle(parse_told("go", "button", 1.0))
        other.close()
        assert companion.handle(Ticked(JOURNAL_RETRY_S)).alert is None
        with closing(open_readonly(path)) as db:
            assert [row.entry for row in read_entries(db, 1)] == ["play 12 up:1"]


def test_a_notice_of_the_journal_is_shown_for_a_while(path):
    path.write_text("dear diary\n" * 200)
    with closing(open_journal(path)) as journal:
        companion = Companion(Box(Context(), (Home(),)), Perception(), journal)
        assert companion.view.alert.id == "journal_kept"
        assert companion.handle(Ticked(NOTICE_SHOWN_S - 0.1)).alert.id == "journal_kept"
        assert companion.handle(Ticked(NOTICE_SHOWN_S)).alert is None


def test_the_next_start_restores_game_and_names(path):
    doing(path, BeginGame(PILES), WROTE)
    with closing(open_journal(path)) as journal:
        known, notices = restore_session(journal, 9.0)
    (stopped,) = known.stopped
    assert (stopped.id, stopped.paused, [str(move) for move in stopped.log.moves]) == (1, False, ["play 12 up:1"])
    assert (known.names, known.people, known.last, notices) == ({1: "Ana", 2: "Ben"}, ("Ana", "Ben"), PILES, ())


@pytest.mark.parametrize(("game", "options"), [("six", {}), ("nimmt", {"players": 2, "end": "rounds", "rounds": 1})])
def test_a_finished_match_is_offered_again_after_a_restart(path, game, options):
    log, names = Log(GAMES[game], options), {1: "Ana", 2: "Ben"}
    players = PLAYERS[game](log.options, random.Random(4))
    begun = Box(Context(names=names), (Home(),))
    with closing(open_journal(path)) as journal:
        companion = Companion(begun, Perception(), journal)
        companion.handle(parse_told(str(begin_command(game, log.options)), "button", 1.0))
        while not companion.view.over:
            move = players.next(companion.log.state)
            companion.handle(parse_told(str(move), "button", 2.0))
        before = companion.handle(parse_told("game:leave", "button", 3.0)) and companion.box.known
    with closing(open_journal(path)) as journal:
        after, _ = restore_session(journal, 9.0)
    assert (after.last, after.names, after.names_by_seat or names) == (
        before.last,
        before.names,
        before.names_by_seat,
    )
    assert before.last.names == ({1: "Ben", 2: "Ana"} if log.game.name == "six" else names)


def test_after_a_restart_a_name_has_one_number(path):
    with closing(open_journal(path)) as journal:
        companion = Companion(Box(Context(), (Home(),)), Perception(), journal)
        for line in (
            "game:begin thegame players=3",
            *("people:rename 1", "name:set Ana", "people:rename 2", "name:set Ben", "people:rename 3", "name:set Clea"),
        ):
            companion.handle(parse_told(line, "button", 1.0))
        for line in ("leave 1", f"cannot {companion.log.state.turn}", "cannot 2", "game:play-again", "game:give-up"):
            companion.handle(parse_told(line, "button", 2.0))
        companion.handle(parse_told("yes game:give-up", "button", 2.0))
    with closing(open_journal(path)) as journal:
        known, _ = restore_session(journal, 9.0)
    assert known.names == {1: "Ben", 2: "Clea"}


def test_a_damaged_game_continues_from_its_valid_entries(path):
    with closing(open_journal(path)) as journal:
        game = journal.begin(Started("thegame", PILES.options, {}), 1.0)
        journal.apply(WriteEntries(("play 12 up:1", "play 5 up:1"), "seen"), game, 2.0)  # the second move is illegal
    with closing(open_journal(path)) as journal:
        known, notices = restore_session(journal, 9.0)
        assert [str(move) for move in known.stopped[0].log.moves] == ["play 12 up:1"]
        assert [notice.id for notice in notices] == ["log_row"]
        companion = Companion(Box(known, (Home(),)), Perception(), journal, notices=list(notices))
        assert companion.view.alert.id == "log_row"
        assert [row.entry for row in journal.rows(game)] == ["play 12 up:1"]
