"""A learner in a few lines of text: what it is, how its games ended, and how it fares exactly."""

from collections.abc import Mapping
from typing import Final

from rich.text import Text

from engine.evaluate import Results
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
FULL: Final = 78
"""The columns that all four opponents take."""


def exact_text(learner: Learner, exact: Mapping[str, Results], room: int) -> Text:
    """The exact results in per cent against four opponents, or two where there is little room, and its moves.

    Of these how many are perfect, in per cent, and how many different ones lose.
    """
    keys = tuple(OPPONENTS) if room >= FULL else FEWER
    text = Text(f"{'%':<5}" + "".join(f"{OPPONENTS[key]:>15}" for key in keys) + f"{'its moves':>13}", "dim")
    text.append("\n     " + f"{'win':>5}{'draw':>5}{'loss':>5}" * len(keys) + f"{'perfect':>8}{'lose':>5}")
    for side, mark in zip(("first", "second"), learner.game.marks, strict=True):
        text.append(f"\nas {mark:<2}", "dim")
        seen = exact[side]
        for key in keys:
            chances = seen.against[key]
            text.append(f"{_tight(chances.win):>5}{_tight(chances.draw):>5}", "not dim")
            text.append(f"{_tight(chances.loss):>5}", "not dim bold")
        text.append(f"{percent(seen.perfect_moves):>8}{seen.losing_pairs:>5}", "not dim")
    return text


def percent(share: float) -> str:
    """A share of one as a short number of per cent."""
    return percent_text(share).removesuffix(" %")


def _tight(share: float) -> str:
    """A share in per cent that leaves a gap in five columns."""
    return percent(share).replace(">99.9", ">99")
