"""Texts of the Search screen: of minimax and alpha-beta, and of UCT."""

from collections.abc import Callable
from typing import Final, NamedTuple

from rich.text import Text

from engine.game import Game, MoveSequence, Outcome, Position, Side
from engine.plural import counted_noun, own_moves
from engine.search import INFINITY, can_search_to_end
from engine.search_result import Algorithm, SearchResult, Step, StepKind, plies_to_win
from lab.search import ALGORITHMS
from learners.players.plain import VERDICT
from learners.players.uct import UNTRIED, verdict_of, words_of, worth_text
from learners.uct.interpreted import PhaseKind
from learners.uct.result import best_move
from learners.uct.search import UctNode, UctStep
from tui.tree.step_replay import Replay, UctReplay, VisitedNode

TO_THE_END: Final = 0
"""The depth that stands for a search to the end of the game."""
SHALLOW: Final = 2
"""The first depth offered if a search to the end is long."""
SHORT: Final = 400
"""The maximum number of nodes of a short search. Tic-tac-toe with five empty squares has at most 326."""
MAX_DEPTH: Final = 6
"""The largest depth offered for a game that is too large for a space."""

NOTE_WIDTH: Final = 17
"""The width of a window, in columns."""
VALUE_WIDTH: Final = 8
"""The width of a value, in columns."""
SEARCH_HEADS: Final = f"{'window':>{NOTE_WIDTH}}  {'value':>{VALUE_WIDTH}}"
"""The headings of the columns to the right of the nodes."""
COUNT_WIDTHS: Final = (10, 12)
"""The widths of the counts of the two algorithms, in columns."""


def value_text(value: int | None, depth: int | None, game: Game) -> str:
    """Return a score in short form: `+1`, `0`, `X wins`.

    `+1 in 2` moves for a win in a search to the end; a dash for `None`.
    """
    if value is None:
        return "–"
    if abs(value) >= INFINITY:
        return "∞" if value > 0 else "−∞"
    if (plies := plies_to_win(value, depth)) is not None:
        wins = f"{game.mark(Side.FIRST if value > 0 else Side.SECOND)} wins"
        return wins if depth is not None else f"{'+' if value > 0 else '−'}1 in {own_moves(plies)}"
    return f"+{value}" if value > 0 else f"−{-value}" if value else "0"


def worth_words(value: int | None, depth: int | None, game: Game) -> str:
    """Return a score as the worth of a move within a sentence: `0`, `+1 in 2`, `a win for X`."""
    text = value_text(value, depth, game)
    return f"a win for {text.removesuffix(' wins')}" if text.endswith(" wins") else text


def window_text(seen: VisitedNode, depth: int | None, game: Game) -> str:
    return f"{value_text(seen.low, depth, game)} … {value_text(seen.high, depth, game)}"


def move_name(game: Game, start: Side, path: MoveSequence) -> str:
    """Return the last move of a path with the mark of its side, `X b2`; at the root, the side to move, `X to move`."""
    if not path:
        return f"{game.mark(start)} to move"
    mover = start if len(path) % 2 else start.other
    return f"{game.mark(mover)} {game.move_name(path[-1])}"


class Columns(NamedTuple):
    """The columns to the right of a node."""

    note: str
    value: str
    known: bool
    skipped: bool = False
    bracket: str = ""
    """The window as a bracket; empty for a node without one."""


NOT_REACHED: Final = Columns("", "", known=False)
"""The columns of a node that the search has not reached."""


def bracket_text(low: int, high: int, width: int) -> str:
    """Return a window as a bracket on a scale from a loss to a win: `[` where it begins, `]` where it ends.

    A bound that is neither a loss, a draw nor a win stands between an end and the middle, which is a draw.
    """
    middle = width // 2

    def place(value: int) -> int:
        if abs(value) >= INFINITY:
            return 0 if value < 0 else width - 1
        half = middle // 2
        return middle + (half if value > 0 else -half if value < 0 else 0)

    start = min(place(low), width - 2)
    end = max(start + 1, place(high))
    return "".join(
        "[" if at == start else "]" if at == end else "━" if start < at < end else "·" for at in range(width)
    )


def search_columns(depth: int | None, game: Game) -> Callable[[VisitedNode], Columns]:
    """Return a function that gives the columns of a node of minimax or alpha-beta: its window and its value."""

    def columns(seen: VisitedNode) -> Columns:
        note = "leaf" if seen.leaf else "" if seen.cut else window_text(seen, depth, game)
        value = "skipped" if seen.cut else value_text(seen.value, depth, game)
        bracket = "" if seen.leaf or seen.cut else bracket_text(seen.low, seen.high, NOTE_WIDTH - 1)
        return Columns(f"{note:>{NOTE_WIDTH}}", value, seen.value is not None, seen.cut is not None, bracket)

    return columns


