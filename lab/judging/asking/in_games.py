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

from engine.game import BadText, Game, Position, Side
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
"""The usual time limit, both for the games in a row and for those that begin anew."""
LONG_SECONDS: Final = (5.0, 60.0)
"""The same two time limits if something that the agent keeps changes. In the second part, no question is repeated."""
MOST_GAMES: Final = 2000
"""The maximum number of games in a row as each side; tic-tac-toe has at most 1,329 without randomness."""
SEED: Final = 0
DOING: Final = "playing games with it: "

AgentGame = tuple[list[Position], list[bool]]
"""A game as the positions in which the agent is asked, each with a flag: whether a later game branches off before it,
that is, between the previous position and this one."""


class AskedGames:
    """The games that follow from the answers that an agent gave in single positions."""

    def __init__(self, game: Game, agent: Agent, answers: GivenAnswers, report: Report) -> None:
        self.game, self.agent, self.answers, self.report = game, agent, answers, report
        self.sides = [*{game.side(position): None for position, _ in answers}]
        self.question_numbers = count(1)

    def check(self, *, keeps: bool) -> bool:
        """Ask in all these games; return whether there was time for the games that begin anew.

        If the agent is known to keep something from one question to the next, `keeps`, this takes longer. Raises
        `BadText` if the agent answers differently in a game, and `AnswersDiffer` if it does so only once.
        """
        seconds_in_a_row, seconds_anew = LONG_SECONDS if keeps else (SECONDS, SECONDS)
        self.ask_in_a_row(monotonic() + seconds_in_a_row)
        return self.ask_anew(monotonic() + seconds_anew)

    def ask_in_a_row(self, deadline: float) -> None:
        """Ask in the games one after the other, beginning with the agent in its first state."""
        asked = list[Position]()
        games = [game for side in self.sides for game, _ in islice(self.games_as(side), MOST_GAMES)]
        Random(SEED).shuffle(games)  # noqa: S311  an order, not a secret
        if not self.agent.try_restart():
            return
        for game in games:
            for number, position in enumerate(game):
                asked.append(position)
                if not self.is_given(position):
                    self.confirm(asked, game[:number])
                if monotonic() > deadline:
                    return

    def ask_anew(self, deadline: float) -> bool:
        """Ask in the games, each beginning with the agent in its first state; return whether there was time for all."""
        for side in self.sides:
            if not self.agent.try_restart():
                return False
            asked, marked = list[Position](), list[bool]()
            for game, branches in self.games_as(side):
                shared = _common_length(asked, game)
                for is_marked in marked[shared:]:
                    if is_marked:
                        self.agent.go_back()
                del asked[shared:], marked[shared:]
                for position, has_branch in zip(game[shared:], branches[shared:], strict=True):
                    if monotonic() > deadline or (has_branch and not self.agent.mark()):
                        return False
                    asked.append(position)
                    marked.append(has_branch)
                    if not self.is_given(position):
                        self.confirm(asked, asked[:-1])
        return True

    def is_given(self, position: Position) -> bool:
        """Ask in a position, and return whether the answer is the one that was given before."""
        self.report(AskProgress(next(self.question_numbers), 0.0, doing=DOING))
        return are_alike(self.answers[position, ()], chances_of(self.agent(position)))

    def confirm(self, asked: Sequence[Position], before: Sequence[Position]) -> None:
        """Repeat all questions from the beginning, to see whether the last answer differs again.

        `before` are the questions before the last one in the same game. Raises `BadText` if it does, `AnswersDiffer` if
        not.
        """
        if self.agent.try_restart():
            for position in asked[:-1]:
                self.agent(position)
            if not self.is_given(asked[-1]):
                raise in_game_error(self.game, asked[-1], before)
        raise AnswersDiffer(asked[-1])

    def games_as(self, side: Side) -> Iterator[AgentGame]:
        """Yield each game that the agent may play as this side. Games with the same beginning follow each other."""
        random = Random(SEED)  # noqa: S311  as above

        def games_from(
            position: Position, asked: list[Position], branches: list[bool], *, has_branch: bool = False
        ) -> Iterator[AgentGame]:
            moves = [*self.game.moves(position)] if self.game.outcome(position) is None else []
            if moves and self.game.side(position) is side:
                asked, branches, has_branch = [*asked, position], [*branches, has_branch], False
                moves = [move for move, chance in self.answers[position, ()].items() if chance]
            if not moves:
                yield asked, branches
            random.shuffle(moves)
            for number, move in enumerate(moves, 1):
                after = self.game.play(position, move)
                yield from games_from(after, asked, branches, has_branch=has_branch or number < len(moves))

        return games_from(self.game.start, [], [])


def _common_length(one: Sequence[Position], other: Sequence[Position]) -> int:
    """Return the number of positions with which both begin."""
    for number, (position, counterpart) in enumerate(zip(one, other, strict=False)):
        if position != counterpart:
            return number
    return min(len(one), len(other))


def compare_in_games(game: Game, agent: Agent, counts: Mapping[Position, Int64], report: Report) -> None:
    """Raise `BadText` if the answers of a sampled agent in games are too rare among those in single positions.

    The latter are in `counts`. The agent plays against a random player, and every other game begins with the agent in
    its first state. Only the first answer in each position counts: see `compare_sample`.
    """
    random, deadline, question_numbers = Random(SEED), monotonic() + SECONDS, count(1)  # noqa: S311  as above
    sides, gains = sorted({game.side(position) for position in counts}), dict[Position, float]()
    for number in count():
        if monotonic() > deadline or (number % 2 == 0 and not agent.try_restart()):
            return
        position, side, before = game.start, random.choice(sides), list[Position]()
        while game.outcome(position) is None:
            if game.side(position) is not side:
                position = game.play(position, random.choices(game.moves(position))[0])
                continue
            report(AskProgress(next(question_numbers), 0.0, doing=DOING))
            replies = agent.ask_many(position, 1, ())
            if position in counts and position not in gains:
                gains[position] = bet_gain(counts[position], move_counts(replies, game.moves(position)))
                if sum(gains.values()) > log(1 / RISK):
                    raise in_game_error(game, position, before)
            before.append(position)
            chances = chances_of(replies[0][0])
            if not chances:  # it resigns
                break
            position = game.play(position, random.choices([*chances], [*chances.values()])[0])


def in_game_error(game: Game, position: Position, before: Sequence[Position]) -> BadText:
    """Return the error for an agent that answers differently in a position after the questions `before` in a game."""
    others = f", after those in {', '.join(map(game.to_text, before))}" if before else ""
    return BadText(
        f"its answer in {game.to_text(position)} is another one in a game{others}: "
        "it depends on what it was asked before\n"
        "Such an agent cannot be judged: let it keep nothing, or give it reset()"
    )
