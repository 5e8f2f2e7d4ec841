"""You: where a person gave something away, beside MENACE after equally many games, and the exercises that are due."""

from collections.abc import Iterable, Iterator
from typing import ClassVar, Final

from rich.text import Text
from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from engine.game import Game
from engine.plural import counted_noun
from engine.stop import Stop
from lab.board.seating import seating_for
from lab.board.session import PlayOn
from lab.memory.matchbox import Square, SquareKind, board_box
from lab.review import yourself
from lab.text.axes import Axes
from lab.text.curves import Series
from lab.text.numbers import percent_text
from tui.shell.files import Export
from tui.shell.parts import FRAME, Options, Panel, Prose, SizedPanel, entitle
from tui.shell.screen import LabScreen
from tui.widgets.board import BoardView
from tui.widgets.game_boards import FORMS, GameBoards, count_fitting
from tui.widgets.line_chart import LineChart, chart_export
from tui.widgets.palette import palette_of, theme_colour
from tui.widgets.tiles import FRAMED, SMALL, boxes_text

ALL_HELD: Final = "You held every position again that you gave away in the last 30 games."
NOTHING_LOST: Final = "You gave nothing away: there is nothing to practise."
LATEST: Final = "The latest position with something to lose:"
"""What the board shows that stands below a note."""
TITLE: Final = "Mistakes, in % of positions · {} beside a new MENACE"
EXAMPLE: Final = " Until then, this is what random play gives away."
OFF: Final = "Q shows positions to practise."


