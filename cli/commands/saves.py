"""`noughts saves`: the commands for the library."""

import os
import re
import shlex
import shutil
from datetime import datetime
from pathlib import Path
from typing import Final

import click
import numpy as np

from cli.commands.saves_history import diff, history
from cli.commands.saves_recovery import backup, recover, restore
from cli.shared import common
from cli.shared.arguments import chosen_library, parse_new_name
from cli.shared.completion import SaveName
from cli.shared.results import newest_document, newest_lines, statistics_lines
from cli.shared.score_documents import results_document
from cli.shared.streams import (
    INPUT,
    file_name,
    is_stream,
    read_text_from,
    require_one_document,
    require_writable,
    write_output,
)
from engine.evaluate import scoreboard
from engine.game import BadText, Game, quoted
from engine.plural import counted_noun
from lab.judging.policy_text import open_spiel_module, policy_csv
from lab.results.score_lines import results_lines
from lab.results.tables import untrained_lines
from lab.text.columns import columns, cut
from lab.text.numbers import short_count
from lab.text.sanitise import plain
from learners import revive
from learners.core.learner import BOTH, Learner
from learners.core.save_ref import parse_name
from saves.files import already_exists, write_text
from saves.formats import FORMATS, export_file, export_text, import_file, import_text
from saves.formats.format import Format
from saves.library.library import Entry
from saves.sqlite.error_codes import RECOVER

MAX_WORD_WIDTH: Final = 20
"""The maximum width of the name of a learner, preset or game, in columns, since a file may contain any name."""


@click.group(cls=common.ListingGroup, no_args_is_help=False)
@common.library_option
def saves() -> None:
    """List, show, compare, export, import, delete or recover saves.

    Without a command, the saves are listed. NAME is the name of a save;
    NAME@50 is its checkpoint after 50 rounds, and can be used in its place.

    \b
    Examples:
      noughts saves
      noughts saves show mine
      noughts saves export riechel riechel.json
    """


for command in (history, diff, backup, restore, recover):
    saves.add_command(command)


@saves.command(common.LIST)
@common.library_option
@click.option("--deleted", is_flag=True, help="List the deleted saves, which can be restored.")
@common.json_option
def list_saves(*, deleted: bool, as_json: bool) -> None:
    """List the saves, newest first, then the gallery.

    \b
    Example:
      noughts saves list --deleted
    """
    library = chosen_library()
    entries = library.deleted_entries() if deleted else library.entries()
    lines = list_lines(entries) if entries else ["No deleted save."]
    common.print_result(lines, {"saves": [entry_document(entry) for entry in entries]}, as_json=as_json)


def list_lines(entries: list[Entry]) -> list[str]:
    last = "deleted" if any(entry.deleted for entry in entries) else "saved"
    headings = ("name", "learner", "preset", "game", "trained", "size", last)
    rows = [_row(entry) for entry in entries]
    alignment = "<<<>><"
    other_width = max(map(len, columns([headings[1:], *rows], alignment)))
    room = max(12, shutil.get_terminal_size().columns - other_width - 2)
    names = [cut(plain(entry.name), room) for entry in entries]
    lines = columns([headings, *((name, *row) for name, row in zip(names, rows, strict=True))], f"<{alignment}")
    troubles = [f"{plain(entry.name)}: {plain(entry.trouble)}" for entry in entries if entry.trouble]
    if troubles:
        lines += [*troubles, f"Try {RECOVER}."]
    return lines


def _row(entry: Entry) -> tuple[str, ...]:
    """Return the cells of a save after its name."""
    names = (cut(plain(name), MAX_WORD_WIDTH) for name in (entry.learner, entry.preset, entry.game))
    if entry.gallery:
        last = "gallery"
    elif entry.trouble:
        last = "?"
    else:
        last = day_text(entry.deleted or entry.updated)
    return *names, short_count(entry.rounds), short_count(entry.size), last


def entry_document(entry: Entry) -> dict[str, object]:
    return {
        "name": entry.name,
        "learner": entry.learner,
        "preset": entry.preset,
        "game": entry.game,
        "games": entry.games,
        "rounds": entry.rounds,
        "size": entry.size,
        "updated": entry.updated.isoformat(),
        "gallery": entry.gallery,
        **({"deleted": entry.deleted.isoformat()} if entry.deleted else {}),
        **({"trouble": entry.trouble} if entry.trouble else {}),
    }


def day_text(moment: datetime) -> str:
    return f"{moment.astimezone():%Y-%m-%d}"


