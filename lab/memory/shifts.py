"""The difference between two memories in how they play in a position, in one sentence."""

from collections.abc import Sequence
from math import inf
from typing import Final

from engine.evaluate import SAME
from engine.game import Move, Side
from engine.plural import counted_noun
from engine.solve import edge_values
from engine.space import Space
from lab.advice.advice import names_text
from lab.memory.matchbox import Matchbox, Square, SquareKind, board_box, share_box
from lab.text.numbers import in_games, percent_text
from lab.text.sanitise import plain
from learners.comparison import Shift
from learners.core.save_ref import parse_save
from learners.players.plain import VERDICT

NEARLY_ALWAYS: Final = 0.95
"""From this probability on, a move is played nearly always."""
TRUTH: Final = "truth"
MIN_CHANGE: Final = 0.01
"""The smallest difference of two values, from -1 to 1, that is told."""
NAME_WIDTH: Final = 20
"""The maximum width of the name of a save in a sentence, in columns."""


Names = tuple[str, str]
"""The names of two compared saves, as they appear in sentences."""


def names_of(one: str, other: str) -> Names | None:
    """Return the names of two compared saves; `None` for two checkpoints of one save in order. Raises `BadText`."""
    first, second = (parse_save(each) for each in (one, other))
    earlier, later = (inf if each.rounds is None else each.rounds for each in (first, second))
    if first.name == second.name and earlier <= later:
        return None
    return plain(one, NAME_WIDTH), plain(other, NAME_WIDTH)


def shift_text(space: Space, shift: Shift, names: Names | None = None) -> str:
    """Return the largest difference in a sentence: `O now always answers b2, which draws; before in 11.1 % of games.`

    With the names of two saves: `b always answers b2 as O, which draws; a in 11.1 % of games.`
    """
    who = mark = space.game.mark(Side(int(space.side[shift.row])))
    now, never, as_mark, earlier, never_earlier = f"{mark} now", f"{mark} no longer", "", "before", "never before"
    if names is not None:
        earlier, who = names
        now, never, as_mark, never_earlier = who, f"{who} never", f" as {mark}", f"{earlier} never"
    if sum(shift.after.values()) <= SAME < sum(shift.before.values()):
        return f"{now} resigns here{as_mark}: it has no move."
    groups = _groups(space, shift)
    before, after = (
        [sum(chances[edge] for edge in edges) for edges in groups] for chances in (shift.before, shift.after)
    )
    position = int(space.position[shift.row])
    moves = [names_text(space.game, position, map(int, space.move[edges])) + as_mark for edges in groups]
    values = [int(edge_values(space)[edges[0]]) for edges in groups]
    likeliest = max(range(len(groups)), key=lambda nth: after[nth])
    dropped = max(range(len(groups)), key=lambda nth: before[nth] if after[nth] <= SAME else 0.0)
    changed = max(range(len(groups)), key=lambda nth: (round(abs(after[nth] - before[nth]), 9), after[nth]))
    plays = "opens with" if shift.row == 0 else "answers"
    if after[likeliest] >= NEARLY_ALWAYS and after[likeliest] - before[likeliest] > SAME:
        often = "always" if after[likeliest] >= 1 - SAME else "nearly always"
        share = percent_text(before[likeliest])
        was = f"{earlier} {share} of the time" if before[likeliest] > SAME else never_earlier
        return f"{now} {often} {plays} {moves[likeliest]}, which {VERDICT[values[likeliest]]}; {was}."
    if after[dropped] <= SAME and (before[dropped] >= shift.size / 2 or after[changed] <= SAME):
        was = f"{earlier} {percent_text(before[dropped])} of the time"
        return f"{never} {plays} {moves[dropped]}, which {VERDICT[values[dropped]]}; {was}."
    shares = f"{percent_text(after[changed])} of the time, {earlier} {percent_text(before[changed])}"
    return f"{who} {plays} {moves[changed]} {shares}."


def shift_boxes(space: Space, shift: Shift, captions: Sequence[str]) -> list[Matchbox]:
    """Return three boxes of the position: how each of two memories plays, and what each move is worth.

    Of several moves to a square, the best counts.
    """
    game, position = space.game, int(space.position[shift.row])
    moves = {edge: int(space.move[edge]) for edge in shift.before}
    boxes = [
        share_box(game, position, {moves[edge]: chance for edge, chance in chances.items()}, caption)
        for chances, caption in zip((shift.before, shift.after), captions, strict=True)
    ]
    worth = dict[int, int]()
    for edge, move in moves.items():
        square = game.board.squares(position, move)[-1]
        worth[square] = max(worth.get(square, -1), int(edge_values(space)[edge]))
    signs = {square: Square(SquareKind.VALUE, level=(1 + value) / 2) for square, value in worth.items()}
    return [*boxes, board_box(game, position, TRUTH, signs)]


def why_text(shift: Shift, names: Names | None = None) -> str:
    """Return why a difference matters: how often play comes there, and what the second memory gains or loses."""
    if shift.lost:
        return "Lost already: every move loses."
    if shift.reach <= SAME:
        return "Neither of the two ever comes there."
    never_after = shift.reaches[1] <= SAME
    if min(shift.reaches) > SAME:
        reached = f"Reached {in_games(shift.reach)}"
    else:
        before_words, after_words = ("before", "now") if names is None else (f"by {names[0]}", f"by {names[1]}")
        if never_after:
            reached = f"Reached {in_games(shift.reaches[0])} {before_words}, never {after_words}"
        else:
            reached = f"Reached {in_games(shift.reaches[1])} {after_words}, never {before_words}"
    before, after = shift.values
    if abs(after - before) < MIN_CHANGE:
        return f"{reached}; it is worth the same."
    rises, difference = after > before, 50 * abs(after - before)  # in points of 100 games
    points = counted_noun(round(difference), "point") if difference >= 1 else f"{difference:.1f} points"
    share = f"{points} in 100 such games (a draw: ½)"
    if names is None:
        return f"{reached}; its value {'rises' if rises else 'falls'} by {share}."
    if never_after:
        return f"{reached}; {names[1]} would {'gain' if rises else 'give away'} {share}."
    return f"{reached}; {names[1]} {'gains' if rises else 'gives away'} {share}."


def _groups(space: Space, shift: Shift) -> list[list[int]]:
    """Return the edges of the position in groups that are the same by symmetry."""
    groups: dict[int, list[Move]] = {}
    for edge in shift.before:
        groups.setdefault(int(space.edge_class[edge]), []).append(edge)
    return list(groups.values())
