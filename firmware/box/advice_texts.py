"""Advice in words: each act names the piece and the place where people find it on the table."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from engine.advice import Act
from engine.log import Log
from engine.table import Layout, Piece, Table
from engine.text import Text, say
from firmware.box.games import ui_of

PLACES_BESIDE = {"mark": "row", "special": "home", "seat": "home"}
"""Where people look for what lies beside a row, or at a seat."""
SLANT = 2.4
"""A direction counts as straight if one of its components is at least so many times the other: 22.5 degrees off."""
SIDES = (("TL", "T", "TR"), ("L", "C", "R"), ("BL", "B", "BR"))
"""The parts of the board in which a tile lies, as the camera sees it: its cells have no names on the table."""


def describe_acts(acts: Sequence[Act], log: Log[Any, Any], table: Table) -> tuple[Text, ...]:
    """One sentence for each act, or for several that a hand does at once."""
    seen = log.game.arrange(log.state, table)
    recorded = log.game.layout(log.state)
    piles = ui_of(log.game.name).piles
    texts = _describe(list(acts), seen, recorded, piles, lambda act, zone: _find_place(act, zone, log, table))
    return tuple(_tell_steps(text, act, log, table) for act, text in texts)


def names_act(text: Text, act: Act) -> bool:
    """Does this text of the rules say which piece goes where, so that it needs no other?"""
    said = {f"{name}:{value}" if name == "row" else str(value) for name, value in text.args}
    return act.piece == str(text.get("card")) and (act.target or act.source) in said


def is_buried(act: Act, log: Log[Any, Any]) -> bool:
    """Does this card belong under several others of its pile, by the record? People do not take it out from there."""
    held = log.game.layout(log.state).zones.get(act.target, ())
    return act.target in ui_of(log.game.name).piles and act.piece in held[:-2]


def _describe(
    acts: list[Act], seen: Layout, recorded: Layout, piles: Collection[str], place: Callable[[Act, str], str]
) -> Iterator[tuple[Act, Text]]:
    while acts:
        act = acts[0]
        between = [a for a in acts if {a.source, a.target} == {act.source, act.target} and not a.turned]
        held = sorted(p for zone in {act.source, act.target} for p in seen.zones.get(zone, ()))
        back = next((a for a in between if (a.source, a.target) == (act.target, act.source)), None)
        source, target = place(act, act.source), place(act, act.target)
        if act.turned:
            said = say("act_turn_up", piece=act.turned, zone=target)
        elif act.source == act.target and act.after:
            said = say("act_behind", zone=target, piece=act.piece, after=act.after)
        elif act.source == act.target:
            said = say("act_first", zone=target, piece=act.piece)
        elif not act.source or not act.target:
            done = [a for a in acts if (a.source, a.target, a.turned) == (act.source, act.target, "")]
            pieces = " ".join(a.piece for a in done)
            known = act.piece in recorded.zones.get(act.target, ())
            zone = source if act.source else target
            said = say("act_take" if act.source else "act_put" if known else "act_lay", pieces=pieces, zone=zone)
            acts = [a for a in acts if a not in done]
        elif back and len(between) > 2 and sorted(a.piece for a in between) == held:
            said = say("act_swap_zones", source=source, piece=act.piece, target=target, partner=back.piece)
            acts = [a for a in acts if a not in between]
        elif back:
            said = say("act_swap", piece=act.piece, partner=back.piece, source=source, target=target)
            acts.remove(back)
        elif above := _find_above(act, recorded, piles):
            said = say("act_under", zone=target, piece=act.piece, above=above)
        else:
            said = say("act_move", piece=act.piece, source=source, target=target)
        acts = [a for a in acts if a is not act]
        yield act, said


def _tell_steps(text: Text, act: Act, log: Log[Any, Any], table: Table) -> Text:
    """A tile that is moved within one part of the board is told by the direction: both places have one name there."""
    if text.id != "act_move" or text.get("source") != text.get("target"):
        return text
    source, target = (_place_tile(act.piece, zone, log, table) for zone in (act.source, act.target))
    right, down = target.x - source.x, target.y - source.y
    row = 1 if abs(right) > SLANT * abs(down) else 2 * (down > 0)
    column = 1 if abs(down) > SLANT * abs(right) else 2 * (right > 0)
    return say("act_step", zone=str(text.get("source")), piece=act.piece, way=f"to_{SIDES[row][column]}")


def _find_above(act: Act, recorded: Layout, piles: Collection[str]) -> str:
    """The card that lies on this one by the record, if it belongs to a pile, and not on top of it."""
    held = recorded.zones.get(act.target, ()) if act.target in piles else ()
    return held[held.index(act.piece) + 1] if act.piece in held[:-1] else ""


def _find_place(act: Act, zone: str, log: Log[Any, Any], table: Table) -> str:
    """The zone as people know it: a row also for what lies beside it, a part of the board for a cell."""
    kind, _, number = zone.partition(":")
    if kind == "cell":
        return _find_side(act, zone, log, table)
    if zone == "strange":
        zones = log.game.plan(log.options).zones
        spots = (
            lies for lies in sorted(table.seen, key=str) if act.piece in (lies.piece, lies.piece.partition(".")[0])
        )
        found = next((name for lies in spots for name, area in zones.items() if area.contains(lies.x, lies.y)), zone)
        return _find_place(act, found, log, table) if found != zone else zone
    return f"{PLACES_BESIDE[kind]}:{number}" if kind in PLACES_BESIDE else zone


def _find_side(act: Act, zone: str, log: Log[Any, Any], table: Table) -> str:
    """In which part of the board, as it lies now, this cell is."""
    game, state = log.game, log.state
    seen = game.arrange(state, table).zones
    board = {name: held for name, held in seen.items() if name.startswith("cell:")}
    anchor = {name: held for name, held in seen.items() if name == "anchor"}
    lies = _place_tile(act.piece, zone, log, table)
    lying = sum(len(held) for name, held in seen.items() if name != "anchor")
    whole = lying == len(table.seen)  # no tile is beside the board, and one between two cells counts too
    others = [*(table.seen if whole else game.place(state, Layout({**board, **anchor})).seen), lies]
    return SIDES[_third(lies.y, [other.y for other in others])][_third(lies.x, [other.x for other in others])]


def _place_tile(piece: str, zone: str, log: Log[Any, Any], table: Table) -> Piece:
    """This tile in this cell of the board, as the board lies now."""
    seen = log.game.arrange(log.state, table).zones
    anchor = {name: held for name, held in seen.items() if name == "anchor"}
    (lies,) = log.game.place(log.state, Layout({zone: (piece,), **anchor})).seen
    return lies


def _third(at: float, among: list[float]) -> int:
    low, high = min(among), max(among)
    return min(2, int(3 * (at - low) / (high - low))) if high > low else 1
