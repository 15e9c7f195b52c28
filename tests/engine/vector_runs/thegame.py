"""Vectors of The Game as calls to the engine: states are built from ``before``, results are read off."""

from dataclasses import replace

from engine.game import Illegal
from engine.games.the_game import TheGame
from engine.games.the_game.match_end import grade_result, is_over
from engine.games.the_game.moves import Bare, Cannot, Done, Play
from engine.games.the_game.reachable_minimum import find_way
from engine.games.the_game.rules import count_minimum, fits
from engine.games.the_game.state import NO_CARDS, PILES, State
from engine.options import fill_options

GAME = TheGame()
ALL = range(2, 100)


def options(vector, **more):
    given = {"level": vector.get("variant", "standard"), **more}
    players = vector.get("before", {}).get("players", vector.get("players", 3))
    return {**fill_options(GAME.options, given), "players": players}


def start(vector, **more):
    return GAME.start(options(vector, **more))


def some(n, taken=()):
    """So many cards that lie somewhere; which ones does not matter to the question."""
    return tuple([card for card in ALL if card not in taken][: max(0, n)])


def counted(vector):
    """A state with the deck, the hand and the cards of the running turn that the vector tells of."""
    before = vector["before"]
    state = start(vector)
    laid = before.get("played_this_turn", 0)
    hands = list(state.hands)
    hands[0] = max(0, before.get("hand_before", hands[0]) - laid)
    deck = before.get("deck", 0 if before.get("min") == 1 else None)
    total = before.get("total_played")
    if total is None:
        total = laid if deck is None else max(laid, 98 - deck - sum(hands))
    if deck is not None:  # what is in neither pile nor deck is in the hands
        held = max(0, 98 - deck - total)
        if "hand_before" not in before:
            hands[0] = min(hands[0], held) if len(hands) > 1 else held
        others, spare = len(hands) - 1, max(0, held - hands[0])
        hands[1:] = [spare // others + (n < spare % others) for n in range(others)]
    return replace(state, hands=tuple(hands), piles=(some(total), (), (), ()), fresh=(laid, 0, 0, 0))


def pile_names(piles):
    """The engine's name for each pile of the vector."""
    names, left = [], list(PILES)
    for pile in piles:
        name = next(n for n in left if n.startswith(pile["dir"]))
        left.remove(name)
        names.append(name)
    return names


def lying(vector):
    """A state with the piles, the cards under them and the deck that the vector tells of."""
    before = vector["before"]
    piles = before.get("piles", [])
    names = pile_names(piles)
    held = {name: [] for name in PILES}
    tops = [pile["top"] for pile in piles]
    for name, top in zip(names, tops, strict=True):
        held[name] = [top] if top in ALL else []
    under = {*before.get("already_played", ()), *before.get("cards_played_on_pile", ())} - set(tops)
    at = names[vector["action"].get("pile", 1) - 1] if names else PILES[0]
    held[at] = [*sorted(under & set(ALL)), *held[at]]
    state = replace(start(vector), piles=tuple(tuple(held[name]) for name in PILES))
    laid = before.get("played_this_turn", 0)
    hands = list(state.hands)
    hands[0] = max(1, hands[0] - laid)
    if before.get("deck") == 0:
        hands[-1] += 98 - state.total - sum(hands)
    fresh = list(NO_CARDS)
    fresh[PILES.index(at)] = laid
    return replace(state, hands=tuple(hands), fresh=tuple(fresh)), names


def lay(state, card, name):
    """A vector shows every card: asked what lies unseen under this one, it says nothing."""
    try:
        return GAME.play(state, Play(card, name))
    except Illegal as why:
        if why.text.id != "show_card_under":
            raise
    return GAME.play(GAME.play(state, Bare(card, name)), Play(card, name))


def top(state, name):
    return state.top(PILES.index(name))


def refused(why, **more):
    return {"verdict": "illegal", "why": why.why, "ruling": why.ruling, **more}


def setup(vector):
    try:
        state = start(vector)
    except Illegal as why:
        return refused(why)
    piles = [{"dir": name.split(":")[0], "top": top(state, name)} for name in PILES]
    return {"verdict": "ok", "hand": state.hand, "deck": state.deck, "min_cards": count_minimum(state), "piles": piles}


def play(vector):
    state, names = lying(vector)
    card, name = vector["action"]["card"], names[vector["action"].get("pile", 1) - 1]
    was = top(state, name)
    try:
        after = lay(state, card, name)
    except Illegal as why:
        return refused(why, top=was, played_this_turn=state.laid, trick=False)
    onward = card > was if name.startswith("up") else card < was
    return {"verdict": "ok", "top": top(after, name), "trick": not onward, "played_this_turn": after.laid}


def play_sequence(vector):
    state, names = lying(vector)
    name = names[vector["action"].get("pile", 1) - 1]
    return {"top": top(state, name)} | _row(state, [(card, name) for card in vector["action"]["cards"]], names, name)


def play_many(vector):
    state, names = lying(vector)
    plays = [(play["card"], names[play["pile"] - 1]) for play in vector["action"]["plays"]]
    return _row(state, plays, names, names[0])


def _row(state, plays, names, name):
    state = replace(state, hands=(max(len(plays), state.hand), *state.hands[1:]))
    for n, (card, at) in enumerate(plays):
        try:
            state = lay(state, card, at)
        except Illegal as why:
            return refused(why, top=top(state, name), tops=[top(state, x) for x in names], played=n)
    return {"verdict": "ok", "top": top(state, name), "tops": [top(state, x) for x in names], "played": len(plays)}


def end_turn(vector):
    state = counted(vector)
    try:
        after = GAME.play(state, Done(1, state.laid))
    except Illegal as why:
        left = {"deck": state.deck, "draw": 0, "hand_after": state.hand, "next_min": count_minimum(state)}
        return refused(why, min=count_minimum(state), **left)
    numbers = {
        "draw": after.drew[1],
        "deck": after.deck,
        "hand_after": after.hands[0],
        "next_min": count_minimum(after),
    }
    return {"verdict": "ok", "min": count_minimum(state), **numbers}


def next_player(vector):
    before = vector["before"]
    seats = before["seats"]
    sizes = tuple(before["hand_sizes"][seat] for seat in seats)
    laid = before.get("played_this_turn", 3)  # enough for any minimum
    total = max(laid, 98 - before.get("deck", 0) - sum(sizes))
    piles = (some(total), (), (), ())
    turn = seats.index(before["turn"]) + 1
    state = State((0, 0), vector.get("variant", "standard"), sizes, turn, piles, (laid, 0, 0, 0))
    after = state if is_over(state) else GAME.play(state, Done(turn, laid))
    return {"next": None if is_over(after) else seats[after.turn - 1]}


def declare_cannot_play(vector):
    state = counted(vector)
    try:
        after = GAME.play(state, Cannot(1))
    except Illegal as why:
        return refused(why, game_over=False, left=state.left, result=None)
    return {"verdict": "ok", "game_over": is_over(after), "left": after.left, "result": grade_result(after.left)}


def verify_cannot_play(vector):
    state, _ = lying(vector)
    hand = frozenset(vector["action"]["shown_hand"])
    return {"claim_true": find_way(tuple(map(state.top, range(4))), hand, vector["before"].get("min_left", 2)) is None}


def grading(vector):
    state = replace(start(vector), piles=(some(vector["before"]["total_played"]), (), (), ()))
    return {"left": state.left, "result": grade_result(state.left)}


def derive_counts(vector):
    state = start(vector)
    turns = vector["before"].get("turns", [])
    for turn in turns:
        player = ord(turn["player"]) - ord("A") + 1
        state = replace(state, turn=player)
        for _ in range(turn["played"]):
            card = next(card for card in ALL if not state.is_laid(card) and fits(0, state.top(0), card))
            state = GAME.play(state, Play(card, PILES[0]))
        state = GAME.play(state, Done(player, state.laid))
    hands = {chr(ord("A") + n): cards for n, cards in enumerate(state.hands)}
    return {"deck": state.deck, "hands": hands, "total_played": state.total}


RUN = {
    "setup": setup,
    "play": play,
    "play_sequence": play_sequence,
    "play_many": play_many,
    "end_turn": end_turn,
    "next_player": next_player,
    "declare_cannot_play": declare_cannot_play,
    "verify_cannot_play": verify_cannot_play,
    "grade": grading,
    "derive_counts": derive_counts,
}
