"""Numbers, columns and foreign text, as people read and write them, also in ASCII."""

import math
import unicodedata
from io import BytesIO, TextIOWrapper
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from engine.game import BadText
from lab.text.ascii import HANDLER, TABLE, ascii_glyph, ascii_text, can_show_all, replace_missing_glyphs
from lab.text.columns import columns, cut, whole_clauses
from lab.text.numbers import (
    RateMeter,
    bars,
    count_text,
    duration_text,
    percent_text,
    rate_text,
    remaining_seconds,
    short_count,
)
from lab.text.sanitise import label, parse_whole, plain


@pytest.mark.parametrize(
    ("written", "texts"),
    [
        (count_text, {0: "0", 862: "862", 1_571_823: "1,571,823", 999.6: "1,000", -5: "-5"}),
        (short_count, {0: "0", 999.6: "1k", 1000: "1k", 6409: "6.4k", 999_499: "999k", 16_635_566: "16.6M"}),
        (short_count, {999_999_999: "1G", 999_600_000_000: "1T", 10**15: "1000T"}),
        (rate_text, {12.4e6: "12.4M/s", 0.4: "0.4/s", 10: "10/s", 0: "–/s"}),
        (duration_text, {0: "0:00", 0.01: "0:01", 59.5: "1:00", 750: "12:30", 3599.1: "1:00:00", 11_100: "3:05:00"}),
        (duration_text, {math.inf: "–:––"}),
        (percent_text, {0: "0 %", 1: "100 %", 1e-7: "<0.1 %", 1 - 1e-7: ">99.9 %", 0.93787: "93.8 %", 0.5: "50 %"}),
        (percent_text, {1 / 3: "33.3 %"}),
    ],
)
def test_a_number_is_written_briefly_and_rounded(written, texts):
    assert {number: written(number) for number in texts} == texts


def test_a_short_count_takes_five_characters_at_most():
    counts = {count for power in range(16) for count in range(10**power - 60, 10**power + 60)}
    texts = {short_count(count) for count in counts if count >= 0}
    assert not {text for text in texts if len(text) > 5}


@pytest.mark.parametrize(
    ("done", "total", "rate", "seconds"), [(0, 100, 0, math.inf), (50, 100, 10, 5), (100, 100, 0, 0), (101, 100, 5, 0)]
)
def test_remaining_seconds(done, total, rate, seconds):
    assert remaining_seconds(done, total, rate) == seconds


@pytest.mark.parametrize(
    ("numbers", "least", "most", "text"),
    [
        ([0, 1, 999, 1000], 0, 1000, "▁▂▇▇"),
        ([-3, -2, -1, 0, 1, 2, 3], -3, 3, "▁▂▃▄▅▆▇"),
        ([5, 6], 5, 9, "▁▃"),
        ([7, 7], 7, 7, "▁▁"),
        ([], 0, 0, ""),
    ],
)
def test_only_the_least_number_has_the_lowest_bar(numbers, least, most, text):
    assert bars(numbers, least, most) == text


def test_a_rate_needs_two_counts():
    meter = RateMeter()
    assert meter.per_second == 0
    meter.add(10.0, 100)
    assert meter.per_second == 0
    meter.add(10.0, 200)
    assert meter.per_second == 0
    meter.add(12.0, 500)
    assert meter.per_second == 200


def test_a_rate_depends_on_its_window_only():
    meter = RateMeter(window=2.0)
    for second in range(10):
        meter.add(second, 1000 * second)
    assert meter.per_second == 1000
    for second in range(10, 14):
        meter.add(second, 9000 + 5 * (second - 9))
    assert meter.per_second == 5


def test_recording_the_same_count_twice_does_not_change_the_rate():
    meter = RateMeter()
    meter.add(0.0, 0)
    meter.add(1.0, 100)
    meter.add(1.9, 100)
    assert meter.per_second == 100


def test_a_rate_names_what_it_counts():
    assert rate_text(12.4e6, "game") == "12.4M games/s"
    assert rate_text(0, "generation") == "– generations/s"


def test_columns_are_aligned_without_trailing_spaces():
    lines = columns([("a", "1", "x"), ("long", "1,000", "")], "<><")
    assert lines == ["a         1  x", "long  1,000"]


def test_columns_count_wide_letters_and_marks_as_the_terminal_draws_them():
    assert cell_len("日本") == 4
    assert cell_len("é") == 1
    assert columns([("日本", "1"), ("abcd", "1")], "<<") == ["日本  1", "abcd  1"]


