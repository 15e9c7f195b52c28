"""Worked examples of 6 nimmt! as engine calls: a state is built from ``before``, the result is read off the engine."""

from collections import Counter
from dataclasses import replace
from itertools import chain

from engine.game import Illegal
from engine.games.nimmt import Nimmt
from engine.games.nimmt import moves as m
from engine.games.nimmt.cards import DECK, HEADS, count_heads
from engine.games.nimmt.draft import find_drafter
from engine.games.nimmt.due_action import find_due_action, list_forced_moves
from engine.games.nimmt.match_options import OPTIONS
from engine.games.nimmt.pile_audit import audit_piles, count_expected_cards, is_count_right
from engine.games.nimmt.rounds import end_match_if_over, end_turn, score_round
from engine.games.nimmt.special_hands import count_specials_held, deal_specials, share_specials
from engine.games.nimmt.specials import list_cancellations
from engine.games.nimmt.state import ROWS, Draft, Slot, SpecialCards
from engine.games.nimmt.turns import check_new_card
from engine.log import Log
from engine.options import BadOption, fill_options
from engine.referee import Follows, judge
from engine.table import Layout

GAME = Nimmt()
BY_PLAYER = ("piles", "scores", "drafted", "hand_sizes", "specials_in_hand", "revealed", "number_cards_left", "dealt")


def options(v):
    config = v["before"].get("config", {})
    given = {"players": v["players"], "variant": v["variant"]}
    given |= {key: int(config[key]) for key in ("allow_7_to_10", "allow_any_count") if key in config}
    given |= {name: config[key] for key, name in (("mode", "end"), ("target", "target"), ("cmp", "cmp"),
                                                  ("rounds", "rounds")) if key in config}  # fmt: skip
    return given


def names(v):
    """Every player the example names, in its order, then made-up ones."""
    before, action = v["before"], v["action"]
    named = [*before.get("seats", ())]
    for key in BY_PLAYER:
        named += before.get(key, {})
    named += chain(*before.get("round_scores", ()))
    named += action.get("cards", {}) if isinstance(action.get("cards"), dict) else ()
    named += action.get("shown", {})
    named += [play["player"] for play in action.get("plays", ())]
    named += [who for who in (action.get("player"), before.get("to_pick"), before.get("first")) if who]
    more = (name for name in (*"ABCDEFGHIJ", *"0123456789") if name not in named)
    known = dict.fromkeys(named)
    return [*known, *(next(more) for _ in range(v["players"] - len(known)))]


def position(v, **more):
    """The state that ``before`` describes."""
    before, who = v["before"], names(v)
    state = GAME.start(fill_options(OPTIONS, options(v) | {"allow_any_count": 1, "allow_7_to_10": 1}))
    assert len(who) == v["players"], f"{who} are not {v['players']} players"
    rows = [tuple(row) for row in before.get("rows", ())]
    marks = [frozenset(before.get("marks", {}).get(str(r), ())) for r in ROWS]
    given = {
        "rows": (*rows, *((),) * (5 - len(rows))),
        "marks": tuple(marks),
        "lying": tuple((kind, f"mark:{r}") for r, mark in zip(ROWS, marks, strict=True) for kind in sorted(mark)),
        "piles": tuple(tuple(before.get("piles", {}).get(name, ())) for name in who),
        "phase": "choose",
        "turns": before.get("turns_done", 3),
    }
    if state.draft:
        given["draft"] = Draft(tuple(frozenset(before.get("drafted", {}).get(name, state.deck)) for name in who))
    if state.specials:
        hands = (
            dict.fromkeys(who, state.specials.held[0])
            if "specials_in_hand" not in before
            else before["specials_in_hand"]
        )
        held = tuple(hands.get(name, 0) for name in who)
        stock = before.get("special_deck", state.specials.stock)
        given["specials"] = SpecialCards(held, stock, special_discard(before))
    for name, left in before.get("number_cards_left", {}).items():
        if name == v["action"].get("player"):
            given["turns"] = state.rules.turns - 1 - left
    return replace(state, **(given | more))


def special_discard(before):
    """The discard of the specials: their kinds, or how many of kinds that do not matter."""
    lying = before.get("special_discard", 0)
    return ("",) * lying if isinstance(lying, int) else tuple(lying)


def discarded(before, after):
    """The specials that came to the discard in between."""
    return sorted(after.specials.discard[len(before.specials.discard) :]) if after.specials else []


