"""Exposure without flicker: pure functions that choose libcamera controls to measure and then to hold it."""

from collections.abc import Container, Mapping
from dataclasses import dataclass

FRAME_US = 100_000
"""Ten frames a second: the full sensor delivers hardly more, and it leaves room for the exposure time."""

CALM_FRAMES = 5
"""Number of frames that must agree before the light counts as measured."""
SAME_LIGHT_RATIO = 0.03
SETTLE_MIN_S, SETTLE_MAX_S = 0.5, 4.0
"""Frames earlier than the first are from before the request; after the second the newest frame is taken."""

# libcamera's enumerations
AF_MANUAL, AF_ONCE, AF_START, AF_SCANNING = 0, 1, 0, 1
FLICKER_GIVEN = 1

Control = bool | int | float | tuple[int, int] | tuple[float, float]
Controls = dict[str, Control]


@dataclass(frozen=True, slots=True)
class Exposure:
    """Exposure of one frame, or the one to hold. ``lens`` is in dioptres, None with a fixed lens."""

    exposure_us: float
    gain: float
    red: float
    blue: float
    lens: float | None = None

    @property
    def amount(self) -> float:
        return self.exposure_us * self.gain


@dataclass(frozen=True, slots=True)
class Settling:
    """The frames since a measurement was requested."""

    since: float
    lights: tuple[Exposure, ...] = ()

    def add(self, metadata: Mapping[str, object], at: float) -> "Settling":
        light = read_light(metadata)
        if light is None or at < self.since + SETTLE_MIN_S:
            return self
        before = () if metadata.get("AfState") == AF_SCANNING else self.lights
        return Settling(self.since, (*before, light)[-CALM_FRAMES:])

    def found(self, at: float) -> Exposure | None:
        """The exposure once it is stable, or the newest one after SETTLE_MAX_S."""
        if self.lights and (self.late(at) or (len(self.lights) == CALM_FRAMES and _alike(self.lights))):
            return self.lights[-1]
        return None

    def late(self, at: float) -> bool:
        return at > self.since + SETTLE_MAX_S


def read_light(metadata: Mapping[str, object]) -> Exposure | None:
    """None if the camera reports no exposure, as a virtual one does."""
    match metadata:
        case {"ExposureTime": int() | float() as exposure, "AnalogueGain": int() | float() as gain}:
            match metadata.get("ColourGains"):
                case (float() | int() as red, float() | int() as blue):
                    pass
                case _:
                    red = blue = 0.0
            digital, lens = metadata.get("DigitalGain"), metadata.get("LensPosition")
            return Exposure(
                exposure,
                gain * (digital if isinstance(digital, int | float) else 1.0),
                red,
                blue,
                lens if isinstance(lens, int | float) else None,
            )
    return None


def half_period_us(mains_hz: int) -> float:
    """Mains lamps are brightest twice a period."""
    if mains_hz not in (50, 60):
        raise ValueError(f"mains_hz={mains_hz}: the mains have 50 or 60")
    return 1e6 / (2 * mains_hz)


def remove_flicker(light: Exposure, mains_hz: int, gains: tuple[float, float] = (1.0, 8.0)) -> Exposure:
    """The same light in whole half-periods of the mains, near the measured exposure time; the gain makes up the rest.

    Light that is too bright for one half-period is sunlight, which does not flicker: then the exposure is shorter.
    """
    least, most = gains
    half = half_period_us(mains_hz)
    longest = int(FRAME_US / half + 1e-6)
    if light.amount < half * least:
        return _hold(light, light.amount / least, least)
    steps = min(max(round(light.exposure_us / half), 1), longest)
    while steps < longest and light.amount > steps * half * most:
        steps += 1
    while light.amount < steps * half * least:
        steps -= 1
    return _hold(light, steps * half, min(light.amount / (steps * half), most))


def measuring_controls(has: Container[str], mains_hz: int) -> Controls:
    """Controls for automatic exposure, white balance and focus."""
    return _known(
        has,
        {
            "AeEnable": True,
            "AeFlickerMode": FLICKER_GIVEN,
            "AeFlickerPeriod": round(half_period_us(mains_hz)),
            "AwbEnable": True,
            "AfMode": AF_ONCE,
            "AfTrigger": AF_START,
            "FrameDurationLimits": (FRAME_US, FRAME_US),
        },
    )


def holding_controls(light: Exposure, has: Container[str]) -> Controls:
    """Controls that hold exposure, white balance and focus; none for a fixed lens."""
    wanted: Controls = {
        "AeEnable": False,
        "ExposureTime": round(light.exposure_us),
        "AnalogueGain": light.gain,
        "FrameDurationLimits": (FRAME_US, FRAME_US),
    }
    if light.red and light.blue:
        wanted |= {"AwbEnable": False, "ColourGains": (light.red, light.blue)}
    if light.lens is not None:
        wanted |= {"AfMode": AF_MANUAL, "LensPosition": light.lens}
    return _known(has, wanted)


def _hold(light: Exposure, exposure_us: float, gain: float) -> Exposure:
    return Exposure(exposure_us, gain, light.red, light.blue, light.lens)


def _known(has: Container[str], wanted: Controls) -> Controls:
    """Only the controls that the camera has: any other raises an error there."""
    return {name: value for name, value in wanted.items() if name in has}


def _alike(lights: tuple[Exposure, ...]) -> bool:
    return all(
        max(values) - min(values) <= SAME_LIGHT_RATIO * max(values)
        for values in ([s.amount for s in lights], [s.red for s in lights], [s.blue for s in lights])
    )
