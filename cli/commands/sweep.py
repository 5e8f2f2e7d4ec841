"""`noughts sweep`: experiments over grids of settings, with many machines at each point."""

import gc
import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final

import click

from cli.commands.sweep_results import plot, show
from cli.shared import common
from cli.shared.arguments import parse_seed
from cli.shared.progress import progress_bar
from cli.shared.signals import collect_signals
from cli.shared.streams import (
    file_name,
    is_stream,
    read_text_from,
    require_one_document,
    require_writable,
    write_output,
)
from engine.game import BadText, Game
from engine.plural import counted_noun
from lab.signals import SIGNAL_EXIT
from lab.sweep.sweep_text import plan_text, progress_text
from lab.text.numbers import RateMeter, duration_text
from lab.text.sanitise import plain
from learners.core.settings import key_and_value
from learners.core.training import MAX_ROUNDS
from learners.sweep.definition import MAX_POINTS, MAX_SEEDS, define, parse_toml
from learners.sweep.running import SweepPlan, SweepProgress, estimate, plan_of, run
from learners.sweep.workers import Cluster, Processes, SweepFailed, Workers, usable_cores
from saves.files import is_there
from saves.paths import path_text
from saves.sweeps.part import SUFFIX, Part, part_path
from saves.sweeps.table import CSV, json_lines, require_output, write_table

RUN: Final = "run"
MAX_WORKERS: Final = 1000
MAX_WAIT: Final = 10**9
"""The maximum number of seconds to wait for a cluster."""


class SweepGroup(click.Group):
    """Runs the command `run` for anything that is not another command, and shows its options as its own."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = [RUN, *args]
        return super().parse_args(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return super().get_command(ctx, cmd_name) or self.commands[RUN]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.commands[RUN].format_options(ctx, formatter)
        self.format_commands(ctx, formatter)


@click.group(cls=SweepGroup, subcommand_metavar="[FILE.toml | COMMAND] …")
def sweep() -> None:
    """Train many machines at each point of a grid of settings.

    The sweep is defined by a TOML file (- is standard input), by options, or by
    both; an option overrides the file. Each machine is judged at its marks: exactly,
    or in a large game such as connectfour by samples. The table has
    a row for each machine and mark. Ctrl+C keeps what is finished.

    \b
    Examples:
      noughts sweep sweep.toml --workers 2
      noughts sweep --learner menace --grid win=1,3,5 --grid empty=resign,refill \\
        --opponent self,perfect --seeds 1000 --out menace.csv
      noughts sweep resume menace.csv
      noughts sweep show menace.csv --by win
    """


def workers_options(command: Callable[..., int]) -> Callable[..., int]:
    count = common.number_option("--workers", MAX_WORKERS, "Use N processes of this machine.  [default: all cores]")
    scheduler = click.option(
        "--scheduler", metavar="ADDRESS", help="Use a Dask cluster instead, as in tcp://head:8786."
    )
    wait = common.number_option(
        "--wait", MAX_WAIT, "Give up if a cluster finishes nothing for S seconds.  [default: wait]", metavar="S"
    )
    return count(scheduler(wait(command)))


@sweep.command(RUN)
@click.argument("file", metavar="[FILE.toml]", required=False, type=click.Path(path_type=Path))
@click.option("--learner", metavar="L,…", help="Learners, as in menace or menace:michie.")
@click.option("--preset", metavar="NAME,…", help="Presets of the learners.  [default: the usual one for the game]")
@common.game_option
@click.option("--opponent", metavar="P,…", help="Opponents.  [default: the usual one of each learner]")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="KEY=VALUE",
    help="A setting of all points; noughts train --help lists learners, presets and settings.",
)
@click.option(
    "--grid", multiple=True, metavar="KEY=V,…", help="A setting that varies: win=1,3,5, win=0..5, beads='4,3,2;8'."
)
@common.number_option("--sample", MAX_POINTS, "Draw N points of the grid at random.")
@click.option("--sample-seed", type=parse_seed, metavar="N", help="The seed of the sample.  [default: 1]")
@common.number_option("--seeds", MAX_SEEDS, "How many machines to train at each point.  [default: 20]")
@click.option("--seed", type=parse_seed, metavar="N", help="The first machine's seed.  [default: 1]")
@common.number_option("--games", MAX_ROUNDS, "How many games to train each machine.  [default: 10,000]")
@common.number_option("--generations", MAX_ROUNDS, "How many generations to train, for genetic.  [default: 100]")
@click.option("--marks", metavar="N,…", help="After how many rounds to judge.  [default: 1, 10, 100 …]")
@common.path_option("--out", help="The table: .csv, .parquet or -.")
@workers_options
@click.option("--dry-run", is_flag=True, help="Only report how many machines there are, and how long they take.")
@common.replace_option
@click.option("--json", "as_json", is_flag=True, help="Print the rows as JSON, one a line.")
def run_command(  # noqa: PLR0913, PLR0917  one parameter an option
    file: Path | None,
    game: Game | None,
    settings: tuple[str, ...],
    grid: tuple[str, ...],
    marks: str | None,
    out: Path | None,
    workers: int | None,
    scheduler: str | None,
    wait: int | None,
    *,
    dry_run: bool,
    replace: bool,
    as_json: bool,
    **options: Any,  # noqa: ANN401  those of the definition
) -> int:
    """Run a sweep. See noughts sweep --help."""
    require_one_document(out, as_json=as_json)
    fields, output = ({}, None) if file is None else read_definition(file)
    fields |= fields_from_options(options)
    if game is not None:
        fields["game"] = game.name
    if marks is not None:
        fields["marks"] = [common.parse_number(mark, 1, MAX_ROUNDS) for mark in marks.split(",")]
    fields["set"] = fields.get("set", {}) | parse_key_values("set", settings)
    fields["grid"] = fields.get("grid", {}) | parse_key_values("grid", grid)
    definition = define(fields)
    writes_file = not (as_json or is_stream(out))
    if is_stream(out):
        output = None
    elif out is not None:
        output = out
    elif output is None and writes_file and file is not None and not is_stream(file):
        output = file.with_suffix(CSV)
    if dry_run:
        report_estimate(plan_of(definition), workers or usable_cores(), as_json=as_json)
        return 0
    if output is None and writes_file:
        raise click.UsageError("say where the table is written: --out FILE.csv")
    start_workers = chosen_workers(workers, scheduler)
    if output is not None:
        require_output(output)
        require_writable(output, replace=replace)
    plan = plan_of(definition)
    with open_part(output, plan, replace=replace) as part:
        return run_and_write(part, plan, output, start_workers, wait=wait, replace=replace, as_json=as_json)


def fields_from_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a definition that options give; those that may have several values are lists."""
    fields = {name: value for name, value in options.items() if value is not None}
    for name in ("learner", "preset", "opponent"):
        if name in fields:
            fields[name] = fields[name].split(",")
    return fields


