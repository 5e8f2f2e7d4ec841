"""The result of a Monte-Carlo tree search, for people and for programs."""

from typing import Final

from cli.shared.board_text import board
from engine.game import Side
from lab.text.columns import columns
from learners.core.plural import counted_noun
from learners.uct.result import UctMove, UctResult

UCT: Final = "uct"
"""The name of the algorithm in options and documents."""


def uct_lines(found: UctResult) -> list[str]:
    """The result as lines: the best move first, then the others, the most visited first."""
    game, best = found.game, found.best
    rows = [("move", "visits", "value", "expected play")]
    for each in _by_visits(found):
        line = [game.move_name(move) for move in each.line]
        rows.append((line[0], f"{each.visits:,}", _words(found, each), " ".join(line)))
    return [
        f"UCT, {game.title}, {counted_noun(found.playouts, 'playout')}, {game.mark(game.side(found.position))} to move",
        "",
        *board(game, found.position),
        "",
        f"Value: {_words(found, best)}; plays {game.move_name(best.move)}",
        "",
        *columns(rows, "<><<"),
        "",
        *columns(
            [
                ("seed", f"{found.seed}"),
                ("nodes", f"{found.nodes:,}"),
                ("playouts per second", f"{found.playouts_per_second:,.0f}"),
            ],
            "<<",
        ),
    ]


def _by_visits(found: UctResult) -> list[UctMove]:
    return sorted(found.moves, key=lambda each: (each is not found.best, -each.visits, each.move))


def _words(found: UctResult, move: UctMove) -> str:
    """The value of a move for the first side: `X wins` or `a draw` if it is proven, else `+0.12` or `not tried`."""
    value = found.value_of(move)
    if not move.proven:
        return f"{value:+.2f}" if move.visits else "not tried"
    return f"{found.game.mark(Side.FIRST if value > 0 else Side.SECOND)} wins" if value else "a draw"


def uct_document(found: UctResult) -> dict[str, object]:
    """The result as a document. A move without a playout has no value, unless it is proven."""
    game = found.game
    return {
        "game": game.name,
        "position": game.to_text(found.position),
        "side": game.side(found.position).name.lower(),
        "algorithm": UCT,
        "playouts": found.playouts,
        "seed": found.seed,
        "value": found.value,
        "proven": found.proven,
        "best": [game.move_name(found.best.move)],
        "line": [game.move_name(move) for move in found.best.line],
        "moves": [
            {
                "move": game.move_name(each.move),
                "visits": each.visits,
                "value": found.value_of(each) if each.visits or each.proven else None,
                "proven": each.proven,
                "line": [game.move_name(move) for move in each.line],
            }
            for each in _by_visits(found)
        ],
        "nodes": found.nodes,
        "seconds": found.seconds,
        "playouts_per_second": found.playouts_per_second,
    }
