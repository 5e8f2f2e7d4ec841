"""The shortest course of a machine: how it plays out, compared with machines that have no teacher."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from statistics import fmean, median, quantiles, stdev
from textwrap import wrap
from time import monotonic
from typing import Any, Final

from engine.evaluate import best_response, chances_as, uniform_policy
from engine.game import BadText, Side
from engine.plural import counted_noun
from engine.stop import Stop, Stopped, never, while_time_lasts
from lab.exact.lesson import WIDTH, GameText, describe_game, lesson_lines
from lab.results.score_lines import READER_NOTE
from lab.text.columns import columns
from lab.text.numbers import count_text, percent_text
from learners import parse_learner
from learners.core.learner import Learner
from learners.core.snapshot import CHECKPOINTS, ITSELF
from learners.courses.course import SEED, Course, forced_match, own_changes, play_course, teach_game
from learners.courses.decisions import moves_through
from learners.courses.finding import decisions_as, strikes_one_bead
from learners.courses.honest import HonestTeacher, NeverTaught, games_with_luck
from learners.menace.learner import Menace

RUNS: Final = 100
"""How many runs with honest luck and the best teacher are simulated."""
RUNS_WITH_LUCK: Final = 21
"""How many runs with honest luck and another teacher are simulated at most."""


@dataclass(frozen=True)
class HonestLuck:
    """The games that a course takes if the machine draws its own moves and the teacher only chooses replies."""

    expected: float | None
    """The exact mean number of games with the best teacher; `None` where it is not computed."""
    lengths: tuple[int, ...]
    """The number of games of each simulated run that ended, ascending."""
    unfinished: int = 0
    """The number of further runs, in which the machine could still lose when it had nothing more to learn."""


def honest_luck(course: Course, learner: Learner, stop: Stop, seconds: float) -> HonestLuck:
    """Return how many games a machine needs with honest luck.

    A machine that strikes one bead a game has the best teacher. Any other has a teacher that plays what beats its
    memory most often, in as many runs as the time allows, at most `RUNS_WITH_LUCK`. Raises `BadText` for a course of
    two sides, and `Stopped`.
    """
    if len(course.games) > 1:
        raise BadText("honest luck is computed for one side: give --side")
    (side,) = course.games

    def pupil(seed: int) -> Learner:
        return type(learner)(learner.game, course.preset, seed, course.settings)

    if strikes_one_bead(learner):
        return _luck_with_best_teacher(learner, side, pupil, stop)
    lengths, unfinished, deadline = list[int](), 0, monotonic() + seconds
    with while_time_lasts(stop):
        for seed in range(RUNS_WITH_LUCK):
            random = Random(seed)  # noqa: S311  reproducible draws, no secrets
            try:
                games = games_with_luck(pupil(seed), side, random, lambda: stop() or monotonic() > deadline)
                lengths.append(sum(1 for _ in games))
            except NeverTaught:
                unfinished += 1
    return HonestLuck(None, tuple(sorted(lengths)), unfinished)


def _luck_with_best_teacher(learner: Menace, side: Side, pupil: Callable[[int], Learner], stop: Stop) -> HonestLuck:
    decisions = decisions_as(learner, side)
    teacher, lengths = HonestTeacher(decisions, stop), list[int]()
    expected = teacher.expected_games()
    for seed in range(RUNS):
        taught, length = pupil(0), 0
        for cells, end in teacher.draw_games(Random(seed)):  # noqa: S311  reproducible draws, no secrets
            teach_game(taught, side, forced_match(taught, side, moves_through(decisions, cells, end)))
            length += 1
        lengths.append(length)
    return HonestLuck(expected, tuple(sorted(lengths)))


def honest_text(honest: HonestLuck) -> str:
    """Return a sentence about how many games the machine needs if it draws its own moves."""
    lengths, runs = honest.lengths, len(honest.lengths)
    if honest.expected is not None:
        low, high = _band(lengths)
        return (
            f"If it draws its own moves, the best teacher needs {honest.expected:.3f} games on average (exact); {runs} "
            f"runs took {fmean(lengths):.2f} ± {2 * _error(lengths):.2f}, nine in ten from {low} to {high}."
        )
    teacher = "If it draws its own moves, and the teacher plays what beats its memory most often,"
    stuck = f"{honest.unfinished} of {counted_noun(runs + honest.unfinished, 'run')} came to where it learns no more"
    if not runs and honest.unfinished:
        return f"{teacher} {stuck}."
    if not runs:
        return f"{teacher} no run ended in the time: --seconds gives more."
    low, high = _band(lengths)
    needs = f"it needs {median(lengths):,.0f} games: the median of {counted_noun(runs, 'run')}"
    text = f"{teacher} {needs}, nine in ten from {low:,} to {high:,}"
    return f"{text}; {stuck}." if honest.unfinished else f"{text}."


def _error(lengths: Sequence[int]) -> float:
    return stdev(lengths) / len(lengths) ** 0.5 if len(lengths) > 1 else 0.0


def _band(lengths: Sequence[int]) -> tuple[int, int]:
    """Return the range of the middle nine in ten of these lengths."""
    if len(lengths) == 1:
        return lengths[0], lengths[0]
    cuts = quantiles(lengths, n=20, method="inclusive")
    return round(cuts[0]), round(cuts[-1])


def honest_document(honest: HonestLuck | None) -> dict[str, Any] | None:
    """Return the number of games with honest luck as a JSON object; `None` if it is not known."""
    if honest is None:
        return None
    lengths = honest.lengths
    low, high = _band(lengths) if lengths else (None, None)
    return {
        "expected": None if honest.expected is None else round(honest.expected, 9),
        "runs": len(lengths),
        "unfinished": honest.unfinished,
        "mean": round(fmean(lengths), 9) if lengths else None,
        "error": round(_error(lengths), 9) if lengths else None,
        "median": median(lengths) if lengths else None,
        "low": low,
        "high": high,
    }


MAX_LISTED: Final = 100
"""The maximum number of games of a course for which every game is listed, with the losses after it."""
LISTED_AT_ENDS: Final = 12
"""The number of games that are listed at either end of a longer course."""
SELF_TAUGHT_FACTOR: Final = 10
"""The training of a machine without a teacher, for comparison, is this many times as long as the course."""
MAX_SELF_TAUGHT_GAMES: Final = 100_000
SELF_TAUGHT_MACHINES: Final = 21
"""How many machines train without a teacher, each with a seed of its own: an odd number, so that one is the median."""


@dataclass(frozen=True)
class Losses:
    """The probabilities that a machine loses after some games, on the worst of the sides that it is taught."""

    game: int
    random: float
    """The probability to lose against uniform play."""
    best_responder: float
    """The probability to lose against a player that has read the machine's memory."""
    remaining: int | None = None
    """The number of moves that are still to be struck; `None` where it is not counted."""


