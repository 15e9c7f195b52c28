"""A sitting at a table: opens what it needs, runs until the end, and leaves everything as it was."""

import signal
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Event

import click

from engine.text import Text
from engine.text import say as words
from firmware.app.about import facts
from firmware.app.goodbye import Leaving, service_folder
from firmware.app.narrator import Narrator, pads
from firmware.app.tables import TableSource
from firmware.box.effects import Effect, Invite, KeepEmpty, PowerOff, RequestFacts, Restart
from firmware.box.events import FactsReady
from firmware.journal.journal import open_journal
from firmware.machine.addresses import PageAddress
from firmware.machine.board import Machine
from firmware.machine.config import Sockets
from firmware.machine.folders import JOURNAL
from firmware.recording.writer import Recording
from firmware.runtime.camera_thread import CameraThread
from firmware.runtime.clock import ScaledClock
from firmware.runtime.companion import Action, Companion, Observer
from firmware.runtime.inbox import Inbox
from firmware.runtime.indicators import IndicatorOptions, Indicators, open_signs
from firmware.runtime.loop import Loop, Worker, Workers, held, listen
from firmware.runtime.opened_panel import OpenedPanel
from firmware.runtime.power_watch import run_power_watch
from firmware.runtime.screens import ScreenOptions, open_screens
from firmware.runtime.watchdog import Alive, Watchdog, teller
from firmware.web.camera import Stills
from firmware.web.page import NoPage, WebPage
from hw.buttons import Button, ButtonsState, NoButtons
from hw.camera import Clock
from hw.cameras.paced import pace_camera
from hw.cameras.reconnecting import ReconnectingCamera
from hw.keys import TerminalKeys
from vision.live.events import FaultChanged, FaultSource

CRASHED, RESTART, POWER_OFF = 70, 75, 76
"""What the program ends with when more must be done than it can: whoever started it sees to that."""


@dataclass(frozen=True, slots=True)
class AppOptions:
    """``folder`` is where the journal is kept; None for one that nobody will look for.

    ``panel`` and ``buttons`` are names; ``page`` is where the page for phones is served, None for nowhere;
    ``record`` is a folder for pictures and presses, if they shall be kept;
    ``signs`` are light, buzzer and voice, in the language of the panel, whose letters may be ``big``;
    ``notices`` are what people should be told first; ``greeted`` is a screen that is open already;
    ``clock`` is for everything but the time of day.
    """

    place: TableSource
    folder: Path | None
    panel: str
    buttons: str
    clock: ScaledClock
    page: PageAddress | None = None
    record: Path | None = None
    signs: IndicatorOptions = field(default_factory=IndicatorOptions)
    big: bool = False
    sockets: Sockets = field(default_factory=Sockets)
    notices: tuple[Text, ...] = ()
    greeted: OpenedPanel | None = None


def run_app(sitting: AppOptions, stop: Event | None = None) -> int:
    """Until the end; the number is for whoever started the program."""
    stop = stop or Event()
    try:
        with _signals(stop), ExitStack() as stack:
            ending, final = _spend(sitting, stop, stack)
    except Exception:
        traceback.print_exc()
        return CRASHED
    if final:
        click.echo(final)
    match ending:
        case Restart():
            return RESTART
        case PowerOff():
            return POWER_OFF
        case None:
            return 0


