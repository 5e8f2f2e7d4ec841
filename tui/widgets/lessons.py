"""What the saves at the board have learned: the changes of the last game in words, and a curve since learning began."""

from collections.abc import Sequence

from rich.text import Text
from textual.widgets import Static

from learners.learner import Learner
from saves.library import SAVE
from tui.lessons import Lesson, curve_text, growth_of, told
from tui.safe import plain


class Lessons(Static):
    """Takes no room while nobody learns."""

    DEFAULT_CSS = """
    Lessons { height: auto; margin-bottom: 1; }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__("", id=id, markup=False)
        self.lessons: Sequence[Lesson] = ()
        self.curves: dict[str, dict[str, list[int]]] = {}
        """For each save, by label, its curves: what had grown after each game since learning began."""

    def begin(self, pupils: Sequence[Learner]) -> None:
        """These learn from now on."""
        self.curves = {pupil.label: {name: [now] for name, now in growth_of(pupil).items()} for pupil in pupils}
        self.lessons = ()
        self._show()

    def tell(self, lessons: Sequence[Lesson]) -> None:
        """Show what a game taught."""
        self.lessons = lessons
        for lesson in lessons:
            for name, now in growth_of(lesson.learner).items():
                self.curves.get(lesson.learner.label, {}).setdefault(name, []).append(now)
        self._show()

    def on_resize(self) -> None:
        self._show()

    def _show(self) -> None:
        self.display = bool(self.curves)
        words = {lesson.learner.label: lesson.words for lesson in self.lessons}
        text = Text()
        for label, curves in self.curves.items():
            text.append(f"{plain(label.removeprefix(SAVE), 20)} learns\n", "bold")
            for line in told(words[label]) if label in words else ():
                text.append(f"  {plain(line)}\n")
            for name, numbers in curves.items():
                text.append(f"  {name} {numbers[-1]:,} ({numbers[-1] - numbers[0]:+,}) ", "dim")
                text.append(f"{curve_text(numbers, max(8, self.size.width - len(name) - 20))}\n", "not dim")
        text.rstrip()
        self.update(text)
