"""The shortest course: played out on the machine that it teaches, and beside machines without a teacher."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median
from textwrap import wrap
from typing import Any, Final

from engine.evaluate import best_response, chances_as, uniform_policy
from engine.stop import Stop, Stopped, never
from lab.exact.honest_luck import HonestLuck, honest_luck, honest_text
from lab.exact.lesson import WIDTH, GameTold, game_told, lesson_lines
from lab.results.score_lines import READER_NOTE
from lab.text.columns import columns
from lab.text.numbers import count_text, percent_text
from learners import parse_learner
from learners.core.learner import Learner
from learners.core.snapshot import CHECKPOINTS, ITSELF
from learners.courses.course import Course, new_pupil, own_changes, play_course

EACH: Final = 100
"""Up to so many games of a course, the losses are computed after each of them, and each is told."""
BY_ITSELF: Final = 10
"""How many times as long as its course a machine trains without a teacher, for comparison."""
MOST_BY_ITSELF: Final = 100_000
UNTAUGHT: Final = 21
"""How many machines train without a teacher, each with a seed of its own: an odd number, so that one is the median."""
SHOWN: Final = 12
"""How many games are told at either end of a longer course."""


@dataclass(frozen=True)
class Losses:
    """How a machine plays after some games: the chance to lose as the sides that it is taught, the worst of them."""

    game: int
    random: float
    """Against uniform play."""
    best_responder: float
    """Against a player that has read its memory."""
    left: int | None = None
    """How many moves are still to be struck; `None` where that is not counted."""


@dataclass(frozen=True)
class Teaching:
    course: Course
    learner: Learner
    """The machine after the course."""
    told: tuple[GameTold, ...]
    """The games in words; of a long course those at either end."""
    losses: tuple[Losses, ...]
    by_itself: tuple[Losses, ...] = ()
    """The median of `UNTAUGHT` such machines without a teacher, trained as usual."""
    opponent: str = ITSELF
    honest: HonestLuck | None = None
    """With honest luck, for a machine that strikes one bead a game."""


Report = Callable[[int], None]


def teach_course(
    course: Course, stop: Stop = never, report: Report = lambda _games: None, *, honest: float = 0.0
) -> Teaching:
    """Play a course on a new machine, and beside it the usual training of another one.

    With `honest` seconds, also tell how long it takes with honest luck. Raises `BadText` for a course that the machine
    does not follow, or if that is not known of it; and `Stopped`.
    """
    learner = new_pupil(parse_learner(course.learner), course.game, course.preset, course.settings)
    told, losses = list[GameTold](), [losses_of(learner, course, 0)]
    struck, short = [0], course.length <= EACH
    for taught in play_course(learner, course):
        if stop():
            raise Stopped
        report(taught.number)
        struck.append(struck[-1] + own_changes(learner, course.games, taught.changes))
        if short or taught.number <= SHOWN or taught.number > course.length - SHOWN:
            told.append(game_told(learner, taught))
        if short or taught.number in CHECKPOINTS or taught.number == course.length:
            losses.append(losses_of(learner, course, taught.number))
    if course.aims:
        losses = [Losses(**{**vars(each), "left": struck[-1] - struck[each.game]}) for each in losses]
    others = [
        new_pupil(type(learner), course.game, course.preset, course.settings, seed=seed) for seed in range(UNTAUGHT)
    ]
    alone = tuple(map(_median, zip(*(_by_itself(other, course, stop) for other in others), strict=True)))
    luck = honest_luck(course, learner, stop, honest) if honest else None
    return Teaching(course, learner, tuple(told), tuple(losses), alone, others[0].opponent, luck)


def losses_of(learner: Learner, course: Course, game: int) -> Losses:
    policy, space = learner.policy(), learner.space
    random = max(chances_as(space, side, policy, uniform_policy(space)).loss for side in course.games)
    reader = max(best_response(space, side, policy).loss for side in course.games)
    return Losses(game, random, reader)


def self_taught_rounds(course: Course) -> int:
    """Return how many games a machine trains without a teacher, for comparison with its course."""
    return min(MOST_BY_ITSELF, BY_ITSELF * course.length)


def _by_itself(learner: Learner, course: Course, stop: Stop) -> Iterator[Losses]:
    most, done = self_taught_rounds(course), 0
    yield losses_of(learner, course, 0)
    for mark in sorted({each for each in CHECKPOINTS if each < most} | {course.length, most} - {0}):
        if stop():
            raise Stopped
        learner.train(mark - done)
        done = mark
        yield losses_of(learner, course, mark)


def _median(losses: tuple[Losses, ...]) -> Losses:
    """Return the median of each chance after the same number of games."""
    return Losses(
        losses[0].game, median(each.random for each in losses), median(each.best_responder for each in losses)
    )


def teaching_lines(teaching: Teaching) -> list[str]:
    """Return a course as lines of text: the lesson, and the losses that fall from game to game."""
    lines = [*lesson_lines(teaching.course, teaching.learner, teaching.told), "", *_loss_lines(teaching)]
    return lines if teaching.honest is None else [*lines, "", *wrap(honest_text(teaching.honest), WIDTH)]


def _loss_lines(teaching: Teaching) -> list[str]:
    taught, alone = ({each.game: each for each in part} for part in (teaching.losses, teaching.by_itself))
    counted = bool(teaching.course.aims)
    rows = [
        ("after", *(["moves left"] if counted else []), "to random", "to a", "without a"),
        ("games", *(["to strike"] if counted else []), "play", "reader", "teacher"),
    ]
    last = max(taught)
    for number in sorted({each for each in {*taught, *alone} if each in CHECKPOINTS or each in (0, last)}):
        now, other = taught.get(number), alone.get(number)
        left = "" if now is None or now.left is None else count_text(now.left)
        rows.append(
            (
                count_text(number),
                *([left] if counted else []),
                "" if now is None else percent_text(now.random),
                "" if now is None else percent_text(now.best_responder),
                "" if other is None else percent_text(other.best_responder),
            )
        )
    opponent = {ITSELF: "themselves", "perfect:any": "perfect play, each of the best moves equally likely"}
    against = opponent.get(teaching.opponent, teaching.opponent)
    seeds = f"the median of {UNTAUGHT} machines, seeds 0 to {UNTAUGHT - 1}, that train against {against}"
    note = f"without a teacher: lost to a reader; {seeds}"
    notes = ["random play: every legal move equally likely", READER_NOTE, *wrap(note, WIDTH)]
    return ["How often it loses", "", *columns(rows, ">" * len(rows[0])), "", *notes]


def losses_document(losses: tuple[Losses, ...]) -> list[dict[str, Any]]:
    return [
        {
            "game": each.game,
            **({} if each.left is None else {"left": each.left}),
            "random": round(each.random, 12),
            "best_responder": round(each.best_responder, 12),
        }
        for each in losses
    ]
