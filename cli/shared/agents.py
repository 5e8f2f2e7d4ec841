"""Open the agent that a command names: a file with a policy, a Python object, a program, or a player."""

import shlex
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import wraps
from importlib.util import find_spec
from math import inf
from pathlib import Path
from typing import Any, Final

import click

from cli.shared.common import Seconds
from cli.shared.progress import asking_bar
from engine.game import BadText, Game, Side, quoted
from engine.games import GAMES
from lab.judging.asking.agent import Agent, Report
from lab.judging.files.policy_file import read_policy
from lab.judging.files.tables import TABLE_SUFFIXES, has_table, signature_suffix
from lab.judging.notation.reply import ANSWER_SECONDS, MISSING_RULES, Reading, parse_reading

TIES: Final = ("split", "first")
UNREAD_NOTE: Final = "It is no table and no Python object: it was asked in the usual way"
NO_TABLE_NOTE: Final = "It is no table: --missing had no effect"


@dataclass(frozen=True)
class AskOptions:
    """How an agent is asked, and how its answers are read, according to the options."""

    form: str | None = None
    python: str | None = None
    values: bool = False
    counts: bool = False
    ties: str = TIES[0]
    missing: str = MISSING_RULES[0]
    patience: float = ANSWER_SECONDS
    megabytes: int | None = None
    sides: tuple[Side, ...] = tuple(Side)
    total: float = inf
    """The time limit for all questions together, in seconds."""
    lenient: bool = False
    """Whether options that have no effect on an agent are noted instead of refused."""

    @property
    def reading(self) -> Reading:
        """The way to read answers. Raises `BadText`."""
        return parse_reading(values=self.values, counts=self.counts, ties=self.ties, missing=self.missing)


def add_ask_options(form_option: str = "--as") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that adds options on how an agent is asked and read; the command gets them as `options`."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def wrapper(*args: Any, time_limit: float, **values: Any) -> Any:  # noqa: ANN401  as click calls
            names = ("form", "python", "values", "counts", "ties", "missing")
            options = AskOptions(**{name: values.pop(name) for name in names}, patience=time_limit)
            if options.values and options.counts:
                raise click.UsageError("--values and --counts: give one of them")
            return command(*args, options=options, **values)

        for click_option in reversed(click_options):
            wrapper = click_option(wrapper)
        return wrapper

    click_options = (
        click.option(form_option, "form", metavar="FORM", help="Words of the form in which to ask: see judge --forms."),
        click.option("--python", metavar="PATH", help="Run a Python object with this interpreter, or environment."),
        click.option("--values", is_flag=True, help="The agent's numbers are values: it plays the highest."),
        click.option(
            "--counts", is_flag=True, help="The agent's numbers are counts: each move is played in proportion."
        ),
        click.option(
            "--ties",
            type=click.Choice(TIES),
            default=TIES[0],
            help=f"Of equal values: split, or take the first.  [default: {TIES[0]}]",
        ),
        click.option(
            "--missing",
            metavar="WHAT",
            default=MISSING_RULES[0],
            help="Where a file has no answer: loss, or random; or a number, the value of each move without one.  "
            f"[default: {MISSING_RULES[0]}]",
        ),
        click.option(
            "--time-limit",
            type=Seconds(0.01, 3600),
            metavar="S",
            default=ANSWER_SECONDS,
            help=f"The time limit for each answer, in seconds.  [default: {ANSWER_SECONDS:g}]",
        ),
    )
    return add


def identify_agent(policy: str, game: Game | None, options: AskOptions) -> tuple[str, Game]:
    """Return the full label of the agent that POLICY names, and the game: that of a save, unless `game` names one.

    Raises `BadText`, also for options on how to ask or read an agent that would have no effect.
    """
    if is_file(policy):
        return policy, game or GAMES[0]
    if is_python(policy):
        from lab.judging.grading import find_agent_object  # not imported for a file

        return find_agent_object(Path(policy))[0], game or GAMES[0]
    from cli.shared.arguments import chosen_game, chosen_library, full_label  # imports all learners

    library = chosen_library()
    label = full_label(policy, library)
    if has_reading_options(options) and not is_object(label):
        raise BadText(f"{quoted(policy)} is no table and no Python object: leave out how it is asked and read")
    return label, chosen_game(game, library, [label])


def has_reading_options(options: AskOptions) -> bool:
    """Return whether any option says how the agent is asked and read. Raises `BadText`."""
    return (options.form, options.python, options.reading) != (None, None, AskOptions().reading)