@dataclass(frozen=True)
class Teaching:
    course: Course
    learner: Learner
    games: tuple[GameText, ...]
    """The games in words; of a long course, only the first and the last ones."""
    losses: tuple[Losses, ...]
    self_taught: tuple[Losses, ...] = ()
    """The losses of the median of `SELF_TAUGHT_MACHINES` that were trained as usual, without a teacher."""
    opponent: str = ITSELF
    honest: HonestLuck | None = None


Report = Callable[[int], None]


def teach_course(
    course: Course, stop: Stop = never, report: Report = lambda _games: None, *, honest: float = 0.0
) -> Teaching:
    """Play a course on a new machine; for comparison, train other machines as usual.

    With `honest` seconds, also compute how many games the machine needs with honest luck. Raises `BadText` if the
    machine does not follow the course, or if it has two sides and honest luck is wanted; and `Stopped`.
    """
    learner = parse_learner(course.learner)(course.game, course.preset, SEED, course.settings)
    games, losses = list[GameText](), [losses_of(learner, course, 0)]
    struck, is_short = [0], course.length <= MAX_LISTED
    for taught in play_course(learner, course):
        if stop():
            raise Stopped
        report(taught.number)
        struck.append(struck[-1] + own_changes(learner, course.games, taught.changes))
        is_at_an_end = taught.number <= LISTED_AT_ENDS or taught.number > course.length - LISTED_AT_ENDS
        if is_short or is_at_an_end:
            games.append(describe_game(learner, taught))
        if is_short or taught.number in CHECKPOINTS or taught.number == course.length:
            losses.append(losses_of(learner, course, taught.number))
    if course.strikes:
        losses = [replace(each, remaining=struck[-1] - struck[each.game]) for each in losses]
    others = [type(learner)(course.game, course.preset, seed, course.settings) for seed in range(SELF_TAUGHT_MACHINES)]
    losses_by_machine = [_self_taught_losses(other, course, stop) for other in others]
    self_taught = tuple(_median_losses(same_game) for same_game in zip(*losses_by_machine, strict=True))
    luck = honest_luck(course, learner, stop, honest) if honest else None
    return Teaching(course, learner, tuple(games), tuple(losses), self_taught, others[0].opponent, luck)


