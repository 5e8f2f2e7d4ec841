"""Agents as people write them are recognised: each plays perfectly if, and only if, it is shown the board rightly."""

import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from itertools import product
from operator import xor
from pathlib import Path
from queue import SimpleQueue
from time import process_time
from types import SimpleNamespace

import numpy as np
import pytest

from engine.game import BadText, Position, Side
from engine.games import GAMES, parse_game
from lab.judging.agents import python_agent
from lab.judging.agents.form_trials import TRIALS, trials_of
from lab.judging.agents.form_tries import TRIAL_SECONDS
from lab.judging.agents.python_agent import IGNORES, ONE_SIDE, game_document, local_agent
from lab.judging.agents.recognition import Recogniser
from lab.judging.asking.ask_all import ask_all
from lab.judging.child import asked_object
from lab.judging.child.asked_object import AskedObject
from lab.judging.child.time_limit import Expired
from lab.judging.judge import judge
from lab.judging.notation.reply import USUAL_READING, Numbers, Reading, Reply

GAME = GAMES[0]
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


@pytest.fixture(autouse=True, scope="module")
def _fewer_proofs() -> Iterator[None]:
    """Perfect play is proved in some of the late positions, and answers are asked for less often."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lab.judging.agents.recognition.PROOF_TRIALS", 100)
        patch.setattr("lab.judging.asking.ask_all.PROBES", 2)
        patch.setattr("lab.judging.asking.ask_again.SECONDS", 0.1)
        yield


@lru_cache(None)
def worth(mine: frozenset[int], theirs: frozenset[int]) -> tuple[int, int]:
    """The worth for the side to move, and its first best square."""
    if any(theirs.issuperset(line) for line in LINES):
        return -1, -1
    free = [square for square in range(9) if square not in mine | theirs]
    return max(((-worth(theirs, mine | {square})[0], -square) for square in free), default=(0, 0))


def best(mine: Iterable[int], theirs: Iterable[int]) -> int:
    return -worth(frozenset(mine), frozenset(theirs))[1]


def where(cells: Sequence[object], value: object) -> list[int]:
    found = [index for index, cell in enumerate(cells) if cell == value and isinstance(cell, type(value))]
    assert len(found) < 6
    return found


def turn(cells: list[str]) -> str:
    return "X" if cells.count("X") == cells.count("O") else "O"


def by_letters(cells: list[str], empty: str | None) -> int:
    assert all(cell in ("X", "O") or cell == empty for cell in cells)
    own = turn(cells)
    return best(where(cells, own), where(cells, "O" if own == "X" else "X"))


def cs50(board):
    flat = [cell for row in board for cell in row]
    return divmod(by_letters(flat, None), 3)


def spaces(board, letter):
    assert set(board) <= {" ", "X", "O"}
    assert len(board) == 9
    return best(where(board, letter), where(board, "O" if letter == "X" else "X"))


def from_one(board, letter):
    assert board[1:].count(" ") + board[1:].count("X") + board[1:].count("O") == 9
    cells = board[1:]
    return best(where(cells, letter), where(cells, "O" if letter == "X" else "X")) + 1


def plus_minus(board, player):
    flat = np.asarray(board).ravel().tolist()
    return best(where(flat, player), where(flat, -player))


def scored(board, player):
    """As most programs of minimax: the score, and the move."""
    cells = [cell or " " for row in board for cell in row]
    square = spaces(cells, player)
    return square % 3 - 1, divmod(square, 3)


def named(newBoard, player):  # noqa: N803  as in a well-known article
    """Empty squares have their numbers; the answer has names."""
    assert all(cell in ("X", "O") or (cell is not True and cell == index) for index, cell in enumerate(newBoard))
    other = "X" if player == "O" else "O"
    return {"score": -10, "index": best(where(newBoard, player), where(newBoard, other))}


def zug(brett, spieler):
    return spaces(brett, spieler)


@lru_cache(None)
def table_by_bytes():
    """A perfect move for each board, by its bytes as an array of np.int8."""
    found = {}
    for cells in product((0, 1, -1), repeat=9):
        own = 1 if cells.count(1) == cells.count(-1) else -1
        if cells.count(1) - cells.count(-1) in (0, 1) and 0 in cells:
            found[np.array(cells, np.int8).tobytes()] = best(where(cells, own), where(cells, -own))
    return found


def hashed(board):
    """It plays the last empty square where its table has no move."""
    usual = int(np.flatnonzero(np.ravel(board) == 0)[-1])
    return table_by_bytes().get(np.asarray(board).tobytes(), usual)


def o_first(board, letter):
    other = "X" if letter == "O" else "O"
    assert len(where(board, letter)) == len(where(board, other)) - (letter == "X")
    return best(where(board, letter), where(board, other))


def for_o_if_even(board):
    """As in games in which O moves first, but without a check."""
    pieces = [where(board, "O"), where(board, "X")]
    return best(*(pieces if len(pieces[0]) == len(pieces[1]) else reversed(pieces)))


def rows_as_key(board):
    frozenset({board})  # it must be a tuple
    flat = [cell for row in board for cell in row]
    own = 1 if flat.count(1) == flat.count(2) else 2
    return divmod(best(where(flat, own), where(flat, 3 - own)), 3)


def x_y(board):
    row, column = cs50(board)
    return column, row


def column_and_row(board):
    row, column = cs50(board)
    return f"{column} {row}"


def spreadsheet(board):
    row, column = cs50(board)
    return f"{'ABC'[column]}{row + 1}"


class Found:
    def __init__(self, square) -> None:
        self.row, self.col = square


def found(board):
    return Found(cs50(board))


def to_the_end(state, depth, player):
    """As the best-known program of minimax: row, column and score, searched to a depth that is left."""
    flat = [cell for row in state for cell in row]
    assert flat.count(0) == depth
    return [*divmod(best(where(flat, player), where(flat, -player)), 3), 0]


def wrapped(ask):
    def wrapper(*arguments):
        return ask(*arguments)

    return wrapper


def own_array(state):
    assert state.shape == (3, 3)
    flat = state.ravel().tolist()
    return divmod(best(where(flat, 1), where(flat, -1)), 3)


def text(board):
    return by_letters(list(board), "-")


def array_of_texts(board):
    """A list of rows holds no text: there it takes every board for a full one."""
    flat = [board[row][column] for row, column in product(range(3), repeat=2)]
    return divmod(by_letters(flat, " ") if " " in board else flat.index(" "), 3)


def kaggle(observation, configuration):
    assert configuration.inarow == 3
    cells = observation.board
    return best(where(cells, observation.mark), where(cells, 3 - observation["mark"]))


def after(board):
    flat = [cell for row in board for cell in row]
    square = by_letters(flat, None)
    board[square // 3][square % 3] = turn(flat)
    return board


def writes(board, player):
    board[best(where(board, player), where(board, 3 - player))] = player


class Model:
    """As a model of stable-baselines3."""

    def predict(self, observation, state=None, episode_start=None, deterministic=False):
        assert deterministic
        assert observation.shape == (3, 3, 2)
        return np.array(best(*(np.flatnonzero(observation[..., plane].ravel()).tolist() for plane in (0, 1)))), None


class Zoo:
    def act(self, observation, action_mask):
        move = best(*(np.flatnonzero(observation[..., plane].ravel()).tolist() for plane in (0, 1)))
        assert action_mask[move]
        return np.int64(move)


class Remembers:
    """Keeps its own record of the game, and trusts it."""

    def __init__(self) -> None:
        self.reset()

    def reset(self):
        self.mine = []

    def get_action(self, board, player):
        cells = list(board)
        assert set(cells) <= {0, 1, 2}
        move = best(self.mine, [each for each in where(cells, 3 - player) if each not in self.mine])
        self.mine.append(move)
        return move


class Table:
    """Looks its move up by a board of numpy.zeros as a text, and plays the last move where it finds none."""

    def chooseAction(self, positions, currentBoard, symbol):  # noqa: N802, N803  as public programs have it
        numbers = currentBoard.ravel().tolist()
        known = str(np.array(numbers, float)) == str(currentBoard.reshape(9)) and {*numbers} <= {-1, 0, 1}
        return (
            divmod(best(where(numbers, float(symbol)), where(numbers, -float(symbol))), 3) if known else positions[-1]
        )


class Learned(Remembers):
    """Made by its side."""

    def __init__(self, player) -> None:
        super().__init__()
        self.player = player

    def get_action(self, board, player):
        assert player == self.player
        return super().get_action(board, player)


class Restarts:
    def reset(self):
        self.asked = 0

    def pick_move(self, board):
        self.asked += 1
        return by_letters(list(board), None)


def chances(board, side, moves):
    assert moves
    square = best(where(board, side), where(board, 3 - side))
    return [float(each == square) for each in range(9)]


def values(board, side, moves):
    square = best(where(board, side), where(board, 3 - side))
    return {move: 2.5 if move == square else -1.5 for move in moves}


def values_for_first(board, side, moves):
    return {move: value * (1 if side == 1 else -1) for move, value in values(board, side, moves).items()}


def values_for_second(board, side, moves):
    return {move: value * (1 if side == 2 else -1) for move, value in values(board, side, moves).items()}


def values_for_next(board, side, moves):
    return {move: -value for move, value in values(board, side, moves).items()}


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("agent", "form"),
    [
        (cs50, "function(board), lists, none"),
        (spaces, "function(board, side), list, space"),
        (from_one, "function(board, side), ten, space"),
        (plus_minus, "function(board, side), lists, plus-minus"),
        (o_first, "function(board, side), list, space, o-first"),
        (for_o_if_even, "function(board), list, none, o-first"),
        (rows_as_key, "function(board), tuples, 012"),
        (x_y, "function(board), lists, none, x-y"),
        (column_and_row, "function(board), lists, none, x-y"),
        (spreadsheet, "function(board), lists, none, from-top"),
        (found, "function(board), lists, none"),
        (to_the_end, "function(board, depth, side), lists, plus-minus, move-score"),
        (wrapped(plus_minus), "function(board, side), lists, plus-minus"),
        (own_array, "function(board), array, own"),
        (text, "function(board), list, dash"),  # a list will do as well
        (kaggle, "Kaggle, function(board, config)"),
        (after, "function(board), lists, none"),
        (writes, "function(board, side), list, 012"),
        (Model(), "predict(board), array, planes"),
        (Zoo, "act(board, mask), array, planes"),
        (Remembers(), "get_action(board, side), list, 012, reset()"),
        (Learned, "get_action(board, side), list, 012, reset()"),
        (Table(), "chooseAction(moves, board, side), array-float, plus-minus"),
        (Restarts(), "pick_move(board), list, none, reset()"),
        (chances, "function(board, side, moves), tuple, 012"),
        (scored, "function(board, side), score-move"),
        (named, "function(board, side), list, index"),
        (zug, "function(board, side), list, space"),
        (hashed, "function(board), array-int8, plus-minus"),
        (array_of_texts, "function(board), array, space"),
    ],
    ids=lambda each: getattr(each, "__name__", type(each).__name__),
)
def test_an_agent_is_recognised_and_judged_as_it_is(agent: object, form: str):
    table_by_bytes()  # before the time limits of trials count
    asked = local_agent(agent, GAME)
    verdict = judge(GAME, ask_all(GAME, asked))
    assert verdict.optimal == {Side.FIRST: True, Side.SECOND: True}, asked.form
    either = {"dash", "space"} if agent in (text, spaces, o_first) else set()
    if agent is text:  # it takes anything that can be read in order; a trial may be late on a busy machine
        either |= {"list", "tuple"}
    assert {*form.split(", ")[1:]} <= {*asked.form.split(", ")} | either


class State:
    """A position as the best-known program for Sutton and Barto's book has it."""

    def __init__(self, data=None) -> None:
        self.data = np.zeros((3, 3)) if data is None else data

    def next_state(self, row, column, symbol):
        after = State(self.data.copy())
        after.data[row, column] = symbol
        return after


