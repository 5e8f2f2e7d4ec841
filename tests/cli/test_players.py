"""`noughts players`: how the players are judged is shown while it lasts."""

import json
import re

import pytest

import cli.commands.players
import cli.shared.progress
from lab.board.opponents import level_for
from tests.cli.cli_run import run


def test_the_progress_names_the_player_that_is_judged(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr(cli.shared.progress, "INTERVAL", -1)
    ran = run("players", "--game", "nim:1,2", "--json", terminal=True)
    everybody = json.loads(ran.out)["players"]
    assert "judging: 1 of " in ran.err
    for label in ("random", "perfect", "minimax", "uct:100"):
        assert re.search(rf"\d+ of {len(everybody)} players, {label}, for ", ran.err)


def test_it_says_how_much_uct_plays():
    ran = run("players", "--game", "nim:1,2")
    assert ran.out.endswith("uct without a number plays up to 200,000 random games for each move.\n")


def test_an_interruption_ends_the_judging(monkeypatch: pytest.MonkeyPatch):
    def interrupted(library, candidate, stop):
        if candidate.label == "minimax":
            raise KeyboardInterrupt
        return level_for(library, candidate, stop)

    monkeypatch.setattr(cli.commands.players, "level_for", interrupted)
    ran = run("players", "--game", "nim:1,2")
    assert (ran.code, ran.out) == (130, "")
