"""The name of a learner as people read it, with its preset and other facts: `Failure-based reasoner, literal`."""

from sys import maxsize

from lab.text.columns import cut, width_of


def learner_name(title: str, *facts: str, room: int = maxsize) -> str:
    """Return the title of a learner and facts about it in `room` columns; all of them without a limit.

    Where there is little room, the title is its first word (`Failure-based, literal`); then the last facts are left
    out (`Failure-based`).
    """
    first_word = title.partition(" ")[0]
    wordings = [(title, *facts)]
    wordings += [(first_word, *facts[:count]) for count in range(len(facts), -1, -1)]
    names = [", ".join(filter(None, wording)) for wording in wordings]
    return next((name for name in names if width_of(name) <= room), cut(first_word, room))
