"""The games of the program, one file each."""

import copyreg
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from engine.game import BadText, Family, Game, Move, Outcome, Position, Successor, quoted
from engine.games.connectfour import CONNECT_FOUR
from engine.games.hexapawn import HEXAPAWN, THREE_BY_THREE
from engine.games.misere import Misere
from engine.games.mnk import MNK
from engine.games.morris import Morris
from engine.games.nim import NIM
from engine.games.notakto import NOTAKTO, ONE_BOARD
from engine.games.tictactoe import TICTACTOE
from engine.games.wild import Wild
from engine.plugin_guard import Check, guard, guard_fields, guard_function
from engine.plugins import Added, BadPlugin, Listed, require_line, require_name
from engine.plural import nearest_text


def _accept(plugin: object) -> tuple[str, Game | Family]:
    """Return the name of a game or family of another package, and the object, after checking that it can begin.

    Raises `BadPlugin`, and whatever the game raises.
    """
    if isinstance(plugin, type) and issubclass(plugin, Game):
        plugin = plugin()
    if not isinstance(plugin, Game | Family):
        raise BadPlugin(f"it is neither a `Game` nor a `Family`: {plugin!r}")
    name = require_name(plugin.name, [*(each.name for each in GAMES), *(each.name for each in FAMILIES)])
    if isinstance(plugin, Game):
        _require_playable(plugin)
        return name, plugin
    require_line("form", plugin.form)
    if not plugin.examples:
        raise BadPlugin("it has no examples")
    for example in plugin.examples:
        stem, _, parameters = example.partition(":")
        if stem != name or plugin.parse(parameters) is not plugin.parse(parameters):
            raise BadPlugin(f"its example {example!r} is not one and the same game each time")
        _require_playable(plugin.parse(parameters))
    return f"{name}:{plugin.form}", plugin


def _require_playable(game: Game) -> None:
    require_line("title", game.title)
    require_line("summary", game.summary)
    if game.outcome(game.start) is not None or not game.moves(game.start):
        raise BadPlugin(f"{game.title} is over before the first move")
    game.board.cells(game.play(game.start, game.moves(game.start)[0]))
    fault = _estimate_fault(game.start, game.heuristic.estimate(game.start))
    if fault:
        raise BadPlugin(fault)


def _estimate_fault(_: Position, estimate: object) -> str:
    return "" if isinstance(estimate, int) else f"its heuristic estimates {estimate!r:.60}, which is not an int"


def _guard_entry(entry: Game | Family, owner: str) -> Game | Family:
    if isinstance(entry, Family):
        parse = guard_function(owner, entry.parse)
        return replace(entry, parse=lambda text: _guard_game(parse(text), owner))
    return _guard_game(entry, owner)


def _moves_fault(game: Game, moves: object, position: Position) -> str:
    if not (isinstance(moves, tuple) and all(type(move) is int and 0 <= move <= MAX_MOVE for move in moves)):
        wrong = f"are not a tuple of integers from 0 to {MAX_MOVE}: {moves!r}"
    elif any(move >= after for move, after in pairwise(moves)):
        wrong = f"do not ascend: {moves}"
    elif not moves and game.outcome(position) is None:
        wrong = "are none, although the game is not over"
    else:
        return ""
    return f"the moves in {game.to_text(position)} {wrong}"


def _play_fault(game: Game, after: object, position: Position, move: Move) -> str:
    if not (type(after) is int and 0 <= after <= MAX_POSITION):
        return f"after move {move} in {game.to_text(position)} the position is {after!r}, not an integer below 2**63"
    if game.side(after) is game.side(position):
        return f"after {game.move_name(move)} in {game.to_text(position)} it is not the other side's turn"
    return ""


def _successors_fault(game: Game, successors: Sequence[Successor], position: Position) -> str:
    fault = _moves_fault(game, tuple(move for move, _, _ in successors), position)
    if fault:
        return fault
    for move, after, outcome in successors:
        fault = _play_fault(game, after, position, move) or _outcome_fault(game, outcome, after)
        if fault:
            return fault
    return ""


