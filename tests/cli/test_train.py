import json
import signal

import numpy as np
import pytest

from engine.evaluate import scoreboard
from engine.games import parse_game
from learners.failures.learner import Failures
from learners.menace.learner import Menace
from tests.cli.cli_run import as_json, refused, run
from tests.libraries import library

KEYS = (
    "learner game preset opponent settings seed games plies first_wins second_wins draws avoided entries "
    "plies_per_game trained planned seconds games_per_second save history stopped_learning exact"
)

KEYS_OF_MENACE = KEYS.replace(
    "avoided entries plies_per_game",
    "resigned refilled beads boxes gained_first gained_second plies_per_game resigned_share",
)


def directly_trained(games: int, seed: int, preset: str = "literal", game: str = "tictactoe") -> Failures:
    learner = Failures(parse_game(game), preset, seed)
    learner.train(games)
    return learner


def test_json_reports_the_run_and_the_seed_repeats_the_memory():
    told = as_json("train", "failures", "--games", "1,000", "--seed", "1", "--save", "a")
    assert list(told) == KEYS.split()
    learner = directly_trained(1000, 1)
    assert {key: told[key] for key in learner.stats()} == learner.stats()
    assert (told["learner"], told["game"], told["preset"], told["save"]) == ("failures", "tictactoe", "literal", "a")
    assert np.array_equal(library().load("a").memory, learner.memory)


def test_a_preset_alone_will_do_where_only_one_learner_has_it():
    told = as_json("train", "her", "--games", "5")
    assert (told["learner"], told["preset"], told["game"]) == ("menace", "her", "hexapawn")
    assert run("train", "exact", "--games", "5").code == 1


def test_a_preset_may_be_written_after_the_learner():
    told = as_json("train", "td:zhang", "--games", "10", "--seed", "1")
    assert (told["learner"], told["preset"]) == ("td", "zhang")
    ran = run("train", "td:zhang", "--preset", "exact")
    assert (ran.code, ran.err.splitlines()[0]) == (
        2,
        "noughts: td:zhang names a preset already: leave out --preset exact",
    )


@pytest.mark.parametrize("opponent", ["self", "save:riechel"])
def test_the_opponent_is_reported_with_the_results(opponent):
    told = as_json("train", "menace", "--preset", "scroggs", "--opponent", opponent, "--games", "300", "--seed", "1")
    assert list(told) == KEYS_OF_MENACE.split()
    assert told["opponent"] == opponent
    assert told["plies_per_game"] == round(told["plies"] / 300, 4)
    assert told["resigned_share"] == round(told["resigned"] / 300, 6)
    direct = Menace(parse_game("tictactoe"), "scroggs", 1)
    direct.set_opponent(None if opponent == "self" else library().player(opponent, direct.game))
    direct.train(300)
    assert {key: told[key] for key in direct.stats()} == direct.stats()


def test_training_on_keeps_the_opponent_unless_another_is_given():
    as_json("train", "menace", "--opponent", "random", "--games", "10", "--seed", "3", "--save", "a")
    assert as_json("train", "--from", "a", "--games", "10")["opponent"] == "random"
    assert as_json("train", "--from", "a", "--games", "10", "--opponent", "perfect")["opponent"] == "perfect"


def test_training_on_a_save_that_a_person_taught_needs_an_opponent():
    learner = Menace(parse_game("tictactoe"), "michie", 1)
    learner.record_opponent("human")
    library().save("a", learner.snapshot())
    refused("noughts play --learn", "train", "--from", "a", "--games", "10")
    assert as_json("train", "--from", "a", "--games", "10", "--opponent", "random")["games"] == 10


def test_a_preset_or_an_opponent_of_one_game_determines_the_game():
    assert (
        as_json("train", "failures", "--game", "misere", "--preset", "riechel-2007", "--games", "5")["game"] == "misere"
    )
    told = as_json("train", "menace", "--preset", "her", "--games", "10", "--save", "a")
    assert (told["game"], told["boxes"], told["opponent"]) == ("hexapawn", 19, "perfect:any")
    assert as_json("train", "menace", "--opponent", "save:a", "--games", "10")["game"] == "hexapawn"


