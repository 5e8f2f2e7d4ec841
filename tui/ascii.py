"""Every text in the letters that any terminal has, each glyph as wide as before. Imports next to nothing."""

import codecs
import locale
import os
import unicodedata
from functools import cache
from itertools import takewhile
from typing import Final, TextIO

ALIKE: Final = (
    ("…·–—−‑×±≈≠≤≥∞½°", "~.----x~~!<>*h."),
    ("‘’“”«»‹›", "''\"\"<><>"),
    ("←→↑↓↔◀▶◂▸◄►▲▼▴▾△▽▷◁", "<>^v-<><><>^v^v^v><"),
    ("•‣⁃●◆■▪★✓✔○◇□▫☆◦⭑◎", "*>-*****xxoo..oo**"),
    ("▁▂▃▄▅▆▇█▀▔", '_.-o+*8#"-'),
    ("▉▊▋▌▍▎▏▐▕", "|||||||||"),
    ("▖▗▘▝▙▛▜▟▚▞", "..''####\\/"),
    ("░▒▓╱╲╳", ".:=/\\X"),
    ("ßæøłđðþœıÆØŁĐÞŒ", "saoldddoiAOLDPO"),
)
"""Glyphs, and what stands for each."""
TABLE: Final = {glyph: letter for glyphs, letters in ALIKE for glyph, letter in zip(glyphs, letters, strict=True)}
UNKNOWN: Final = "?"
WIDE: Final = ("W", "F")
NO_WIDTH: Final = ("Mn", "Me", "Cf")
C_LOCALES: Final = ("C", "POSIX")
COERCED: Final = ("C.UTF-8", "C.utf8", "UTF-8")
"""What Python itself makes of the first of them when it starts."""
HANDLER: Final = "noughts.ascii"
"""What to encode with where not every glyph can be."""


def ascii_text(text: str) -> str:
    """A text in ASCII, of the same width in cells. What no letter comes near becomes `?`."""
    return text if text.isascii() else "".join(map(ascii_glyph, text))


@cache
def ascii_glyph(glyph: str) -> str:
    if glyph.isascii():
        return glyph
    category = unicodedata.category(glyph)
    if category in NO_WIDTH:
        return ""
    width = 2 if unicodedata.east_asian_width(glyph) in WIDE else 1
    drawn = TABLE.get(glyph) or _line(unicodedata.name(glyph, "").split())
    bare = "".join(takewhile(str.isascii, unicodedata.normalize("NFKD", glyph)))
    return (drawn or bare.strip() or UNKNOWN * width)[:width].ljust(width) if category != "Zs" else " " * width


def _line(words: list[str]) -> str:
    """A piece of a box, or dots, by the words of its name."""
    if words[:1] == ["BRAILLE"]:
        return " " if "BLANK" in words else ":"
    if words[:2] != ["BOX", "DRAWINGS"]:
        return ""
    across, upright = ({"HORIZONTAL", "LEFT", "RIGHT"} & {*words}), ({"VERTICAL", "UP", "DOWN"} & {*words})
    if across and upright:
        return "+"
    return "|" if upright else "=" if {"HEAVY", "DOUBLE"} & {*words} else "-"


def _encoded(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return ascii_text(error.object[error.start : error.end]), error.end


codecs.register_error(HANDLER, _encoded)


def plain_terminal(stream: TextIO) -> bool:
    """Whether a stream shows ASCII only: for its encoding, or since it is a terminal in the locale C.

    For that Python takes UTF-8. A locale that is not named says nothing.
    """
    try:
        "─█".encode(stream.encoding or locale.getencoding())
    except UnicodeEncodeError:
        return True
    kind = os.environ.get("LC_CTYPE", "")
    named = os.environ.get("LC_ALL") or (kind if kind not in COERCED else "") or os.environ.get("LANG")
    return named in C_LOCALES and stream.isatty()
