"""The players that neither learn nor search: uniformly random, and perfect by exact values."""

from collections.abc import Collection, Mapping
from random import Random
from typing import Final, Self

from engine.analysis.rating import RatedMove, best_of, has_exact_values, is_solved, rate_and_prove, rate_moves
from engine.evaluate import SOONEST, Policy, perfect_policy, uniform_policy
from engine.game import Game, Move, Position
from engine.latest import Latest
from engine.plural import counted_noun, in_moves
from engine.search import USUAL_DEPTH
from engine.solve import PERFECT_EDGES
from engine.space import TooLarge
from engine.spaces import space_of
from engine.stop import Stop, never
from learners.core.learner import BOTH
from learners.core.player import Choice, Depiction, Thought
from learners.players.searcher import Parameter, Parametric, Searcher

VERDICT: Final = {1: "wins", 0: "draws", -1: "loses"}
SYMBOL: Final = {1: "+", 0: "=", -1: "-", None: "~"}
"""The word and the symbol for the value of a move; `None` is not known."""


def verdict_text(value: int, plies: int = 0) -> str:
    """Return what a move leads to: `wins in 2 moves`; `wins` if the number of plies is not known."""
    return f"{VERDICT[value]} {in_moves(plies)}" if plies else VERDICT[value]


class RandomPlayer:
    label = "random"
    title = "Random"
    summary = "moves at random"
    sides = trained_sides = BOTH

    @classmethod
    def fits(cls, game: Game) -> bool:  # noqa: ARG003  any game will do
        return True

    def __init__(self, game: Game) -> None:
        self.game = game

    def choose(self, position: Position, random: Random) -> Choice:
        moves = self.game.moves(position)
        return Choice(random.choice(moves), f"picked at random from {counted_noun(len(moves), 'legal move')}")

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        moves = self.game.moves(position)
        return tuple(Thought(move, 1 / len(moves), "·", f"1 of {len(moves)}") for move in moves)

    def policy(self) -> Policy:
        return uniform_policy(space_of(self.game))


TEACHER: Final = "perfect:any"
"""The usual opponent of a learner that plays one side only: it varies its moves more than `perfect`, which in a lost
position may play the same line for ever, so that nothing but the answer to it is learned."""
WAYS: Final[Mapping[str, str]] = {"any": "keeps the exact value", "stubborn": "if lost, sets traps"}
"""The other ways to play perfectly, in a few words: see `engine.solve.PERFECT_EDGES`."""


def solver_ways(game: Game) -> Mapping[str, str]:
    """Return the ways to play a game perfectly; those that reckon with a random opponent need a space."""
    if game.numbered:
        return WAYS
    return {"any": WAYS["any"]} if has_exact_values(game) else {}


UNPROVEN: Final = "not proven"
"""What is said of a move whose value the solver has not found in time."""
ALL_MOVES_SECONDS: Final = 1.0
"""The seconds within which a solver looks for the values of all moves, once it has proved a best one."""


class ExactValues:
    """Finds exact values of moves: of at least one best move, and of the others if they do not take long."""

    def __init__(self, game: Game, seconds: float = ALL_MOVES_SECONDS, *, proves: bool = True) -> None:
        """Search a game that has exact values. Unless it `proves`, no move need be exact after `seconds`."""
        self.game, self.seconds, self.proves = game, seconds, proves
        self._latest = Latest[tuple[RatedMove, ...]]()

    def result(self, position: Position, stop: Stop = never) -> tuple[RatedMove, ...]:
        return self._latest.of(position, lambda: self._rate(position, stop), stop)

    def _rate(self, position: Position, stop: Stop) -> tuple[RatedMove, ...]:
        if self.proves and is_solved(self.game):
            return rate_and_prove(self.game, position, stop, self.seconds)
        return rate_moves(self.game, position, stop, self.seconds)


class PerfectPlayer(Searcher[tuple[RatedMove, ...]], Parametric):
    """Chooses uniformly among the moves of one way of perfect play; all of them keep the value of the position."""

    label = "perfect"
    title = "Perfect"
    summary = "never errs, wins fast"
    parameter = Parameter(
        "|".join(PERFECT_EDGES),
        "|".join(PERFECT_EDGES),
        lambda _: f"how it chooses among the moves that keep the value: {', '.join(PERFECT_EDGES)}",
        next(iter(WAYS)),
        solver_ways,
    )

    @classmethod
    def fits(cls, game: Game) -> bool:
        return has_exact_values(game)

    @classmethod
    def parse(cls, game: Game, text: str) -> Self:
        return cls(game, text)

    def __init__(self, game: Game, way: str = SOONEST) -> None:
        if not has_exact_values(game):
            raise TooLarge(f"{game.title} is too large to be played perfectly; alphabeta:{USUAL_DEPTH} looks ahead")
        if way != SOONEST and way not in solver_ways(game):
            raise TooLarge(f"{game.title} is too large for {self.label}:{way}; write {self.label} or {self.label}:any")
        super().__init__(game, ExactValues(game))
        self.way = way
        if game.numbered:
            space_of(game)
        if way != SOONEST:
            self.label = f"{type(self).label}:{way}"

    def choose(self, position: Position, random: Random) -> Choice:
        thoughts = self.thoughts(position)
        best = [thought for thought in thoughts if thought.chance]
        choice = random.choice(best)
        count, total = len(best), len(thoughts)
        verdict = choice.words.partition(" ")[0] if self.way == "any" else choice.words
        loses = choice.symbol == SYMBOL[-1]
        if total == 1:
            among = "there is no other move"
        elif any(thought.words == UNPROVEN for thought in thoughts):
            among = "no other move is better"
        elif loses and self.way == "stubborn":
            among = f"random play errs most after {count} of {total} moves"
        elif count == total:
            among = "so does every move"
        elif loses:
            among = f"{count} of {total} moves {'lasts' if count == 1 else 'last'} as long"
        else:
            among = f"{count} of {total} moves {'keeps' if count == 1 else 'keep'} that"
        return Choice(choice.move, f"it {verdict} against best play; {among}")

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        rated = self.result(position)
        if self.game.numbered:
            edges = space_of(self.game).edges(position)
            played = PERFECT_EDGES[self.way](space_of(self.game))[edges.start : edges.stop].tolist()
        else:
            best = best_of(tuple(each for each in rated if each.value is not None))
            played = [each.value == best[0].value if self.way == "any" else each in best for each in rated]
        return tuple(
            Thought(
                move=each.move,
                chance=is_played / sum(played),
                symbol=SYMBOL[each.value],
                words=UNPROVEN if each.value is None else verdict_text(each.value, each.plies),
                drawing=Depiction.VALUE,
                level=None if each.value is None else (1 + each.value) / 2,
            )
            for each, is_played in zip(rated, played, strict=True)
        )

    def best_among(self, position: Position, moves: Collection[Move]) -> Collection[Move]:
        """Return the best of these moves, whatever the way: those that win as soon or lose as late as possible."""
        return [each.move for each in best_of(tuple(each for each in self.result(position) if each.move in moves))]

    def policy(self) -> Policy:
        return perfect_policy(space_of(self.game), self.way)
