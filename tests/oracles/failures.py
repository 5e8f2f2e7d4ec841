"""Riechel's failure-based reasoner as the paper describes it, turn by turn, on a dictionary of written pairs.

Both sides share the dictionary, which numbers its pairs in the order of recording. Rule 2 records as soon as a player
finds all its moves recorded. Rule 1 records when the game is over: always the loser's last move, which in misère is the
move that ends the game.
"""

from fractions import Fraction
from math import floor

from tests.oracles.generator import Generator
from tests.oracles.rules import DRAW, Rules, read

PRESETS = {"literal": (False, False), "riechel-2007": (True, True)}
"""Whether the pick rounds to the nearest move instead of down, and whether rule 2 goes on to earlier positions."""


class NaiveReasoner:
    def __init__(self, rules: Rules, preset: str, generator: Generator, opponent=None) -> None:
        """`opponent` returns the moves that it picks from, all equally likely, in a position; `None` is self-play."""
        self.rules, self.opponent = rules, opponent
        self.rounded, self.walks_back = PRESETS[preset]
        self.generator = generator
        self.failures: dict[tuple[str, str], int] = {}
        self.avoided = self.plies = 0
        self.outcomes: dict[str | None, int] = dict.fromkeys((*rules.marks, DRAW), 0)
        self.rule_1 = self.rule_2 = 0
        """How many entries each rule has made."""

    def open_moves(self, position: str) -> list[str]:
        return [move for move in self.rules.moves(position) if (position, move) not in self.failures]

    def record(self, turn: tuple[str, str]) -> int:
        """Record a failure; return the number of entries that this adds."""
        if turn in self.failures:
            return 0
        self.failures[turn] = len(self.failures) + 1
        return 1

    def pick(self, candidates: list[str]) -> str:
        u = Fraction(self.generator.draw(), 2**32)
        if self.rounded:
            return candidates[floor(u * (len(candidates) - 1) + Fraction(1, 2))]
        return candidates[floor(u * len(candidates))]

    def answer(self, position: str) -> str:
        among, draw = self.opponent(position), self.generator.draw()
        return next(move for nth, move in enumerate(among, 1) if draw < round(Fraction(nth * 2**32, len(among))))

    def find_all_recorded(self, turns: list[tuple[str, str]]) -> None:
        """Rule 2: the player to move has no open move; `turns` are those before this one."""
        own = turns[-2::-2]
        for turn in own:
            self.rule_2 += self.record(turn)
            if not self.walks_back or self.open_moves(turn[0]):
                break

    def play_game(self) -> list[str]:
        """Play and learn from one game; return its moves."""
        position = self.rules.start
        turns: list[tuple[str, str]] = []
        while self.rules.outcome(position) is None:
            legal = self.rules.moves(position)
            candidates = self.open_moves(position)
            theirs = self.opponent is not None and len(turns) % 2 == 1
            if not candidates:
                self.find_all_recorded(turns)
                candidates = legal
            elif not theirs:
                self.avoided += len(legal) - len(candidates)
            move = self.answer(position) if theirs else self.pick(candidates)
            turns.append((position, move))
            position = self.rules.play(position, move)
        outcome = self.rules.outcome(position)
        self.outcomes[outcome] += 1
        self.plies += len(turns)
        if outcome != DRAW:
            of_loser = [turn for turn in turns if read(turn[0])[1] != outcome]
            self.rule_1 += self.record(of_loser[-1])
        return [move for _, move in turns]
