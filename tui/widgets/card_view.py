"""One card in detail: its board, and for each move its number, its probability and its history."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from textwrap import wrap
from typing import Final

import numpy as np
from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from engine.game import Position
from engine.plural import counted_noun
from engine.spaces import space_of
from lab.memory.card_filter import cells_of, merges_twins
from lab.memory.matchbox import card_box
from lab.text.columns import cut
from lab.text.numbers import percent_text, spark
from learners.core.learner import Learner
from learners.core.player import Thought
from learners.core.view import Card
from tui.widgets.palette import PLAIN, Palette, palette_of
from tui.widgets.tiles import BARE, boxes_text

CHANCE_HEADING: Final = "chance"
"""The heading of the probability with which a player plays a move."""
CHANCE_WIDTH: Final = 8
"""The width of a probability, in columns of the terminal."""
MAX_HISTORY: Final = 24
"""The maximum width of a history, in columns."""
MIN_HISTORY: Final = 6
"""The minimum width of a history, in columns; where there is less room, it is left out."""
GAP: Final = 2
"""The columns between a history and the text before it."""
HISTORY_HEADING: Final = "so far"
"""The heading of a history."""


def listed_thoughts(learner: Learner, card: Card) -> list[Thought]:
    """Return the thoughts on all moves of a card's position: those that the card draws first, then the likeliest.

    Moves that share a number are listed once, with the sum of their probabilities.
    """
    thoughts = learner.thoughts(card.position)
    cells = cells_of(learner, card.position, thoughts)
    chances = dict.fromkeys(cells.values(), 0.0)
    for thought in thoughts:
        chances[cells[thought.move]] += thought.chance
    by_cell: dict[int, Thought] = {}
    for thought in (*card.thoughts, *thoughts):
        cell = cells[thought.move]
        by_cell.setdefault(cell, replace(thought, chance=chances[cell]))
    drawn = {thought.move for thought in card.thoughts}
    return sorted(by_cell.values(), key=lambda each: (each.move not in drawn, -each.chance, each.move))


def histories(learner: Learner, position: Position, thoughts: Sequence[Thought]) -> dict[int, list[int]]:
    """Return for the move of each thought its number at each checkpoint and now.

    Empty if the checkpoints hold no memory.
    """
    cells = cells_of(learner, position, thoughts)
    edges = np.array([*cells.values()], np.int32)
    earlier = learner.history.numbers(edges)
    if not earlier:
        return {}
    amounts = [learner.view.shown_numbers(numbers).tolist() for numbers in (*earlier, learner.memory[edges])]
    return {move: [line[nth] for line in amounts] for nth, move in enumerate(cells)}


def sharing_positions(learner: Learner, edge: int) -> list[Position]:
    position = learner.view.card(edge).position
    return space_of(learner.game).twins(position) if merges_twins(learner) else [position]


def turned_card(learner: Learner, edge: int, turn: int) -> Card:
    """Return the card with the board of another position that shares it: `turn` positions on, round and round."""
    card, twins = learner.view.card(edge), sharing_positions(learner, edge)
    position = twins[turn % len(twins)]
    if position == card.position:
        return card
    thoughts = learner.thoughts(position)
    cells = cells_of(learner, position, thoughts)
    likeliest: dict[int, Thought] = {}
    for thought in sorted(thoughts, key=lambda each: (-each.chance, each.move)):
        likeliest.setdefault(cells[thought.move], thought)
    return replace(card, position=position, thoughts=tuple(sorted(likeliest.values(), key=lambda each: each.move)))


def card_text(  # noqa: PLR0913  a card, and how it is drawn
    learner: Learner, edge: int, width: int, palette: Palette = PLAIN, turn: int = 0, *, board_drawn: bool = False
) -> Text:
    """Return a whole card, turned by `turn`, in `width` columns: details, board, and a line for each move.

    With `board_drawn`, the board is left out, and the moves too if they have no histories.
    """
    if learner.spec.parameters:
        return parts_text(learner, edge, width, palette)
    game, card = learner.game, turned_card(learner, edge, turn)
    lines = [Text(line) for line in wrap(" ".join(learner.view.details(card.position)), width)]
    if board_drawn:
        if histories(learner, card.position, card.thoughts):
            lines += move_lines(learner, card, width, palette)
        return Text("\n").join(lines)
    boxes = [replace(card_box(game, card), caption="", below=())]
    board = boxes_text(boxes, width, palette, BARE).split()[: game.board.rows]
    board_width = cell_len(board[0].plain) + 4
    moves = move_lines(learner, card, width - board_width, palette)
    if any("…" in line.plain for line in moves):  # the lines of the moves need the room of the board
        return Text("\n").join([*lines, *move_lines(learner, card, width, palette)])
    for board_line, move_line in zip_longest(board, moves, fillvalue=Text()):
        padded = board_line.copy()
        padded.pad_right(max(0, board_width - padded.cell_len))
        lines.append(padded + move_line)
    return Text("\n").join(lines)


def card_heading(learner: Learner, edge: int) -> list[str]:
    """Return the heading of a card, in parts: its name, its group, and how often it was opened."""
    card = learner.view.card(edge)
    title = learner.view.title(card)
    parts = [f"{title[0].upper()}{title[1:]}", card.group]
    if learner.spec.counts_choices:
        cells = [*cells_of(learner, card.position, card.thoughts).values()]
        times = int(learner.times[cells].sum())
        parts.append(f"opened {counted_noun(times, 'time')}" if times else "never opened")
    return [part for part in parts if part]


def parts_text(learner: Learner, edge: int, width: int, palette: Palette) -> Text:
    """Return a card of a memory of parameters in `width` columns: what its numbers mean, and its boards with them."""
    legend = "   ".join(f"{sign} {meaning}" for sign, meaning in learner.view.words.legend.items())
    explanation = " ".join(learner.view.explain(edge))
    lines = [Text(line, "dim") for line in (*wrap(legend, width), *wrap(explanation, width))]
    boxes = [card_box(learner.game, each) for each in learner.view.parts(edge)]
    return Text("\n").join([*lines, Text(), boxes_text(boxes, width, palette)])


def move_lines(learner: Learner, card: Card, width: int, palette: Palette) -> list[Text]:
    """Return a heading, and a line for each move: name, what is known of the move, probability, and its history."""
    game, thoughts = learner.game, listed_thoughts(learner, card)
    numbers = histories(learner, card.position, card.thoughts)
    peak = max((max(line, default=0) for line in numbers.values()), default=0)
    names = [game.move_label(card.position, thought.move) for thought in thoughts]
    name_width = max(map(len, names), default=0) + 2
    amount_heading = learner.view.words.amounts
    reserved = name_width + CHANCE_WIDTH + (GAP + MIN_HISTORY if numbers else 0)
    longest_words = max(len(thought.words) for thought in thoughts)
    words_width = max(len(amount_heading), min(longest_words, width - reserved))
    history_width = min(MAX_HISTORY, width - name_width - words_width - CHANCE_WIDTH - GAP)
    has_history = bool(numbers) and history_width >= MIN_HISTORY
    heading = f"{'':<{name_width}}{amount_heading:<{words_width}}{CHANCE_HEADING:>{CHANCE_WIDTH}}"
    if has_history:
        heading += " " * GAP + HISTORY_HEADING
    lines = [Text(heading, "dim", no_wrap=True)]
    for name, thought in zip(names, thoughts, strict=True):
        style = palette.of_bead(thought.hue) if thought.hue else Style()
        line = Text(f"{name:<{name_width}}", no_wrap=True)
        line.append(f"{cut(thought.words, words_width):<{words_width}}", style)
        line.append(f"{percent_text(thought.chance):>{CHANCE_WIDTH}}")
        if has_history and numbers.get(thought.move):
            line.append(" " * GAP + spark(numbers[thought.move], peak, history_width), style)
        lines.append(line)
    return lines


class CardView(VerticalScroll):
    """Shows one card in detail."""

    DEFAULT_CSS = "CardView { scrollbar-size-vertical: 1; scrollbar-gutter: stable; & > Static { height: auto; } }"

    def compose(self) -> ComposeResult:
        yield Static("", markup=False)

    _shown: tuple[Learner, int] | None = None
    _turn = 0
    _board_drawn = False

    def show(self, learner: Learner | None, edge: int | None, turn: int = 0, *, board_drawn: bool = False) -> None:
        """Show the card of an edge, turned by `turn` as in `turned_card`; without an edge, show nothing."""
        self._shown = None if learner is None or edge is None else (learner, edge)
        self._turn, self._board_drawn = turn, board_drawn
        self._draw()
        self.scroll_home(animate=False)

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        width = self.scrollable_content_region.width - 1  # air beside the scrollbar
        if self._shown is None:
            self.query_one(Static).update("")
        elif width > 0:
            text = card_text(*self._shown, width, palette_of(self), self._turn, board_drawn=self._board_drawn)
            self.query_one(Static).update(text)
