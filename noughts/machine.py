"""A learner that is trained, inspected and saved from Python."""

import secrets
import signal
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from html import escape
from numbers import Integral
from typing import Any, Final, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from cli.shared.progress import rounds_in_lines
from cli.shared.signals import collect_signals
from engine.evaluate import OPPONENTS, scoreboard
from engine.game import BadText, Game, Move, Position, quoted
from engine.games import GAMES, game_of
from engine.plural import plural
from engine.space import TooLarge
from engine.spaces import space_of
from lab.exact.number_history import NumberHistory, number_history
from lab.judging.notation.written_boards import read_position
from lab.results.exact_results import point_at
from lab.results.score_lines import IN_SENTENCES
from lab.results.tables import ResultTable
from lab.text.numbers import percent_text
from learners import parse_learner, revive, split_learner
from learners.core.generator import LARGEST_SEED
from learners.core.learner import Learner
from learners.core.player import Player
from learners.core.save_ref import SaveRef, parse_name, parse_save
from learners.core.settings import Setting
from learners.core.snapshot import ITSELF, Snapshot
from learners.core.training import MAX_ROUNDS, Progress, TrainingPlan, run
from learners.fixed import FixedPolicy
from noughts.drawing import board_svg, image
from noughts.openspiel_state import State
from saves import gallery
from saves.errors import NameTaken
from saves.library.library import Library
from saves.paths import library_path


def learner(
    name: str,
    game: str | Game = GAMES[0].name,
    *,
    preset: str | None = None,
    seed: int | None = None,
    **settings: Setting,
) -> "Machine":
    """Return a machine that has learned nothing: `failures`, `menace`, `genetic`, `q`, `td`, `ntuple`, or a plug-in's.

    The `preset` can also follow the name, as in `menace:michie`, or stand alone, as in `her`; by default it is the
    first one that fits the game.

    `settings` replace single settings of the preset: `win=5`. Without a `seed`, the machine has a random one; the same
    seed gives the same memory on every computer. Raises `ValueError` for an unknown learner, game, preset or setting,
    `TooLarge` for a game that is too large for the learner.
    """
    rules = game_of(game)
    kind, chosen = kind_and_preset(name, preset, rules)
    number = secrets.randbelow(LARGEST_SEED + 1) if seed is None else whole_number("seed", seed, 0)
    parsed = {key: kind.spec.parse_setting(key, str(value).lower()) for key, value in settings.items()}
    return Machine(kind(rules, chosen, number, parsed))


def kind_and_preset(name: str, preset: str | None, game: Game) -> tuple[type[Learner], str]:
    """Return the learner and the preset named by a text, as `split_learner` reads it, and `preset`.

    Raises `ValueError`.
    """
    written, after = split_learner(given("name", name))
    kind = parse_learner(written)
    if after and preset is not None:
        raise BadText(f"{quoted(name)} names a preset: leave out preset={preset!r:.60}")
    chosen = after or preset
    return kind, kind.spec.usual_preset(game, None if chosen is None else given("preset", chosen))


def load(name: str) -> "Machine":
    """Return the machine of a save in the library, or of one that comes with the program; `NAME@50` is a checkpoint.

    The library is that of the app, unless NOUGHTS_LIBRARY names another file. Raises `LibraryError` for an unknown
    save.
    """
    name = given("name", name).removeprefix("save:")
    return _revived(Library(library_path()).load(name), parse_save(name).label)


def _revived(snapshot: Snapshot, saved_as: str) -> "Machine":
    machine = Machine(revive(snapshot))
    machine.saved_as = saved_as
    return machine


def save_learner(name: str, learner: Learner, *, replace: bool) -> None:
    """Save a learner in the library, and keep the daily backup. Raises `LibraryError`."""
    library, may_replace = Library(library_path()), given("replace", replace, bool)
    library.keep_daily_backups(partial(warnings.warn, stacklevel=3))
    try:
        library.save(given("name", name), learner.snapshot(), replace=may_replace)
    except NameTaken as error:
        if may_replace or name in gallery.names():
            raise
        raise NameTaken(f"{error}, or give replace=True") from error


ChooseText = Callable[[str], object]
"""A function that takes the text of a position and returns the name of a move, or its number."""
PositionLike = str | Position | State | Sequence[object] | NDArray[Any] | None
"""A position: a state, or a text, a list or an array as `noughts solve` reads it; by default the first one."""


Given = TypeVar("Given")
KINDS: Final = {str: "a text", bool: "True or False", Callable: "a function"}


def given(name: str, value: Given, kind: object = str) -> Given:
    """Return an argument if it is of this kind, one of `KINDS`; otherwise raise `ValueError`."""
    if not isinstance(value, kind):  # type: ignore[arg-type]  # a function is of no class
        raise BadText(f"{name} cannot be {value!r:.60}: give {KINDS[kind]}")
    return value


