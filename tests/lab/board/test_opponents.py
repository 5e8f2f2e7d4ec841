import json
import re
from dataclasses import replace
from functools import cache, partial
from statistics import fmean

import pytest

from engine.game import SIDES, Side
from engine.games import GAMES, parse_game
from lab.board.opponent_strength import level_lines, level_name, meter, strength_text
from lab.board.opponents import (
    SEATS,
    candidates,
    candidates_to_sort,
    first_without_level,
    level_for,
    only_side,
    seat_of,
    seating_against,
    sort_by_strength,
)
from lab.board.seating import Seating, Sides, seating_for
from lab.board.teaching import is_pupil
from lab.text.numbers import percent_text
from learners import LEARNERS, offers
from learners.core.learner import PERSON
from learners.players.levels import LEVEL_OPPONENTS, RANKS, Foresight, Level, exact_results
from saves.library.library import Library
from saves.paths import library_path
from tests.cli import cli_run
from tests.libraries import sql
from tests.saves.brains import made_up
from tests.sizes import QUICK_GAMES

TICTACTOE, HEXAPAWN, FOUR = (parse_game(name) for name in ("tictactoe", "hexapawn", "connectfour"))


def filled(library):
    """Fill a library with a save of every learner."""
    for kind in LEARNERS:
        library.save(f"my {kind.spec.name}", kind(TICTACTOE, next(iter(kind.spec.presets)), 1).snapshot())
    library.save("pawns", made_up(HEXAPAWN, 20))
    return library


@pytest.fixture
def library():
    return filled(Library(library_path()))


@pytest.fixture(scope="module")
def lasting(tmp_path_factory):
    """A filled library that no test changes."""
    return filled(Library(tmp_path_factory.mktemp("lasting") / "library.sqlite"))


@pytest.fixture(scope="module")
def known(lasting):
    """A function from a game to everybody who plays it, and the levels of all of them."""
    return cache(partial(known_of, lasting))


def known_of(library, game):
    everybody = candidates(game, library.entries())
    return everybody, {each.key: level_for(library, each) for each in everybody if not each.is_person}


def test_the_list_has_each_player_of_a_game_once(library):
    for game in GAMES:
        labels = [each.label for each in candidates(game, library.entries())]
        saves = [f"save:{entry.name}" for entry in library.entries() if entry.game == game.name]
        assert labels == [PERSON, *saves, *(offer.label for offer in offers(game))]


def test_players_that_can_learn_are_marked(library):
    for game in (TICTACTOE, HEXAPAWN):
        for each in candidates(game, library.entries()):
            assert each.learns == (not each.is_person and is_pupil(library.player(each.label, game))), each.label


def test_the_list_has_a_person_first_then_harmless_to_perfect_then_unknown_levels(known):
    everybody, levels = known(TICTACTOE)
    ordered = sort_by_strength(everybody, levels)
    names = [level_name(each, levels.get(each.key)) for each in ordered]
    assert (ordered[0].label, names[0]) == (PERSON, "")
    by_name = [rank.name for rank in reversed(RANKS)]
    assert [by_name.index(name) for name in names[1:]] == sorted(by_name.index(name) for name in names[1:])
    labels = [each.label for each in ordered]
    assert labels.index("random") < labels.index("save:riechel") < labels.index("perfect")
    levels = {**levels, ("tictactoe", "perfect", ""): "it is damaged"}
    del levels["tictactoe", "random", ""]
    assert [each.label for each in sort_by_strength(everybody, levels)][-2:] == ["random", "perfect"]


@pytest.mark.long
def test_each_sentence_tells_the_exact_results_and_nothing_else(lasting, known):
    for game in QUICK_GAMES:
        everybody, levels = known(game)
        for each in everybody[1:]:
            text, level = strength_text(game, each, levels[each.key]), levels[each.key]
            exact = exact_results(lasting.player(each.label, game)).mean
            losses = [
                fmean(exact[side.name.lower()].against[opponent].loss for side in level.judged)
                for opponent in LEVEL_OPPONENTS
            ]
            told = [*losses, fmean(losses)] if any(losses) else []
            if level.seeds > 1 and told:
                told = [share for pair in zip(losses, level.deviations.values(), strict=True) for share in pair]
                told.append(fmean(losses))
                assert f"With {level.unbeaten} of {level.seeds} seeds it never loses." in text
            assert re.findall(r"<?>?[0-9.]+ %", text) == [percent_text(share) for share in told]
            assert ("whoever it plays." in text) == (not any(losses))
            told = "".join(re.findall(r"^As (\S) it", text))
            assert told == ("" if len(level.judged) == 2 else game.mark(level.judged[0]))
            assert ("W always loses against perfect play" in text) == (game is HEXAPAWN and Side.FIRST in level.plays)


