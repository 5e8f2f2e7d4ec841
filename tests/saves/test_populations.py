"""Populations in files and libraries: stored exactly, and refused in one line if they are wrong."""

import json
import zlib
from base64 import b64decode, b64encode

import numpy as np
import pytest

from engine.game import BadText
from engine.games import parse_game
from learners import revive
from learners.genetic.learner import Genetic
from learners.genetic.view import CHAMPION
from saves.encoding.memory import MAX_BYTES, compress, decompress
from saves.formats.json_text import read, write
from tests.libraries import sql
from tests.saves.brains import boxed, made_up, same, train
from tests.saves.refusing import refuse_edited

GAME = parse_game("hexapawn")
BRED = train(Genetic(GAME, "hochmuth", 1, {"population": 20, "until": "end"}), 12)
GENES = len(BRED.bulk) // 20
TEXT = write(BRED)
DOCUMENT = json.loads(TEXT)
START = "BBB/.../WWW W"


@pytest.fixture
def population(library):
    library.save("a", BRED)
    return library


def test_a_population_is_packed_in_the_library_one_byte_an_allele(population):
    ((blob,),) = sql(population, "SELECT bulk FROM save")
    assert zlib.decompress(blob) == BRED.bulk
    assert zlib.decompress(b64decode(DOCUMENT["bulk"])) == BRED.bulk
    assert sql(population, "SELECT rounds FROM checkpoint ORDER BY rounds") == [(each,) for each in range(1, 13)]


NO_PACKS = {
    "no zlib": (lambda: b"population", "incorrect header check"),
    "cut off": (lambda: compress(BRED.bulk)[:-3], "cut off, has data after its end"),
    "twice": (lambda: compress(BRED.bulk) * 2, "cut off, has data after its end"),
    "a bomb": (lambda: zlib.compress(bytes(MAX_BYTES + 1)), "holds more than 16,777,216 bytes"),
    "a dictionary": (lambda: b"\x78\xbb" + compress(BRED.bulk)[2:], "the bulk cannot be unpacked"),
}


@pytest.mark.parametrize(("make", "what"), NO_PACKS.values(), ids=NO_PACKS)
def test_wrongly_packed_data_is_refused(population, make, what):
    data = make()
    with pytest.raises(BadText, match=what) as caught:
        read(json.dumps({**DOCUMENT, "bulk": b64encode(data).decode()}, indent=1), None)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 200
    refuse_edited(population, "UPDATE save SET bulk = ?", data)


@pytest.mark.parametrize("text", ["?", "ä", b64encode(compress(BRED.bulk)).decode() + "\n"])
def test_wrong_base_64_is_refused_with_its_line(text):
    document = json.dumps({**DOCUMENT, "bulk": text}, indent=1)
    line = document.count("\n", 0, document.index('"bulk"')) + 1
    with pytest.raises(BadText, match=f"^line {line}: the bulk cannot be unpacked: ") as caught:
        read(document, None)
    assert str(caught.value).isprintable()


def with_gene(individual, gene, allele):
    bulk = bytearray(BRED.bulk)
    bulk[individual * GENES + gene] = allele
    return bytes(bulk)


FREE = int(np.flatnonzero(Genetic(GAME, "hochmuth", 1).genome.alleles == 3)[0])
NO_POPULATIONS = {
    "a gene too few": (BRED.bulk[:-1], f"its population is not one of 20 genomes of {GENES} genes"),
    "an allele too high": (with_gene(3, FREE, 3), "its population is not one of 20 genomes"),
    "another allele": (with_gene(0, FREE, (BRED.bulk[FREE] + 1) % 3), "the votes are not those of the population"),
}


@pytest.mark.parametrize(("bulk", "what"), NO_POPULATIONS.values(), ids=NO_POPULATIONS)
def test_a_population_of_other_genomes_is_refused(population, bulk, what):
    with pytest.raises(BadText, match=what):
        read(json.dumps({**DOCUMENT, "bulk": b64encode(compress(bulk)).decode()}), None)
    refuse_edited(population, "UPDATE save SET bulk = ?", compress(bulk), what=what)


def memory_with(**moves):
    """The memory with other numbers at the start position."""
    return {**DOCUMENT["memory"], START: {**DOCUMENT["memory"][START], **moves}}


def stats_with(**numbers):
    return {**DOCUMENT["stats"], **numbers}


def kept_as(memory):
    return {"generator": [], "opponent": "self", "memory": memory, "times": {}}


