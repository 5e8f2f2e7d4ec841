"""A learner as it was at earlier moments, and as it goes on from one of them under other settings."""

from collections.abc import Mapping
from dataclasses import replace

from engine.game import BadText
from engine.plural import counted_noun
from learners import kind_of, revive
from learners.core.learner import Learner
from learners.core.settings import Setting
from learners.core.snapshot import CHECKPOINTS, Checkpoint, Snapshot


def moments(snapshot: Snapshot) -> tuple[int, ...]:
    """Return the numbers of rounds after which the learner is known, ascending: from 0 to its present number."""
    spec = kind_of(snapshot).spec
    now = snapshot.stats[spec.round_statistic]
    known = {0, now, *snapshot.checkpoints}
    if not spec.stores_memories:
        rounds = (stats[spec.round_statistic] for stats in snapshot.history)
        known |= {each for each in rounds if each in CHECKPOINTS}
    return tuple(sorted(known))


def rewind_to(snapshot: Snapshot, rounds: int) -> Snapshot:
    """Return the learner as it was after this many rounds, to be looked at, played against, and trained further.

    Raises `BadText` if there is no checkpoint after this many rounds.
    """
    kind = kind_of(snapshot)
    key, noun = kind.spec.round_statistic, kind.spec.round_noun
    known = moments(snapshot)
    if rounds not in known:
        listed = ", ".join(f"{each:,}" for each in known)
        missing = counted_noun(rounds, noun)
        raise BadText(f"there is no checkpoint after {missing}; there are checkpoints after {listed}")
    if rounds == known[-1]:
        return snapshot
    if rounds == 0 and 0 not in snapshot.checkpoints:
        new = kind(snapshot.game, snapshot.preset, snapshot.seed, snapshot.settings).snapshot()
        first = next(iter(snapshot.checkpoints.values()), None)
        opponent = snapshot.opponent if first is None else first.opponent
        return replace(new, opponent=opponent)
    history = tuple(stats for stats in snapshot.history if stats[key] <= rounds)
    stats = history[-1]
    checkpoint = snapshot.checkpoints.get(rounds, Checkpoint(opponent=snapshot.opponent))
    stored = checkpoint.memory
    memory = kind.memory_at(snapshot.memory, stats) if stored is None else stored
    if memory is None:
        raise BadText(f"its memory after {counted_noun(rounds, noun)} was not stored")
    return replace(
        snapshot,
        generator=checkpoint.generator,
        stats=stats,
        history=history,
        memory=memory,
        opponent=checkpoint.opponent,
        times=checkpoint.times,
        checkpoints={mark: each for mark, each in snapshot.checkpoints.items() if mark <= rounds},
        last_game=(),
        bulk=b"",
    )


def branch_from(snapshot: Snapshot, changed: Mapping[str, Setting]) -> Learner:
    """Return the learner of a snapshot with other values of some settings.

    Its earlier checkpoints can be looked at, but not trained further, since they come from the old settings. Raises
    `BadText` for settings that do not fit what was learned.
    """
    now = moments(snapshot)[-1]
    checkpoints = {
        rounds: each if rounds == now else replace(each, generator=()) for rounds, each in snapshot.checkpoints.items()
    }
    settings = {**snapshot.settings, **changed}
    return revive(replace(snapshot, settings=settings, checkpoints=checkpoints))
