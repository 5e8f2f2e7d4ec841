"""Statistics and the newest changes of a learner, as lines of text and as JSON."""

from dataclasses import replace
from typing import Final

from cli.shared.board_text import board_lines, join_blocks
from lab.memory.card_filter import cells_of
from lab.text.columns import columns
from lab.text.numbers import count_text, percent_text
from learners.core.learner import Learner
from learners.core.view import Card

MAX_CHANGES: Final = 4
"""The maximum number of newest changes that are shown."""


def statistics_lines(learner: Learner) -> list[str]:
    stats = learner.stats()
    games = stats["games"]
    rows = [(learner.view.words.games_label, count_text(games), "")]
    for label, count in learner.view.endings(stats).items():
        share = percent_text(count / games) if games else ""
        rows.append((label.format(*learner.game.marks), count_text(count), share))
    rows += [(label, count_text(stats[key]), "") for key, label in learner.spec.stat_labels.items()]
    return columns(rows, "<>>")


def newest_cards(learner: Learner) -> list[Card]:
    """Return the newest changes of the learner's memory, the newest first; a numbered card shows only its own move."""
    return [_own_card(learner, edge) for edge in learner.view.newest(MAX_CHANGES)]


def _own_card(learner: Learner, edge: int) -> Card:
    card = learner.view.card(edge)
    if not learner.view.words.numbering:
        return card
    own_move = int(learner.space.move[edge])
    return replace(card, thoughts=tuple(thought for thought in card.thoughts if thought.move == own_move))


def newest_document(learner: Learner) -> list[dict[str, object]]:
    """Return the position, move and number of each of the newest changes, newest first; empty for parameters."""
    game = learner.game
    if learner.spec.parameters:
        return []
    return [
        {"number": int(learner.memory[cell]), "position": game.to_text(card.position), "move": game.move_name(move)}
        for card in newest_cards(learner)
        for move, cell in cells_of(learner, card.position, card.thoughts).items()
    ]


def newest_lines(learner: Learner) -> list[str]:
    game, words, blocks = learner.game, learner.view.words, list[list[str]]()
    for card in newest_cards(learner):
        # the caption of a numbered card says what the words would
        moves = [(game.move_name(each.move), "" if words.numbering else each.words) for each in card.thoughts]
        blocks.append([f"{words.noun} {card.caption}", *board_lines(game, card.position), *columns(moves, "<<")])
    return ["", f"{words.newest}:", *join_blocks(blocks)] if blocks else []
