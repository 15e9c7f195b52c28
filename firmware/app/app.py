"""The running app: opens the devices, wires everything together, runs until the end and shuts down."""

import signal
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from threading import Event

import click

from engine.text import Text, say
from firmware.app.box_facts import collect_facts
from firmware.app.console_lines import Narrator, format_view
from firmware.app.restore import restore_lost_games
from firmware.app.shutdown_screen import Goodbye, service_folder
from firmware.app.table_sources import SessionStart, TableSource
from firmware.box.effects import Effect, Invite, KeepEmpty, KeepLanguage, PowerOff, RequestFacts, Restart, RestoreGames
from firmware.box.events import FactsReady
from firmware.journal.journal import Journal, open_journal
from firmware.machine.browser import open_browser
from firmware.machine.chosen_language import load_language, save_language
from firmware.machine.config import Sockets
from firmware.machine.machine_facts import Machine, is_update_running
from firmware.machine.network_addresses import PageAddress
from firmware.machine.state_folder import JOURNAL_FILE
from firmware.recording.writer import Recording
from firmware.runtime.button_threads import retry_pins, watch_keys
from firmware.runtime.camera_thread import CameraThread
from firmware.runtime.clock import ScaledClock
from firmware.runtime.companion import Action, Companion, Observer
from firmware.runtime.display_thread import Display
from firmware.runtime.inbox import Inbox
from firmware.runtime.light_buzzer_voice import IndicatorOptions, Indicators, open_indicators
from firmware.runtime.main_loop import Loop
from firmware.runtime.opened_panel import OpenedPanel
from firmware.runtime.power_watch import run_power_watch
from firmware.runtime.screens import ScreenOptions, Screens, open_screens
from firmware.runtime.watchdog import LifeSigns, Watchdog, connect_systemd
from firmware.runtime.worker_threads import Worker, Workers
from firmware.texts.render import render
from firmware.web.camera_picture import Stills
from firmware.web.extra_page import TABLE_PATH, ExtraPage
from firmware.web.page_wiring import PageAddressTaken, WebPage
from hw.button_presses import Button, ButtonsState, NoButtons
from hw.camera import Camera, Clock
from hw.cameras.real_time_playback import pace_camera
from hw.cameras.reconnecting import ReconnectingCamera
from hw.terminal_keys import TerminalKeys
from vision.live.fault_sources import FaultSource
from vision.live.perception import Perception
from vision.live.perception_events import FaultChanged

CRASHED, RESTART, POWER_OFF = 70, 75, 76
"""Exit codes for whatever started the program: it restarts the box or switches the power off."""


@dataclass(frozen=True, slots=True)
class AppOptions:
    """What ``run_app`` opens. ``panel`` and ``buttons`` are names of devices.

    ``folder`` holds the journal. ``page`` is None without a page, ``record`` is
    None without a recording. ``indicators`` also name the language. ``notices`` are shown first. ``clock`` is for
    everything but the time of day. ``browser`` opens the page, ``told`` are the first lines of the story.
    """

    table: TableSource
    folder: Path
    panel: str
    buttons: str
    clock: ScaledClock
    page: PageAddress | None = None
    record: Path | None = None
    indicators: IndicatorOptions = field(default_factory=IndicatorOptions)
    big: bool = False
    sockets: Sockets = field(default_factory=Sockets)
    notices: tuple[Text, ...] = ()
    opened_panel: OpenedPanel | None = None
    browser: str | None = None
    told: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class Devices:
    """Everything that is open before the parts are wired together."""

    folder: Path
    journal: Journal
    perception: Perception
    start: SessionStart
    recording: Recording | None
    screens: Screens
    stills: Stills
    page: WebPage | None
    extra: ExtraPage | None
    indicators: Indicators
    notices: list[Text]


@dataclass(frozen=True, slots=True)
class App:
    """The wired parts: ``loop`` runs in the calling thread while the ``workers`` run in theirs."""

    companion: Companion
    camera: Camera
    loop: Loop
    watchdog: Watchdog
    workers: tuple[Worker, ...]


