"""Exact results as JSON. Imports no learner: they are slow to import."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict
from math import isnan
from typing import TYPE_CHECKING, Any, Final

from engine.evaluate import Results
from engine.game import Game, Position, Side
from engine.match import Match
from lab.judging.asking.answers import IllegalMoves

if TYPE_CHECKING:
    from learners.players.levels import SeedResults

DIGITS: Final = 12
"""Decimal places of chances in JSON, so that documents do not differ by rounding errors."""
Scoreboard = Mapping[str, Results]
"""The exact results of a player by side, `first` and `second`."""
LostGame = tuple[Side, Match] | None
"""The shortest lost game, and the side of the agent in it; `None` if the agent never loses."""


def results_document(scores: Scoreboard, trained: Collection[Side] = tuple(Side)) -> dict[str, dict[str, Any]]:
    """Return for each side the chances against each opponent, and the counts of decisions and of losing moves.

    A side that is not among the `trained` ones has `"untrained": true`.
    """
    return {
        side: {
            **{
                opponent: {name: round(chance, DIGITS) + 0.0 for name, chance in asdict(chances).items()}
                for opponent, chances in results.against.items()
            },
            "decisions": results.decisions,
            "perfect_moves": round(results.perfect_moves, DIGITS),
            "losing_pairs": results.losing_pairs,
            "exploitability": round(results.exploitability, DIGITS),
            **({} if Side[side.upper()] in trained else {"untrained": True}),
        }
        for side, results in scores.items()
    }


def round_share(share: float) -> float | None:
    return None if isnan(share) else round(share, DIGITS) + 0.0


def value_document(scores: Scoreboard, sides: Collection[Side]) -> dict[str, Any]:
    """Return the exploitability as each side that is played, and NashConv, their sum, if both are."""
    by_side = {side.name.lower(): round(scores[side.name.lower()].exploitability, DIGITS) for side in sides}
    nash_conv = round(sum(by_side.values()), DIGITS) if len(by_side) == len(Side) else None
    return {"exploitability": by_side, "nash_conv": nash_conv}


def seeds_document(results: "SeedResults") -> dict[str, object]:
    """Return the spread of results over several seeds as a part of a JSON object; nothing for a single seed."""
    if not results.has_several:
        return {}
    return {
        "seeds": len(results.each),
        "deviations": results_document(results.deviation),
        "unbeaten_seeds": {side.name.lower(): results.count_unbeaten([side]) for side in Side},
    }


def losing_document(game: Game, losing: LostGame) -> dict[str, object]:
    return {
        "losing_side": None if losing is None else losing[0].name.lower(),
        "losing_game": None if losing is None else [game.move_name(move) for move in losing[1].moves],
    }


def flaws_document(game: Game, illegal: Iterable[IllegalMoves], missing: Iterable[Position]) -> dict[str, object]:
    return {
        "illegal": [{"position": game.to_text(each.position), "moves": list(each.moves)} for each in illegal],
        "missing": [game.to_text(position) for position in missing],
    }
