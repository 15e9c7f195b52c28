"""What a device says when it does not do its work."""

from engine.text import Text


class DeviceError(Exception):
    """``text`` says what would help."""

    def __init__(self, text: Text) -> None:
        super().__init__(str(text))
        self.text = text