def test_the_summary_reports_length_of_games_and_share_of_resignations():
    told = run("train", "menace", "--preset", "scroggs", "--games", "5000", "--seed", "1").out
    stats = as_json("train", "menace", "--preset", "scroggs", "--games", "5000", "--seed", "1")
    assert f"{stats['plies'] / 5000:.2f} moves per game, {stats['resigned'] / 50:.1f} % resigned" in told
    assert stats["resigned"] > 0
    assert "against itself" in told
    assert "resigned" not in run("train", "failures", "--games", "10").out


def test_the_exact_results_equal_those_of_the_evaluator():
    told = as_json("train", "menace", "--games", "100", "--seed", "1", "--save", "a")
    judged = as_json("evaluate", "save:a")
    assert told["exact"] == {side: judged[side] for side in ("first", "second")}
    assert told["exact"]["first"]["best_responder"]["loss"] > 0
    as_json("train", "failures", "--games", "100", "--seed", "1", "--save", "b")
    ran = run("train", "failures", "--games", "100", "--seed", "1")
    table = run("evaluate", "save:b").out.split("\n", 2)[2]
    assert ran.out.endswith(f"\n\n{table}")
    assert "--save NAME" in ran.out
    assert "reader" in table
    assert "As O" not in run("train", "menace", "--preset", "michie", "--games", "100", "--seed", "1").out


def test_without_a_seed_one_is_drawn_and_reported():
    first, second = (as_json("train", "failures", "--games", "10")["seed"] for _ in range(2))
    assert first != second  # the same by chance once in four billion runs


def test_the_summary_has_statistics_the_marks_of_the_game_and_a_next_step():
    ran = run("train", "failures", "--game", "hexapawn", "--games", "1000", "--seed", "1", "--save", "my pawns")
    stats = directly_trained(1000, 1, game="hexapawn").stats()
    lines = [line.split() for line in ran.out.splitlines()]
    assert ["games", "1,000"] in lines
    assert [line[:3] for line in lines if line[1:2] == ["wins"]] == [
        ["W", "wins", f"{stats['first_wins']:,}"],
        ["B", "wins", f"{stats['second_wins']:,}"],
    ]
    assert ["failures", "recorded", f"{stats['entries']:,}"] in lines
    assert "seed 1" in ran.out
    assert "noughts play --second 'save:my pawns'" in ran.out
    assert (ran.code, ran.err) == (0, "")


def test_training_in_two_parts_equals_training_in_one():
    as_json("train", "failures", "--games", "600", "--seed", "3", "--save", "a")
    told = as_json("train", "--from", "a", "--games", "400", "--save", "a")
    learner = directly_trained(1000, 3)
    assert (told["games"], told["trained"], told["planned"]) == (1000, 400, 400)
    assert np.array_equal(library().load("a").memory, learner.memory)


def test_training_on_refuses_options_that_contradict_the_save():
    as_json("train", "failures", "--games", "10", "--seed", "3", "--save", "a")
    as_json("train", "failures", "--from", "a", "--seed", "3", "--preset", "literal", "--set", "pick=uniform")
    for option in (["--seed", "4"], ["--preset", "riechel-2007"], ["--game", "misere"], ["--set", "pick=rounded"]):
        ran = run("train", "--from", "a", *option)
        assert ran.code == 1
        assert "which cannot be changed" in ran.err


def test_an_existing_name_is_refused_before_any_game_is_played(monkeypatch):
    as_json("train", "failures", "--games", "10", "--save", "a")
    with monkeypatch.context() as patched:
        patched.setattr(Failures, "train", lambda *_: pytest.fail("trained"))
        for name, *more in (["a"], ["riechel"], ["riechel", "--replace"], [" a "], ["[red]a[/]"], ["x" * 10_000]):
            ran = run("train", "failures", "--save", name, *more)
            assert ran.code == 1
            assert ran.err.startswith("noughts: ")
    told = as_json("train", "failures", "--games", "20", "--save", "a", "--replace")
    assert library().load("a").stats["games"] == told["games"] == 20


