"""Plants a fault, hears the verdict, obeys the advice, and puts everything back as it was."""

from collections.abc import Iterable
from typing import Any

from engine.advice import Act
from engine.referee import Follows, Refused, Unclear, Verdict, Waiting
from tests.tabletop.nimmt_advice import Misled, in_words, names_act, obey, tell
from tests.tabletop.nimmt_examiner import Examiner
from tests.tabletop.nimmt_faults import Fault, lay_unknown_piece
from tests.tabletop.nimmt_felt import Thing
from tests.tabletop.nimmt_people import People

MOST_ACTS_TOLD = 2
"""Of a longer cure a small screen names the first acts only."""


def try_fault(people: People, faults: Iterable[Fault], *, twice: bool = False) -> None:
    """Plant the first of these faults that can happen now, and perhaps another one; everything is at rest."""
    examiner, felt = people.examiner, people.felt
    log, known, things, off = examiner.log, examiner.known, felt.snapshot(), list(felt.off)
    planted: list[str] = []
    pieces = 0
    for fault in faults:
        if more := fault(people):
            planted.append(fault.__name__)
            pieces += more
            break
    if planted and twice:
        planted.append(lay_unknown_piece.__name__)
        pieces += lay_unknown_piece(people)
    if planted:
        _examine(people, " and ".join(planted), pieces, _list_own_acts(things, felt.things))
    felt.restore(things)
    felt.off, examiner.log, examiner.known = off, log, known
    examiner.look(rest=True)


def _list_own_acts(before: list[Thing], after: list[Thing]) -> tuple[Act, ...]:
    """What has to be undone: each piece from where it is to where it was."""
    was, now = ({(t.face, t.zone) for t in things} for things in (before, after))
    back_to = {face: zone for face, zone in was - now}
    come = tuple(Act(face, zone, back_to.get(face, "")) for face, zone in sorted(now - was))
    gone = tuple(Act(face, "", zone) for face, zone in sorted(was - now))
    return come + gone


def _examine(people: People, fault: str, pieces: int, own: tuple[Act, ...]) -> None:
    examiner = people.examiner
    if examiner.rng.random() < 0.2 and not _check_hidden(examiner, fault):
        return
    verdict = examiner.judge(examiner.felt.look())
    if examiner.game.view(examiner.log.state).over:  # nobody plays on
        examiner.counts[f"after the end of the match: {fault}"] += 1
        return
    if isinstance(verdict, Follows) and verdict.moves and examiner.fits(verdict.moves):  # what was legal besides
        examiner.accept(verdict.moves)
        verdict = examiner.judge(examiner.felt.look())
    if (
        isinstance(verdict, Waiting)
        and verdict.hint
        and verdict.hint.text.id == "whose_card"
        and examiner.tell_unseen()
    ):
        verdict = examiner.judge(examiner.felt.look())
    match verdict:
        case Follows(moves) if moves and examiner.could_be_legal(moves):
            examiner.counts[f"cannot tell: {fault}"] += 1
        case Follows(moves) if moves:
            examiner.fail("wrong record", verdict, f"{fault}: by no rule")
        case Follows() if examiner.known < len(examiner.truth.events):  # a card laid unseen is where it was before
            examiner.counts[f"cannot tell: {fault} amid unseen acts"] += 1
        case Follows():
            examiner.fail("dead end", verdict, f"{fault} was not noticed")
        case Unclear():
            examiner.counts[f"asked after: {fault}"] += 1
        case Waiting() if not verdict.cure:
            told = tell(examiner.log, examiner.felt.look(), verdict)
            if names_act(told, own, people.seats):
                examiner.counts[f"hint after: {fault}"] += 1
            else:
                examiner.fail("dead end", verdict, f"{fault}: nothing says what to do, but '{told}'")
        case Refused() | Waiting():
            _obey(people, verdict, fault, pieces)


def _check_hidden(examiner: Examiner, fault: str) -> bool:
    """A look while a hand still hides something: nothing may be recorded that the rules do not allow."""
    place = examiner.rng.choice(list(examiner.felt.zones))
    verdict = examiner.judge(examiner.felt.look([examiner.felt.hand_over(place)]))
    if not isinstance(verdict, Follows) or not verdict.moves:
        return True
    if not examiner.could_be_legal(verdict.moves):
        examiner.fail("wrong record", verdict, f"{fault} under a hand: by no rule")
    return False


def _obey(people: People, verdict: Refused[Any] | Waiting[Any], fault: str, pieces: int) -> None:
    examiner, felt = people.examiner, people.felt
    table, before = felt.look(), felt.in_words()
    told = tell(examiner.log, table, verdict) if verdict.cure else ""
    problem = ""
    if _is_lost_unseen(examiner, verdict.cure):
        examiner.counts["cannot tell: a card laid and lost unseen, and its player's next one face down"] += 1
        return
    if not verdict.cure:
        problem = "no act is named"
    elif len(verdict.cure) > pieces:
        problem = f"moves {len(verdict.cure)} pieces where {pieces} suffice"
    elif not names_act(told, verdict.cure[:MOST_ACTS_TOLD], people.seats):
        problem = f"the text names no card and place of an act: '{told}'"
    else:
        try:
            obey(felt, verdict.cure)
        except Misled as misled:
            problem = str(misled)
        else:
            problem = _find_refusal(examiner)
    if problem:
        examiner.counts["misleading advice"] += 1
        examiner.failures.append(
            f"misleading advice · {examiner.name} · {fault} · {problem} · {before} · {in_words(verdict)} · '{told}' · "
            f"shown {examiner.truth.shown} · log: {' ; '.join(map(str, examiner.log.moves[-12:]))}"
        )
    else:
        examiner.counts["cure"] += 1


def _is_lost_unseen(examiner: Examiner, cure: Iterable[Act]) -> bool:
    """Has the card that should lie face down left the table again, before any look saw it in its row?

    The table is the same as if its player had turned it down: a face-down card in its place, and it is nowhere.
    """
    unseen = [event.split()[1] for event in examiner.truth.events[examiner.known :] if event.startswith("lay")]
    return any(act.turned in unseen and examiner.felt.find(act.turned) is None for act in cure)


def _find_refusal(examiner: Examiner) -> str:
    after: Verdict[Any] = examiner.judge(examiner.felt.look())
    match after:
        case Follows(moves) if examiner.could_be_legal(moves):
            return ""
        case Unclear(stories) if any(examiner.could_be_legal(story) for story in stories):
            return ""
        case Waiting() if not after.cure:
            return ""
    return f"obeyed, and then {in_words(after)}"


def try_often(people: People, share: float, faults: tuple[Fault, ...]) -> None:
    """Now and then, mostly once the record has everything."""
    if people.chance(share):
        if people.chance(0.75) or not people.truth.laid or not people.truth.seats:
            people.examiner.look(rest=True)
        try_fault(people, people.rng.sample(faults, len(faults)), twice=people.chance(0.1))
