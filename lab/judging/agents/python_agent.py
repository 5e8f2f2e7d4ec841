"""Agents that are Python objects, `module:name` or `file.py:name`, each asked in a process of its own.

This process runs only `lab.judging.child`, with any Python, so that the agent need not be installed beside Noughts.
"""

import json
import re
import shutil
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from itertools import count
from math import inf
from pathlib import Path
from time import monotonic
from types import ModuleType, SimpleNamespace
from typing import Any, Final

from engine.game import BadText, Game, Position, Side, quoted
from lab.judging.agents.form_trials import FormTrial, trials_of
from lab.judging.agents.form_tries import AskTrial, FormTry
from lab.judging.agents.line_process import Ended, LineProcess, Silent, Unasked
from lab.judging.agents.local_copy import LocalCopy
from lab.judging.agents.questions import DISTURBED, AskChild, Copies, Questions
from lab.judging.agents.recognition import MOSTLY, FormFails, Recogniser
from lab.judging.asking.agent import Agent, AskProgress, Report
from lab.judging.child import __main__ as child
from lab.judging.child.asked_object import AskedObject
from lab.judging.child.boards import WATCHABLE_SHAPES
from lab.judging.child.forms import AgentProfile, CannotAsk
from lab.judging.child.time_limit import PROCESSOR_SHARE
from lab.judging.files.perspective import WINS_SECONDS, check_answered_values
from lab.judging.notation.form_words import find_forms, form_name, possible_readings, words_of
from lab.judging.notation.observation import action_count
from lab.judging.notation.reply import (
    ANSWER_SECONDS,
    PERSPECTIVES,
    USUAL_READING,
    AgentFailed,
    Numbers,
    Reading,
    unpack_answer,
)
from lab.judging.notation.written_moves import has_gravity

OBJECT: Final = re.compile(r"(?P<file>.+\.py):(?P<path>[\w.]+)|(?P<module>[A-Za-z_][\w.]*):(?P<name>[\w.]+)")
OPEN_SPIEL: Final = {"tictactoe": "tic_tac_toe", "connectfour": "connect_four"}
IMPORT_SECONDS: Final = 60.0
"""The time limit for an import, unless the limit for an answer is longer."""
MAX_OPENING_BYTES: Final = 2**26 + 100_000
"""The size limit of the child's first message about an object: the names of its forms, or a table."""
FIRST_ANSWER_FACTOR: Final = 6
"""The factor by which the first position may take longer than others: many agents search the whole game there."""
RECOGNITION_SECONDS: Final = 120.0
"""The time limit to recognise the form of an object."""
NOT_RECOGNISED: Final = (
    f"is slow{{}}: in {RECOGNITION_SECONDS:g} s it was not known how it wants to be asked\n"
    "Say all of how it sees the board with --as, as in --as 'lists, 012, x-first, from-0, y-x'"
)
IGNORES: Final = (
    "In {} positions, it plays the same whoever the pieces belong to: if it looks at them, --as says how it sees them"
)
ONE_SIDE: Final = "It was recognised as {}, and not as {}: perhaps it always plays that side"
PLAYS_ONE: Final = "As {} it {}: it is judged as {} alone"
PLAYS_BOTH: Final = "As {} it {}: if it always plays {}, add --side"


