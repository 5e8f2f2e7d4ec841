"""The results of an earlier training, to compare a new one with."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.game import BadText, Game
from engine.space import TooLarge
from engine.stop import Stop, never
from lab.results.exact_results import ExactResults
from lab.training.training_story import TrainingStory
from learners.core.learner import Learner
from saves.errors import LibraryError
from saves.library.library import Library


@dataclass(frozen=True)
class Ghost:
    """An earlier training of the same learner and game."""

    name: str
    """The name of its save."""
    learner: str
    game: str
    known: Mapping[int, ExactResults]
    """Its exact results by number of rounds, ascending."""


def find_ghost(library: Library, kind: type[Learner], game: Game, stop: Stop = never) -> Ghost | None:
    """The newest save of this learner and game; `None` if there is none, it is unreadable, or `stop()` is true."""
    story = TrainingStory()
    try:
        for entry in library.entries():
            if (entry.learner, entry.game) == (kind.spec.name, game.name):
                story.update_points(library.load(entry.name), stop)
                return None if stop() else Ghost(entry.name, entry.learner, entry.game, story.known)
    except (BadText, LibraryError, TooLarge):
        return None  # the Library shows why a save cannot be read
    return None
