"""Random games, for tests of what occurs in play."""

from random import Random

from engine.game import Game
from engine.match import Match


def random_match(game: Game, random: Random, moves: int | None = None, *, ends: bool = False) -> Match:
    """A random game of at most `moves` moves. If it `ends`, the last one may be a resignation or an agreed draw."""
    match = Match(game)
    while match.outcome is None and len(match.moves) != moves:
        match.play(random.choice(game.moves(match.position)))
    if match.outcome is None and ends:
        match.agree() if game.has_draws and random.random() < 0.5 else match.resign()
    return match
