"""The verdict of the judge on an outside agent, in sentences."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from engine.evaluate import SAME, Chances
from engine.game import Game, Position, Side
from engine.match import Match
from engine.plural import counted_noun
from lab.judging.asking.agent import Agent
from lab.judging.asking.answers import Answers, IllegalMoves
from lab.judging.judge import AgentResults, SamplePrecision
from lab.text.numbers import percent_text
from lab.text.sanitise import plain

if TYPE_CHECKING:
    from lab.judging.asking.asked_agent import AskedAgent

UNEXPLAINED: Final = (
    "No random numbers of it are known: if its answers depend on a count of calls, on the time or on earlier "
    "questions, the intervals do not hold"
)
CLOCKED: Final = "It reads a clock: if its answers depend on the time, as by a seed, the intervals do not hold"
UNCOMPARED: Final = (
    "It was not compared with a copy that had been asked nothing before: its answers may depend on earlier questions"
)
SEEDED: Final = (
    "With the same random numbers it answered alike after different orders of the moves: it is asked after one"
)
CHANGED: Final = (
    "What it keeps, such as '{}', changes while it is asked: if its answers change later, this was not seen"
)
STOPPED: Final = "It would have been asked more often, which makes the intervals narrower, but that was stopped"
MAX_EXAMPLES: Final = 3
"""The maximum number of positions that a sentence names."""


def read_lines(agent: Agent) -> list[str]:
    """Return sentences on how an agent was read, on which the verdict depends, and other remarks about that."""
    reading = agent.convention or agent.form
    lines = [f"Read as: {plain(reading)}"] if reading else []
    return [*lines, *agent.notes]


def verdict_lines(game: Game, verdict: AgentResults) -> list[str]:
    """Return the verdict: whether the agent is optimal, how it loses, illegal and missing answers, and the error."""
    answers, sampled = verdict.answers, verdict.sampled
    lines = [*headlines(game, verdict), *_order_lines(game, answers), *_losing_lines(game, verdict.losing, "can lose")]
    lines += _flaw_lines(game, answers.illegal, answers.missing, f" of {answers.asked:,}")
    if sampled is not None:
        margin = percent_text(_widest_margin(verdict, sampled))
        lines += [
            _sampled_line(game, answers, sampled),
            f"In the table, each chance is off by {margin} at most (95 % confidence)",
            "To a player that has read its memory, the table has an upper estimate, which uses the sample's accidents",
        ]
    elif answers.has_single_moves:
        least = "" if answers.fewest == answers.samples else f"{answers.fewest} to "
        times = counted_noun(answers.samples, "time")
        in_all = f", {answers.total:,} times in all" if answers.total > answers.samples else ""
        lines.append(f"Asked {least}{times} in each position{in_all}, it always gave the same answer")
    return [*lines, *remarks(answers), *_value_lines(game, verdict)]


def _sampled_line(game: Game, answers: Answers, sampled: SamplePrecision) -> str:
    times = f"{counted_noun(sampled.samples, 'time')} in each position"
    if not sampled.positions and answers.differing_position is not None:
        position = game.to_text(answers.differing_position)
        return f"A sampled agent: its answers in {position} differed before, and nowhere when it was asked {times}"
    return f"A sampled agent: its answers differ in {counted_noun(sampled.positions, 'position')}; asked {times}"


def _widest_margin(verdict: AgentResults, sampled: SamplePrecision) -> float:
    """Return the largest distance of a chance from an end of its interval, not counting the best responder."""
    margin = 0.0
    for side, opponents in sampled.intervals.items():
        for opponent in opponents.keys() - {"best_responder"}:
            chances = asdict(verdict.scores[side].against[opponent])
            for ending, (low, high) in opponents[opponent].items():
                margin = max(margin, high - chances[ending], chances[ending] - low)
    return margin


def remarks(answers: Answers) -> list[str]:
    """Return sentences on what is not known of an agent, so that the verdict may not hold."""
    known = (
        (UNEXPLAINED, answers.is_unexplained),
        (CLOCKED, answers.has_read_clock),
        (SEEDED, answers.is_seeded),
        (STOPPED, answers.is_stopped),
        (UNCOMPARED, not answers.is_compared),
        (CHANGED.format(plain(answers.changed_name)), bool(answers.changed_name)),
    )
    return [sentence for sentence, holds in known if holds]


def _order_lines(game: Game, answers: Answers) -> list[str]:
    tree = answers.histories
    if tree is None:
        return []
    rows = tree.find_two_orders(answers.policy, answers.sides)
    one, other = (" ".join(map(game.move_name, tree.moves_to(row))) for row in rows)
    position = game.to_text(int(tree.space.position[rows[0]]))
    return [
        f"Its answers depend on the order of the moves, as in {position} after {one} and after {other}",
        f"So it is judged on all {len(tree.space.position):,} histories",
    ]


def _value_lines(game: Game, verdict: AgentResults) -> list[str]:
    """Return the exploitability, if it tells more than the games lost, and the wins that come late."""
    lines = _exploitability_lines(game, verdict)
    if verdict.wins_given_away and all(verdict.optimal.values()):
        positions = counted_noun(verdict.wins_given_away, "won position")
        lines.append(f"In {positions}, which only errors of its opponent lead to, it plays a move that does not win")
    if verdict.late_wins and verdict.sampled is None:
        lines.append(f"In {counted_noun(verdict.late_wins, 'won position')} it wins later than it could")
    return lines


def _exploitability_lines(game: Game, verdict: AgentResults) -> list[str]:
    """Return the exploitability by side; nothing if it is known to be 0."""
    scores = {side: verdict.scores[side.name.lower()] for side in verdict.answers.sides}
    if verdict.sampled is None and not any(results.exploitability for results in scores.values()):
        return []
    if verdict.sampled is not None:
        intervals = {side: verdict.sampled.exploitability[side.name.lower()] for side in scores}
        shares = [f"{low:.2f} to {high:.2f} as {game.mark(side)}" for side, (low, high) in intervals.items()]
        remark = " (95 % confidence)"
    else:
        shares = [f"{results.exploitability:.4g} as {game.mark(side)}" for side, results in scores.items()]
        remark = "" if verdict.nash_conv is None else f"; NashConv {verdict.nash_conv:.4g}"
    lines = [f"Exploitability, with a win worth 1 and a loss −1: {', '.join(shares)}{remark}"]
    if any(abs(each.against["best_responder"].loss - each.exploitability) > SAME for each in scores.values()):
        lines.append("It counts what is given up: a draw for a loss is 1, a win for a draw 1, a win for a loss 2")
    return lines


def sampled_verdict_lines(game: Game, losing: tuple[Side, Match] | None, agent: "AskedAgent | None") -> list[str]:
    """Return the verdict where games are sampled: the shortest game lost, and the illegal and missing answers."""
    from learners.race.sampling import OPENING_PLIES  # imports all learners, which the exact verdict does not need

    lines = _losing_lines(game, losing, "lost", f"; the first {OPENING_PLIES} moves are random")
    if agent is not None:
        lines += _flaw_lines(game, agent.illegal.values(), agent.missing)
    return lines


def _losing_lines(game: Game, losing: tuple[Side, Match] | None, verb: str, remark: str = "") -> list[str]:
    if losing is None:
        return []
    side, match = losing
    moves = " ".join(map(game.move_name, match.moves)) or "before the first move"
    ending = "; then it has no legal answer" if match.resigned else ""
    return [f"The shortest game that it {verb}, as {game.mark(side)}: {moves}{ending}{remark}"]


def headlines(game: Game, verdict: AgentResults) -> list[str]:
    """Return for each side of the agent a sentence that says whether it is optimal."""
    sides = verdict.answers.sides
    if all(verdict.optimal.values()) and len(sides) == len(Side):
        return ["It is optimal: it secures the value of the game as both sides, whoever it plays"]
    return [_side_sentence(game, side, verdict) for side in sides]


def _side_sentence(game: Game, side: Side, verdict: AgentResults) -> str:
    mark, value = game.mark(side), verdict.worth[side]
    worst = verdict.scores[side.name.lower()].against["best_responder"]
    if value < 0:
        return f"As {mark} the game is lost against perfect play"
    if verdict.sampled is not None:
        return _sampled_sentence(mark, value, worst, verdict.sampled, side.name.lower())
    if verdict.optimal[side]:
        return f"As {mark} it is optimal: it {'wins every game' if value > 0 else 'never loses'}"
    if verdict.optimal[side] is None:
        return f"As {mark} no answer gives anything away: it is optimal if it always answers the same (--deterministic)"
    if not worst.loss:
        return f"As {mark} it never loses, but gives away a won game"
    share = "every game" if worst.loss == 1 else f"{percent_text(worst.loss)} of the games"
    return f"As {mark} it loses {share} to a player that has read its memory"


def _sampled_sentence(mark: str, value: int, worst: Chances, sampled: SamplePrecision, side: str) -> str:
    """Return what samples show. They cannot show that an agent never errs, since a rare move may be missing."""
    low, high = sampled.intervals[side]["best_responder"]["loss"]
    if worst.loss:
        return (
            f"As {mark} it loses {percent_text(low)} to {percent_text(high)} of the games to a player that has read "
            "its memory (95 % confidence)"
        )
    no_loss = "no loss seen" if value == 0 or worst.win == 1 else "no loss seen, but a won game given away,"
    times = f"{sampled.samples:,} answers a position"
    return f"As {mark} {no_loss} in {times}; it loses at most {percent_text(high)} of the games, with 95 % confidence"


def _flaw_lines(game: Game, illegal: Iterable[IllegalMoves], missing: Iterable[Position], total: str = "") -> list[str]:
    """Return a sentence on the illegal moves, and one on the missing answers; `total` follows their numbers."""
    wrong = [f"{plain(', '.join(each.moves))} in {game.to_text(each.position)}" for each in illegal]
    silent = [game.to_text(position) for position in missing]
    lines = list[str]()
    for flaw, places in (("An illegal move", wrong), ("No answer", silent)):
        if places:
            examples = places[:MAX_EXAMPLES]
            if len(places) > MAX_EXAMPLES:
                examples.append(f"and {len(places) - MAX_EXAMPLES:,} more")
            positions = counted_noun(len(places), "position")
            lines.append(f"{flaw} in {positions}{total}, which counts as a loss: {'; '.join(examples)}")
    return lines
