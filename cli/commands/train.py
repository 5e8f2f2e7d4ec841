"""`noughts train`: train a learner and save it."""

import secrets
import shlex
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from textwrap import wrap
from typing import Final

import click

from cli.shared import common
from cli.shared.arguments import chosen_game, chosen_library, full_label, game_of_preset, parse_new_name, parse_seed
from cli.shared.completion import SaveName, complete_learner, complete_player, complete_preset
from cli.shared.progress import progress_of_rounds
from cli.shared.results import statistics_lines
from cli.shared.sampled_results import known_lines, sampled_document
from cli.shared.score_documents import results_document
from cli.shared.signals import collect_signals, interrupt_on_signals
from cli.shared.streams import file_name, read_text_from
from engine.evaluate import scoreboard
from engine.game import BadText, Game, Side, quoted
from engine.plural import counted_noun, plural
from lab.results.score_lines import results_lines
from lab.results.tables import untrained_lines
from lab.signals import SIGNAL_EXIT
from lab.text.numbers import count_text, short_count
from lab.text.sanitise import plain
from lab.training.setup import averages_per_game, averages_text, parse_settings
from lab.training.stalled import find_stall
from learners import LEARNERS, kind_of, parse_learner, revive, split_learner
from learners.core.learner import PERSON, Learner
from learners.core.save_ref import SaveRef, is_save, parse_name, parse_save
from learners.core.settings import key_and_value
from learners.core.snapshot import ITSELF
from learners.core.training import MAX_ROUNDS, Progress, TrainingPlan, run
from learners.courses.course import Course, play_course, progress_of
from learners.race.sampling import judge_known
from saves.errors import LibraryError, NameTaken
from saves.library.library import Library

SEEDS: Final = 2**32
"""Random seeds are below this, so that they are easy to write down."""


def learner_lines(kind: type[Learner]) -> list[str]:
    """Return the presets and settings of a learner in words, each setting with its value in the default preset."""
    spec = kind.spec
    lines = [f"  {spec.name}: {spec.summary}"]
    for preset in spec.presets:
        games = f" ({', '.join(spec.preset_games[preset])})" if preset in spec.preset_games else ""
        lines += _entry(f"{preset}{games}", kind.shown.preset_words.get(preset, ""))
    usual = next(iter(spec.presets.values()))
    for key, kind_of_setting in spec.settings.items():
        lines += _entry(f"{key}={kind_of_setting.syntax}", f"[{str(usual[key]).lower()}]  {kind_of_setting.summary}")
    return lines


def _entry(name: str, words: str) -> list[str]:
    first, *rest = wrap(words, HELP_WIDTH - NAME_WIDTH - 6) or [""]
    head = (
        f"    {name:<{NAME_WIDTH}}  {first}" if len(name) <= NAME_WIDTH else f"    {name}\n{'':{NAME_WIDTH + 6}}{first}"
    )
    return [head.rstrip(), *(f"{'':{NAME_WIDTH + 6}}{line}" for line in rest)]


HELP_WIDTH, NAME_WIDTH = 78, 24
"""The columns of a line of help, and of the names in it."""
LEARNER_HELP: Final = (
    "\b\nLearners, each with its presets, and its settings with their [numbers] in the first:\n"
    + "\n".join(line for kind in LEARNERS for line in learner_lines(kind))
)


def setting(text: str) -> str:
    """Check the form `KEY=VALUE`. The learner, which is known later, checks the rest. Raises click's error."""
    try:
        key_and_value(text)
    except BadText as error:
        raise click.BadParameter(str(error)) from error
    return text


def no_save(_context: click.Context, _parameter: click.Parameter, name: str | None) -> str | None:
    if name is not None and is_save(name):
        save = shlex.quote(plain(name.partition(":")[2]))
        raise click.BadParameter(f"{plain(name)} is a save: continue its training with --from {save}")
    return name


