"""What the saves at the board have learned: from the last game, in words, and since learning began, as curves."""

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from lab.board.lessons import curve_text, effect_text, lesson_lines, signed_text
from lab.board.teaching import Lesson
from lab.text.sanitise import plain
from learners.core.learner import Learner
from saves.library.library import SAVE
from tui.shell.live_text import LiveText

MIN_CURVE: Final = 6
"""The minimum width of a curve, in columns."""


class LessonsView(LiveText):
    """Shows what saves learn from games at the board; hidden while none learns."""

    DEFAULT_CSS = """
    LessonsView { height: auto; margin-bottom: 1; }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self.lessons: dict[str, Lesson] = {}
        """What each save learned from its last game, by label."""
        self.curves: dict[str, list[int]] = {}
        """What each save had gained in total after each game since learning began, by label."""

    def follow(self, pupils: Sequence[Learner]) -> None:
        """Show these saves from now on; if they are not the same as before, start new curves."""
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
        """Remove the last lesson of a save: it learned nothing from the newest game."""
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
            text.append(f"{curve_text(curve, max(MIN_CURVE, self.size.width - len(head)))}\n", "not dim")
        text.rstrip()
        self.set_text(text)
