"""The history of a number: compared with a training game by game, for every learner of tables."""

from collections import defaultdict
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from engine.game import BadText, Game
from engine.games import parse_game
from engine.match import Match, Record
from learners import LEARNERS, parse_player, revive
from learners.core.learner import PERSON
from learners.core.player import Player
from learners.core.snapshot import ITSELF
from learners.core.training import TrainingPlan, run
from learners.menace.learner import Menace
from learners.players.plain import PerfectPlayer
from learners.rewatching import Tables, cell_history, without_game
from learners.rewind import branch_from, rewind_to
from learners.tables.table_learner import TableLearner
from tests.sizes import short_and_long

CASES = [
    (kind, preset, game)
    for kind in LEARNERS.own
    if issubclass(kind, TableLearner)
    for preset in kind.spec.presets
    for game in ("hexapawn", "tictactoe")
    if game in kind.spec.preset_games.get(preset, (game,))
]
GAMES = 130


def opponent(label: str, game: Game) -> Player | None:
    return None if label == ITSELF else parse_player(label, game)


def trained(kind: type[Tables], preset: str, game: str, seed: int = 3, games: int = GAMES) -> Tables:
    learner = kind(parse_game(game), preset, seed)
    against = "random" if learner.opponent != ITSELF else ITSELF
    learner.set_opponent(opponent(against, learner.game))
    list(run(learner, TrainingPlan(games)))
    return learner


@pytest.mark.sample(12)
@pytest.mark.parametrize(("kind", "preset", "game"), CASES)
@short_and_long("sample", (1, 3), (10, 100))
def test_the_changes_are_those_of_a_training_game_by_game(kind, preset, game, sample):
    """`sample` is the number of trainings, and of numbers in each; hexapawn has fewer than 100."""
    seeds, most = sample
    for seed in range(seeds):
        learner = trained(kind, preset, game, seed)
        again = kind(learner.game, preset, seed)
        again.set_opponent(opponent(learner.opponent, learner.game))
        found, before, moves = defaultdict[int, list](list), again.memory.copy(), {}
        start = before.copy()
        for played in range(1, GAMES + 1):
            again.train(1)
            moves[played] = again.last_game
            for cell in np.flatnonzero(again.memory != before).tolist():
                found[cell].append((played, int(again.memory[cell] - before[cell]), int(again.memory[cell])))
            before = again.memory.copy()
        unchanged = sorted({*learner.cell.tolist()} - found.keys())[:: max(1, len(learner.cell) // most)]
        for cell in (*Random(seed).sample(sorted(found), min(len(found), most)), *unchanged[:most]):
            history = cell_history(learner.snapshot(), cell, opponent)
            assert [(each.game, each.change, each.after) for each in history.changes] == found[cell]
            assert [each.moves for each in history.changes] == [moves[each.game] for each in history.changes]
            assert history.start == start[cell]
            assert history.start + sum(each.change for each in history.changes) == history.number
            assert history.number == learner.memory[cell]


@pytest.mark.parametrize(("kind", "preset", "game"), CASES)
def test_without_a_game_the_others_go_on_with_the_same_draws(kind, preset, game):
    learner, left_out = trained(kind, preset, game), 17
    before = trained(kind, preset, game, games=left_out - 1)
    after = trained(kind, preset, game, games=left_out)
    expected = revive(replace(before.snapshot(), generator=tuple(after.generator.tolist())))
    expected.set_opponent(opponent(learner.opponent, learner.game))
    expected.tally[:4] = after.tally[:4]
    expected.train(GAMES - left_out)
    without = without_game(learner.snapshot(), left_out, opponent)
    assert np.array_equal(without.memory, expected.memory)
    assert without.stats()["games"] == GAMES


def test_games_that_a_person_played_are_one_change():
    learner, other = (trained(Menace, "steady", "hexapawn", seed, games=20) for seed in (3, 4))
    match = Match(other.game)
    for move in other.last_game:
        match.play(move)
    learner.learn_record(Record(other.game, ("human", "menace"), other.last_game, match.outcome))
    learner.record_opponent(PERSON)
    snapshot = learner.snapshot()
    before = rewind_to(snapshot, 20)
    for cell in np.flatnonzero(learner.memory != revive(before).memory).tolist():
        history = cell_history(snapshot, cell, opponent)
        assert history.start + sum(each.change for each in history.changes) == history.number == learner.memory[cell]
        assert (history.changes[-1].game, history.changes[-1].moves) == (21, ())
    with pytest.raises(BadText, match=r"game 21 cannot be played again"):
        without_game(snapshot, 21, opponent)
    learner.record_opponent(ITSELF)
    list(run(learner, TrainingPlan(30)))
    for cell in np.flatnonzero(learner.memory != revive(before).memory).tolist():
        mixed = [each for each in cell_history(learner.snapshot(), cell, opponent).changes if 20 < each.game <= 50]
        assert {(each.since, each.game, each.moves) for each in mixed} <= {(20, 50, ())}


def test_games_against_an_opponent_that_is_gone_are_one_change():
    learner = trained(Menace, "steady", "hexapawn", games=20)
    learner.set_opponent(PerfectPlayer(learner.game))
    list(run(learner, TrainingPlan(30)))
    snapshot = learner.snapshot()

    def gone(label, _game):
        if label != ITSELF:
            raise BadText("it was deleted")

    for cell in np.flatnonzero(learner.memory != revive(rewind_to(snapshot, 20)).memory).tolist():
        changes = cell_history(snapshot, cell, gone).changes
        assert {(each.since, each.game, each.moves) for each in changes if each.game > 20} == {(20, 50, ())}
    with pytest.raises(BadText, match=r"cannot be played again: a person or an opponent that is gone"):
        without_game(snapshot, 30, gone)


def test_games_under_other_settings_are_one_change_and_those_of_the_branch_are_played_again():
    learner = branch_from(trained(Menace, "steady", "hexapawn", games=20).snapshot(), {"win": 5})
    list(run(learner, TrainingPlan(30)))
    snapshot = learner.snapshot()
    histories = [cell_history(snapshot, cell, opponent) for cell in sorted({*learner.cell.tolist()})]
    changes = [change for history in histories for change in history.changes]
    assert {bool(each.moves) for each in changes if each.game > 20} == {True}
    assert {bool(each.moves) for each in changes if each.game <= 20} == {False}
    assert all(each.start + sum(one.change for one in each.changes) == each.number for each in histories)


def test_only_games_of_the_training_can_be_left_out():
    with pytest.raises(BadText, match="there is no game 131"):
        without_game(trained(LEARNERS[0], "literal", "hexapawn").snapshot(), GAMES + 1, opponent)
