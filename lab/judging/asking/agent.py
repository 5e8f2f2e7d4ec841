"""An agent as the judge sees it: how it is asked in a position, and what is known about it beforehand."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.game import Move, Position, Side
from engine.spaces import space_of
from lab.judging.notation.reply import Reply

if TYPE_CHECKING:  # slow to import, and a file needs no player
    from learners.core.player import Player

Ask = Callable[[Position], Reply | None]
"""A function that returns the answer of an agent in a position that is not over; `None` if it has no answer.

Raises `AgentFailed`.
"""
CountedReplies = Sequence[tuple[Reply | None, int]]
"""The different answers in one position, and how often each was given."""
AskMany = Callable[[Position, int, Sequence[Move]], CountedReplies]
"""Asks several times in a position, after these moves. It stops after an answer that is not a single move."""

AskSeeded = Callable[[Position, Sequence[Sequence[Move]], int], Sequence[Reply | None]]
"""Asks after each of several orders of the moves to a position, with random numbers from this seed."""


@dataclass(frozen=True)
class AskProgress:
    asked: int
    share: float
    """The share of all positions that have been asked or skipped; for a sampled agent, of the time."""
    seconds_left: float | None = None
    """The estimated seconds that are left; `None` if not known."""
    doing: str = ""
    """What the questions are for, with a colon, as in `playing games with it: `; empty if they are for the verdict."""


Report = Callable[[AskProgress], object]


@dataclass(frozen=True)
class Agent:
    ask_many: AskMany
    form: str = ""
    """The name of the form in which the agent was recognised; empty for an agent of this program."""
    by_history: bool = False
    """Whether the agent is shown the moves before a position, and may answer by them."""
    is_certain: bool = False
    """Whether the same question is known to get the same answer always, as from a table."""
    ask_histories: Callable[[Sequence[tuple[Position, Sequence[Move]]]], Sequence[CountedReplies]] | None = None
    """Asks twice after each of several histories, for speed; `None` if that is not faster than single questions."""
    ask_seeded: AskSeeded | None = None
    """Asks once after each of several orders of the moves to a position, each time with the same random numbers."""
    sides: tuple[Side, ...] = tuple(Side)
    """The sides that the agent plays, as far as is known."""
    convention: str | None = None
    """The convention by which a table was read; `None` if the agent is not a table."""
    notes: tuple[str, ...] = ()
    """Other remarks for a person on how the agent is asked, in sentences."""
    has_drawn: Callable[[], bool] = lambda: False
    """Whether the agent has drawn random numbers so far, as far as is known."""
    is_opaque: Callable[[], bool] = lambda: False
    """Whether the agent may draw random numbers unnoticed, as a program can, or has read a clock so far."""
    find_change: Callable[[], str | None] = lambda: None
    """Returns the name of something that the agent keeps and that has changed since the first call; empty if something
    was only added, `None` if nothing is known to have changed."""
    restart: Callable[[], bool] | None = None
    """Restores the state before the first question, and returns whether it could; `None` if the agent keeps nothing."""
    mark: Callable[[], bool] = lambda: False
    """Lets a copy of the agent go on in its place, and returns whether that was possible."""
    go_back: Callable[[], object] = lambda: None
    """Ends the copy that `mark` has made; the original goes on."""

    def __call__(self, position: Position, moves: Sequence[Move] = ()) -> Reply | None:
        """Ask the agent once in a position, after these moves; return its answer, `None` if it has none."""
        return self.ask_many(position, 1, moves)[0][0]

    def try_restart(self) -> bool:
        """Restore the state before the first question; return whether that was possible."""
        return self.restart is not None and self.restart()


def agent_of(ask: Ask, form: str = "", *, is_certain: bool = False) -> Agent:
    """Return an agent that is asked by a function of the position."""

    def ask_many(position: Position, times: int, _moves: Sequence[Move]) -> CountedReplies:
        reply = ask(position)
        if times == 1 or (reply is not None and not reply.single):
            return [(reply, 1)]
        return count_replies([reply, *(ask(position) for _ in range(times - 1))])

    return Agent(ask_many, form=form, is_certain=is_certain)


def count_replies(replies: Iterable[Reply | None]) -> CountedReplies:
    return [*Counter(replies).items()]


def player_agent(player: "Player") -> Agent:
    """Return an agent that answers as a player of this program. Raises `TooLarge`."""
    from learners.players.levels import SEEDS  # imports all learners, as does that below
    from learners.players.searcher import unseeded_searcher

    space, policy = space_of(player.game), player.policy()

    def ask(position: Position) -> Reply:
        edges = space.edges(position)
        return Reply({int(space.move[edge]): float(policy[edge]) for edge in edges if policy[edge]})

    notes = list[str]()
    if unseeded_searcher(player) is not None:
        notes.append(f"It plays with seed 0: noughts evaluate {player.label} has its results over {SEEDS} seeds")
    return replace(agent_of(ask, is_certain=True), sides=player.trained_sides, notes=tuple(notes))
