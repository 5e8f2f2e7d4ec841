"""A learner in a few lines of text: its settings, what it can be set to, and the endings of its training games."""

from collections.abc import Collection
from textwrap import wrap
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from engine.plural import counted_label, counted_noun
from lab.sweep.sweep_text import settings_lines
from lab.text.numbers import count_text
from lab.training.setup import settings_as_text
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
    """Return the learner with the settings that differ from its preset, and its training with its counters."""
    stats, spec, preset = learner.stats(), learner.spec, learner.spec.presets[learner.preset]
    changed = settings_as_text({key: value for key, value in learner.settings.items() if preset[key] != value})
    trained = counted_noun(learner.rounds, spec.round_noun)
    if spec.round_statistic != "games":
        trained += f"; {learner.view.words.games_label} {count_text(stats['games'])}"
    names = {key: name for key, name in spec.stat_labels.items() if key != spec.round_statistic and stats[key]}
    own = ", ".join(counted_label(stats[key], name) for key, name in names.items())
    told = filter(None, (f"{trained}: {endings_text(learner)}" if learner.rounds else "untrained", own))
    return Text.assemble(
        ", ".join(filter(None, (spec.title, learner.game.title, learner.preset, changed, f"seed {learner.seed}"))),
        f"\n{'; '.join(told)}",
        (f"\n{learner.view.search_space}" if learner.view.search_space else "", "dim"),
    )


def endings_text(learner: Learner) -> str:
    """Return the number of training games by ending: `X wins 5,849, O wins 2,881, draws 1`."""
    endings = learner.view.endings(learner.stats())
    return ", ".join(f"{label.format(*learner.game.marks)} {count_text(count)}" for label, count in endings.items())


def choices_text(learner: str, width: int, colour: str = "", chosen: Collection[str] = (), *, prefix: str = "") -> Text:
    """Return the settings of a learner, and what each decides, in `width` columns; the `chosen` ones in a colour.

    On wide enough lines, the possible values stand between the two. If keys begin with `prefix`, only those are listed.
    """
    lines = settings_lines(learner)
    lines = [line for line in lines if line[0].startswith(prefix)] or lines
    keys, values = (max(map(cell_len, column), default=0) for column in list(zip(*lines, strict=True))[:2])
    text = Text()
    for key, syntax, summary in lines:
        text.append(f"{key:<{keys}}  ", f"bold {colour}" if key in chosen else "bold")
        indent = keys + GAP
        if width >= VALUES_FROM:
            text.append(f"{syntax:<{min(values, MAX_VALUES)}}  ", "not bold")
            indent += min(values, MAX_VALUES) + GAP
        for number, part in enumerate(wrap(summary, max(MIN_SUMMARY, width - indent)) or [""]):
            text.append(f"{' ' * indent if number else ''}{part}\n", "dim")
    text.rstrip()
    return text
