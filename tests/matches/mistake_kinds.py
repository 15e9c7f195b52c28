"""Names of all kinds of mistakes by game, so that a proof can check that it has planted each of them."""


def _lines(text: str) -> frozenset[str]:
    return frozenset(line.strip() for line in text.strip().splitlines())


MISTAKE_KINDS = {
    "nimmt": _lines("""
        Block at a row that is not there
        Block lifted and its row used
        Insert above all ends
        Neg=Pos without a take
        Replace with no other card
        Take-at-7 for a low card
        Take-at-7 put at another row
        behind a higher end
        behind a higher end, after a special
        behind a lower end that is not the nearest
        block shown, but not carried out
        blocked row lifted
        blocked row named
        card cancelled that is not in the pile
        card in the spread that is not in play
        card laid before all have shown theirs
        card laid in a blocked row
        card laid in the row just blocked
        card laid out of order
        card laid that was not shown
        card named that was not in the row
        card of a Take-at-7 laid in another row
        card of a fifth row laid in another
        card shown at an empty seat
        card shown before the rows are dealt
        card shown that another one picked
        card shown that is not in play
        cards of a row swapped
        changes seats with a card shown
        dealt before the last round was cleared
        emptied row not started
        exchange with no special in hand
        exchange without a take
        fifth row beside five rows
        fifth row placed at an existing row
        full row avoided
        full row taken but for one card
        full row taken, its card laid elsewhere
        half-time with cards in the hands
        inserted at the end
        inserted card left as a row of its own
        inserted in a blocked row
        inserted out of order
        joins a game that cannot be joined
        joins at a seat that is taken
        joins in the middle of a round
        laid on a row named, but not lifted
        left of the end
        low card laid beside the row it took
        low card laid without a row taken
        lower card laid after a higher one
        lying card carried to another row
        more cancelled than the card is worth
        more specials than the hand holds
        move shown, but not carried out
        moved from a blocked row
        moved out of order
        moved to a blocked row
        moved to a full row
        moved to a row that is not there
        moved to its own row
        next card laid before Neg=Pos is named
        next card turned up before all are laid
        next round in the middle of one
        number shown that is in a row
        number shown twice
        number twice among the first cards
        number twice in the spread
        one of the last four picked
        picked card laid back
        picked card starts a row
        picked out of turn
        played card taken with the row
        replace shown, but not carried out
        row lifted between two turns
        row named that is not there
        row restarted that vanishes with five rows
        row with room taken
        second Block on a row
        second Take-at-7 on a row
        second card moved
        second card shown at one seat
        second special for one card
        shown card changed for another
        shown card changed with no Replace
        shown card laid before all have shown theirs
        sixth card left on a full row and another laid
        sixth card on a full row
        special at a row where it never stays
        special card in a game without them
        special handed back that was not played
        special of another player
        special shown before its slot
        spread that lacks a card
        stranger leaves the game
        take claimed that was not made
        taken card laid again
        taken card played again
        third Block
        two cards dealt to one row
        waiting card moved
        waiting card moved to a row
        wrong row lifted
        wrong row named
        wrong row taken
    """),
    "thegame": _lines("""
        card laid after the end
        eleven off, not ten
        fewer cards entered than laid
        given up after the minimum
        given up for another
        hand shown in part
        hand shown without a request
        hidden card entered that does not fit
        hidden card under a top
        laid card carried to another pile
        laid card shown in the hand
        more cards entered than a hand holds
        nine off, not ten
        number laid a second time
        number twice in the hand
        pile entered as complete without a question
        resumed a game that was not given up
        start card carried to another pile
        stranger leaves the game
        turn ended after the end
        turn ended for another
        turn ended too early
        turn ended without a card, the deck gone
        wrong way on a pile going down
        wrong way on a pile going up
    """),
    "six": _lines("""
        a group chosen without a split
        a group kept without a split
        draw in phase 1
        first tile beside the own start tile
        laid against the group that goes
        moved before a group was chosen
        moved before a lost group was cleared
        moved tile touches a corner only
        moved to its own cell
        rematch during a game
        start pair apart
        start pair of one colour
        tile apart from all others
        tile laid after the end
        tile laid from the stock in phase 2
        tile moved after the end
        tile moved in phase 1
        tile of the other player laid
        tile of the other player moved
        tile off the lattice
        tile off the lattice in phase 2
        tile touches a corner only
        turn passed
        two tiles laid in one turn
    """),
}
"""By game. Some kinds need a variant: the open draft, the special cards, the restriction of the first tile."""
