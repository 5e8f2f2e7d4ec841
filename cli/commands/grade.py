"""`noughts grade`: which submissions keep what is required of them?"""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from shlex import quote
from time import monotonic
from typing import Final

import click

from cli.shared.agents import Reads, opened
from cli.shared.common import FC, SIDE_WORDS, Seconds, game_option, json_option, path_option
from cli.shared.progress import progress_bar
from engine.game import BadText, Game, Side, parse_sides, quoted
from engine.games import GAMES
from engine.spaces import space_of
from lab.judging.asking import AskProgress, ask_all
from lab.judging.grading import REQUIREMENTS, Grade, Requirement, grade_of, junit_text, object_in, parse_requirement
from lab.judging.judge import judge
from lab.judging.reply import PATIENCE
from lab.text.columns import columns
from lab.text.sanitise import plain, without_controls
from saves.errors import LibraryError
from saves.files import write_text

MEGABYTES: Final = 2048
TOTAL: Final = 120.0


def seconds_option(name: str, default: float, what: str) -> Callable[[FC], FC]:
    """Return an option that is a time in seconds."""
    return click.option(
        name, type=Seconds(0.01, 86400), default=default, metavar="S", help=f"{what}, in s.  [default: {default:g}]"
    )


class OutOfTime(BadText):
    """A submission took longer than all its answers may."""


@click.command()
@click.argument("submissions", nargs=-1, required=True, metavar="SUBMISSIONS...")
@click.option("--require", multiple=True, metavar="WHAT", help=f"{REQUIREMENTS}.  [default: never-loses]")
@click.option("--as", "side", metavar="SIDE", help=f"The side that is graded: {SIDE_WORDS}.")
@game_option
@click.option("--form", metavar="FORM", help="Words of the form in which to ask: see judge --forms.")
@click.option("--values", is_flag=True, help="Their numbers are values: they play the highest.")
@click.option("--python", metavar="PATH", help="Run Python objects with this interpreter, or environment.")
@seconds_option("--time-limit", PATIENCE, "The time limit for each answer")
@seconds_option("--total-time", TOTAL, "The time limit for a submission")
@click.option(
    "--memory",
    type=click.IntRange(64, 1_000_000),
    default=MEGABYTES,
    metavar="MB",
    help=f"The memory limit for a submission, in megabytes.  [default: {MEGABYTES}]",
)
@path_option("--junit", help="Also write the grades as JUnit XML.")
@json_option
def grade(  # noqa: PLR0913  one parameter an option
    submissions: tuple[str, ...],
    require: tuple[str, ...],
    side: str | None,
    game: Game | None,
    *,
    form: str | None,
    values: bool,
    python: str | None,
    time_limit: float,
    total_time: float,
    memory: int,
    junit: Path | None,
    as_json: bool,
) -> int:
    """Grade submissions: which keep what is required?

    A submission is an agent as in judge: a Python file (its function choose,
    agent, policy or the like is found, or write file.py:name), a table, or a
    program. A folder stands for the files in it and in its folders. Each runs
    in a process of its own with limits of time and memory, and one that fails
    does not end the run.

    \b
    Examples:
      noughts grade submissions/ --require never-loses --as O
      noughts grade a.py b.csv --require optimal --junit grades.xml
      noughts grade *.py --require 'beats random 90 %' --json
    """
    rules = game or GAMES[0]
    if not rules.numbered:
        raise BadText(f"{rules.title} is too large to be graded exactly")
    space_of(rules)
    required = [parse_requirement(each) for each in require or ("never-loses",)]
    sides = None if side is None else parse_sides(rules, side)
    reads = Reads(form, python, values, patience=time_limit, megabytes=memory, sides=sides or tuple(Side))
    found = [each for name in submissions for each in submitted(name)]
    if not found:
        raise BadText(f"{' '.join(map(quoted, submissions))}: no submission is there, so there is nothing to grade")
    grades = list[Grade]()

    def progress(done: int) -> tuple[float, str]:
        return done / max(len(found), 1), f"{done:,} of {len(found):,}"

    with progress_bar("grading", progress) as show:
        for number, name in enumerate(found):
            show(number)
            grades.append(graded(name, rules, sides, required, reads, total_time))
    if junit is not None:
        write_text(junit, junit_text(grades, f"noughts {rules.name}"), replace=True)
    if as_json:
        document = [
            {
                "agent": each.agent,
                "passed": each.passed,
                "reason": each.reason,
                "losing_game": None if each.losing_game is None else [*each.losing_game],
            }
            for each in grades
        ]
        click.echo(json.dumps(document))
    else:
        for line in lines_of(grades):
            click.echo(without_controls(line))
    return 0 if all(each.passed for each in grades) else 1


def submitted(name: str) -> Iterator[str]:
    """Yield the submissions that an argument names: the files of a folder and of the folders in it, or itself."""
    path = Path(name)
    if not path.is_dir():
        yield name
        return
    for each in sorted(path.iterdir()):
        if each.is_dir() and not each.name.startswith((".", "__")):
            yield from submitted(str(each))
        elif not each.is_dir() and not each.name.startswith("."):
            yield str(each)


def graded(  # noqa: PLR0913, PLR0917  what the command was given
    name: str, game: Game, sides: tuple[Side, ...] | None, required: list[Requirement], reads: Reads, total: float
) -> Grade:
    """Grade a submission. Whatever it does wrong becomes the reason."""
    end = monotonic() + total

    def within(_: AskProgress) -> None:
        if monotonic() > end:
            raise OutOfTime(f"it took longer than {total:g} s: --total-time gives it more")

    remarks = list[str]()
    try:
        path, agent = Path(name), name
        if path.suffix == ".py":
            agent, choice = object_in(path)
            remarks += [choice] * bool(choice)
        if not path.suffix and path.is_file():
            agent = quote(str(path.resolve()))
        with opened(agent, agent, game, reads) as found:
            remarks += found.notes
            answers = ask_all(game, found.agent, sides or found.sides, report=within)
        result = grade_of(name, game, judge(game, answers), required)
    except (ValueError, LibraryError, OSError) as error:
        result = Grade(name, passed=False, reason=" ".join(str(error).splitlines()[:1]) or type(error).__name__)
    return replace(result, reason="; ".join([result.reason, *remarks]))


def lines_of(grades: list[Grade]) -> list[str]:
    """Return a line for each grade, with the game that the submission loses; then how many passed."""
    rows = [("pass" if each.passed else "FAIL", plain(each.agent), plain(each.reason)) for each in grades]
    lines = list[str]()
    for line, each in zip(columns(rows, "<<<"), grades, strict=True):
        lines.append(line.rstrip())
        if not each.passed and each.losing_game:
            lines.append(f"      it loses {' '.join(each.losing_game)}")
    return [*lines, f"{sum(each.passed for each in grades):,} of {len(grades):,} passed"]
