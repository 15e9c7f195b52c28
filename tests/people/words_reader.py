"""A crowd that knows only the English words on the screens: what each sentence means, written by reading it."""

import re
from collections.abc import Iterator
from dataclasses import replace

from engine.view import View
from firmware.journal.operation_types import Names
from firmware.simulation.people.screen_reading import SeenScreen, Sentence, read_view
from firmware.texts.render import render

WHO = r"(?P<player>[^:]+?)"
PLACE = r"(?:Row|Up pile|Down pile|Specials at row|The spread|Seat).*?|.+'s (?:card|special)"
MEANINGS = [
    # home and set-up
    (r"Oxeye: what do you want to do\?", "home"),
    (r"Resume which game\?", "which_stopped"),
    (r"Resume (?P<game>.+)", "resume_game"),
    (r"Same game again", "same_again"),
    (r"Again, unchecked", "same_again_unchecked"),
    (r"New game", "new_game"),
    (r"Check the stickers", "check_deck"),
    (r"Which game\?", "which_game"),
    (r"Which variant\?", "which_variant"),
    (r"Base game", "variant_base"),
    (r"Open draft", "variant_professional"),
    (r"Two halves", "variant_halves"),
    (r"Special cards", "variant_anniversary"),
    (r"Number of players", "count_players"),
    (r"Change the rules", "other_rules"),
    (r"Start", "start"),
    (r"Start unchecked", "start_unchecked"),
    (r"How many players\?", "how_many_play"),
    (r"(?P<n>\d+) players?", "players"),
    (r"(?P<low>\d+) to (?P<high>\d+) players", "count_from_to"),
    (r"Which rule do you want to change\?", "choose_rule"),
    (r"What ends the match\?", "ask_end"),
    (r"How many rounds\?", "ask_rounds"),
    (r"Ends by points", "end_points"),
    (r"Ends by rounds", "end_rounds"),
    (r"(?P<n>\d+) rounds?", "rounds"),
    (r"With seats", "seats_on"),
    (r"Without seats", "seats_off"),
    (r"Which level\?", "ask_level"),
    (r"Standard", "level_standard"),
    (r"Expert", "level_expert"),
    (r"Expert, small hand", "level_small_hand"),
    (r"Each player puts any card at their seat", "lay_at_seats"),
    (r"(?P<n>\d+) players? at seats? .*\?", "players_at_seats"),
    (r"(?P<game>.+) for (?P<n>\d+) players?", "game_for"),
    (r"Now pick up the cards from the seats", "take_cards_back"),
    (r"Cards picked up", "cards_are_back"),
    # the camera
    (r"Set up the camera", "aim_camera"),
    (r"Clear the table, then confirm", "aim_clear"),
    (r"Table is empty", "aim_keep"),
    (r"Hands away: taking the picture", "aim_hold"),
    (r"Looking for the table", "aim_looking"),
    (r"Remove (?P<n>\d+) cards? from the table", "aim_cards"),
    (r"Remove (?P<n>\d+) tiles? from the table", "aim_tiles"),
    (r"Part of the table", "aim_belongs"),
    (r"Push each one: does it move\?", "aim_push"),
    (r"It moves", "aim_moves"),
    (r"It does not move", "aim_stuck"),
    # manual entry
    (r"Manual entry", "by_hand"),
    (r"(?P<card>\d+) is in row…", "lies_in_row"),
    (r"Card on a pile", "card_on_pile"),
    (r"Card picked", "card_picked"),
    (r"(?P<low>\d+) to (?P<high>\d+)", "tens"),
    (r"(?P<value>\d+)", "as_is"),
    (r"(?P<zone>(?:Up|Down) pile \d)", "pile"),
    (r"Row (?P<row>\d)", "row"),
    # stickers
    (r"Check which cards\?", "which_deck"),
    (r"6 nimmt! numbers", "deck_nimmt"),
    (r"6 nimmt! specials", "deck_specials"),
    (r"Lay (?P<first>\d+) to (?P<last>\d+) in rows, in order", "deck_lay"),
    (r"Correct! Remove these, lay (?P<first>\d+) to (?P<last>\d+)", "deck_next"),
    (r"Lay all (?P<kind>.+), then all (?P<other>.+)", "deck_lay_kinds"),
    (r"Lay (?P<n>\d+) (?P<kind>[A-Z5].*) cards?", "deck_lay_kind"),
    (r"(All|The) (?P<n>\d+) cards? (are|is) correct", "deck_right"),
    # 6 nimmt!
    (r"Each player lays a card face down", "choose_cards"),
    (r"Waiting for (?P<players>.+)", "waiting_for"),
    (r"All players reveal their cards", "turn_up"),
    (r"Lay the lowest card: (?P<n>\d+) to go", "lay_next"),
    (r"Lay (?P<card>\d+) behind (?P<behind>\d+), row (?P<row>\d)", "lay_behind"),
    (r"Take row (?P<row>\d): (?P<n>\d+) heads?", "take_row"),
    (r"(?P<card>\d+) is low: take a row", "low_card"),
    (r"(?P<card>\d+) is low: take a row and the \d+", "low_card_too"),
    (r"Take row (?P<row>\d) and your (?P<card>\d+): (?P<n>\d+) heads?", "take_row_too"),
    (r"Lay the card that takes row (?P<row>\d)", "lay_taker"),
    (r"Lay Block at a row first, then (?P<card>\d+)", "block_first"),
    (r"Start a fifth row with (?P<card>\d+)", "starts_fifth_row"),
    (r"Insert (?P<card>\d+) before a card, not at the end", "insert_inside"),
    (r"Lay the new card instead of (?P<card>\d+)", "replace_first"),
    (r"Move a card in a row first, then lay (?P<card>\d+)", "move_first"),
    (r"Neg=Pos: choose a card of the taken row", "name_negative"),
    (r"(?P<card>\d+) cancels (?P<cards>[ \d]+)", "negative_card"),
    (r"(?P<card>\d+): no other card", "negative_alone"),
    (r"Remove the used special from row (?P<row>\d)", "clear_spent"),
    (r"Start row (?P<row>\d) with (?P<card>\d+)", "starts_row"),
    (r"Start each row with one card: (?P<n>\d) to go", "deal_rows"),
    (r"Clear the table: remove all cards", "clear_table"),
    (r"Spread cards 1 to (?P<last>\d+): (?P<n>\d+) missing", "spread_all"),
    (rf"{WHO} picks a card", "pick_card"),
    (r"Half-time: deal (?P<n>\d+) cards? to each player", "deal_second_half"),
    (r"New hands dealt", "hands_dealt"),
    (r"Round (?P<round>\d+) is over: check the scores", "round_over"),
    (r"Next round", "next_round"),
    (r"Who took the row of (?P<n>\d+) heads?\?", "who_took"),
    (rf"{WHO} took (?P<n>\d+)", "player_took"),
    (r"Correct a take", "correct_take"),
    (r"Which take has the wrong player\?", "which_take"),
    (r"Special exchanged", "exchange"),
    (r"Check the piles", "audit"),
    (rf"{WHO}: spread your pile of (?P<n>\d+) cards?", "show_pile"),
    (r"Not shown yet: (?P<cards>.+)", "pile_lacks"),
    (r"Not in this pile: (?P<cards>.+)", "pile_too_many"),
    (rf"{WHO}: (?P<n>\d+) cards? (is|are) right, heads: .*", "pile_right"),
    (r"Next pile", "next_pile"),
    # The Game
    (r"Lay (?P<n>\d+) cards?", "lay_cards"),
    (r"Lay more, or end and draw (?P<n>\d+) cards?", "more_or_draw"),
    (r"Lay more cards or end the turn", "more_or_done"),
    (r"Done: draw (?P<n>\d+) cards?", "done_draw"),
    (r"I cannot play", "cannot_play"),
    (r"Take back (?P<card>\d+), or show the card under it", "show_card_under"),
    (r"Show (?P<n>\d+) unseen cards?: lift the tops", "show_unseen"),
    (r"This ends the game\. Are you sure\?", "sure_end"),
    (r"Game over: (?P<n>\d+) cards? left", "game_ended"),
    (r"Excellent: only (?P<n>\d+) cards? left", "game_excellent"),
    (r"You beat The Game!", "game_beaten"),
    (r"Check the hand", "check_hand"),
    (r"Show all (?P<n>\d+) hand cards beside the piles", "show_hand"),
    (r"Show the (?P<n>\d+) hand cards? beside the piles", "show_hand"),
    (r"The hand: (?P<cards>.+)", "hand_there"),
    (r"That is all", "that_is_all"),
    (rf"{WHO} draws (?P<n>\d+) cards?", "draws"),
    # SIX
    (r"Lay a red and a black tile side by side", "lay_start_pair"),
    (rf"{WHO}: lay a (?P<colour>red|black) tile, (?P<n>\d+) left", "lay_tile"),
    (rf"{WHO}: move a (?P<colour>red|black) tile", "move_tile"),
    (r"Remove (?P<n>\d+) lost tiles?", "take_lost_away"),
    (r"Remove (?P<n>\d+) tiles? of the last game", "clear_last_game"),
    (r"Equal groups: which one do you remove\?", "which_group_goes"),
    (r"Rematch", "rematch"),
    # the menu of a game
    (r"The game goes on\. What do you need\?", "game_menu"),
    (r"Keep playing", "go_on"),
    (r"Pause", "pause"),
    (r"Pause the game", "pause_now"),
    (r"End the game", "give_up"),
    (r"New game\? You can resume this one later", "sure_new_game"),
    (r"Start a new game", "new_game_now"),
    (r"Undo moves", "take_moves_back"),
    (r"Undo (?P<n>\d+) moves?", "step_back"),
    (r"Undo from which move on\?", "take_back_to"),
    (r"Players", "people"),
    (r"Change a name", "rename"),
    (r"Whose name do you want to change\?", "who_is_renamed"),
    (r"Name for .+", "new_name"),
    (r"Player leaves", "somebody_leaves"),
    (r"Who leaves\?", "who_leaves"),
    (rf"{WHO} leaves", "leaves_now"),
    (r"Player joins", "somebody_joins"),
    (r"Which seat\?", "joins_where"),
    (r"Change seats", "change_seats"),
    (r"Who changes seats\?", "who_moves"),
    (r"Which seat for .+\?", "sits_where"),
    (r"The table is right", "table_is_right"),
    (r"Vote to overrule", "we_overrule"),
    (r"Yes", "agree"),
    (r"Who has (?P<cards>[\d ]+)\?", "who_has_these"),
    (r"Whose card is (?P<card>\d+)\?", "whose_card"),
    (r"Play again", "play_again"),
    (r"Finish", "home_again"),
    (r"Nothing under it", "nothing_under"),
    (r"Keep the score", "record_is_right"),
    # another day
    (r"Set aside .*", "keep_hands"),
    (r"Next", "keep_next"),
    (r"All set aside", "all_put_by"),
    (r"Show the whole table to the camera", "guide_look"),
    (r"This records new moves\. Is that right\?", "guide_sure"),
    (r"This is right", "guide_line"),
    (r"Everything is right", "guide_all"),
    (r"(?P<zone>[^:]+): remove (?P<pieces>.+)", "guide_away"),
    (r"Row (?P<row>\d+): (?P<says>[-RB. ]+)", "guide_tiles"),
    (rf"(?P<zone>{PLACE}): (?P<piece>.+) goes behind (?P<after>.+)", "act_behind"),
    (rf"(?P<zone>{PLACE}): (?P<piece>.+) goes under (?P<above>.+)", "act_under"),
    (rf"(?P<zone>{PLACE}): (?P<piece>.+) goes first", "act_first"),
    (rf"(?P<zone>{PLACE}): (?P<pieces>.+)", "guide_lay"),
    # a table to mend
    (r"Take row (?P<row>\d) first", "lift_row"),
    (r"Lay (?P<first>\d+) before (?P<card>\d+)", "laid_before"),
    (r"(?P<card>\d+) is low: take a row, then lay it", "low_card"),
    (r"Move the (?P<piece>.+?) from (?P<source>.+) to (?P<target>.+)", "act_move"),
    (r"(?P<zone>[^:]+): move (?P<piece>\w+) (?P<way>.+)", "act_step"),
    (r"Take back (?P<pieces>[^:,]+): (?P<zone>.+)", "act_take"),
    (r"Put (?P<pieces>.+) back: (?P<zone>.+)", "act_put"),
    (r"Turn (?P<piece>.+) face up: (?P<zone>.+)", "act_turn_up"),
    (r"Swap (?P<source>[^(,]+) \((?P<piece>.+)\) and (?P<target>[^(,]+) \((?P<partner>.+)\)", "act_swap_zones"),
    (r"Swap (?P<piece>.+) and (?P<partner>.+): (?P<source>.+), (?P<target>.+)", "act_swap"),
    (r"Lay (?P<pieces>[^:]+): (?P<zone>.+)", "act_lay"),
    # what only informs
    (r"Check the stickers before the first game", "deck_unchecked"),
    (rf"{WHO} shows a card too early", "shown_early"),
]  # fmt: skip
"""A pattern for each sentence that asks for an act, and the act. The first that fits the whole sentence counts."""
RULES = [(re.compile(pattern), topic) for pattern, topic in MEANINGS]
GAMES = {"6 nimmt!": "nimmt", "The Game": "thegame", "SIX": "six"}
THINGS = {
    "a face-down card": "back", "Block": "block", "5th Row": "fifth", "Insert": "insert", "Move": "move",
    "Neg=Pos": "negpos", "Replace": "replace", "Take-at-7": "seven",
}  # fmt: skip