def parse_key_values(option: str, texts: tuple[str, ...]) -> dict[str, str]:
    """Parse `KEY=VALUE` texts. Raises click's error for a key that is given twice."""
    settings = dict[str, str]()
    for key, value in map(key_and_value, texts):
        if key in settings:
            raise click.UsageError(f"--{option} {plain(key)} is given twice: leave one out")
        settings[key] = value
    return settings


def read_definition(file: Path) -> tuple[dict[str, Any], Path | None]:
    """Return the fields of the definition in a TOML file, and the file that it names for the table, if any.

    Raises `BadText`, `LibraryError`.
    """
    name = file_name(file)
    try:
        fields = parse_toml(read_text_from(file))
    except BadText as error:
        raise BadText(f"{name}: {error}") from error
    for key in ("set", "grid"):
        if not isinstance(fields.get(key, {}), dict):
            raise BadText(f"{name}: {key} is not a table of settings")
    out = fields.pop("out", None)
    if out is not None and not isinstance(out, str):
        raise BadText(f"{name}: out is not the name of a file")
    return fields, None if out is None else file.parent / out


def report_estimate(plan: SweepPlan, workers: int, *, as_json: bool) -> None:
    trial = estimate(plan)
    document = {
        "points": len(plan.points),
        "seeds": len(plan.definition.seeds),
        "machines": plan.machines,
        **{f"{noun}s": count for noun, count in plan.rounds.items()},
        "workers": workers,
        "seconds": round(trial.seconds / workers, 3),
        "tried": trial.tried,
    }
    time = f"about {duration_text(trial.seconds / workers)} with {counted_noun(workers, 'worker')}"
    basis = f"measured with {counted_noun(trial.tried, 'machine')}"
    common.print_result([plan_text(plan), f"{time}, {basis}"], document, as_json=as_json)


@contextmanager
def open_part(output: Path | None, plan: SweepPlan, *, replace: bool) -> Iterator[Part]:
    """Yield the file of finished batches: beside the output, or in a temporary folder if there is no output.

    Raises `LibraryError`.
    """
    if output is None:
        with TemporaryDirectory() as folder, Part(part_path(Path(folder) / "sweep"), plan.definition) as part:
            yield part
        return
    path = part_path(output)
    with Part(path, plan.definition, replace=replace) as part:
        report_damage(part)
        try:
            yield part
        except BaseException:
            if not part.machines:
                part.delete()
            raise


