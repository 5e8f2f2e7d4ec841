import json
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import BadText
from saves.strict_json import MAX_DEPTH, line_of, parse_array, parse_json, parse_object


def test_ordinary_json_is_read():
    assert parse_json('{"a": [1, -2, true, false, null, "ü\\n"], "b": {}}') == {
        "a": [1, -2, True, False, None, "ü\n"],
        "b": {},
    }
    assert parse_json("9223372036854775807") == 2**63 - 1
    assert parse_json('"\\ud801\\udc00"') == "\U00010400"
    assert parse_json("[" * MAX_DEPTH + "]" * MAX_DEPTH)
    assert parse_json('"[[[[[[[[[[[[[[[[[[[[[[[\\"[[[["') == '[[[[[[[[[[[[[[[[[[[[[[["[[[['


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "line 1, column 1: Expecting value"),
        ('{\n "a": 1,\n}', "line 3, column 1|line 2, column"),
        ('{"a": NaN}', "'NaN'"),
        ("1e999", "'1e999'"),
        ("1.0", "'1.0'"),
        ("1" * 20, "numbers must be whole and below"),
        ('{"a": 1,\n "b": 2,\n "a": 3}', "line 3: 'a' is given twice"),
        ('{"a": "\\ud800"}', "half a character"),
        ('{"a": "\n"}', "line 1, column 8: Invalid control character"),
        ("[" * (MAX_DEPTH + 1), f"line 1, column {MAX_DEPTH + 1}: more than {MAX_DEPTH} nested brackets"),
        ("\n[" * 100_000, f"line {MAX_DEPTH + 2}, column 1: more than"),
        ("1 2", "Extra data"),
        ("[" + "{}," * 200_000 + "0]", "more than 400,000 brackets and commas"),
        ('[[1],\n["b",' + "0," * 10_000 + "0]]", "line 2, column 1: more than 10,000 values in a row"),
        ('""' * 400_001, "more than 800,000 quotation marks"),
        ('"' + r"\\" * 300_000 + '"', "more than 400,000 backslashes"),
    ],
)
def test_ambiguous_json_is_refused_with_its_place(text, what):
    with pytest.raises(BadText, match=what) as caught:
        parse_json(text)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300


@settings(max_examples=30)
@given(st.lists(st.text('[]{},"\\\\:\n\u00e9', max_size=30)))
def test_brackets_in_strings_do_not_count(strings):
    for ascii_only in (True, False):
        text = json.dumps([*strings, 0], ensure_ascii=ascii_only)
        assert parse_json(text) == [*strings, 0]
        with pytest.raises(BadText, match=f"column {len(text) + MAX_DEPTH - 2}: more than {MAX_DEPTH} nested brackets"):
            parse_json(text.removesuffix("0]") + "[" * MAX_DEPTH)


def test_a_key_within_others_is_found_on_its_own_line():
    text = '{"a": {\n"x": {\n"p": 1}},\n"b": {\n"x": {"p": 1},\n"y": {\n"p": 1}}}'
    found = [line_of(text, *keys) for keys in ("b", "p", "axp", "bxp", "byp", "by")]
    assert found == [f"line {number}: " for number in (4, 7, 3, 5, 7, 6)]
    assert [line_of(text, *keys) for keys in ("z", "bz", "zp")] == ["", "", ""]


def test_an_object_is_an_object_and_an_array_an_array():
    with pytest.raises(BadText, match="not a JSON object"):
        parse_object("[]")
    with pytest.raises(BadText, match="not a JSON array"):
        parse_array("{}")


TWICE = "".join(f'"{key}": 0, ' for key in range(30_000))
"""The search for a duplicate key once took quadratic time."""


@pytest.mark.parametrize(
    "text", ["{" + TWICE + '"29999": 0}', '"' + '\\"' * 500_000, '"' + "\\" * 500_000, '""' * 250_000, "\\" * 500_000]
)
def test_the_time_is_linear_in_the_length(text):
    begun = process_time()
    with pytest.raises(BadText):
        parse_json(text)
    assert process_time() - begun < 2
