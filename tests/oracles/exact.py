"""Exact chances (win, draw, loss) as fractions, by recursion over the string rules."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from tests.oracles.counting import ends, walked
from tests.oracles.rules import DRAW, Rules, read

Policy = Mapping[tuple[str, str], Fraction]
Triple = tuple[Fraction, Fraction, Fraction]
WON, DRAWN, LOST = ((*map(Fraction, each),) for each in ((1, 0, 0), (0, 1, 0), (0, 0, 1)))


def uniform(rules: Rules, positions: list[str]) -> dict[tuple[str, str], Fraction]:
    return {
        (position, move): Fraction(1, len(rules.moves(position)))
        for position in positions
        for move in rules.moves(position)
    }


def backwards(rules: Rules, mark: str, judge: Callable[[str, dict[str, Triple]], Triple]) -> Triple:
    """The chances of `mark` from the start. `judge` combines the chances after each move into those of a position."""
    known: dict[str, Triple] = {}

    def chances(position: str) -> Triple:
        if position not in known:
            outcome = rules.outcome(position)
            if outcome is None:
                after = {move: chances(rules.play(position, move)) for move in rules.moves(position)}
                known[position] = judge(position, after)
            else:
                known[position] = DRAWN if outcome == DRAW else WON if outcome == mark else LOST
        return known[position]

    return chances(rules.start)


def mean(position: str, policy: Policy, after: dict[str, Triple], resigned: Triple) -> Triple:
    """The chances of `mark` if a policy decides; with the probability that is left, its side has resigned."""
    chances = [(policy[position, move], each) for move, each in after.items()]
    chances.append((1 - sum(share for share, _ in chances), resigned))
    win, draw, loss = (sum((share * each[i] for share, each in chances), Fraction(0)) for i in range(3))
    return win, draw, loss


def against(rules: Rules, mark: str, policy: Policy, opponent: Policy) -> Triple:
    """The chances of `mark` if it follows `policy` and the other side follows `opponent`."""

    def judge(position: str, after: dict[str, Triple]) -> Triple:
        _, mover = read(position)
        return mean(position, *((policy, after, LOST) if mover == mark else (opponent, after, WON)))

    return backwards(rules, mark, judge)


def against_best_responder(rules: Rules, mark: str, policy: Policy) -> Triple:
    """The chances of `mark` by `policy` against an opponent that makes it lose most often, then win least often."""

    def judge(position: str, after: dict[str, Triple]) -> Triple:
        _, mover = read(position)
        if mover == mark:
            return mean(position, policy, after, LOST)
        return max(after.values(), key=lambda chances: (chances[2], -chances[0]))

    return backwards(rules, mark, judge)


def exploitability(rules: Rules, mark: str, policy: Policy) -> Fraction:
    """By how much the least expected worth of `mark` falls short of its value."""

    def worth(chances: Triple) -> Fraction:
        return chances[0] - chances[2]

    def judge(position: str, after: dict[str, Triple]) -> Triple:
        if read(position)[1] != mark:
            return min(after.values(), key=worth)
        return mean(position, policy, after, LOST)

    return value(rules, mark)(rules.start) - worth(backwards(rules, mark, judge))


def value(rules: Rules, mark: str) -> Callable[[str], int]:
    """A function that returns the value of a position for `mark`, 1, 0 or -1."""
    return lambda position: ends(rules)(position)[0] * (1 if read(position)[1] == mark else -1)


def judged_moves(rules: Rules, mark: str, policy: Policy) -> tuple[int, Fraction, int]:
    """Count the decisions of `mark`, judge its moves in them, and count its losing moves.

    The decisions are the positions that it can meet if it follows `policy`. The second number is the probability that
    it keeps the value of the position, averaged over the decisions; the third counts the losing moves that it may play.
    """
    worth = value(rules, mark)

    def played(position: str) -> dict[str, str]:
        """The moves that may be played, with the positions after them."""
        moves = [each for each in rules.moves(position) if read(position)[1] != mark or policy[position, each]]
        return {move: rules.play(position, move) for move in moves}

    met = walked(rules.start, lambda position: played(position).values())
    faced = [each for each in met if rules.outcome(each) is None and read(each)[1] == mark]
    pairs = [(position, *pair) for position in faced for pair in played(position).items()]
    perfect = sum(policy[position, move] for position, move, after in pairs if worth(after) == worth(position))
    return len(faced), Fraction(perfect) / len(faced), sum(worth(after) == -1 for *_, after in pairs)
