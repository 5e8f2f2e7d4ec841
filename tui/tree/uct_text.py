"""Texts of the Search screen for UCT: nodes, steps, and the moves of the root."""

from typing import Final

from rich.text import Text

from engine.game import Game, Outcome, Side
from learners.core.plural import counted_noun, plural
from learners.players.plain import VERDICT
from learners.players.uct import UNTRIED, verdict_of, words_of, worth_text
from learners.uct.interpreted import PhaseKind
from learners.uct.result import best_move
from learners.uct.steps import UctNode, UctStep
from tui.tree.search_text import VALUE_WIDTH, Columns, move_name
from tui.tree.step_replay import UctReplay

UCT: Final = "UCT"
"""The name of the algorithm in lists."""
NOTE_WIDTH: Final = 6
"""The width of a number of visits, in columns."""
UCT_HEADS: Final = f"{'visits':>{NOTE_WIDTH}}  {'worth':>{VALUE_WIDTH}}"
"""The headings of the columns to the right of the nodes."""
MAX_MOVES: Final = 6
"""The maximum number of random moves that a sentence names."""


def uct_columns(node: UctNode) -> Columns:
    """The visits of a node, and its worth for the side that made its last move; at the root, for the side to move."""
    return Columns(f"{node.visits:>{NOTE_WIDTH},}", _worth(node), known=node.proven or node.visits > 0)


def _worth(node: UctNode) -> str:
    if not node.path:  # `worth` is for the side that moved; at the root, show it for the side to move
        node = UctNode((), node.position, node.visits, 1 - node.worth, node.proven)
    if node.proven:
        return VERDICT[verdict_of(node)]
    return worth_text(node) if node.visits else UNTRIED


def uct_step_text(replay: UctReplay, game: Game, start: Side) -> str:
    """What the current step does, and why, in one or two sentences."""
    step = replay.step
    if step is None:
        return ""
    if replay.done == 1 and not step.node.proven:
        return (
            f"{game.mark(start)} to move. Each playout goes down the tree, plays at random to the end, and counts the "
            "outcome on its way back. Right takes a step."
        )
    name = move_name(game, start, step.path)
    match step.kind:
        case PhaseKind.SELECTION:
            return _descend_text(replay, step, game, start)
        case PhaseKind.EXPANSION:
            moves = counted_noun(len(step.moves), "move")
            proven = len(step.nodes) - 1
            ending = f", of which {proven} {'ends' if proven == 1 else 'end'} the game" if proven else ""
            sure = f" So {name} {words_of(step.node)}." if step.node.proven and step.path else ""
            return f"{name} is visited again, so its {moves} join the tree{ending}.{sure}"
        case PhaseKind.SIMULATION:
            line = _random_text(step, game)
            return f"Plays at random from {name}: {line}; {_outcome_text(game, step.outcome)}."
        case PhaseKind.BACKUP:
            passed = counted_noun(len(step.nodes), "node")
            after = f" after {counted_noun(step.node.visits, 'visit')}" if not step.node.proven else ", which is proven"
            worth = words_of(step.node) if step.node.proven else f"is worth {worth_text(step.node)}"
            return f"Counts the outcome in {passed}, on the way back to the root: {name} {worth}{after}."


def _descend_text(replay: UctReplay, step: UctStep, game: Game, start: Side) -> str:
    names = " ".join(game.move_name(move) for move in step.path)
    new = not replay.seen[step.path].visits
    why = "which had no visit yet" if new else "by the largest upper bound of worth in each node"
    return f"Playout {replay.playouts + 1:,} goes down to {move_name(game, start, step.path)} ({names}), {why}."


def _random_text(step: UctStep, game: Game) -> str:
    names = [game.move_name(move) for move in step.moves[:MAX_MOVES]]
    return " ".join(names) + " …" * (len(step.moves) > MAX_MOVES)


def _outcome_text(game: Game, outcome: Outcome | None) -> str:
    winner = None if outcome is None else outcome.winner
    return "it is a draw" if winner is None else f"{game.mark(winner)} wins"


def uct_progress_text(replay: UctReplay) -> str:
    whole = f"{len(replay.steps):,}{'' if replay.whole else '+'}"
    return f"{replay.done:,} of {whole} {plural('step', len(replay.steps))}"


def uct_moves_text(replay: UctReplay, game: Game, limit: int) -> Text:
    """The move that would be played now, and at most `limit` moves of the root after the current step.

    The move to play comes first, then the most visited ones.
    """
    nodes = [node for path, node in replay.seen.items() if len(path) == 1]
    best = best_move(nodes) if nodes else None
    plays = "" if best is None else f"plays {game.move_name(best.path[-1])}"
    text = Text(f"{plays:<11}{'visits':>7}{'worth':>8}", "dim", no_wrap=True)
    for node in sorted(nodes, key=lambda node: (node is not best, -node.visits))[:limit]:
        line = f"\n{game.move_name(node.path[-1]):<11}{node.visits:>7,}{_worth(node):>8}"
        text.append(line, "bold not dim" if node is best else "not dim")
    return text
