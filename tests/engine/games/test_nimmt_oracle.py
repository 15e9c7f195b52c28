"""6 nimmt!: one slot with any special on any rows, compared with the rulebook's slot procedure written down plainly."""

import random
from bisect import insort

import pytest

from engine.games.nimmt.cards import HEADS, SPECIAL_KINDS
from tests.engine.vector_runs.nimmt import RUN


class Table:
    """Rows as lists, and sections 2 and 5 of the rulebook word for word; refusals are their codes."""

    def __init__(self, rows, marks, pile):
        self.rows, self.marks, self.pile = [list(row) for row in rows], [set(mark) for mark in marks], list(pile)
        self.taken, self.discard, self.aside = [], [], []

    def room(self, i):
        return (6 if "seven" in self.marks[i] else 5) - len(self.rows[i])

    def open(self):
        return [i for i in range(len(self.rows)) if "block" not in self.marks[i]]

    def take(self, i, card, *, own_too=False, stays=None):
        """A-13 in its order; the row restarts with the card, or with what stays after an Insert (A-42)."""
        got = self.rows[i] if stays is None else [*sorted([*self.rows[i][:-1], card])]
        if len(self.rows) == 5:
            got = [*got, card] if stays is None else [*got, stays]
            self.discard += ["fifth"]
        self.pile += got
        self.taken = [*got]
        self.discard += ["seven"] * ("seven" in self.marks[i])
        self.discard += ["block"] * sum("block" in mark for mark in self.marks)
        self.marks[i] = set()
        five = len(self.rows) == 5
        self.marks = [mark - {"block", "fifth"} if five else mark - {"block"} for mark in self.marks]
        if five:
            del self.rows[i], self.marks[i]
        else:
            self.rows[i] = [card if stays is None else stays]

    def slot(self, card, special, take_row):
        """A-12. None when done, a code, or the rows to choose from."""
        kind = special and special["kind"]
        if kind in ("insert", "fifth", "move", "block"):
            done, why = getattr(self, kind)(card, special)
            if done or why:
                return why
        if kind == "replace":
            card = special["card"]
            self.discard.append(kind)
        lower = [(self.rows[i][-1], i) for i in self.open() if self.rows[i][-1] < card]
        if kind == "seven":
            if not lower:
                return "low_card"
            if "seven" in self.marks[max(lower)[1]]:
                return "marker_already_there"
            self.marks[max(lower)[1]].add(kind)
        if lower and self.room(max(lower)[1]) > 0:
            if kind == "negpos":
                return "no_row_taken"
            self.rows[max(lower)[1]].append(card)
            return None
        if not lower and not take_row:
            return [i + 1 for i in self.open()]
        i = max(lower)[1] if lower else take_row - 1
        if i not in self.open():
            return "row_blocked"
        row = [*self.rows[i]]
        self.take(i, card)
        return self.negpos(row, special) if kind == "negpos" else None

    def negpos(self, row, special):
        if special["card"] not in row:
            return "card_not_in_taken_row"
        others = [c for c in self.pile if c != special["card"]]
        h = HEADS[special["card"]]
        assert sum(HEADS[c] for c in special["cancel"]) <= h
        self.pile = [c for c in others if c not in special["cancel"]]
        self.aside = [special["card"], *special["cancel"]]
        self.discard.append("negpos")
        return None

    def fifth(self, card, special):
        if len(self.rows) == 5:
            return True, "five_rows_already"
        self.rows.append([card])
        self.marks.append({"fifth"})
        return True, None

    def insert(self, card, special):
        i = special["row"] - 1
        if all(row[-1] < card for row in self.rows):
            return True, "insert_not_at_end"
        if "block" in self.marks[i] or all(self.rows[r][-1] < card for r in self.open()):
            return True, "row_blocked"
        if card > self.rows[i][-1]:
            return True, "insert_not_at_end"
        self.discard.append("insert")
        if self.room(i) > 0:
            insort(self.rows[i], card)
        else:
            self.take(i, card, stays=self.rows[i][-1])
        return True, None

    def block(self, card, special):
        i = special["row"] - 1
        if sum("block" in mark for mark in self.marks) == 2:
            return True, "two_blocks_already"
        if "block" in self.marks[i]:
            return True, "row_blocked"
        self.marks[i].add("block")
        return False, None

    def move(self, card, special):
        moved, to = special["card"], special["to_row"] - 1
        home = next((i for i, row in enumerate(self.rows) if moved in row), None)
        if home is None:
            return True, "card_not_in_a_row"
        if home == to:
            return True, "same_row"
        if {home, to} - {*self.open()}:
            return True, "row_blocked"
        if self.room(to) < 1:
            return True, "row_full"
        self.discard.append("move")
        self.rows[home].remove(moved)
        insort(self.rows[to], moved)
        if not self.rows[home]:
            self.rows[home] = [card]
            return True, None
        return False, None


