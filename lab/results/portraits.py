"""The portrait of a save: its most used cards, and its losses over the training."""

from dataclasses import dataclass, replace
from statistics import fmean
from typing import Final

import numpy as np

from engine.game import BadText
from engine.games import find_game
from engine.space import TooLarge
from engine.stop import Stop, Stopped, never
from lab.memory.card_filter import position_card, used_positions
from lab.memory.matchbox import BARS, Matchbox, SquareKind, board_box, card_box
from lab.results.exact_results import Timeline
from learners.core.learner import Learner
from learners.core.save_ref import save_of
from learners.players.levels import judged_sides, level_losses
from saves import gallery
from saves.entry import Entry
from saves.errors import LibraryError
from saves.library.library import Library

MAX_CARDS: Final = 100
"""The maximum number of cards of a portrait; where there is less room, only the first ones are shown."""
MAX_POSITIONS: Final = 5_000
"""The number of most used positions in which cards are looked for."""
MAX_CANDIDATES: Final = 150
"""The maximum number of cards among which those of a portrait are chosen."""
MAX_POINTS: Final = 16
"""The maximum number of checkpoints of the curve; of more, some are left out evenly, but never the last."""


@dataclass(frozen=True)
class Portrait:
    boxes: tuple[Matchbox, ...]
    moments: tuple[int, ...]
    """The rounds of the points of the curve, ascending, the first at least 1; empty without exact results."""
    losses: tuple[tuple[int, float], ...] | None = None
    """The share of lost games that the level follows from, by rounds, ascending; `None` until it is computed."""
    unit: str = "games"
    shown: str = "used most"
    """Which boxes these are, in words."""

    @property
    def has_curve(self) -> bool:
        return len(self.moments) > 1  # one point is no curve

    @property
    def is_complete(self) -> bool:
        return self.losses is not None or not self.has_curve


def portrait_of(library: Library, entry: Entry) -> Portrait | str:
    """Return the portrait of a save, or a line that says why there is none.

    It is without its losses, which take longer, unless it comes with the program.
    """
    try:
        timeline = Timeline(library.load(entry.name))
        learner = timeline.learner(timeline.now)
        boxes = _boxes(learner)
    except (BadText, LibraryError, TooLarge) as error:
        return str(error)
    has_no_uses = learner.spec.parameters or (learner.spec.learns and not learner.rounds)
    shown = f"its first {learner.view.words.noun_for(2)}" if has_no_uses else Portrait.shown
    losses = gallery.losses(entry.name) if entry.gallery else None
    return Portrait(boxes, _points_of(timeline), losses, f"{learner.spec.round_noun}s", shown)


def blank_portrait(entry: Entry) -> Portrait:
    """Return what is drawn of a save before it has been read: empty boards, and the axis of its curve."""
    game = find_game(entry.game)
    boxes = () if game is None else (board_box(game, game.start),) * MAX_CARDS
    losses = gallery.losses(entry.name) if entry.gallery else None
    return Portrait(boxes, (1, entry.rounds) if entry.rounds > 1 else (), losses, f"{entry.round_noun}s")


def add_losses(library: Library, name: str, portrait: Portrait, stop: Stop = never) -> Portrait | str:
    """Return the portrait of a save with its losses, or a line that says why there is none. Raises `Stopped`."""
    try:
        return replace(portrait, losses=curve_of(Timeline(library.load(name)), stop))
    except (BadText, LibraryError, TooLarge) as error:
        return str(error)


def curve_of(timeline: Timeline, stop: Stop = never) -> tuple[tuple[int, float], ...]:
    """Return the losses of a portrait. Raises `BadText`, `TooLarge` and `Stopped`."""
    losses, points = dict[int, float](), _points_of(timeline)
    sides, _ = judged_sides(timeline.learner(timeline.now))
    for rounds in timeline.moments:
        if stop():
            raise Stopped
        if max(1, rounds) in points:
            losses[max(1, rounds)] = fmean(level_losses(timeline.at(rounds).exact, sides).values())
    return tuple(losses.items())


def _points_of(timeline: Timeline) -> tuple[int, ...]:
    """Return the rounds of the points of the curve, as in `Portrait`."""
    if not timeline.learner(timeline.now).game.learnable:
        return ()
    moments = [*dict.fromkeys(max(1, rounds) for rounds in timeline.moments)]
    last = len(moments) - 1
    places = {round(nth * last / (MAX_POINTS - 1)) for nth in range(MAX_POINTS)}
    return tuple(moments[place] for place in sorted(places))


def _boxes(learner: Learner) -> tuple[Matchbox, ...]:
    """Return a learner's most used cards, first those that show something learned; of parameters, the first ones."""
    game, space, view = learner.game, learner.space, learner.view
    cards = view.cards()
    if learner.spec.parameters:
        return tuple(card_box(game, view.card(edge)) for edge in cards.tolist()[:MAX_CARDS])
    ordered = cards[np.argsort(learner.memory[cards], kind="stable")]  # of several of a position, the last counts
    card_by_row = dict(zip(space.source[ordered].tolist(), ordered.tolist(), strict=True))
    used = used_positions(learner, MAX_POSITIONS)
    used_rows = [int(space.source[space.edges(position)[0]]) for position in used]
    used_cards = [card_by_row[row] for row in used_rows if row in card_by_row]
    boxes = [card_box(game, view.card(edge)) for edge in used_cards[:MAX_CANDIDATES]]
    if not boxes:
        boxes = [card_box(game, position_card(learner, position)) for position in used[:MAX_CARDS]]
    return tuple(sorted(boxes, key=lambda box: not has_learned(box))[:MAX_CARDS])


def has_learned(box: Matchbox) -> bool:
    """Return whether a card shows a learned choice: of several moves, some are ruled out or preferred."""
    moves = [square for square in (*box.squares, *box.below) if square.kind in BARS or square.kind is SquareKind.STRUCK]
    has_choice = len(moves) > 1 or any(square.kind is SquareKind.NOTHING for square in box.squares)
    has_struck = any(move.kind is SquareKind.STRUCK for move in moves)
    has_preferred = len({round(move.level, 2) for move in moves}) > 1
    return has_choice and (has_struck or has_preferred)


def score_texts(library: Library) -> dict[str, str]:
    """Return the games between the person and each save, by its name: `you 12 : 9`. Raises `LibraryError`."""
    totals: dict[str, list[int]] = {}
    for label, score in library.games.scores().items():
        try:
            save = save_of(label)
        except BadText:  # another program stored the game
            continue
        if save is not None:
            total = totals.setdefault(save.name, [0, 0])
            total[0] += score.won
            total[1] += score.lost
    return {name: f"you {won} : {lost}" for name, (won, lost) in totals.items()}
