"""`noughts evaluate`, and `noughts players`: how players are judged is shown while it lasts."""

import json
import re
from statistics import fmean, stdev

import pytest

import cli.commands.players
import cli.shared.progress
from engine.evaluate import OPPONENTS, Chances, Results, scoreboard
from engine.games import parse_game
from engine.spaces import space_of
from learners import parse_player
from learners.players.levels import SeedResults
from tests.cli.cli_run import as_json, refused, run


@pytest.mark.parametrize(("label", "game"), [("random", parse_game("tictactoe")), ("perfect", parse_game("hexapawn"))])
def test_evaluate_prints_the_exact_results(label, game):
    told = as_json("evaluate", label, "--game", game.name)
    assert list(told) == ["player", "game", "first", "second", "value"]
    exact = scoreboard(space_of(game), parse_player(label, game).policy())
    for side, seen in exact.items():
        assert list(told[side]) == [*OPPONENTS, "decisions", "perfect_moves", "losing_pairs", "exploitability"]
        for opponent, chances in seen.against.items():
            assert told[side][opponent] == pytest.approx(vars(chances))
        assert told[side]["perfect_moves"] == pytest.approx(seen.perfect_moves)
        assert (told[side]["decisions"], told[side]["losing_pairs"]) == (seen.decisions, seen.losing_pairs)


@pytest.mark.parametrize("arguments", [("random", "--filter", "save:riechel"), ("random~riechel",)])
def test_a_filter_is_written_in_two_ways_and_told_beside_the_unfiltered_results(arguments):
    told, bare = (as_json("evaluate", *arguments), as_json("evaluate", "random"))
    assert told["player"] == "random~riechel"
    assert {side: bare[side] for side in ("first", "second")} == told["unfiltered"]
    assert told["first"]["perfect"]["loss"] == 0 < told["unfiltered"]["first"]["perfect"]["loss"]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("evaluate", "random", "--filter", "nobody"), "no save 'nobody'"),
        (("evaluate", "random", "--filter", "michie"), "is no filter"),
        (("evaluate", "random~"), "no save with that name"),
        (("evaluate", "random", "--game", "hexapawn", "--filter", "riechel"), "plays Tic-tac-toe, not Hexapawn"),
        (("judge", "q_table.csv", "--filter", "riechel"), "--save NAME"),
    ],
)
def test_what_is_no_filter_is_refused(arguments, why):
    refused(why, *arguments)


def test_evaluate_rounds_floating_point_noise_away(monkeypatch):
    thirds, noisy = Chances(1 / 3, 0.0, 2 / 3), Chances(0.1 + 0.2, 0.7 - 1e-16, 0.0)
    against = {"random": thirds, "perfect": noisy, "self": noisy, "best_responder": noisy}
    seen = Results(against, decisions=3, perfect_moves=0.1 + 0.2, losing_pairs=1, exploitability=0.0)
    found = SeedResults([{"first": seen, "second": seen}])
    monkeypatch.setattr("cli.commands.evaluate.exact_results", lambda *_: found)
    *_, against_random, against_perfect, _, _, as_first, _ = run("evaluate", "perfect").out.splitlines()
    assert against_random.split() == ["random", *["33.3", "%", "0", "%", "66.7", "%"] * 2]
    assert against_perfect.split() == ["perfect", *["30", "%", "70", "%", "0", "%"] * 2]
    assert as_first == "As X: 3 decisions, 30 % of the moves perfect, 1 losing move possible"
    first = as_json("evaluate", "perfect")["first"]
    assert first["perfect_moves"] == 0.3
    assert first["perfect"] == {"win": 0.3, "draw": 0.7, "loss": 0.0}


def test_perfect_moves_lose_in_lost_positions_only():
    *_, as_first, as_second = run("evaluate", "perfect", "--game", "hexapawn").out.splitlines()
    assert as_first.endswith("100 % of the moves perfect, 5 losing moves possible, in lost positions only")
    assert as_second.endswith("100 % of the moves perfect, 0 losing moves possible")


@pytest.mark.long
def test_a_search_that_depends_on_a_seed_is_evaluated_with_several_seeds(monkeypatch):
    monkeypatch.setattr("learners.players.levels.SEEDS", 4)
    told = as_json("evaluate", "uct:60")
    each = [as_json("evaluate", f"uct:60/{seed}") for seed in range(4)]
    assert told["seeds"] == 4
    assert all("seeds" not in one for one in each)
    for side in ("first", "second"):
        for opponent in OPPONENTS:
            for chance in ("win", "draw", "loss"):
                seen = [one[side][opponent][chance] for one in each]
                assert told[side][opponent][chance] == pytest.approx(fmean(seen))
                assert told["deviations"][side][opponent][chance] == pytest.approx(stdev(seen))
        never = sum(one[side]["best_responder"]["loss"] == 0 for one in each)
        assert told["unbeaten_seeds"][side] == never
    assert told["deviations"]["second"]["random"]["win"] > 0  # otherwise this would test nothing
    out = run("evaluate", "uct:60").out
    assert "the mean over 4 seeds" in out
    assert told["unbeaten_seeds"]["second"] or "as O" in out


def test_a_side_that_was_not_trained_is_marked():
    run("train", "menace", "--preset", "blog-fixed", "--opponent", "random", "--games", "50", "--save", "a")
    told = as_json("evaluate", "save:a")
    assert ("untrained" in told["first"], told["second"]["untrained"]) == (False, True)
    out = run("evaluate", "save:a").out
    assert "as X" in out
    assert out.splitlines()[-1] == "As O: untrained"
    assert "as O" not in out
    kept = as_json("saves", "show", "a")["results"]
    assert ("untrained" in kept["first"], kept["second"]["untrained"]) == (False, True)


def test_the_seeds_of_a_search_are_counted_as_they_are_judged_and_an_interruption_ends_it(monkeypatch):
    monkeypatch.setattr("learners.players.levels.SEEDS", 3)
    monkeypatch.setattr("cli.shared.progress.INTERVAL", -1)
    monkeypatch.setenv("TERM", "xterm")
    shown = run("evaluate", "uct:10", "--game", "hexapawn", terminal=True)
    assert shown.code == 0
    assert all(f"judging: {seed} of 3 seeds, for " in shown.err for seed in (1, 2, 3))

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("cli.shared.progress.monotonic", interrupted)
    assert run("evaluate", "uct:10", "--game", "hexapawn").code == 130


def test_the_progress_names_the_player_that_is_judged(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr(cli.shared.progress, "INTERVAL", -1)
    ran = run("players", "--game", "nim:1,2", "--json", terminal=True)
    everybody = json.loads(ran.out)["players"]
    assert "judging: 1 of " in ran.err
    for label in ("random", "perfect", "minimax", "uct:100"):
        assert re.search(rf"\d+ of {len(everybody)} players, {label}, for ", ran.err)
    note = "uct without a number plays up to 200,000 random games for each move.\n"
    assert run("players", "--game", "nim:1,2").out.endswith(note)
