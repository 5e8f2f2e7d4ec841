"""Learners for the tests of saves: made up, which needs no compiler, or really trained."""

from dataclasses import replace
from functools import cache
from random import Random

from engine.game import Game, Outcome
from engine.games import parse_game
from engine.spaces import space_of
from learners.core.learner import Learner
from learners.core.snapshot import Snapshot
from learners.core.training import TrainingPlan, run
from learners.failures.learner import Failures
from learners.menace.learner import Menace
from learners.players.plain import PerfectPlayer


def made_up(game: Game, entries: int, seed: int = 1) -> Snapshot:
    """A failure database with `entries`, or all edges if there are fewer, at random edges in a random order."""
    learner = Failures(game, "literal", seed)
    edges = Random(seed).sample(range(len(space_of(game).move)), min(entries, len(space_of(game).move)))
    for number, edge in enumerate(edges, 1):
        learner.memory[edge] = number
    snapshot = learner.snapshot()
    return Snapshot(**{**vars(snapshot), "stats": {**snapshot.stats, "entries": len(edges)}})


def boxed() -> Snapshot:
    """A MENACE with all that a snapshot can hold: moves without beads, and checkpoints, two with the same memory."""
    learner = Menace(parse_game("hexapawn"), "her", 1)
    beads = learner.tally_keys.index("beads")
    for games, taken in ((1, 1), (2, 2), (5, 0)):
        taken_from = learner.boxes.cells[3 * games :][:taken]
        learner.memory[taken_from] = 0
        learner.times[taken_from] += games
        learner.tally[Outcome.FIRST_WINS] = games
        learner.tally[beads] = learner.memory.sum()
        learner.history.add_statistics(learner.stats())
        learner.record_checkpoint()
    learner.memory[learner.boxes.cells[0]] += 7
    learner.tally[Outcome.FIRST_WINS] += 1
    learner.tally[beads] += 7
    learner.record_opponent("save:a b")
    return learner.snapshot()


def counted(snapshot: Snapshot, games: int = 1) -> Snapshot:
    """The snapshot after more `games`, all of them drawn, from which it learned nothing."""
    stats = snapshot.stats
    return replace(snapshot, stats={**stats, "games": stats["games"] + games, "draws": stats["draws"] + games})


def train(learner: Learner, games: int) -> Snapshot:
    *_, last = run(learner, TrainingPlan(games))
    return last.snapshot


def same(one: Snapshot, other: Snapshot) -> bool:
    """Whether two snapshots are equal in everything that is saved."""
    return replace(one, last_game=()) == replace(other, last_game=()) and [*one.checkpoints] == [*other.checkpoints]


@cache
def her() -> Snapshot:
    """A machine of Gardner's column after 20 games of hexapawn against perfect play."""
    learner = Menace(parse_game("hexapawn"), "her", 1)
    learner.set_opponent(PerfectPlayer(learner.game))
    return train(learner, 20)
