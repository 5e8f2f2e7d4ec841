"""The definition of a sweep: what is accepted, what is refused, and the points of the grid."""

import json
from itertools import product

import pytest

from engine.game import BadText
from learners.core.generator import LARGEST_SEED
from learners.sweep.definition import define, parse_toml, restore

GRID = {"win": [1, 3, 5], "empty": ["resign", "refill"]}


def texts(**given):
    return [point.text for point in define(given).points()]


def test_the_points_are_the_product_in_the_order_of_the_grid():
    found = texts(learner="menace", opponent=["self", "perfect"], grid=GRID)
    assert found == [
        f"menace:steady{opponent}+win={win}+empty={empty}"
        for opponent, win, empty in product(("", "/perfect"), (1, 3, 5), ("resign", "refill"))
    ]


def test_learners_combine_with_presets_or_have_their_own():
    assert texts(learner=["menace", "q"]) == ["menace:steady", "q:exact"]
    assert texts(learner="menace", preset=["scroggs", "blog"]) == ["menace:scroggs", "menace:blog"]
    assert texts(learner=["menace:michie", "q"]) == ["menace:michie/perfect:any", "q:exact"]
    assert texts(learner="menace", game="hexapawn", preset="her") == ["menace:her/perfect:any"]


def test_true_and_numbers_of_toml_are_as_on_the_command_line():
    toml = parse_toml("learner = 'q'\n[grid]\nmerge = [true, false]\nrate = [0.1, 1]")
    assert define(toml) == define({"learner": ["q"], "grid": {"merge": "true,false", "rate": ".1,1.0"}})
    with pytest.raises(BadText, match="not TOML"):
        parse_toml("a = [" * 5000)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 3], ("1", "3")),
        ("1,3", ("1", "3")),
        ("0..3", ("0", "1", "2", "3")),
        ("-2..-1,5", ("-2", "-1", "5")),
        (7, ("7",)),
        (["1..2", 9], ("1", "2", "9")),
    ],
)
def test_values_are_lists_or_texts_or_ranges(values, expected):
    assert define({"learner": "menace", "grid": {"win": values}}).grid == (("win", expected),)


def test_machines_are_judged_at_powers_of_ten_or_at_the_marks_given_and_at_the_end():
    assert define({"learner": "q", "games": 500}).marks_of("q") == (1, 10, 100, 500)
    assert define({"learner": "q", "games": 500, "marks": [500, 7]}).marks_of("q") == (7, 500)
    both = define({"learner": ["q", "genetic"], "games": 50, "generations": 5})
    assert (both.marks_of("q"), both.marks_of("genetic")) == ((1, 10, 50), (1, 5))


def test_a_sample_has_different_points_in_their_order_and_the_same_for_the_same_seed():
    given = {"learner": "menace", "game": "hexapawn", "grid": {"win": "0..20", "loss": "-9..0"}}
    everything, found = texts(**given), texts(**given, sample=30)
    assert len(set(found)) == 30
    assert found == [text for text in everything if text in found]
    assert set(texts(**given, sample=30, sample_seed=2)) != set(found)
    assert texts(learner="menace", grid=GRID, sample=100) == texts(learner="menace", grid=GRID)


def test_the_text_is_canonical_and_means_the_same_definition():
    one = define({"learner": "menace", "grid": {"win": "1,03"}, "game": "hexapawn"})
    two = define({"grid": {"win": [1, 3]}, "game": "hexapawn", "learner": ["menace:steady"], "seeds": 20, "seed": 1})
    assert (one.text, one.digest) == (two.text, two.digest)
    assert restore(one.text) == one
    assert define({"learner": "menace", "grid": {"win": [3, 1]}}).digest != define({"learner": "menace"}).digest


def test_a_text_that_is_not_canonical_is_refused():
    text = define({"learner": "menace"}).text
    others = ("", "{}", "[", "null", "[" * 9999, text + " ", text.replace(":20", ":20.0"), json.dumps({"learner": 1}))
    for other in others:
        assert other != text
        with pytest.raises(BadText):
            restore(other)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "no learner is named"),
        ({"learner": "menac"}, "no learner 'menac'"),
        ({"learner": "q", "lerner": 1}, "no key 'lerner' in a sweep; there are learner, preset"),
        ({"learner": ["q", "q"]}, "learner has 'q:exact' twice"),
        ({"learner": "q", "seeds": 0}, "seeds cannot be '0': it is a whole number from 1 to"),
        ({"learner": "q", "seed": LARGEST_SEED}, "the last of 20 seeds"),
        ({"learner": "q", "games": 1.5}, "games cannot be '1.5'"),
        ({"learner": "q", "generations": 5}, "no learner of this sweep is trained in generations: q is trained"),
        ({"learner": "q", "games": 5, "marks": [6]}, "marks cannot be '6'"),
        ({"learner": "q", "grid": {"rate": []}}, "rate has 0 values"),
        ({"learner": "q", "grid": {"rate": [0.5, ".5"]}}, "rate has '0.5' twice"),
        ({"learner": "q", "grid": {"rate": [float("nan")]}}, "'nan' is not a value of a setting"),
        ({"learner": "menace", "grid": {"win": "5..1"}}, "win cannot be '5..1': a range ascends"),
        ({"learner": "q", "set": {"rate": 1}, "grid": {"rate": [1]}}, "'rate' is both in set and in grid"),
    ],
)
def test_what_is_unknown_or_impossible_is_refused(given, message):
    with pytest.raises(BadText, match=message.replace(".", r"\.").replace("(", r"\(")):
        define(given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"learner": "menace", "grid": {"win": [1, 5000]}}, r"menace:steady\+win=5000 is not valid: win "),
        ({"learner": "genetic", "opponent": ["self", "random"]}, "genetic:[a-z0-9-]+/random is not valid"),
        ({"learner": "q", "opponent": "save:mine"}, "q:exact/save:mine is not valid: a sweep cannot train against"),
        ({"learner": "q", "game": "connectfour"}, "q:exact is not valid: .* too large"),
        ({"learner": "genetic", "grid": {"elite": [5, 200], "population": [100, 50]}}, r"\+elite=200\+population=100"),
    ],
)
def test_a_point_that_is_not_valid_is_named(given, message):
    with pytest.raises(BadText, match=message):
        define(given).points()
