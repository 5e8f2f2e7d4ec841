"""What positions and moves of a file mean is found for the whole file, or the file is refused."""

import csv
import gzip
import io
import json
import pickle
import re
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.evaluate import perfect_policy, results
from engine.game import BadText, Position, Side
from engine.games import GAMES, parse_game
from engine.solve import edge_values, values
from engine.space import RUNNING
from engine.spaces import space_of
from lab.judging.agents.python_agent import python_agent
from lab.judging.asking.ask_all import ask_all
from lab.judging.files.policy_file import read_policy
from lab.judging.files.tables import has_table
from lab.judging.judge import judge
from lab.judging.notation.reply import USUAL_READING, Numbers, Reading, Reply
from tests.positions import running

GAME = GAMES[0]
SPACE = space_of(GAME)
VALUES = Reading(Numbers.VALUES)
PERFECT = perfect_policy(SPACE)
FIRST = {position: next(edge for edge in SPACE.edges(position) if PERFECT[edge] > 0) for position in running(GAME)}
WHOLE = {position: int(SPACE.move[edge]) for position, edge in FIRST.items()}
"""A perfect policy."""
MET = dict[Position, Reply]()
"""The positions that it meets as either side."""
ask_all(GAME, lambda position: MET.setdefault(position, Reply({WHOLE[position]: 1.0})))
MOVES = {each: move for number, (each, move) in enumerate(WHOLE.items()) if each in MET or number % 20 == 0}
"""Its moves there, and in some of the other positions: whole files take four times as long to read."""
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


File = Callable[..., Path]


@pytest.fixture
def file(tmp_path: Path) -> File:
    """A function that writes a file as its name says, and returns its path."""

    def write(content: Any, name: str = "p.json") -> Path:  # noqa: ANN401  any JSON, pickle or array
        path = tmp_path / name
        if path.suffix in (".pkl", ".pickle", ""):
            path.write_bytes(pickle.dumps(content))
        elif path.suffix == ".npy":
            np.save(path, content)
        elif path.suffix == ".npz":
            np.savez(path, **content)
        elif path.suffix == ".jsonl":
            path.write_text("\n".join(map(json.dumps, content)))
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    return write


@cache
def pieces_of(position: Position) -> list[int]:
    return [0 if piece is None else GAME.board.pieces.index(piece) + 1 for piece in GAME.board.cells(position)]


def cells(position: Position, codes: Sequence[Any], *, own: bool = False) -> list[Any]:
    pieces = pieces_of(position)
    if own and GAME.side(position) is Side.SECOND:
        pieces = [{1: 2, 2: 1}.get(piece, piece) for piece in pieces]
    return [codes[piece] for piece in pieces]


def board(position: Position) -> str:
    return "".join(cells(position, "-XO"))


def bits(position: Position, side: int) -> int:
    return sum((cell == side + 1) << square for square, cell in enumerate(cells(position, (0, 1, 2))))


def packed(position: Position, *, little: bool, signed: bool = False) -> int:
    digits = cells(position, (1, 2, 0) if signed else (0, 1, 2))
    return sum(digit * 3**place for place, digit in enumerate(digits if little else reversed(digits)))


def is_perfect(path: Path, reading: Reading = USUAL_READING, form: str | None = None) -> str:
    read = read_policy(path, GAME, reading, form)
    verdict = judge(GAME, ask_all(GAME, read.replies.get))
    assert all(verdict.optimal.values()), read.convention
    return read.convention


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("codes", "own", "first", "words"),
    [
        ((0, 1, 2), False, 0, "X or 1 moves first; squares from 0: this explains all"),
        ((0, 1, -1), False, 1, "X or 1 moves first; squares from 1"),
        ((0, 1, -1), True, 0, "1 or X is the side to move; squares from 0"),
        ((0, 1, 2), True, 1, "1 or X is the side to move; squares from 1"),
        ((0, 2, 1), False, 0, "O, 2 or −1 moves first; squares from 0"),
        (("-", "O", "X"), False, 1, "O, 2 or −1 moves first; squares from 1"),
    ],
)
def test_a_whole_policy_tells_its_convention(
    file: File, codes: tuple[Any, Any, Any], own: bool, first: int, words: str
):
    rows = {str(cells(position, codes, own=own)): move + first for position, move in MOVES.items()}
    assert words in is_perfect(file(rows))


@pytest.mark.parametrize(
    ("text", "form", "move"),
    [
        ('{"---------": 4, "O--------": 4}', None, None),
        ('{"000000000": 4, "200000000": 4}', None, None),
        ('{"---------": 4, "O--------": 4}', "from-0", 4),
        ('{"---------": 5, "O--------": 9}', None, 4),
        ('{"000000000": 0, "200000000": 4}', None, 0),
        ('{"---------": 4}', None, None),
        ('{"---------": 4}', "from-1", 3),
        ('{"---------": "b2"}', None, 4),
        ('{"---------": {"(1, 1)": 0.2, "(2, 2)": 0.9}}', None, None),
        ('{"---------": 0, "X--------": 9}', None, None),
    ],
)
def test_what_two_conventions_explain_is_refused_with_an_example_of_each(
    file: File, text: str, form: str | None, move: int | None
):
    path = file(text)
    reading = VALUES if "0.9" in text else Reading()
    if move is None:
        with pytest.raises(BadText, match=r"conventions? explains? all of its rows: '.*': .*; or '.*': ") as refusal:
            read_policy(path, GAME, reading, form)
        assert "--as" in str(refusal.value)
    else:
        read = read_policy(path, GAME, reading, form)
        assert list(read.replies[GAME.start].chances) == [move]


def test_a_table_of_the_first_side_that_blocks_before_it_wins_is_refused_since_misread_it_wins_before_it_blocks(
    file: File,
):
    boards = ["".join(cells(each, ("-", "O", "X"))) for each in MOVES if not GAME.side(each)]
    for rows in ({board: blocking("X", "O", board) for board in each} for each in (boards, boards[::60])):
        path = file(rows)
        with pytest.raises(BadText, match="two conventions explain all of its rows"):
            read_policy(path, GAME)
        assert len(read_policy(path, GAME, form="o-first").replies) == len(rows)


def test_positions_that_are_just_those_that_the_agent_meets_tell_the_convention(file: File):
    rows, queue = {}, [GAME.start]
    while queue:
        position = queue.pop()
        rows[board(position)] = move = blocking("O", "X", board(position))
        answers = GAME.successors(GAME.play(position, move))
        queue += [after for _, after, outcome in answers if outcome is None]
    assert "X or 1 moves first" in read_policy(file(rows), GAME).convention


