"""The definition of a sweep as data: learners, a grid of settings, opponents, seeds, a budget and marks.

It comes from the options of a command or from TOML, under the same names, and is checked as a whole before anything
runs. `Definition.text` is its canonical form: two definitions of the same machines and marks have the same text.
"""

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice
from math import prod
from typing import Any, Final

from engine.game import BadText, Game, quoted
from engine.games import GAMES, parse_game
from engine.plural import plural
from learners import parse_learner
from learners.core.generator import LARGEST_SEED
from learners.core.learner import Learner
from learners.core.spec import split_preset
from learners.core.training import MAX_ROUNDS
from learners.sweep.point import Point, parse_point, setting_text

USUAL_SEEDS: Final = 20
USUAL_ROUNDS: Final = {"game": 10_000, "generation": 100}
"""How many rounds a machine trains by default, by `LearnerSpec.round_noun`."""
MAX_POINTS: Final = 100_000
MAX_SEEDS: Final = 10**9
MAX_MARKS: Final = 1000
MAX_VALUES: Final = 10_000
"""The maximum number of values of one setting."""
RANGE: Final = ".."
"""Stands between the first and the last number of a range: `0..5`."""
KEYS: Final = (
    *("learner", "preset", "game", "opponent", "set", "grid", "sample", "sample_seed"),
    *("seeds", "seed", "games", "generations", "marks"),
)
"""What a definition can contain, as in TOML; the options of the command have dashes instead of underscores."""


@dataclass(frozen=True)
class Definition:
    """A sweep in canonical form. Settings are written as for `--set`; anything left out has its default."""

    learners: tuple[tuple[str, str], ...]
    """The name and the preset of each learner."""
    game: Game
    opponents: tuple[str, ...]
    """The labels of the opponents; empty for the usual opponent of each learner."""
    fixed: tuple[tuple[str, str], ...]
    """The settings that are the same at every point."""
    grid: tuple[tuple[str, tuple[str, ...]], ...]
    """The values of the settings that vary."""
    sample: int
    """How many points of the grid to draw at random; 0 for all."""
    sample_seed: int
    seeds: range
    budgets: tuple[tuple[str, int], ...]
    """The number of rounds of each machine, by `LearnerSpec.round_noun`."""
    marks: tuple[int, ...]
    """The numbers of rounds at which machines are judged, ascending; each is also judged at the end of its budget."""

    @property
    def document(self) -> dict[str, Any]:
        """The definition with the keys of TOML, from which `define` makes the same one."""
        document: dict[str, Any] = {"learner": list(map(":".join, self.learners)), "game": self.game.name}
        if self.opponents:
            document["opponent"] = list(self.opponents)
        document["set"] = dict(self.fixed)
        document["grid"] = {key: list(values) for key, values in self.grid}
        if self.sample:
            document |= {"sample": self.sample, "sample_seed": self.sample_seed}
        document |= {"seeds": len(self.seeds), "seed": self.seeds[0]}
        document |= {plural(noun, 2): rounds for noun, rounds in self.budgets}
        document["marks"] = list(self.marks)
        return document

    @property
    def text(self) -> str:
        """The definition as canonical JSON. The order of settings matters, since it is the order of the points."""
        return json.dumps(self.document, ensure_ascii=False, separators=(",", ":"))

    @property
    def digest(self) -> str:
        """The SHA-256 of the text, in hexadecimal digits."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def marks_of(self, learner: str) -> tuple[int, ...]:
        """Return the numbers of rounds at which the machines of a learner are judged, ascending, the budget last."""
        budget = dict(self.budgets)[parse_learner(learner).spec.round_noun]
        return (*(mark for mark in self.marks if mark < budget), budget)

    @property
    def size(self) -> int:
        return len(self.learners) * max(1, len(self.opponents)) * prod(len(values) for _, values in self.grid)

    def points(self) -> tuple[Point, ...]:
        """Return the grid's points; its last setting changes fastest. Raises `BadText`, naming an invalid one."""
        return tuple(map(self._point, self._numbers()))

    def _numbers(self) -> Sequence[int]:
        """Return the numbers of the points in the grid, ascending."""
        if self.sample and self.sample < self.size:
            return sorted(islice(self._draw_numbers(), self.sample))
        if self.size > MAX_POINTS:
            raise BadText(f"the grid has {self.size:,} points, more than {MAX_POINTS:,}: draw some of them as a sample")
        return range(self.size)

    def _draw_numbers(self) -> Iterator[int]:
        """Yield distinct numbers of points: hashes of the seed and a counter, so they are the same on every machine."""
        seen = set[int]()
        for draw in count():
            digest = hashlib.sha256(f"{self.sample_seed} {draw}".encode()).digest()
            number = int.from_bytes(digest) % self.size
            if number not in seen:
                seen.add(number)
                yield number

    def _point(self, number: int) -> Point:
        varying = []
        for key, values in reversed(self.grid):
            number, index = divmod(number, len(values))
            varying.append((key, values[index]))
        number, index = divmod(number, max(1, len(self.opponents)))
        learner, preset = self.learners[number]
        opponent = self.opponents[index] if self.opponents else None
        return parse_point(learner, preset, self.game, opponent, [*self.fixed, *reversed(varying)])


