"""The appearance of the app: theme, skin and amount of motion, each stored in the settings."""

from collections.abc import Iterable, Sequence
from typing import Final

from textual import events
from textual.app import SystemCommand
from textual.constants import TEXTUAL_ANIMATIONS
from textual.filter import LineFilter
from textual.widgets import Input, TextArea

from tui.shell.colourless import STYLED
from tui.shell.lab_app import Lab
from tui.shell.skin import ASCII, IN_ASCII, SHOWING, SKINS, UNICODE
from tui.shell.themes import CONTRASTS, THEMES

FULL: Final = "full"
REDUCED: Final = "reduced"
MOTIONS: Final = {FULL: "screens may slide, and the cursor blinks", REDUCED: "nothing moves by itself"}


class Looks(Lab):
    """The app with its theme, skin and motion settings."""

    only_ascii = False
    """Whether the terminal can show ASCII characters only."""

    def recall_looks(self) -> None:
        """Apply the stored appearance, and store the theme when it changes from now on."""
        if self.misread:
            self.warn(self.misread)
        for each in THEMES:
            self.register_theme(each)
        theme = self.choice("theme", self.theme)
        self.theme = theme if theme in self.available_themes else self.theme
        self.theme_changed_signal.subscribe(self, lambda theme: self.choose("theme", theme.name))
        self._set_motion()

    @property
    def skin(self) -> str:
        return ASCII if self.only_ascii else self.choice("skin", UNICODE)

    def wear(self, skin: str) -> None:
        """Switch to another skin."""
        self.choose("skin", skin)
        self.screen.refresh()

    @property
    def still(self) -> bool:
        """Whether animations are off."""
        return TEXTUAL_ANIMATIONS == "none" or self.choice("motion", FULL) == REDUCED

    def move(self, motion: str) -> None:
        self.choose("motion", motion)
        self._set_motion()

    def _set_motion(self) -> None:
        self.animation_level = "none" if self.still else TEXTUAL_ANIMATIONS
        if self.focused is not None:
            self._steady_cursor(self.focused)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self._steady_cursor(event.widget)

    def _steady_cursor(self, widget: object) -> None:
        if isinstance(widget, Input | TextArea):
            widget.cursor_blink = not self.still

    def copy_to_clipboard(self, text: str) -> None:
        """Copy text, with `?` for lone surrogates, which a folder name may contain and UTF-8 cannot encode."""
        super().copy_to_clipboard(text.encode("utf-8", "replace").decode("utf-8"))

    def look_commands(self) -> Iterable[SystemCommand]:
        """Palette commands for each skin and amount of motion that is not in use."""
        for skin, name in SKINS.items():
            if skin != self.skin and not self.only_ascii:
                about = "Draw in letters that any terminal has" if skin == ASCII else "Draw with boxes, blocks and dots"
                yield SystemCommand(f"Skin: {name}", about, lambda skin=skin: self.wear(skin))
        for motion, about in MOTIONS.items():
            if (motion == REDUCED) != self.still and TEXTUAL_ANIMATIONS != "none":
                yield SystemCommand(f"Motion: {motion}", about.capitalize(), lambda motion=motion: self.move(motion))

    def get_line_filters(self) -> Sequence[LineFilter]:
        first = [STYLED] if self.no_color else []
        contrast = [CONTRASTS[self.theme]] if self.theme in CONTRASTS else []
        skin = [IN_ASCII] if self.skin == ASCII else []
        return [SHOWING, *first, *super().get_line_filters(), *contrast, *skin]
