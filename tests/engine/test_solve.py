"""Exact values: compared with a naive solver, in every position of every game."""

import numpy as np

from engine.game import MAX_PLIES, Game, Move, Outcome, Position, Side
from engine.grid import Grid
from engine.grid_game import GridGame
from engine.solve import WIN_SCORE, edge_values, scores, values
from engine.space_building import build_space
from engine.spaces import space_of
from tests.oracles.counting import losing_pairs
from tests.oracles.debrief import best, oracle_of
from tests.oracles.rules import RULES
from tests.sizes import quick_game


@quick_game
def test_scores_contain_winner_and_plies(game: Game):
    space, oracle = space_of(game), oracle_of(game.name)
    assert np.array_equal(np.sign(scores(space)), values(space))
    for position, score, side in zip(space.position.tolist(), scores(space).tolist(), space.side.tolist(), strict=True):
        foreseen = oracle.foreseen(game.to_text(position))
        if foreseen:
            worth, plies, _ = foreseen[best(foreseen)[0]]
            assert score == (0 if not worth else worth * (WIN_SCORE - plies) * (1 if side == Side.FIRST else -1))
        else:
            assert abs(score) in (0, WIN_SCORE)


@quick_game
def test_losing_pairs_agree_with_the_naive_solver(game: Game):
    space, rules = space_of(game), RULES[game.name]
    losing = np.flatnonzero(edge_values(space) == -1)
    pairs = {
        (game.to_text(int(space.position[space.source[edge]])), game.move_name(int(space.move[edge])))
        for edge in losing
    }
    assert pairs == losing_pairs(rules)


class Pacing(GridGame):
    """Both sides turn a piece on or off; the first side wins if it is on after 121 moves, the last its own."""

    name, title, summary = "pacing", "Pacing", "Turn the piece on or off."
    grid = Grid(1, 2)
    ply_limit = 200

    def outcome(self, position: Position) -> Outcome | None:
        if self.plies(position) == 121 and position & 1:
            return Outcome.FIRST_WINS
        return self.limit_outcome(position)

    def moves(self, position: Position) -> tuple[Move, ...]:
        return () if self.outcome(position) is not None else (0, 1)

    def after(self, position: Position, move: Move) -> Position:
        return self.pass_turn(position ^ move)


def test_scores_of_a_long_game_are_right():
    space = build_space(Pacing())
    assert space.ply[-1] == 200
    assert scores(space)[0] == WIN_SCORE - 121
    assert values(space)[0] == 1
    assert WIN_SCORE > 2 * MAX_PLIES
