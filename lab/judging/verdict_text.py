"""The verdict of the judge on an outside agent, in sentences."""

from collections.abc import Iterable, Sequence
from typing import Final

from engine.evaluate import Chances
from engine.game import Game, Position, Side
from engine.match import Match
from engine.solve import values
from engine.spaces import space_of
from lab.judging.judge import AgentResults, IllegalMoves
from lab.judging.sampling import OPENING, AskedAgent
from lab.text.numbers import percent_text
from lab.text.sanitise import plain
from learners.core.plural import counted_noun

EXAMPLES: Final = 3
"""A sentence names at most this many positions."""


def verdict_lines(game: Game, verdict: AgentResults) -> list[str]:
    """The verdict: whether the agent is optimal, how it loses, which answers were illegal or missing, and the error."""
    lines = headlines(game, verdict)
    lines += _losing_line(game, verdict.losing, "can lose")
    answers = verdict.answers
    lines += _flaws(game, answers.illegal, answers.missing, f" of {answers.asked:,}")
    sampled = verdict.sampled
    if sampled is not None:
        fixed = [errors[each] for errors in sampled.errors.values() for each in errors if each != "best_responder"]
        lines += [
            (
                f"Its answers differ in {counted_noun(sampled.positions, 'position')}: asked {sampled.samples:,} times "
                f"in each, which leaves a standard error of at most {percent_text(max(fixed))}"
            ),
            "One who knows these answers by heart exploits their accidents too: the table has the upper estimate",
        ]
    elif answers.single:
        lines.append(f"Asked {counted_noun(answers.samples, 'time')} in each position, it always gave the same answer")
    return lines


def sampled_verdict_lines(game: Game, losing: tuple[Side, Match] | None, agent: AskedAgent | None) -> list[str]:
    """The shortest game that was lost, and which answers were illegal or missing, where games are sampled."""
    lines = _losing_line(game, losing, "lost", f"; the first {OPENING} moves are random")
    if agent is not None:
        lines += _flaws(game, agent.illegal.values(), agent.missing)
    return lines


def _losing_line(game: Game, losing: tuple[Side, Match] | None, verb: str, remark: str = "") -> list[str]:
    if losing is None:
        return []
    side, match = losing
    moves = " ".join(map(game.move_name, match.moves)) or "before the first move"
    ending = "; then it has no legal answer" if match.resigned else ""
    return [f"The shortest game that it {verb}, as {game.mark(side)}: {moves}{ending}{remark}"]


def headlines(game: Game, verdict: AgentResults) -> list[str]:
    """Whether the agent is optimal, in one sentence for each side that it plays."""
    sides = verdict.answers.sides
    if all(verdict.optimal.values()) and len(sides) == len(Side):
        return ["It is optimal: it secures the value of the game as both sides, whoever it plays"]
    return [_side_sentence(game, side, verdict) for side in sides]


def _side_sentence(game: Game, side: Side, verdict: AgentResults) -> str:
    mark, value = game.mark(side), int(values(space_of(game))[0]) * (1 if side is Side.FIRST else -1)
    worst = verdict.scores[side.name.lower()].against["best_responder"]
    if value < 0:
        return f"As {mark} the game is lost against perfect play"
    if verdict.sampled is not None:
        return _sampled_sentence(mark, value, worst, verdict.sampled.ranges[side.name.lower()])
    if verdict.optimal[side]:
        return f"As {mark} it is optimal: it {'wins every game' if value > 0 else 'never loses'}"
    if not worst.loss:
        return f"As {mark} it never loses, but gives away a won game"
    share = "every game" if worst.loss == 1 else f"{percent_text(worst.loss)} of the games"
    return f"As {mark} it loses {share} to one who knows it by heart"


def _sampled_sentence(mark: str, value: int, worst: Chances, span: tuple[float, float]) -> str:
    """What samples show. They cannot show that an agent never errs: a rare move may be missing."""
    if not worst.loss and (value == 0 or worst.win == 1):
        return f"As {mark} none of its sampled answers gives anything away; one that is rare may be missing"
    if not worst.loss:
        return f"As {mark} no sampled answer loses, but it gives away a won game"
    low, high = map(percent_text, span)
    return f"As {mark} it loses {low} to {high} of the games to one who knows it by heart"


def _flaws(game: Game, illegal: Iterable[IllegalMoves], missing: Iterable[Position], of: str = "") -> list[str]:
    """The positions with illegal moves, and those without an answer."""
    wrong = [f"{plain(', '.join(each.moves))} in {game.to_text(each.position)}" for each in illegal]
    silent = [game.to_text(position) for position in missing]
    return [
        f"{what} in {counted_noun(len(where), 'position')}{of}, which counts as a loss: {_first_examples(where)}"
        for what, where in (("An illegal move", wrong), ("No answer", silent))
        if where
    ]


def _first_examples(texts: Sequence[str]) -> str:
    more = len(texts) - EXAMPLES
    return "; ".join(texts[:EXAMPLES]) + (f"; and {more:,} more" if more > 0 else "")
