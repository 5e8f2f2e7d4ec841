"""The games of the program, one file each."""

from difflib import get_close_matches
from typing import Final

from engine.game import BadText, Family, Game, quoted
from engine.games.connectfour import ConnectFour
from engine.games.hexapawn import HEXAPAWN, THREE_BY_THREE
from engine.games.misere import Misere
from engine.games.mnk import MNK
from engine.games.morris import Morris
from engine.games.nim import NIM
from engine.games.notakto import NOTAKTO, ONE_BOARD
from engine.games.tictactoe import TicTacToe
from engine.games.wild import Wild

GAMES: Final[tuple[Game, ...]] = (
    TicTacToe(),
    Misere(),
    THREE_BY_THREE,
    ConnectFour(),
    ONE_BOARD,
    Wild(),
    Morris(),
)
"""Every game of the program, the default first. A new game is one file and one entry here."""

SMALL_GAMES: Final = tuple(game for game in GAMES if game.numbered)
"""The games that have a `Space`, and so exact values."""


FAMILIES: Final[tuple[Family, ...]] = (MNK, NOTAKTO, NIM, HEXAPAWN)
"""Every family of games. A new family is one file and one entry here."""
NEAR: Final = 0.6
"""Two names are near each other from this similarity on: 0 for nothing in common, 1 for equal names."""
MAX_TITLE: Final = 40
"""Only this many characters of an unknown name are compared with the names of the games."""


def parse_game(name: str) -> Game:
    """Find a game by its name. Raises `BadText`, which names the nearest games."""
    for game in GAMES:
        if game.name == name:
            return game
    stem, _, parameters = name.partition(":")
    for family in FAMILIES:
        if family.name == stem:
            return _parse_parameters(family, name, parameters)
    raise BadText(f"no game {quoted(name)}: {_nearest(name)}; noughts play --help lists all")


def _nearest(name: str) -> str:
    """The names nearest to one that is unknown, or two examples if none is near.

    A family is shown by its first example.
    """
    examples = {game.name: game.name for game in GAMES} | {family.name: family.examples[0] for family in FAMILIES}
    examples |= {game.title.casefold(): game.name for game in GAMES}
    near = get_close_matches(name.partition(":")[0].casefold()[:MAX_TITLE], examples, n=2, cutoff=NEAR)
    found = list(dict.fromkeys(examples[each] for each in near))
    few = found or [GAMES[0].name, FAMILIES[0].examples[0]]
    return f"{'nearest' if found else 'there are'} {', '.join(few)}{'' if found else ' and others'}"


def _parse_parameters(family: Family, name: str, parameters: str) -> Game:
    try:
        return family.parse(parameters)
    except BadText as error:
        raise BadText(f"no game {quoted(name)}: {error}; for example {family.examples[0]}") from error


def game_names() -> list[str]:
    """The names of all games, and how the names of each family are written."""
    return [*(game.name for game in GAMES), *(f"{family.name}:{family.form}" for family in FAMILIES)]


def find_game(name: str) -> Game | None:
    """Find a game by its name; `None` where there is none."""
    try:
        return parse_game(name)
    except BadText:
        return None


def known_games(*also: Game) -> tuple[Game, ...]:
    """The games that menus list: all of `GAMES`, the examples of each family, and the games in `also`."""
    some = (parse_game(name) for family in FAMILIES for name in family.examples)
    return tuple(dict.fromkeys((*GAMES, *some, *also)))
