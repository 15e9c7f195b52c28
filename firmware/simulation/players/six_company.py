"""People who play SIX."""

from firmware.simulation.people.company import Company


class SixCompany(Company):
    """To come."""
