"""The catalogue of bugs that the tests must find: mistakes of published engines, and faults a referee must not have."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

NIMMT = "engine/games/nimmt"
THE_GAME = "engine/games/the_game"
SIX = "engine/games/six"
ADVICE_TEXTS = "tests/firmware/box/test_advice_texts.py"


@dataclass(frozen=True, slots=True)
class Bug:
    """``instead`` replaces ``text``, which occurs once in ``file``; ``tests`` is a quick selection that must fail."""

    name: str
    file: str
    text: str
    instead: str
    tests: tuple[str, ...]
    quick: bool = False


def examples(of: str) -> tuple[str, ...]:
    """The pytest selection of the worked examples of one game or variant."""
    return "tests/engine/test_vectors.py", "-k", f"test_example and {of}"


def find_stale(root: Path) -> Iterator[str]:
    """Bugs that no longer fit the tree: a file is missing, or the text does not occur in it exactly once."""
    for bug in BUGS:
        for name in (bug.file, bug.tests[0]):
            if not (root / name).exists():
                yield f"{bug.name}: there is no {name}"
        source = root / bug.file
        count = source.read_text(encoding="utf-8").count(bug.text) if source.is_file() else 1
        if count != 1:
            yield f"{bug.name}: {bug.text!r} occurs {count} times in {bug.file}"


BUGS = (
    Bug(
        "6 nimmt!: the sixth card counts in the penalty",
        f"{NIMMT}/turns.py",
        "pile = (*state.piles[player - 1], *taken)",
        "pile = (*state.piles[player - 1], *taken, *({me} - {*taken}))",
        examples("6nimmt_base"),
        quick=True,
    ),
    Bug(
        "6 nimmt!: the fifth card does not count in the penalty",
        f"{NIMMT}/turns.py",
        "pile = (*state.piles[player - 1], *taken)",
        "pile = (*state.piles[player - 1], *taken[:4])",
        examples("6nimmt_base"),
    ),
    Bug(
        "6 nimmt!: heads are the number of cards",
        f"{NIMMT}/cards.py",
        "return sum(HEADS[card] for card in cards)",
        "return sum(1 for _ in cards)",
        examples("6nimmt_base"),
    ),
    Bug(
        "6 nimmt!: doubles have seven heads",
        f"{NIMMT}/cards.py",
        "return 5\n",
        "return 7\n",
        examples("6nimmt_base"),
    ),
    Bug(
        "6 nimmt!: every number with a 5 in it has two heads",
        f"{NIMMT}/cards.py",
        "2 if card % 5 == 0 else 1",
        '2 if "5" in str(card) else 1',
        examples("6nimmt_base"),
    ),
    Bug(
        "6 nimmt!: a card goes to the lowest row, not the nearest",
        f"{NIMMT}/rows.py",
        "return ordered[below - 1][1] if below else None",
        "return ordered[0][1] if below else None",
        examples("6nimmt_base"),
        quick=True,
    ),
    Bug(
        "6 nimmt!: rows are sorted by their ends",
        f"{NIMMT}/turns.py",
        "rows=replace_item(state.rows, row, tuple(sorted((*old, card)))),",
        "rows=tuple(sorted(replace_item(state.rows, row, tuple(sorted((*old, card)))))),",
        examples("6nimmt_base"),
    ),
    Bug(
        "6 nimmt!: one row doubled, the next one lost",
        f"{NIMMT}/turns.py",
        "rows=replace_item(state.rows, row, tuple(sorted((*old, card)))),",
        "rows=replace_item(replace_item(state.rows, row, (*old, card)), row % 4 + 1, (*old, card)),",
        examples("6nimmt_base"),
    ),
    Bug(
        "6 nimmt!: the match ends above the target, not at it",
        f"{NIMMT}/match_end.py",
        "else highest >= rules.target)",
        "else highest > rules.target)",
        examples("6nimmt_base"),
    ),
    Bug(
        "6 nimmt!: a low card has no choice of row",
        f"{NIMMT}/due_action.py",
        "return Due(player, card, choices=state.open_rows(), take=True)",
        "return Due(player, card, state.open_rows()[0], take=True)",
        examples("6nimmt_base"),
    ),
    Bug(
        "6 nimmt!: playing ahead, the wrong row leaves when a low card changes the order of the rows",
        f"{NIMMT}/rows.py",
        "del rows[at], ends[at], worth[at]",
        "del rows[-1], ends[-1], worth[-1]",
        ("tests/engine/games/test_nimmt_rows.py",),
    ),
    Bug(
        "6 nimmt!: playing ahead, the sixth card counts in the penalty",
        f"{NIMMT}/rows.py",
        "scores[player] += worth[at]",
        "scores[player] += worth[at] + HEADS[card]",
        ("tests/engine/games/test_nimmt_rows.py",),
    ),
    Bug(
        "6 nimmt!: Blocks stay after a take",
        f"{NIMMT}/turns.py",
        'else mark - {"block"} for mark in state.marks',
        "else mark for mark in state.marks",
        examples("6nimmt_anniversary"),
    ),
    Bug(
        "6 nimmt!: without seats, cards of one look are read in the order of their rows",
        f"{NIMMT}/brought_cards.py",
        "new = sorted(card for cards in rows.values() for card in cards)",
        "new = [card for cards in rows.values() for card in cards]",
        ("tests/engine/games/test_nimmt_brought_cards.py", "-k", "by_number"),
    ),
    Bug(
        "6 nimmt!: without seats, a card is accepted although a lower one may lie under a hand",
        f"{NIMMT}/brought_cards.py",
        "if new and hidden:",
        "if False:",
        ("tests/engine/games/test_nimmt_brought_cards.py", "-k", "hand_covers or hidden"),
        quick=True,
    ),
    Bug(
        "6 nimmt!: without seats, a row that was not full is taken by the card seen in its place",
        f"{NIMMT}/moves_from_table.py",
        "filled = not slot.player and row == home and state.room(row) > 0",
        "filled = False",
        ("tests/engine/games/test_nimmt_brought_cards.py", "-k", "came_and_went"),
    ),
    Bug(
        "6 nimmt!: a special under a hand is charged to the next player",
        f"{NIMMT}/unseen_cards.py",
        'if place in gap.seen.hidden), "")',
        'if place in ()), "")',
        ("tests/engine/games/test_nimmt_unseen_cards.py", "-k", "may_be_hidden"),
    ),
    Bug(
        "6 nimmt!: a Take-at-7 that is seen late is charged to the next player",
        f"{NIMMT}/specials.py",
        'if kind == "seven" and (late := _laid_plainly(state, row)):',
        'if kind == "none" and (late := _laid_plainly(state, row)):',
        ("tests/engine/games/test_nimmt_unseen_cards.py", "-k", "take_at_7"),
    ),
    Bug(
        "referee: a sixth card is refused beside a card face down for the next turn",
        "engine/referee.py",
        "sum(piece != BACK for piece, _ in wrong) > 1",
        "len(wrong) > 1",
        ("tests/engine/games/test_nimmt_unseen_cards.py", "-k", "sixth"),
    ),
    Bug(
        "6 nimmt!: an exchange is offered to a player who left",
        f"{NIMMT}/player_changes.py",
        "taker=None if player == state.taker else state.taker,",
        "taker=state.taker,",
        ("tests/engine/games/test_nimmt_special_hands.py", "-k", "who_left"),
    ),
    Bug(
        "6 nimmt!: revealed cards that changed their seats are called a double card",
        f"{NIMMT}/deal_from_table.py",
        'if piece != BACK and any(piece == gone and zone.startswith("seat:") for gone, zone in gap.missing):',
        "if False:",
        ("tests/engine/games/test_nimmt_unseen_cards.py", "-k", "changed_their_seats"),
    ),
    Bug(
        "6 nimmt!: cards that were laid and taken again unseen are asked for",
        f"{NIMMT}/unseen_cards.py",
        "if row == choice and due.take and slot != first",
        "if False",
        ("tests/engine/games/test_nimmt_unseen_cards.py", "-k", "card_along"),
    ),
    Bug(
        "6 nimmt!: the first taker loses the exchange when a second takes",
        f"{NIMMT}/turns.py",
        "earlier=tuple(p for p in state.may_exchange() if p != player),",
        "earlier=(),",
        ("tests/engine/games/test_nimmt_special_hands.py", "-k", "one_after_the_other"),
        quick=True,
    ),
    Bug(
        "6 nimmt!: a special spent in the slot of a take misses the shuffle of its exchange",
        f"{NIMMT}/turns.py",
        "spent += [slot.special] if slot.special and slot.used",
        "spent += [slot.special] if False and slot.used",
        ("tests/engine/games/test_nimmt_special_hands.py", "-k", "spent_in_the_slot"),
    ),
    Bug(
        "6 nimmt!: a fifth special of a kind is played",
        f"{NIMMT}/specials.py",
        "if count_out(after, kind) > max(count_out(state, kind), COPIES_OF_A_SPECIAL):",
        "if False:",
        examples("6nimmt_more and a_fifth"),
    ),
    Bug(
        "6 nimmt!: the second deal always shuffles the discard",
        f"{NIMMT}/special_hands.py",
        "if dealt <= deck:",
        "if dealt < 0:",
        examples("6nimmt_more and round_2_specials"),
    ),
    Bug(
        "6 nimmt!: a card turned early is not said",
        f"{NIMMT}/view.py",
        'if state.phase != "choose" or not list_missing(state):',
        "if True:",
        ("tests/engine/games/test_nimmt_looks.py", "-k", "early_is_news"),
    ),
    Bug(
        "log: what an older version took is refused when a stored record is read",
        "engine/log.py",
        "if isinstance(why, NewRule) and index >= stood_from:",
        "if False:",
        ("tests/engine/games/test_nimmt_special_hands.py", "-k", "stored_record or stood"),
    ),
    Bug(
        "The Game: two cards asked for with an empty deck",
        f"{THE_GAME}/rules.py",
        "wanted = LAST_MINIMUM if state.deck == 0 else STANDARD_MINIMUM if",
        "wanted = STANDARD_MINIMUM if",
        examples("thegame"),
        quick=True,
    ),
    Bug(
        "The Game: an empty hand loses the game",
        f"{THE_GAME}/match_end.py",
        "(state.in_hands == 0 and state.deck == 0)",
        "(0 in state.hands and state.deck == 0)",
        ("tests/engine/games", "-k", "the_game or thegame"),
    ),
    Bug(
        "The Game: a player without cards is not skipped",
        f"{THE_GAME}/turns.py",
        "(p for p in _round(state) if state.hands[p - 1])",
        "(p for p in _round(state))",
        examples("thegame"),
    ),
    Bug(
        "The Game: piles going down start at 99",
        f"{THE_GAME}/state.py",
        "START_CARDS = (1, 1, 100, 100)",
        "START_CARDS = (1, 1, 99, 99)",
        examples("thegame"),
    ),
    Bug(
        "The Game: the deck has a 1",
        f"{THE_GAME}/state.py",
        "LOWEST_CARD, HIGHEST_CARD = 2, 99",
        "LOWEST_CARD, HIGHEST_CARD = 1, 99",
        examples("thegame"),
    ),
    Bug(
        "The Game: of two legal orders of the cards in sight, one is taken",
        f"{THE_GAME}/pile_reading.py",
        "    if len(orders) > 1:\n        return orders\n",
        "    if len(orders) > 1:\n        return orders[:1]\n",
        ("tests/engine/games/test_the_game_orders.py",),
        quick=True,
    ),
    Bug(
        "The Game: which card covers which is not used",
        f"{THE_GAME}/pile_orders.py",
        "order.index(upper) > order.index(lower)",
        "order.index(upper) != order.index(lower)",
        ("tests/engine/games/test_the_game_orders.py",),
    ),
    Bug(
        "The Game: an unseen card between two in sight is not thought of",
        f"{THE_GAME}/pile_reading.py",
        "MOST_UNSEEN = 1",
        "MOST_UNSEEN = 0",
        ("tests/engine/games/test_the_game_orders.py",),
    ),
    Bug(
        "The Game: a wrong card beside its pile is taken for one that sticks out",
        f"{THE_GAME}/pile_reading.py",
        "        if card not in proven:",
        "        if card not in under:",
        ("tests/engine/games/test_the_game_orders.py",),
    ),
    Bug(
        "The Game: two unseen cards under a top are not thought of",
        f"{THE_GAME}/rules.py",
        "(max(0, state.in_hands - 1) if most is None else most)",
        "(min(1, max(0, state.in_hands - 1)) if most is None else most)",
        ("tests/engine/games/test_the_game_orders.py",),
        quick=True,
    ),
    Bug(
        "The Game: a card entered under one that lies nowhere becomes the top",
        f"{THE_GAME}/turns.py",
        "    if at == len(held) and may_lay(state, pile, top):",
        "    if at > len(held) and may_lay(state, pile, top):",
        ("tests/engine/games/test_the_game.py", "-k", "test_refused"),
    ),
    Bug(
        "The Game: a second card of a number on its own pile is not seen",
        f"{THE_GAME}/zones.py",
        "twice = [piece for piece in known if pieces.count(piece) > 1]",
        "twice = [piece for piece in known if pieces.count(piece) > 2]",
        ("tests/engine/games/test_the_game_looks.py", "-k", "second_card or script"),
    ),
    Bug(
        "The Game: a card that lies on a higher one of its pile is taken for the top of a lifted pile",
        f"{THE_GAME}/zones.py",
        "    return [*twice, *above]",
        "    return [*twice]",
        ("tests/engine/games/test_the_game_looks.py", "-k", "script"),
    ),
    Bug(
        "The Game: a start card that came along with its pile is another fault",
        f"{THE_GAME}/zones.py",
        "new = [piece for piece in new if not _came_with_its_pile(state, piece, new)]",
        "new = [*new]",
        ("tests/engine/games/test_the_game_looks.py", "-k", "comes_along"),
    ),
    Bug(
        "The Game: a third start card beside a lower card is not told",
        f"{THE_GAME}/zones.py",
        "and start in pieces and copies[start] > START_COPIES:\n            return",
        "and pieces == [start] and copies[start] > START_COPIES:\n            return",
        ("tests/engine/games/test_the_game_looks.py", "-k", "third_start"),
    ),
    Bug(
        "The Game: a card is refused while another one is asked about",
        f"{THE_GAME}/moves_from_table.py",
        "yield from asked or wrong or veiled",
        "yield from wrong or asked or veiled",
        ("tests/engine/games/test_the_game_looks.py", "-k", "script"),
    ),
    Bug(
        "The Game: a card is refused while another one may stick out from its pile",
        f"{THE_GAME}/moves_from_table.py",
        "(not wrong or may_be_wrong(state, unsure, gap.seen.orders[unsure]))",
        "not wrong",
        ("tests/engine/games/test_the_game_looks.py", "-k", "script"),
    ),
    Bug(
        "The Game: a card with nothing under it may stick out under the top",
        f"{THE_GAME}/zones.py",
        "if state.bare[pile] in fresh and state.piles[pile]:",
        "if state.bare[pile] in fresh and not state.piles[pile]:",
        ("tests/engine/games/test_the_game_looks.py", "-k", "script"),
    ),
    Bug(
        "SIX: groups are judged after the tile is laid, not while it is lifted",
        f"{SIX}/board.py",
        "left = sum(stay)",
        "left = sum(g for g in split_groups(lift.rest) if touches(g, target))",
        examples("six"),
        quick=True,
    ),
    Bug(
        "SIX: the group of the moved tile stays, not the largest",
        f"{SIX}/board.py",
        "for g in lift.stay if touches(g, target)",
        "for g in split_groups(lift.rest) if touches(g, target)",
        examples("six"),
    ),
    Bug(
        "SIX: the board has a border",
        f"{SIX}/board.py",
        "if -_HALF < q < _HALF and -2 < r < _HALF else NOWHERE",
        "if -3 < q < 4 and -2 < r < 4 else NOWHERE",
        examples("six"),
    ),
    Bug(
        "SIX: tiles of one look are laid in the order of their places",
        f"{SIX}/lay_order.py",
        "todo += [(at, (*order, n), reach) for n in ready]",
        "todo += [(at, (*order, n), reach) for n in ready[:1]]",
        ("tests/engine/games/test_six_sets.py", "-k", "phase_1"),
        quick=True,
    ),
    Bug(
        "SIX: play goes on after a shape is complete",
        f"{SIX}/lay_order.py",
        "if at.end or not any(at.hands):",
        "if not any(at.hands):",
        ("tests/engine/games/test_six_sets.py", "-k", "a_shape_is_complete"),
    ),
    Bug(
        "SIX: only cells beside known tiles may hide a tile",
        f"{SIX}/hidden_cells.py",
        "return frozenset((board | join_cells(board, covered | new)) & covered)",
        "return frozenset((board | join_cells(board, new)) & covered)",
        ("tests/engine/games/test_six_sets.py", "-k", "hidden"),
        quick=True,
    ),
    Bug(
        "SIX: a tile out of turn is refused although the one before it may be hidden",
        f"{SIX}/lays_from_table.py",
        "elif change.free and _may_join(state, change):",
        "elif False:",
        ("tests/engine/games/test_six_sets.py", "-k", "hidden"),
    ),
    Bug(
        "SIX: tiles that lay hidden must fit behind those of the record",
        f"{SIX}/lays_from_table.py",
        "elif not change.away and can_be_played(state, change.regroup()):",
        "elif False:",
        ("tests/engine/games/test_six_sets.py", "-k", "lay_hidden"),
    ),
    Bug(
        "SIX: a board on which a tile was exchanged is taken for one that was laid unseen",
        f"{SIX}/lays_from_table.py",
        "elif not change.away and can_be_played(state, change.regroup()):",
        "elif can_be_played(state, change.regroup()):",
        ("tests/engine/games/test_six_sets.py", "-k", "laid_anew"),
    ),
    Bug(
        "SIX: after several plies the box guesses who is next",
        f"{SIX}/plies_from_table.py",
        "yield from ((*way, Next(colour)) for colour in (game.turn, other_colour(game.turn)))",
        "yield way",
        ("tests/engine/games/test_six_sets.py", "-k", "phase_2"),
        quick=True,
    ),
    Bug(
        "SIX: a tile that was moved twice between two looks is not thought of",
        f"{SIX}/ply_search.py",
        "for bits in (away, doomed & ~away, free & ~doomed) if plies > 1 else ():",
        "for bits in ():",
        ("tests/engine/games/test_six_sets.py", "-k", "moved_twice"),
    ),
    Bug(
        "referee: a hidden piece counts as removed",
        "engine/table.py",
        "covered = zone in seen.hidden",
        "covered = False",
        ("tests/engine/games/test_nimmt_hands.py", "-k", "honest"),
    ),
    Bug(
        "advice: shown cards exchanged between seats are laid instead of swapped back",
        "engine/advice.py",
        "return len(acts), disturbed, astray, -len(goal.moves)",
        "return len(acts), disturbed, 0, -len(goal.moves)",
        (ADVICE_TEXTS, "-k", "exchanged"),
        quick=True,
    ),
    Bug(
        "advice: a card that was turned again is laid anew",
        "engine/advice.py",
        "if (BACK, zone) in extra and",
        "if (piece, zone) in extra and",
        (ADVICE_TEXTS, "-k", "turned"),
    ),
    Bug(
        "advice: a piece that is gone from the table is never missed",
        "engine/referee.py",
        "() if asks else cure.acts",
        "()",
        (ADVICE_TEXTS, "-k", "gone"),
    ),
    Bug(
        "advice: a prompt relies on a card that is not there",
        "firmware/box/referee_desk.py",
        " or _relies_on(prompt, missing)",
        "",
        (ADVICE_TEXTS, "-k", "relies"),
    ),
    Bug(
        "advice: a row that is lifted to be taken is asked back",
        f"{NIMMT}/zones.py",
        "rows = (due.row,) if due.take and due.row else due.choices",
        "rows = ()",
        (ADVICE_TEXTS, "-k", "not_missed"),
    ),
    Bug(
        "advice: a card is laid behind one that is not there yet",
        "engine/advice.py",
        "*_sort((*moved, *put))",
        "*moved, *put",
        ("tests/engine/test_advice.py",),
    ),
    Bug(
        "advice: only the record is a way out, not what the rules ask for",
        "engine/advice.py",
        "ways = [(game.due(reached.state, left), True)] if left else []",
        "ways = []",
        (ADVICE_TEXTS, "-k", "refused or every_act"),
    ),
    Bug(
        "advice: rows exchanged are named card by card",
        "firmware/box/advice_texts.py",
        "elif back and len(between) > 2 and",
        "elif back and len(between) > 99 and",
        (ADVICE_TEXTS, "-k", "exchanged"),
    ),
    Bug(
        "The Game: a top turned over is taken for a card laid on it",
        f"{THE_GAME}/zones.py",
        "below = below[:-1]",
        "pass",
        (ADVICE_TEXTS, "-k", "turned"),
    ),
    Bug(
        "The Game: a card seen on another pile still lies on its own",
        f"{THE_GAME}/zones.py",
        "tuple(piece for piece in known if piece in pieces or piece not in others)",
        "known",
        (ADVICE_TEXTS, "-k", "tops"),
    ),
    Bug(
        "advice: without seats, a row in whose place another card lies is not asked back",
        f"{NIMMT}/zones.py",
        'if free and f"row:{r}" not in laid',
        "if free",
        (ADVICE_TEXTS, "-k", "seats_are_off"),
    ),
    Bug(
        "a question about a special does not name its card",
        "firmware/box/games/nimmt/special_questions.py",
        "return move.kind, state.slot.card",
        "return move.kind, 1",
        ("tests/firmware/box/test_referee_desk.py", "-k", "two_legal"),
    ),
    Bug(
        "referee: an illegal card is not refused",
        "engine/referee.py",
        "return Refused(wrong, end.left.missing, end.why, rewind, cure.acts)",
        "return _wait(end, rewind, cure)",
        ("tests/engine/test_conformance.py", "-k", "attempt and thegame"),
        quick=True,
    ),
    Bug(
        "referee: a card in the air does not delay the verdict",
        "engine/referee.py",
        "if end.left.has_pieces_in_the_air() and not",
        "if not end.left and not",
        ("tests/engine/games/test_nimmt_hands.py", "-k", "honest"),
    ),
    Bug(
        "log: a correction contains a correction, so the journal cannot be read",
        "engine/log.py",
        "if any(isinstance(move, Amend) for move in self.moves):",
        "if False:",
        ("tests/engine/test_log_text.py", "-k", "holds_moves"),
    ),
    Bug(
        "log: after a correction the later moves are forgotten",
        "engine/log.py",
        "self._fold(moves, states, (*fresh, *later), ",
        "self._fold(moves, states, fresh, ",
        ("tests/engine/games/test_the_game.py", "-k", "amended"),
    ),
    Bug(
        "box: a resumed game keeps the zones of the old table",
        "firmware/box/flows/playing.py",
        "found = refit_log(self.log, area)",
        "found = self.log",
        ("tests/firmware/box/test_table_size.py",),
    ),
    Bug(
        "box: what the camera saw before it failed raises an alarm during manual entry",
        "firmware/box/flow_stack.py",
        "text is not None and source in BLINDING_SOURCES",
        "text is not None and source in ()",
        ("tests/firmware/box/test_camera_faults.py",),
        quick=True,
    ),
)
