"""Memories that are parameters: packed, in the library, in JSON, damaged, and recovered."""

import json
import sqlite3
from base64 import b64encode
from contextlib import closing
from dataclasses import replace
from zlib import compress

import numpy as np
import pytest

from engine.game import BadText
from engine.games import parse_game
from learners import revive
from learners.core.packed import pack
from learners.ntuple.learner import NTuple
from learners.rewind import moments, rewind_to
from saves import formats
from saves.encoding.check import check_snapshot
from saves.encoding.memory import MAX_BYTES, decompress_parameters
from saves.errors import LibraryError
from saves.formats import export_file, json_text
from saves.library.snapshot_rows import digest_in
from tests.libraries import recovered, sql
from tests.saves.brains import same, train

TICTACTOE = parse_game("tictactoe")
FEW = {"tuples": 4, "length": 4}
GAMES = 30


@pytest.fixture(scope="module")
def network():
    return train(NTuple(TICTACTOE, "small", 5, FEW), GAMES)


@pytest.fixture
def library(library, network):
    library.save("a", network)
    return library


def test_a_network_whose_size_is_drawn_can_be_kept():
    snapshot = NTuple(parse_game("connectfour"), "thill", 1).snapshot()
    assert same(check_snapshot(snapshot), snapshot)


def test_data_that_are_no_parameters_are_refused():
    with pytest.raises(BadText, match="5 bytes are no parameters of 4 bytes each"):
        decompress_parameters(compress(b"12345"))


def test_a_library_keeps_every_checkpoint(library, network):
    loaded = library.load("a")
    assert same(loaded, network)
    assert [*loaded.checkpoints] == [1, 2, 5, 10, 20]
    for rounds in moments(network):
        then = rewind_to(loaded, rounds)
        again = NTuple(TICTACTOE, "small", 5, FEW)
        again.train(rounds)
        assert np.array_equal(then.memory, again.memory)
        assert then.generator == again.snapshot().generator


def test_training_again_from_a_checkpoint_gives_the_same_result(library, network):
    learner = revive(library.load("a@10"))
    assert same(train(learner, GAMES - 10), network)


def test_a_deleted_save_leaves_no_parameters(library, network):
    library.save("a", network, replace=True)
    assert sql(library, "SELECT count(*) FROM parameters") == [(6,)]
    assert sql(library, "PRAGMA foreign_key_check") == []


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        ("UPDATE parameters SET numbers = x'00' WHERE rounds = 30", "incomplete|header|cut off"),
        ("DELETE FROM parameters WHERE rounds = 30", "there are no parameters after '30' rounds"),
        ("DELETE FROM parameters WHERE rounds = 5", "there are no parameters after '5' rounds"),
        (
            "INSERT INTO memory VALUES (1, '.../.../... X', 'b2', 1, 0)",
            "should hold parameters, but holds numbers of moves",
        ),
    ],
)
def test_a_damaged_network_is_reported_in_a_sentence(library, edit, message):
    sql(library, edit)
    with pytest.raises(LibraryError, match=f"the save 'a' in .* cannot be used: .*({message})"):
        library.load("a")


def test_the_digest_covers_the_parameters(library):
    with closing(sqlite3.connect(library.path)) as db:
        db.row_factory = sqlite3.Row
        (kept,) = db.execute("SELECT digest FROM save").fetchone()
        assert digest_in(db, 1) == kept
        db.execute("UPDATE parameters SET numbers = x'00' WHERE rounds = 1")
        assert digest_in(db, 1) != kept


def test_a_save_whose_checkpoint_is_damaged_is_recovered_without_checkpoints(library, network):
    sql(library, "UPDATE parameters SET numbers = x'00' WHERE rounds = 5")
    (save,) = recovered(library.path).saves
    assert "checkpoints are lost" in save.trouble
    assert np.array_equal(library.load("a").memory, network.memory)
    assert library.load("a").checkpoints == {}


def test_a_save_whose_parameters_are_all_damaged_is_lost(library):
    sql(library, "UPDATE parameters SET numbers = x'00'")
    (save,) = recovered(library.path).saves
    assert (save.name, save.lost) == ("a", True)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("?", "the parameters cannot be unpacked: "),
        ("", "its memory has 648 parameters, not 0"),
        (b64encode(compress(bytes(12))).decode(), "its memory has 648 parameters, not 3"),
        ({}, "'memory' is not a string"),
    ],
)
def test_a_json_file_with_another_memory_is_refused(network, written, message):
    document = json.loads(json_text.write(network))
    document["memory"] = written
    with pytest.raises(BadText, match=f"{message}"):
        json_text.read(json.dumps(document, indent=1), None)
    document = json.loads(json_text.write(network))
    document["checkpoints"]["5"]["memory"] = written
    with pytest.raises(BadText, match=f"{message}"):
        json_text.read(json.dumps(document, indent=1), None)


def test_a_checkpoint_at_the_present_round_equals_the_memory():
    now = train(NTuple(TICTACTOE, "small", 5, FEW), 20)
    other = replace(now.checkpoints[20], packed_memory=pack(-now.memory))
    with pytest.raises(BadText, match="after 20 games, the memory and the checkpoint differ"):
        check_snapshot(replace(now, checkpoints={**now.checkpoints, 20: other}))


def test_the_largest_network_can_be_stored():
    from learners.ntuple.network import MAX_WEIGHTS

    assert 4 * MAX_WEIGHTS <= MAX_BYTES


def test_a_file_that_could_not_be_read_is_not_written(tmp_path, network, monkeypatch):
    monkeypatch.setattr(formats, "LARGEST", 1000)
    with pytest.raises(BadText, match="that can be imported again"):
        export_file(network, tmp_path / "a.json")