def compact(state, row):
    """The number of a row among the rows that are there."""
    return sum(bool(state.row(r)) for r in range(1, row + 1))


def spread_out(state, row):
    """The place of the ``row``-th row that is there."""
    return [r for r in ROWS if state.row(r)][row - 1] if row <= sum(map(bool, state.rows)) else row


class Story:
    """Moves played one after the other, and what they did to the table."""

    def __init__(self, v, state):
        self.names, self.start, self.state = names(v), state, state
        self.named = set(v["before"].get("piles", {}))
        self.taken = []

    def play(self, move):
        before = self.state
        self.state = GAME.play(before, move)
        for player, (old, new) in enumerate(zip(before.piles, self.state.piles, strict=True), 1):
            if got := new[len(old) :]:
                row = next(r for r in ROWS if set(before.row(r)) & set(got))
                self.taken.append({"player": self.names[player - 1], "row": compact(before, row),
                                   "cards": list(got), "heads": count_heads(got)})  # fmt: skip

    def slot(self, action):
        """One player's part of a turn; the choices, if he has to make one."""
        told = action.get("specials") or [action.get("special")]
        played = [special for special in told if special and special.get("kind")]
        due, late = self.state.actor, None
        for special in played:  # all are declared before the first is carried out
            self.play(m.Special(due, special["kind"]))
        for special in played:
            kind = special["kind"]
            if kind == "block" or (kind == "seven" and special.get("row")):
                self.play(m.Mark(kind, spread_out(self.state, special["row"])))
            elif kind == "replace":
                self.play(m.Swap(special["card"]))
            elif kind == "move":
                self.play(m.Shift(special["card"], spread_out(self.state, special["to_row"])))
            elif kind == "insert":
                self.play(m.Lay(self.state.slot.card, spread_out(self.state, special["row"])))
                return []
            elif kind == "negpos":
                late = special
        due = find_due_action(self.state)
        moves = list_forced_moves(self.state)
        if due.choices:
            if not action.get("take_row"):
                return [compact(self.state, row) for row in due.choices]
            row = spread_out(self.state, action["take_row"])
            moves = (m.Take(row), m.Tidy(f"row:{row}"), m.Lay(due.card, row))
        for move in moves:
            if self.state.slot and self.state.slot.card == due.card:
                self.play(move)
        if late:
            card = late["card"]
            given = "cancel" in late or card not in self.state.owed
            cancel = late.get("cancel", ()) if given else list_cancellations(self.state, card)[0]
            self.play(m.Negpos(card, tuple(cancel)))
        return []

    def close_ranks(self):
        """Examples list rows without gaps: the engine's place of a vanished row is the last one."""
        there = [r for r in ROWS if self.state.row(r)]
        there += [r for r in ROWS if not self.state.row(r)]
        marks = tuple(self.state.marks[r - 1] for r in there)
        lying = tuple((kind, f"mark:{n}") for n, mark in enumerate(marks, 1) for kind in sorted(mark))
        self.state = replace(self.state, rows=tuple(self.state.row(r) for r in there), marks=marks, lying=lying)

    def unchanged(self):
        """What an example may ask for after a refusal: everything is as it was."""
        now, self.state, self.taken = self.state, self.start, []
        told = self.result()
        self.state = now
        return told

    def result(self):
        state = self.state
        piles = {n: sorted(p) for n, p in zip(self.names, state.piles, strict=True) if p or n in self.named}
        credit = {n: c for n, c in zip(self.names, state.credit, strict=True) if c}
        marks = {str(compact(state, r)): sorted(mark) for r, mark in zip(ROWS, state.marks, strict=True) if mark}
        return {
            "verdict": "ok",
            "rows": [list(row) for row in state.rows if row],
            "taken": self.taken,
            "piles": piles,
            "marks": marks,
            "discard": discarded(self.start, state),
            "aside": sorted(state.aside[len(self.start.aside) :]),
            "credit": credit,
            "special_deck": state.specials.stock if state.specials else 0,
            "special_discard": len(state.specials.discard) if state.specials else 0,
        }


def refused(why, **more):
    return more | {"verdict": "illegal", "why": why.why}