def parse_toml(text: str) -> dict[str, Any]:
    """Return the keys and values of a TOML file. Raises `BadText`."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadText(f"this is not TOML: {error}") from error


def define(given: Mapping[str, Any]) -> Definition:
    """Return the definition that these keys and values mean. Raises `BadText` for anything unknown or impossible."""
    for key in given:
        if key not in KEYS:
            raise BadText(f"no key {quoted(key)} in a sweep; there are {', '.join(KEYS)}")
    game = GAMES[0] if "game" not in given else parse_game(_require_text("game", given["game"]))
    learners = _parse_learners(_require_texts("learner", given), _require_texts("preset", given), game)
    kinds = [parse_learner(name) for name, _ in learners]
    fixed, grid = _require_table("set", given), _require_table("grid", given)
    for key in fixed:
        if key in grid:
            raise BadText(f"{quoted(key)} is both in set and in grid: leave one out")
    seed = _require_whole_number("seed", given.get("seed", 1), 0, LARGEST_SEED)
    seeds = _require_whole_number("seeds", given.get("seeds", USUAL_SEEDS), 1, MAX_SEEDS)
    if seed + seeds - 1 > LARGEST_SEED:
        raise BadText(f"the last of {seeds:,} seeds from {seed} on would be larger than {LARGEST_SEED}")
    budgets = _parse_budgets({kind.spec.round_noun: kind.spec.name for kind in kinds}, given)
    return Definition(
        learners=learners,
        game=game,
        opponents=_require_distinct("opponent", _require_texts("opponent", given)),
        fixed=tuple((key, _canonical_text(kinds[0], key, value)) for key, value in fixed.items()),
        grid=tuple((key, _parse_values(kinds[0], key, values)) for key, values in grid.items()),
        sample=_require_whole_number("sample", given["sample"], 1, MAX_POINTS) if "sample" in given else 0,
        sample_seed=_require_whole_number("sample_seed", given.get("sample_seed", 1), 0, LARGEST_SEED),
        seeds=range(seed, seed + seeds),
        budgets=budgets,
        marks=_parse_marks(given.get("marks"), max(rounds for _, rounds in budgets)),
    )


def restore(text: str) -> Definition:
    """Return the definition with this canonical text. Raises `BadText` for any other text."""
    try:
        given = json.loads(text)
        definition = define(given) if isinstance(given, dict) else None
    except (ValueError, RecursionError) as error:
        raise BadText(f"its definition cannot be read: {error}") from error
    if definition is None or definition.text != text:
        raise BadText("its definition was written by another version of the program, or was changed")
    return definition


def _parse_learners(names: Sequence[str], presets: Sequence[str], game: Game) -> tuple[tuple[str, str], ...]:
    """Return every learner with every preset, or only with the one that `NAME:PRESET` names. Raises `BadText`."""
    if not names:
        raise BadText("no learner is named: name at least one")
    learners = []
    for name, own_preset in map(split_preset, names):
        spec = parse_learner(name).spec
        if own_preset is not None:
            wanted_presets: Sequence[str] = [own_preset]
        else:
            wanted_presets = presets or [spec.usual_preset(game)]
        for preset in wanted_presets:
            spec.require_preset(preset, game)
            learners.append((name, preset))
    _require_distinct("learner", list(map(":".join, learners)))
    return tuple(learners)


def _parse_budgets(names: Mapping[str, str], given: Mapping[str, Any]) -> tuple[tuple[str, int], ...]:
    """Return the number of rounds for each machine, by `LearnerSpec.round_noun`. Raises `BadText`.

    `names` has, for each of these nouns, the name of a learner that uses it.
    """
    for noun in USUAL_ROUNDS:
        if plural(noun, 2) in given and noun not in names:
            units = ", ".join(f"{name} is trained in {plural(other, 2)}" for other, name in names.items())
            raise BadText(f"no learner of this sweep is trained in {plural(noun, 2)}: {units}")
    budgets = []
    for noun, usual_rounds in USUAL_ROUNDS.items():
        if noun in names:
            key = plural(noun, 2)
            budgets.append((noun, _require_whole_number(key, given.get(key, usual_rounds), 1, MAX_ROUNDS)))
    return tuple(budgets)


def _parse_marks(given: object, budget: int) -> tuple[int, ...]:
    """Return the marks below a budget, by default powers of ten. Raises `BadText`."""
    if given is None:
        return tuple(10**power for power in range(12) if 10**power < budget)
    if not isinstance(given, list) or len(given) > MAX_MARKS:
        raise BadText(f"marks is not a list of at most {MAX_MARKS:,} whole numbers")
    marks = {_require_whole_number("marks", mark, 1, budget) for mark in given}
    return tuple(sorted(mark for mark in marks if mark < budget))


def _require_table(key: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
    table = given.get(key, {})
    if not isinstance(table, dict):
        raise BadText(f"{key} is not a table of settings")
    return table


def _parse_values(kind: type[Learner], key: str, given: object) -> tuple[str, ...]:
    """Return the values of a setting in a grid, given as a list or as text such as `1,3,5` or `0..5`. Raises `BadText`.

    Values that contain commas themselves are separated by semicolons.
    """
    if isinstance(given, list):
        values = given
    elif isinstance(given, str):
        values = given.split(";" if ";" in given else ",")
    else:
        values = [given]
    values = [each for value in values for each in _expand_range(key, value)]
    if not 0 < len(values) <= MAX_VALUES:
        raise BadText(f"{key} has {len(values):,} values: give 1 to {MAX_VALUES:,}")
    return _require_distinct(key, [_canonical_text(kind, key, value) for value in values])


def _expand_range(key: str, value: object) -> Sequence[object]:
    """Return the whole numbers of `0..5`, or any other value alone. Raises `BadText`."""
    if not isinstance(value, str) or RANGE not in value:
        return [value]
    try:
        first, last = (int(part) for part in value.split(RANGE))
    except ValueError:
        raise BadText(f"{key} cannot be {quoted(value)}: write a range as 0{RANGE}5") from None
    if not 0 <= last - first < MAX_VALUES:
        raise BadText(f"{key} cannot be {quoted(value)}: a range ascends and has at most {MAX_VALUES:,} numbers")
    return range(first, last + 1)


def _canonical_text(kind: type[Learner], key: str, value: object) -> str:
    """Return the canonical text of a value; a wrong value as it is, so that the error of its point quotes it."""
    text = setting_text(value).strip()
    try:
        return setting_text(kind.spec.parse_setting(key, text))
    except BadText:
        return text


def _require_distinct(key: str, texts: Sequence[str]) -> tuple[str, ...]:
    """Return the texts. Raises `BadText` if one occurs twice."""
    seen = set[str]()
    for text in texts:
        if text in seen:
            raise BadText(f"{key} has {quoted(text)} twice: leave one out")
        seen.add(text)
    return tuple(texts)


def _require_texts(key: str, given: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the texts of a key, which has a list of them, or one alone. Raises `BadText`."""
    value = given.get(key, [])
    values = value if isinstance(value, list) else [value]
    if len(values) > MAX_VALUES:
        raise BadText(f"{key} has more than {MAX_VALUES:,} entries")
    return tuple(_require_text(key, each) for each in values)


def _require_text(key: str, value: object) -> str:
    if not isinstance(value, str):
        raise BadText(f"{key} is not text, but {quoted(str(value))}: write it in quotation marks")
    return value.strip()


def _require_whole_number(key: str, value: object, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise BadText(f"{key} cannot be {quoted(str(value))}: it is a whole number from {least:,} to {most:,}")
    return value
