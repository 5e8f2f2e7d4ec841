"""The solver of Connect Four and of other boards with gravity: an exact score for a position, and for each move.

score     1 + the pieces that the winner has left when it has won, negative if the side to move loses, 0 for a draw. On
          7 × 6, it is 22 minus the number of the winner's pieces; the start is 1
weak      only the sign of the score: 1 a win, 0 a draw, −1 a loss. It takes less time

Importing this module imports numba.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.connect_solver.book import Book
from engine.connect_solver.games import WordBoard, require_shape
from engine.connect_solver.search_kernel import (
    F_MOVES,
    LOWER,
    NODES,
    ROOT_OWN,
    ROOT_TAKEN,
    ROOT_TARGET,
    SLOTS,
    STATE_SIZE,
    TARGET,
    UPPER,
    begin,
    copy_entries,
    next_target,
    search,
)
from engine.game import Game, Move, Outcome, Position
from engine.stop import Stop, Stopped, never

TABLE_MEGABYTES: Final = 128
"""The usual size of the table."""
BUCKET: Final = 8 * SLOTS
"""The bytes of a bucket of the table."""
PAGE_BYTES: Final = 2**21
"""The bytes of a large page of memory: a search that reads all over a table waits less if it begins with one."""
NEAR_BITS: Final = 16
"""The binary logarithm of the number of buckets of the near table: it takes 2 megabytes, which the caches hold."""
NEAR_NODES: Final = 4_000_000
"""The number of nodes after which a search moves on from the near table, with its entries, to the large one."""
REST_BITS: Final = 43
"""The bits of an entry for the part of the key that does not follow from its place."""
SLICE_SECONDS: Final = 0.02
"""The seconds of a slice of a search, after which it looks whether it should stop."""
FIRST_NODES: Final = 5_000
"""The number of nodes of the first slice, when the pace of the search is not known yet."""
MAX_SLICE_NODES: Final = 200_000
"""The maximum number of nodes of a slice, since the measured pace may not last."""
TURN_NODES: Final = 50_000
"""The number of nodes that `Solver.find_best` searches after one move before it turns to another."""
PAUSE_SECONDS: Final = 0.001
"""The seconds that a thread waits if it finds nothing with which to help another thread."""

Int64 = NDArray[np.int64]
Search = tuple[Int64, Int64]
"""The state and the frames of a search: see `engine.connect_solver.search_kernel`. It can go on in slices."""


@dataclass(frozen=True)
class Solved:
    score: int
    nodes: int


class Solver:
    """Solves the positions of one game. The results of a search stay in the table for the next one."""

    threads = 2
    """How many threads share the work of `analyse` and `find_best`, and one table."""

    def __init__(self, game: Game, megabytes: int = TABLE_MEGABYTES, *, book: Book | None = None) -> None:
        """Make a table of at most `megabytes`. Raises `BadText` if the solver does not know such games.

        A board whose keys are long takes at least 32 megabytes. Positions in the `book` of this game are not searched.
        """
        self.shape = shape = require_shape(game)
        self.game, self.book = game, book
        self._lengths = shape.lengths
        key_bits = shape.columns * (shape.rows + 1)
        bits = (megabytes * 2**20 // BUCKET).bit_length() - 1
        self._bits = max(key_bits - REST_BITS, min(bits, key_bits))
        self._table = _make_table(self._bits)
        self._near_bits = max(key_bits - REST_BITS, min(NEAR_BITS, self._bits))
        self._near = _make_table(self._near_bits)
        self._begin, self._search, self._copy = (
            _check_types_once(begin),
            _check_types_once(search),
            _check_types_once(copy_entries),
        )

    def load(self) -> None:
        """Load the compiled code, which takes longer than an easy search: for measurements."""
        self._search(self._lengths, self._near, self._near_bits, *self._new_search(0, 0, weak=False), 1)
        self._copy(self._near, self._near_bits, self._table, self._bits)

    def forget(self) -> None:
        self._table[:] = 0
        self._near[:] = 0

    def solve(self, position: Position, *, weak: bool = False, threads: int = 1, stop: Stop = never) -> Solved:
        """Return the score of a position for the side to move, or with `weak` its sign. Raises `Stopped`."""
        state, frames = self._search_of(position, weak=weak)
        self._finish_all([(state, frames)], threads, stop, never)
        return _result(state, weak=weak)

    def solve_words(self, own: int, taken: int, *, stop: Stop = never) -> Solved:
        """Return the score of a position that nobody has won, given as the words of its pieces. Raises `Stopped`."""
        state, frames = self._new_search(own, taken, weak=False)
        self._finish(state, frames, stop, never)
        return _result(state, weak=False)

    def analyse(
        self, position: Position, *, weak: bool = False, stop: Stop = never, is_late: Stop = never
    ) -> dict[Move, Solved]:
        """Return the score of each legal move, for the side that makes it.

        Moves in the middle come first. Once `is_late()`, moves without a score are left out. Raises `Stopped`.
        """
        moves = self.game.moves(position)
        searches = {move: self._search_of(self.game.play(position, move), weak=weak) for move in moves}
        self._finish_all([searches[move] for move in self._middle_first(position)], self.threads, stop, is_late)
        results = dict[Move, Solved]()
        for move, (state, _) in searches.items():
            if state[LOWER] >= state[UPPER]:
                after = _result(state, weak=weak)
                results[move] = Solved(-after.score, after.nodes)
        return results

    def find_best(self, position: Position, *, stop: Stop = never) -> tuple[Move, int]:
        """Return one of the best moves, and its score, in less time than `analyse` takes. Raises `Stopped`.

        Once the score of the position is known, a move is best if the other side can get no more than its negative
        after the move. The moves are tested in turns, a slice each: the table answers for most, and some best move is
        quick to prove.
        """
        score = self.solve(position, threads=self.threads, stop=stop).score
        open_moves = deque[tuple[Move, Int64, Int64]]()
        for move in self._middle_first(position):
            state, frames = self._search_of(self.game.play(position, move), weak=False)
            if state[LOWER] < state[UPPER]:
                self._set_bounds(state, -score, 1 - score)
                self._continue(state, frames, FIRST_NODES)
            if state[LOWER] == state[UPPER] == -score:
                return move, score
            if state[LOWER] < state[UPPER]:
                open_moves.append((move, state, frames))
        return self._first_at_most(-score, open_moves, stop), score

    def _first_at_most(self, score: int, searches: deque[tuple[Move, Int64, Int64]], stop: Stop) -> Move:
        """Return the first move that is found to have this score after it, by threads that take turns at the moves."""
        best_moves, open_moves = list[Move](), {move for move, *_ in searches}

        def work(_: int) -> None:
            while open_moves and not best_moves and not is_ended():
                try:
                    move, state, frames = searches.popleft()
                except IndexError:  # the other threads have all open moves
                    time.sleep(PAUSE_SECONDS)
                    continue
                if not self._continue(state, frames, TURN_NODES):
                    searches.append((move, state, frames))
                elif state[LOWER] == score:
                    best_moves.append(move)
                else:
                    open_moves.remove(move)

        with ThreadPoolExecutor(self.threads) as pool, _end_with_caller(stop) as is_ended:
            list(pool.map(work, range(self.threads)))
        if best_moves:
            return best_moves[0]
        if open_moves:
            raise Stopped
        raise AssertionError(score)

    def _set_bounds(self, state: Int64, lower: int, upper: int) -> None:
        state[LOWER], state[UPPER] = lower, upper
        squares_left = self.shape.size - int(state[ROOT_TAKEN]).bit_count()
        state[TARGET] = state[ROOT_TARGET] = next_target(lower, upper, squares_left)

    def _middle_first(self, position: Position) -> list[Move]:
        def from_middle(move: Move) -> int:
            column = self.game.board.squares(position, move)[0] % self.shape.columns
            return abs(2 * column - self.shape.columns + 1)

        return sorted(self.game.moves(position), key=from_middle)

    def _search_of(self, position: Position, *, weak: bool) -> Search:
        own, taken = self.shape.words(position)
        state, frames = self._new_search(own, taken, weak=weak)
        if self.game.outcome(position) in (Outcome.FIRST_WINS, Outcome.SECOND_WINS):
            state[LOWER] = state[UPPER] = -((self.shape.size + 2 - taken.bit_count()) // 2)
        elif self.book is not None:
            _ask_book(self.book, own, taken, state)
        return state, frames

    def _new_search(self, own: int, taken: int, *, weak: bool) -> Search:
        """Return a new search of a position, without what a book knows about it."""
        state = np.zeros(STATE_SIZE, np.int64)
        self._begin(self._lengths, state, own, taken, int(weak))
        return state, np.empty((self.shape.size, F_MOVES + 3 * self.shape.columns), np.int64)

    def _continue(self, state: Int64, frames: Int64, nodes: int) -> bool:
        """Search at most `nodes` nodes; return whether the score is found."""
        if state[LOWER] < state[UPPER]:
            is_near = state[NODES] < NEAR_NODES
            table, bits = (self._near, self._near_bits) if is_near else (self._table, self._bits)
            self._search(self._lengths, table, bits, state, frames, nodes)
            if is_near and state[NODES] >= NEAR_NODES:
                self._copy(self._near, self._near_bits, self._table, self._bits)
        return bool(state[LOWER] >= state[UPPER])

    def _finish_all(self, searches: Sequence[Search], threads: int, stop: Stop, is_late: Stop) -> None:
        """Finish searches, as `_finish` does. A thread that finds none left to begin helps with one in progress."""
        unsolved = [each for each in searches if not self._continue(*each, FIRST_NODES)]
        if threads == 1 or not unsolved:
            for each in unsolved:
                self._finish(*each, stop, is_late)
            return
        waiting = iter(unsolved)
        with ThreadPoolExecutor(threads) as pool, _end_with_caller(stop) as is_ended:

            def work(_: int) -> None:
                for each in waiting:
                    self._finish(*each, is_ended, is_late)
                for state, _frames in unsolved:
                    self._help(state, lambda: is_ended() or is_late())

            list(pool.map(work, range(threads)))

    def _help(self, state: Int64, is_over: Stop) -> None:
        """Search the replies to a position that another thread searches, so that it finds them in the table.

        The replies that the other thread is likely to search last come first. With this help, it visits little more
        than half as many nodes.
        """
        own, taken = int(state[ROOT_OWN]), int(state[ROOT_TAKEN])

        def from_middle(reply: tuple[int, int]) -> int:
            return abs(2 * ((reply[1] ^ taken).bit_length() // (self.shape.rows + 1)) - self.shape.columns + 1)

        replies = sorted(WordBoard(self.shape).positions_after(own, taken), key=from_middle, reverse=True)
        while state[LOWER] < state[UPPER] and not is_over():
            target = state[ROOT_TARGET]
            for reply in replies:
                helper, frames = self._new_search(*reply, weak=False)
                if helper[LOWER] < helper[UPPER]:
                    self._set_bounds(helper, int(-target), int(1 - target))
                    helper[NODES] = state[NODES]
                while state[ROOT_TARGET] == target and not is_over():
                    if self._continue(helper, frames, FIRST_NODES):
                        break
            time.sleep(PAUSE_SECONDS)

    def _finish(self, state: Int64, frames: Int64, stop: Stop, is_late: Stop) -> None:
        """Search in slices, to the end, or until `is_late` is true. Raises `Stopped`."""
        nodes, before = FIRST_NODES, time.perf_counter()
        while not self._continue(state, frames, nodes):
            if stop():
                raise Stopped
            if is_late():
                return
            now = time.perf_counter()
            nodes = int(min(nodes * SLICE_SECONDS / (now - before), 2 * nodes, MAX_SLICE_NODES)) + 1
            before = now


def _make_table(bits: int) -> Int64:
    """Return an empty table that begins with a large page, so that no bucket lies in two lines of a cache."""
    words = np.zeros((SLOTS << bits) + PAGE_BYTES // 8, np.int64)
    first = -words.ctypes.data % PAGE_BYTES // 8
    return words[first : first + (SLOTS << bits)]


def _ask_book(book: Book, own: int, taken: int, state: Int64) -> None:
    """Set the bounds of a new search to the score in the book, or raise the lower one to that of the book.

    The lower bound of the book is often the score: the search first tests for a higher one.
    """
    score = book.score(own, taken)
    if score is not None:
        state[LOWER] = state[UPPER] = score
        return
    bound = book.lower_bound(own, taken)
    if bound is not None and state[LOWER] < bound:
        state[LOWER] = min(bound, state[UPPER])
        state[TARGET] = state[ROOT_TARGET] = bound + 1


def _check_types_once(kernel: Any) -> Callable[..., Any]:  # noqa: ANN401  a kernel, or the function itself without a compiler
    """Return a kernel that examines its types in its first call only, since that takes longer than an easy search."""
    is_compiled = False

    def call(*arguments: object) -> object:
        nonlocal is_compiled
        if is_compiled:
            return kernel.dispatcher(*arguments)
        result = kernel(*arguments)
        is_compiled = hasattr(kernel, "dispatcher")  # a plain function has none
        return result

    return call


def _result(state: Int64, *, weak: bool) -> Solved:
    score = int(state[LOWER])
    if weak:
        score = max(-1, min(score, 1))
    return Solved(score, int(state[NODES]))


@contextmanager
def _end_with_caller(stop: Stop) -> Iterator[Stop]:
    """Yield a `Stop` for threads, which also becomes true when the block raises an exception."""
    interrupted = Event()
    try:
        yield lambda: interrupted.is_set() or stop()
    except BaseException:
        interrupted.set()
        raise