def during_training(monkeypatch, act) -> None:
    """Let `act` happen once, within the third slice of training."""
    slices = []
    train = Failures.train

    def counted(self: Failures, games: int) -> None:
        train(self, games)
        if games:
            slices.append(games)
        if games and len(slices) == 3:
            act()

    monkeypatch.setattr(Failures, "train", counted)


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal_stops_training_and_saves_it(monkeypatch, name, code):
    number = getattr(signal, name)
    before = signal.getsignal(number)
    during_training(monkeypatch, lambda: signal.raise_signal(number))
    ran = run("train", "failures", "--games", "100000", "--seed", "1", "--save", "a", "--json")
    told = json.loads(ran.out)
    assert ran.code == code
    assert 0 < told["games"] < 100_000
    assert library().load("a").stats == {key: told[key] for key in directly_trained(1, 1).stats()}
    assert signal.getsignal(number) == before


def test_after_a_second_signal_the_save_is_still_reported(monkeypatch):
    def strike() -> None:
        signal.raise_signal(signal.SIGINT)

    def struck(*given):
        strike()
        return scoreboard(*given)

    during_training(monkeypatch, strike)
    monkeypatch.setattr("cli.commands.train_report.scoreboard", struck)
    ran = run("train", "failures", "--games", "100000", "--save", "a")
    assert (ran.code, ran.err) == (130, "noughts: stopping: saving what was learned …\n")
    assert "Saved as 'a'. " in ran.out


def test_an_ignored_signal_stays_ignored(monkeypatch):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        during_training(monkeypatch, lambda: signal.raise_signal(signal.SIGHUP))
        assert run("train", "failures", "--games", "1000").code == 0
    finally:
        signal.signal(signal.SIGHUP, before)


def test_stopping_before_the_first_game_saves_nothing(monkeypatch):
    def interrupt(_self: Failures, _games: int) -> None:
        signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(Failures, "train", interrupt)
    ran = run("train", "failures", "--save", "a")
    assert (ran.code, ran.out) == (128 + signal.SIGTERM, "")
    assert ran.err == "noughts: stopped before the first game: nothing was learned\n"
    assert not library().path.exists()


@pytest.mark.parametrize(("terminal", "drawn"), [("xterm", True), ("dumb", False)])
@pytest.mark.parametrize("words", ["train failures --games 1000", "race failures --games 20 --seeds 3"])
def test_a_progress_bar_is_drawn_in_a_capable_terminal(monkeypatch, terminal, drawn, words):
    monkeypatch.setenv("TERM", terminal)
    ran = run(*words.split(), terminal=True)
    assert ("━" in ran.err) is drawn
    assert (ran.err == "") is not drawn
    assert "\x1b" not in ran.out


def test_long_work_is_told_of_in_lines_where_no_bar_can_be_drawn():
    lines = run("players", "--game", "hexapawn:2,3", first_line=0).err.splitlines()
    assert lines[0].startswith("noughts: judging: 1 of ")


def test_a_save_created_during_training_is_not_overwritten(monkeypatch):
    other = directly_trained(5, 9).snapshot()
    during_training(monkeypatch, lambda: library().save("a", other))
    assert as_json("train", "failures", "--games", "1000", "--seed", "1", "--save", "a")["save"] == "a 2"
    assert library().load("a").stats == other.stats
    assert library().load("a 2").stats["games"] == 1000


def test_a_failed_save_is_reported_with_the_results(monkeypatch):
    during_training(monkeypatch, lambda: library().path.write_text("no library"))
    ran = run("train", "failures", "--games", "1000", "--seed", "1", "--save", "a", "--json")
    assert ran.code == 1
    assert json.loads(ran.out)["save"] is None
    assert ran.err.startswith("noughts: ")
    assert ran.err.count("\n") <= 2
    assert library().path.read_text() == "no library"


def test_a_machine_that_has_stopped_learning_says_so():
    told = ("train", "menace", "--preset", "michie", "--games", "5000", "--seed", "2")
    stopped = as_json(*told)["stopped_learning"]
    assert "resigns every game as X" in stopped["sentence"]
    assert f"Since game {stopped['since']:,} " in stopped["sentence"]
    assert stopped["sentence"] in run(*told).out.splitlines()
    assert as_json("train", "menace", "--games", "500", "--seed", "3")["stopped_learning"] is None
