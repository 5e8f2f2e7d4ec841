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


def _report(found: "Searched", what: str, value: str, *tables: list[str]) -> list[str]:
    game, position = found.game, found.position
    lines = [
        f"{what}, {game.mark(game.side(position))} to move",
        "",
        *board_lines(game, position),
        "",
        f"Value: {value}",
    ]
    return [*lines, *(line for table in tables for line in ["", *table])]


def _head(found: "Searched", algorithm: str) -> dict[str, object]:
    game, position = found.game, found.position
    side = game.side(position).name.lower()
    return {"game": game.name, "position": game.to_text(position), "side": side, "algorithm": algorithm}


def uct_lines(found: UctResult) -> list[str]:
    game, best = found.game, found.best
    rows = [("move", "visits", "value", "expected play")]
    for each in _by_visits(found):
        line = _named(game, each.line)
        rows.append((line[0], f"{each.visits:,}", _words(found, each), " ".join(line)))
    playouts = counted_noun(found.playouts, "playout") if found.playouts else "without a playout"
    proven = "proven after " if found.playouts else "proven "
    work = [("seed", f"{found.seed}"), ("nodes", f"{found.nodes:,}")]
    if found.playouts:
        work.append(("playouts per second", f"{found.playouts_per_second:,.0f}"))
    what = f"UCT, {game.title}, {proven * found.proven}{playouts}"
    value = f"{_words(found, best)}; plays {game.move_name(best.move)}"
    return _report(found, what, value, columns(rows, "<><<"), columns(work, "<<"))


def _by_visits(found: UctResult) -> list[UctMove]:
    return sorted(found.moves, key=lambda each: (each is not found.best, -each.visits, each.move))


def _words(found: UctResult, move: UctMove) -> str:
    """Return a move's value for the first side: `X wins` or `a draw` if it is proven, else `+0.12` or `not tried`."""
    value = found.value_of(move)
    if not move.proven:
        return f"{value:+.2f}" if move.visits else "not tried"
    return f"{found.game.mark(Side.FIRST if value > 0 else Side.SECOND)} wins" if value else "a draw"


