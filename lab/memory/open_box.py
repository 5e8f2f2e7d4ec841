"""The open box, large, as plain data: what a machine knows of each move, and the bead that it drew."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from engine.game import Game, Move, Position
from engine.plural import counted_noun
from lab.memory.card_filter import cells_of, merges_twins, shared_card
from lab.memory.matchbox import Square, board_box, has_beads_below, placed_on_squares, square_of
from learners.core.learner import Learner
from learners.core.player import Depiction, Player, Thought
from learners.menace.learner import Menace
from learners.menace.matchboxes import COLOURS
from learners.players.fallible import FalliblePlayer

MAX_STEPS: Final = 4
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
    note, chosen = unseen, next((thought for thought in shown if thought.move == drawn), None)
    if chosen is not None and chosen.hue:
        drew = f"drew {COLOURS[chosen.hue - 1]}: {game.move_label(position, chosen.move)}"
        note = " · ".join(filter(None, (drew, unseen)))
    return replace(
        _open_board(game, position, on),
        below=tuple(squares.values()) if below else (),
        title=title,
        note=note,
        unseen=unseen,
        turned=turned,
        fullest=isinstance(player, Menace) and player.settings["pick"] == "fullest",
    )


def frames_before(box: OpenBox) -> tuple[OpenBox, ...]:
    """Return the frames that lead to the final look of a box: it opens, or its beads come and go one by one."""
    squares = box.squares + box.below
    largest_gain = max((abs(square.gained) for square in squares), default=0)
    if largest_gain:
        steps = min(largest_gain, MAX_STEPS)
        shares = [remaining / steps for remaining in range(steps, 0, -1)]
        return tuple(_map_squares(box, partial(_square_before_gain, share=share)) for share in shares)
    if not any(square.look.drawn for square in squares):
        return ()
    unseen = replace(box, note=box.unseen)
    closed = _map_squares(unseen, lambda square: OpenSquare() if square.move or square.twin else square)
    opened = _map_squares(unseen, lambda square: replace(square, look=replace(square.look, drawn=False)))
    return closed, opened


def box_before_game(box: OpenBox) -> OpenBox:
    """Return a box as it was before the game in which it gained or lost the beads in `gained`."""
    return _with_chances(_map_squares(box, lambda square: replace(_square_before_gain(square, 1), gained=0)))


def box_after_game(learner: Menace, position: Position, drawn: Move, reward: int) -> OpenBox:
    """Return the box of a decision as it will be once the bead that was drawn has been rewarded.

    The rule is that of `learners.menace.kernel.teach`, for a box that the game opens once.
    """
    box, settings = open_box(learner, position, drawn), learner.settings
    total = _beads_in(box)

    def reward_square(square: OpenSquare) -> OpenSquare:
        if square.beads is None or not square.look.drawn:
            return square
        beads = min(max(square.beads + reward, int(settings["least"])), learner.max_beads)
        if settings["empty"] == "keep" and beads <= 0 and total == square.beads:
            beads = square.beads
        look = replace(square.look, drawn=beads >= square.beads)
        return replace(square, look=look, beads=beads, gained=beads - square.beads)

    after = _map_squares(box, reward_square)
    if settings["empty"] == "refill" and not _beads_in(after):
        refill = int(learner.matchboxes.first_beads[learner.boxes.box[learner.space.row(position)]])
        after = _map_squares(after, lambda square: square if square.beads is None else replace(square, beads=refill))
    return _with_chances(after)


def _beads_in(box: OpenBox) -> int:
    return sum(each.beads or 0 for each in box.squares + box.below)


def _with_chances(box: OpenBox) -> OpenBox:
    """Return a box with the chances that its beads give."""
    min_beads = max((square.beads or 0 for square in box.squares + box.below), default=0) if box.fullest else 0

    def weight(square: OpenSquare) -> int:
        beads = square.beads or 0
        return beads if beads >= min_beads else 0

    total = sum(map(weight, box.squares + box.below))
    return _map_squares(box, lambda square: replace(square, chance=weight(square) / total if total else 0.0))


def _map_squares(box: OpenBox, change: Callable[[OpenSquare], OpenSquare]) -> OpenBox:
    return replace(box, squares=tuple(map(change, box.squares)), below=tuple(map(change, box.below)))


def _square_before_gain(square: OpenSquare, share: float) -> OpenSquare:
    """Return a square before this share of its change: beads gained are taken away, beads lost are back."""
    if square.beads is None:
        return square
    look = replace(square.look, drawn=square.look.drawn or square.gained < 0)
    return replace(square, look=look, beads=square.beads - round(share * square.gained))


def _open_board(game: Game, position: Position, on: Mapping[int, OpenSquare]) -> OpenBox:
    box = board_box(game, position)
    squares = tuple(on.get(number) or OpenSquare(square) for number, square in enumerate(box.squares))
    return OpenBox(box.columns, squares, discs=box.discs)


def groups_of(
    player: Player, position: Position, thoughts: Sequence[Thought], drawn: Move | None = None
) -> tuple[list[Thought], dict[Move, Move]]:
    """Return a thought for each group of moves that share a number, and a map from the other moves to the one shown.

    The move that was `drawn` is shown for its group, otherwise the first move.
    """
    if not isinstance(player, Learner) or not merges_twins(player):
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
    turned, edge = False, shared_card(player, position) if merges_twins(player) else None
    if edge is not None:
        card, words = player.view.card(edge), player.view.words
        turned = card.position != position
        title = f"{words.drawn_as} {card.caption}" if words.drawn_as else player.view.title(card)
        title = title[:1].upper() + title[1:]
    if not player.spec.counts_choices:
        return title, "", turned
    cells = sorted({*cells_of(player, position, player.thoughts(position)).values()})
    times = int(player.times[cells].sum())
    if times:
        opened = f"opened {counted_noun(times + uncounted, 'time')}"
    else:
        opened = "not opened before" if drawn is None else "opened for the first time"
    return title, opened, turned
