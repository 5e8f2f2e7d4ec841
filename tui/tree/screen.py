"""Tree: every way to play a game, opened node by node, with exact values and the numbers of games."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import ClassVar, Final

from rich.text import Text
from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Select, Static

from engine.analysis.rating import RatedMove, rate_moves
from engine.game import Game, MoveSequence, Outcome, Position
from engine.games import known_games, parse_game
from engine.stop import Stop
from engine.trees.plies import Plies
from engine.trees.tree import PUBLISHED, Node, Reduction, Statistics, Tree, TreeRules, tree_of
from lab.memory.matchbox import board_box
from lab.pictures.boards import node_picture
from lab.text.sanitise import plain
from tui.shell.dialog import Prompt
from tui.shell.files import Export
from tui.shell.parts import ChoiceList, Panel, Prose, choice_with_key, entitle
from tui.shell.screen import LabScreen
from tui.tree.game_tree import GameTree, TreeHeading
from tui.tree.search_screen import SearchScreen
from tui.tree.tree_text import beginning_text, boards_text, ending_name, node_text, numbers_of, statistics_text
from tui.widgets.board import BoardView
from tui.widgets.board_shape import board_size
from tui.widgets.palette import palette_of
from tui.widgets.tiles import SMALL, box_lines, line_text
from tui.widgets.xray_notes import notes_of_truth

ALL_ENDINGS: Final = "every"
"""The value of the choice of all endings."""
TREE_ACTIONS: Final = {"find", "main_line", "view"}
"""Actions that need a whole tree."""
RULES: Final = {"usual rules": TreeRules.CORRECT.value, "as published": TreeRules.PUBLISHED.value}
REDUCTIONS: Final = {
    "all moves": Reduction.NONE.value,
    "first merged": Reduction.FIRST_MOVE.value,
    "all merged": Reduction.SYMMETRY.value,
}

SHALLOW: Final = 3
"""The number of moves up to which the lines of play of any game are counted at once."""

POSITION_NOTE: Final = "Its rows from the top, . for empty; then who moves"


class TreeScreen(LabScreen):
    """Shows the tree of a game, and beside it the selected node and the figures of the whole tree."""

    mode = "tree"
    AUTO_FOCUS = "#tree"
    HELP = """\
# Tree

Every way to play a game. Each line is a node. It shows the last move; how the game ends if both sides play best from
there; how many games begin this way; and a bar of how they end: `▆` won by the first side, `▂` drawn, `▄` won by the
second.

**Right** opens a node, **left** closes it or goes up; a click on the arrow does the same. Beside the tree are the board
of the node, each mark with the number of its move, and the figures of the whole tree: **f** switches between them where
there is no room for both. If they are longer than the screen, **Tab** goes there and the arrows scroll.

The lists above choose the **game**, the **rules**, which moves count as one by **symmetry**, and which **endings** are
counted. **Published** plays tic-tac-toe by the rules of a post on the R package data.tree, where one diagonal never
wins, and counts symmetric first moves as one.

