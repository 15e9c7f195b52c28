"""People who play The Game."""

from firmware.simulation.people.company import Company


class TheGameCompany(Company):
    """To come."""
