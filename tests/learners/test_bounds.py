"""Learners after very long trainings: counters beyond 31, 32 and 53 bits; beads and rounds at their limits."""

from dataclasses import replace

import numpy as np
import pytest

from engine.game import BadText
from engine.games import parse_game
from learners import parse_learner, parse_player, revive
from learners.core.learner import Learner
from learners.core.snapshot import CHECKPOINTS, MARKS, MAX_LEARNER_ROUNDS, Memory, Snapshot
from learners.core.training import TrainingPlan, run
from learners.menace import kernel
from learners.menace.learner import MAX_BEADS, Menace
from saves.encoding.check import LARGEST_COUNT, check_snapshot
from saves.formats.json_text import read, write
from saves.library.library import Library
from tests.saves.brains import same

HEXAPAWN, TICTACTOE = parse_game("hexapawn"), parse_game("tictactoe")
ROUNDS = {"failures": 900, "menace": 900, "genetic": 9, "q": 900, "td": 900}
"""How many rounds a learner is trained: half of them below the bound, half beyond it."""
BEGINNERS = (
    ("failures", "literal", "self"),
    ("failures", "riechel-2007", "self"),
    ("menace", "scroggs", "self"),
    ("menace", "michie", "perfect"),
    ("genetic", "swift", "self"),
    ("q", "openspiel", "self"),
    ("td", "sutton-barto", "perfect"),
)
every_beginner = pytest.mark.parametrize(("kind", "preset", "opponent"), BEGINNERS)


def beginner(kind: str, preset: str, opponent: str, seed: int = 3) -> Learner:
    """A learner with some training, so that each of its counters is above 0."""
    settings = {"population": 30, "until": "end"} if kind == "genetic" else {}
    learner = parse_learner(kind)(HEXAPAWN, preset, seed, settings)
    learner.set_opponent(None if opponent == "self" else parse_player(opponent, HEXAPAWN))
    learner.train(ROUNDS[kind])
    return learner