def _spend(sitting: AppOptions, stop: Event, stack: ExitStack) -> tuple[Restart | PowerOff | None, str]:
    """What the box wants to come next, and the pads in the end."""
    clock = sitting.clock
    rest = partial(clock.rest, stop=stop)
    inbox = Inbox()

    def trouble(source: FaultSource) -> Callable[[Text | None], None]:
        return lambda text: inbox.put(FaultChanged(source, text, clock()))

    folder = sitting.folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="oxeye-")))
    journal = stack.enter_context(closing(open_journal(folder / JOURNAL)))
    notices = [*sitting.notices]
    eyes = sitting.place.eyes(folder, notices)
    start = sitting.place.start(journal, eyes, notices)
    recording = _recording(sitting, notices)
    if recording is not None:
        recording.begin(start.box, start.started, eyes.empty, games=journal.highest(), sizes=eyes.sizes)
    socket = sitting.sockets
    how = ScreenOptions(
        sitting.panel, socket.port, socket.address, sitting.signs.language, sitting.big, sitting.greeted
    )
    title = sitting.place.title + (f" · recording into {sitting.record}" if sitting.record else "")
    screens = open_screens(how, title, stack, trouble=trouble("panel"), clock=clock)
    lookout: CameraThread | None = None
    stills = Stills(eyes)
    page: WebPage | None = None
    try:
        page = WebPage(sitting.page, folder, start.box, inbox, clock, stills=stills) if sitting.page else None
    except NoPage as why:  # the game goes on without
        notices.append(why.text)
    signing = open_signs(sitting.signs, notices.append)

    observers: list[Observer] = [Narrator(screens.say), signing.heed]
    actions: dict[type[Effect], Action] = {
        KeepEmpty: lambda _: lookout.keep_empty() if lookout else None,
        RequestFacts: lambda _: inbox.put(
            FactsReady(facts(folder, journal, page.address_now if page else None), clock())
        ),
    }
    if recording is not None:
        observers.append(recording.heed)
    if page is not None:
        heard, invite = page.heard, page.invite
        observers.append(lambda happened: heard(companion, happened))
        actions[Invite] = lambda effect: invite(effect.open)
    companion = Companion(start.box, eyes, journal, observers=observers, actions=actions, notices=notices)
    camera = ReconnectingCamera(
        lambda: pace_camera(sitting.place.camera(companion, inbox, clock), clock=clock, rest=rest),
        tell=trouble("camera"),
        clock=clock,
        rest=rest,
    )
    stack.callback(camera.close)
    film = partial(recording.frame, eyes=eyes) if recording else None
    lookout = CameraThread(
        camera, eyes, inbox, asked=lambda: companion.aim, stop=stop, clock=clock, film=film, shown=stills.shown
    )
    if start.started:
        companion.begin(start.started)
    workers = [Worker("camera", lookout.run, stop.set)]
    workers += [Worker("screen", display.run, display.close) for display in screens.displays]
    workers.append(Worker("signs", signing.run, signing.close))
    if page is not None:
        screens.say(f"phones: http://{page.address}", False)
        workers.append(Worker("page", page.run, page.stop))
    workers += _fingers(sitting, stack, inbox, clock, stop, trouble("buttons"))
    if (machine := Machine(ask=lambda words: None)).model():  # files alone: a command each few seconds costs too much
        workers.append(Worker("strain", partial(run_power_watch, machine, inbox, clock=clock, stop=stop), stop.set))
    hand = ButtonsState(power=sitting.buttons == "pins" and Button.POWER in sitting.sockets.pins)
    loop = Loop(companion, inbox, screens.displays, clock=clock, stop=stop, hand=hand)

    def alive() -> Alive:
        shown = all(display.drawn for display in screens.displays)
        ailing = {"camera", "eyes"} & dict(companion.box.known.troubles).keys()
        return Alive(shown, lookout.frames, bool(ailing))

    heart = Watchdog(teller(), alive, clock=time.monotonic)
    with Workers(stop, *workers):
        ending = loop.run(over=lambda: camera.over, turned=heart.turned)
        heart.stopping()
        leaving = Leaving(service_folder(), sitting.panel, socket.port, socket.address)
        last = _leave(leaving, ending, signing, loop) if ending else None
    if last:
        screens.leave()
    final = companion.log.game.view(companion.log.state) if companion.log else companion.view
    if recording is not None:
        recording.end(final)
    return ending, pads(final, companion.box.known.names) if final.pads else ""


def _recording(sitting: AppOptions, notices: list[Text]) -> Recording | None:
    if sitting.record is None:
        return None
    try:
        recording = Recording(sitting.record, tell=notices.append)
    except OSError:
        notices.append(words("recording_not_begun"))
        return None
    notices.append(words("recording"))
    return recording


def _leave(leaving: Leaving, ending: Restart | PowerOff, signing: Indicators, loop: Loop) -> Text | None:
    """Light and screen say what comes next; it stays there when the program is gone."""
    lit = signing.leave() if leaving.folder and ending == PowerOff() else ()
    text = leaving.words(ending, lit)
    if text is not None:
        loop.leave(text)
    return text


def _fingers(
    sitting: AppOptions, stack: ExitStack, inbox: Inbox, clock: Clock, stop: Event, tell: Callable[[Text | None], None]
) -> list[Worker]:
    """What is pressed goes into the inbox; buttons that are not there are told, and pins are tried again."""
    if sitting.buttons == "none":
        return []
    if sitting.buttons == "keys":
        try:
            keys = stack.enter_context(TerminalKeys())
        except NoButtons as why:
            tell(why.text)
            return []
        return [Worker("keys", partial(listen, keys, inbox, clock=clock, stop=stop))]
    from hw.pins import ButtonPins

    pins = partial(ButtonPins, sitting.sockets.pins, inbox.put, clock=clock)
    try:
        stack.enter_context(pins())
    except NoButtons as why:
        tell(why.text)
        return [Worker("pins", partial(held, pins, tell=tell, clock=clock, stop=stop), stop.set)]
    return []


@contextmanager
def _signals(stop: Event) -> Iterator[None]:
    """What systemd or ^C says is an orderly end."""
    before = {number: signal.signal(number, lambda *_: stop.set()) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, what in before.items():
            signal.signal(number, what)