def place(v):
    action, who = v["action"], names(v)
    me = who.index(action["player"]) + 1
    state = position(v)
    named = {special.get("card") for special in (action.get("special"), *(action.get("specials") or ())) if special}
    others = {c for row in state.rows for c in row} | set(chain(*state.piles)) | named | {action["card"]}
    shown = [None] * len(who)
    shown[me % len(who)] = next(c for c in reversed(DECK) if c not in others)  # so that the turn goes on
    story = Story(v, state)
    try:
        check_new_card(state, action["card"])
        shown[me - 1] = action["card"]
        story.state = replace(state, phase="lay", slot=Slot(me, action["card"]), shown=tuple(shown))
        choices = story.slot(action)
        if action.get("exchange"):
            story.play(m.Exchange(me))
    except Illegal as why:
        return refused(why, **story.unchanged())
    if choices:
        return story.unchanged() | {"verdict": "needs_choice", "choices": choices}
    return story.result()


def turn(v):
    plays = {play["player"]: play for play in v["action"]["plays"]}
    state = position(v)
    away = frozenset(p for p, name in enumerate(names(v), 1) if name not in plays)
    story = Story(v, replace(state, gone=away))
    order = []
    try:
        for name, play in plays.items():
            story.play(m.Reveal(story.names.index(name) + 1, play["card"]))
        order = [story.names[player - 1] for player, _ in story.state.order()]
        while story.state.phase == "lay":
            choices = story.slot(plays[story.names[story.state.actor - 1]])
            if choices:
                return story.unchanged() | {"verdict": "needs_choice", "choices": choices, "order": order}
            story.close_ranks()
    except Illegal as why:
        return refused(why, **story.unchanged(), order=order)
    return story.result() | {"order": order}


def reveal(v):
    state, who = position(v), names(v)
    for name, card in v["action"]["cards"].items():
        if card is None:
            continue
        try:
            state = GAME.play(state, m.Reveal(who.index(name) + 1, card))
        except Illegal as why:
            return refused(why, card=card, player=name)
    order = [who[player - 1] for player, _ in state.order()]
    missing = [who[p - 1] for p in state.players() if not state.shown[p - 1]]
    if missing:
        return {"verdict": "waiting", "missing": missing, "order": order}
    return {"verdict": "ok", "order": order, "missing": []}


def observe_place(v):
    before, action, who = v["before"], v["action"], names(v)
    try:
        check_new_card(position(v), action["card"])
    except Illegal as why:
        return refused(why)
    revealed = before.get("revealed", {action["player"]: action["card"]})
    shown = tuple(revealed.get(name) for name in who)
    first = min(card for card in shown if card)
    state = replace(position(v), phase="lay", shown=shown, slot=Slot(shown.index(first) + 1, first))
    zones = dict(GAME.layout(state).zones)
    seat = f"seat:{state.seats[who.index(action['player'])]}"
    zones.pop(seat, None)
    row = f"row:{action['row']}"
    after = action.get("row_after", [*before["rows"][action["row"] - 1], action["card"]])
    zones[row] = tuple(map(str, after))
    log = Log(GAME, options(v), origin=state)
    verdict = judge(log, GAME.place(state, Layout(zones)))
    due = find_due_action(state)
    story = Story(v, state)
    for move in list_forced_moves(state):
        story.play(move)
    told = {
        "expected_player": who[due.player - 1],
        "expected_card": due.card,
        "expected_row": due.row,
        "expected_row_after": list(story.state.row(due.row)) if due.row else [],
    }
    if isinstance(verdict, Follows):
        if due.choices and verdict.moves:  # the choice made is the one legal result
            chosen = log.add(*verdict.moves).state.row(action["row"])
            told |= {"expected_row": action["row"], "expected_row_after": list(chosen)}
        return {"verdict": "ok" if verdict.moves else "waiting", **told}
    why = getattr(verdict, "why", None) or getattr(verdict, "hint", None)
    if due.choices and why and why.ruling == "N-19":
        return {"verdict": "needs_choice", "choices": list(due.choices), "why": why.why, **told}
    return refused(why, **told) if why else {"verdict": "waiting", **told}


def setup(v):
    try:
        state = GAME.start(fill_options(OPTIONS, options(v)))
    except Illegal as why:
        return refused(why)
    except BadOption as bad:
        return {"verdict": "illegal", "why": "player_count" if bad.name == "players" else "", "option": bad.name}
    rules, n = state.rules, v["players"]
    first, second = rules.halves
    return {
        "verdict": "ok",
        "hand": rules.hand,
        "rows": 4,
        "dealt": rules.hand * n,
        "undealt": len(state.deck) - 4 - rules.hand * n,
        "turns": rules.turns,
        "rounds": rules.last_round,
        "cards_from": state.deck[0],
        "cards_to": state.deck[-1],
        "first_half": first,
        "second_half": second,
        "set_aside": rules.aside,
        "cards_played": rules.turns * n,
        "specials": state.specials.held[0] if state.specials else 0,
        "special_deck": state.specials.stock if state.specials else 0,
    }


