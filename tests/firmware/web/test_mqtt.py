"""MQTT with a real broker, and with an address where no broker answers."""

import json
import shutil
import socket
import subprocess
from contextlib import contextmanager
from queue import Empty, Queue

import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from firmware.machine.network_addresses import BadAddress, Broker, parse_broker
from tests.support.page import DEAL, served

MOSQUITTO = shutil.which("mosquitto") or shutil.which("/usr/sbin/mosquitto")
PATIENCE = 15.0
needs_broker = pytest.mark.skipif(MOSQUITTO is None, reason="no broker to try with: apt install mosquitto")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("home.local", Broker("home.local")),
        ("10.0.0.2:1884", Broker("10.0.0.2", 1884)),
        ("mqtt://ann:b%40d@[::1]:1", Broker("::1", 1, "ann", "b@d")),
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
def mosquitto(folder, port):
    config = folder / "mosquitto.conf"
    config.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\n")
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
