"""Ask an agent in every position that it can meet.

A table, a player of this program, and an agent that answers with probabilities are asked once in each position. An
agent that answers with a move is asked `PROBES` times in each position, and then again in some of them. If its answers
differ anywhere, or if it draws random numbers, it is a *sampled* agent: randomness is a property of the agent, not of a
position. A sampled agent is asked `MOST_SAMPLES` times in each position, or fewer if measurements say that this takes
too long: see `lab.judging.asking.rounds`.

An agent that is shown the moves before a position may answer differently after two orders of the same moves. It is
asked after every order. If its answers depend on the order, they are kept on the tree of histories.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from engine.game import BadText, Game, Side
from engine.spaces import space_of
from lab.judging.asking.again import Differ, compare_sample
from lab.judging.asking.agent import Agent, Ask, Report, agent_of
from lab.judging.asking.answers import Answers
from lab.judging.asking.in_games import compare_in_games
from lab.judging.asking.orders import ask_histories, check_orders
from lab.judging.asking.positions import ask_positions
from lab.judging.asking.rounds import Rounds

PROBES: Final = 10
"""An agent counts as one that always gives the same answer once it has done so this many times in each position."""
MAX_SAMPLES: Final = 100_000
"""The maximum number of questions in each position that can be asked for."""
SAMPLED_GAMES: Final = 100
"""The number of games against each opponent as each side, in a game that is too large for exact results."""
NOT_FIXED: Final = "its answers differ, or depend on the order of the moves: only a fixed strategy can be certified"


def ask_all(  # noqa: PLR0913  each has a default
    game: Game,
    agent: Agent | Ask,
    sides: Sequence[Side] = tuple(Side),
    samples: int | None = None,
    report: Report = lambda _: None,
    *,
    everywhere: bool = False,
    fixed: bool = False,
) -> Answers:
    """Ask an agent in each position that it can meet as each of `sides`. Raises `AgentFailed`, `TooLarge`.

    `samples` is how often an agent that answers with one move is asked in each position; the module says the default.
    With `everywhere`, the agent is also asked in positions that its own moves avoid. `report` is called before each
    question. Raises `BadText` if the agent is random and may also depend on the order of moves, since the two could not
    be told apart; and if it must be `fixed`, as soon as two answers differ. `KeyboardInterrupt` ends the questions; if
    a sampled agent was asked at least twice everywhere by then, its answers so far are returned.
    """
    agent = agent if isinstance(agent, Agent) else agent_of(agent)
    if agent.by_history:
        try:
            return ask_histories(game, agent, sides, report)
        except Differ:
            if fixed:
                raise BadText(NOT_FIXED) from None
            check_orders(game, agent, sides, report)
            answers = ask_all(game, replace(agent, by_history=False), sides, samples, report, everywhere=everywhere)
            return replace(answers, seeded=True)
    space = space_of(game)
    ask = partial(ask_positions, space, agent, sides, report=report, everywhere=everywhere)
    if agent.is_certain:
        return ask(samples=1)
    try:
        return ask(samples=samples or PROBES, until_differ=True)
    except Differ as found:
        if fixed:
            raise BadText(NOT_FIXED) from None
        differed = found.position
    answers = replace(Rounds(agent, samples, report).answers(partial(ask, is_sampled=True)), differed=differed)
    if answers.stopped:
        return replace(answers, compared=False)
    counts = {int(space.position[row]): count for row, count in answers.counts.items()}
    compared = compare_sample(game, agent, counts)
    if compared and counts:
        compare_in_games(game, agent, counts, report)
    return replace(answers, compared=compared)
