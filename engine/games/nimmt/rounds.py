"""Rounds from the deal to the pads: half-time, scores, and the way to the next round."""

from dataclasses import replace

from engine.game import Illegal, Unfinished
from engine.games.nimmt.match_end import find_result
from engine.games.nimmt.special_hands import deal_specials
from engine.games.nimmt.special_markers import is_in_force
from engine.games.nimmt.state import CLEAR, EMPTY, ROWS, Draft, State, sort_placements


def deal_rows(state: State, cards: tuple[int, ...]) -> State:
    """The first cards of the four rows (N-3, P-5)."""
    again = may_deal_again(state) and {*cards} <= {card for row in state.rows for card in row}
    if state.phase != "deal" and not again:
        raise Illegal("N-3", "out_of_order", "not_now")
    if state.lying:
        raise Unfinished("N-28", "table_not_cleared", "clear_table")
    for card in cards:
        if card not in state.deck:
            raise Illegal("N-8", "not_in_deck", "not_in_deck", card=card)
    if len(set(cards)) != len(cards):
        raise Illegal("N-8", "duplicate_card", "dealt_twice")
    if state.rules.variant == "professional" and not again and not set(cards) <= set(state.spread):
        raise Illegal("P-5", "not_in_deck", "last_four_stay")
    if len(cards) != 4:
        raise Unfinished("N-3", "out_of_order", "deal_rows", n=4 - len(cards))
    rows = (*((card,) for card in cards), ())
    draft = replace(state.draft, spread=()) if state.draft else None
    return replace(state, rows=rows, phase="choose", draft=draft, entered=4)


def may_deal_again(state: State) -> bool:
    """The last four cards of a draft may lie in four rows by chance: until a card is shown their order may change."""
    return state.draft is not None and state.phase == "choose" and state.entered == 4 and not any(state.shown)


def deal_second_half(state: State) -> State:
    """Half-time: new hands, everything else stays (H-5)."""
    if state.phase != "half":
        raise Illegal("H-5", "hands_not_empty", "hands_not_empty")
    return replace(state, phase="choose")


def end_turn(state: State) -> State:
    """All cards of the turn are laid."""
    rules = state.rules
    turns = state.turns + 1
    after = replace(state, turns=turns, phase="choose", slot=None, laid=(), laid_early=())
    if turns >= rules.turns:
        return score_round(replace(after, phase="over"))
    if rules.variant == "halves" and turns == rules.halves[0]:
        return replace(after, phase="half")
    return after


def score_round(state: State) -> State:
    """The round's scores go to the pads, unless a take still has no owner; then the match may be over."""
    if state.unowned or state.owed:
        return state
    standing = sorted(kind for mark in state.marks for kind in mark)
    pads = tuple(
        pad if player in state.gone else (*pad, state.pile_heads(player)) for player, pad in enumerate(state.pads, 1)
    )
    specials = state.specials.discarded(*standing) if state.specials else None
    after = replace(state, pads=pads, marks=CLEAR, chosen=frozenset(), specials=specials)
    return end_match_if_over(after)


def end_match_if_over(state: State) -> State:
    gone = tuple(player in state.gone for player in range(1, len(state.seats) + 1))
    over = find_result(state.rules, state.totals(), state.round if is_scored(state) else state.round - 1, gone).over
    return replace(state, phase="end", taker=None, earlier=()) if over else state


def is_scored(state: State) -> bool:
    """Are the heads of the running round on the pads already?"""
    return state.phase in ("over", "end") and not state.unowned and not state.owed


def start_next_round(state: State) -> State:
    """Scores are confirmed: everything on the table has to be collected (N-28)."""
    if state.phase == "end":
        raise Illegal("N-25", "out_of_order", "round_not_over")
    if state.phase != "over":
        raise Illegal("N-24", "table_not_cleared", "round_not_over")
    if state.unowned:
        raise Illegal("N-17", "out_of_order", "name_taker")
    count, active = len(state.seats), len(state.players())
    left = tuple((str(card), f"row:{r}") for r in ROWS for card in state.row(r))
    specials = state.specials
    if specials:
        specials = deal_specials(specials, tuple(p not in state.gone for p in range(1, count + 1)))
    return replace(
        state,
        phase="draft" if state.rules.variant == "professional" else "deal",
        round=state.round + 1,
        dealt=active,
        turns=0,
        rows=EMPTY,
        lying=sort_placements(*state.lying, *left),
        piles=((),) * count,
        aside=(),
        credit=(0,) * count,
        plain=None,
        taker=None,
        earlier=(),
        entered=0,
        draft=Draft((frozenset(),) * count) if state.draft else None,
        specials=specials,
    )


def tidy_zone(state: State, zone: str) -> State:
    """The players cleared away what the rules had removed before."""
    rest = tuple(p for p in state.lying if p[1] != zone or is_in_force(state, *p))
    if rest == state.lying:
        raise Illegal("R-5", "out_of_order", "nothing_there", zone=zone)
    return replace(state, lying=rest)


def clear_table(state: State) -> State:
    """The whole table of the old round was cleared."""
    if state.phase not in ("deal", "draft") or not state.lying:
        raise Illegal("N-28", "out_of_order", "not_now")
    return replace(state, lying=())
