import json
from dataclasses import replace

import pytest

from engine import parse_game
from engine.game import BadText
from saves.formats.json_text import read, read_head, write
from tests.saves.brains import made_up, same

HEXAPAWN = parse_game("hexapawn")
BRAIN = made_up(HEXAPAWN, 30, seed=2**63 - 1)
STATS = dict(BRAIN.stats)
TEXT = write(replace(BRAIN, history=({**STATS, "games": 1, "draws": 1},), stats={**STATS, "games": 2, "draws": 2}))


def test_it_reads_what_it_writes():
    assert write(read(TEXT, None)) == TEXT
    assert same(read(write(BRAIN), HEXAPAWN), BRAIN)


def test_it_is_plain_json_with_one_position_and_one_checkpoint_a_line():
    document = json.loads(TEXT)
    assert (document["format"], document["version"], document["seed"]) == ("noughts", 1, 2**63 - 1)
    assert sum(len(moves) for moves in document["memory"].values()) == 30
    lines = TEXT.splitlines()
    assert all(sum(f'"{position}"' in line for line in lines) == 1 for position in document["memory"])
    assert sum(line.startswith('    {"games"') for line in lines) == 1


def test_a_memory_that_holds_nothing_is_written_too():
    empty = made_up(HEXAPAWN, 0)
    assert same(read(write(empty), None), empty)


def test_the_head_is_read_without_the_memory():
    assert read_head(TEXT)["stats"]["games"] == 2
    assert read_head(TEXT)["memory"] == {}


def test_the_order_of_fields_does_not_matter():
    document = json.loads(TEXT)
    assert write(read(json.dumps(dict(reversed(document.items()))), None)) == TEXT


def changed(**changes):
    return json.dumps({**json.loads(TEXT), **changes}, indent=1)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "line 1, column 1"),
        ("[]", '"format": "noughts"'),
        ("{}", '"format": "noughts"'),
        (changed(format="other"), '"format": "noughts"'),
        (changed(version=2), "line 3: version '2'; this Noughts reads 1"),
        (changed(version=True), "version 'True'"),
        (TEXT[: len(TEXT) // 2], r"line \d+, column \d+"),
        (TEXT.replace('"learner"', '"Learner"'), "'learner' is missing|'Learner' is no field"),
        (changed(luck=7), r"line \d+: 'luck' is no field"),
        (changed(seed="7"), r"line \d+: 'seed' is not a whole number"),
        (changed(seed=True), "'seed' is not a whole number"),
        (changed(seed=2**63), "seed"),
        (changed(memory=[]), "'memory' is not an object"),
        (changed(generator=[1, 2**32]), "generator"),
        (changed(generator=[[1], 2]), "generator"),
        (changed(generator=["\ud800", 2]), "generator"),
        (changed(history=[7]), r"line \d+: every checkpoint should be an object"),
        (changed(history=[{"games": {}}]), "statistics"),
        (changed(settings={"pick": ["uniform"]}), "pick cannot be"),
        (changed(settings={"pick": 7}), "pick cannot be '7'"),
        (changed(settings={"pick": None}), "pick cannot be 'None'"),
        (changed(stats={}), "statistics"),
        (changed(learner="nobody"), "no learner 'nobody'"),
        (changed(game="chess"), "no game 'chess'"),
        (changed(memory={"nonsense": {"a1": 1}}), r"line \d+: 'nonsense'"),
        (changed(memory={"BBB/.../WWW W": 7}), r"line \d+: 'BBB/.../WWW W' should have an object"),
        (changed(memory={"BBB/.../WWW W": {"a1a3": 1}}), r"line \d+: a1a3 cannot be played"),
        (changed(memory={"BBB/.../WWW W": {"a1a2": -1}}), r"line \d+: a1a2 in BBB"),
        (changed(memory={"BBB/.../WWW W": {"a1a2": 1, "A1A2": 2}}), r"line \d+: A1A2 in BBB/.../WWW W is given twice"),
        (changed(memory={}), "the memory holds 0"),
    ],
)
def test_anything_else_is_refused_with_its_place(text, what):
    with pytest.raises(BadText, match=what) as caught:
        read(text, None)
    assert str(caught.value).isprintable()


def test_a_learner_of_another_game_is_refused():
    with pytest.raises(BadText, match=r"line \d+: a learner of 'hexapawn', not of tictactoe"):
        read(TEXT, parse_game("tictactoe"))
