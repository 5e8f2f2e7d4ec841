"""Exact results as tables, for the app, the command line and notebooks; and as sentences."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from statistics import fmean
from typing import TYPE_CHECKING, Final

from engine.evaluate import Chances, Results
from engine.game import Game, Side, quoted
from lab.results.score_lines import NAMES, READERS, results_by_mark
from lab.text.columns import columns
from lab.text.numbers import count_text, decimal_percent, percent_text
from learners.core.learner import Learner
from learners.core.player import Player
from learners.players.levels import SeedResults, judged_sides

if TYPE_CHECKING:
    from rich.text import Text

SAMPLED_BY: Final = "noughts evaluate save:NAME"
"""The command that samples the results of a save in a game that is too large for exact ones."""
LOST_TO: Final = "% of games lost to"
LOST_WIDTH: Final = 9
"""The heading of a table of losses, and the width of its columns."""
NAME_WIDTH: Final = 14
SIDE_WIDTH: Final = 15
LOSS_WIDTH: Final = 6
"""The widths in columns of the opponents' names, and of each side: with all results, or with losses only."""


def headline(learner: Learner, exact: Mapping[str, Results]) -> str:
    """Return the exact results of a learner in one sentence, averaged over the sides that it was trained for."""
    if not exact:
        return f"{learner.game.title} is too large for exact results."
    trained = trained_results(learner, exact).values()
    to_perfect = fmean(results.against["perfect"].loss for results in trained)
    to_reader = fmean(results.against["best_responder"].loss for results in trained)
    reader = READERS[0]
    if not to_reader:
        text = "Nobody ever beats it"
    elif to_perfect:
        text = f"Perfect play beats it in {percent_text(to_perfect)} of games, {reader} in {percent_text(to_reader)}"
    else:
        text = f"Perfect play never beats it; {reader} beats it in {percent_text(to_reader)} of games"
    mark = learner.game.mark
    _, always_lost = judged_sides(learner)
    notes = [f"{mark(side)} is untrained" for side in untrained_sides(learner)]
    notes += [f"perfect play always beats {mark(side)}" for side in always_lost]
    marks = [mark(side) for side in learner.trained_sides]
    if len(marks) == 1:
        notes.insert(0, f"as {marks[0]}")
    elif notes:
        notes.insert(0, f"mean of {' and '.join(marks)}")
    return f"{text} ({'; '.join(notes)})." if notes else f"{text}."


def exact_text(learner: Learner, exact: Mapping[str, Results]) -> "Text":
    """Return a table of the losses against each opponent in per cent, a line for each side; then its moves in words.

    The lines have at most 54 columns.
    """
    from rich.text import Text  # slow to import, and most commands need none

    if not exact:
        return Text(f"For games against others: {SAMPLED_BY}", "dim")
    text = Text(f"{LOST_TO}{''.join(f'{name:>{LOST_WIDTH}}' for name in NAMES.values())}", "dim")
    untrained_marks, moves = [learner.game.mark(side) for side in untrained_sides(learner)], Text("", "dim")
    for mark, results in results_by_mark(learner.game, exact):
        text.append(f"\n{f'as {mark}':<{len(LOST_TO)}}", "dim")
        if mark in untrained_marks:
            text.append("  untrained", "dim")
            continue
        for key in NAMES:
            text.append(f"{_short_percent(results.against[key].loss):>{LOST_WIDTH}}", "not dim bold")
        moves.append(f"\nAs {mark}: {quality_text(results)}.")
    return text.append_text(moves)


def quality_text(results: Results) -> str:
    """Return how many moves are perfect, and how many different ones that may be played lose."""
    losing = count_text(round(results.losing_pairs))
    return f"{percent_text(results.perfect_moves)} perfect moves, {losing} losing moves left"


