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
from engine.trees.tree import WHY, Branch, Games, Node, Statistics, Tree, TreeRules, tree_of
from lab.advice.advice import rated_move_text
from lab.search import best_play, reached_box
from lab.text.numbers import percent_text
from tui.shell.parts import numbered
from tui.widgets.tiles import BARE, FRAMED, BoxForm, Palette, box_lines, box_width, text_of

BAR: Final = "▆"
COUNT: Final = 9
"""The minimum width of a column of numbers of games or nodes."""
MIN_BAR: Final = 4
"""The minimum width of a bar, in columns."""
BESIDE_FROM: Final = 70
"""The minimum width, in columns, of two columns of figures of a tree."""
SIGNS: Final = {Outcome.FIRST_WINS: "▆", Outcome.DRAW: "▂", Outcome.SECOND_WINS: "▄"}
"""The characters for the endings of games, in their order in a bar; distinct even without colours, and lower than a
line, so that two bars never merge."""


def move_text(node: Node) -> str:
    """Return the last move with its mark, `O b2`; for the root, `start`."""
    game, path = node.tree.played, node.path
    return f"{game.marks[(len(path) - 1) % 2]} {game.move_labels(game.start, path)[-1]}" if path else "start"


def moves_text(node: Node, path: Sequence[Move], before: int = 0) -> str:
    """Return moves with their numbers, `3. a2  4. b3`, after `before` others."""
    game = node.tree.played
    return "  ".join(numbered(game.move_labels(node.position if before else game.start, path), before + 1))


def boards_text(lines: Sequence[Sequence[Node]], size: Size, palette: Palette) -> Text:
    """Return the positions of nodes as boards, in the largest form that fits into a size.

    Each line of several nodes has its own row, as far as it fits; lines of one node are rows together.
    """
    nodes, text = [node for line in lines for node in line], Text()
    alone = len(nodes) == len(lines)
    forms = (FRAMED, "\n"), (BARE, "\n\n"), (BARE, "\n"), (replace(BARE, captioned=False), "\n\n")
    for form, between in forms:
        first, rest = (
            max((box_width(reached_box(node, ends=ends), form) for node in nodes), default=1) for ends in (True, alone)
        )
        count = 1 + max(0, size.width - first) // (rest + form.apart)
        chunks = [nodes[start : start + count] for start in range(0, len(nodes), count)]
        rows = chunks if alone else [line[:count] for line in lines]
        text = Text(between, no_wrap=True).join(
            _row_of_boards(row, (first, rest), palette, form, alone=alone) for row in rows
        )
        if text.plain.count("\n") < size.height:
            break
    return text


def _row_of_boards(
    nodes: Sequence[Node], widths: tuple[int, int], palette: Palette, form: BoxForm, *, alone: bool
) -> Text:
    """Return a row of boards, of which the first one says how the game ends, and each if it stands `alone`."""
    drawn = []
    for at, node in enumerate(nodes):
        box = reached_box(node, ends=alone or not at)
        lines = list(map(text_of, box_lines(box, widths[at > 0], palette, form)))
        for line in lines:
            line.apply_meta({"@click": f"screen.go_to({node.path})"})
        drawn.append(lines)
    return Text("\n").join(map(Text(" " * form.apart).join, zip(*drawn, strict=True)))


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
        short = max(range(len(counts)), key=lambda place: counts[place] * width / total - parts[place])
        parts[short] += 1
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
    """Return the number of the move that made each mark of a node, by square, as the post prints them."""
    pieces = node.tree.played.board.cells(node.position)
    written = zip(pieces, node.board, strict=True)
    numbers = {square: text.removeprefix(piece.mark) for square, (piece, text) in enumerate(written) if piece}
    return {square: number for square, number in numbers.items() if number}  # nobody made a stone


def beginning_text(game: Game, rated: Sequence[RatedMove], counts: Sequence[int], palette: Palette) -> Text:
    """Return what is known of the first moves of a game that has no whole tree.

    `counts` are the numbers of lines of play of 0, 1, 2 … moves.
    """
    text = Text().append(f"{game.title} is too large for a whole tree. j searches it a few moves deep.", "bold")
    names: dict[str, list[str]] = {}
    tones: dict[str, Style | str] = {}
    for each in sorted(rated, key=lambda each: each.merit, reverse=True):
        names.setdefault(rated_move_text(each), []).append(game.move_label(game.start, each.move))
        tones[rated_move_text(each)] = "" if not each.value else palette.good if each.value > 0 else palette.bad
    verdicts = max(map(len, names), default=0)
    text.append("\n\nFirst moves, with best play" if rated else "\n\nLooking at the first moves …", "dim")
    for verdict, who in names.items():
        text.append(f"\n{verdict:<{verdicts}}  ", tones[verdict]).append(" ".join(who))
    text.append("\n\nLines of play" if counts else "", "dim")
    for moves, count in enumerate(counts[1:], 1):
        text.append(f"\n{count:>{len(f'{counts[-1]:,}')},} of {counted_noun(moves, 'move')}")
    return text


