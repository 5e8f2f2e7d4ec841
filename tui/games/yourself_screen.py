"""You: where a person gave something away, beside MENACE after equally many games, and the exercises that are due."""

from collections.abc import Iterable
from contextlib import suppress
from typing import ClassVar, Final

from rich.text import Text
from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option
from textual.worker import get_current_worker

from engine.game import Game
from engine.space import TooLarge
from engine.stop import Stopped
from lab.board.session import PlayOn
from lab.review.yourself import SETTING, Decision, Yourself, curve_of, exercise_lines, kind_lines, yourself
from lab.text.line_charts import Axes, Series
from lab.text.numbers import percent_text
from saves.errors import LibraryError
from tui.shell.parts import Options, entitle
from tui.shell.screen import LabScreen
from tui.widgets.line_chart import LineChart
from tui.widgets.tiles import theme_colour

NONE: Final = "No position that you lost 1, 3, 10 or 30 games ago is still to be held."
OFF: Final = "Exercises are off: noughts games you --exercises on"


class YourselfScreen(LabScreen):
    """Shows a person's games of one game. Its result is the exercise to play, if one was chosen."""

    mode = "play"
    AUTO_FOCUS = "#you-exercises"
    HELP = """\
# You beside MENACE

The curve shows in how many positions you gave something away: a win at once, a threat that had to be stopped, a won or
a drawn position. Each point is the share in ten games. Beside it is how likely a MENACE gives something away in the
same positions, after as many games against itself.

A position that you lost comes back after 1, 3, 10 and 30 further games, until you hold it. **Enter** plays it against
the same opponent. All of this follows from the games in your library: `noughts games delete all` deletes them.
"""
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", "Back")]
    DEFAULT_CSS = """
    YourselfScreen {
        & #you-chart { width: 1fr; height: 100%; }
        & #you-right { width: 46; height: 100%; margin-left: 1; }
        & #you-kinds { height: auto; }
        & #you-due { height: 1fr; }
        & #you-exercises { height: 1fr; border: none; padding: 0; background: transparent; }
        &.-narrow #you { layout: vertical; }
        &.-narrow #you-chart { width: 100%; height: 1fr; }
        &.-narrow #you-right { width: 100%; height: 1fr; margin-left: 0; }
        &.-narrow #you-kinds { display: none; }
    }
    """

    def __init__(self, game: Game) -> None:
        """Show the games of this game."""
        super().__init__()
        self.game = game
        self.due: list[Decision] = []
        """The exercises that are listed."""

    def body(self) -> Iterable[Widget]:
        with Horizontal(id="you"):
            with Vertical(id="you-chart", classes="panel"):
                yield LineChart()
            with Vertical(id="you-right"):
                with Vertical(id="you-kinds", classes="panel"):
                    yield Static("Looking at your games …", id="you-table", markup=False)
                with Vertical(id="you-due", classes="panel"):
                    yield Options(id="you-exercises")

    def set_up(self) -> None:
        super().set_up()
        entitle(self.query_one("#you-chart"), "Given away by you; dim: MENACE")
        entitle(self.query_one("#you-kinds"), f"{self.game.title}, by kind of position")
        entitle(self.query_one("#you-due"), "Positions that you lost", "Enter plays one")
        self.look()

    @work(thread=True, exclusive=True, group="you", exit_on_error=False)
    def look(self) -> None:
        """Compute everything from the library."""
        worker = get_current_worker()
        with suppress(Stopped):
            try:
                found = yourself(self.lab.library.games, self.game, lambda: worker.is_cancelled)
            except (LibraryError, TooLarge) as error:
                self.app.call_from_thread(self.query_one("#you-table", Static).update, Text(str(error)))
            else:
                self.app.call_from_thread(self.show_yourself, found)

    def show_yourself(self, you: Yourself) -> None:
        """Draw the curves, the table and the exercises."""
        own, machine = curve_of(you)
        named = (("you", own, "primary", "y"), ("MENACE", machine, "warning", "m"))
        self.query_one(LineChart).show(
            [
                Series(
                    f"{name} {percent_text(points[-1][1])}",
                    points,
                    theme_colour(self, colour),
                    letter,
                    dim=letter == "m",
                )
                for name, points, colour, letter in named
                if points
            ],
            Axes(max(10, you.games), unit="games", logarithmic=False),
        )
        self.query_one("#you-table", Static).update(Text("\n".join(kind_lines(you))))
        shown = self.lab.preference(SETTING, "on") != "off"
        self.due = you.exercises() if shown else []
        exercises = self.query_one("#you-exercises", Options)
        exercises.clear_options()
        exercises.add_options([Option(Text(line)) for line in exercise_lines(self.game, self.due)])
        exercises.highlighted = 0 if self.due else None
        if not self.due:
            exercises.add_option(Option(Text(NONE if shown else OFF), disabled=True))

    @on(OptionList.OptionSelected, "#you-exercises")
    def play(self, message: OptionList.OptionSelected) -> None:
        """Play an exercise against the opponent of its game."""
        if message.option_index < len(self.due):
            chosen = self.due[message.option_index]
            self.dismiss(PlayOn(chosen.match.until(chosen.ply), chosen.labels, chosen.value))

    def action_back(self) -> None:
        self.dismiss(None)
