"""A game as small boards."""

import pytest

from engine.games import parse_game
from engine.match import Match
from tui.widgets.game_boards import boards_text
from tui.widgets.tiles import PLAIN

MOVES = 4, 0, 8, 2, 1, 7, 3


@pytest.mark.parametrize("at", range(1, len(MOVES) + 1))
def test_the_board_after_the_chosen_move_is_among_those_that_fit(at):
    match = Match(parse_game("tictactoe"))
    for move in MOVES:
        match.play(move)
    shown = boards_text(match, at, 20, 5, PLAIN)
    first = min(at, len(MOVES) - 1)
    assert [name for name in shown.plain.split() if name.isalnum() and name[-1].isdigit()] == [
        match.game.move_name(move) for move in MOVES[first - 1 : first + 1]
    ]
    [lit] = [span for span in shown.spans if span.style == PLAIN.lit and shown.plain[span.start] == "╭"]
    assert (lit.start > 9) == (at == len(MOVES))
