"""A sweep in progress: the progress, the heat map, and the curves of the best cell and of the selected one."""

import shlex
from collections.abc import Sequence
from dataclasses import replace

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.widgets import ProgressBar

from engine.game import BadText
from engine.plural import counted_noun, plural
from lab.jobs import JobState
from lab.race.race_text import BOTH_SIDES, NOTHING, share_text
from lab.sweep.findings import Cell, Findings
from lab.sweep.pictures import HeatMap, natural_key
from lab.sweep.sweep_job import SweepJob
from lab.sweep.sweep_text import meaning_text, size_text
from lab.text.line_charts import Series, share_axes, share_height
from lab.text.numbers import duration_text, percent_text, rate_text, remaining_seconds
from lab.text.sanitise import PATH_WIDTH, plain
from lab.training.training_job import TrainingJob
from learners.core.save_ref import MAX_NAME, parse_name
from learners.sweep.analysis import Group
from learners.sweep.definition import Definition
from saves.paths import served, shown
from saves.sweeps.part import part_path
from tui.shell.parts import LiveText, entitle
from tui.sweep.sweep_map import SweepMap
from tui.widgets.form import Form
from tui.widgets.line_chart import LineChart
from tui.widgets.tiles import theme_colour


class SweepView(Container):
    """Shows one moment of a sweep beside its form; independent of the thread that runs it."""

    DEFAULT_CSS = """
    SweepView {
        layout: grid; grid-size: 2 2; grid-rows: 1fr 1fr; grid-gutter: 0 1;
        & > SweepForm { row-span: 2; height: 100%; }
        .-even &, .-low & { grid-rows: 5fr 4fr; }
        & #sweep-progress { height: 1; }
        & ProgressBar, & Bar { width: 1fr; }
        & #sweep-rate { width: 24; padding-left: 1; text-align: right; }
        & #sweep-meaning { height: auto; max-height: 2; text-style: bold; }
        & #sweep-heat { height: 100%; }
        & #sweep-map { width: 100%; height: 1fr; }
        & #sweep-curves { height: 100%; }
        & #sweep-best { height: auto; }
        & #sweep-here { height: 1; }
        & LineChart { height: 1fr; min-height: 3; }
        & #sweep-place { height: auto; max-height: 3; color: $text-muted; }
    }
    """

    def __init__(self, form: Form, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self._form = form

    def compose(self) -> ComposeResult:
        yield self._form
        with Vertical(id="sweep-heat", classes="panel"):
            with Horizontal(id="sweep-progress"):
                yield ProgressBar(total=100, show_eta=False, id="sweep-bar")
                yield LiveText(id="sweep-rate")
            yield LiveText(id="sweep-meaning")
            yield SweepMap(id="sweep-map")
        with Vertical(id="sweep-curves", classes="panel"):
            yield LiveText(id="sweep-best")
            yield LiveText(id="sweep-here")
            yield LineChart(id="sweep-chart")
            yield LiveText(id="sweep-place")

    def on_mount(self) -> None:
        entitle(self.query_one("#sweep-curves"), "The best cell, and the selected one")

    @property
    def map(self) -> SweepMap:
        return self.query_one(SweepMap)

    def _set_text(self, name: str, text: Text | str) -> None:
        self.query_one(f"#sweep-{name}", LiveText).set_text(text)

    def introduce(self, definition: Definition | None) -> None:
        """Show the grid that the form describes, if it describes one, before a sweep begins."""
        self.query_one("#sweep-progress").visible = False
        self._entitle_map("The map" if definition is None else size_text(definition))
        self._set_text("meaning", "")
        self._set_text("best", Text("The map fills in as machines are finished.", "dim"))
        self._set_text("here", "")
        self.query_one(LineChart).display = False
        self._set_text("place", "")
        if definition is not None:
            (name, across), (other, down) = definition.grid[:2]
            empty = HeatMap("", (name, _sorted(across)), (other, _sorted(down)), {})
            self.map.show(empty, None)

    def show(self, job: SweepJob, place: str, *, log: bool) -> None:
        """Draw a sweep as it is now; `place` says where it is stored."""
        view = job.view
        self.query_one("#sweep-progress").visible = True
        self.query_one("#sweep-bar", ProgressBar).update(total=view.total or None, progress=view.done)
        left = duration_text(remaining_seconds(view.done, view.total, view.per_second))
        rate = f"{rate_text(view.per_second)}  {left} left" if job.running else ""
        if not job.running and view.seconds:
            rate = f"in {duration_text(view.seconds)}"
        self._set_text("rate", rate)
        self._set_text("place", plain(place, PATH_WIDTH))
        if view.findings is not None:
            self.show_findings(view.findings, log=log)

    def show_findings(self, findings: Findings, *, log: bool) -> None:
        """Draw the title, the map and the curves."""
        after = f", after {counted_noun(findings.mark, findings.noun)}" if findings.mark else ""
        title = findings.heat.title[0].upper() + findings.heat.title[1:]
        room = self.query_one("#sweep-heat").size.width
        for shorter in ("both sides", "both"):
            if len(f"{title}, %") > room:
                title = title.replace(BOTH_SIDES, shorter).replace("both sides", shorter)
        fits = len(f"{title}{after}, %") <= room
        self._entitle_map(f"{title}{after if fits else ''}, %")
        self._set_text("meaning", meaning_text(findings))
        self.map.show(findings.heat, findings.best, findings.axis_words)
        self.show_curves(findings, log=log)

    def _entitle_map(self, title: str) -> None:
        entitle(self.query_one("#sweep-heat"), title, "Enter races a cell · k keeps a machine")

    def show_curves(self, findings: Findings, *, log: bool) -> None:
        """Draw the curves of the best cell and of the selected one, and the last result of each in words."""
        best, here = findings.best, self.map.cell
        wanted = {"best": (best, "role-good"), "here": (None if best in {None, here} else here, "role-first")}
        series, top = [], 0.0
        for name, (cell, colour) in wanted.items():
            curve = [] if cell is None else findings.curve(cell)
            style = theme_colour(self, colour)
            self._set_text(name, self._words(name, findings, cell, curve, style))
            if not curve:
                continue
            top = max(top, *(group.high for _, group in curve))
            low, middle, high = (
                [(mark, share_height(getattr(group, part), log=log)) for mark, group in curve]
                for part in ("low", "median", "high")
            )
            label = f"{share_text(curve[-1][1].median)} {name}"
            series.append(Series(label, middle, style, name[0], low=low, high=high))
        axes = replace(share_axes(top, max(1, findings.mark), log=log), unit=plural(findings.noun, 2))
        chart = self.query_one(LineChart)
        chart.display = bool(series)
        chart.show(series, axes)

    def _words(
        self, name: str, findings: Findings, cell: Cell | None, curve: list[tuple[int, Group]], style: str
    ) -> Text:
        """Return the values of a cell, and as much of its median, its band and its number of machines as fits."""
        if cell is None:
            return Text("No machine is finished yet." if name == "best" else "", "dim")
        values = ", ".join(f"{axis} {value or NOTHING}" for axis, value in zip(findings.axes, cell, strict=True))
        line = Text(f"{name.title()} ", style, no_wrap=True, overflow="ellipsis").append(plain(values), "bold")
        facts = ["no machine yet"]
        if curve:
            group = curve[-1][1]
            band = f"[80 % in {share_text(group.low)}–{share_text(group.high)}]" if group.machines > 1 else ""
            facts = [share_text(group.median), band, f" {counted_noun(group.machines, 'machine')}"]
        line.append(" ")
        for fact in filter(None, facts):
            if line.cell_len + 1 + len(fact) <= self.query_one(f"#sweep-{name}").size.width:
                line.append(f" {fact}", "not bold")
        return line


def _sorted(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(values, key=natural_key))


def state_text(job: SweepJob | None) -> Text:
    """Return the state of a sweep, or if there is none, how to start it."""
    if job is None:
        return Text("Press g or Start.", "dim")
    view = job.view
    machines = f"{view.done:,} of {counted_noun(view.total, 'machine')}" if view.total else ""
    words = {
        JobState.STARTING: "Starting the workers …",
        JobState.RUNNING: machines,
        JobState.FINISHED: f"Finished: {counted_noun(view.done, 'machine')}",
        JobState.STOPPED: f"Stopped: {machines}",
        JobState.FAILED: f"Failed: {machines}" if view.done else "Failed",
    }
    return Text(words[view.state], "bold" if not view.state.active else "", no_wrap=True, overflow="ellipsis")


def place_text(job: SweepJob) -> str:
    """Return where a sweep is stored, and how to resume it."""
    if job.view.state is JobState.FINISHED:
        return f"Table: {shown(job.path)}"
    if job.running:
        return f"Kept in {shown(part_path(job.path))}"
    command = "" if served() else f", or: noughts sweep resume {shlex.quote(shown(job.path))}"
    return f"Kept. g resumes{command}" if job.view.done else ""


def training_text(job: TrainingJob) -> Text:
    """Return the state of the training of a kept machine."""
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
