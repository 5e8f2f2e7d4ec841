"""Recognise how a Python object wants to be asked: try its forms in a few positions, and keep those that fit.

A form *fits* if every trial gives a legal move. If several fit and give the same answers, any of them will do. If they
differ, the object plays differently by how it is shown the board, and one of the readings is wrong. Then one is taken
only if it stands out: in the trials, nearly all its moves are perfect, and far fewer those of the others, since an
agent that misreads the board does not find forced moves. Else the object is refused, and `--as` decides.

X moves first, as the rules say, unless no such form fits, or one in which O does stands out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

import numpy as np

from engine.game import BadText, Game, Move, Position, Side
from engine.known_positions import known_positions
from engine.solve import perfect_edges
from engine.space import RUNNING
from engine.spaces import space_of
from lab.judging.python_child import O_FIRST
from lab.judging.reply import Numbers, Reading, Reply, read_reply, shown, unpacked

TRIALS: Final = 40
"""The number of positions in which forms are tried."""
SECONDS: Final = (0.1, 2.0)
"""The time limits of a trial: the second one is for an agent that keeps none of its forms within the first."""
MOST_LATE: Final = 4
"""The number of forms that are tried with the second limit, …"""
FEWER: Final = 4
"""… in one of so many positions."""
ABLE: Final = 0.9
"""A form stands out if at least so many of its moves are perfect, …"""
CLEAR: Final = 0.25
"""… and at least so many more than those of any other form, …"""
DECIDES: Final = 5
"""… in at least so many trials in which they play differently."""
DOUBT: Final = (0.6, 0.1)
"""An unusual form makes another one doubtful with this share of perfect moves where they differ, and so many more."""
NATIVE: Final = "(board, side, moves), tuple, 012"
"""The end of the name of the form that `docs/judging.md` promises to a function of these three arguments."""


@dataclass(frozen=True)
class FormTry:
    """What came of the trials of a form."""

    form: int
    answers: list[Any]
    problem: str = ""
    """What went wrong after these answers; empty if nothing did."""
    late: bool = False
    """Whether an answer took too long."""


Try = Callable[[int, Position, float], Mapping[str, Any]]
"""Asks a form in a position with a time limit: see `python_child.Asked.tried`."""


@dataclass(frozen=True)
class FormTrial:
    """A position in which forms are tried, and the moves that are perfect there."""

    position: Position
    perfect: frozenset[Move]


@dataclass(frozen=True)
class Fit:
    """A form that fits."""

    form: int
    reading: Reading
    replies: tuple[Reply, ...]
    """Its answers in the trials."""
    perfect: tuple[float, ...]
    """The probability of a perfect move in each trial."""


def recognise(  # noqa: PLR0913  what is known of the object
    forms: Sequence[str],
    attempt: Try,
    game: Game,
    reading: Reading,
    sides: Sequence[Side] = tuple(Side),
    *,
    begins: bool = False,
) -> tuple[int, Reading]:
    """Find the form in which to ask an object, by its index, and how to read its answers. Raises `BadText`.

    If no form fits, the first one is returned if it is promised: then some answers are illegal; or one that took too
    long. The object is asked as
    one of `sides` only, since many programs play the same side in each game. With `begins`, forms are tried only at
    the first decision of a game: an object that remembers its game can be asked about no position outside it.
    """
    if len(forms) == 1:
        return 0, reading
    trials = [each for each in (first_trials if begins else trials_of)(game) if game.side(each.position) in sides]
    fits, asked, tries = list[Fit](), [*range(len(forms))], list[FormTry]()
    for seconds in SECONDS:
        late = list[int]()
        for form in asked:
            tried = _tried(attempt, form, trials, seconds, game, reading)
            tries.append(tried)
            late += [form] * tried.late
            fits += [] if tried.problem else _fits(form, tried.answers, trials, game, reading)
            if fits and forms[fits[0].form].endswith(NATIVE):
                return fits[0].form, fits[0].reading
        if fits or not late:
            break
        asked, trials = late[:MOST_LATE], trials[::FEWER]
    if not fits and forms[0].endswith(NATIVE):
        return 0, reading
    if not fits:
        furthest = max(reversed(tries), key=lambda tried: (len(tried.answers), -tried.form))
        if furthest.late:
            return furthest.form, reading  # it may be slow: asked again with more time, it answers, or is silent
        raise _unknown(forms, furthest)
    best = _best(forms, fits, trials, game)
    return best.form, best.reading


def _best(forms: Sequence[str], fits: list[Fit], trials: Sequence[FormTrial], game: Game) -> Fit:
    """Return the form that is right among those that fit. Raises `BadText`."""
    fits.sort(key=lambda fit: -sum(fit.perfect))
    usual = [fit for fit in fits if not _is_unusual(forms[fit.form])]
    best = (usual or fits)[0]
    clear = all(_stands_out(best, rival) for rival in usual or fits)
    if clear and not any(_makes_doubtful(rival, best) for rival in fits if rival not in usual):
        return best
    best, *others = fits
    for rival in others:
        if not _stands_out(best, rival):
            raise _ambiguous(forms, best, rival, trials, game)
    return best


def _is_unusual(form: str) -> bool:
    """Return whether a form is for an agent in whose games O moves first."""
    return O_FIRST in form.split(", ")


def form_name(form: str, reading: Reading) -> str:
    """Return the name of a form, with how squares are written."""
    return form + ", from 1" * (reading.first == 1) + ", x-y" * reading.column_first


def _stands_out(one: Fit, other: Fit) -> bool:
    """Return whether, where two forms differ, nearly all moves of the first are perfect and far fewer of the second."""
    return one.replies == other.replies or (_is_clearer(one, other) and _shares(one, other)[0] >= ABLE)


def _makes_doubtful(one: Fit, other: Fit) -> bool:
    """Return whether an unusual form may be right instead of another one."""
    share, rival, _ = _shares(one, other)
    return share >= DOUBT[0] and share - rival >= DOUBT[1]


def _is_clearer(one: Fit, other: Fit) -> bool:
    """Return whether far more moves of a form are perfect where another one plays otherwise."""
    share, rival, count = _shares(one, other)
    return count >= DECIDES and share - rival >= CLEAR


def _shares(one: Fit, other: Fit) -> tuple[float, float, int]:
    """Return the shares of perfect moves of two forms where they play differently, and in how many trials they do."""
    differ = [
        index for index, (mine, yours) in enumerate(zip(one.replies, other.replies, strict=True)) if mine != yours
    ]
    share, rival = (sum(each.perfect[index] for index in differ) / max(len(differ), 1) for each in (one, other))
    return share, rival, len(differ)


def _tried(  # noqa: PLR0913, PLR0917  what a trial needs
    attempt: Try, form: int, trials: Sequence[FormTrial], seconds: float, game: Game, reading: Reading
) -> FormTry:
    """Return the answers of a form in the trials, up to the first problem."""
    answers = list[Any]()
    for trial in trials:
        message, where = attempt(form, trial.position, seconds), game.to_text(trial.position)
        if "failed" in message:
            return FormTry(form, answers, f"fails in {where}: {message['failed']}", late="late" in message)
        answer = message["answers"][0]
        if not any(_legal(answer, trial, game, each) for each in _readings(reading)):
            return FormTry(form, answers, f"answers {shown(answer)} in {where}: {_fault(answer, trial, game, reading)}")
        answers.append(answer)
    return FormTry(form, answers)


def _fault(answer: Any, trial: FormTrial, game: Game, reading: Reading) -> str:  # noqa: ANN401
    """Return why an answer is no legal move."""
    try:
        read_reply(unpacked(answer), game, trial.position, reading)
    except BadText as error:
        return str(error).splitlines()[0]
    return "no legal move"


def _unknown(forms: Sequence[str], tried: FormTry) -> BadText:
    """Say what is wrong with the form that came furthest."""
    return BadText(
        f"no form fits; as '{forms[tried.form]}', it {tried.problem}\n"
        "Say how it sees the board with --as (noughts judge --forms lists the words); if it plays one side, add --side"
    )


def _legal(answer: Any, trial: FormTrial, game: Game, reading: Reading) -> Reply | None:  # noqa: ANN401
    """Return an answer, if it is legal."""
    try:
        reply = read_reply(unpacked(answer), game, trial.position, reading)
    except (BadText, TypeError, KeyError, ValueError):
        return None
    return None if reply is None or reply.illegal else reply


def _fits(form: int, answers: Sequence[Any], trials: Sequence[FormTrial], game: Game, reading: Reading) -> list[Fit]:
    """Return the different ways to read the answers of a form by which all are legal."""
    found = list[Fit]()
    for way in _readings(reading) if answers else ():
        read = [_legal(answer, trial, game, way) for answer, trial in zip(answers, trials, strict=True)]
        replies = tuple(reply for reply in read if reply is not None)
        if len(replies) == len(read):
            chances = tuple(
                sum(chance for move, chance in reply.chances.items() if move in trial.perfect)
                for reply, trial in zip(replies, trials, strict=True)
            )
            if all(fit.replies != replies for fit in found):
                found.append(Fit(form, way, replies, chances))
    return found


def _readings(reading: Reading) -> list[Reading]:
    """Return how squares can be written: from 0 or from 1, and a pair with the row or with the column first."""
    return [replace(reading, first=first, column_first=turned) for turned in (False, True) for first in (0, 1)]


def _ambiguous(forms: Sequence[str], one: Fit, other: Fit, trials: Sequence[FormTrial], game: Game) -> BadText:
    """Say between which forms the judge cannot decide, and where they differ."""
    where = next(
        index for index, (mine, yours) in enumerate(zip(one.replies, other.replies, strict=True)) if mine != yours
    )
    shown = [
        f"as '{form_name(forms[fit.form], fit.reading)}' it plays "
        + " or ".join(map(game.move_name, fit.replies[where].chances))
        for fit in (one, other)
    ]
    return BadText(
        f"in {game.to_text(trials[where].position)}, {shown[0]}, and {shown[1]}\n"
        "Say how it sees the board, by words such as --as 'list, own'; noughts judge --forms lists them"
    )


def chosen_forms(forms: Sequence[str], wanted: str | None) -> list[int]:
    """Return the indices of the forms whose names have all words of `wanted`. Raises `BadText` if there are none."""
    words = [] if wanted is None else wanted.lower().replace(",", " ").split()
    usual = bool(words) and O_FIRST not in words
    found = [
        index
        for index, form in enumerate(forms)
        if all(any(word == each for each in _words(form)) or word in form.lower().split(",")[0] for word in words)
        and not (usual and _is_unusual(form))
    ]
    if not found:
        some = "; ".join(forms[:3])
        raise BadText(f"it cannot be asked as {wanted!r}\nIts forms are: {some}{'; …' if len(forms) > 3 else ''}")
    return found


def _words(form: str) -> list[str]:
    return form.lower().replace(",", " ").replace("(", " ").replace(")", " ").split()


def trials_of(game: Game) -> list[FormTrial]:
    """Return late positions of both sides, since agents may search to the end, in which not every move is perfect."""
    random = Random(1)  # noqa: S311  positions, not secrets
    if not game.numbered:
        known = [
            FormTrial(each.position, frozenset(move for move in each.moves if each.keeps(move)))
            for each in known_positions(game)
            if len(set(each.moves.values())) > 1
        ]
        return random.sample(known, min(TRIALS, len(known))) if known else _reached_by_chance(game, random)
    space = space_of(game)
    perfect, moves = space.edges_among(perfect_edges(space)), np.diff(space.first_edge)
    decisive = (space.outcome == RUNNING) & (perfect * 2 <= moves) & (moves > 1)
    late = decisive & (space.ply >= space.ply[-1] * 0.4)
    found = list[FormTrial]()
    for side in Side:
        rows = np.flatnonzero((late if late.any() else space.outcome == RUNNING) & (space.side == side)).tolist()
        for row in random.sample(rows, min(TRIALS // 2, len(rows))):
            edges = range(int(space.first_edge[row]), int(space.first_edge[row + 1]))
            best = frozenset(int(space.move[edge]) for edge in edges if perfect_edges(space)[edge])
            found.append(FormTrial(int(space.position[row]), best))
    return found


def first_trials(game: Game) -> list[FormTrial]:
    """Return the first position, and those after one move. No move counts as perfect there."""
    after = [position for _, position, outcome in game.successors(game.start) if outcome is None]
    return [FormTrial(position, frozenset()) for position in (game.start, *after)]


def _reached_by_chance(game: Game, random: Random) -> list[FormTrial]:
    """Return positions of a large game whose values are not known: no move counts as perfect."""
    found = list[FormTrial]()
    while len(found) < TRIALS:
        position = game.start
        for _ in range(random.randrange(2, max(3, game.longest // 2))):
            if game.outcome(position) is None:
                position = game.play(position, random.choice(game.moves(position)))
        if game.outcome(position) is None:
            found.append(FormTrial(position, frozenset()))
    return found


def numbers_of(*, values: bool, counts: bool, ties: str) -> Reading:
    """Return how the answers of an agent are read, as options say it."""
    kind = Numbers.VALUES if values else Numbers.COUNTS if counts else Numbers.CHANCES
    return Reading(kind, first_tie=ties == "first")
