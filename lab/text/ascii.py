"""Text in ASCII, for terminals that cannot show more. Each glyph keeps its width. Imports only small modules."""

import codecs
import io
import os
import re
import sys
import unicodedata
from functools import cache
from itertools import takewhile
from typing import Final, TextIO

GLYPHS: Final = (
    ("…·–—−‑×±≈≠≤≥∞½°", "..----x~~!<>*h."),
    ("‘’“”«»‹›", "''\"\"<><>"),
    ("⏎␣⌫⇥", "<_<>"),
    ("←→↑↓↔◀▶◂▸◄►▲▼▴▾△▽▷◁", "<>^v-<><><>^v^v^v><"),
    ("•‣⁃●◆■▪★✓✔○◇□▫☆◦⭑◎◉", "*>-*****xxoo..oo**@"),
    ("▁▂▃▄▅▆▇█▀▔", '_,-=+%$#"-'),
    ("▉▊▋▌▍▎▏▐▕", "|||||||||"),
    ("▖▗▘▝▙▛▜▟▚▞", "..''####\\/"),
    ("░▒▓╱╲╳", ".:=/\\X"),
    ("⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳", "abcdefghijk"),
    ("ßæøłđðþœıÆØŁĐÞŒ", "saoldddoiAOLDPO"),
)
"""Glyphs, and the ASCII character that replaces each."""
SPACED: Final = ((r"± ", "+-"), (r" … ", "..."), (r" …", ".."), (r"(?<=[\d①-⑳])…", "~"), (r"(?<=\w)\w\w…(?!\w)", "..."))
"""Patterns of signs with their spaces, or the last letters of a cut text, and as many ASCII characters for them."""
TABLE: Final = {glyph: letter for glyphs, letters in GLYPHS for glyph, letter in zip(glyphs, letters, strict=True)}
UNKNOWN: Final = "?"
WIDE: Final = ("W", "F")
NO_WIDTH: Final = ("Mn", "Me", "Cf")
C_LOCALES: Final = ("C", "POSIX")
COERCED: Final = ("C.UTF-8", "C.utf8", "UTF-8")
"""The values of `LC_CTYPE` that Python itself may set at the start, in place of the locale C."""
ENCODING: Final = "noughts_ascii"
"""The name of an encoding that converts all text to ASCII. With Python's own "ascii", Click would use UTF-8 instead."""
HANDLER: Final = "noughts_ascii"
"""The name of an error handler that replaces characters missing in another encoding."""


def ascii_text(text: str) -> str:
    """Return a text in ASCII with the same width in columns. Characters without a similar one become `?`."""
    if text.isascii():
        return text
    for signs, letters in SPACED:
        text = re.sub(signs, letters, text)
    return "".join(map(ascii_glyph, text))


@cache
def ascii_glyph(glyph: str) -> str:
    """Return one character in ASCII, as `ascii_text` converts it."""
    if glyph.isascii():
        return glyph
    category = unicodedata.category(glyph)
    if category in NO_WIDTH:
        return ""
    width = 2 if unicodedata.east_asian_width(glyph) in WIDE else 1
    if category == "Zs":
        return " " * width
    without_accents = "".join(takewhile(str.isascii, unicodedata.normalize("NFKD", glyph))).strip()
    replacement = TABLE.get(glyph) or _line_replacement(glyph) or without_accents or UNKNOWN * width
    return replacement[:width].ljust(width)


def _line_replacement(glyph: str) -> str:
    """Return the replacement of a box-drawing or Braille character, by its Unicode name; empty for any other."""
    words = unicodedata.name(glyph, "").split()
    if words[:1] == ["BRAILLE"]:
        return " " if "BLANK" in words else ":"
    if words[:2] != ["BOX", "DRAWINGS"]:
        return ""
    is_across = not {"HORIZONTAL", "LEFT", "RIGHT"}.isdisjoint(words)
    is_upright = not {"VERTICAL", "UP", "DOWN"}.isdisjoint(words)
    is_thick = "HEAVY" in words or ("DOUBLE" in words and "DASH" not in words)
    if not is_upright:
        return "=" if is_thick else "-"
    if is_thick:
        return "#"
    return "+" if is_across else "|"


def _replace_missing(error: UnicodeError) -> tuple[str, int]:
    """Replace characters that an encoding lacks; an error handler as codecs call it."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return ascii_text(error.object[error.start : error.end]), error.end


def _encode(text: str, errors: str = "strict") -> tuple[bytes, int]:  # noqa: ARG001  the signature of codecs
    return ascii_text(text).encode("ascii"), len(text)


class _Encoder(codecs.IncrementalEncoder):
    def encode(self, text: str, final: bool = False) -> bytes:  # noqa: FBT001, FBT002  the signature of codecs
        encoded, _ = _encode(text)
        return encoded


def _find_codec(name: str) -> codecs.CodecInfo | None:
    if name != ENCODING:
        return None
    python_ascii = codecs.lookup("ascii")
    return codecs.CodecInfo(
        _encode,
        python_ascii.decode,
        incrementalencoder=_Encoder,
        incrementaldecoder=python_ascii.incrementaldecoder,
        name=ENCODING,
    )


codecs.register_error(HANDLER, _replace_missing)
codecs.register(_find_codec)


def replace_missing_glyphs() -> None:
    """Let the standard streams replace characters that the terminal or pipe lacks, instead of raising an error."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            ascii_only = codecs.lookup(stream.encoding).name == "ascii" or _in_locale_c(stream)
            stream.reconfigure(encoding=ENCODING if ascii_only else None, errors=HANDLER)


def can_show_all(stream: TextIO) -> bool:
    """Return whether a stream can show every character that the program draws."""
    return "─█".encode(stream.encoding, HANDLER) != b"-#"


def _in_locale_c(stream: TextIO) -> bool:
    """Return whether a stream is a terminal in the locale C of the environment, for which Python would write UTF-8."""
    if not stream.isatty():
        return False
    character_locale = os.environ.get("LC_CTYPE", "")
    if character_locale in COERCED:
        character_locale = ""
    return (os.environ.get("LC_ALL") or character_locale or os.environ.get("LANG")) in C_LOCALES
