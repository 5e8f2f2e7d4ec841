"""The checkpoints of a save in words, where moves were given up and turning points show, and trainings from one."""

from collections.abc import Sequence

from engine.plural import counted_noun
from engine.stop import Stop
from lab.results.exact_results import Timeline
from lab.text.numbers import count_text
from lab.training.turning_points import TurningPoint
from learners.comparison import Switch
from learners.core.learner import Learner
from learners.core.save_ref import MAX_NAME, SaveRef
from learners.core.snapshot import Snapshot
from saves import gallery
from saves.library.library import Library


def reference_text(save: str, timeline: Timeline, rounds: int) -> str:
    """Return the reference to a checkpoint: `NAME@50`, or `NAME` for the latest one."""
    return save if rounds == timeline.now else str(SaveRef(save, rounds))


def moment_text(timeline: Timeline, rounds: int, noun: str) -> str:
    """Return the time of a checkpoint: `after 50 of 2,000 games`; for the latest one, only the number of rounds."""
    if rounds == timeline.now:
        return f"after {counted_noun(rounds, noun)}"
    return f"after {count_text(rounds)} of {counted_noun(timeline.now, noun)}"


def find_next_given_up(timeline: Timeline, after: int, edges: Sequence[int], stop: Stop) -> tuple[int, str] | None:
    """Find the first checkpoint `after` this one at which one of these moves was given up; return the moves in words.

    After the last one, return the first. `None` if none of them was given up, or once `stop()` is true.
    """
    switches = timeline.switches(edges)
    given_up = [switch for switch in switches if switch.given_up]
    if not given_up or stop():
        return None
    rounds = next((switch.rounds for switch in given_up if switch.rounds > after), given_up[0].rounds)
    exact = [timeline.narrow(switch, stop) for switch in given_up if switch.rounds == rounds]
    if stop():
        return None
    texts = list[str]()
    for switch in exact:
        returns = (each for each in switches if each.edge == switch.edge and each.rounds > rounds and not each.given_up)
        texts.append(given_up_text(timeline.at(rounds).learner, switch, next(returns, None)))
    return rounds, "; ".join(texts)


def given_up_text(learner: Learner, switch: Switch, back: Switch | None = None) -> str:
    """Return when a move was given up: `b2 given up in game 7,312`, or `… between 5,000 and 10,000`.

    For a move that came `back`, say also by when; in MENACE, where no bead comes back by itself, its box was refilled.
    """
    name = learner.game.move_name(int(learner.space.move[switch.edge]))
    when = f"between {count_text(switch.since)} and {count_text(switch.rounds)}"
    if switch.rounds - switch.since == 1:
        when = f"in {learner.spec.round_noun} {count_text(switch.rounds)}"
    if back is not None:
        what = "empty box refilled" if learner.settings.get("empty") == "refill" else "played again"
        when = f"{when}, {what} by {count_text(back.rounds)}"
    return f"{name} given up {when}"


def checkpoints_showing(points: Sequence[TurningPoint], moments: Sequence[int]) -> list[int]:
    """Return for each turning point the first of the checkpoints `moments` that shows it."""
    return [next(moment for moment in moments if moment >= point.rounds) for point in points]


def continue_from(library: Library, save: str, timeline: Timeline, rounds: int) -> tuple[str, Snapshot]:
    """Return the name and the snapshot for a training that goes on from a checkpoint. Raises `LibraryError`.

    From the latest checkpoint of a user's save, the training keeps the name; otherwise it gets a new one.
    """
    snapshot = library.load(reference_text(save, timeline, rounds))
    if rounds == timeline.now and save not in gallery.names():
        return save, snapshot
    tail = f" from {rounds}" if rounds != timeline.now else " on"
    return library.free_name(f"{save[: MAX_NAME - len(tail)].rstrip()}{tail}"), snapshot
