"""TD(lambda) with n-tuples, slowly: patterns are read off the board, and weights are in a dictionary."""

from fractions import Fraction
from math import tanh

from engine.game import Outcome, Side

ONE = 2**30
VALUE = {Outcome.FIRST_WINS: ONE, Outcome.SECOND_WINS: -ONE, Outcome.DRAW: 0}


def pattern(game, position, squares):
    """What stands on these squares: a mark, a dot for a square that the next move can fill, or a minus."""
    cells, columns = game.board.cells(position), game.board.columns
    falls = game.falls

    def state(square):
        if cells[square] is not None:
            return cells[square].mark
        below = square + columns
        return "-" if falls and below < len(cells) and cells[below] is None else "."

    return "".join(map(state, squares))


def rounded(fraction):
    """A fraction rounded to a whole number, halves upwards."""
    return (2 * fraction.numerator + fraction.denominator) // (2 * fraction.denominator)


class SlowNetwork:
    """The weights of tuples, by tuple, side to move and pattern, in parts of 2^24; values are in parts of 2^30."""

    def __init__(self, game, tuples) -> None:
        self.game, self.tuples, self.weights = game, tuples, {}

    def features(self, position):
        """The weights that count in a position, one for each tuple and symmetry."""
        side = self.game.side(position)
        return [
            (number, side, pattern(self.game, position, [symmetry[square] for square in squares]))
            for number, squares in enumerate(self.tuples)
            for symmetry in self.game.symmetries
        ]

    def value(self, position):
        """The tanh of the sum of weights, interpolated between rounded values of multiples of 1/2048."""
        total = sum(self.weights.get(feature, 0) for feature in self.features(position))
        place, rest = divmod(abs(total), 2**13)
        if place >= 8 * 2048:
            return (ONE if total > 0 else -ONE) * round(tanh(8) * ONE) // ONE
        low, high = (round(tanh(each / 2048) * ONE) for each in (place, place + 1))
        return (low + ((high - low) * rest >> 13)) * (1 if total >= 0 else -1)

    def learn(self, path, target, rate, trace, *, replacing):
        """Move the value of the last position of `path` towards a target; `path` has features, value and slope.

        `rate` and `trace` are in parts of 2^31.
        """
        gap, faded = target - path[-1][1], Fraction(1, 64)
        left = Fraction(1)
        for back, (features, _, slope) in enumerate(reversed(path)):
            if left < faded:
                return
            amount = self.amount(gap, slope, rate, left)
            renewed = path[len(path) - 1 - back + 2][0] if back >= 2 else None
            for view, feature in enumerate(features):
                if not (replacing and renewed is not None and renewed[view] == feature):
                    self.weights[feature] = self.weights.get(feature, 0) + amount
            left = Fraction(rounded(left * trace), 2**31)

    def amount(self, gap, slope, rate, left):
        """The change of a weight, rounded as the program does."""
        part = rounded(Fraction((gap * slope >> 30) * rate, 2**31))
        return (rounded(part * left) + 32) >> 6

    def after_game(self, moves, explored, rate, trace, *, replacing, resetting):
        """Learn from a game, given which of its moves were made to explore; all others must be best moves."""
        game, position, path = self.game, self.game.start, []
        for move, explores in zip(moves, explored, strict=True):
            assert explores or move in self.best(position)
            value = self.value(position)
            path.append((self.features(position), value, ONE - (value * value >> 30)))
            position = game.play(position, move)
            outcome = game.outcome(position)
            if outcome is not None or not explores:
                target = self.value(position) if outcome is None else VALUE[outcome]
                self.learn(path, target, rate, trace, replacing=replacing)
            if explores and resetting:
                path = []

    def best(self, position):
        """The moves that lead to the best value for the side to move."""
        game, sign = self.game, 1 if self.game.side(position) is Side.FIRST else -1
        worth = {}
        for move in game.moves(position):
            after = game.play(position, move)
            outcome = game.outcome(after)
            worth[move] = sign * (self.value(after) if outcome is None else VALUE[outcome])
        return [move for move in worth if worth[move] == max(worth.values())]
