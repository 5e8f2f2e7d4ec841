"""Numbers that measure a policy for a chart, as one side or as the mean of both.

judged   the exact results of a policy, per side, float64 of shape (2, 16): see `learners.race.exact_kernel`; in a game
         that is too large for them, shares of samples, float64 of shape (2, columns): see `Judging`
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.connect_solver.games import shape_of
from engine.evaluate import OPPONENTS, Policy, perfect_policy
from engine.game import BadText, Game, Side, quoted
from engine.known_positions import known_positions
from engine.result_caches import cached_with_spaces
from engine.solve import edge_values, perfect_edges
from engine.space import Space
from engine.stop import Stop
from learners.core.kernel_tables import space_tables
from learners.core.learner import BOTH, Learner
from learners.fixed import FixedPlayer
from learners.players.searcher import stoppable
from learners.race.sampling import judge_known, judge_late, play_samples

Floats = NDArray[np.float64]

JUDGED: Final = (
    *((opponent, chance) for opponent in OPPONENTS for chance in ("win", "draw", "loss")),
    ("moves", "decisions"),
    ("moves", "perfect"),
    ("moves", "losing"),
    ("moves", "exploitability"),
)
"""The meaning of each column of `judged`: the opponent and which probability; for `moves`, which number about them."""
PERCENTILES: Final = (10, 50, 90)
"""The percentiles of a band: lower end, median, upper end."""


@dataclass(frozen=True)
class Measure:
    """One column of `judged`: a share, or a number of wins."""

    name: str
    """The name on the command line: `loss-random`."""
    title: str
    column: int

    @property
    def lower_is_better(self) -> bool:
        return self.name.startswith(("loss", "exploitability"))


MEMORY_READER: Final = "a player that has read its memory"
"""How the title of a measure calls the best responder."""


def _measure(opponent: str, chance: str) -> Measure:
    short = opponent.replace("_responder", "")
    title = {"best": MEMORY_READER, "self": "itself"}.get(short, short)
    verb = {"loss": "lost", "win": "won"}[chance]
    return Measure(f"{chance}-{short}", f"{verb} against {title}", JUDGED.index((opponent, chance)))


MEASURES: Final = (
    *(_measure(opponent, chance) for chance in ("loss", "win") for opponent in OPPONENTS),
    Measure("perfect-moves", "perfect moves", JUDGED.index(("moves", "perfect"))),
    Measure("exploitability", "exploitability", JUDGED.index(("moves", "exploitability"))),
)
"""The measures of a chart, the default first. The mean exploitability of both sides is half of NashConv."""


def parse_measure(name: str, measures: Sequence[Measure] = MEASURES) -> Measure:
    """Return the measure with this name, among `measures`. Raises `BadText`, which lists the names."""
    for measure in measures:
        if measure.name == name:
            return measure
    raise BadText(f"no measure {quoted(name)}; there are {', '.join(measure.name for measure in measures)}")


@cached_with_spaces()
def _cached_perfect_policy(space: Space) -> Policy:
    return perfect_policy(space)


def judge_policy(space: Space, policy: Policy) -> Floats:
    """Return the exact results of a policy of shape (m,): `judged`, shape (2, 16)."""
    from learners.race import exact_kernel  # imports numba, so it is imported only when needed

    values = exact_kernel.Values(_cached_perfect_policy(space), perfect_edges(space), edge_values(space))
    judged: Floats = exact_kernel.judge(policy, values, space_tables(space))
    return judged


@dataclass(frozen=True, eq=False)
class Judging:
    measures: tuple[Measure, ...]
    """The measures that are known of each machine, the default first."""
    columns: int
    """The number of numbers by which a machine is judged as each side."""
    judge: Callable[[Learner, Callable[[], Policy], Stop], Floats]
    """Returns the numbers of a machine, given a function for its policy; shape (2, columns). Raises `Stopped`."""
    trials: Mapping[Measure, tuple[int, int]] = field(default_factory=dict)
    """How many trials a share was sampled from as each side; empty if results are exact."""
    usual_budget: int = 1_000_000
    usual_machines: int = 20
    """The default numbers of games and of machines: with more, a race would take longer than a person waits."""

    def error(self, measure: Measure, side: Side | None, share: Floats) -> Floats:
        """Return the standard errors of shares as `side`, or of means of both sides; 0 if results are exact."""
        trials = self.trials.get(measure)
        if trials is None:
            return np.zeros_like(share)
        sides = BOTH if side is None else (side,)
        error: Floats = np.sqrt(share * (1 - share) * sum(1 / trials[each] for each in sides)) / len(sides)
        return error


EXACT: Final = Judging(MEASURES, len(JUDGED), lambda machine, policy, _: judge_policy(machine.space, policy()))
"""The judging by exact results: see `JUDGED`."""


def measure_shares(judged: Floats, measure: Measure, side: Side | None, plays: Collection[Side]) -> Floats:
    """Return the shares of a measure for many policies, `judged` of shape (…, 2, 16), as an array of shape (…).

    The measure is that of `side`; if it is `None`, the mean over the sides `plays`. NaN for a side that is not played.
    """
    shares = [judged[..., each, measure.column] for each in plays if side in (None, each)]
    if not shares:
        return np.full(judged.shape[:-2], np.nan)
    return sum(shares[1:], shares[0]) / len(shares)


def band(shares: Floats) -> Floats:
    """Return the `PERCENTILES` of each column without its NaNs, shape (3, columns); NaN for an empty column."""
    ordered = np.sort(shares, axis=0)  # NaNs at the end
    last = np.maximum(np.count_nonzero(~np.isnan(shares), axis=0) - 1, 0)
    place = np.multiply.outer(np.array(PERCENTILES) / 100, last)
    row = place.astype(np.intp)
    low = np.take_along_axis(ordered, row, axis=0)
    high = np.take_along_axis(ordered, np.minimum(row + 1, last), axis=0)
    percentiles: Floats = low + (high - low) * (place - row)
    return percentiles


SAMPLED_GAMES: Final = 25
"""The number of games against each opponent as each side."""
USUAL_BUDGET: Final = 50_000
USUAL_MACHINES: Final = 3
"""The default numbers of games and of machines: such a race of two entrants takes less than a minute on two cores."""
SAMPLED_OPPONENTS: Final = ("alphabeta:2", "random")
LOSS_MEASURES: Final = tuple(
    Measure(f"loss-{label}", f"lost against {label}", column) for column, label in enumerate(SAMPLED_OPPONENTS)
)
WIN_MEASURES: Final = tuple(
    Measure(f"win-{label}", f"won against {label}", column)
    for column, label in enumerate(SAMPLED_OPPONENTS, len(LOSS_MEASURES))
)
KNOWN_MEASURES: Final = tuple(
    Measure(f"kept-{what}", f"known {what} kept", column)
    for column, what in enumerate(("wins", "values"), len(LOSS_MEASURES) + len(WIN_MEASURES))
)
"""The measures in known positions: how often moves keep a win, and how often they keep the value."""
PLAYED_MEASURE: Final = Measure(
    "kept-played", "played values kept", len(LOSS_MEASURES) + len(WIN_MEASURES) + len(KNOWN_MEASURES)
)
"""How often a player's moves in sampled games keep the value of the position."""
PLAYED_MOVES: Final = 20
"""The number of moves in sampled games, as each side, that are judged; a machine that makes fewer has no share."""
SAMPLED_MEASURES: Final = (*LOSS_MEASURES, *WIN_MEASURES, *KNOWN_MEASURES, PLAYED_MEASURE)
"""The measures where results are sampled, the default first. The column of each is its index here."""
ALL_MEASURES: Final = (*MEASURES, *SAMPLED_MEASURES)
"""The measures of all games; some names occur twice."""


