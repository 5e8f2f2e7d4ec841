"""The game of the guide fulfils the contract, and each violation of the contract is reported in a sentence."""

import re
from collections.abc import Sequence
from types import ModuleType

import pytest

from engine.game import BadText, Game, Move, Outcome, Position, Side
from engine.games.nim import Nim
from engine.grid import Grid, Symmetry, squares_of
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


class Pair(GridGame):
    """Two adjacent pieces win on a row of four squares. This game fulfils the contract; its subclasses violate it."""

    name = "pair"
    title = "Pair"
    summary = "Two in a row wins."
    grid = Grid(1, 4)
    in_a_row = 2
    lines = grid.lines(2)

    def __init__(self) -> None:
        super().__init__()
        self.symmetries = (*self.symmetries, self.grid.mirror)

    def outcome(self, position: Position) -> Outcome | None:
        first, second = (any(mask & line == line for line in self.lines) for mask in self.masks(position))
        return Outcome.FIRST_WINS if first else Outcome.SECOND_WINS if second else self.drawn(position)

    def drawn(self, position: Position) -> Outcome | None:
        return None if self.empty(position) else Outcome.DRAW


def test_a_small_game_fulfils_the_contract():
    check_game(Pair())


class Placing(Pair):
    """Its plies are walked at once, by the default of games that only place pieces."""

    grows = True
    places_pieces = True


class PlacingMisere(Placing):
    ends = Outcome.SECOND_WINS, Outcome.FIRST_WINS

    def outcome(self, position: Position) -> Outcome | None:
        outcome = super().outcome(position)
        return outcome if outcome in {None, Outcome.DRAW} else Outcome(1 - outcome)


class Falling(Placing):
    """Pieces fall on two rows of three."""

    grid = Grid(2, 3)
    lines = grid.lines(2)
    longest = 5
    has_draws = False

    falls = True


@pytest.mark.parametrize("kind", [Placing, PlacingMisere, Falling])
def test_plies_of_a_game_that_only_places_pieces_are_walked_at_once(kind: type[Game]):
    check_game(kind())


def test_a_game_that_only_seems_to_place_pieces_is_reported():
    class Both(Placing):
        """A row wins for the first side, whoever made it."""

        def outcome(self, position: Position) -> Outcome | None:
            outcome = super().outcome(position)
            return outcome if outcome in {None, Outcome.DRAW} else Outcome.FIRST_WINS

    with pytest.raises(AssertionError, match="`successors_all` says"):
        check_moves_of_many(Both())


def test_counts_are_derived_from_the_rules():
    assert counts(derived(Pair()))["perft"] == [4, 12, 24, 12]


class OneName(Pair):
    def move_name(self, move: Move) -> str:
        return "b1" if move == 2 else super().move_name(move)


class OneSquare(Pair):
    class Board(GridBoard):
        def squares(self, position: Position, move: Move) -> tuple[int, ...]:
            return (min(move, 2),)

    def __init__(self) -> None:
        super().__init__()
        self.board = self.Board(self)


class Elsewhere(OneSquare):
    """A person points at the next square."""

    class Board(GridBoard):
        def squares(self, position: Position, move: Move) -> tuple[int, ...]:
            return ((move + 1) % 4,)


class Descending(Pair):
    def moves(self, position: Position) -> tuple[Move, ...]:
        return super().moves(position)[::-1]


class Returning(Pair):
    """The last piece removes all pieces from the board."""

    def after(self, position: Position, move: Move) -> Position:
        after = super().after(position, move)
        return after if self.empty(after) else self.start

    def drawn(self, position: Position) -> Outcome | None:
        return None


class Lopsided(Pair):
    """Only the left half counts."""

    lines = Grid(1, 4).lines(2)[:1]


class WrongImage(Pair):
    def transform_move(self, move: Move, symmetry: Symmetry) -> Move:
        return move


class TooLong(Pair):
    longest = 5


class Undrawn(Pair):
    has_draws = False


class GoesOn(Pair):
    def moves(self, position: Position) -> tuple[Move, ...]:
        return tuple(square for square in range(4) if self.empty(position) >> square & 1)


class Stuck(Pair):
    def moves(self, position: Position) -> tuple[Move, ...]:
        return super().moves(position)[1:]


class Careless(Pair):
    def play(self, position: Position, move: Move) -> Position:
        return self.after(position, move) if 0 <= move < 4 else super().play(position, move)


class Hasty(Pair):
    def successors(self, position: Position) -> Sequence[tuple[Move, Position, Outcome | None]]:
        return [(move, reached, None) for move, reached, _ in super().successors(position)]


class Unread(Pair):
    def fault(self, first: int, second: int, side: int) -> str | None:
        return "this game reads nothing"


class Growing(Nim):
    """Three stones are taken by three moves or by one."""

    grows = True

    def __init__(self) -> None:
        super().__init__((3,), misere=False)


class Winner(Pair):
    def outcome(self, position: Position) -> Outcome | None:
        outcome = super().outcome(position)
        return outcome if outcome in {None, Outcome.DRAW} else outcome.winner


class Listing(Pair):
    def moves(self, position: Position) -> tuple[Move, ...]:
        return [*super().moves(position)]


class SameMarks(Pair):
    marks = ("x", "X")


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        (OneName, "two moves are called b1 in .... X"),
        (OneSquare, "c1 and d1 point at the same squares in .... X"),
        (Elsewhere, "a1 changes no square that it points at in .... X"),
        (Descending, "the moves (3, 2, 1, 0) do not ascend in .... X"),
        (Returning, "Pair can go on for ever: play can come back to "),
        (Lopsided, "are not symmetric: they have other outcomes"),
        (WrongImage, "a1 does not lead to symmetric positions"),
        (TooLong, "no game of Pair lasts longer than 4 moves, but its `longest` is 5"),
        (Undrawn, "can be drawn, but its `has_draws` is False"),
        (GoesOn, "although the game is over"),
        (Stuck, "although the game is not over"),
        (Careless, "`play` takes the illegal move"),
        (Hasty, "`successors` says"),
        (Unread, "'.... X' is not read: '.... X': this game reads nothing"),
        (Growing, "... B comes after fewer and after more moves, but nim:3 `grows`"),
        (SameMarks, "the sides of pair share a mark"),
        (Winner, ", not an `Outcome`"),
        (Listing, "the moves in .... X are not a tuple of integers: [0, 1, 2, 3]"),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_a_violation_of_the_contract_is_reported(kind: type[Game], says: str):
    with pytest.raises(AssertionError) as caught:
        check_game(kind())
    assert says in str(caught.value).splitlines()[0]


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
