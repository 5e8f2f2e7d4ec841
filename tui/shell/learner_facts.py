"""A learner in a few lines of text: its settings, what it can be set to, and the endings of its training games."""

from collections.abc import Collection
from textwrap import wrap
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from engine.plural import counted_label, counted_noun
from lab.sweep.sweep_text import settings_lines
from lab.text.numbers import count_text
from learners.core.learner import Learner

UNTEACHABLE: Final = "It does not learn: train the agent in its own program, and judge it again."
"""Said of a policy that is kept as a save."""
VALUES_FROM: Final = 80
"""The minimum width of a list of settings with their values, in columns."""
MAX_VALUES: Final = 22
"""The maximum width of the column of values of settings."""
GAP: Final = 2
"""The columns between the key of a setting, its values, and what it decides."""
MIN_SUMMARY: Final = 12
"""The least width of what a setting decides, in columns."""


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


def choices_text(learner: str, width: int, colour: str = "", chosen: Collection[str] = ()) -> Text:
    """Return the settings of a learner, and what each decides, in `width` columns; the `chosen` ones in a colour.

    On wide enough lines, the possible values stand between the two.
    """
    lines = settings_lines(learner)
    keys, values = (max(map(cell_len, column), default=0) for column in list(zip(*lines, strict=True))[:2])
    text = Text()
    for key, syntax, summary in lines:
        text.append(f"{key:<{keys}}  ", f"bold {colour}" if key in chosen else "bold")
        indent = keys + GAP
        if width >= VALUES_FROM:
            text.append(f"{syntax:<{min(values, MAX_VALUES)}}  ", "not bold")
            indent += min(values, MAX_VALUES) + GAP
        for number, part in enumerate(wrap(summary, max(MIN_SUMMARY, width - indent)) or [""]):
            text.append(f"{' ' * indent * (number > 0)}{part}\n", "dim")
    text.rstrip()
    return text
