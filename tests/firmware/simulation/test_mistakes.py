"""For every mistake the referee cites the ruling of an arbiter, and the game continues once it is corrected."""

import random
from collections import Counter
from functools import cache, partial

import pytest

from engine.game import WHYS, Illegal
from engine.games import GAMES
from engine.log import Log
from engine.referee import Follows, Refused, Waiting, judge
from engine.table import find_gap
from firmware.simulation.mistakes import list_mistakes
from firmware.simulation.mistakes.the_game_hidden_pairs import list_pairs
from firmware.simulation.players import DECLARED_MOVES, PLAYERS
from firmware.simulation.players.nimmt import Players
from tests.matches.mistake_kinds import MISTAKE_KINDS

MATCHES = {
    "nimmt": ("nimmt", {"players": 4}, 1),
    "nimmt-for-ten": ("nimmt", {"players": 10, "end": "rounds", "rounds": 1}, 1),
    "nimmt-without-seats": ("nimmt", {"players": 3, "seats": "off"}, 1),
    "nimmt-draft": ("nimmt", {"players": 3, "variant": "professional"}, 1),
    "nimmt-halves": ("nimmt", {"players": 5, "variant": "halves"}, 1),
    "nimmt-specials": ("nimmt", {"players": 8, "variant": "anniversary"}, 5),
    "nimmt-specials-for-two": ("nimmt", {"players": 2, "variant": "anniversary"}, 1),
    "thegame": ("thegame", {"players": 3}, 7),
    "thegame-to-the-last-card": ("thegame", {"players": 5}, 74),
    "thegame-alone": ("thegame", {"players": 1, "level": "expert"}, 1),
    "six": ("six", {}, 3),
    "six-spaced": ("six", {"first_tile_restriction": 1}, 1),
}
OFTEN = 3
"""How many mistakes of a kind are judged in one match, at its first occasions."""


KEEN = partial(Players, specials=1.0)
"""Players who play a special with every card that allows one."""


def match(name):
    """The log before each move, and the move."""
    game, options, seed = MATCHES[name]
    rng = random.Random(seed)
    log = Log(GAMES[game], options)
    table = (KEEN if log.options.get("players") == 8 else PLAYERS[game])(log.options, rng)
    while (move := table.next(log.state)) is not None:
        yield log, move
        log = log.add(move)


def lies(log, layout):
    return judge(log, log.game.place(log.state, layout))


def answer(mistake, log):
    """The final verdict of the referee and its reason."""
    if mistake.entry:
        try:
            log.add(log.parse(mistake.entry))
        except Illegal as why:
            return "illegal", why
        return "accepted", None
    *before, last = mistake.layouts
    for look in before:
        verdict = lies(log, look)
        log = log.add(*verdict.moves) if isinstance(verdict, Follows) else log
    match lies(log, last):
        case Refused(why=why):
            return "refused", why
        case Waiting(hint=why):
            return "asked", why
        case _:
            return "accepted", None


def complaint(mistake, log):
    """The difference between the verdict and the ruling of an arbiter; empty if there is none."""
    how, why = answer(mistake, log)
    wanted = "illegal" if mistake.entry else "asked" if mistake.soft else "refused"
    # without seats cards may have been laid and taken between two looks, so the box may ask first
    allowed = {wanted, "asked"} if log.options.get("seats") == "off" else {wanted}
    if how not in allowed or why is None:
        return f"{how}, not {wanted}: {why}"
    if why.ruling not in mistake.rulings:
        return f"{why}, not {' '.join(sorted(mistake.rulings))}"
    if mistake.whys and why.why not in mistake.whys:
        return f"{why.why}, not {' '.join(sorted(mistake.whys))}"
    return ""


@cache
def planted(name):
    """Mistakes by kind, complaints about their verdicts, and every reason that was given."""
    count, complaints, whys = Counter(), [], set()
    rng = random.Random(1)
    for log, move in match(name):
        caught = False
        for mistake in list_mistakes(log, move, rng):
            if count[mistake.kind] >= OFTEN:
                continue
            count[mistake.kind] += 1
            caught = True
            whys |= mistake.whys if len(mistake.whys) == 1 else set()
            if why := complaint(mistake, log):
                complaints.append((mistake.kind, str(move), mistake.layouts[-1:] or mistake.entry, why))
        if caught and not isinstance(move, DECLARED_MOVES[log.game.name]):
            verdict = lies(log, log.game.layout(log.add(move).state))
            if not (isinstance(verdict, Waiting) or (isinstance(verdict, Follows) and not behind(log, move, verdict))):
                complaints.append(("mended", str(move), verdict))
    return count, complaints, whys


def behind(log, move, verdict):
    """Does the table differ from the log after the verdict?"""
    followed = log.add(*verdict.moves)
    return find_gap(log.game.layout(followed.state), log.game.layout(log.add(move).state))


@pytest.mark.parametrize("name", MATCHES)
def test_every_mistake_is_caught_by_its_ruling_and_corrected(name):
    count, complaints, _ = planted(name)
    assert not complaints
    assert sum(count.values()) > OFTEN * 10


@pytest.mark.parametrize("game", MISTAKE_KINDS)
def test_every_kind_of_mistake_occurs_and_no_other(game):
    names = [name for name, (played, _, _) in MATCHES.items() if played == game]
    assert frozenset().union(*(planted(name)[0] for name in names)) == MISTAKE_KINDS[game]


def test_every_reason_is_given():
    given = frozenset().union(*(planted(name)[2] for name in MATCHES))
    assert WHYS - given == set()
    assert given <= WHYS


@pytest.mark.parametrize("way", ["lifted", "said"])
def test_a_hidden_card_is_asked_for_and_shown_or_entered(way):
    seen = 0
    for log, _ in match("thegame"):
        for pair in list_pairs(log, random.Random(seen), {}):
            assert not complaint(pair.mistake, log)
            if way == "said":
                told = log.add(log.parse(pair.entry))
            else:
                shown = lies(log, pair.lifted)
                assert isinstance(shown, Follows)
                told = log.add(*shown.moves)
            follows = lies(told, pair.after)
            assert isinstance(follows, Follows)
            whole = told.add(*follows.moves)
            assert find_gap(log.game.layout(whole.state), pair.after) == find_gap(pair.after, pair.after)
            seen += 1
            break
    assert seen >= 10


def test_known_hands_limit_the_hidden_cards():
    for log, _ in match("thegame"):
        for pair in list_pairs(log, random.Random(1), {log.state.turn: (50, 40, 60)}):
            assert {pair.lower, pair.upper} <= {40, 50, 60}
