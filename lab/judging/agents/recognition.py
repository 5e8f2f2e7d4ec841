"""Recognise how a Python object wants to be asked: try its forms in a few positions, and keep those that fit.

A form *fits* if every trial gives a legal move. If several forms fit and give the same answers, any of them will do. If
their answers differ, the object plays differently depending on how it is shown the board, so at most one form is right.
It is taken only if it stands out (`lab.judging.notation.standing_out`), since an agent that misreads the board does not
find forced moves. Otherwise the object is refused, and `--as` decides. No form is preferred as usual; which side moves
first in the games of the object is found in the same way.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Final

from engine.game import BadText, Game, Position, Side
from lab.judging.agents.form_trials import FormTrial, first_trials, trials_of
from lab.judging.agents.form_tries import (
    SECONDS,
    Fit,
    FormTry,
    Try,
    differing,
    fit_finder,
    fit_stands_out,
    is_perfect,
    try_form,
)
from lab.judging.child.forms import O_FIRST
from lab.judging.notation.form_words import choosing_words, form_name, words_of
from lab.judging.notation.reply import Reading, Reply, legal_reply
from lab.judging.notation.standing_out import CLEAR, SURE

MOST_LATE: Final = 4
"""The number of late forms that are tried with the second limit."""
FEWER: Final = 4
"""Late forms and slow agents are tried in one of this many positions, slow ones with X and O exchanged only in a form
in which they play without that."""
SILENT: Final = 30
"""An agent that is late and gives no answer in this many forms counts as silent in all."""
EVERYWHERE: Final = 2000
PROOF_SECONDS: Final = 10.0
"""Perfect play is proved in at most `EVERYWHERE` late positions, for at most this many seconds."""
MOSTLY: Final = 0.5
"""An agent plays a side if its moves are legal in this share of the trials; the other moves are mistakes."""


class NoForm(BadText):
    """No form fits."""


Watch = Callable[[int, Position], Collection[bool]]
"""Asks by a form in a position, and returns whether the values that squares are compared with can stand there."""


@dataclass(frozen=True)
class Recogniser:
    """Finds the form in which to ask an object, by its index, and how to read its answers."""

    forms: Sequence[str]
    attempt: Try
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

    def find(self, sides: Sequence[Side] = tuple(Side), *, sure: bool = False) -> tuple[int, Reading]:
        """Return the form and the reading. Raises `BadText`.

        The object is asked as one of `sides` only, since many programs play the same side in each game. With `sure`,
        all its late moves must be perfect.
        """
        tries, promised = list[FormTry](), self.promised
        named = None if promised is None or "heaps" in words_of(self.forms[promised]) else promised
        for trials_in in (trials_of, first_trials)[: 1 + self.begins]:
            fits, trials = self._fitting(trials_in(self.game, sides), tries)
            if any(fit.form == promised for fit in fits):
                return next((fit.form, fit.reading) for fit in fits if fit.form == promised)
            if named is not None and self._is_mostly_legal(
                named, sides, is_late=any(each.late for each in tries if each.form == named)
            ):
                return named, self.readings[0]
            if fits:
                best, rival = self._best(self._without_misread(fits, trials), trials)
                if (sure or rival) and not (is_perfect(best) and self._is_proved(best, sides)):
                    raise self._ambiguous(best, rival, trials) if rival else BadText("it does not play perfectly")
                return best.form, best.reading
        if named is not None:
            return named, self.readings[0]
        reading = self._reading_of_most(sides) if len(self.forms) == 1 else None
        if reading is None:
            raise self._unknown(tries)
        return 0, reading

    def side_alone(self, sides: Sequence[Side]) -> tuple[Side, int, Reading] | None:
        """Return the only side that an object plays, and its form; `None` if it may play both sides, or neither.

        It must play that side perfectly, or be unable to play the other. An object that always has the same piece is
        recognised as either side, but as one of them only with X and O exchanged.
        """
        alone, unable = dict[Side, tuple[int, Reading]](), list[Side]()
        for side in sides if len(sides) > 1 else ():
            try:
                alone[side] = self.find((side,))
            except NoForm:
                unable.append(side)
            except BadText:
                continue
        usual = [side for side, (at, _) in alone.items() if O_FIRST not in self.forms[at]]
        if len(usual) != 1:
            return None
        (side,) = usual
        if side.other not in [*unable, *alone]:
            try:
                self.find((side,), sure=True)
            except BadText:
                return None
        return side, *alone[side]

    def _is_mostly_legal(self, form: int, sides: Sequence[Side], *, is_late: bool) -> bool:
        """Return whether a form gives mostly legal moves as each side; one side is enough if it is late somewhere."""
        shares = (self.legal_share(form, self.readings[0], side, is_late=is_late)[0] for side in sides)
        return (any if is_late else all)(share >= MOSTLY for share in shares)

    def _reading_of_most(self, sides: Sequence[Side]) -> Reading | None:
        """Return how to read the answers of the only form, if in one way, and no other, most moves are legal."""
        late = [trial.position for trial in trials_of(self.game, sides) if not trial.early]
        answers = [self.attempt(0, position, SECONDS[1]).get("answers", (None,))[0] for position in late]
        found = dict[tuple[Reply | None, ...], Reading]()
        for each in self.readings:
            replies = (legal_reply(it, position, self.game, each) for it, position in zip(answers, late, strict=True))
            found.setdefault(tuple(replies), each)
        best, *others = sorted(found, key=lambda replies: replies.count(None))
        rivals = [*others, (None,) * len(late)]
        legal, rival = (1 - each.count(None) / len(late) for each in (best, rivals[0]))
        return found[best] if legal >= MOSTLY and legal - rival >= CLEAR else None

    def legal_share(
        self, form: int, reading: Reading, side: Side, *, is_late: bool = False
    ) -> tuple[float, FormTry | None]:
        """Return the share of a side's trials in which a form gives a legal move, and the first in which it does not.

        A form that `is_late` somewhere may be late in all trials, so it has less time, in fewer trials.
        """
        trials = [trial for trial in trials_of(self.game, (side,)) if not trial.early][:: FEWER if is_late else 1]
        tries = [
            try_form(self.game, self.attempt, form, [trial], SECONDS[0 if is_late else 1], [reading])
            for trial in trials
        ]
        wrong = [tried for tried in tries if tried.problem]
        return 1 - len(wrong) / max(len(tries), 1), wrong[0] if wrong else None

    def _fitting(
        self, trials: list[FormTrial], tries: list[FormTry], seconds: float = SECONDS[0]
    ) -> tuple[list[Fit], list[FormTrial]]:
        """Return the forms that fit, and the trials on which they were tried; add all attempts to `tries`.

        A form that is late, as one that first loads a table, may be the right one even if others fit. It gets more time
        in fewer trials, unless another form plays perfectly in all of them.
        """
        fits, late, failed, quick = list[Fit](), list[int](), set[str](), seconds == SECONDS[0]
        fits_of = fit_finder(self.game, self.readings, trials)
        for form in sorted(range(len(self.forms)), key=lambda form: form != self.promised):
            if not quick and self.forms[form].removesuffix(f", {O_FIRST}") in failed:
                continue
            tried = try_form(self.game, self.attempt, form, trials, seconds, self.readings, quick=quick)
            if quick and tried.late and not tried.answers and len(late) < MOST_LATE:
                tried = replace(
                    tried, slow=not try_form(self.game, self.attempt, form, trials[:1], SECONDS[1], self.readings).late
                )
            if tried.slow:
                return self._fitting(trials[::FEWER], tries, SECONDS[1])
            tries.append(tried)
            failed |= {self.forms[form]} if tried.problem else set()
            late += [form] if tried.late else []
            fits += [] if tried.problem else fits_of(form, tried.answers)
            if fits and form == self.promised:
                return fits, trials
            if len(tries) >= SILENT and all(each.late and not each.answers for each in tries):
                break
        if not quick or any(is_perfect(fit) for fit in fits):
            return fits, trials
        fewer, found = trials[::FEWER], list[Fit]()
        fits_of = fit_finder(self.game, self.readings, fewer)
        for form in late[:MOST_LATE]:
            tried = try_form(self.game, self.attempt, form, fewer, SECONDS[1], self.readings)
            tries.append(tried)
            found += [] if tried.problem else fits_of(form, tried.answers)
        if not found:
            return fits, trials
        shorter = [replace(fit, replies=fit.replies[::FEWER], perfect=fit.perfect[::FEWER]) for fit in fits]
        return [*shorter, *found], fewer

    def _without_misread(self, fits: list[Fit], trials: Sequence[FormTrial]) -> list[Fit]:
        """Leave out forms in which the object looks for pieces that they lack, if another form has no such fault.

        An array cannot be watched; it is left out together with a list that gives the same answers, where both are in
        time.
        """
        alike = dict[tuple[Reply | None, ...], tuple[Fit, set[bool]]]()
        for fit in fits:
            alike.setdefault(fit.replies, (fit, set()))
        for fit in fits if len(alike) > 1 else ():
            seen, known = set[bool](), alike[fit.replies][1]
            for trial in trials if True not in known else ():  # one of these forms that it reads is enough
                if not trial.early and False not in seen:
                    seen.update(self.watch(fit.form, trial.position))
            known.update({seen == {True}} if seen else ())
        found = {
            replies: set[bool]().union(*(seen for other, seen in alike.values() if not differing(fit, other)))
            for replies, (fit, _) in alike.items()
        }
        is_read = any(True in seen for seen in found.values())
        return [fit for fit in fits if not is_read or found[fit.replies] != {False}]

    def _best(self, fits: list[Fit], trials: Sequence[FormTrial]) -> tuple[Fit, Fit | None]:
        """Return the right form among those that fit. Raises `BadText`.

        Also return another form by which the object takes the other side's pieces for its own, if there is one. Then
        the first form is right only if it plays perfectly everywhere, not only in the trials.
        """
        best, *others = sorted(fits, key=lambda fit: -sum(each or 0 for each in fit.perfect))
        twins = [fit for fit in others if self.forms[fit.form] == f"{self.forms[best.form]}, {O_FIRST}"]
        told = any(not differing(best, twin) for twin in twins)
        sides, swapped = [self.game.side(each.position) for each in trials], None
        for rival in others:
            if not fit_stands_out(best, rival, self.forms, sides, told=told, sure=True):
                raise self._ambiguous(best, rival, trials)
            if not fit_stands_out(best, rival, self.forms, sides, told=told, sure=False):
                swapped = rival
        return best, swapped

    def _is_proved(self, fit: Fit, sides: Sequence[Side]) -> bool:
        """Return whether all late moves of a form are perfect, as far as there was time to ask."""
        until = monotonic() + PROOF_SECONDS
        for trial in trials_of(self.game, sides, EVERYWHERE):
            if trial.early or monotonic() > until:
                break
            message = self.attempt(fit.form, trial.position, SECONDS[1])
            answer = None if "failed" in message else message["answers"][0]
            reply = legal_reply(answer, trial.position, self.game, fit.reading)
            if reply is None or sum(reply.chances.get(move, 0.0) for move in trial.perfect or reply.chances) < SURE:
                return False
        return True

    def _unknown(self, tries: Sequence[FormTry]) -> NoForm:
        furthest = max(reversed(tries), key=lambda tried: (len(tried.answers), tried.answered, -tried.form))
        form = self.forms[furthest.form]
        if furthest.late:
            return NoForm(
                f"as '{form}', it {furthest.problem}\n"
                "If it is slow, say all of how it sees the board with --as, as in --as "
                "'list, space, x-first, from-0, y-x'"
            )
        advice = (
            f"If it sees the board so, add --as '{choosing_words(form, Reading(), Reading())}': such moves "
            "count as losses; else say how it does (noughts judge --forms), or add --side"
            if furthest.answered and len(self.forms) > 1
            else "Say how it sees the board with --as (noughts judge --forms lists the words); if it plays one side, "
            "add --side"
        )
        return NoForm(f"no form fits; as '{form}', it {furthest.problem}\n{advice}")

    def _ambiguous(self, one: Fit, other: Fit, trials: Sequence[FormTrial]) -> BadText:
        where, shown_as, told = differing(one, other)[0], list[str](), list[str]()
        for fit, rival in ((one, other), (other, one)):
            moves = " or ".join(map(self.game.move_name, (fit.replies[where] or Reply({})).chances))
            shown_as.append(f"as '{form_name(self.forms[fit.form], fit.reading)}' it plays {moves}")
            told.append(f"--as '{choosing_words(self.forms[fit.form], fit.reading, rival.reading)}'")
        return BadText(
            f"in {self.game.to_text(trials[where].position)}, {', and '.join(shown_as)}\n"
            f"Say how it sees the board: {', or '.join(told)}; if it plays one side, add --side"
        )