def test_where_positions_are_known_the_text_says_how_often_a_player_keeps_their_value(known):
    everybody, levels = known(FOUR)
    told = {each.label: strength_text(FOUR, each, levels[each.key]) for each in sort_by_strength(everybody, levels)[1:]}
    assert {"perfect", "fallible", "alphabeta:6", "uct:1000"} <= set(told)
    kept = [int(re.findall("[0-9]+", text)[0]) for text in told.values()]
    assert kept == sorted(kept)
    assert told["random"].endswith("known positions that are won or drawn.")


def test_in_a_large_game_the_text_says_how_far_a_player_looks_ahead(known):
    large = parse_game("mnk:5,5,4")
    everybody, levels = known(large)
    told = {
        each.label: strength_text(large, each, levels[each.key]) for each in sort_by_strength(everybody, levels)[1:]
    }
    assert next(iter(told)) == "random"
    assert told["random"] == "Does not look ahead: every move is equally likely."
    assert told["minimax:1"] == "Looks 1 move ahead, and estimates the rest."
    assert told["alphabeta:6"] == "Looks 6 moves ahead, and estimates the rest."
    depths = [
        level.depth for each in sort_by_strength(everybody, levels)[1:] if not (level := levels[each.key]).playouts
    ]
    assert depths == sorted(depths)
    playouts = [
        level.playouts for each in sort_by_strength(everybody, levels)[1:] if (level := levels[each.key]).playouts
    ]
    assert playouts == [100, 1000, 200_000]
    assert told["uct:100"] == "Plays 100 random games for each move, and chooses by their results."


def test_a_save_that_cannot_be_read_says_why_and_the_others_have_their_levels(library):
    sql(library_path(), "UPDATE save SET settings = 'x' WHERE name = 'my menace'")
    everybody, levels = known_of(library, TICTACTOE)
    broken = next(each for each in everybody if each.label == "save:my menace")
    assert level_name(broken, levels[broken.key]) == "?"
    assert strength_text(TICTACTOE, broken, levels[broken.key]).startswith("Its strength is not known: ")
    assert sum(isinstance(level, str) for level in levels.values()) == 1


def test_a_level_that_is_not_known_yet_is_said_to_be_computed(library):
    person, random, *_ = everybody = candidates(TICTACTOE, library.entries())
    assert strength_text(TICTACTOE, random, None) == "Its exact strength is being computed …"
    assert strength_text(TICTACTOE, person, None) == "Two people at one board, turn by turn."
    assert (level_name(random, None), level_name(person, None)) == ("…", "")
    assert first_without_level(everybody, {}) is random
    assert first_without_level(everybody, {random.key: Foresight(0)}) is everybody[2]
    assert first_without_level([person], {}) is None


def test_a_meter_is_as_full_as_the_level_is_high(known):
    everybody, levels = known(TICTACTOE)
    for each in everybody[1:]:
        level = levels[each.key]
        assert meter(level).count("■") == level.rank
        assert len(meter(level)) == len(RANKS) - 1
    assert meter(Foresight(3)) == meter(None) == meter("damaged") == " " * (len(RANKS) - 1)


def test_a_save_that_has_learned_is_another_one_to_be_judged(library):
    before = {each.label: each.key for each in candidates(TICTACTOE, library.entries())}
    library.save("my failures", made_up(TICTACTOE, 100), replace=True)
    after = {each.label: each.key for each in candidates(TICTACTOE, library.entries())}
    assert {label for label in before if before[label] != after[label]} == {"save:my failures"}


def test_shipped_players_are_sorted_first_and_then_the_newest_saves(library, monkeypatch):
    monkeypatch.setattr("lab.board.opponents.MAX_SORTED", 2)
    *always, second, first = (each.label for each in candidates_to_sort(candidates(TICTACTOE, library.entries())))
    assert {"random", "perfect", "save:riechel"} <= {*always}
    assert [second, first] == [f"save:my {kind.spec.name}" for kind in LEARNERS[:-3:-1]]


