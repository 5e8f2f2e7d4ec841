"""A learner in a few lines of text: what it is, how its games ended, and how it fares exactly."""

from collections.abc import Mapping
from typing import Final

from rich.text import Text

from engine.evaluate import Chances
from learners.player import Learner
from tui.figures import count_text, percent_text


def facts_text(learner: Learner) -> Text:
    """What the learner is and how its games ended."""
    stats, game = learner.stats(), learner.game
    settings = ", ".join(f"{key.replace('_', ' ')} {str(value).lower()}" for key, value in learner.settings.items())
    wins = zip(("first_wins", "second_wins"), game.marks, strict=True)
    ended = ", ".join(
        [f"{count_text(stats['draws'])} draws", *(f"{count_text(stats[key])} {mark}" for key, mark in wins)]
    )
    own = ", ".join(f"{count_text(stats[key])} {name}" for key, name in learner.own_stats.items())
    return Text(
        f"{learner.title}, {game.title}, {learner.preset} ({settings}), seed {learner.seed}\n"
        f"{count_text(stats['games'])} games: {ended}; {own}"
    )


OPPONENTS: Final = {"random": "random", "perfect": "perfect", "self": "itself", "best_responder": "its worst enemy"}


def exact_text(learner: Learner, exact: Mapping[str, Mapping[str, Chances]]) -> Text:
    """The exact results against four opponents: a line for each side, win, draw and loss in per cent."""
    text = Text(f"{'against':<9}" + "".join(f"{name:>16}" for name in OPPONENTS.values()), "dim")
    for side, mark in zip(("first", "second"), learner.game.marks, strict=True):
        text.append(f"\nas {mark:<6}", "dim")
        for key in OPPONENTS:
            seen = exact[side][key]
            text.append(f"{percent(seen.win):>6}{percent(seen.draw):>5}", "not dim")
            text.append(f"{percent(seen.loss):>5}", "not dim bold")
    return text


def percent(share: float) -> str:
    """A share of one as a short number of per cent: a rounding error in the sixteenth digit is no chance."""
    return percent_text(min(1.0, max(0.0, round(share, 12)))).removesuffix(" %")