**j** opens the search of the node: how minimax, alpha-beta and UCT find its value. **M** goes to the end of the best
play for both sides. **/** finds a position.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "find", "Find", tooltip="goes to a typed position", key_display="/"),
        Binding("j", "search", "Search", tooltip="searches the position, step by step"),
        Binding("M", "main_line", "Main line", tooltip="goes where best play ends"),
        Binding("E", "next('ending')", "Endings", tooltip="how early ends are counted", show=False),
        Binding("Y", "next('reduction')", "Symmetry", tooltip="merges symmetric positions", show=False),
        Binding("U", "next('rules')", "Rules", tooltip="correct or published rules", show=False),
        Binding("b", "next('game')", "Game", tooltip="chooses the game", show=False),
        Binding("f", "view", "Figures", tooltip="shows the tree's numbers"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.tree_shown: Tree | None = None
        self.statistics: Statistics | None = None
        self.too_large = False
        """Whether the game is too large for a whole tree."""

    def body(self) -> Iterable[Widget]:
        game = self.lab.game
        with Vertical(id="tree-screen"):
            with entitle(Horizontal(classes="choices panel"), "What is counted"):
                for name, key, options, value in (
                    ("game", "b", [(each.title, each.name) for each in known_games(game)], game.name),
                    ("rules", "U", [*RULES.items()], TreeRules.CORRECT.value),
                    ("reduction", "Y", [*REDUCTIONS.items()], Reduction.NONE.value),
                    ("ending", "E", endings_of(game), ALL_ENDINGS),
                ):
                    yield choice_with_key(key, ChoiceList(options, value=value, id=f"tree-{name}"))
            with entitle(Panel(id="tree-none", classes="panel"), "No whole tree", "`j` searches"):
                yield BoardView(self.lab.game, id="tree-start")
                yield Prose("", id="tree-note", markup=False)
            with Container(id="tree-both"):
                with entitle(Vertical(id="tree-lines", classes="panel"), "Moves", "`j` searches from here"):
                    yield TreeHeading()
                    yield GameTree(id="tree")
                with entitle(Panel(id="tree-node", classes="panel"), "The node", "`M` main line"):
                    yield BoardView(self.lab.game, id="tree-board")
                    yield Static("", id="tree-numbers", markup=False)
                with entitle(Panel(id="tree-figures", classes="panel"), "Figures of the tree"):
                    yield Static("", id="tree-statistics", markup=False)
                with entitle(Panel(id="tree-next", classes="panel"), "Its moves"):
                    yield Static("", id="tree-branches", markup=False)

    def set_up(self) -> None:
        super().set_up()
        for board in self.query(BoardView):
            board.can_focus = False
        self.query_one("#tree-branches").auto_links = False  # a board that can be clicked keeps its colours
        self.load()

    def chosen(self, name: str) -> str:
        return str(self.query_one(f"#tree-{name}", Select).value)

    @property
    def game(self) -> Game:
        return parse_game(self.chosen("game"))

    @property
    def selected_node(self) -> Node | None:
        return self.query_one(GameTree).selected_node

    @property
    def position(self) -> Position:
        """The position on the board, from which a search starts."""
        node = self.selected_node
        return self.game.start if node is None else node.position

    @property
    def ending(self) -> Outcome | None:
        name = self.chosen("ending")
        return None if name == ALL_ENDINGS else Outcome[name]

    @on(Select.Changed)
    def choice_changed(self, message: Select.Changed) -> None:
        """Count the tree that is chosen now; the cursor stays on its node if the tree has it."""
        if message.select.id == "tree-game":
            self.query_one("#tree-ending", Select).set_options(endings_of(self.game))
        if message.select.id == "tree-rules" and self.chosen("rules") == TreeRules.PUBLISHED:
            with self.prevent(Select.Changed):
                self.query_one("#tree-game", Select).value = PUBLISHED.name
                if self.chosen("reduction") == Reduction.NONE:  # the published post counts symmetric first moves as one
                    self.query_one("#tree-reduction", Select).value = Reduction.FIRST_MOVE.value
        if message.select.id == "tree-game" and self.game.name != PUBLISHED.name:
            with self.prevent(Select.Changed):
                self.query_one("#tree-rules", Select).value = TreeRules.CORRECT.value
        self.load()

    def load(self) -> None:
        """Count the tree that is chosen in the background."""
        game, rules, reduction = self.game, TreeRules(self.chosen("rules")), Reduction(self.chosen("reduction"))

        def count(_: Stop) -> tuple[Tree, Statistics]:
            tree = tree_of(game, rules, reduction)
            _value = tree.root.value  # computed here, in the background; the tree keeps it
            return tree, tree.statistics()

        self.run_in_background("tree", count, self.show, lambda _: self.look_at_the_start(game))

    def show(self, result: tuple[Tree, Statistics]) -> None:
        tree, statistics = result
        node = self.selected_node
        path = node.path if node and node.tree.game is tree.game else ()
        self.tree_shown, self.statistics = tree, statistics
        self.query_one("#tree-none").display = False
        self.query_one("#tree-both").display = True
        self.enable_choices(counted=True)
        self.query_one(GameTree).show(tree, self.ending, path)
        if self.focused is None:
            self.query_one(GameTree).focus()
        self.draw()

    def look_at_the_start(self, game: Game) -> None:
        """Find what is known of the first moves of a game that is too large for a whole tree, and show it."""
        self.show_none(game)
        self.run_in_background(
            "tree",
            lambda stop: (rate_moves(game, game.start, stop), [level.nodes for level in Plies(game).count(SHALLOW)]),
            lambda result: self.show_none(game, *result),
        )

    def show_none(self, game: Game, rated: Sequence[RatedMove] = (), counts: Sequence[int] = ()) -> None:
        """Show that a game is too large for a whole tree, with what is known of its first moves."""
        self.tree_shown = self.statistics = None
        self.query_one(GameTree).blank()
        self.query_one("#tree-both").display = False
        self.enable_choices(counted=False)
        self.query_one("#tree-none").display = True
        board = self.query_one("#tree-start", BoardView)
        board.show(game, game.start)
        board.notes = notes_of_truth(game, game.start, rated)
        self.query_one("#tree-note", Static).update(beginning_text(game, rated, counts, palette_of(self)))

    def enable_choices(self, *, counted: bool) -> None:
        """Enable the lists of symmetries and endings only if the tree is `counted`."""
        self.too_large = not counted
        for name in ("reduction", "ending"):
            self.query_one(f"#tree-{name}", Select).disabled = not counted
        self.refresh_bindings()

    @on(GameTree.NodeHighlighted)
    def node_selected(self) -> None:
        self.draw()

    def draw(self) -> None:
        node, tree, statistics = self.selected_node, self.tree_shown, self.statistics
        if node is None or tree is None or statistics is None:
            return
        self._draw_node(node, tree)
        figures = self.query_one("#tree-figures")
        if figures.display:
            width = figures.scrollable_content_region.width
            text = statistics_text(tree, statistics, palette_of(self), width)
            self.query_one("#tree-statistics", Static).update(text)
        panel = self.query_one("#tree-next", Panel)
        if panel.display:
            self._draw_moves(node, panel)

    def _draw_node(self, node: Node, tree: Tree) -> None:
        """Draw the board of a node and its numbers; the board is small where not both fit."""
        game, palette = node.tree.played, palette_of(self)
        panel, board = self.query_one("#tree-node"), self.query_one("#tree-board", BoardView)
        width = panel.scrollable_content_region.width
        text_of_node = partial(node_text, palette=palette, width=width, whole=self.has_class("-tall"))
        board.show(game, node.position)
        board.numbers = numbers_of(node)
        board.last = () if node.parent is None else game.board.squares(node.parent.position, node.path[-1])[-1:]
        longest = text_of_node(tree.root)  # so that the board is as large for every node
        height = panel.size.height - len(longest.wrap(self.app.console, max(1, width)))
        board_height = height - board.styles.margin.height
        board.fit(Size(width, board_height))
        board.display = board_height >= board_size(game, 1, 1).height
        text = text_of_node(node)
        if not board.display:
            lines = [line_text(line) for line in box_lines(board_box(game, node.position), width, palette, SMALL)]
            if height > len(lines):
                lines.insert(0, Text())
            text = Text("\n").join([*lines, text])
        self.query_one("#tree-numbers", Static).update(text)

    def _draw_moves(self, node: Node, panel: Panel) -> None:
        """Draw the boards after the moves of a node, and best play after each where there is room."""
        if self.has_class("-vast") and self.has_class("-tall"):
            entitle(panel, "Its moves, and best play after each")
            lines = [[child, *child.main_line] for child in node.children]
        else:
            entitle(panel, "Its moves")
            lines = [[child] for child in node.children]
        size = Size(panel.scrollable_content_region.width, panel.size.height)
        panel.query_one(Static).update(boards_text(lines, size, palette_of(self)) or "The game is over here.")

    def current_export(self) -> Export | None:
        """Return the export of the node under the cursor, with the positions after its moves."""
        node = self.selected_node
        return None if node is None else Export("tree", partial(node_picture, node))

    def action_next(self, name: str) -> None:
        self.query_one(f"#tree-{name}", ChoiceList).choose_next()

    def action_go_to(self, path: MoveSequence) -> None:
        """Move to a node whose board was clicked."""
        self.query_one(GameTree).go_to(path)

    def action_view(self) -> None:
        """Switch between the node and the figures of the tree if there is no room for both."""
        self.query_one("#tree-both").toggle_class("-figures")
        self.call_after_refresh(self.adapt_to_size)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if self.too_large and (action in TREE_ACTIONS or parameters in {("reduction",), ("ending",)}):
            return False
        return super().check_action(action, parameters) and (action != "view" or not self.has_class("-wide"))

    def action_main_line(self) -> None:
        """Move to the end of the best play for both sides from the selected node."""
        node = self.selected_node
        if node is None or not node.main_line:
            return
        if not self.query_one(GameTree).go_to(node.main_line[-1].path):
            self.lab.warn("The main line does not have the selected ending.")

    @work(exit_on_error=False)
    async def action_search(self) -> None:
        """Open the search of the selected node, by the rules of the tree."""
        game = self.tree_shown.played if self.tree_shown else self.game
        position = self.position if self.tree_shown else game.start
        if game.outcome(position) is not None:
            self.lab.warn("The game is over here: there is nothing to search.")
            return
        await self.ask(SearchScreen(game, position))

    @work(exit_on_error=False)
    async def action_find(self) -> None:
        tree = self.tree_shown
        if tree is None:
            return

        def check(text: str) -> str:
            tree.find(tree.played.from_text(text.strip()))
            return text.strip()

        position = tree.played.to_text(self.position)
        text = await self.ask(Prompt("Find a position", position, check, verb="Find", note=POSITION_NOTE))
        if text is not None:
            self.find(tree, tree.played.from_text(text))

    def find(self, tree: Tree, position: Position) -> None:
        node = tree.find(position)
        if not self.query_one(GameTree).go_to(node.path):
            self.lab.warn("No game with the selected ending reaches this position.")
        elif node.position != position:
            self.notify(
                plain(f"This is the symmetric position {tree.played.to_text(node.position)}.", 100), markup=False
            )


def endings_of(game: Game) -> list[tuple[str, str]]:
    return [("all endings", ALL_ENDINGS), *((ending_name(game, outcome), outcome.name) for outcome in Outcome)]
