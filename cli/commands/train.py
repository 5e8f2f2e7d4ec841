"""`noughts train`: train a learner and save it."""

import secrets
import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path
from textwrap import wrap
from typing import Final

import click

from cli.commands.train_report import report_run
from cli.shared import common
from cli.shared.arguments import (
    chosen_game,
    chosen_library,
    full_label,
    game_of_preset,
    parse_new_name,
    parse_seed,
    with_preset,
)
from cli.shared.completion import SaveName, complete_learner, complete_player, complete_preset
from cli.shared.progress import progress_of_rounds
from cli.shared.signals import collect_signals, interrupt_on_signals
from cli.shared.streams import file_name, read_text_from
from engine.game import BadText, Game, quoted
from engine.plural import plural
from engine.stop import Stop
from lab.signals import SIGNAL_EXIT
from lab.text.sanitise import plain
from lab.training.setup import parse_settings
from learners import LEARNERS, kind_of, parse_learner, revive
from learners.core.learner import PERSON, Learner
from learners.core.save_ref import is_save, parse_name, parse_save
from learners.core.settings import key_and_value
from learners.core.training import MAX_ROUNDS, Progress, TrainingPlan, run
from learners.courses.course import Course, play_course, progress_of
from saves.errors import LibraryError, NameTaken
from saves.library.library import Library

RANDOM_SEEDS: Final = 2**32
"""The number of seeds from which a random one is drawn: few enough that they are easy to write down."""


def learner_lines(kind: type[Learner]) -> list[str]:
    """Return the presets and settings of a learner in words, each setting with its value in the default preset."""
    spec = kind.spec
    lines = [f"  {spec.name}: {spec.summary}"]
    for preset in spec.presets:
        games = f" ({', '.join(spec.preset_games[preset])})" if preset in spec.preset_games else ""
        lines += _entry(f"{preset}{games}", kind.shown.preset_words.get(preset, ""))
    usual_values = next(iter(spec.presets.values()))
    for key, setting in spec.settings.items():
        lines += _entry(f"{key}={setting.syntax}", f"[{str(usual_values[key]).lower()}]  {setting.summary}")
    return lines


def _entry(name: str, text: str) -> list[str]:
    """Return a name, and beside it a text; below it, if the name is too long."""
    indent = NAME_WIDTH + 6
    text_lines = wrap(text, HELP_WIDTH - indent)
    if len(name) > NAME_WIDTH:
        return [f"    {name}", *(f"{'':{indent}}{line}" for line in text_lines)]
    first, *others = text_lines or [""]
    return [f"    {name:<{NAME_WIDTH}}  {first}".rstrip(), *(f"{'':{indent}}{line}" for line in others)]


HELP_WIDTH, NAME_WIDTH = 78, 24
"""The columns of a line of help, and of the names in it."""
LEARNER_HELP: Final = (
    "\b\nLearners, each with its presets, and its settings with their [numbers] in the first:\n"
    + "\n".join(line for kind in LEARNERS for line in learner_lines(kind))
)


def require_setting(text: str) -> str:
    """Require the form `KEY=VALUE`. The learner, which is known later, checks the rest. Raises click's error."""
    try:
        key_and_value(text)
    except BadText as error:
        raise click.BadParameter(str(error)) from error
    return text


def refuse_save(_context: click.Context, _parameter: click.Parameter, name: str | None) -> str | None:
    if name is not None and is_save(name):
        save = shlex.quote(plain(name.partition(":")[2]))
        raise click.BadParameter(f"{plain(name)} is a save: continue its training with --from {save}")
    return name


