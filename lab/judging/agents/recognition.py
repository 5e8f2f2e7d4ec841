"""Find out how to ask an object: try its forms in a few positions, and keep those that fit.

A form *fits* if every trial gives a legal move. If several forms fit and give the same answers, any of them will do. If
their answers differ, the object plays differently depending on how it is shown the board, so at most one form is right.
It is taken only if it stands out (`lab.judging.notation.standing_out`), since an agent that misreads the board does not
find forced moves. Otherwise the object is refused, and `--as` decides. No form is preferred because it is usual. Which
side moves first in the games of the object is found in the same way.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Final

from engine.game import BadText, Game, Position, Side
from lab.judging.agents.form_trials import FormTrial, first_trials, trials_of
from lab.judging.agents.form_tries import (
    TRIAL_SECONDS,
    AskTrial,
    Fit,
    FormTry,
    differing_trials,
    fit_finder,
    fit_stands_out,
    is_perfect,
    try_form,
)
from lab.judging.child.forms import O_FIRST
from lab.judging.notation.form_words import choosing_words, form_name, words_of
from lab.judging.notation.reply import Reading, Reply, legal_reply
from lab.judging.notation.standing_out import CLEAR, SURE

MAX_LATE: Final = 4
"""The number of late forms that are tried with the second limit."""
SLOW_STEP: Final = 4
"""Late forms and slow agents are tried in one of this many positions, slow ones with X and O exchanged only in a form
in which they play without that."""
MAX_SILENT: Final = 30
"""An agent that is late and gives no answer in this many forms counts as silent in all."""
PROOF_TRIALS: Final = 2000
PROOF_SECONDS: Final = 10.0
"""Perfect play is proved in at most `PROOF_TRIALS` late positions, for at most this many seconds."""
MOSTLY: Final = 0.5
"""An agent plays a side if its moves are legal in this share of the trials; the other moves are mistakes."""


class NoForm(BadText):
    """No form fits."""


class FormFails(BadText):
    """The object raises an error in the promised form, in which it also gives legal moves: the error is its own."""


Watch = Callable[[int, Position], Collection[bool]]
"""Asks by a form in a position, and returns whether the values that squares are compared with can stand there."""


@dataclass(frozen=True)
class Recogniser:
    """Finds the form in which to ask an object, by its index, and how to read its answers."""

    forms: Sequence[str]
    ask: AskTrial
    game: Game
    readings: Sequence[Reading]
    promised: int | None = None
    """The form that is taken if it fits, even if another one fits, too, whose faults the trials may not show.

    Unless it is the form of heaps, it is also taken if most of its answers are legal, or if no form fits: then some
    answers are illegal.
    """
    begins: bool = False
    """Whether the object may remember its game: if no form fits, forms are tried at the first decision of a game."""
    watch: Watch = lambda _form, _position: ()

    def find(self, sides: Sequence[Side] = tuple(Side), *, must_be_perfect: bool = False) -> tuple[int, Reading]:
        """Return the form and the reading. Raises `BadText`, or `FormFails` for an object with an error.

        The object is asked as one of `sides` only, since many programs play the same side in each game. With
        `must_be_perfect`, all its late moves must be.
        """
        tries, usual = list[FormTry](), self.readings[0]
        named = None if self.promised is None or "heaps" in words_of(self.forms[self.promised]) else self.promised
        sources = (trials_of, first_trials) if self.begins else (trials_of,)
        for trials_in in sources:
            fits, trials = self._find_fits(trials_in(self.game, sides), tries)
            for fit in fits:
                if fit.form == self.promised:
                    return fit.form, fit.reading
            if named is not None:
                is_late = any(each.is_late for each in tries if each.form == named)
                if self._is_mostly_legal(named, sides, is_late=is_late):
                    return named, usual
                if not is_late:
                    self._check_errors(named, sides)
            if fits:
                best = self._best(fits, trials, sides, must_be_perfect=must_be_perfect)
                return best.form, best.reading
        if named is not None:
            return named, usual
        reading = self._reading_of_most(sides) if len(self.forms) == 1 else None
        if reading is None:
            raise self._no_form(tries)
        return 0, reading

    def side_alone(self, sides: Sequence[Side]) -> tuple[Side, int, Reading] | None:
        """Return the only side that an object plays, and its form; `None` if it may play both sides, or neither.

        It must play that side perfectly, or be unable to play the other. An object that always has the same piece is
        recognised as either side, but as one of them only with X and O exchanged.
        """
        if len(sides) < len(Side):
            return None
        recognised, unable = dict[Side, tuple[int, Reading]](), list[Side]()
        for side in sides:
            try:
                recognised[side] = self.find((side,))
            except NoForm:
                unable.append(side)
            except BadText:
                continue
        usual = [side for side, (form, _) in recognised.items() if O_FIRST not in self.forms[form]]
        if len(usual) != 1:
            return None
        (side,) = usual
        if side.other not in [*unable, *recognised]:
            try:
                self.find((side,), must_be_perfect=True)
            except BadText:
                return None
        return side, *recognised[side]

    def _is_mostly_legal(self, form: int, sides: Sequence[Side], *, is_late: bool) -> bool:
        """Return whether a form gives mostly legal moves as each side; one side is enough if it is late somewhere."""
        shares = (self.legal_share(form, self.readings[0], side, is_late=is_late)[0] for side in sides)
        return (any if is_late else all)(share >= MOSTLY for share in shares)

    def _check_errors(self, form: int, sides: Sequence[Side]) -> None:
        """Raise `FormFails` if a form raises an error as one of `sides`, and gives a legal move as either side."""
        tries = {side: self._tries_as(side, form, self.readings[0]) for side in Side}
        legal_sides = [side for side in Side if any(not each.problem for each in tries[side])]
        if not legal_sides:
            return
        for side in sides:
            for each in tries[side]:
                if each.has_raised:
                    raise FormFails(f"{each.problem}\n{self._advice_on_errors(side, legal_sides)}")

    def _advice_on_errors(self, failing: Side, legal_sides: Sequence[Side]) -> str:
        as_words = f"if it does not see the board as '{self.forms[self.promised or 0]}', say how with --as"
        if failing in legal_sides:
            return f"Its other answers there are legal moves: correct it; {as_words}"
        (playing,) = map(self.game.mark, legal_sides)
        return f"As {playing} it gives legal moves: correct it, or add --side {playing}; {as_words}"

    def _reading_of_most(self, sides: Sequence[Side]) -> Reading | None:
        """Return how to read the answers of the only form, if in one way, and no other, most moves are legal."""
        late = [trial.position for trial in trials_of(self.game, sides) if not trial.early]
        answers = [self.ask(0, position, TRIAL_SECONDS[1]).get("answers", (None,))[0] for position in late]
        readings = dict[tuple[Reply | None, ...], Reading]()
        for reading in self.readings:
            replies = tuple(
                legal_reply(answer, position, self.game, reading)
                for answer, position in zip(answers, late, strict=True)
            )
            readings.setdefault(replies, reading)
        best, *others = sorted(readings, key=lambda replies: replies.count(None))
        legal = 1 - best.count(None) / len(late)
        rival_legal = 1 - others[0].count(None) / len(late) if others else 0.0
        return readings[best] if legal >= MOSTLY and legal - rival_legal >= CLEAR else None

    def legal_share(
        self, form: int, reading: Reading, side: Side, *, is_late: bool = False
    ) -> tuple[float, FormTry | None]:
        """Return the share of a side's trials in which a form gives a legal move, and the first in which it does not.

        A form that `is_late` somewhere may be late in all trials, so it has less time, in fewer trials.
        """
        tries = self._tries_as(side, form, reading, is_late=is_late)
        wrong = [each for each in tries if each.problem]
        return 1 - len(wrong) / max(len(tries), 1), wrong[0] if wrong else None

    def _tries_as(self, side: Side, form: int, reading: Reading, *, is_late: bool = False) -> list[FormTry]:
        """Try a form in each late position of a side: see `legal_share`."""
        trials = [trial for trial in trials_of(self.game, (side,)) if not trial.early]
        if is_late:
            trials = trials[::SLOW_STEP]
        seconds = TRIAL_SECONDS[0 if is_late else 1]
        return [try_form(self.game, self.ask, form, [trial], seconds, [reading]) for trial in trials]

    def _find_fits(self, trials: list[FormTrial], tries: list[FormTry]) -> tuple[list[Fit], list[FormTrial]]:
        """Return the forms that fit, and the trials in which they were tried; add all attempts to `tries`.

        A form that is late, as one that first loads a table, may be the right one even if others fit. It gets more time
        in fewer trials, unless another form plays perfectly in all of them.
        """
        fits, late = list[Fit](), list[int]()
        fits_of = fit_finder(self.game, self.readings, trials)
        for form in self._promised_first():
            form_try = self._try(form, trials, TRIAL_SECONDS[0])
            if form_try.is_late and not form_try.answers and len(late) < MAX_LATE:
                retry = self._try(form, trials[:1], TRIAL_SECONDS[1])
                form_try = replace(form_try, is_slow=not retry.is_late)
            if form_try.is_slow:
                return self._find_fits_slowly(trials[::SLOW_STEP], tries)
            tries.append(form_try)
            if form_try.is_late:
                late.append(form)
            if not form_try.problem:
                fits += fits_of(form, form_try.answers)
            if fits and form == self.promised:
                return fits, trials
            if _is_silent(tries):
                break
        if any(is_perfect(fit) for fit in fits):
            return fits, trials
        fewer = trials[::SLOW_STEP]
        late_fits = self._fits_of_late(late[:MAX_LATE], fewer, tries)
        if not late_fits:
            return fits, trials
        shorter = [replace(fit, replies=fit.replies[::SLOW_STEP], perfect=fit.perfect[::SLOW_STEP]) for fit in fits]
        return [*shorter, *late_fits], fewer

    def _fits_of_late(self, late: Sequence[int], trials: list[FormTrial], tries: list[FormTry]) -> list[Fit]:
        fits, fits_of = list[Fit](), fit_finder(self.game, self.readings, trials)
        for form in late:
            form_try = self._try(form, trials, TRIAL_SECONDS[1])
            tries.append(form_try)
            if not form_try.problem:
                fits += fits_of(form, form_try.answers)
        return fits

    def _find_fits_slowly(self, trials: list[FormTrial], tries: list[FormTry]) -> tuple[list[Fit], list[FormTrial]]:
        """Do as `_find_fits`, with more time. If a form does not fit, leave out the same one with O first."""
        fits, failed = list[Fit](), set[str]()
        fits_of = fit_finder(self.game, self.readings, trials)
        for form in self._promised_first():
            if self.forms[form].removesuffix(f", {O_FIRST}") in failed:
                continue
            form_try = self._try(form, trials, TRIAL_SECONDS[1])
            tries.append(form_try)
            if form_try.problem:
                failed.add(self.forms[form])
            else:
                fits += fits_of(form, form_try.answers)
            if (fits and form == self.promised) or _is_silent(tries):
                break
        return fits, trials

    def _promised_first(self) -> list[int]:
        return sorted(range(len(self.forms)), key=lambda form: form != self.promised)

    def _try(self, form: int, trials: Sequence[FormTrial], seconds: float) -> FormTry:
        is_quick = seconds == TRIAL_SECONDS[0]
        return try_form(self.game, self.ask, form, trials, seconds, self.readings, is_quick=is_quick)

    def _best(
        self, fits: list[Fit], trials: Sequence[FormTrial], sides: Sequence[Side], *, must_be_perfect: bool
    ) -> Fit:
        """Return the right form among those that fit. Raises `BadText`.

        If in another form the object takes the other side's pieces for its own, it must play perfectly everywhere, not
        only in the trials.
        """
        best, rival = self._outstanding(self._without_misread(fits, trials), trials)
        if rival is None and not must_be_perfect:
            return best
        if is_perfect(best) and self._is_proved(best, sides):
            return best
        raise BadText("it does not play perfectly") if rival is None else self._ambiguous(best, rival, trials)

    def _without_misread(self, fits: list[Fit], trials: Sequence[FormTrial]) -> list[Fit]:
        """Leave out forms in which the object looks for pieces that they lack, if another form has no such fault.

        An array cannot be watched; it is left out together with a list that gives the same answers, where both are in
        time.
        """
        first_fits = dict[tuple[Reply | None, ...], Fit]()
        for fit in fits:
            first_fits.setdefault(fit.replies, fit)
        if len(first_fits) == 1:
            return fits
        verdicts = {replies: set[bool]() for replies in first_fits}  # whether the object finds all pieces it looks for
        for fit in fits:
            if True in verdicts[fit.replies]:  # one of these forms that it reads is enough
                continue
            comparisons = self._comparisons(fit, trials)
            if comparisons:
                verdicts[fit.replies].add(False not in comparisons)
        verdicts_alike = dict[tuple[Reply | None, ...], set[bool]]()
        for replies, fit in first_fits.items():
            alike = [other for other in first_fits.values() if not differing_trials(fit, other)]
            verdicts_alike[replies] = set[bool]().union(*(verdicts[other.replies] for other in alike))
        if not any(True in each for each in verdicts_alike.values()):
            return fits
        return [fit for fit in fits if verdicts_alike[fit.replies] != {False}]

    def _comparisons(self, fit: Fit, trials: Sequence[FormTrial]) -> set[bool]:
        """Return whether the values that squares are compared with can stand there, up to the first that cannot."""
        comparisons = set[bool]()
        for trial in trials:
            if not trial.early and False not in comparisons:
                comparisons.update(self.watch(fit.form, trial.position))
        return comparisons

    def _outstanding(self, fits: list[Fit], trials: Sequence[FormTrial]) -> tuple[Fit, Fit | None]:
        """Return the form that stands out. Raises `BadText`.

        Also return another form by which the object takes the other side's pieces for its own, if there is one.
        """
        best, *others = sorted(fits, key=lambda fit: -sum(share or 0 for share in fit.perfect))
        twins = [fit for fit in others if self.forms[fit.form] == f"{self.forms[best.form]}, {O_FIRST}"]
        knows_side = any(not differing_trials(best, twin) for twin in twins)
        sides, swapped = [self.game.side(trial.position) for trial in trials], None
        for rival in others:
            if not fit_stands_out(best, rival, self.forms, sides, knows_side=knows_side, trusts_trials=True):
                raise self._ambiguous(best, rival, trials)
            if not fit_stands_out(best, rival, self.forms, sides, knows_side=knows_side, trusts_trials=False):
                swapped = rival
        return best, swapped

    def _is_proved(self, fit: Fit, sides: Sequence[Side]) -> bool:
        """Return whether all late moves of a form are perfect, as far as there was time to ask."""
        deadline = monotonic() + PROOF_SECONDS
        for trial in trials_of(self.game, sides, PROOF_TRIALS):
            if trial.early or monotonic() > deadline:
                break
            message = self.ask(fit.form, trial.position, TRIAL_SECONDS[1])
            answer = None if "failed" in message else message["answers"][0]
            reply = legal_reply(answer, trial.position, self.game, fit.reading)
            if reply is None or sum(reply.chances.get(move, 0.0) for move in trial.perfect or reply.chances) < SURE:
                return False
        return True

    def _no_form(self, tries: Sequence[FormTry]) -> NoForm:
        furthest = max(reversed(tries), key=lambda each: (len(each.answers), each.is_illegal, -each.form))
        form = self.forms[furthest.form]
        if furthest.is_late:
            return NoForm(
                f"as '{form}', it {furthest.problem}\n"
                "If it is slow, say all of how it sees the board with --as, as in --as "
                "'list, space, x-first, from-0, y-x'"
            )
        if furthest.is_illegal and len(self.forms) > 1:
            advice = (
                f"If it sees the board so, add --as '{choosing_words(form, Reading(), Reading())}': such moves "
                "count as losses; else say how it does (noughts judge --forms), or add --side"
            )
        else:
            advice = (
                "Say how it sees the board with --as (noughts judge --forms lists the words); if it plays one side, "
                "add --side"
            )
        return NoForm(f"no form fits; as '{form}', it {furthest.problem}\n{advice}")

    def _ambiguous(self, one: Fit, other: Fit, trials: Sequence[FormTrial]) -> BadText:
        """Return the error for two forms of which neither stands out, with a position in which they differ."""
        trial = differing_trials(one, other)[0]
        moves_by_form, options = list[str](), list[str]()
        for fit, rival in ((one, other), (other, one)):
            reply = fit.replies[trial]
            moves = " or ".join(map(self.game.move_name, reply.chances)) if reply is not None else ""
            moves_by_form.append(f"as '{form_name(self.forms[fit.form], fit.reading)}' it plays {moves}")
            options.append(f"--as '{choosing_words(self.forms[fit.form], fit.reading, rival.reading)}'")
        return BadText(
            f"in {self.game.to_text(trials[trial].position)}, {', and '.join(moves_by_form)}\n"
            f"Say how it sees the board: {', or '.join(options)}; if it plays one side, add --side"
        )


def _is_silent(tries: Sequence[FormTry]) -> bool:
    return len(tries) >= MAX_SILENT and all(each.is_late and not each.answers for each in tries)
