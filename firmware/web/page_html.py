"""The page as HTML: the whole page, and the parts of it that change while people play."""

from collections.abc import Mapping

from engine.games import GAMES
from firmware.box.table_state import TilesState
from firmware.texts.languages import ENDONYMS, available_languages
from firmware.web.api_state import ApiState
from firmware.web.score_chart import score_chart
from firmware.web.template_rendering import render_template
from firmware.web.tile_board import tile_board
from vision.pieces import has_tiles


def index_page(state: ApiState) -> str:
    """The page with the whole state in it, which is all that a browser without scripts shows."""
    languages = [(language, ENDONYMS.get(language, language)) for language in available_languages()]
    tiles = [game for game in GAMES if has_tiles(game)]
    return render_template(
        "index.html", state.language, languages=languages, games=list(GAMES), tile_games=tiles, **_values(state)
    )


def simulated_table_page(state: ApiState, scenarios: list[tuple[str, str, str]]) -> str:
    """The page of the simulated table, with the turn and the scores of now."""
    return render_template("simulated_table.html", state.language, scenarios=scenarios, **_values(state))


def live_parts(state: ApiState) -> str:
    """The parts of the page that change while people play, each in a ``div`` with the id of its place."""
    return render_template("live_parts.html", state.language, **_values(state))


def _values(state: ApiState) -> Mapping[str, object]:
    """What the templates of a game show beside its state; ``table_kind`` names the template of the table."""
    table = state.table
    return {
        "state": state,
        "people": {person.player: person for person in state.people},
        "table_kind": None if table is None else table.__struct_config__.tag,
        "board": tile_board(table, state.wrong) if isinstance(table, TilesState) else None,
        "chart": score_chart(state.pads),
    }
