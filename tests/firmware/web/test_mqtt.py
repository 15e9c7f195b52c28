"""MQTT with a real broker, and with an address where no broker answers."""

import contextlib
import json
import re
import shutil
import socket
import subprocess
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue
from threading import Event, Thread

import pytest
from click.testing import CliRunner
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from engine.errors import InputError
from engine.text import say
from engine.view import View
from firmware.cli import main
from firmware.cli.run import complete_broker
from firmware.machine.box_id import ensure_box_id, read_box_id
from firmware.machine.network_addresses import BadAddress, Broker, parse_broker
from firmware.texts.render import render
from firmware.web.capped_mqtt_client import CappedClient
from firmware.web.mqtt import HomeServer, home_state
from firmware.web.page_snapshot import Snapshot
from tests.powercut.known_matches import play_known_match
from tests.support.page import DEAL, served

MOSQUITTO = shutil.which("mosquitto") or shutil.which("/usr/sbin/mosquitto")
PATIENCE = 15.0
PEOPLE = {1: "Ana", 2: "Ben", 3: "Cleo", 4: "Dov"}
needs_broker = pytest.mark.skipif(MOSQUITTO is None, reason="no broker to try with: apt install mosquitto")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("home.local", Broker("home.local")),
        ("10.0.0.2:1884", Broker("10.0.0.2", 1884)),
        ("mqtt://ann:b%40d@[::1]:1", Broker("::1", 1, "ann", password="b@d")),
        ("mqtts://ann@home.local", Broker("home.local", 8883, "ann", tls=True)),
    ],
)
def test_a_broker_address_is_parsed(text, found):
    assert parse_broker(text) == found


@pytest.mark.parametrize("text", ["", ":1883", "http://home", "home:port", "home:99999", "home/topic"])
def test_a_malformed_broker_address_is_refused(text):
    with pytest.raises(BadAddress):
        parse_broker(text)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


