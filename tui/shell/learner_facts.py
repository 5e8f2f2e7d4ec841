"""A learner in a few lines of text: its settings, and the endings of its training games."""

from typing import Final

from rich.text import Text

from engine.plural import counted_label, counted_noun
from lab.text.numbers import count_text
from learners.core.learner import Learner

UNTEACHABLE: Final = "It does not learn: train the agent in its own program, and judge it again."
"""Said of a policy that is kept as a save."""


def facts_text(learner: Learner) -> Text:
    """Return the learner, the endings of its training games, and its settings, in three lines."""
    stats, game = learner.stats(), learner.game
    settings = ", ".join(f"{key.replace('_', ' ')} {str(value).lower()}" for key, value in learner.settings.items())
    trained = counted_noun(learner.rounds, learner.spec.round_noun)
    trained += (
        f"; {learner.view.words.games_label} {count_text(stats['games'])}"
        if learner.spec.round_statistic != "games"
        else ""
    )
    names = {key: name for key, name in learner.spec.stat_labels.items() if key != learner.spec.round_statistic}
    own = ", ".join(counted_label(stats[key], name) for key, name in names.items())
    return Text.assemble(
        f"{learner.spec.title}, {game.title}, {learner.preset}, seed {learner.seed}\n",
        f"{trained}: {endings_text(learner)}; {own}\n",
        (f"{learner.view.search_space}; {settings}" if learner.view.search_space else settings, "dim"),
    )


def endings_text(learner: Learner) -> str:
    """Return the number of training games by ending: `X wins 5,849, O wins 2,881, draws 1`."""
    endings = learner.view.endings(learner.stats())
    return ", ".join(f"{label.format(*learner.game.marks)} {count_text(count)}" for label, count in endings.items())
