"""A learner in a few lines of text: what it is, how its games ended, and how it fares exactly."""

from collections.abc import Mapping
from typing import Final

from rich.text import Text

from engine.evaluate import Results
from engine.game import Game, Side
from lab.words.numbers import count_text, percent_number, percent_text, rounds_text
from lab.words.opponent_names import NAMES
from learners.core.learner import Learner


def facts_text(learner: Learner) -> Text:
    """What the learner is, how its games ended, and its settings."""
    stats, game = learner.stats(), learner.game
    settings = ", ".join(f"{key.replace('_', ' ')} {str(value).lower()}" for key, value in learner.settings.items())
    rounds, games = learner.rounds, f"; {learner.view.words.games_label} {count_text(stats['games'])}"
    trained = rounds_text(rounds, learner.spec.round_noun, short=False)
    trained += games if learner.spec.round_statistic != "games" else ""
    endings = {
        label.format(*game.marks).removesuffix(" wins"): count for label, count in learner.view.endings(stats).items()
    }
    ended = ", ".join(f"{count_text(count)} {label}" for label, count in endings.items())
    told = {key: name for key, name in learner.spec.stat_labels.items() if key != learner.spec.round_statistic}
    own = ", ".join(f"{count_text(stats[key])} {name}" for key, name in told.items())
    return Text.assemble(
        f"{learner.spec.title}, {game.title}, {learner.preset}, seed {learner.seed}\n{trained}: {ended}; {own}\n",
        (f"{learner.view.search_space}; {settings}" if learner.view.search_space else settings, "dim"),
    )


FEWER: Final = ("random", "best_responder")
"""The opponents that tell most, for a narrow screen."""
FULL: Final = 78
"""The columns that all four opponents take."""
NAME_WIDTH: Final = 14
SIDE_WIDTH: Final = 15
"""The columns of the opponents' names, and of each side beside them."""


def exact_text(learner: Learner, exact: Mapping[str, Results], room: int) -> Text:
    """The exact results in per cent against four opponents, or two where there is little room, and its moves.

    Of these how many are perfect, in per cent, and how many different ones lose.
    """
    keys = tuple(NAMES) if room >= FULL else FEWER
    text = Text(f"{'%':<5}" + "".join(f"{NAMES[key]:>15}" for key in keys) + f"{'its moves':>13}", "dim")
    text.append("\n     " + f"{'win':>5}{'draw':>5}{'loss':>5}" * len(keys) + f"{'perfect':>8}{'lose':>5}")
    for mark, seen in marked(learner.game, exact):
        text.append(f"\nas {mark:<2}", "dim")
        for key in keys:
            chances = seen.against[key]
            text.append(f"{_tight(chances.win):>5}{_tight(chances.draw):>5}", "not dim")
            text.append(f"{_tight(chances.loss):>5}", "not dim bold")
        text.append(f"{percent_number(seen.perfect_moves):>8}{seen.losing_pairs:>5}", "not dim")
    return text


def marked(game: Game, exact: Mapping[str, Results]) -> list[tuple[str, Results]]:
    """The results of each side that there are any of, with the side's mark."""
    return [(mark, exact[side]) for side, mark in zip(("first", "second"), game.marks, strict=True) if side in exact]


def untrained(learner: Learner) -> list[Side]:
    """The sides that it can play and no game of its training was played as, where its moves are counted."""
    if not learner.times.any():
        return []
    played = learner.space.side[learner.space.source[learner.times > 0]]
    return [side for side in learner.sides if side not in played]


def fares_text(game: Game, exact: Mapping[str, Results]) -> Text:
    """The exact results in per cent, an opponent a line, as wide as `fares_width`; then its moves."""
    sides = marked(game, exact)
    text = Text(f"{'%':<{NAME_WIDTH}}" + "".join(f"{f'as {mark}':>{SIDE_WIDTH}}" for mark, _ in sides), "dim")
    text.append("\n" + " " * NAME_WIDTH + f"{'win':>5}{'draw':>5}{'loss':>5}" * len(sides))
    for key, name in NAMES.items():
        text.append(f"\n{name:<{NAME_WIDTH}}")
        for _, seen in sides:
            chances = seen.against[key]
            text.append(f"{_tight(chances.win):>5}{_tight(chances.draw):>5}", "not dim")
            text.append(f"{_tight(chances.loss):>5}", "not dim bold")
    for name, told in (
        ("moves perfect", [percent_number(seen.perfect_moves) for _, seen in sides]),
        ("losing moves open", [count_text(seen.losing_pairs) for _, seen in sides]),
    ):
        text.append(f"\n{name:<{NAME_WIDTH + SIDE_WIDTH - 5}}")
        text.append(f"{told[0]:>5}" + "".join(f"{each:>{SIDE_WIDTH}}" for each in told[1:]), "not dim")
    return text


def fares_width(sides: int) -> int:
    """The columns that the results of so many sides take."""
    return NAME_WIDTH + SIDE_WIDTH * sides


def verdict(game: Game, exact: Mapping[str, Results]) -> str:
    """What the opponent makes of it that knows it best: the worst that is true of it."""
    losses = [(mark, seen.against["best_responder"].loss) for mark, seen in marked(game, exact)]
    if not any(loss for _, loss in losses):
        return f"Nobody ever beats it as {' or '.join(mark for mark, _ in losses)}."
    told = ", ".join(f"{percent_text(loss)} of games as {mark}" for mark, loss in losses)
    return f"A best responder beats it in {told}."


def _tight(share: float) -> str:
    """A share in per cent that leaves a gap in five columns."""
    return percent_number(share).replace(">99.9", ">99")