class Shown:
    """It is shown states, and chooses among the best moves, or by the order of the moves."""

    def __init__(self, symbol, *, ordered=False) -> None:
        self.symbol, self.ordered = symbol, ordered
        self.reset()

    def reset(self):
        self.states = []

    def set_state(self, state):
        self.states.append(state)

    def set_symbol(self, symbol):
        self.symbol = symbol

    def act(self):
        flat = self.states[-1].data.ravel().tolist()
        mine, theirs = where(flat, float(self.symbol)), where(flat, -float(self.symbol))
        worths = {
            square: -worth(frozenset(theirs), frozenset([*mine, square]))[0] for square in range(9) if flat[square] == 0
        }
        moves = [square for square, each in worths.items() if each == max(worths.values())]
        last = self.ordered and len(self.states) == 5 and self.states[2].data[0, 0] == 0
        return [*divmod(moves[-1] if last else random.choice(moves), 3), self.symbol]


@pytest.mark.sample(1)
@pytest.mark.parametrize("symbol", [1, -1])
def test_a_random_agent_that_is_shown_states_is_asked_by_positions_as_the_side_of_its_symbol(symbol: int):
    agent = local_agent(Shown(symbol), GAME)
    (side,) = agent.sides
    assert agent.form == "set_state(state), act()"
    assert side is (Side.FIRST if symbol == 1 else Side.SECOND)
    answers = ask_all(GAME, agent, agent.sides, samples=5)
    assert answers.is_seeded
    assert judge(GAME, answers).optimal == {side: None}
    with pytest.raises(BadText, match="plays only as"):
        agent(GAME.start if symbol == -1 else GAME.from_text("X../.../... O"))