@contextmanager
def python_agent(  # noqa: PLR0913  what the command was given
    text: str,
    game: Game,
    patience: float = ANSWER_SECONDS,
    *,
    reading: Reading = USUAL_READING,
    form: str | None = None,
    python: str | None = None,
    megabytes: int | None = None,
    sides: Sequence[Side] = tuple(Side),
    report: Report = lambda _: None,
    total: float = inf,
) -> Iterator[Agent]:
    """Import a Python object in a process of its own, and yield the agent that asks it.

    The object's output goes to standard error. It is asked as one of `sides`, in a form that has the words in `form`;
    `python` is the path of another interpreter. `report` is called before each trial of a form. With a limit of memory,
    in `megabytes`, what the process writes to standard error is dropped. Raises `BadText` if the object cannot be
    imported or recognised. Asking raises `AgentFailed` if the object fails, or is silent for `patience` seconds, or for
    the `total` of all.
    """
    process = LineProcess(command_of(python), text, passes_errors=megabytes is None, megabytes=megabytes)
    first_asked: str | None = None  # the first position that is asked after the trials

    def ask(question: Mapping[str, Any]) -> Mapping[str, Any]:
        nonlocal first_asked
        where = question["text"]
        if first_asked is None and "seconds" not in question:
            first_asked = where
        limit = min(patience * (FIRST_ANSWER_FACTOR if first_asked in (None, where) else 1), total)
        return _read_message(
            lambda: process.ask(json.dumps(question), limit),
            f"{text} is silent in {where}: no answer within {limit:g} s",
            f"{text} ended without an answer in {where}",
        )

    try:
        longest = min(max(patience, IMPORT_SECONDS), total)
        failure = f"{text} cannot be imported"
        start = {"agent": text, "game": game_document(game), "path": [] if python else sys.path}
        opening = _read_message(
            lambda: process.ask(json.dumps(start), longest, MAX_OPENING_BYTES),
            f"{failure} within {longest:g} s: perhaps it plays a game then",
            failure,
        )
        if "table" in opening:
            yield table_agent(text, opening["table"], game, reading, form)
        else:
            yield asked_agent(text, game, ask, opening, reading, form, patience, sides, report)
    finally:
        process.end()


def table_agent(text: str, packed: Any, game: Game, reading: Reading, form: str | None) -> Agent:  # noqa: ANN401
    """Return the agent for a table in a program, as the child packs it. Raises `BadText`."""
    from lab.judging.files.objects import read_object  # a function needs neither of these
    from lab.judging.files.policy_file import read_policy_table

    if not game.numbered:
        raise BadText(f"{text} is a table of moves, and {game.title} is too large for one: give a function")
    return read_policy_table(text, lambda: read_object(unpack_answer(packed), game), game, reading, form).agent(game)


def command_of(python: str | None) -> list[str]:
    """Return the command that runs the child. Raises `BadText` if there is no such interpreter."""
    if python is None:
        return [sys.executable, "-P", "-u", str(Path(child.__file__))]
    found = shutil.which(python) or shutil.which(str(Path(python) / "bin" / "python"))
    if found is None:
        raise BadText(f"{quoted(python)} is no Python that can be run: give the path of one, as of venv/bin/python")
    return [found, "-u", str(Path(child.__file__))]


def game_document(game: Game) -> dict[str, Any]:
    marks = [piece.mark for piece in game.board.pieces]
    return {
        "name": game.name,
        "rows": game.board.rows,
        "columns": game.board.columns,
        "in_a_row": game.in_a_row,
        "marks": marks[:2] if len(marks) > 1 else [*marks, *game.marks][:2],
        "more_marks": marks[2:],
        "falls": has_gravity(game),
        "actions": max(game.moves(game.start)) + 1 if game.places_pieces or not game.numbered else action_count(game),
        "places": game.places_pieces and len(marks) > 1,
        "open_spiel": OPEN_SPIEL.get(game.name),
    }


