"""Search: how minimax, alpha-beta and UCT find the value of a position, step by step."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import takewhile
from typing import ClassVar, Final

from rich.style import Style
from rich.text import Text
from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Select, Static

from engine.analysis.lecture import EXAMPLES, Example
from engine.game import BadText, Game, Position
from engine.plural import counted_noun
from engine.search import ORDERS, Search, search
from engine.search_result import Algorithm, SearchResult, Step
from engine.stop import Stop
from lab.memory.matchbox import board_box
from lab.search import ALGORITHMS
from lab.text.sanitise import plain
from learners.uct.search import UctStep, uct_steps
from tui.shell.dialog import Prompt
from tui.shell.parts import ChoiceList, LiveText, Panel, Prose, choice_with_key, entitle, fitting_text
from tui.shell.screen import LabScreen
from tui.tree.search_text import (
    SEARCH_HEADS,
    TO_THE_END,
    UCT,
    UCT_HEADS,
    VALUE_WIDTH,
    comparison_text,
    depths_of,
    first_depth,
    past_text,
    progress_text,
    step_text,
    uct_moves_text,
    uct_step_text,
    window_text,
)
from tui.tree.search_view import SearchView
from tui.tree.step_replay import Replay, UctReplay, record
from tui.widgets.board import BoardView
from tui.widgets.board_shape import board_size
from tui.widgets.palette import palette_of
from tui.widgets.tiles import SMALL, box_lines, line_text

PLAYOUTS: Final = (100, 1000, 5000)
"""The numbers of playouts that can be chosen for UCT."""
MAX_MOVES_LISTED: Final = 4
MAX_MOVES_LISTED_TALL: Final = 9
"""The maximum number of moves of the root that are listed, in a terminal of usual height and in a tall one."""
STEPS_BEFORE: Final = 3
MAX_STEPS_LISTED: Final = 50
"""The numbers of steps that are listed before the last one, and in all, where there is room."""
LAST_MARK: Final = "▸ "
"""The mark before the last step in the list."""
MAX_WIDTH: Final = 80
"""The maximum width of the list of moves of UCT, in columns."""
PACES: Final = (1, 3, 10, 30, 100)
"""The paces, in steps per second."""
ORDER_NAMES: Final = {"ascending": "moves in order", "descending": "moves in reverse", "centre": "centre first"}
LECTURE: Final = Binding.Group("Examples", compact=True)


class SearchScreen(LabScreen):
    """Shows the search of one position step by step; Escape goes back to the tree."""

    mode = "tree"
    AUTO_FOCUS = "#search-tree"
    HELP = """\
# Search

The tree that minimax or alpha-beta builds below a position, in the order of its visits; what is not visited yet is dim.
Each line is a node: its last move, the window of values that still matter, and its value so far. Values are those for
the first side, which takes the largest; the other side takes the smallest. A value moves up to the parent when a node
is finished.

**Right** takes a step, **left** takes it back, **Space** runs and pauses, **>** and **<** change the pace. **N** goes
to the next event, a subtree that alpha-beta skips; the line below the lists names the bound that cuts it off. **Up**,
**down** and a click select another node.

UCT plays random games instead. A line has the visits of its node and what the move is worth to its side, from 0 for a
loss to 1 for a win, or what is proven. Each playout goes down by the largest upper bound, a node that is visited again
gets its children, a random game is played, and its outcome is counted on the way back. Here **N** goes to the next
playout.

