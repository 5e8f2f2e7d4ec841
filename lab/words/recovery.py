"""What has become of a damaged library, in words."""

from collections.abc import Iterable, Sequence

from engine.game import quoted
from lab.words.numbers import count_text
from lab.words.sanitise import PATH_WIDTH, plain
from learners.core.plural import plural
from saves.paths import shown
from saves.recovery.recovery import Recovery
from saves.recovery.salvage import Salvaged


def recovery_lines(recovery: Recovery | None) -> list[str]:
    """What was saved, what was not, and where the damaged library lies."""
    if recovery is None:
        return ["The library is sound, and every save is as it was kept: nothing to recover."]
    salvage = recovery.salvage
    whole = [each for each in salvage.saves if not each.trouble and not each.unproven]
    unproven = [each for each in salvage.saves if each.unproven]
    partly = [each for each in salvage.saves if each.trouble and not each.lost and not each.unproven]
    lost = [each for each in salvage.saves if each.lost]
    kept = len(salvage.saves) - len(lost)
    saves = f"{count_text(kept)} of {count_text(len(salvage.saves))} {plural('save', len(salvage.saves))}"
    games = f"{count_text(salvage.games)} finished {plural('game', salvage.games)}"
    pages = f"{count_text(salvage.damaged)} of {count_text(salvage.pages)} {plural('page', salvage.pages)}"
    return [
        f"Recovered {saves} and {games}; of the file {pages} could not be read, or not wholly.",
        f"The damaged library lies at {plain(shown(recovery.aside), PATH_WIDTH)}, as it was.",
        *_listed("Lost", lost),
        *_listed("Not all as it was kept", partly),
        *_listed("Readable, but an earlier version wrote nothing down to tell whether as they were kept", unproven),
        *_listed("As they were kept", whole),
    ]


def _listed(what: str, saves: Sequence[Salvaged]) -> Iterable[str]:
    if saves:
        yield f"{what}:"
    for each in saves:
        deleted = " (deleted)" if each.deleted else ""
        yield plain(f"  {quoted(each.name)}{deleted}{f': {each.trouble}' if each.trouble else ''}", 400)


def recovery_document(recovery: Recovery | None) -> dict[str, object]:
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
                "unproven": each.unproven,
                "deleted": each.deleted,
            }
            for each in salvage.saves
        ],
        "games": salvage.games,
        "pages": salvage.pages,
        "damaged_pages": salvage.damaged,
    }