def local_agent(  # noqa: PLR0913  what is known of the object
    agent: object,
    game: Game,
    reading: Reading = USUAL_READING,
    form: str | None = None,
    sides: Sequence[Side] = tuple(Side),
    *,
    module: ModuleType | None = None,
    note: str = "",
) -> Agent:
    """Return an agent that asks a Python object in this process, and then in a copy of it. Raises `BadText`.

    `module` is the module of the object, and `note` a remark on how it was found: see `child.loading.object_named`.
    """
    name = getattr(agent, "__name__", type(agent).__name__)
    own_module: Any = module or sys.modules.get(getattr(agent, "__module__", "")) or SimpleNamespace()
    try:
        asked = AskedObject(name, agent, own_module, game_document(game), note, names_others=module is not None)
    except CannotAsk as refusal:
        raise BadText(str(refusal)) from refusal

    def answer(question: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            message: Mapping[str, Any] = asked.answer(question)
        except CannotAsk as refusal:
            raise AgentFailed(f"{name} {refusal}") from refusal
        return message

    current_answer, copy = answer, None
    with suppress(OSError, ValueError):
        copy = LocalCopy(answer)

    def ask(question: Mapping[str, Any]) -> Mapping[str, Any]:
        nonlocal current_answer
        if "kept" in question:  # the module may be any part of the program that judges
            return {}
        if "restart" in question:
            if copy is not None:
                current_answer = copy.answer
            return {"restarted": copy is not None}
        return current_answer(question)

    return asked_agent(name, game, ask, asked.opening(), reading, form, ANSWER_SECONDS, sides)


def asked_agent(  # noqa: PLR0913, PLR0917  what is known of the object
    title: str,
    game: Game,
    ask: AskChild,
    opening: Mapping[str, Any],
    reading: Reading,
    wanted: str | None,
    patience: float,
    sides: Sequence[Side] = tuple(Side),
    report: Report = lambda _: None,
) -> Agent:
    """Return the agent for an object that `ask` asks, after recognising its form. Raises `BadText`.

    `title` names the object in messages, and `opening` is the first message about it; `wanted` are the words of a form.
    """
    if not opening.keys() >= {*AgentProfile._fields}:
        raise AgentFailed(f"{title} cannot be imported: {DISTURBED}")
    profile = AgentProfile(*(opening[each] for each in AgentProfile._fields))
    questions = Questions(title, game, ask, replays=profile.replays, by_history=profile.by_history)
    questions.has_drawn, copies = bool(opening.get("unrepeatable")), Copies(ask)
    # the forms of libraries are alone, and known with how moves are written
    is_library = len(profile.forms) == 1 and "game" not in words_of(profile.forms[0])
    questions.must_reseed = not is_library
    chosen, readings = find_forms(profile.forms, wanted), possible_readings(reading, wanted)
    if is_library or len(chosen) * len(readings) == 1:
        recognised = _Recognised(chosen[0], readings[0], sides)
    else:
        recognised = _recognise(questions, profile, chosen, readings, patience, sides, report)
    questions.form, questions.reading, sides = recognised.form, recognised.reading, recognised.sides
    form = profile.forms[questions.form]
    if questions.reading.numbers is Numbers.VALUES and not {*PERSPECTIVES} & {*words_of(wanted)}:
        check_answered_values(
            lambda position: questions.attempt(questions.form, position, WINS_SECONDS), game, questions.reading, sides
        )
    trials = [each for each in trials_of(game, sides) if not each.early]
    notes = [profile.note, recognised.note]
    if profile.by_history and is_library:  # it may be made for one player
        sides, note = _moving_sides(questions, trials, sides)
        notes.append(note)
    if len(profile.forms) > 1 and "game" not in words_of(form) and questions.ignores_pieces(trials):
        notes.append(IGNORES.format(len(trials)))
    return Agent(
        questions.ask_many,
        ask_histories=questions.ask_histories if profile.by_history else None,
        ask_seeded=questions.ask_seeded if profile.by_history else None,
        form=form_name(form, questions.reading),
        by_history=profile.by_history,
        sides=tuple(side for side in sides if side + 1 in profile.sides),
        notes=tuple(note for note in notes if note),
        has_drawn=lambda: questions.has_drawn,
        is_opaque=lambda: questions.reads_clock,
        find_change=lambda: ask({"text": "what it keeps", "kept": True}).get("changed"),
        restart=copies.restart,
        mark=copies.mark,
        go_back=copies.go_back,
    )


@dataclass(frozen=True)
class _Recognised:
    """How to ask an object, and as which sides."""

    form: int
    reading: Reading
    sides: Sequence[Side]
    note: str = ""
    """A remark for a person; empty if there is none."""


def _recognise(  # noqa: PLR0913, PLR0917  what is known of the object
    questions: Questions,
    profile: AgentProfile,
    chosen: Sequence[int],
    readings: Sequence[Reading],
    patience: float,
    sides: Sequence[Side],
    report: Report,
) -> _Recognised:
    """Recognise which of the `chosen` forms an object has. Raises `BadText`."""
    names = [profile.forms[each] for each in chosen]

    def watch(form: int, position: Position) -> Collection[bool]:
        is_watchable = not {*WATCHABLE_SHAPES}.isdisjoint(words_of(names[form]))
        return questions.comparisons(chosen[form], position) if is_watchable else ()

    recogniser = Recogniser(
        names,
        _trial_asker(questions, chosen, patience, report),
        questions.game,
        readings,
        promised=chosen.index(profile.promised) if profile.promised in chosen else None,
        begins=profile.replays,
        watch=watch,
    )
    try:
        form, reading = recogniser.find(sides)
    except AgentFailed:
        raise
    except FormFails as error:
        raise AgentFailed(f"{questions.title} {error}") from error
    except BadText as error:
        alone = recogniser.side_alone(sides)
        if alone is None:
            raise BadText(f"{questions.title}: {error}") from error
        side, form, reading = alone
        share, wrong = recogniser.legal_share(form, reading, side.other)
        sides, note = _sides_of(questions.game, sides, side, share, wrong)
        return _Recognised(chosen[form], reading, sides, note)
    return _Recognised(chosen[form], reading, sides)


def _trial_asker(questions: Questions, chosen: Sequence[int], patience: float, report: Report) -> AskTrial:
    """Return a function that tries a form in a position, until the time is over, and remembers its answers."""
    number, deadline, first_late = count(), monotonic() + RECOGNITION_SECONDS, ""

    @cache  # each side alone is tried in some of the same positions
    def ask(form: int, position: Position, seconds: float) -> Mapping[str, Any]:
        nonlocal first_late
        report(AskProgress(next(number), 0.0, doing="trying how it wants to be asked: "))
        if monotonic() > deadline:
            raise AgentFailed(f"{questions.title} {NOT_RECOGNISED.format(first_late)}")
        wait = min(seconds / PROCESSOR_SHARE, patience)
        message = questions.attempt(chosen[form], position, seconds, wait=wait)
        if "late" in message and not first_late:
            first_late = f", as in {questions.game.to_text(position)}"
        return message

    return ask


def _sides_of(
    game: Game, sides: Sequence[Side], recognised: Side, share: float, wrong: FormTry | None
) -> tuple[Sequence[Side], str]:
    """Return the sides as which to ask an object that was recognised as one side, and a note about that.

    As the other side, it gives legal moves in a `share` of the trials; `wrong` is the first trial in which it does not.
    """
    this, other = game.mark(recognised), game.mark(recognised.other)
    if wrong is None:
        return (recognised,), ONE_SIDE.format(this, other)
    if share >= MOSTLY:
        return sides, PLAYS_BOTH.format(other, wrong.problem, this)
    return (recognised,), PLAYS_ONE.format(other, wrong.problem, this)


def _moving_sides(
    questions: Questions, trials: Sequence[FormTrial], sides: Sequence[Side]
) -> tuple[Sequence[Side], str]:
    """Return the sides as which an object gives moves, and a note if it is not asked as another. Raises `BadText`."""
    game = questions.game
    trials_as = {side: [each for each in trials if game.side(each.position) is side] for side in sides}
    silent = [side for side in sides if questions.gives_no_move(trials_as[side])]
    if not silent:
        return sides, ""
    problem, other = f"gives no move in any of {len(trials_as[silent[0]])} positions", silent[0].other
    if len(silent) == len(Side):
        raise BadText(f"{questions.title} {problem} of either side: it cannot be judged")
    if len(sides) == 1:
        this, that = game.mark(sides[0]), game.mark(other)
        raise BadText(f"{questions.title} {problem} as {this}: if it was made for {that}, add --side {that}")
    return (other,), PLAYS_ONE.format(game.mark(silent[0]), problem, game.mark(other))


def _read_message(read: Callable[[], bytes], silent: str, ended: str) -> dict[str, Any]:
    """Read a message of the child by calling `read`.

    Raises `AgentFailed` for a message that is an error; beginning with the words `silent` or `ended` if there is none.
    """
    try:
        message = json.loads(read())
    except AgentFailed:  # it has its own words
        raise
    except Silent:
        raise AgentFailed(f"{silent}\n--time-limit gives it more time") from None
    except Ended as end:
        raise AgentFailed(f"{ended}: {end}") from None
    except (Unasked, ValueError, RecursionError):
        raise AgentFailed(f"{ended}: {DISTURBED}") from None
    if not isinstance(message, dict) or not isinstance(message.get("error", ""), str):
        raise AgentFailed(f"{ended}: {DISTURBED}")
    if "error" in message:
        raise AgentFailed(message["error"])
    return message