@contextmanager
def mosquitto(folder, port, listener=""):
    config = folder / "mosquitto.conf"
    listener = listener or f"listener {port} 127.0.0.1\nallow_anonymous true\n"
    config.write_text(f"{listener}persistence false\nuser root\n")
    with subprocess.Popen([MOSQUITTO, "-c", config], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        try:
            yield
        finally:
            running.terminate()


@contextmanager
def home(port):
    """Every published message in its order."""
    came = Queue()
    client = Client(CallbackAPIVersion.VERSION2)
    client.reconnect_delay_set(1, 1)
    client.on_connect = lambda *_: client.subscribe("#")
    client.on_message = lambda _, __, message: came.put((message.topic, message.payload.decode()))
    client.connect_async("127.0.0.1", port)
    client.loop_start()

    def until(topic, wanted):
        while True:
            try:
                name, payload = came.get(timeout=PATIENCE)
            except Empty:
                raise AssertionError(f"no {topic} that was wanted") from None
            if topic in name and wanted(payload):
                return json.loads(payload) if payload[:1] == "{" else payload

    try:
        yield until
    finally:
        client.disconnect()
        client.loop_stop()


@needs_broker
def test_home_assistant_discovers_the_box_and_gets_every_state(tmp_path):
    port = free_port()
    with served(tmp_path, DEAL, broker=Broker("127.0.0.1", port)) as here, here.phone() as phone:
        assert phone.get("/api/state").json()["moves"] == 1  # long before there is a broker
        with mosquitto(tmp_path, port), home(port) as until:
            config = until("sensor/oxeye_", lambda said: "prompt" in said)
            assert config["device"]["configuration_url"] == here.url
            assert until(config["availability_topic"], bool) == "online"
            assert phone.post("/api/tell", json={"words": "reveal 1 15"}).json()["ok"]
            now = until(config["state_topic"], lambda said: "Waiting for Ben" in said)
            assert (now["title"], now["scores"]["Ana"], now["alert"]) == ("6 nimmt!", 0, "")
            here.page.stop()
            assert until(config["availability_topic"], lambda said: said == "offline")


def published_states(game):
    """What is published of each view of a known match."""
    start, lines = play_known_match(game)
    log = start
    for line in lines:
        log = log.add(log.parse(line))
        view = log.game.view(log.state)
        yield view, home_state(Snapshot(version=1, view=view, log=log, names=PEOPLE, game=1), "en")


@pytest.mark.parametrize("game", [1, 2, 3, 4], ids=["The Game", "SIX", "6 nimmt!", "6 nimmt! anniversary"])
def test_no_card_and_no_place_is_published(game):
    """The only numbers are counts, which a text calls n or round, and those of a text that names only a player."""
    for view, state in published_states(game):
        texts = [text for text in (view.prompt, view.alert) if text]
        counts = {str(value) for text in texts for name, value in text.args if name in ("n", "round")}
        counts.update(*(re.findall(r"\d+", render(text)) for text in texts if {*dict(text.args)} <= {"player"}))
        for words in (state["prompt"], state["alert"]):
            assert set(re.findall(r"\d+", words)) <= counts, words


def test_a_sentence_that_names_a_card_becomes_one_that_names_none():
    view = View(
        say("belongs_in_row", card=44, row=3, behind=43), turn=2, alert=say("belongs_in_row", card=44, row=3, behind=43)
    )
    state = home_state(Snapshot(version=1, view=view, log=None, names=PEOPLE, game=0), "en")
    assert (state["prompt"], state["alert"]) == ("Ben", "Look at the box")


@contextmanager
def hostile_broker(answer):
    """A server that takes a connection and sends ``answer`` as long as the box reads; how much it could send."""
    sent = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve():
            with contextlib.suppress(OSError):
                line, _ = listening.accept()
                with line:
                    line.recv(1024)
                    line.settimeout(PATIENCE)
                    line.sendall(b"\x20\x02\x00\x00")  # accepted
                    while len(sent) < 4096:
                        line.sendall(answer)
                        sent.append(len(answer))

        thread = Thread(target=serve)
        thread.start()
        yield listening.getsockname()[1], sent
    thread.join(PATIENCE)
    assert not thread.is_alive()


@pytest.mark.parametrize(
    "answer",
    [b"\x30\xff\xff\xff\x7f" + b"x" * 65_536, b"\x30\x02\x00\x00" * 16_384],
    ids=["an endless packet", "endless packets"],
)
def test_a_broker_that_sends_without_end_is_hung_up_on(answer):
    with hostile_broker(answer) as (port, sent):
        client = CappedClient(CallbackAPIVersion.VERSION2)
        gone = Event()
        client.on_disconnect = lambda *_: gone.set()
        client.connect_async("127.0.0.1", port)
        client.loop_start()
        assert gone.wait(PATIENCE)
        client.loop_stop()
    assert sum(sent) < 20_000_000  # what the buffers of the system hold


@needs_broker
@pytest.mark.filterwarnings("ignore:Exception ignored in. <ssl.SSLSocket")  # paho leaves a refused connection open
def test_a_broker_with_another_certificate_gets_nothing_and_the_right_one_everything(tmp_path):
    port = free_port()
    right = make_certificate(tmp_path, "right")
    wrong = make_certificate(tmp_path, "wrong")
    listener = f"listener {port} 127.0.0.1\nallow_anonymous true\ncertfile {right}.crt\nkeyfile {right}.key\n"
    with mosquitto(tmp_path, port, listener):
        for authority, wanted in ((wrong, False), (right, True)):
            broker = Broker("localhost", port, tls=True, authority=Path(f"{authority}.crt"))
            server = HomeServer(broker, "127.0.0.1:1", "0123456789abcdef")
            client = server._client()
            connected, failed = Event(), Event()
            client.on_connect = lambda *_, event=connected: event.set()
            client.on_connect_fail = lambda *_, event=failed: event.set()
            client.connect_async(broker.host, broker.port)
            client.loop_start()
            assert (connected if wanted else failed).wait(PATIENCE)
            assert connected.is_set() == wanted
            client.disconnect()
            client.loop_stop()


def make_certificate(folder, name):
    """A certificate of localhost that signs itself."""
    path = folder / name
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", f"{path}.key", "-out",
         f"{path}.crt"],
        check=True, capture_output=True,
    )  # fmt: skip
    return path


def test_the_password_comes_from_a_file_or_a_credential_and_not_from_the_command_line(tmp_path, monkeypatch):
    (tmp_path / "mqtt-password").write_text("b@d word\n")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
    assert complete_broker(Broker("home"), None, None).password == "b@d word"
    (tmp_path / "other").write_text("other\n")
    assert complete_broker(Broker("home"), tmp_path / "other", None).password == "other"
    done = CliRunner().invoke(main, ["run", "--mqtt", "ann:word@home"])
    assert (done.exit_code, "Put the MQTT password into a file" in done.output) == (2, True)


def test_a_password_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(InputError, match="mqtt_password_unreadable"):
        complete_broker(Broker("home"), tmp_path / "missing", None)


def test_the_id_of_a_box_stays_and_differs_from_that_of_another(tmp_path):
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        folder.mkdir()
    first, second = map(ensure_box_id, folders)
    assert first != second
    assert [ensure_box_id(folder) for folder in folders] == [first, second]
    (folders[0] / "box-id").write_text("nonsense")
    assert read_box_id(folders[0]) == ""
    assert re.fullmatch("[0-9a-f]{16}", ensure_box_id(folders[0]))
