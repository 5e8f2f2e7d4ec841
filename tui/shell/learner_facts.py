"""A learner in a few lines of text: its settings, what it can be set to, and the endings of its training games."""

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
NUMBERS: Final = "whole numbers with commas"
YES_OR_NO: Final = {"true": "yes", "false": "no"}


def facts_text(learner: Learner) -> Text:
    """Return the learner with the settings that differ from its preset, and its training with its counters."""
    stats, spec, preset = learner.stats(), learner.spec, learner.spec.presets[learner.preset]
    changed = [
        f"{spec.settings[key].title or key} {setting_text(value)}"
        for key, value in learner.settings.items()
        if preset[key] != value
    ]
    trained = counted_noun(learner.rounds, spec.round_noun)
    if spec.round_statistic != "games":
        trained += f"; {learner.view.words.games_label} {count_text(stats['games'])}"
    names = {key: name for key, name in spec.stat_labels.items() if key != spec.round_statistic and stats[key]}
    own = ", ".join(counted_label(stats[key], name) for key, name in names.items())
    told = filter(None, (f"{trained}: {endings_text(learner)}" if learner.rounds else "untrained", own))
    return Text.assemble(
        ", ".join((spec.title, learner.preset, learner.game.title, *changed, f"seed {learner.seed}")),
        f"\n{'; '.join(told)}",
        (f"\n{learner.view.search_space}" if learner.view.search_space else "", "dim"),
    )


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

    With `now`, each has its present value instead, and if it is `typed`, as one writes it, with the others below. The
    `chosen` ones have the colour `lit`. With `keys`, only those are listed. Before a layout, without columns, none is.
    """
    settings, text = learner.spec.settings, Text()
    for key in keys or settings:
        kind = settings[key]
        values = listed(kind.syntax.split("|"), "or").replace("N,N,…", NUMBERS).replace("…", " to ")
        text.append(kind.title or key, f"bold {lit}" if key in chosen else "bold")
        present = None if now is None else setting_text(now[key])
        if present is None or typed:
            text.append(f"  {values if present is None else f'{key}={present}'}\n", "not bold")
        else:
            text.append(f": {YES_OR_NO.get(present, present)}\n", "bold")
        told = f"{values}: {kind.summary}" if typed else kind.summary
        lines = wrap(told, max(1, width - len(INDENT)))
        text.append("".join(f"{INDENT}{line}\n" for line in lines), "dim")
    text.rstrip()
    return text if width > 0 else Text()
