"""Devices without hardware: panels behind a simulated bus, and contacts without pins."""
