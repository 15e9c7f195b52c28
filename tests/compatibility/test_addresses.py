"""The page keeps the addresses, the JSON, the words and the MQTT topics that programs know from version 0.1.0."""

import json
import shutil
from contextlib import closing

import pytest

from tests.compatibility.reading import FROZEN, serving

ADDRESSES = FROZEN / "addresses.json"
RUNNING = "{running}"
"""Stands for the number of the game that runs."""
REQUESTS = (
    ("GET", "/"),
    ("GET", "/?lang=de"),
    ("GET", "/rules"),
    ("GET", "/static/oxeye.webmanifest"),
    ("GET", "/static/icon.svg"),
    ("GET", "/static/nothing"),
    ("GET", "/nothing"),
    ("GET", "/openapi.json"),
    ("GET", "/api/state"),
    ("GET", "/api/games"),
    ("GET", "/api/history"),
    ("GET", "/api/history?game=1"),
    ("GET", f"/api/history?game={RUNNING}"),
    ("GET", "/api/history?game=99"),
    ("GET", "/api/history?game=x"),
    ("GET", "/camera.jpg"),
    ("GET", "/export/games.json"),
    ("GET", "/export/games.csv"),
    ("GET", "/export/games/1/log.txt"),
    ("GET", f"/export/games/{RUNNING}/log.txt"),
    ("GET", "/export/games/99/log.txt"),
    ("GET", "/export/games/1/sheet"),
    ("GET", "/print/markers.pdf?paper=a4"),
    ("GET", "/print/nothing.pdf"),
    ("GET", "/api/tell"),
    ("POST", "/api/state", {}),
    ("POST", "/api/events", {}),
    ("DELETE", "/api/state"),
    ("POST", "/api/tell", {"words": "back"}),
    ("POST", "/api/tell", {"words": ""}),
    ("POST", "/api/tell", {"words": "x" * 501}),
    ("POST", "/api/tell", {"words": "back", "by": "button"}),
    ("POST", "/api/tell", {"words": "x" * 5000}),
    ("POST", "/api/pair", {"code": "wrong"}),
    ("POST", "/api/pair", {}),
    ("POST", "/api/unpair", {"all": True}),
)
STRANGE = (
    {"origin": "http://example.org"},
    {"content-type": "text/plain"},
    {"host": "example.org"},
)
"""Headers with which nothing may be told."""
GAMES = {"nimmt base": 1, "nimmt professional": 2, "nimmt anniversary": 4, "thegame": 6, "six": 10}
"""Matches of the frozen journal that are played once more, by their numbers."""
MOST = 60
"""The number of their moves that is enough."""
EVERY = 15
"""The number of moves that are played from one request of the state to the next."""
SPOKEN = (
    "begin nimmt variant=base players=2 end=rounds rounds=1 spots=1,3",
    "rename 1",
    "name Ana",
    "menu",
    "back",
    "deal 10,20,30,40",
    "reveal 1 12",
    "amend 1 2 ; reveal 1 13",
    "amend 1 2",
    "all is right",
    "nonsense",
    "menu",
    "pause",
    "back",
    "new game",
    "other game",
    "back",
    "begin thegame players=2 level=expert",
    "cannot 1",
    "cannot 1",
    "pads",
    "back",
    "home",
    "begin six first=black",
    "menu",
    "give up",
    "given up",
    "same again",
)
"""What the page of version 0.1.0 sends: words of offers, of its form, of its history, and the names of players."""


def shape(value):
    """The keys and types of an answer; what stands in a list has one shape together."""
    match value:
        case dict():
            return {key: shape(part) for key, part in value.items()}
        case list():
            return [merged(*map(shape, value))] if value else []
        case None:
            return "null"
        case _:
            return type(value).__name__


def merged(*shapes):
    """One shape for all of these: where they differ there is ``any of`` them."""
    objects = [one for one in shapes if isinstance(one, dict)]
    lists = [one for one in shapes if isinstance(one, list)]
    words = {word for one in shapes if isinstance(one, str) for word in one.split("|")}
    found = []
    if objects:
        keys = dict.fromkeys(key for one in objects for key in one)
        found.append({key: merged(*(one[key] for one in objects if key in one)) for key in keys})
    if lists:
        inner = [one[0] for one in lists if one]
        found.append([merged(*inner)] if inner else [])
    if words:
        found.append("|".join(sorted(words)))
    return found[0] if len(found) == 1 else {"any of": found}


