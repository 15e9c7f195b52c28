"""What people do wrong at a table of 6 nimmt!: each fault is planted at rest, and knows how few pieces mend it."""

from collections.abc import Callable

from tests.tabletop.nimmt_people import People

Fault = Callable[[People], int]
"""Moves pieces and tells how many must be moved to mend that; 0 if it cannot happen now."""


def _row(place: int) -> str:
    return f"row:{place}"


def _lift_due(people: People) -> str:
    """The due card leaves its seat, or the hand where seats are off."""
    player, card = people.truth.due or (0, 0)
    if people.truth.seats:
        people.felt.lift(next(t for t in people.felt.at(people.seat(player)) if t.face == str(card)))
    return str(card)


def lay_in_wrong_row(people: People) -> int:
    due = people.due_now()
    wrong = [r for r in people.truth.rows.cards if due and r != people.truth.rows.row_for(due)]
    if not wrong or people.truth.busy:
        return 0
    row = people.rng.choice(wrong)
    people.felt.put(_lift_due(people), _row(row))
    return 1


def lay_inside_row(people: People) -> int:
    """In its right row, but not at the end."""
    due = people.due_now()
    row = people.truth.rows.row_for(due) if due else 0
    if not row or people.truth.rows.is_full(row) or people.truth.busy:
        return 0
    people.felt.put(_lift_due(people), _row(row), people.rng.randrange(len(people.truth.rows.cards[row])))
    return 1


def take_wrong_row(people: People) -> int:
    due = people.due_now()
    wrong = [r for r in people.truth.rows.cards if due and r not in people.truth.rows.choices(due)]
    if not wrong or people.truth.busy:
        return 0
    row = people.rng.choice(wrong)
    lying = people.row_cards(row)
    for thing in lying:
        people.felt.lift(thing)
    people.felt.put(_lift_due(people), _row(row))
    return len(lying) + 1


def lay_before_lower(people: People) -> int:
    """Another shown card goes to the row that would be right for it now."""
    rows = people.truth.rows
    later = [(p, c) for p, c in people.truth.shown.items() if c != people.due_now() and not rows.choices(c)]
    if not people.due_now() or not people.truth.seats or not later or people.truth.busy:
        return 0
    player, card = people.rng.choice(later)
    people.felt.lift(next(t for t in people.felt.at(people.seat(player)) if t.face == str(card)))
    people.felt.put(str(card), _row(rows.row_for(card)))
    return 1


def lay_before_all_are_shown(people: People) -> int:
    waited_for = [p for p in people.truth.players if p not in people.truth.told]
    if not people.truth.seats or not people.truth.told or not waited_for:
        return 0
    player, card = people.rng.choice(sorted(people.truth.shown.items()))
    thing = people.card_of(player)
    people.felt.move(thing, _row(people.truth.rows.row_for(card) or 1))
    return 1


def swap_seats(people: People) -> int:
    """Two shown cards are exchanged between two seats."""
    if len(people.truth.shown) < 2 or not people.truth.seats:
        return 0
    one, other = people.rng.sample(sorted(people.truth.shown), 2)
    things = [people.card_of(p) for p in (one, other)]
    people.felt.move(things[0], people.seat(other))
    people.felt.move(things[1], people.seat(one))
    return 2


def swap_row_and_seat(people: People) -> int:
    """A shown card and the last card of a row are exchanged."""
    rows = [r for r, cards in people.truth.rows.cards.items() if cards]
    if not people.truth.shown or not people.truth.seats or people.truth.busy or not rows:
        return 0
    player = people.rng.choice(sorted(people.truth.shown))
    row = people.rng.choice(rows)
    last, card = people.row_cards(row)[-1], people.card_of(player)
    people.felt.move(last, people.seat(player))
    people.felt.move(card, _row(row))
    return 2


def turn_again(people: People) -> int:
    """A shown card is turned face down."""
    if not people.truth.shown or not people.truth.seats:
        return 0
    player = people.rng.choice(sorted(people.truth.shown))
    thing = people.card_of(player)
    thing.face, thing.under = "back", thing.face
    return 1


