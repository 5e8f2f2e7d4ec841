"""Papers: the tables of each source, computed again, beside its printed figures.

A run goes on while other screens are open.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final

from rich.console import RenderableType
from rich.style import Style
from rich.text import Text
from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.widget import Widget
from textual.widgets import DataTable, Static

from lab.jobs import JobState
from lab.papers.papers_job import PapersJob, PaperStatus
from lab.papers.report_text import LEGEND, markdown_text, origin_text, verdict_bar
from lab.papers.report_view import Styles, axes_of, report_view, series_of, title_view
from lab.pictures.paper_pictures import papers_picture
from lab.text.sanitise import plain
from learners.papers.report import Report, Verdict
from learners.papers.running import Paper
from tui.shell.dialog import Prompt
from tui.shell.files import Export
from tui.shell.parts import LiveText, Panel, Prose, entitle, parse_number
from tui.shell.screen import LabScreen
from tui.widgets.line_chart import LineChart
from tui.widgets.palette import theme_colour

COLOURS: Final = ("role-good", "role-first", "role-second", "role-bad", "role-lit")
"""The colours of the theme for curves, in order."""
AGREES, DISAGREES = "role-good", "role-second"
"""The colours of the theme for figures that agree and that differ; not red, since a difference is no error."""
MIN_BAR, MAX_BAR = 7, 25
"""The width of the bar of verdicts of a paper, in columns: at least, and where there is room."""
GLYPHS: Final = {Verdict.EXACT: "▆", Verdict.WITHIN: "▄", Verdict.DIFFERS: "▂", Verdict.UNDECIDED: "·"}
"""The characters of the bar, so that it can be read without colours, and never touches that of the next line."""
LEGEND_TEXTS: Final = {Verdict.WITHIN: "within the spread"}
"""The texts of the legend, where they are not those of the verdict."""
TABLE_LIST_WIDTH: Final = 60
"""The width of the list of the tables of a report, in columns."""
SCROLLBAR: Final = 1
EDGES: Final = 3
"""The columns of the report's padding and scroll bar."""


class ReportPanel(Panel):
    """The report of a paper. While it is read, it has the focus, even before its text is laid out."""

    def allow_focus(self) -> bool:
        return self.screen.has_class("-reading") or super().allow_focus()


