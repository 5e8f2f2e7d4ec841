"""How differently two learners play in a position, in one sentence."""

from typing import Final

from engine.evaluate import SAME
from engine.game import Move, Side
from engine.solve import edge_values
from engine.space import Space
from lab.words.advice import names_text
from lab.words.numbers import percent_text
from learners.comparison import Shift
from learners.players.plain import VERDICT

NEARLY: Final = 0.95
"""From this probability on, a move is played nearly always."""


def shift_text(space: Space, shift: Shift) -> str:
    """What has changed most: `O now always answers b2, which draws; before in 11.1 % of games.`"""
    game = space.game
    mark, opening = game.mark(Side(int(space.side[shift.row]))), shift.row == 0
    plays, play = ("opens with", "open with") if opening else ("answers", "answer")
    if sum(shift.after.values()) <= SAME < sum(shift.before.values()):
        return f"{mark} now resigns here: it has no move left."
    groups = _groups(space, shift)
    before, after = (
        [sum(chances[edge] for edge in edges) for edges in groups] for chances in (shift.before, shift.after)
    )
    names = [names_text(game, [int(space.move[edge]) for edge in edges]) for edges in groups]
    values = [int(edge_values(space)[edges[0]]) for edges in groups]
    likeliest = max(range(len(groups)), key=lambda nth: after[nth])
    dropped = max(range(len(groups)), key=lambda nth: before[nth] if after[nth] <= SAME else 0.0)
    changed = max(range(len(groups)), key=lambda nth: (round(abs(after[nth] - before[nth]), 9), after[nth]))
    if after[likeliest] >= NEARLY and after[likeliest] - before[likeliest] > SAME:
        often = "always" if after[likeliest] >= 1 - SAME else "nearly always"
        was = f"before in {percent_text(before[likeliest])} of games" if before[likeliest] > SAME else "never before"
        return f"{mark} now {often} {plays} {names[likeliest]}, which {VERDICT[values[likeliest]]}; {was}."
    if after[dropped] <= SAME and before[dropped] >= shift.size / 2:
        was = f"before in {percent_text(before[dropped])} of games"
        return f"{mark} no longer {plays} {names[dropped]}, which {VERDICT[values[dropped]]}; {was}."
    shares = f"in {percent_text(after[changed])} of games, before in {percent_text(before[changed])}"
    return f"{mark} {plays if after[changed] else f'does not {play}'} {names[changed]} {shares}."


def _groups(space: Space, shift: Shift) -> list[list[int]]:
    """The edges of the position, those that are the same by symmetry together."""
    groups: dict[int, list[Move]] = {}
    for edge in shift.before:
        groups.setdefault(int(space.edge_class[edge]), []).append(edge)
    return list(groups.values())