def change_shown_card(people: People) -> int:
    """N-6: another card instead of the one that is shown."""
    shown = [p for p in people.truth.shown if len(people.hands[p]) > 1]
    if not shown or not people.truth.seats:
        return 0
    player = people.rng.choice(shown)
    other = people.rng.choice([c for c in people.hands[player] if c != people.truth.shown[player]])
    people.felt.lift(people.card_of(player))
    people.felt.put(str(other), people.seat(player))
    return 2


def show_second_card(people: People) -> int:
    """Two cards face up at one seat."""
    shown = [p for p in people.truth.shown if len(people.hands[p]) > 1 and not people.may_show_another(p)]
    if not shown or not people.truth.seats:
        return 0
    player = people.rng.choice(shown)
    other = people.rng.choice([c for c in people.hands[player] if c != people.truth.shown[player]])
    people.felt.put(str(other), people.seat(player))
    return 1


def lose_row_card(people: People) -> int:
    """A card of a row goes off the table: in a sleeve, with the wind. Not of a row that may be being lifted."""
    due = people.due_now()
    lifted = people.truth.rows.choices(due) if due else []
    rows = [r for r in people.truth.rows.cards if len(people.row_cards(r)) > 1 and r not in lifted]
    if not rows or people.truth.busy:
        return 0
    row = people.rng.choice(rows)
    known = [thing for thing in people.row_cards(row) if thing.face in map(str, people.truth.rows.cards[row])]
    if not known:
        return 0
    people.felt.lift(people.rng.choice(known))
    return 1


def carry_row_card(people: People) -> int:
    """An arm carries a card of a row along, to another row or to a seat."""
    rows = [r for r, cards in people.truth.rows.cards.items() if len(cards) > 1]
    if not rows or people.truth.busy:
        return 0
    row = people.rng.choice(rows)
    targets = [zone for zone in people.felt.zones if zone.startswith(("row", "seat")) and zone != _row(row)]
    people.felt.move(people.rng.choice(people.row_cards(row)), people.rng.choice(targets))
    return 1


def swap_rows(people: People) -> int:
    """All cards of two rows are exchanged."""
    if people.truth.busy or people.truth.may_change_rows:
        return 0
    one, other = people.rng.sample(sorted(people.truth.rows.cards), 2)
    things = [people.row_cards(one), people.row_cards(other)]
    for moved, target in zip(things, (other, one), strict=True):
        for thing in moved:
            people.felt.move(thing, _row(target))
    return len(things[0]) + len(things[1])


def swap_neighbours(people: People) -> int:
    """Two neighbours of a row change places."""
    rows = [r for r, cards in people.truth.rows.cards.items() if len(cards) > 1]
    if not rows or people.truth.busy:
        return 0
    things = people.row_cards(people.rng.choice(rows))
    at = people.rng.randrange(len(things) - 1)
    things[at].x, things[at + 1].x = things[at + 1].x, things[at].x
    return 1


def lay_foreign_piece(people: People) -> int:
    """A card of another deck: a number that lies on the table already, one that does not exist, a special, a tile."""
    lying = [t.face for t in people.felt.things if t.face.isdigit()]
    piece = people.rng.choice((*people.rng.sample(lying, min(2, len(lying))), *people.foreign))
    zones = [zone for zone in people.felt.zones if zone.startswith(("row", "seat"))]
    people.felt.put(piece, people.rng.choice(zones))
    return 1


def drop_back_in_row(people: People) -> int:
    people.felt.put("back", _row(people.rng.choice(sorted(people.truth.rows.cards))), under="0")
    return 1


FAULTS: tuple[Fault, ...] = (
    lay_in_wrong_row,
    lay_inside_row,
    take_wrong_row,
    lay_before_lower,
    lay_before_all_are_shown,
    swap_seats,
    swap_row_and_seat,
    turn_again,
    change_shown_card,
    show_second_card,
    lose_row_card,
    carry_row_card,
    swap_rows,
    swap_neighbours,
    lay_foreign_piece,
    drop_back_in_row,
)


def lay_unknown_piece(people: People) -> int:
    """A piece that this game does not have, in a row: it can happen beside every other fault."""
    people.felt.put(people.rng.choice(people.foreign), _row(people.rng.choice(sorted(people.truth.rows.cards))))
    return 1
