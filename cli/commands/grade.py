"""`noughts grade`: find out which submissions keep the requirements."""

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import filterfalse
from pathlib import Path
from shlex import quote
from time import monotonic
from typing import Final

import click

from cli.shared.agents import AskOptions, add_ask_options, is_own, is_python, open_agent
from cli.shared.common import SIDE_WORDS, Seconds, game_option, json_option, path_option, print_error
from cli.shared.progress import progress_bar
from cli.shared.score_documents import losing_document
from cli.shared.signals import interrupt_on_signals
from cli.shared.streams import is_stream, require_one_document, require_writable, write_to
from engine.game import BadText, Game, Side, quoted
from engine.games import GAMES
from engine.notation import parse_sides
from engine.plural import counted_noun
from engine.spaces import space_of
from lab.judging.agents.program_agent import command_of
from lab.judging.asking.agent import AskProgress
from lab.judging.asking.ask_all import ask_all
from lab.judging.grading import (
    REQUIREMENT_FORMS,
    Grade,
    Requirement,
    find_agent_object,
    grade_agent,
    junit_text,
    non_submission_reason,
    parse_requirement,
)
from lab.judging.judge import judge
from lab.judging.notation.form_words import replace_options
from lab.judging.verdict_text import remarks
from lab.signals import SIGNAL_EXIT
from lab.text.columns import columns
from lab.text.sanitise import plain, without_controls
from saves.errors import LibraryError

USUAL_MEGABYTES: Final = 2048
USUAL_SECONDS: Final = 120.0
OPTION_NAMES: Final = {"--as": "--form", "--side": "--as"}
"""The options of `noughts judge` in sentences about an agent, each with the option of this command that replaces it."""
USUAL_REQUIREMENT: Final = "never-loses"
NOT_RESET: Final = (
    "what it keeps, such as '{}', changes, and there was no time to ask it in all games: let it not keep that, or give "
    "it reset()"
)


class OutOfTime(BadText):
    """A submission has used up the time for all its answers."""


def exists(name: str) -> bool:
    """Return whether an argument names a file, a folder, an object, a player or a program; nothing is opened."""
    file, colon, _ = name.rpartition(":")
    if os.path.lexists(name) or not colon:
        return os.path.lexists(name) or is_own(name) or command_of(name) is not None
    return not file.endswith(".py") or Path(file).exists()


