import json
from dataclasses import replace
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import BadText
from engine.games import parse_game
from saves.formats.json_text import read, read_head, write
from saves.strict_json import MAX_DEPTH, line_of, parse_array, parse_json, parse_object
from tests.saves.brains import boxed, made_up, same

HEXAPAWN = parse_game("hexapawn")
LARGE = parse_game("mnk:6,4,3+gravity")
EMPTY = LARGE.to_text(LARGE.start)
"""The first position of a game whose space takes long to build."""
BRAIN = made_up(HEXAPAWN, 30, seed=2**63 - 1)
STATS = dict(BRAIN.stats)
BOXED = write(boxed())
TEXT = write(replace(BRAIN, history=({**STATS, "games": 1, "draws": 1},), stats={**STATS, "games": 2, "draws": 2}))


def test_a_save_is_read_back_from_its_json():
    assert write(read(TEXT, None)) == TEXT
    assert same(read(write(BRAIN), HEXAPAWN), BRAIN)


def test_the_json_of_a_save_has_one_position_and_one_checkpoint_a_line():
    document = json.loads(TEXT)
    assert (document["format"], document["version"], document["seed"]) == ("noughts", 1, 2**63 - 1)
    assert sum(len(moves) for moves in document["memory"].values()) == 30
    lines = TEXT.splitlines()
    assert all(sum(f'"{position}"' in line for line in lines) == 1 for position in document["memory"])
    assert sum(line.startswith('    {"games"') for line in lines) == 1


def test_the_head_is_read_without_the_memory():
    assert read_head(TEXT)["stats"]["games"] == 2
    assert read_head(BOXED)["opponent"] == "save:a b"
    assert not {"memory", "times", "checkpoints", "bulk"} & read_head(BOXED).keys()


def test_a_menace_is_written_and_read():
    assert same(read(BOXED, None), boxed())
    document = json.loads(BOXED)
    assert document["opponent"] == "save:a b"
    assert {count for moves in document["times"].values() for count in moves.values()} == {1, 2}
    kept = document["checkpoints"]
    assert list(kept) == ["1", "2", "5"]
    assert {number for moves in kept["2"]["memory"].values() for number in moves.values()} == {-1}
    assert {number for moves in kept["2"]["times"].values() for number in moves.values()} == {2}
    assert kept["5"] == {"generator": document["generator"], "opponent": "perfect:any", "memory": {}, "times": {}}
    lines = BOXED.splitlines()
    assert all(len(line) - len(line.lstrip()) == 8 for line in lines if ": {" in line and "-1}" in line)


def changed(**changes):
    return json.dumps({**json.loads(TEXT), **changes}, indent=1)


def line(text, *keys):
    """The line number of the last of these nested keys."""
    offset = 0
    for key in keys:
        offset = text.index(f'"{key}": ', offset)
    return text.count("\n", 0, offset) + 1


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "it is empty"),
        ("{}", "whose format is noughts"),
        (changed(format="other"), "whose format is noughts"),
        (changed(version=0), "line 3: version '0'"),
        (changed(version=2), "line 3: version '2'; this Noughts reads version 1"),
        (TEXT[: len(TEXT) // 2], r"line \d+, column \d+"),
        (TEXT.replace('"learner"', '"Learner"'), "'learner' is missing|'Learner' is not a field"),
        (changed(luck=7), r"line \d+: 'luck' is not a field"),
        (changed(seed="7"), r"line \d+: 'seed' is not a whole number"),
        (changed(memory=[]), "'memory' is not an object"),
        (changed(generator=[[1], 2]), "generator"),
        (changed(history=[7]), r"line \d+: every entry must be an object"),
        (changed(settings={"pick": 7}), "cannot be '7'"),
        (changed(learner="nobody"), "no learner 'nobody'"),
        (changed(game="chess"), "no game 'chess'"),
        (changed(memory={"nonsense": {"a1": 1}}), r"line \d+: 'nonsense'"),
        (changed(memory={"BBB/.../WWW W": 7}), r"line \d+: the value of 'BBB/.../WWW W' must be an object"),
        (changed(memory={"BBB/.../WWW W": {"a1a3": 1}}), r"line \d+: a1a3 cannot be played"),
        (changed(memory={"BBB/.../WWW W": {"a1a2": -1}}), r"line \d+: a1a2 in BBB"),
        (changed(memory={"BBB/.../WWW W": {"a1a2": 1, "A1A2": 2}}), r"line \d+: A1A2 in BBB/.../WWW W is given twice"),
    ],
)
def test_anything_else_is_refused_with_its_place(text, what):
    with pytest.raises(BadText, match=what) as caught:
        read(text, None)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"memory": {"nonsense": {"a1": 1}}}, "rows"),
        ({"memory": {".../..../..../..../..../.... X": {"a1": 1}}}, "rows"),
        ({"memory": {EMPTY: {"a1": 1, "g1": 2}}}, "g1"),
        ({"memory": {EMPTY: {"a1": 0}}}, "not a number from 1"),
        ({"checkpoints": {"1": {"memory": {EMPTY: {"z9": 1}}}}}, "z9"),
        ({"generator": [0, 0]}, "the generator"),
        ({"preset": "unknown"}, "no preset"),
        ({"settings": {"unknown": 1}}, "no setting"),
        ({"learner": "unknown"}, "no learner"),
    ],
)
def test_a_wrong_save_of_a_large_game_is_refused_before_its_space_is_built(changes, what, monkeypatch):
    def build(*_):
        raise AssertionError("work has begun")

    monkeypatch.setattr("engine.spaces.build_space", build)
    text = changed(**{"game": LARGE.name, "memory": {EMPTY: {"a1": 1}}, **changes})
    with pytest.raises(BadText, match=what):
        read(text, None)
    with pytest.raises(AssertionError, match="work has begun"):
        read(changed(game=LARGE.name, memory={EMPTY: {"a1": 1}}), None)


