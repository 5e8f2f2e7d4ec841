"""The answers of an agent, as a policy with what is known about them."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.evaluate import Policy
from engine.game import Position, Side
from engine.space import Space
from lab.judging.asking.histories import HistoryTree
from lab.judging.notation.reply import Reply


@dataclass(frozen=True)
class IllegalMoves:
    position: Position
    moves: tuple[str, ...]
    """The moves, as the agent wrote them."""


@dataclass(frozen=True, eq=False)
class Answers:
    """The answers of an agent in the positions that it can meet, in a space with m edges."""

    policy: Policy
    """The probability of each edge, shape (m,); illegal moves and missing answers are resignations."""
    sides: tuple[Side, ...]
    asked: int
    """The number of positions, or of histories, in which the agent was asked."""
    illegal: tuple[IllegalMoves, ...]
    missing: tuple[Position, ...]
    counts: Mapping[int, NDArray[np.int64]]
    """For each position in which a sampled agent answered with a move, by its row: how often each of its edges was the
    answer; and, as the last number, how often the answer was illegal or missing. Empty for any other agent."""
    samples: int
    """The number of questions in each position in which the agent answered with one move."""
    fewest: int = 1
    """The smallest number of questions in one position: where a slow agent takes long, it is asked less often."""
    has_single_moves: bool = False
    """Whether an answer was one move."""
    histories: HistoryTree | None = None
    """The tree of histories, if the agent's answers depend on them; `policy` is then on this tree. Otherwise `None`."""
    is_certain: bool = True
    """Whether the agent gives probabilities, or neither draws random numbers nor reads a clock as far as is known; if
    not, equal answers prove less."""
    is_unexplained: bool = False
    """Whether the answers differ, although the agent draws no random numbers as far as is known."""
    has_read_clock: bool = False
    """Whether the answers differ, and the agent has read a clock."""
    is_compared: bool = True
    """Whether a copy that had been asked nothing before answered alike; false if there was no such copy."""
    total: int = 0
    """The number of all questions, but for those that compare the answers with a first state or in games."""
    changed_name: str = ""
    """The name of what the agent keeps and changed while asked, so that it was asked more often; else empty."""
    has_played: bool = False
    """Whether the agent was also asked in all games, in the order of their moves, and answered alike."""
    differing_position: Position | None = None
    """A position in which the answers of a sampled agent differed before it was asked more often."""
    is_seeded: bool = False
    """Whether the agent is random, and with the same random numbers answers alike after different orders of moves."""
    is_stopped: bool = False
    """Whether an interrupt kept the agent from being asked more often."""


class ReplyCollector:
    """Collects the replies of an agent in the positions of a space."""

    def __init__(self, space: Space) -> None:
        self.policy: Policy = np.zeros(len(space.move))
        """The probability of each edge so far, shape (m,) for m edges."""
        self.illegal = dict[Position, IllegalMoves]()
        self.missing = dict[Position, None]()
        self.asked = 0
        """The number of positions with a reply or without one."""
        self._space = space

    def add(self, row: int, reply: Reply | None) -> None:
        """Take the reply in the position of a row; `None` if the agent gave none."""
        position = int(self._space.position[row])
        self.asked += 1
        if reply is None:
            self.missing[position] = None
            return
        if reply.illegal:
            self.illegal[position] = IllegalMoves(position, reply.illegal)
        for edge in self._space.edges_from(row):
            self.policy[edge] = reply.chances.get(int(self._space.move[edge]), 0.0)
