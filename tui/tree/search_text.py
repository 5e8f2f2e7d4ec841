"""Texts of the Search screen: of minimax and alpha-beta, and of UCT."""

from collections.abc import Callable
from typing import Final, NamedTuple

from rich.text import Text

from engine.game import Game, MoveSequence, Position, Side
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
"""The width of the column of windows, in columns of the terminal."""
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
    sign = "+" if value > 0 else "−"
    plies = plies_to_win(value, depth)
    if plies is None:
        return f"{sign}{abs(value)}" if value else "0"
    if depth is None:
        return f"{sign}1 in {own_moves(plies)}"
    return f"{game.mark(Side.FIRST if value > 0 else Side.SECOND)} wins"


def worth_words(value: int | None, depth: int | None, game: Game) -> str:
    """Return a score as the worth of a move within a sentence: `0`, `+1 in 2`, `a win for X`."""
    text = value_text(value, depth, game)
    return f"a win for {text.removesuffix(' wins')}" if text.endswith(" wins") else text


def window_text(node: VisitedNode, depth: int | None, game: Game) -> str:
    return f"{value_text(node.low, depth, game)} … {value_text(node.high, depth, game)}"


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

    def column(value: int) -> int:
        if abs(value) >= INFINITY:
            return 0 if value < 0 else width - 1
        if not value:
            return middle
        return middle + middle // 2 if value > 0 else middle - middle // 2

    start = min(column(low), width - 2)
    end = max(start + 1, column(high))
    return "·" * start + "[" + "━" * (end - start - 1) + "]" + "·" * (width - end - 1)


def search_columns(depth: int | None, game: Game) -> Callable[[VisitedNode], Columns]:
    """Return a function that gives the columns of a node of minimax or alpha-beta: its window and its value."""

    def columns(node: VisitedNode) -> Columns:
        note, bracket = "", ""
        if node.leaf:
            note = "leaf"
        elif not node.cut:
            note = window_text(node, depth, game)
            bracket = bracket_text(node.low, node.high, NOTE_WIDTH - 1)
        value = "skipped" if node.cut else value_text(node.value, depth, game)
        return Columns(f"{note:>{NOTE_WIDTH}}", value, node.value is not None, node.cut is not None, bracket)

    return columns


def step_text(step: Step, depth: int | None, game: Game, start: Side) -> str:
    """Return what a step does, and why, in one or two sentences."""
    name = move_name(game, start, step.path)
    worth = worth_words(step.value, depth, game)
    match step.kind:
        case StepKind.ENTER:
            return _enter_text(step, depth, game, name)
        case StepKind.LEAF:
            if game.outcome(step.position) is not None:
                return f"{name} ends the game: it is worth {worth}."
            return f"At the depth limit, {name} is estimated at {worth}."
        case StepKind.BACK:
            child = game.move_name(step.move) if step.move is not None else ""
            where = name if step.path else "the root"
            return f"Back from {child}: {where} is worth {worth} so far."
        case StepKind.SKIP:
            return _skip_text(step, depth, game, start)


def _enter_text(step: Step, depth: int | None, game: Game, name: str) -> str:
    if game.outcome(step.position) is not None:
        return f"Looks at {name}, which ends the game."
    if len(step.path) == depth:
        return f"Looks at {name}, which is at the depth limit."
    where = f"Looks at {name}: there" if step.path else "At the root,"
    side = game.side(step.position)
    extreme = "largest" if side is Side.FIRST else "smallest"
    return f"{where} {game.mark(side)} is to move, and takes the {extreme} value."


def _skip_text(step: Step, depth: int | None, game: Game, start: Side) -> str:
    """Return why a subtree is skipped: the bound that cuts it off, and the node that set the bound."""
    mover = game.side(step.position).other
    bound = step.low if mover is Side.SECOND else step.high
    owner = f"after {' '.join(map(game.move_name, step.owner))}" if step.owner else "at the root"
    worth, bound_worth = worth_words(step.value, depth, game), worth_words(bound, depth, game)
    mark, other_mark = game.mark(mover), game.mark(mover.other)
    return (
        f"{move_name(game, start, step.path)} is skipped: {mark} has a move worth {worth} here, and {other_mark} one "
        f"worth {bound_worth} {owner}. So {other_mark} gains nothing by coming here."
    )


def progress_text(replay: Replay | UctReplay) -> str:
    return f"{replay.done:,} of {len(replay.steps):,}{'' if replay.whole else '+'}"


def comparison_text(both: dict[Algorithm, SearchResult], shown: Algorithm, width: int, *, whole: bool) -> Text:
    """Return the counts of both algorithms side by side; the counts of the algorithm `shown` are bold.

    With `whole`, the text also has their values and the best play; if `width` has room, a bar shows how many of the
    nodes, and of the leaves, of a whole search `shown` visits.
    """
    if len(both) < len(Algorithm):
        return Text("Counting both …", "dim")
    results = [both[each] for each in Algorithm]
    name_width = 10 if whole else 8
    text = Text(no_wrap=True).append(f"{'in all':<{name_width}}", "dim")
    for algorithm, column_width in zip(Algorithm, COUNT_WIDTHS, strict=True):
        text.append(f"{ALGORITHMS[algorithm]:>{column_width}}", "bold" if algorithm is shown else "dim")
    room = width - len(text) - 2
    rows = [
        ("nodes", [f"{each.nodes:,}" for each in results]),
        ("leaves", [f"{each.leaves:,}" for each in results]),
        ("cut-offs", [f"{each.cutoffs:,}" for each in results]),
        ("skipped", [f"{each.skipped:,}" for each in results]),
    ]
    if whole:
        rows.insert(0, ("value", [value_text(each.value, each.depth, each.game) for each in results]))
    minimax = both[Algorithm.MINIMAX]
    bars = {"nodes": (both[shown].nodes, minimax.nodes), "leaves": (both[shown].leaves, minimax.leaves)}
    for name, cells in rows:
        text.append(f"\n{name:<{name_width}}", "dim")
        for cell, algorithm, column_width in zip(cells, Algorithm, COUNT_WIDTHS, strict=True):
            text.append(f"{cell:>{column_width}}", "bold" if algorithm is shown else "")
        if name in bars and room >= MIN_BAR:
            visited, total = bars[name]
            text.append(f"  {'━' * round(room * visited / total):·<{room}}", "dim")
    if whole:
        line = " ".join(map(both[shown].game.move_name, both[shown].line))
        text.append(f"\n{'best play':<{name_width}}", "dim").append(line.rjust(sum(COUNT_WIDTHS)))
    return text


