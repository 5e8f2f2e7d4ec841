"""Games, and the playing of them."""

from dataclasses import dataclass
from functools import cached_property
from html import escape
from inspect import signature
from random import Random

from engine.game import BadText, Game, IllegalMove, Move, Position, quoted
from engine.games import GAMES, game_of, parse_game
from engine.match import Chooser, Match, play_match
from lab.judging.notation.written_moves import read_move
from noughts.drawing import board_svg, image
from noughts.machine import ChooseText, Machine, given, whole_number
from saves.library.library import Library
from saves.paths import library_path

PlayerLike = str | Machine | ChooseText
"""A player: a label (`perfect`, `minimax:3`, `save:NAME`), a machine, or a function."""


def game(name: str = GAMES[0].name) -> Game:
    """Return the rules of a game, such as `tictactoe` or `mnk:4,3,3`; `noughts games playable` lists all.

    A `Game` holds no position; `game.start` is the first one. Raises `ValueError`, which names the most similar games.
    """
    return parse_game(given("game", name))


@dataclass(frozen=True)
class PlayedGame:
    """A finished game between two players."""

    match: Match
    players: tuple[str, str]
    """The labels of the first and the second player."""

    @cached_property
    def moves(self) -> tuple[str, ...]:
        """The names of the moves, in their order."""
        return tuple(map(self.match.game.move_name, self.match.moves))

    @property
    def winner(self) -> str | None:
        """`first` or `second`; `None` after a draw."""
        winner = None if self.match.outcome is None else self.match.outcome.winner
        return None if winner is None else winner.name.lower()

    def __repr__(self) -> str:
        """Return the players, the moves, and who won."""
        ending = "draw" if self.winner is None else f"{self.players[self.winner == 'second']} wins"
        return f"<{' against '.join(self.players)}: {' '.join(self.moves)}, {ending}>"

    def _repr_html_(self) -> str:
        game, position = self.match.game, self.match.position
        return image(board_svg(game, position), game.to_text(position)) + f"<p>{escape(repr(self))}</p>"


def play(
    first: PlayerLike, second: PlayerLike, game: str | Game | None = None, *, seed: int | None = None
) -> PlayedGame:
    """Play one game, and return it.

    A player is a label, a machine, or a function from the text of a position to the name or the number of a move. The
    default game is that of a machine among the players, or tic-tac-toe. All random draws are those of a generator with
    this `seed`: the same seed gives the same game; without one, each game differs. Raises `ValueError` for an unknown
    player or an illegal move.
    """
    rules = _rules((first, second), game)
    chance = Random(None if seed is None else whole_number("seed", seed, 0))  # noqa: S311  a game, not a secret
    seats = tuple(_seat(player, rules, chance) for player in (first, second))
    (one, choose_first), (two, choose_second) = seats
    return PlayedGame(play_match(rules, (choose_first, choose_second)), (one, two))


def _rules(players: tuple[PlayerLike, PlayerLike], game: str | Game | None) -> Game:
    if game is not None:
        return game_of(game)
    return next((each.game for each in players if isinstance(each, Machine)), GAMES[0])


def _seat(player: PlayerLike, game: Game, chance: Random) -> tuple[str, Chooser]:
    """Return the label of a player, and the function that chooses its moves."""
    if not isinstance(player, (str, Machine)):
        if not _takes_a_text(player):
            raise BadText(
                f"{player!r:.60} is no function from position text to move name: "
                "nt.judge(…).save(NAME) keeps what another agent plays, then play 'save:NAME'"
            )
        return getattr(player, "__name__", type(player).__name__), _chooser(player, game)
    known = player.learner if isinstance(player, Machine) else Library(library_path()).player(player, game)
    if known.game.name != game.name:
        raise BadText(f"{quoted(known.label)} plays {known.game.title}, not {game.title}")
    return known.label, lambda position: known.choose(position, chance).move


def _takes_a_text(player: object) -> bool:
    """Return whether an object can be called with one argument; true for a callable whose signature is unknown."""
    if not callable(player):
        return False
    try:
        signature(player).bind("")
    except TypeError:
        return False
    except ValueError:  # of a function written in C
        return True
    return True


def _chooser(function: ChooseText, game: Game) -> Chooser:
    def choose(position: Position) -> Move:
        answer = function(game.to_text(position))
        move = read_move(answer, game, position)
        if move is None:
            legal = ", ".join(map(game.move_name, game.moves(position)))
            raise IllegalMove(f"{quoted(str(answer))} cannot be played in {game.to_text(position)}; legal: {legal}")
        return move

    return choose
