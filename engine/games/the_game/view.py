"""What screens show of The Game: what to do now, how many to draw, how many are left."""

from engine.games.the_game.match_end import grade_result, is_over
from engine.games.the_game.moves import Cannot, Done, Resume
from engine.games.the_game.reachable_minimum import find_missed_play
from engine.games.the_game.rules import count_drawn, count_needed
from engine.games.the_game.state import PILES, State
from engine.text import Text, say
from engine.view import Offer, Pad, View

MOST_UNSEEN_SAID = 2
"""So many unseen cards can be said at once; when they are found, more can be."""


def build_view(state: State) -> View:
    pads = (Pad(0, total=state.left, cards=state.total),)
    if is_over(state):
        offers = (Offer(say("resume"), str(Resume())),) if find_missed_play(state) else ()
        winners = (0,) if state.left == 0 else ()
        wrong, news = _proof(state)
        return View(_result(state), None, pads, offers, wrong, True, winners, _ended(state), news=news)
    return View(_prompt(state), state.turn, pads, _offers(state), news=_drew(state))


def _result(state: State) -> Text:
    match grade_result(state.left):
        case "beaten":
            return say("game_beaten")
        case "excellent":
            return say("game_excellent", n=state.left)
        case _:
            return say("game_ended", n=state.left)


def _ended(state: State) -> str:
    """The ruling on the hand that was shown, or else the one by which the game is over."""
    if state.shown:
        return "G-18"
    return "G-20" if state.left == 0 else "G-16"


def _proof(state: State) -> tuple[Text | None, tuple[Text, ...]]:
    """What is wrong with the claim that no card could be played, and what is news about it."""
    if not state.shown:
        return None, ()
    steps = find_missed_play(state)
    if not steps:
        return None, (say("claim_true"),)
    card, pile = steps[0]
    return say("stopped_early", card=card, zone=PILES[pile]), ()


def _prompt(state: State) -> Text:
    if state.owed:
        return say("show_unseen", n=state.owed)
    if needed := count_needed(state):
        return say("lay_cards", n=needed)
    if drawn := count_drawn(state):
        return say("more_or_draw", n=drawn)
    return say("more_or_done")


def _offers(state: State) -> tuple[Offer, ...]:
    """``laid_more`` is for cards that were hidden under others at once: one or two, and all that the turn asks for."""
    offers: list[Offer] = []
    needed = count_needed(state)
    if needed:
        offers.append(Offer(say("cannot_play"), str(Cannot(state.turn))))
    else:
        offers.append(Offer(say("done_draw", n=count_drawn(state)), str(Done(state.turn, state.laid))))
    if state.laid and not state.owed:
        least, most = max(1, needed), min(max(MOST_UNSEEN_SAID, needed), state.hand)
        counts = range(state.laid + least, state.laid + most + 1)
        offers += (Offer(say("laid_more", n=n), str(Done(state.turn, n))) for n in counts)
    return tuple(offers)


def _drew(state: State) -> tuple[Text, ...]:
    player, n = state.drew
    return (say("draws", player=player, n=n),) if n else ()
