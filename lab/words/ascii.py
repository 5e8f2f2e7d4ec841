"""Every text in the letters that any terminal has, each glyph as wide as before. Imports next to nothing."""

import codecs
import io
import os
import sys
import unicodedata
from functools import cache
from itertools import takewhile
from typing import Final, TextIO

ALIKE: Final = (
    ("…·–—−‑×±≈≠≤≥∞½°", "~.----x~~!<>*h."),
    ("‘’“”«»‹›", "''\"\"<><>"),
    ("⏎␣⌫⇥", "<_<>"),
    ("←→↑↓↔◀▶◂▸◄►▲▼▴▾△▽▷◁", "<>^v-<><><>^v^v^v><"),
    ("•‣⁃●◆■▪★✓✔○◇□▫☆◦⭑◎", "*>-*****xxoo..oo**"),
    ("▁▂▃▄▅▆▇█▀▔", '_.-o+*@#"-'),
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
ENCODING: Final = "noughts_ascii"
"""The encoding that writes every text in ASCII: where it were Python's own, click would take UTF-8 instead."""
HANDLER: Final = "noughts_ascii"
"""What writes letters that another encoding lacks."""


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


def _replaced(error: UnicodeError) -> tuple[str, int]:
    """What is written where an encoding has no such letter."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return ascii_text(error.object[error.start : error.end]), error.end


def _encoded(text: str, errors: str = "strict") -> tuple[bytes, int]:  # noqa: ARG001  its contract
    return ascii_text(text).encode("ascii"), len(text)


class _Encoder(codecs.IncrementalEncoder):
    def encode(self, text: str, final: bool = False) -> bytes:  # noqa: FBT001, FBT002  its contract
        return _encoded(text)[0]


def _codec(name: str) -> codecs.CodecInfo | None:
    if name != ENCODING:
        return None
    known = codecs.lookup("ascii")
    return codecs.CodecInfo(
        _encoded, known.decode, incrementalencoder=_Encoder, incrementaldecoder=known.incrementaldecoder, name=ENCODING
    )


codecs.register_error(HANDLER, _replaced)
codecs.register(_codec)


def speak_plainly() -> None:
    """Let no letter that a terminal or a pipe lacks be a reason to fail: something like it is written."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            poor = codecs.lookup(stream.encoding).name == "ascii" or _in_locale_c(stream)
            stream.reconfigure(encoding=ENCODING if poor else None, errors=HANDLER)


def shows_all(stream: TextIO) -> bool:
    """Whether a stream shows everything that the program draws."""
    return "─█".encode(stream.encoding, HANDLER) != b"-#"


def _in_locale_c(stream: TextIO) -> bool:
    """Whether it is a terminal in the locale C, for which Python takes UTF-8. A locale that is not named is another."""
    kind = os.environ.get("LC_CTYPE", "")
    named = os.environ.get("LC_ALL") or (kind if kind not in COERCED else "") or os.environ.get("LANG")
    return named in C_LOCALES and stream.isatty()
