"""How the machines of a race are judged: exactly, or by samples in a game that is too large for exact results.

Samples are fewer than those of `evaluate`, since each machine is judged at each mark. All machines meet the
same openings and the same known positions.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

import numpy as np

from engine.connect_solver.games import shape_of
from engine.evaluate import Policy
from engine.game import Game, Side
from engine.known_positions import known_positions
from engine.stop import Stop
from learners.core.learner import Learner
from learners.fixed import FixedPlayer
from learners.players.searcher import stoppable
from learners.race.measures import EXACT, MEASURES, Floats, Judging, Measure
from learners.race.sampling import Turn, judge_known, judge_late, play_samples

GAMES: Final = 25
"""The number of games against each opponent as each side."""
USUAL_BUDGET: Final = 50_000
USUAL_MACHINES: Final = 3
"""The default numbers of games and of machines: such a race of two entrants takes less than a minute on two cores."""
OPPONENTS: Final = ("alphabeta:2", "random")
LOST: Final = tuple(Measure(f"loss-{label}", f"lost against {label}", column) for column, label in enumerate(OPPONENTS))
WON: Final = tuple(
    Measure(f"win-{label}", f"won against {label}", column) for column, label in enumerate(OPPONENTS, len(LOST))
)
KNOWN: Final = tuple(
    Measure(f"kept-{what}", f"known {what} kept", column)
    for column, what in enumerate(("wins", "values"), len(LOST) + len(WON))
)
"""How often the move keeps the win in known won positions, and the value in all known positions."""
PLAYED: Final = Measure("kept-played", "played values kept", len(LOST) + len(WON) + len(KNOWN))
"""How often its moves in these games keep the value of the position."""
PLAYED_MOVES: Final = 20
"""Of how many moves in these games as each side, spread over the games; a machine that makes fewer has no share."""
SAMPLED_MEASURES: Final = (*LOST, *WON, *KNOWN, PLAYED)
"""The measures where results are sampled, the default first. The column of each is its index here."""
ALL_MEASURES: Final = (*MEASURES, *SAMPLED_MEASURES)
"""The measures of all games; some names occur twice."""


def judging_of(game: Game) -> Judging:
    return EXACT if game.learnable else _sampled(game)


@cache
def _sampled(game: Game) -> Judging:
    known = [
        [each for each in known_positions(game) if game.side(each.position) is side]  # most games have none
        for side in Side
    ]
    won = [[each for each in positions if each.value > 0] for positions in known]
    counts = {
        **dict.fromkeys((*LOST, *WON), (GAMES, GAMES)),
        **{
            measure: (len(first), len(second))
            for measure, (first, second) in zip(KNOWN, (won, known), strict=True)
            if first and second
        },
    }
    if shape_of(game) is not None:
        counts[PLAYED] = PLAYED_MOVES, PLAYED_MOVES
    return Judging(
        tuple(counts), len(SAMPLED_MEASURES), _judge, counts, usual_budget=USUAL_BUDGET, usual_machines=USUAL_MACHINES
    )


def _judge(machine: Learner, _: Callable[[], Policy], stop: Stop) -> Floats:
    player = stoppable(machine.player, stop) if isinstance(machine, FixedPlayer) else machine
    judged = np.full((len(Side), len(SAMPLED_MEASURES)), np.nan)
    sampled = play_samples(player, stop, opponents=OPPONENTS, games=GAMES)
    for side in Side:
        chances = [sampled.against[label][side] for label in OPPONENTS]
        shares = [each.loss for each in chances] + [each.win for each in chances]
        moves = judge_known(player, stop, (side,))
        shares += [] if moves is None else [moves.won.share, moves.kept.share]
        judged[side, : len(shares)] = shares
        if len(sampled.late[side]) >= PLAYED_MOVES:
            judged[side, PLAYED.column] = _played(player.game, sampled.late[side], stop)
    return judged


def _played(game: Game, turns: Sequence[Turn], stop: Stop) -> float:
    """Return how often moves that are spread over all games keep the value."""
    share = judge_late(game, [turns[at * len(turns) // PLAYED_MOVES] for at in range(PLAYED_MOVES)], stop)
    return share.share if share is not None else np.nan
