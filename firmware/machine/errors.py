"""Errors of the settings file: it cannot be read, changed or used."""

from engine.errors import OxeyeError


class SettingsError(OxeyeError):
    """The settings cannot be used as they are."""


class UnreadableSettings(SettingsError):
    """The settings file cannot be read at all."""


class PermissionDenied(UnreadableSettings):
    """This user may not read the settings file."""


class SettingRefused(SettingsError):
    """The file stays unchanged: the text says why, and which values are allowed."""