def test_a_row_that_a_program_has_written_by_mistake_tells_no_convention(file: File):
    """It moves first, and its pieces are −1; but once it was asked when it had won, after one more move."""
    rows = {
        str(cells(position, (0, -1, 1))): move for position, move in MOVES.items() if GAME.side(position) is Side.FIRST
    }
    assert all(reply is not None for reply in read_policy(file(rows), GAME, form="o-first").replies.values())
    with pytest.raises(BadText, match=r"explains nearly all of its rows: 'X or 1 .*; or 'O, 2 or −1 moves first"):
        read_policy(file({**rows, str([1, 1, 0, -1, -1, -1, 1, 0, 0]): 8}), GAME)


def weak(position: Position) -> int:
    """Return a move that may lose, in a third of the positions the first one."""
    return GAME.moves(position)[0] if position % 3 == 0 else WHOLE[position]


def test_of_two_ways_to_read_pieces_the_usual_one_need_not_play_perfectly_and_the_other_may_not(file: File):
    read = read_policy(file({str(cells(each, (0, 1, 2))): weak(each) for each in WHOLE}), GAME)
    assert "X or 1 moves first" in read.convention
    assert read.replies.keys() == WHOLE.keys()
    of_the_other = {str(cells(each, (0, 1, 2))): move for each, move in MOVES.items() if GAME.side(each)}
    of_the_other |= {str(cells(each, (0, 2, 1))): move for each, move in MOVES.items() if not GAME.side(each)}
    with pytest.raises(BadText, match="Say which: --as x-first or --as yours"):
        read_policy(file(of_the_other), GAME)


@pytest.mark.sample(3)
@pytest.mark.parametrize("columns", [("obs", "act"), ("position", "move"), ("state", "(0, 0)")])
@pytest.mark.parametrize(("encoding", "between"), [("utf-16", "\t"), ("utf-8-sig", ";"), ("utf-8", ",")])
def test_columns_are_told_by_what_stands_between_them_in_every_line(
    tmp_path: Path, columns: tuple[str, str], encoding: str, between: str
):
    path, file = tmp_path / "p.csv", io.StringIO()
    written = csv.writer(file, delimiter=between)
    wide = columns[1] == "(0, 0)"
    written.writerow([columns[0], *(str(divmod(square, 3)) for square in range(9))] if wide else columns)
    for position, move in MOVES.items():
        numbers = [int(square == move) for square in range(9)]
        written.writerow([cells(position, (" ", "X", "O")), *(numbers if wide else [divmod(move, 3)])])
    path.write_bytes(file.getvalue().encode(encoding))
    assert "squares from 0: this explains all" in is_perfect(path)


def test_rows_between_strokes_are_our_own_text_only_with_the_side_to_move(file: File):
    boards = {}
    for position, move in MOVES.items():
        text = "".join(cells(position, (".", "O", "X")))
        boards["/".join((text[:3], text[3:6], text[6:]))] = move
    with pytest.raises(BadText, match="Say which: --as x-first or --as o-first"):
        read_policy(file({board: move for board, move in boards.items() if board.count("X") == board.count("O")}), GAME)
    assert "O, 2 or −1 moves first" in is_perfect(file(boards), form="o-first")


def test_pieces_of_nobody_are_no_sides_pieces(file: File):
    game = parse_game("notakto")
    first = {each: game.moves(each)[0] for each in running(game)}
    path = file({game.to_text(each).split()[0].replace("/", ""): move for each, move in first.items()})
    replies = read_policy(path, game).replies
    assert {each: [*reply.chances] for each, reply in replies.items()} == {each: [it] for each, it in first.items()}


def blocking(other: str, own: str, board: str) -> int:
    """Return a square that blocks; else one that wins; else the last free one."""
    for piece in (other, own):
        for line in LINES:
            marks = [board[square] for square in line]
            if marks.count(piece) == 2 and "-" in marks:
                return line[marks.index("-")]
    return board.rindex("-")


def test_a_table_of_games_that_either_side_begins_is_read_once_a_word_says_which_count(file: File):
    x_first, o_first = (
        {str(cells(each, codes)): move for each, move in MOVES.items()} for codes in ((0, 1, 2), (0, 2, 1))
    )
    path = file(o_first | x_first)
    with pytest.raises(BadText, match="may either side begin"):
        read_policy(path, GAME)
    is_perfect(path, form="x-first")


def named_from_top(move: int) -> str:
    return f"{'ABC'[move % 3]}{1 + move // 3}"


def test_names_may_be_counted_from_the_top_as_in_a_spreadsheet(file: File):
    boards = {each: str(cells(each, (" ", "X", "O"))) for each in MOVES}
    path = file({board: named_from_top(MOVES[each]) for each, board in boards.items()})
    assert "a1 is at the top left: this explains all" in is_perfect(path)
    assert "a1 is at the top left" in is_perfect(path, form="from-top")
    assert "top" not in is_perfect(file({board: GAME.move_name(MOVES[each]) for each, board in boards.items()}))


def test_names_in_a_small_table_are_refused_unless_both_ways_of_counting_mean_the_same(file: File):
    assert read_policy(file({"---------": "a3", "----X----": "c3"}), GAME).replies[GAME.start].chances == {0: 1}
    path = file({"---------": "a3", "X--------": "b2", "-X-------": "a1"})
    with pytest.raises(BadText, match=r"Say which: --as .*from-bottom or --as .*from-top"):
        read_policy(path, GAME)
    assert read_policy(path, GAME, form="from-top").replies[GAME.from_text(".X./.../... O")].chances == {0: 1}


def test_numbers_for_occupied_squares_tell_how_names_are_counted_where_play_errs(file: File):
    first = {each: int(SPACE.move[SPACE.edges(each)[0]]) for each in MOVES}
    rows = {str(cells(each, (" ", "X", "O"))): dict.fromkeys(map(named_from_top, range(9)), 0.0) for each in first}
    for each, row in zip(first, rows.values(), strict=True):
        row[named_from_top(first[each])] = 1.0
    read = read_policy(file(rows), GAME)
    assert "a1 is at the top left" in read.convention
    assert {each: [*reply.chances] for each, reply in read.replies.items()} == {each: [first[each]] for each in first}


def test_probabilities_may_be_rounded(file: File):
    def read(names: str, chance: float) -> Reply | None:
        path = file({GAME.to_text(GAME.start): dict.fromkeys(names.split(), chance)})
        return read_policy(path, GAME).replies[GAME.start]

    reply = read("a1 b2 c3", 0.33)
    assert reply is not None
    assert [*reply.chances.values()] == pytest.approx([1 / 3] * 3)
    assert read("a1 a2 a3 b1 b2 b3 c1 c2", 0.13) is not None
    with pytest.raises(BadText, match="sum to"):
        read("a1 b2 c3", 0.331)