def report_damage(part: Part) -> None:
    if part.damaged:
        common.print_error(
            f"{path_text(part.path)} was damaged: the checksums prove {counted_noun(part.machines, 'machine')}, "
            "the others are run again"
        )


def chosen_workers(count: int | None, scheduler: str | None) -> Callable[[], Workers]:
    """Return a function that starts the workers, to be called if machines are missing. Raises click's error."""
    if scheduler is not None and count is not None:
        raise click.UsageError("--workers and --scheduler exclude each other: a cluster has its own workers")
    if scheduler is not None:
        return lambda: Cluster(scheduler)
    return lambda: Processes(count or usable_cores())


def run_and_write(  # noqa: PLR0913  what is run, by whom, and where it is written
    part: Part,
    plan: SweepPlan,
    output: Path | None,
    start_workers: Callable[[], Workers],
    *,
    wait: int | None,
    replace: bool,
    as_json: bool,
) -> int:
    """Run the missing machines, write the table if none is missing then, and return the exit code."""
    failure = ""
    with collect_signals() as signals:
        try:
            run_missing(part, plan, start_workers, lambda: bool(signals), wait)
        except SweepFailed as error:
            failure = str(error)
        done = part.machines
        is_finished = done == plan.machines
        if is_finished and output is not None:
            write_table(output, plan.layout, part.lines(), replace=replace)
    try:
        if as_json:
            for line in json_lines(plan.layout, part.lines()):
                click.echo(line)
        elif output is None:
            for text in (plan.layout.header, *part.lines()):
                write_output(text)
    finally:
        if is_finished and output is not None:
            part.delete()
    if not is_finished:
        common.print_error(stopped_text(done, plan.machines, output, failure))
        gc.freeze()  # skips a slow garbage collection at the exit
        return SIGNAL_EXIT + signals[0] if signals else 1
    if output is not None and not as_json:
        click.echo(f"{plan_text(plan)}: {file_name(output)}")
    return 0


def run_missing(
    part: Part, plan: SweepPlan, start_workers: Callable[[], Workers], stop: Callable[[], bool], wait: int | None = None
) -> None:
    missing = list(part.missing(len(plan.points)))
    if not missing or stop():
        return
    workers = start_workers()
    is_finished, last_notice = False, ""
    meter = RateMeter(window=10.0)

    def progress_share(progress: SweepProgress) -> tuple[float, str]:
        meter.add(perf_counter(), progress.done)
        return progress.done / progress.total, progress_text(progress, meter.per_second)

    try:
        with progress_bar("", progress_share) as show_progress:
            for progress in run(plan, missing, workers, part.add, stop, inf if wait is None else wait):
                show_progress(progress)
                if progress.waiting and progress.waiting != last_notice:
                    common.print_error(f"waiting: {progress.waiting}")
                last_notice = progress.waiting
                is_finished = progress.done == progress.total
    finally:
        workers.close(finished=is_finished)


def stopped_text(done: int, total: int, output: Path | None, failure: str) -> str:
    """Return the reason why a sweep did not finish, what is kept of it, and how to resume it."""
    reason = f"{failure}; " if failure else "stopped: "
    if output is None:
        return f"{reason}{done:,} of {total:,} machines are finished"
    command = f"noughts sweep resume {shlex.quote(path_text(output))}"
    return f"{reason}{done:,} of {total:,} machines are kept. Resume with: {command}"


@sweep.command("resume")
@click.argument("output", metavar="FILE", type=click.Path(path_type=Path))
@workers_options
@common.replace_option
@click.option("--json", "as_json", is_flag=True, help="Print the rows as JSON, one a line.")
def resume(  # noqa: PLR0913  one parameter an option
    output: Path, workers: int | None, scheduler: str | None, wait: int | None, *, replace: bool, as_json: bool
) -> int:
    """Resume a sweep that was stopped, also on another machine.

    FILE is the table that the sweep has yet to write. The finished machines are
    beside it, in FILE.part.

    \b
    Example:
      noughts sweep resume menace.csv
    """
    if output.suffix == SUFFIX:
        output = output.with_suffix("")
    path = part_path(output)
    if not is_there(path) and is_there(output):
        click.echo(f"{file_name(output)} is finished: there is nothing to resume")
        return 0
    require_output(output)
    require_writable(output, replace=replace)
    with Part(path) as part:
        report_damage(part)
        return run_and_write(
            part,
            plan_of(part.definition),
            output,
            chosen_workers(workers, scheduler),
            wait=wait,
            replace=replace,
            as_json=as_json,
        )


sweep.add_command(show)
sweep.add_command(plot)