def fits(found, wanted, where="$"):
    """What a program that knows the wanted shape would miss or not expect in the found one."""
    match found, wanted:
        case _, {"any of": kinds}:
            parts = found["any of"] if isinstance(found, dict) and "any of" in found else [found]
            return [why for part in parts for why in min((fits(part, kind, where) for kind in kinds), key=len)]
        case dict(), dict():
            missing = [f"{where}.{key} is missing" for key in wanted if key not in found]
            return missing + [
                why for key in wanted if key in found for why in fits(found[key], wanted[key], f"{where}.{key}")
            ]
        case list(), list():
            return fits(found[0], wanted[0], f"{where}[]") if found and wanted else []
        case str(), str():
            other = set(found.split("|")) - set(wanted.split("|"))
            return [f"{where} is {found}, not {wanted}"] if other else []
        case _:
            return [f"{where} is {found}, not {wanted}"]


def answered(phone, request, running):
    method, path, *body = request
    answer = phone.request(method, path.replace(RUNNING, running), json=body[0] if body else None)
    kind = answer.headers.get("content-type", "").partition(";")[0]
    found = {"status": answer.status_code, "type": kind}
    if "content-disposition" in answer.headers:
        found["file"] = answer.headers["content-disposition"].replace(f"-{running}.", f"-{RUNNING}.")
    if kind == "application/json" and "openapi" not in path:
        found["shape"] = shape(answer.json())
    return found


def name_of(request):
    method, path, *body = request
    words = json.dumps(body[0]) if body else ""
    return f"{method} {path} {words if len(words) < 60 else f'{len(words)} bytes'}".strip()


def answers(box, *, paired):
    at_home(box)
    box.tell("begin nimmt players=2", "deal 10,20,30,40")
    with closing(box.paired() if paired else box.unpaired()) as phone:
        running = str(phone.get("/api/state").json()["number"])
        return {name_of(request): answered(phone, request, running) for request in REQUESTS}


def at_home(box):
    """The box is at its first menu, whatever was shown."""
    box.tell("back", "back", "back", "menu", "give up", "given up", "home", "back")


def over_mqtt(box):
    """The shape of what a broker is told: scores go by names of players."""
    found = box.over_mqtt("oxeye")["state"]
    return shape({**found, "scores": list(found["scores"].values())})


def match(number):
    """The words that begin a match of the frozen journal, and its moves."""
    games = json.loads((FROZEN / "journals" / "every-game.sqlite.json").read_text(encoding="utf-8"))["games"]
    game = next(one for one in games if one["id"] == number)
    options = (word for word in game["options"].split() if not word.startswith(("width=", "height=", "spots=")))
    return " ".join(("begin", game["name"], *options)), game["stands"]["moves"][:MOST]


def played(box, name):
    """The shapes of the state and the history of a game, from its first move on."""
    begin, moves = match(GAMES[name])
    at_home(box)
    box.tell(begin)
    states, histories = [], []
    with closing(box.paired()) as phone:
        for number, move in enumerate(moves):
            if number % EVERY == 0:
                states.append(shape(phone.get("/api/state").json() | {"alert": None}))  # it goes after some seconds
                histories.append(shape(phone.get("/api/history").json()))
            box.tell(move)
        box.tell("nonsense")
        alert = phone.get("/api/state").json()["alert"]
    return {
        "state": merged(*states),
        "alert": shape(alert),
        "history": merged(*histories),
        "mqtt": over_mqtt(box),
    }


def spoken(box):
    """Whether the box could use each of the words, and which sentence it shows then."""
    at_home(box)
    found = []
    with closing(box.paired()) as phone:
        for words in SPOKEN:
            answer = phone.post("/api/tell", json={"words": words}).json()
            found.append([words, answer["ok"], box.prompt()])
    return found


def described(box):
    """The paths and methods of the description, and the properties of each of its schemas."""
    with closing(box.unpaired()) as phone:
        whole = phone.get("/openapi.json").json()
    return {
        "paths": {path: sorted(methods) for path, methods in whole["paths"].items()},
        "schemas": {
            name: sorted(schema.get("properties", ())) for name, schema in whole["components"]["schemas"].items()
        },
    }


