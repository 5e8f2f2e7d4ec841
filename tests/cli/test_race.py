import os
import re
import signal

import numpy as np
import pytest

from engine.games import parse_game
from lab.race.race_text import SIDES, share_figure
from learners.failures.learner import Failures
from learners.race.entrants import default_entrants, parse_entrant
from learners.race.measures import MEASURES, band, measure_shares
from learners.race.race import race
from tests.cli.cli_run import as_json, refused, run

TICTACTOE = parse_game("tictactoe")
SMALL = ("--games", "20", "--seeds", "3")


def test_json_has_every_measure_of_every_entrant_at_every_mark():
    told = as_json("race", "failures", "menace/random+win=5", *SMALL, "--seed", "4")
    assert {key: told[key] for key in ("game", "games", "seeds", "seed", "marks", "finished", "trained")} == {
        "game": "tictactoe",
        "games": 20,
        "seeds": 3,
        "seed": 4,
        "marks": [1, 2, 5, 10, 20],
        "finished": True,
        "trained": 2 * 3 * 20,
    }
    texts = [each["entrant"] for each in told["entrants"]]
    assert texts == ["failures:literal", "menace:steady/random+win=5"]
    entrants = [parse_entrant(text, TICTACTOE) for text in texts]
    assert told["sampled"] is None
    *_, standings = race(entrants, range(4, 7), 20)
    for entrant, judged, each in zip(entrants, standings.judged, told["entrants"], strict=True):
        assert (each["machines"], each["machines_at_mark"]) == (3, [3] * 5)
        for measure in MEASURES:
            for name, side in SIDES.items():
                bands = band(measure_shares(judged, measure, side, entrant.machine(1).training_sides))
                rows = each[measure.name.replace("-", "_")][name]
                found = np.array([rows["p10"], rows["median"], rows["p90"]], float)  # `None` becomes NaN
                np.testing.assert_allclose(found, bands, rtol=0, atol=1e-11)
    assert told["entrants"][1]["loss_random"]["second"]["median"] == [None] * 5
    assert [each["side"] for each in told["entrants"]] == ["both", "first"]


UNLIKE = "menace:michie/perfect:any plays X only: compare on that side with --side first"


@pytest.mark.parametrize(
    ("arguments", "seen", "warned"),
    [
        (("failures", "menace:michie"), "mean of both sides", True),
        (("failures", "menace:michie", "--side", "first"), "as X", False),
        (("failures", "menace:michie", "--side", "second"), "as O", False),
        (("menace:michie",), "as X", False),
        (("failures",), "mean of both sides", False),
    ],
)
def test_entrants_that_play_one_side_are_named_with_a_warning_beside_means_of_both(arguments, seen, warned):
    ran = run("race", *arguments, "--games", "1", "--seeds", "1")
    lines = ran.out.splitlines()
    assert lines[0] == f"Tic-tac-toe, lost against random, {seen}, in per cent"
    number = arguments.index("menace:michie") + 1 if "menace:michie" in arguments else 0
    assert (f"{number}  menace:michie/perfect:any  as X only" in re.sub(" {2,}", "  ", ran.out)) is bool(number)
    assert (UNLIKE in lines) is warned


def test_the_table_has_a_line_for_each_mark_and_a_column_for_each_entrant():
    ran = run("race", "failures", "menace:scroggs", *SMALL, "--measure", "perfect-moves", "--side", "second")
    lines = ran.out.splitlines()
    assert lines[:2] == [
        "Tic-tac-toe, perfect moves, as O, in per cent",
        "3 machines each, seeds 1 to 3: the median, and the range of the middle 80 %",
    ]
    assert lines[3:5] == ["1  failures:literal", "2  menace:scroggs"]
    assert [line.split()[0] for line in lines[6:12]] == ["games", "1", "2", "5", "10", "20"]
    medians = as_json("race", "failures", *SMALL)["entrants"][0]["perfect_moves"]["second"]["median"]
    assert [line.split()[1] for line in lines[7:12]] == [share_figure(share) for share in medians]
    assert (ran.code, ran.err) == (0, "")


def test_without_entrants_a_default_race_runs_and_says_so():
    assert "Usage: noughts race [OPTIONS] [ENTRANT…]\n" in run("race", "--help").out
    told = run("race", "--games", "1", "--seeds", "1", "--game", "hexapawn").out
    field = default_entrants(parse_game("hexapawn"))
    assert told.startswith(f"The default field of {len(field)} entrants:\n")
    assert all(entrant.text in told for entrant in field)


def test_results_of_a_game_too_large_for_exact_ones_are_sampled():
    arguments = ("ntuple:small", "--game", "connectfour", "--games", "1", "--seeds", "1")
    told = as_json("race", *arguments)
    assert (told["finished"], told["sampled"]) == (True, {"games": 25, "opening": 4})
    (entrant,) = told["entrants"]
    for name in ("loss_random", "loss_alphabeta_2", "win_random", "win_alphabeta_2", "kept_wins", "kept_values"):
        rows = entrant[name]["both"]
        assert list(rows) == ["p10", "median", "p90", "error"]
        assert all(0 <= share <= 1 for row in rows.values() for share in row)
    share, error = (entrant["kept_wins"]["first"][key][0] for key in ("median", "error"))
    assert error == pytest.approx((share * (1 - share) / 137) ** 0.5)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("menac",), 1, "no learner 'menac'"),
        (("ntuple", "--game", "connectfour", "--measure", "loss-best"), 1, "there are loss-alphabeta:2, loss-random"),
        (("failures", "--measure", "kept-wins"), 1, "no measure 'kept-wins'"),
        (("failures",) * 2, 1, "'failures:literal' takes part already"),
        (("failures", "--seeds", "0"), 2, "'0' is not a whole number from 1 to 10,000"),
        (("failures", "--seed", str(2**63 - 1)), 2, "is not a whole number"),
        (("failures", "--measure", "luck"), 2, "'luck' is not one of"),
        (("failures", "--side", "third"), 2, "'third' is not one of"),
    ],
)
def test_invalid_races_are_refused_in_two_lines(arguments, code, message):
    refused(message, "race", *arguments, code=code)


def test_ctrl_c_stops_the_race_and_reports_the_results_so_far(monkeypatch):
    trained = Failures.train
    trainings = []

    def counted(self, games):
        trained(self, games)
        trainings.append(games)
        if len(trainings) == 50:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(Failures, "train", counted)
    ran = run("race", "failures", "--games", "100000", "--seeds", "1000")
    assert ran.code == 130
    assert "\nStopped. Finished machines of each entrant: 1: " in ran.out
    assert "1: 1,000." not in ran.out
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
