"""What people do wrong with specials. Each fault knows how few pieces mend it; 0 if it cannot happen now."""

from tests.tabletop.anniversary_people import SpecialPeople
from tests.tabletop.nimmt_faults import Fault
from tests.tabletop.nimmt_felt import Thing
from tests.tabletop.nimmt_people import People
from tests.tabletop.nimmt_rules import COPIES


def _specials(people: People) -> SpecialPeople:
    assert isinstance(people, SpecialPeople)
    return people


def _is_waited_for(people: SpecialPeople) -> bool:
    """Is a card due, with nothing begun?"""
    return bool(people.due_now()) and not people.truth.busy


def play_out_of_slot(people: People) -> int:
    """A-8: at the seat of a player whose slot it is not."""
    specials = _specials(people)
    others = [p for p in people.truth.players if specials.specials[p] and p != (people.truth.due or (0,))[0]]
    if not others or not _is_waited_for(specials):
        return 0
    player = people.rng.choice(others)
    people.felt.put(people.rng.choice(specials.specials[player]), people.seat(player))
    return 1


def play_in_vain(people: People) -> int:
    """A-11: nothing that it could do."""
    specials = _specials(people)
    if not _is_waited_for(specials) or not people.truth.due:
        return 0
    player = people.truth.due[0]
    useless = [s for s in specials.specials[player] if not specials.truth.may_play(s.partition(".")[0])]
    if not useless:
        return 0
    people.felt.put(people.rng.choice(useless), people.seat(player))
    return 1


def play_second_special(people: People) -> int:
    """A-9: one for each card."""
    specials = _specials(people)
    if not people.truth.due or not specials.truth.acted:
        return 0
    player = people.truth.due[0]
    if not specials.specials[player]:
        return 0
    people.felt.put(people.rng.choice(specials.specials[player]), people.seat(player))
    return 1


def play_fifth_of_kind(people: People) -> int:
    """A-93: more of a kind than were printed."""
    specials = _specials(people)
    kinds = [
        kind for kind, seen in specials.truth.list_seen().items() if seen >= COPIES and specials.may_play_now(kind)
    ]
    if not kinds or not people.truth.due or not specials.specials[people.truth.due[0]]:
        return 0
    people.felt.put(f"{people.rng.choice(kinds)}.1", people.seat(people.truth.due[0]))
    return 1


def _list_marks(people: SpecialPeople) -> list[Thing]:
    """Those in force at rows, while no take is due that would remove them."""
    due = people.due_now()
    if people.truth.busy or (due and people.truth.rows.choices(due)):
        return []
    in_rows = [t for t in people.felt.things if "." in t.face and t.zone.startswith("row")]
    return [t for t in in_rows if t.face.partition(".")[0] in people.truth.rows.marks_at(int(t.zone[4:]))]


def lose_mark(people: People) -> int:
    if not (marks := _list_marks(_specials(people))):
        return 0
    people.felt.lift(people.rng.choice(marks))
    return 1


def carry_mark(people: People) -> int:
    """An arm carries a special of a row along, to another row or to a seat."""
    if not (marks := _list_marks(_specials(people))):
        return 0
    mark = people.rng.choice(marks)
    rows = [f"row:{r}" for r in people.truth.rows.cards if f"row:{r}" != mark.zone]
    people.felt.move(mark, people.rng.choice([*rows, *map(people.seat, people.truth.players)]))
    return 1


def lay_mark_too_early(people: People) -> int:
    """A special in a row while cards are still being chosen."""
    specials = _specials(people)
    holders = [p for p in people.truth.players if specials.specials[p]]
    if not holders or people.due_now() or len(people.truth.told) == len(people.truth.players):
        return 0
    special = people.rng.choice(specials.specials[people.rng.choice(holders)])
    people.felt.put(special, f"row:{people.rng.choice(sorted(people.truth.rows.cards))}")
    return 1


SPECIAL_FAULTS: tuple[Fault, ...] = (
    play_out_of_slot,
    play_in_vain,
    play_second_special,
    play_fifth_of_kind,
    lose_mark,
    carry_mark,
    lay_mark_too_early,
)
