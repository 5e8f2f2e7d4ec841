"""The list of papers, each with its state."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widgets import DataTable

from lab.training.papers_job import PaperView
from learners.papers.running import Paper

NAME: Final = 10


class PaperTable(DataTable[Text]):
    """Shows a row for each paper. A click selects it; the page keys scroll the report beside the table."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "screen.read", "Read"),
        Binding("pagedown", "screen.page(1)", "Report down", show=False),
        Binding("pageup", "screen.page(-1)", "Report up", show=False),
    ]

    def __init__(self, papers: Sequence[Paper[Any]], *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id, cursor_type="row", show_header=False)
        self._papers = papers
        self._states: dict[str, str] = {}

    def on_mount(self) -> None:
        self.add_column("", key="name", width=NAME)
        self.add_column("", key="state")
        for paper in self._papers:
            self.add_row(Text(paper.name, "bold"), Text(""), key=paper.name)

    @property
    def selected(self) -> Paper[Any]:
        return self._papers[max(0, self.cursor_row)]

    def show(self, views: Mapping[str, PaperView]) -> None:
        """Show the state of each paper; only changes are drawn."""
        for name, view in views.items():
            if self._states.get(name) != view.text:
                self._states[name] = view.text
                self.update_cell(name, "state", Text(view.text), update_width=True)