The lists choose the algorithm, the depth and the order of moves. The counts of both algorithms stand beside the tree.
**1** and **2** open the two examples of a lecture on minimax. **/** searches any position.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Back"),
        Binding("right", "step(1)", "Step", tooltip="goes on by one step", show=False),
        Binding("left", "step(-1)", "Step back", tooltip="goes back by one step", show=False),
        Binding("space", "run", "Run", tooltip="runs the search, or stops it"),
        Binding("home", "go_to(1)", "Begin", tooltip="goes to the start", show=False),
        Binding("end", "finish", "End", show=False),
        Binding("N", "next_event", "Skip ahead", tooltip="to the next cut, or playout"),
        Binding("greater_than_sign", "pace(1)", "Faster", tooltip="goes on faster", key_display=">", show=False),
        Binding("less_than_sign", "pace(-1)", "Slower", tooltip="goes on slower", key_display="<", show=False),
        Binding("A", "next('algorithm')", "Algorithm", tooltip="changes the way to search", show=False),
        Binding("D", "next('depth')", "Depth", tooltip="changes how far it looks", show=False),
        Binding("O", "next('order')", "Order", tooltip="changes the order of moves", show=False),
        Binding("slash", "find", "Find", tooltip="goes to a typed position", key_display="/"),
        *(Binding(str(key), f"example({key - 1})", each.title, group=LECTURE) for key, each in enumerate(EXAMPLES, 1)),
    ]

    def __init__(self, game: Game, position: Position) -> None:
        super().__init__()
        self.rules = game
        self.position = position
        self.replay: Replay | UctReplay = Replay(())
        self.both: dict[Algorithm, SearchResult] = {}
        self.pace = 1
        self.timer: Timer | None = None
        self.example: Example | None = None
        self.chosen_depth = TO_THE_END

    def body(self) -> Iterable[Widget]:
        with Vertical(id="search-screen"):
            with Vertical(id="search-step", classes="panel"):
                with Horizontal(classes="choices"):
                    for name, key, options in (
                        ("algorithm", "A", [*((ALGORITHMS[e], e.value) for e in reversed(Algorithm)), (UCT, UCT)]),
                        ("depth", "D", depths_of(self.rules, self.position)),
                        ("playouts", "D", [(counted_noun(number, "playout"), number) for number in PLAYOUTS]),
                        ("order", "O", [(ORDER_NAMES.get(name, name), name) for name in ORDERS]),
                    ):
                        yield choice_with_key(key, ChoiceList(options, id=f"search-{name}"))
                yield Prose("", id="search-told", markup=False)
            with Horizontal(id="search-both"):
                with Vertical(id="search-lines", classes="panel"):
                    yield LiveText(id="search-heads")
                    yield SearchView(id="search-tree")
                with Vertical(id="search-right"):
                    with Panel(id="search-side", classes="panel"):
                        yield BoardView(self.rules, id="search-board")
                        yield Static("", id="search-counts", markup=False)
                    with entitle(Panel(id="search-before", classes="panel"), "Steps"):
                        yield Static("", id="search-past", markup=False)

    def set_up(self) -> None:
        super().set_up()
        self.query_one(BoardView).can_focus = False
        self.query_one("#search-past").auto_links = False
        self.begin_at(self.rules, self.position)

    def key_words(self) -> dict[str, str]:
        return {"run": "Pause"} if self.timer else {}

    def begin_at(self, game: Game, position: Position, example: Example | None = None) -> None:
        self.rules, self.position, self.example = game, position, example
        with self.prevent(Select.Changed):
            chosen = self.query_one("#search-depth", Select)
            chosen.set_options(depths_of(game, position))
            chosen.value = self.chosen_depth = first_depth(game, position)
            if example is not None:
                chosen.value = example.depth or TO_THE_END
                self.query_one("#search-algorithm", Select).value = example.algorithm.value
                self.query_one("#search-order", Select).value = example.order
        self.show(Replay(()))  # clear the search of the previous position
        self.load()

    @property
    def depth(self) -> int | None:
        chosen = self.query_one("#search-depth", Select).value
        if isinstance(chosen, int):  # not so while the list is being replaced
            self.chosen_depth = chosen
        return self.chosen_depth or None

    @property
    def is_uct(self) -> bool:
        """Whether UCT is chosen, which is not an `Algorithm`."""
        return self.query_one("#search-algorithm", Select).value == UCT

    @property
    def algorithm(self) -> Algorithm:
        return Algorithm(str(self.query_one("#search-algorithm", Select).value))

    @on(Select.Changed)
    def choice_changed(self) -> None:
        self.example = None
        self.load()

    def load(self) -> None:
        for name in ("depth", "order", "playouts"):
            self.query_one(f"#search-{name}-keyed").display = self.is_uct == (name == "playouts")
        self.refresh_bindings()
        if self.is_uct:
            playouts = self.query_one("#search-playouts", Select).value
            self.run_in_background(
                "search", partial(play_out, self.rules, self.position, int(str(playouts))), self.show
            )
            return
        order = str(self.query_one("#search-order", Select).value)
        find = partial(search_steps, self.rules, self.position, self.algorithm, self.depth, order)
        self.run_in_steps("search", find, self._show_result)

    def _show_result(self, result: Replay | dict[Algorithm, SearchResult]) -> None:
        if isinstance(result, Replay):
            self.show(result)
        else:
            self.both = result
            self.draw()

    def show(self, replay: Replay | UctReplay) -> None:
        self.stop()
        self.replay, self.both = replay, {}
        replay.go_to(1)  # at least the root is always shown
        self.query_one(SearchView).show(replay, self.rules, self.rules.side(self.position), self.depth)
        self.draw()

    def draw(self) -> None:
        replay = self.replay
        step_panel = self.query_one("#search-step", Vertical)
        self.query_one("#search-told", Static).update(self._step_text())
        event = "playout" if self.is_uct else "cut"
        entitle(step_panel, f"Step {progress_text(replay)}", f"`Home` `←` `→` `End` step · `N` next {event}")
        tree_panel, run = self.query_one("#search-lines"), f"`Space` {'pauses' if self.timer else 'runs'}"
        entitle(tree_panel, "Tree", fitting_text(tree_panel, f"{run} · `<` `>` pace", run))
        self.key_state = self.timer
        headings = self.query_one("#search-heads", LiveText)
        headings.display = not self.query_one(SearchView).draws_boards  # which stand beside their numbers
        if headings.display:
            text = UCT_HEADS if isinstance(replay, UctReplay) else SEARCH_HEADS
            only_value = self.has_class("-narrow")
            headings.set_text(text[-VALUE_WIDTH:] if only_value else text)
        self._draw_node()
        self.query_one("#search-past", Static).update(self._past_steps())

    def _past_steps(self) -> Text:
        """Return the steps around the last one, each a link to itself; empty where there is no room for them."""
        replay, start, text = self.replay, self.rules.side(self.position), Text()
        panel = self.query_one("#search-before")
        width = self.query_one("#search-past").size.width - len(LAST_MARK)
        if not panel.display or width < 1:
            return text
        indent = " " * len(LAST_MARK)
        steps: Sequence[Step | UctStep] = replay.steps
        first = max(1, replay.done - STEPS_BEFORE)
        for number, step in enumerate(steps[first - 1 : first - 1 + MAX_STEPS_LISTED], first):
            is_last = number == replay.done
            style = Style(bold=is_last, dim=not is_last, meta={"@click": f"screen.go_to({number})"})
            lines = Text(past_text(step, self.depth, self.rules, start)).wrap(self.app.console, width)
            text.append(LAST_MARK if is_last else indent, style)
            text.append_text(Text(f"\n{indent}", style).join(lines)).append("\n")
        return text

    def _counts(self) -> Text:
        """Return the moves of the root for UCT; for another algorithm, the counts of both algorithms."""
        width = min(MAX_WIDTH, self.query_one("#search-counts").size.width)
        if isinstance(self.replay, UctReplay):
            max_moves = MAX_MOVES_LISTED_TALL if self.has_class("-tall") else MAX_MOVES_LISTED
            return uct_moves_text(self.replay, self.rules, max_moves, width)
        if self.is_uct:
            return Text("Playing …", "dim")
        return comparison_text(self.both, self.algorithm, width, whole=self.has_class("-tall"))

    def _draw_node(self) -> None:
        """Draw the board of the node, and the counts; the board is small where not both fit."""
        game, path, board = self.rules, self.query_one(SearchView).cursor_path, self.query_one(BoardView)
        counts, positions = self._counts(), self.replay.positions
        position = positions.get(path, self.position)
        panel = self.query_one("#search-side", Panel)
        node = None if isinstance(self.replay, UctReplay) else self.replay.visited.get(path)
        window = "" if node is None or node.cut else f" · window {window_text(node, self.depth, game)}"
        entitle(panel, fitting_text(panel, f"The node{window}", "The node"))
        height = panel.size.height
        room = height - str(counts).count("\n") - 1
        board.display = self.has_class("-wide") or room >= board_size(game, 1, 1).height
        if not board.display:
            width = panel.scrollable_content_region.width
            lines = [line_text(line) for line in box_lines(board_box(game, position), width, palette_of(self), SMALL)]
            count_lines = counts.split("\n")[: max(0, height - len(lines))]  # the first counts matter most
            if room > len(lines):
                lines.append(Text())
            counts = Text("\n", no_wrap=True).join([*lines, *count_lines])
        self.query_one("#search-counts", Static).update(counts)
        board.show(game, position)
        board.last = game.board.squares(positions[path[:-1]], path[-1])[-1:] if path else ()

    def _step_text(self) -> Text:
        """Return what the last step did: at first an introduction, at the end a note if not all steps were recorded."""
        replay, game = self.replay, self.rules
        if replay.done <= 1 and self.example is not None:
            return Text.assemble((f"{self.example.title}. ", "bold"), self.example.words)
        start = game.side(self.position)
        if isinstance(replay, UctReplay):
            return Text(uct_step_text(replay, game, start))
        text = Text("Searching …" if replay.step is None else step_text(replay.step, self.depth, game, start))
        if replay.done == len(replay.steps) and not replay.whole:
            return Text(f"The first {len(replay.steps):,} steps end here; the counts are those of the whole search.")
        if replay.done == 1 and self.depth:
            text.append(f" At the limit it counts {game.heuristic.describe(game)}.")
        return text

    @on(SearchView.Moved)
    def node_selected(self) -> None:
        self.draw()

    def go_to(self, done: int) -> None:
        self.replay.go_to(done)
        self.query_one(SearchView).update()
        self.draw()

    def action_step(self, by: int) -> None:
        self.action_go_to(max(1, self.replay.done + by))

    def action_go_to(self, done: int) -> None:
        self.stop()
        self.go_to(done)

    def action_finish(self) -> None:
        self.action_go_to(len(self.replay.steps))

    def action_next_event(self) -> None:
        """Go to the next subtree that alpha-beta skips, or to the next playout of UCT."""
        self.stop()
        if isinstance(self.replay, UctReplay):
            done, refusal = self.replay.find_next_playout(), "There is no further playout."
        else:
            done, refusal = self.replay.find_next_cut(), "No further subtree is skipped."
        if done is not None:
            self.go_to(done)
        else:
            self.notify(refusal, markup=False)

    def action_run(self) -> None:
        if self.timer:
            self.stop()
        else:
            if self.replay.done == len(self.replay.steps):
                self.go_to(1)
            self.timer = self.set_interval(1 / PACES[self.pace], self.run_on)
        self.draw()

    def run_on(self) -> None:
        self.go_to(self.replay.done + 1)
        if self.replay.done == len(self.replay.steps):
            self.stop()
            self.draw()

    def stop(self) -> None:
        if self.timer:
            self.timer.stop()
            self.timer = None

    def action_pace(self, by: int) -> None:
        self.pace = min(max(0, self.pace + by), len(PACES) - 1)
        pace = PACES[self.pace]
        self.notify(f"{counted_noun(pace, 'step')} a second", timeout=2, markup=False)
        if self.timer:
            self.timer.stop()
            self.timer = self.set_interval(1 / pace, self.run_on)

    def action_next(self, name: str) -> None:
        if self.is_uct and name != "algorithm":
            name = "playouts"
        self.query_one(f"#search-{name}", ChoiceList).choose_next()

    def action_example(self, number: int) -> None:
        example = EXAMPLES[number]
        game = example.game
        self.begin_at(game, game.from_text(example.position), example)

    @work(exit_on_error=False)
    async def action_find(self) -> None:
        game = self.rules

        def check(text: str) -> str:
            if game.outcome(game.from_text(text.strip())) is not None:
                raise BadText(f"the game is over in {plain(text, 60)}: there is nothing to search")
            return text.strip()

        text = await self.ask(Prompt("The position to search", game.to_text(self.position), check, verb="Search"))
        if text is not None:
            self.begin_at(game, game.from_text(text))

    def action_leave(self) -> None:
        self.stop()
        self.dismiss(None)


def search_steps(  # noqa: PLR0913, PLR0917  one parameter a choice
    game: Game, position: Position, algorithm: Algorithm, depth: int | None, order: str, stop: Stop
) -> Iterator[Replay | dict[Algorithm, SearchResult]]:
    """Search a position: yield the steps first, then the counts of both algorithms."""
    steps, whole = record(Search(game, algorithm, depth, order=order, root=position).steps(position))
    yield Replay(steps, whole=whole)
    yield {each: search(game, position, algorithm=each, depth=depth, order=order, stop=stop) for each in Algorithm}


def play_out(game: Game, position: Position, playouts: int, stop: Stop) -> UctReplay:
    steps, whole = record(takewhile(lambda _: not stop(), uct_steps(game, position, playouts)))
    return UctReplay(steps, whole=whole)
