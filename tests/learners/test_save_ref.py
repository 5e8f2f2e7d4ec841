import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import BadText
from learners.core.save_ref import MAX_NAME, parse_name


@pytest.mark.parametrize(
    "name",
    [
        "a",
        "7",
        "riechel 2007",
        "Größe-1_b.c,+#'(x);",
        "日本語",
        "हिन्दी",
        "emile\N{COMBINING ACUTE ACCENT}",
        "x" * MAX_NAME,
    ],
)
def test_a_name_may_have_letters_digits_and_some_signs(name):
    assert parse_name(name).casefold() == parse_name(parse_name(name)).casefold()
    assert len(parse_name(name)) <= len(name)


def test_names_are_stripped_and_composed():
    assert parse_name("  a b ") == "a b"
    assert parse_name("e\N{COMBINING ACUTE ACCENT}") == "é"


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("", "needs a name"),
        ("x" * 61, "at most 60 characters, this one has 61"),
        ("[red]x", r"'\['"),
        ("a/b", "'/'"),
        ("a\\b", r"\\"),
        ("a\nb", r"\\n"),
        ("a\x1b[31m", r"\\x1b"),
        ("a\u202eb", r"\\u202e"),
        ("a\u2028b", r"\\u2028"),
        ("a\u00a0b", r"\\xa0"),
        ("a\udc80", r"\\udc80"),
        ("a😀", "cannot be"),
        ("-rf", "must begin with a letter"),
        (".hidden", "must begin with a letter"),
        ("\N{COMBINING ACUTE ACCENT}a", "must begin with a letter"),
    ],
)
def test_any_other_name_is_refused_in_one_printable_line(name, what):
    with pytest.raises(BadText, match=what) as caught:
        parse_name(name)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 200


@given(st.text())
def test_any_name_is_valid_or_refused_in_a_printable_line(text):
    try:
        name = parse_name(text)
    except BadText as error:
        name = str(error)
    else:
        assert parse_name(name) == name
    assert name.isprintable()
