"""A player that remembers a few answers, on the string rules: what it can meet, and how few answers suffice."""

from collections.abc import Callable, Mapping

from engine.smallest.answers import Counting
from tests.oracles.counting import walked
from tests.oracles.exact import value
from tests.oracles.rules import DRAW, Rules, move_through, mover

Answers = Mapping[str, str]
"""A move for each position that has an answer."""
Elsewhere = Callable[[str], set[str]]
"""The moves that the player may play in a position without an answer."""


def played(rules: Rules, answers: Answers, position: str, elsewhere: Elsewhere, *, symmetric: bool) -> set[str]:
    """The moves that the player may play: every way to turn an answer along, else those of `elsewhere`."""
    if not symmetric:
        return {answers[position]} if position in answers else set(elsewhere(position))
    turned = {
        move
        for image, goes in rules.seen(position)
        if image in answers
        for move in rules.moves(position)
        if move_through(move, goes) == answers[image]
    }
    return turned or set(elsewhere(position))


def met(rules: Rules, mark: str, answers: Answers, elsewhere: Elsewhere, *, symmetric: bool) -> set[str]:
    """All positions that some game comes to; raises `AssertionError` if one of them is lost, or has no move."""

    def after(position: str) -> list[str]:
        outcome = rules.outcome(position)
        assert outcome in (None, DRAW, mark), position
        if outcome is not None:
            return []
        mine = mover(position) == mark
        moves = played(rules, answers, position, elsewhere, symmetric=symmetric) if mine else rules.moves(position)
        assert moves, position
        return [rules.play(position, move) for move in moves]

    return set(walked(rules.start, after))


def entries(rules: Rules, mark: str, answers: Answers, counting: Counting, *, symmetric: bool) -> int:
    """Follow the answers, and count the entries of a player that may play any move elsewhere, and never loses."""
    positions = met(rules, mark, answers, lambda position: set(rules.moves(position)), symmetric=symmetric)
    own = {each for each in positions if mover(each) == mark}
    counted = {
        Counting.DECISIONS: set(answers),
        Counting.BOARDS: {each for each in own if rules.outcome(each) is None},
        Counting.PUBLISHED: own,
    }[counting]
    return len({min(image for image, _ in rules.seen(each)) for each in counted} if symmetric else counted)


def fewest(rules: Rules, mark: str, elsewhere: Elsewhere, *, symmetric: bool) -> int:
    """The fewest answers, by trying none, one, two …: every game that is still lost needs one more on its way."""
    worth = value(rules, mark)

    def lost_line(answers: Answers, line: list[str]) -> list[str] | None:
        position = line[-1]
        if worth(position) < 0:
            return line
        mine = mover(position) == mark
        moves = played(rules, answers, position, elsewhere, symmetric=symmetric) if mine else {*rules.moves(position)}
        if not moves and rules.outcome(position) is None:
            return line
        lines = (lost_line(answers, [*line, rules.play(position, move)]) for move in sorted(moves))
        return next((each for each in lines if each), None)

    def open_answers(answers: Answers, line: list[str]) -> list[tuple[str, str]]:
        return [
            (position, move)
            for position in line
            if mover(position) == mark
            and not answers.keys() & ({image for image, _ in rules.seen(position)} if symmetric else {position})
            for move in rules.moves(position)
            if worth(rules.play(position, move)) >= 0
        ]

    def suffice(answers: Answers, left: int) -> bool:
        line = lost_line(answers, [rules.start])
        if line is None or not left:
            return line is None
        return any(suffice({**answers, position: move}, left - 1) for position, move in open_answers(answers, line))

    return next(count for count in range(1000) if suffice({}, count))