def require_existing(_context: click.Context, _parameter: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    for name in filterfalse(exists, names):
        raise click.BadParameter(f"{quoted(name)} does not exist")
    return names


@click.command()
@click.argument("submissions", nargs=-1, required=True, metavar="SUBMISSIONS...", callback=require_existing)
@click.option("--require", multiple=True, metavar="WHAT", help=f"{REQUIREMENT_FORMS}.  [default: never-loses]")
@click.option("--as", "side", metavar="SIDE", help=f"The side that is graded: {SIDE_WORDS}.  [default: those it plays]")
@game_option
@add_ask_options("--form")
@click.option("--deterministic", is_flag=True, help="They always answer the same: ask once in each position.")
@click.option(
    "--total-time",
    type=Seconds(0.01, 86400),
    default=USUAL_SECONDS,
    metavar="S",
    help=f"The time limit for a submission, in seconds.  [default: {USUAL_SECONDS:g}]",
)
@click.option(
    "--memory",
    type=click.IntRange(64, 1_000_000),
    default=USUAL_MEGABYTES,
    metavar="MB",
    help=f"The memory limit for a submission, in megabytes.  [default: {USUAL_MEGABYTES}]",
)
@path_option("--junit", help="Write the grades as JUnit XML, too; - is standard output, instead of the lines.")
@json_option
def grade(  # noqa: PLR0913  one parameter an option
    submissions: tuple[str, ...],
    require: tuple[str, ...],
    side: str | None,
    game: Game | None,
    *,
    options: AskOptions,
    deterministic: bool,
    total_time: float,
    memory: int,
    junit: Path | None,
    as_json: bool,
) -> int:
    """Grade submissions: which keep what is required?

    A submission is an agent as in judge: a Python file (its function choose,
    agent, policy or the like is found, or write file.py:name), a table, or a
    program. A folder stands for the files in it and in its folders; texts,
    pictures and the like are skipped there. Each runs in a process of its own
    with limits of time and memory, and one that fails does not end the run.

    \b
    Examples:
      noughts grade submissions/ --require never-loses --as O
      noughts grade a.py b.csv --require optimal --junit grades.xml
      noughts grade *.py --require 'beats random 90 %' --json
    """
    require_one_document(junit, as_json=as_json)
    if junit is not None:
        require_writable(junit, replace=True)
    rules = game or GAMES[0]
    if not rules.numbered:
        raise BadText(f"{rules.title} is too large to be graded exactly")
    space_of(rules)
    requirements = [parse_requirement(each) for each in require or (USUAL_REQUIREMENT,)]
    sides = None if side is None else parse_sides(rules, side)
    options = replace(options, megabytes=memory, sides=sides or tuple(Side), total=total_time, lenient=True)
    files = [file for name in submissions for file in find_submissions(name)]
    if all(reason for _, reason in files):
        names, others = " ".join(map(quoted, submissions)), counted_noun(len(files), "other file")
        raise BadText(f"{names}: no submission is there, only {others}, so there is nothing to grade")
    grades = list[Grade]()

    def progress(done: int) -> tuple[float, str]:
        return done / len(files), f"{done:,} of {len(files):,}"

    with suppress(KeyboardInterrupt), interrupt_on_signals() as received, progress_bar("grading", progress) as show:
        for number, (name, reason) in enumerate(files):
            show(number)
            if reason:
                result = Grade(name, passed=None, reason=f"skipped: {reason}")
            else:
                result = grade_submission(name, rules, sides, requirements, options, certain=deterministic)
            grades.append(result)
    if junit is not None:
        write_to(junit, junit_text(grades, f"noughts {rules.name}"), replace=True)
    if as_json or not is_stream(junit):
        print_grades(rules, grades, as_json=as_json)
    return exit_code(received, grades, len(files))


def print_grades(game: Game, grades: list[Grade], *, as_json: bool) -> None:
    if as_json:
        document = [
            {"agent": each.agent, "passed": each.passed, "reason": each.reason, **losing_document(game, each.losing)}
            for each in grades
        ]
        click.echo(json.dumps(document))
    else:
        for line in grade_lines(grades):
            click.echo(without_controls(line))


def exit_code(received: list[int], grades: list[Grade], submissions: int) -> int:
    if received:
        print_error(f"stopped: {len(grades):,} of {submissions:,} are graded")
        return SIGNAL_EXIT + received[0]
    return 1 if any(each.passed is False for each in grades) else 0


def find_submissions(name: str, above: tuple[Path, ...] = ()) -> Iterator[tuple[str, str]]:
    """Yield the submissions that an argument names: itself, or the files in a folder and its subfolders.

    Each comes with the reason why it is skipped, or an empty text. Hidden files, and caches of Python, are left out. A
    link to one of the folders `above` is skipped, since following it would never end.
    """
    path = Path(name)
    if not path.is_dir():
        yield name, ""
        return
    folders = (*above, path.resolve())
    try:
        entries = sorted(path.iterdir())
    except OSError as error:
        yield name, f"it cannot be read: {error.strerror}"
        return
    for entry in entries:
        if entry.is_dir() and entry.resolve() in folders:
            yield str(entry), "it is a link to a folder that it is in"
        elif entry.is_dir() and not entry.name.startswith((".", "__")):
            yield from find_submissions(str(entry), folders)
        elif not entry.is_dir() and not entry.name.startswith("."):
            yield str(entry), non_submission_reason(entry)


def grade_submission(  # noqa: PLR0913  what the command was given
    name: str,
    game: Game,
    sides: tuple[Side, ...] | None,
    requirements: list[Requirement],
    options: AskOptions,
    *,
    certain: bool,
) -> Grade:
    """Grade a submission. A fault of the submission becomes the reason of the grade."""
    deadline = monotonic() + options.total

    def check_time(_: AskProgress) -> None:
        if monotonic() > deadline:
            raise OutOfTime(f"it took longer than {options.total:g} s: --total-time gives it more")

    notes = list[str]()
    try:
        path, label = Path(name), name
        if is_python(name):
            label, choice = find_agent_object(path)
            if choice:
                notes.append(choice)
        if not path.suffix and path.is_file():
            label = quote(str(path.resolve()))
        with open_agent(label, game, options, check_time) as agent:
            notes += agent.notes
            certain_agent = replace(agent, is_certain=True) if certain else agent
            answers = ask_all(game, certain_agent, sides or agent.sides, report=check_time)
            if answers.changed_name and not (answers.has_played or agent.by_history):
                raise BadText(NOT_RESET.format(answers.changed_name))
            if sides is None and len(answers.sides) < len(Side):
                notes.append(f"Only its play as {game.mark(answers.sides[0])} is graded")
            notes += remarks(answers)
        result = grade_agent(name, game, judge(game, answers), requirements)
    except (ValueError, LibraryError, OSError) as error:
        result = Grade(name, passed=False, reason=" ".join(str(error).splitlines()[:1]) or type(error).__name__)
    return replace(result, reason=replace_options(". ".join([result.reason, *notes]), OPTION_NAMES))


def grade_lines(grades: list[Grade]) -> list[str]:
    """Return a line for each grade, with the game that the submission loses; then how many passed."""
    words = {True: "pass", False: "FAIL", None: "skip"}
    rows = [(words[each.passed], plain(each.agent), plain(each.reason)) for each in grades]
    lines = list[str]()
    for line, each in zip(columns(rows, "<<<"), grades, strict=True):
        lines.append(line.rstrip())
        if each.lost_game:
            lines.append(f"      {each.lost_game}")
    results = [each.passed for each in grades if each.passed is not None]
    return [*lines, f"{sum(results):,} of {len(results):,} passed"]
