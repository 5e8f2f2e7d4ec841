"""Every learner and every player in the families' small games, down to those without any choice."""

from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from engine.evaluate import scoreboard
from engine.game import Game, Side
from engine.games import parse_game
from engine.spaces import space_of
from learners import LEARNERS, offers, parse_player
from learners.core.learner import BOTH
from learners.genetic.fitness_kernel import score_population
from learners.genetic.genome import class_tables, genome_of, most_games
from learners.genetic.kernel_tables import Scores, Scoring
from learners.genetic.learner import Genetic
from learners.players.levels import Level, level_of

AT_THE_EDGE = ["nim:1", "hexapawn:1,3", "mnk:1,2,2", "nim:1,1,1,1,1,1"]
"""Games without a choice, and one with 720 symmetries."""


def _names() -> list[str]:
    shapes = [
        (columns, rows, k)
        for columns, rows in product(range(1, 5), repeat=2)
        for k in range(2, max(columns, rows) + 1)
        if columns * rows <= 9
    ]
    options = ["", "+misere", "+gravity", "+wild", "+wild+gravity", "+misere+gravity"]
    boards = [f"mnk:{columns},{rows},{k}{each}" for columns, rows, k in shapes for each in options]
    heaps = [heaps for count in range(1, 7) for heaps in combinations_with_replacement((1, 2, 3), count)]
    piles = [f"nim:{','.join(map(str, each))}{'+misere' * (sum(each) % 2)}" for each in heaps]
    pawns = [f"hexapawn:{columns},{rows}" for columns in range(1, 4) for rows in range(3, 6 - columns // 3)]
    return [name for name in dict.fromkeys(boards + piles + pawns + ["notakto:1"]) if name not in AT_THE_EDGE]


@pytest.mark.parametrize("name", [*AT_THE_EDGE, *(pytest.param(each, marks=pytest.mark.long) for each in _names())])
def test_every_learner_trains_and_every_player_has_a_level(name: str):
    game = parse_game(name)
    space = space_of(game)
    for kind in LEARNERS:
        if not kind.spec.presets_for(game):
            continue
        learner = kind(game, kind.spec.presets_for(game)[0], 1)
        learner.train(3)
        policy = learner.policy()
        total = np.bincount(space.source, policy, len(space.position))
        assert (policy >= 0).all()
        assert (total <= 1 + 1e-9).all()
        for results in scoreboard(space, policy).values():
            for chances in results.against.values():
                assert chances.win + chances.draw + chances.loss == pytest.approx(1)
        assert isinstance(level_of(learner), Level)
    for offer in offers(game):
        if not offer.label.startswith("uct:") or len(space.position) < 1_000:
            level = level_of(parse_player(offer.label, game))
            assert isinstance(level, Level)
            assert (
                offer.label not in {"perfect", "minimax", "alphabeta"} or level.name == "perfect" or level.lost == BOTH
            )


@pytest.mark.parametrize("name", ["nim:1,1,1,1,1,1", pytest.param("nim:2,2,2,2,2,2", marks=pytest.mark.long)])
def test_a_search_plays_symmetric_positions_of_many_symmetries_alike(name: str):
    game = parse_game(name)
    assert len(game.symmetries) > np.iinfo(np.int8).max
    for label in ("uct:20", "minimax:2"):
        policy, space = parse_player(label, game).policy(), space_of(game)
        assert np.bincount(space.source, policy, len(space.position)) == pytest.approx(
            (np.diff(space.first_edge) > 0).astype(float)
        )


def _games_of_a_strategy(game: Game, side: Side) -> int:
    """The most games that a strategy plays as one side, by plain recursion over texts."""
    known = dict[int, int]()

    def games(position: int) -> int:
        if position not in known:
            below = [games(game.play(position, move)) for move in game.moves(position)]
            known[position] = (max if game.side(position) is side else sum)(below) if below else 1
        return known[position]

    return games(game.start)


@pytest.mark.parametrize(
    ("name", "wide"),
    [("tictactoe", False), ("nim:3,3,3", False), pytest.param("nim:5,5,5,5,5", True, marks=pytest.mark.long)],
)
def test_the_games_of_a_strategy_are_counted_in_numbers_that_are_wide_enough(name: str, wide: bool):
    game = parse_game(name)
    most = [most_games(space_of(game), side) for side in Side]
    assert most == [_games_of_a_strategy(game, side) for side in Side]
    arc = class_tables(genome_of(game, boards=False)).arc
    assert arc.dtype == (np.int64 if wide else np.int32)
    assert wide == (max(most) * game.longest > np.iinfo(np.int32).max)


@pytest.mark.long
def test_wide_and_narrow_counts_of_games_agree():
    learner = Genetic(parse_game("tictactoe"), "swift", 1, {"population": 5})
    learner.train(1)
    classes = class_tables(learner.genome)
    scoring = Scoring(0, np.zeros((2, 3), np.int64))
    found = list[list[list[int]]]()
    for kind in (np.int32, np.int64):
        scores = Scores(np.zeros((5, 6), np.int64), np.zeros(5))
        score_population(learner.population, classes._replace(arc=classes.arc.astype(kind)), scoring, scores)
        found.append(scores.judged.tolist())
    assert found[0] == found[1]


@pytest.mark.long
def test_the_games_of_a_strategy_are_counted_where_they_can_be_billions():
    learner = Genetic(parse_game("nim:5,5,5,5,5"), "swift", 1, {"population": 2, "elite": 0, "replies": "raw"})
    learner.train(1)
    most = sum(most_games(learner.space, side) for side in Side)
    assert 0 <= learner.counts["lost"] <= learner.counts["games"] <= most
    assert learner.counts["games"] <= learner.counts["plies"] <= most * learner.game.longest
