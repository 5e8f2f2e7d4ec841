"""The shortest course of a machine: how it plays out, compared with machines that have no teacher."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean, median, quantiles, stdev
from textwrap import wrap
from time import monotonic
from typing import Any, Final

from engine.evaluate import best_response, chances_as, uniform_policy
from engine.game import BadText, Side
from engine.plural import counted_noun
from engine.stop import Stop, Stopped, never, while_time_lasts
from lab.exact.lesson import WIDTH, GameTold, game_told, lesson_lines
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
        return _best_luck(learner, side, pupil, stop)
    lengths, unfinished, ends = list[int](), 0, monotonic() + seconds
    with while_time_lasts(stop):
        for seed in range(RUNS_WITH_LUCK):
            random = Random(seed)  # noqa: S311  reproducible draws, no secrets
            try:
                games = games_with_luck(pupil(seed), side, random, lambda: stop() or monotonic() > ends)
                lengths.append(sum(1 for _ in games))
            except NeverTaught:
                unfinished += 1
    return HonestLuck(None, tuple(sorted(lengths)), unfinished)


def _best_luck(learner: Menace, side: Side, pupil: Callable[[int], Learner], stop: Stop) -> HonestLuck:
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
    spoiled = f"{honest.unfinished} of {counted_noun(runs + honest.unfinished, 'run')} came to where it learns no more"
    if not runs:
        return f"{teacher} {spoiled if honest.unfinished else 'no run ended in the time: --seconds gives more'}."
    low, high = _band(lengths)
    text = (
        f"{teacher} it needs {median(lengths):,.0f} games: the median of {counted_noun(runs, 'run')}, nine in ten from"
    )
    return f"{text} {low:,} to {high:,}{f'; {spoiled}' if honest.unfinished else ''}."


def _error(lengths: Sequence[int]) -> float:
    return stdev(lengths) / len(lengths) ** 0.5 if len(lengths) > 1 else 0.0


def _band(lengths: Sequence[int]) -> tuple[int, int]:
    cuts = quantiles(lengths, n=20, method="inclusive") if len(lengths) > 1 else [*lengths, *lengths]
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


EACH: Final = 100
"""The maximum number of games of a course for which every game is listed, with the losses after it."""
BY_ITSELF: Final = 10
"""The training of a machine without a teacher, for comparison, is this many times as long as the course."""
MOST_BY_ITSELF: Final = 100_000
UNTAUGHT: Final = 21
"""How many machines train without a teacher, each with a seed of its own: an odd number, so that one is the median."""
SHOWN: Final = 12
"""The number of games that are listed at either end of a longer course."""


@dataclass(frozen=True)
class Losses:
    """The probabilities that a machine loses after some games, on the worst of the sides that it is taught."""

    game: int
    random: float
    """The probability to lose against uniform play."""
    best_responder: float
    """The probability to lose against a player that has read the machine's memory."""
    left: int | None = None
    """The number of moves that are still to be struck; `None` where it is not counted."""


@dataclass(frozen=True)
class Teaching:
    course: Course
    learner: Learner
    told: tuple[GameTold, ...]
    """The games in words; of a long course, only the first and the last ones."""
    losses: tuple[Losses, ...]
    by_itself: tuple[Losses, ...] = ()
    """The losses of the median of `UNTAUGHT` machines that were trained as usual, without a teacher."""
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
    if course.strikes:
        losses = [Losses(**{**vars(each), "left": struck[-1] - struck[each.game]}) for each in losses]
    others = [type(learner)(course.game, course.preset, seed, course.settings) for seed in range(UNTAUGHT)]
    alone = tuple(map(_median, zip(*(_by_itself(other, course, stop) for other in others), strict=True)))
    luck = honest_luck(course, learner, stop, honest) if honest else None
    return Teaching(course, learner, tuple(told), tuple(losses), alone, others[0].opponent, luck)


def losses_of(learner: Learner, course: Course, game: int) -> Losses:
    policy, space = learner.policy(), learner.space
    random = max(chances_as(space, side, policy, uniform_policy(space)).loss for side in course.games)
    reader = max(best_response(space, side, policy).loss for side in course.games)
    return Losses(game, random, reader)


def self_taught_rounds(course: Course) -> int:
    """Return how many games a machine without a teacher trains, for comparison with the course."""
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
    return Losses(
        losses[0].game, median(each.random for each in losses), median(each.best_responder for each in losses)
    )


def teaching_lines(teaching: Teaching) -> list[str]:
    lines = [*lesson_lines(teaching.course, teaching.learner, teaching.told), "", *_loss_lines(teaching)]
    return lines if teaching.honest is None else [*lines, "", *wrap(honest_text(teaching.honest), WIDTH)]


def _loss_lines(teaching: Teaching) -> list[str]:
    taught, alone = ({each.game: each for each in part} for part in (teaching.losses, teaching.by_itself))
    counted = bool(teaching.course.strikes)
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
