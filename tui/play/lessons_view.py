"""What the saves at the board have learned: the changes of the last game in words, and curves since learning began."""

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from lab.board.teaching import Lesson
from lab.words.lessons import curve_text, effect_text, lesson_lines, signed_text
from lab.words.sanitise import plain
from learners.core.learner import Learner
from saves.library.library import SAVE
from tui.shell.live_text import LiveText

LEAST_CURVE: Final = 6
"""The least columns of a curve; in a narrow place it takes a line of its own."""


class LessonsView(LiveText):
    """Takes no room while nobody learns."""

    DEFAULT_CSS = """
    LessonsView { height: auto; margin-bottom: 1; }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self.lessons: dict[str, Lesson] = {}
        """For each save, by label, what it learned from its last game."""
        self.curves: dict[str, list[int]] = {}
        """For each save, by label, what it had gained after each game since learning began."""

    def follow(self, pupils: Sequence[Learner]) -> None:
        """Show these saves from now on; the curves begin anew if they are other saves than before."""
        labels = [pupil.label for pupil in pupils]
        if labels != [*self.curves]:
            self.lessons, self.curves = {}, {label: [0] for label in labels}
        self._draw()

    def add(self, lesson: Lesson) -> None:
        """Add what a save learned from a game."""
        label = lesson.learner.label
        self.lessons[label] = lesson
        curve = self.curves.setdefault(label, [0])
        curve.append(curve[-1] + lesson.gained)

    def forget(self, label: str) -> None:
        """Remove what a save learned from its last game: it learned nothing from the newest one."""
        self.lessons.pop(label, None)

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        self.display = bool(self.curves)
        text = Text()
        for label, curve in self.curves.items():
            lesson = self.lessons.get(label)
            text.append(f"{plain(label.removeprefix(SAVE), 20)} learns{'' if lesson else ' from each game'}\n", "bold")
            if lesson is None:
                continue
            text.append(f"{effect_text(lesson.effect)}\n", "not bold")
            for line in lesson_lines(lesson.words):
                text.append(f"  {plain(line)}\n", "dim")
            head = f"{lesson.learner.view.words.growth_title} so far {signed_text(curve[-1])} "
            text.append(head, "dim")
            text.append(f"{curve_text(curve, max(LEAST_CURVE, self.size.width - len(head)))}\n", "not dim")
        text.rstrip()
        self.set_text(text)
