"""Recognise how a Python object wants to be asked: try its forms in a few positions, and keep those that fit.

A form *fits* if every trial gives a legal move. If several forms fit and give the same answers, any of them will do. If
their answers differ, the object plays differently depending on how it is shown the board, so at most one form is right.
It is taken only if it stands out (`lab.judging.notation.standing_out`), since an agent that misreads the board does not
find forced moves. Otherwise the object is refused, and `--as` decides. No form is preferred as usual; which side moves
first in the games of the object is found in the same way.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Final

from engine.game import BadText, Game, Position, Side
from lab.judging.agents.form_trials import FormTrial, first_trials, trials_of
from lab.judging.child.forms import O_FIRST
from lab.judging.notation.form_words import form_name, words_for, words_of
from lab.judging.notation.reply import Reading, Reply, legal_reply, read_reply, shown, unpacked
from lab.judging.notation.standing_out import CLEAR, SURE, stands_out

SECONDS: Final = (0.1, 2.0)
"""The time limits of a trial, in seconds; the second one is for forms that are late by the first."""
MOST_LATE: Final = 4
"""The number of forms that are tried with the second limit, …"""
FEWER: Final = 4
"""… in one of so many positions."""
SLOW: Final = 0.02
"""An agent is slow if an answer takes so many seconds on average, or more than the first limit: it is asked in one of
`FEWER` positions, and with X and O exchanged only where it plays without that.
"""
SILENT: Final = 30
"""An agent that is late in the first position by so many forms, and never answers, counts as silent in all forms."""
EVERYWHERE: Final = 2000
PROOF_SECONDS: Final = 10.0
"""Perfect play is proved in at most `EVERYWHERE` late positions, for at most so many seconds."""
MOSTLY: Final = 0.5
"""An agent plays a side if its moves are legal in this share of the trials; the other moves are mistakes."""
DECIDES: Final = 5
"""The least number of trials with different answers that can decide which of two forms stands out."""
ROUNDING: Final = 1e-9
"""The largest deviation of a sum of probabilities from 1."""


class NoForm(BadText):
    """No form fits."""


@dataclass(frozen=True)
class FormTry:
    form: int
    answers: list[Any]
    """The answers; `None` in an early position in which the object failed or took too long."""
    problem: str = ""
    """The problem after these answers; empty if there is none."""
    late: bool = False
    answered: bool = False
    """Whether the problem is an answer that is not a legal move."""
    slow: bool = False
    """Whether the trials ended because the agent is slow."""


Try = Callable[[int, Position, float], Mapping[str, Any]]
"""Asks a form in a position with a time limit: see `child.asked_object.Asked.tried`."""


Watch = Callable[[int, Position], Collection[bool]]
"""Asks by a form in a position, and returns whether the values that squares are compared with can stand there."""


@dataclass(frozen=True)
class Fit:
    form: int
    reading: Reading
    replies: tuple[Reply | None, ...]
    perfect: tuple[float | None, ...]
    """The probability of a perfect move in each trial; `None` where the moves tell nothing."""


def recognise(  # noqa: PLR0913  what is known of the object
    forms: Sequence[str],
    attempt: Try,
    game: Game,
    readings: Sequence[Reading],
    sides: Sequence[Side] = tuple(Side),
    *,
    promised: int | None = None,
    begins: bool = False,
    watch: Watch = lambda _form, _position: (),
    sure: bool = False,
) -> tuple[int, Reading]:
    """Find the form in which to ask an object, by its index, and how to read its answers. Raises `BadText`.

    The form `promised` is taken if it fits, even if another form fits, too, which may only not show where the object
    fails. Unless it is the form of heaps, it is also taken if most of its answers are legal, or if no form fits: then
    some answers are illegal. The object is asked as one of `sides` only, since many programs play the same side in each
    game. With `begins`, an object may remember its game, and be lost in a position outside it: if no form fits, forms
    are tried at the first decision of a game. With `sure`, all late moves of the object must be perfect.
    """
    tries = list[FormTry]()
    named = None if promised is None or "heaps" in words_of(forms[promised]) else promised
    for trials_in in (trials_of, first_trials)[: 1 + begins]:
        trials = trials_in(game, sides)
        fits, trials = _fitting(forms, attempt, trials, game, readings, promised, tries)
        if any(fit.form == promised for fit in fits):
            return next((fit.form, fit.reading) for fit in fits if fit.form == promised)
        if named is not None and _is_mostly_legal(
            named, attempt, game, readings[0], sides, is_late=any(each.late for each in tries if each.form == named)
        ):
            return named, readings[0]
        if fits:
            best, rival = _best(forms, _without_misread(fits, watch, trials), trials, game)
            if (sure or rival) and not (_is_perfect(best) and _is_proved(best, attempt, game, sides)):
                raise _ambiguous(forms, best, rival, trials, game) if rival else BadText("it does not play perfectly")
            return best.form, best.reading
    if named is not None:
        return named, readings[0]
    reading = _reading_of_most(attempt, trials_of(game, sides), game, readings) if len(forms) == 1 else None
    if reading is None:
        raise _unknown(forms, tries)
    return 0, reading


def _is_mostly_legal(  # noqa: PLR0913  what a trial needs
    form: int, attempt: Try, game: Game, reading: Reading, sides: Sequence[Side], *, is_late: bool
) -> bool:
    """Return whether a form gives mostly legal moves as each side; one side is enough if it is late somewhere."""
    mostly = (legal_share(form, attempt, game, reading, side, is_late=is_late)[0] >= MOSTLY for side in sides)
    return any(mostly) if is_late else all(mostly)


def _reading_of_most(
    attempt: Try, trials: Sequence[FormTrial], game: Game, readings: Sequence[Reading]
) -> Reading | None:
    """Return how to read the answers of the only form, if in one way, and no other, most moves are legal."""
    late = [trial for trial in trials if not trial.early]
    answers = [attempt(0, trial.position, SECONDS[1]).get("answers", (None,))[0] for trial in late]
    found = dict[tuple[Reply | None, ...], Reading]()
    for each in readings:
        found.setdefault(
            tuple(legal_reply(answer, trial.position, game, each) for answer, trial in zip(answers, late, strict=True)),
            each,
        )
    best, *others = sorted(found, key=lambda replies: replies.count(None))
    rivals = [*others, (None,) * len(late)]
    legal, rival = (1 - each.count(None) / len(late) for each in (best, rivals[0]))
    return found[best] if legal >= MOSTLY and legal - rival >= CLEAR else None


def legal_share(  # noqa: PLR0913  what a trial needs
    form: int, attempt: Try, game: Game, reading: Reading, side: Side, *, is_late: bool = False
) -> tuple[float, FormTry | None]:
    """Return the share of a side's trials in which a form gives a legal move, and the first trial in which it does not.

    A form that `is_late` somewhere may be late in all trials, so it has less time, in fewer trials.
    """
    trials = [trial for trial in trials_of(game, (side,)) if not trial.early][:: FEWER if is_late else 1]
    tries = [_tried(attempt, form, [trial], SECONDS[not is_late], game, [reading]) for trial in trials]
    wrong = [tried for tried in tries if tried.problem]
    return 1 - len(wrong) / max(len(tries), 1), wrong[0] if wrong else None


def _fitting(  # noqa: PLR0913, PLR0917  what a trial needs
    forms: Sequence[str],
    attempt: Try,
    trials: list[FormTrial],
    game: Game,
    readings: Sequence[Reading],
    promised: int | None,
    tries: list[FormTry],
    seconds: float = SECONDS[0],
) -> tuple[list[Fit], list[FormTrial]]:
    """Return the forms that fit, and the trials on which they were tried; add all attempts to `tries`.

    A form that is late, as one that first loads a table, may be the right one even if others fit. It gets more time in
    fewer trials, unless another form plays perfectly in all of them.
    """
    fits, late, failed, quick = list[Fit](), list[int](), set[str](), seconds == SECONDS[0]
    fits_of = _reader(trials, game, readings)
    for form in sorted(range(len(forms)), key=lambda form: form != promised):
        if not quick and forms[form].removesuffix(f", {O_FIRST}") in failed:
            continue
        tried = _tried(attempt, form, trials, seconds, game, readings, quick=quick)
        if quick and tried.late and not tried.answers and len(late) < MOST_LATE:
            tried = replace(tried, slow=not _tried(attempt, form, trials[:1], SECONDS[1], game, readings).late)
        if tried.slow:
            return _fitting(forms, attempt, trials[::FEWER], game, readings, promised, tries, SECONDS[1])
        tries.append(tried)
        failed |= {forms[form]} if tried.problem else set()
        late += [form] * tried.late
        fits += [] if tried.problem else fits_of(form, tried.answers)
        if fits and form == promised:
            return fits, trials
        if len(tries) >= SILENT and all(each.late and not each.answers for each in tries):
            break
    if not quick or any(_is_perfect(fit) for fit in fits):
        return fits, trials
    fewer, found = trials[::FEWER], list[Fit]()
    fits_of = _reader(fewer, game, readings)
    for form in late[:MOST_LATE]:
        tried = _tried(attempt, form, fewer, SECONDS[1], game, readings)
        tries.append(tried)
        found += [] if tried.problem else fits_of(form, tried.answers)
    if not found:
        return fits, trials
    shorter = [replace(fit, replies=fit.replies[::FEWER], perfect=fit.perfect[::FEWER]) for fit in fits]
    return [*shorter, *found], fewer


def _is_perfect(fit: Fit) -> bool:
    """Return whether all moves of a form in the trials are perfect, and the trials are enough."""
    known = [each for each in fit.perfect if each is not None]
    return len(known) >= DECIDES and min(known) > 1 - ROUNDING


def _without_misread(fits: list[Fit], watch: Watch, trials: Sequence[FormTrial]) -> list[Fit]:
    """Leave out forms in which the object looks for pieces that the form lacks, if another form has no such fault.

    An array cannot be watched; it is left out together with a list that gives the same answers, where both are in time.
    """
    alike = dict[tuple[Reply | None, ...], tuple[Fit, set[bool]]]()
    for fit in fits:
        alike.setdefault(fit.replies, (fit, set()))
    for fit in fits if len(alike) > 1 else ():
        seen, known = set[bool](), alike[fit.replies][1]
        for trial in trials if True not in known else ():  # one of these forms that it reads is enough
            if not trial.early and False not in seen:
                seen.update(watch(fit.form, trial.position))
        known.update({seen == {True}} if seen else ())
    found = {
        replies: set[bool]().union(*(seen for other, seen in alike.values() if not _differing(fit, other)))
        for replies, (fit, _) in alike.items()
    }
    is_read = any(True in seen for seen in found.values())
    return [fit for fit in fits if not is_read or found[fit.replies] != {False}]


def _best(forms: Sequence[str], fits: list[Fit], trials: Sequence[FormTrial], game: Game) -> tuple[Fit, Fit | None]:
    """Return the right form among those that fit. Raises `BadText`.

    Also return another form by which the object takes the other side's pieces for its own, if there is one. Then the
    first form is right only if it plays perfectly everywhere, not only in the trials.
    """
    best, *others = sorted(fits, key=lambda fit: -sum(each or 0 for each in fit.perfect))
    twins = [fit for fit in others if forms[fit.form] == f"{forms[best.form]}, {O_FIRST}"]
    told = any(not _differing(best, twin) for twin in twins)
    sides, swapped = [game.side(each.position) for each in trials], None
    for rival in others:
        if not _stands_out(forms, best, rival, sides, told=told, sure=True):
            raise _ambiguous(forms, best, rival, trials, game)
        if not _stands_out(forms, best, rival, sides, told=told, sure=False):
            swapped = rival
    return best, swapped


def _is_proved(fit: Fit, attempt: Try, game: Game, sides: Sequence[Side]) -> bool:
    """Return whether all late moves of a form are perfect, as far as there was time to ask."""
    until = monotonic() + PROOF_SECONDS
    for trial in trials_of(game, sides, EVERYWHERE):
        if trial.early or monotonic() > until:
            break
        message = attempt(fit.form, trial.position, SECONDS[1])
        reply = None if "failed" in message else legal_reply(message["answers"][0], trial.position, game, fit.reading)
        if reply is None or sum(reply.chances.get(move, 0.0) for move in trial.perfect or reply.chances) < SURE:
            return False
    return True


def _differing(one: Fit, other: Fit) -> list[int]:
    """Return the trials in which two forms answer differently."""
    pairs = enumerate(zip(one.replies, other.replies, strict=True))
    return [index for index, (mine, yours) in pairs if None not in (mine, yours) and mine != yours]


def _stands_out(  # noqa: PLR0913  what is known of both
    forms: Sequence[str], one: Fit, other: Fit, sides: Sequence[Side], *, told: bool, sure: bool
) -> bool:
    """Return whether, where two forms differ, nearly all moves of the first are perfect and far fewer of the second.

    An agent that blocks before it wins plays better, though not perfectly, if it takes the other side's pieces for its
    own. So positions in which one of the forms shows the other side's pieces count only in two cases: the first form
    plays perfectly in all trials, and `sure` says that this is enough; or the object is `told` its side, since it
    answers the same when the sides change places.
    """
    differ = _differing(one, other)
    known = [each for each in one.perfect if each is not None]
    if not told and (not sure or min(known, default=0) < SURE):
        mine, yours = ([_shown_first(forms[fit.form], side) for side in sides] for fit in (one, other))
        decisive = [index for index in differ if mine[index] is yours[index]]
    else:
        decisive = differ
    shares = [(one.perfect[index], other.perfect[index]) for index in decisive]
    found = [(mine, yours) for mine, yours in shares if mine is not None and yours is not None]
    return not differ or stands_out([mine for mine, _ in found], [yours for _, yours in found], DECIDES)


def _shown_first(form: str, mover: Side) -> Side:
    """Return the side whose pieces a form shows as those of the side that moves first."""
    words = words_of(form)
    return mover if {"own", "own12", "planes"} & {*words} else Side(O_FIRST in words)


def _tried(  # noqa: PLR0913, PLR0917  what a trial needs
    attempt: Try,
    form: int,
    trials: Sequence[FormTrial],
    seconds: float,
    game: Game,
    readings: Sequence[Reading],
    *,
    quick: bool = False,
) -> FormTry:
    """Return the answers of a form in the trials, up to the first problem; with `quick`, only until it proves slow."""
    answers, took, in_all = list[Any](), 0.0, 0.0
    for trial in trials:
        if trial.early and took > seconds:  # a search takes longer the earlier it begins
            return FormTry(form, answers + [None] * (len(trials) - len(answers)))
        if quick and len(answers) == DECIDES and in_all > DECIDES * SLOW:
            return FormTry(form, answers, slow=True)
        message = attempt(form, trial.position, seconds)
        in_all += message.get("took", 0.0)
        answer = None if "failed" in message else message["answers"][0]
        if trial.early:
            took += message.get("took", seconds)
            answers.append(answer)
            continue
        if "failed" in message:
            late, where = "late" in message, game.to_text(trial.position)
            return FormTry(form, answers, f"{'is silent' if late else 'fails'} in {where}: {message['failed']}", late)
        if not any(legal_reply(answer, trial.position, game, each) for each in readings):
            fault, where = _fault(answer, trial, game, readings[0]), game.to_text(trial.position)
            return FormTry(form, answers, f"answers {shown(answer)} in {where}: {fault}", answered=True)
        answers.append(answer)
    return FormTry(form, answers)


def _fault(answer: Any, trial: FormTrial, game: Game, reading: Reading) -> str:  # noqa: ANN401
    try:
        read_reply(unpacked(answer), game, trial.position, reading)
    except BadText as error:
        return str(error).splitlines()[0]
    return "not a legal move there"


def _unknown(forms: Sequence[str], tries: Sequence[FormTry]) -> NoForm:
    furthest = max(reversed(tries), key=lambda tried: (len(tried.answers), tried.answered, -tried.form))
    if furthest.late:
        return NoForm(
            f"as '{forms[furthest.form]}', it {furthest.problem}\n"
            "If it is slow, say all of how it sees the board with --as, as in --as 'list, space, x-first, from-0, y-x'"
        )
    if furthest.answered and len(forms) > 1:
        return NoForm(
            f"no form fits; as '{forms[furthest.form]}', it {furthest.problem}\n"
            f"If it sees the board so, add --as '{words_for(forms[furthest.form], Reading(), Reading())}': such moves "
            "count as losses; else say how it does (noughts judge --forms), or add --side"
        )
    return NoForm(
        f"no form fits; as '{forms[furthest.form]}', it {furthest.problem}\n"
        "Say how it sees the board with --as (noughts judge --forms lists the words); if it plays one side, add --side"
    )


def _reader(
    trials: Sequence[FormTrial], game: Game, readings: Sequence[Reading]
) -> Callable[[int, Sequence[Any]], list[Fit]]:
    """Return a function that finds the ways to read a form's answers by which all are legal, once for equal answers."""
    known = dict[str, list[Fit]]()

    def fits_of(form: int, answers: Sequence[Any]) -> list[Fit]:
        written = repr(answers)
        if written not in known:
            known[written] = _fits(form, answers, trials, game, readings)
        return [replace(fit, form=form) for fit in known[written]]

    return fits_of


