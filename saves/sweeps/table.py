"""The finished table of a sweep: written as CSV or Parquet, piece by piece, and read column by column.

The app keeps its sweeps in a folder beside the library, which the first sweep creates.
"""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from io import BytesIO, StringIO
from pathlib import Path
from types import ModuleType
from typing import BinaryIO, Final

from engine.game import BadText, quoted
from learners.sweep.layout import ColumnType, Layout, layout_of
from learners.sweep.point import setting_text
from saves.errors import LibraryError, file_errors, reason
from saves.files import is_there, write_text
from saves.paths import path_text
from saves.sweeps.part import SUFFIX, Part, part_path

PARQUET: Final = ".parquet"
CSV: Final = ".csv"
READING_ERRORS: Final = (OSError, ValueError, OverflowError, csv.Error)
"""What the csv module and pyarrow may raise when they read a file of any content, such as a date in the year 10000."""
ROWS_AT_ONCE: Final = 8192
"""How many rows are read, or written to Parquet, at once."""


def require_output(path: Path) -> None:
    """Raise `BadText` for a name that ends in neither `.csv` nor `.parquet`, or if a package for it is missing."""
    if path.suffix not in (CSV, PARQUET):
        raise BadText(f"{quoted(path.name)} names neither CSV nor Parquet: let it end in {CSV} or {PARQUET}")
    if path.suffix == PARQUET:
        _pyarrow()


def _pyarrow() -> ModuleType:
    try:
        arrow = import_module("pyarrow")
        import_module("pyarrow.csv")
        import_module("pyarrow.parquet")
    except ImportError as error:
        raise BadText("Parquet needs the package pyarrow: pip install 'noughts[sweep]', or choose .csv") from error
    return arrow


def write_table(path: Path, layout: Layout, texts: Iterable[str], *, replace: bool) -> None:
    """Write a table: the header, and the lines; each of `texts` has many lines. Raises `LibraryError`, `BadText`."""
    require_output(path)

    def write_csv(file: BinaryIO) -> None:
        file.write(layout.header.encode())
        file.writelines(text.encode() for text in texts)

    def write_parquet(file: BinaryIO) -> None:
        arrow = _pyarrow()
        schema = arrow.schema([(name, _arrow_type(arrow, kind)) for name, kind in layout.columns.items()])
        reading = {
            "read_options": arrow.csv.ReadOptions(column_names=schema.names, use_threads=False),
            "parse_options": arrow.csv.ParseOptions(newlines_in_values=True),
            "convert_options": arrow.csv.ConvertOptions(
                column_types=schema, strings_can_be_null=True, quoted_strings_can_be_null=False, null_values=[""]
            ),
        }
        with arrow.parquet.ParquetWriter(file, schema) as writer:
            for text in _join_texts(texts):
                writer.write_table(arrow.csv.read_csv(BytesIO(text.encode()), **reading))

    write_text(path, write_parquet if path.suffix == PARQUET else write_csv, replace=replace)


def _arrow_type(arrow: ModuleType, kind: ColumnType) -> object:
    return {
        ColumnType.TEXT: arrow.string(),
        ColumnType.WHOLE: arrow.int64(),
        ColumnType.NUMBER: arrow.float64(),
        ColumnType.FLAG: arrow.bool_(),
    }[kind]


def _join_texts(texts: Iterable[str]) -> Iterator[str]:
    """Join texts to longer ones of at least `ROWS_AT_ONCE` lines, except the last."""
    parts, lines = list[str](), 0
    for text in texts:
        parts.append(text)
        lines += text.count("\n")
        if lines >= ROWS_AT_ONCE:
            yield "".join(parts)
            parts, lines = [], 0
    if parts:
        yield "".join(parts)


def json_lines(layout: Layout, texts: Iterable[str]) -> Iterator[str]:
    """Yield every line of a table as a JSON object; `null` for an empty cell."""
    columns = layout.columns
    read: dict[ColumnType, Callable[[str], object]] = {
        ColumnType.TEXT: str,
        ColumnType.WHOLE: int,
        ColumnType.NUMBER: float,
        ColumnType.FLAG: "true".__eq__,
    }
    for cells in csv.reader(line for text in texts for line in StringIO(text, newline="")):
        yield json.dumps(
            {
                name: read[kind](cell) if cell else None
                for (name, kind), cell in zip(columns.items(), cells, strict=True)
            },
            ensure_ascii=False,
        )