AT_START = DOCUMENT["memory"][START]
CHOSEN = max(AT_START, key=AT_START.get)
OTHER = next(move for move in ("a1a2", "b1b2") if move != CHOSEN)
VOTES = AT_START[CHOSEN] - CHAMPION


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"memory": memory_with(**{CHOSEN: CHAMPION + VOTES + 1})}, "the votes of a situation are not 20"),
        ({"memory": memory_with(**{CHOSEN: VOTES})}, "the champion must have exactly one move in every situation"),
        (
            {"memory": memory_with(**{OTHER: AT_START.get(OTHER, 0) + CHAMPION})},
            "the champion must have exactly one move",
        ),
        ({"memory": memory_with(c1c2=1)}, "at a move that shares|where no gene decides"),
        ({"memory": {}}, "the champion must have exactly one move"),
        ({"stats": stats_with(generation=0), "history": [], "checkpoints": {}}, "before the first generation"),
        ({"stats": stats_with(lost=10_000)}, "lost is 10,000: it cannot be more than"),
        ({"stats": {**dict.fromkeys(DOCUMENT["stats"], 0), "generation": 12, "perfect": 1}}, "0 of 0 games as lost"),
        ({"stats": stats_with(lost=0)}, "0 of 13 games as lost"),
        ({"stats": stats_with(perfect=1)}, "which is impossible"),
        ({"stats": stats_with(games=1)}, "1 game, but"),
        ({"stats": stats_with(generation=-1)}, "generation must be from"),
        ({"stats": stats_with(generation=10**12 + 1, played=10**15)}, "generation must be from 0 to 1,000,000,000,000"),
        ({"stats": stats_with(generation=11)}, "the generations of the history do not ascend"),
        ({"stats": stats_with(played=0)}, "games is .*: it cannot be more than 0 here"),
        ({"settings": {**DOCUMENT["settings"], "population": 21}}, "are not 21"),
        ({"settings": {**DOCUMENT["settings"], "mutation": "nan"}}, "cannot be 'nan'"),
        ({"opponent": "random"}, "nobody else can train it"),
        ({"times": {START: {CHOSEN: 1}}}, "does not count how often"),
        (
            {"checkpoints": {**DOCUMENT["checkpoints"], "3": kept_as({START: {CHOSEN: 1}})}},
            "do not ascend|votes|champion",
        ),
        ({"checkpoints": {"13": kept_as({})}}, "a checkpoint after 13 generations"),
    ],
)
def test_numbers_that_contradict_the_population_are_refused(changes, what):
    with pytest.raises(BadText, match=what) as caught:
        read(json.dumps({**DOCUMENT, **changes}), None)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("brain", [made_up(GAME, 5), boxed()], ids=["failures", "menace"])
def test_a_population_is_refused_for_other_learners(library, brain):
    with pytest.raises(BadText, match=f"a memory of {brain.learner} has no bulk"):
        read(json.dumps({**json.loads(write(brain)), "bulk": DOCUMENT["bulk"]}), None)
    library.save("a", brain)
    refuse_edited(library, "UPDATE save SET bulk = ?", compress(b"\0"))


@pytest.mark.parametrize(
    "edit",
    [
        "UPDATE memory SET number = number + 1 WHERE position = 'BBB/.../WWW W'",
        "UPDATE memory SET number = number + 1000000 WHERE position = 'BBB/.../WWW W'",
        "DELETE FROM memory",
        "UPDATE save SET settings = '{\"population\": 19}'",
        "UPDATE save SET stats = replace(stats, '\"perfect\": 0', '\"perfect\": 1')",
        "UPDATE checkpoint SET stats = replace(stats, '\"perfect\": 0', '\"perfect\": 1') WHERE kept",
        "UPDATE change SET number = number + 1000 WHERE rounds = 5",
        "UPDATE save SET opponent = 'human'",
    ],
)
def test_an_edited_population_is_refused(population, edit):
    refuse_edited(population, edit)


def test_a_population_that_was_not_stored_is_bred_again(population):
    sql(population, "UPDATE save SET bulk = x''")
    learner, whole = revive(population.load("a")), revive(BRED)
    assert np.array_equal(learner.policy(), whole.policy())
    for each in (learner, whole):
        each.train(3)
    assert same(learner.snapshot(), whole.snapshot())


def test_a_champion_with_a_wrong_seed_can_be_played_against(population):
    sql(population, "UPDATE save SET bulk = x'', seed = seed + 1")
    learner = revive(population.load("a"))
    assert np.array_equal(learner.policy(), revive(BRED).policy())
    with pytest.raises(BadText, match="its seed leads to another population"):
        learner.train(1)


def test_packing_is_reversible_and_an_empty_bulk_stays_empty():
    for bulk in (b"", b"\0", bytes(range(256)) * 1000):
        assert decompress(compress(bulk)) == bulk
    assert compress(b"") == b""
    largest = bytes(10_000 * 827)
    assert decompress(compress(largest)) == largest
