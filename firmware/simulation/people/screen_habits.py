"""What people do at the screens that every game has: menus and questions, things set aside, a table to rebuild."""

from firmware.simulation.people.card_company import CardCompany
from firmware.simulation.people.company import Company, Script, TableMates
from firmware.simulation.people.company_roles import BoardBuilder
from firmware.simulation.people.screen_reading import SeenScreen

KEPT = frozenset(
    {
        "keep_both", "keep_deck", "keep_hand", "keep_hands", "keep_pile", "keep_special_deck", "keep_specials",
        "keep_stock", "keep_tiles",
    }
)  # fmt: skip
"""Lines that tell what to set aside for another day."""
REBUILDS = frozenset({"guide_lay", "guide_away", "guide_tiles", "guide_look"})
"""Lines that tell how to rebuild the table."""

MENU_READ_S = 3.0
"""Seconds for which people read a menu that does not offer what they need."""


def answer_screen(mates: TableMates, company: Company | None) -> Script | None:
    """What they do about a screen that says nothing about the game; None if they do not know."""
    screen = mates.screen
    match screen.prompt.topic:
        case topic if topic in KEPT:
            return mates.press("keep_next") if screen.find_offer("keep_next") is not None else mates.press("all_put_by")
        case topic if topic in REBUILDS and company is not None:
            return _rebuild(screen, company)
        case "home" | "home_no_camera":
            return _leave_home(mates)
        case "who_has_these" if company is not None:
            owner = company.find_owner(screen.prompt.args.get("cards", "").split())
            return mates.press("player", player=owner) if owner else mates.go_back()
        case "whose_card" if isinstance(company, CardCompany) and screen.find_offer("player") is not None:
            owner = company.find_layer(screen.prompt.args["card"])
            return mates.press("player", player=owner) if owner else mates.go_back()
        case "game_menu":  # what they looked for is not offered
            return _leave_menu(mates)
        case "take_cards_back":
            return _take_cards_back(mates)
        case "new_name" | "guide_sure":
            return mates.go_back()
        case _:
            return None


def _rebuild(screen: SeenScreen, company: Company) -> Script | None:
    line = screen.prompt
    match line.topic:
        case "guide_away":
            return company.remove(line.args["zone"], tuple(line.args["pieces"].split()))
        case "guide_lay" if isinstance(company, CardCompany):
            return company.show(line.args["zone"], tuple(line.args["pieces"].split()))
        case "guide_tiles" if isinstance(company, BoardBuilder):
            return company.show_board(screen.lines)
        case "guide_look":
            return company.clear_view()
        case _:
            return None


def _leave_menu(mates: TableMates) -> Script:
    yield MENU_READ_S
    yield from mates.press("go_on")


def _leave_home(mates: TableMates) -> Script | None:
    """A game that waits goes on; else the same once more, or a new one."""
    for topic in ("resume_game", "same_again", "same_again_unchecked"):
        if mates.screen.find_offer(topic) is not None:
            return mates.press(topic)
    return None


def _take_cards_back(mates: TableMates) -> Script:
    mates.table.clear()
    yield 1.0
    yield from mates.press("cards_are_back")
