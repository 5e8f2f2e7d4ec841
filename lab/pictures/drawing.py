"""What all pictures share: an SVG whose colours are roles, so that one drawing serves light and dark.

    role    a class of the SVG, such as `ink` or `bead3`; a look gives it a colour
    look    `light`, `dark`, or `auto`, which follows the browser
    ink     the shapes of a picture collected by role, so that a thousand cards need a few elements only

No picture has a script, a link, or a font of its own, and the same numbers always give the same bytes.
"""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from io import StringIO
from pathlib import Path
from textwrap import wrap
from typing import Final

from engine.game import BadText, quoted
from lab.memory.matchbox import BEADS
from lab.text.sanitise import plain

LOOKS: Final = ("light", "dark", "auto")
ROLES: Final = {
    "ground": ("#16181d", "#ffffff"),
    "card": ("#1f232b", "#fbf9f4"),
    "frame": ("#59616f", "#c9c2b2"),
    "ink": ("#eceff4", "#1d1f24"),
    "quiet": ("#9aa3b2", "#6d6a63"),
    "line": ("#343a45", "#e6e2d8"),
    "slot": ("#2b303a", "#ece8de"),
    "lit": ("#f2b84b", "#b06f00"),
    "first": ("#6aa5ff", "#1f5fbf"),
    "second": ("#ffb14a", "#c25e00"),
    "nobody": ("#d5d9e0", "#44464c"),
    "share": ("#6aa5ff", "#3b6fb6"),
    **{f"bead{hue}": colours for hue, colours in enumerate(BEADS, 1)},
    "bead1": (BEADS[0][0], "#ffffff"),  # these two have an outline, so that they can be really white and black
    "bead4": ("#000000", BEADS[3][1]),
    "struck1": ("#5c3436", "#f3c9c6"),
    "struck2": ("#8a4042", "#e79a95"),
    "struck3": ("#b94d4d", "#d56a64"),
    "struck4": ("#e85f5c", "#b93a36"),
    "worth1": ("#e85f5c", "#c01b2e"),
    "worth2": ("#c98a4b", "#c98a2e"),
    "worth3": ("#9a9a86", "#a9a48f"),
    "worth4": ("#7fb56a", "#6ea24f"),
    "worth5": ("#4fc46a", "#1c7a34"),
    "curve1": ("#ff6b62", "#c0392b"),
    "curve2": ("#f0f2f6", "#202226"),
    "curve3": ("#5fcf74", "#1b7f3a"),
    "curve4": ("#6aa5ff", "#0072b2"),
    "curve5": ("#ffb14a", "#b86e00"),
    "curve6": ("#c3a6ff", "#7446c0"),
    "curve7": ("#4fd1d9", "#13808a"),
    "curve8": ("#9aa3b2", "#77736a"),
}
"""The colour of each role on a dark and on a light ground."""
STRUCK: Final = 4
WORTHS: Final = 5
CURVES: Final = 8
"""The numbers of roles for failures by age, for values from loss to win, and for curves."""
FONTS: Final = (
    *("DejaVu Sans", "Liberation Sans", "Noto Sans", "Arial", "Helvetica", "Segoe UI"),
    *("Ubuntu", "Cantarell", "Roboto", "Open Sans", "FreeSans"),
)
"""The fonts to look for: resvg does not know the system's `sans-serif` font, and would draw no text."""
ANY_FONT: Final = 'font-family="sans-serif"'
PROBE: Final = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20" {}><text y="15">{}</text></svg>'
ZOOM: Final = 2
"""The pixels of a PNG for each unit of the SVG."""
MARGIN: Final = 40
LETTER, BOLD = 0.55, 0.62
"""The mean width of a letter, in a wide font of the system, as a part of the size of the text."""
HEAD: Final = 110
"""The height of title and subtitle, with the margin above them."""
SVG, PNG, CSV = ".svg", ".png", ".csv"
SUFFIXES: Final = (SVG, PNG, CSV)

Cell = str | int | float


@dataclass(frozen=True)
class Picture:
    title: str
    width: float
    height: float
    body: Sequence[str]
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    def svg(self, look: str = LOOKS[0]) -> str:
        body = "\n".join(self.body)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(self.width)} {number(self.height)}" '
            f'width="{number(self.width)}" height="{number(self.height)}" {ANY_FONT} font-size="13">\n'
            f"<title>{escape(plain(self.title, 200))}</title>\n<style>{style_of(look)}</style>\n"
            f'<rect class="ground" width="100%" height="100%"/>\n{body}\n</svg>\n'
        )

    def csv(self) -> str:
        text = StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(self.rows)
        return text.getvalue()

    def content(self, suffix: str, look: str = LOOKS[0]) -> bytes:
        """Return the picture as a file with this suffix, one of `SUFFIXES`. Raises `BadText` if PNG cannot be drawn."""
        if suffix == PNG:
            return png_of(self.svg("light" if look == "auto" else look))
        return (self.csv() if suffix == CSV else self.svg(look)).encode()


def picture_suffix(path: Path, suffixes: Sequence[str] = SUFFIXES) -> str:
    """Return the suffix of a picture file. Raises `BadText` if it is unknown, or PNG cannot be drawn here."""
    suffix = path.suffix.lower()
    if suffix not in suffixes:
        raise BadText(f"{quoted(path.name)} cannot be drawn: let the name end in {' or '.join(suffixes)}")
    if suffix == PNG:
        require_png()
    return suffix


