"""Taking the table as the truth: the state that shows it, or the reason why there is none."""

from collections import Counter
from dataclasses import replace

from engine.game import Illegal, NewRule, Why
from engine.games.nimmt.cards import SPECIAL_KINDS, STANDING_KINDS, is_number_card
from engine.games.nimmt.rounds import end_turn
from engine.games.nimmt.rows import Rows, row_limit
from engine.games.nimmt.state import ROWS, Draft, Phase, State, replace_item, sort_placements
from engine.games.nimmt.turns import start_next_slot
from engine.table import Layout


def adopt(state: State, seen: Layout) -> State:
    """Rows, seats and specials as seen; pads stay; ``pile:2`` names the owner of cards gone from the rows (R-4).

    ``turn`` names the number of turns that are over, and ``laid:2`` a card of the next one that player 2 has laid.
    """
    after = _adopt(state, seen)
    for card in list_taken_unseen(state, seen):
        raise NewRule(after, "R-6", "row_not_taken", "who_has", card=card)
    return after


def list_taken_unseen(state: State, seen: Layout) -> tuple[int, ...]:
    """The cards shown in this turn that are nowhere, although the next turn has begun: they went with a row."""
    if state.phase != "lay" or state.rules.seats == "off" or not _has_begun(state, seen):
        return ()
    there = {piece for held in seen.zones.values() for piece in held}
    return tuple(card for card in state.shown if card and str(card) not in there)


def _has_begun(state: State, seen: Layout) -> bool:
    """Has each player shown a card of the next turn, or laid it as one of the lowest?"""
    numbers = state.numbers()
    shown = [piece for zone, held in seen.zones.items() if zone.startswith("seat:") for piece in held]
    if not all(is_number_card(piece) and int(piece) not in numbers for piece in shown):
        return False
    lie = {card for zone in seen.zones if zone.startswith(("row:", "pile:")) for card in _numbers(seen, zone)}
    return len(shown) + len(lie - numbers) == len(state.players())


def _adopt(state: State, seen: Layout) -> State:
    strange = seen.zones.get("strange", ())
    specials = any(zone.startswith(("mark", "special")) for zone in seen.zones) or not set(SPECIAL_KINDS).isdisjoint(
        strange
    )
    if specials and not state.rules.anniversary:
        raise Illegal("A-1", "out_of_order", "no_specials")
    for piece in strange:
        raise Illegal("N-8", "not_in_deck", "not_of_this_game", piece=piece)
    if state.phase == "draft" and state.draft:
        return _adopt_spread(state, state.draft, _numbers(seen, "spread"))
    rows = tuple(_numbers(seen, f"row:{r}") for r in ROWS)
    shown = _shown(state, seen)
    piles = state.piles
    for player in state.players():
        piles = replace_item(piles, player, (*piles[player - 1], *_numbers(seen, f"pile:{player}")))
    _check_numbers(state, rows, shown, piles)
    marks = _marks(seen, rows)
    lying = sort_placements(
        *((p, z) for z, held in seen.zones.items() for p in held if z.startswith(("mark", "special")))
    )
    chosen = frozenset(p for p in state.players() if seen.zones.get(f"seat:{state.seats[p - 1]}") == ("back",))
    laid = sum(map(len, (*rows, *piles, *state.unowned, state.aside)))
    fresh = replace(
        state, rows=rows, marks=marks, lying=lying, shown=shown, chosen=chosen, piles=piles, entered=laid,
        slot=None, plain=None, owed=(),
        draft=replace(state.draft, spread=()) if state.draft else None,
    )  # fmt: skip
    if state.phase == "deal":
        return replace(fresh, phase="choose")
    if any(zone == "turn" or zone.startswith("laid:") for zone in seen.zones):
        return _set_turn(state, fresh, seen)
    on_rows = {card for row in (*rows, *piles) for card in row}
    if state.rules.seats == "off" and state.phase in ("choose", "lay"):
        return start_next_slot(replace(fresh, laid=(*state.laid, *sorted(on_rows - state.numbers()))))
    if state.phase == "lay" and set(filter(None, state.shown)) <= on_rows and not state.laid:
        fresh = end_turn(fresh)
        return start_next_slot(fresh) if fresh.phase == "choose" and fresh.all_shown() else fresh
    if state.phase == "lay" or (state.phase == "choose" and fresh.all_shown()):
        return start_next_slot(fresh)
    return fresh