def test_a_learner_of_another_game_is_refused():
    with pytest.raises(BadText, match=r"line \d+: a learner of 'hexapawn', not of tictactoe"):
        read(TEXT, parse_game("tictactoe"))


START, CELL = "BBB/..W/WW. B", "a3a2"
FIRST = json.loads(BOXED)["checkpoints"]["1"]["memory"]


def kept(memories):
    return {
        rounds: {"generator": [], "opponent": "random", "memory": memory, "times": {}}
        for rounds, memory in memories.items()
    }


@pytest.mark.parametrize(
    ("changes", "keys", "what"),
    [
        ({"bulk": None}, ["bulk"], "'bulk' is not a string"),
        ({"bulk": "="}, ["bulk"], "the bulk cannot be unpacked"),
        ({"opponent": 7}, ["opponent"], "'opponent' is not a string"),
        ({"times": []}, ["times"], "'times' is not an object"),
        ({"times": {START: 1}}, ["times", START], "must be an object of moves"),
        ({"times": {START: {CELL: 0}}}, ["times", START], "'0' is not a number from 1"),
        ({"times": {START: {CELL: 1, "A3A2": 1}}}, ["times", START], "is given twice"),
        ({"times": {"nowhere": {}, "BBB/.../WWW W": {"a1b1": 1}}}, ["times", "BBB/.../WWW W"], "cannot be played"),
        ({"checkpoints": []}, ["checkpoints"], "'checkpoints' is not an object"),
        ({"checkpoints": {"1": 7}}, ["checkpoints", "1"], "must be an object of generator, opponent, memory"),
        ({"checkpoints": {"1": {"memory": FIRST}}}, ["checkpoints", "1"], "a checkpoint must be an object of"),
        ({"checkpoints": kept({"1": FIRST, "01": {}})}, ["checkpoints", "01"], "'01' is not a number of rounds"),
        ({"checkpoints": kept({"9" * 5000: {}})}, ["checkpoints", "9" * 5000], "is not a number of rounds"),
        (
            {"checkpoints": kept({"1": FIRST, "2": {START: {CELL: 0}}})},
            ["checkpoints", "2", "memory", START],
            "'0' is not a number .* than 0",
        ),
        (
            {"checkpoints": kept({"1": FIRST, "2": {START: {CELL: -(2**63)}}})},
            ["checkpoints", "2", "memory", START],
            "is not a number from",
        ),
        (
            {"checkpoints": kept({"1": FIRST, "2": {START: {CELL: -2}}})},
            ["checkpoints", "2"],
            "the changes is not a number from 0",
        ),
        (
            {"checkpoints": kept({str(games): {} for games in range(102)})},
            ["checkpoints", "100"],
            "more than 100 checkpoints",
        ),
    ],
)
def test_a_wrong_field_is_refused_with_its_line(changes, keys, what):
    text = json.dumps({**json.loads(BOXED), **changes}, indent=1)
    with pytest.raises(BadText, match=f"^line {line(text, *keys)}: .*{what}") as caught:
        read(text, None)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400


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
        (" \n", "it is empty"),
        ('{"a":', "line 1, column 6: Expecting value"),
        ('{\n "a": 1,\n}', "line 3, column 1|line 2, column"),
        ('{"a": NaN}', "'NaN'"),
        ("1e999", "'1e999'"),
        ("1.0", "'1.0'"),
        ("1" * 20, "numbers must be whole and below"),
        ('{"a": 1,\n "b": 2,\n "a": 3}', "line 3: 'a' is given twice"),
        ('{"a": "\\ud800"}', "half a character"),
        ('{"a": "\n"}', "line 1, column 8: Invalid control character"),
        ("[" * (MAX_DEPTH + 1), f"more than {MAX_DEPTH} nested brackets"),
        ("1 2", "Extra data"),
        ("[" + "{}," * 200_000 + "0]", "more than 400,000 brackets and commas"),
        ('[[1],\n["b",' + "0," * 10_000 + "0]]", "more than 10,000 values in a row"),
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
        with pytest.raises(BadText, match=f"more than {MAX_DEPTH} nested brackets"):
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