def check_match(v):
    before, who = v["before"], names(v)
    state = position(v)
    rules = state.rules
    scores = before.get("round_scores", [before.get("scores", {})])
    pads = tuple(tuple(round.get(name, 0) for round in scores) for name in who)
    running = before.get("mid_round", before.get("turns_done", rules.turns) < rules.turns)
    rounds = len(before["round_scores"]) if "round_scores" in before else before.get("rounds_played", 1)
    named = {*chain(*scores)} | before.get("piles", {}).keys()
    away = frozenset(p for p, name in enumerate(who, 1) if name not in named) if len(named) > 1 else frozenset()
    state = replace(state, phase="choose" if running else "over", pads=pads, round=rounds, gone=away)
    if not running and "piles" in before and not {"scores", "round_scores"} & before.keys():
        state = score_round(replace(state, pads=((),) * len(who)))
    elif not running:
        state = end_match_if_over(state)
    view = GAME.view(state)
    return {
        "over": view.over,
        "winners": [who[player - 1] for player in view.winners],
        "scores": {name: total for name, total in zip(who, state.totals(), strict=True) if not named or name in named},
    }


def check_round(v):
    state = position(v)
    return {"round_over": end_turn(replace(state, turns=state.turns - 1)).phase in ("over", "end")}


def run_score_round(v):
    before, who = v["before"], names(v)
    brought = tuple(before.get("scores", {}).get(name, 0) for name in who)
    state = position(v)
    state = end_turn(replace(state, phase="lay", turns=state.rules.turns - 1, brought=brought))
    named = before.get("piles", {}) | before.get("scores", {})
    return {
        "round": {name: pad[-1] for name, pad in zip(who, state.pads, strict=True) if name in named},
        "scores": {name: total for name, total in zip(who, state.totals(), strict=True) if name in named},
    }


def start_round(v):
    before = v["before"]
    state = replace(position(v), phase="over" if before.get("round_over", True) else "choose",
                    round=before.get("round", 1))  # fmt: skip
    try:
        state = GAME.play(state, m.Next())
        state = GAME.play(state, m.Deal(tuple(v["action"].get("row_cards", (1, 2, 3, 4)))))
    except Illegal as why:
        return refused(why, rows=before.get("rows", []), round=before.get("round", 1), turns=state.rules.turns)
    return {
        "verdict": "ok",
        "rows": [list(row) for row in state.rows if row],
        "round": state.round,
        "turns": state.rules.turns,
    }


def end_round(v):
    state = position(v)
    turns = v["before"].get("turns_done", state.rules.turns)
    done = end_turn(replace(state, phase="lay", turns=turns - 1))
    discard = discarded(state, done)
    marks = {str(r): sorted(mark) for r, mark in zip(ROWS, done.marks, strict=True) if mark}
    after = GAME.play(done, m.Next()) if done.phase == "over" else done
    going_on = {"over": f"deal_round_{after.round}", "end": "match_over"}
    return {
        "rows": [] if done.phase == "end" else [list(row) for row in after.rows if row],
        "marks": marks,
        "discard": discard,
        "next": going_on.get(done.phase, f"turn_{turns + 1}"),
    }


def audit_count(v):
    before = v["before"]
    rules = position(v).rules
    turns = before.get("turns_done", rules.turns)
    right = is_count_right(before["cards_in_rows"], before["cards_in_piles"], v["players"], turns)
    return {"verdict": "ok" if right else "mismatch", "expected_total": count_expected_cards(v["players"], turns)}


def run_audit_piles(v):
    who = names(v)
    shown = {who.index(name) + 1: cards for name, cards in v["action"]["shown"].items()}
    found = audit_piles(position(v), shown)
    return {
        "verdict": "ok" if found.agrees else "mismatch",
        "missing": {who[p - 1]: list(cards) for p, cards in found.missing.items()},
        "extra": {who[p - 1]: list(cards) for p, cards in found.extra.items()},
    }


def draft_order(v):
    seats, first = names(v), v["before"].get("first", names(v)[0])
    order = [find_drafter(len(seats), seats.index(first) + 1, 1, n) for n in range(v["action"]["picks"])]
    return {"order": [seats[player - 1] for player in order]}