def uct_document(found: UctResult) -> dict[str, object]:
    """Return the result as a document. A move without a playout has no value, unless it is proven."""
    game = found.game
    return {
        **_head(found, UCT),
        "playouts": found.playouts,
        "seed": found.seed,
        "value": found.value,
        "proven": found.proven,
        "best": [game.move_name(found.best.move)],
        "line": _named(game, found.best.line),
        "moves": [
            {
                "move": game.move_name(each.move),
                "visits": each.visits,
                "value": found.value_of(each) if each.visits or each.proven else None,
                "proven": each.proven,
                "line": _named(game, each.line),
            }
            for each in _by_visits(found)
        ],
        "nodes": found.nodes,
        "seconds": found.seconds,
        "playouts_per_second": found.playouts_per_second,
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
    here = rules.start if position is None else read_position(position, rules)
    if algorithm == UCT:
        _require_absent(UCT, {"--depth": depth, "--order": order})
        result = Uct(rules, playouts, seed or 0).result(here)
        print_result(uct_lines(result), uct_document(result), as_json=as_json)
        return
    _require_absent(algorithm or Algorithm.ALPHABETA.value, {"--playouts": playouts, "--seed": seed})
    if algorithm == SOLVER or (algorithm is None and depth is None and order is None and not _fits_search(rules, here)):
        _require_absent(SOLVER, {"--depth": depth, "--order": order})
        exact = solved(rules, here)
        print_result(solver_lines(exact), solver_document(exact), as_json=as_json)
        return
    moves: Order = next(iter(ORDERS)) if order is None else parse_order(order, rules, here)
    found = search_for(rules, here, algorithm=Algorithm(algorithm or Algorithm.ALPHABETA), depth=depth, order=moves)
    print_result(_lines(found, moves), _document(found, moves), as_json=as_json)


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

    def value(self, rated: RatedMove) -> int:
        worth = rated.value or 0
        return worth if self.game.side(self.position) is Side.FIRST else -worth


Searched = SearchResult | SolvedMoves | UctResult


def solved(game: Game, position: Position) -> SolvedMoves:
    from engine.analysis.solvers import solver_of  # imports numba

    solver = solver_of(game)
    require_running(game, position)
    begun = monotonic()
    found = solver.analyse(position)
    seconds = monotonic() - begun
    moves = (rating_by_solver(game, position, move, each.score) for move, each in found.items())
    rated = sorted(moves, key=lambda each: each.merit, reverse=True)
    return SolvedMoves(game, position, tuple(rated), sum(each.nodes for each in found.values()), seconds)


def solver_lines(found: SolvedMoves) -> list[str]:
    game, best = found.game, found.moves[0]
    rows = [("move", "value")] + [
        (game.move_name(each.move), value_words(game, found.value(each), each.plies or None, estimated=False))
        for each in found.moves
    ]
    value = value_words(game, found.value(best), best.plies or None, estimated=False)
    work = columns([("nodes", f"{found.nodes:,}"), ("seconds", f"{found.seconds:.2f}")], "<<")
    return _report(found, f"Solver, {game.title}, exact values", value, columns(rows, "<<"), work)


def solver_document(found: SolvedMoves) -> dict[str, object]:
    game, best = found.game, found.moves[0]
    return {
        **_head(found, SOLVER),
        "value": found.value(best),
        "plies": best.plies or None,
        "best": [game.move_name(each.move) for each in best_of(found.moves)],
        "moves": [
            {"move": game.move_name(each.move), "value": found.value(each), "plies": each.plies or None}
            for each in found.moves
        ],
        "nodes": found.nodes,
        "seconds": found.seconds,
    }


def _require_absent(algorithm: str, options: Mapping[str, object]) -> None:
    for name, value in options.items():
        if value is not None:
            raise BadText(f"{algorithm} has no option {name}: leave it out, or choose another --algorithm")


def value_words(game: Game, value: int, plies: int | None, *, estimated: bool) -> str:
    """Return the meaning of a value: `X wins in 2 moves`, `X wins` (how soon is not known), `a draw`, `+2`, `even`."""
    if plies is not None or (value and not estimated):
        how_soon = "" if plies is None else f" {in_moves(plies)}"
        return f"{game.mark(Side.FIRST if value > 0 else Side.SECOND)} wins{how_soon}"
    return f"{value:+}" if value else "even" if estimated else "a draw"


def _named(game: Game, moves: tuple[int, ...]) -> list[str]:
    return [game.move_name(move) for move in moves]


def _lines(found: SearchResult, order: Order) -> list[str]:
    game, side = found.game, found.game.side(found.position)
    bound = "≤" if side is Side.FIRST else "≥"  # values are for the first side, bounds the best for the side to move
    rows = [("move", "value", "expected play")]
    for rated in found.moves:
        line = _named(game, rated.line)
        value = value_words(game, rated.value, rated.plies, estimated=rated.estimated)
        rows.append((line[0], value if rated.exact else f"{bound} {value}", " ".join(line)))
    table = columns(rows, "<<<")
    if not all(rated.exact for rated in found.moves):
        table.append(f"{bound} a bound, not the value: for {game.mark(side)} this move is no better")
    work = [
        ("order of moves", order if isinstance(order, str) else f"{' '.join(_named(game, order))} first"),
        ("nodes", f"{found.nodes:,}"),
        ("leaves", f"{found.leaves:,}"),
        ("of them by heuristic", f"{found.estimates:,}"),
        ("cut-offs", f"{found.cutoffs:,}"),
        ("subtrees skipped", f"{found.skipped:,}"),
    ]
    depth = "to the end" if found.depth is None else f"{counted_noun(found.depth, 'move')} ahead"
    value = value_words(game, found.value, found.plies, estimated=found.estimates > 0)
    return _report(found, f"{ALGORITHMS[found.algorithm]}, {game.title}, {depth}", value, table, columns(work, "<<"))


def _document(found: SearchResult, order: Order) -> dict[str, object]:
    game = found.game
    return {
        **_head(found, found.algorithm.value),
        "depth": found.depth,
        "order": order if isinstance(order, str) else _named(game, order),
        "value": found.value,
        "plies": found.plies,
        "best": _named(game, found.best),
        "line": _named(game, found.line),
        "moves": [
            {
                "move": game.move_name(rated.move),
                "value": rated.value,
                "plies": rated.plies,
                "exact": rated.exact,
                "guessed": rated.estimated,
                "line": _named(game, rated.line),
            }
            for rated in found.moves
        ],
        "nodes": found.nodes,
        "leaves": found.leaves,
        "guesses": found.estimates,
        "cutoffs": found.cutoffs,
        "skipped": found.skipped,
    }