class YourselfScreen(LabScreen):
    """Shows a person's games of one game. Its result is the exercise to play, if one was chosen."""

    mode = "play"
    AUTO_FOCUS = "#you-exercises"
    HELP = """\
# You beside MENACE

The curve shows in how many positions you gave something away: a win at once, a threat that had to be stopped, a won or
a drawn position. Each point is the share in ten games; with the first few games, you see one of them move by move
instead. Beside it is how likely a MENACE gives something away in the same positions, after as many games against
itself.

A position that you gave away comes back after 1, 3, 10 and 30 further games, until you hold it. **Enter** plays it
against the same opponent. **Q** lists no exercises, or lists them again. All of this follows from the games in your
library: `noughts games delete all` deletes them.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back"),
        Binding("Q", "exercises", "Exercises", tooltip="plays lost chances again"),
    ]
    DEFAULT_CSS = """
    YourselfScreen {
        & #you { layout: vertical; }
        & #you-left { width: 100%; height: 1fr; }
        & #you-chart { width: 100%; height: 1fr; }
        & #you-given { display: none; height: auto; }
        & #you-summary { height: auto; text-style: bold; }
        & #you-game { display: none; height: 1fr; }
        & #you-right { layout: horizontal; width: 100%; height: 11; }
        & #you-kinds { width: 43; height: 100%; scrollbar-gutter: stable; }
        & #you-due { width: 1fr; height: 100%; margin-left: 1; }
        & #you-note { height: auto; }
        & #you-exercises { height: auto; max-height: 7; border: none; padding: 0; background: transparent; }
        & #you-board { margin-top: 1; }
        & #you-exercises > .option-list--option { padding: 0 1; }
        & #you-exercises > .option-list--separator { color: $foreground 25%; }
        & #you-exercises > .option-list--option-highlighted { background: $foreground 15%; color: $foreground; }
        &.-narrow #you-right { layout: vertical; height: 9; }
        &.-narrow #you-kinds { width: 100%; height: auto; max-height: 8; }
        &.-narrow.-coming #you-kinds { display: none; }
        &.-narrow #you-due { margin-left: 0; height: auto; max-height: 9; }
        &.-few LineChart { display: none; }
        &.-few #you-chart { height: auto; }
        &.-few #you-given { display: block; height: 1fr; }
        &.-few.-single #you-game { display: block; }
        &.-few.-low, &.-few.-narrow { & #you-given, & #you-game { display: none; } }
        &.-few.-low #you-left, &.-few.-narrow #you-left { height: auto; }
        &.-few.-low #you-right, &.-few.-narrow #you-right { height: 1fr; }
        &.-few.-narrow #you-kinds { display: block; }
        &.-few.-narrow #you-due { height: 1fr; }
        &.-wide #you { layout: horizontal; }
        &.-wide #you-left { width: 1fr; height: 100%; }
        &.-wide.-tall.-losing #you-given, &.-wide.-tall.-few #you-game { display: block; }
        &.-wide.-tall #you-given { height: auto; }
        &.-few.-single, &.-wide.-tall.-few.-single { & #you-given { display: none; } }
        &.-wide LineChart { margin-top: 1; }
        &.-wide #you-right { layout: vertical; width: 46; height: 100%; margin-left: 1; }
        &.-wide #you-kinds { width: 100%; height: auto; }
        &.-wide #you-due { width: 100%; height: 1fr; margin-left: 0; }
        &.-wide.-tall.-coming #you-exercises { max-height: 11; }
        &.-vast.-tall.-coming #you-exercises { max-height: 19; }
        &.-vast #you-right { width: 42%; }
        &.-waiting #you-right, &.-waiting LineChart { display: none; }
    }
    """

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
        self.you: yourself.Yourself | None = None
        self.coming: list[tuple[yourself.Decision, int]] = []
        """The positions that come back, and after how many games."""
        self.due: list[yourself.Decision] = []
        """The exercises that are listed."""

    def body(self) -> Iterable[Widget]:
        with Container(id="you"):
            with Vertical(id="you-left"):
                with entitle(Vertical(id="you-chart", classes="panel"), TITLE.format("you")):
                    yield Prose("Looking at your games …", id="you-summary", markup=False)
                    yield LineChart()
                with SizedPanel(id="you-given", classes="panel"):
                    yield Static(id="you-cards", markup=False)
                with Vertical(id="you-game", classes="panel"):
                    yield GameBoards()
            with Container(id="you-right"):
                with entitle(Panel(id="you-kinds", classes="panel"), "Mistakes and results"):
                    yield Static(id="you-table", markup=False)
                with Vertical(id="you-due", classes="panel"):
                    yield Prose(id="you-note", markup=False)
                    yield Options(id="you-exercises")
                    yield BoardView(self.game, id="you-board")

    def set_up(self) -> None:
        super().set_up()
        self.query_one(BoardView).can_focus = False
        self.add_class("-waiting")
        self.run_in_steps("you", self._compute_in_steps, self.show_yourself, self.show_trouble)

    def _compute_in_steps(self, stop: Stop) -> Iterator[tuple[yourself.Yourself, str]]:
        """Compute everything from the library, and a summary; first what takes no training."""
        you = yourself.own_games(self.lab.library.games, self.game, stop)
        summary = yourself.summary_text(you)
        if not you.decisions:
            seating = seating_for(self.game)
            you = yourself.random_games(self.game, (seating.first, seating.second), stop)
            summary += EXAMPLE
        yield you, summary
        yield yourself.beside_menace(you, stop), summary

    def show_trouble(self, message: str) -> None:
        self.query_one("#you-summary", Static).update(Text(message))

    def show_yourself(self, computed: tuple[yourself.Yourself, str]) -> None:
        """Draw the curves, the table and the exercises of a person, or of an example."""
        self.you, summary = you, _ = computed
        self.coming = you.coming_back()
        self.remove_class("-waiting")
        self.refresh_bindings()
        few = you.games < yourself.CURVE_FROM
        self.set_class(few, "-few")
        state = f"a curve begins with {yourself.CURVE_FROM} games" if few else ""
        entitle(self.query_one("#you-chart"), TITLE.format(you.who), state)
        self.query_one("#you-summary", Static).update(summary)
        own, machine = yourself.curves_of(you)
        named = ((you.who, own, "primary", "y"), ("MENACE", machine, "warning", "m"))
        self.query_one(LineChart).show(
            [
                Series(
                    f"{name} {percent_text(points[-1][1])}",
                    points,
                    theme_colour(self, colour),
                    letter,
                    dim=letter != "y",
                )
                for name, points, colour, letter in named
                if points
            ],
            Axes(max(2, you.games), unit="games", logarithmic=False),
        )
        kinds, *rows = yourself.kind_lines(you)
        against, *results = yourself.result_lines(you)
        apart = [Text()] if not self.has_class("-narrow") or len(rows) + len(results) < 4 else []
        self.query_one("#you-table", Static).update(
            Text("\n").join([Text(kinds, "dim"), *map(Text, rows), *apart, Text(against, "dim"), *map(Text, results)])
        )
        self._list_exercises(you)
        self._draw_given()
        if self.focused is None:
            self.go_home()

    def _list_exercises(self, you: yourself.Yourself) -> None:
        """List the positions that come back: first those to play now, then the others."""
        listed = self.lab.preference(yourself.SETTING, "on") != "off"
        coming = self.coming if listed else []
        self.due = [each for each, games in coming if not games]
        exercises = self.query_one("#you-exercises", Options)
        chosen = exercises.highlighted
        exercises.clear_options()
        drawn = bool(you.decisions) and self.has_class("-wide") and self.has_class("-tall")
        for each, games in coming:
            text = self._exercise(each, games, beside=not drawn or len(coming) > 1)
            exercises.add_option(Option(text, disabled=games > 0))
            exercises.add_option(None)  # a line below it
        exercises.highlighted = min(chosen or 0, len(self.due) - 1) if self.due else None
        self.set_class(bool(coming), "-coming")
        if you.decisions:
            self._show_large(coming[exercises.highlighted or 0][0] if coming else you.decisions[-1])
        note = self.query_one("#you-note", Static)
        note.display = not coming
        words = NOTHING_LOST
        if not listed:
            words = OFF
        elif any(each.lost for each in you.decisions):
            words = ALL_HELD
        self.query_one(BoardView).display = drawn
        note.update(f"{words}\n\n{LATEST}" if drawn else words)
        place = self.query_one("#you-due")
        entitle(place, "To practise", "`Enter` plays one" if self.due else "")

    @on(SizedPanel.Sized)
    def _draw_given(self) -> None:
        """Draw positions in which something was given away, as many as fit, each with the mistaken move.

        If nothing was, those where it could have been. In the place of a single one is the game that it comes from.
        """
        panel, cards = self.query_one("#you-given"), self.query_one("#you-cards", Static)
        if self.you is None:
            return
        met = self.you.decisions[::-1]
        lost = [each for each in met if each.lost]
        boxes = []
        for each in lost or met:
            square = self.game.board.squares(each.position, each.match.moves[each.ply])[-1]
            given = {square: Square(SquareKind.SIGN, "×", row=False)} if each.lost else None
            boxes.append(board_box(self.game, each.position, f"game {each.game}", given))
        self.set_class(bool(lost), "-losing")
        self.set_class(len(boxes) == 1, "-single")
        if boxes and panel.size.width:
            width, high = panel.content_size.width, self.query_one("#you-left").size.height
            above = self.query_one("#you-chart").outer_size.height if self.has_class("-few") else high // 2
            height = high - above - FRAME
            form = next((each for each in FORMS if count_fitting(boxes, width, height, each) >= len(boxes)), FRAMED)
            shown = boxes[: count_fitting(boxes, width, height, form)]
            cards.update(boxes_text(shown, width, palette_of(self), form))
            what = "What {} gave away" if lost else "Where {} could give something away"
            count = counted_noun(len(boxes), "position")
            state = "" if len(shown) == len(boxes) else f"{len(shown)} of {count}"
            entitle(panel, f"{what.format(self.you.who)} · newest first", state)

    def _exercise(self, each: yourself.Decision, games: int, *, beside: bool) -> Text:
        """Return what was lost in a position, and when that comes back, with the position `beside` that."""
        board = boxes_text([board_box(self.game, each.position)], 99, palette_of(self), SMALL).split("\n")
        back = f"{'comes back' if self.has_class('-wide') else 'again'} after {counted_noun(games, 'game')}"
        back = back if games else f"from game {each.game:,}"
        words = [back, each.kind, each.goal]
        if not beside:
            return Text("\n".join(words))
        rows = max(len(board), len(words))
        lines = zip([*board, *[Text()] * rows][:rows], [*words, *[""] * rows][:rows], strict=True)
        width = max(line.cell_len for line in board)
        drawn = [Text.assemble(line, " " * (width - line.cell_len + 3), said) for line, said in lines]
        return Text("\n").join(drawn)

    def draw(self) -> None:
        if self.you is not None:
            self._list_exercises(self.you)
            self._draw_given()

    def current_export(self) -> Export | None:
        return chart_export(self, "you", f"{self.game.title}: you beside MENACE")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable the switch of exercises while there is nothing that could be listed."""
        if action == "exercises":
            return bool(self.coming)
        return super().check_action(action, parameters)

    def action_exercises(self) -> None:
        """Switch the list of exercises off or on, from now on."""
        listed = self.lab.preference(yourself.SETTING, "on") != "off"
        self.lab.set_preference(yourself.SETTING, "off" if listed else "on")
        if self.you is not None:
            self._list_exercises(self.you)

    @on(OptionList.OptionHighlighted, "#you-exercises")
    def look_at(self, message: OptionList.OptionHighlighted) -> None:
        if message.option_index < len(self.due):
            self._show_large(self.due[message.option_index])

    def _show_large(self, shown: yourself.Decision) -> None:
        """Draw a position large, and its game move by move, where there is room."""
        self.query_one(BoardView).show(self.game, shown.position)
        self.query_one(GameBoards).show(shown.match, shown.ply + 1)
        move = f"Game {shown.game} · move {shown.ply + 1}"
        entitle(self.query_one("#you-game"), f"{move}, lit, was the mistake" if shown.lost else f"{move} is lit")

    @on(OptionList.OptionSelected, "#you-exercises")
    def play(self, message: OptionList.OptionSelected) -> None:
        """Play an exercise against the opponent of its game."""
        if message.option_index < len(self.due):
            chosen = self.due[message.option_index]
            self.dismiss(PlayOn(chosen.match.until(chosen.ply), chosen.labels, chosen.value))
