"""The game of the guide fulfils the contract, and each violation of the contract is reported in a sentence."""

import re
from collections.abc import Callable
from types import ModuleType

import pytest

from engine.game import BadText, Game, Move, Outcome, PluginFailed, Position, Side
from engine.games.nim import Nim
from engine.grid import Grid, squares_of
from engine.grid_game import GridBoard, GridGame
from engine.spaces import space_of
from engine.step_game import StepGame
from noughts.testing.games import GAME_CHECKS, check_game, check_moves_of_many
from tests.guide import files_of_the_guide
from tests.oracles.counting import counts
from tests.oracles.rules import derived


@pytest.fixture(scope="module", name="example")
def _example() -> Game:
    """The game that the guide defines, made from the text of the guide."""
    code = files_of_the_guide()["noughts_example/fourbyfour.py"]
    assert len(code.splitlines()) <= 60
    module = ModuleType("guide")
    exec(compile(code, "docs/extending.md", "exec"), vars(module))  # noqa: S102  the guide is ours
    (kind,) = [each for each in vars(module).values() if isinstance(each, type) and each.__module__ == "guide"]
    return kind()


@pytest.mark.sample(2)
@pytest.mark.parametrize("check", GAME_CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
def test_the_game_of_the_guide_fulfils_the_contract(check, example: Game):
    check(example)


class PairBoard(GridBoard):
    def squares(self, position: Position, move: Move) -> tuple[int, ...]:
        return (self.game.square(move),)


class Pair(GridGame):
    """Two adjacent pieces win on a row of four squares. This game fulfils the contract; others with changes may not."""

    name = "pair"
    title = "Pair"
    summary = "Two in a row wins."
    grid = Grid(1, 4)
    in_a_row = 2
    lines = grid.lines(2)

    def __init__(self) -> None:
        super().__init__()
        self.board = PairBoard(self)
        self.symmetries = (*self.symmetries, self.grid.mirror)

    def outcome(self, position: Position) -> Outcome | None:
        first, second = (any(mask & line == line for line in self.lines) for mask in self.masks(position))
        return self.ends[0] if first else self.ends[1] if second else self.drawn(position)

    def drawn(self, position: Position) -> Outcome | None:
        return None if self.empty(position) else Outcome.DRAW

    def square(self, move: Move) -> int:
        return move


def pair(**changes: object) -> Pair:
    """The game with other members."""
    return type("Changed", (Pair,), changes)()


PLACING = {"grows": True, "places_pieces": True}
"""With these, plies are walked at once, by the default of games that only place pieces."""
TWO_BY_THREE = {"grid": Grid(2, 3), "lines": Grid(2, 3).lines(2), "longest": 5, "has_draws": False}
FULFILLING = {
    "as it is": {},
    "placing": PLACING,
    "misere": {**PLACING, "ends": (Outcome.SECOND_WINS, Outcome.FIRST_WINS)},
    "falling": {**PLACING, **TWO_BY_THREE, "falls": True},
}


@pytest.mark.parametrize("changes", FULFILLING.values(), ids=FULFILLING)
def test_a_small_game_fulfils_the_contract(changes: dict[str, object]):
    check_game(pair(**changes))


def test_a_game_that_only_seems_to_place_pieces_is_reported():
    """A row wins for the first side, whoever made it."""

    def outcome(game: Pair, position: Position) -> Outcome | None:
        found = Pair.outcome(game, position)
        return found if found in {None, Outcome.DRAW} else Outcome.FIRST_WINS

    with pytest.raises(AssertionError, match="`successors_all` says"):
        check_moves_of_many(pair(**PLACING, outcome=outcome))


def test_counts_are_derived_from_the_rules():
    assert counts(derived(Pair()))["perft"] == [4, 12, 24, 12]


def returning(game: Pair, position: Position, move: Move) -> Position:
    """The last piece removes all pieces from the board."""
    after = GridGame.after(game, position, move)
    return after if game.empty(after) else game.start


def winner(game: Pair, position: Position) -> Outcome | Side | None:
    """The side that wins, in place of the outcome."""
    outcome = Pair.outcome(game, position)
    return outcome if outcome in {None, Outcome.DRAW} else outcome.winner


def growing() -> Nim:
    """Three stones are taken by three moves or by one."""
    game = Nim((3,), misere=False)
    game.name = "growing"  # else it equals nim:3, whose space another test may have built
    game.grows = True
    return game


def apart() -> Pair:
    """The mirror image of the first position is another one, which play cannot reach."""
    game = pair(name="apart", longest=2)
    game.start = game.pack(0b0010, 0b0100, Side.FIRST)
    return game


VIOLATIONS: dict[str, Callable[[], Game]] = {
    "two moves are called b1 in .... X": lambda: pair(
        move_name=lambda game, move: "b1" if move == 2 else GridGame.move_name(game, move)
    ),
    "c1 and d1 point at the same squares in .... X": lambda: pair(square=lambda _, move: min(move, 2)),
    "a1 changes no square that it points at in .... X": lambda: pair(square=lambda _, move: (move + 1) % 4),
    "the moves (3, 2, 1, 0) do not ascend in .... X": lambda: pair(moves=lambda *each: GridGame.moves(*each)[::-1]),
    "Pair can go on for ever: play can come back to ": lambda: pair(after=returning, drawn=lambda *_: None),
    "are not symmetric: they have other outcomes": lambda: pair(lines=Pair.lines[:1]),
    "the symmetry (3, 2, 1, 0) of apart maps the first position .XO. X to .OX. X": apart,
    "a1 does not lead to symmetric positions": lambda: pair(transform_move=lambda _, move, __: move),
    "no game of Pair lasts longer than 4 moves, but its `longest` is 5": lambda: pair(longest=5),
    "can be drawn, but its `has_draws` is False": lambda: pair(has_draws=False),
    "although the game is over": lambda: pair(moves=lambda game, position: tuple(squares_of(game.empty(position)))),
    "although the game is not over": lambda: pair(moves=lambda *each: GridGame.moves(*each)[1:]),
    "`play` takes the illegal move": lambda: pair(
        play=lambda game, position, move: (game.after if 0 <= move < 4 else super(Pair, game).play)(position, move)
    ),
    "`successors` says": lambda: pair(
        successors=lambda *each: [(move, reached, None) for move, reached, _ in GridGame.successors(*each)]
    ),
    "'.... X' is not read: '.... X': this game reads nothing": lambda: pair(fault=lambda *_: "this game reads nothing"),
    "... B comes after fewer and after more moves, but growing `grows`": growing,
    ", not an `Outcome`": lambda: pair(outcome=winner),
    "the moves in .... X are not a tuple of integers: [0, 1, 2, 3]": lambda: pair(
        moves=lambda *each: [*GridGame.moves(*each)]
    ),
    "the sides of pair share a mark": lambda: pair(marks=("x", "X")),
}


@pytest.mark.parametrize("says", VIOLATIONS)
def test_a_violation_of_the_contract_is_reported(says: str):
    with pytest.raises(AssertionError) as caught:
        check_game(VIOLATIONS[says]())
    assert says in str(caught.value).splitlines()[0]


def test_an_image_that_play_cannot_reach_is_an_error_that_names_game_and_symmetry():
    space = space_of(apart())
    with pytest.raises(PluginFailed) as caught:
        len(space.position_class)
    assert str(caught.value) == (
        "Pair failed: its symmetry (3, 2, 1, 0) maps .XO. X to .OX. X, which play cannot reach"
    )


@pytest.mark.parametrize(
    ("changes", "most"), [({}, 31), ({"ply_limit": 1}, 30), ({"ply_limit": 4}, 29), ({"ply_limit": 127}, 27)]
)
def test_a_grid_whose_positions_do_not_fit_a_numbered_game_is_refused(changes: dict[str, int], most: int):
    def made(size: int, **more: object) -> Pair:
        return pair(grid=Grid(1, size), lines=(), **changes, **more)

    assert made(most).size == most
    with pytest.raises(BadText, match=f"^a grid of {most + 1} squares .* numbered game, which has at most {most}: "):
        made(most + 1)
    assert made(most + 1, numbered=False).size == most + 1


class Shuttle(StepGame):
    """Each side moves its one piece on a row of five squares. Whoever moves it next to the other piece wins."""

    name = "shuttle"
    title = "Shuttle"
    summary = "Move next to the other piece."
    grid = Grid(1, 5)
    ply_limit = 6

    def __init__(self) -> None:
        super().__init__()
        self.start = self.pack(0b00001, 0b10000, Side.FIRST)

    def outcome(self, position: Position) -> Outcome | None:
        first, second = self.masks(position)
        met = second == first << 1
        return Outcome.won_by(self.side(position).other) if met else self.limit_outcome(position)

    def moves(self, position: Position) -> tuple[Move, ...]:
        if self.outcome(position) is not None:
            return ()
        (here,) = squares_of(self.masks(position)[self.side(position)])
        nearby = [there for there in (here - 1, here + 1) if 0 <= there < 5 and self.empty(position) >> there & 1]
        return tuple(5 * here + there for there in nearby)


def test_a_game_that_could_go_on_for_ever_ends_by_its_ply_limit():
    game = Shuttle()
    check_game(game)
    assert game.longest == 6
    drawn = {game.to_text(each) for each in space_of(game).position.tolist() if game.outcome(each) is Outcome.DRAW}
    assert drawn == {".X.O. X 6"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("X...O X", "end with the number of moves made, from 0 to 6, as in X...O X 0"),
        ("X...O X 7", "end with the number of moves made, from 0 to 6"),
        ("X...O X -1", "end with the number of moves made"),
        ("X...O X ²", "end with the number of moves made"),
        ("X...O 4", "end with a space and the side to move, X or O"),
        ("X...O X 2", "no play from the start leads to it"),
        ("XX..O X 2", "no play from the start leads to it"),
    ],
)
def test_the_number_of_plies_is_checked(text: str, says: str):
    game = Shuttle()
    assert game.to_text(game.from_text("x...o  x  4")) == "X...O X 4"
    with pytest.raises(BadText, match=re.escape(says)):
        game.from_text(text)


def test_a_side_without_a_ply_left_threatens_nothing():
    game = Shuttle()
    position = game.from_text(".X.O. X 2")
    passed = game.null_move(position)
    assert passed is not None
    assert game.to_text(passed) == ".X.O. O 2"
    assert game.null_move(game.from_text(".X..O O 5")) is None