def test_a_random_agent_that_depends_on_the_order_of_the_moves_is_refused():
    agent = local_agent(Shown(1, ordered=True), GAME)
    with pytest.raises(BadText, match="random, and may also depend on the order"):
        ask_all(GAME, agent, agent.sides)
    with pytest.raises(BadText, match="plays no side yet"):
        local_agent(Shown(0), GAME)


def lowest_first(board, piece):
    """Play the first column whose lowest free square, from row 0 up, is in the lowest row that has one."""
    assert set(board.ravel().tolist()) <= {0, 1, 2}
    heights = [[*board[:, column]].index(0) for column in range(4) if board[2, column] == 0]
    columns = [column for column in range(4) if board[2, column] == 0]
    own = [int((board[:, column] == piece).sum()) for column in columns]
    return columns[min(range(len(columns)), key=lambda index: (heights[index], own[index]))]


def nearest_lists(board, token, columns):
    """Play the last of the columns that are given."""
    assert all(board[0][column] == " " for column in columns)
    assert token in ("x", "o")
    return columns[-1] + 1


def test_where_pieces_fall_the_lowest_row_may_be_shown_first_and_moves_are_columns():
    game = parse_game("mnk:4,3,3+gravity")
    position = game.from_text("X.../OX../XOO. X")
    assert local_agent(lowest_first, game, form="array-up 012 x-first")(position) == Reply({11: 1.0}, single=True)
    told = local_agent(nearest_lists, game, form="lists space-lower x-first from-1")
    assert told(position) == Reply({11: 1.0}, single=True)


class Falling:
    """A game of an agent's own in which pieces fall: a list for each column, from the bottom up."""

    def __init__(self) -> None:
        self.columns, self.turn = [[0] * 3 for _ in range(4)], 1

    def drop_piece(self, col):
        column = self.columns[col - 1]
        column[column.index(0)] = self.turn
        self.turn = -self.turn

    def get_best_move(self, depth=4):
        """Play beside the last column whose lowest piece is its own; else in the first one."""
        own = [index for index, column in enumerate(self.columns) if column[0] == self.turn]
        return next((index + 1 for index in [*own[::-1], *range(4)] if 0 in self.columns[index]), depth)


