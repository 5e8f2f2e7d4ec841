"""A form in which all answers of an object to the trials are legal moves, and how two such forms compare."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.game import Side
from lab.judging.child.forms import O_FIRST
from lab.judging.notation.form_words import words_of
from lab.judging.notation.reply import Reading, Reply
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
