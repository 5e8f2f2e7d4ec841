"""The appearance of the app: theme, skin (Unicode or ASCII) and amount of motion."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from textual.app import App, SystemCommand
from textual.constants import TEXTUAL_ANIMATIONS
from textual.filter import LineFilter
from textual.widgets import Input, TextArea

from tui.shell.filters import AS_ASCII, PRINTABLE, STYLED
from tui.shell.themes import CONTRASTS, THEMES

UNICODE: Final = "unicode"
ASCII: Final = "ascii"
SKINS: Final = {UNICODE: "Unicode", ASCII: "ASCII"}
"""The skins with their titles."""
FULL: Final = "full"
REDUCED: Final = "reduced"
MOTIONS: Final = {FULL: "Screens may slide, and the cursor blinks", REDUCED: "Nothing moves by itself"}


class Looks:
    """Applies and stores the looks of the app. `preference` reads a stored choice, `set_preference` stores one."""

    def __init__(
        self, app: App[None], preference: Callable[[str, str], str], set_preference: Callable[[str, str], None]
    ) -> None:
        self._app = app
        self._preference = preference
        self._set_preference = set_preference
        self.only_ascii = False
        """Whether the terminal can only show ASCII characters."""

    def restore(self) -> None:
        """Apply the stored looks, and store the theme when it changes from now on."""
        app = self._app
        for each in THEMES:
            app.register_theme(each)
        theme = self._preference("theme", app.theme)
        app.theme = theme if theme in app.available_themes else app.theme
        app.theme_changed_signal.subscribe(app, lambda theme: self._set_preference("theme", theme.name))
        self._apply_motion()

    @property
    def skin(self) -> str:
        return ASCII if self.only_ascii else self._preference("skin", UNICODE)

    def set_skin(self, skin: str) -> None:
        self._set_preference("skin", skin)
        self._app.screen.refresh()

    @property
    def motion_reduced(self) -> bool:
        """Whether animations are off."""
        return TEXTUAL_ANIMATIONS == "none" or self._preference("motion", FULL) == REDUCED

    def set_motion(self, motion: str) -> None:
        self._set_preference("motion", motion)
        self._apply_motion()

    def _apply_motion(self) -> None:
        self._app.animation_level = "none" if self.motion_reduced else TEXTUAL_ANIMATIONS
        if self._app.focused is not None:
            self.set_cursor(self._app.focused)

    def set_cursor(self, widget: object) -> None:
        """Let the cursor of a text field blink, unless motion is reduced."""
        if isinstance(widget, Input | TextArea):
            widget.cursor_blink = not self.motion_reduced

    def commands(self) -> Iterable[SystemCommand]:
        """Palette commands for each skin and amount of motion that is not in use."""
        for skin, name in SKINS.items():
            if skin != self.skin and not self.only_ascii:
                about = "Draw with ASCII characters only" if skin == ASCII else "Draw with boxes, blocks and dots"
                yield SystemCommand(f"Skin: {name}", about, lambda skin=skin: self.set_skin(skin))
        for motion, about in MOTIONS.items():
            if (motion == REDUCED) != self.motion_reduced and TEXTUAL_ANIMATIONS != "none":
                yield SystemCommand(f"Motion: {motion}", about, lambda motion=motion: self.set_motion(motion))

    def filters(self, usual: Sequence[LineFilter]) -> Sequence[LineFilter]:
        """The filters for every line, in order; `usual` are Textual's, with filters of this app before and after."""
        styled = [STYLED] if self._app.no_color else []
        contrast = [CONTRASTS[self._app.theme]] if self._app.theme in CONTRASTS else []
        skin = [AS_ASCII] if self.skin == ASCII else []
        return [PRINTABLE, *styled, *usual, *contrast, *skin]