@saves.command()
@click.argument("name", type=SaveName())
@common.library_and_json
def show(name: str, *, as_json: bool) -> None:
    """Show settings, statistics and exact results of NAME.

    \b
    Example:
      noughts saves show riechel
    """
    snapshot = chosen_library().load(name)
    learner = revive(snapshot)
    result_lines, results = compute_results(learner)
    document = {
        "name": name,
        "learner": learner.spec.name,
        "game": learner.game.name,
        "preset": learner.preset,
        "settings": learner.settings,
        "seed": learner.seed,
        **learner.spec.json_stats(learner.stats()),
        "results": results,
        "newest": newest_document(learner),
        "history": [learner.spec.json_stats(stats) for stats in learner.history.statistics],
    }
    settings = ", ".join(f"{key}={str(value).lower()}" for key, value in learner.settings.items())
    lines = [
        f"{plain(name)}: {learner.spec.title}, {learner.game.title}",
        f"preset {learner.preset}{f' ({settings})' if settings else ''}, seed {learner.seed}",
    ]
    if learner.view.search_space:
        lines.append(learner.view.search_space)
    lines += ["", *statistics_lines(learner), "", *result_lines, *newest_lines(learner)]
    common.print_result(lines, document, as_json=as_json)


def compute_results(learner: Learner) -> tuple[list[str], dict[str, object] | None]:
    """Return the exact results of a save as lines and as JSON; `None` in a game that is too large for them."""
    if not learner.game.learnable:
        advice = "To sample them: noughts evaluate save:NAME"
        return [f"{learner.game.title} is too large for exact results. {advice}"], None
    scores = scoreboard(learner.space, learner.policy())
    lines = [*results_lines(learner.game, scores, learner.trained_sides), *untrained_lines(learner)]
    return ["Exact chances:", *lines], dict(results_document(scores, learner.trained_sides))


format_option = click.option(
    "--format",
    "format_name",
    type=click.Choice([each.suffix.removeprefix(".") for each in FORMATS]),
    help=f"With -: the format.  [default: {FORMATS[0].suffix.removeprefix('.')}]",
)


def stream_format(file: Path, format_name: str | None) -> Format | None:
    """Return the format of standard input or output; `None` for a file, whose suffix selects it.

    Raises click's error if a file and a format are given.
    """
    if is_stream(file):
        if format_name is None:
            return FORMATS[0]
        return next(each for each in FORMATS if each.suffix == f".{format_name}")
    if format_name is not None:
        raise click.UsageError("--format goes with - only: the suffix of FILE selects the format")
    return None


@saves.command()
@click.argument("name", type=SaveName())
@click.argument("file", type=click.Path(path_type=Path))
@format_option
@click.option("--all", "everywhere", is_flag=True, help="In .csv: all positions, also those that the save avoids.")
@click.option("--openspiel", is_flag=True, help="With .csv: also write a module that plays it in OpenSpiel.")
@common.replace_option
@common.library_and_json
def export(  # noqa: PLR0913  one parameter an option
    name: str, file: Path, format_name: str | None, *, everywhere: bool, openspiel: bool, replace: bool, as_json: bool
) -> None:
    """Write the save NAME to FILE, or to standard output if FILE is -.

    The suffix of FILE selects the format: .json for a complete save of any
    learner, .txt for the failures of a failure-based reasoner, in the format of
    Riechel's paper, .csv for the policy by which the save plays, as noughts judge
    reads it.

    \b
    Examples:
      noughts saves export mine mine.json
      noughts saves export riechel failures.txt
      noughts saves export riechel - --format txt
    """
    require_one_document(file, as_json=as_json)
    format_of_stream = stream_format(file, format_name)
    if file.suffix.lower() == ".csv":
        export_policy(name, file, everywhere=everywhere, openspiel=openspiel, replace=replace, as_json=as_json)
        return
    if everywhere or openspiel:
        raise click.UsageError("--all and --openspiel go with a .csv file: the policy of a save")
    if format_of_stream is not None:
        write_output(export_text(chosen_library().load(name), format_of_stream))
        return
    if file.suffix.lower() not in {each.suffix for each in FORMATS}:
        suffixes = ", ".join(f"{each.suffix} ({each.title})" for each in FORMATS)
        raise BadText(f"{quoted(file.name)}: the name of the file must end in {suffixes}, or .csv (how it plays)")
    if not replace and os.path.lexists(file):
        raise already_exists(file)
    snapshot = chosen_library().load(name)
    export_file(snapshot, file, replace=replace)
    common.print_result(
        [f"Wrote {quoted(name)} to {file_name(file)}"], {"name": name, "file": str(file)}, as_json=as_json
    )


