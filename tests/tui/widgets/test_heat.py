"""The heat map of a card, as text."""

import pytest
from rich.style import Style

from engine.games import parse_game
from lab.memory.card_filter import cells_of
from learners.core.training import TrainingPlan, run
from learners.genetic.learner import Genetic
from tests.sizes import QUICK_GAMES
from tui.widgets.population import heat_map, share_lines, shares_of
from tui.widgets.tiles import PLAIN

TICTACTOE = parse_game("tictactoe")


def bred(game):
    learner = Genetic(game, "hochmuth", 1, {"population": 20, "until": "end"})
    for _ in run(learner, TrainingPlan(12)):
        pass
    return learner


@pytest.mark.parametrize("game", QUICK_GAMES, ids=lambda game: game.name)
def test_the_shares_of_a_card_are_those_of_the_votes_at_every_checkpoint(game):
    learner = bred(game)
    for edge in learner.view.cards().tolist()[::20]:
        shares = shares_of(learner, edge)
        assert sum(shares.now.values()) == pytest.approx(1)
        for moment in zip(*shares.then.values(), strict=True):
            assert sum(moment) == pytest.approx(1)
        assert len(next(iter(shares.then.values()))) == len(learner.history.checkpoints) + 1 == 5
        cells = cells_of(learner, shares.card.position, shares.card.thoughts)
        for move, cell in cells.items():
            votes = learner.memory[cell] % 1_000_000
            assert shares.now[move] == pytest.approx(votes / 20)
        assert learner.policy()[learner.space.edge(shares.card.position, shares.played)] == 1


@pytest.mark.parametrize("size", [(9, 3), (7, 2), (5, 1)])
@pytest.mark.parametrize("game", [*QUICK_GAMES, parse_game("nim:3,4,5")], ids=lambda game: game.name)
def test_a_heat_map_shows_shares_in_squares_and_stars_the_move_played(game, size):
    learner = bred(game)
    asked = []

    def shade(share):
        asked.append(share)
        return Style()

    for edge in learner.view.cards().tolist()[::40]:
        asked.clear()
        shares = shares_of(learner, edge)
        lines = heat_map(game, shares, size, PLAIN, shade).plain.split("\n")
        assert {len(line) for line in lines} == {game.board.columns * (size[0] + 1) - 1}
        assert len(lines) == game.board.rows * (size[1] + 1) - 1
        assert sum(line.count("*") for line in lines) == 1
        assert sum(asked) == pytest.approx(1)
        assert all(f"{100 * share:.0f}%" in "".join(lines) for share in asked)


def test_the_lines_of_the_moves_keep_the_largest_where_not_all_have_room():
    learner = bred(TICTACTOE)
    edge = max(learner.view.cards().tolist(), key=lambda each: len(learner.view.card(each).thoughts))
    shares = shares_of(learner, edge)
    full = share_lines(TICTACTOE, shares, 40, 9).plain.split("\n")
    assert len(full) == len(shares.now)
    assert sum("*" in line for line in full) == 1
    few = share_lines(TICTACTOE, shares, 40, 2).plain.split("\n")
    by_name = {TICTACTOE.move_name(move): share for move, share in shares.now.items()}
    assert sorted(by_name[line[:2]] for line in few) == sorted(by_name.values())[-2:]
    assert max(map(len, share_lines(TICTACTOE, shares, 8, 9).plain.split("\n"))) <= 8
