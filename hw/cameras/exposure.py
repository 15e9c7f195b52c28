"""Exposure without flicker, and the controls that find it and then hold it; numbers in, numbers out."""

from collections.abc import Container, Mapping
from dataclasses import dataclass

FRAME_US = 100_000
"""Ten looks a second: the full sensor does not give many more, and the exposure has room."""

CALM = 5
"""So many frames must agree before the light counts as measured."""
ALIKE = 0.03
SOONEST, LATEST = 0.5, 4.0
"""Seconds: an answer before this is from before the question; after this, what there is must do."""

# libcamera's numbers
AF_MANUAL, AF_ONCE, AF_START, AF_SCANNING = 0, 1, 0, 1
FLICKER_GIVEN = 1

Control = bool | int | float | tuple[int, int] | tuple[float, float]
Controls = dict[str, Control]


@dataclass(frozen=True, slots=True)
class Exposure:
    """What the camera made of one frame, or what it shall hold. ``lens`` is in dioptres, None with a fixed lens."""

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
    """The frames since somebody asked for the light."""

    since: float
    lights: tuple[Exposure, ...] = ()

    def see(self, metadata: Mapping[str, object], at: float) -> "Settling":
        light = read_light(metadata)
        if light is None or at < self.since + SOONEST:
            return self
        before = () if metadata.get("AfState") == AF_SCANNING else self.lights
        return Settling(self.since, (*before, light)[-CALM:])

    def found(self, at: float) -> Exposure | None:
        """The light, once it holds still; at long last the newest, if there is any."""
        if self.lights and (self.late(at) or (len(self.lights) == CALM and _alike(self.lights))):
            return self.lights[-1]
        return None

    def late(self, at: float) -> bool:
        return at > self.since + LATEST


def read_light(metadata: Mapping[str, object]) -> Exposure | None:
    """None if this camera does not tell, as a virtual one."""
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
    """Lamps on the mains are brightest twice a period."""
    if mains_hz not in (50, 60):
        raise ValueError(f"mains_hz={mains_hz}: the mains have 50 or 60")
    return 1e6 / (2 * mains_hz)


def without_flicker(light: Exposure, mains_hz: int, gains: tuple[float, float] = (1.0, 8.0)) -> Exposure:
    """As much light in whole half-periods of the mains: near the exposure as it was, the gain makes up the rest.

    Light too bright for one half-period is the sun, which does not flicker: then the exposure is shorter.
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


def measuring(has: Container[str], mains_hz: int) -> Controls:
    """Controls that let the camera find exposure, white balance and focus by itself."""
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


def holding(light: Exposure, has: Container[str]) -> Controls:
    """Controls that keep exposure, white balance and focus as they are; of a fixed lens nothing is asked."""
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
    """A control that a camera does not have is an error there, not a wish."""
    return {name: value for name, value in wanted.items() if name in has}


def _alike(lights: tuple[Exposure, ...]) -> bool:
    return all(
        max(values) - min(values) <= ALIKE * max(values)
        for values in ([s.amount for s in lights], [s.red for s in lights], [s.blue for s in lights])
    )
