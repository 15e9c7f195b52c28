"""What players of 6 nimmt! keep apart when they pause: hands, piles and stock that the camera does not see."""

from engine.games.nimmt.draft import find_drafter
from engine.games.nimmt.state import State
from engine.text import Text, say


def keep_cards(state: State) -> tuple[Text, ...]:
    kept: list[Text] = []
    hands = dict(_hands(state))
    for player, pile in enumerate(state.piles if state.phase not in ("over", "end") else (), 1):
        if pile and hands.get(player):
            kept.append(say("keep_both", player=player, n=hands[player], pile=len(pile)))
        elif pile:
            kept.append(say("keep_pile", player=player, n=len(pile)))
        elif hands.get(player):
            kept.append(say("keep_hand", player=player, n=hands[player]))
    if not hands and state.phase in ("choose", "lay"):
        kept.append(say("keep_hands"))
    if state.rules.variant == "halves" and state.entered and state.turns <= state.rules.halves[0]:
        kept.append(say("keep_stock"))
    kept += [say("keep_specials", player=p, n=held) for p in state.players() if (held := state.specials_of(p))]
    return (*kept, say("keep_special_deck")) if state.rules.anniversary else tuple(kept)


def _hands(state: State) -> list[tuple[int, int]]:
    """How many number cards each player holds, as far as that is certain."""
    rules, order = state.rules, tuple(state.players())
    if state.phase == "draft" or (state.phase == "deal" and rules.variant == "professional"):
        turns = [order[find_drafter(len(order), rules.first, state.round, n) - 1] for n in range(state.picked)]
        return [(player, turns.count(player)) for player in order]
    off = rules.seats == "off" and (state.slot or state.laid)  # whose cards are on the table already is unknown
    if off or state.phase not in ("choose", "lay"):
        return []
    first_half = rules.variant == "halves" and state.turns < rules.halves[0]
    left = (rules.halves[0] if first_half else rules.turns) - state.turns
    unshown = state.list_unshown()
    played = {p for p in order if state.phase == "lay" or p not in unshown or p in state.chosen}
    return [(player, left - (player in played)) for player in order]
