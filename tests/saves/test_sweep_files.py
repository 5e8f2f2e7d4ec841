"""The files of a sweep: each batch whole or absent, one writer at a time, and tables that can be read again."""

import csv
import json
import os
import signal
import sys
from dataclasses import replace
from io import StringIO
from pathlib import Path
from unittest.mock import Mock
from zlib import compress

import pytest

from engine.game import BadText
from learners.sweep.batch import run_batch
from learners.sweep.layout import ColumnType
from saves.errors import Damaged, LibraryError
from saves.sweeps.part import Part, part_path
from saves.sweeps.table import SweepTable, json_lines, require_output, write_table
from tests.libraries import unchanged
from tests.saves.forks import Forked
from tests.sweeps import small_plan


@pytest.fixture(scope="module", name="plan")
def _plan():
    return small_plan()


@pytest.fixture(scope="module", name="rows")
def _rows(plan):
    return [run_batch(plan.batch(number, plan.definition.seeds)) for number in range(len(plan.points))]


@pytest.fixture(name="path")
def _path(tmp_path):
    return part_path(tmp_path / "found.csv")


def text_of(rows):
    return "".join(each.text for each in rows)


def keep(path, plan, rows):
    with Part(path, plan.definition) as part:
        part.add(rows)


def missing_points(part):
    return [number for number, _ in part.missing(8)]


def test_rows_are_read_back_in_order(plan, rows, path):
    with Part(path, plan.definition) as part:
        part.add(rows[5:])
        part.add([rows[3]])
        assert part.machines == 20
    with Part(path) as part:
        assert part.definition == plan.definition
        assert list(part.missing(8)) == [(number, plan.definition.seeds) for number in (0, 1, 2, 4)]
        part.add(rows[4::-1][:1] + rows[2::-1])
        assert list(part.missing(8)) == []
        assert "".join(part.lines()) == text_of(rows)
        part.delete()
    assert not path.exists()


def test_batches_are_added_together_or_not_at_all(plan, rows, path):
    with Part(path, plan.definition) as part:
        part.add(rows[:1])
        with pytest.raises(LibraryError):
            part.add([rows[1], rows[0]])
        assert part.machines == 5


def test_a_second_writer_is_refused_at_once(plan, path):
    with Part(path, plan.definition):
        with pytest.raises(LibraryError, match="this sweep is already running; wait until it has ended"):
            Part(path, plan.definition)
        other = Forked(Part, path)
        assert "this sweep is already running" in other.stderr.read()
        assert other.wait() == 1
    Part(path).close()


def change(path, number, edit):
    """Edit a line of a file, given by its number from 0, and return the line as it was."""
    lines = path.read_bytes().splitlines(keepends=True)
    before, lines[number] = lines[number], edit(lines[number])
    path.write_bytes(b"".join(lines))
    return before


def test_a_full_disk_is_reported_and_finished_batches_are_kept(plan, rows, path):
    with Part(path, plan.definition) as part:
        part.add(rows[:1])
        size, whole = path.stat().st_size, part._file
        part._file = Mock(wraps=whole)
        part._file.write.side_effect = [whole.write(b"batch\thalf a li"), OSError(28, os.strerror(28))]
        with pytest.raises(LibraryError, match=r"No space left on device; free some space.* Finished batches are kept"):
            part.add(rows[1:])
        assert part._file.truncate.call_count == 1
        part._file = whole
        whole.truncate(size)
        assert part.machines == 5
        part.add(rows[1:])
        assert "".join(part.lines()) == text_of(rows)


def test_a_part_whose_definition_was_changed_is_refused(plan, path):
    Part(path, plan.definition).close()
    for number in (0, 2):
        change(path, number, lambda line: line.replace(b":20", b":30"))
    with unchanged(path), pytest.raises(LibraryError, match=path.name):
        Part(path)


def test_damaged_batches_run_again(plan, rows, path):
    keep(path, plan, rows)
    edits = (
        lambda line: line[:-9] + b"\n",
        lambda line: line.replace(b"\t5\t", b"\t9\t"),
        lambda line: line.replace(b"\t0\t", b"\t-1\t"),
        lambda line: line[:70] + b"7" + line[71:],
        lambda line: line[:6] + line[7:],
        lambda _: b"",
    )
    for point, edit in reversed([*enumerate(edits)]):
        change(path, 3 + point, edit)
    with Part(path) as part:
        assert part.damaged
        missing = missing_points(part)
        assert missing == [*range(6)]
        part.add([rows[number] for number in missing])
    with Part(path) as part:
        assert not part.damaged
        assert "".join(part.lines()) == text_of(rows)
        last = path.read_bytes().splitlines()[-1]
        path.write_bytes(path.read_bytes().replace(last, last[:-1] + b"!"))
        with pytest.raises(LibraryError, match=r"is damaged.*resume the sweep"):
            "".join(part.lines())