def step_text(step: Step | None, depth: int | None, game: Game, start: Side) -> str:
    """Return what a step does, and why, in one or two sentences."""
    if step is None:
        return ""
    name = move_name(game, start, step.path)
    worth = worth_words(step.value, depth, game)
    side = game.side(step.position)
    match step.kind:
        case StepKind.ENTER:
            takes = "largest" if side is Side.FIRST else "smallest"
            where = f"Looks at {name}: there" if step.path else "At the root,"
            over, last = game.outcome(step.position) is not None, len(step.path) == depth
            leaf = f"Looks at {name}, which {'ends the game' if over else 'is at the depth limit'}."
            return leaf if over or last else f"{where} {game.mark(side)} is to move, and takes the {takes} value."
        case StepKind.LEAF:
            over = game.outcome(step.position) is not None
            return (
                f"{name} ends the game: it is worth {worth}."
                if over
                else f"At the depth limit, {name} is estimated at {worth}."
            )
        case StepKind.BACK:
            child = game.move_name(step.move) if step.move is not None else ""
            where = name if step.path else "the root"
            return f"Back from {child}: {where} is worth {worth} so far."
        case StepKind.SKIP:
            return _skip_text(step, depth, game, start)


def _skip_text(step: Step, depth: int | None, game: Game, start: Side) -> str:
    """Return why a subtree is skipped: the bound that cuts it off, and the node that set the bound."""
    mover = game.side(step.position).other
    bound = step.low if mover is Side.SECOND else step.high
    owner = f"after {' '.join(map(game.move_name, step.owner))}" if step.owner else "at the root"
    holds, sure = (worth_words(each, depth, game) for each in (step.value, bound))
    own, other = game.mark(mover), game.mark(mover.other)
    return (
        f"{move_name(game, start, step.path)} is skipped: {own} has a move worth {holds} here, and {other} one worth "
        f"{sure} {owner}. So {other} gains nothing by coming here."
    )


def progress_text(replay: Replay | UctReplay) -> str:
    whole = f"{len(replay.steps):,}{'' if replay.whole else '+'}"
    return f"{replay.done:,} of {whole}"


def comparison_text(both: dict[Algorithm, SearchResult], shown: Algorithm, width: int, *, whole: bool) -> Text:
    """Return the counts of both algorithms side by side; the counts of the algorithm `shown` are bold.

    With `whole`, the text also has their values and the best play; if `width` has room, a bar shows how many of the
    nodes, and of the leaves, of a whole search `shown` visits.
    """
    if len(both) < len(Algorithm):
        return Text("Counting both …", "dim")
    results = [both[each] for each in Algorithm]
    names = 10 if whole else 8
    text = Text(no_wrap=True).append(f"{'in all':<{names}}", "dim")
    for each, column in zip(Algorithm, COUNT_WIDTHS, strict=True):
        text.append(f"{ALGORITHMS[each]:>{column}}", "bold" if each is shown else "dim")
    room = width - len(text) - 2
    values = [value_text(found.value, found.depth, found.game) for found in results]
    rows = [
        *([("value", values)] if whole else []),
        ("nodes", [f"{found.nodes:,}" for found in results]),
        ("leaves", [f"{found.leaves:,}" for found in results]),
        ("cut-offs", [f"{found.cutoffs:,}" for found in results]),
        ("skipped", [f"{found.skipped:,}" for found in results]),
    ]
    for name, cells in rows:
        text.append(f"\n{name:<{names}}", "dim")
        for cell, each, column in zip(cells, Algorithm, COUNT_WIDTHS, strict=True):
            text.append(f"{cell:>{column}}", "bold" if each is shown else "")
        if name in ("nodes", "leaves") and room >= MIN_BAR:
            visited, most = (getattr(found, name) for found in (both[shown], both[Algorithm.MINIMAX]))
            text.append(f"  {'━' * round(room * visited / most):·<{room}}", "dim")
    if whole:
        line = " ".join(map(both[shown].game.move_name, both[shown].line))
        text.append(f"\n{'best play':<{names}}", "dim").append(line.rjust(sum(COUNT_WIDTHS)))
    return text


def depths_of(game: Game, position: Position) -> list[tuple[str, int]]:
    """Return the label and value of each depth that can be chosen for a search of a position."""
    most = game.longest if game.numbered else MAX_DEPTH
    ahead = [(f"{counted_noun(depth, 'move')} ahead", depth) for depth in range(1, most + 1)]
    return [("to the end", TO_THE_END), *ahead] if can_search_to_end(game, position) else ahead


def first_depth(game: Game, position: Position) -> int:
    """Return the depth to begin with: one at which the whole search can be followed by eye."""
    nodes, waiting = 0, [position]
    while waiting and nodes <= SHORT:
        waiting += [reached for _, reached, _ in game.successors(waiting.pop())]
        nodes += 1
    return TO_THE_END if can_search_to_end(game, position) and not waiting else SHALLOW


UCT: Final = "UCT"
VISITS_WIDTH: Final = 6
"""The width of a number of visits, in columns."""
UCT_HEADS: Final = f"{'visits':>{VISITS_WIDTH}}  {'worth':>{VALUE_WIDTH}}"
"""The headings of the columns to the right of the nodes."""
BAR_FROM: Final = 36
"""The minimum width of a list of moves with bars, in columns."""
MIN_BAR: Final = 8
"""The width of the longest bar in a list of moves, in columns."""
MAX_MOVES: Final = 6
"""The maximum number of random moves that a sentence names."""


