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
from lab.papers.report_text import LEGEND, markdown, origin_text, verdict_bar
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
from tui.widgets.tiles import theme_colour

COLOURS: Final = ("role-good", "role-first", "role-second", "role-bad", "role-lit")
"""The colours of the theme for curves, in order."""
AGREES, DISAGREES = "role-good", "role-second"
"""The colours of the theme for figures that agree and that differ; not red, since a difference is no error."""
MIN_MATCHES, MAX_MATCHES = 7, 25
"""The width of the bar of verdicts of a paper, in columns: at least, and where there is room."""
GLYPHS: Final = {Verdict.EXACT: "▆", Verdict.WITHIN: "▄", Verdict.DIFFERS: "▂", Verdict.UNDECIDED: "·"}
"""The characters of the bar, so that it can be read without colours, and never touches that of the next line."""
WORDS: Final = {Verdict.WITHIN: "within the spread"}
"""The words of the legend, where they are not those of the verdict."""
TABLES: Final = 60
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
    def chosen(self) -> Paper[Any]:
        return self.query_one(PaperTable).selected

    @property
    def view(self) -> PaperStatus:
        return self.job.views[self.chosen.name]

    @property
    def report(self) -> Report | None:
        return self.view.report

    @on(DataTable.RowSelected)
    def selected(self) -> None:  # by a click on the row under the cursor
        self.action_read()

    @on(DataTable.RowHighlighted)
    def highlighted(self) -> None:
        self.chart = 0
        self.query_one(ReportPanel).scroll_home(animate=False)
        self.draw()

    @property
    def reading(self) -> bool:
        """Whether the report is open: it then has the focus, and the whole screen unless that is vast."""
        return self.has_class("-reading")

    def action_read(self) -> None:
        self._read(reading=True)
        self.query_one(ReportPanel).focus()

    def action_back(self) -> None:
        self._read(reading=False)
        self.query_one(PaperTable).focus()

    def _read(self, *, reading: bool) -> None:
        self.set_class(reading, "-reading")
        self.refresh_bindings()
        self.call_after_refresh(self.draw)

    def action_run(self) -> None:
        self.job.start([self.chosen.name], self.seed)
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
        if self.reading and not self.has_class("-vast"):
            self.action_back()
        count = len(self.report.curves) if self.report else 0
        if count:
            wide = self.has_class("-wide")
            self.chart = max(1, self.chart) % count + 1 if wide else (self.chart + 1) % (count + 1)
            self.draw()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if not super().check_action(action, parameters):
            return False
        if action == "back":
            return self.reading
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

    def kept(self) -> Export | None:
        if self.report is None:
            return None
        shown = [self.report]
        return Export(self.report.source.name, lambda: papers_picture(shown), {".md": lambda: markdown(shown)})

    def look(self) -> None:
        self.draw()

    def draw(self) -> None:
        if not self.is_ready:
            return
        self.query_one(PaperTable).show(self.job.views, self._styles)
        self._show_legend()
        view, paper = self.view, self.chosen
        note, said = self.query_one("#paper-note", LiveText), self._note_text(paper, view)
        note.display = bool(said)
        note.set_text(said)
        curves = view.report.curves if view.report else ()
        layout = bool(curves), bool(curves) and self.chart > 0
        if layout != (self.has_class("-curves"), self.has_class("-chart")):
            self.set_class(layout[0], "-curves")
            self.set_class(layout[1], "-chart")
            self.call_after_refresh(self.draw)  # the report then has another width
            return
        panel = self.query_one(ReportPanel)
        running = "`S` stops it" if view.state.active else f"`g` computes it with seed {self.seed}"
        entitle(
            panel,
            f"Report · {paper.name}",
            " · ".join([*([] if self.reading else ["`Enter` opens"]), running, "`X` exports"]),
        )
        drawn = (paper.name, view.report, view.state.active, self.chart, self.seed, panel.size.width, self.app.theme)
        if drawn == self.drawn:
            return
        self.drawn = drawn
        text = self.query_one("#paper-text", Static)
        text.styles.width = max(1, panel.size.width - SCROLLBAR)  # or a layout under way keeps the height of no text
        text.update(self._report_text(paper, view, panel.size.width))
        tables, styles = self.query_one("#paper-tables", Static), self._styles
        given = [] if view.report is None else [title_view(each, styles, TABLES) for each in view.report.tables]
        tables.update(Text("\n").join(given))
        if curves:
            self.call_after_refresh(self.draw_chart)
        self.refresh_bindings()

    def _show_legend(self) -> None:
        """Explain the bars in the lower frame of the list, in their colours."""
        if self._legend_theme != self.app.theme:
            self._legend_theme = self.app.theme
            parts = [
                Text(GLYPHS[verdict], self._styles.get(verdict, "")).append(f" {WORDS.get(verdict, verdict.value)}", "")
                for verdict in GLYPHS
            ]
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
            when = origin_text(view.report, view.shipped)
            legend = not self.query_one("#paper-legend").region
            return report_view(view.report, max(1, width - EDGES), self._styles, when, legend=legend)
        about = paper.source
        return Text.assemble((about.title, "bold"), f"\n{about.by}\n\n{about.about}")

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
        entitle(
            self.query_one("#paper-curves"),
            curves.title,
            f"upwards: {curves.unit}{', logarithmic' if curves.log else ''} · `m` next chart",
        )
        colours = [theme_colour(self, colour) for colour in COLOURS]
        series, axes = series_of(curves, colours), axes_of(curves)
        self.query_one(LineChart).show(series, axes)


MATCHES: Final = " matches"
WIDTHS: Final = {"paper": 10, "what it is about": 30, MATCHES: MAX_MATCHES + 2}
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
        width = max(MIN_MATCHES, min(MAX_MATCHES, room - 3))  # with air, and a scroll bar
        for name, view in views.items():
            state = view.brief, width, styles
            if self.size and self._states.get(name) != state:
                self._states[name] = state
                settled = view.state in (JobState.FINISHED, JobState.NOT_RUN) and view.report is not None
                parts = verdict_bar(view.report.counts, width) if settled and view.report is not None else []
                bar = [(GLYPHS[verdict] * cells, styles.get(verdict, "")) for verdict, cells in parts]
                words = view.brief if len(view.brief) <= width else view.brief.partition(",")[0]
                self.update_cell(name, MATCHES, Text.assemble(" ", *(bar or [(words, "")])))