@click.command(epilog=LEARNER_HELP)
@click.argument(
    "learner", metavar="[LEARNER[:PRESET]]", required=False, shell_complete=complete_learner, callback=refuse_save
)
@common.game_option_of("the preset or a save")
@click.option(
    "--preset",
    metavar="NAME",
    shell_complete=complete_preset,
    help="A named set of settings; see below.  [default: the usual one for the game]",
)
@click.option(
    "--opponent",
    metavar="P",
    shell_complete=complete_player,
    help="The opponent: self, random, perfect, perfect:any, save:NAME, or another that noughts players lists.  "
    "[default: self; perfect:any if it plays one side only]",
)
@common.number_option("--games", MAX_ROUNDS, "The games to train.  [default: as the preset needs]")
@common.number_option("--generations", MAX_ROUNDS, "The generations to train, for genetic.  [default: 500]")
@click.option("--seed", type=parse_seed, metavar="N", help="Repeat a training with this seed.  [default: random]")
@click.option(
    "--set",
    "settings",
    type=require_setting,
    multiple=True,
    metavar="KEY=VALUE",
    help="Change a setting, see below; can be repeated.",
)
@click.option(
    "--boxes",
    type=click.Choice(["all", "smallest"]),
    help="For menace: a box for every decision, or only the fewest that suffice never to lose.",
)
@common.path_option("--course", "course_file", help="Play the games of this course, which noughts teach has kept.")
@click.option("--save", metavar="NAME", help="Save the learner under this name.")
@click.option("--from", "origin", metavar="NAME", type=SaveName(), help="Continue the training of this save.")
@click.option("--replace", is_flag=True, help="Let --save replace a save with that name.")
@common.library_and_json
def train(  # noqa: PLR0913, PLR0917  one parameter an option
    learner: str | None,
    game: Game | None,
    preset: str | None,
    opponent: str | None,
    games: int | None,
    generations: int | None,
    seed: int | None,
    settings: tuple[str, ...],
    boxes: str | None,
    course_file: Path | None,
    save: str | None,
    origin: str | None,
    *,
    replace: bool,
    as_json: bool,
) -> int:
    """Train LEARNER against itself or another player.

    Against an opponent a machine plays the first side; HER, and menace with
    plays=second, the second. It learns only what its opponent shows it. perfect
    and perfect:stubborn play the same lines again and again where they are lost:
    HER learns the answers to one of them, and loses to others for ever.
    perfect:any and random vary their moves.

    A preset alone will do where only one learner has it: her is menace:her.

    Ctrl+C stops the training; with --save, the learner is saved as it is then.

    \b
    Examples:
      noughts train failures --save mine
      noughts train menace --opponent perfect:any --games 10_000 --set win=5
      noughts train --from mine --games 1000 --save mine --replace
      noughts train menace --course course.json --save taught
    """
    library = chosen_library()
    learner, preset = with_preset(learner, preset)
    if boxes is not None:
        settings = (*settings, f"boxes={boxes}")
    if save is not None:
        parse_name(save)  # refuse a bad name before a large game is prepared
    course = None if course_file is None else read_course(course_file)
    chosen = {"learner": learner, "game": None if game is None else game.name, "preset": preset}
    if course is not None:
        require_course(course, chosen, [opponent, games, generations, origin, *settings])
        learner, game, preset = course.learner, course.game, course.preset
        settings = tuple(f"{key}={value}" for key, value in course.settings.items())
    if opponent is not None:
        opponent = full_label(opponent, library)
    stamp = None if origin is None else library.stamp(str(parse_save(origin)))
    if origin is not None:
        machine = load_learner(library, origin, {**chosen, "seed": seed}, settings)
    else:
        machine = create_learner(library, learner, game, preset, opponent, seed, settings)
    set_opponent(machine, machine.opponent if opponent is None else opponent, library)
    chosen_counts = {"game": games, "generation": generations}
    rounds = chosen_rounds(machine, chosen_counts) if course is None else course.length
    if save is not None:
        replace = replace or origin == parse_name(save)
        save = parse_new_name(library, save, replace=replace)
        library.require_writable()
    stats_before = machine.stats()
    with collect_signals() as received:
        try:
            progress = train_rounds(machine, course, rounds, lambda: bool(received))
        except Interrupted as interruption:
            common.print_error(f"stopped before the first {machine.spec.round_noun}: nothing was learned")
            return SIGNAL_EXIT + interruption.signal_number
        if received:
            common.print_error("stopping …" if save is None else "stopping: saving what was learned …")
        since = stamp if save == origin else None
        save, code = save_learner(library, save, progress, replace=replace, since=since)
        lines, document = report_run(machine, progress, stats_before, save, lambda: bool(received))
    common.print_result(lines, document, as_json=as_json)
    return SIGNAL_EXIT + received[0] if received else code


class Interrupted(Exception):
    """A signal came before the first round of a training."""

    def __init__(self, signal_number: int) -> None:
        super().__init__()
        self.signal_number = signal_number