def situation(rng):
    deck = rng.sample(range(1, 105), 60)
    five = rng.random() < 0.4
    marks = [set() for _ in range(4 + five)]
    for mark in rng.sample(marks, rng.choice([0, 0, 1, 2])):
        mark.add("block")
    for mark in marks:
        mark |= {"seven"} if rng.random() < 0.2 else set()
    if five:
        rng.choice(marks).add("fifth")
    rows = []
    for mark in marks:
        most = 6 if "seven" in mark else 5
        rows.append(sorted(deck.pop() for _ in range(rng.choice([1, rng.randint(1, most), most]))))
    pile = sorted(deck.pop() for _ in range(rng.randint(0, 6)))
    return rows, marks, pile, deck.pop(), deck


def best(cards, h):
    """The largest sum of heads that fits, by trying all sets."""
    found = [()]
    for card in cards:
        found += [(*some, card) for some in found if sum(HEADS[c] for c in (*some, card)) <= h]
    return max(found, key=lambda some: sum(HEADS[c] for c in some))


def special_for(kind, rng, rows, pile, card, deck):
    lying = [c for row in rows for c in row]
    match kind:
        case "insert" | "block":
            return {"kind": kind, "row": rng.randint(1, len(rows))}
        case "move":
            return {"kind": kind, "card": rng.choice([*lying, deck[0]]), "to_row": rng.randint(1, len(rows))}
        case "replace":
            return {"kind": kind, "card": deck[0]}
        case "negpos":
            row = rng.choice(rows)
            named = rng.choice(row)
            own = [card] if len(rows) == 5 else []
            cancel = best([c for c in (*pile, *row, *own) if c != named], HEADS[named])
            return {"kind": kind, "card": named, "cancel": list(cancel)}, rows.index(row) + 1
        case _:
            return {"kind": kind}


@pytest.mark.parametrize("kind", [None, *SPECIAL_KINDS])
def test_a_slot_goes_as_the_rulebook_says(kind):
    rng = random.Random(str(kind))
    seen = set()
    for _ in range(250):
        rows, marks, pile, card, deck = situation(rng)
        take_row = rng.choice([None, *range(1, len(rows) + 1)])
        special = kind and special_for(kind, rng, rows, pile, card, deck)
        if kind == "negpos":
            special, take_row = special
        model = Table(rows, marks, pile)
        want = model.slot(card, special, take_row)
        if kind == "negpos" and want is None and model.taken and {*special["cancel"]} - {*pile, *model.taken}:
            continue  # the card went elsewhere than the cancelled ones lay
        before = {"rows": rows, "piles": {"A": pile}, "marks": {str(i): sorted(k) for i, k in enumerate(marks, 1) if k}}
        action = {"type": "place", "player": "A", "card": card, "special": special, "take_row": take_row}
        got = RUN["place"]({"variant": "anniversary", "players": 4, "before": before, "action": action})
        seen.add(got["verdict"])
        case = (before, action, want, got)
        if isinstance(want, list):
            assert got["choices"] == want, case
        elif want:
            assert got.get("why") == want, case
        else:
            assert got["rows"] == model.rows, case
            assert got["marks"] == {str(i): sorted(k) for i, k in enumerate(model.marks, 1) if k}, case
            assert got["discard"] == sorted(model.discard), case
            assert got["piles"]["A"] == sorted(model.pile), case
            assert [take["cards"] for take in got["taken"]] == ([model.taken] if model.taken else []), case
            assert sorted(got["aside"]) == sorted(model.aside), case
    assert "ok" in seen