def _append_chances(text: "Text", chances: Chances, *, draws: bool) -> None:
    draw = _short_percent(chances.draw) if draws else ""
    text.append(f"{_short_percent(chances.win):>5}{draw:>5}", "not dim")
    text.append(f"{_short_percent(chances.loss):>5}", "not dim bold")


def untrained_sides(player: Player) -> list[Side]:
    """Return the sides that a player can play, but has had no training for.

    Empty if the player has had no training at all, does not learn, or does not count its choices.
    """
    return [side for side in player.sides if side not in player.trained_sides]


def trained_results(learner: Learner, exact: Mapping[str, Results]) -> dict[str, Results]:
    """Return the exact results of a learner as the sides that it was trained for."""
    return {side: results for side, results in exact.items() if Side[side.upper()] in learner.trained_sides}


def by_opponent_text(game: Game, exact: Mapping[str, Results], *, losses_only: bool = False) -> "Text":
    """Return a table of exact results in per cent: a line for each opponent, then two lines on the quality of moves.

    Each side takes the columns that `by_opponent_width` says, or with `losses_only` the columns of `LOSS_WIDTH`.
    """
    from rich.text import Text  # as in `exact_text`

    sides = results_by_mark(game, exact)
    width = LOSS_WIDTH if losses_only else SIDE_WIDTH
    head = "% lost" if losses_only else "% against"
    text = Text(f"{head:<{NAME_WIDTH}}" + "".join(f"{f'as {mark}':>{width}}" for mark, _ in sides), "dim")
    if not losses_only:
        draw = "draw" if game.has_draws else ""
        text.append("\n" + " " * NAME_WIDTH + f"{'win':>5}{draw:>5}{'loss':>5}" * len(sides))
    for key, name in NAMES.items():
        text.append(f"\n{name:<{NAME_WIDTH}}")
        for _, results in sides:
            if losses_only:
                text.append(f"{_short_percent(results.against[key].loss):>{width}}", "not dim bold")
            else:
                _append_chances(text, results.against[key], draws=game.has_draws)
    quality = {
        "% perfect moves": [decimal_percent(results.perfect_moves) for _, results in sides],
        "losing moves" if losses_only else "losing moves possible": [
            count_text(round(results.losing_pairs)) for _, results in sides
        ],
    }
    for name, numbers in quality.items():
        text.append(f"\n{name:<{NAME_WIDTH + width - 5}}")
        text.append(f"{numbers[0]:>5}" + "".join(f"{number:>{width}}" for number in numbers[1:]), "not dim")
    return text


def by_opponent_width(sides: int) -> int:
    """Return the width in columns of `by_opponent_text` for a number of sides."""
    return NAME_WIDTH + SIDE_WIDTH * sides


def worst_case_text(game: Game, exact: Mapping[str, Results]) -> str:
    """Return a sentence about the losses to the best responder, a player that has read the memory of this one."""
    losses = [(mark, results.against["best_responder"].loss) for mark, results in results_by_mark(game, exact)]
    if not any(loss for _, loss in losses):
        return f"As {' or '.join(mark for mark, _ in losses)} it never loses, whoever it plays."
    (mark, loss), *others = losses
    also = "".join(f", as {other} {percent_text(share)}" for other, share in others)
    return f"As {mark} it loses {percent_text(loss)} of games to {READERS[0]}{also}."


def _short_percent(share: float) -> str:
    """Return a share in per cent, in at most four characters."""
    return decimal_percent(share).replace(">99.9", ">99")


def seeds_lines(game: Game, seeds: SeedResults) -> list[str]:
    """Return a table of the losses over several seeds: mean, standard deviation, smallest and largest."""
    if not seeds.has_several:
        return []
    head = ["games lost"]
    for side in Side:
        head += [f"as {game.mark(side)}:", "least", "most"]
    rows = [head]
    mean, deviation = seeds.mean, seeds.deviation
    for opponent, name in NAMES.items():
        cells = [name]
        for key in (side.name.lower() for side in Side):
            losses = [results[key].against[opponent].loss for results in seeds.each]
            spread = percent_text(deviation[key].against[opponent].loss)
            cells.append(f"{percent_text(mean[key].against[opponent].loss)} ± {spread}")
            cells += [percent_text(min(losses)), percent_text(max(losses))]
        rows.append(cells)
    never = ", ".join(f"as {game.mark(side)} with {seeds.count_unbeaten([side])}" for side in Side)
    return ["", *columns(rows, "<>>>>>>"), f"It never loses {never} of {len(seeds.each)} seeds"]