def listened(box):
    """The first events of the stream: their names, whether they are numbered, and the keys of their data."""
    found = []
    with closing(box.unpaired()) as phone, phone.stream("GET", "/api/events?live") as stream:
        event = {}
        for line in stream.iter_lines():
            if line:
                field, _, value = line.partition(": ")
                event[field] = value
            elif event.get("event"):
                data = json.loads(event["data"])
                found.append([event["event"], "id" in event, sorted(data) if isinstance(data, dict) else []])
                event = {}
            if len(found) == 2:
                return [stream.headers["content-type"].partition(";")[0], *found]
    return found


def cookies(box):
    with closing(box.unpaired()) as phone:
        paired = phone.post("/api/pair", json={"code": box.code()})
        german = phone.get("/?lang=de")
        unpaired = phone.post("/api/unpair", json={})
    found = [answer.headers["set-cookie"] for answer in (paired, german, unpaired)]
    return [[one.partition("=")[0], *sorted(part.strip().lower() for part in kept(one))] for one in found]


def kept(cookie):
    """Its attributes but for the moment at which it ends."""
    return [part for part in cookie.split(";")[1:] if not part.strip().lower().startswith("expires")]


def refused(box):
    """The status for each strange header."""
    with closing(box.paired()) as phone:
        body = json.dumps({"words": "back"})
        headers = {"content-type": "application/json"}
        return [phone.post("/api/tell", content=body, headers=headers | strange).status_code for strange in STRANGE]


def state_folder(folder):
    """As version 0.1.0 left it: eleven games and two phones."""
    shutil.copy(FROZEN / "journals" / "evening.sqlite", folder / "journal.sqlite")
    for name in ("phones.json", "empty_table.png"):
        shutil.copy(FROZEN / "state" / name, folder)
    return folder


@pytest.fixture(scope="module")
def box(tmp_path_factory):
    with serving(state_folder(tmp_path_factory.mktemp("state"))) as served:
        yield served


@pytest.fixture(scope="module")
def wanted():
    return json.loads(ADDRESSES.read_text(encoding="utf-8"))


@pytest.mark.parametrize("paired", [False, True], ids=["unpaired", "paired"])
def test_every_address_answers_as_it_answered(box, wanted, paired):
    found, before = answers(box, paired=paired), wanted["paired" if paired else "unpaired"]
    assert found.keys() == before.keys()
    for name, answer in before.items():
        assert fits(found[name].pop("shape", {}), answer.pop("shape", {})) == [], name
        assert found[name] == answer, name


@pytest.mark.parametrize("name", GAMES)
def test_the_state_and_the_history_of_a_running_game_keep_their_keys_and_types(box, wanted, name):
    found = played(box, name)
    for part, before in wanted["games"][name].items():
        assert fits(found[part], before) == [], part


def test_the_words_that_the_old_page_sent_are_understood(box, wanted):
    assert spoken(box) == wanted["spoken"]


def test_every_described_path_and_property_is_still_described(box, wanted):
    found, before = described(box), wanted["described"]
    for path, methods in before["paths"].items():
        assert set(methods) <= set(found["paths"].get(path, ())), path
    for name, properties in before["schemas"].items():  # their names are not sent
        assert any(set(properties) <= set(others) for others in found["schemas"].values()), name


def test_the_stream_of_events_begins_as_it_began(box, wanted):
    kind, *events = listened(box)
    assert kind == wanted["events"][0]
    for (name, numbered, keys), (before, was_numbered, old_keys) in zip(events, wanted["events"][1:], strict=True):
        assert (name, numbered) == (before, was_numbered)
        assert set(old_keys) <= set(keys)


def test_cookies_keep_their_names_and_attributes(box, wanted):
    assert cookies(box) == wanted["cookies"]


def test_a_request_from_another_page_or_for_another_host_is_refused(box, wanted):
    assert refused(box) == wanted["refused"]


def test_the_socket_in_the_state_folder_gives_a_code(box, wanted):
    assert shape(box.knocked()) == wanted["knocked"]


def test_a_home_server_finds_the_box_under_the_same_topics(box, wanted):
    found = box.over_mqtt("oxeye")
    assert found["availability"] == wanted["mqtt"]["availability"]
    assert found["discovery"].keys() == wanted["mqtt"]["discovery"].keys()
    for topic, payload in wanted["mqtt"]["discovery"].items():
        same = {key: value for key, value in payload.items() if key not in ("name", "icon")}
        assert {key: found["discovery"][topic].get(key) for key in same} == same, topic
