"""Agents that are Python objects, `module:name` or `file.py:name`, each asked in a process of its own.

This process runs only `lab.judging.child`, with any Python, so that the agent need not be installed beside Noughts.
"""

import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
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
from lab.judging.agents.recognition import MOSTLY, Recogniser
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
PATIENCE_AT_IMPORT: Final = 60.0
"""The time limit for an import, in seconds, unless the limit for an answer is longer."""
MAX_OPENING: Final = 2**26 + 100_000
"""The size limit, in bytes, of the child's first message about an object: the names of its forms, or a table."""
FIRST_ANSWER: Final = 6
"""The factor by which the first position may take longer than others: many agents search the whole game there."""
RECOGNISED: Final = 120.0
"""The time limit to recognise the form of an object, in seconds."""
UNKNOWN: Final = (
    f"is slow{{}}: in {RECOGNISED:g} s it was not known how it wants to be asked\n"
    "Say all of how it sees the board with --as, as in --as 'lists, 012, x-first, from-0, y-x'"
)
IGNORES: Final = (
    "In {} positions, its answers do not depend on whose pieces stand where: if they should, --as says how it sees them"
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

    first: str | None = None

    def ask(question: Mapping[str, Any]) -> Mapping[str, Any]:
        nonlocal first
        where = question["text"]
        first = first if first is not None or "seconds" in question else where
        limit = min(patience * (FIRST_ANSWER if first in (None, where) else 1), total)
        return _message(
            lambda: process.ask(json.dumps(question), limit),
            f"{text} is silent in {where}: no answer within {limit:g} s",
            f"{text} ended without an answer in {where}",
        )

    try:
        longest = min(max(patience, PATIENCE_AT_IMPORT), total)
        failure = f"{text} cannot be imported"
        start = {"agent": text, "game": game_document(game), "path": [] if python else sys.path}
        asking = partial(process.ask, json.dumps(start), longest, MAX_OPENING)
        opening = _message(asking, f"{failure} within {longest:g} s: perhaps it plays a game then", failure)
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
    place: Any = module or sys.modules.get(getattr(agent, "__module__", "")) or SimpleNamespace()
    try:
        asked = AskedObject(name, agent, place, game_document(game), note)
    except CannotAsk as refusal:
        raise BadText(str(refusal)) from refusal

    def answer(question: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            message: Mapping[str, Any] = asked.answer(question)
        except CannotAsk as refusal:
            raise AgentFailed(f"{name} {refusal}") from refusal
        return message

    asks, copies = answer, list[LocalCopy]()
    with suppress(OSError, ValueError):
        copies.append(LocalCopy(answer))

    def ask(question: Mapping[str, Any]) -> Mapping[str, Any]:
        nonlocal asks
        if "kept" in question:  # the module may be any part of the program that judges
            return {}
        if "restart" in question:
            if not copies:
                return {"restarted": False}
            asks = copies.pop().answer
            return {"restarted": True}
        return asks(question)

    return asked_agent(name, game, ask, asked.opening(), reading, form, ANSWER_SECONDS, sides)


def asked_agent(  # noqa: PLR0913, PLR0917  what is known of the object
    text: str,
    game: Game,
    ask: AskChild,
    opening: Mapping[str, Any],
    reading: Reading,
    wanted: str | None,
    patience: float,
    sides: Sequence[Side] = tuple(Side),
    report: Report = lambda _: None,
) -> Agent:
    """Return the agent for an object that `ask` asks, after recognising its form. Raises `BadText`."""
    if not opening.keys() >= {*AgentProfile._fields}:
        raise AgentFailed(f"{text} cannot be imported: {DISTURBED}")
    known = AgentProfile(*(opening[each] for each in AgentProfile._fields))
    chosen, readings = find_forms(known.forms, wanted), possible_readings(reading, wanted)
    questions = Questions(text, game, ask, replays=known.replays, by_history=known.by_history)
    questions.drew, copies = bool(opening.get("unrepeatable")), Copies(ask)
    names = [known.forms[each] for each in chosen]
    at, questions.reading, notes = 0, readings[0], [known.note] if known.note else []
    # the forms of libraries are alone, and known with how moves are written
    unknown = len(known.forms) > 1 or "game" in words_of(known.forms[0])
    questions.form, questions.afresh = chosen[0], unknown
    if unknown and len(names) * len(readings) > 1:
        recogniser = Recogniser(
            names,
            _trials(questions, chosen, patience, report),
            game,
            readings,
            promised=chosen.index(known.promised) if known.promised in chosen else None,
            begins=known.replays,
            watch=lambda form, position: (
                questions.compared(chosen[form], position) if {*WATCHABLE_SHAPES} & {*words_of(names[form])} else ()
            ),
        )
        try:
            at, questions.reading = recogniser.find(sides)
        except AgentFailed:
            raise
        except BadText as error:
            alone = recogniser.side_alone(sides)
            if alone is None:
                raise BadText(f"{text}: {error}") from error
            side, at, questions.reading = alone
            wrong = recogniser.legal_share(at, questions.reading, side.other)
            sides, note = _sides_of(game, sides, side, *wrong)
            notes.append(note)
        questions.form = chosen[at]
    if questions.reading.numbers is Numbers.VALUES and not {*PERSPECTIVES} & {*words_of(wanted)}:
        check_answered_values(
            lambda position: questions.attempt(questions.form, position, WINS_SECONDS), game, questions.reading, sides
        )
    trials = [each for each in trials_of(game, sides) if not each.early]
    if known.by_history and not unknown:  # it may be made for one player
        sides, silent = _moving_sides(questions, trials, sides)
        notes += silent
    if len(known.forms) > 1 and "game" not in words_of(names[at]) and questions.ignores_pieces(trials):
        notes.append(IGNORES.format(len(trials)))
    return Agent(
        questions.ask_many,
        ask_histories=questions.ask_histories if known.by_history else None,
        ask_seeded=questions.ask_seeded if known.by_history else None,
        form=form_name(names[at], questions.reading),
        by_history=known.by_history,
        sides=tuple(side for side in sides if side + 1 in known.sides),
        notes=tuple(notes),
        has_drawn=lambda: questions.drew,
        is_opaque=lambda: questions.clock,
        find_change=lambda: ask({"text": "what it keeps", "kept": True}).get("changed"),
        restart=copies.restart,
        mark=copies.mark,
        go_back=copies.go_back,
    )


def _trials(questions: Questions, chosen: Sequence[int], patience: float, report: Report) -> AskTrial:
    """Return a function that tries a form in a position, until the time is over, and remembers its answers."""
    tried, until, late = count(), monotonic() + RECOGNISED, list[str]()

    @cache  # each side alone is tried in some of the same positions
    def attempt(form: int, position: Position, seconds: float) -> Mapping[str, Any]:
        report(AskProgress(next(tried), 0.0, doing="trying how it wants to be asked: "))
        if monotonic() > until:
            raise AgentFailed(f"{questions.text} {UNKNOWN.format(''.join(late))}")
        wait = min(seconds / PROCESSOR_SHARE, patience)
        message = questions.attempt(chosen[form], position, seconds, wait=wait)
        if "late" in message and not late:
            late.append(f", as in {questions.game.to_text(position)}")
        return message

    return attempt


def _sides_of(
    game: Game, sides: Sequence[Side], one: Side, share: float, wrong: FormTry | None
) -> tuple[Sequence[Side], str]:
    """Return the sides as which to ask an object that was recognised as the side `one`, and a note about that.

    As the other side, it gives legal moves in a `share` of the trials; `wrong` is the first trial in which it does not.
    """
    this, other = game.mark(one), game.mark(one.other)
    if wrong is None:
        return (one,), ONE_SIDE.format(this, other)
    if share >= MOSTLY:
        return sides, PLAYS_BOTH.format(other, wrong.problem, this)
    return (one,), PLAYS_ONE.format(other, wrong.problem, this)


def _moving_sides(
    questions: Questions, trials: Sequence[FormTrial], sides: Sequence[Side]
) -> tuple[Sequence[Side], list[str]]:
    """Return the sides as which an object gives moves, and a note if it is not asked as another. Raises `BadText`."""
    game = questions.game
    trials_as = {side: [each for each in trials if game.side(each.position) is side] for side in sides}
    silent = [side for side in sides if questions.gives_no_move(trials_as[side])]
    if not silent:
        return sides, []
    words, other = f"gives no move in any of {len(trials_as[silent[0]])} positions", silent[0].other
    if len(silent) == len(Side):
        raise BadText(f"{questions.text} {words} of either side: it cannot be judged")
    if len(sides) == 1:
        this, that = game.mark(sides[0]), game.mark(other)
        raise BadText(f"{questions.text} {words} as {this}: if it was made for {that}, add --side {that}")
    return (other,), [PLAYS_ONE.format(game.mark(silent[0]), words, game.mark(other))]


def _message(read: Callable[[], bytes], silent: str, ended: str) -> dict[str, Any]:
    """Read a line of the process. Raises `AgentFailed` for an error, or, with `silent` or `ended`, if there is none."""
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