def next_first_drafter(v):
    seats, first = names(v), v["before"]["first"]
    return {"first": seats[find_drafter(len(seats), seats.index(first) + 1, 2, 0) - 1]}


def pick(v):
    before, action, who = v["before"], v["action"], names(v)
    state = position(v)
    n = len(who)
    spread = len(before["open_cards"])  # examples may name a few cards only
    counted = len(state.deck) - spread if spread > 4 else 0
    taken = sum(before["hand_sizes"].values()) if "hand_sizes" in before else counted
    turn = who.index(before["to_pick"]) if "to_pick" in before else taken % n
    rules = replace(state.rules, first=(turn - taken) % n + 1)
    draft = replace(state.draft, spread=tuple(before["open_cards"]), picked=taken)
    state = replace(state, rules=rules, phase="draft", rows=((),) * 5, draft=draft)
    try:
        after = GAME.play(state, m.Pick(who.index(action["player"]) + 1, (action["card"],)))
    except Illegal as why:
        return refused(why, draft_over=False, rows=[])
    over = after.phase == "deal"
    rows = GAME.play(after, m.Deal(after.spread)).rows if over else ()
    return {"verdict": "ok", "draft_over": over, "rows": [list(row) for row in rows if row]}


def half_time(v):
    state, who = position(v), names(v)
    named = v["before"].get("piles", {})
    verdict = {"verdict": "ok"}
    try:
        done = v["before"].get("turns_done", state.rules.halves[0])
        state = GAME.play(end_turn(replace(state, turns=done - 1)), m.Hands())
    except Illegal as why:
        verdict = refused(why)
    return {
        "rows": [list(row) for row in state.rows if row],
        "piles": {name: list(pile) for name, pile in zip(who, state.piles, strict=True) if name in named},
        "deal_each": state.rules.halves[1],
        "reshuffle": False,
        **verdict,
    }


def exchange(v):
    before, who = v["before"], names(v)
    me = who.index(v["action"]["player"]) + 1
    took = [who.index(name) + 1 for name in before.get("took_rows_this_turn", ())]
    took += [me] if before.get("took_row_this_slot") else []
    state = position(v, taker=took[-1] if took else None, earlier=tuple(took[:-1]))
    for name in before.get("exchanged", ()):
        state = GAME.play(state, m.Exchange(who.index(name) + 1))
    after, verdict = state, {"verdict": "ok"}
    try:
        after = GAME.play(state, m.Exchange(me))
    except Illegal as why:
        verdict = refused(why)
    named = before.get("specials_in_hand", {})
    return {
        **verdict,
        "reshuffled": after is not state and not after.specials.discard,
        "special_deck": after.specials.stock,
        "special_discard": len(after.specials.discard),
        "specials_in_hand": {name: held for name, held in zip(who, after.specials.held, strict=True) if name in named},
    }


def deal_round_2_specials(v):
    before, players = v["before"], v["players"]
    total = before.get("specials_held_total", 0)
    available, each = share_specials(players, total)
    held = tuple(total // players + (n < total % players) for n in range(players))
    specials = SpecialCards(held, before.get("special_deck", available), special_discard(before))
    after = deal_specials(specials, (True,) * players)
    return {
        "available": available,
        "each": each,
        "special_deck": after.stock,
        "special_discard": len(after.discard),
    }


def run_count_specials_held(v):
    played = v["before"].get("played", {})
    return {
        "held": {name: count_specials_held(dealt, played.get(name, 0)) for name, dealt in v["before"]["dealt"].items()}
    }


def heads_totals(v):
    count = Counter(HEADS[card] for card in DECK)
    return {"cards_by_heads": {str(h): n for h, n in sorted(count.items())}, "total_heads": count_heads(DECK)}


RUN = {
    "setup": setup,
    "reveal": reveal,
    "place": place,
    "turn": turn,
    "observe_place": observe_place,
    "count_heads": lambda v: {"heads": count_heads(v["action"]["cards"])},
    "heads_table": lambda v: {"heads": {str(card): HEADS[card] for card in DECK}},
    "heads_totals": heads_totals,
    "check_round": check_round,
    "score_round": run_score_round,
    "check_match": check_match,
    "start_round": start_round,
    "audit_count": audit_count,
    "audit_piles": run_audit_piles,
    "draft_order": draft_order,
    "next_first_drafter": next_first_drafter,
    "pick": pick,
    "half_time": half_time,
    "exchange": exchange,
    "deal_round_2_specials": deal_round_2_specials,
    "count_specials_held": run_count_specials_held,
    "end_round": end_round,
}
