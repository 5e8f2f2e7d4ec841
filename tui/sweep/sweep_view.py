"""A sweep in progress: the progress, the heat map, and the curves of the best cell and of the selected one."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from math import isnan
from typing import Final

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import ProgressBar

from engine.game import BadText, Side
from engine.plural import counted_noun, plural
from lab.jobs import JobState
from lab.race.race_job import earlier_curve
from lab.race.race_text import NOTHING, ShownMeasure, share_figure, title_wordings
from lab.sweep.findings import Cell, Findings, axis_settings
from lab.sweep.pictures import HeatMap
from lab.sweep.sweep_job import SweepJob
from lab.sweep.sweep_text import cell_text, meaning_text, size_text
from lab.text.axes import EMPTY_TOP, Axes, Points, share_axes, share_height
from lab.text.curves import Series
from lab.text.numbers import duration_text, percent_text, rate_text, remaining_seconds
from lab.text.sanitise import PATH_WIDTH, plain
from lab.training.training_job import TrainingJob
from lab.training.training_story import Ghost
from learners import parse_learner
from learners.core.save_ref import MAX_NAME, parse_name
from learners.sweep.analysis import Group
from learners.sweep.definition import Definition
from saves.paths import escape_controls, is_served, path_text
from tui.shell.learner_facts import choices_text
from tui.shell.parts import FRAME, LiveText, Panel, entitle, fitting_text
from tui.sweep.sweep_map import FRAMED_FROM, SweepMap
from tui.widgets.chart_screen import KEY_TEXTS
from tui.widgets.form import Form
from tui.widgets.line_chart import LineChart
from tui.widgets.loss_chart import OPPONENTS, loss_series
from tui.widgets.palette import theme_colour

SLACK: Final = 12
"""The columns that two lines may lose where words wrap."""
LINES_ABOVE: Final = 3
"""The maximum number of lines above a map before there are results: the progress, what a cell is, and an empty one."""
BAR_WIDTH: Final = 16
"""The width of the bar of the largest share, in columns."""
MAX_SEEDS: Final = 100
"""The maximum number of machines listed."""


class SweepView(Horizontal):
    """Shows one moment of a sweep beside its form; independent of the thread that runs it."""

    DEFAULT_CSS = """
    SweepView {
        height: 1fr;
        & > #sweep-left { width: 32; height: 100%; margin-right: 1; }
        & SweepForm { height: 1fr; overflow-y: auto; }
        & #sweep-about { display: none; height: 1fr; }
        & > #sweep-results { width: 1fr; height: 100%; }
        &.-folded > #sweep-left { display: none; }
        & #sweep-progress { display: none; height: 1; }
        & ProgressBar, & Bar { width: 1fr; }
        & #sweep-rate { width: 24; padding-left: 1; text-align: right; }
        & #sweep-meaning { height: auto; max-height: 2; text-style: bold; }
        & #sweep-heat { height: 9fr; }
        & #sweep-map { width: 100%; height: 1fr; }
        & #sweep-settings { height: 1fr; min-height: 4; }
        & .sweep-each { height: auto; max-width: 120; text-wrap: nowrap; }
        &.-begun #sweep-settings { display: none; }
        &.-begun #sweep-lower { display: block; }
        & #sweep-lower { display: none; height: 5fr; min-height: 7; }
        & #sweep-curves { width: 1fr; height: 100%; }
        & #sweep-best, & #sweep-selected { height: 1; }
        & LineChart { height: 1fr; min-height: 3; }
        & #sweep-machines { display: none; width: 38; height: 100%; margin-left: 1; }
        & #sweep-seeds { height: auto; text-wrap: nowrap; }
        & #sweep-place { height: auto; max-height: 2; color: $text-muted; }
    }
    """

    def __init__(self, form: Form, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self._form = form
        self.ghost: Ghost | None = None
        """An earlier training of the learner that the form chooses, drawn before a sweep."""
        self.untrained: Ghost | None = None
        """This learner without training, drawn from the start of a sweep until there are results."""

    def compose(self) -> ComposeResult:
        with Vertical(id="sweep-left"):
            yield self._form
            with entitle(Panel(id="sweep-about", classes="panel"), "What can vary", "choose two above"):
                yield LiveText(id="sweep-each-left", classes="sweep-each")
        with Vertical(id="sweep-results"):
            with Vertical(id="sweep-heat", classes="panel"):
                with Horizontal(id="sweep-progress"):
                    yield ProgressBar(total=100, show_percentage=False, show_eta=False, id="sweep-bar")
                    yield LiveText(id="sweep-rate")
                yield LiveText(id="sweep-meaning")
                yield SweepMap(id="sweep-map")
            with entitle(Panel(id="sweep-settings", classes="panel"), "What varies", "choose two in the form"):
                yield LiveText(id="sweep-each-right", classes="sweep-each")
            with Horizontal(id="sweep-lower"):
                with entitle(Vertical(id="sweep-curves", classes="panel"), "Games lost"):
                    yield LiveText(id="sweep-best")
                    yield LiveText(id="sweep-selected")
                    yield LineChart(id="sweep-chart")
                    yield LiveText(id="sweep-place")
                machines = Panel(id="sweep-machines", classes="panel")
                with entitle(machines, "Machines of the selected cell", "`k` keeps one"):
                    yield LiveText(id="sweep-seeds")

    @property
    def map(self) -> SweepMap:
        return self.query_one(SweepMap)

    def _set_text(self, name: str, text: Text | str) -> None:
        self.query_one(f"#sweep-{name}", LiveText).set_text(text)

    def introduce(self, definition: Definition | None, shown_measure: ShownMeasure, *, begun: bool) -> None:
        """Show a grid, if there is one, before any of its machines is finished; `begun` once the sweep runs."""
        self.query_one("#sweep-progress").display = False
        self.set_class(begun, "-begun")
        panel = self.query_one("#sweep-heat")
        if begun:
            titles = [f"{title}, %" for title in title_wordings(shown_measure.title)]
            entitle(panel, fitting_text(panel, *titles))
        else:
            size = "The map" if definition is None else size_text(definition)
            keys = fitting_text(panel, "`g` starts · `P` opens an earlier one", "`g` starts · `P` opens")
            entitle(panel, fitting_text(panel, size, size.partition(",")[0]), keys)
        plan = "" if definition is None else cell_text(definition)
        if not begun and not self.screen.has_class("-low"):
            plan += "\n"
        self._set_text("meaning", Text(plan, "not bold dim"))
        if definition is not None:
            across, down = definition.grid[:2]
            settings = axis_settings(definition.learners[0][0], (across[0], down[0]))
            self.map.show(HeatMap("", across, down, {}), None, settings, definition)
            self._list_settings(definition)
        if begun and definition is not None:
            self._show_untrained(definition, shown_measure)
        else:
            self._show_ghost(self.ghost)
        if not any(self.query_one(each).display for each in ("#sweep-settings", "#sweep-lower")):
            self._limit_map(None)
        elif begun:
            self._limit_map(FRAME + LINES_ABOVE + self.map.lines())
        else:
            cell_height = FRAMED_FROM if self.screen.has_class("-tall") else 1
            self._limit_map(FRAME + LINES_ABOVE + self.map.lines(cell_height))

    def _list_settings(self, definition: Definition) -> None:
        """List what can vary; beside the form only the settings that are chosen, since it has no room for all."""
        learner, chosen = parse_learner(definition.learners[0][0]), [name for name, _ in definition.grid[:2]]
        lit = theme_colour(self, "role-lit")
        for widget in self.query(".sweep-each").results(LiveText):
            room = widget.container_size.width - 2  # for a scrollbar, and a space before it
            keys = chosen if widget.id == "sweep-each-right" else ()
            widget.set_text(choices_text(learner, room, lit=lit, chosen=chosen, keys=keys))

    def _show_untrained(self, definition: Definition, shown_measure: ShownMeasure) -> None:
        """Draw dim with what the curves of the cells begin: the share of a machine that has not been trained."""
        self._clear_curves()
        entitle(self.query_one("#sweep-curves"), "Best and selected cell")
        noun, rounds = definition.budgets[0]
        ghost, series, top = self.untrained, list[Series](), EMPTY_TOP
        if ghost is not None and ghost.learner.spec.name == definition.learners[0][0]:
            shares = [share for _, share in earlier_curve(ghost, shown_measure)]
            points = [*zip((1, rounds), shares, strict=False)]
            if points:
                series.append(Series(f"{share_figure(points[-1][1])} untrained", points, "", "u", dim=True))
                top = max(share for _, share in points)
        self.query_one(LineChart).show(series, replace(share_axes(top, rounds, log=False), unit=plural(noun, 2)))

    def _clear_curves(self) -> None:
        self.query_one(LineChart).display = True
        for name in ("best", "selected", "place"):
            self._set_text(name, "")
        self._set_text("seeds", Text("No machine is finished yet.", "dim"))

    def _show_ghost(self, ghost: Ghost | None) -> None:
        """Draw the losses of an earlier training dim, where the curves of the best cells will be."""
        self._clear_curves()
        if ghost is None:
            return
        mark, noun = ghost.learner.game.marks[0], ghost.learner.spec.round_noun
        whose = f"An earlier training, {plain(ghost.name, 30)}" if ghost.learner.rounds else "Before training"
        panel = self.query_one("#sweep-curves")
        entitle(panel, fitting_text(panel, f"{whose}: games lost as {mark}", f"Games lost as {mark}"))
        colours = {each.colour: theme_colour(self, each.colour) for each in OPPONENTS.values()}
        series = loss_series(ghost.known, Side.FIRST, colours, self._room, ghost=True)
        self.query_one(LineChart).show(series, Axes(max(ghost.known), plural(noun, 2)))

    def show(self, job: SweepJob, *, log: bool) -> None:
        """Draw a sweep as it is now."""
        view = job.view
        if job.definition is not None:
            self._list_settings(job.definition)
        self.query_one("#sweep-progress").display = job.running and (not view.total or view.done < view.total)
        self.query_one("#sweep-bar", ProgressBar).update(total=view.total or None, progress=view.done)
        rate = ""
        if view.per_second:
            time_left = duration_text(remaining_seconds(view.done, view.total, view.per_second))
            rate = f"{rate_text(view.per_second)}  {time_left} left"
        self._set_text("rate", rate)
        place = place_text(job, self.query_one("#sweep-place").size.width)
        if view.done and view.seconds and not job.running:
            place = f"Made in {duration_text(view.seconds)}. {place}"
        self._set_text("place", plain(place, PATH_WIDTH))
        if view.findings is not None and view.findings.best is not None:
            self.show_findings(view.findings, job.definition, log=log)

    def show_findings(self, findings: Findings, definition: Definition | None, *, log: bool) -> None:
        titles = title_wordings(findings.heat.title)
        if findings.mark:
            titles = [f"{titles[0]}, after {counted_noun(findings.mark, findings.noun)}", *titles]
        panel = self.query_one("#sweep-heat")
        legend = f"* best, {'brighter' if self.app.current_theme.dark else 'darker'} is better"
        race_key = "`Enter` races a cell"
        keys = fitting_text(panel, f"{legend} · {race_key} · `k` keeps a machine", f"{legend} · {race_key}", race_key)
        entitle(panel, fitting_text(panel, *(f"{title}, %" for title in titles)), keys)
        self._set_text("meaning", self._shorten(meaning_text(findings)))
        self.add_class("-begun")
        self.map.show(findings.heat, findings.best, findings.axis_settings, definition)
        self._limit_map(FRAME + self.query_one("#sweep-meaning").size.height + self.map.lines())
        self.show_curves(findings, log=log)
        self._show_cell_curves(findings, log=log)

    def _shorten(self, text: str) -> str:
        """Leave out the last sentences as long as the text is longer than its two lines, or one on a low screen."""
        room = self._room if self.screen.has_class("-low") else 2 * self._room - SLACK
        while len(text) > room and ". " in text:
            text = f"{text[:-1].rpartition('. ')[0]}."
        return text

    @property
    def _room(self) -> int:
        return self.query_one("#sweep-meaning").size.width

    def _limit_map(self, lines: int | None) -> None:
        """Limit the panel of the map to `lines`; the curves below it get the other lines."""
        self.query_one("#sweep-heat").styles.max_height = lines

    def _show_cell_curves(self, findings: Findings, *, log: bool) -> None:
        """Draw the curve of each cell in it, all on the same axes."""

        def curve_of(cell: Cell) -> Points:
            return [(mark, share_height(group.median, log=log)) for mark, group in findings.curve(cell)]

        heights = [height for cell in findings.heat.shares for _, height in curve_of(cell)]
        if heights:
            axes = share_axes(1.0, max(1, findings.mark), log=log)
            self.map.draw_curves(curve_of, replace(axes, low=min(heights), high=max(heights)))

    def show_curves(self, findings: Findings, *, log: bool) -> None:
        """Draw the curves of the best cell and of the selected one, with the last result of each in words."""
        best, selected = findings.best, self.map.cell
        panel = self.query_one("#sweep-curves")
        entitle(panel, "Best and selected cell", fitting_text(panel, *KEY_TEXTS))
        other = None if best in {None, selected} else selected
        series, top = [], 0.0
        for name, cell, colour in (("best", best, "role-good"), ("selected", other, "role-first")):
            curve = [] if cell is None else findings.curve(cell)
            style = theme_colour(self, colour)
            self._set_text(name, self._cell_text(name, findings, cell, curve, style))
            if not curve:
                continue
            top = max(top, *(group.high for _, group in curve))
            low = [(mark, share_height(group.low, log=log)) for mark, group in curve]
            middle = [(mark, share_height(group.median, log=log)) for mark, group in curve]
            high = [(mark, share_height(group.high, log=log)) for mark, group in curve]
            label = f"{share_figure(curve[-1][1].median)} {name}"
            series.append(Series(label, middle, style, name[0], low=low, high=high))
        axes = replace(share_axes(top, max(1, findings.mark), log=log), unit=plural(findings.noun, 2))
        chart = self.query_one(LineChart)
        chart.display = bool(series)
        chart.show(series, axes)
        self._set_text("seeds", seeds_text(findings, selected))

    def _cell_text(
        self, name: str, findings: Findings, cell: Cell | None, curve: list[tuple[int, Group]], style: str
    ) -> Text:
        """Return the values of a cell, and as much of its median, its band and its number of machines as fits."""
        if cell is None:
            return Text()
        room = self.query_one(f"#sweep-{name}").size.width
        titles = findings.axis_title(0), findings.axis_title(1)
        values = ", ".join(f"{title} {value or NOTHING}" for title, value in zip(titles, cell, strict=True))
        if len(name) + 1 + len(values) > room:
            values = ", ".join(f"{axis} {value or NOTHING}" for axis, value in zip(findings.axes, cell, strict=True))
        facts = ["no machine yet"]
        if curve:
            group = curve[-1][1]
            facts = [share_figure(group.median)]
            if group.machines > 1:
                facts.append(f"[80 % in {share_figure(group.low)}–{share_figure(group.high)}]")
            facts.append(f" {counted_noun(group.machines, 'machine')}")
        line = Text(f"{name.title()} ", style, no_wrap=True, overflow="ellipsis").append(plain(values), "bold")
        line.append(" ")
        for fact in facts:
            if line.cell_len + 1 + len(fact) <= room:
                line.append(f" {fact}", "not bold")
        return line


def seeds_text(findings: Findings, cell: Cell | None) -> Text:
    """Return the machines of a cell, the best first: the seed of each, its share, and a bar."""
    machines = [] if cell is None else findings.seeds(cell)[:MAX_SEEDS]
    if not machines:
        return Text("No machine of this cell is finished yet.", "dim")
    largest = max((share for _, _, share in machines if not isnan(share)), default=0.0)
    text = Text(f"{'seed':>6}{'%':>8}", "dim", no_wrap=True)
    for _, seed, share in machines:
        width = round(BAR_WIDTH * share / largest) if largest and not isnan(share) else 0
        text.append(f"\n{seed:>6}{share_figure(share):>8}  ", "not dim").append("━" * width, "dim")
    return text


def state_text(job: SweepJob | None) -> Text:
    if job is None:
        return Text("Press g or Start.", "dim")
    view = job.view
    machines = f"{view.done:,} of {counted_noun(view.total, 'machine')}" if view.total else ""
    texts = {
        JobState.STARTING: "Getting ready …",
        JobState.RUNNING: machines,
        JobState.FINISHED: f"Finished: {counted_noun(view.done, 'machine')}",
        JobState.STOPPED: f"Stopped: {machines}",
        JobState.FAILED: f"Failed: {machines}" if view.done else "Failed",
    }
    return Text(texts[view.state], "" if view.state.active else "bold", no_wrap=True, overflow="ellipsis")


def place_text(job: SweepJob, width: int) -> str:
    """Return the file in which a sweep is stored, or how to resume it: by a command, if it fits into two lines."""
    if job.running:
        return "Finished machines are kept."
    if job.view.state is JobState.FINISHED:
        return f"Kept as {escape_controls(job.path.name)}"
    if not job.view.done:
        return ""
    command = f", or: noughts sweep resume {shlex.quote(path_text(job.path))}"
    if is_served() or len(command) > 2 * width - SLACK:
        command = ""
    return f"Kept. g resumes{command}."


def training_text(job: TrainingJob) -> Text:
    view = job.view
    name = plain(job.name, MAX_NAME)
    if job.save_error or view.error:
        return Text(f"Not saved: {plain(job.save_error or view.error)}", "bold red")
    if view.state is JobState.FINISHED:
        return Text(f"Saved as {name}", "bold", no_wrap=True, overflow="ellipsis")
    share = percent_text(view.done / view.total)
    return Text(f"{share} trained: {name}", no_wrap=True, overflow="ellipsis")


def proposed_name(words: Sequence[str]) -> str:
    """Return a valid name for a save, made from some words."""
    text = " ".join(words)
    while True:
        try:
            return parse_name(text[:MAX_NAME])
        except BadText:
            text = "".join(letter for letter in text if letter.isalnum() or letter in " -_.,") or "machine"
