"""Simulated people at the physical table: they read the screens, press, move pieces and do what the box asks."""