def run_app(options: AppOptions, stop: Event | None = None) -> int:
    """Run until the end or ``stop``; the exit code of the program."""
    stop = stop or Event()
    inbox = Inbox()
    try:
        with _signals(stop), ExitStack() as stack:
            devices = _open_devices(options, inbox, stack)
            app = _wire(options, devices, inbox, stop, stack)
            with Workers(stop, *app.workers):
                ending = app.loop.run(over=lambda: app.camera.over, turned=app.watchdog.turned)
                app.watchdog.stopping()
                goodbye = Goodbye(service_folder(), options.panel, options.sockets.port, options.sockets.address)
                last = _say_goodbye(goodbye, ending, devices.indicators, app.loop) if ending else None
            summary = _shut_down(devices, app.companion, screen_stays=last is not None)
    except Exception:
        traceback.print_exc()
        return CRASHED
    if summary:
        click.echo(summary)
    match ending:
        case Restart():
            return RESTART
        case PowerOff():
            return POWER_OFF
        case None:
            return 0


def _open_devices(options: AppOptions, inbox: Inbox, stack: ExitStack) -> Devices:
    """Open the journal, the recording, the screens, the page and the indicators; the stack closes them."""
    folder = options.folder
    journal = stack.enter_context(closing(open_journal(folder / JOURNAL_FILE, migrate=not is_update_running())))
    notices = [*options.notices]
    perception = options.table.open_perception(folder, notices)
    start = options.table.start_session(journal, perception, notices)
    recording = _open_recording(options.record, notices)
    if recording is not None:
        recording.begin(start.box, start.started, perception.empty, games=journal.highest(), sizes=perception.sizes)
    sockets = options.sockets
    language = options.indicators.language
    screens = open_screens(
        ScreenOptions(
            options.panel,
            sockets.port,
            sockets.address,
            language,
            options.big,
            options.opened_panel,
        ),
        options.table.title + (f" · recording into {options.record}" if options.record else ""),
        stack,
        trouble=_report_fault(inbox, "panel", options.clock),
        clock=options.clock,
    )
    chosen = load_language(folder)
    start = replace(start, box=replace(start.box, known=replace(start.box.known, language=chosen)))
    for text in options.told:
        screens.say(render(text, language), False)
    stills = Stills(perception)
    page: WebPage | None = None
    extra = options.table.open_page(inbox, options.clock, options.indicators.language)
    try:
        if options.page:
            page = WebPage(options.page, folder, start.box, inbox, options.clock, stills=stills, extra=extra)
    except PageAddressTaken as why:  # the game goes on without a page
        notices.append(why.text)
    indicators = open_indicators(options.indicators, notices.append)
    return Devices(folder, journal, perception, start, recording, screens, stills, page, extra, indicators, notices)


def _wire(options: AppOptions, devices: Devices, inbox: Inbox, stop: Event, stack: ExitStack) -> App:
    """Connect what is open: the companion with its observers and actions, the camera, the buttons and the threads."""
    clock, page, recording = options.clock, devices.page, devices.recording
    rest = partial(clock.rest, stop=stop)
    companion = _wire_companion(options, devices, inbox, keep_empty=lambda: camera_thread.keep_empty())
    camera = ReconnectingCamera(
        lambda: pace_camera(options.table.open_camera(companion, inbox, clock), clock=clock, rest=rest),
        tell=_report_fault(inbox, "camera", clock),
        clock=clock,
        rest=rest,
    )
    stack.callback(camera.close)
    camera_thread = CameraThread(
        camera,
        devices.perception,
        inbox,
        asked=lambda: companion.read_request,
        stop=stop,
        clock=clock,
        film=partial(recording.frame, eyes=devices.perception) if recording else None,
        shown=devices.stills.offer_frame,
    )
    if devices.start.started:
        companion.begin(devices.start.started)
    displays = devices.screens.displays
    if devices.extra is not None:
        displays = (*displays, Display(devices.extra.show_screen))
    workers = [Worker("camera", camera_thread.run, stop.set)]
    workers += [Worker("screen", display.run, display.close) for display in displays]
    workers.append(Worker("indicators", devices.indicators.run, devices.indicators.close))
    if page is not None:
        _announce_page(f"http://{page.address}{TABLE_PATH if devices.extra else ''}", options, devices.screens)
        workers.append(Worker("page", page.run, page.stop))
    workers += _open_buttons(options, stack, inbox, stop)
    if (machine := Machine(ask=lambda words: None)).model():  # reads files only: a command every 5 s costs too much
        workers.append(Worker("power", partial(run_power_watch, machine, inbox, clock=clock, stop=stop), stop.set))
    buttons = ButtonsState(power=options.buttons == "pins" and Button.POWER in options.sockets.pins)
    loop = Loop(companion, inbox, displays, clock=clock, stop=stop, hand=buttons)

    def alive() -> LifeSigns:
        drawn = all(display.drawn for display in displays)
        faults = {"camera", "eyes"} & dict(companion.box.known.faults).keys()
        return LifeSigns(drawn, camera_thread.frames, bool(faults))

    watchdog = Watchdog(connect_systemd(), alive, clock=time.monotonic)
    return App(companion, camera, loop, watchdog, tuple(workers))


