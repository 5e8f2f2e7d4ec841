"""The list of papers, each with its state."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widgets import DataTable

from lab.papers.papers_job import PaperView
from learners.papers.running import Paper

WIDTHS: Final = {"paper": 10, "what it is about": 30, "matches": None}
"""The columns and their widths. All fit the narrowest terminal; the last one may grow while a paper runs."""


class PaperTable(DataTable[Text]):
    """Lists the papers. A click selects one; a click on the selected one opens it.

    The page keys scroll the report beside the table.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "screen.read", "Read"),
        Binding("pagedown", "screen.page(1)", "Report down", show=False),
        Binding("pageup", "screen.page(-1)", "Report up", show=False),
    ]

    def __init__(self, papers: Sequence[Paper[Any]], *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id, cursor_type="row")
        self._papers = papers
        self._states: dict[str, str] = {}

    def on_mount(self) -> None:
        for title, width in WIDTHS.items():
            self.add_column(Text(title), key=title, width=width)
        for paper in self._papers:
            self.add_row(Text(paper.name, "bold"), Text(paper.source.topic), Text(""), key=paper.name)

    @property
    def selected(self) -> Paper[Any]:
        return self._papers[max(0, self.cursor_row)]

    def show(self, views: Mapping[str, PaperView]) -> None:
        """Show the state of each paper; draw only what has changed."""
        for name, view in views.items():
            if self._states.get(name) != view.brief:
                self._states[name] = view.brief
                self.update_cell(name, "matches", Text(view.brief), update_width=True)
