"""The page `docs/formats.md` names what the code writes: tables, columns, keys, settings, games and limits."""

import json
import re
from contextlib import closing

import pytest

from docs.import_graph import ROOT
from engine.games import GAMES, parse_game
from lab.board.seating import seating_choices, seating_for
from learners import LEARNERS
from learners.core.save_ref import MAX_NAME
from learners.core.snapshot import MAX_LEARNER_ROUNDS
from learners.core.spec import COMMON_STATS
from saves import files, settings, strict_json
from saves.encoding import check, memory
from saves.formats import FORMATS, json_text, riechel_text
from saves.library.game_record import OUTCOMES
from saves.sqlite import guard
from saves.sqlite.database import empty_library
from saves.sqlite.header import APPLICATION
from saves.sqlite.schema_versions import latest_version

PAGE = (ROOT / "docs/formats.md").read_text("utf-8")
CODE = set(re.findall(r"`([^`\n]+)`", PAGE))
FENCED = re.findall(r"^```(\w*)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def section(title: str) -> str:
    """The text under a heading, to the next heading of the same or a higher level."""
    level, start = re.search(rf"^(#+) {re.escape(title)}$", PAGE, re.MULTILINE).group(1), PAGE.index(f" {title}\n")
    return re.split(rf"^#{{1,{len(level)}}} ", PAGE[start:], maxsplit=1, flags=re.MULTILINE)[0]


def test_every_table_view_index_and_column_is_named():
    with closing(empty_library()) as db:
        names = dict(db.execute("SELECT name, type FROM sqlite_schema").fetchall())
        assert {"save", "remembered"} <= names.keys() <= CODE
        for name, kind in names.items():
            columns = {row["name"] for row in db.execute(f"PRAGMA table_info({name})")}
            assert columns <= CODE, (kind, name)


def test_the_versions_are_those_of_the_code():
    assert f"The schema has the version {latest_version()}" in section("Versions")
    assert f"| `version` | number | {json_text.VERSION} |" in section("JSON saves")
    assert f"0x{APPLICATION:X}" in CODE


def test_the_example_has_the_keys_of_a_json_save():
    (example,) = [json.loads(text) for language, text in FENCED if language == "json"]
    assert (example.pop("format"), example.pop("version")) == (json_text.NAME, json_text.VERSION)
    assert [*example] == [*json_text.FIELDS]
    assert all(type(example[key]) is kind for key, kind in json_text.FIELDS.items())
    assert all([*each] == [*json_text.CHECKPOINT_FIELDS] for each in example["checkpoints"].values())
    assert {*json_text.FIELDS, "format", "version"} <= CODE


def test_the_example_of_a_failure_list_can_be_read():
    (text,) = [text for language, text in FENCED if not language]
    assert riechel_text.write(riechel_text.read(text, None)) == text


def test_the_example_queries_run():
    (queries,) = [text for language, text in FENCED if language == "sql"]
    with closing(empty_library()) as db:
        for query in queries.split(";")[:2]:
            assert db.execute(query).fetchall() == []


def test_games_learners_statistics_and_outcomes_are_named():
    described = re.findall(r"^\| `(\w+)` \| (\S, \S) \| `([^`]+)` \|", PAGE, re.MULTILINE)
    assert len(described) >= 4
    for name, marks, start in described:
        game = parse_game(name)
        assert (", ".join(game.marks), game.to_text(game.start)) == (marks, start)
    told = [kind for kind in LEARNERS if kind.spec.name in CODE]
    assert {kind.spec.name for kind in told} >= {"failures", "menace", "genetic", "q", "td", "ntuple"}
    assert {*COMMON_STATS, *OUTCOMES, *(each.key for kind in told for each in kind.spec.statistics)} <= CODE
    assert all(f"FILE{each.suffix}" in PAGE for each in FORMATS)


def test_every_setting_is_named():
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "tui").rglob("*.py"))
    chosen = set(re.findall(r'\._?(?:set_preference|preference)\("([^"]+)"', sources))
    assert {"theme", "blunder check"} <= chosen
    assert chosen | seating_choices(seating_for(GAMES[0])).keys() <= CODE


@pytest.mark.parametrize(
    "limit",
    [
        f"{files.LARGEST // 2**20} MiB; {files.LARGEST // files.NON_ASCII_DIVISOR // 2**20} MiB if it is not",
        f"{riechel_text.LARGEST:,} characters, and {riechel_text.MAX_LINE} for",
        f"{settings.LARGEST // 2**10} KiB; {settings.LARGEST // files.NON_ASCII_DIVISOR // 2**10} KiB if they are not",
        f"{strict_json.MAX_DEPTH} nested brackets",
        *(f"{most:,} {name}" for name, (_, most) in strict_json.SIGNS.items()),
        f"{strict_json.MAX_IN_A_ROW:,} values in a row",
        f"a value in the library | {guard.MAX_VALUE_BYTES // 2**20} MiB",
        f"an unpacked bulk | {memory.MAX_BYTES // 2**20} MiB",
        f"checkpoints | {memory.MAX_CHECKPOINTS}",
        f"rounds, games | 10^{len(str(MAX_LEARNER_ROUNDS)) - 1}",
        f"other statistics | 10^{len(str(check.LARGEST_COUNT)) - 1}",
        f"at most {MAX_NAME} characters",
    ],
)
def test_limits_are_those_of_the_code(limit: str):
    assert limit in PAGE
