"""An agent as the judge sees it: something that is asked in a position, and what is known about it beforehand."""

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
"""Returns the answer of an agent in a position that is not over; `None` if it has no answer. Raises `AgentFailed`."""
Counted = Sequence[tuple[Reply | None, int]]
"""Different answers in one position, and how often each was given."""
AskMany = Callable[[Position, int, Sequence[Move]], Counted]
"""Asks a number of times in a position after these moves. It stops after an answer that is not one move."""

AskSeeded = Callable[[Position, Sequence[Sequence[Move]], int], Sequence[Reply | None]]
"""Asks after each of some orders of the moves to a position, with random numbers of this seed."""


@dataclass(frozen=True)
class AskProgress:
    """The progress of asking an agent."""

    asked: int
    """The number of answers."""
    share: float
    """The share of all positions that have been asked or skipped, from 0 to 1; of a sampled agent, that of the time."""
    left: float | None = None
    """About how many seconds are left, if that is known."""
    doing: str = ""
    """What is asked for, if that is not the verdict, with a colon."""


Report = Callable[[AskProgress], object]


@dataclass(frozen=True)
class Agent:
    """An agent that can be asked."""

    ask_many: AskMany
    form: str = ""
    """The name of the form in which it was recognised; empty for an agent of this program."""
    by_history: bool = False
    """Whether it is shown the moves before a position, and may answer by them."""
    is_certain: bool = False
    """Whether its answers are known not to differ, as those of a table."""
    ask_histories: Callable[[Sequence[tuple[Position, Sequence[Move]]]], Sequence[Counted]] | None = None
    """Asks twice after each of some histories, for speed; `None` if there is nothing faster than asking for each."""
    ask_seeded: AskSeeded | None = None
    """Asks once after each of some orders of the moves to a position, each time with the same random numbers."""
    sides: tuple[Side, ...] = tuple(Side)
    """The sides that it plays, as far as is known."""
    convention: str | None = None
    """How a table was read."""
    notes: tuple[str, ...] = ()
    """What else a person should know about how it is asked, in sentences."""
    drew: Callable[[], bool] = lambda: False
    """Whether it has drawn random numbers so far, as far as is known."""
    is_opaque: Callable[[], bool] = lambda: False
    """Whether it may draw random numbers unnoticed, as a program can, or has read a clock so far."""
    changed: Callable[[], str | None] = lambda: None
    """Returns what it keeps that is another one than at the first call, by its name; empty if something was only added,
    and `None` if nothing is known to be another one."""
    restart: Callable[[], bool] | None = None
    """Makes it what it was before the first question, and returns whether it could; `None` if it keeps nothing."""
    mark: Callable[[], bool] = lambda: False
    """Lets a copy of it go on in its place, and returns whether it could."""
    back: Callable[[], object] = lambda: None
    """Ends such a copy, and lets go on what was copied."""

    def __call__(self, position: Position, moves: Sequence[Move] = ()) -> Reply | None:
        """Ask once."""
        return self.ask_many(position, 1, moves)[0][0]


def agent_of(ask: Ask, form: str = "", *, is_certain: bool = False) -> Agent:
    """Return the agent that a function of a position is."""

    def replies(position: Position, times: int, _moves: Sequence[Move]) -> Counted:
        reply = ask(position)
        if times == 1 or (reply is not None and not reply.single):
            return [(reply, 1)]
        return counted([reply, *(ask(position) for _ in range(times - 1))])

    return Agent(replies, form=form, is_certain=is_certain)


def counted(replies: Iterable[Reply | None]) -> Counted:
    """Count equal answers."""
    return [*Counter(replies).items()]


def player_agent(player: "Player") -> Agent:
    """Return the agent that a player of this program is. Raises `TooLarge`."""
    from learners.players.levels import SEEDS  # imports all learners, as does that below
    from learners.players.searcher import unseeded

    seeds = f"It plays with seed 0: noughts evaluate {player.label} has its results over {SEEDS} seeds"
    space, policy = space_of(player.game), player.policy()

    def ask(position: Position) -> Reply:
        edges = space.edges(position)
        return Reply({int(space.move[edge]): float(policy[edge]) for edge in edges if policy[edge]})

    notes = () if unseeded(player) is None else (seeds,)
    return replace(agent_of(ask, is_certain=True), sides=player.trained_sides, notes=notes)
