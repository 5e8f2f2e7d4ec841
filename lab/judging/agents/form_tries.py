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

DECIDES: Final = 5
"""The least number of trials with different answers that can decide which of two forms stands out."""
ROUNDING: Final = 1e-9
"""The largest deviation of a sum of probabilities from 1."""


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
    return len(known) >= DECIDES and min(known) > 1 - ROUNDING


def differing(one: Fit, other: Fit) -> list[int]:
    """Return the trials in which two forms answer differently."""
    pairs = enumerate(zip(one.replies, other.replies, strict=True))
    return [index for index, (mine, yours) in pairs if None not in (mine, yours) and mine != yours]


def fit_stands_out(  # noqa: PLR0913  two forms, where they are compared, and how strictly
    one: Fit, other: Fit, forms: Sequence[str], sides: Sequence[Side], *, told: bool, sure: bool
) -> bool:
    """Return whether, where two forms differ, nearly all moves of the first are perfect, far fewer of the second.

    An agent that blocks before it wins plays better, though not perfectly, if it takes the other side's pieces for
    its own. So positions in which one of the forms shows the other side's pieces count only in two cases: the first
    form plays perfectly in all trials, and `sure` says that this is enough; or the object is `told` its side, since
    it answers the same when the sides change places.
    """
    decisive = differ = differing(one, other)
    known = [each for each in one.perfect if each is not None]
    if not told and (not sure or min(known, default=0) < SURE):
        mine, yours = ([_shown_first(forms[fit.form], side) for side in sides] for fit in (one, other))
        decisive = [index for index in differ if mine[index] is yours[index]]
    shares = [(one.perfect[index], other.perfect[index]) for index in decisive]
    found = [(mine, yours) for mine, yours in shares if mine is not None and yours is not None]
    return not differ or stands_out([mine for mine, _ in found], [yours for _, yours in found], DECIDES)


def _shown_first(form: str, mover: Side) -> Side:
    """Return the side whose pieces a form shows as those of the side that moves first."""
    words = words_of(form)
    return mover if {"own", "own12", "planes"} & {*words} else Side(O_FIRST in words)


SECONDS: Final = (0.1, 2.0)
"""The time limits of a trial, in seconds; the second one is for forms that are late by the first."""
SLOW: Final = 0.02
"""An agent is slow if an answer takes this many seconds on average, or more than the first limit."""


@dataclass(frozen=True)
class FormTry:
    form: int
    answers: list[Any]
    """The answers; `None` in an early position in which the object failed or took too long."""
    problem: str = ""
    """The problem in the trial after the last answer; empty if there was none."""
    late: bool = False
    answered: bool = False
    """Whether the problem is an answer that is not a legal move."""
    slow: bool = False
    """Whether the trials ended because the agent is slow."""


Try = Callable[[int, Position, float], Mapping[str, Any]]
"""Asks a form in a position with a time limit: see `child.asked_object.AskedObject.try_form`."""


def try_form(  # noqa: PLR0913, PLR0917  what is asked, and how
    game: Game,
    attempt: Try,
    form: int,
    trials: Sequence[FormTrial],
    seconds: float,
    readings: Sequence[Reading],
    *,
    quick: bool = False,
) -> FormTry:
    """Return the answers of a form in the trials, up to the first problem; with `quick`, only until it is slow."""
    answers, took, in_all = list[Any](), 0.0, 0.0
    for trial in trials:
        if trial.early and took > seconds:  # a search takes longer the earlier it begins
            return FormTry(form, answers + [None] * (len(trials) - len(answers)))
        if quick and len(answers) == DECIDES and in_all > DECIDES * SLOW:
            return FormTry(form, answers, slow=True)
        message, where = attempt(form, trial.position, seconds), game.to_text(trial.position)
        in_all += message.get("took", 0.0)
        answer = None if "failed" in message else message["answers"][0]
        if trial.early:
            took += message.get("took", seconds)
        elif "failed" in message:
            late = "late" in message
            return FormTry(form, answers, f"{'is silent' if late else 'fails'} in {where}: {message['failed']}", late)
        elif not any(legal_reply(answer, trial.position, game, each) for each in readings):
            problem = f"answers {quote_answer(answer)} in {where}: {_fault(answer, trial, game, readings[0])}"
            return FormTry(form, answers, problem, answered=True)
        answers.append(answer)
    return FormTry(form, answers)


def fit_finder(
    game: Game, readings: Sequence[Reading], trials: Sequence[FormTrial]
) -> Callable[[int, Sequence[Any]], list[Fit]]:
    """Return a function that finds the ways in which all answers of a form are legal, once for equal answers."""
    known = dict[str, list[Fit]]()

    def fits_of(form: int, answers: Sequence[Any]) -> list[Fit]:
        written = repr(answers)
        if written not in known:
            known[written] = _fits(game, readings, answers, trials)
        return [replace(fit, form=form) for fit in known[written]]

    return fits_of


def _fits(game: Game, readings: Sequence[Reading], answers: Sequence[Any], trials: Sequence[FormTrial]) -> list[Fit]:
    found = list[Fit]()
    for way in _told_apart(readings, answers):
        replies = tuple(legal_reply(it, trial.position, game, way) for it, trial in zip(answers, trials, strict=True))
        known = all(reply is not None or trial.early for reply, trial in zip(replies, trials, strict=True))
        if known and any(replies) and all(fit.replies != replies for fit in found):
            chances = tuple(
                sum(chance for move, chance in reply.chances.items() if move in trial.perfect)
                if reply is not None and trial.perfect
                else None
                for reply, trial in zip(replies, trials, strict=True)
            )
            found.append(Fit(0, way, replies, chances))
    return found


def _fault(answer: Any, trial: FormTrial, game: Game, reading: Reading) -> str:  # noqa: ANN401
    try:
        read_reply(unpack_answer(answer), game, trial.position, reading)
    except BadText as error:
        return str(error).splitlines()[0]
    return "not a legal move there"


def _told_apart(readings: Sequence[Reading], answers: Sequence[Any]) -> list[Reading]:
    """Return the ways to read moves that can differ for these answers; without pairs and names, only few can."""
    scored = any(isinstance(answer, list) and len(answer) in (2, 3) for answer in answers)
    lone = all(answer is None or isinstance(answer, (int, float)) or "square" in answer for answer in answers)
    usual = readings[0]
    return [
        each
        for each in readings
        if (scored or each.scored == usual.scored)
        and (not lone or (each.column_first, each.from_top) == (usual.column_first, usual.from_top))
    ]
