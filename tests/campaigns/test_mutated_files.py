"""A file that was changed at random is read or clearly refused, within 1 s and 100 MB; reading changes no library.

Inputs that make two lines of the readers run one after the other for the first time are mutated further.
"""

import json
import os
import signal
from base64 import b64encode, b85decode
from collections.abc import Callable, Mapping
from itertools import starmap
from pathlib import Path
from random import Random
from time import process_time
from zlib import decompress

import pytest

from engine.game import BadText
from engine.games import parse_game
from saves.encoding.bulk import packed
from saves.files import LARGEST
from saves.formats import json_text, riechel_text
from saves.formats.format import Format
from saves.library.library import Library
from saves.strict_json import MAX_IN_A_ROW, MAX_SIGNS
from tests.campaigns import fuzz_libraries, fuzz_run, fuzz_saves, fuzz_texts, nested_branches
from tests.campaigns.coverage_guide import lines_of
from tests.campaigns.fuzz_run import Failure, Tally, Target, run
from tests.saves.brains import made_up

TARGETS: Mapping[Callable[[Path], Target], tuple[int, int]] = {
    fuzz_libraries.libraries: (25_000, 2),
    fuzz_saves.json_files: (25_000, 1),
    fuzz_saves.gallery_files: (25_000, 1),
    fuzz_saves.riechel_texts: (50_000, 1),
    fuzz_texts.settings: (50_000, 1),
    fuzz_texts.positions: (50_000, 1),
    fuzz_texts.records: (50_000, 1),
}
"""The fuzz targets, each with its number of mutations at full size and about how many minutes they take."""
HEXAPAWN = parse_game("hexapawn")


def at_full_size(make: Callable[[Path], Target], size: tuple[int, int]) -> object:
    count, minutes = size
    return pytest.param(make, count, marks=pytest.mark.campaign(minutes=minutes))


@pytest.mark.parametrize(
    ("make", "count"),
    [*((make, 200) for make in TARGETS), *starmap(at_full_size, TARGETS.items())],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_a_mutated_file_is_read_or_refused(make, count, folder, report_line):
    target = make(folder)
    tally = run(target, count, folder)
    known = lines_of(target.modules)
    name = make.__name__.replace("_", " ")
    report_line(
        f"{tally.inputs:,} mutations of {name}, {100 * tally.valid / tally.inputs:.0f} % valid; "
        f"slowest {1000 * tally.slowest:.0f} ms ({1000 * tally.slowest_wall_clock:.0f} by the clock), "
        f"most {tally.growth / 2**20:.0f} MB; "
        f"{len(tally.lines & known):,} of {len(known):,} lines of its readers reached"
    )
    assert not tally.failures, "\n\n".join(map(str, tally.failures))
    assert tally.inputs == count
    assert 0 < tally.valid < count
    assert tally.traced


def run_inputs(use: Callable[[bytes], bool], inputs: list[bytes], folder: Path) -> Tally:
    """Run a test on these inputs, without mutations."""
    return run(Target("try", inputs, lambda *_: b"", use, (), traced=0), len(inputs), folder)


def killed(data: bytes) -> bool:
    if data == b"bad":
        os.kill(os.getpid(), signal.SIGKILL)
    return True


def endless(data: bytes) -> bool:
    while data == b"bad":
        pass
    return True


def slow(data: bytes) -> bool:
    begun = process_time()
    while data == b"bad" and process_time() - begun < 0.2:
        pass
    return True


def large(data: bytes) -> bool:
    return bool(bytearray(b"x") * (300 * 2**20 if data == b"bad" else 1))


def careless(data: bytes) -> bool:
    if data == b"bad":
        json.loads("[" * 200_000)
    return True


def talkative(data: bytes) -> bool:
    fuzz_saves.assert_readable(ValueError({b"bad": "one\ntwo\nthree", b"[1]": "short"}[data]))
    return False


def raw(data: bytes) -> bool:
    fuzz_saves.assert_readable(ValueError({b"bad": "\x1b[31m", b"[1]": "plain"}[data]))
    return False


def long(data: bytes) -> bool:
    fuzz_saves.assert_readable(ValueError("x" * (10_000 if data == b"bad" else 10)))
    return False


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("use", "what"),
    [
        (killed, "the interpreter ended with -9"),
        (endless, "was busy for"),
        (slow, "s of the processor"),
        (large, "the process grew by"),
        (careless, "RecursionError"),
        (talkative, "of 3 lines"),
        (raw, "not printable"),
        (long, "10,000 characters"),
    ],
)
def test_a_defective_reader_is_detected(use, what, folder, monkeypatch):
    monkeypatch.setattr(fuzz_run, "MAX_BUSY", 0.5 if use is endless else 20.0)
    monkeypatch.setattr(fuzz_run, "MAX_SECONDS", 0.05)
    assert not run_inputs(use, [b"[1]"] * 3, folder).failures
    tally = run_inputs(use, [b"[1]", b"bad", b"[1]"], folder)
    assert tally.inputs == 3
    assert [failure.data for failure in tally.failures] == [b"bad"]
    assert what in str(tally.failures[0])