def uct_columns(node: UctNode) -> Columns:
    """Return the visits of a node, and its worth for the side that made its last move.

    At the root, for the side to move.
    """
    return Columns(f"{node.visits:>{VISITS_WIDTH},}", _worth(node), known=node.proven or node.visits > 0)


def _worth(node: UctNode) -> str:
    if not node.path:  # `worth` is for the side that moved; at the root, show it for the side to move
        node = UctNode((), node.position, node.visits, 1 - node.worth, node.proven)
    if node.proven:
        return VERDICT[verdict_of(node)]
    return worth_text(node) if node.visits else UNTRIED


def uct_step_text(replay: UctReplay, game: Game, start: Side) -> str:
    """Return what the current step does, and why, in one or two sentences."""
    step = replay.step
    if step is None:
        return ""
    if replay.done == 1 and not step.node.proven:
        return (
            f"{game.mark(start)} to move. Each playout goes down the tree, plays at random to the end, and counts the "
            "outcome on its way back."
        )
    name = move_name(game, start, step.path)
    match step.kind:
        case PhaseKind.SELECTION:
            return _descend_text(replay, step, game, start)
        case PhaseKind.EXPANSION:
            moves = counted_noun(len(step.moves), "move")
            proven = len(step.nodes) - 1
            ending = f"; {proven} of them {'ends' if proven == 1 else 'end'} the game" if proven else ""
            sure = f" So {name} {words_of(step.node)}." if step.node.proven and step.path else ""
            return f"{name} is visited again, so its {moves} {_joins(step)} the tree{ending}.{sure}"
        case PhaseKind.SIMULATION:
            line = _random_text(step, game)
            return f"Plays at random from {name}: {line}; {_outcome_text(game, step.outcome)}."
        case PhaseKind.BACKUP:
            passed = counted_noun(len(step.nodes), "node")
            after = f" after {counted_noun(step.node.visits, 'visit')}" if not step.node.proven else ", which is proven"
            worth = words_of(step.node) if step.node.proven else f"is worth {worth_text(step.node)}"
            return f"Counts the outcome in {passed}, on the way back to the root: {name} {worth}{after}."


def past_text(step: Step | UctStep, depth: int | None, game: Game, start: Side) -> str:
    """Return what an earlier step did, in a short sentence."""
    name = move_name(game, start, step.path)
    if isinstance(step, Step):
        gains = f"{name} is skipped: {game.mark(game.side(step.position))} gains nothing by coming here."
        return gains if step.kind is StepKind.SKIP else step_text(step, depth, game, start)
    match step.kind:
        case PhaseKind.SELECTION:
            return f"A playout goes down to {name}."
        case PhaseKind.EXPANSION:
            return f"The {counted_noun(len(step.moves), 'move')} of {name} {_joins(step)} the tree."
        case PhaseKind.SIMULATION:
            return f"From {name} at random: {_random_text(step, game)}; {_outcome_text(game, step.outcome)}."
        case PhaseKind.BACKUP:
            return f"The outcome is counted in {counted_noun(len(step.nodes), 'node')}."


def _joins(step: UctStep) -> str:
    return "joins" if len(step.moves) == 1 else "join"


def _descend_text(replay: UctReplay, step: UctStep, game: Game, start: Side) -> str:
    names = " ".join(game.move_name(move) for move in step.path)
    new = not replay.seen[step.path].visits
    why = ", which had no visit yet" if new else ": each time to the largest upper bound of worth"
    return f"Playout {replay.playouts + 1:,} goes down to {move_name(game, start, step.path)} ({names}){why}."


def _random_text(step: UctStep, game: Game) -> str:
    names = [game.move_name(move) for move in step.moves[:MAX_MOVES]]
    return " ".join([*names, *(["…"] if len(step.moves) > MAX_MOVES else [])])


def _outcome_text(game: Game, outcome: Outcome | None) -> str:
    winner = None if outcome is None else outcome.winner
    return "it is a draw" if winner is None else f"{game.mark(winner)} wins"


def uct_moves_text(replay: UctReplay, game: Game, limit: int, width: int) -> Text:
    """Return the move that would be played now, and at most `limit` moves of the root after the current step.

    If `width` has room, a bar shows the visits of each. The move to play comes first, then the most visited ones.
    """
    nodes = [node for path, node in replay.seen.items() if len(path) == 1]
    best = best_move(nodes) if nodes else None
    plays = "" if best is None else f"plays {game.move_name(best.path[-1])}"
    text = Text(f"{plays:<11}{'visits':>7}{'worth':>8}", "dim", no_wrap=True)
    most = max((node.visits for node in nodes), default=0)
    for node in sorted(nodes, key=lambda node: (node is not best, -node.visits))[:limit]:
        line = f"\n{game.move_name(node.path[-1]):<11}{node.visits:>7,}{_worth(node):>8}"
        text.append(line, "bold not dim" if node is best else "not dim")
        if width >= BAR_FROM and most:
            text.append(f"  {'━' * round((width - BAR_FROM + MIN_BAR) * node.visits / most)}", "dim")
    return text
