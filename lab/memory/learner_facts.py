"""A learner in a few lines of text: its settings, its statistics, and its exact results."""

from collections.abc import Mapping
from statistics import fmean
from typing import Final

from rich.text import Text

from engine.evaluate import Chances, Results
from engine.game import Game, Side
from lab.results.exact_results import NAMES
from lab.text.numbers import count_text, in_games, percent_number, percent_text
from learners.core.learner import Learner
from learners.core.plural import counted_label, counted_noun

UNTEACHABLE: Final = "It does not learn: train the agent in its own program, and judge it again."
"""Said of a policy that is kept as a save."""


def facts_text(learner: Learner) -> Text:
    """The learner, the endings of its training games, and its settings, in three lines."""
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
    """The number of training games by ending: `X wins 5,849, O wins 2,881, draws 1`."""
    endings = learner.view.endings(learner.stats())
    return ", ".join(f"{label.format(*learner.game.marks)} {count_text(count)}" for label, count in endings.items())


SAMPLED_BY: Final = "noughts evaluate save:NAME"
"""The command that samples the results of a save in a game that is too large for exact ones."""
NARROW: Final = {"random": "random", "perfect": "perfect", "self": "itself", "best_responder": "by heart"}
"""The names of the opponents in a narrow table, which has only the losses to them."""
ITS_MOVES: Final = f"{'its moves':>13}"
"""The heading above the share of perfect moves and the number of losing ones."""
WIDE_TABLE: Final = 78
"""The width in columns of a table with all four opponents."""
WIDEST_TABLE: Final = 95
"""The minimum room, in columns, for the same table with wide gaps and full numbers of losing moves; it takes 93."""
NAME_WIDTH: Final = 14
SIDE_WIDTH: Final = 15
"""The widths in columns of the opponents' names, and of each side beside them."""


def headline(learner: Learner, exact: Mapping[str, Results]) -> str:
    """The exact results of a learner in one sentence, the mean over the sides that it was trained for."""
    if not exact:
        return f"{learner.game.title} is too large for exact results."
    trained = trained_only(learner, exact)
    perfect, best = (
        fmean(results.against[opponent].loss for results in trained.values())
        for opponent in ("perfect", "best_responder")
    )
    if not best:
        text = "Nobody ever beats it"
    else:
        whom = "never beats it" if not perfect else f"beats it {in_games(perfect)}"
        text = f"Perfect play {whom}; one who knows it by heart beats it {in_games(best)}"
    sides = [learner.game.mark(side) for side in learner.trained_sides]
    never = "".join(f"; {learner.game.mark(side)} is untrained" for side in untrained(learner))
    return f"{text}{f' (as {sides[0]}{never})' if len(sides) == 1 else ''}."


def exact_text(learner: Learner, exact: Mapping[str, Results], room: int) -> Text:
    """A table of exact results in per cent with a line for each side, in `room` columns.

    It has win, draw and loss against each opponent, or only losses if there is little space; then the share of perfect
    moves in per cent, and the number of different losing moves.
    """
    if not exact:
        return Text(f"For games against others: {SAMPLED_BY}", "dim")
    wide, widest = room >= WIDE_TABLE, room >= WIDEST_TABLE
    if widest:
        text = Text(f"{'%':<5}" + "".join(f"{name:>17}" for name in NAMES.values()) + f"{'its moves':>20}", "dim")
        text.append("\n     " + f"{'win':>7}{'draw':>5}{'loss':>5}" * len(NAMES) + f"{'perfect':>11}{'losing':>9}")
    elif wide:
        text = Text(f"{'%':<5}" + "".join(f"{name:>15}" for name in NAMES.values()) + ITS_MOVES, "dim")
        text.append("\n     " + f"{'win':>5}{'draw':>5}{'loss':>5}" * len(NAMES) + f"{'perfect':>8}{'lose':>5}")
    else:
        text = Text(f"{'%':<5}{'lost to':>9}{'':27}{ITS_MOVES}", "dim")
        text.append("\n     " + "".join(f"{name:>9}" for name in NARROW.values()) + f"{'perfect':>8}{'lose':>5}")
    never = [learner.game.mark(side) for side in untrained(learner)]
    for mark, results in marked(learner.game, exact):
        text.append(f"\nas {mark:<2}", "dim")
        if mark in never:
            text.append("  untrained", "dim")
            continue
        for key in NAMES:
            if wide:
                text.append("  " * widest)
                _append_chances(text, results.against[key])
            else:
                text.append(f"{_tight(results.against[key].loss):>9}", "not dim bold")
        perfect, losing = percent_text(results.perfect_moves), round(results.losing_pairs)
        moves = f"{perfect:>11}{losing:>9,}" if widest else f"{perfect:>8}{_tight_count(losing):>5}"
        text.append(moves, "not dim not bold")
    return text