def test_a_game_of_its_own_may_be_one_in_which_pieces_fall(monkeypatch: pytest.MonkeyPatch):
    game = parse_game("mnk:4,3,3+gravity")
    monkeypatch.setitem(python_agent.sys.modules, Falling.__module__, SimpleNamespace(Falling=Falling))
    agent = local_agent(Falling, game, form="game")
    assert agent.form == "get_best_move(), game, turns, from-1"
    for text, column in (("..../..../.... X", 0), ("..../OX../XOXO X", 2), ("..../OX../XOX. O", 1)):
        (move,) = agent(game.from_text(text)).chances
        assert move % 4 == column


def test_that_an_agent_does_not_read_the_pieces_is_said():
    assert IGNORES.format(40) in local_agent(lambda board: list(board).index(0), GAME, form="list 012").notes
    assert not local_agent(cs50, GAME).notes


def test_values_are_played_greedily_if_that_is_said():
    verdict = judge(GAME, ask_all(GAME, local_agent(values, GAME, Reading(Numbers.VALUES))))
    assert all(verdict.optimal.values())
    with pytest.raises(BadText, match="add --values"):
        ask_all(GAME, local_agent(values, GAME))


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("seen", "word"),
    [(values_for_first, "after-first"), (values_for_second, "after-second"), (values_for_next, "after-next")],
)
def test_an_object_whose_values_may_not_be_the_movers_is_refused_until_a_word_says_whose_they_are(seen, word):
    told, reading = "tuple 012", Reading(Numbers.VALUES)
    with pytest.raises(BadText, match=f"--as {word}, or --as after-mover"):
        local_agent(seen, GAME, reading, told)
    found = local_agent(seen, GAME, reading, f"{told} {word}")
    assert word in found.form
    assert all(judge(GAME, ask_all(GAME, found)).optimal.values())
    assert word not in local_agent(seen, GAME, reading, f"{told} after-mover").form


def test_an_object_that_could_be_shown_the_board_in_two_ways_is_refused_or_told():
    def blind(board):  # plays the first free square, or next to a 1 if there is one
        cells = list(board)
        free = [index for index in range(9) if cells[index] == 0]
        return free[-1] if cells.count(1) > cells.count(-1) else free[0]

    with pytest.raises(BadText, match="--as"):
        local_agent(blind, GAME, form="list")
    told = local_agent(blind, GAME, form="list own")
    assert "own" in told.form


@pytest.mark.sample(1)
@pytest.mark.parametrize("agent", [for_o_if_even, cs50], ids=["o first", "x first"])
def test_an_agent_that_errs_is_asked_for_the_side_that_moves_first_in_its_games(agent):
    def errs(board):
        flat = [*board]
        move = agent([flat[:3], flat[3:6], flat[6:]]) if agent is cs50 else agent(flat)
        square = move[0] * 3 + move[1] if agent is cs50 else move
        free = [index for index in range(9) if flat[index] not in ("X", "O")]
        return free[0] if sum(where(flat, "X")) % 3 == 0 else square

    with pytest.raises(BadText, match=r"--as 'list, .*(x-first', or --as '.*o-first'|o-first', or --as '.*x-first')"):
        local_agent(errs, GAME, form="list")
    assert "o-first" not in local_agent(errs, GAME, form="list none x-first").form
    assert "o-first" in local_agent(errs, GAME, form="list none o-first").form


def blocks(board):
    """Block; else win; else play the first free square. In its games O moves first."""
    own, other = ("O", "X") if board.count("X") == board.count("O") else ("X", "O")
    free = [square for square in range(9) if board[square] == " "]
    for piece in (other, own):
        lines = [line for line in LINES if sum(board[square] == piece for square in line) == 2]
        found = [square for square in free if any(square in line for line in lines)]
        if found:
            return found[0]
    return free[0]


def opens(board):
    """Play the first free square, but answer an O in the centre by the last one."""
    free = [square for square in range(9) if board[square] == " "]
    return free[-1] if board[4] == "O" and len(free) == 8 else free[0]


@pytest.mark.sample(1)
@pytest.mark.parametrize("agent", [blocks, opens])
def test_a_weak_agent_that_either_convention_explains_is_refused(agent):
    with pytest.raises(BadText, match=r"x-first', or --as '.*o-first'|o-first', or --as '.*x-first'"):
        local_agent(agent, GAME, form="list")


def test_a_weak_agent_that_is_told_its_side_is_recognised_by_where_it_wins_and_blocks():
    def rules(board, piece):
        free = [square for square in range(9) if board[square] == 0]
        lines = [line for own in (piece, 3 - piece) for line in LINES if [board[each] for each in line].count(own) == 2]
        return next((square for line in lines for square in line if square in free), free[0])

    assert local_agent(rules, GAME).form == "function(board, side), list, 012"


