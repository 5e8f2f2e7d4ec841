"""`noughts search`: the value of a position by minimax, alpha-beta, UCT or a solver, and the work that this takes."""

from collections.abc import Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Final

import click

from cli.shared.board_text import board_lines
from cli.shared.common import game_option, json_option, print_result
from engine.analysis.rating import RatedMove, best_of, rating_by_solver
from engine.connect_solver.games import shape_of
from engine.game import BadText, Game, Position, Side
from engine.games import GAMES
from engine.plural import counted_noun, in_moves
from engine.row_solver.games import is_solved_soon
from engine.search import ORDERS, Order, can_search_to_end, parse_order, require_running
from engine.search import search as search_for
from engine.search_result import Algorithm, SearchResult
from lab.judging.notation.written_boards import read_position
from lab.search import ALGORITHMS
from lab.text.columns import columns
from learners.uct.result import UctMove, UctResult
from learners.uct.search import Uct

UCT: Final = "uct"
SOLVER: Final = "solver"
"""The names of the algorithms in options and documents."""


def _report(result: "Result", title: str, value: str, *tables: list[str]) -> list[str]:
    game, position = result.game, result.position
    lines = [f"{title}, {game.mark(game.side(position))} to move", "", *board_lines(game, position), ""]
    lines.append(f"Value: {value}")
    for table in tables:
        lines += ["", *table]
    return lines


def _common_fields(result: "Result", algorithm: str) -> dict[str, object]:
    """Return the fields with which the document of every algorithm begins."""
    game, position = result.game, result.position
    side = game.side(position).name.lower()
    return {"game": game.name, "position": game.to_text(position), "side": side, "algorithm": algorithm}


def uct_lines(result: UctResult) -> list[str]:
    game, best = result.game, result.best
    rows = [("move", "visits", "value", "expected play")]
    for move in _by_visits(result):
        line = _move_names(game, move.line)
        rows.append((line[0], f"{move.visits:,}", _uct_value_text(result, move), " ".join(line)))
    work = [("seed", f"{result.seed}"), ("nodes", f"{result.nodes:,}")]
    if result.playouts:
        work.append(("playouts per second", f"{result.playouts_per_second:,.0f}"))
        effort = f"{'proven after ' if result.proven else ''}{counted_noun(result.playouts, 'playout')}"
    else:
        effort = f"{'proven ' if result.proven else ''}without a playout"
    value = f"{_uct_value_text(result, best)}; plays {game.move_name(best.move)}"
    return _report(result, f"UCT, {game.title}, {effort}", value, columns(rows, "<><<"), columns(work, "<<"))


def _by_visits(result: UctResult) -> list[UctMove]:
    return sorted(result.moves, key=lambda move: (move is not result.best, -move.visits, move.move))


def _uct_value_text(result: UctResult, move: UctMove) -> str:
    """Return a move's value for the first side: `X wins` or `a draw` if it is proven, else `+0.12` or `not tried`."""
    value = result.value_of(move)
    if not move.proven:
        return f"{value:+.2f}" if move.visits else "not tried"
    return f"{result.game.mark(Side.FIRST if value > 0 else Side.SECOND)} wins" if value else "a draw"


def uct_document(result: UctResult) -> dict[str, object]:
    """Return the result as a document. A move without a playout has no value, unless it is proven."""
    game = result.game
    return {
        **_common_fields(result, UCT),
        "playouts": result.playouts,
        "seed": result.seed,
        "value": result.value,
        "proven": result.proven,
        "best": [game.move_name(result.best.move)],
        "line": _move_names(game, result.best.line),
        "moves": [
            {
                "move": game.move_name(move.move),
                "visits": move.visits,
                "value": result.value_of(move) if move.visits or move.proven else None,
                "proven": move.proven,
                "line": _move_names(game, move.line),
            }
            for move in _by_visits(result)
        ],
        "nodes": result.nodes,
        "seconds": result.seconds,
        "playouts_per_second": result.playouts_per_second,
    }


