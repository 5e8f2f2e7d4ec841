"""The results of a player in a game that is too large for exact ones, in lines of text."""

from typing import Final

from engine.game import Game
from lab.judging.sampling import OPENING, KnownMoves, SampledGames, Share
from lab.text.columns import columns
from lab.text.numbers import percent_text
from learners.core.plural import counted_noun

INTERVAL_SIZE: Final = 2
"""The margin of error that is stated, in standard errors."""


def games_lines(game: Game, sampled: SampledGames) -> list[str]:
    """A table with a line for each opponent: the shares of games won, drawn and lost as each side."""
    rows: list[tuple[str, ...]] = [
        ("", *(text for side in sampled.sides for text in (f"as {game.mark(side)}:", "", ""))),
        ("against", *("win", "draw", "loss") * len(sampled.sides)),
    ]
    for label, sides in sampled.against.items():
        chances = sides.values()
        rows.append((label, *(percent_text(share) for each in chances for share in (each.win, each.draw, each.loss))))
    widest = INTERVAL_SIZE * Share(sampled.games // 2, sampled.games).error
    games = counted_noun(sampled.games, "game")
    return [
        f"{game.title} is too large for exact results: {games} each, after {OPENING} random moves",
        f"(a share is off by {percent_text(widest)} at most, in 95 of 100 cases):",
        "",
        *columns(rows, "<" + ">>>" * len(sampled.sides)),
    ]


def known_lines(known: KnownMoves) -> list[str]:
    """How often its moves keep the value of known positions."""
    sets = ", ".join(f"{name} {percent_text(each.share)}" for name, each in known.sets.items())
    share, error = percent_text(known.won.share), percent_text(INTERVAL_SIZE * known.won.error)
    return [
        f"In {known.won.of:,} won positions with known scores its move keeps the win in {share} (± {error}):",
        sets,
        f"In all {known.kept.of:,} known positions it keeps the value in {percent_text(known.kept.share)}",
    ]
