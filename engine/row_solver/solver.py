"""Who wins an m,n,k-game without gravity: win, draw or loss of a position, also where no space can hold the game.

Importing this module imports numba.
"""

import time
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.connect_solver.solver import FIRST_NODES, MAX_SLICE_NODES, SLICE_SECONDS, Solved
from engine.game import Move, Position, Side
from engine.grid_game import GridGame
from engine.row_solver.row_kernel import ATTACKER, ATTACKS, DEFENDER, F_MOVES, NODES, RESULT, SLOTS, STATE_SIZE, attack
from engine.solve import OUTCOME_VALUE
from engine.stop import Stop, Stopped, never

ENTRY: Final = 24
"""The bytes of an entry of the table."""


class RowSolver:
    """Solves the positions of one game. It keeps its results in a table for each side as the attacker."""

    def __init__(self, rows: GridGame, megabytes: int) -> None:
        """Make tables of at most `megabytes`, for a game that `rows_of` returns."""
        self.game, self._size, self._length = rows, rows.size, rows.in_a_row
        self._lines = np.array(rows.lines, np.int64)
        lines_through = [
            [number for number, line in enumerate(rows.lines) if line >> square & 1] for square in range(rows.size)
        ]
        self._through = np.zeros((rows.size, 1 + max(map(len, lines_through))), np.int64)
        """The number of lines through each square, and then their indices, shape (squares, 1 + the largest number)."""
        for square, numbers in enumerate(lines_through):
            self._through[square, : 1 + len(numbers)] = len(numbers), *numbers
        self._symmetries = np.array(rows.symmetries, np.int64)
        buckets = 1 << max(0, (megabytes * 2**20 // (2 * ENTRY * SLOTS)).bit_length() - 1)
        self._tables = [np.zeros((SLOTS * buckets, 3), np.int64) for _ in range(2)]

    def load(self) -> None:
        """Load the compiled code, which takes longer than an easy search: for measurements."""
        self._continue(self._tables[0], *self._new_search(0, 0, 1), 1)

    def solve(self, position: Position, *, weak: bool = True, stop: Stop = never) -> Solved:
        """Return 1 if the side to move wins, 0 for a draw, -1 if it loses, and the nodes. Raises `Stopped`.

        `weak` changes nothing: a score is no more than this sign.
        """
        outcome, side = self.game.outcome(position), int(self.game.side(position))
        if outcome is not None:
            value = OUTCOME_VALUE[outcome]
            return Solved(value if side == Side.FIRST else -value, 0)
        full = (1 << self._size) - 1
        pieces = position & full, position >> self._size & full
        wins, win_nodes = self._attack(pieces[side], pieces[1 - side], self._tables[side], 1, stop)
        if wins:
            return Solved(1, win_nodes)
        loses, loss_nodes = self._attack(pieces[1 - side], pieces[side], self._tables[1 - side], 0, stop)
        return Solved(-loses, win_nodes + loss_nodes)

    def analyse(
        self, position: Position, *, weak: bool = True, stop: Stop = never, is_late: Stop = never
    ) -> dict[Move, Solved]:
        """Return the result of `solve` after each legal move, for the side that makes it; the middle comes first.

        Once `is_late()`, moves without a result yet are left out. Raises `Stopped`.
        """
        results = dict[Move, Solved]()
        for move in self._middle_first(position):
            try:
                after = self.solve(self.game.play(position, move), stop=lambda: stop() or is_late())
            except Stopped:
                if stop():
                    raise
                break
            results[move] = Solved(-after.score, after.nodes)
        return results

    def find_best(self, position: Position, *, stop: Stop = never) -> tuple[Move, int]:
        """Return one of the best moves, and its score. Raises `Stopped`."""
        score = self.solve(position, stop=stop).score
        for move in self._middle_first(position):
            if self.solve(self.game.play(position, move), stop=stop).score == -score:
                return move, score
        raise AssertionError(position)

    def _middle_first(self, position: Position) -> list[Move]:
        """Return the legal moves; those through whose squares most lines pass come first."""
        squares = {move: self.game.board.squares(position, move)[0] for move in self.game.moves(position)}
        return sorted(squares, key=lambda move: -self._through[squares[move], 0])

    def _attack(self, attacker: int, defender: int, table: NDArray[np.int64], turn: int, stop: Stop) -> tuple[int, int]:
        """Return 1 if the attacker wins, else 0, and the nodes; if `turn` is 1, the attacker is to move."""
        state, frames = self._new_search(attacker, defender, turn)
        budget = FIRST_NODES
        while state[RESULT] < 0:
            start = time.perf_counter()
            self._continue(table, state, frames, budget)
            if stop():
                raise Stopped
            seconds = time.perf_counter() - start
            budget = int(min(budget * SLICE_SECONDS / seconds, MAX_SLICE_NODES)) + 1
        return int(state[RESULT]), int(state[NODES])

    def _new_search(self, attacker: int, defender: int, turn: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        state = np.zeros(STATE_SIZE, np.int64)
        state[ATTACKER], state[DEFENDER], state[ATTACKS], state[RESULT] = attacker, defender, turn, -1
        return state, np.empty((self._size + 1, F_MOVES + self._size), np.int64)

    def _continue(
        self, table: NDArray[np.int64], state: NDArray[np.int64], frames: NDArray[np.int64], nodes: int
    ) -> None:
        attack(self._lines, self._through, self._symmetries, table, state, frames, self._length, nodes)