def test_two_batches_that_overlap_are_refused(plan, rows, path):
    with Part(path, plan.definition) as part:
        part.add([rows[3], run_batch(plan.batch(3, plan.definition.seeds[1:2]))])
        with pytest.raises(LibraryError, match="is damaged"):
            list(part.missing(8))


@pytest.mark.parametrize("resumed", [False, True])
@pytest.mark.parametrize("step", [1999, pytest.param(97, marks=pytest.mark.long)])
def test_a_flipped_bit_costs_no_more_than_two_batches(plan, rows, path, resumed, step):
    """Wherever it is; two, if it joins their lines."""
    keep(path, plan, rows)
    whole, text = path.read_bytes(), text_of(rows)
    ends = [place for place, byte in enumerate(whole) if byte == ord("\n")]
    for place in [*range(0, 108, step // 50), *range(108, len(whole), step), *ends]:
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :])
        with Part(path, None if resumed else plan.definition) as part:
            missing = missing_points(part)
            part.add([rows[number] for number in missing])
            assert "".join(part.lines()) == text
            assert part.damaged
        assert len(missing) <= 2
        with Part(path) as part:
            assert not part.damaged
    assert [found.name for found in path.parent.iterdir()] == [path.name]


def test_without_its_definition_a_part_is_taken_by_the_sweep_that_made_it(plan, rows, path):
    keep(path, plan, rows[:2])
    for number in (2, 0):
        change(path, number, lambda _: b"lost\n")
    with pytest.raises(Damaged):
        Part(path)
    with Part(path, plan.definition) as part:
        assert (part.damaged, part.machines) == (True, 10)
    with Part(path) as part:
        assert (part.damaged, part.machines) == (False, 10)


def test_a_part_of_another_program_is_refused_by_name_and_begun_again(plan, rows, path, monkeypatch):
    with monkeypatch.context() as other:
        other.setattr("saves.sweeps.part.program", lambda: "noughts 0.0.9 (source 000000000000)")
        keep(path, plan, rows[:2])
    for given in (None, plan.definition):
        with (
            unchanged(path),
            pytest.raises(LibraryError, match=r"^.*begun by noughts 0\.0\.9 \(source 0{12}\), this is.*$"),
        ):
            Part(path, given)
    with Part(path, plan.definition, replace=True) as part:
        assert part.machines == 0


@pytest.mark.parametrize("lost", [False, True])
def test_batches_of_another_program_are_never_taken_for_ours(plan, rows, path, monkeypatch, lost):
    """Also where the lines that name the program were lost, or replaced by ours with their checksums."""
    Part(path, plan.definition).close()
    ours = path.read_bytes().splitlines(keepends=True)
    path.unlink()
    with monkeypatch.context() as other:
        other.setattr("saves.sweeps.part.program", lambda: "noughts 0.0.9 (source 000000000000)")
        keep(path, plan, rows[:2])
    for number in (0, 2):
        change(path, number, lambda line: line.replace(b"0.0.9", b"1.0.0") if lost else ours[0])
    if lost:
        with unchanged(path), pytest.raises(Damaged):
            Part(path, plan.definition)
    else:
        with Part(path, plan.definition) as part:
            assert (part.damaged, part.machines) == (True, 0)


def test_rows_that_unpack_to_gigabytes_are_refused(plan, rows, path):
    bomb = replace(rows[0], packed=compress(bytes(2**27), 1))
    with Part(path, plan.definition) as part:
        part.add([bomb])
        with pytest.raises(LibraryError, match="is damaged"):
            list(part.lines())


@pytest.mark.parametrize(
    "failure", [(MemoryError(), "too little memory"), (OSError(5, "Input/output error"), "Input/output error")]
)
def test_what_says_nothing_about_the_file_leaves_it_as_it_is(plan, rows, path, monkeypatch, failure):
    raised, message = failure
    keep(path, plan, rows[:1])
    change(path, 3, lambda line: b"damaged" + line)
    monkeypatch.setattr("saves.sweeps.part.restore", Mock(side_effect=raised))
    with unchanged(path), pytest.raises(LibraryError, match=message) as caught:
        Part(path)
    assert not isinstance(caught.value, Damaged)


def written(tmp_path, plan, rows, name="found.csv"):
    path = tmp_path / name
    write_table(path, plan.layout, [each.text for each in rows], replace=False)
    return path


def test_csv_has_a_header_and_rows_and_is_read_again(tmp_path, plan, rows):
    path = written(tmp_path, plan, rows)
    assert path.read_text() == plan.layout.header + text_of(rows)
    table = SweepTable(path)
    assert (table.columns, table.unfinished) == (tuple(plan.layout.columns), False)
    found = list(table.rows(["win", "rounds"]))
    with path.open() as file:
        assert found == [(row["win"], row["rounds"]) for row in csv.DictReader(file)]
    assert [*table.rows(["win"])] == [(row[0],) for row in found]


