"""The same seed makes the same memory next year, on every machine, compiled or not."""

import hashlib
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from engine.games import parse_game
from learners import parse_learner
from learners.core.learner import Learner

PROGRAM = """
import json, sys
from learners import LEARNERS
from numba import config
from tests.sizes import QUICK_GAMES
out = {"compiled": not config.DISABLE_JIT}
few = {"population": 12}
for kind in LEARNERS:
    spec = kind.spec
    for game in QUICK_GAMES:
        presets = spec.presets_for(game) if spec.plays_games else ["hochmuth-points", "swift"]  # all their code
        for preset in presets:
            learner = kind(game, preset, 11, few if "population" in spec.settings else {})
            last = []
            for rounds in [1] * 40 + [260] if spec.plays_games else [1, 1]:
                learner.train(rounds)
                last.append(learner.last_game)
            out[f"{game.name} {preset}"] = [last, learner.memory.tolist(), learner.stats(), learner.generator.tolist()]
json.dump(out, sys.stdout)
"""


def digest(learner: Learner) -> str:
    """A hash of the memory as written pairs and numbers: it does not depend on how positions are numbered."""
    rows = (
        learner.memory.tolist()
        if learner.spec.parameters
        else sorted(
            (
                learner.game.to_text(int(learner.space.position[learner.space.source[edge]])),
                learner.game.move_name(int(learner.space.move[edge])),
                int(learner.memory[edge]),
            )
            for edge in np.flatnonzero(learner.memory)
        )
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
        ("menace", "tictactoe", "michie", "90cd1eb7444a931b88fd4c1a75926f29135be2141735930e25156a7fd62ba9c5"),
        ("menace", "tictactoe", "scroggs", "060d8c85244b1c6af6d547841ed37b6809dd219e8f486685f4b352dc9806358c"),
        ("menace", "tictactoe", "blog", "0972ba40c19e12dc00b9768303b0da767abc3995c3525d36d3e59a7a74ee7f0c"),
        ("menace", "tictactoe", "blog-fixed", "050c29a6ede224dc42b610be09b12facb39acda0b483ab7dfdd3c6e1cbe8720c"),
        ("menace", "misere", "scroggs", "5026eb1aa8159766cf4945e822810aa27662ea3f0a56cf8c85e16c6a45f25f0c"),
        ("menace", "hexapawn", "her", "971c59835117d0a6df1e8e9c2f067ef152a380559b37294ffa17ca8a9fcbaa04"),
        ("genetic", "tictactoe", "hochmuth", "7a596a417cd6ae285bcba2bf8825475c6da0c1e5ed8a0565f4d7abd99df5524e"),
        ("genetic", "tictactoe", "hochmuth-points", "76d395d9d61e1a4104013a058194c2aa6aea28ca905c76f3318a0143a589b068"),
        ("genetic", "tictactoe", "swift", "9d82da682931e2e9722149e9e3af2e24a5d732580702498ab4ea00f5e1919798"),
        ("genetic", "misere", "hochmuth", "508276917de8d013ab1e8f4211cba34cb648f38d3cbbe1c34102615dccd51643"),
        ("genetic", "hexapawn", "swift", "cf9c4c7df9f0ba87c4f0eea7d682ffe4e932f5d7a62d3b630479ff3a70acb425"),
        ("q", "tictactoe", "exact", "ff94b6a6e22f8352e50758607d87a9a1834b5f1ed4889a0a835159ddc4872d9f"),
        ("q", "tictactoe", "openspiel", "b2d9e76f17c6908d6ac5f2d7dc99c105f232d77007baa885853e81e8616bffbd"),
        ("q", "misere", "sarsa", "ba7a9527ae0019f5799f6d866ef7048a56c75d14e7b1ff8b771500b50f49a2cb"),
        ("td", "tictactoe", "exact", "8d0269f4330cf025e269e8a61061711b8bd2c42feb26dd9204ca2bb7d7c70b4b"),
        ("td", "hexapawn", "exact", "3e10425b7e6895c9411b821ffad2febeb803e55ad1bb20fb1a1b8c1e04267db2"),
        ("td", "tictactoe", "sutton-barto", "f6a453619351bd57899304c163b3a8e6f73770ea142e5c29021033e56466fe22"),
        ("td", "tictactoe", "zhang", "1e0408f51ad58639895e412cb99bfca7949b816b12776d594e91ca2131a6de4d"),
        ("ntuple", "tictactoe", "small", "22364726078c9630d457e438516541e6c41e53553befc9d87f2dee4d2b7b8617"),
        pytest.param(
            *("ntuple", "misere", "small", "0add2730fb20a3187c060f695255f5f696b3006c5536713ed4c02ff842b359b8"),
            marks=pytest.mark.long,
        ),
    ],
)
def test_a_seed_means_the_same_for_ever(kind: str, game: str, preset: str, expected: str):
    learner = parse_learner(kind)(parse_game(game), preset, 20_071_102)
    learner.train(20_000 if learner.spec.plays_games else 20)
    assert digest(learner) == expected


def run_program(**environment: str) -> dict[str, object]:
    command = [sys.executable, "-W", "error::RuntimeWarning", "-c", PROGRAM]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.long
def test_uncompiled_code_makes_the_same_games():
    plain, compiled = run_program(NUMBA_DISABLE_JIT="1"), run_program(NUMBA_DISABLE_JIT="0")
    assert (plain.pop("compiled"), compiled.pop("compiled")) == (False, True)
    assert plain == compiled