class SweepTable:
    """Reads the table of a sweep, or of a stopped sweep the finished batches. Raises `LibraryError`."""

    def __init__(self, path: Path) -> None:
        """Open the table in a file."""
        self._path = path
        self.unfinished = not is_there(path) and is_there(part_path(path))
        """Whether machines are missing, since the sweep was stopped; it can be resumed."""
        with self._translate_errors():
            self.columns = self._columns()

    def rows(self, wanted: Sequence[str]) -> Iterator[Sequence[str]]:
        """Yield the cells of these columns, row by row, as they are in CSV."""
        with self._translate_errors():
            yield from self._rows(wanted)

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        try:
            yield
        except READING_ERRORS as error:
            why = str(error).partition("\n")[0]
            if isinstance(error, OSError) and error.errno:
                why = reason(error)
            raise LibraryError(f"{path_text(self._path)} cannot be read as the table of a sweep: {why}") from error

    def _columns(self) -> tuple[str, ...]:
        if self.unfinished:
            with Part(part_path(self._path)) as part:
                return tuple(layout_of(part.definition.points()).columns)
        if self._path.suffix == PARQUET:
            return tuple(_pyarrow().parquet.read_schema(self._path).names)
        with self._lines() as lines:
            return tuple(next(csv.reader(lines), ()))

    def _rows(self, wanted: Sequence[str]) -> Iterator[Sequence[str]]:
        places = [self.columns.index(name) for name in wanted]
        if self._path.suffix == PARQUET and not self.unfinished:
            with _pyarrow().parquet.ParquetFile(self._path) as file:
                for batch in file.iter_batches(ROWS_AT_ONCE, columns=list(wanted)):
                    columns = ([_cell_text(value) for value in batch[name].to_pylist()] for name in wanted)
                    yield from zip(*columns, strict=True)
            return
        with self._lines() as lines:
            cells = csv.reader(lines, strict=True)
            if not self.unfinished:
                next(cells, None)
            for row in cells:
                if len(row) != len(self.columns):
                    raise csv.Error(f"line {cells.line_num:,} has {len(row):,} cells, not {len(self.columns):,}")
                yield tuple(row[place] for place in places)

    @contextmanager
    def _lines(self) -> Iterator[Iterable[str]]:
        if self.unfinished:
            with Part(part_path(self._path)) as part:
                yield (line for text in part.lines() for line in StringIO(text, newline=""))
        else:
            if is_there(self._path) and not self._path.is_file():
                raise LibraryError(f"{path_text(self._path)} is not a file: choose another one")
            with self._path.open(encoding="utf-8-sig", newline="") as file:
                yield file


def _cell_text(value: object) -> str:
    return "" if value is None else setting_text(value)


FOLDER: Final = "sweeps"


@dataclass(frozen=True)
class KeptSweep:
    """A sweep in the folder of sweeps."""

    path: Path
    """The table. It does not exist yet while the sweep is unfinished."""
    unfinished: bool


def sweep_folder(library: Path) -> Path:
    """Return the folder for the sweeps beside a library."""
    return library.absolute().parent / FOLDER


def kept_sweeps(folder: Path) -> list[KeptSweep]:
    """Return the sweeps in a folder, the newest first. Raises `LibraryError`."""
    if not is_there(folder):
        return []
    sweeps: list[tuple[float, KeptSweep]] = []
    with file_errors(f"{path_text(folder)} cannot be read"):
        for path in folder.iterdir():
            unfinished = path.suffix == SUFFIX
            table = path.with_suffix("") if unfinished else path
            if table.suffix in (CSV, PARQUET):
                sweeps.append((path.stat().st_mtime, KeptSweep(table, unfinished)))
    return [sweep for _, sweep in sorted(sweeps, key=lambda pair: pair[0], reverse=True)]


def new_table(folder: Path, stem: str) -> Path:
    """Return an unused path for a table: `STEM.csv`, `STEM-2.csv` …; create the folder. Raises `LibraryError`."""
    with file_errors(f"{path_text(folder)} cannot be created"):
        folder.mkdir(parents=True, exist_ok=True)
    path, number = folder / f"{stem}{CSV}", 1
    while is_there(path) or is_there(part_path(path)):
        number += 1
        path = folder / f"{stem}-{number}{CSV}"
    return path