def writing_before(read: Callable[..., object]) -> Callable[..., object]:
    def writes(library: Library, *args: object) -> object:
        with library.path.open("ab") as file:
            file.write(b"x")
        return read(library, *args)

    return writes


def test_a_library_that_reading_changes_is_detected(folder, monkeypatch):
    place = folder / "1"
    place.mkdir()
    target = fuzz_libraries.libraries(place)
    assert not run(target, len(target.seeds), folder).failures
    for name in ("entries", "load", "tally", "stamp", "game_numbers"):
        monkeypatch.setattr(Library, name, writing_before(getattr(Library, name)))
    assert "reading changed it" in str(run(target, len(target.seeds), folder).failures[0])


def test_an_input_that_reaches_a_new_line_is_mutated_further(folder):
    """Random input finds one letter at a time: without the corpus, the whole word would almost never occur."""

    def longer(random, data, _):
        return data + bytes([random.randrange(97, 123)])

    for traced, expected in ((1, True), (0, False)):
        tally = run(Target("try", [b""], longer, nested_branches.accepts, (nested_branches,), traced), 2000, folder)
        assert bool(tally.valid) == expected


# files of the largest size, or with the most members; each once took seconds or hundreds of megabytes
BOMBS: dict[str, tuple[Format, Callable[[], str]]] = {
    "objects": (json_text.FORMAT, lambda: "[" + "{}," * (LARGEST // 3 - 10) + "0]"),
    "objects in objects": (json_text.FORMAT, lambda: "[" + '{"":{"":{"":{"":0}}}},' * (LARGEST // 23) + "0]"),
    "strings": (json_text.FORMAT, lambda: '""' * (LARGEST // 2)),
    "a position": (json_text.FORMAT, lambda: json_save(memory={"/" * (LARGEST - 2000): {"a1": 1}})),
    "a key twice": (json_text.FORMAT, lambda: "{" + "".join(f'"{key}":0,' for key in range(50_000)) + '"49999":0}'),
    "a bulk": (json_text.FORMAT, lambda: json_save(bulk=b64encode(packed(bytes(2**26))).decode())),
    "lines": (riechel_text.FORMAT, lambda: "\n" * LARGEST),
    "lines of something": (riechel_text.FORMAT, lambda: "1 failures\n" + "ab\n" * (LARGEST // 3 - 10)),
    "squares": (riechel_text.FORMAT, lambda: "1 failures\nW to play\nBBB\n...\nWWW\n" + "(0,0)" * 100_000),
}
NEARLY_TOO_LARGE: dict[str, tuple[Format, Callable[[], str]]] = {
    "objects": (json_text.FORMAT, lambda: "[" + "{}," * (MAX_SIGNS // 3 - 2) + "0]"),
    "objects in objects": (json_text.FORMAT, lambda: "[" + '{"":{"":{"":{"":0}}}},' * (MAX_SIGNS // 9 - 2) + "0]"),
    "moments": (json_text.FORMAT, lambda: json_save(history=[dict(made_up(HEXAPAWN, 6).stats)] * (MAX_SIGNS // 10))),
    "settings": (json_text.FORMAT, lambda: json_save(settings=dict.fromkeys(map(str, range(MAX_SIGNS - 9999)), 0))),
    "settings in settings": (
        json_text.FORMAT,
        lambda: json_save(settings={str(row): dict.fromkeys(map(str, range(MAX_IN_A_ROW)), 0) for row in range(38)}),
    ),
    "positions": (
        json_text.FORMAT,
        lambda: json_save(memory={str(n): {"a1": 1} for n in range(MAX_SIGNS // 3 - 3333)}),
    ),
    "lines": (riechel_text.FORMAT, lambda: "\n" * riechel_text.LARGEST),
    "lines of something": (riechel_text.FORMAT, lambda: "1 failures\n" + "ab\n" * (riechel_text.LARGEST // 3 - 10)),
    "squares": (riechel_text.FORMAT, lambda: f"1 failures\nW to play\nBBB\n...\nWWW\n{'(0,0)' * 400_000}"),
}


def json_save(**changes: object) -> str:
    return json.dumps({**json.loads(json_text.write(made_up(HEXAPAWN, 6))), **changes})


@pytest.mark.long
@pytest.mark.parametrize(
    "bombs", [BOMBS, pytest.param(NEARLY_TOO_LARGE, marks=pytest.mark.campaign)], ids=["whole", "nearly"]
)
def test_no_file_takes_too_much_time_or_memory(bombs, folder):
    for format_, make in bombs.values():

        def use(data: bytes, format_: Format = format_) -> bool:
            with pytest.raises(BadText) as caught:
                format_.read(data.decode(), HEXAPAWN)
            fuzz_saves.assert_readable(caught.value)
            return False

        tally = run_inputs(use, [b"[]", make().encode()], folder)
        assert tally.inputs == 2
        assert not tally.failures


def test_an_input_that_found_a_fault_is_reported_in_full():
    data = bytes(range(256)) * 100
    text = str(Failure("library", "it took 2 s", data))
    assert "of 25,600 bytes" in text
    assert decompress(b85decode(text.rpartition(": ")[2])) == data
    assert len(str(Failure("library", "", Random(1).randbytes(100_000)))) < 10_000
