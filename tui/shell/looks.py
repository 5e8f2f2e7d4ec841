"""The appearance of the app: themes, roles of colours, skin (Unicode or ASCII), and amount of motion."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar, Final

from textual.app import App, SystemCommand
from textual.color import Color, ColorParseError
from textual.constants import TEXTUAL_ANIMATIONS
from textual.css.stylesheet import Stylesheet
from textual.filter import LineFilter
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.signal import Signal
from textual.theme import BUILTIN_THEMES, Theme
from textual.widgets import Input, TextArea

from tui.shell.filters import AS_ASCII, PRINTABLE, STYLED, Contrast, legible_pair, luminance

UNICODE: Final = "unicode"
ASCII: Final = "ascii"
SKINS: Final = {UNICODE: "Unicode", ASCII: "ASCII"}
"""The skins with their titles."""
FULL: Final = "full"
REDUCED: Final = "reduced"
MOTIONS: Final = {FULL: "lets screens move", REDUCED: "nothing moves by itself"}


class SteadyStylesheet(Stylesheet):
    """The rules of the app, parsed again only if a variable has changed.

    Symptom without this: a mode opens more slowly, since Textual parses all rules twice for each new screen.
    """

    def __init__(self, variables: dict[str, str]) -> None:
        super().__init__(variables=variables)
        self._last_variables = variables
        self._is_outdated = False

    def set_variables(self, variables: dict[str, str]) -> None:
        if variables != self._last_variables:
            self._last_variables, self._is_outdated = variables, True
            super().set_variables(variables)

    def reparse(self) -> None:
        """Parse all rules again if variables have changed; Textual parses new rules when they are needed."""
        if self._is_outdated:
            super().reparse()
            self._is_outdated = False


class WholeCells(ScrollBarRender):
    """Draws a scrollbar in whole cells.

    Textual ends a bar with eighths of a cell: in ASCII they would be letters, and a filter for contrast would make them
    brighter than the bar.
    """

    VERTICAL_BARS: ClassVar[list[str]] = [" "] * 8
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "] * 8


class Looks:
    """Applies and stores the looks of the app. `preference` reads a stored choice, `set_preference` stores one."""

    def __init__(
        self, app: App[None], preference: Callable[[str, str], str], set_preference: Callable[[str, str], None]
    ) -> None:
        self._app = app
        self._preference = preference
        self._set_preference = set_preference
        self.changed = Signal[None](app, "looks")
        """Published when all must be drawn again, in another theme or skin."""
        self.only_ascii = False
        """Whether the terminal can only show ASCII characters."""

    def restore(self) -> None:
        """Apply the stored looks, and store the theme when it changes from now on."""
        app = self._app
        for each in (LIGHT, *THEMES):
            app.register_theme(each)
        theme = self._preference("theme", app.theme)
        if theme in app.available_themes:
            app.theme = theme
        app.theme_changed_signal.subscribe(app, self._store_theme)
        self._apply_motion()
        ScrollBar.renderer = WholeCells

    def _store_theme(self, theme: Theme) -> None:
        self._set_preference("theme", theme.name)
        self.changed.publish(None)

    @property
    def skin(self) -> str:
        return ASCII if self.only_ascii else self._preference("skin", UNICODE)

    def set_skin(self, skin: str) -> None:
        self._set_preference("skin", skin)
        self.changed.publish(None)

    @property
    def is_motion_reduced(self) -> bool:
        return TEXTUAL_ANIMATIONS == "none" or self._preference("motion", FULL) == REDUCED

    def set_motion(self, motion: str) -> None:
        self._set_preference("motion", motion)
        self._apply_motion()

    def _apply_motion(self) -> None:
        self._app.animation_level = "none" if self.is_motion_reduced else TEXTUAL_ANIMATIONS
        if self._app.focused is not None:
            self.set_cursor(self._app.focused)

    def set_cursor(self, widget: object) -> None:
        """Let the cursor of a text field blink, unless motion is reduced."""
        if isinstance(widget, Input | TextArea):
            widget.cursor_blink = not self.is_motion_reduced

    def commands(self) -> Iterable[SystemCommand]:
        """Yield palette commands for each theme, and for each skin and amount of motion that is not in use."""
        for skin, name in SKINS.items():
            if skin != self.skin and not self.only_ascii:
                about = "draws in ASCII only" if skin == ASCII else "draws boxes, blocks, dots"
                yield SystemCommand(f"Skin: {name}", about, lambda skin=skin: self.set_skin(skin))
        for motion, about in MOTIONS.items():
            if (motion == REDUCED) != self.is_motion_reduced and TEXTUAL_ANIMATIONS != "none":
                yield SystemCommand(f"Motion: {motion}", about, lambda motion=motion: self.set_motion(motion))
        for name in dict.fromkeys([*(theme.name for theme in THEMES), *self._app.available_themes]):
            theme = self._app.get_theme(name)
            ground = "dark" if theme is not None and theme.dark else "light"
            about = f"{ground}, in use" if name == self._app.theme else ground
            yield SystemCommand(f"Theme: {name}", about, partial(setattr, self._app, "theme", name))

    def filters(self, usual: Sequence[LineFilter]) -> Sequence[LineFilter]:
        """Return the filters for every line, in order: ours before and after the `usual` ones of Textual."""
        filters: list[LineFilter] = [PRINTABLE]
        if self._app.no_color:
            filters.append(STYLED)
        filters += usual
        if not self._app.current_theme.ansi:
            filters.append(CONTRASTS.get(self._app.theme, LEGIBLE))
        if self.skin == ASCII:
            filters.append(AS_ASCII)
        return filters


# The palette of M. Okabe and K. Ito, "Color Universal Design" (2002): distinct for every type of colour vision.
ORANGE: Final = "#E69F00"
SKY_BLUE: Final = "#56B4E9"
BLUISH_GREEN: Final = "#009E73"
YELLOW: Final = "#F0E442"
BLUE: Final = "#0072B2"
VERMILLION: Final = "#D55E00"
REDDISH_PURPLE: Final = "#CC79A7"

LIGHT: Final = replace(BUILTIN_THEMES["textual-light"], background="#FAFAFA", surface="#F4F4F4", panel="#E8E8E8")
"""Textual's own light theme, on a ground that is near white instead of grey."""
THEMES: Final = (
    Theme(
        name="high-contrast-dark",
        primary="#7FD4FF",
        secondary="#B8B8FF",
        warning="#FFD000",
        error="#FF9C9C",
        success="#7CFF8F",
        accent="#FFB0FF",
        foreground="#FFFFFF",
        background="#000000",
        surface="#000000",
        panel="#1C1C1C",
        text_alpha=1.0,
    ),
    Theme(
        name="high-contrast-light",
        primary="#00439C",
        secondary="#3D3D8F",
        warning="#7A3300",
        error="#930013",
        success="#00531F",
        accent="#6E0070",
        foreground="#000000",
        background="#FFFFFF",
        surface="#FFFFFF",
        panel="#E8E8E8",
        dark=False,
        text_alpha=1.0,
    ),
    Theme(
        name="colour-blind-dark",
        primary=SKY_BLUE,
        secondary=BLUE,
        warning=ORANGE,
        error=VERMILLION,
        success=BLUISH_GREEN,
        accent=YELLOW,
        foreground="#E8E8E8",
        background="#101418",
        surface="#181D22",
        panel="#222930",
    ),
    Theme(
        name="colour-blind-light",
        primary=BLUE,
        secondary=ORANGE,
        warning=VERMILLION,
        error=REDDISH_PURPLE,
        success=BLUISH_GREEN,
        accent=SKY_BLUE,
        foreground="#101010",
        background="#FFFFFF",
        surface="#F4F4F4",
        panel="#E6E6E6",
        dark=False,
    ),
)