def test_cut_text_fits_and_is_marked():
    assert cut("abcdef", 6) == "abcdef"
    assert cut("abcdefg", 6) == "abcde…"
    assert cell_len(cut("日本日本", 6)) <= 6
    assert [cut("abc", width) for width in (1, 0, -3)] == ["…", "", ""]
    assert [whole_clauses("a, b; c", width) for width in (7, 5, 0, -1)] == ["a, b; c", "a, b", "", ""]


@pytest.mark.parametrize(
    ("text", "number"),
    [("1", 1), (" 100,000 ", 100_000), ("100_000", 100_000), ("100 000 000", 100_000_000), ("007", 7)],
)
def test_a_whole_number_may_have_separators(text, number):
    assert parse_whole(text, 1, 100_000_000) == number


OTHERS = ["", "0", "-5", "+5", "1e9x", "1e6", "1.5", "½", "²", "٣", "１", "100000001", "0x10", "a", "--1"]


@pytest.mark.parametrize("text", [*OTHERS, " ", "9" * 400, "\x1b[31m"])
def test_other_texts_are_refused_with_the_range_and_quoted_safely(text):
    with pytest.raises(BadText, match="from 1 to 100,000,000") as caught:
        parse_whole(text, 1, 100_000_000)
    assert len(str(caught.value)) < 150
    assert "\x1b" not in str(caught.value)


def test_the_ends_of_the_range_are_accepted():
    assert [parse_whole(text, 0, 9) for text in ("0", "9")] == [0, 9]
    for text in ("-1", "10"):
        with pytest.raises(BadText):
            parse_whole(text, 0, 9)


MARKUP = ["[X]", "[/]", "[bold red]a[/]", "[@click=app.quit]x", r"\[X]", "[link=file:///etc/passwd]a[/link]"]


@pytest.mark.parametrize("text", MARKUP)
def test_markup_is_shown_as_text(text):
    assert plain(text) == text
    assert label(text).plain == text
    assert label(text).spans == []


def test_control_characters_are_removed():
    known = {
        "\x1b[31mred\x1b[0m": "[31mred[0m",
        "\x1b]0;title\x07a": "]0;titlea",
        "\x9b31ma": "31ma",
        "a\r\nb\tc\0": "abc",
        "\u202eabc\u202c\u2066x\u2069\u200f": "abcx",
        "a\u200bb\ufeff": "ab",
        "a\u2028b\u2029c": "abc",
        "\ud800a": "a",
        "\ue000a\U000e0041": "a",
        "Zoë Ωmega Ёж 日本": "Zoë Ωmega Ёж 日本",
    }
    assert {each: plain(each) for each in known} == {each: label(each).plain for each in known} == known


def test_long_text_is_cut_and_marked():
    assert plain("a" * 200) == "a" * 200
    assert plain("a" * 201) == "a" * 199 + "…"
    assert plain("abcdef", 4) == "abc…"
    assert plain("\x1b" * 500 + "ab", 4) == "ab"


@given(st.text(), st.integers(1, 50))
def test_only_printable_characters_remain(text, width):
    shown = plain(text, width)
    assert len(shown) <= width
    assert not any(unicodedata.category(letter).startswith("C") for letter in shown)
    assert plain(shown, width) == shown


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


def test_texts_in_ascii_keep_their_width():
    known = {
        "┌──┬──┐│▄█▀": '+--+--+|=#"',
        "═━─╌┄": "==---",
        "Größe, naïve, Łódź, Æ": "Grose, naive, Lodz, A",
        "e\u0301\u200b 日本 Ａ": "e ???? A ",
        "⣿⠀\xa0╳": ":  X",
        "-1000…1000, 0.1…0.5, ③…⑥ ⑧…": "-1000~1000, 0.1~0.5, 3~6 8~",
        "min…max, reasoner…": "min.max, reason...",
        "1 … 9 ± 2: −5 ≈ ½ × ≠": "1...9 +-2: -5 ~ h x !",
        "\ud800\x9b": "??",
    }
    assert {each: ascii_text(each) for each in known} == known


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
        assert can_show_all(stream) is not (ascii_only and is_terminal)
        click.echo("Größe █", nl=False)
        assert written.getvalue() == (b"Grose #" if ascii_only and is_terminal else "Größe █".encode())
