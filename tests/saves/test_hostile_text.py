"""Any file is read as a usable learner or refused with `BadText`."""

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import BadText
from engine.games import parse_game
from learners import revive
from saves.formats import FORMATS, json_text
from tests.saves.brains import boxed, made_up, same

GAME = parse_game("hexapawn")
TEXTS = [
    *((kind, kind.write(made_up(GAME, 6))) for kind in FORMATS),
    (json_text.FORMAT, json_text.FORMAT.write(boxed())),
]
SCRAPS = st.one_of(
    st.text(max_size=8),
    st.sampled_from(
        [
            "\0",
            "\n",
            "\r",
            " ",
            "0",
            "-1",
            "1.5",
            "1e999",
            "NaN",
            "9" * 19,
            "9" * 30,
            "null",
            "true",
            "{}",
            "[]",
            '""',
            "{",
        ]
    ),
    st.sampled_from(
        ["W", "B", ".", "(0, 0)", "W to play\n", "a1a2", '"games"', "\\ud800", "\ud800", "\ufeff", "\u202e"]
    ),
)
EDITS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 60), SCRAPS, st.booleans()), min_size=1, max_size=4)


def edited(text, edits):
    for where, length, scrap, twice in edits:
        start = int(where * len(text))
        cut = text[start : start + length]
        text = text[:start] + (cut + cut if twice else scrap) + text[start + length :]
    return text


def read_or_refuse(kind, text):
    try:
        snapshot = kind.read(text, GAME)
    except BadText as error:
        fault = str(error)
    else:
        fault = ""
        assert same(revive(snapshot).snapshot(), snapshot)
        assert same(kind.read(kind.write(snapshot), GAME), snapshot)
    assert not fault or fault.isprintable()
    assert len(fault) < 400


@given(st.sampled_from(TEXTS), EDITS)
@settings(max_examples=150, deadline=None)
def test_an_edited_file(file, edits):
    kind, text = file
    read_or_refuse(kind, edited(text, edits))


@given(st.sampled_from(FORMATS), st.text())
@settings(deadline=None)
def test_any_text(kind, text):
    read_or_refuse(kind, text)
