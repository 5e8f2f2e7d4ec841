"""A learner as it was: the moments of its training that are known, and itself at one of them."""

from dataclasses import replace

from engine.game import BadText
from engine.games import parse_game
from learners import parse_learner
from learners.core.checkpoint_marks import CHECKPOINTS
from learners.core.plural import counted_noun
from learners.core.snapshot import Checkpoint, Snapshot


def moments(snapshot: Snapshot) -> tuple[int, ...]:
    """After how many rounds it is known as it was, ascending: 0, when it mostly knew nothing, to those of today."""
    kind = parse_learner(snapshot.learner)
    now = snapshot.stats[kind.counted]
    told = () if kind.keeps_memories else (stats[kind.counted] for stats in snapshot.history)
    known = {*snapshot.checkpoints, *(rounds for rounds in told if rounds in CHECKPOINTS)}
    return tuple(sorted({0, now, *known}))


def rewound(snapshot: Snapshot, rounds: int) -> Snapshot:
    """It as it was after so many rounds, to be looked at, played against and trained on as if it had stopped then.

    Raises `BadText` for a moment that is not known.
    """
    kind = parse_learner(snapshot.learner)
    known = moments(snapshot)
    if rounds not in known:
        told = ", ".join(f"{each:,}" for each in known)
        raise BadText(
            f"there is no checkpoint after {counted_noun(rounds, kind.round_noun)}; there are checkpoints after {told}"
        )
    if rounds == known[-1]:
        return snapshot
    if rounds == 0 and 0 not in snapshot.checkpoints:
        new = kind(parse_game(snapshot.game), snapshot.preset, snapshot.seed, snapshot.settings).snapshot()
        first = next(iter(snapshot.checkpoints.values()), None)
        return replace(new, opponent=snapshot.opponent if first is None else first.opponent)
    history = tuple(stats for stats in snapshot.history if stats[kind.counted] <= rounds)
    stats = history[-1]
    kept = snapshot.checkpoints.get(rounds, Checkpoint(opponent=snapshot.opponent))
    memory = kind.earlier(snapshot.memory, stats) if kept.memory is None else kept.memory
    if memory is None:
        raise BadText(f"its memory after {counted_noun(rounds, kind.round_noun)} was not stored")
    return replace(
        snapshot,
        generator=kept.generator,
        stats=stats,
        history=history,
        memory=memory,
        opponent=kept.opponent,
        times=kept.times,
        checkpoints={at: each for at, each in snapshot.checkpoints.items() if at <= rounds},
        last_game=(),
        bulk=b"",
    )
