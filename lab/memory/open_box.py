"""The open box, large, as plain data: what a machine knows of each move, and the bead that it drew."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from engine.game import Game, Move, Position
from engine.plural import counted_noun
from lab.memory.card_filter import cells_of, merges, shared_card
from lab.memory.matchbox import Square, board_box, has_beads_below, placed_on_squares, square_of
from learners.core.learner import Learner
from learners.core.player import Depiction, Player, Thought
from learners.menace.learner import Menace
from learners.menace.matchboxes import COLOURS
from learners.players.fallible import FalliblePlayer

MOST_STEPS: Final = 4
"""The maximum number of frames in which beads are added or taken away."""


@dataclass(frozen=True)
class OpenSquare:
    """What lies on one square of an open box, or stands for one move below its board."""

    look: Square = field(default_factory=Square)
    move: str = ""
    words: str = ""
    short: str = ""
    """The words in at most 5 characters, perhaps after a word that can be left out."""
    chance: float = 0.0
    """The probability of the move, added up over all moves that share its beads."""
    beads: int | None = None
    """The number of beads; `None` for a memory without beads."""
    gained: int = 0
    """How many beads have just been added, or taken away if below 0."""
    before: tuple[int, ...] = ()
    """The number at each checkpoint, as it is shown, and now; empty if that is not told."""
    twin: str = ""
    """The move that holds the beads of this move, by symmetry."""


@dataclass(frozen=True)
class OpenBox:
    columns: int
    squares: tuple[OpenSquare, ...]
    """Row by row from the top left."""
    below: tuple[OpenSquare, ...] = ()
    """The moves, if several may lead to one square."""
    title: str = ""
    note: str = ""
    unseen: str = ""
    """The note that is shown until the drawn bead is visible."""
    turned: bool = False
    """Whether the memory, and so the wall, holds a symmetric twin of this position instead."""
    discs: bool = False
    fullest: bool = False
    """Whether only the moves with the most beads have a chance."""


def open_box(
    player: Player,
    position: Position,
    drawn: Move | None = None,
    gained: Mapping[int, int] | None = None,
    before: Mapping[Move, Sequence[int]] | None = None,
) -> OpenBox:
    """Return what a player knows in a position. This takes long for players that search.

    `drawn` is the move that the player played there; `gained` is the recent growth of the numbers of its memory, by
    edge; `None` if it has not learned from the game. `before` has the number of each move at each checkpoint and now.
    """
    game, thoughts = player.game, player.thoughts(position)
    shown, twins = groups_of(player, position, thoughts, drawn)
    cells = cells_of(player, position, thoughts) if gained and isinstance(player, Learner) else {}
    gains = {move: (gained or {}).get(cell, 0) for move, cell in cells.items()}
    lost = {move for move, gained in gains.items() if gained < 0}  # a bead that was drawn no longer lies there
    squares = {
        thought.move: OpenSquare(
            square_of(thought, drawn=thought.move == drawn and (thought.beads is None or drawn not in lost)),
            game.move_words(position, thought.move),
            thought.words,
            "failed" if thought.drawing is Depiction.STRUCK else thought.symbol,
            thought.chance,
            thought.beads,
            gains.get(thought.move, 0),
            tuple((before or {}).get(thought.move, ())),
        )
        for thought in shown
    }
    below = has_beads_below(game, position, shown)
    placed = {} if below else placed_on_squares(game, position, shown)
    on = {square: squares[thought.move] for square, thought in placed.items()}
    if not below:
        for move, first in twins.items():
            on.setdefault(game.board.squares(position, move)[-1], OpenSquare(twin=game.move_label(position, first)))
    title, unseen, turned = _heading(player, position, drawn, uncounted=drawn is not None and gained is None)
    note, chosen = unseen, next((each for each in shown if each.move == drawn), None)
    if chosen is not None and chosen.hue:
        drew = f"drew {COLOURS[chosen.hue - 1]}: {game.move_label(position, chosen.move)}"
        note = " · ".join(filter(None, (drew, unseen)))
    told = replace(_board(game, position, on), title=title, note=note, unseen=unseen, turned=turned)
    fullest = isinstance(player, Menace) and player.settings["pick"] == "fullest"
    return replace(told, below=tuple(squares.values()) if below else (), fullest=fullest)


def stages(box: OpenBox) -> tuple[OpenBox, ...]:
    """Return the frames that lead to the final look of a box: it opens, or its beads come and go one by one."""
    squares = box.squares + box.below
    most = max((abs(each.gained) for each in squares), default=0)
    if most:
        steps = min(most, MOST_STEPS)
        return tuple(_each(box, partial(_before_gain, left=left / steps)) for left in range(steps, 0, -1))
    if not any(each.look.drawn for each in squares):
        return ()
    shut = replace(box, note=box.unseen)
    closed = _each(shut, lambda square: OpenSquare() if square.move or square.twin else square)
    return closed, _each(shut, lambda square: replace(square, look=replace(square.look, drawn=False)))


def before_game(box: OpenBox) -> OpenBox:
    """Return a box as it was before the game in which it gained or lost the beads in `gained`."""
    return _with_chances(_each(box, lambda square: replace(_before_gain(square, 1), gained=0)))


def after_game(learner: Menace, position: Position, drawn: Move, reward: int) -> OpenBox:
    """Return the box of a decision as it will be once the bead that was drawn has been rewarded.

    As in `learners.menace.kernel.teach`, for a box that the game opens once.
    """
    box, settings = open_box(learner, position, drawn), learner.settings
    held = _beads_in(box)

    def rewarded(square: OpenSquare) -> OpenSquare:
        if square.beads is None or not square.look.drawn:
            return square
        beads = min(max(square.beads + reward, int(settings["least"])), learner.max_beads)
        if settings["empty"] == "keep" and beads <= 0 and held == square.beads:
            beads = square.beads
        look = replace(square.look, drawn=beads >= square.beads)
        return replace(square, look=look, beads=beads, gained=beads - square.beads)

    after = _each(box, rewarded)
    if settings["empty"] == "refill" and not _beads_in(after):
        first = int(learner.matchboxes.first_beads[learner.boxes.box[learner.space.row(position)]])
        after = _each(after, lambda square: square if square.beads is None else replace(square, beads=first))
    return _with_chances(after)


def _beads_in(box: OpenBox) -> int:
    return sum(each.beads or 0 for each in box.squares + box.below)


def _with_chances(box: OpenBox) -> OpenBox:
    """Return a box with the chances that its beads give."""
    most = max((each.beads or 0 for each in box.squares + box.below if box.fullest), default=0)
    weighed = _each(box, lambda square: replace(square, chance=square.beads or 0 if (square.beads or 0) >= most else 0))
    total = sum(each.chance for each in weighed.squares + weighed.below)
    return _each(weighed, lambda square: replace(square, chance=square.chance / total if total else 0.0))


def _each(box: OpenBox, change: Callable[[OpenSquare], OpenSquare]) -> OpenBox:
    return replace(box, squares=tuple(map(change, box.squares)), below=tuple(map(change, box.below)))


def _before_gain(square: OpenSquare, left: float) -> OpenSquare:
    """Return a square before the share `left` of its change: beads gained are taken away, beads lost are back."""
    if square.beads is None:
        return square
    look = replace(square.look, drawn=square.look.drawn or square.gained < 0)
    return replace(square, look=look, beads=square.beads - round(left * square.gained))


def _board(game: Game, position: Position, on: Mapping[int, OpenSquare]) -> OpenBox:
    box = board_box(game, position)
    squares = tuple(on.get(square) or OpenSquare(there) for square, there in enumerate(box.squares))
    return OpenBox(box.columns, squares, discs=box.discs)


def groups_of(
    player: Player, position: Position, thoughts: Sequence[Thought], drawn: Move | None = None
) -> tuple[list[Thought], dict[Move, Move]]:
    """Return a thought for each group of moves that share a number, and a map from the other moves to the one shown.

    The move that was `drawn` is shown for its group, otherwise the first move.
    """
    if not isinstance(player, Learner) or not merges(player):
        return [*thoughts], {}
    cells = cells_of(player, position, thoughts)
    groups = dict[int, list[Thought]]()
    for thought in sorted(thoughts, key=lambda thought: thought.move != drawn):
        groups.setdefault(cells[thought.move], []).append(thought)
    shown = [replace(group[0], chance=sum(each.chance for each in group)) for group in groups.values()]
    twins = {each.move: group[0].move for group in groups.values() for each in group[1:]}
    return sorted(shown, key=lambda thought: thought.move), twins


def _heading(player: Player, position: Position, drawn: Move | None, *, uncounted: bool) -> tuple[str, str, bool]:
    """Return the title of the open box, how often it was opened, and whether the memory holds a symmetric twin.

    `uncounted` is whether the memory does not count yet that it is open.
    """
    title = "What it knows here"
    if drawn is not None:
        knew = "What there was to see" if isinstance(player, FalliblePlayer) else "What it knew"
        title = f"{knew} when it played {player.game.move_words(position, drawn)}"
    if not isinstance(player, Learner) or player.spec.parameters:
        return title, "", False
    turned, edge = False, shared_card(player, position) if merges(player) else None
    if edge is not None:
        card, words = player.view.card(edge), player.view.words
        turned = card.position != position
        title = f"{words.drawn_as} {card.caption}" if words.drawn_as else player.view.title(card)
        title = title[:1].upper() + title[1:]
    if not player.spec.counts_choices:
        return title, "", turned
    cells = sorted({*cells_of(player, position, player.thoughts(position)).values()})
    times = int(player.times[cells].sum())
    never = "not opened before" if drawn is None else "opened for the first time"
    return title, f"opened {counted_noun(times + uncounted, 'time')}" if times else never, turned