MIN_CONTRAST: Final = 4.5
"""The minimum contrast ratio of every text, and of every role with the background: level AA of WCAG."""
LEGIBLE: Final = Contrast(MIN_CONTRAST, of_drawings=False)
_LEVEL_AAA, _LEVEL_AA = Contrast(7.0), Contrast(MIN_CONTRAST)  # levels of WCAG
CONTRASTS: Final = {theme.name: _LEVEL_AAA if theme.name.startswith("high-contrast") else _LEVEL_AA for theme in THEMES}
"""For each of these themes, the filter that gives texts and drawings enough contrast; all others use `LEGIBLE`."""
ROLE_COLOURS: Final = {"first": "primary", "second": "warning", "good": "success", "bad": "error", "lit": "accent"}
"""For each role, the name of the theme's colour that it uses."""
HEAT_COLOURS: Final = "#9f7aea", "#6b3fa0"
"""The colours of heat, on dark and on light backgrounds."""
OTHER_HEAT_COLOURS: Final = "#2fb5a8", "#0f6f66"
"""The same, used if the usual one looks like the first side's colour."""
OTHER_LIT_COLOURS: Final = "#ffe066", "#86008a"
"""The colours of what is lit, on dark and on light backgrounds, if the theme's colour looks like the second side's."""
SAME_HUE: Final = 20 / 360
"""Two colours look alike if their hues differ by less."""


def role_colours(theme: Mapping[str, str], *, dark: bool, grey: bool = False) -> dict[str, str]:
    """Return the variables of the roles, and of the keys in the key line, which are lit too.

    Where all is `grey`, the first side, which may be White, has the lighter of the two colours. All are colours of the
    theme if Textual cannot parse one of them.
    """
    colours = {role: theme[name] for role, name in ROLE_COLOURS.items()}
    nth = 0 if dark else 1
    try:
        ground = Color.parse(theme["background"])
        colours["heat"] = HEAT_COLOURS[nth]
        if _have_same_hue(colours["heat"], theme["primary"]):
            colours["heat"] = OTHER_HEAT_COLOURS[nth]
        if _have_same_hue(colours["lit"], colours["second"]):
            colours["lit"] = OTHER_LIT_COLOURS[nth]
        legible = {role: legible_pair(Color.parse(each), ground, MIN_CONTRAST)[0] for role, each in colours.items()}
    except ColorParseError:
        return _role_variables({**colours, "heat": theme["primary"]})
    if grey:
        legible["second"], legible["first"] = sorted([legible["first"], legible["second"]], key=luminance)
    return _role_variables({role: colour.hex for role, colour in legible.items()})


def _role_variables(colours: Mapping[str, str]) -> dict[str, str]:
    variables = {f"role-{role}": colour for role, colour in colours.items()}
    return {**variables, "footer-key-foreground": colours["lit"]}


def _have_same_hue(first: str, second: str) -> bool:
    distance = abs(Color.parse(first).hsl.h - Color.parse(second).hsl.h)
    return min(distance, 1 - distance) < SAME_HUE