def _append_chances(text: Text, chances: Chances) -> None:
    text.append(f"{_tight(chances.win):>5}{_tight(chances.draw):>5}", "not dim")
    text.append(f"{_tight(chances.loss):>5}", "not dim bold")


def marked(game: Game, exact: Mapping[str, Results]) -> list[tuple[str, Results]]:
    """The mark and the results of each side that has results."""
    return [(mark, exact[side]) for side, mark in zip(("first", "second"), game.marks, strict=True) if side in exact]


def untrained(learner: Learner) -> list[Side]:
    """The sides that a learner can play, but was not trained for.

    Empty before any training, and for a learner that does not count its choices.
    """
    return [side for side in learner.sides if side not in learner.trained_sides]


def trained_only(learner: Learner, exact: Mapping[str, Results]) -> dict[str, Results]:
    """The exact results of a learner as the sides that it was trained for."""
    return {side: results for side, results in exact.items() if Side[side.upper()] in learner.trained_sides}


def by_opponent_text(game: Game, exact: Mapping[str, Results]) -> Text:
    """A table of exact results in per cent: a line for each opponent, then two on moves. See `by_opponent_width`."""
    sides = marked(game, exact)
    text = Text(f"{'% against':<{NAME_WIDTH}}" + "".join(f"{f'as {mark}':>{SIDE_WIDTH}}" for mark, _ in sides), "dim")
    text.append("\n" + " " * NAME_WIDTH + f"{'win':>5}{'draw':>5}{'loss':>5}" * len(sides))
    for key, name in NAMES.items():
        text.append(f"\n{name:<{NAME_WIDTH}}")
        for _, results in sides:
            _append_chances(text, results.against[key])
    for name, numbers in (
        ("perfect moves, %", [percent_number(results.perfect_moves) for _, results in sides]),
        ("losing moves possible", [count_text(round(results.losing_pairs)) for _, results in sides]),
    ):
        text.append(f"\n{name:<{NAME_WIDTH + SIDE_WIDTH - 5}}")
        text.append(f"{numbers[0]:>5}" + "".join(f"{each:>{SIDE_WIDTH}}" for each in numbers[1:]), "not dim")
    return text


def by_opponent_width(sides: int) -> int:
    """The width in columns of `by_opponent_text` for a number of sides."""
    return NAME_WIDTH + SIDE_WIDTH * sides


def worst_case_text(game: Game, exact: Mapping[str, Results]) -> str:
    """A sentence about the losses to the best responder: one who knows this learner by heart."""
    losses = [(mark, results.against["best_responder"].loss) for mark, results in marked(game, exact)]
    if not any(loss for _, loss in losses):
        return f"As {' or '.join(mark for mark, _ in losses)} it never loses, whoever it plays."
    (mark, loss), *others = losses
    also = "".join(f", as {other} {percent_text(share)}" for other, share in others)
    return f"As {mark} it loses {percent_text(loss)} of games to one who knows it by heart{also}."


def _tight_count(count: int) -> str:
    """A count in at most four characters: `9866`, `26k`, `3M`."""
    if count < 10_000:
        return str(count)
    return f"{round(count / 1_000)}k" if count < 999_500 else f"{round(count / 1_000_000)}M"


def _tight(share: float) -> str:
    """A share in per cent, in at most four characters."""
    return percent_number(share).replace(">99.9", ">99")
