"""What screens show of a match of SIX."""

from engine.games.six.board import COLOURS
from engine.games.six.lattice import frame_of
from engine.games.six.match_end import DRAW, GameEnd
from engine.games.six.moves import Clear, Draw, Lose, Rematch
from engine.games.six.repetition import count_repetitions, is_repeated
from engine.games.six.rules import Position
from engine.games.six.state import State
from engine.text import Text, say
from engine.view import Offer, Pad, View

BORDER_PITCHES = 1.2
"""A board whose tiles come closer to the edge of the area, in pitches, should be pushed back."""


def build_view(state: State) -> View:
    game = state.game
    pads = _pads(state)
    if game is None:
        prompt = say("clear_last_game", n=len(state.litter)) if state.litter else say("lay_start_pair")
        return View(prompt, state.player(state.starter), pads)
    if game.end:
        winner = game.end.winner
        return View(
            _ended(state, game.end),
            pads=pads,
            offers=(Offer(say("rematch"), str(Rematch())),),
            over=True,
            winners=() if winner == DRAW else (state.player(winner),),
            ruling=game.end.ruling,
        )
    turn = state.player(game.turn)
    if game.split:
        offers = tuple(
            Offer(say("group_goes", n=len(g), q=min(g)[0], r=min(g)[1]), str(Lose(*min(g)))) for g in game.split
        )
        return View(say("which_group_goes"), turn, pads, offers)
    repeated = is_repeated(state)
    news = (say("same_position", n=count_repetitions(state)),) if repeated else _border(state)
    offers = (Offer(say("agree_draw"), str(Draw())),) if repeated else ()
    if state.litter:  # they may be out of sight of the camera
        offers = (Offer(say("taken_away"), str(Clear())), *offers)
    return View(_prompt(state, game, turn), turn, pads, offers, news=news)


def _prompt(state: State, game: Position, turn: int) -> Text:
    if state.litter:
        return say("take_lost_away", n=len(state.litter))
    if any(game.hands):
        return say("lay_tile", player=turn, colour=game.turn, n=game.hands[COLOURS.index(game.turn)])
    return say("move_tile", player=turn, colour=game.turn)


def _ended(state: State, end: GameEnd) -> Text:
    if end.winner == DRAW:
        return say("draw_both_short" if end.reason == "both_short" else "draw_agreed")
    player = state.player(end.winner)
    if end.shape == "circle":
        return say("wins_circle", player=player, colour=end.winner)
    if end.shape == "triangle":
        return say("wins_triangle", player=player, colour=end.winner)
    if end.shape == "line":
        return say("wins_line", player=player, colour=end.winner)
    return say("wins_short", player=player)


def _pads(state: State) -> tuple[Pad, ...]:
    """Games won, and the tiles each colour still has, on the table and in hand."""
    pads: list[Pad] = []
    for player, colour in enumerate(state.colours(), 1):
        won = tuple(int(winner == colour) for winner in state.winners)
        left = 0
        if state.game:
            left = state.game.board.count(colour) + state.game.hands[COLOURS.index(colour)]
            if state.game.end:
                won = (*won, int(state.game.end.winner == colour))
        pads.append(Pad(player, won, total=sum(won), cards=left))
    return tuple(pads)


def _border(state: State) -> tuple[Text, ...]:
    lies = frame_of(state.anchor)
    margin = BORDER_PITCHES * abs(lies.side)
    width, height = state.terms.width, state.terms.height
    for cell, _ in state.tiles:
        z = lies.at(cell)
        if not (margin <= z.real <= width - margin and margin <= z.imag <= height - margin):
            return (say("near_border"),)
    return ()