def train_rounds(machine: Learner, course: Course | None, rounds: int, stop: Stop) -> Progress:
    """Train a machine, by the games of a course if one is given, and return the progress at the end.

    Raises `Interrupted` before the first round.
    """
    with progress_of_rounds(rounds, machine.spec.round_noun) as show_progress:
        try:
            with interrupt_on_signals() as received:
                machine.train(0)  # loads the kernel, and compiles it the first time
        except KeyboardInterrupt:
            raise Interrupted(received[0]) from None
        if course is None:
            steps = run(machine, TrainingPlan(rounds), stop)
        else:
            steps = progress_of(machine, play_course(machine, course), rounds, stop)
        for progress in steps:
            show_progress(progress)
    return progress


def create_learner(  # noqa: PLR0913, PLR0917  one parameter an option
    library: Library,
    learner: str | None,
    game: Game | None,
    preset: str | None,
    opponent: str | None,
    seed: int | None,
    settings: Iterable[str],
) -> Learner:
    """Create an untrained learner. Raises `BadText`, and click's error without the name of a learner."""
    if learner is None:
        names = ", ".join(kind.spec.name for kind in LEARNERS)
        raise click.UsageError(f"name a learner to train ({names}), or give --from NAME")
    kind = parse_learner(learner)
    rules = chosen_game(game or game_of_preset(kind, preset), library, (opponent,))
    if seed is None:
        seed = secrets.randbelow(RANDOM_SEEDS)
    return kind(rules, kind.spec.usual_preset(rules, preset), seed, parse_settings(kind, settings))


def read_course(path: Path) -> Course:
    from lab.exact.course_file import parse_course

    try:
        return parse_course(read_text_from(path))
    except BadText as error:
        raise BadText(f"{file_name(path)}: {error}") from None


def require_course(course: Course, chosen: Mapping[str, str | None], others: list[object]) -> None:
    """Raise `BadText` if the options name another learner, game or preset than those of the course.

    `others` are the options that are not possible with a course, `None` where they are not given.
    """
    if any(option is not None for option in others):
        raise click.UsageError(
            "--course has its own games and settings: leave out --opponent, --games, --generations, --set, --from"
        )
    own_values = {"learner": course.learner, "game": course.game.name, "preset": course.preset}
    for key, value in chosen.items():
        if value not in (None, own_values[key]):
            raise BadText(f"the course is for the {key} {own_values[key]}, not {quoted(str(value))}")


def chosen_rounds(learner: Learner, chosen: Mapping[str, int | None]) -> int:
    """Return the number of rounds to train: as the user chose, or as usual for the preset.

    `chosen` has the number that the user gave, or `None`, by the word for a round, such as `game`. Raises click's
    error.
    """
    spec = learner.spec
    for noun, count in chosen.items():
        if count is not None and noun != spec.round_noun:
            rounds = plural(spec.round_noun, 2)
            raise click.UsageError(f"{spec.name} is trained in {rounds}: give --{rounds} N")
    return chosen[spec.round_noun] or spec.rounds_for(learner.preset)


def set_opponent(learner: Learner, opponent: str, library: Library) -> None:
    if opponent == PERSON:
        raise BadText(
            "to teach it yourself, play against it: noughts play --learn --second save:NAME. "
            "Here --opponent is self, random, perfect or save:NAME"
        )
    learner.set_opponent(library.opponent(opponent, learner.game))


def load_learner(
    library: Library, origin: str, chosen: Mapping[str, str | int | None], settings: Iterable[str]
) -> Learner:
    """Load a save whose training is continued. Raises `BadText` if the options name other rules than its own."""
    snapshot = library.load(origin)
    own_values = {
        **snapshot.settings,
        "learner": snapshot.learner,
        "game": snapshot.game.name,
        "preset": snapshot.preset,
        "seed": snapshot.seed,
    }
    for key, value in {**chosen, **parse_settings(kind_of(snapshot), settings)}.items():
        own_value = own_values[key]
        if value is not None and value != own_value:
            raise BadText(f"{quoted(origin)} has {key} {own_value}, which cannot be changed; leave out {key} {value}")
    return revive(snapshot)


def save_learner(
    library: Library, name: str | None, progress: Progress, *, replace: bool, since: str | None
) -> tuple[str | None, int]:
    """Save the learner, unless no round is done; return the name of the save and the exit code 0.

    `since` is the stamp that the save had before the training: if it has changed, the learner gets a new name. If
    saving fails, print the reason, and return `None` and the exit code.
    """
    if name is None or not progress.done:
        return None, 0
    try:
        try:
            library.save(name, progress.snapshot, replace=replace, since=since)
        except NameTaken:
            name, _ = library.save_free(name, progress.snapshot)
    except LibraryError as error:
        common.print_error(str(error))
        return None, 1
    return name, 0
