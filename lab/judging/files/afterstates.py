"""Tables with values of positions: the agent makes the move that leads to the position with the highest value.

The finished positions in the table tell whose values these are: whether those won by the first and by the second side
have the same value, and whether it is above or below that of the others. A table of positions after the moves of one
side alone holds values for that side: nearly all positions that it has won must have values above or below the others.
`--as` can also tell; its words apply to values of moves, too, as values of the positions after them:

    after-mover    for the side that has moved into the position        after-first     for the first side
    after-next     for the side that is to move in it                   after-second    for the second side
"""

from collections.abc import Mapping

from engine.game import BadText, Game, Outcome, Position
from engine.space import RUNNING
from engine.spaces import space_of
from lab.judging.files.convention_choice import NEARLY
from lab.judging.notation.reply import PERSPECTIVES, Reply, highest, sign_of

WORDS = {
    "after-mover": "the side that has moved",
    "after-next": "the side to move next",
    "after-first": "the first side",
    "after-second": "the second side",
}


def perspective_of(  # noqa: C901  each way to tell, in turn
    values: Mapping[Position, float], game: Game, wanted: set[str]
) -> str:
    """Return for whom these values hold, one of `PERSPECTIVES`. Raises `BadText` if nothing tells."""
    given = [each for each in PERSPECTIVES if each in wanted]
    if given:
        return given[0]
    ends: dict[Outcome | None, list[float]] = {}
    for position, value in values.items():
        ends.setdefault(game.outcome(position), []).append(value)
    first, second = ends.get(Outcome.FIRST_WINS, []), ends.get(Outcome.SECOND_WINS, [])
    others = [value for outcome in (Outcome.DRAW, None) for value in ends.get(outcome, [])]
    if first and second:
        if min(first) > max(second):
            return "after-first"
        if max(first) < min(second):
            return "after-second"
        if others and min(first) == max(first) == min(second) == max(second):
            if min(first) >= max(others) and min(first) > min(others):
                return "after-mover"
            if max(first) <= min(others) and max(first) < max(others):
                return "after-next"
    if len({game.side(position) for position in values}) == 1 and (won := first or second) and others:
        middle = sorted(others)[len(others) // 2]
        above = sum(value > middle for value in won) / len(won)
        if not 1 - NEARLY < above < NEARLY:
            return "after-mover" if above >= NEARLY else "after-next"
    raise BadText(
        "its numbers are values of positions, and no finished positions tell whose values they are\n"
        f"Say it with --as: {', '.join(f'{word} for {who}' for word, who in WORDS.items())}"
    )


def replies_by_values(
    values: Mapping[Position, float], perspective: str, game: Game, *, first_tie: bool
) -> tuple[dict[Position, Reply], int]:
    """Return an answer for each position with a valued position after it, and the number of moves without a value."""
    replies, unknown, space = dict[Position, Reply](), 0, space_of(game)
    for position in space.position[space.outcome == RUNNING].tolist():
        after, sign = [*game.successors(position)], sign_of(perspective, game.side(position))
        moves = {move: values[reached] * sign for move, reached, _ in after if reached in values}
        if moves:
            unknown += len(after) - len(moves)
            replies[position] = highest(moves, first_tie=first_tie)
    return replies, unknown
