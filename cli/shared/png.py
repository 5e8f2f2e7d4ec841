"""A picture in SVG as PNG, drawn by resvg, which is in the extra `sweep`."""

from importlib import import_module
from typing import Final

from engine.game import BadText

ZOOM: Final = 2
"""The pixels of a PNG for each unit of the SVG."""
ANY_FONT: Final = 'font-family="sans-serif"'
FONTS: Final = (
    *("DejaVu Sans", "Liberation Sans", "Noto Sans", "Arial", "Helvetica", "Segoe UI"),
    *("Ubuntu", "Cantarell", "Roboto", "Open Sans", "FreeSans"),
)
"""The fonts to look for: resvg does not know which one the system uses for `sans-serif`, and would draw no text."""
PROBE: Final = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20" {}><text y="15">{}</text></svg>'


def require_png() -> None:
    """Raise `BadText` if no PNG can be drawn."""
    try:
        resvg = import_module("resvg_py")
    except ImportError as error:
        raise BadText("PNG needs the package resvg-py: pip install 'noughts[sweep]', or choose .svg") from error
    letter, nothing = (resvg.svg_to_bytes(svg_string=_named_fonts(PROBE.format(ANY_FONT, text))) for text in ("M", ""))
    if letter == nothing:
        raise BadText(f"PNG needs a font of the system, such as {FONTS[0]}: install one, or choose .svg")


def png_of(svg: str) -> bytes:
    """The picture as PNG. Raises `BadText`."""
    require_png()
    drawn: bytes = import_module("resvg_py").svg_to_bytes(svg_string=_named_fonts(svg), zoom=ZOOM)
    return drawn


def _named_fonts(svg: str) -> str:
    """The SVG with `FONTS` before the font `sans-serif`, where it first occurs."""
    return svg.replace(ANY_FONT, f'font-family="{", ".join(FONTS)}, sans-serif"', 1)
