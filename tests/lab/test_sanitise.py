import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.text.sanitise import label, plain

MARKUP = ["[X]", "[/]", "[bold red]a[/]", "[@click=app.quit]x", r"\[X]", "[link=file:///etc/passwd]a[/link]"]


@pytest.mark.parametrize("text", MARKUP)
def test_markup_is_shown_as_text(text):
    assert plain(text) == text
    assert label(text).plain == text
    assert label(text).spans == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "[31mred[0m"),
        ("\x1b]0;title\x07a", "]0;titlea"),
        ("\x9b31ma", "31ma"),
        ("a\r\nb\tc\0", "abc"),
        ("\u202eabc\u202c\u2066x\u2069\u200f", "abcx"),
        ("a\u200bb\ufeff", "ab"),
        ("a\u2028b\u2029c", "abc"),
        ("\ud800a", "a"),
        ("\ue000a\U000e0041", "a"),
        ("Zoë Ωmega Ёж 日本", "Zoë Ωmega Ёж 日本"),
    ],
)
def test_control_characters_are_removed(text, shown):
    assert plain(text) == shown
    assert label(text).plain == shown


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