def _outcome_fault(game: Game, outcome: object, position: Position) -> str:
    if outcome is None or isinstance(outcome, Outcome):
        return ""
    return f"the outcome of {game.to_text(position)} is {outcome!r}, not an `Outcome`"


MAX_MOVE: Final = 2**31 - 1
MAX_POSITION: Final = 2**63 - 1
"""The largest numbers that a `Space` holds."""
GAME_CHECKS: Final[dict[str, Check]] = {
    "moves": _moves_fault,
    "play": _play_fault,
    "outcome": _outcome_fault,
    "successors": _successors_fault,
}


def _guard_game(game: Game, owner: str) -> Game:
    guard(owner, type(game), GAME_CHECKS)
    guard(owner, type(game.board))
    game.heuristic = guard_fields(owner, game.heuristic, "estimate", check=_estimate_fault)
    return game


PLUGINS: Final = Added("game", _accept, _guard_entry)
GAMES: Final = Listed[Game](
    (TICTACTOE, Misere(), THREE_BY_THREE, CONNECT_FOUR, ONE_BOARD, Wild(), Morris()),
    lambda: (each for each in PLUGINS.entries() if isinstance(each, Game)),
)
"""Every game, the default first. A new game of the program is one file and one entry here."""
SMALL_GAMES: Final = Listed[Game](
    tuple(game for game in GAMES.own if game.numbered),
    lambda: (each for each in PLUGINS.entries() if isinstance(each, Game) and each.numbered),
)
"""The games that have a `Space`, and so exact values."""
FAMILIES: Final = Listed[Family](
    (MNK, NOTAKTO, NIM, HEXAPAWN), lambda: (each for each in PLUGINS.entries() if isinstance(each, Family))
)
"""Every family of games. A new family of the program is one file and one entry here."""


def parse_game(name: str) -> Game:
    """Return the game of this name. Raises `BadText`, which names the most similar game."""
    game = _find_game(name)
    if game is None:
        names = {text: each.name for each in known_games() for text in (each.name, each.title)}
        nearest = nearest_text(name, {**names, **{each.name: each.examples[0] for each in FAMILIES}})
        raise BadText(f"no game {quoted(name)}{nearest}; noughts games playable lists all")
    copyreg.pickle(type(game), _reduce_to_name)
    return game


def _find_game(name: str) -> Game | None:
    stem, colon, parameters = name.partition(":")
    if not colon:
        for game in GAMES:
            if game.name == name:
                return game
    for family in FAMILIES:
        if family.name == stem:
            return _parse_parameters(family, name, parameters)
    return None


def _reduce_to_name(game: Game) -> tuple[Callable[[str], Game], tuple[str]]:
    """Return what another process needs to make the same game: its rules are functions, which cannot be sent there."""
    return parse_game, (game.name,)


for _game in GAMES.own:
    copyreg.pickle(type(_game), _reduce_to_name)


def game_of(game: str | Game) -> Game:
    """Return a game, given as itself or by its name. Raises `BadText`."""
    if isinstance(game, Game):
        return game
    if not isinstance(game, str):
        raise BadText(f"game cannot be {game!r:.60}: give its name")
    return parse_game(game)


def _parse_parameters(family: Family, name: str, parameters: str) -> Game:
    try:
        return family.parse(parameters)
    except BadText as error:
        raise BadText(f"no game {quoted(name)}: {error}; for example {family.examples[0]}") from error


def game_names() -> list[str]:
    return [*(game.name for game in GAMES), *(f"{family.name}:{family.form}" for family in FAMILIES)]


def find_game(name: str) -> Game | None:
    try:
        return parse_game(name)
    except BadText:
        return None


def known_games(*also: Game) -> tuple[Game, ...]:
    """Return the games that menus list: all of `GAMES`, the examples of each family, and the games in `also`."""
    examples = (parse_game(name) for family in FAMILIES for name in family.examples)
    return tuple(dict.fromkeys((*GAMES, *examples, *also)))
