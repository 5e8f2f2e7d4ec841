"""The base of the screens of races and sweeps: a form, a button that starts the work, and a chart of its results."""

from collections.abc import Container, Iterable, Mapping
from typing import ClassVar, Final

from rich.text import Text
from textual import on
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Button

from tui.shell.parts import LiveText, entitle
from tui.shell.screen import LabScreen
from tui.widgets.form import Form

_CHART: Final = Binding.Group("Chart", compact=True)
CHART_KEYS: Final = (
    Binding("m", "next('measure')", "Measure", tooltip="shows the next measure", group=_CHART),
    Binding("s", "next('side')", "Side", tooltip="shows the other side", group=_CHART),
    Binding("L", "scale", "Scale", tooltip="linear, or logarithmic", group=_CHART),
)
KEY_TEXTS: Final = "`m` measure · `s` side · `L` scale", "`m` measure · `s` side", "`m` measure"
"""The texts about the keys of a chart in its frame, the longest first."""


class ChartScreen(LabScreen):
    """A screen with a head: the state of the work, and buttons. It is drawn again when `view_state()` has changed."""

    DEFAULT_CSS = """
    ChartScreen {
        & .chart-head, & .chart-head Horizontal { height: auto; }
        & .chart-head Horizontal LiveText { width: 1fr; height: 1; }
        & .chart-head Button { margin-left: 1; width: auto; min-width: 1; }
        &.-narrow .chart-head Button:disabled { display: none; }
        & .chart-note { display: none; height: auto; }
    }
    """
    prefix: ClassVar[str]
    """The beginning of the ids of the screen's parts."""
    TITLES: ClassVar[Mapping[str, str]]
    """The titles of the buttons, by the names of their actions."""

    def __init__(self) -> None:
        super().__init__()
        self.log_shares = False
        """Whether the axis of shares is logarithmic."""
        self.drawn_state: tuple[object, ...] | None = None
        """What was drawn last: `view_state()`, the scale and the theme."""

    def content(self) -> Widget:
        """Return what is below the head."""
        raise NotImplementedError

    def view_state(self) -> tuple[object, ...]:
        """Return all that `draw_now` depends on, except for the scale and the theme."""
        raise NotImplementedError

    def draw_now(self) -> None:
        """Draw the work as it is now."""
        raise NotImplementedError

    def body(self) -> Iterable[Widget]:
        with Vertical():
            with Vertical(id=f"{self.prefix}-head", classes="chart-head panel"):
                with Horizontal():
                    yield LiveText(id=f"{self.prefix}-state")
                    for name, title in self.TITLES.items():
                        yield Button(title, id=f"{self.prefix}-{name}", compact=True)
                yield LiveText(id=f"{self.prefix}-note", classes="chart-note")
            yield self.content()

    @property
    def form(self) -> Form:
        return self.query_one(Form)

    def button(self, name: str) -> Button:
        return self.query_one(f"#{self.prefix}-{name}", Button)

    def set_up(self) -> None:
        super().set_up()
        self.button("start").variant = "primary"
        self.form.add_class("panel")

    def entitle(self, head: str, form: str, hint: str = "") -> None:
        """Set the titles of the head and of the form."""
        entitle(self.query_one(f"#{self.prefix}-head"), head, hint)
        entitle(self.form, form)

    @on(Button.Pressed)
    async def run_button_action(self, message: Button.Pressed) -> None:
        await self.run_action((message.button.id or "").removeprefix(f"{self.prefix}-"))

    def action_next(self, name: str) -> None:
        self.form.choices(name).choose_next()

    def action_scale(self) -> None:
        self.log_shares = not self.log_shares
        self.poll()

    def draw(self) -> None:
        """Draw everything, even if `view_state()` has not changed."""
        self.drawn_state = None
        self.poll()

    def show_changes(self) -> None:
        state = (*self.view_state(), self.log_shares, self.app.theme)
        if state != self.drawn_state:
            self.drawn_state = state
            self.draw_now()

    def show_head(self, state: Text, note: Text | str, disabled: Container[str]) -> None:
        """Show the state, and a note below it unless that is empty; disable some of the buttons."""
        for name in self.TITLES:
            self.button(name).disabled = name in disabled
        self.query_one(f"#{self.prefix}-state", LiveText).set_text(state)
        place = self.query_one(".chart-note", LiveText)
        place.display = bool(note)
        place.set_text(note)
        self.refresh_bindings()
