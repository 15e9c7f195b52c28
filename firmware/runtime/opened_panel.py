"""A panel that was opened before the app: it imports little, so that the splash screen appears early."""

from dataclasses import dataclass

from hw.panel.panel import Panel


@dataclass(frozen=True, slots=True)
class OpenedPanel:
    """The panel with the name it was opened by; it shows that the box starts."""

    name: str
    panel: Panel
