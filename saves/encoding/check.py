"""Check that a snapshot is consistent, after it is read from a file and before it is written to one."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

import numpy as np

from engine.game import BadText, quoted
from engine.plural import counted_noun, plural
from learners import is_player, kind_of
from learners.core.generator import WORD, seed_words
from learners.core.learner import PERSON, Learner, memory_fault
from learners.core.save_ref import parse_save, save_of, split_filter
from learners.core.snapshot import CHECKPOINTS, ITSELF, MAX_LEARNER_ROUNDS, Checkpoint, Memory, Snapshot, checkpoint_of
from saves.encoding.memory import require_few_checkpoints

LARGEST_COUNT: Final = 10**15
"""The largest statistic. It is far below 2^63, so that further games cannot cause an overflow."""


def check_head(snapshot: Snapshot) -> None:
    """Check a snapshot without the space of its game, except for the memory, the checkpoints and the bulk.

    Raises `BadText`, and `TooLarge` for a game that the learner cannot learn.
    """
    kind = kind_of(snapshot)
    _check_generator(snapshot.generator)
    _check_stats(kind, snapshot.stats)
    for stats in snapshot.history:
        _check_stats(kind, stats)
    rounds = [stats[kind.spec.round_statistic] for stats in (*snapshot.history, snapshot.stats)]
    if any(later <= earlier for earlier, later in pairwise(rounds[:-1])) or rounds[-1] < max(rounds):
        noun = plural(kind.spec.round_noun, 2)
        raise BadText(f"the {noun} of the history do not ascend, or exceed those of the statistics")
    if type(snapshot.seed) is not int:
        raise BadText(f"seed {quoted(str(snapshot.seed))} is not a whole number")
    _check_opponent(snapshot.opponent)
    kind.spec.require_game(snapshot.game)
    kind.spec.require_preset(snapshot.preset, snapshot.game)
    for key, value in snapshot.settings.items():
        kind.spec.parse_setting(key, str(value))


def check_snapshot(snapshot: Snapshot) -> Snapshot:
    """Check a snapshot; return it in the form that its learner would write. Raises `BadText`, `TooLarge`."""
    kind, game = kind_of(snapshot), snapshot.game
    require_few_checkpoints(len(snapshot.checkpoints))
    check_head(snapshot)
    learner = kind(game, snapshot.preset, snapshot.seed, snapshot.settings)
    _check_numbers(learner, snapshot.memory)
    times = _check_times(learner, snapshot.times)
    checkpoints = _check_checkpoints(learner, snapshot)
    if not kind.spec.stores_memories:
        _check_earlier_memories(learner, snapshot)
    learner.restore(replace(snapshot, times=times, checkpoints=checkpoints))
    restored = learner.snapshot()
    _check_last_checkpoint(learner, restored)
    if restored.bulk != snapshot.bulk:
        raise BadText(f"a memory of {learner.spec.name} has no bulk: it must be empty")
    return restored


def _check_last_checkpoint(learner: Learner, snapshot: Snapshot) -> None:
    """Raise `BadText` if there is a checkpoint at the present number of rounds, but with other parameters."""
    last = snapshot.checkpoints.get(learner.rounds)
    if not learner.spec.parameters or last is None or last.memory is None:
        return
    if not np.array_equal(last.memory, snapshot.memory):
        after = counted_noun(learner.rounds, learner.spec.round_noun)
        raise BadText(f"after {after}, the memory and the checkpoint differ")


def _check_generator(words: Sequence[int]) -> None:
    are_words = all(type(word) is int and 0 <= word <= WORD for word in words)
    if not are_words or len(words) != len(seed_words(0)) or not any(words):
        given = quoted(str(list(words)))
        raise BadText(f"the generator must be two numbers of 32 bits, at least one of them not 0; it is {given}")


def _check_stats(kind: type[Learner], stats: Mapping[str, int]) -> None:
    keys = kind.spec.stat_keys
    if set(stats) != set(keys):
        differences = ", ".join(quoted(str(key)) for key in sorted(set(stats) ^ set(keys))[:3])
        raise BadText(f"the statistics of {kind.spec.name} are {' '.join(keys)}; unknown or missing: {differences}")
    for key, count in stats.items():
        limit = MAX_LEARNER_ROUNDS if key in {"games", kind.spec.round_statistic} else LARGEST_COUNT
        least = -limit if key in kind.spec.signed_stats else 0
        if type(count) is not int or not least <= count <= limit:
            raise BadText(f"the statistic {key} must be from {least:,} to {limit:,}, not {quoted(str(count))}")
    ended = stats["first_wins"] + stats["second_wins"] + stats["draws"]
    if stats["games"] != ended:
        raise BadText(f"the statistics count {counted_noun(stats['games'], 'game')}, but {ended:,} wins and draws")


def _check_opponent(label: str) -> None:
    player, name = split_filter(label)
    if name is not None:
        is_known = player not in (ITSELF, PERSON) and str(parse_save(name)) == name
        _check_opponent(player)
    else:
        save = save_of(label)
        is_known = label in (ITSELF, PERSON) or is_player(label) or (save is not None and save.label == label)
    if not is_known:
        raise BadText(f"no opponent {quoted(label)}")


def _check_earlier_memories(learner: Learner, snapshot: Snapshot) -> None:
    """Raise `BadText` if an earlier memory, computed from the present one and the history, is impossible."""
    for stats in snapshot.history:
        rounds = stats[learner.spec.round_statistic]
        if rounds not in CHECKPOINTS or rounds in snapshot.checkpoints:  # `_check_checkpoint` has checked it
            continue
        earlier = learner.memory_at(snapshot.memory, stats)
        if earlier is not None:
            learner.restore(replace(snapshot, memory=earlier, stats=stats, times=None, checkpoints={}, bulk=b""))


def _check_numbers(learner: Learner, numbers: Memory) -> None:
    fault = memory_fault(learner, numbers)
    if fault:
        raise BadText(fault)


def _check_times(learner: Learner, times: Memory | None) -> Memory | None:
    """Return how often each edge was chosen; `None` if the learner does not count that. Raises `BadText`."""
    if not learner.spec.counts_choices:
        if times is not None and times.any():
            raise BadText(f"{learner.spec.name} does not count how often a move is chosen")
        return None
    if times is None:
        return np.zeros_like(learner.times)
    _check_numbers(learner, times)
    if times.max() > LARGEST_COUNT:
        raise BadText(f"a move was chosen {times.max():,} times, more than {LARGEST_COUNT:,}")
    return times


def _check_checkpoints(learner: Learner, snapshot: Snapshot) -> dict[int, Checkpoint]:
    """Return the checkpoints in the form that the learner would write. Raises `BadText` if one is inconsistent."""
    if any(later <= earlier for earlier, later in pairwise(snapshot.checkpoints)):
        raise BadText(f"the {plural(learner.spec.round_noun, 2)} of the checkpoints do not ascend")
    history = {stats[learner.spec.round_statistic]: stats for stats in snapshot.history}
    checkpoints = {}
    for rounds, checkpoint in snapshot.checkpoints.items():
        if rounds not in history:
            after = counted_noun(rounds, learner.spec.round_noun)
            raise BadText(f"there is a checkpoint after {after}, but no entry of the history")
        if checkpoint.generator:
            _check_generator(checkpoint.generator)
        _check_opponent(checkpoint.opponent)
        checkpoints[rounds] = _check_checkpoint(learner, snapshot, checkpoint, history[rounds])
    return checkpoints


def _check_checkpoint(
    learner: Learner, snapshot: Snapshot, checkpoint: Checkpoint, stats: Mapping[str, int]
) -> Checkpoint:
    stored_memory = memory = checkpoint.memory
    if not learner.spec.stores_memories:
        if stored_memory is not None and stored_memory.any():
            raise BadText(f"{learner.spec.name} stores no earlier memories")
        stored_memory, memory = None, learner.memory_at(snapshot.memory, stats)
    if memory is None:
        raise BadText("a checkpoint has no memory")
    _check_numbers(learner, memory)
    times = _check_times(learner, checkpoint.times)
    moment = replace(snapshot, memory=memory, stats=stats, opponent=checkpoint.opponent, times=times)
    learner.restore(replace(moment, checkpoints={}, bulk=b""))
    return checkpoint_of(stored_memory, times, generator=checkpoint.generator, opponent=checkpoint.opponent)
