"""The backups of a library, and the result of a recovery, in words and as JSON."""

from collections.abc import Iterable, Sequence

from engine.game import quoted
from engine.plural import counted_noun
from lab.text.numbers import count_text
from lab.text.sanitise import PATH_WIDTH, plain
from saves.backups import Backup
from saves.library.recovery import RecoveredSave, Recovery
from saves.paths import path_text


def backup_lines(backups: Sequence[Backup]) -> list[str]:
    if not backups:
        return ["There is no backup yet: one is made once a day of use."]
    lines = [f"{each.name}  {each.made.astimezone():%Y-%m-%d %H:%M}  {each.size / 1024:,.0f} KiB" for each in backups]
    return [*lines, "To go back to one: noughts saves restore NAME, or noughts saves restore newest"]


def backup_documents(backups: Sequence[Backup]) -> list[dict[str, object]]:
    return [
        {"name": each.name, "file": str(each.path), "made": each.made.isoformat(), "bytes": each.size}
        for each in backups
    ]


def recovery_lines(recovery: Recovery | None) -> list[str]:
    """Return what was recovered, what was lost, and the path of the damaged library; `None` means that it is sound."""
    if recovery is None:
        return ["The library is not damaged, and no save has changed: nothing to recover."]
    whole = [each for each in recovery.saves if not each.trouble]
    partly = [each for each in recovery.saves if each.trouble and not each.lost]
    lost = [each for each in recovery.saves if each.lost]
    kept = len(recovery.saves) - len(lost)
    saves = f"{count_text(kept)} of {counted_noun(len(recovery.saves), 'save')}"
    games = counted_noun(recovery.games, "finished game")
    made = recovery.backup
    base = f"the backup of {made.astimezone():%Y-%m-%d %H:%M} and " if made else "no backup, only "
    return [
        f"Recovered {saves} and {games}, from {base}what could still be read.",
        f"An unchanged copy of the damaged library is at {plain(path_text(recovery.aside), PATH_WIDTH)}.",
        *_save_lines("Lost", lost),
        *_save_lines("Recovered in part, or from the backup", partly),
        *_save_lines("Recovered unchanged", whole),
    ]


def _save_lines(what: str, saves: Sequence[RecoveredSave]) -> Iterable[str]:
    if saves:
        yield f"{what}:"
    for each in saves:
        deleted = " (deleted)" if each.deleted else ""
        yield plain(f"  {quoted(each.name)}{deleted}{f': {each.trouble}' if each.trouble else ''}", 400)


def recovery_document(recovery: Recovery | None) -> dict[str, object]:
    if recovery is None:
        return {"sound": True}
    return {
        "sound": False,
        "aside": str(recovery.aside),
        "backup": None if recovery.backup is None else recovery.backup.isoformat(),
        "saves": [
            {"name": each.name, "trouble": each.trouble, "lost": each.lost, "deleted": each.deleted}
            for each in recovery.saves
        ],
        "games": recovery.games,
    }