def require_png() -> None:
    """Raise `BadText` if PNG cannot be drawn, since the system has no font, so that all texts would be missing."""
    with_letter, without_letter = _draw_png(PROBE.format(ANY_FONT, "M")), _draw_png(PROBE.format(ANY_FONT, ""))
    if with_letter == without_letter:
        raise BadText(f"PNG needs a font of the system, such as {FONTS[0]}: install one, or choose .svg")


def png_of(svg: str) -> bytes:
    require_png()
    return _draw_png(svg)


def _draw_png(svg: str) -> bytes:
    from resvg_py import svg_to_bytes  # only who wants a PNG loads it

    return svg_to_bytes(svg_string=_name_fonts(svg), zoom=ZOOM)


def _name_fonts(svg: str) -> str:
    """Return the SVG with the names in `FONTS` before `sans-serif`, at its first occurrence."""
    return svg.replace(ANY_FONT, f'font-family="{", ".join(FONTS)}, sans-serif"', 1)


def style_of(look: str) -> str:
    """Return the style sheet of a look: `.x-f` fills with the colour of the role x, `.x-s` draws lines with it."""
    dark = _colours({role: colour for role, (colour, _) in ROLES.items()})
    light = _colours({role: colour for role, (_, colour) in ROLES.items()})
    lines = ".l{fill:none;stroke-linecap:round;stroke-linejoin:round}.m{text-anchor:middle}.e{text-anchor:end}"
    lines += ".b{font-weight:bold}"
    if look == "auto":
        return f"{lines}{light}@media (prefers-color-scheme:dark){{{dark}}}"
    return lines + (dark if look == "dark" else light)


def _colours(roles: Mapping[str, str]) -> str:
    classes = [f".{role}-f{{fill:{colour}}}.{role}-s{{stroke:{colour}}}" for role, colour in roles.items()]
    return "".join([*classes, f".ground{{fill:{roles['ground']}}}"])


def number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def text(  # noqa: PLR0913, PLR0917  a place and a style
    x: float, y: float, words: str, role: str = "ink", size: float = 13, more: str = ""
) -> str:
    """Return a line of text that starts at x; y is its baseline.

    `more` holds CSS classes: `m` centres the text at x, `e` ends it there, `b` makes it bold.
    """
    shown = escape(plain(words, 400))
    return f'<text class="{role}-f {more}" x="{number(x)}" y="{number(y)}" font-size="{number(size)}">{shown}</text>'


def size_for(words: str, size: float, width: float) -> float:
    """Return the size at which a bold text fits into a width: `size`, or less for a long text."""
    return min(size, round(width / (BOLD * max(1, len(words))), 1))


def wrap_text(words: str, size: float, width: float, letter: float = LETTER) -> list[str]:
    """Wrap a text of this size into lines of this width; `letter` is `LETTER`, or `BOLD`."""
    return wrap(words, int(width / (letter * size)))


def line(  # noqa: PLR0913, PLR0917  two places and a style
    x: float, y: float, to_x: float, to_y: float, role: str, width: float = 1
) -> str:
    path = f"M{number(x)} {number(y)}L{number(to_x)} {number(to_y)}"
    return f'<path class="{role}-s l" d="{path}" stroke-width="{number(width)}"/>'


@dataclass
class Ink:
    """Shapes by role: `lines` by role and width, `areas` by role, and texts; `elements` draws them."""

    lines: dict[tuple[str, float], list[str]] = field(default_factory=dict)
    areas: dict[str, list[str]] = field(default_factory=dict)
    over: list[str] = field(default_factory=list)
    """Elements that are drawn last."""

    def line(self, role: str, width: float, path: str) -> None:
        self.lines.setdefault((role, width), []).append(path)

    def area(self, role: str, path: str) -> None:
        self.areas.setdefault(role, []).append(path)

    def frame(self, role: str, width: float, path: str) -> None:
        """Fill a path, and draw a line of this width around it."""
        self.area(role, path)
        self.line("frame", width, path)

    def elements(self) -> list[str]:
        """Return the SVG of all shapes: areas below lines, lines below texts."""
        elements = [f'<path class="{role}-f" d="{"".join(paths)}"/>' for role, paths in self.areas.items()]
        for (role, width), paths in self.lines.items():
            elements.append(f'<path class="{role}-s l" stroke-width="{number(width)}" d="{"".join(paths)}"/>')
        return elements + self.over


def rectangle(x: float, y: float, width: float, height: float, radius: float = 0) -> str:
    if not radius:
        return f"M{number(x)} {number(y)}h{number(width)}v{number(height)}h{number(-width)}z"
    across, down = width - 2 * radius, height - 2 * radius
    r, back = number(radius), number(-radius)
    return (
        f"M{number(x + radius)} {number(y)}"
        f"h{number(across)}a{r} {r} 0 0 1 {r} {r}"
        f"v{number(down)}a{r} {r} 0 0 1 {back} {r}"
        f"h{number(-across)}a{r} {r} 0 0 1 {back} {back}"
        f"v{number(-down)}a{r} {r} 0 0 1 {r} {back}z"
    )


def circle(x: float, y: float, radius: float) -> str:
    r, across = number(radius), number(2 * radius)
    return f"M{number(x - radius)} {number(y)}a{r} {r} 0 1 0 {across} 0a{r} {r} 0 1 0 -{across} 0z"


def cross(x: float, y: float, radius: float) -> str:
    across = number(2 * radius)
    return f"M{number(x - radius)} {number(y - radius)}l{across} {across}m-{across} 0l{across} -{across}"


def heading(title: str, subtitle: str) -> list[str]:
    return [text(MARGIN, MARGIN + 16, title, "ink", 26, "b"), text(MARGIN, MARGIN + 40, subtitle, "quiet", 14)]
