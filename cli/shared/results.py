"""What a learner knows, in text: running statistics, exact results, what changed last."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, replace
from typing import Final

from cli.shared.board_text import beside, board
from engine.evaluate import Chances, Policy, Results, scoreboard
from engine.game import Game, Side
from engine.space import space_of
from lab.memory.card_filter import cells_of
from lab.words.columns import columns
from lab.words.numbers import count_text, percent_text
from lab.words.opponent_names import NAMES
from learners.core.cards import Card
from learners.core.learner import Learner
from learners.core.plural import plural

Scoreboard = Mapping[str, Results]
"""By side how a player fares, exactly."""
NEWEST: Final = 4
"""How many of the things that changed last are shown."""


def statistics_lines(learner: Learner) -> list[str]:
    """The learner's running statistics in columns: a label, a count, and a share where there is one."""
    stats = learner.stats()
    games = stats["games"]
    rows = [(learner.view.words.games_label, count_text(games), "")]
    for label, count in learner.view.endings(stats).items():
        share = percent_text(count / games) if games else ""
        rows.append((label.format(*learner.game.marks), count_text(count), share))
    rows += [(label, count_text(stats[key]), "") for key, label in learner.spec.stat_labels.items()]
    return columns(rows, "<>>")


def exact_results(game: Game, policy: Policy) -> Scoreboard:
    """The scoreboard of a policy, without the last digits that floating point leaves over."""
    return {side: _tidied(seen) for side, seen in scoreboard(space_of(game), policy).items()}


def _tidied(seen: Results) -> Results:
    against = {
        opponent: Chances(*(round(chance, 12) + 0.0 for chance in (chances.win, chances.draw, chances.loss)))
        for opponent, chances in seen.against.items()
    }
    return replace(seen, against=against, perfect_moves=round(seen.perfect_moves, 12))


def results_document(board: Scoreboard) -> dict[str, object]:
    """For each side an object of chances for each opponent, and what its moves are worth."""
    return {
        side: {
            **{name: asdict(chances) for name, chances in seen.against.items()},
            "decisions": seen.decisions,
            "perfect_moves": seen.perfect_moves,
            "losing_pairs": seen.losing_pairs,
        }
        for side, seen in board.items()
    }


def results_lines(game: Game, board: Scoreboard, sides: Collection[Side] = tuple(Side)) -> list[str]:
    """A small table: an opponent a line, the player's chances as each of `sides`; then its moves."""
    told = [(game.mark(side), board[side.name.lower()]) for side in sides]
    rows: list[tuple[str, ...]] = [
        ("", *(text for mark, _ in told for text in (f"as {mark}:", "", ""))),
        ("against", *("win", "draw", "loss") * len(told)),
    ]
    for opponent, name in NAMES.items():
        seen = [side.against[opponent] for _, side in told]
        shown = [percent_text(chance) for side in seen for chance in (side.win, side.draw, side.loss)]
        rows.append((name, *shown))
    table = columns(rows, "<" + ">>>" * len(told))
    return [*table, *(_moves_line(mark, side) for mark, side in told)]


def _moves_line(mark: str, seen: Results) -> str:
    decisions = f"{count_text(seen.decisions)} {plural('decision', seen.decisions)}"
    losing = f"{count_text(seen.losing_pairs)} losing {plural('move', seen.losing_pairs)}"
    perfect = percent_text(seen.perfect_moves)
    return f"As {mark}: {decisions}, {perfect} of the moves perfect, {losing} open"


def newest_cards(learner: Learner) -> list[Card]:
    """What changed last in the learner's memory, the newest first."""
    return [learner.view.card(edge) for edge in learner.view.newest(NEWEST)]


def newest_document(learner: Learner) -> list[dict[str, object]]:
    """The numbers of what changed last, the newest first, each with its position and its move."""
    game = learner.game
    return [
        {"number": int(learner.memory[cell]), "position": game.to_text(card.position), "move": game.move_name(move)}
        for card in newest_cards(learner)
        for move, cell in cells_of(learner, card.position, card.thoughts).items()
    ]


def newest_lines(learner: Learner) -> list[str]:
    """What changed last as boards side by side, each with what is known of its moves below."""
    game, cards = learner.game, newest_cards(learner)
    blocks = [
        [
            f"{learner.view.words.noun} {card.caption}",
            *board(game, card.position),
            *columns([(game.move_name(thought.move), thought.words) for thought in card.thoughts], "<<"),
        ]
        for card in cards
    ]
    return ["", f"{learner.view.words.newest}:", *beside(blocks)] if cards else []