def losses_of(learner: Learner, course: Course, game: int) -> Losses:
    """Compute how often a learner loses after game number `game` of a course."""
    policy, space = learner.policy(), learner.space
    random = max(chances_as(space, side, policy, uniform_policy(space)).loss for side in course.games)
    reader = max(best_response(space, side, policy).loss for side in course.games)
    return Losses(game, random, reader)


def self_taught_rounds(course: Course) -> int:
    """Return how many games a machine without a teacher trains, for comparison with the course."""
    return min(MAX_SELF_TAUGHT_GAMES, SELF_TAUGHT_FACTOR * course.length)


def _self_taught_losses(learner: Learner, course: Course, stop: Stop) -> Iterator[Losses]:
    """Train a learner without a teacher; yield its losses at each checkpoint, and after as many games as the course."""
    total, done = self_taught_rounds(course), 0
    yield losses_of(learner, course, 0)
    marks = {checkpoint for checkpoint in CHECKPOINTS if checkpoint < total} | {course.length, total}
    for mark in sorted(marks - {0}):
        if stop():
            raise Stopped
        learner.train(mark - done)
        done = mark
        yield losses_of(learner, course, mark)


def _median_losses(losses: tuple[Losses, ...]) -> Losses:
    random, best_responder = (median(each.random for each in losses), median(each.best_responder for each in losses))
    return Losses(losses[0].game, random, best_responder)


def teaching_lines(teaching: Teaching) -> list[str]:
    lines = [*lesson_lines(teaching.course, teaching.learner, teaching.games), "", *_loss_lines(teaching)]
    if teaching.honest is not None:
        lines += ["", *wrap(honest_text(teaching.honest), WIDTH)]
    return lines


def _loss_lines(teaching: Teaching) -> list[str]:
    taught = {each.game: each for each in teaching.losses}
    self_taught = {each.game: each for each in teaching.self_taught}
    rows = [
        ["after", "moves left", "to random", "to a", "without a"],
        ["games", "to strike", "play", "reader", "teacher"],
    ]
    shown = {0, max(taught), *CHECKPOINTS}
    for number in sorted(shown & {*taught, *self_taught}):
        row = [count_text(number), "", "", "", ""]
        if number in taught:
            losses = taught[number]
            remaining = "" if losses.remaining is None else count_text(losses.remaining)
            row[1:4] = [remaining, percent_text(losses.random), percent_text(losses.best_responder)]
        if number in self_taught:
            row[4] = percent_text(self_taught[number].best_responder)
        rows.append(row)
    if not teaching.course.strikes:  # nothing is counted that must be struck
        for row in rows:
            del row[1]
    opponents = {ITSELF: "themselves", "perfect:any": "perfect play, each of the best moves equally likely"}
    against = opponents.get(teaching.opponent, teaching.opponent)
    machines = f"{SELF_TAUGHT_MACHINES} machines, seeds 0 to {SELF_TAUGHT_MACHINES - 1}"
    note = f"without a teacher: lost to a reader; the median of {machines}, that train against {against}"
    notes = ["random play: every legal move equally likely", READER_NOTE, *wrap(note, WIDTH)]
    return ["How often it loses", "", *columns(rows, ">" * len(rows[0])), "", *notes]


def losses_document(losses: tuple[Losses, ...]) -> list[dict[str, Any]]:
    return [
        {
            "game": each.game,
            **({} if each.remaining is None else {"left": each.remaining}),
            "random": round(each.random, 12),
            "best_responder": round(each.best_responder, 12),
        }
        for each in losses
    ]
