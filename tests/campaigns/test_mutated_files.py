"""A file that was damaged at random is read or clearly refused, within 1 s and 100 MB; reading changes no library."""

import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from itertools import starmap
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from engine.game import BadText
from engine.games import parse_game
from saves.encoding.bulk import packed
from saves.files import LARGEST
from saves.formats import json_text, riechel_text
from saves.formats.format import Format
from saves.library.library import Library
from saves.strict_json import MAX_IN_A_ROW, MAX_SIGNS
from tests.campaigns import bounded, fuzz_libraries, fuzz_saves, fuzz_texts
from tests.campaigns.bounded import DamagedInput, Tally, Target, assert_readable, use_input
from tests.saves.brains import made_up

TARGETS: Mapping[Callable[[Path], Target], tuple[int, int]] = {
    fuzz_libraries.libraries: (5_000, 2),
    fuzz_saves.json_files: (10_000, 1),
    fuzz_saves.gallery_files: (10_000, 1),
    fuzz_saves.riechel_texts: (10_000, 1),
    fuzz_texts.settings: (10_000, 1),
    fuzz_texts.positions: (10_000, 1),
    fuzz_texts.records: (10_000, 1),
}
"""The targets, each with its number of damaged inputs at full size and about how many minutes they take."""
HEXAPAWN = parse_game("hexapawn")


def at_full_size(make: Callable[[Path], Target], size: tuple[int, int]) -> object:
    count, minutes = size
    return pytest.param(make, count, marks=pytest.mark.campaign(minutes=minutes))


def use_inputs(target: Target, count: int) -> Tally:
    """Test this many inputs; hypothesis reduces the first that fails, and raises its error."""
    tally = Tally()

    @seed(1)
    @settings(max_examples=count, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(target.inputs.map(DamagedInput))
    def test(damaged: DamagedInput) -> None:
        use_input(target, damaged.data, tally)

    test()
    return tally


@pytest.mark.parametrize(
    ("make", "count"),
    [*((make, 100) for make in TARGETS), *starmap(at_full_size, TARGETS.items())],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_a_damaged_file_is_read_or_refused(make, count, folder, report_line):
    tally = use_inputs(make(folder), count)
    name = make.__name__.replace("_", " ")
    report_line(
        f"{tally.inputs:,} damaged {name}, {100 * tally.valid / tally.inputs:.0f} % valid; "
        f"slowest {1000 * tally.slowest:.0f} ms, most {tally.growth / 2**20:.0f} MB"
    )
    assert tally.inputs >= count
    assert 0 < tally.valid < tally.inputs


def endless(data: bytes) -> bool:
    while data == b"bad":
        pass
    return True


def large(data: bytes) -> bool:
    return bool(bytearray(b"x") * (300 * 2**20 if data == b"bad" else 1))


def careless(data: bytes) -> bool:
    if data == b"bad":
        json.loads("[" * 200_000)
    return True


def talkative(data: bytes) -> bool:
    assert_readable(ValueError({b"bad": "one\ntwo\nthree", b"[1]": "short"}[data]))
    return False


def raw(data: bytes) -> bool:
    assert_readable(ValueError({b"bad": "\x1b[31m", b"[1]": "plain"}[data]))
    return False


@pytest.mark.parametrize(
    ("use", "what"),
    [
        (endless, "was busy for"),
        (large, "the process grew by"),
        (careless, "recursion"),
        (talkative, "of 3 lines"),
        (raw, "not printable"),
    ],
)
def test_a_defective_reader_is_detected(use, what, monkeypatch):
    if use is endless:
        monkeypatch.setattr(bounded, "MAX_BUSY", 0.3)
    use_inputs(Target(st.just(b"[1]"), use), 3)
    with pytest.raises((AssertionError, TimeoutError, RecursionError), match=what):
        use_inputs(Target(st.sampled_from((b"[1]", b"bad")), use), 20)


def writing_before(read: Callable[..., object]) -> Callable[..., object]:
    def writes(library: Library, *args: object) -> object:
        with library.path.open("ab") as file:
            file.write(b"x")
        return read(library, *args)

    return writes


def test_a_library_that_reading_changes_is_detected(folder, monkeypatch):
    target = fuzz_libraries.libraries(folder)
    for name in ("entries", "load", "tally", "stamp", "game_numbers"):
        monkeypatch.setattr(Library, name, writing_before(getattr(Library, name)))
    with pytest.raises(AssertionError, match="reading changed it"):
        use_inputs(target, 20)


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
def test_no_file_takes_too_much_time_or_memory(bombs):
    for format_, make in bombs.values():

        def use(data: bytes, format_: Format = format_) -> bool:
            with pytest.raises(BadText) as caught:
                format_.read(data.decode(), HEXAPAWN)
            assert_readable(caught.value)
            return False

        use_input(Target(st.nothing(), use), make().encode(), Tally())
