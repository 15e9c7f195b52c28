"""The error of every device: it cannot be opened, or it has stopped working."""

from engine.errors import OxeyeError
from engine.text import Text


class DeviceError(OxeyeError):
    """``text`` says what to do, and is shown on the screens."""

    text: Text

    def __init__(self, text: Text) -> None:
        super().__init__(text)