def _set_turn(state: State, fresh: State, seen: Layout) -> State:
    """The table in the turn that is named, with the cards of it that lie already."""
    turn = next(iter(_numbers(seen, "turn")), -1)
    early = tuple((player, card) for player in state.players() for card in _numbers(seen, f"laid:{player}"))
    named = sum(len(held) for zone, held in seen.zones.items() if zone == "turn" or zone.startswith("laid:"))
    near = turn >= 0 and abs(turn - state.turns) <= 1
    once = named == 1 + len(early) == 1 + len(dict(early))
    if state.rules.seats == "off" or state.phase not in ("choose", "lay") or not (near and once):
        raise Illegal("R-4", "out_of_order", "not_now")
    lies = {card for row in (*fresh.rows, *fresh.piles) for card in row}
    for player, card in early:
        if card not in lies:
            raise Illegal("N-6", "out_of_order", "not_shown", card=card)
        if fresh.shown[player - 1]:
            raise Illegal("N-6", "out_of_order", "finish_laying", card=fresh.shown[player - 1] or card)
    if turn > state.turns:
        after = end_turn(replace(fresh, turns=turn - 1))
    else:
        after = replace(fresh, phase="choose", turns=turn, laid=())
    if after.phase != "choose":
        return after
    after = replace(after, laid_early=early)
    return start_next_slot(after) if after.all_shown() else after


def _numbers(seen: Layout, zone: str) -> tuple[int, ...]:
    return tuple(int(piece) for piece in seen.zones.get(zone, ()) if is_number_card(piece))


def _shown(state: State, seen: Layout) -> tuple[int | None, ...]:
    shown: list[int | None] = [None] * len(state.seats)
    for zone in seen.zones:
        kind, _, number = zone.partition(":")
        if kind != "seat":
            continue
        seat = int(number) if is_number_card(number) else 0
        player = state.player_at(seat)
        if not player or state.rules.seats == "off":
            raise Illegal("N-5", "out_of_order", "nobody_sits_there", seat=seat)
        numbers = _numbers(seen, zone)
        if len(numbers) > 1:
            raise Illegal("N-5", "duplicate_card", "one_card_at_seat", seat=seat)
        shown[player - 1] = next(iter(numbers), None)
    return tuple(shown)


def _check_numbers(state: State, rows: Rows, shown: tuple[int | None, ...], piles: Rows) -> None:
    lie = [card for row in rows for card in row]
    lie += filter(None, shown)
    taken = [*state.aside, *(c for pile in (*piles, *state.unowned) for c in pile)]
    for card in (*lie, *taken):
        if card not in state.deck:
            raise Illegal("N-8", "not_in_deck", "not_in_deck", card=card)
    for card, times in Counter((*lie, *taken)).items():
        if times > 1:
            why: Why = "already_seen" if card in taken else "duplicate_card"
            raise Illegal("N-8", why, "lies_twice", card=card)
    for number, row in enumerate(rows, 1):
        if list(row) != sorted(row):
            raise Illegal("N-9", "wrong_row", "row_must_rise", row=number)
    if sum(map(bool, rows)) < 4:
        raise Illegal("N-3", "row_not_taken", "four_rows")
    for row in state.rows if state.phase not in ("over", "end") else ():
        for card in row:
            if card not in lie and card not in taken:
                raise Illegal("R-6", "row_not_taken", "who_has", card=card)


def _marks(seen: Layout, rows: Rows) -> tuple[frozenset[str], ...]:
    """The specials seen at the rows, or ``Illegal`` where one cannot stand."""
    marks = tuple(frozenset(seen.zones.get(f"mark:{r}", ())) for r in ROWS)
    standing = Counter(kind for mark in marks for kind in mark)
    lying = sum(len(seen.zones.get(f"mark:{r}", ())) for r in ROWS)
    if set(standing) - STANDING_KINDS or lying > sum(standing.values()):
        raise Illegal("A-10", "marker_already_there", "special_not_at_row")
    if standing["block"] > 2:
        raise Illegal("A-53", "two_blocks_already", "two_blocks")
    if (standing["fifth"] > 0) != all(rows) or standing["fifth"] > 1:
        raise Illegal("A-20", "five_rows_already", "fifth_row_marker")
    for number, (row, mark) in enumerate(zip(rows, marks, strict=True), 1):
        if mark and not row:
            raise Illegal("A-10", "wrong_row", "no_such_row", row=number)
        if len(row) > row_limit(mark):
            raise Illegal("N-12", "row_full", "row_full", row=number)
    return marks


def _adopt_spread(state: State, draft: Draft, spread: tuple[int, ...]) -> State:
    """The draft as the open cards show it; which player picked which card stays unknown."""
    deck = set(state.deck)
    if len(set(spread)) != len(spread):
        raise Illegal("N-8", "duplicate_card", "dealt_twice")
    if strange := set(spread) - deck:
        raise Illegal("P-2", "not_in_deck", "not_in_spread", card=min(strange), last=max(deck))
    picked = len(deck) - len(spread)
    most = len(deck) - 4
    if picked > most:
        raise Illegal("P-5", "out_of_order", "last_four_stay")
    gone = frozenset(deck - set(spread))
    vanished = frozenset(draft.spread) - frozenset(spread)
    picks = tuple((held | vanished) & gone for held in draft.picks)
    phase: Phase = "deal" if picked == most else "draft"
    return replace(state, draft=Draft(picks, tuple(sorted(spread)), picked), phase=phase, lying=())
