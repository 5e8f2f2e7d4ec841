"""Exact chances (win, draw, loss) as fractions, by recursion over the string rules."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from tests.oracles.rules import DRAW, Rules, read

Policy = Mapping[tuple[str, str], Fraction]
Triple = tuple[Fraction, Fraction, Fraction]
SURE = (Fraction(1), Fraction(0), Fraction(0))


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
                turn = 1 if outcome == DRAW else 0 if outcome == mark else 2
                known[position] = (*SURE[-turn:], *SURE[:-turn]) if turn else SURE
        return known[position]

    return chances(rules.start)


def mean(position: str, policy: Policy, after: dict[str, Triple]) -> Triple:
    win, draw, loss = (
        sum((policy[position, move] * chances[i] for move, chances in after.items()), Fraction(0)) for i in range(3)
    )
    return win, draw, loss


def against(rules: Rules, mark: str, policy: Policy, opponent: Policy) -> Triple:
    """The chances of `mark` if it follows `policy` and the other side follows `opponent`."""

    def judge(position: str, after: dict[str, Triple]) -> Triple:
        _, mover = read(position)
        return mean(position, policy if mover == mark else opponent, after)

    return backwards(rules, mark, judge)


def against_best_responder(rules: Rules, mark: str, policy: Policy) -> Triple:
    """The chances of `mark` by `policy` against an opponent that makes it lose most often, then win least often."""

    def judge(position: str, after: dict[str, Triple]) -> Triple:
        _, mover = read(position)
        if mover == mark:
            return mean(position, policy, after)
        return max(after.values(), key=lambda chances: (chances[2], -chances[0]))

    return backwards(rules, mark, judge)


def value(rules: Rules, mark: str) -> Callable[[str], int]:
    """A function that computes the value of a position for `mark`, 1, 0 or -1, by plain recursion."""
    known: dict[str, int] = {}

    def worth(position: str) -> int:
        if position not in known:
            outcome = rules.outcome(position)
            if outcome is None:
                after = [worth(rules.play(position, move)) for move in rules.moves(position)]
                known[position] = max(after) if read(position)[1] == mark else min(after)
            else:
                known[position] = 0 if outcome == DRAW else 1 if outcome == mark else -1
        return known[position]

    return worth


def judged_moves(rules: Rules, mark: str, policy: Policy) -> tuple[int, Fraction, int]:
    """Count the decisions of `mark`, judge its moves in them, and count its losing moves.

    The decisions are the positions that it can meet if it follows `policy`. The second number is the probability that
    it keeps the value of the position, averaged over the decisions; the third counts the losing moves that it may play.
    """
    worth, seen, waiting = value(rules, mark), {rules.start}, [rules.start]
    perfect, decisions, losing = Fraction(0), 0, 0
    while waiting:
        position = waiting.pop()
        if rules.outcome(position) is not None:
            continue
        moves = list(rules.moves(position))
        if read(position)[1] == mark:
            decisions += 1
            moves = [move for move in moves if policy[position, move]]
            for move in moves:
                after = worth(rules.play(position, move))
                perfect += policy[position, move] if after == worth(position) else 0
                losing += after == -1
        for after in {rules.play(position, move) for move in moves} - seen:
            seen.add(after)
            waiting.append(after)
    return decisions, perfect / decisions, losing
