"""Pictures and films of saves and games: well-formed, within their frame, and the same each time."""

import csv
import io
import xml.etree.ElementTree as ET
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from engine.game import BadText, Outcome
from engine.games import parse_game
from engine.match import Record
from engine.spaces import space_of
from engine.trees.tree import Reduction, TreeRules, tree_of
from lab.memory.card_filter import sort_by_use, used_positions
from lab.pictures.boards import differences_picture, node_picture
from lab.pictures.charts import LABEL_HEIGHT, label_rows
from lab.pictures.drawing import BOLD, LETTER, LOOKS, PNG, Picture, picture_suffix
from lab.pictures.films import game_film, training_film
from lab.pictures.game_pictures import game_picture
from lab.pictures.paper_pictures import papers_picture
from lab.pictures.save_pictures import curve_picture, position_picture, telling_points, wall_picture
from lab.training.training_story import TrainingStory
from learners import LEARNERS
from learners.comparison import shifts
from learners.failures.learner import Failures
from saves.gallery.paper_reports import load
from saves.library.game_record import StoredGame
from tests.saves.brains import train

HOSTILE = "<script>alert('&')</script>"
FORBIDDEN = ("script", "foreignObject", "image", "a")
GAMES = {"hexapawn": 60, "nim:2,3": 60, "tictactoe": 300, "mnk:3,3,3+gravity": 60}
"""Moves of one square and of two, heaps, and pieces that fall; with the games of a training."""
MACHINES = [
    (kind, game) for kind in LEARNERS for game in GAMES if kind.spec.fits(parse_game(game)) and not kind.spec.parameters
]


def story_of(kind, game):
    """The story of a training of a few games, or generations."""
    learner = kind(parse_game(game), kind.spec.presets_for(parse_game(game))[0], 1)
    story = TrainingStory()
    story.update(train(learner, 3 if kind.spec.round_noun != "game" else GAMES[game]))
    return story


def root_of(picture):
    svg = picture.svg()
    assert svg == picture.svg()
    root = ET.fromstring(svg)  # noqa: S314  drawn just now
    width, height = picture.width, picture.height
    for element in root.iter():
        assert element.tag.rpartition("}")[2] not in FORBIDDEN
        assert not any(name.endswith("href") or name.startswith("on") for name in element.attrib)
        if element.tag.endswith("}text") and element.get("x"):
            shape, size = element.get("class").split(), float(element.get("font-size"))
            long = len(element.text or "") * size * (BOLD if "b" in shape else LETTER)
            left = float(element.get("x")) - long * (1 if "e" in shape else "m" in shape) / (1 + ("m" in shape))
            assert -1 <= left <= left + long <= width + 1, element.text
            assert -1 <= float(element.get("y")) <= height
    return root


@pytest.mark.sample(6)
@pytest.mark.parametrize(("kind", "game"), MACHINES, ids=str)
def test_every_memory_can_be_drawn_and_filmed(kind, game):
    story = story_of(kind, game)
    point = story.points[-1]
    for picture in (
        wall_picture(HOSTILE, point),
        curve_picture(HOSTILE, story.points, story.turning_points),
        position_picture(HOSTILE, point.learner, point.learner.game.start),
        training_film(HOSTILE, story.points, telling_points(story.turning_points, point)),
    ):
        root_of(picture)
        rows = list(csv.reader(io.StringIO(picture.csv())))
        assert len(rows) == 1 + len(picture.rows)
        assert {len(row) for row in rows} == {len(picture.columns)}


@pytest.mark.parametrize("game", ["hexapawn", "tictactoe", "nim:2,3"])
def test_a_node_of_a_tree_and_the_differences_of_two_memories_can_be_drawn(game):
    rules = parse_game(game)
    node = tree_of(rules, TreeRules.CORRECT, Reduction.NONE).root
    machines = [Failures(rules, "literal", seed) for seed in (1, 2)]
    for machine in machines:
        train(machine, 60)
    found = shifts(*machines)
    assert found
    for picture, rows in (
        (node_picture(node), len(node.children)),
        (differences_picture(space_of(rules), ("one", "other"), found), sum(len(each.before) for each in found)),
    ):
        root_of(picture)
        assert len(picture.rows) == rows


