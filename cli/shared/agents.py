"""Open an agent that a command is given: a file with a policy, a Python object, a program, or a player."""

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import click

from cli.shared.arguments import chosen_player
from cli.shared.common import Seconds
from engine.game import BadText, Game, Position, Side, quoted
from lab.judging.agent import Agent, agent_of, player_agent
from lab.judging.line_process import PATIENCE
from lab.judging.policy_file import read_policy
from lab.judging.program_agent import command_of, program_agent
from lab.judging.python_agent import OBJECT, python_agent
from lab.judging.recognition import numbers_of
from lab.judging.tables import SUFFIXES
from learners import is_player
from learners.core.learner import trained_sides
from learners.players.seeds import SEEDS, unseeded
from saves.library.library import SAVE, Library

TIES: Final = ("split", "first")


@dataclass(frozen=True)
class Reads:
    """How an agent is asked, and how its answers are read, as options say it."""

    form: str | None = None
    python: str | None = None
    values: bool = False
    counts: bool = False
    ties: str = TIES[0]
    patience: float = PATIENCE
    megabytes: int | None = None


@dataclass(frozen=True)
class Opened:
    """An agent that can be asked."""

    agent: Agent
    sides: tuple[Side, ...]
    """The sides that it plays."""
    convention: str | None = None
    """How its file was read."""
    notes: tuple[str, ...] = ()
    positions: frozenset[Position] = field(default_factory=frozenset)
    """The positions that its file has."""


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say how an agent is asked and read."""
    for option in (
        click.option(
            "--time-limit",
            type=Seconds(0.01, 3600),
            metavar="S",
            default=PATIENCE,
            help=f"The time limit for each answer, in seconds.  [default: {PATIENCE:g}]",
        ),
        click.option(
            "--ties", type=click.Choice(TIES), help="Of equal values: split, or take the first.  [default: split]"
        ),
        click.option(
            "--counts", is_flag=True, help="The agent's numbers are counts: each move is played in proportion."
        ),
        click.option("--values", is_flag=True, help="The agent's numbers are values: it plays the highest."),
        click.option("--python", metavar="PATH", help="Run a Python object with this interpreter, or environment."),
        click.option("--as", "form", metavar="FORM", help="Words of the form to read it in: see --forms."),
    ):
        command = option(command)
    return command


@contextmanager
def opened(policy: str, label: str, game: Game, library: Library, reads: Reads) -> Iterator[Opened]:
    """Yield the agent that POLICY names, whose full label is `label`. Raises `BadText`."""
    if is_file(policy):
        if not game.numbered:
            raise BadText(
                f"{quoted(policy)} is a table of moves, and {game.title} is too large for one: "
                "give a Python object (module:name) or a program"
            )
        reading = numbers_of(values=reads.values, counts=reads.counts, ties=reads.ties)
        read = read_policy(Path(policy), game, reading, reads.form)
        sides = tuple(each for each in Side if any(game.side(position) is each for position in read.replies))
        agent = agent_of(read.replies.get, read.form, is_certain=True)
        yield Opened(agent, sides, read.convention, read.notes, frozenset(read.replies))
    elif is_own(label):
        player = chosen_player(label, game, library)
        seeds = f"It plays with seed 0: noughts evaluate {label} has its results over {SEEDS} seeds"
        yield Opened(
            player_agent(player),
            tuple(trained_sides(player)),
            notes=(seeds,) if unseeded(player) is not None else (),
        )
    else:
        with outside_agent(policy, game, reads) as asked:
            yield Opened(asked, tuple(Side))


@contextmanager
def outside_agent(policy: str, game: Game, reads: Reads) -> Iterator[Agent]:
    """Yield the agent that a Python object or a program is. Raises `BadText`."""
    if OBJECT.fullmatch(policy):
        with python_agent(
            policy,
            game,
            reads.patience,
            reading=numbers_of(values=reads.values, counts=reads.counts, ties=reads.ties),
            form=reads.form,
            python=reads.python,
            megabytes=reads.megabytes,
        ) as agent:
            yield agent
    elif command := command_of(policy):
        with program_agent(command, policy, game, reads.patience, reads.megabytes) as agent:
            yield agent
    else:
        raise BadText(
            f"{quoted(policy)} is not a file that can be read ({', '.join(SUFFIXES)}), a Python object (module:name), "
            "a program or a player\n"
            + (
                f"Name the function in it: noughts judge {shlex.quote(policy)}:NAME"
                if policy.endswith(".py")
                else "An example: noughts judge my_agent.py:choose"
            )
        )


def is_file(policy: str) -> bool:
    """Return whether POLICY names a file with a policy, by its suffix."""
    return Path(policy).suffix.lower() in SUFFIXES


def is_own(label: str) -> bool:
    """Return whether a label names a player of Noughts, such as a save, or one whose parameter is not right.

    `minimax:best` may name a Python object as well: it does if there is such a module.
    """
    stem = label.partition(":")[0]
    if label.startswith(SAVE) or not is_player(stem):
        return label.startswith(SAVE)
    return is_player(label) or not (Path(stem).is_dir() or Path(f"{stem}.py").is_file() or find_spec(stem))