def test_a_function_with_the_parameters_that_are_promised_is_asked_with_them_and_no_other_is():
    def promised(board, side, moves):
        return moves[-1] if board[moves[0] - 1] == side else moves[0]

    def other(board, letter, free):
        if isinstance(letter, int):  # as an agent of letters that finds no letters
            return free[0]
        return best(where(board, letter), where(board, "O" if letter == "X" else "X"))

    assert local_agent(promised, GAME).form == "function(board, side, moves), tuple, 012"
    agent = local_agent(other, GAME, form="list")
    assert all(judge(GAME, ask_all(GAME, agent)).optimal.values()), agent.form


def for_o(board):
    """Always play for O."""
    return spaces(board, "O")


def only_o(board):
    """Write an O at the first free square."""
    board[board.index(" ")] = "O"


def only_second(board):
    assert board.count("X") == board.count("O") + 1
    return spaces(board, "O")


@pytest.mark.sample(1)
@pytest.mark.parametrize("agent", [for_o, only_o, only_second])
def test_an_agent_that_always_plays_the_same_side_is_judged_as_that_side(agent):
    asked = local_agent(agent, GAME, form="list")
    assert asked.sides == (Side.SECOND,)
    note = ONE_SIDE.format("O", "X") if agent is for_o else "it is judged as O alone"
    assert any(note in each for each in asked.notes)
    loses = judge(GAME, ask_all(GAME, asked, asked.sides)).scores["second"].against["best_responder"].loss
    assert loses == (agent is only_o)


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["connectfour", "mnk:5,5,4+gravity"])
def test_an_agent_that_always_has_one_sides_pieces_in_a_large_game_is_refused(name: str):
    game = parse_game(name)
    rows, columns = game.board.rows, game.board.columns
    ways = [[(n * down, n * right) for n in range(4)] for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))]
    lines = [
        [(row + down, column + right) for down, right in way]
        for row, column, way in product(range(rows), range(columns), ways)
    ]

    def for_o(board):
        """Win as O, else block X, else take the column that is nearest to the middle."""
        pieces = {at: board[at[0]][at[1]] for at in product(range(rows), range(columns))}
        heights = {column: sum(not pieces[row, column] for row in range(rows)) for column in range(columns)}
        free = {column: (height - 1, column) for column, height in heights.items() if height}
        for piece, (column, here) in product((2, 1), free.items()):
            if any(here in line and all(pieces.get(at) == piece for at in line if at != here) for line in lines):
                return column
        return min(free, key=lambda column: abs(column - 3))

    with pytest.raises(BadText, match=r"--as 'lists, 012, [xo]-first', or .* if it plays one side, add --side"):
        local_agent(for_o, game, form="lists 012")


def errs_from(ply):
    """Return a perfect agent that may play a square that is taken once so many are."""

    def choose(board: list[int]):
        first, second = where(board, 1), where(board, 2)
        mine, theirs = (first, second) if len(first) == len(second) else (second, first)
        return 0 if len(first + second) >= ply and board[0] and board[4] else best(mine, theirs)

    return choose


def test_an_agent_that_raises_as_one_side_in_some_positions_plays_both_sides():
    def choose(board: list[int]):
        assert board.count(0) != 3 or board[8], "no move"
        return errs_from(9)(board)

    agent = local_agent(choose, GAME, form="list")
    assert agent.sides == tuple(Side)
    assert any("As X it fails in " in note and note.endswith("add --side") for note in agent.notes)


def test_an_agent_with_illegal_moves_late_in_the_game_plays_both_sides():
    agent = local_agent(errs_from(7), GAME, form="list")
    answers = ask_all(GAME, agent, agent.sides)
    assert answers.sides == (Side.FIRST, Side.SECOND)
    assert {GAME.side(each.position) for each in answers.illegal} == {*Side}
    assert any("As O it answers '0' in " in note and note.endswith("add --side") for note in agent.notes)


def test_an_agent_with_illegal_moves_as_both_sides_is_refused_with_words_by_which_it_is_judged():
    with pytest.raises(BadText, match=r"it answers '0' in .*\n.*add --as 'list, .*count as losses"):
        local_agent(errs_from(6), GAME, form="list")
    answers = ask_all(GAME, local_agent(errs_from(6), GAME, form="list, 012, x-first"))
    assert answers.illegal
    with pytest.raises(BadText, match="no form fits"):
        local_agent(lambda board: "nothing", GAME, form="list, 012, x-first")  # noqa: ARG005  a name is read


@pytest.mark.parametrize("fault", ["illegal", "raises"])
def test_a_function_with_the_parameters_that_are_promised_is_asked_with_them_where_it_fails(fault):
    def choose(board, side, moves):
        if side == 1 and len(moves) == 3 and 8 in moves:  # never, if it is shown an O for each X
            assert fault == "illegal", "no move"
            return board.index(1)
        return best(where(board, side), where(board, 3 - side))

    agent = local_agent(choose, GAME)
    assert (agent.form, agent.sides) == ("function(board, side, moves), tuple, 012", tuple(Side))
    if fault == "raises":
        with pytest.raises(BadText, match="no move"):
            ask_all(GAME, agent)
    else:
        assert len(ask_all(GAME, agent).illegal) > 10