def depths_of(game: Game, position: Position) -> list[tuple[str, int]]:
    """Return the label and value of each depth that can be chosen for a search of a position."""
    deepest = game.longest if game.numbered else MAX_DEPTH
    depths = [(f"{counted_noun(depth, 'move')} ahead", depth) for depth in range(1, deepest + 1)]
    if can_search_to_end(game, position):
        depths.insert(0, ("to the end", TO_THE_END))
    return depths


def first_depth(game: Game, position: Position) -> int:
    """Return the depth to begin with: one at which the whole search can be followed by eye."""
    nodes, stack = 0, [position]
    while stack and nodes <= SHORT:
        stack += [successor for _, successor, _ in game.successors(stack.pop())]
        nodes += 1
    is_short = not stack
    return TO_THE_END if is_short and can_search_to_end(game, position) else SHALLOW


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
    """Return the visits of a node, and its worth for the side that made its last move (at the root, the side to move).

    `known` says whether it has been visited or is proven.
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
            endings = f"; {proven} of them {'ends' if proven == 1 else 'end'} the game" if proven else ""
            proof = f" So {name} {words_of(step.node)}." if step.node.proven and step.path else ""
            return f"{name} is visited again, so its {moves} {_join_verb(step)} the tree{endings}.{proof}"
        case PhaseKind.SIMULATION:
            return f"Plays at random from {name}: {_playout_text(step, game)}."
        case PhaseKind.BACKUP:
            worth = f"is worth {worth_text(step.node)} after {counted_noun(step.node.visits, 'visit')}"
            if step.node.proven:
                worth = f"{words_of(step.node)}, which is proven"
            nodes = counted_noun(len(step.nodes), "node")
            return f"Counts the outcome in {nodes}, on the way back to the root: {name} {worth}."


def past_text(step: Step | UctStep, depth: int | None, game: Game, start: Side) -> str:
    """Return what an earlier step did, in a short sentence."""
    name = move_name(game, start, step.path)
    if isinstance(step, Step):
        if step.kind is StepKind.SKIP:
            return f"{name} is skipped: {game.mark(game.side(step.position))} gains nothing by coming here."
        return step_text(step, depth, game, start)
    match step.kind:
        case PhaseKind.SELECTION:
            return f"A playout goes down to {name}."
        case PhaseKind.EXPANSION:
            return f"The {counted_noun(len(step.moves), 'move')} of {name} {_join_verb(step)} the tree."
        case PhaseKind.SIMULATION:
            return f"From {name} at random: {_playout_text(step, game)}."
        case PhaseKind.BACKUP:
            return f"The outcome is counted in {counted_noun(len(step.nodes), 'node')}."


def _join_verb(step: UctStep) -> str:
    """Return the verb for the moves of a step."""
    return "joins" if len(step.moves) == 1 else "join"


def _descend_text(replay: UctReplay, step: UctStep, game: Game, start: Side) -> str:
    names = " ".join(game.move_name(move) for move in step.path)
    why = ": each time to the largest upper bound of worth"
    if not replay.visited[step.path].visits:
        why = ", which had no visit yet"
    return f"Playout {replay.playouts + 1:,} goes down to {move_name(game, start, step.path)} ({names}){why}."


def _playout_text(step: UctStep, game: Game) -> str:
    """Return the random moves of a playout, as far as a sentence has room for them, and its outcome."""
    names = [game.move_name(move) for move in step.moves[:MAX_MOVES]]
    if len(step.moves) > MAX_MOVES:
        names.append("…")
    winner = None if step.outcome is None else step.outcome.winner
    return f"{' '.join(names)}; {'it is a draw' if winner is None else f'{game.mark(winner)} wins'}"


def uct_moves_text(replay: UctReplay, game: Game, limit: int, width: int) -> Text:
    """Return the move that would be played now, and at most `limit` moves of the root after the current step.

    If `width` has room, a bar shows the visits of each. The move to play comes first, then the most visited ones.
    """
    nodes = [node for path, node in replay.visited.items() if len(path) == 1]
    best = best_move(nodes) if nodes else None
    choice = "" if best is None else f"plays {game.move_name(best.path[-1])}"
    text = Text(f"{choice:<11}{'visits':>7}{'worth':>8}", "dim", no_wrap=True)
    most_visits = max((node.visits for node in nodes), default=0)
    for node in sorted(nodes, key=lambda node: (node is not best, -node.visits))[:limit]:
        line = f"\n{game.move_name(node.path[-1]):<11}{node.visits:>7,}{_worth(node):>8}"
        text.append(line, "bold not dim" if node is best else "not dim")
        if width >= BAR_FROM and most_visits:
            text.append(f"  {'━' * round((width - BAR_FROM + MIN_BAR) * node.visits / most_visits)}", "dim")
    return text
