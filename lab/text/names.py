"""The name of a learner as people read it, with its preset and other facts: `Failure-based reasoner, literal`."""

from sys import maxsize

from lab.text.columns import cut, width_of


def learner_name(title: str, *facts: str, room: int = maxsize) -> str:
    """Return the title of a learner and facts about it in `room` columns; all of them without a limit.

    Where there is little room, the title is its first word (`Failure-based, literal`); then the last facts are left
    out (`Failure-based`).
    """
    short = title.partition(" ")[0]
    kept = [facts[: len(facts) - left] for left in range(len(facts) + 1)]
    ways = [
        ", ".join(filter(None, (name, *some))) for some, name in ((facts, title), *((each, short) for each in kept))
    ]
    return next((way for way in ways if width_of(way) <= room), cut(ways[-1], room))