def test_a_part_is_read_like_a_table(plan, rows, path):
    keep(path, plan, rows[2:4])
    table = SweepTable(path.with_suffix(""))
    assert table.unfinished
    assert len([*table.rows(["win"])]) == 2 * 5 * len(plan.definition.marks_of("menace"))
    assert table.columns == tuple(plan.layout.columns)


def test_parquet_has_the_values_of_csv(tmp_path, plan, rows):
    parquet = pytest.importorskip("pyarrow.parquet")
    plan = small_plan(learner=["menace", "q"], grid={}, opponent="self", set={}, preset=[])
    rows = [run_batch(plan.batch(number, plan.definition.seeds)) for number in range(len(plan.points))]
    path = written(tmp_path, plan, rows, "found.parquet")
    text = plan.layout.header + text_of(rows)
    found = parquet.read_table(path)
    kinds = {"string": ColumnType.TEXT, "int64": ColumnType.WHOLE, "double": ColumnType.NUMBER, "bool": ColumnType.FLAG}
    assert {field.name: kinds[str(field.type)] for field in found.schema} == plan.layout.columns
    objects = [json.loads(line) for line in json_lines(plan.layout, [each.text for each in rows])]
    assert found.to_pylist() == objects
    assert objects[-1]["resigned"] is None, "q has no such statistic"
    table = SweepTable(path)
    wanted = [*plan.layout.columns]
    assert [*table.rows(wanted)] == [tuple(row) for row in csv.reader(StringIO(text))][1:]


def test_a_table_that_fails_half_way_leaves_nothing(tmp_path, plan):
    def failing():
        yield "row\n"
        raise OSError(28, os.strerror(28))

    with pytest.raises(LibraryError, match="No space left on device; free some space"):
        write_table(tmp_path / "found.csv", plan.layout, failing(), replace=False)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["found", "found.csv.gz", ".csv"])
def test_other_kinds_of_files_are_refused(name):
    with pytest.raises(BadText, match="names neither CSV nor Parquet"):
        require_output(Path(name))


def read_all(path):
    table = SweepTable(path)
    return [*table.rows(table.columns[:1])]


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"a,b\n1,2,3\n", b"a,b\n" + b"x" * 200_000 + b",1\n"])
@pytest.mark.parametrize("name", ["found.csv", "found.parquet"])
def test_a_hostile_table_is_refused_in_one_line(tmp_path, name, content):
    path = tmp_path / name
    if path.suffix == ".parquet":
        pytest.importorskip("pyarrow")
    path.write_bytes(content)
    with pytest.raises(LibraryError, match="cannot be read as the table of a sweep") as raised:
        read_all(path)
    assert "\n" not in str(raised.value)


def test_a_date_that_python_does_not_have_is_refused(tmp_path):
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.table({"win": arrow.array([2**62], arrow.timestamp("us"))}), tmp_path / "found.parquet")
    with pytest.raises(LibraryError, match="cannot be read as the table of a sweep: date value out of range"):
        read_all(tmp_path / "found.parquet")


def test_without_the_package_parquet_is_refused_with_advice(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(BadText, match=r"pip install 'noughts\[sweep\]', or choose .csv"):
        require_output(Path("found.parquet"))


def write_until_killed(path):
    plan = small_plan()
    with Part(path, plan.definition) as part:
        for number in range(5):
            part.add([run_batch(plan.batch(number, plan.definition.seeds))])
        part._file.write(b"batch\tpart of a line")
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.long
def test_after_a_kill_each_batch_is_whole_or_absent(rows, path):
    assert Forked(write_until_killed, path).wait() == -signal.SIGKILL
    with Part(path) as part:
        assert missing_points(part) == [5, 6, 7]
        assert "".join(part.lines()) == text_of(rows[:5])


@pytest.mark.parametrize("point", [-1, 8, 99])
def test_a_batch_of_no_point_of_the_sweep_is_left_out(plan, rows, path, point):
    keep(path, plan, [replace(rows[0], number=point)])
    with Part(path) as part:
        assert part.damaged
        assert missing_points(part) == [*range(8)]


@pytest.mark.parametrize("content", [b"hello" * 1000, b"SQLite format 3\0" + b"\xff" * 5000])
def test_another_file_is_refused_as_a_part(path, content):
    path.write_bytes(content)
    with pytest.raises(LibraryError, match=path.name):
        Part(path)
    assert path.read_bytes()[:5] == content[:5]


def test_a_mistake_of_the_program_is_no_damage(plan, path, monkeypatch):
    Part(path, plan.definition).close()
    monkeypatch.setattr("saves.sweeps.part.restore", Mock(side_effect=TypeError("a mistake")))
    with pytest.raises(TypeError, match="a mistake"):
        Part(path)


def test_a_table_that_exists_is_not_replaced(tmp_path, plan, rows):
    path = written(tmp_path, plan, rows[:1])
    with pytest.raises(LibraryError, match="already exists"):
        write_table(path, plan.layout, ["x"], replace=False)
    write_table(path, plan.layout, [], replace=True)
    assert path.read_text() == plan.layout.header
