"""What a screen may show of a match: the prompt, whose turn it is, what can be declared, and the pads."""

from engine.games.nimmt import moves as m
from engine.games.nimmt.cards import COPIES_OF_A_SPECIAL, count_heads
from engine.games.nimmt.draft import find_drafter
from engine.games.nimmt.due_action import find_due_action
from engine.games.nimmt.match_end import find_winners
from engine.games.nimmt.rounds import is_scored
from engine.games.nimmt.special_hands import count_out
from engine.games.nimmt.specials import list_cancellations
from engine.games.nimmt.state import ROWS, State
from engine.text import Text, say
from engine.view import Offer, Pad, View

MOST_CANCEL_OFFERS = 6
MATCH_END_RULINGS = {"halves": "H-6", "anniversary": "A-95"}
"""Where the variant has its own, the ruling by which the match is decided."""


def build_view(state: State) -> View:
    prompt, turn = build_prompt(state)
    over = state.phase == "end"
    return View(
        prompt,
        turn,
        list_pads(state),
        tuple(_offers(state)),
        over=over,
        winners=find_winners(state),
        ruling=MATCH_END_RULINGS.get(state.rules.variant, "N-26") if over else "",
        news=tuple(say("shown_early", player=player) for player in find_early(state)),
    )


def find_early(state: State) -> tuple[int, ...]:
    """The players who show a card while another has not even chosen one (N-6)."""
    if state.phase != "choose" or not list_missing(state):
        return ()
    return tuple(player for player in state.players() if state.shown[player - 1])


def list_missing(state: State) -> tuple[int, ...]:
    """The players who have no card at their seat yet."""
    return tuple(p for p in state.list_unshown() if p not in state.chosen)


def list_pads(state: State) -> tuple[Pad, ...]:
    """Every player's rounds, running heads and total; of a pile only its size and heads."""
    done = is_scored(state)
    totals = state.totals()
    return tuple(
        Pad(
            player,
            state.pads[player - 1],
            0 if done or player in state.gone else state.pile_heads(player),
            totals[player - 1],
            len(state.piles[player - 1]),
            player in state.gone,
        )
        for player in range(1, len(state.seats) + 1)
    )


def build_prompt(state: State) -> tuple[Text, int | None]:
    """What is due now, and whose turn it is."""
    if state.owed:
        return say("name_negative"), state.taker
    if state.unowned and state.phase == "over":
        return say("who_took", n=count_heads(state.unowned[0])), None
    match state.phase:
        case "draft" if not state.spread:
            missing = len(state.deck)
            return say("spread_all", last=state.deck[-1], n=missing), None
        case "draft":
            order = state.players()
            player = order[find_drafter(len(order), state.rules.first, state.round, state.picked) - 1]
            return say("pick_card", player=player), player
        case "deal":
            return (say("clear_table") if state.lying else say("deal_rows", n=4)), None
        case "choose":
            return _waiting_for(state), None
        case "half":
            return say("deal_second_half", n=state.rules.halves[1]), None
        case "over":
            return say("round_over", round=state.round), None
        case "end":
            return say("match_over", players=find_winners(state)), None
        case _:
            return _slot(state), state.actor


def _waiting_for(state: State) -> Text:
    if state.rules.seats == "off":
        return say("lay_next", n=len(state.players()) - len(state.laid))
    missing = list_missing(state)
    if not missing:
        return say("turn_up")
    if len(missing) == len(state.players()):
        return say("choose_cards")
    return say("waiting_for", players=missing)


def _slot(state: State) -> Text:
    due, slot = find_due_action(state), state.slot
    if due is None or slot is None:
        return say("not_now")
    if slot.special and not slot.used:
        match slot.special:
            case "move":
                return say("move_first", card=due.card)
            case "block":
                return say("block_first", card=due.card)
            case "replace":
                return say("replace_first", card=due.card)
    if slot.special == "insert":
        return say("insert_inside", card=due.card)
    if slot.special == "fifth":
        return say("starts_fifth_row", card=due.card)
    if not due.row:
        return say("low_card_too" if state.five_rows() else "low_card", card=due.card)
    if due.take and state.five_rows():  # the card that takes goes with the row
        return say("take_row_too", row=due.row, card=due.card, n=count_heads((*state.row(due.row), due.card)))
    if due.take:
        return say("take_row", row=due.row, n=count_heads(state.row(due.row)))
    if slot.start:
        return say("starts_row", card=due.card, row=due.row)
    return say("lay_behind", card=due.card, row=due.row, behind=state.row(due.row)[-1])


def _offers(state: State) -> list[Offer]:
    offers: list[Offer] = []
    if state.owed:
        for card in state.owed:
            offers += [
                Offer(
                    say("negative_card", card=card, cards=cancel) if cancel else say("negative_alone", card=card),
                    str(m.Negpos(card, cancel)),
                )
                for cancel in list_cancellations(state, card)[:MOST_CANCEL_OFFERS]
            ]
        return offers + _exchanges(state)
    if state.unowned:
        oldest = count_heads(state.unowned[0])
        offers += [Offer(say("player_took", player=p, n=oldest), str(m.Who(p))) for p in state.players()]
    slot = state.slot
    waits = slot is not None and not slot.used and slot.special in ("move", "block", "replace")
    due = None if waits else find_due_action(state)
    if due and due.choices and due.take:
        offers += [
            Offer(say("take_row", row=r, n=count_heads(state.row(r))), str(m.Take(r))) for r in ROWS if r in due.choices
        ]
    elif due and due.take and due.row:
        offers.append(Offer(say("take_row", row=due.row, n=count_heads(state.row(due.row))), str(m.Take(due.row))))
    elif due and due.row and not any(zone == f"row:{due.row}" for _, zone in state.lying):
        offers.append(Offer(say("lies_there", card=due.card), str(m.Lay(due.card, due.row))))
    if slot and slot.player and slot.special and not slot.used:
        offers.append(Offer(say("hand_back"), str(m.Handback(slot.player))))
    offers += _exchanges(state)
    if state.specials and any(count_out(state, kind) >= COPIES_OF_A_SPECIAL for kind in state.specials.discard):
        offers.append(Offer(say("discard_shuffled"), str(m.Shuffle())))
    if state.phase == "half":
        offers.append(Offer(say("hands_dealt"), str(m.Hands())))
    if state.phase == "over" and not state.unowned:
        offers.append(Offer(say("next_round"), str(m.Next())))
    return offers


def _exchanges(state: State) -> list[Offer]:
    """That of the last take; an earlier one is named with its player, and offered when the later one is done (A-92)."""
    owes = state.taker if state.owed else None
    takers = [player for player in state.may_exchange() if state.specials_of(player) and player != owes]
    return [
        Offer(
            say("exchange") if player == state.taker else say("player_exchanged", player=player),
            str(m.Exchange(player)),
        )
        for player in takers[-1:]
    ]
