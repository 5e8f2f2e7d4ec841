"""The statistics of a training as a small table of text that fits the available width."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.game import Game
from lab.words.numbers import count_text, percent_text, short_count
from learners.core.learner import Learner

RESIGNED: Final = "resigned"
"""The key of the statistic for resigned games, which some learners have."""
ROWS: Final = 3
"""The usual number of lines."""


@dataclass(frozen=True)
class Style:
    """A layout of the table."""

    shares: bool
    """Whether endings are also given in per cent."""
    full_names: bool
    full_counts: bool
    gap: int
    """The spaces between two columns of the table; one less between a name and its number."""

    def column(self, names: Sequence[str], counts: Sequence[int], widest: int) -> list[str]:
        """Lines with a name and a number each; full numbers are at least `widest` characters wide."""
        write: Callable[[float], str] = count_text if self.full_counts else short_count
        written = [write(count) for count in counts]
        name_width, width = max(map(len, names)), max(widest if self.full_counts else 6, *map(len, written))
        return [
            f"{name:<{name_width}}{'':{self.gap - 1}}{number:>{width}}"
            for name, number in zip(names, written, strict=True)
        ]


STYLES: Final = (
    Style(shares=True, full_names=True, full_counts=True, gap=3),
    Style(shares=True, full_names=False, full_counts=True, gap=2),
    Style(shares=True, full_names=False, full_counts=False, gap=3),
    Style(shares=True, full_names=False, full_counts=False, gap=2),
    Style(shares=False, full_names=False, full_counts=False, gap=2),
)
"""The layouts, the widest first."""


def stats_table(stats: Mapping[str, int], learner: type[Learner], game: Game, room: int) -> str:
    """The endings of games on the left; the number of games and the learner's own statistics on the right.

    The table has three lines, or more if they are wider than `room` in every layout.
    """
    own = learner.spec.stat_labels
    names, counts = [learner.view_type.words.games_label, *own.values()], [stats[key] for key in ("games", *own)]
    ended = {label.format(*game.marks): count for label, count in learner.view_type.endings(stats).items()}
    for rows in range(ROWS, max(ROWS, len(names)) + 1):
        for style in STYLES:
            columns = [_ended(ended, stats["games"], style)]
            for first in range(0, len(names), rows):
                part = slice(first, first + rows)
                shown = [name if style.full_names else _last_word(name) for name in names[part]]
                columns.append(style.column(shown, counts[part], 13))
            lines = _side_by_side(columns, rows, style.gap)
            if len(lines[0]) <= room:
                return "\n".join(lines)
    return "\n".join(lines)


def _last_word(name: str) -> str:
    """The last word of a label, which is enough to recognize it: `losses` of `avoided losses`."""
    return name.rsplit(maxsplit=1)[-1]


def _ended(ended: Mapping[str, int], games: int, style: Style) -> list[str]:
    lines = style.column([*ended], [*ended.values()], 11)
    if not style.shares:
        return lines
    shares = (percent_text(count / max(1, games)) for count in ended.values())
    return [f"{line} {share:>7}" for line, share in zip(lines, shares, strict=True)]


def _side_by_side(columns: Sequence[Sequence[str]], rows: int, gap: int) -> list[str]:
    filled = [[*column, *[" " * len(column[0])] * (rows - len(column))] for column in columns]
    return [(" " * gap).join(parts) for parts in zip(*filled, strict=True)]


def kind_of_games(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, float]:
    """The mean plies per game of a run, and the share of resigned games if the learner counts them.

    A rate in games per second depends on both. `before` and `after` are the statistics at the start and end of the run.
    """
    games = max(1, after["games"] - before["games"])
    found = {"plies_per_game": round((after["plies"] - before["plies"]) / games, 4)}
    if RESIGNED in after:
        found["resigned_share"] = round((after[RESIGNED] - before[RESIGNED]) / games, 6)
    return found


def kind_text(kind: Mapping[str, float]) -> str:
    """The result of `kind_of_games` in words."""
    plies = f"{kind['plies_per_game']:.2f} plies per game"
    return f"{plies}, {percent_text(kind['resigned_share'])} resigned" if "resigned_share" in kind else plies