def whole_number(name: str, number: float, least: int, most: int = LARGEST_SEED) -> int:
    """Return an argument as a whole number. Raises `ValueError` if it is not whole, or out of range."""
    whole = isinstance(number, (Integral, float)) and not isinstance(number, bool) and number == number // 1
    if not whole or not least <= number <= most:
        raise BadText(f"{name} cannot be {number!r:.60}: give a whole number from {least} to {most:,}")
    return int(number)


def position_of(game: Game, position: PositionLike) -> Position:
    """Return the position that an argument means, by default the first one.

    Raises `ValueError` if play cannot reach the position.
    """
    if position is None:
        return game.start
    if isinstance(position, State):
        if position.match.game != game:
            raise BadText(f"{position!r} is a position of {position.match.game.title}, not of {game.title}")
        return position.match.position
    if not isinstance(position, (int, np.integer)):
        return read_position(position.tolist() if isinstance(position, np.ndarray) else position, game)
    if game.numbered and not space_of(game).holds(int(position)):
        raise BadText(f"{position!r} is no position of {game.title}")
    return int(position)


class Machine:
    """A learner with what it has learned so far. Use `learner` or `load` to make one."""

    def __init__(self, learner: Learner) -> None:
        """Wrap a learner of the package `learners`."""
        self.learner = learner
        self._losses = dict[int, dict[str, float | None]]()
        """How often the machine lost, by number of rounds and by opponent; kept, since it does not change."""
        self.saved_as = ""
        """The label under which the machine is saved as it is now; empty if it is not."""

    @property
    def game(self) -> Game:
        """The game that the machine plays."""
        return self.learner.game

    @property
    def rounds(self) -> int:
        """The number of rounds that the machine has trained: games, or generations."""
        return self.learner.rounds

    @property
    def settings(self) -> Mapping[str, Setting]:
        """The value of each setting by its name; `noughts train LEARNER --help` describes them."""
        return self.learner.settings

    @property
    def statistics(self) -> Mapping[str, int]:
        """The counts of the training so far: `games`, `first_wins`, `draws` and others, and those of the learner."""
        return self.learner.stats()

    def train(
        self,
        rounds: int | None = None,
        against: "str | Machine | None" = None,
        *,
        progress: Callable[[Progress], object] | None = None,
    ) -> Self:
        """Train this many more rounds, and return the machine itself.

        Without a number, train as many rounds as the preset needs: 100,000 games for most, a million for `ntuple`.
        `against` is `self`, `random`, `perfect`, `save:NAME` or another label, or a machine that is saved; later
        trainings keep this opponent by default. `progress` is called about ten times a second; without it, a long
        training says how far it is in lines on standard error. Ctrl+C keeps what was learned. Raises `ValueError` for
        an opponent that the machine cannot train against, and for more than 100,000,000 rounds.
        """
        learner, spec = self.learner, self.learner.spec
        usual = spec.rounds_for(learner.preset)
        wanted = usual if rounds is None else whole_number("rounds", rounds, 0, MAX_ROUNDS)
        tell = rounds_in_lines(wanted, spec.round_noun) if progress is None else given("progress", progress, Callable)
        opponent = None if against is None else _opponent(against, self.game)
        if against is not None:
            learner.set_opponent(opponent)
        self.saved_as = ""
        learner.train(0)  # compiles the kernel: Ctrl+C ends that at once
        with collect_signals([signal.SIGINT]) as received:  # an exception might come before the learner counts a game
            for done in run(learner, TrainingPlan(wanted), lambda: bool(received)):
                tell(done)
        if received:
            signal.raise_signal(signal.SIGINT)
        return self

    def results(self) -> ResultTable:
        """Return the machine's exact results, as each side that it plays.

        Raises `TooLarge` for a game without exact results.
        """
        if not self.game.learnable:
            raise TooLarge(f"{self.game.title} is too large for exact results; nt.race samples games instead")
        scores = scoreboard(self.learner.space, self.learner.policy(), self.learner.sides)
        return ResultTable(self.game, scores, self.learner.trained_sides)

    def curve(self, against: str = "best_responder") -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return how often it lost, after how many rounds: two arrays, one number for each checkpoint and for now.

        `against` is one of the opponents of `results`. Chances are exact, and averaged over the sides that it was
        trained for. Raises `ValueError` for another opponent, `TooLarge` for a game without exact results.
        """
        if given("against", against) not in OPPONENTS:
            raise BadText(f"no opponent {quoted(against)}; there are {', '.join(OPPONENTS)}")
        if not self.game.learnable:
            raise TooLarge(f"{self.game.title} is too large for exact results; nt.race samples games instead")
        snapshot = self.learner.snapshot()
        rounds = sorted({*snapshot.checkpoints, self.rounds})
        for each in (each for each in rounds if each not in self._losses):
            point = point_at(snapshot, each)
            self._losses[each] = {name: point.loss(name) for name in OPPONENTS}
        losses = [self._losses[each][against] for each in rounds]
        return np.array(rounds, np.int64), np.array(losses, np.float64)

    def policy(self, position: PositionLike = None) -> dict[str, float]:
        """Return the chance of each legal move of a position by its name; by default, of the first position.

        If the chances sum to less than 1, the machine resigns with the remaining probability. Raises `ValueError` for a
        position that play cannot reach.
        """
        return {self.game.move_name(move): chance for move, chance in self._chances(self._position(position)).items()}

    def numbers(self, position: PositionLike = None) -> dict[str, str]:
        """Return what the machine knows about each legal move, in words: `avoided`; `2k white`, for 2,000 beads."""
        thoughts = self.learner.thoughts(self._position(position))
        return {self.game.move_name(each.move): each.words for each in thoughts}

    def why(self, position: PositionLike, move: str, *, without: int | None = None) -> NumberHistory:
        """Return which games of the training made a number what it is: printed, the answer in a few sentences.

        Its `to_dict()` lists all these games, as `noughts why --json` prints them: game, change, the number after it,
        and the moves. With `without`, the training is repeated but nothing is learned from that game. Raises
        `ValueError` for a training whose games cannot be played again.
        """
        place, find_opponent = self._position(position), Library(library_path()).opponent
        chosen = self.game.parse_move(place, given("a move", move))
        left_out = None if without is None else whole_number("a game", without, 1)
        return number_history(self.learner.snapshot(), place, chosen, find_opponent, left_out)

    def draw(self, position: PositionLike = None) -> "Drawing":
        """Return a picture of a position as notebooks show it; a bar in a square shows how often a move goes there."""
        place = self._position(position)
        chances = self._chances(place)
        words = [f"{self.game.move_name(move)} {percent_text(chance)}" for move, chance in chances.items()]
        return Drawing(board_svg(self.game, place, chances), f"{self.game.to_text(place)}: {', '.join(words)}")

    def save(self, name: str, *, replace: bool = False) -> Self:
        """Save the machine in the library under a name, and return it.

        Raises `LibraryError`, also for a name that is taken.
        """
        save_learner(name, self.learner, replace=replace)
        self.saved_as = SaveRef(parse_name(name)).label
        return self

    def _position(self, position: PositionLike) -> Position:
        return position_of(self.game, position)

    def _chances(self, position: Position) -> dict[Move, float]:
        if self.game.outcome(position) is not None:
            raise BadText(f"the game is over in {self.game.to_text(position)}")
        return {thought.move: thought.chance for thought in self.learner.thoughts(position)}

    def __reduce__(self) -> tuple[Callable[[Snapshot, str], "Machine"], tuple[Snapshot, str]]:
        """Send it to another process, or copy it, as its snapshot."""
        return _revived, (self.learner.snapshot(), self.saved_as)

    def __repr__(self) -> str:
        """Return the learner, its preset and changed settings, its game, and how long it was trained."""
        kind, spec = self.learner, self.learner.spec
        if isinstance(kind, FixedPolicy):
            return f"<{spec.name}, {self.game.name}: the answers of a judged agent>"
        against = "itself" if kind.opponent == ITSELF else kind.opponent
        changed = "".join(
            f"+{key}={str(value).lower()}"
            for key, value in self.settings.items()
            if value != spec.presets[kind.preset][key]
        )
        return (
            f"<{spec.name}:{kind.preset}{changed}, {self.game.name}, seed {kind.seed}, "
            f"{spec.round_noun}s: {self.rounds:,}, against {against}>"
        )

    def _repr_html_(self) -> str:
        title = f"<p>{escape(repr(self))}</p>"
        if not self.game.learnable or not self.rounds:
            return title
        from lab.pictures.charts import chart_picture  # these import rich
        from lab.text.axes import Axes
        from lab.text.curves import Series

        curves = [Series(words, [*zip(*self.curve(name), strict=True)]) for name, words in IN_SENTENCES.items()]
        axes = Axes(self.rounds, plural(self.learner.spec.round_noun, 2))
        what = "The share of games lost"
        return title + image(chart_picture(what, curves, axes).svg("auto"), what)


def _opponent(against: object, game: Game) -> Player | None:
    """Return the opponent of a training. A save records its label, so an opponent without a label is refused."""
    if isinstance(against, Machine):
        if not against.saved_as:
            raise BadText(f"{against!r} is not saved as it is: save it, then train against it")
        against = against.saved_as
    if not isinstance(against, str):
        keep = "nt.judge(…).save(NAME) keeps what it plays, then train against 'save:NAME'"
        raise BadText(f"{against!r:.60} is neither the label of a player nor a machine: {keep}")
    return Library(library_path()).opponent(against, game)


class Drawing:
    """A picture that notebooks show; `str()` gives its SVG."""

    def __init__(self, source: str, words: str) -> None:
        """Hold an SVG document, and what it shows in words."""
        self.source = source
        self.words = words

    def __str__(self) -> str:
        """Return the SVG document."""
        return self.source

    def __repr__(self) -> str:
        """Return what the picture shows."""
        return f"<picture of {self.words}>"

    def _repr_svg_(self) -> str:
        return self.source

    def _repr_html_(self) -> str:
        return image(self.source, self.words)