@click.command()
@game_option
@click.option("--position", metavar="TEXT", help="The position, as in 'XOO/X../OX. X'.  [default: the start]")
@click.option(
    "--algorithm",
    type=click.Choice([*(each.value for each in Algorithm), UCT, SOLVER]),
    help=f"The algorithm.  [default: {SOLVER} on large boards, such as Connect Four, without --depth; else "
    f"{Algorithm.ALPHABETA.value}]",
)
@click.option("--depth", type=int, metavar="N", help="The moves to look ahead.  [default: to the end of the game]")
@click.option(
    "--order",
    metavar="ORDER",
    help=f"The order of moves: {', '.join(ORDERS)}, or moves that come first, as in 'b2 a1'.  "
    f"[default: {next(iter(ORDERS))}]",
)
@click.option("--playouts", type=int, metavar="N", help="The playouts of uct.  [default: about a second of them]")
@click.option("--seed", type=int, metavar="N", help="The seed of uct.  [default: 0]")
@json_option
def search(  # noqa: PLR0913  one parameter an option
    *,
    game: Game | None,
    position: str | None,
    algorithm: str | None,
    depth: int | None,
    order: str | None,
    playouts: int | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Search a position: minimax, alpha-beta, UCT, solver.

    Values are from the first side's point of view: 1 is a win, 0 a draw, -1 a
    loss. Of several winning moves the soonest is best, of several losing moves
    the latest. With --depth, the game's heuristic values the positions at the
    limit, and a win is worth a million plus the number of moves left.

    UCT plays random games, most of them after moves that did well. It does not
    look to a depth, and its values are means until a win or a draw is proven.

    The solver finds the exact value of every move in Connect Four, and in other
    games with gravity. In m,n,k-games without gravity it finds who wins, but not
    how soon. Near the start of a large game, either can take minutes.

    \b
    Examples (the second and third are those of the lecture):
      noughts search
      noughts search --position 'XOO/X../OX. X' --algorithm minimax
      noughts search --position 'OX./.O./XOX X' --depth 2
      noughts search --game connectfour --position '......./......./......./......./...O.../.OXXX.. O'
      noughts search --game connectfour --depth 6
      noughts search --game connectfour --algorithm uct --playouts 1000000
    """
    rules = game or GAMES[0]
    root = rules.start if position is None else read_position(position, rules)
    if algorithm is None and depth is None and order is None and not _fits_search(rules, root):
        _require_absent(Algorithm.ALPHABETA.value, {"--playouts": playouts, "--seed": seed})
        algorithm = SOLVER
    if algorithm == UCT:
        _require_absent(UCT, {"--depth": depth, "--order": order})
        uct_result = Uct(rules, playouts, seed or 0).result(root)
        print_result(uct_lines(uct_result), uct_document(uct_result), as_json=as_json)
        return
    if algorithm == SOLVER:
        _require_absent(SOLVER, {"--playouts": playouts, "--seed": seed, "--depth": depth, "--order": order})
        solved = solve(rules, root)
        print_result(solver_lines(solved), solver_document(solved), as_json=as_json)
        return
    algorithm = algorithm or Algorithm.ALPHABETA.value
    _require_absent(algorithm, {"--playouts": playouts, "--seed": seed})
    moves: Order = next(iter(ORDERS)) if order is None else parse_order(order, rules, root)
    result = search_for(rules, root, algorithm=Algorithm(algorithm), depth=depth, order=moves)
    print_result(_lines(result, moves), _document(result, moves), as_json=as_json)


def _fits_search(game: Game, position: Position) -> bool:
    """Return whether alpha-beta searches to the end of the game: it can, or no solver answers in time."""
    return can_search_to_end(game, position) or (shape_of(game) is None and not is_solved_soon(game))


@dataclass(frozen=True)
class SolvedMoves:
    game: Game
    position: Position
    moves: tuple[RatedMove, ...]
    """The moves, the best first."""
    nodes: int
    seconds: float

    def value(self, move: RatedMove) -> int:
        """Return the value of a move for the first side."""
        value = move.value or 0
        return value if self.game.side(self.position) is Side.FIRST else -value

    def value_text(self, move: RatedMove) -> str:
        return value_text(self.game, self.value(move), move.plies or None, estimated=False)


Result = SearchResult | SolvedMoves | UctResult


def solve(game: Game, position: Position) -> SolvedMoves:
    from engine.analysis.solvers import solver_of  # imports numba

    solver = solver_of(game)
    require_running(game, position)
    start = monotonic()
    solutions = solver.analyse(position)
    seconds = monotonic() - start
    moves = (rating_by_solver(game, position, move, solution.score) for move, solution in solutions.items())
    best_first = sorted(moves, key=lambda move: move.merit, reverse=True)
    nodes = sum(solution.nodes for solution in solutions.values())
    return SolvedMoves(game, position, tuple(best_first), nodes, seconds)


def solver_lines(solved: SolvedMoves) -> list[str]:
    game = solved.game
    rows = [("move", "value"), *((game.move_name(each.move), solved.value_text(each)) for each in solved.moves)]
    work = columns([("nodes", f"{solved.nodes:,}"), ("seconds", f"{solved.seconds:.2f}")], "<<")
    value = solved.value_text(solved.moves[0])
    return _report(solved, f"Solver, {game.title}, exact values", value, columns(rows, "<<"), work)


def solver_document(solved: SolvedMoves) -> dict[str, object]:
    game, best = solved.game, solved.moves[0]
    return {
        **_common_fields(solved, SOLVER),
        "value": solved.value(best),
        "plies": best.plies or None,
        "best": [game.move_name(move.move) for move in best_of(solved.moves)],
        "moves": [
            {"move": game.move_name(move.move), "value": solved.value(move), "plies": move.plies or None}
            for move in solved.moves
        ],
        "nodes": solved.nodes,
        "seconds": solved.seconds,
    }


def _require_absent(algorithm: str, options: Mapping[str, object]) -> None:
    for name, value in options.items():
        if value is not None:
            raise BadText(f"{algorithm} has no option {name}: leave it out, or choose another --algorithm")


def value_text(game: Game, value: int, plies: int | None, *, estimated: bool) -> str:
    """Return the meaning of a value: `X wins in 2 moves`, `X wins` (how soon is not known), `a draw`, `+2`, `even`."""
    if plies is None and not value:
        return "even" if estimated else "a draw"
    if plies is None and estimated:
        return f"{value:+}"
    how_soon = "" if plies is None else f" {in_moves(plies)}"
    return f"{game.mark(Side.FIRST if value > 0 else Side.SECOND)} wins{how_soon}"


def _move_names(game: Game, moves: tuple[int, ...]) -> list[str]:
    return [game.move_name(move) for move in moves]


def _lines(result: SearchResult, order: Order) -> list[str]:
    game, side = result.game, result.game.side(result.position)
    bound = "≤" if side is Side.FIRST else "≥"  # values are for the first side, bounds the best for the side to move
    rows = [("move", "value", "expected play")]
    for move in result.moves:
        line = _move_names(game, move.line)
        value = value_text(game, move.value, move.plies, estimated=move.estimated)
        rows.append((line[0], value if move.exact else f"{bound} {value}", " ".join(line)))
    table = columns(rows, "<<<")
    if not all(move.exact for move in result.moves):
        table.append(f"{bound} a bound, not the value: for {game.mark(side)} this move is no better")
    work = [
        ("order of moves", order if isinstance(order, str) else f"{' '.join(_move_names(game, order))} first"),
        ("nodes", f"{result.nodes:,}"),
        ("leaves", f"{result.leaves:,}"),
        ("of them by heuristic", f"{result.estimates:,}"),
        ("cut-offs", f"{result.cutoffs:,}"),
        ("subtrees skipped", f"{result.skipped:,}"),
    ]
    depth = "to the end" if result.depth is None else f"{counted_noun(result.depth, 'move')} ahead"
    title = f"{ALGORITHMS[result.algorithm]}, {game.title}, {depth}"
    value = value_text(game, result.value, result.plies, estimated=result.estimates > 0)
    return _report(result, title, value, table, columns(work, "<<"))


def _document(result: SearchResult, order: Order) -> dict[str, object]:
    game = result.game
    return {
        **_common_fields(result, result.algorithm.value),
        "depth": result.depth,
        "order": order if isinstance(order, str) else _move_names(game, order),
        "value": result.value,
        "plies": result.plies,
        "best": _move_names(game, result.best),
        "line": _move_names(game, result.line),
        "moves": [
            {
                "move": game.move_name(move.move),
                "value": move.value,
                "plies": move.plies,
                "exact": move.exact,
                "guessed": move.estimated,
                "line": _move_names(game, move.line),
            }
            for move in result.moves
        ],
        "nodes": result.nodes,
        "leaves": result.leaves,
        "guesses": result.estimates,
        "cutoffs": result.cutoffs,
        "skipped": result.skipped,
    }
