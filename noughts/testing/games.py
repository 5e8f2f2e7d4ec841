"""The contract of a game, as checks that need nothing but the game. A check that fails says what is wrong.

Every check walks `positions(game)`: all positions if the game has few, otherwise those of some random games.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, zip_longest
from random import Random
from typing import Final

import numpy as np

from engine.game import BadText, Game, IllegalMove, Move, Outcome, Position
from engine.grid import Symmetry
from engine.plugins import NAME, NAME_FORM
from engine.space import Endless, TooLarge
from engine.spaces import space_of

QUICK: Final = 10_000
"""The maximum number of positions of a game of which all positions are checked."""
RANDOM_GAMES = 40
"""The number of random games, in a game with too many positions to check all of them."""
NO_MOVES = (-2, -1, 10**6)
"""Numbers that are not a move in any game."""


def check_description(game: Game) -> None:
    """Check that names, marks and pieces are distinct, and fit where they are shown."""
    stem, colon, parameters = game.name.partition(":")
    assert NAME.fullmatch(stem), f"the name {game.name!r} does not begin with {NAME_FORM}"
    assert game.name.islower(), f"the name {game.name!r} is not in lower case"
    assert bool(parameters) == bool(colon), f"the name {game.name!r} has a colon and nothing after it"
    assert game.title, f"{game.name} has no title"
    assert game.summary.endswith("."), f"the summary of {game.name} is not a sentence: {game.summary!r}"
    marks, pieces = game.marks, [piece.mark for piece in game.board.pieces]
    assert len({mark.upper() for mark in marks}) == len(marks) == 2, f"the sides of {game.name} share a mark: {marks}"
    assert len({mark.upper() for mark in pieces}) == len(pieces), f"two pieces of {game.name} share a mark: {pieces}"
    assert all(len(mark) == 1 for mark in [*marks, *pieces]), f"a mark of {game.name} is not one character"
    assert game.side(game.start) == 0, f"{game.name} does not begin with the first side to move"


def check_begins(game: Game) -> None:
    """Check that the game is set up, and that random games have moves until they are over, and then none."""
    assert hasattr(game, "board"), f"{game.name} has no board: call `super().__init__()` in its `__init__`"
    assert game.outcome(game.start) is None, f"{game.name} is over before the first move"
    assert game.moves(game.start), f"{game.name} has no moves in its first position"
    assert not getattr(game, "chooses_piece", False) or len(game.board.pieces) == 2, (
        f"a person chooses the piece in {game.name}, so it needs two: {game.board.pieces}"
    )
    random = Random(2)
    for _ in range(RANDOM_GAMES):
        position = game.start
        for _ in range(game.longest + 1):
            outcome = game.outcome(position)
            if outcome is not None:
                where = game.to_text(position)
                assert isinstance(outcome, Outcome), f"the outcome of {where} is {outcome!r}, not an `Outcome`"
                assert not game.moves(position), f"there are moves in {where}, although the game is over"
                break
            moves = game.moves(position)
            assert moves, f"there are no moves in {game.to_text(position)}, although the game is not over"
            position = game.play(position, random.choice(moves))


def check_draws(game: Game) -> None:
    """Check that `has_draws` says whether a game can be drawn."""
    if not game.numbered:
        return
    drawn = bool((space_of(game).outcome == Outcome.DRAW).any())
    ends = "can be drawn" if drawn else "is never drawn"
    assert game.has_draws == drawn, f"{game.title} {ends}, but its `has_draws` is {game.has_draws}"


def check_ends(game: Game) -> None:
    """Check that no position can occur twice in a game, and that no game has more than `longest` moves."""
    if game.numbered:
        try:
            space_of(game)
        except Endless as error:
            raise AssertionError(str(error)) from error
        except TooLarge as error:
            advice = "set `numbered` to False, or `grows` to True if no two plies share a position"
            raise AssertionError(f"{error}: {advice}") from error
    longest = most_moves(game)
    assert longest <= game.longest, (
        f"a game of {game.title} lasts {longest} moves, more than its longest, {game.longest}"
    )


def check_longest(game: Game) -> None:
    """Check that the longest game has exactly `longest` moves, if the game has a space, so that all games are known."""
    longest = most_moves(game)
    exact = longest == game.longest or not game.numbered
    assert exact, f"no game of {game.title} lasts longer than {longest} moves, but its `longest` is {game.longest}"


def check_moves(game: Game) -> None:
    """Check that moves ascend, have distinct names and pass the turn, and that only finished games have none."""
    for position in positions(game):
        where, moves, over = game.to_text(position), game.moves(position), game.outcome(position) is not None
        ints = isinstance(moves, tuple) and all(type(move) is int for move in moves)
        assert ints, f"the moves in {where} are not a tuple of integers: {moves!r}"
        assert list(moves) == sorted(set(moves)), f"the moves {moves} do not ascend in {where}"
        assert not (over and moves), f"there are moves in {where}, although the game is over"
        assert over or moves, f"there are no moves in {where}, although the game is not over"
        assert over or not game.end_reason(position), f"there is a reason why {where} ended, but it is not over"
        for name, count in Counter(game.move_name(move) for move in moves).items():
            assert count == 1, f"two moves are called {name} in {where}"
        for move in moves:
            name, after = game.move_name(move), game.play(position, move)
            assert game.is_move_name(name), f"{name} is played in {where}, but `is_move_name` does not know it"
            assert name == name.strip().lower(), f"the name {name!r} is not in lower case"
            assert game.parse_move(position, f" {name.upper()} ") == move, f"{name} is read as another move in {where}"
            turns = game.side(after) is game.side(position).other
            assert turns, f"after {name} in {where} it is not the other side's turn"
        reported = list(game.successors(position))
        true = [(move, game.play(position, move), game.outcome(game.play(position, move))) for move in moves]
        assert reported == true, f"`successors` says {reported} in {where}; `moves`, `play` and `outcome` say {true}"


def check_moves_of_many(game: Game) -> None:
    """Check that `successors_all` agrees with `successors`, and that no position of a game that grows has two plies."""
    if not (game.grows and game.numbered):
        return
    running = [position for position in positions(game) if game.outcome(position) is None]
    rows = zip(*(column.tolist() for column in game.successors_all(np.array(running, np.int64))), strict=True)
    reported = [(running[source], move, after, outcome) for source, move, after, outcome in rows]
    true = [
        (position, move, after, -1 if outcome is None else outcome)
        for position in running
        for move, after, outcome in game.successors(position)
    ]
    for one, other in zip_longest(reported, true):
        assert one == other, f"`successors_all` says {one}, and `successors` says {other}"
    reached, times = np.unique(space_of(game).position, return_counts=True)
    again = reached[times > 1].tolist()
    assert not again, f"{game.to_text(again[0])} comes after fewer and after more moves, but {game.name} `grows`"


def check_illegal_moves(game: Game) -> None:
    """Check that `play` refuses every move that `moves` does not list."""
    every = {move for position in positions(game) for move in game.moves(position)}
    for position in positions(game)[::17]:
        for move in {*every, *NO_MOVES} - set(game.moves(position)):
            try:
                game.play(position, move)
            except IllegalMove as error:
                says = str(error)
                assert "cannot be played in" in says, f"the error for an illegal move does not say where: {says}"
            else:
                raise AssertionError(f"`play` takes the illegal move {move} in {game.to_text(position)}")


def check_board(game: Game) -> None:
    """Check that every square is drawn, and that the squares that a person points at determine one move."""
    board = game.board
    squares = range(board.rows * board.columns)
    for position in positions(game):
        where, cells = game.to_text(position), board.cells(position)
        assert len(cells) == len(squares), f"{len(cells)} cells are drawn on {len(squares)} squares in {where}"
        strange = set(cells) - {None, *board.pieces}
        assert not strange, f"{strange} stands on the board in {where}, but is no piece of the game"
        pointed = [board.pointed(position, square) for square in squares]
        assert all(board.pointed(position, square) == square for square in pointed), (
            f"`pointed` is not settled in {where}"
        )
        ways = [(move, way) for move in game.moves(position) for way in board.ways(position, move)]
        for move, way in ways:
            name = game.move_name(move)
            assert way, f"there is no square to point at for {name} in {where}"
            assert set(way) <= set(squares), f"{name} points at {way} in {where}, which is off the board"
            assert all(pointed[square] == square for square in way), f"{name} cannot be pointed at in {where}"
        for (one, way), (two, other_way) in combinations(ways, 2):
            if one == two:
                continue  # the same move from its other end
            names = f"{game.move_name(one)} and {game.move_name(two)}"
            if way == other_way:
                options = board.option(position, one), board.option(position, two)
                assert options[0].upper() != options[1].upper(), (
                    f"{names} point at the same squares in {where}, and have the same option"
                )
                assert all(len(option) == 1 for option in options), f"an option of {names} is not one character"
                continue
            shorter = min(len(way), len(other_way))
            assert way[:shorter] != other_way[:shorter], (
                f"one of {names} begins with the squares of the other in {where}"
            )
        for move, way in ways:
            after = board.cells(game.play(position, move))
            changes = any(after[square] != cells[square] for square in way)
            assert changes, f"{game.move_name(move)} changes no square that it points at in {where}"
        rows = board.completed(position)
        assert all(set(row) <= set(squares) for row in rows), f"a complete row is off the board in {where}"


def check_symmetries(game: Game) -> None:
    """Check that the symmetries form a group, and that the rules are the same for a position and its images."""
    size, group = game.board.rows * game.board.columns, game.symmetries
    assert len(group[0]) in {size, 2 * size}, f"the symmetries of {game.name} have another number of squares"
    places = tuple(range(len(group[0])))
    assert group[0] == places, f"the first symmetry of {game.name} is not the identity"
    assert len(set(group)) == len(group), f"a symmetry of {game.name} is listed twice"
    for one in group:
        assert tuple(sorted(one)) == places, f"{one} does not permute the squares of {game.name}"
        for two in group:
            both = tuple(two[one[place]] for place in places)
            assert both in group, f"two symmetries of {game.name} in turn make {both}, which is not listed"
    start = game.to_text(game.start)
    for symmetry in group:  # then no image of any position is out of reach
        image = game.to_text(game.transform(game.start, symmetry))
        assert image == start, f"the symmetry {symmetry} of {game.name} maps the first position {start} to {image}"
    for position in positions(game):  # generators suffice only if all positions are checked
        for symmetry in generators(group) if all_are_checked(game) else group:
            check_image(game, position, symmetry)


def generators(group: Sequence[Symmetry]) -> list[Symmetry]:
    """Return symmetries that generate the group: what holds for these in all positions holds for all symmetries."""
    found: list[Symmetry] = []
    reached = {group[0]}
    for symmetry in group:
        if symmetry not in reached:
            found.append(symmetry)
            new = reached
            while new := {tuple(two[place] for place in one) for one in new for two in found} - reached:
                reached |= new
    return found


def check_image(game: Game, position: Position, symmetry: Symmetry) -> None:
    """Check that the rules are the same for a position and its image under a symmetry."""
    image = game.transform(position, symmetry)
    pair = f"{game.to_text(position)} and {game.to_text(image)} are not symmetric"
    assert game.side(image) == game.side(position), f"{pair}: other sides are to move"
    assert game.outcome(image) == game.outcome(position), f"{pair}: they have other outcomes"
    size = game.board.rows * game.board.columns
    moves = {move: game.transform_move(move, symmetry) for move in game.moves(position)}
    there = list(game.moves(image))
    assert sorted(moves.values()) == there, (
        f"{pair} by {symmetry}: the moves {[*moves]} become {sorted(moves.values())}, not {there}"
    )
    for move, mirrored in moves.items():
        after = game.transform(game.play(position, move), symmetry)
        assert game.play(image, mirrored) == after, (
            f"{pair}: {game.move_name(move)} does not lead to symmetric positions"
        )
    cells, seen = game.board.cells(position), game.board.cells(image)
    for square, piece in enumerate(cells):
        goal, become = symmetry[square], piece
        if piece is not None and len(symmetry) > size:  # the symmetry may also exchange the pieces
            pieces = game.board.pieces
            goal = symmetry[square + pieces.index(piece) * size]
            become = pieces[goal // size]
        assert seen[goal % size] == become, f"{pair}: other pieces stand on them"


def check_texts(game: Game) -> None:
    """Check that every position has a distinct text, and that the game parses this text in all its spellings."""
    for position in positions(game):
        text = game.to_text(position)
        for spelt in (text, f"  {text.lower().replace('.', '-')}\n", text.replace(".", "_").replace("/", " / ")):
            try:
                read = game.from_text(spelt)
            except BadText as error:
                raise AssertionError(f"{spelt!r} is not read: {error}") from error
            assert read == position, f"{spelt!r} is read as {game.to_text(read)}"


def check_passing(game: Game) -> None:
    """Check that a null move changes only the side to move, and two null moves change nothing."""
    for position in positions(game):
        passed, where = game.null_move(position), game.to_text(position)
        if passed is not None:
            assert game.null_move(passed) == position, f"to pass twice changes {where}"
            assert game.board.cells(passed) == game.board.cells(position), f"to pass changes the board of {where}"
            assert game.side(passed) is game.side(position).other, f"to pass does not pass the turn in {where}"


GAME_CHECKS: Final[Sequence[Callable[[Game], None]]] = (
    check_begins,
    check_ends,
    check_description,
    check_moves,
    check_moves_of_many,
    check_illegal_moves,
    check_board,
    check_symmetries,
    check_texts,
    check_passing,
    check_longest,
    check_draws,
)
"""All checks. `check_begins` and `check_ends` come first: if they fail, the others may not end."""


def check_game(game: Game) -> None:
    """Raise `AssertionError` with a sentence that says what is wrong with a game."""
    for check in GAME_CHECKS:
        check(game)


@cache
def has_at_most(game: Game, most: int) -> bool:
    """Return whether play reaches no more than `most` positions."""
    found, waiting = {game.start}, [game.start]
    while waiting and len(found) <= most:
        after = {reached for _, reached, _ in game.successors(waiting.pop())} - found
        found |= after
        waiting += after
    return len(found) <= most


@cache
def all_are_checked(game: Game) -> bool:
    """Return whether a game has so few positions that all are checked."""
    return game.numbered and has_at_most(game, QUICK)


def positions(game: Game) -> list[Position]:
    """Return all positions of a game if it has few, otherwise those of some random games."""
    if all_are_checked(game):
        every: list[Position] = space_of(game).position.tolist()
        return every
    seen = {game.start: None}
    for moves in random_games(game):
        position = game.start
        for move in moves:
            position = game.play(position, move)
            seen[position] = None
    return list(seen)


def most_moves(game: Game) -> int:
    """Return the number of moves of the longest game; in a game without a space, of the longest random game."""
    return int(space_of(game).ply.max()) if game.numbered else max(map(len, random_games(game)))


def random_games(game: Game) -> Iterator[list[Move]]:
    """Yield random games as lists of moves, each cut off one move after `longest`."""
    random = Random(1)
    for _ in range(RANDOM_GAMES):
        position, made = game.start, list[Move]()
        while len(made) <= game.longest and (moves := game.moves(position)):
            made.append(random.choice(moves))
            position = game.play(position, made[-1])
        yield made
