"""Publishes the state of the table over MQTT, with the discovery messages of Home Assistant."""

import socket
import ssl
import sys
from typing import TYPE_CHECKING, Any

import msgspec

from engine.text import Text, say
from firmware.box.games import ui_of
from firmware.machine.network_addresses import Broker
from firmware.texts.render import render
from firmware.web.api_state import api_state
from firmware.web.event_stream import EventStream
from firmware.web.page_snapshot import Snapshot

if TYPE_CHECKING:
    from paho.mqtt.client import Client

TOPIC, DISCOVERY = "oxeye", "homeassistant"
ONLINE, OFFLINE = "online", "offline"
RETRY_S = (1, 30)
"""Seconds between tries, at first and at most."""
PUBLIC_ARGUMENTS = frozenset({"player", "players", "seat", "seats", "colour", "n", "round", "rounds"})
"""What a published sentence may name: people, seats and counts, but no card and no place of one."""
SENSORS = {
    "prompt": ("Prompt", "mdi:cards", "{{ value_json.prompt }}"),
    "game": ("Game", "mdi:cards-playing", "{{ value_json.title }}"),
    "turn": ("Turn", "mdi:account-arrow-right", "{{ value_json.turn }}"),
    "leader": ("In the lead", "mdi:podium-gold", "{{ value_json.leader }}"),
}


class HomeServer:
    """``run`` until it is cancelled. It reconnects to the broker by itself, and blocks nothing meanwhile."""

    def __init__(self, broker: Broker, address: str, box_id: str, language: str = "en") -> None:
        self._broker = broker
        self._address = address
        self._language = language
        self._name = box_id
        self._top = f"{TOPIC}/{self._name}"
        self._state: dict[str, Any] = {}

    async def run(self, hub: EventStream) -> None:
        try:
            client = self._client()
        except (OSError, ValueError) as why:
            print(f"mqtt: {self._broker.authority} is no certificate of an authority: {why}", file=sys.stderr)
            return
        client.connect_async(self._broker.host, self._broker.port)
        client.loop_start()
        last = -1
        try:
            while True:
                now = await hub.wait_for_change(last)
                last = now.version
                self._state = home_state(now, self._language)
                self._publish(client, "state", self._state)
        finally:
            client.publish(f"{self._top}/availability", OFFLINE, qos=1, retain=True)
            client.disconnect()
            client.loop_stop()

    def _client(self) -> "Client":
        from paho.mqtt.enums import CallbackAPIVersion

        from firmware.web.capped_mqtt_client import CappedClient

        client = CappedClient(CallbackAPIVersion.VERSION2, client_id=f"{TOPIC}-{self._name}")
        if self._broker.user:
            client.username_pw_set(self._broker.user, self._broker.password)
        if self._broker.tls:
            authority = self._broker.authority
            client.tls_set_context(ssl.create_default_context(cafile=str(authority) if authority else None))
        client.will_set(f"{self._top}/availability", OFFLINE, qos=1, retain=True)
        client.reconnect_delay_set(*RETRY_S)
        client.max_queued_messages_set(20)  # while offline, only the newest matter

        def connected(*_: Any) -> None:
            """A restarted broker may have lost what was retained."""
            for topic in old_topics():  # version 0.1.0 used the host name, and so did another box of that name
                client.publish(topic, b"", qos=1, retain=True)
            for topic, config in discovery_messages(self._name, self._top, self._address):
                client.publish(topic, msgspec.json.encode(config), qos=1, retain=True)
            client.publish(f"{self._top}/availability", ONLINE, qos=1, retain=True)
            if self._state:
                self._publish(client, "state", self._state)

        client.on_connect = connected
        return client

    def _publish(self, client: "Client", what: str, value: dict[str, Any]) -> None:
        if client.is_connected():
            client.publish(f"{self._top}/{what}", msgspec.json.encode(value), qos=1, retain=True)


def home_state(snapshot: Snapshot, language: str) -> dict[str, Any]:
    """Texts and scores; no cards, and no places of cards."""
    now = api_state(snapshot, language, False)
    names = {pad.player: pad.name for pad in now.pads}
    scores = {pad.name: pad.total + pad.now for pad in now.pads if not pad.gone}
    fewest = snapshot.log is not None and ui_of(snapshot.log.game.name).fewest_points_lead
    best = (min if fewest else max)(scores.values(), default=0)
    leaders = [name for name, points in scores.items() if points == best and len(scores) > 1]
    return {
        "game": now.game or "",
        "title": now.title,
        "prompt": render(_public_text(snapshot.view.prompt, snapshot.view.turn), language, snapshot.names),
        "turn": names.get(now.turn, "") if now.turn is not None else "",
        "alert": render(_public_text(alert), language, snapshot.names) if (alert := snapshot.view.alert) else "",
        "ruling": now.alert.ruling if now.alert else "",
        "over": now.over,
        "winners": [names[player] for player in now.winners if player in names],
        "leader": ", ".join(leaders),
        "scores": scores,
    }


def _public_text(text: Text, turn: int | None = None) -> Text:
    """The text, or one that names no card."""
    if {name for name, _ in text.args} <= PUBLIC_ARGUMENTS:
        return text
    return say("player", player=turn) if turn else say("look_at_the_box")


def old_topics() -> list[str]:
    """What version 0.1.0 has left on the broker under the host name of this box."""
    name = "".join(letter if letter.isalnum() else "_" for letter in socket.gethostname())
    sensors = [topic for topic, _ in discovery_messages(name, f"{TOPIC}/{name}", "")]
    return [*sensors, f"{TOPIC}/{name}/state", f"{TOPIC}/{name}/availability"]


def discovery_messages(name: str, top: str, address: str) -> list[tuple[str, dict[str, Any]]]:
    """Discovery messages, by which Home Assistant shows the box as a device."""
    unique = f"{TOPIC}_{name}"
    common: dict[str, Any] = {
        "state_topic": f"{top}/state",
        "availability_topic": f"{top}/availability",
        "device": {
            "identifiers": [unique],
            "name": "Oxeye",
            "manufacturer": "Oxeye",
            "configuration_url": f"http://{address}",
        },
    }
    found = [
        (
            f"{DISCOVERY}/sensor/{unique}/{key}/config",
            {**common, "name": label, "icon": icon, "value_template": value, "unique_id": f"{unique}_{key}"},
        )
        for key, (label, icon, value) in SENSORS.items()
    ]
    found[0][1]["json_attributes_topic"] = f"{top}/state"
    alert = {
        **common,
        "name": "Lies wrong",
        "device_class": "problem",
        "value_template": "{{ 'ON' if value_json.alert else 'OFF' }}",
        "unique_id": f"{unique}_alert",
    }
    return [*found, (f"{DISCOVERY}/binary_sensor/{unique}/alert/config", alert)]