@pytest.mark.parametrize(
    ("seat", "labels", "sides"),
    [
        ("first", (PERSON, "random"), Sides.FIXED),
        ("second", ("random", PERSON), Sides.FIXED),
        ("alternate", (PERSON, "random"), Sides.ALTERNATE),
        ("random", (PERSON, "random"), Sides.RANDOM),
    ],
)
def test_a_person_sits_where_they_asked_to(seat, labels, sides):
    seating = seating_against(TICTACTOE, seat, "random")
    assert seating == Seating(TICTACTOE, *labels, sides)
    assert seat_of(seating) == seat


@pytest.mark.parametrize("seat", SEATS)
def test_an_opponent_that_plays_one_side_gets_that_side(seat):
    assert seating_against(TICTACTOE, seat, "save:michie", Side.FIRST) == Seating(TICTACTOE, "save:michie", PERSON)
    assert seating_against(HEXAPAWN, seat, "save:her", Side.SECOND) == Seating(HEXAPAWN, PERSON, "save:her")


def test_a_seating_tells_where_the_person_sits():
    turned = replace(seating_against(TICTACTOE, "alternate", "random"), first="random", second=PERSON)
    assert seat_of(turned) == "alternate"
    assert seat_of(Seating(TICTACTOE, PERSON, PERSON)) == "first"
    assert seat_of(Seating(TICTACTOE, "random", "perfect")) is None


def test_only_players_of_one_side_have_an_only_side(known):
    everybody, levels = known(TICTACTOE)
    sides = {each.label: only_side(levels.get(each.key)) for each in everybody}
    assert (sides["save:michie"], sides["save:scroggs"], sides["random"], sides[PERSON]) == (
        Side.FIRST,
        None,
        None,
        None,
    )
    assert only_side("damaged") is None


def test_the_command_line_lists_the_same(lasting, known):
    everybody, levels = known(TICTACTOE)
    ordered = [each for each in sort_by_strength(everybody, levels) if not each.is_person]
    ran = cli_run.run("players", "--library", str(lasting.path), "--json")
    document = json.loads(ran.out)
    assert (ran.code, ran.err, document["game"]) == (0, "", "tictactoe")
    assert [player["player"] for player in document["players"]] == [each.label for each in ordered]
    for told, each in zip(document["players"], ordered, strict=True):
        level = levels[each.key]
        assert (told["level"], told["learns"]) == (level.name, each.learns)
        assert told["losses"] == pytest.approx(level.losses)
        assert told["sentence"] == strength_text(TICTACTOE, each, level)
    ran = cli_run.run("players", "--library", str(lasting.path), "--game", "hexapawn")
    heading, _, *rows, note, _ = ran.out.splitlines()
    assert heading == "Hexapawn: opponents, the weakest first"
    assert [row.split("  ")[0] for row in rows] == [each.label for each in sort_by_strength(*known(HEXAPAWN))[1:]]
    assert note == "W always loses against perfect play."
    large = json.loads(cli_run.run("players", "--game", "connectfour", "--json").out)
    assert large["players"][-1]["level"].startswith("keeps ")


@pytest.mark.parametrize("judged", SIDES.values())
def test_the_longest_level_fits_beside_its_bar(known, judged):
    lost = Level(RANKS[-1].name, 0, dict.fromkeys(LEVEL_OPPONENTS, 1.0), 0.0, judged, (), judged)
    (save, *_), _ = known(TICTACTOE)
    for room in range(32, 80):
        first, *parts = level_lines(TICTACTOE, save, lost, room, 2)
        assert len(meter(lost)) + 1 + len(first) <= room >= max(map(len, parts))


@pytest.mark.parametrize(
    ("first", "second", "seats"),
    [
        (None, None, ("human", "perfect")),
        ("human", None, ("human", "perfect")),
        (None, "human", ("perfect", "human")),
        ("random", None, ("random", "human")),
        (None, "random", ("human", "random")),
        ("random", "perfect", ("random", "perfect")),
        ("human", "human", ("human", "human")),
    ],
)
def test_a_side_without_a_player_is_the_person_or_the_machine(first, second, seats):
    seating = seating_for(parse_game("misere"), first, second)
    assert (seating.first, seating.second) == seats
