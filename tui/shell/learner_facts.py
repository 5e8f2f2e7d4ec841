"""A learner in a few lines of text: its settings, the values that they can have, and how its training games ended."""

from collections.abc import Collection, Mapping
from textwrap import wrap
from typing import Final

from rich.text import Text

from engine.plural import counted_label, counted_noun, listed
from lab.text.numbers import count_text
from learners.core.learner import Learner
from learners.sweep.point import setting_text

UNTEACHABLE: Final = "It does not learn: train the agent in its own program, and judge it again."
"""Said of a policy that is kept as a save."""
INDENT: Final = "  "
NUMBER_LIST: Final = "whole numbers with commas"
YES_OR_NO: Final = {"true": "yes", "false": "no"}


def facts_text(learner: Learner) -> Text:
    """Return the learner with the settings that differ from its preset, and its training with its counters."""
    spec, preset = learner.spec, learner.spec.presets[learner.preset]
    changed_settings = [
        f"{spec.settings[key].title or key} {setting_text(value)}"
        for key, value in learner.settings.items()
        if preset[key] != value
    ]
    title = ", ".join((spec.title, learner.preset, learner.game.title, *changed_settings, f"seed {learner.seed}"))
    text = Text(f"{title}\n{_training_text(learner)}")
    if learner.view.search_space:
        text.append(f"\n{learner.view.search_space}", "dim")
    return text


def _training_text(learner: Learner) -> str:
    """Return how long a learner was trained, how its games ended, and its own counters."""
    spec, stats = learner.spec, learner.stats()
    parts = ["untrained"]
    if learner.rounds:
        trained = counted_noun(learner.rounds, spec.round_noun)
        if spec.round_statistic != "games":
            trained += f"; {learner.view.words.games_label} {count_text(stats['games'])}"
        parts = [f"{trained}: {endings_text(learner)}"]
    names = {key: name for key, name in spec.stat_labels.items() if key != spec.round_statistic and stats[key]}
    if names:
        parts.append(", ".join(counted_label(stats[key], name) for key, name in names.items()))
    return "; ".join(parts)


def endings_text(learner: Learner) -> str:
    """Return the number of training games by ending: `X wins 5,849, O wins 2,881, draws 1`."""
    endings = learner.view.endings(learner.stats())
    return ", ".join(f"{label.format(*learner.game.marks)} {count_text(count)}" for label, count in endings.items())


def choices_text(  # noqa: PLR0913  what is listed, and how
    learner: type[Learner],
    width: int,
    now: Mapping[str, object] | None = None,
    *,
    typed: bool = False,
    lit: str = "",
    chosen: Collection[str] = (),
    keys: Collection[str] = (),
) -> Text:
    """Return the settings of a learner in `width` columns: each in words with its values, and below what it decides.

    With `now`, each has its present value instead; if it is `typed`, this is written as in the field, with the possible
    values below. The `chosen` ones have the colour `lit`. With `keys`, only those are listed. Without columns, as
    before a layout, the text is empty.
    """
    text = Text()
    if width <= 0:
        return text
    settings = learner.spec.settings
    for key in keys or settings:
        setting = settings[key]
        values = listed(setting.syntax.split("|"), "or").replace("N,N,…", NUMBER_LIST).replace("…", " to ")
        text.append(setting.title or key, f"bold {lit}" if key in chosen else "bold")
        present = None if now is None else setting_text(now[key])
        if present is None:
            text.append(f"  {values}\n", "not bold")
        elif typed:
            text.append(f"  {key}={present}\n", "not bold")
        else:
            text.append(f": {YES_OR_NO.get(present, present)}\n", "bold")
        about = f"{values}: {setting.summary}" if typed else setting.summary
        for line in wrap(about, max(1, width - len(INDENT))):
            text.append(f"{INDENT}{line}\n", "dim")
    text.rstrip()
    return text
