"""The simulated people of each game, by its name."""

from collections.abc import Mapping

from firmware.simulation.people.company import Company
from firmware.simulation.players.nimmt_company import NimmtCompany
from firmware.simulation.players.six_company import SixCompany
from firmware.simulation.players.the_game_company import TheGameCompany

COMPANIES: Mapping[str, type[Company]] = {"nimmt": NimmtCompany, "thegame": TheGameCompany, "six": SixCompany}