def added(kind: str, past: int) -> dict[str, int]:
    """What this many earlier rounds would have added to each counter."""
    plies, most_avoided = 5 * past, 9 * past
    if kind == "genetic":
        return {"generation": past, "played": 30 * past}
    games = {"games": past, "first_wins": past // 2, "second_wins": past - past // 2, "plies": plies}
    if kind == "failures":
        return {**games, "avoided": most_avoided}
    if kind in {"q", "td"}:
        return games
    return {**games, "resigned": past // 3, "refilled": plies, "gained_first": past, "gained_second": -past}


def aged(snapshot: Snapshot, past: int) -> Snapshot:
    """The same learner after this many more rounds that changed nothing else."""
    more = added(snapshot.learner, past)
    stats = {key: count + more.get(key, 0) for key, count in snapshot.stats.items()}
    times = None if snapshot.times is None else snapshot.times + past * (snapshot.times > 0)
    return replace(snapshot, stats=stats, history=(), checkpoints={}, times=times)


@every_beginner
@pytest.mark.parametrize("bound", [2**31, 2**32, 2**33, 10**9, MAX_LEARNER_ROUNDS // 7, 2**53])
def test_a_learner_counts_correctly_across_any_bound(kind, preset, opponent, bound):
    """A learner that is trained from below the bound to beyond it learns the same as one without that past."""
    young = beginner(kind, preset, opponent)
    more, chosen = added(kind, past := bound - ROUNDS[kind] // 2 - young.rounds), young.times
    chosen = None if chosen is None else past * (chosen > 0)
    old = revive(aged(young.snapshot(), past))
    for learner in (young, old):
        learner.train(ROUNDS[kind])
    assert old.rounds > bound > old.rounds - ROUNDS[kind]
    assert old.stats() == {key: count + more.get(key, 0) for key, count in young.stats().items()}
    assert np.array_equal(old.memory, young.memory)
    assert np.array_equal(old.generator, young.generator)
    assert old.last_game == young.last_game
    assert chosen is None or np.array_equal(old.times, young.times + chosen)


@every_beginner
@pytest.mark.parametrize("past", [2**31, 2**32, MAX_LEARNER_ROUNDS - 2000])
def test_a_learner_with_a_very_long_training_continues_and_is_saved_and_read(kind, preset, opponent, past, tmp_path):
    learner = revive(aged(beginner(kind, preset, opponent).snapshot(), past))
    learner.history.add_statistics(learner.stats())
    learner.record_checkpoint()
    *_, progress = run(learner, TrainingPlan(min(ROUNDS[kind], MAX_LEARNER_ROUNDS - learner.rounds)))
    library = Library(tmp_path / "library.sqlite")
    library.save("old", progress.snapshot)
    assert same(library.load("old"), progress.snapshot)
    assert same(read(write(progress.snapshot), HEXAPAWN), progress.snapshot)
    entry = next(entry for entry in library.entries() if entry.name == "old")
    assert entry.rounds == learner.rounds > past


@every_beginner
def test_no_training_exceeds_the_rounds_that_can_be_saved(kind, preset, opponent):
    young = beginner(kind, preset, opponent)
    learner = revive(aged(young.snapshot(), MAX_LEARNER_ROUNDS - 5 - young.rounds))
    before = learner.snapshot()
    with pytest.raises(BadText, match="can have 5 more, not 6"):
        list(run(learner, TrainingPlan(6)))
    assert same(learner.snapshot(), before)
    *_, progress = run(learner, TrainingPlan(5))
    assert check_snapshot(progress.snapshot).stats[learner.spec.round_statistic] == MAX_LEARNER_ROUNDS
    assert (learner.history.statistics[-1][learner.spec.round_statistic], max(learner.history.checkpoints)) == (
        MAX_LEARNER_ROUNDS,
        MAX_LEARNER_ROUNDS,
    )
    with pytest.raises(BadText, match="can have 0 more, not 1"):
        list(run(learner, TrainingPlan(1)))


TOO_MANY = [
    ("failures", "literal", {"plies": 9}),
    ("failures", "literal", {"avoided": 10**6}),
    ("menace", "scroggs", {"plies": 9}),
    ("menace", "scroggs", {"resigned": 2}),
    ("menace", "scroggs", {"refilled": 40}),
    ("menace", "scroggs", {"gained_first": 1001}),
    ("menace", "scroggs", {"gained_second": -1001}),
]


@pytest.mark.parametrize(("kind", "preset", "stats"), TOO_MANY)
def test_statistics_that_one_game_cannot_reach_are_refused(kind, preset, stats):
    """So each counter of a save that is accepted stays within its limit for all rounds that it can still be trained."""
    learner = parse_learner(kind)(HEXAPAWN, preset, 1)
    one_game = {**learner.stats(), "games": 1, "first_wins": 1}
    revive(replace(learner.snapshot(), stats=one_game))
    with pytest.raises(BadText, match=f"the statistic {next(iter(stats))} is .* it cannot be more than"):
        revive(replace(learner.snapshot(), stats={**one_game, **stats}))


def full(preset: str, spare: int) -> Menace:
    """A machine whose boxes have room for this many more beads of each move."""
    learner = Menace(TICTACTOE, preset, 5)
    learner.memory[learner.boxes.cells] = learner.max_beads - spare
    learner.tally[learner.tally_keys.index("beads")] = learner.memory.sum()
    return learner


@pytest.mark.parametrize("preset", ["scroggs", "blog-fixed"])
def test_a_full_box_takes_no_more_beads_and_draws_as_before(preset):
    learner = full(preset, 2)
    learner.train(2000)
    beads = learner.memory[learner.boxes.cells]
    assert beads.max() == learner.max_beads
    assert beads.min() >= learner.max_beads - 2 - 2000
    assert np.bincount(learner.boxes.cell_box, beads).max() <= MAX_BEADS == 2**31 - 1
    assert learner.stats()["beads"] == beads.sum() > 2**31
    assert same(check_snapshot(learner.snapshot()), learner.snapshot())
    opening = learner.boxes.cells[learner.boxes.cell_box == learner.boxes.box[0]]
    assert learner.times[opening].sum() == 2000
    assert learner.policy()[list(learner.space.edges(TICTACTOE.start))].sum() == pytest.approx(1)
    with pytest.raises(BadText, match="a move has from"):
        revive(replace(learner.snapshot(), memory=learner.memory + (learner.memory == learner.max_beads)))


def test_the_largest_numbers_give_the_same_result_compiled_or_not(monkeypatch):
    """Uncompiled kernels have integers of any size: a difference would show an overflow."""
    compiled, plain = full("scroggs", 1), full("scroggs", 1)
    compiled.train(300)
    for name in ("play_games", "teach", "refill", "fullest_move"):
        monkeypatch.setattr(kernel, name, getattr(kernel, name).py_func)
    monkeypatch.setattr(kernel, "step", kernel.step.py_func)
    plain.train(300)
    assert same(plain.snapshot(), compiled.snapshot())


def test_the_limits_of_rounds_counters_and_json_agree():
    assert max(MARKS) > MAX_LEARNER_ROUNDS
    assert max(CHECKPOINTS) > MAX_LEARNER_ROUNDS
    widest = max(len(HEXAPAWN.moves(HEXAPAWN.start)), len(TICTACTOE.moves(TICTACTOE.start)))
    assert MAX_LEARNER_ROUNDS * 9 * widest <= LARGEST_COUNT, "failures avoided, at every ply all moves but one"
    assert MAX_LEARNER_ROUNDS * 1000 <= LARGEST_COUNT, "beads gained"
    assert LARGEST_COUNT < 2**53, "readers of JSON that know but one kind of number read these right"


def test_counts_of_choices_are_copied_before_31_bits_are_full(monkeypatch: pytest.MonkeyPatch):
    class Copying(Menace):
        copied = 0

        def copy_back(self, memory: Memory, times: Memory) -> None:
            self.copied += 1
            super().copy_back(memory, times)

    monkeypatch.setattr("learners.tables.table_learner.MAX_COUNTED", 25)
    learner = Copying(HEXAPAWN, "scroggs", 1)
    for _ in range(3):
        learner.train(10)
    assert learner.copied == 1
