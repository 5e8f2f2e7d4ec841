"""The result of a recovery, in words and as JSON."""

from collections.abc import Iterable, Sequence

from engine.game import quoted
from lab.text.numbers import count_text
from lab.text.sanitise import PATH_WIDTH, plain
from learners.core.plural import counted_noun
from saves.paths import shown
from saves.recovery.recovery import Recovery
from saves.recovery.salvage import SalvagedSave


def recovery_lines(recovery: Recovery | None) -> list[str]:
    """What was recovered, what was not, and the path of the damaged library; `None` means that it is sound."""
    if recovery is None:
        return ["The library is not damaged, and no save has changed: nothing to recover."]
    salvage = recovery.salvage
    whole = [each for each in salvage.saves if not each.trouble]
    partly = [each for each in salvage.saves if each.trouble and not each.lost]
    lost = [each for each in salvage.saves if each.lost]
    kept = len(salvage.saves) - len(lost)
    saves = f"{count_text(kept)} of {counted_noun(len(salvage.saves), 'save')}"
    games = counted_noun(salvage.games, "finished game")
    pages = f"{count_text(salvage.damaged)} of {counted_noun(salvage.pages, 'page')}"
    return [
        f"Recovered {saves} and {games}; {pages} of the file could not be read completely.",
        f"An unchanged copy of the damaged library is at {plain(shown(recovery.aside), PATH_WIDTH)}.",
        *_listed("Lost", lost),
        *_listed("Recovered in part", partly),
        *_listed("Recovered unchanged", whole),
    ]


def _listed(what: str, saves: Sequence[SalvagedSave]) -> Iterable[str]:
    if saves:
        yield f"{what}:"
    for each in saves:
        deleted = " (deleted)" if each.deleted else ""
        yield plain(f"  {quoted(each.name)}{deleted}{f': {each.trouble}' if each.trouble else ''}", 400)


def recovery_document(recovery: Recovery | None) -> dict[str, object]:
    """The same as a JSON object."""
    if recovery is None:
        return {"sound": True}
    salvage = recovery.salvage
    return {
        "sound": False,
        "aside": str(recovery.aside),
        "saves": [
            {
                "name": each.name,
                "trouble": each.trouble,
                "lost": each.lost,
                "deleted": each.deleted,
            }
            for each in salvage.saves
        ],
        "games": salvage.games,
        "pages": salvage.pages,
        "damaged_pages": salvage.damaged,
    }