class PapersScreen(LabScreen):
    """Lists the papers, and shows the report of the selected one."""

    mode = "papers"
    AUTO_FOCUS = "#papers"
    HELP = """\
# Papers

The sources behind Noughts, each computed again at full size and compared with its printed figures. The results that
you see first came with the program; a run of yours replaces them. **Enter** opens the report of the selected paper,
**Escape** goes back to the list. **g** runs the paper. `*` runs all of them: that takes several minutes, and goes on
while you look at other screens. **S** stops the run. **#** chooses the first seed; a table says how many it uses.

Each line of a table shows what is counted, the printed figure, our figure, and the verdict:

- `= exact`: the same, to all printed digits
- `≈ within spread`: at least one seed in 40 is not above the figure, and at least one in 40 is not below it. A printed
  average is compared with the mean of the seeds, and printed successes with their share
- `≠ differs`: neither; the reason stands below the table, if it is known
- `? undecided`: other seeds might decide otherwise, since there are fewer than 20, or what is compared lies within 2.6
  standard errors of its limit
- `another board`: the figure is for another board than the one measured here
- no verdict: the source prints no figure

In an open report the arrows scroll; **page down** and **page up** scroll it from the list as well. **m** shows the next
chart of a paper with curves. **X** exports the report as `.md`, `.svg`, `.png` or `.csv`.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back"),
        Binding("g", "run", "Run", tooltip="computes the paper again"),
        Binding("asterisk", "run_all", "Run all", tooltip="computes all papers", key_display="*"),
        Binding("S", "stop", "Stop", tooltip="stops it, and keeps what it has found"),
        Binding("m", "chart", "Chart", tooltip="shows the paper's curves"),
        Binding("number_sign", "seed", "Seed", tooltip="changes the papers' seed", key_display="#"),
    ]

    job: PapersJob

    def __init__(self) -> None:
        super().__init__()
        self.seed = 1
        self.chart = 0
        """The number of the chart drawn, from 1; 0 shows the tables instead, if there is no room for both."""
        self.drawn: object = None
        self._legend_theme = ""
        """The theme in which the legend was drawn."""

    def body(self) -> Iterable[Widget]:
        self.lab.papers = self.job = self.lab.papers or PapersJob()
        with Container(id="papers-screen"):
            with Vertical(id="papers-left"):
                with entitle(Vertical(id="papers-list", classes="panel"), "Papers"):
                    yield PaperTable(self.job.papers, id="papers")
                    yield LiveText(id="paper-note")
                with entitle(Vertical(id="paper-curves", classes="panel"), "Curves"):
                    yield LineChart(id="paper-chart")
                with entitle(Panel(id="paper-legend", classes="panel"), "The verdicts"):
                    yield Static("", id="paper-tables", markup=False)
                    yield Static(LEGEND.replace(". ", ".\n"), markup=False)
            with entitle(ReportPanel(id="paper-report", classes="panel"), "Report"):
                yield Prose("Reading …", id="paper-text", markup=False)

    @property
    def paper(self) -> Paper[Any]:
        """The selected paper."""
        return self.query_one(PaperTable).selected

    @property
    def view(self) -> PaperStatus:
        return self.job.views[self.paper.name]

    @property
    def report(self) -> Report | None:
        return self.view.report

    @on(DataTable.RowSelected)
    def read_clicked(self) -> None:  # by a click on the row under the cursor
        self.action_read()

    @on(DataTable.RowHighlighted)
    def show_selected(self) -> None:
        self.chart = 0
        self.query_one(ReportPanel).scroll_home(animate=False)
        self.draw()

    @property
    def is_reading(self) -> bool:
        """Whether the report is open: it then has the focus, and the whole screen unless that is vast."""
        return self.has_class("-reading")

    def action_read(self) -> None:
        self._set_reading(reading=True)
        self.query_one(ReportPanel).focus()

    def action_back(self) -> None:
        self._set_reading(reading=False)
        self.query_one(PaperTable).focus()

    def _set_reading(self, *, reading: bool) -> None:
        self.set_class(reading, "-reading")
        self.refresh_bindings()
        self.call_after_refresh(self.draw)

    def action_run(self) -> None:
        self.job.start([self.paper.name], self.seed)
        self.draw()

    def action_run_all(self) -> None:
        self.job.start([paper.name for paper in self.job.papers], self.seed)
        self.draw()

    def action_stop(self) -> None:
        self.job.stop()

    def action_page(self, step: int) -> None:
        panel = self.query_one(ReportPanel)
        panel.scroll_relative(y=step * max(1, panel.size.height - 2), animate=False)

    def action_chart(self) -> None:
        """Show the next chart; after the last, the tables if there is no room for both, else the first chart."""
        if self.is_reading and not self.has_class("-vast"):
            self.action_back()
        count = len(self.report.curves) if self.report else 0
        if not count:
            return
        if self.has_class("-wide"):
            self.chart = max(1, self.chart) % count + 1
        else:
            self.chart = (self.chart + 1) % (count + 1)
        self.draw()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if not super().check_action(action, parameters):
            return False
        if action == "back":
            return self.is_reading
        if action == "stop":
            return self.job.running
        if action == "chart":
            return self.report is not None and bool(self.report.curves)
        return True

    @work(exit_on_error=False)
    async def action_seed(self) -> None:
        last = min(paper.last_seed for paper in self.job.papers)

        def seed_text(text: str) -> str:
            return str(parse_number(text, "seed", 0, last))

        answer = await self.ask(Prompt("The first seed", str(self.seed), seed_text))
        if answer is not None:
            self.seed = int(answer)
            self.draw()

    def current_export(self) -> Export | None:
        if self.report is None:
            return None
        reports = [self.report]
        return Export(self.report.source.name, lambda: papers_picture(reports), {".md": lambda: markdown_text(reports)})

    def show_changes(self) -> None:
        self.draw()

    def draw(self) -> None:
        if not self.is_ready:
            return
        self.query_one(PaperTable).show(self.job.views, self._styles)
        self._show_legend()
        view, paper = self.view, self.paper
        note, note_text = self.query_one("#paper-note", LiveText), self._note_text(paper, view)
        note.display = bool(note_text)
        note.set_text(note_text)
        curves = view.report.curves if view.report else ()
        has_curves, has_chart = bool(curves), bool(curves) and self.chart > 0
        if (has_curves, has_chart) != (self.has_class("-curves"), self.has_class("-chart")):
            self.set_class(has_curves, "-curves")
            self.set_class(has_chart, "-chart")
            self.call_after_refresh(self.draw)  # the report then has another width
            return
        panel = self.query_one(ReportPanel)
        keys = ["`S` stops it" if view.state.active else f"`g` computes it with seed {self.seed}", "`X` exports"]
        if not self.is_reading:
            keys.insert(0, "`Enter` opens")
        entitle(panel, f"Report · {paper.name}", " · ".join(keys))
        state = (paper.name, view.report, view.state.active, self.chart, self.seed, panel.size.width, self.app.theme)
        if state == self.drawn:
            return
        self.drawn = state
        self._draw_report(paper, view, panel.size.width)
        if curves:
            self.call_after_refresh(self.draw_chart)
        self.refresh_bindings()

    def _draw_report(self, paper: Paper[Any], view: PaperStatus, width: int) -> None:
        """Draw the report, and the list of its tables."""
        text, tables = self.query_one("#paper-text", Static), list[Text]()
        text.styles.width = max(1, width - SCROLLBAR)  # or a layout under way keeps the height of no text
        text.update(self._report_text(paper, view, width))
        if view.report is not None:
            tables = [title_view(table, self._styles, TABLE_LIST_WIDTH) for table in view.report.tables]
        self.query_one("#paper-tables", Static).update(Text("\n").join(tables))

    def _show_legend(self) -> None:
        """Explain the bars in the lower frame of the list, in their colours."""
        if self._legend_theme == self.app.theme:
            return
        self._legend_theme = self.app.theme
        parts = []
        for verdict, glyph in GLYPHS.items():
            part = Text(glyph, self._styles.get(verdict, ""))
            parts.append(part.append(f" {LEGEND_TEXTS.get(verdict, verdict.value)}", ""))
        self.query_one("#papers-list").border_subtitle = Text("  ").join(parts)

    def _note_text(self, paper: Paper[Any], view: PaperStatus) -> Text:
        """Return what the selected paper does, or why it has no report."""
        if view.state is JobState.RUNNING:
            return Text(f"{paper.name}: {view.what}")
        if view.error:
            return Text(plain(view.error, 200), "bold")
        return Text("" if view.report else f"{paper.name}: {view.text}")

    def _report_text(self, paper: Paper[Any], view: PaperStatus, width: int) -> RenderableType:
        if view.report is not None:
            origin = origin_text(view.report, view.shipped)
            needs_legend = not self.query_one("#paper-legend").region
            return report_view(view.report, max(1, width - EDGES), self._styles, origin, legend=needs_legend)
        source = paper.source
        return Text.assemble((source.title, "bold"), f"\n{source.by}\n\n{source.about}")

    @property
    def _styles(self) -> Styles:
        agrees = Style(color=theme_colour(self, AGREES))
        exact, differs = agrees + Style(bold=True), Style(color=theme_colour(self, DISAGREES), bold=True)
        return {Verdict.EXACT: exact, Verdict.WITHIN: agrees, Verdict.DIFFERS: differs}

    def draw_chart(self) -> None:
        report = self.report
        if report is None or not report.curves:
            return
        curves = report.curves[max(0, self.chart - 1)]
        axis = f"upwards: {curves.unit}{', logarithmic' if curves.log else ''}"
        entitle(self.query_one("#paper-curves"), curves.title, f"{axis} · `m` next chart")
        colours = [theme_colour(self, colour) for colour in COLOURS]
        series, axes = series_of(curves, colours), axes_of(curves)
        self.query_one(LineChart).show(series, axes)


MATCHES: Final = " matches"
"""The heading of the column of bars."""
WIDTHS: Final = {"paper": 10, "what it is about": 30, MATCHES: MAX_BAR + 2}
"""The columns and their widths. The last one ends where the list ends: a bar is as long as there is room."""


class PaperTable(DataTable[Text]):
    """Lists the papers. A click selects one; a click on the selected one opens it.

    The page keys scroll the report beside the table.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "screen.read", "Read", tooltip="opens the report"),
        Binding("pagedown", "screen.page(1)", "Report down", show=False),
        Binding("pageup", "screen.page(-1)", "Report up", show=False),
    ]

    def __init__(self, papers: Sequence[Paper[Any]], *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id, cursor_type="row")  # under the cursor a bar has the colour of the text
        self._papers = papers
        self._states: dict[str, object] = {}
        """The state that is shown of each paper."""

    def on_mount(self) -> None:
        for title, width in WIDTHS.items():
            self.add_column(Text(title), key=title, width=width)
        for paper in self._papers:
            self.add_row(Text(paper.name, "bold"), Text(paper.source.topic), Text(""), key=paper.name)

    @property
    def selected(self) -> Paper[Any]:
        return self._papers[max(0, self.cursor_row)]

    def show(self, views: Mapping[str, PaperStatus], styles: Styles) -> None:
        """Show the state of each paper, its verdicts as a bar in these styles; draw only what has changed."""
        room = self.size.width - sum(width + 2 * self.cell_padding for width in WIDTHS.values()) + WIDTHS[MATCHES]
        width = max(MIN_BAR, min(MAX_BAR, room - 3))  # with spaces, and a scroll bar
        for name, view in views.items():
            state = view.brief, width, styles
            if self.size and self._states.get(name) != state:
                self._states[name] = state
                self.update_cell(name, MATCHES, Text(" ").append_text(_matches_text(view, width, styles)))


def _matches_text(view: PaperStatus, width: int, styles: Styles) -> Text:
    """Return the verdicts of a paper as a bar; without any, its state in words."""
    bar = Text()
    if view.state in (JobState.FINISHED, JobState.NOT_RUN) and view.report is not None:
        for verdict, cells in verdict_bar(view.report.counts, width):
            bar.append(GLYPHS[verdict] * cells, styles.get(verdict, ""))
    if bar:
        return bar
    return Text(view.brief if len(view.brief) <= width else view.brief.partition(",")[0])
