"""Messages about plug-ins: the games, learners and players of other packages."""

from collections.abc import Callable
from random import Random
from typing import Final

from engine.game import BadText, Game, IllegalMove, Move, PluginFailed, Position
from engine.games import FAMILIES, GAMES, SMALL_GAMES, parse_game
from engine.match import play_match
from engine.plugins import Listed, Plugin
from engine.space import TooLarge
from lab.text.sanitise import plain
from learners import PLAYERS, parse_learner, plugins
from learners.core.player import Player

TRIED: Final = 20
"""How many games a plug-in is tried in."""
TRIAL_GAMES: Final = Listed[Game](SMALL_GAMES.own, lambda: GAMES)
"""The games in which plug-ins are tried, the first that fits: small ones of the program, then all others."""


def left_out_lines() -> list[str]:
    """Load all plug-ins; return a line for each one that was left out, with its name and the reason."""
    return [f"plug-in {plain(str(each))} is left out: {plain(each.problem)}" for each in plugins() if each.problem]


def left_out_message() -> str:
    """Return a message about the plug-ins left out: the reason for one, the number of several; empty without any."""
    lines = left_out_lines()
    if len(lines) > 1:
        return f"{len(lines)} plug-ins are left out: see noughts plugins"
    return lines[0] if lines else ""


def find_failure(plugin: Plugin) -> str:
    """Try a plug-in that is in its list; return how it fails, in one line, or an empty text."""
    try:
        TRIALS[plugin.kind](plugin.name)
    except PluginFailed as failed:
        return str(failed).partition(" failed: ")[2]
    except (BadText, IllegalMove, TooLarge) as error:
        return str(error)
    return ""


def _try_game(name: str) -> None:
    example = next((each.examples[0] for each in FAMILIES if name == f"{each.name}:{each.form}"), name)
    _play(parse_game(example))


def _try_learner(name: str) -> None:
    kind = parse_learner(name)
    game = next((each for each in TRIAL_GAMES if kind.spec.fits(each)), None)
    if game is not None:
        learner = kind(game, kind.spec.usual_preset(game), seed=1)
        learner.train(1)
        learner.policy()


def _try_player(name: str) -> None:
    kind = next(each for each in PLAYERS if each.label == name)
    game = next((each for each in TRIAL_GAMES if kind.fits(each)), None)
    if game is not None:
        _play(game, kind(game))


TRIALS: Final[dict[str, Callable[[str], None]]] = {"game": _try_game, "learner": _try_learner, "player": _try_player}
"""How plug-ins are tried, by their kinds: games and players in random games, learners by a round of training."""


def _play(game: Game, player: Player | None = None) -> None:
    random = Random(1)  # noqa: S311  a game, not a secret

    def choose(position: Position) -> Move | None:
        return random.choice(game.moves(position)) if player is None else player.choose(position, random).move

    for _ in range(TRIED):
        play_match(game, (choose, choose))
