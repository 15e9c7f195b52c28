"""Recordings made by version 0.1.0 come to the same entries, scores and screens when they are replayed."""

import json
import re

import pytest

from tests.compatibility.reading import FROZEN, MATCHES, digest, match_in_json, replayed_in_json

RECORDINGS = FROZEN / "recordings"
NAMES = sorted(folder.name for folder in RECORDINGS.iterdir() if folder.is_dir())
MEASURED = ("start", "slide")
"""Moves of SIX that hold measured millimetres; another version of OpenCV may measure another one."""


REFUSED = {"log_line", "not_now", "not_asked", "take_back", "show_card_under"}
"""Alerts that refuse what was told; which of them it is may differ."""


def expected(name):
    return json.loads((RECORDINGS / f"{name}.json").read_text(encoding="utf-8"))


NEW_NEWS = "table_like_cards"
"""An alert that version 0.1.0 did not have, for what its recordings of grey pictures show as well."""
NEW_AT_HOME = 2
"""Entries of the home menu that version 0.1.0 did not have: a first game, and the language."""
NEW_IN_THE_MENU = 1
"""An entry of the menu of the game that version 0.1.0 did not have: to correct who took a row."""
NEW_OPTION = " start_cards=beside"
"""An option that version 0.1.0 did not have, at its default."""
RULES_OF_THE_GAME = 2
"""What version 0.1.0 asked in *Change the rules* of The Game; how the start cards lie is asked as well."""
IN_A_TURN = ("lay_cards", "more_or_draw", "more_or_done")
NEW_IN_A_TURN = 1
"""An offer that version 0.1.0 did not have in a turn of The Game: that two cards more were laid than were seen."""
ADVICE = {"belongs_in_row", "stays_where_it_lies"}
"""Alerts of version 0.1.0 about a piece at a wrong place: they tell now where it goes, and offer as much more."""


PLAYS_AGAIN = "table-nimmt"
"""The recording that ends with *Play again* after one of two players has left: all who began play then."""
NEW_PROMPTS = {"low_card_too": "low_card", "take_row_too": "take_row"}
"""Prompts that name, with five rows, also the card that goes with the row; and those of version 0.1.0."""


WAITS_FOR_THE_OTHERS = ("waiting_for", "choose_cards")
"""After a card was adopted into a row its player has laid: version 0.1.0 asked that player for another one."""


def tell_as_before(item, then):
    """Give a new screen the alert and the offers of the old one where only these differ as they should."""
    screen, old = item[-2], then[-2]
    if not (isinstance(screen, list) and isinstance(old, list) and len(screen) == len(old) == 3):
        return
    if (screen[0], old[0]) == WAITS_FOR_THE_OTHERS and "'adopt " in str(item[-1]):
        screen[0] = old[0]
    if NEW_PROMPTS.get(screen[0]) == old[0]:
        screen[0] = old[0]
    if screen[0] == old[0] and screen[0] in ("home", "home_no_camera"):
        screen[2] -= NEW_AT_HOME
    if screen[0] == old[0] == "choose_rule" and (old[2], screen[2]) == (RULES_OF_THE_GAME, RULES_OF_THE_GAME + 1):
        screen[2] -= 1
    if screen[0] == old[0] == "game_menu" and screen[2] == old[2] + NEW_IN_THE_MENU:
        screen[2] -= NEW_IN_THE_MENU
    if screen[0] == old[0] and screen[0] in IN_A_TURN and screen[2] == old[2] + NEW_IN_A_TURN:
        screen[2] -= NEW_IN_A_TURN
    advises = old[1] in ADVICE and (screen[1] in ADVICE or screen[1].startswith("act_"))
    if advises or (screen[1] == NEW_NEWS and not old[1]):
        screen[1:] = old[1:]


def without_phrases(items):
    """Without the phrases of version 0.1.0, which are commands now."""
    for item in items:
        if item[1] == "told":
            del item[3]


