"""A population on the command line, and at the board: it does not learn from single games, and says so."""

from engine.games import parse_game
from lab.board.event_sentences import why_nobody_learns
from lab.board.teaching import learns
from learners.genetic.learner import Genetic
from tests.cli import cli_run
from tests.libraries import library


def population():
    return Genetic(parse_game("tictactoe"), "hochmuth", 1, {"population": 20})


def test_a_population_does_not_learn_from_single_games_and_says_so():
    learner = population()
    learner.label = "save:a"
    assert not learns(learner)
    assert why_nobody_learns((None, learner), "Advice.").startswith("a never learns from a single game")
    assert why_nobody_learns((None, None), "Advice.") == "Advice."


def test_the_command_line_says_why_a_population_does_not_learn_at_the_board():
    library().save("a", population().snapshot())
    refused = cli_run.run("play", "--plain", "--learn", "--second", "save:a")
    assert (refused.code, refused.out) == (1, "")
    assert "a never learns from a single game" in refused.err
    assert "name a save of your own" in cli_run.run("play", "--plain", "--learn", "--second", "random").err
