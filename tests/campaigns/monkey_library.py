"""A library for the monkey test: saves of every kind, finished games, and a running training."""

from random import Random

from engine.games import GAMES, parse_game
from engine.match import play_match
from lab.training.training_job import TrainingJob, paces_for
from learners.failures.learner import Failures
from learners.genetic.learner import Genetic
from learners.menace.learner import Menace
from saves.library.library import Library
from tests.saves.brains import boxed, made_up, train
from tui.app import NoughtsApp

TICTACTOE = parse_game("tictactoe")


def fill_library(library: Library, *, trained: bool) -> None:
    """Store saves of several learners and games, with and without checkpoints, and finished games."""
    library.save("an evening in winter", made_up(TICTACTOE, 200))
    library.save("her", boxed())
    if trained:
        library.save("pawns", train(Failures(parse_game("hexapawn"), "literal", 1), 50))
        library.save("riechel, my own", train(Failures(TICTACTOE, "riechel-2007", 1), 300))
        library.save("boxes", train(Menace(TICTACTOE, "michie", 1), 50))
        library.save("a people", train(Genetic(TICTACTOE, "hochmuth", 1, {"population": 20, "until": "end"}), 3))
    random = Random(1)
    for nth, game in enumerate((*GAMES, *GAMES)):

        def choose(position: int) -> int | None:
            return random.choice([*game.moves(position), None] if random.random() < 0.1 else game.moves(position))  # noqa: B023

        foe = ("perfect", "save:pawns", "human", "save:gone")[nth % 4]
        record = play_match(game, (choose, choose)).record(("human", foe) if nth % 2 else (foe, "human"))
        library.keep_game(record)


def train_in_background(app: NoughtsApp, random: Random) -> None:
    """Start a training, as a person could."""
    kinds = (Failures(TICTACTOE, "literal", 1), Menace(TICTACTOE, "michie", 1))
    learner = random.choice(kinds)
    name = app.library.free_name("behind")
    pace = random.choice(paces_for(type(learner)))
    app.train(
        TrainingJob(learner, 100_000, name, pace, lambda snapshot: app.library.save(name, snapshot, replace=True))
    )