def untrained_lines(player: Player) -> list[str]:
    """Return a line for each side that a player can play, but was not trained for."""
    return [f"As {player.game.mark(side)}: untrained" for side in untrained_sides(player)]


class _Opponents(dict[str, Chances]):
    """The chances as one side, by opponent."""

    def __missing__(self, opponent: object) -> Chances:
        """Say which opponents there are. Raises `KeyError`."""
        raise KeyError(f"no opponent {quoted(str(opponent))}; there are {', '.join(self)}")


@dataclass(frozen=True, repr=False)
class ResultTable(Mapping[str, Mapping[str, Chances]]):
    """Exact chances by side and opponent: `table["first"]["random"].loss`.

    The opponents are `random`, `perfect`, `self`, and `best_responder`: the opponent that has read the player's memory,
    and makes it lose as often as possible. Chances are from 0 to 1, and have no sampling error.
    """

    game: Game
    results: Mapping[str, Results]
    """The results by side, with counts of decisions and of losing moves; see `engine.evaluate.Results`."""
    trained: Sequence[Side]
    """The sides that the player was trained for; on another side it plays as if untrained."""

    def __getitem__(self, side: str) -> Mapping[str, Chances]:
        """Return the chances as a side, by opponent. Both raise `KeyError` for any other name."""
        if side not in self.results:
            raise KeyError(f"no side {quoted(str(side))}; there are {', '.join(self.results)}")
        return _Opponents(self.results[side].against)

    def __iter__(self) -> Iterator[str]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    @property
    def never_loses(self) -> bool:
        """Whether no opponent can make the player lose, on any of its sides."""
        return all(results.against["best_responder"].loss == 0 for results in self.results.values())

    def to_dict(self) -> dict[str, dict[str, dict[str, float]]]:
        """Return plain dictionaries: `{"first": {"random": {"win": …, "draw": …, "loss": …}, …}, …}`."""
        return {side: {name: asdict(chances) for name, chances in self[side].items()} for side in self}

    def rows(self) -> list[tuple[str, str, float, float, float]]:
        """Return a row for each side and opponent: mark of the side, opponent, and chances to win, draw and lose."""
        return [
            (self.game.mark(Side[side.upper()]), name.replace("_", " "), each.win, each.draw, each.loss)
            for side in self
            for name, each in self[side].items()
        ]

    def __repr__(self) -> str:
        """Return the table in plain text, in per cent."""
        lines = [f"{'as':<4}{'against':<16}{'win':>8}{'draw':>8}{'loss':>8}"]
        lines += [
            f"{mark:<4}{name:<16}" + "".join(f"{100 * each:8.2f}" for each in row) for mark, name, *row in self.rows()
        ]
        return "\n".join([*lines, *self._untrained_lines()])

    def _untrained_lines(self) -> list[str]:
        return [
            f"as {self.game.mark(side)}: untrained"
            for side in Side
            if side.name.lower() in self and side not in self.trained
        ]

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{each}</th>" for each in ("as", "against", "win %", "draw %", "loss %"))
        body = "".join(
            f"<tr><td>{escape(mark)}</td><td>{escape(name)}</td>"
            + "".join(f"<td>{100 * each:.2f}</td>" for each in row)
            + "</tr>"
            for mark, name, *row in self.rows()
        )
        notes = "".join(f"<p>{escape(line)}</p>" for line in self._untrained_lines())
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}"