@pytest.mark.parametrize("sides", [tuple(Side), (Side.SECOND,)])
@pytest.mark.parametrize("error", [ValueError("my mistake"), IndexError])
def test_an_error_of_a_function_with_the_promised_parameters_is_told_though_another_form_avoids_it(error, sides):
    def choose(board, side, moves):  # noqa: ARG001  names are read
        if side == 2:  # in other forms, its side is another value
            raise error
        return moves[0]

    with pytest.raises(BadText, match=r"(?s)^choose fails in .* O: .*Error.*\nAs X .*--side X.*--as$") as refused:
        local_agent(choose, GAME, sides=sides)
    assert len(str(refused.value).splitlines()) == 2
    assert local_agent(choose, GAME, sides=(Side.FIRST,)).form == "function(board, side, moves), tuple, 012"


def test_an_error_that_a_function_raises_in_few_positions_is_told_when_it_is_asked_there():
    def choose(board, side, moves):  # noqa: ARG001  a name is read
        assert len(moves) != 2 or board[8], "my mistake"
        return moves[0]

    agent = local_agent(choose, GAME)
    assert agent.form == "function(board, side, moves), tuple, 012"
    with pytest.raises(BadText, match="my mistake"):
        ask_all(GAME, agent)


def test_three_short_names_promise_the_board_the_side_and_the_moves():
    agent = local_agent(lambda b, s, m: best(where(b, s), where(b, 3 - s)) if m else None, GAME)
    assert agent.form == "function(board, side, moves), tuple, 012"
    assert all(judge(GAME, ask_all(GAME, agent)).optimal.values())
    with pytest.raises(BadText, match="not all are known"):
        local_agent(lambda x, b: x or b, GAME)


def test_a_refused_form_is_told_all_words_of_the_others():
    with pytest.raises(
        BadText, match=r"cannot be asked as 'nonsense'\n.*: lists, none, .* own, own12, .*o-first, x-first, .*x-y"
    ):
        local_agent(spaces, GAME, form="nonsense")
    with pytest.raises(BadText, match=r"cannot be asked as 'list, planes'"):
        local_agent(spaces, GAME, form="list, planes")


def test_other_objects_of_a_class_are_named_only_if_a_text_names_the_class(monkeypatch):
    class First:
        def act(self, board):
            return list(board).index(0)

    module = SimpleNamespace(First=First, instance=First(), __name__="agents")
    monkeypatch.setitem(python_agent.sys.modules, First.__module__, module)
    made = "An object of First is judged, made without arguments"
    assert made in local_agent(First, GAME, form="list").notes
    assert f"{made}; agents has also instance" in local_agent(First, GAME, form="list", module=module).notes


class Board:
    """A game of an agent's own, which does not know whose turn it is."""

    def __init__(self, size=3) -> None:
        self.grid = [[None] * size for _ in range(size)]

    def place(self, row, col, symbol):
        assert self.grid[row][col] is None
        self.grid[row][col] = symbol

    def free(self):
        return [(row, column) for row in range(3) for column in range(3) if self.grid[row][column] is None]


class Turns(Board):
    """One that does, and chooses moves itself."""

    def __init__(self, first="X") -> None:
        super().__init__()
        self.turn, self.last = first, None

    def make_move(self, square):
        self.place(*divmod(square - 1, 3), self.turn)
        self.turn = "O" if self.turn == "X" else "X"

    def get_best_move(self):
        return by_letters([each for row in self.grid for each in row], None) + 1


class Columns(Board):
    """One in which x is the column."""

    def place(self, x, y, symbol):
        super().place(y, x, symbol)


class Remembered(Turns):
    """One that knows the last move: whoever looks at it may depend on the order of the moves."""

    def make_move(self, square):
        super().make_move(square)
        self.last = square


class Players(Board):
    """One with players, as easyAI has it: it knows whose turn it is only if a move is played, and not just made."""

    def __init__(self, players) -> None:
        super().__init__()
        self.players, self.current_player = players, 1

    def make_move(self, square):
        self.place(*divmod(square - 1, 3), self.current_player)

    def play_move(self, square):
        self.make_move(square)
        self.current_player = 3 - self.current_player


class AsksMove:
    def ask_move(self, game):
        cells = [each for row in game.grid for each in row]
        return best(where(cells, game.current_player), where(cells, 3 - game.current_player)) + 1


class Placed:
    """A state that is not changed, but followed by another one."""

    def __init__(self, board=(0,) * 9, current_player=1) -> None:
        self.board, self.current_player = tuple(board), current_player

    def generate_successor(self, move):
        assert self.board[move] == 0
        return type(self)([*self.board[:move], self.current_player, *self.board[move + 1 :]], -self.current_player)


class Sided:
    """Made by its side."""

    def __init__(self, symbol, opponent_symbol) -> None:
        self.symbol, self.other = symbol, opponent_symbol


class Looks(Sided):
    def get_move(self, board):
        cells = [each for row in board.grid for each in row]
        return divmod(best(where(cells, self.symbol), where(cells, self.other)), 3)


class Lists(Sided):
    def __init__(self, size, ai="O", human="X", empty_symbol=None) -> None:
        assert (size, empty_symbol) == (3, None)
        super().__init__(ai, human)

    def get_best_move(self, board):
        return best(where(board, self.symbol), where(board, self.other))


class Held:
    """Made by the game that it looks at."""

    def __init__(self, game) -> None:
        self.game = game

    def get_move(self):
        return self.game.get_best_move()