def _fits(
    form: int, answers: Sequence[Any], trials: Sequence[FormTrial], game: Game, readings: Sequence[Reading]
) -> list[Fit]:
    found = list[Fit]()
    for way in _told_apart(readings, answers):
        replies = tuple(
            legal_reply(answer, trial.position, game, way) for answer, trial in zip(answers, trials, strict=True)
        )
        known = all(reply is not None or trial.early for reply, trial in zip(replies, trials, strict=True))
        if known and any(replies) and all(fit.replies != replies for fit in found):
            chances = tuple(
                sum(chance for move, chance in reply.chances.items() if move in trial.perfect)
                if reply is not None and trial.perfect
                else None
                for reply, trial in zip(replies, trials, strict=True)
            )
            found.append(Fit(form, way, replies, chances))
    return found


def _ambiguous(forms: Sequence[str], one: Fit, other: Fit, trials: Sequence[FormTrial], game: Game) -> BadText:
    where, fits = _differing(one, other)[0], (one, other)
    shown_as = [
        f"as '{form_name(forms[fit.form], fit.reading)}' it plays "
        + " or ".join(map(game.move_name, (fit.replies[where] or Reply({})).chances))
        for fit in fits
    ]
    told = [f"--as '{words_for(forms[each.form], each.reading, other.reading)}'" for each, other in (fits, fits[::-1])]
    return BadText(
        f"in {game.to_text(trials[where].position)}, {shown_as[0]}, and {shown_as[1]}\n"
        f"Say how it sees the board: {told[0]}, or {told[1]}; if it plays one side, add --side"
    )


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