@pytest.mark.long
def test_a_film_shows_the_end_where_nothing_moves_and_every_animation_lasts_as_long():
    story = story_of(LEARNERS[1], "tictactoe")
    root = root_of(training_film("mine", story.points, telling_points(story.turning_points, story.points[-1])))
    moving = [each for each in root.iter() if "attributeName" in each.attrib]
    assert len(moving) > 50
    assert len({each.get("dur") for each in moving}) == 1
    parents = {child: parent for parent in root.iter() for child in parent}
    for each in moving:
        times, values = each.get("keyTimes").split(";"), each.get("values").split(";")
        assert len(times) == len(values)
        assert (times[0], times[-1]) == ("0", "1")
        assert [float(time) for time in times] == sorted(float(time) for time in times)
        still = parents[each].get(each.get("attributeName"))
        assert still is not None
        assert values[-1] in still


def test_cards_are_ordered_by_how_often_play_reaches_them():
    learner = story_of(LEARNERS[1], "tictactoe").points[-1].learner
    edges = [int(edge) for edge in learner.view.cards()]
    ordered = sort_by_use(learner, edges)
    assert sorted(ordered) == sorted(edges)
    assert learner.view.card(ordered[0]).position == learner.game.start, "every game as X begins there"
    plies = [learner.space.ply[learner.space.row(each)] for each in used_positions(learner, 4)]
    assert plies[:3] == [0, 1, 1], "then its answers to the likeliest openings"


@pytest.mark.parametrize("wanted", [[50, 50, 50], [10, 12, 90, 91], [0, 1, 2, 3], [98, 99, 100]])
def test_labels_keep_their_order_and_their_distance(wanted):
    rows = label_rows(wanted, 0, 100)
    assert len(rows) == len(wanted)
    assert all(later - row >= LABEL_HEIGHT for row, later in pairwise(rows))
    assert 0 <= rows[0] <= rows[-1] <= 100


@pytest.mark.parametrize("game", ["hexapawn", pytest.param("connectfour", marks=pytest.mark.long)])
def test_a_finished_game_can_be_drawn_and_filmed(game):
    rules = parse_game(game)
    position, moves = rules.start, []
    while rules.outcome(position) is None and len(moves) < 12:
        moves.append(rules.moves(position)[0])
        position = rules.play(position, moves[-1])
    outcome = Outcome.DRAW if rules.outcome(position) is None else rules.outcome(position)
    kept = StoredGame(3, datetime(2026, 1, 31, tzinfo=UTC), Record(rules, ("human", "random"), tuple(moves), outcome))
    picture, film = game_picture(kept), game_film(kept)
    root_of(picture)
    root_of(film)
    assert len(picture.rows) == len(moves)
    for filmed, drawn in zip(film.rows, picture.rows, strict=True):
        assert filmed[:-1] == drawn[:-1]
        # What takes long may be proved for one of them only.
        assert filmed[-1] == drawn[-1] or "" in {filmed[-1], drawn[-1]}


@pytest.mark.parametrize("name", ["lecture", "riechel"])
def test_the_report_of_a_paper_can_be_drawn(name):
    report = load(name).report
    picture = papers_picture([report])
    root_of(picture)
    assert len(picture.rows) == sum(len(table.findings) for table in report.tables)


@pytest.mark.usefixtures("fonts")
def test_each_look_has_all_its_colours_and_a_png_follows_from_each():
    picture = Picture(HOSTILE, 100, 50, (), ("a",), ((1,),))
    looks = {look: picture.svg(look) for look in LOOKS}
    assert len(set(looks.values())) == len(LOOKS)
    assert "prefers-color-scheme" in looks["auto"]
    assert picture.content(PNG).startswith(b"\x89PNG")


def test_another_suffix_is_refused_in_one_line(tmp_path):
    with pytest.raises(BadText, match=r"let the name end in \.svg or \.png or \.csv"):
        picture_suffix(tmp_path / "wall.jpg")
    assert picture_suffix(tmp_path / "WALL.SVG") == ".svg"


def test_what_cannot_be_drawn_says_why():
    story = TrainingStory()
    story.update(LEARNERS[0](parse_game("tictactoe"), "literal", 1).snapshot())
    with pytest.raises(BadText, match="no training to show"):
        training_film("empty", story.points, ())
    won = parse_game("tictactoe").from_text("XXX/OO./...")
    with pytest.raises(BadText, match="is over"):
        position_picture("empty", story.points[-1].learner, won)