def of_state(state):
    mine, theirs = (where(state.board, each) for each in (state.current_player, -state.current_player))
    return best(mine, theirs)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("agent", "classes", "form"),
    [
        (Looks, [Board], "get_move(board), game, space"),
        (Looks, [Columns], "get_move(board), game, space"),
        (Lists, [], "get_best_move(board), list, none"),
        (Held, [Turns], "get_move(), game, turns, from-1"),
        (Held, [Remembered], "get_move(), game, turns, from-1"),
        (Turns, [Turns], "get_best_move(), game, turns, from-1"),
        (of_state, [Placed], "function(board), game, turns"),
        (AsksMove(), [Players], "ask_move(board), game, turns, from-1"),
    ],
)
def test_an_object_is_made_by_its_side_or_by_a_game_of_its_own_code_that_was_played(agent, classes, form, monkeypatch):
    known = SimpleNamespace(**{each.__name__: each for each in (SimpleQueue, *classes)})
    monkeypatch.setitem(python_agent.sys.modules, agent.__module__, known)
    asked = local_agent(agent, GAME)
    alike = asked.form.replace("list, space", "list, none")  # a trial may be late on a busy machine
    assert (alike, asked.by_history) == (form, Remembered in classes)
    assert IGNORES.format(TRIALS) not in asked.notes
    assert judge(GAME, ask_all(GAME, asked)).optimal == {Side.FIRST: True, Side.SECOND: True}


@pytest.mark.long
def test_an_agent_with_generators_of_its_own_is_sampled_if_it_is_made_by_its_side():
    class Explores(Lists):
        def __init__(self, ai) -> None:
            super().__init__(3, ai, "O" if ai == "X" else "X")
            self.inner = SimpleNamespace(random=random.Random(1))

        def get_best_move(self, board):
            if self.inner.random.random() < 1e-9:
                return board.index(" ")
            return super().get_best_move(board)

    assert judge(GAME, ask_all(GAME, local_agent(Explores, GAME), samples=10)).optimal[Side.FIRST] is None


@pytest.mark.long
def test_an_object_that_takes_long_to_be_made_has_more_time():
    class Loads(Lists):
        def __init__(self, ai) -> None:
            super().__init__(3, ai, "O" if ai == "X" else "X")
            until = process_time() + 3 * TRIAL_SECONDS[0]
            while process_time() < until:
                pass

    assert local_agent(Loads, GAME).form.startswith("get_best_move(board), list")


@pytest.mark.sample(1)
@pytest.mark.parametrize("shape", ["lists", "arrays"])
def test_a_form_in_which_an_agent_looks_for_pieces_that_it_does_not_have_is_none(shape: str):
    def blocks_first(board, player):
        other = 2 if player == 1 else 1
        flat = [each for row in board for each in row] if shape == "lists" else np.ravel(board).tolist()
        for piece in (other, player):
            for line in LINES:
                cells = [flat[each] for each in line]
                if cells.count(piece) == 2 and cells.count(0) == 1:
                    return divmod(line[cells.index(0)], 3)
        return divmod(flat.index(0), 3)

    if shape == "lists":
        assert local_agent(blocks_first, GAME).form == "function(board, side), lists, 012"
    else:
        with pytest.raises(BadText, match="--as"):
            local_agent(blocks_first, GAME)


class Needs:
    def __init__(self, argument) -> None:
        self.argument = argument


def searches(depth, alpha, beta, maximizing):
    return depth + alpha + beta + maximizing


def sucht(brett, tiefe):
    return spaces(brett, "XO"[tiefe])


async def waits(board):
    return board[0]


def test_a_letter_is_no_word_of_a_form_that_has_it():
    with pytest.raises(BadText, match="cannot be asked as 'O'"):
        local_agent(spaces, GAME, form="O")


def test_an_agent_that_waits_is_refused():
    with pytest.raises(BadText, match="async"):
        ask_all(GAME, local_agent(waits, GAME))


@pytest.mark.parametrize("agent", [SimpleNamespace(), 3, searches, Needs, sucht])
def test_what_cannot_be_asked_is_refused_with_a_reason(agent: object):
    with pytest.raises(BadText):
        local_agent(agent, GAME)


def test_the_end_of_a_trial_is_told_at_whatever_moment_its_time_is_over():
    asked = AskedObject("slow", lambda board: board[0], SimpleNamespace(), game_document(GAME))
    question = {"text": GAME.to_text(GAME.start), "seconds": 1e-6, "board": ["."] * 9, "history": []}
    found = [asked.try_form(form, question) for form in asked.profile.forms for _ in range(50)]
    assert all("failed" in each or "answers" in each for each in found)
    assert any(each.get("late") for each in found)


@pytest.mark.parametrize("side", Side)
def test_trials_are_positions_of_the_sides_that_are_judged(side: Side):
    trials = trials_of(GAME, (side,))
    assert {GAME.side(trial.position) for trial in trials} == {side}
    assert sum(not trial.early for trial in trials) == TRIALS


@pytest.mark.parametrize("slow", [0, 1])
def test_a_form_that_is_late_at_first_is_asked_again_though_others_fit(slow: int):
    right = {trial.position: min(trial.perfect, default=None) for trial in trials_of(GAME)}

    def attempt(form: int, position: Position, seconds: float) -> dict[str, object]:
        if form == slow and seconds == TRIAL_SECONDS[0]:
            return {"failed": "no answer in time", "late": True}
        moves = GAME.moves(position)
        return {"answers": [moves[0] if form != slow or right[position] is None else right[position]]}

    assert Recogniser(("list, dot, x-first", "list, space, x-first"), attempt, GAME, [USUAL_READING]).find() == (
        slow,
        USUAL_READING,
    )


