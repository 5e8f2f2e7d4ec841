"""The portrait of a save: its most used cards, its losses over the training, and one sentence."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.game import BadText, Side
from engine.solve import values
from engine.space import TooLarge
from engine.spaces import space_of
from engine.stop import Stop, Stopped, never
from lab.memory.card_filter import position_card, used_positions
from lab.memory.matchbox import BARS, Matchbox, SquareKind, card_box
from lab.results.exact_results import Timeline, TimelinePoint
from lab.results.tables import trained_only
from lab.text.numbers import percent_text
from learners.core.learner import Learner
from learners.core.save_ref import save_of
from saves.errors import LibraryError
from saves.library.library import Library

CARDS: Final = 100
"""The maximum number of cards of a portrait; where there is less room, only the first ones are shown."""
LOOKED_AT: Final = 5_000
"""The number of most used positions in which cards are looked for."""
DRAWN: Final = 150
"""The maximum number of cards among which those of a portrait are chosen."""
MAX_POINTS: Final = 16
"""The maximum number of checkpoints of the curve; of more, some are left out evenly, but never the last."""
CURVE_OPPONENT: Final = "perfect"
"""The opponent to whom the curve shows the losses."""


@dataclass(frozen=True)
class Portrait:
    boxes: tuple[Matchbox, ...]
    sentence: str
    losses: tuple[tuple[int, float], ...]
    """The losses to perfect play by rounds, ascending; empty without exact results."""
    unit: str = "games"


def portrait_of(library: Library, name: str, stop: Stop = never) -> Portrait | str:
    """Return the portrait of a save, or a line that says why there is none. Raises `Stopped`."""
    try:
        timeline = Timeline(library.load(name))
        point = timeline.at(timeline.now)
        learner = point.learner
        boxes = _boxes(learner)
        losses = []
        for rounds in _spread(timeline.moments) if point.exact else ():
            if stop():
                raise Stopped
            loss = timeline.at(rounds).loss(CURVE_OPPONENT)
            losses.append((max(1, rounds), 0.0 if loss is None else loss))
    except (BadText, LibraryError, TooLarge) as error:
        return str(error)
    return Portrait(boxes, strength_sentence(point), tuple(losses), f"{learner.spec.round_noun}s")


def strength_sentence(point: TimelinePoint) -> str:
    """Return a sentence on the strength of a learner, in at most 34 characters."""
    if not point.exact:
        return "Too large for exact results."
    lost = {
        side for side, each in trained_only(point.learner, point.exact).items() if each.against["best_responder"].loss
    }
    if not lost:
        return "Never loses, whoever it plays."
    if lost == {_lost_side(point.learner)}:
        return "Loses only where nobody can hold."
    loss = point.loss(CURVE_OPPONENT) or 0.0
    return f"Loses {percent_text(loss)} to perfect play." if loss else "Never loses to perfect play."


def _lost_side(learner: Learner) -> str:
    """Return the side that loses if both play perfectly: `first` or `second`; empty if none does."""
    return {1: Side.SECOND.name, -1: Side.FIRST.name}.get(int(values(space_of(learner.game))[0]), "").lower()


def _boxes(learner: Learner) -> tuple[Matchbox, ...]:
    """Return a learner's most used cards, first those that show something learned; of parameters, the first ones."""
    game, space, view = learner.game, learner.space, learner.view
    cards = view.cards()
    if learner.spec.parameters:
        return tuple(card_box(game, view.card(edge)) for edge in cards.tolist()[:CARDS])
    ordered = cards[np.argsort(learner.memory[cards], kind="stable")]  # of several of a position, the last counts
    held = dict(zip(space.source[ordered].tolist(), ordered.tolist(), strict=True))
    used = used_positions(learner, LOOKED_AT)
    found = [held.get(int(space.source[space.edges(position)[0]])) for position in used]
    boxes = [card_box(game, view.card(edge)) for edge in [each for each in found if each is not None][:DRAWN]]
    boxes += [card_box(game, position_card(learner, position)) for position in used[:CARDS]] if not boxes else []
    return tuple(sorted(boxes, key=lambda box: not has_learned(box))[:CARDS])


def has_learned(box: Matchbox) -> bool:
    """Return whether a card shows a learned choice: of several moves, some are ruled out or preferred."""
    moves = [square for square in (*box.squares, *box.below) if square.kind in BARS or square.kind is SquareKind.STRUCK]
    struck = any(move.kind is SquareKind.STRUCK for move in moves)
    choice = len(moves) > 1 or any(square.kind is SquareKind.NOTHING for square in box.squares)
    return choice and (struck or len({round(move.level, 2) for move in moves}) > 1)


def _spread(moments: Sequence[int]) -> list[int]:
    last = len(moments) - 1
    return [moments[place] for place in sorted({round(nth * last / (MAX_POINTS - 1)) for nth in range(MAX_POINTS)})]


def score_texts(library: Library) -> dict[str, str]:
    """Return the games between the person and each save, by its name: `you 12 : 9`. Raises `LibraryError`."""
    found: dict[str, list[int]] = {}
    for label, score in library.games.scores().items():
        with suppress(BadText):  # another program stored the game
            if save := save_of(label):
                total = found.setdefault(save.name, [0, 0])
                total[0] += score.won
                total[1] += score.lost
    return {name: f"you {won} : {lost}" for name, (won, lost) in found.items()}