def without_new_option(value):
    return json.loads(json.dumps(value).replace(NEW_OPTION, ""))


def without_turns(value):
    """Without the turn and the cards of it that the entry of an adopted table names now."""
    return json.loads(re.sub(r"( turn=[0-9]+| laid:[0-9]+=[0-9]+)+(?=\")", "", json.dumps(value)))


def without_reasons(items):
    for item in items:
        if item[1] in ("told", "pressed") and item[-2][1] in REFUSED:
            item[-2][1] = "refused"


def told(name):
    lines = map(json.loads, (RECORDINGS / name / "events.jsonl").read_text(encoding="utf-8").splitlines()[1:])
    return {line[2] for line in lines if line[0] == "told"}


def without_millimetres(value):
    """What is left to compare where a camera saw a board of SIX."""
    match value:
        case str() if value.split()[:1] and value.split()[0] in MEASURED:
            return value.split()[0]
        case list():
            return list(map(without_millimetres, value))
        case dict():
            return {key: without_millimetres(part) for key, part in value.items() if key != "record"}
        case _:
            return value


def drop_new_match(found, wanted):
    """Leave out the match that *Play again* begins at the end, and the refusal that version 0.1.0 had in its place."""
    then = wanted["items"].pop()
    now = found["items"][len(wanted["items"])]
    assert (then[-2][0], now[-2][0]) == ("option_range", "deal_rows")
    assert found["names"].items() > wanted["names"].items()
    found["items"] = found["items"][: len(wanted["items"])]
    found["now"] = found["now"][: len(wanted["now"])]
    for part in ("faults", "names", "stands"):
        del found[part], wanted[part]


@pytest.mark.parametrize("name", NAMES)
def test_a_recording_comes_to_what_it_came_to(name):
    found, wanted = without_turns(without_new_option(replayed_in_json(RECORDINGS / name))), expected(name)
    if name == PLAYS_AGAIN:
        drop_new_match(found, wanted)
    if name == "table-six":
        found, wanted = without_millimetres(found), without_millimetres(wanted)
    without_phrases(wanted["items"])
    without_reasons(found["items"])
    without_reasons(wanted["items"])
    for number, (item, then) in enumerate(zip(found["items"], wanted["items"], strict=False)):
        tell_as_before(item, then)
        assert item == then, number
    assert found == wanted


def test_every_phrase_of_the_old_version_is_told_in_a_recording():
    phrases = json.loads((RECORDINGS / "phrases.json").read_text(encoding="utf-8"))
    assert set(phrases.values()) <= set().union(*map(told, NAMES))


def test_the_recordings_hold_every_source_button_and_effect():
    items = [item for name in NAMES for item in expected(name)["items"]]
    assert {item[2] for item in items if item[1] == "told"} == {"button", "web", "cli"}
    assert {item[2] for item in items if item[1] == "pressed"} == {"up", "down", "ok", "back"}
    assert {effect[0] for item in items for effect in item[-1]} == {
        "begin",
        "take up",
        "write",
        "put aside",
        "end",
        "rename",
        "deck checked",
        "keep empty",
        "invite",
        "look up",
        "restart",
        "power off",
    }


OLD_MATCHES = json.loads((FROZEN / "matches.json").read_text(encoding="utf-8"))


def test_the_recorded_matches_of_the_old_version_are_unchanged():
    """They are of format 1, which version 0.1.0 still reads and no version writes any more."""
    lines = (FROZEN / "matches.sha256").read_text(encoding="utf-8").splitlines()
    wanted = dict(reversed(line.split("  ", 1)) for line in lines)
    files = [path for name in OLD_MATCHES for path in (MATCHES / name).rglob("*") if path.is_file()]
    assert {str(path.relative_to(MATCHES)): digest(path.read_bytes()) for path in files} == wanted


@pytest.mark.parametrize("name", OLD_MATCHES)
def test_a_recorded_match_begins_as_it_began(name):
    assert without_new_option(match_in_json(name)) == OLD_MATCHES[name]