@contextmanager
def open_agent(label: str, game: Game, options: AskOptions, report: Report | None = None) -> Iterator[Agent]:
    """Yield the agent with this full label. Raises `BadText`.

    The trials to recognise it are reported to `report`, or else shown.
    """
    if is_file(label):
        if not game.numbered:
            raise BadText(
                f"{quoted(label)} is a table of moves, and {game.title} is too large for one: "
                "give a Python object (module:name) or a program"
            )
        with spaces_of(game):
            yield read_policy(Path(label), game, options.reading, options.form).agent(game)
    elif is_own(label):
        from cli.shared.arguments import chosen_library, chosen_player  # imports all learners, as do those below
        from lab.judging.asking.agent import player_agent

        with spaces_of(game):
            yield _with_note(player_agent(chosen_player(label, game, chosen_library())), label, options)
    else:
        with spaces_of(game), outside_agent(label, game, options, report) as agent:
            yield _with_note(agent, label, options)


def _with_note(agent: Agent, label: str, options: AskOptions) -> Agent:
    """Return an agent with a note on options that have no effect on it.

    Raises `BadText` for an option about tables, unless the options are lenient.
    """
    if not has_reading_options(options) or agent.convention is not None:
        return agent
    if not is_object(label):
        return replace(agent, notes=(UNREAD_NOTE, *agent.notes))
    if options.missing == MISSING_RULES[0]:
        return agent
    if not options.lenient:
        raise BadText(f"{quoted(label)} is no table: leave out --missing, which says what one plays without an answer")
    return replace(agent, notes=(NO_TABLE_NOTE, *agent.notes))


def spaces_of(game: Game) -> AbstractContextManager[None]:
    """Keep the space of a large game in the cache, and show progress while it is built."""
    if not game.is_large:
        return nullcontext()
    from cli.shared.spaces import keep_large_spaces  # imports numpy and the cache

    return keep_large_spaces()


@contextmanager
def outside_agent(policy: str, game: Game, options: AskOptions, report: Report | None) -> Iterator[Agent]:
    from lab.judging.agents.program_agent import command_of, program_agent
    from lab.judging.agents.python_agent import OBJECT, python_agent  # neither is imported for a file

    if OBJECT.fullmatch(policy):
        with ExitStack() as stack:
            with asking_bar() if report is None else nullcontext(report) as report_trial:
                agent = stack.enter_context(
                    python_agent(
                        policy,
                        game,
                        options.patience,
                        reading=options.reading,
                        form=options.form,
                        python=options.python,
                        megabytes=options.megabytes,
                        sides=options.sides,
                        total=options.total,
                        report=report_trial,
                    )
                )
            yield agent
        return
    command = command_of(policy)
    if command is None:
        advice = "An example: noughts judge my_agent.py:choose"
        if Path(policy).is_file():
            advice = f"If it is a program, name what runs it, as in 'sh {shlex.quote(policy)}', or make it executable"
        raise BadText(
            f"{quoted(policy)} is not a file that can be read ({', '.join(TABLE_SUFFIXES)}), "
            f"a Python object (module:name), a program or a player\n{advice}"
        )
    with program_agent(command, policy, game, options.patience, options.megabytes) as agent:
        yield agent


def is_file(policy: str) -> bool:
    path = Path(policy)
    if path.suffix.lower() in TABLE_SUFFIXES or has_table(path):
        return True
    try:
        if not path.is_file():  # a pipe would be waited for
            return False
        with path.open("rb") as file:
            return bool(signature_suffix(file.read(8)))
    except (OSError, ValueError):
        return False


def is_python(policy: str) -> bool:
    return policy.endswith(".py") and Path(policy).is_file() and not is_file(policy)


def is_object(label: str) -> bool:
    from lab.judging.agents.python_agent import OBJECT  # not imported for a file

    return OBJECT.fullmatch(label) is not None and not is_own(label)


def is_own(label: str) -> bool:
    """Return whether a label names a player or a save of Noughts, even if its parameter is wrong.

    `minimax:best` may also name a Python object: it does if there is a module `minimax`.
    """
    from learners import is_player  # imports all learners
    from learners.core.save_ref import is_save, without_filter

    if is_save(label):
        return True
    label = without_filter(label)
    stem = label.partition(":")[0]
    if not is_player(stem):
        return False
    if is_player(label):
        return True
    is_module = Path(stem).is_dir() or Path(f"{stem}.py").is_file() or find_spec(stem) is not None
    return not is_module
