"""A damaged library is kept, never overwritten; at most what was saved since the last backup is lost.

What SQL can still read of it is added, and the report is correct.
"""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import Outcome
from engine.games import parse_game
from engine.games.hexapawn import THREE_BY_THREE as HEXAPAWN
from engine.match import Record
from learners.menace.learner import Menace
from saves.errors import LibraryError
from saves.library.library import Library
from saves.library.recovery import recover
from tests.campaigns.mutations import UNHURRIED
from tests.campaigns.readers import assert_readable
from tests.libraries import own_names
from tests.saves.brains import boxed, made_up, same, train

GAME = parse_game("hexapawn")
RECORD = Record(HEXAPAWN, ("human", "random"), (), Outcome.DRAW)
PAGE = 4096
DAMAGES = "overwrite", "clear", "cut out", "swap", "flip", "cut off"
SINCE = {"failures 1": made_up(GAME, 37, 123), "since": made_up(GAME, 44, 124)}
"""What is saved after the backup: a later state of a save in it, and a new one."""


def made_up_saves():
    trained = train(Menace(GAME, "her", 3), 400)
    failures = {f"failures {seed}": made_up(GAME, 20 + 10 * seed, seed) for seed in range(10)}
    return {**failures, "boxes": boxed(), "trained": trained, "deleted": made_up(GAME, 30, 99)}


def write_library(path, saves):
    library = Library(path)
    for name, snapshot in saves.items():
        library.save(name, made_up(GAME, 150, 77))  # this save leaves free pages when it is replaced
        library.save(name, snapshot, replace=True)
    library.delete("deleted")
    library.keep_backup()
    for name, snapshot in SINCE.items():
        library.save(name, snapshot, replace=True)
    for _ in range(5):
        library.games.add(RECORD)
    return path.read_bytes()


def damage(data, kind, random):
    """Damage a library in place. Hypothesis reduces the kinds; it would draw places near the beginning too often."""
    at, *pages = random.randrange(len(data) + 1), *(random.randrange(len(data) // PAGE + 1) * PAGE for _ in range(2))
    page, other = (slice(start, start + PAGE) for start in pages)
    length = random.choice((1, 1, 4, 60, 512, 1000, PAGE, 3 * PAGE))
    if kind == "overwrite":
        data[at : at + length] = random.randbytes(len(data[at : at + length]))
    elif kind == "clear":
        data[page] = bytes(len(data[page]))
    elif kind == "cut out":
        del data[page.start : page.start + length]
    elif kind == "swap":
        data[page], data[other] = data[other], data[page]
    elif kind == "cut off":
        del data[at:]
    else:
        for place in random.sample(range(len(data)), min(len(data), random.choice((1, 10)))):
            data[place] ^= 1 << random.randrange(8)


def check_report(path, saves, damaged, tally):
    """Recover a damaged library, and compare the report with its content before the damage."""
    for left in path.parent.iterdir():
        if left.is_file():  # the backups are in a folder
            left.unlink()
    path.write_bytes(damaged)
    try:
        recovery = recover(path)
    except LibraryError as error:
        assert_readable(error)
        assert path.read_bytes() == damaged
        tally["refused"] += 1
        return
    if recovery is None:
        assert path.read_bytes() == damaged
        tally["sound"] += 1
        return
    assert recovery.aside.read_bytes() == damaged
    library = Library(path)
    library.require_writable()
    reported, known = recovery.saves, {**saves, **SINCE}
    assert {*own_names(library)} == {each.name for each in reported if not each.lost and not each.deleted}
    assert recovery.backup is not None
    assert saves.keys() <= {each.name for each in reported if not each.lost}, "a save of the backup is lost"
    for each in reported:
        assert each.trouble.isprintable()
        if each.lost:
            assert each.name not in saves
            tally["lost"] += 1
            continue
        if each.deleted:
            library.undelete(each.name)
        found = library.load(each.name)
        # a later state with a damaged time stands under a number beside that of the backup
        name = each.name if each.name in known else each.name.rpartition(" ")[0]
        before = SINCE.get(name) or saves.get(name)
        if not each.trouble or (each.trouble == "its date could not be read" and before is not None):
            assert before is not None
            assert same(found, before), each
            tally["whole"] += 1
        elif each.trouble.startswith("as it was in the backup"):
            assert same(found, saves[each.name]), each
            tally["from the backup"] += 1
        else:
            assert each.name == "since" or each.name not in saves, each
            tally["in part"] += 1
    tally["recovered"] += 1


@pytest.mark.long
@pytest.mark.parametrize("times", [20, pytest.param(1_000, marks=pytest.mark.campaign(minutes=2))])
def test_the_report_about_a_damaged_library_is_true(tmp_path, report_line, times):
    saves, tally, path = made_up_saves(), Counter(), tmp_path / "library.sqlite"
    whole = write_library(path, saves)

    @settings(UNHURRIED, max_examples=times)
    @given(st.lists(st.tuples(st.sampled_from(DAMAGES), st.integers(0, 2**32)), min_size=1, max_size=5))
    def test(damages):
        data = bytearray(whole)
        for kind, number in damages:
            damage(data, kind, Random(number))
        check_report(path, saves, bytes(data), tally)

    test()
    held = tally["recovered"] * (len(saves) + 1)  # one was saved after the backup
    report_line(
        f"{times:,} damaged libraries of {len(saves)} saves: {tally['recovered']:,} recovered, in them "
        f"{tally['whole']:,} of {held:,} saves whole ({tally['whole'] / held:.1%}), "
        f"{tally['from the backup']:,} from the backup, {tally['in part']:,} in part, {tally['lost']:,} lost, "
        "all of them newer than the backup"
    )
    assert tally["recovered"] > times // 2
    assert tally["whole"] > held // 10  # the rest comes from the backup


def test_a_wrong_claim_is_detected(tmp_path):
    saves = made_up_saves()
    path = tmp_path / "library.sqlite"
    whole = bytearray(write_library(path, saves))
    schema = whole.index(b"CREATE TABLE save")
    whole[schema : schema + 50] = bytes(50)
    whole[24:32] = bytes(8)
    others = {name: made_up(GAME, 21, 5) for name in saves}
    with pytest.raises(AssertionError):
        check_report(path, others, bytes(whole), Counter())
