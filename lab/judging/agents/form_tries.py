"""Try the forms of an object in a few positions: what it answers, and how its answers can be read as legal moves."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from engine.game import BadText, Game, Position
from lab.judging.agents.fits import DECIDES, Fit
from lab.judging.agents.form_trials import FormTrial
from lab.judging.notation.reply import Reading, legal_reply, read_reply, shown, unpacked

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
"""Asks a form in a position with a time limit: see `child.asked_object.Asked.tried`."""


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
            problem = f"answers {shown(answer)} in {where}: {_fault(answer, trial, game, readings[0])}"
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
        read_reply(unpacked(answer), game, trial.position, reading)
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
