"""The commands for a learner whose memory is weights, with exact results and without."""

import re
import shutil
from functools import partial

import pytest

from cli.shared.sampled_results import report_sampled
from engine.games import parse_game
from lab.board.event_sentences import why_nobody_learns
from lab.board.teaching import is_pupil
from learners.genetic.learner import Genetic
from saves.paths import library_path
from tests.cli.cli_run import as_json, refused, run

TRAIN = ("train", "ntuple", "--game", "connectfour", "--games", "60", "--seed", "3")


@pytest.fixture(scope="module", name="trained")
def _trained(tmp_path_factory):
    """A library with the network `net`."""
    path = tmp_path_factory.mktemp("trained") / "library.sqlite"
    assert run("--library", str(path), *TRAIN, "--save", "net").code == 0
    return path


@pytest.fixture
def net(trained):
    shutil.copyfile(trained, library_path())


@pytest.fixture
def few_games(monkeypatch):
    monkeypatch.setattr("cli.commands.evaluate.report_sampled", partial(report_sampled, games=2))


@pytest.mark.long
def test_a_network_learns_connect_four_is_saved_trains_on_and_is_asked_in_known_positions():
    trained = as_json(*TRAIN, "--save", "net")
    assert (trained["preset"], trained["games"], trained["exact"], trained["sampled"]) == ("thill", 60, None, None)
    assert trained["known_positions"]["won"]["of"] == 301
    assert set(trained["known_positions"]) >= {"won", "kept", "begin-easy"}
    longer = as_json("train", "--from", "net", "--games", "40", "--save", "net")
    at_once = as_json("train", "ntuple", "--game", "connectfour", "--games", "100", "--seed", "3")
    assert [longer[key] for key in ("games", "plies", "weights")] == [
        at_once[key] for key in ("games", "plies", "weights")
    ]
    assert longer["known_positions"] == at_once["known_positions"]


def test_the_report_says_where_exact_results_are_missing():
    ran = run(*TRAIN, "--save", "net")
    assert "In 301 won positions with known scores its move keeps the win in " in ran.out
    assert ran.out.endswith("To sample games against others: noughts evaluate save:NAME\n")
    shown = run("saves", "show", "net")
    assert shown.code == 0
    assert "Connect Four is too large for exact results. To sample them: noughts evaluate save:NAME" in shown.out
    assert "tuple " in shown.out
    found = as_json("saves", "show", "net")
    assert (found["results"], found["newest"]) == (None, [])


@pytest.mark.long
@pytest.mark.usefixtures("few_games", "net")
def test_a_player_of_a_large_game_is_evaluated_by_samples():
    found = as_json("evaluate", "save:net@50")
    assert (found["player"], found["game"]) == ("save:net@50", "connectfour")
    assert found["sampled"]["games"] == 2
    for side in ("first", "second"):
        for chances in found["sampled"][side].values():
            assert chances["win"] + chances["draw"] + chances["loss"] == 1
            assert chances["error"] >= 0
    ran = run("evaluate", "save:net")
    assert ran.out.startswith("save:net, Connect Four\n\nConnect Four is too large for exact results: 2 games each")


@pytest.mark.long
@pytest.mark.usefixtures("few_games")
def test_the_steps_of_sampling_are_shown_with_the_time_left(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    shown = run("evaluate", "alphabeta:1", "--game", "connectfour", terminal=True)
    assert shown.code == 0
    for step in ("playing games", "moving in known positions", "judging late moves"):
        assert re.search(rf"{step}, 50 %, \d+:\d\d left", shown.err)
        assert f"{step}, 100 %, 0:00 left" in shown.err


@pytest.mark.usefixtures("net")
def test_a_network_plays_at_the_board_and_gives_a_reason():
    ran = run("play", "--plain", "--second", "save:net", "--seed", "1", lines="d\nresign\n")
    assert ran.code == 0
    assert ", the most of 7)." in ran.out


@pytest.mark.long
@pytest.mark.usefixtures("net")
@pytest.mark.parametrize(
    "command",
    [
        ("saves", "history", "net", "--position", "......./......./......./......./......./....... X"),
        ("saves", "diff", "net", "net@50"),
    ],
)
def test_what_needs_exact_results_says_so_in_one_line(command):
    refused("Connect Four is too large for exact results", *command, most=1)


@pytest.mark.long
def test_a_network_of_a_small_game_has_exact_results_everywhere():
    trained = as_json("train", "ntuple", "--games", "300", "--seed", "1", "--save", "small")
    assert set(trained["exact"]) == {"first", "second"}
    assert "sampled" not in trained
    evaluated, shown = as_json("evaluate", "save:small"), as_json("saves", "show", "small")
    assert evaluated["first"] == shown["results"]["first"] == trained["exact"]["first"]
    history = as_json("saves", "history", "small", "--position", ".../.../... X")
    assert [moment["rounds"] for moment in history["moments"]][-1] == 300
    differences = as_json("saves", "diff", "small@10", "small")
    assert differences["results"]["b"]["first"] == trained["exact"]["first"]
    assert all(each["numbers"] is None for each in differences["differences"])


@pytest.mark.long
@pytest.mark.usefixtures("net")
def test_the_history_of_a_network_of_a_large_game_is_told_by_known_positions():
    found = as_json("saves", "history", "net")
    assert [moment["rounds"] for moment in found["moments"]] == [0, 1, 2, 5, 10, 20, 50, 60]
    now = as_json("train", "ntuple", "--game", "connectfour", "--games", "60", "--seed", "3")["known_positions"]
    assert found["moments"][-1]["known_positions"] == now
    ran = run("saves", "history", "net")
    assert [line.split()[0] for line in ran.out.splitlines()[3:]] == ["0", "1", "2", "5", "10", "20", "50", "60"]
    run("train", "ntuple", "--game", "mnk:7,7,4", "--games", "2", "--set", "length=3", "--save", "other")
    refused("is too large for exact results, and no position of it is known", "saves", "history", "other")


def population():
    return Genetic(parse_game("tictactoe"), "hochmuth", 1, {"population": 20})


def test_a_population_does_not_learn_from_single_games_and_says_so():
    learner = population()
    learner.label = "save:a"
    assert not is_pupil(learner)
    assert why_nobody_learns((None, learner), "Advice.").startswith("a never learns from a single game")
    assert why_nobody_learns((None, None), "Advice.") == "Advice."
