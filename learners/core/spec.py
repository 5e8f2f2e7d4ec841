"""The description of a learner as data: its names, presets, settings and statistics."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.game import BadText, Game, quoted
from engine.space import TooLarge
from learners.core.settings import Setting, SettingKind
from learners.core.snapshot import MARKS

COMMON_STATS: Final = ("games", "plies", "first_wins", "second_wins", "draws")
"""The keys of the statistics that every learner counts, in their order."""


@dataclass(frozen=True)
class Statistic:
    """A statistic that only this learner counts. It is stored as an integer."""

    key: str
    """The key in files and in JSON."""
    label: str = ""
    """The words on screens. Tables omit a statistic without a label: a chart shows it."""
    signed: bool = False
    """Whether the statistic can be negative."""
    parts: int = 1
    """For a fraction, the number that is stored for 1: if it is 1,000, then 500 is stored for 0.5."""
    flag: bool = False
    """Whether the statistic is true or false, stored as 1 or 0."""

    def json_value(self, count: int) -> float | bool:
        """Return the value in JSON for a stored integer."""
        if self.flag:
            return bool(count)
        return count if self.parts == 1 else count / self.parts


@dataclass(frozen=True, kw_only=True)
class LearnerSpec:
    """The names and settings of a learner, how it trains, and what it counts."""

    name: str
    """The name on the command line and in files."""
    title: str
    """The name on screens."""
    summary: str
    """What the learner does, in one line without a full stop."""
    presets: Mapping[str, Mapping[str, Setting]] = field(default_factory=lambda: {"standard": {}})
    """The value of every setting, by preset; the default preset first."""
    preset_games: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The names of the games that a preset fits. A preset that is not listed fits every game."""
    preferred: Mapping[str, str] = field(default_factory=dict)
    """The default preset of each game for which it is not the first that fits."""
    parameters: bool = False
    """Whether the memory is parameters that only the learner understands, such as weights, not a table over the edges
    of a space. Such a learner needs no space; it says in `fits` which games it can learn."""
    fits: Callable[[Game], bool] = lambda game: game.learnable
    """Whether the learner can learn a game: by default one that is small enough for a table."""
    fitting: str = ""
    """The games that the learner can learn, in words; if empty, those that are small enough."""
    settings: Mapping[str, SettingKind] = field(default_factory=dict)
    """The settings that can be changed, by key."""
    statistics: tuple[Statistic, ...] = ()
    """The statistics beyond `COMMON_STATS`, in the order in which tables list them."""
    round_statistic: str = "games"
    """The key of the statistic that counts rounds of training."""
    round_noun: str = "game"
    """What a round is called; an `s` makes the plural."""
    games_statistic: str = "games"
    """The key of the statistic that counts all games of the training."""
    usual_rounds: int = 100_000
    """The default number of rounds of a training, unless the preset has its own."""
    preset_rounds: Mapping[str, int] = field(default_factory=dict)
    """The default number of rounds by preset, where it is not `usual_rounds`."""
    history_marks: Sequence[int] = MARKS
    """The numbers of rounds at which the history records the statistics, ascending."""
    counts_choices: bool = False
    """Whether the learner counts in `Learner.times` how often training chose each edge."""
    learns: bool = True
    """Whether training changes the learner."""
    learns_records: bool = True
    """Whether the learner can learn from a single game."""
    explores: bool = False
    """Whether the learner makes moves in training that it does not make when it plays."""
    stores_memories: bool = True
    """Whether checkpoints store the memory. If not, `Learner.memory_at` derives it from a later one."""

    @property
    def plays_games(self) -> bool:
        """Whether a round is a game, which can be shown."""
        return self.round_statistic == "games"

    @property
    def stat_keys(self) -> tuple[str, ...]:
        return (*COMMON_STATS, *(each.key for each in self.statistics))

    @property
    def stat_labels(self) -> dict[str, str]:
        """The labels of the statistics that tables list, by key, in their order, without `COMMON_STATS`."""
        return {each.key: each.label for each in self.statistics if each.label}

    @property
    def signed_stats(self) -> tuple[str, ...]:
        """The keys of the statistics that can be negative."""
        return tuple(each.key for each in self.statistics if each.signed)

    def json_stats(self, stats: Mapping[str, int]) -> dict[str, float | bool]:
        """Return statistics as in JSON, in the order of `stats`."""
        own = {each.key: each for each in self.statistics}
        return {key: own[key].json_value(count) if key in own else count for key, count in stats.items()}

    def presets_for(self, game: Game) -> list[str]:
        """Return the presets that fit a game, the default first; empty for a game that the learner cannot learn."""
        if not self.fits(game):
            return []
        fitting = [preset for preset in self.presets if self._preset_fits(preset, game)]
        return sorted(fitting, key=lambda preset: preset != self.preferred.get(game.name))

    def usual_preset(self, game: Game, named: str | None = None) -> str:
        """Return the preset in `named`, if given; otherwise the first one that fits the game, or else the first one."""
        return (self.presets_for(game) or list(self.presets))[0] if named is None else named

    def label(self, preset: str) -> str:
        """Return `NAME:PRESET`, which `split_preset` reads."""
        return f"{self.name}:{preset}"

    def _preset_fits(self, preset: str, game: Game) -> bool:
        return game.name in self.preset_games.get(preset, (game.name,))

    def rounds_for(self, preset: str) -> int:
        """Return the default number of rounds of a training with a preset."""
        return self.preset_rounds.get(preset, self.usual_rounds)

    def require_game(self, game: Game) -> None:
        """Raise `BadText` or `TooLarge` for a game that the learner cannot learn."""
        if self.fits(game):
            return
        if not self.fitting:
            raise TooLarge(
                f"{game.title} is too large for {self.name}, which remembers every position: choose another learner"
            )
        raise BadText(f"{self.name} learns {self.fitting}, not {game.name}: choose another game or another learner")

    def require_preset(self, preset: str, game: Game) -> None:
        """Raise `BadText` for an unknown preset, and for one that does not fit the game."""
        if preset not in self.presets:
            raise BadText(f"no preset {quoted(preset)} of {self.name}; there are {', '.join(self.presets)}")
        if not self._preset_fits(preset, game):
            fits = ", ".join(self.preset_games[preset])
            raise BadText(f"the preset {preset} fits {fits}, not {game.name}: choose another game or another preset")

    def parse_setting(self, key: str, text: str) -> Setting:
        """Return the value that `text` means for a setting. Raises `BadText`, which names the possible values."""
        if key not in self.settings:
            there_are = f"there are {', '.join(self.settings)}" if self.settings else "there are none"
            raise BadText(f"no setting {quoted(key)} of {self.name}; {there_are}")
        try:
            return self.settings[key].parse(text)
        except BadText as error:
            raise BadText(f"{self.setting_name(key)} {error}") from error

    def setting_name(self, key: str) -> str:
        """Return how a setting is written, and what it is called on screens: `win (beads for a win)`."""
        title = self.settings[key].title
        return key if title in {"", key} else f"{key} ({title})"


def split_preset(text: str) -> tuple[str, str | None]:
    """Return the learner and the preset named in `NAME:PRESET`; `None` for the preset in `NAME`."""
    name, colon, preset = text.partition(":")
    return name, preset if colon else None
