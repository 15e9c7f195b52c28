"""How a match begins: options, names, the lot for the first player, and the rematch."""

import random

import pytest

from engine.games import GAMES
from engine.log import Log
from engine.options import BadOption, fill_options
from firmware.box.commands import EntryLine, parse_command
from firmware.box.flow_context import Context
from firmware.box.match_start import begin_command, keep_names, start_match
from firmware.box.rematch import prepare_rematch
from firmware.box.table_size import round_area
from firmware.journal.operation_types import Started
from firmware.simulation.players import PLAYERS

NAMED = {1: "Ana", 2: "Ben", 3: "Clea"}


def played(game, seed=1, **options):
    """A whole match by simulated players."""
    log = Log(GAMES[game], options)
    players = PLAYERS[game](log.options, random.Random(seed))
    while (move := players.next(log.state)) is not None:
        log = log.add(move)
    return log


def start(log, names):
    return Started(log.game.name, log.options, names)


@pytest.mark.parametrize(
    ("game", "given"),
    [
        ("nimmt", {"players": 4, "spots": (1, 3, 5, 6), "variant": "halves"}),
        ("nimmt", {"players": 2, "spots": (), "cmp": "gt"}),
        ("thegame", {"level": "expert_small_hand", "players": 5}),
        ("six", {"first": "black", "first_tile_restriction": 1}),
    ],
    ids=["with-seats", "without-seats", "thegame", "six"],
)
def test_the_command_that_begins_a_game_says_all_that_was_chosen(game, given):
    command = parse_command(str(begin_command(game, given)))
    known = GAMES[game].options
    assert (command.game, fill_options(known, dict(command.options))) == (game, fill_options(known, given))


@pytest.mark.parametrize("line", ["game:begin", "game:begin six red", "game:start six"])
def test_other_lines_begin_nothing(line):
    assert isinstance(parse_command(line), EntryLine)


def test_the_game_begins_on_the_table_as_measured_whatever_the_words_say():
    log = start_match("six", {"width": "5000"}, Context(area=(820, 610)))
    assert (log.options["width"], log.options["height"]) == (820, 610)
    assert start_match("six", {"width": "5000"}, Context()).options["width"] == 0


@pytest.mark.parametrize(
    ("area", "counts_as"),
    [((900, 600), (900, 600)), ((598, 445), (600, 450)), ((590, 415), (594, 420)), ((580, 400), (580, 400))],
    ids=["large", "a-little-short", "A2-a-little-short", "too-small"],
)
def test_a_size_is_taken_as_meant(area, counts_as):
    assert round_area(area) == counts_as


def test_the_first_picker_of_a_draft_is_drawn_by_lot_among_all_players():
    drawn = {
        start_match("nimmt", {"variant": "professional", "players": 4}, Context(now=n / 1000)).options["first"]
        for n in range(40)
    }
    assert drawn == {1, 2, 3, 4}


def test_a_first_player_who_does_not_play_is_refused():
    with pytest.raises(BadOption, match="first"):
        start_match("nimmt", {"variant": "professional", "players": 3, "first": 4}, Context())


@pytest.mark.parametrize(
    ("last", "game", "options", "names"),
    [
        (("nimmt", {"players": 3, "spots": (2, 4, 6)}), "nimmt", {"players": 2, "spots": (4, 6)},
         {1: "Ben", 2: "Clea"}),
        (("nimmt", {"players": 3}), "nimmt", {"players": 2, "spots": (3, 9)}, {1: "Clea"}),
        (("nimmt", {"players": 3, "spots": (2, 4, 6)}), "thegame", {"players": 2}, {1: "Ana", 2: "Ben"}),
        (("thegame", {"players": 3}), "nimmt", {"players": 3, "spots": (2, 4, 6)}, NAMED),
        (("nimmt", {"players": 3}), "nimmt", {"players": 2, "seats": "off"}, {1: "Ana", 2: "Ben"}),
    ],
    ids=["by-seat", "a-new-seat-has-no-name", "without-seats-by-number", "first-evening-with-seats", "seats-off"],
)  # fmt: skip
def test_people_keep_their_names(last, game, options, names):
    known = Context(names=NAMED, last=Started(*last, NAMED))
    assert keep_names(Log(GAMES[game], options), known) == names


def test_nimmt_is_played_again_by_the_same_people_at_the_same_seats():
    log = Log(GAMES["nimmt"], {"players": 3, "spots": (2, 4, 6), "target": 40, "variant": "professional", "first": 2})
    once_more = prepare_rematch(start(log, NAMED), log)
    assert once_more.names == NAMED
    assert once_more.options == {k: v for k, v in log.options.items() if k != "first"}


def test_a_rematch_has_the_players_and_seats_of_the_end():
    log = Log(GAMES["nimmt"], {"players": 3, "spots": (1, 2, 3)})
    log = log.add(*map(log.parse, ("deal 10,20,30,40", "leave 1", "sit 3 5")))
    once_more = prepare_rematch(start(log, NAMED), log)
    assert (once_more.options["players"], once_more.options["spots"]) == (2, (2, 5))
    assert once_more.names == {1: "Ben", 2: "Clea"}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("first", ["red", "black"])
def test_in_six_the_loser_starts_with_his_own_colour(seed, first):
    log = played("six", seed, first=first)
    state = log.state
    winner = state.game.end.winner
    once_more = prepare_rematch(start(log, NAMED), log)
    loser_first = {"red": "black", "black": "red"}[winner] if winner in ("red", "black") else None
    assert once_more.options["first"] == (loser_first or {"red": "black", "black": "red"}[state.starter])
    assert once_more.names[1] == NAMED[state.player(once_more.options["first"])]
    assert set(once_more.names.values()) == {"Ana", "Ben"}


def test_a_game_of_six_that_was_not_ended_begins_again_as_it_began():
    log = Log(GAMES["six"], {"first": "black"})
    assert prepare_rematch(start(log, NAMED), log) == Started("six", log.options, {1: "Ana", 2: "Ben"})


def test_a_player_who_left_the_team_is_not_in_the_rematch():
    log = Log(GAMES["thegame"], {"players": 3, "first": 3})
    log = log.add(log.parse("leave 1"))
    once_more = prepare_rematch(start(log, NAMED), log)
    assert (once_more.options["players"], once_more.options["first"]) == (2, 2)
    assert once_more.names == {1: "Ben", 2: "Clea"}


def test_without_seats_no_seat_is_remembered():
    log = Log(GAMES["nimmt"], {"players": 3, "seats": "off"})
    log = log.add(*map(log.parse, ("deal 10,20,30,40", "leave 1")))
    assert prepare_rematch(start(log, NAMED), log).options["spots"] == ()


def test_the_game_is_played_again_by_the_whole_team():
    log = played("thegame", 1, players=3, first=2)
    assert prepare_rematch(start(log, NAMED), log) == start(log, NAMED)


@pytest.mark.parametrize("game", ["nimmt", "thegame", "six"])
def test_what_is_played_again_can_be_begun(game):
    log = start_match(game, {}, Context(area=(900, 600)))
    once_more = prepare_rematch(start(log, NAMED), log)
    seated = {"spots": (1, 2, 3, 4)} if game == "nimmt" else {}
    assert start_match(game, once_more.options, Context(area=(900, 600))).options == {**log.options, **seated}
