"""`noughts sweep show` and `plot`: what a sweep has found."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import click

from cli.shared.common import json_option, parse_number, path_option, print_result, replace_option
from cli.shared.score_documents import round_share
from cli.shared.streams import file_name, input_file, is_stream, require_writable, write_and_report
from engine.game import BadText
from engine.plural import counted_noun
from lab.pictures.drawing import SVG, picture_suffix
from lab.race.race_text import SIDES, ShownMeasure
from lab.sweep.pictures import CurvePicture, HeatMap, curves, heat_map
from lab.sweep.sweep_text import group_lines, importance_lines
from lab.text.sanitise import without_controls
from learners.core.training import MAX_ROUNDS
from learners.race.measures import ALL_MEASURES, parse_measure
from learners.sweep.analysis import Group, Machines, groups, importance, key_columns, needed_columns, read_machines
from learners.sweep.layout import ROUNDS
from saves.sweeps.table import SweepTable

measure_option = click.option(
    "--measure",
    type=click.Choice([*dict.fromkeys(measure.name for measure in ALL_MEASURES)]),
    default=ALL_MEASURES[0].name,
    help=f"What is compared.  [default: {ALL_MEASURES[0].name}]",
)
side_option = click.option(
    "--side", type=click.Choice([*SIDES]), default="both", help="The side played; both is the mean.  [default: both]"
)


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--by", metavar="COLUMN,…", help="Group the machines by these columns.  [default: all that vary]")
@measure_option
@side_option
@click.option("--rounds", metavar="N", help="The mark that is shown.  [default: the last]")
@json_option
def show(  # noqa: PLR0913  one parameter an option
    file: Path, by: str | None, measure: str, side: str, rounds: str | None, *, as_json: bool
) -> None:
    """Show what a sweep has found: medians and bands, best first.

    Also shows which setting matters most: the share of the variance between
    machines that each explains alone (one-way decomposition).

    \b
    Example:
      noughts sweep show menace.csv --by win,empty --measure loss-best
    """
    shown_measure = ShownMeasure(parse_measure(measure, ALL_MEASURES), SIDES[side])
    table, machines = read_sweep(file, shown_measure)
    mark = chosen_mark(machines, rounds)
    machines = machines.at(mark)
    keys = chosen_columns(by, machines)
    ranked_groups = groups(machines, keys, lower_is_better=shown_measure.measure.lower_is_better)
    shares = importance(machines)
    heading = f"{file_name(file)}: {measure}, {shown_measure.side_text}, after {counted_noun(mark, 'round')}"
    lines = [f"{heading}, in per cent", counted_noun(len(machines.share), "machine"), ""]
    lines += group_lines(keys, ranked_groups)
    if shares:
        lines += ["", "Share of the variance that each explains alone (one-way decomposition):"]
        lines += importance_lines(shares)
    if not machines.comparable:
        lines += ["", "Some machines learn one side only, and have no mean: compare with --side first or second."]
    if table.unfinished:
        lines += ["", "The sweep is not finished: noughts sweep resume finishes it."]
    document = {
        "measure": measure,
        "side": side,
        "rounds": mark,
        "machines": len(machines.share),
        "finished": not table.unfinished,
        "groups": [group_document(keys, group) for group in ranked_groups],
        "explained": {key: round_share(share) for key, share in shares.items()},
    }
    print_result(lines, document, as_json=as_json)


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--by", metavar="COLUMN,…", help="A curve for each group.  [default: what explains most]")
@click.option("--heat", metavar="X,Y", help="A heat map over two columns instead of curves.")
@measure_option
@side_option
@click.option("--rounds", metavar="N", help="The mark that a heat map shows.  [default: the last]")
@path_option("--out", help="Draw an .svg or a .png, or write its numbers as .csv; - is an SVG on standard output.")
@replace_option
def plot(  # noqa: PLR0913, PLR0917  one parameter an option
    file: Path,
    by: str | None,
    heat: str | None,
    measure: str,
    side: str,
    rounds: str | None,
    out: Path | None,
    *,
    replace: bool,
) -> None:
    """Draw what a sweep has found: bands over rounds, or a heat map.

    A curve is the median of a group of machines, its band the middle 80 %.

    \b
    Examples:
      noughts sweep plot menace.csv --by empty
      noughts sweep plot menace.csv --heat win,empty --out menace.svg
    """
    suffix = SVG if out is None or is_stream(out) else picture_suffix(out)
    if out is not None:
        require_writable(out, replace=replace)
    if heat is not None and by is not None:
        raise click.UsageError("--heat and --by exclude each other")
    shown_measure = ShownMeasure(parse_measure(measure, ALL_MEASURES), SIDES[side])
    _, machines = read_sweep(file, shown_measure)
    title = f"{measure}, {shown_measure.side_text}, in per cent"
    lower_is_better = shown_measure.measure.lower_is_better
    if heat is not None:
        mark = chosen_mark(machines, rounds)
        title = f"{title}, after {counted_noun(mark, 'round')}"
        keys = chosen_columns(heat, machines)
        picture: CurvePicture | HeatMap = heat_map(machines.at(mark), keys, title, lower_is_better=lower_is_better)
    else:
        keys = chosen_columns(by, machines)
        if by is None:  # the column that explains most
            keys = tuple(importance(machines.at(machines.marks[-1])))[:1]
        picture = curves(machines, keys, title, lower_is_better=lower_is_better)
    if out is None:
        for line in picture.lines(shutil.get_terminal_size((80, 24)).columns):
            click.echo(without_controls(line))
    else:
        write_and_report(out, picture.picture().content(suffix), replace=replace)


def read_sweep(file: Path, shown_measure: ShownMeasure) -> tuple[SweepTable, Machines]:
    """Read the columns of a table that a measure needs. Raises `BadText`, also if there is no machine."""
    try:
        with input_file(file) as path:
            table = SweepTable(path)
            keys = key_columns(table.columns)
            share_columns = needed_columns(shown_measure.measure, shown_measure.side, table.columns)
            machines = read_machines(keys, table.rows([*keys, ROUNDS, *share_columns]))
    except BadText as error:
        raise BadText(f"{file_name(file)} cannot be shown: {error}") from error
    if not len(machines.share):
        raise BadText(f"{file_name(file)} has no machine yet")
    return table, machines


def chosen_mark(machines: Machines, text: str | None) -> int:
    marks = machines.marks
    mark = marks[-1] if text is None else parse_number(text, 1, MAX_ROUNDS)
    if mark not in marks:
        raise BadText(f"no machine was judged after {mark:,} rounds; the marks are {', '.join(map(str, marks))}")
    return mark


def chosen_columns(text: str | None, machines: Machines) -> tuple[str, ...]:
    return machines.varying_keys if text is None else tuple(part.strip() for part in text.split(","))


def group_document(keys: Sequence[str], group: Group) -> dict[str, object]:
    return {
        **dict(zip(keys, group.values, strict=True)),
        "machines": group.machines,
        "p10": round_share(group.low),
        "median": round_share(group.median),
        "p90": round_share(group.high),
    }
