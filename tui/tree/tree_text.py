"""Texts and bars of the Tree screen, for a node and for the whole tree.

"The post" is the post on the R package data.tree: see `engine.trees.tree`.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final

from rich.style import Style
from rich.text import Text
from textual.geometry import Size

from engine.analysis.rating import RatedMove
from engine.game import Game, Move, Outcome
from engine.plural import counted_noun
from engine.trees.tree import PUBLISHED_MISTAKE, Branch, Games, Node, Statistics, Tree, TreeRules, tree_of
from lab.advice.advice import rated_move_text
from lab.search import best_play_text, reached_box
from lab.text.numbers import percent_text
from tui.shell.parts import numbered_moves
from tui.widgets.palette import Palette
from tui.widgets.tiles import BARE, FRAMED, BoxForm, box_lines, box_width, line_text

NODES_SIGN: Final = "▆"
COUNT_WIDTH: Final = 9
"""The minimum width of a column of numbers of games or nodes."""
MIN_BAR: Final = 4
"""The minimum width of a bar, in columns."""
TWO_COLUMNS_FROM: Final = 70
"""The minimum width, in columns of the terminal, of the figures of a tree side by side."""
SIGNS: Final = {Outcome.FIRST_WINS: "▆", Outcome.DRAW: "▂", Outcome.SECOND_WINS: "▄"}
"""The characters for the endings of games, in their order in a bar; distinct even without colours, and lower than a
line, so that two bars never merge."""


def move_text(node: Node) -> str:
    """Return the last move with its mark, `O b2`; for the root, `start`."""
    game, path = node.tree.played, node.path
    if not path:
        return "start"
    return f"{game.marks[(len(path) - 1) % 2]} {game.move_labels(game.start, path)[-1]}"


def moves_text(node: Node, path: Sequence[Move], before: int = 0) -> str:
    """Return moves with their numbers, `3. a2  4. b3`, after `before` others."""
    game = node.tree.played
    return "  ".join(numbered_moves(game.move_labels(node.position if before else game.start, path), before + 1))


def boards_text(lines: Sequence[Sequence[Node]], size: Size, palette: Palette) -> Text:
    """Return the positions of nodes as boards, in the largest form that fits into a size.

    Each line of several nodes has its own row, as far as it fits; lines of one node are rows together.
    """
    nodes, text = [node for line in lines for node in line], Text()
    each_ends = len(nodes) == len(lines)
    forms = (FRAMED, "\n"), (BARE, "\n\n"), (BARE, "\n"), (replace(BARE, captioned=False), "\n\n")
    for form, separator in forms:
        first_width = max((box_width(reached_box(node, ends=True), form) for node in nodes), default=1)
        other_width = max((box_width(reached_box(node, ends=each_ends), form) for node in nodes), default=1)
        count = 1 + max(0, size.width - first_width) // (other_width + form.apart)
        rows: list[Sequence[Node]] = [line[:count] for line in lines]
        if each_ends:
            rows = [nodes[start : start + count] for start in range(0, len(nodes), count)]
        text = Text(separator, no_wrap=True).join(
            _row_of_boards(row, (first_width, other_width), palette, form, each_ends=each_ends) for row in rows
        )
        if text.plain.count("\n") < size.height:
            break
    return text


def _row_of_boards(
    nodes: Sequence[Node], widths: tuple[int, int], palette: Palette, form: BoxForm, *, each_ends: bool
) -> Text:
    """Return a row of boards. The first one says how the game ends, the others if `each_ends`.

    `widths` are those of the first one and of the others.
    """
    first_width, other_width = widths
    boards = []
    for number, node in enumerate(nodes):
        is_first = number == 0
        box = reached_box(node, ends=each_ends or is_first)
        lines = [line_text(line) for line in box_lines(box, first_width if is_first else other_width, palette, form)]
        for line in lines:
            line.apply_meta({"@click": f"screen.go_to({node.path})"})
        boards.append(lines)
    return Text("\n").join(map(Text(" " * form.apart).join, zip(*boards, strict=True)))


def ending_name(game: Game, outcome: Outcome) -> str:
    return "draws" if outcome.winner is None else f"{game.mark(outcome.winner)} wins"


def ending_style(outcome: Outcome, palette: Palette) -> Style:
    return {Outcome.FIRST_WINS: palette.first, Outcome.SECOND_WINS: palette.second, Outcome.DRAW: palette.quiet}[
        outcome
    ]


def shares(counts: list[int], width: int) -> list[int]:
    """Return `width` divided in proportion to the counts; a count above 0 gets at least 1, if there is room."""
    total = sum(counts)
    if not total:
        return [0] * len(counts)
    parts = [count * width // total for count in counts]
    while sum(parts) < width:
        shortest = max(range(len(counts)), key=lambda place: counts[place] * width / total - parts[place])
        parts[shortest] += 1
    for place, count in enumerate(counts):
        if count and not parts[place] and max(parts) > 1:
            parts[parts.index(max(parts))] -= 1
            parts[place] = 1
    return parts


def endings_bar(games: Games, width: int, palette: Palette) -> Text:
    """Return a bar of how games end: wins of the first side, draws, wins of the second side."""
    bar = Text()
    for outcome, cells in zip(SIGNS, shares([games.ending(outcome) for outcome in SIGNS], width), strict=True):
        bar.append(SIGNS[outcome] * cells, ending_style(outcome, palette))
    return bar


def numbers_of(node: Node) -> dict[int, str]:
    """Return the number of the move that made each mark of a node, by square, as the post prints them.

    A stone, which nobody made, has none.
    """
    numbers = {}
    for square, (piece, text) in enumerate(zip(node.tree.played.board.cells(node.position), node.board, strict=True)):
        number = text.removeprefix(piece.mark) if piece else ""
        if number:
            numbers[square] = number
    return numbers


def beginning_text(game: Game, rated: Sequence[RatedMove], counts: Sequence[int], palette: Palette) -> Text:
    """Return what is known of the first moves of a game that has no whole tree.

    `counts` are the numbers of lines of play of 0, 1, 2 … moves.
    """
    text = Text().append(f"{game.title} is too large for a whole tree. j searches it a few moves deep.", "bold")
    names: dict[str, list[str]] = {}
    styles: dict[str, Style | str] = {}
    for move in sorted(rated, key=lambda move: move.merit, reverse=True):
        verdict = rated_move_text(move)
        names.setdefault(verdict, []).append(game.move_label(game.start, move.move))
        styles[verdict] = ""
        if move.value:
            styles[verdict] = palette.good if move.value > 0 else palette.bad
    verdict_width = max(map(len, names), default=0)
    text.append("\n\nFirst moves, with best play" if rated else "\n\nLooking at the first moves …", "dim")
    for verdict, moves in names.items():
        text.append(f"\n{verdict:<{verdict_width}}  ", styles[verdict]).append(" ".join(moves))
    if counts:
        text.append("\n\nLines of play", "dim")
        count_width = len(f"{counts[-1]:,}")
        for ply, count in enumerate(counts[1:], 1):
            text.append(f"\n{count:>{count_width},} of {counted_noun(ply, 'move')}")
    return text


def ending_counts_text(game: Game, games: Games, palette: Palette, width: int) -> Text:
    """Return a line for each ending: the number of games, their share, and a bar if it fits into `width`."""
    text, total = Text(no_wrap=True), games.total
    count_width = max(COUNT_WIDTH, len(f"{total:,}") + 1)
    for outcome in SIGNS:
        count = games.ending(outcome)
        share = count / total if total else 0.0
        text.append(f"{ending_name(game, outcome):<7}{count:>{count_width},}  {percent_text(share):>6}")
        room = width - count_width - 17
        if room >= MIN_BAR:
            text.append("  ").append(SIGNS[outcome] * round(share * room), ending_style(outcome, palette))
        text.append("\n")
    text.rstrip()
    return text


def node_text(node: Node, palette: Palette, width: int, *, whole: bool) -> Text:
    """Return the moves that lead to a node, the best play from it and how games end.

    If `whole`, also the numbers of games and nodes, and an empty line between the parts.
    """
    game = node.tree.played
    text = Text(moves_text(node, node.path) or "Before any move").append("\n\n" if whole else "\n")
    if node.outcome is not None:
        winner = node.outcome.winner
        text.append("A draw." if winner is None else f"{game.mark(winner)} has won.", "bold")
        return text.append(f" The game is over after {counted_noun(len(node.path), 'move')}.")
    best = best_play_text(game, node.value)
    line = moves_text(node, [each.path[-1] for each in node.main_line], len(node.path))
    text.append(best[0].upper() + best[1:], "bold").append(f" with best play:\n{line}\n\n")
    text.append_text(ending_counts_text(game, node.games, palette, width))
    if whole:
        count_width = max(COUNT_WIDTH, len(f"{node.games.total:,}") + 1)
        for name, count in (("games", node.games.total), ("nodes", node.nodes)):
            text.append(f"\n{name:<7}{count:>{count_width},}", palette.quiet)
    return text


def statistics_text(tree: Tree, statistics: Statistics, palette: Palette, width: int) -> Text:
    """Return the figures of the whole tree."""
    game = tree.played
    text = Text()
    if tree.rules is TreeRules.PUBLISHED:
        correct = tree_of(tree.game, TreeRules.CORRECT, tree.reduction).statistics()
        text.append("As published: ", "bold").append(f"{PUBLISHED_MISTAKE}. ")
        text.append(f"By the correct rules there are {correct.leaves:,} games and {correct.nodes:,} nodes.\n\n")
    figures = (
        ("nodes", f"{statistics.nodes:,}"),
        ("leaves", f"{statistics.leaves:,}"),
        ("moves a game", f"{statistics.mean_length:.2f}"),
        ("moves a node", f"{statistics.mean_branching:.2f}"),
    )
    for name, figure in figures:
        text.append(f"{name:<14}{figure:>10}\n")
    has_two_columns = width >= TWO_COLUMNS_FROM
    column = width // 2 - 2 if has_two_columns else width
    text.append("\n").append_text(ending_counts_text(game, statistics.games, palette, column))
    by_ply, by_move = _by_ply(statistics, palette, column), _by_first_move(game, statistics, palette, column)
    if not has_two_columns:
        return Text("\n\n").join([text, by_ply, by_move])
    first_column = text.append("\n\n").append_text(by_move).split()
    lines = []
    for first, second in zip_longest(first_column, by_ply.split(), fillvalue=Text()):
        line = first.copy()
        line.pad_right(max(0, width - column - line.cell_len))
        lines.append(line + second)
    return Text("\n", no_wrap=True).join(lines)


def _heading(text: str) -> Text:
    return Text(no_wrap=True).append(text, "bold")


def _by_ply(statistics: Statistics, palette: Palette, width: int) -> Text:
    most_nodes = max(statistics.by_ply)
    count_width = max(COUNT_WIDTH, len(f"{most_nodes:,}") + 2)
    text = _heading(f"{'move':>4}{'games':>{count_width}}{'nodes':>{count_width}}")
    room = width - 6 - 2 * count_width
    for ply, (nodes, games) in enumerate(zip(statistics.by_ply, statistics.games_by_ply, strict=True)):
        games_text = f"{games.total:,}" if games.total else "–"
        text.append(f"\n{ply:>4}{games_text:>{count_width}}{nodes:>{count_width},}")
        if room >= MIN_BAR:
            text.append("  ").append(NODES_SIGN * round(nodes / most_nodes * room), palette.quiet)
    return text


def _symmetric_groups(game: Game, branches: Sequence[Branch]) -> list[list[Branch]]:
    """Return first moves in groups: those with the same figures that a symmetry of the empty board maps to each other.

    By the published rules, symmetric moves may have different figures.
    """
    symmetries = [each for each in game.symmetries if game.transform(game.start, each) == game.start]
    groups: dict[object, list[Branch]] = {}
    for branch in branches:
        representative = min(game.transform_move(branch.move, each) for each in symmetries)
        groups.setdefault((representative, branch.value, branch.games), []).append(branch)
    return list(groups.values())


def _by_first_move(game: Game, statistics: Statistics, palette: Palette, width: int) -> Text:
    groups = _symmetric_groups(game, statistics.by_first_move)
    names = []
    for group in groups:
        name = game.move_label(game.start, group[0].move)
        names.append(f"{name} ×{len(group)}" if len(group) > 1 else name)
    name_width = max(5, *map(len, names))
    count_width = max(COUNT_WIDTH, *(len(f"{branch.games.total:,}") + 2 for branch, *_ in groups))
    text = _heading(f"{'first':<{name_width}}{'games':>{count_width}}  best play")
    room = width - name_width - count_width - 12
    for name, (branch, *_) in zip(names, groups, strict=True):
        best = best_play_text(game, branch.value)
        text.append(f"\n{name:<{name_width}}{branch.games.total:>{count_width},}  {best:<8}")
        if room >= MIN_BAR:
            text.append("  ").append_text(endings_bar(branch.games, room, palette))
    return text
