"""The same seed makes the same memory next year, on every machine, compiled or not."""

import hashlib
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from engine import parse_game
from learners import parse_learner
from learners.learner import Learner

PROGRAM = """
import json, sys
from engine import SMALL_GAMES
from learners import LEARNERS
from numba import config
out = {"compiled": not config.DISABLE_JIT}
for kind in LEARNERS:
    for game in SMALL_GAMES:
        for preset in kind.presets_for(game):
            learner = kind(game, preset, 11)
            last = []
            for games in [1] * 40 + [960]:
                learner.train(games)
                last.append(learner.last_game)
            out[f"{game.name} {preset}"] = [last, learner.memory.tolist(), learner.stats(), learner.generator.tolist()]
json.dump(out, sys.stdout)
"""


def digest(learner: Learner) -> str:
    """A hash of the memory as written pairs and numbers: it does not hang on how positions are numbered."""
    rows = sorted(
        (
            learner.game.to_text(int(learner.space.position[learner.space.source[edge]])),
            learner.game.move_name(int(learner.space.move[edge])),
            int(learner.memory[edge]),
        )
        for edge in np.flatnonzero(learner.memory)
    )
    return hashlib.sha256(json.dumps([rows, learner.stats(), learner.generator.tolist()]).encode()).hexdigest()


@pytest.mark.parametrize(
    ("kind", "game", "preset", "expected"),
    [
        ("failures", "tictactoe", "literal", "a2c33bc117204be664d83fac49633778f3759ea146ede213552d974201c4d090"),
        ("failures", "tictactoe", "riechel-2007", "c9ff9f0e74c8ed5545e03a05ae1cd85b3463e535510585b3e120cf92547369db"),
        ("failures", "misere", "literal", "27625e9cad0f31b83e83629e96ee337e33669b59501c1d91117297894e5601fc"),
        ("failures", "misere", "riechel-2007", "20b09684f855c3d242d860dba41b832c42ad48e0b3509a8f5af28fdcbecddc5e"),
        ("failures", "hexapawn", "literal", "0fff84dc5cab1933b52ad763c067e24c134d9132673b68d58d713fb30afac660"),
        ("failures", "hexapawn", "riechel-2007", "b1c9c9a01edd09cca6ea551112c4000e5e4c9e1a9fd3a82215247165a30a9cf6"),
        ("menace", "tictactoe", "michie", "b0a74c936293b7cea2dbe727ac1f4989ba277290598bbc26a0ae659f24000d47"),
        ("menace", "tictactoe", "scroggs", "30f0bbb7317591d1b53eab0264b61b778a96b6fae60d6a6f86d58fefeddfa1c3"),
        ("menace", "tictactoe", "blog", "b1db775c1d03a57afa45f24065d4955541be84f147cdb1910996ccb81c53e97f"),
        ("menace", "tictactoe", "blog-fixed", "fc8283d9ef7d3808c2e856b4644ca11c843ddc3c5fcd4a045f9932fff56bc0bf"),
        ("menace", "misere", "scroggs", "e90e109a33ba7feaf6f77c202bbe4a7f8cb0851bc1671d8807c55893da4138b5"),
        ("menace", "hexapawn", "her", "1fc04cb8818c15bc390bd8a6b67a3eb476fa35e0bd5f71ccaf886b16bedfc531"),
    ],
)
def test_a_seed_means_the_same_for_ever(kind: str, game: str, preset: str, expected: str):
    learner = parse_learner(kind)(parse_game(game), preset, 20_071_102)
    learner.train(20_000)
    assert digest(learner) == expected


def run_program(**environment: str) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env={**os.environ, **environment}, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def test_uncompiled_code_makes_the_same_games():
    plain, compiled = run_program(NUMBA_DISABLE_JIT="1"), run_program(NUMBA_DISABLE_JIT="0")
    assert (plain.pop("compiled"), compiled.pop("compiled")) == (False, True)
    assert plain == compiled
