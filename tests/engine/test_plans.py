"""Where zones lie: every game with every number of players on every usual area, or refused with the least named."""

from itertools import combinations

import pytest

from engine.game import Illegal
from engine.games import GAMES
from engine.options import BadOption, fill_options

AREAS = [(0, 0), (420, 297), (594, 420), (600, 450), (700, 460), (841, 594), (900, 600), (1200, 800)]
VARIANTS = {
    "nimmt": [{"variant": v} for v in ("base", "professional", "halves", "anniversary")],
    "thegame": [{"start_cards": v} for v in ("beside", "below")],
}
EXTRA = {"nimmt": {"allow_7_to_10": 1, "allow_any_count": 1}}


def tables():
    for name, game in GAMES.items():
        players = next(option for option in game.options if option.name == "players")
        for variant in VARIANTS.get(name, [{}]):
            for count in range(players.low, players.high + 1):
                options = fill_options(game.options, {"players": count, **variant, **EXTRA.get(name, {})})
                try:
                    game.start(options)
                except Illegal:
                    continue  # this variant is not for so many
                yield pytest.param(game, options, id="-".join([name, *variant.values(), str(count)]))


TABLES = list(tables())


def plan(game, options, width, height):
    return game.plan(options | {"width": width, "height": height})


@pytest.mark.parametrize(("game", "options"), TABLES)
@pytest.mark.parametrize(("width", "height"), AREAS, ids=str)
def test_no_two_zones_overlap_and_all_are_on_the_table(game, options, width, height):
    try:
        found = plan(game, options, width, height)
    except BadOption as refused:
        least = [refused.text.get(f"least_{side}") for side in ("width", "height")]
        assert width < least[0] or height < least[1]
        plan(game, options, *least)
        return
    for zone, area in found.zones.items():
        assert 0 <= area.left < area.right <= found.width, zone
        assert 0 <= area.top < area.bottom <= found.height, zone
    for (one, area), (other, place) in combinations(found.zones.items(), 2):
        assert not area.overlaps(place), (one, other)


@pytest.mark.parametrize(("game", "options"), TABLES)
def test_no_area_given_is_the_least_area_and_a_smaller_one_is_refused(game, options):
    least = plan(game, options, 0, 0)
    for less in [(least.width - 1, least.height), (least.width, least.height - 1)]:
        with pytest.raises(BadOption) as refused:
            plan(game, options, *less)
        assert refused.value.text.id == "area_too_small"
        assert (refused.value.text.get("least_width"), refused.value.text.get("least_height")) == (
            least.width,
            least.height,
        )