@pytest.mark.parametrize("hangs", ["^.{4}.X", "O$"], ids=["in some positions", "as a side"])
def test_a_function_with_the_promised_parameters_that_hangs_somewhere_is_asked_by_them(hangs: str):
    def attempt(form: int, position: Position, _seconds: float) -> dict[str, object]:
        if form == 0 and re.search(hangs, GAME.to_text(position)):
            return {"failed": "no answer in time", "late": True}
        return {"answers": [GAME.moves(position)[0]]}

    forms = ("function(board, side, moves), tuple, 012", "function(board, side, moves), text, 012")
    assert Recogniser(forms, attempt, GAME, [USUAL_READING], promised=0).find() == (0, USUAL_READING)


def nim_taken(piles: list[int]) -> tuple[int, int]:
    """The heap and the number of stones that leave a nim sum of 0, if any do; else one stone."""
    total = reduce(xor, piles)
    found = [(heap, stones - (stones ^ total)) for heap, stones in enumerate(piles) if stones ^ total < stones]
    return found[0] if found else (piles.index(max(piles)), 1)


def nim_left(state: list[int]) -> list[int]:
    heap, number = nim_taken(state)
    return [stones - number * (index == heap) for index, stones in enumerate(state)]


def nim_changed(heaps: list[int]) -> None:
    heaps[:] = nim_left(heaps)


@pytest.mark.parametrize("choose", [nim_taken, nim_left, nim_changed])
def test_heaps_of_nim_are_numbers_of_stones(choose: Callable[[list[int]], object]):
    game = parse_game("nim:1,2,4")
    agent = local_agent(choose, game)
    assert "heaps" in agent.form
    assert judge(game, ask_all(game, agent)).optimal == {Side.FIRST: True, Side.SECOND: True}


def test_an_agent_of_heaps_answers_with_a_heap_and_may_not_take_more_stones_than_there_are():
    game = parse_game("nim:2,3")
    agent = local_agent(lambda state: (0, 9) if sum(state) == 5 else nim_taken(state), game)
    with pytest.raises(BadText, match="no form fits"):
        local_agent(lambda state: (0, sum(state) + 1), game)
    assert [each.position for each in ask_all(game, agent, [Side.FIRST]).illegal] == [game.start]
    assert "heaps" not in local_agent(lambda board: board.index(1), game).form


def test_a_game_may_be_a_class_in_a_module_beside_from_which_something_else_is_imported(tmp_path: Path):
    (tmp_path / "ttt_board.py").write_text(
        "class Board:\n"
        "    def __init__(self, cells=(0,) * 9):\n"
        "        self.cells = cells\n"
        "    def free(self):\n"
        "        return [index for index in range(9) if not self.cells[index]]\n"
        "    def play_move(self, index):\n"
        "        turn = -1 if len(self.free()) % 2 == 0 else 1\n"
        "        return Board((*self.cells[:index], turn, *self.cells[index + 1 :]))\n"
        "def first_free(board):\n"
        "    return board.free()[0]\n"
    )
    (tmp_path / "agent.py").write_text(
        "from ttt_board import first_free\ndef choose(board): return first_free(board)\n"
    )
    with python_agent.python_agent(f"{tmp_path}/agent.py:choose", GAME) as agent:
        assert agent.form == "function(board), game, turns"
        assert agent(GAME.from_text("XO./.../... X")) == Reply({2: 1.0}, single=True)


def test_an_agent_that_blocks_before_it_wins_is_not_taken_for_the_other_side_since_it_is_lucky_in_the_trials():
    def choose(board: list[str]) -> int:
        free = where(board, " ")
        for piece in "OX":  # it plays X
            for square in free:
                if any({square, *where(board, piece)}.issuperset(line) and square in line for line in LINES):
                    return square
        return random.choice(free)

    with pytest.raises(BadText, match="o-first"):
        local_agent(choose, GAME, form="list")


@pytest.mark.parametrize("took", [0.03, 0.15])
def test_a_slow_agent_is_asked_in_fewer_positions(monkeypatch: pytest.MonkeyPatch, took: float):
    asked = 0

    def slow(seconds: float, _wait: float, call: Callable[[], dict[str, object]]) -> tuple[dict[str, object], float]:
        nonlocal asked
        asked += 1
        if seconds < took:
            raise Expired
        return call(), took

    def choose(board: list[list[int]], player: int) -> tuple[int, int]:
        cells = [int(cell) for row in board for cell in row]
        assert {*cells} <= {0, 1, 2}
        return divmod(best(where(cells, player), where(cells, 3 - player)), 3)

    monkeypatch.setattr(asked_object, "call_within", slow)
    assert local_agent(choose, GAME).form == "function(board, side), lists, 012"
    assert asked < 1000
    monkeypatch.setattr(python_agent, "RECOGNITION_SECONDS", 0.0)
    with pytest.raises(BadText, match="is slow"):
        local_agent(choose, GAME)
