"""Manual entry for 6 nimmt!: the draft, the first cards, each revealed card, and every special card."""

from collections.abc import Iterable

from engine.games.nimmt.cards import SPECIAL_KINDS, STANDING_KINDS
from engine.games.nimmt.due_action import find_due_action
from engine.games.nimmt.special_markers import is_in_force
from engine.games.nimmt.specials import list_cancellations
from engine.games.nimmt.state import ROWS, State
from engine.text import say
from engine.view import Offer
from firmware.box.commands import OpenForm
from firmware.box.games.manual_entry_question import Question, ask_number
from firmware.box.menu_and_confirmation import offer


def forms(state: State) -> tuple[Offer, ...]:
    """Complete entries are offered as they are, the others as ``form`` and their verb."""
    return (*_beginning(state), *_cards(state), *_slot(state), *_earlier_exchanges(state), *_gone(state))


def _beginning(state: State) -> list[Offer]:
    match state.phase:
        case "draft" if not state.spread:
            return [Offer(say("all_spread"), f"spread {','.join(map(str, state.deck))}")]
        case "draft":
            return [offer(say("card_picked"), OpenForm("pick 0"))]
        case "deal" if not state.lying:
            return [offer(say("first_cards"), OpenForm("deal"))]
        case _:
            return []


def _cards(state: State) -> list[Offer]:
    """Revealed cards, or any card where seats are off; last the face-down cards, which need no entry."""
    if state.phase != "choose":
        return []
    if state.rules.seats == "off":
        return [offer(say("next_card"), OpenForm("reveal 0"))]
    missing = state.list_unshown()
    down = [player for player in missing if player not in state.chosen]
    return [
        *(offer(say("card_of", player=player), OpenForm(f"reveal {player}")) for player in missing),
        *(Offer(say("has_chosen", player=player), f"choose {player}") for player in down if not any(state.shown)),
    ]


def _slot(state: State) -> list[Offer]:
    due, slot = find_due_action(state), state.slot
    if state.owed:
        return [offer(say("name_negative"), OpenForm("negpos"))]
    if due is None or slot is None:
        return []
    found: list[Offer] = []
    carried = f"special:{state.seats[slot.player - 1]}" if slot.player else ""
    if slot.special in STANDING_KINDS and not slot.used and (slot.special, carried) in state.lying:
        found.append(offer(say("carry", kind=slot.special), OpenForm(f"mark {slot.special}")))
    if slot.waits_for("move"):
        found.append(offer(say("card_moved"), OpenForm("shift")))
    if slot.waits_for("replace"):
        found.append(offer(say("card_replaced"), OpenForm("swap")))
    if not due.take and not any(zone == f"row:{due.row}" for _, zone in state.lying):
        found.append(offer(say("lies_in_row", card=due.card), OpenForm(f"lay {due.card}")))
    if not (slot.special or slot.restarts) and slot.player and state.specials_of(slot.player):
        found.append(offer(say("special_played"), OpenForm(f"special {slot.player}")))
    return found


def _earlier_exchanges(state: State) -> list[Offer]:
    """Of takes before the last one: a button offers them one after the other."""
    earlier = (player for player in state.earlier if state.specials_of(player))
    return [Offer(say("player_exchanged", player=player), f"exchange {player}") for player in earlier]


def _gone(state: State) -> list[Offer]:
    """Pieces that the rules removed and that hands have taken away too."""
    zones = dict.fromkeys(zone for piece, zone in state.lying if not is_in_force(state, piece, zone))
    if state.phase in ("deal", "draft") and zones:
        return [Offer(say("table_cleared"), "sweep")]
    return [Offer(say("gone_from", zone=zone), f"tidy {zone}") for zone in zones]


def ask(state: State, verb: str, words: tuple[str, ...]) -> Question | None:
    """The next question; None when the entry is complete."""
    fresh = set(state.deck) - state.numbers()
    match verb.split()[0], len(words):
        case "pick", 0:
            return ask_number(say("which_card"), state.spread)
        case "deal", 0:
            return ask_number(say("which_first_cards"), state.spread or state.deck, 4)
        case (("reveal" | "swap"), 0):
            return ask_number(say("which_card"), fresh)
        case "special", 0:
            return Question(
                say("which_special"), tuple(Offer(say("piece", piece=kind), kind) for kind in SPECIAL_KINDS)
            )
        case (("mark" | "lay"), 0):
            return _row(ROWS)
        case "shift", 0:
            return ask_number(say("which_card"), (card for row in state.rows for card in row))
        case "shift", 1:
            return _row(r for r in ROWS if state.row(r) and int(words[0]) not in state.row(r))
        case "negpos", 0:
            return ask_number(say("name_negative"), state.owed)
        case "negpos", 1:
            sets = list_cancellations(state, int(words[0]))
            offers = (Offer(say("cards", cards=cards), ",".join(map(str, cards)) or "-") for cards in sets)
            return Question(say("which_cancelled"), tuple(offers))
        case _:
            return None


def _row(rows: Iterable[int]) -> Question:
    return Question(say("which_row"), tuple(Offer(say("row", row=row), str(row)) for row in rows))