def counted_endings(game: Game, games: Games, palette: Palette, width: int) -> Text:
    """Return a line for each ending: the number of games, their share, and a bar if it fits into `width`."""
    text, total = Text(no_wrap=True), games.total
    widest = max(COUNT, len(f"{total:,}") + 1)
    for outcome in SIGNS:
        count = games.ending(outcome)
        share = count / total if total else 0.0
        text.append(f"{ending_name(game, outcome):<7}{count:>{widest},}  {percent_text(share):>6}")
        room = width - widest - 17
        if room >= MIN_BAR:
            text.append("  ").append(SIGNS[outcome] * round(share * room), ending_style(outcome, palette))
        text.append("\n")
    text.rstrip()
    return text


def node_text(node: Node, palette: Palette, width: int, *, whole: bool) -> Text:
    """Return the moves that lead to a node, the best play from it and how games end; if `whole`, more in more lines."""
    game, gap = node.tree.played, "\n\n" if whole else "\n"
    text = Text(moves_text(node, node.path) or "Before any move").append(gap)
    if node.outcome is not None:
        winner = node.outcome.winner
        text.append("A draw." if winner is None else f"{game.mark(winner)} has won.", "bold")
        return text.append(f" The game is over after {counted_noun(len(node.path), 'move')}.")
    best = best_play(game, node.value)
    line = moves_text(node, [each.path[-1] for each in node.main_line], len(node.path))
    text.append(best[0].upper() + best[1:], "bold").append(f" with best play:\n{line}\n\n")
    text.append_text(counted_endings(game, node.games, palette, width))
    widest = max(COUNT, len(f"{node.games.total:,}") + 1)
    for name, count in (("games", node.games.total), ("nodes", node.nodes)) if whole else ():
        text.append(f"\n{name:<7}{count:>{widest},}", palette.quiet)
    return text


def statistics_text(tree: Tree, statistics: Statistics, palette: Palette, width: int) -> Text:
    """Return the figures of the whole tree."""
    game = tree.played
    text = Text()
    if tree.rules is TreeRules.PUBLISHED:
        right = tree_of(tree.game, TreeRules.CORRECT, tree.reduction).statistics()
        text.append("As published: ", "bold").append(f"{WHY}. ")
        text.append(f"By the correct rules there are {right.leaves:,} games and {right.nodes:,} nodes.\n\n")
    figures = (
        ("nodes", f"{statistics.nodes:,}"),
        ("leaves", f"{statistics.leaves:,}"),
        ("moves a game", f"{statistics.mean_length:.2f}"),
        ("moves a node", f"{statistics.mean_branching:.2f}"),
    )
    for name, figure in figures:
        text.append(f"{name:<14}{figure:>10}\n")
    beside = width >= BESIDE_FROM
    column = width // 2 - 2 if beside else width
    text.append("\n").append_text(counted_endings(game, statistics.games, palette, column))
    by_ply, by_move = _by_ply(statistics, palette, column), _by_first_move(game, statistics, palette, column)
    if not beside:
        return Text("\n\n").join([text, by_ply, by_move])
    rows = zip_longest(text.append("\n\n").append_text(by_move).split(), by_ply.split(), fillvalue=Text())
    return Text("\n", no_wrap=True).join(_padded(left, width - column) + right for left, right in rows)


def _padded(line: Text, width: int) -> Text:
    line.pad_right(max(0, width - line.cell_len))
    return line


def _heading(text: str) -> Text:
    return Text(no_wrap=True).append(text, "bold")


def _by_ply(statistics: Statistics, palette: Palette, width: int) -> Text:
    most = max(statistics.by_ply)
    widest = max(COUNT, len(f"{most:,}") + 2)
    text, room = _heading(f"{'move':>4}{'games':>{widest}}{'nodes':>{widest}}"), width - 6 - 2 * widest
    for ply, (nodes, games) in enumerate(zip(statistics.by_ply, statistics.games_by_ply, strict=True)):
        ended = f"{games.total:,}" if games.total else "–"
        text.append(f"\n{ply:>4}{ended:>{widest}}{nodes:>{widest},}")
        if room >= MIN_BAR:
            text.append("  ").append(BAR * round(nodes / most * room), palette.quiet)
    return text


def _symmetric_groups(game: Game, branches: Sequence[Branch]) -> list[list[Branch]]:
    """Return first moves in groups: those with the same figures that a symmetry of the empty board maps to each other.

    By the published rules, symmetric moves may have different figures.
    """
    symmetries = [each for each in game.symmetries if game.transform(game.start, each) == game.start]
    found: dict[object, list[Branch]] = {}
    for branch in branches:
        first = min(game.transform_move(branch.move, each) for each in symmetries)
        found.setdefault((first, branch.value, branch.games), []).append(branch)
    return list(found.values())


def _by_first_move(game: Game, statistics: Statistics, palette: Palette, width: int) -> Text:
    groups = _symmetric_groups(game, statistics.by_first_move)
    times = [f" ×{len(those)}" if len(those) > 1 else "" for those in groups]
    names = [game.move_label(game.start, those[0].move) + time for those, time in zip(groups, times, strict=True)]
    widest = max(5, *map(len, names))
    count = max(COUNT, *(len(f"{branch.games.total:,}") + 2 for branch, *_ in groups))
    text = _heading(f"{'first':<{widest}}{'games':>{count}}  best play")
    room = width - widest - count - 12
    for name, (branch, *_) in zip(names, groups, strict=True):
        best = best_play(game, branch.value)
        text.append(f"\n{name:<{widest}}{branch.games.total:>{count},}  {best:<8}")
        if room >= MIN_BAR:
            text.append("  ").append_text(endings_bar(branch.games, room, palette))
    return text
