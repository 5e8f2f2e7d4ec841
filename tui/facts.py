"""A learner in a few lines of text: what it is, how its games ended, and how it fares exactly."""

from collections.abc import Mapping
from typing import Final

from rich.text import Text

from engine.evaluate import Chances
from learners.learner import Learner
from tui.figures import count_text, percent_text, rounds_text


def facts_text(learner: Learner) -> Text:
    """What the learner is, how its games ended, and its settings."""
    stats, game = learner.stats(), learner.game
    settings = ", ".join(f"{key.replace('_', ' ')} {str(value).lower()}" for key, value in learner.settings.items())
    rounds, games = learner.rounds, f"; {learner.games_label} {count_text(stats['games'])}"
    trained = rounds_text(rounds, learner.round_noun, short=False)
    trained += games if learner.counted != "games" else ""
    endings = {
        label.format(*game.marks).removesuffix(" wins"): count for label, count in learner.endings(stats).items()
    }
    ended = ", ".join(f"{count_text(count)} {label}" for label, count in endings.items())
    told = {key: name for key, name in learner.own_stats.items() if name and key != learner.counted}
    own = ", ".join(f"{count_text(stats[key])} {name}" for key, name in told.items())
    return Text.assemble(
        f"{learner.title}, {game.title}, {learner.preset}, seed {learner.seed}\n{trained}: {ended}; {own}\n",
        (f"{learner.extent}; {settings}" if learner.extent else settings, "dim"),
    )


OPPONENTS: Final = {"random": "random", "perfect": "perfect", "self": "itself", "best_responder": "best responder"}
FEWER: Final = ("random", "best_responder")
"""The opponents that tell most, for a narrow screen."""
FULL: Final = 76
"""The columns that all four opponents take."""


def exact_text(learner: Learner, exact: Mapping[str, Mapping[str, Chances]], room: int) -> Text:
    """The exact results against four opponents, or two where there is little room, in per cent."""
    keys = tuple(OPPONENTS) if room >= FULL else FEWER
    text = Text(f"{'per cent':<8}" + "".join(f"{OPPONENTS[key]:>17}" for key in keys), "dim")
    text.append(f"\n{'against':<8}" + f"{'win':>6}{'draw':>6}{'loss':>5}" * len(keys))
    for side, mark in zip(("first", "second"), learner.game.marks, strict=True):
        text.append(f"\nas {mark:<5}", "dim")
        for key in keys:
            seen = exact[side][key]
            text.append(f"{percent(seen.win):>6}{percent(seen.draw):>6}", "not dim")
            text.append(f"{percent(seen.loss):>5}", "not dim bold")
    return text


def percent(share: float) -> str:
    """A share of one as a short number of per cent."""
    return percent_text(share).removesuffix(" %")
