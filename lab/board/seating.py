"""Who sits at the board: a game, its two players, and the rules of the series that they play."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from engine.game import Game, Side
from engine.games import parse_game
from engine.search import USUAL_DEPTH
from engine.solve import values
from engine.spaces import space_of
from learners.core.learner import PERSON
from learners.core.save_ref import SaveRef
from saves import gallery


def machine_for(game: Game) -> str:
    """Return the usual opponent in a game: a save of the gallery, the perfect player, or in a large game a search."""
    if game.name in gallery.USUAL_OPPONENTS:
        return SaveRef(gallery.USUAL_OPPONENTS[game.name]).label
    return "perfect" if game.numbered else f"alphabeta:{USUAL_DEPTH}"


class Sides(StrEnum):
    """Who moves first from one game to the next."""

    FIXED = "fixed"
    ALTERNATE = "alternate"
    RANDOM = "random"


@dataclass(frozen=True)
class Seating:
    game: Game
    first: str
    second: str
    sides: Sides = Sides.FIXED
    length: int = 0
    """The number of games in a series; 0 for no end."""
    learning: bool = False
    """Whether the saves among the players learn from the games."""
    fresh: bool = False
    """Whether the first player is created if no save has its name: see `lab.board.first_game`."""
    suits: bool = False
    """Whether a person gets the other side, if their opponent turns out to be trained for theirs only."""


def winning_side(game: Game) -> Side | None:
    """Return the side that wins when both play best; `None` for a draw, or a game too large to tell at once."""
    if not game.numbered or game.is_large:
        return None
    value = int(values(space_of(game))[0])
    if value == 0:
        return None
    return Side.FIRST if value > 0 else Side.SECOND


def seating_for(game: Game, first: str | None = None, second: str | None = None) -> Seating:
    """Fill the open sides: with a person, or with the usual machine if the other side is a person.

    With both open, the person has the side that can always win, if there is one.
    """
    machine = machine_for(game)
    if first is None and second is None:
        return Seating(game, machine, PERSON) if winning_side(game) is Side.SECOND else Seating(game, PERSON, machine)
    if first is None:
        first = machine if second == PERSON else PERSON
    if second is None:
        second = machine if first == PERSON else PERSON
    return Seating(game, first, second)


def seating_choices(seating: Seating) -> dict[str, str]:
    return {
        "game": seating.game.name,
        "first": seating.first,
        "second": seating.second,
        "sides": seating.sides.value,
        "series": str(seating.length),
        "learning": str(seating.learning).lower(),
    }


def seating_from_choices(choice: Callable[[str, str], str]) -> Seating | None:
    """Read a seating from the settings; `None` if there is no valid one."""
    first, second, series = choice("first", ""), choice("second", ""), choice("series", "")
    if not (first and second and re.fullmatch("[0-9]{1,3}", series)):
        return None
    try:
        game, sides = parse_game(choice("game", "")), Sides(choice("sides", ""))
    except ValueError:
        return None
    return Seating(game, first, second, sides, int(series), learning=choice("learning", "") == "true")