@click.command(epilog=LEARNER_HELP)
@click.argument(
    "learner", metavar="[LEARNER[:PRESET]]", required=False, shell_complete=complete_learner, callback=no_save
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
    type=setting,
    multiple=True,
    metavar="KEY=VALUE",
    help="Change a setting, see below; can be repeated.",
)
@click.option(
    "--boxes",
    type=click.Choice(["all", "smallest"]),
    help="For menace: a box for every decision, or only the fewest that suffice never to lose.",
)
@common.path_option("--course", help="Play the games of this course, which noughts teach has kept.")
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
    course: Path | None,
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
    settings = settings if boxes is None else (*settings, f"boxes={boxes}")
    if save is not None:
        parse_name(save)  # refuse a bad name before a large game is prepared
    taught = None if course is None else read_course(course)
    named = None if game is None else game.name
    if taught is not None:
        asked = {"learner": learner, "game": named, "preset": preset}
        learner, game, preset = fitting(taught, asked, [opponent, games, generations, origin, *settings])
        settings = tuple(f"{key}={value}" for key, value in taught.settings.items())
    opponent = opponent and full_label(opponent, library)
    stamp = None if origin is None else library.stamp(str(parse_save(origin)))
    if origin is not None:
        trained = continued_learner(
            library, origin, {"learner": learner, "game": named, "preset": preset, "seed": seed}, settings
        )
    elif learner is None:
        raise click.UsageError(
            f"name a learner to train ({', '.join(kind.spec.name for kind in LEARNERS)}), or give --from NAME"
        )
    else:
        kind = parse_learner(learner)
        rules = chosen_game(game or game_of_preset(kind, preset), library, (opponent,))
        seed = secrets.randbelow(SEEDS) if seed is None else seed
        trained = kind(rules, kind.spec.usual_preset(rules, preset), seed, parse_settings(kind, settings))
    set_opponent(trained, trained.opponent if opponent is None else opponent, library)
    rounds = rounds_asked(trained, {"game": games, "generation": generations}) if taught is None else taught.length
    if save is not None:
        replace = replace or origin == parse_name(save)
        save = parse_new_name(library, save, replace=replace)
        library.require_writable()
    before = trained.stats()
    with collect_signals() as received:
        with progress_of_rounds(rounds, trained.spec.round_noun) as show_progress:
            try:
                with interrupt_on_signals() as early:
                    trained.train(0)  # loads the kernel, and compiles it the first time
            except KeyboardInterrupt:
                common.print_error(f"stopped before the first {trained.spec.round_noun}: nothing was learned")
                return SIGNAL_EXIT + early[0]
            games_of = (
                partial(run, trained, TrainingPlan(rounds))
                if taught is None
                else partial(progress_of, trained, play_course(trained, taught), rounds)
            )
            for progress in games_of(lambda: bool(received)):
                show_progress(progress)
        if received:
            common.print_error("stopping …" if save is None else "stopping: saving what was learned …")
        since = stamp if save == origin else None
        kept, code = save_learner(library, save, progress, replace=replace, since=since)
        trained.drop_tables()  # the tables of a large game take much memory
        results, found = results_of(trained)
        stall = find_stall(progress.snapshot, lambda: bool(received))
        stopped = None if stall is None else stall.sentence(trained.spec.round_noun)
        document = {
            **run_document(trained, progress, before, kept),
            "stopped_learning": None if stall is None else {"since": stall.rounds, "sentence": stopped},
            **found,
        }
        lines = [*summary(trained, progress, before, kept), *([stopped] if stopped else []), "", *results]
    common.print_result(lines, document, as_json=as_json)
    return SIGNAL_EXIT + received[0] if received else code


def read_course(path: Path) -> Course:
    from lab.exact.course_file import parse_course

    try:
        return parse_course(read_text_from(path))
    except BadText as error:
        raise BadText(f"{file_name(path)}: {error}") from None


def fitting(course: Course, asked: Mapping[str, str | None], others: list[object]) -> tuple[str, Game, str]:
    """Return the learner, the game and the preset of a course. Raises `BadText` if the options name others.

    `others` are the options that are not possible with a course, `None` where they are not given.
    """
    if any(each is not None for each in others):
        raise click.UsageError(
            "--course has its own games and settings: leave out --opponent, --games, --generations, --set, --from"
        )
    has = {"learner": course.learner, "game": course.game.name, "preset": course.preset}
    for key, value in asked.items():
        if value not in (None, has[key]):
            raise BadText(f"the course is for the {key} {has[key]}, not {quoted(str(value))}")
    return course.learner, course.game, course.preset


def with_preset(learner: str | None, preset: str | None) -> tuple[str | None, str | None]:
    """Return a learner and its preset, as `split_learner` reads them. Raises click's error for two presets."""
    name, written = split_learner(learner or "")
    if written and preset not in (None, written):
        raise click.UsageError(f"{learner} names a preset already: leave out --preset {preset}")
    return name or None, written or preset


def results_of(trained: Learner) -> tuple[list[str], dict[str, object]]:
    if not trained.game.learnable:
        known = judge_known(trained)
        lines = [] if known is None else known_lines(known)
        more = "To sample games against others: noughts evaluate save:NAME"
        return [*lines, more], {"exact": None, **sampled_document(None, known)}
    exact = scoreboard(trained.space, trained.policy())
    heading = "Exact chances, independent of its training games:"
    lines = [*results_lines(trained.game, exact, trained.trained_sides), *untrained_lines(trained)]
    return [heading, "", *lines], {"exact": results_document(exact, trained.trained_sides)}


