"""What lies on the table as HTML: cards, piles and tiles as the referee believes them, and said for who cannot see."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from engine.text import Text, say
from firmware.texts.render import render
from firmware.web.api_state import ApiState, PersonState, WrongState
from firmware.web.drawing_tiles import board
from firmware.web.table_state import CardState, DueState, PilesState, RowsState, SeatState, StackState, TilesState
from firmware.web.table_state import RowState as LyingRow

FULL = 5
"""Cards in a row; the sixth takes it."""


def table(state: ApiState) -> str:
    """Where there is no table yet, what to do about that."""
    people = {person.player: person for person in state.people}
    match state.table:
        case RowsState() as lying:
            return _rows(lying, state, people)
        case PilesState() as lying:
            return _piles(lying, state, people)
        case TilesState() as lying:
            return board(lying, state.wrong)
        case None:
            eye = '<svg aria-hidden="true"><use href="#eye"/></svg>'
            return f'<div class="empty" data-key="empty">{eye}<p>{_said(Text("page_empty"), state.language)}</p></div>'


def _rows(lying: RowsState, state: ApiState, people: Mapping[int, PersonState]) -> str:
    language = state.language
    parts = [f'<ol class="rows" data-key="rows">{"".join(_row(row, lying.due, state) for row in lying.rows)}</ol>']
    if lying.seats:
        places = sorted(lying.seats, key=lambda seat: seat.seat)
        seats = "".join(_seat(seat, people, state.turn, language) for seat in places)
        parts.append(f'<h3 data-key="seats">{_said(Text("page_seats"), language)}</h3><ul class="seats">{seats}</ul>')
    if lying.spread:  # while it is drafted from, nothing else is of interest
        parts.insert(0, f'<ul class="spread open" data-key="spread">{"".join(_cards(lying.spread, language))}</ul>')
    for pile in lying.piles:
        who = _person(people.get(pile.player))
        parts.append(f'<h3 data-key="of{pile.player}">{who}</h3><ul class="spread">')
        parts.append(f"{''.join(_cards(pile.cards, language))}</ul>")
    return "".join(parts)


def _row(row: LyingRow, due: DueState | None, state: ApiState) -> str:
    language = state.language
    lie = [card for card in row.cards if not card.litter]
    cards = list(_cards(row.cards, language))
    cards += [_wrong(wrong) for wrong in state.wrong if wrong.zone == f"row:{row.row}"]
    wanted = due is not None and row.row in due.rows
    if wanted and due is not None and not due.take:
        cards.append(f'<li class="card due" data-key="due" aria-hidden="true">{_number(due.card)}</li>')
    for place in range(len(cards) + 1, FULL + 2):
        cards.append(f'<li class="slot{" last" if place > FULL else ""}" data-key="s{place}" aria-hidden="true"></li>')
    marks = "".join(f'<i class="mark">{_said(say("piece", piece=mark), language)}</i>' for mark in row.marks)
    name, heads = _said(say("row", row=row.row), language), _said(say("page_heads", n=row.heads), language)
    kind = " ".join(("row", *(["wanted"] if wanted else []), *(["full"] if len(lie) >= FULL else [])))
    return (
        f'<li class="{kind}" data-key="r{row.row}"><h3><b>{name}</b>{marks}</h3><ul>{"".join(cards)}</ul>'
        f'<p class="sum">{heads}</p></li>'
    )


def _cards(cards: Sequence[CardState], language: str) -> Iterator[str]:
    for card in cards:
        heads = _said(say("page_heads", n=card.heads), language)
        kind = " ".join(("card", f"c{card.heads}", *(["litter"] if card.litter else [])))
        yield (
            f'<li class="{kind}" data-key="{escape(card.piece)}">{_number(card.piece)}{_heads(card.heads)}'
            f'<span class="unseen">{heads}</span></li>'
        )


def _number(piece: str) -> str:
    """Three digits and words are written smaller."""
    return f'<b class="n{min(len(piece), 4)}">{escape(piece)}</b>'


def _heads(count: int) -> str:
    return f'<svg aria-hidden="true"><use href="#heads{count}"/></svg>' if count else ""


def _wrong(wrong: WrongState) -> str:
    return f'<li class="card wrong" data-key="w{escape(wrong.piece)}">{_number(wrong.piece)}</li>'


def _seat(seat: SeatState, people: Mapping[int, PersonState], turn: int | None, language: str) -> str:
    match seat.card:
        case None:
            card = '<i class="card none"></i>'
        case "back":
            card = f'<i class="card back"><span class="unseen">{_said(say("piece", piece="back"), language)}</span></i>'
        case number:
            card = f'<i class="card shown">{_number(number)}</i>'
    special = f'<i class="mark">{_said(say("piece", piece=seat.special), language)}</i>' if seat.special else ""
    now = "turn" if seat.player == turn else "waits"
    return f'<li class="{now}" data-key="p{seat.player}">{card}{_person(people.get(seat.player))}{special}</li>'


def _piles(lying: PilesState, state: ApiState, people: Mapping[int, PersonState]) -> str:
    stacks = "".join(_stack(stack, state) for stack in lying.piles)
    hands = "".join(
        f'<li class="{"turn" if hand.player == state.turn else "waits"}" data-key="p{hand.player}">'
        f'<i class="card back"><b>{hand.count}</b></i>{_person(people.get(hand.player))}</li>'
        for hand in lying.hands
    )
    deck = _said(say("page_deck", n=lying.deck), state.language)
    return (
        f'<ul class="piles" data-key="piles">{stacks}</ul>'
        f'<p class="deck" data-key="deck">{deck}</p><ul class="seats">{hands}</ul>'
    )


def _stack(stack: StackState, state: ApiState) -> str:
    up = stack.name.startswith("up")
    wrong = "".join(
        f'<i class="card wrong">{_number(wrong.piece)}</i>' for wrong in state.wrong if wrong.zone == stack.name
    )
    name = _said(say("pile", zone=stack.name), state.language)
    fresh = f'<i class="fresh">+{stack.fresh}</i>' if stack.fresh else ""
    return (
        f'<li class="{"up" if up else "down"}" data-key="{escape(stack.name)}"><h3>{name}</h3>'
        f'<div class="card pile"><svg aria-hidden="true"><use href="#{"up" if up else "down"}"/></svg>'
        f"{_number(stack.top)}{fresh}</div>{wrong}</li>"
    )


def _person(person: PersonState | None) -> str:
    if person is None:
        return ""
    return f'<span class="who p-{escape(person.colour)}">{escape(person.name)}</span>'


def _said(text: Text, language: str) -> str:
    return escape(render(text, language))
