"""What the saves at the board have learned: the changes of the last game in words, and a curve since learning began."""

from collections.abc import Sequence
from typing import Final

from rich.text import Text
from textual.widgets import Static

from lab.board.teaching import Lesson, curve_text, signed_text, told
from lab.words.sanitise import plain
from learners.core.learner import Learner
from saves.library.library import SAVE

LEAST_CURVE: Final = 6
"""The columns of a curve at least; in a narrow place it takes a line of its own."""


class Lessons(Static):
    """Takes no room while nobody learns."""

    DEFAULT_CSS = """
    Lessons { height: auto; margin-bottom: 1; }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__("", id=id, markup=False)
        self.lessons: Sequence[Lesson] = ()
        self.curves: dict[str, dict[str, list[int]]] = {}
        """For each save, by label, its curves: what it had gained after each game since learning began."""

    def begin(self, pupils: Sequence[Learner]) -> None:
        """These learn from now on."""
        self.lessons, self.curves = (), {pupil.label: {} for pupil in pupils}
        self._show()

    def tell(self, lessons: Sequence[Lesson]) -> None:
        """Show what a game taught."""
        self.lessons = lessons
        for lesson in lessons:
            curves = self.curves.setdefault(lesson.learner.label, {})
            for name, gained in lesson.gained.items():
                curve = curves.setdefault(f"{lesson.learner.growth_title} {name}", [0])
                curve.append(curve[-1] + gained)
        self._show()

    def on_resize(self) -> None:
        self._show()

    def _show(self) -> None:
        self.display = bool(self.curves)
        words = {lesson.learner.label: lesson.words for lesson in self.lessons}
        text = Text()
        for label, curves in self.curves.items():
            text.append(f"{plain(label.removeprefix(SAVE), 20)} learns{'' if curves else ' from each game'}\n", "bold")
            for line in told(words[label]) if label in words else ():
                text.append(f"  {plain(line)}\n")
            for name, numbers in curves.items():
                head = f"{name} {signed_text(numbers[-1])} "
                text.append(head, "dim")
                text.append(f"{curve_text(numbers, max(LEAST_CURVE, self.size.width - len(head)))}\n", "not dim")
        text.rstrip()
        self.update(text)