def rounds_asked(learner: Learner, asked: Mapping[str, int | None]) -> int:
    """Return the number of rounds to train: as asked, or as usual for the preset.

    `asked` has the number that the user gave, or `None`, by the word for a round, such as `game`. Raises click's error.
    """
    spec = learner.spec
    for noun, count in asked.items():
        if count is not None and noun != spec.round_noun:
            rounds = plural(spec.round_noun, 2)
            raise click.UsageError(f"{spec.name} is trained in {rounds}: give --{rounds} N")
    return asked[spec.round_noun] or spec.rounds_for(learner.preset)


def set_opponent(learner: Learner, opponent: str, library: Library) -> None:
    if opponent == PERSON:
        raise BadText(
            "to teach it yourself, play against it: noughts play --learn --second save:NAME. "
            "Here --opponent is self, random, perfect or save:NAME"
        )
    learner.set_opponent(library.opponent(opponent, learner.game))


def continued_learner(
    library: Library, origin: str, asked: Mapping[str, str | int | None], settings: Iterable[str]
) -> Learner:
    snapshot = library.load(origin)
    kind = kind_of(snapshot)
    has = {**snapshot.settings, **{key: getattr(snapshot, key) for key in asked}, "game": snapshot.game.name}
    wanted = {**asked, **parse_settings(kind, settings)}
    for key, value in wanted.items():
        if value is not None and value != has[key]:
            raise BadText(f"{quoted(origin)} has {key} {has[key]}, which cannot be changed; leave out {key} {value}")
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


def averages_of_run(learner: Learner, progress: Progress, before: Mapping[str, int]) -> dict[str, float]:
    return averages_per_game(before, progress.snapshot.stats) if learner.spec.round_statistic == "games" else {}


def run_document(
    learner: Learner, progress: Progress, before: Mapping[str, int], save: str | None
) -> dict[str, object]:
    """Return the run as JSON. `trained` counts the rounds of this run, the statistics all training of the learner.

    `before` are the statistics at the start of the run.
    """
    snapshot, seconds = progress.snapshot, progress.seconds
    games = snapshot.stats[learner.spec.games_statistic] - before[learner.spec.games_statistic]
    return {
        "learner": snapshot.learner,
        "game": snapshot.game.name,
        "preset": snapshot.preset,
        "opponent": snapshot.opponent,
        "settings": dict(snapshot.settings),
        "seed": snapshot.seed,
        **learner.spec.json_stats(snapshot.stats),
        **averages_of_run(learner, progress, before),
        "trained": progress.done,
        "planned": progress.total,
        "seconds": round(seconds, 6),
        f"{plural(learner.spec.round_noun, 2)}_per_second": round(progress.per_second, 1),
        "games_per_second": round(games / seconds if seconds else 0.0, 1),
        "save": save,
        "history": [learner.spec.json_stats(stats) for stats in snapshot.history],
    }


def summary(learner: Learner, progress: Progress, before: Mapping[str, int], save: str | None) -> list[str]:
    seed, noun = f"seed {learner.seed}", learner.spec.round_noun
    against = "itself" if learner.opponent == ITSELF else plain(learner.opponent)
    heading = f"{learner.spec.title} ({learner.preset}), {learner.game.title}, against {against}, {seed}"
    lines = [heading, "", *statistics_lines(learner), ""]
    if progress.perfect:
        lines.append(f"Perfect after {counted_noun(learner.rounds, noun)}: no opponent can beat it.")
    elif not progress.finished:
        lines.append(f"Stopped after {count_text(progress.done)} of {counted_noun(progress.total, noun)}.")
    if progress.finished and progress.done < learner.rounds:
        lines.append(f"This run: {counted_noun(progress.done, noun)}.")
    averages = averages_of_run(learner, progress, before)
    rate = f"{progress.seconds:.2f} s of training, {short_count(progress.per_second)} {plural(noun, 2)}/s"
    lines.append(f"{rate}; {averages_text(averages)}" if averages else rate)
    if save is None:
        lines.append("Not saved. To save a training: --save NAME")
    else:
        player = shlex.quote(SaveRef(plain(save)).label)
        seat = "--second" if Side.SECOND in learner.trained_sides else "--first"
        lines.append(f"Saved as {quoted(save)}. To play against it: noughts play {seat} {player}")
    return lines
