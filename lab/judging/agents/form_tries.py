"""Try the forms of an object in a few positions: what it answers, and how its answers can be read as legal moves."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from engine.game import BadText, Game, Position, Side
from lab.judging.agents.form_trials import FormTrial
from lab.judging.child.forms import O_FIRST
from lab.judging.notation.form_words import words_of
from lab.judging.notation.reply import Reading, Reply, legal_reply, quote_answer, read_reply, unpack_answer
from lab.judging.notation.standing_out import SURE, stands_out

MIN_DECIDING: Final = 5
"""The least number of trials with different answers that can decide which of two forms stands out."""


@dataclass(frozen=True)
class Fit:
    form: int
    reading: Reading
    replies: tuple[Reply | None, ...]
    perfect: tuple[float | None, ...]
    """The probability of a perfect move in each trial; `None` where the moves tell nothing."""


def is_perfect(fit: Fit) -> bool:
    """Return whether all moves of a form in the trials are perfect, and the trials are enough."""
    known = [each for each in fit.perfect if each is not None]
    return len(known) >= MIN_DECIDING and min(known) >= SURE


def differing_trials(one: Fit, other: Fit) -> list[int]:
    """Return the indices of the trials in which two forms answer differently."""
    pairs = enumerate(zip(one.replies, other.replies, strict=True))
    return [index for index, (mine, yours) in pairs if None not in (mine, yours) and mine != yours]


def fit_stands_out(  # noqa: PLR0913  two forms, where they are compared, and how strictly
    one: Fit, other: Fit, forms: Sequence[str], sides: Sequence[Side], *, knows_side: bool, trusts_trials: bool
) -> bool:
    """Return whether, where two forms differ, nearly all moves of the first are perfect, far fewer of the second.

    An agent that blocks before it wins plays better, though not perfectly, if it takes the other side's pieces for
    its own. So positions in which one of the forms shows the other side's pieces count only in two cases: the first
    form plays perfectly in all trials, and `trusts_trials` says that this is enough; or the object `knows_side`, the
    side that it plays, since it answers the same when the sides change places.
    """
    differing = differing_trials(one, other)
    if not differing:
        return True
    known = [each for each in one.perfect if each is not None]
    is_perfect_everywhere = min(known, default=0) >= SURE
    if knows_side or (trusts_trials and is_perfect_everywhere):
        decisive = differing
    else:
        mine, yours = ([_side_shown_first(forms[fit.form], side) for side in sides] for fit in (one, other))
        decisive = [index for index in differing if mine[index] is yours[index]]
    shares = [(one.perfect[index], other.perfect[index]) for index in decisive]
    known_shares = [(mine, yours) for mine, yours in shares if mine is not None and yours is not None]
    return stands_out([mine for mine, _ in known_shares], [yours for _, yours in known_shares], MIN_DECIDING)


def _side_shown_first(form: str, mover: Side) -> Side:
    """Return the side whose pieces a form shows as those of the side that moves first."""
    words = words_of(form)
    return mover if {"own", "own12", "planes"} & {*words} else Side(O_FIRST in words)


TRIAL_SECONDS: Final = (0.1, 2.0)
"""The time limits of a trial; the second one is for forms that are late by the first."""
SLOW_SECONDS: Final = 0.02
"""An agent is slow if an answer takes longer on average, or longer than the first limit."""


@dataclass(frozen=True)
class FormTry:
    form: int
    answers: list[Any]
    """The answers; `None` in an early position in which the object failed or took too long."""
    problem: str = ""
    """The problem in the trial after the last answer; empty if there was none."""
    is_late: bool = False
    """Whether the problem is that there was no answer in time."""
    is_illegal: bool = False
    """Whether the problem is an answer that is not a legal move."""
    is_slow: bool = False
    """Whether the trials ended because the agent is slow."""

    @property
    def has_raised(self) -> bool:
        """Whether the problem is an error of the object."""
        return bool(self.problem) and not (self.is_late or self.is_illegal)


AskTrial = Callable[[int, Position, float], Mapping[str, Any]]
"""Asks a form in a position with a time limit: see `child.asked_object.AskedObject.try_form`."""


def try_form(  # noqa: PLR0913, PLR0917  what is asked, and how
    game: Game,
    ask: AskTrial,
    form: int,
    trials: Sequence[FormTrial],
    seconds: float,
    readings: Sequence[Reading],
    *,
    is_quick: bool = False,
) -> FormTry:
    """Return the answers of a form in the trials, up to the first problem; if `is_quick`, only until it is slow."""
    answers, early_seconds, all_seconds = list[Any](), 0.0, 0.0
    for trial in trials:
        if trial.early and early_seconds > seconds:  # a search takes longer the earlier it begins
            return FormTry(form, answers + [None] * (len(trials) - len(answers)))
        if is_quick and len(answers) == MIN_DECIDING and all_seconds > MIN_DECIDING * SLOW_SECONDS:
            return FormTry(form, answers, is_slow=True)
        message, where = ask(form, trial.position, seconds), game.to_text(trial.position)
        all_seconds += message.get("took", 0.0)
        answer = None if "failed" in message else message["answers"][0]
        if trial.early:
            early_seconds += message.get("took", seconds)
        elif "failed" in message:
            is_late = "late" in message
            problem = f"{'is silent' if is_late else 'fails'} in {where}: {message['failed']}"
            return FormTry(form, answers, problem, is_late=is_late)
        elif not any(legal_reply(answer, trial.position, game, each) for each in readings):
            problem = f"answers {quote_answer(answer)} in {where}: {_fault(answer, trial, game, readings[0])}"
            return FormTry(form, answers, problem, is_illegal=True)
        answers.append(answer)
    return FormTry(form, answers)


def fit_finder(
    game: Game, readings: Sequence[Reading], trials: Sequence[FormTrial]
) -> Callable[[int, Sequence[Any]], list[Fit]]:
    """Return a function that finds the ways in which all answers of a form are legal, once for equal answers."""
    fits_by_answers = dict[str, list[Fit]]()

    def fits_of(form: int, answers: Sequence[Any]) -> list[Fit]:
        key = repr(answers)
        if key not in fits_by_answers:
            fits_by_answers[key] = _find_fits(game, readings, answers, trials)
        return [replace(fit, form=form) for fit in fits_by_answers[key]]

    return fits_of


def _find_fits(
    game: Game, readings: Sequence[Reading], answers: Sequence[Any], trials: Sequence[FormTrial]
) -> list[Fit]:
    fits = list[Fit]()
    for reading in _distinct_readings(readings, answers):
        replies = tuple(
            legal_reply(answer, trial.position, game, reading) for answer, trial in zip(answers, trials, strict=True)
        )
        is_legal = all(reply is not None or trial.early for reply, trial in zip(replies, trials, strict=True))
        if is_legal and any(replies) and all(fit.replies != replies for fit in fits):
            perfect = tuple(_perfect_share(reply, trial) for reply, trial in zip(replies, trials, strict=True))
            fits.append(Fit(0, reading, replies, perfect))
    return fits


def _perfect_share(reply: Reply | None, trial: FormTrial) -> float | None:
    """Return the probability of a perfect move; `None` if the moves tell nothing."""
    if reply is None or not trial.perfect:
        return None
    return sum(chance for move, chance in reply.chances.items() if move in trial.perfect)


def _fault(answer: Any, trial: FormTrial, game: Game, reading: Reading) -> str:  # noqa: ANN401
    try:
        read_reply(unpack_answer(answer), game, trial.position, reading)
    except BadText as error:
        return str(error).splitlines()[0]
    return "not a legal move there"


def _distinct_readings(readings: Sequence[Reading], answers: Sequence[Any]) -> list[Reading]:
    """Return the ways to read moves that can differ for these answers; without pairs and names, only few can."""
    may_have_score = any(isinstance(answer, list) and len(answer) in (2, 3) for answer in answers)
    are_numbers = all(answer is None or isinstance(answer, (int, float)) or "square" in answer for answer in answers)
    usual = readings[0]
    return [
        each
        for each in readings
        if (may_have_score or each.scored == usual.scored)
        and (not are_numbers or (each.column_first, each.from_top) == (usual.column_first, usual.from_top))
    ]