def export_policy(  # noqa: PLR0913  the arguments of `export`
    name: str, file: Path, *, everywhere: bool, openspiel: bool, replace: bool, as_json: bool
) -> None:
    snapshot = chosen_library().load(name)
    game, module = snapshot.game, file.with_suffix(".py")
    if not game.numbered:
        raise BadText(f"{game.title} is too large for a table of moves")
    player = revive(snapshot)
    module_text = ""
    if openspiel:
        module_text = open_spiel_module(game, file.name)
        require_writable(module, replace=replace)
    policy = policy_csv(game, player.policy(), player.trained_sides or BOTH, everywhere=everywhere)
    write_text(file, policy, replace=replace)
    lines = [f"Wrote the policy of {quoted(name)} to {file_name(file)}"]
    if openspiel:
        write_text(module, module_text, replace=replace)
        lines.append(f"Wrote a policy of OpenSpiel to {file_name(module)}")
    document = {"name": name, "file": str(file), "module": str(module) if openspiel else None}
    common.print_result(lines, document, as_json=as_json)


@saves.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--as", "name", metavar="NAME", help="The name of the save.  [default: from FILE]")
@common.game_option_of("FILE")
@format_option
@common.replace_option
@common.library_and_json
def import_save(  # noqa: PLR0913  one parameter an option
    file: Path, name: str | None, game: Game | None, format_name: str | None, *, replace: bool, as_json: bool
) -> None:
    """Import a save from FILE, or from standard input if FILE is -.

    FILE is a .json or .txt file as written by export. A .txt file does not
    name its game: use --game if it is not tic-tac-toe.

    \b
    Examples:
      noughts saves import mine.json
      noughts saves import failures.txt --as copied
      noughts saves import - --as copied < mine.json
    """
    library = chosen_library()
    if name is not None:
        name = parse_new_name(library, name, replace=replace)
    format_of_stream = stream_format(file, format_name)
    if format_of_stream is None:
        snapshot = import_file(file, game)
    else:
        snapshot = import_text(lambda: read_text_from(file), INPUT, format_of_stream, game)
    if name is None:
        name, _ = library.save_free(name_from_file(file), snapshot)
    else:
        if replace:
            library.keep_backup()
        library.save(name, snapshot, replace=replace)
    document = {
        "name": name,
        "file": str(file),
        "learner": snapshot.learner,
        "game": snapshot.game.name,
        **snapshot.stats,
    }
    size = counted_noun(int(np.count_nonzero(snapshot.memory)), "number")
    line = f"Imported {file_name(file)} as {quoted(name)}, {snapshot.game.name}: {size} in memory"
    common.print_result([line], document, as_json=as_json)


def name_from_file(file: Path) -> str:
    """Return a name for a save from the name of a file. Characters that a name cannot contain become spaces."""
    stem = re.sub(r"[^\w .,+#'();-]+", " ", file.stem).strip(" -_.,+#'();")[:40].strip()
    try:
        return parse_name(stem)
    except BadText:
        return "imported"


@saves.command()
@click.argument("old", type=SaveName())
@click.argument("new")
@common.library_and_json
def rename(old: str, new: str, *, as_json: bool) -> None:
    """Rename the save OLD to NEW.

    \b
    Example:
      noughts saves rename mine "my first"
    """
    chosen_library().rename(old, new)
    common.print_result([f"Renamed {quoted(old)} to {quoted(new)}"], {"name": new, "was": old}, as_json=as_json)


@saves.command()
@click.argument("name", type=SaveName())
@common.library_and_json
def delete(name: str, *, as_json: bool) -> None:
    """Delete the save NAME. It can be restored for 30 days.

    \b
    Example:
      noughts saves delete mine
    """
    chosen_library().delete(name)
    undo = f"To restore it: noughts saves undelete {shlex.quote(plain(name))}"
    common.print_result([f"Deleted {quoted(name)}. {undo}"], {"name": name, "deleted": True}, as_json=as_json)


@saves.command()
@click.argument("name", type=SaveName())
@click.option("--as", "new_name", metavar="NEW", help="The name of the restored save.  [default: NAME]")
@common.library_and_json
def undelete(name: str, new_name: str | None, *, as_json: bool) -> None:
    """Restore the last deleted save called NAME.

    \b
    Example:
      noughts saves undelete mine --as "mine again"
    """
    chosen_library().undelete(name, new_name)
    line = f"Restored {quoted(name)}"
    if new_name is not None:
        line += f" as {quoted(new_name)}"
    common.print_result([line], {"name": name if new_name is None else new_name, "deleted": False}, as_json=as_json)
