"""How screens show a memory: as cards, as curves, and in words. Only screens need this, not the training."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.evaluate import Policy
from engine.game import Game, Move, Position, Side
from engine.space import Space
from learners.core.player import Thought
from learners.core.snapshot import ITSELF, Memory
from learners.core.spec import LearnerSpec


@dataclass(frozen=True, kw_only=True)
class Presentation:
    """How screens offer a learner, and the words for its training."""

    preset_words: Mapping[str, str] = field(default_factory=dict)
    """A description of each preset, in one short line without a full stop."""
    quick_start_preset: str = ""
    """The preset of the trainings that the app starts with one key; empty: the app offers none."""
    quick_start_opponents: tuple[str, ...] = (ITSELF,)
    """The labels of the opponents in the trainings that the app starts with one key."""
    usual_grid: tuple[str, ...] = ()
    """The two settings that a sweep varies unless others are chosen; empty: the first two."""
    size_statistic: str = "games"
    """The key of the statistic that says how large the memory is."""
    progress_statistic: str = ""
    """The key of a statistic that rises while the learner learns; empty if there is none."""
    remedy: str = ""
    """What to change for a learner that has stopped learning, as an imperative without a full stop."""


@dataclass(frozen=True)
class Card:
    """One entry of a memory, drawn on a small board."""

    position: Position
    thoughts: tuple[Thought, ...]
    """The thoughts that are drawn on the squares, one for each move, by ascending move."""
    caption: str
    """A few characters below the board."""
    group: str = ""
    """The heading that this card shares with its neighbours."""
    signs: Mapping[int, str] = field(default_factory=dict)
    """The signs on further squares, one character each."""


@dataclass(frozen=True)
class Change:
    """A number of a memory before and after a game; `edge` is the `Learner.cell` of all moves that share the number."""

    edge: int
    before: int
    after: int


@dataclass(frozen=True, kw_only=True)
class MemoryWords:
    """The words that screens use for a memory."""

    noun: str = "position"
    """The noun for one card, such as `failure`."""
    plural: str = ""
    """The noun for several cards; if empty, the noun with an `s`."""
    newest: str = "Positions of the last game"
    """The heading over the cards that changed last."""
    none: str = "Nothing learned yet"
    """The text that is shown when there is no card."""
    legend: Mapping[str, str] = field(default_factory=dict)
    """The meaning of each symbol."""
    drawing: str = ""
    """What an open square of a card shows, in a clause."""
    growth_title: str = "Memory"
    """The heading over the curves of `MemoryView.growth`."""
    games_label: str = "games"
    """The noun for the games whose results the statistics count."""
    drawn_as: str = ""
    """The noun for a card as it is drawn, if it differs: a box is drawn as a `matchbox`."""
    amounts: str = ""
    """The heading over what is known of each move; empty if each says so itself."""
    numbering: str = ""
    """The meaning of the numbers of cards, if it needs to be explained."""

    def noun_for(self, count: int) -> str:
        """Return the noun as it is written after a number."""
        return self.noun if count == 1 else self.plural or f"{self.noun}s"


class ShownLearner(Protocol):
    """The part of a learner that a view reads."""

    spec: ClassVar[LearnerSpec]
    shown: ClassVar[Presentation]
    game: Game
    memory: Memory
    times: Memory
    last_game: tuple[Move, ...]

    @property
    def space(self) -> Space:
        """The space of the game."""

    @property
    def cell(self) -> NDArray[np.int32]:
        """The cell of each edge, as in `Learner`."""

    def stats(self) -> dict[str, int]:
        """Return the statistics."""

    def policy(self) -> Policy:
        """Return the probability of each edge, shape (m,)."""

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        """Return what the learner knows about each legal move."""


AnyLearner = TypeVar("AnyLearner", bound=ShownLearner)


class MemoryView(Generic[AnyLearner]):
    """Shows any memory that is a table over edges. A learner may have a subclass that shows more.

    A card is identified by an edge: the first edge of the position that it shows. Cards are ordered by edge.
    """

    words: ClassVar[MemoryWords] = MemoryWords()

    def __init__(self, learner: AnyLearner) -> None:
        """Show this learner, always in its present state."""
        self.learner = learner
        self.game = learner.game

    @property
    def space(self) -> Space:
        """The space of the game."""
        return self.learner.space

    def cards(self) -> NDArray[np.int32]:
        """Return the edges of all cards, in the order of display, shape (cards,).

        A position has a card if the memory has learned a number of it, or counts a choice in it.
        """
        used = (self.learner.memory != 0) | (self.learner.times != 0)
        cards: NDArray[np.int32] = self.space.first_edge[np.flatnonzero(np.bincount(self.space.source[used]))]
        return cards

    def card(self, edge: int) -> Card:
        """Return the card of an edge, which is one of `cards()`. Moves that share a number appear once on it."""
        row = int(self.space.source[edge])
        position = int(self.space.position[row])
        thoughts = tuple(
            thought
            for each, thought in zip(self.space.edges(position), self.learner.thoughts(position), strict=True)
            if self.learner.cell[each] == each
        )
        return Card(position, thoughts, self.caption(row), self.group(row))

    def side_of(self, edge: int) -> Side:
        """Return the side to move on the card of an edge."""
        return Side(int(self.space.side[self.space.source[edge]]))

    def caption(self, row: int) -> str:
        """Return the caption of the card of a position, given by its row in the space."""
        return f"{row + 1:,}"

    def group(self, row: int) -> str:
        """Return the heading of the group of a position's card: the side to move, and the number of the move."""
        mark = self.game.mark(Side(int(self.space.side[row])))
        return f"{mark}, move {int(self.space.ply[row]) + 1}"

    def newest(self, count: int) -> list[int]:
        """Return at most `count` of `cards()`: the positions of the last game, the latest first."""
        cards, position, edges = set(self.cards().tolist()), self.game.start, list[int]()
        for move in self.learner.last_game:
            cell = int(self.learner.cell[self.space.edges(position)[0]])
            edges.append(int(self.space.first_edge[self.space.source[cell]]))
            position = self.game.play(position, move)
        return [edge for edge in reversed(edges) if edge in cards][:count]

    def describe(self, change: Change) -> str:
        """Describe a change of the memory in one line."""
        position, move = self.position_and_move(change.edge)
        where = f"{self.game.move_name(move)} in {self.game.to_text(position)}"
        return f"{where}: {change.before:,} → {change.after:,}"

    def position_and_move(self, edge: int) -> tuple[Position, Move]:
        """Return the position and the move of an edge."""
        return int(self.space.position[self.space.source[edge]]), int(self.space.move[edge])

    def title(self, card: Card) -> str:
        """Return the heading of a card: by default its noun and its caption."""
        return f"{self.words.noun} {card.caption}"

    def details(self, position: Position) -> tuple[str, ...]:
        """Return sentences that explain step by step how the learner decides in a position; empty by default."""
        return ()

    def shown_numbers(self, numbers: Memory) -> Memory:
        """Convert numbers of the memory to those that screens show and compare; by default, change nothing."""
        return numbers

    def open_edges(self) -> NDArray[np.bool_]:
        """Return which edges the memory still allows, shape (m,): by default those with a positive probability."""
        return self.learner.policy() > 0

    @classmethod
    def endings(cls, stats: Mapping[str, int]) -> dict[str, int]:
        """Return how many games ended in each way, by label; in a label, `{0}` and `{1}` stand for the sides' marks."""
        return {"draws": stats["draws"], "{0} wins": stats["first_wins"], "{1} wins": stats["second_wins"]}

    def growth(self, stats: Mapping[str, int]) -> dict[str, int]:
        """Return the present value of each curve of growth, by label as in `endings`; by default the memory's size."""
        key = self.learner.shown.size_statistic
        return {self.learner.spec.stat_labels.get(key, key): stats[key]}

    def remark(self, stats: Mapping[str, int]) -> str:
        """Return the text beside the speed of a training; if it is empty, the length of games is shown."""
        return ""

    def parts(self, edge: int) -> tuple[Card, ...]:
        """Return further boards that explain a card, most important first; none by default."""
        return ()

    def explain(self, edge: int) -> tuple[str, ...]:
        """Return sentences that explain a card of parameters; empty by default."""
        return ()

    @property
    def search_space(self) -> str:
        """The number of possible strategies, in words; empty if unknown."""
        return ""


def number_text(number: float) -> str:
    """Return a number, rounded, in at most 4 characters, 5 if it is negative: `12`, `−7`, `.43`, `1.8k`, `3M`."""
    if isinstance(number, float) and not number.is_integer():
        text = f"{number:.2f}".replace("0.", ".", 1) if abs(number) < 1 else f"{number:.1f}"
        if len(text) <= 4:
            return text.replace("-", "−")
    whole = round(number)
    for scale, letter in ((1, ""), (1000, "k"), (1_000_000, "M"), (10**9, "G")):
        scaled = whole / scale
        if abs(scaled) < 999.5:
            decimals = 1 if letter and abs(scaled) < 9.95 else 0
            return f"{scaled:.{decimals}f}".removesuffix(".0").replace("-", "−") + letter
    return "∞" if whole > 0 else "−∞"
