"""Games with the methods of OpenSpiel's states."""

from operator import index
from typing import Final, Self

from engine.game import Game, Outcome, Side
from engine.games import GAMES, game_of
from engine.match import Match
from lab.judging.notation.observation import action_count, action_mask

TERMINAL: Final = -4
"""OpenSpiel's number for nobody, once a game is over."""


class State:
    """A game in progress with the methods of an OpenSpiel state. Players are 0 and 1; actions are our moves."""

    def __init__(self, game: Game) -> None:
        """Begin at the start of the game."""
        self.match = Match(game)

    def __repr__(self) -> str:
        """Return the game and the position."""
        return f"<state of {self.match.game.name}: {self}>"

    def current_player(self) -> int:
        """Return 0 or 1, the player to move; −4 once the game is over."""
        return TERMINAL if self.is_terminal() else int(self.match.side)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.match.outcome is not None

    def is_chance_node(self) -> bool:
        """Return `False`: no game has dice or cards."""
        return False

    def is_simultaneous_node(self) -> bool:
        """Return `False`: the players move one after the other."""
        return False

    def num_players(self) -> int:
        """Return 2."""
        return len(Side)

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal moves, ascending; none for the player who is not to move."""
        return [] if player not in (None, self.current_player()) else list(self.match.game.moves(self.match.position))

    def legal_actions_mask(self) -> list[int]:
        """Return a list with 1 for each legal action and 0 for any other of the `num_distinct_actions`."""
        mask: list[int] = action_mask(self.match.game, self.match.position).tolist()
        return mask

    def num_distinct_actions(self) -> int:
        """Return the number of actions of the game, legal or not. Raises `TooLarge` if the number is unknown."""
        return action_count(self.match.game)

    def apply_action(self, action: int) -> None:
        """Make a move. Raises `ValueError` for an illegal move."""
        self.match.play(index(action))  # numpy's would stay in the position, and its arithmetic differs

    def child(self, action: int) -> "State":
        """Return the state after a move."""
        after = self.clone()
        after.apply_action(action)
        return after

    def clone(self) -> Self:
        """Return a copy."""
        copy = type(self)(self.match.game)
        copy.match = self.match.until(len(self.match.moves))
        return copy

    def returns(self) -> list[float]:
        """Return 1 for the winner and −1 for the loser; zeros after a draw and while the game runs."""
        return [reward(self.match.outcome, player) for player in range(len(Side))]

    def rewards(self) -> list[float]:
        """Return `returns()`: all that a game gives is given at its end."""
        return self.returns()

    def player_return(self, player: int) -> float:
        """Return 1 if this player has won, −1 after a loss, otherwise 0."""
        return reward(self.match.outcome, player)

    def history(self) -> list[int]:
        """Return the moves so far."""
        return list(self.match.moves)

    def action_to_string(self, *player_and_action: int) -> str:
        """Return the name of a move; a player before it is ignored."""
        return self.match.game.move_name(player_and_action[-1])

    def information_state_string(self, player: int | None = None) -> str:
        """Return the text of the position: both players know all of it, and nothing else."""
        return str(self)

    def __str__(self) -> str:
        """Return the text of the position."""
        return self.match.game.to_text(self.match.position)


def state(game: str | Game = GAMES[0].name) -> State:
    """Return the first state of a game, with the methods of an OpenSpiel state. Raises `ValueError`."""
    return State(game_of(game))


def reward(outcome: Outcome | None, player: int) -> float:
    """Return 1 for a win of this player, −1 for a loss, 0 for a draw or an unfinished game."""
    winner = None if outcome is None else outcome.winner
    return 0.0 if winner is None else 1.0 if winner == player else -1.0
