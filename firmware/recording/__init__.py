"""Evenings kept to be played again: what the camera saw of the zones, what was pressed, and what came of it."""
