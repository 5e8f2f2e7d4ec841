from io import BytesIO, TextIOWrapper
from pathlib import Path

import click
import pytest

from lab.text.ascii import HANDLER, TABLE, ascii_glyph, ascii_text, replace_missing_glyphs, shows_all

SOURCES = [
    path for folder in ("engine", "learners", "saves", "lab", "cli", "tui") for path in Path(folder).rglob("*.py")
]
TEXTUAL = "┌┐└┘├┤┬┴┼─│━┃╭╮╰╯╸╺╹╻═║╔╗╚╝╱╲▁▂▃▄▅▆▇█▀▔▕▏▎▍▌▋▊▉▐▖▗▘▝▙▛▜▟▚▞▼▲▶▷•⏎✓✔←→↑↓●"
"""Characters that the widgets of Textual and its plots draw."""


def test_every_drawn_glyph_has_an_ascii_replacement():
    drawn = {glyph for path in SOURCES for glyph in path.read_text(encoding="utf-8") if not glyph.isascii()}
    assert len(drawn) > 30
    for glyph in drawn | {*TEXTUAL}:
        letter = ascii_glyph(glyph)
        assert len(letter) == 1
        assert letter.isascii()
        assert letter.isprintable()
        assert letter != "?", glyph


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("┌──┬──┐│▄█▀", '+--+--+|=#"'),
        ("═━─╌┄", "==---"),
        ("Größe, naïve, Łódź, Æ", "Grose, naive, Lodz, A"),
        ("e\u0301\u200b 日本 Ａ", "e ???? A "),
        ("⣿⠀\xa0╳", ":  X"),
        ("1 … 9: −5 ≈ ½ × ≠", "1 ~ 9: -5 ~ h x !"),
        ("\ud800\x9b", "??"),
    ],
)
def test_texts_in_ascii_keep_their_width(text, shown):
    assert ascii_text(text) == shown


def test_steps_of_bars_and_shades_differ():
    for steps in ("▁▂▃▄▅▆▇█", "█▓░ ", "▀▄█ ", "=≈≠", "·X"):
        assert len(set(ascii_text(steps))) == len(steps)
    assert all(letter.isascii() for letter in TABLE.values())


def test_characters_that_an_encoding_lacks_are_replaced():
    assert "Größe ─ ─".encode("ascii", HANDLER) == b"Grose - -"
    assert "Größe ─ ─".encode("latin-1", HANDLER) == "Größe - -".encode("latin-1")
    with pytest.raises(UnicodeDecodeError):
        b"\xff".decode("ascii", HANDLER)


@pytest.mark.parametrize(
    ("named", "ascii_only"),
    [
        ({"LANG": "C"}, True),
        ({"LC_ALL": "POSIX", "LANG": "de_DE.UTF-8"}, True),
        ({"LC_CTYPE": "C.UTF-8", "LANG": "C"}, True),  # as Python sets it in the locale C
        ({"LC_ALL": "C.UTF-8", "LANG": "C"}, False),
        ({"LANG": "C.UTF-8"}, False),
        ({}, False),
    ],
)
def test_the_locale_c_means_ascii(named, ascii_only, monkeypatch):
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, locale in named.items():
        monkeypatch.setenv(name, locale)
    for is_terminal in (True, False):
        written = BytesIO()
        stream = TextIOWrapper(written, encoding="utf-8")
        stream.isatty = lambda is_terminal=is_terminal: is_terminal
        monkeypatch.setattr("sys.stdout", stream)
        replace_missing_glyphs()
        assert shows_all(stream) is not (ascii_only and is_terminal)
        click.echo("Größe █", nl=False)
        assert written.getvalue() == (b"Grose #" if ascii_only and is_terminal else "Größe █".encode())
