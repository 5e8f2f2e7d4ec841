"""The verdict of the judge on an outside agent, in sentences."""

from collections.abc import Sequence
from typing import Final

from engine.game import Game, Side
from engine.solve import values
from engine.spaces import space_of
from lab.judging.judge import Verdict
from lab.words.numbers import percent_text
from lab.words.sanitise import plain
from learners.core.plural import counted_noun

EXAMPLES: Final = 3
"""The most positions that a sentence names."""


def verdict_lines(game: Game, verdict: Verdict) -> list[str]:
    """The verdict: whether the agent is optimal, how it loses, which answers were illegal or missing, and the error."""
    lines = headlines(game, verdict)
    if verdict.losing is not None:
        side, match = verdict.losing
        moves = " ".join(map(game.move_name, match.moves)) or "before the first move"
        ending = "; then it has no legal answer" if match.resigned else ""
        lines.append(f"The shortest game that it can lose, as {game.mark(side)}: {moves}{ending}")
    lines += _flaws(game, verdict)
    if verdict.sampled is not None:
        sampled = verdict.sampled
        most = max(error for errors in sampled.errors.values() for error in errors.values())
        lines.append(
            f"Its answers differ in {counted_noun(sampled.positions, 'position')}: it was asked {sampled.samples:,} "
            f"times in each, which leaves a standard error of at most {percent_text(most)}"
        )
    return lines


def headlines(game: Game, verdict: Verdict) -> list[str]:
    """Whether the agent is optimal, in one sentence for each side that it plays."""
    sides = verdict.answers.sides
    if all(verdict.optimal.values()) and len(sides) == len(Side):
        return ["It is optimal: it secures the value of the game as both sides, whoever it plays"]
    return [_side_sentence(game, side, verdict) for side in sides]


def _side_sentence(game: Game, side: Side, verdict: Verdict) -> str:
    mark, value = game.mark(side), int(values(space_of(game))[0]) * (1 if side is Side.FIRST else -1)
    worst = verdict.scores[side.name.lower()].against["best_responder"]
    if value < 0:
        return f"As {mark} the game is lost against perfect play"
    if verdict.optimal[side]:
        return f"As {mark} it is optimal: it {'wins every game' if value > 0 else 'never loses'}"
    if not worst.loss:
        return f"As {mark} it never loses, but gives away a won game"
    share = "every game" if worst.loss == 1 else f"{percent_text(worst.loss)} of the games"
    return f"As {mark} it loses {share} to one who knows it by heart"


def _flaws(game: Game, verdict: Verdict) -> list[str]:
    """The positions with illegal moves, and those without an answer."""
    answers = verdict.answers
    illegal = [f"{plain(', '.join(each.moves))} in {game.to_text(each.position)}" for each in answers.illegal]
    missing = [game.to_text(position) for position in answers.missing]
    return [
        f"{what} in {counted_noun(len(where), 'position')} of {answers.asked:,}, which counts as a loss: {_some(where)}"
        for what, where in (("An illegal move", illegal), ("No answer", missing))
        if where
    ]


def _some(texts: Sequence[str]) -> str:
    more = len(texts) - EXAMPLES
    return "; ".join(texts[:EXAMPLES]) + (f"; and {more:,} more" if more > 0 else "")
