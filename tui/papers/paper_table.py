"""The papers as a list, each with how it stands."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widgets import DataTable

from lab.training.papers_job import PaperView
from learners.papers.running import Paper

NAME: Final = 10


class PaperTable(DataTable[Text]):
    """A row for each paper. A click only goes there; the keys that turn pages turn those of the report beside it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "screen.run", "Run", show=False),
        Binding("pagedown", "screen.page(1)", "Report down", show=False),
        Binding("pageup", "screen.page(-1)", "Report up", show=False),
    ]

    def __init__(self, papers: Sequence[Paper[Any]], *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id, cursor_type="row", show_header=False)
        self._papers = papers
        self._shown: dict[str, str] = {}

    def on_mount(self) -> None:
        self.add_column("", key="name", width=NAME)
        self.add_column("", key="state")
        for paper in self._papers:
            self.add_row(Text(paper.name, "bold"), Text(""), key=paper.name)

    @property
    def selected(self) -> Paper[Any]:
        return self._papers[max(0, self.cursor_row)]

    def show(self, views: Mapping[str, PaperView]) -> None:
        """Tell how each stands; only what differs is drawn."""
        for name, view in views.items():
            if self._shown.get(name) != view.text:
                self._shown[name] = view.text
                self.update_cell(name, "state", Text(view.text), update_width=True)
