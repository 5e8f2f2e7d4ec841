"""A file that was damaged at random is read or clearly refused, within 1 s and 100 MB; reading changes no library."""

import json
import signal
import warnings
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from hypothesis.errors import HypothesisWarning

from saves.encoding.memory import compress
from saves.errors import LibraryError
from saves.files import LARGEST
from saves.formats import json_text, riechel_text
from tests.campaigns.mutations import UNHURRIED
from tests.campaigns.readers import (
    HEXAPAWN,
    QUERIES,
    REFUSALS,
    Reader,
    assert_readable,
    json_files,
    libraries,
    records,
    riechel_texts,
    settings,
)
from tests.saves.brains import made_up

MAX_PROCESSOR_SECONDS = 1.0
MAX_GROWTH_IN_BYTES = 100 * 2**20
INTERRUPT_AFTER_SECONDS = 10
STATUS = Path("/proc/self/status")
READERS_OF_LONG_TESTS = settings, records


@dataclass
class Tally:
    inputs: int = 0
    valid: int = 0
    slowest_seconds: float = 0.0
    growth_in_bytes: int = 0

    def use(self, reader: Reader, data: object) -> None:
        """Let the reader read an input. Raises `AssertionError` if that takes too much time or memory."""
        if STATUS.exists():  # let the peak be the memory in use now (proc_pid_clear_refs(5))
            STATUS.with_name("clear_refs").write_text("5", "ascii")
        before, busy, valid = peak_memory(), process_time(), True
        with interrupted_after(INTERRUPT_AFTER_SECONDS):
            try:
                found = reader.read(data)
            except REFUSALS as error:
                assert_readable(error)
                valid = False
            else:
                reader.check(found)
        busy, growth = process_time() - busy, peak_memory() - before
        self.inputs, self.valid = self.inputs + 1, self.valid + valid
        self.slowest_seconds = max(self.slowest_seconds, busy)
        self.growth_in_bytes = max(self.growth_in_bytes, growth)
        assert busy <= MAX_PROCESSOR_SECONDS, f"it took {busy:.1f} s of the processor"
        assert growth <= MAX_GROWTH_IN_BYTES, f"the process grew by {growth // 2**20} MB"

    def use_many(self, reader: Reader, count: int) -> None:
        @examples(UNHURRIED, max_examples=count)
        @given(reader.inputs)
        def test(data: object) -> None:
            self.use(reader, data)

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", HypothesisWarning)  # it finds the text of a large input too long
            test()


@contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    def interrupt(*_: object) -> None:
        raise TimeoutError(f"it was busy for {seconds:g} s")

    handler = signal.signal(signal.SIGPROF, interrupt)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, handler)


def peak_memory() -> int:
    """Return the peak memory of this process in bytes; 0 on other systems than Linux."""
    lines = STATUS.read_text("ascii").splitlines() if STATUS.exists() else []
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM")), 0)


@pytest.mark.parametrize(
    "make",
    [
        json_files,
        riechel_texts,
        libraries,
        *(pytest.param(each, marks=pytest.mark.long) for each in READERS_OF_LONG_TESTS),
    ],
    ids=lambda make: make.__name__,
)
@pytest.mark.parametrize("count", [40, pytest.param(10_000, marks=pytest.mark.campaign(minutes=1))])
def test_a_damaged_file_is_read_or_refused(make, count, folder, report_line):
    count = count // 2 if make is libraries else count
    tally = Tally()
    tally.use_many(make(folder), count)
    name = make.__name__.replace("_", " ")
    report_line(
        f"{tally.inputs:,} damaged {name}, {100 * tally.valid / tally.inputs:.0f} % valid; "
        f"slowest {1000 * tally.slowest_seconds:.0f} ms, most {tally.growth_in_bytes / 2**20:.0f} MB"
    )
    assert tally.inputs >= count
    assert 0 < tally.valid < tally.inputs


def endless() -> None:
    while True:
        pass


def raises(text: str) -> None:
    raise REFUSALS[0](text)


@pytest.mark.long
@pytest.mark.parametrize(
    ("defect", "what"),
    [
        (endless, "was busy for"),
        (lambda: bytearray(b"x") * (300 * 2**20), "the process grew by"),
        (lambda: json.loads("[" * 200_000), "recursion"),
        (lambda: raises("one\ntwo\nthree"), "of 3 lines"),
        (lambda: raises("\x1b[31m"), "not printable"),
    ],
)
def test_a_defective_reader_is_detected(defect, what, monkeypatch):
    if defect is endless:
        monkeypatch.setattr("tests.campaigns.test_mutated_files.INTERRUPT_AFTER_SECONDS", 0.3)
    Tally().use_many(Reader(st.just(b"[1]"), bytes), 3)
    with pytest.raises((AssertionError, TimeoutError, RecursionError), match=what):
        Tally().use_many(Reader(st.sampled_from((b"[1]", b"bad")), lambda data: data == b"bad" and defect()), 20)


def test_a_library_that_reading_changes_is_detected(folder, monkeypatch):
    reader, (_, tally_of_games, _, stamp_of_a, *_) = libraries(folder), QUERIES

    def writes(*_: object) -> None:
        (folder / "library" / "library.sqlite").write_bytes(b"x")
        raise LibraryError("changed")

    for name in ("library.Library.load", "library.Library.stamp", "game_record.PlayedGames.tally"):
        monkeypatch.setattr(f"saves.library.{name}", writes)
    with pytest.raises(AssertionError, match="reading changed it"):
        Tally().use(reader, ((b"no library", b""), (tally_of_games, stamp_of_a), None))


def json_save(**changes: object) -> str:
    return json.dumps({**json.loads(json_text.write(made_up(HEXAPAWN, 6))), **changes})


# files of the largest size, or with the most members; each once took seconds or hundreds of megabytes
BOMBS = {
    json_text.FORMAT: (
        lambda: "[" + "{}," * (LARGEST // 3 - 10) + "0]",
        lambda: "[" + '{"":{"":{"":{"":0}}}},' * (LARGEST // 23) + "0]",
        lambda: '""' * (LARGEST // 2),
        lambda: json_save(memory={"/" * (LARGEST - 2000): {"a1": 1}}),
        lambda: "{" + "".join(f'"{key}":0,' for key in range(50_000)) + '"49999":0}',
        lambda: json_save(bulk=b64encode(compress(bytes(2**26))).decode()),
    ),
    riechel_text.FORMAT: (
        lambda: "\n" * LARGEST,
        lambda: "1 failures\n" + "ab\n" * (LARGEST // 3 - 10),
        lambda: "1 failures\nW to play\nBBB\n...\nWWW\n" + "(0,0)" * 100_000,
    ),
}


@pytest.mark.long
def test_no_file_takes_too_much_time_or_memory():
    tally = Tally()
    for kind, bombs in BOMBS.items():
        for make in bombs:
            tally.use(Reader(st.nothing(), lambda text, kind=kind: kind.read(text, HEXAPAWN)), make())
    assert tally.valid == 0