def judging_of(game: Game) -> Judging:
    return EXACT if game.learnable else _sampled_judging(game)


@cache
def _sampled_judging(game: Game) -> Judging:
    positions = known_positions(game)  # most games have none
    known, won = Counter[Side](), Counter[Side]()
    for each in positions:
        side = game.side(each.position)
        known[side] += 1
        won[side] += each.value > 0
    trials = dict.fromkeys((*LOSS_MEASURES, *WIN_MEASURES), (SAMPLED_GAMES, SAMPLED_GAMES))
    for measure, counts in zip(KNOWN_MEASURES, (won, known), strict=True):
        if all(counts[side] for side in Side):
            trials[measure] = counts[Side.FIRST], counts[Side.SECOND]
    if shape_of(game) is not None:
        trials[PLAYED_MEASURE] = PLAYED_MOVES, PLAYED_MOVES
    return Judging(
        tuple(trials), len(SAMPLED_MEASURES), _judge, trials, usual_budget=USUAL_BUDGET, usual_machines=USUAL_MACHINES
    )


def _judge(machine: Learner, _: Callable[[], Policy], stop: Stop) -> Floats:
    player = stoppable(machine.player, stop) if isinstance(machine, FixedPlayer) else machine
    judged = np.full((len(Side), len(SAMPLED_MEASURES)), np.nan)
    sampled = play_samples(player, stop, opponents=SAMPLED_OPPONENTS, games=SAMPLED_GAMES)
    for side in Side:
        chances = [sampled.against[label][side] for label in SAMPLED_OPPONENTS]
        shares = [each.loss for each in chances] + [each.win for each in chances]
        moves = judge_known(player, stop, (side,))
        if moves is not None:
            shares += [moves.won.share, moves.kept.share]
        judged[side, : len(shares)] = shares
        late_turns = sampled.late_turns[side]
        if len(late_turns) >= PLAYED_MOVES:
            spread_turns = [late_turns[number * len(late_turns) // PLAYED_MOVES] for number in range(PLAYED_MOVES)]
            kept = judge_late(player.game, spread_turns, stop)
            if kept is not None:
                judged[side, PLAYED_MEASURE.column] = kept.share
    return judged