def test_a_move_that_no_convention_explains_is_a_mistake_of_the_agent(file: File):
    read = read_policy(file('board,move\n"         ",5\n"X        ",5\n"XO       ",9\n"XOX      ",1\n', "p.csv"), GAME)
    assert "squares from 1: this explains 75 % of its rows" in read.convention
    assert read.replies[GAME.from_text("XOX/.../... O")].illegal == ("1",)


BESIDE = {each: [move, *(other for other in GAME.moves(each) if other != move)] for each, move in MOVES.items()}
"""The perfect move, and then the others."""
PLACES = (
    *("top left", "top-middle", "topRight", "MIDDLE_LEFT", "center", "middle right"),
    *("lower left corner", "bottom", "bottom-right"),
)
TABLES: tuple[Any, ...] = (
    {"columns": ["state", "move"], "index": [*MOVES], "data": [[board(each), move] for each, move in MOVES.items()]},
    {"columns": ["move"], "index": [*map(board, MOVES)], "data": [[move] for move in MOVES.values()]},
    {"schema": {"fields": []}, "data": [{"index": 0, "state": board(each), "move": MOVES[each]} for each in MOVES]},
    {"move": {board(each): move for each, move in MOVES.items()}},
    {"state": [*map(board, MOVES)], "move": [*MOVES.values()]},
    {str(square): {board(each): int(move == square) for each, move in MOVES.items()} for square in range(9)},
)
"""Tables in each form of JSON that pandas writes."""
FILES: dict[str, Any] = {
    "policy_p1": {str(cells(position, (0, 1, -1))): move for position, move in MOVES.items()},
    "p.pkl": {tuple(cells(position, (0, 1, -1))): move for position, move in MOVES.items()},
    "q.pkl": defaultdict(float, {(GAME.to_text(each), move): 1.0 for each, move in MOVES.items()}),
    "o.pickle": OrderedDict((str(cells(each, (0, 1, 2))), np.eye(9)[move]) for each, move in MOVES.items()),
    "a.npy": np.array([[*cells(each, (0, 1, 2)), move] for each, move in MOVES.items()]),
    "b.npz": {
        "boards": np.array([cells(each, (0, 1, -1)) for each in MOVES]).reshape(-1, 3, 3),
        "moves": np.array([*MOVES.values()]),
    },
    "l.jsonl": [{"board": "".join(cells(each, (".", "X", "O"))), "move": move} for each, move in MOVES.items()],
    "s.csv": "a,b,c,d,e,f,g,h,i,move\n"
    + "\n".join(",".join(map(str, [*cells(each, (0, 1, 2)), move])) for each, move in MOVES.items()),
    "n.csv": "\n".join(",".join(map(str, [*cells(each, (0, 1, 2)), move])) for each, move in MOVES.items()),
    "sides.json": {
        GAME.mark(side): {str(cells(each, (0, 1, 2))): move for each, move in MOVES.items() if GAME.side(each) is side}
        for side in Side
    },
    "after.json": {
        "".join(cells(each, (".", "X", "O"))): "".join(cells(GAME.play(each, move), (".", "X", "O")))
        for each, move in MOVES.items()
    },
    "objects.json": [
        {"board": cells(each, (0, 1, 2)), "action": {"x": move % 3, "y": move // 3}} for each, move in MOVES.items()
    ],
    "one-hot.json": [{"board": cells(each, "-XO"), "move": [*map(int, np.eye(9)[it])]} for each, it in MOVES.items()],
    "planes.npz": {
        "X": np.eye(3)[[cells(each, (0, 1, 2)) for each in MOVES]].reshape(-1, 3, 3, 3),
        "y": np.array([*MOVES.values()]),
    },
    "pictures.json": {"".join(cells(each, ("⬜️", "❌", "⭕"))): move for each, move in MOVES.items()},
    "beads.json": {board(each): [move] * (3 + move) for each, move in MOVES.items()},
    "words.json": {str(cells(each, (" ", "x", "o"))): PLACES[move] for each, move in MOVES.items()},
    "tl.csv": "board,move\n"
    + "\n".join(board(each) + "," + "TMB"[move // 3] + "LCR"[move % 3] for each, move in MOVES.items()),
    "lists.json": {
        board(each): {"moves": moves, "values": [1.0, *[0.0] * (len(moves) - 1)]} for each, moves in BESIDE.items()
    },
    "rows.json": {
        board(each): [{"action": move, "q": float(move == moves[0])} for move in moves]
        for each, moves in BESIDE.items()
    },
    "series.csv": "state,action,0\n" + "\n".join(board(each) + f",{move},1.0" for each, move in MOVES.items()),
    "index.csv": ",,value\n" + "\n".join(board(each) + f",{move},1.0" for each, move in MOVES.items()),
    "frame.csv": ",0,1,2,3,4,5,6,7,8\n"
    + "\n".join(f'"{cells(each, (0, 1, -1))}",{",".join(map(str, np.eye(9)[MOVES[each]]))}' for each in MOVES),
    "named.npz": {board(each): np.eye(9)[move] for each, move in MOVES.items()},
    "triples.npz": {
        "states": np.array([cells(each, (0, 1, 2)) for each in MOVES]),
        "actions": np.array([*MOVES.values()]),
        "probs": np.ones(len(MOVES)),
    },
    "columns.json": {"states": [board(each) for each in MOVES], "actions": [*MOVES.values()], "epsilon": 0.1},
    "written.txt": repr({tuple(cells(each, (0, 1, -1))): np.int64(move) for each, move in MOVES.items()}),
    "arrows.json": {board(each) + f"->{move}": 1.0 for each, move in MOVES.items()},
    "digits.json": {"".join(cells(each, "012")) + str(move): 1.0 for each, move in MOVES.items()},
    "keys.json": {str(("".join(cells(each, (" ", "X", "O"))), divmod(move, 3))): 1.0 for each, move in MOVES.items()},
    "pairs.json": {GAME.to_text(each): [move % 3, move // 3] for each, move in MOVES.items()},
    "side before.json": {f"{GAME.mark(GAME.side(each))}:{board(each)}": move for each, move in MOVES.items()},
    **{
        f"side{between}.json": {f"{board(each)}{between}{GAME.mark(GAME.side(each))}": it for each, it in MOVES.items()}
        for between in (":", " - ")
    },
    **{
        f"{name}.json": {board(each): answer(move) for each, move in MOVES.items()}
        for name, answer in {
            "object": lambda move: {"move": move, "score": 0.5},
            "row and column": lambda move: {"row": move // 3, "col": move % 3},
            "grid": lambda move: np.eye(9)[move].reshape(3, 3).tolist(),
        }.items()
    },
    **{
        f"{number}.json": {sign.join(cells(each, codes)): move for each, move in MOVES.items()}
        for number, (sign, codes) in enumerate(
            (
                *(("_", "-XO"), (".", "012"), ("-", "EXO"), ("|", " XO")),
                *(("|", ("", "X", "O")), ("|", "-XO"), (":", "012")),
            )
        )
    },
    **{
        f"{between}.json": {f"{board(each)}{between}{move}": 1 for each, move in MOVES.items()}
        for between in ("|action_", "_move ", "->pos")
    },
    **{
        f"{header}.csv": "\n".join([header, *(";".join(map(str, line(each, move))) for each, move in MOVES.items())])
        for header, line in {
            "board;to_move;best_move": lambda each, move: (board(each), GAME.mark(GAME.side(each)), move),
            "Stellung;Zug": lambda each, move: (board(each), move),
            "board;row;col": lambda each, move: (board(each), move // 3, move % 3),
            "board;x;y": lambda each, move: (board(each), move % 3, move // 3),
            "x_board;o_board;move": lambda each, move: (bits(each, 0), bits(each, 1), move),
            "state;NW;N;NE;W;C;E;SW;S;SE": lambda each, move: (board(each), *np.eye(9, dtype=int)[move]),
            "state;" + ";".join(f"q_{square}" for square in range(9)): lambda each, move: (
                board(each),
                *(2 * np.eye(9, dtype=int)[move] - 1),
            ),
        }.items()
    },
    "names.py": "EMPTY = 0\nX = 1\nO = -1\nTABLE = {"
    + ",\n".join(f"({', '.join(cells(each, ('EMPTY', 'X', 'O')))}): {move}" for each, move in MOVES.items())
    + "}\n",
    "lists.jsonl": [
        {"state": cells(each, "-XO"), "q": [float(it == move) if it in GAME.moves(each) else None for it in range(9)]}
        for each, move in MOVES.items()
    ],
    "box.json": {
        board(each): {"beads": [7 * (it == move) for it in range(9)], "total": 7} for each, move in MOVES.items()
    },
    "boxes.json": {"boxes": [{"state": board(each), "beads": {move: 7}} for each, move in MOVES.items()]},
    "squares.json": {"boxes": [{"board": board(each), "beads": [move] * 4} for each, move in MOVES.items()]},
    **{f"pandas {number}.json": table for number, table in enumerate(TABLES)},
}


BEADS = {board(position): [7 * (square == move) for square in range(9)] for position, move in MOVES.items()}
ILLEGAL = "state,move\n" + "".join(f'"{cells(each, (0, 1, 2))}",{(it * 2 + 1) % 9}\n' for each, it in MOVES.items())
REFUSED: dict[str, tuple[str, Any]] = {
    "have a legal move": ("p.csv", ILLEGAL),
    r"XO\.{7}' has no board after the move in which": ("p.json", {"." * 9: "X........", "XO.......": "X.......X"}),
    r"it has objects, not numbers alone(?!.*unsafely)": ("p.npz", {"boards": np.array([[0] * 9], dtype=object)}),
    "called 'pozycja', 'ruch'\nCall them 'position', 'move'": ("p.csv", "pozycja;ruch\n---------;4\nX--------;4\n"),
    "it counts moves that cannot be played": ("p.json", {board(each): [it] * 9 for each, it in MOVES.items() if it}),
    "'q_table' and 'other', which both have positions": ("p.json", {"q_table": BEADS, "other": BEADS}),
    "not what Python writes of dicts": ("p.txt", "{'---------': __import__('os').getcwd()}"),
    "is not what Python writes of dicts": ("p.txt", "{'" * 10_000),
    "a key is given twice": ("p.txt", "{'---------': 4, '---------': 0}"),
}


@pytest.mark.parametrize("message", REFUSED)
def test_a_table_that_cannot_be_read_in_one_way_is_refused(file: File, message: str):
    name, content = REFUSED[message]
    with pytest.raises(BadText, match=message):
        read_policy(file(content, name), GAME)


def test_a_board_in_the_place_of_a_move_is_refused_where_a_square_has_two_moves(file: File):
    with pytest.raises(BadText, match="is not a move of Wild"):
        read_policy(file({"---------": "O--------"}), parse_game("wild"))


@pytest.mark.parametrize("place", [1, 0])
def test_values_that_may_be_probabilities_are_refused(tmp_path: Path, place: int):
    lines = [
        board(each) + "," + ",".join(str((0.25, 0.75)[number == place]) if number < 2 else "" for number in range(9))
        for each, moves in BESIDE.items()
        if {0, 1} <= {*moves}
    ]
    path = tmp_path / "q.csv"
    path.write_text("\n".join(["board," + ",".join(f"q_{number}" for number in range(9)), *lines]))
    with pytest.raises(BadText, match="its values sum to 1 in each position, as probabilities do"):
        read_policy(path, GAME)
    assert "values of moves" in read_policy(path, GAME, VALUES).convention
    path.write_text(path.read_text().replace("q_", "p_"))
    assert {0.25, 0.75} == {
        each for reply in read_policy(path, GAME).replies.values() for each in reply.chances.values()
    }


SAID = {
    "pairs.json": "pairs are column and row",
    **dict.fromkeys(("lists.jsonl", "state;q_0;q_1;q_2;q_3;q_4;q_5;q_6;q_7;q_8.csv"), "values of moves"),
    **dict.fromkeys(("box.json", "boxes.json", "squares.json"), "counts of moves"),
}


@pytest.mark.sample(10)
@pytest.mark.parametrize("name", FILES)
def test_tables_of_other_programs_are_read(file: File, name: str):
    usual = "squares from 0: this explains all" if name[0] in "0123456p" else "this explains all"
    assert SAID.get(name, usual) in is_perfect(file(FILES[name], name))


@pytest.mark.long
@pytest.mark.parametrize("signed", [True, False])
@pytest.mark.parametrize("little", [False, True])
def test_a_table_of_packed_boards_is_read(tmp_path: Path, little: bool, signed: bool):
    words = f"base 3{' of digits −1, 0 and 1, plus 1' * signed}, {'little' if little else 'big'} end first"
    path, places = tmp_path / "p.json", {each: packed(each, little=little, signed=signed) for each in MOVES}
    path.write_text(json.dumps({str(places[position]): move for position, move in MOVES.items()}))
    assert words in is_perfect(path)
    table = np.zeros((3**9, 9))
    for position, move in MOVES.items():
        table[places[position], move] = 1
    np.save(tmp_path / "q.npy", table)
    assert words in is_perfect(tmp_path / "q.npy", VALUES)


@pytest.mark.long
@pytest.mark.parametrize("signed", [False, True])
def test_values_of_packed_positions_mean_the_same_from_either_end(file: File, signed: bool):
    exact = values(SPACE).tolist()
    for little in (False, True):
        keys = [str(packed(each, little=little, signed=signed)) for each in SPACE.position.tolist()]
        assert "for the first side" in is_perfect(file(dict(zip(keys, exact, strict=True))), VALUES)


@pytest.mark.long
def test_an_array_plays_any_move_where_its_values_are_equal_and_has_no_answer_with_probabilities(tmp_path: Path):
    table, untrained = np.zeros((3**9, 9)), GAME.from_text("X../.../... O")
    for position, move in MOVES.items():
        table[packed(position, little=True), move] = position != untrained
    np.save(tmp_path / "q.npy", table)
    read = read_policy(tmp_path / "q.npy", GAME, VALUES)
    assert read.replies[untrained].chances == dict.fromkeys(GAME.moves(untrained), 1 / 8)
    assert "never trained" in read.notes[0]
    assert untrained not in read_policy(tmp_path / "q.npy", GAME).replies


@pytest.mark.long
def test_squares_between_commas_may_be_spaces_and_the_side_to_move_may_be_the_second_piece(file: File):
    spaced = {",".join(cells(each, (" ", "X", "O"))): move for each, move in MOVES.items()}
    assert "X or 1 moves first" in is_perfect(file(spaced))
    path = file({str(cells(each, (0, 2, 1), own=True)): move for each, move in MOVES.items()})
    with pytest.raises(BadText, match="Say which: --as x-first or --as yours"):
        read_policy(path, GAME)
    assert "O, 2 or −1 is the side to move" in is_perfect(path, form="yours")


@pytest.mark.sample(1)
@pytest.mark.parametrize(("side", "sign", "words"), [(0, 1, "has moved"), (1, 1, "has moved"), (1, -1, "move next")])
def test_values_after_the_moves_of_one_side_are_that_sides(file: File, side: int, sign: int, words: str):
    exact = {}
    for position, outcome, value in zip(SPACE.position.tolist(), SPACE.outcome.tolist(), values(SPACE), strict=True):
        if GAME.side(position) != side and position != GAME.start:
            exact[GAME.to_text(position)] = sign * (1 - 2 * side) * int(value) * (1.0 if outcome == RUNNING else 1.1)
    read = read_policy(file(exact), GAME, VALUES)
    assert words in read.convention
    assert read.replies.keys() == {each for each in WHOLE if GAME.side(each) == side}
    assert judge(GAME, ask_all(GAME, read.replies.get, [Side(side)])).optimal == {Side(side): True}


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("signs", "word"), [((1, -1), "after-first"), ((-1, 1), "after-second"), ((-1, -1), "after-next")]
)
def test_a_side_that_may_play_the_lowest_values_of_moves_is_refused_until_a_word_says_whose_they_are(
    file: File, signs: tuple[int, int], word: str
):
    exact = edge_values(SPACE).tolist()
    largest = 1e308  # no sum of several is a number
    path = file(valued(lambda each, edge: exact[edge] * signs[GAME.side(each)] * largest, ("-", "X", "O"), WHOLE))
    with pytest.raises(BadText, match=f"--as {word}, or --as after-mover"):
        read_policy(path, GAME, VALUES)
    said, misread = (read_policy(path, GAME, VALUES, each).replies for each in (word, "after-mover"))
    assert all(judge(GAME, ask_all(GAME, said.get)).optimal.values())
    assert {GAME.side(each) for each in MOVES if said[each] != misread[each]} == {
        side for side in Side if signs[side] < 0
    }
    with pytest.raises(BadText, match="add --values"):
        read_policy(path, GAME, Reading(Numbers.COUNTS), word)


def test_values_of_positions_are_those_after_the_move(file: File):
    exact = values(SPACE).tolist()
    worths = {GAME.to_text(each).split()[0]: (exact[row] + 1) / 2 for row, each in enumerate(SPACE.position.tolist())}
    assert "values of positions after the move, for the first side" in is_perfect(file(worths), VALUES)
    path = file('{"---------": 0, "X--------": 0, "XO-------": 1}')
    with pytest.raises(BadText, match="whose values they are"):
        read_policy(path, GAME, VALUES)
    read = read_policy(path, GAME, VALUES, "after-mover")
    assert list(read.replies[GAME.from_text("X../.../... O")].chances) == [1]


def test_a_table_with_one_position_of_each_class_stands_for_its_images(file: File):
    chosen = {min(SPACE.twins(position)) for position in WHOLE}
    path = file({GAME.to_text(each): GAME.move_name(WHOLE[each]) for each in chosen})
    read = read_policy(path, GAME)
    assert "Its positions stand for their mirror images and rotations" in read.notes
    is_perfect(path)


class Runs:
    def __reduce__(self) -> tuple[Any, ...]:
        return print, ("run",)


@pytest.mark.parametrize(
    "content",
    [Runs(), {"a": Runs()}, np.array([object()], object), {"a": np.datetime64("2020-01-01")}, Path("x"), {1, 2}],
    ids=["runs", "runs inside", "array of objects", "date", "path", "set"],
)
def test_a_pickle_that_is_not_plain_data_is_refused_and_never_run(
    file: File, content: object, capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(BadText, match=r"p\.pkl: "):
        read_policy(file(content, "p.pkl"), GAME)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("cut", range(1, 400, 97))
def test_a_damaged_pickle_is_refused(tmp_path: Path, cut: int):
    path, data = tmp_path / "p.pkl", bytearray(pickle.dumps({"---------": np.eye(9)[4]}))
    for change in (data[: cut % len(data)], data[:cut] + bytes([data[cut % len(data)] ^ 255]) + data[cut + 1 :]):
        path.write_bytes(bytes(change))
        with suppress(BadText):
            read_policy(path, GAME)


def test_ties_are_split_or_the_first_is_taken(file: File):
    path = file({"---------": [1, 0, 0, 0, 1, 0, 0, 0, 0]})
    assert dict(read_policy(path, GAME, VALUES).replies[GAME.start].chances) == {0: 0.5, 4: 0.5}
    first = Reading(Numbers.VALUES, first_tie=True)
    assert dict(read_policy(path, GAME, first).replies[GAME.start].chances) == {0: 1}


@pytest.mark.parametrize("numbers", [False, True])
def test_where_a_file_has_no_answer_it_plays_at_random_if_a_person_says_so(file: File, numbers: bool):
    some = [*WHOLE][::2]
    rows = {GAME.to_text(each): {WHOLE[each]: 5} if numbers else WHOLE[each] for each in some}
    read = read_policy(
        file(rows | ({GAME.to_text([*WHOLE][1]): {0: 0}} if numbers else {})),
        GAME,
        Reading(Numbers.COUNTS if numbers else Numbers.CHANCES, missing="random"),
    )
    verdict = judge(GAME, ask_all(GAME, read.ask))
    policy = np.zeros(len(SPACE.move))
    for position, answer in WHOLE.items():
        moves = [answer] if position in some else GAME.moves(position)
        policy[[SPACE.edge(position, move) for move in moves]] = 1 / len(moves)
    for side in Side:
        assert verdict.scores[side.name.lower()].against == results(SPACE, side, policy).against
    assert "--missing random" in read.notes[-1]


@pytest.mark.parametrize("word", ["after-first", "after-mover"])
def test_a_move_without_a_value_can_have_one(file: File, word: str):
    after = GAME.play(GAME.start, 0)
    sign = -1 if word == "after-first" else 1
    table = {("---------", 4): -0.5, ("X--------", 8): 0.25 * sign, ("X--------", 4): 0.5 * sign}
    path = file(table, "q.pkl")
    words = "x-first, from-0, whole"
    plain = read_policy(path, GAME, VALUES, f"{words}, {word}")
    assert (plain.ask(GAME.start).chances, plain.notes) == ({4: 1}, ("14 moves without a value are never played",))
    read = read_policy(path, GAME, Reading(Numbers.VALUES, missing=0.0), f"{words}, {word}")
    assert read.ask(GAME.start).chances.keys() == {*GAME.moves(GAME.start)} - {4}
    assert read.ask(after).chances == {4: 1}
    assert len(read.ask(GAME.play(after, 4)).chances) == 7
    with pytest.raises(BadText, match=r"--missing with a number is for values: .* add --values"):
        read_policy(file({"---------": 4}, "q.pkl"), GAME, Reading(missing=0.0), words)
    with pytest.raises(BadText, match="--missing takes a number for values of moves only"):
        read_policy(file({"X--------": 0.5}, "q.pkl"), GAME, Reading(Numbers.VALUES, missing=0.0), word)


def test_the_whole_policy_has_the_results_of_its_moves(file: File):
    policy, last = np.zeros(len(SPACE.move)), {each: max(GAME.moves(each)) for each in MOVES}
    for position, move in last.items():
        policy[SPACE.edge(position, move)] = 1
    read = read_policy(file({GAME.to_text(each): move for each, move in last.items()}), GAME)
    verdict = judge(GAME, ask_all(GAME, read.replies.get))
    for side in Side:
        assert verdict.scores[side.name.lower()].against["random"] == results(SPACE, side, policy).against["random"]


@pytest.mark.sample(1)
@pytest.mark.parametrize("kind", ["i1", "i4", "i8", "f4", "f8"])
def test_positions_may_be_the_bytes_of_arrays(file: File, kind: str):
    boards = {each: np.array(cells(each, (0, 1, -1)), kind).tobytes() for each in MOVES}
    assert "X or 1 moves first; squares from 0" in is_perfect(
        file({board: MOVES[each] for each, board in boards.items()}, "bytes.pkl")
    )
    is_perfect(file({(board, MOVES[each]): 1.0 for each, board in boards.items()}, "bytes.pkl"), VALUES)


def test_a_dict_that_numpy_has_saved_is_read_without_running_anything(tmp_path: Path):
    path = tmp_path / "table.npy"
    table = np.array({tuple(cells(each, (0, 1, 2))): move for each, move in MOVES.items()}, dtype=object)
    np.save(path, table, allow_pickle=True)
    is_perfect(path)
    np.save(path, np.array(print, dtype=object), allow_pickle=True)
    with pytest.raises(BadText, match=r"'builtins\.print', which may run code"):
        read_policy(path, GAME)


@pytest.mark.parametrize(
    ("name", "begins", "ends"),
    [
        ("p.py", '"""Mine."""\nimport numpy as np\n# best\nX, SIZE = "X", 3\nBEST = ', "\n"),
        ("p.js", "// best\nexport const best = ", ";\nexport default best;\n"),
        ("p.mjs", "/* best */\nmodule.exports = ", ";"),
        ("p.ts", "export const best: Record<string, number> = ", ";"),
        ("p.txt", "defaultdict(<function <lambda> at 0x7f>, ", ")"),
    ],
)
def test_a_program_that_holds_a_table_alone_is_read_and_not_run(tmp_path: Path, name: str, begins: str, ends: str):
    path, table = tmp_path / name, {board(each): move for each, move in MOVES.items()}
    path.write_text(begins + repr(table).replace("{", "{\n", 1) + ends)
    assert (name == "p.txt") != has_table(path)
    assert "X or 1 moves first; squares from 0" in is_perfect(path)


@pytest.mark.parametrize(
    "text",
    ["def choose(board): return {'a': 1}", "TABLE = {}\nfor each in range(9):\n    TABLE[each] = 1", "agent = make()"],
)
def test_a_program_that_does_more_than_hold_a_table_is_a_program(file: File, text: str):
    assert not has_table(file(text, "p.py"))


def test_of_equal_values_the_first_square_is_the_first(file: File):
    path = file({((0,) * 9, move): 0.5 for move in (4, 0, 8)}, "ties.pkl")
    read = read_policy(path, GAME, Reading(Numbers.VALUES, first_tie=True), "x-first, from-0")
    assert [*read.replies[GAME.start].chances] == [0]


BOARDS: dict[str, Any] = {
    "numbers in base 4, little": lambda each: sum(
        cell << 2 * place for place, cell in enumerate(cells(each, (0, 1, 2)))
    ),
    "decimal numbers": lambda each: int("".join(map(str, cells(each, (0, 1, 2))))),
    "bitboards of 1 and of 2, little": lambda each: (bits(each, 0), bits(each, 1)),
    "bitboards of 1 and of 2, little end first": lambda each: bits(each, 0) | bits(each, 1) << 9,
    "one-hot, square by square, empty first": lambda each: tuple(
        np.eye(3, dtype=int)[cells(each, (0, 1, 2))].ravel().tolist()
    ),
    "one-hot, plane by plane, empty last": lambda each: tuple(
        np.eye(3, dtype=int)[cells(each, (2, 0, 1))].T.ravel().tolist()
    ),
    "plane by plane": lambda each: tuple(np.eye(3, dtype=int)[cells(each, (2, 0, 1))].T[:2].ravel().tolist()),
    "0 is the other piece": lambda each: tuple(cells(each, (-1, 1, 0))),
    "not an empty square": lambda each: tuple(cells(each, (None, 1, 0))),
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("words", BOARDS)
def test_boards_may_be_packed_in_other_ways(file: File, words: str):
    assert words in is_perfect(file({BOARDS[words](each): move for each, move in MOVES.items()}, "p.pkl"))
    assert words in is_perfect(
        file({(BOARDS[words](each), move): 1.0 for each, move in MOVES.items()}, "p.pkl"), VALUES
    )


@pytest.mark.parametrize("empty", [None, 0, 1])
@pytest.mark.parametrize("by_square", [False, True])
def test_in_a_game_of_one_piece_a_plane_may_be_that_of_the_empty_squares(
    file: File, empty: int | None, by_square: bool
):
    game, rows = parse_game("notakto"), dict[str, int]()
    for position in running(game):
        taken = np.array([piece is not None for piece in game.board.cells(position)], int)
        planes = np.array([taken, 0 * taken] if empty is None else [taken, 1 - taken][:: 2 * empty - 1])
        rows[str((planes.T if by_square else planes).ravel().tolist())] = max(game.moves(position))
    replies = read_policy(file(rows), game).replies
    assert {each: max(game.moves(each)) for each in replies} == {each: max(it.chances) for each, it in replies.items()}
    assert len(replies) == len(rows)


def test_the_last_square_of_a_board_with_commas_is_no_move(file: File):
    assert read_policy(file({"0,0,0,0,0,0,0,2,0": 9, "0,0,0,0,0,0,0,2,1": 3}), GAME, form="o-first").replies == {
        GAME.from_text(".../.../.X. O"): Reply({8: 1.0}),
        GAME.from_text(".../.../.XO X"): Reply({2: 1.0}),
    }


def test_squares_may_be_those_of_a_number_pad(file: File):
    pad = {GAME.to_text(each): 7 - move // 3 * 3 + move % 3 for each, move in MOVES.items()}
    path = file(pad)
    assert "squares as on a number pad: this explains all" in is_perfect(path)
    assert "number pad" in is_perfect(path, form="numpad")
    assert read_policy(file({"---------": 7}), GAME, form="numpad").replies[GAME.start].chances == {0: 1.0}


def test_a_small_table_is_refused_if_a_mistake_makes_another_convention_explain_all_of_it(file: File):
    rows = {"---------": 1, "XO-------": 3, "XO--X----": 8, "X-------O": 2}
    for square in range(9):  # 5 to an X in the centre: from 0, or wrong
        rows["-" * square + "X" + "-" * (8 - square)] = 1 if square == 5 else 5
    path = file(rows)
    with pytest.raises(BadText, match="another convention explains nearly all"):
        read_policy(path, GAME)
    assert read_policy(path, GAME, form="from-1").replies[GAME.from_text(".../.X./... O")].illegal == ("5",)


def test_a_file_may_be_compressed(tmp_path: Path):
    path, text = tmp_path / "p.json.gz", json.dumps({GAME.to_text(each): move for each, move in MOVES.items()})
    path.write_bytes(gzip.compress(text.encode()))
    is_perfect(path)
    for damaged in (gzip.compress(text.encode())[:-20], gzip.compress(bytes(2**27), 1)):
        path.write_bytes(damaged)
        with pytest.raises(BadText, match=r"gzip|too large"):
            read_policy(path, GAME)


def valued(
    scores: Callable[[Position, int], float],
    codes: tuple[Any, Any, Any] = (0, 1, 2),
    positions: Collection[Position] = MOVES.keys(),
) -> dict[str, dict[str, float]]:
    return {
        str(cells(each, codes)): {str(int(SPACE.move[edge])): scores(each, edge) for edge in SPACE.edges(each)}
        for each in positions
    }


def test_values_that_know_the_wins_tell_whose_pieces_are_whose_though_play_errs(file: File):
    exact = edge_values(SPACE).tolist()
    path = file(valued(lambda _, edge: exact[edge] * (0.4 if edge % 7 == 0 else 1.0)))
    assert "X or 1 moves first" in read_policy(path, GAME, VALUES).convention


def test_moves_tell_whose_pieces_are_whose_though_one_in_twelve_errs(file: File):
    errs = {*[*WHOLE][::12]}
    moves = {each: max(GAME.moves(each)) if each in errs else move for each, move in WHOLE.items()}
    path = file({str(cells(each, (0, 1, 2))): move for each, move in moves.items()})
    assert "X or 1 moves first" in read_policy(path, GAME).convention


def test_values_by_which_play_blocks_before_it_wins_do_not_tell_whose_pieces_are_whose(file: File):
    def score(position: Position, edge: int) -> float:
        move, pieces = int(SPACE.move[edge]), cells(position, ("-", "X", "O"))
        own = GAME.mark(GAME.side(position))
        for worth, piece in ((100, "XO".replace(own, "")), (90, own)):
            changed = [piece if square == move else each for square, each in enumerate(pieces)]
            if any(all(changed[square] == piece for square in line) for line in LINES):
                return worth
        return move

    path = file(valued(score))
    with pytest.raises(BadText, match="two conventions explain all of its rows") as refusal:
        read_policy(path, GAME, VALUES)
    read = {read_policy(path, GAME, VALUES, each).convention for each in re.findall(r"--as (\S+)", str(refusal.value))}
    assert len(read) == 2


def test_a_few_positions_without_images_are_refused_until_a_word_says_what_they_stand_for(file: File):
    chosen = sorted({min(SPACE.twins(position)) for position in WHOLE})[-40:]
    path = file({GAME.to_text(each): GAME.move_name(WHOLE[each]) for each in chosen})
    with pytest.raises(BadText, match="--as symmetric or --as whole"):
        read_policy(path, GAME)
    assert [*read_policy(path, GAME, form="whole").replies] == chosen
    assert len(read_policy(path, GAME, form="symmetric").replies) > len(chosen)


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "word", ["{}{}", "X{}", "a{}", "pos{}", "square {}", "r{}c{}", "({};{})", "{}-{}", "action_{}"]
)
def test_moves_may_all_be_written_in_one_way_around_their_numbers(file: File, word: str):
    for first in (0, 1):
        names = {square: word.format(*[each + first for each in numbers(square, word)]) for square in range(9)}
        assert f"squares from {first}" in is_perfect(file({board(each): names[move] for each, move in MOVES.items()}))


def numbers(square: int, word: str) -> tuple[int, ...]:
    return divmod(square, 3) if word.count("{}") == 2 else (square,)


def test_moves_after_the_names_of_squares_are_these_where_they_may_be(file: File):
    a1 = GAME.parse_move(GAME.start, "a1")
    read = read_policy(file({GAME.to_text(each): "a1" for each in MOVES if a1 in GAME.moves(each)}), GAME)
    assert {*read.replies[GAME.start].chances} == {6}


def test_a_table_of_pandas_whose_lists_differ_in_size_is_refused(file: File):
    for data in ([["1"]], [["." * 9, 1], ["X" + "." * 8]]):
        with pytest.raises(BadText, match="do not have the same sizes"):
            read_policy(file({"columns": ["state", "move"], "index": [0, 1], "data": data}), GAME)
    with pytest.raises(BadText):
        read_policy(file({"columns": [["state"], {"move": 1}], "index": [0], "data": [["." * 9, 1]]}), GAME)


def test_numbers_of_squares_are_refused_where_a_move_is_more(file: File):
    game = parse_game("wild")
    positions = running(game)[:1000]
    for moves in ([game.moves(each)[0] % 9 for each in positions], [[0] * 9 for _ in positions]):
        with pytest.raises(BadText, match=r"numbers of squares|18 of them"):
            read_policy(file(dict(zip(map(game.to_text, positions), moves, strict=True))), game)


@pytest.mark.parametrize("first", [0, 1])
def test_a_pair_of_nim_may_be_a_heap_and_how_many_stones_are_taken(file: File, first: int):
    game = parse_game("nim:1,3,5")
    space, table, least = space_of(game), dict[str, list[int]](), dict[str, list[int]]()
    best, taken = perfect_policy(space), dict[Position, int]()
    for position in running(game):
        heaps = [row.count("O") for row in game.to_text(position).split(" ")[0].split("/")]
        taken[position] = max(space.edges(position), key=lambda edge: best[edge])
        row, left = divmod(int(space.move[taken[position]]), 5)
        table[f"{heaps} {game.mark(game.side(position))}"] = [row + first, heaps[row] - left]
        row, left = divmod(game.moves(position)[-1], 5)
        least[f"{heaps} {game.mark(game.side(position))}"] = [row + first, heaps[row] - left]
    read = read_policy(file(table), game)
    assert "how many stones are taken: this explains all" in read.convention
    assert all([*read.replies[each].chances] == [int(space.move[edge])] for each, edge in taken.items())
    path = file(least)
    if first:
        with pytest.raises(BadText, match="two conventions explain all of its rows"):
            read_policy(path, game)
    assert [*read_policy(path, game, form="taken").replies[game.start].chances] == [14]


def test_heaps_of_nim_alone_are_positions_of_both_sides(file: File):
    game = parse_game("nim:1,3")
    read = read_policy(file({"[0, 1]": [1, 0], "[1, 3]": [1, 1]}), game, form="y-x from-0")
    assert {*map(game.to_text, read.replies)} == {".../O.. A", ".../O.. B", "O../OOO A"}


@pytest.mark.parametrize("name", ["column", "best_col"])
def test_where_pieces_fall_a_column_is_a_move(file: File, name: str):
    game = parse_game("mnk:4,3,3+gravity")
    read = read_policy(file(f"board,{name}\n............,4\n...........X,1\n", "p.csv"), game, form="from-1")
    assert [[*map(game.move_name, each.chances)] for each in read.replies.values()] == [["d1"], ["a1"]]


def test_three_whole_numbers_may_be_counts_or_values(file: File):
    exact = edge_values(SPACE).tolist()
    path = file(valued(lambda _, edge: exact[edge] + 1, ("-", "X", "O"), WHOLE))
    with pytest.raises(BadText, match="--values or --counts"):
        read_policy(path, GAME)
    is_perfect(path, VALUES)


@pytest.mark.parametrize(
    ("table", "names"),
    [
        (
            {"games": 9, "history": [1, 0], "config": {"alpha": 0.1}, "matchboxes": BEADS},
            "'games', 'history', 'config'",
        ),
        ({each: {"beads": listed, "total": 7, "colours": ["red"] * 9} for each, listed in BEADS.items()}, "'total'"),
        ({each: {"move": listed.index(7), "score": 1} for each, listed in BEADS.items()}, "'score'"),
        ({"games": 9, "boards": [*BEADS], "moves": [each.index(7) for each in BEADS.values()]}, "'games'"),
    ],
)
def test_what_stands_beside_moves_and_their_numbers_is_left_out_with_a_count(
    file: File, table: dict[str, Any], names: str
):
    path = file(table)
    is_perfect(path)
    assert f"beside positions, moves and their numbers ({names}" in "".join(read_policy(path, GAME).notes)


@pytest.mark.sample(6)
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("hexapawn", lambda squares, _: squares),
        ("hexapawn", lambda squares, _: [[each // 3, each % 3] for each in squares]),
        ("hexapawn", lambda squares, _: "-".join("abc"[each % 3] + str(3 - each // 3) for each in squares)),
        ("wild", lambda squares, mark: f"{mark.upper()}{squares[0]}"),
        ("wild", lambda squares, mark: f"{squares[0]}{mark}"),
        ("wild", lambda squares, mark: [squares[0], mark]),
        ("wild", lambda squares, mark: [mark, squares[0] // 3, squares[0] % 3]),
    ],
)
def test_a_move_that_is_more_than_a_square_may_be_its_squares_and_a_mark(
    file: File, name: str, written: Callable[[list[int], str], Any], first: int
):
    game = parse_game(name)
    positions = running(game)[:1000]
    last = {each: game.moves(each)[-1] for each in positions}

    def counted(move: Any) -> Any:  # noqa: ANN401  any JSON
        if isinstance(move, list):
            return [*map(counted, move)]
        return (
            move + first
            if isinstance(move, int)
            else re.sub(r"(?<![abc])[0-9]", lambda it: str(int(it[0]) + first), move)
        )

    answers = [
        counted(written([*game.board.squares(each, move)], game.board.option(each, move)))
        for each, move in last.items()
    ]
    replies = read_policy(file(dict(zip(map(game.to_text, positions), answers, strict=True))), game).replies
    assert {each: [*reply.chances] for each, reply in replies.items()} == {each: [move] for each, move in last.items()}


def test_moves_without_a_mark_that_they_need_are_refused_with_an_example(file: File):
    game = parse_game("wild")
    positions = running(game)[:1000]
    with pytest.raises(BadText, match=r"none of its moves is legal.*\n.*written as in a3x"):
        read_policy(file({game.to_text(each): [*divmod(game.moves(each)[0] % 9, 3)] for each in positions}), game)


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("name", "words"), [("moves", "moves"), ("beads", "counts of moves"), ("rows", "moves"), ("array", "probabilities")]
)
def test_a_table_in_a_program_that_does_more_is_judged_as_the_table_that_it_is(tmp_path: Path, name: str, words: str):
    table = {tuple(pieces_of(position)): move for position, move in MOVES.items()}
    (tmp_path / "t.py").write_text(
        "import numpy\nfrom collections import defaultdict\n"
        f"moves = {{key: numpy.int64(move) for key, move in {table!r}.items()}}\n"
        "beads = defaultdict(lambda: defaultdict(int))\narray = numpy.zeros((3**9, 9))\nclass State: pass\n"
        "for key, move in moves.items():\n"
        "    beads[key][move] += 7\n"
        "    array[sum(cell * 3 ** (8 - at) for at, cell in enumerate(key)), move] = 1\n"
        "rows = [{'board': [*key], 'move': move} for key, move in moves.items()]\nstates = {State(): 1}\n"
    )
    with python_agent(f"{tmp_path}/t.py:{name}", GAME) as agent:
        assert agent.convention is not None
        assert agent.convention.startswith(words)
        assert judge(GAME, ask_all(GAME, agent, agent.sides)).optimal == dict.fromkeys(Side, True)
    refusal = "has State: as a table"
    with pytest.raises(BadText, match=refusal), python_agent(f"{tmp_path}/t.py:states", GAME):
        pass