def _announce_page(url: str, options: AppOptions, screens: Screens) -> None:
    """Open the page in the browser, or say where it is."""
    opened = options.browser is not None and open_browser(url, options.browser)
    text = say("browser_opened" if opened else "browser_address", value=url)
    screens.say(render(text, options.indicators.language), False)


def _wire_companion(
    options: AppOptions, devices: Devices, inbox: Inbox, *, keep_empty: Callable[[], None]
) -> Companion:
    """Journal first, then narrator, indicators, table, recording and page see each event in this order."""
    clock, page, recording = options.clock, devices.page, devices.recording
    narrator = Narrator(devices.screens.say, options.indicators.language)
    observers: list[Observer] = [narrator, devices.indicators.update, *options.table.observers]
    actions: dict[type[Effect], Action] = {
        KeepEmpty: lambda _: keep_empty(),
        KeepLanguage: lambda effect: _keep_language(effect.language, devices),
        RestoreGames: lambda _: restore_lost_games(devices.journal),
        RequestFacts: lambda _: inbox.put(
            FactsReady(collect_facts(devices.folder, devices.journal, page.address_now if page else None), clock())
        ),
    }
    if recording is not None:
        observers.append(recording.record)
    if page is not None:
        heard, invite = page.publish, page.invite
        observers.append(lambda happened: heard(companion, happened))
        actions[Invite] = lambda effect: invite(effect.open)
    companion = Companion(
        devices.start.box,
        devices.perception,
        devices.journal,
        observers=observers,
        actions=actions,
        notices=devices.notices,
    )
    return companion


def _keep_language(language: str, devices: Devices) -> None:
    try:
        save_language(devices.folder, language)
    except OSError:
        devices.notices.append(say("language_not_kept"))


def _shut_down(devices: Devices, companion: Companion, *, screen_stays: bool) -> str:
    """End the recording; the final scores as text, empty without a game."""
    if screen_stays:
        devices.screens.leave()
    final = companion.log.game.view(companion.log.state) if companion.log else companion.view
    if devices.recording is not None:
        devices.recording.end(final)
    return format_view(final, companion.box.known.names) if final.pads else ""


def _report_fault(inbox: Inbox, source: FaultSource, clock: Clock) -> Callable[[Text | None], None]:
    """A callback that tells the box of a fault of this source, or with None of its end."""
    return lambda text: inbox.put(FaultChanged(source, text, clock()))


def _open_recording(folder: Path | None, notices: list[Text]) -> Recording | None:
    if folder is None:
        return None
    try:
        recording = Recording(folder, tell=notices.append)
    except OSError:
        notices.append(say("recording_not_begun"))
        return None
    notices.append(say("recording"))
    return recording


def _say_goodbye(goodbye: Goodbye, ending: Restart | PowerOff, indicators: Indicators, loop: Loop) -> Text | None:
    """Show on screen and light what comes next; they keep it after the program has ended. The text, if any."""
    lit = indicators.leave() if goodbye.folder and ending == PowerOff() else ()
    text = goodbye.prepare(ending, lit)
    if text is not None:
        loop.leave(text)
    return text


def _open_buttons(options: AppOptions, stack: ExitStack, inbox: Inbox, stop: Event) -> list[Worker]:
    """Presses go into the inbox. Missing buttons are reported as a fault, and pins are tried again."""
    if options.buttons == "none":
        return []
    tell = _report_fault(inbox, "buttons", options.clock)
    if options.buttons == "keys":
        try:
            keys = stack.enter_context(TerminalKeys())
        except NoButtons as why:
            tell(why.text)
            return []
        return [Worker("keys", partial(watch_keys, keys, inbox, clock=options.clock, stop=stop))]
    from hw.button_pins import ButtonPins

    pins = partial(ButtonPins, options.sockets.pins, inbox.put, clock=options.clock)
    try:
        stack.enter_context(pins())
    except NoButtons as why:
        tell(why.text)
        return [Worker("pins", partial(retry_pins, pins, tell=tell, clock=options.clock, stop=stop), stop.set)]
    return []


@contextmanager
def _signals(stop: Event) -> Iterator[None]:
    """SIGTERM of systemd and Ctrl-C end the app in order."""
    before = {number: signal.signal(number, lambda *_: stop.set()) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, what in before.items():
            signal.signal(number, what)
