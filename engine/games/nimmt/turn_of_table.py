"""Which turn a table is in that is adopted, and who has laid a card of it already."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.game import Illegal
from engine.games.nimmt.adoption import adopt
from engine.games.nimmt.state import State
from engine.table import Layout


@dataclass(frozen=True, slots=True)
class _Turn:
    """The number of turns that are over, the cards of the next one that lie already, with and without their players.

    ``able`` are the players who can have laid one of the ``rest``.
    """

    number: int
    laid: Mapping[int, int]
    rest: tuple[int, ...]
    able: tuple[int, ...]

    @property
    def asked(self) -> tuple[int, ...]:
        """The cards of which only a person can tell who laid them."""
        return self.rest if len(self.able) > 1 else ()

    def write(self) -> dict[str, tuple[str, ...]]:
        laid = {**self.laid, **dict(zip(self.rest, self.able, strict=False))}
        players = {f"laid:{player}": (str(card),) for card, player in laid.items()}
        return {"turn": (str(self.number),), **players}


def name_turn(states: Sequence[State], seen: Layout) -> Layout:
    """The table with ``turn`` and ``laid:2``, where its turn is not the one that its rows and seats alone would give.

    A card in ``pile:2`` that lies in a row was laid by player 2. ``Illegal`` where a card can be of no turn, or where
    only a person can tell who laid it.
    """
    state = states[-1]
    seen, told = _split_owners(seen)
    plain = adopt(state, seen)
    if not _has_turns(state):
        return seen
    turn = _find_turn(states, plain, told)
    if turn.asked:
        raise Illegal("N-5", "out_of_order", "whose_card", card=turn.asked[0])
    named = replace(seen, zones={**seen.zones, **turn.write()})
    after = adopt(state, named)
    same_turn = plain.turns == state.turns and after.phase == "lay"  # who has laid in it is in the record
    return seen if plain == (replace(after, laid_early=()) if same_turn else after) else named


def list_laid_unseen(states: Sequence[State], seen: Layout) -> tuple[str, ...]:
    """The cards in rows of which only a person can tell who laid them."""
    state = states[-1]
    if not _has_turns(state):
        return ()
    seen, told = _split_owners(seen)
    try:
        turn = _find_turn(states, adopt(state, seen), told)
    except Illegal:
        return ()
    return tuple(map(str, turn.asked))


def _has_turns(state: State) -> bool:
    return state.rules.seats == "on" and state.phase in ("choose", "lay")


def _split_owners(seen: Layout) -> tuple[Layout, dict[int, int]]:
    """The table without the cards in piles that lie in rows, and the players who laid these."""
    lies = {piece for zone, held in seen.zones.items() if zone.startswith("row:") for piece in held}
    zones, told = dict(seen.zones), dict[int, int]()
    for zone, held in seen.zones.items():
        if zone.startswith("pile:") and not lies.isdisjoint(held):
            told |= {int(piece): int(zone[5:]) for piece in held if piece in lies}
            zones[zone] = tuple(piece for piece in held if piece not in lies)
    return replace(seen, zones={zone: held for zone, held in zones.items() if held}), told


def _find_turn(states: Sequence[State], plain: State, told: Mapping[int, int]) -> _Turn:
    """The turn of the table, of which ``plain`` has the cards."""
    state, lie = states[-1], _list_laid(plain)
    number = state.turns
    since = _list_turn(states, number)
    again = bool(number) and not _list_before(since) <= lie
    if again:  # a card of the turn that was over is at a seat again
        number -= 1
        since = _list_turn(states, number)
    before = _list_before(since)
    if gone := before - lie:
        raise Illegal("N-8", "already_seen", "seen_before", card=min(gone))
    owners = {card: player for at in since if at.turns == number for player, card in _list_cards(at)}
    owners.update(told)
    known = {player for card, player in owners.items() if card in lie - before}
    takers = _list_takers(state, plain)
    owners = {card: player for card, player in takers.items() if player not in known} | owners
    new = sorted(card for card in lie - before if owners.get(card) not in state.gone)
    count = len(state.players())
    if len(new) >= count and not again:  # the turn is over, and those who had no card in it have begun the next one
        number += 1
        late = [card for card in new if card not in owners or card in told]
        new = late if len(late) == len(new) - count else new[count:]
        owners = dict(told)
    named = _name_players(plain, number, new, owners)
    if again and len(named.laid) < len(new) and not named.rest:  # laid before the turn that goes on is over
        raise Illegal("N-6", "out_of_order", "finish_laying", card=max(set(new) - named.laid.keys()))
    return named


def _list_takers(state: State, plain: State) -> dict[int, int]:
    """The cards that begin a row in place of one that a player has now: that player took it with this card (N-16)."""
    begun = {
        begins[0]: player
        for begins, row in zip(plain.rows, state.rows, strict=True)
        for player, pile in enumerate(plain.piles, 1)
        if row and begins and begins[0] not in row and set(row) <= set(pile) and not plain.shown[player - 1]
    }
    return {card: player for card, player in begun.items() if list(begun.values()).count(player) == 1}


def _name_players(plain: State, number: int, new: Sequence[int], owners: Mapping[int, int]) -> _Turn:
    """The player of each of these cards, where the record or a person tells."""
    shown = {player: card for player, card in enumerate(plain.shown, 1) if card}
    laid = {card: owners[card] for card in new if card in owners}
    for card, player in laid.items():
        if player in shown:
            raise Illegal("N-6", "out_of_order", "finish_laying", card=shown[player])
        if list(laid.values()).count(player) > 1:
            raise Illegal("N-6", "out_of_order", "choice_stands", card=card)
    rest = tuple(card for card in new if card not in laid)
    able = tuple(player for player in plain.players() if player not in laid.values() and player not in shown)
    if not able:  # each player has a card of this turn: these came earlier, unseen
        rest = ()
    if len(rest) > len(able):
        raise Illegal("N-6", "out_of_order", "finish_laying", card=max(shown.values(), default=rest[-1]))
    return _Turn(number, laid, rest, able)


def _list_turn(states: Sequence[State], turn: int) -> list[State]:
    """The states since this turn of the round last began."""
    since: list[State] = []
    for state in reversed(states):
        if state.round != states[-1].round or state.turns < turn or state.phase in ("deal", "draft"):
            break
        since.append(state)
    return since[::-1]


def _list_before(states: Sequence[State]) -> frozenset[int]:
    """The cards that came to the rows before this turn."""
    return _list_laid(states[0]) - {card for _, card in states[0].laid_early}


def _list_laid(state: State) -> frozenset[int]:
    return frozenset(state.aside).union(*state.rows, *state.piles, *state.unowned)


def _list_cards(state: State) -> tuple[tuple[int, int], ...]:
    """The players and their cards of the turn that runs."""
    return (*state.laid_early, *((player, card) for player, card in enumerate(state.shown, 1) if card))
