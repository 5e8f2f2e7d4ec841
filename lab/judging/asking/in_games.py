"""Ask an agent in games, in the order of their moves, where its answers may differ from those in single positions.

An agent may keep what it was asked, and so distinguish a game from single positions. First, an agent in its first state
plays all games that it can come to, one after the other. Then each game begins with an agent in its first state: where
two games part, a copy of the agent in its state at that point plays the second game.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count, islice
from math import log
from random import Random
from time import monotonic
from typing import Final

from engine.game import BadText, Game, Move, Position, Side
from lab.judging.asking.agent import Agent, AskProgress, Report
from lab.judging.asking.ask_again import (
    RISK,
    AnswersDiffer,
    GivenAnswers,
    Int64,
    are_alike,
    bet_gain,
    chances_of,
    move_counts,
)

SECONDS: Final = 0.5
"""The usual time limit for the games in a row, and for those that begin anew, in seconds."""
LONG_SECONDS: Final = (5.0, 60.0)
"""The two time limits if something that the agent keeps changes. In the second part, no question is repeated."""
MOST_GAMES: Final = 2000
"""The maximum number of games in a row as each side; tic-tac-toe has at most 1,329 without randomness."""
SEED: Final = 0
DOING: Final = "playing games with it: "


class AskedGames:
    """The games that follow from the answers that an agent gave in single positions."""

    def __init__(self, game: Game, agent: Agent, given: GivenAnswers, report: Report) -> None:
        self.game, self.agent, self.given, self.report = game, agent, given, report
        self.sides = [*{game.side(position): None for position, _ in given}]
        self.asked = count(1)

    def check(self, *, keeps: bool) -> bool:
        """Ask in all these games; return whether there was time for the games that begin anew.

        If the agent is known to keep something from one question to the next, `keeps`, this takes longer. Raises
        `BadText` if the agent answers differently in a game, and `AnswersDiffer` if it does so only once.
        """
        in_a_row, anew = LONG_SECONDS if keeps else (SECONDS, SECONDS)
        self.in_a_row(monotonic() + in_a_row)
        return self.anew(monotonic() + anew)

    def in_a_row(self, until: float) -> None:
        asked, games = list[Position](), [each for side in self.sides for each, _ in islice(self.all(side), MOST_GAMES)]
        Random(SEED).shuffle(games)  # noqa: S311  an order, not a secret
        if not self.restart():
            return
        for each in games:
            for number, position in enumerate(each):
                asked.append(position)
                if not self.is_given(position):
                    self.confirm(asked, each[:number])
                if monotonic() > until:
                    return

    def anew(self, until: float) -> bool:
        for side in self.sides:
            asked, marked = list[Position](), list[bool]()
            if not self.restart():
                return False
            for game, parts in self.all(side):
                alike = [one == other for one, other in zip(asked, game, strict=False)]
                shared = (*alike, False).index(False)
                for _ in filter(None, marked[shared:]):
                    self.agent.go_back()
                del asked[shared:], marked[shared:]
                for position, others in zip(game[shared:], parts[shared:], strict=True):
                    if monotonic() > until or (others and not self.agent.mark()):
                        return False
                    asked.append(position)
                    marked.append(others)
                    if not self.is_given(position):
                        self.confirm(asked, asked[:-1])
        return True

    def restart(self) -> bool:
        return self.agent.restart is not None and self.agent.restart()

    def is_given(self, position: Position) -> bool:
        """Ask in a position, and return whether the answer is the one that was given before."""
        self.report(AskProgress(next(self.asked), 0.0, doing=DOING))
        return are_alike(self.given[position, ()], chances_of(self.agent(position)))

    def confirm(self, asked: Sequence[Position], before: Sequence[Position]) -> None:
        """Repeat all questions from the beginning, to see whether the last answer differs again.

        `before` are the questions before the last one in the same game. Raises `BadText` if it does, `AnswersDiffer` if
        not.
        """
        if self.restart():
            for position in asked[:-1]:
                self.agent(position)
            if not self.is_given(asked[-1]):
                raise in_game_error(self.game, asked[-1], before)
        raise AnswersDiffer(asked[-1])

    def all(self, side: Side) -> Iterator[tuple[list[Position], list[bool]]]:
        """Yield each game that the agent may play as this side, as the positions in which it is asked.

        Games with the same beginning follow each other. Each position has a flag: whether a later game branches off
        between the previous position and this one.
        """
        random = Random(SEED)  # noqa: S311  as above

        def games(
            position: Position, asked: list[Position], parts: list[bool], *, others: bool = False
        ) -> Iterator[tuple[list[Position], list[bool]]]:
            moves = [*self.game.moves(position)] if self.game.outcome(position) is None else []
            if moves and self.game.side(position) is side:
                asked, parts, others = [*asked, position], [*parts, others], False
                moves = [move for move, chance in self.given[position, ()].items() if chance]
            if not moves:
                yield asked, parts
            random.shuffle(moves)
            for left, move in enumerate(moves, 1 - len(moves)):
                yield from games(self.game.play(position, move), asked, parts, others=others or left < 0)

        return games(self.game.start, [], [])


def compare_in_games(game: Game, agent: Agent, counts: Mapping[Position, Int64], report: Report) -> None:
    """Raise `BadText` if the answers of a sampled agent in games are too rare among those in single positions.

    The latter are in `counts`. The agent plays against a random player, and every other game begins with the agent in
    its first state. Only the first answer in each position counts: see `compare_sample`.
    """
    random, until, asked = Random(SEED), monotonic() + SECONDS, count(1)  # noqa: S311  as above
    sides, won = sorted({game.side(position) for position in counts}), dict[Position, float]()
    for number in count():
        if monotonic() > until or (number % 2 == 0 and not (agent.restart is not None and agent.restart())):
            return
        position, side, before = game.start, random.choice(sides), list[Position]()
        while game.outcome(position) is None:
            moves, chances = game.moves(position), dict[Move, float]()
            if game.side(position) is side:
                report(AskProgress(next(asked), 0.0, doing=DOING))
                replies = agent.ask_many(position, 1, ())
                if position in counts and position not in won:
                    won[position] = bet_gain(counts[position], move_counts(replies, moves))
                    if sum(won.values()) > log(1 / RISK):
                        raise in_game_error(game, position, before)
                before.append(position)
                moves, chances = (), {**chances_of(replies[0][0])}
            moves = moves or tuple(chances)
            if not moves:  # it resigns
                break
            position = game.play(position, random.choices(moves, [*chances.values()] or None)[0])


def in_game_error(game: Game, position: Position, before: Sequence[Position]) -> BadText:
    """Return the error for an agent that answers differently in a position after the questions `before` in a game."""
    others = f", after those in {', '.join(map(game.to_text, before))}" if before else ""
    return BadText(
        f"its answer in {game.to_text(position)} is another one in a game{others}: "
        "it depends on what it was asked before\n"
        "Such an agent cannot be judged: let it keep nothing, or give it reset()"
    )