def read_words(view: View, names: Names) -> SeenScreen:
    """A reader who sees nothing but the sentences."""
    screen = read_view(view, lambda text: understand(render(text, names=names), names))
    return _resolve_done(screen)


def understand(said: str, names: Names) -> Sentence:
    """What this sentence says; a sentence without a meaning is its own topic."""
    for pattern, topic in RULES:
        if found := pattern.fullmatch(said):
            return Sentence(topic, dict(_particulars(found, names)))
    if said in GAMES:
        return Sentence("game", {"game": GAMES[said]})
    if player := _player(said, names):
        return Sentence("player", {"player": str(player)})
    return Sentence(said)


def _particulars(found: re.Match[str], names: Names) -> Iterator[tuple[str, str]]:
    for name, word in found.groupdict().items():
        match name:
            case "player":
                yield name, str(_player(word, names))
            case "players":
                yield name, " ".join(str(_player(part, names)) for part in word.split(", "))
            case "zone" | "source" | "target":
                yield name, _zone(word, names)
            case "piece" | "partner" | "after" | "pieces" | "kind" | "other":
                for thing, piece in THINGS.items():
                    word = word.replace(thing, piece)
                yield name, word
            case "game":
                yield name, GAMES.get(word, word)
            case _:
                yield name, word


def _player(word: str, names: Names) -> int:
    known = {name: player for player, name in names.items()}
    if word in known:
        return known[word]
    found = re.fullmatch(r"Player (\d+)", word)
    return int(found[1]) if found else 0


def _zone(word: str, names: Names) -> str:
    low = word[:1].lower() + word[1:]
    for pattern, kind in ((r"row (\d+)", "row"), (r"up pile (\d)", "up"), (r"down pile (\d)", "down"),
                          (r"specials at row (\d)", "mark"), (r"seat (\d+)", "spot")):  # fmt: skip
        if found := re.fullmatch(pattern, low):
            return f"{kind}:{found[1]}"
    if found := re.fullmatch(r"(.+)'s (card|special)", word):
        return f"{'seat' if found[2] == 'card' else 'special'}:{_player(found[1], names)}"
    if player := _player(word, names):
        return f"home:{player}"
    return "spread" if low == "the spread" else low


def _resolve_done(screen: SeenScreen) -> SeenScreen:
    """The word Done ends what the prompt is about."""
    done = "piles_done" if screen.prompt.topic == "pile_right" else "done"
    return replace(screen, offers=tuple(Sentence(done) if o.topic == "Done" else o for o in screen.offers))
