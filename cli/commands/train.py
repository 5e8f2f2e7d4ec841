"""Training without a screen."""

import secrets
import shlex
from collections.abc import Iterable, Mapping
from typing import Final

import click

from cli.shared.arguments import chosen_game, chosen_library, free_to_use, full_label, seed_number
from cli.shared.common import complain, game_option, json_option, library_option, report, whole_number
from cli.shared.progress import progress_of_rounds
from cli.shared.results import Scoreboard, exact_results, results_document, results_lines, statistics_lines
from cli.shared.signals import interrupting_signals, noted_signals
from engine.game import BadText, Game, Side, quoted
from engine.games import parse_game
from lab.signals import SIGNAL_EXIT
from lab.training.setup import parse_settings
from lab.words.numbers import count_text, rounds_text, short_count
from lab.words.running_statistics import kind_of_games, kind_text
from lab.words.sanitise import plain
from learners import LEARNERS, parse_learner, revive
from learners.core.learner import PERSON, Learner
from learners.core.settings import key_and_value
from learners.core.snapshot import ITSELF
from learners.core.training import MOST_ROUNDS, Plan, Progress, run
from saves.errors import LibraryError, NameTaken
from saves.library.library import SAVE, Library
from saves.names import parse_moment, parse_name

SEEDS: Final = 2**32
"""Seeds that are drawn, rather than given, stay below this: short enough to be written down."""


def presets_of(kind: type[Learner]) -> str:
    """The presets of a learner, each with its games where it does not fit all."""
    fits = kind.spec.preset_games
    return ", ".join(f"{name} ({', '.join(fits[name])})" if name in fits else name for name in kind.spec.presets)


LEARNER_HELP: Final = "\b\nLearners, with their presets and settings, the first ones first:\n" + "\n".join(
    f"  {kind.spec.name:12}presets {presets_of(kind)}\n"
    + "\n".join(f"{'':14}{key}={setting.syntax}" for key, setting in kind.spec.settings.items())
    for kind in LEARNERS
)


def round_count(text: str) -> int:
    return whole_number(text, 1, MOST_ROUNDS)


def setting(text: str) -> str:
    """A setting as it is written: which there are, and what they may be, depends on the learner."""
    try:
        key_and_value(text)
    except BadText as error:
        raise click.BadParameter(str(error)) from error
    return text


@click.command(epilog=LEARNER_HELP)
@click.argument("learner", required=False)
@game_option
@click.option("--preset", metavar="NAME", help="A set of settings; the learner's first one if none is named.")
@click.option(
    "--opponent",
    metavar="P",
    help="Whom it trains against: self, random, perfect, or save:NAME. Else self, or perfect where it plays one side.",
)
@click.option("--games", type=round_count, metavar="N", help="How many games to play: 100,000 if none is given.")
@click.option(
    "--generations", type=round_count, metavar="N", help="How many generations to breed: 500 if none is given."
)
@click.option("--seed", type=seed_number, metavar="N", help="Repeats the same games; drawn and told if none is given.")
@click.option("--set", "settings", type=setting, multiple=True, metavar="KEY=VALUE", help="Change one setting.")
@click.option("--save", metavar="NAME", help="Keep what was learned in the library under that name.")
@click.option("--from", "origin", metavar="NAME", help="Go on training that save instead of starting from nothing.")
@click.option("--replace", is_flag=True, help="Let --save replace a save of that name.")
@library_option
@json_option
def train(  # noqa: PLR0913, PLR0917  one parameter an option
    learner: str | None,
    game: str | None,
    preset: str | None,
    opponent: str | None,
    games: int | None,
    generations: int | None,
    seed: int | None,
    settings: tuple[str, ...],
    save: str | None,
    origin: str | None,
    *,
    replace: bool,
    as_json: bool,
) -> int:
    """Train LEARNER against itself or another player.

    Ctrl+C stops it; with --save, what it learned so far is saved.

    \b
    Examples:
      noughts train failures --save mine
      noughts train menace --opponent perfect --games 10_000 --set win=5
      noughts train --from mine --games 1000 --save mine --replace
    """
    library = chosen_library()
    opponent = opponent and full_label(opponent, library)
    stamp = None if origin is None else library.stamp(str(parse_moment(origin)))
    if origin is not None:
        trained = continued_learner(
            library, origin, {"learner": learner, "game": game, "preset": preset, "seed": seed}, settings
        )
    elif learner is None:
        raise click.UsageError(
            f"say which learner to train ({', '.join(kind.spec.name for kind in LEARNERS)}), or --from NAME"
        )
    else:
        kind = parse_learner(learner)
        rules = chosen_game(game or kind.spec.preset_games.get(preset or "", (None,))[0], library, (opponent,))
        trained = new_learner(kind, rules, preset, seed, settings)
    meet(trained, opponent or trained.opponent, library)
    rounds = rounds_asked(type(trained), {"game": games, "generation": generations})
    if save is not None:
        replace = replace or origin == parse_name(save)
        save = free_to_use(library, save, replace=replace)
        library.require_writable()
    code = 0
    before = trained.stats()
    with noted_signals() as came:
        with progress_of_rounds(rounds, trained.spec.round_noun) as tell:
            try:
                with interrupting_signals() as early:
                    trained.train(0)  # loads the kernel, and compiles it the first time
            except KeyboardInterrupt:
                complain(f"stopped before the first {trained.spec.round_noun}: nothing was learned")
                return SIGNAL_EXIT + early[0]
            for progress in run(trained, Plan(rounds), lambda: bool(came)):
                tell(progress)
            try:
                kept = keep(library, save, progress, replace=replace, since=stamp if save == origin else None)
            except LibraryError as error:
                kept, code = None, 1
                complain(str(error))
        exact = exact_results(trained.game, trained.policy())
        document = {**run_document(trained, progress, before, kept), "exact": results_document(exact)}
        lines = [*summary(trained, progress, before, kept), *truth(trained, exact)]
    report(lines, document, as_json=as_json)
    return SIGNAL_EXIT + came[0] if came else code


def rounds_asked(kind: type[Learner], asked: Mapping[str, int | None]) -> int:
    """How many rounds to train a learner of that kind, given what was asked for by what a round is called."""
    for noun, count in asked.items():
        if count is not None and noun != kind.spec.round_noun:
            raise click.UsageError(
                f"{kind.spec.name} is trained in {kind.spec.round_noun}s: give --{kind.spec.round_noun}s N"
            )
    return asked[kind.spec.round_noun] or kind.spec.usual_rounds


def new_learner(
    kind: type[Learner], game: Game, preset: str | None, seed: int | None, settings: Iterable[str]
) -> Learner:
    """A learner that knows nothing yet. Raises `BadText`."""
    parsed = parse_settings(kind, settings)
    chosen_seed = secrets.randbelow(SEEDS) if seed is None else seed
    return kind(game, preset or next(iter(kind.spec.presets_for(game) or kind.spec.presets)), chosen_seed, parsed)


def meet(learner: Learner, opponent: str, library: Library) -> None:
    """Let it train against that player. Raises `BadText`, `LibraryError`, `TooLarge`."""
    if opponent == PERSON:
        raise BadText(
            "you teach it yourself, at the board: noughts play --learn --second save:NAME. "
            "Here --opponent is self, random, perfect or save:NAME"
        )
    learner.set_opponent(library.opponent(opponent, learner.game))


def continued_learner(
    library: Library, origin: str, asked: Mapping[str, str | int | None], settings: Iterable[str]
) -> Learner:
    """The learner of a save, which goes on as it is: whatever else was asked for must agree with it."""
    snapshot = library.load(origin)
    kind = parse_learner(snapshot.learner)
    has = {**snapshot.settings, **{key: getattr(snapshot, key) for key in asked}}
    wanted = {**asked, **parse_settings(kind, settings)}
    for key, value in wanted.items():
        if value is not None and value != has[key]:
            raise BadText(f"{quoted(origin)} goes on with {key} {has[key]}, as it began; leave out {key} {value}")
    return revive(snapshot, parse_game(snapshot.game))


def keep(library: Library, name: str | None, progress: Progress, *, replace: bool, since: str | None) -> str | None:
    """Save what was learned, if anything was; returns the name, another one if somebody took it in the meantime.

    `since` is the stamp of the save that was trained on, which somebody may have changed.
    """
    if name is None or not progress.done:
        return None
    try:
        library.save(name, progress.snapshot, replace=replace, since=since)
    except NameTaken:
        name = library.free_name(name)
        library.save(name, progress.snapshot)
    return name


def kind_of_run(learner: Learner, progress: Progress, before: Mapping[str, int]) -> dict[str, float]:
    """What belongs beside the rate of a run whose rounds are games."""
    return kind_of_games(before, progress.snapshot.stats) if learner.spec.round_statistic == "games" else {}


def run_document(
    learner: Learner, progress: Progress, before: Mapping[str, int], save: str | None
) -> dict[str, object]:
    """The run as one JSON object: the statistics count all that the memory knows, `trained` the rounds of this run.

    `before` are the statistics at its beginning.
    """
    snapshot, seconds = progress.snapshot, progress.seconds
    games = snapshot.stats[learner.spec.games_statistic] - before[learner.spec.games_statistic]
    return {
        "learner": snapshot.learner,
        "game": snapshot.game,
        "preset": snapshot.preset,
        "opponent": snapshot.opponent,
        "settings": dict(snapshot.settings),
        "seed": snapshot.seed,
        **learner.spec.json_stats(snapshot.stats),
        **kind_of_run(learner, progress, before),
        "trained": progress.done,
        "planned": progress.total,
        "seconds": round(seconds, 6),
        f"{learner.spec.round_noun}s_per_second": round(progress.per_second, 1),
        "games_per_second": round(games / seconds if seconds else 0.0, 1),
        "save": save,
        "history": [learner.spec.json_stats(stats) for stats in snapshot.history],
    }


def summary(learner: Learner, progress: Progress, before: Mapping[str, int], save: str | None) -> list[str]:
    """The run in words: the running statistics, how fast it was, and how to go on."""
    seed, noun = f"seed {learner.seed}", learner.spec.round_noun
    against = "itself" if learner.opponent == ITSELF else plain(learner.opponent)
    heading = f"{learner.spec.title} ({learner.preset}), {learner.game.title}, against {against}, {seed}"
    lines = [heading, "", *statistics_lines(learner), ""]
    if progress.perfect:
        lines.append(
            f"Perfect after {rounds_text(learner.rounds, noun, short=False)}: it loses no game that can be played."
        )
    elif not progress.finished:
        lines.append(f"Stopped after {count_text(progress.done)} of {rounds_text(progress.total, noun, short=False)}.")
    if progress.finished and progress.done < learner.rounds:
        lines.append(f"{count_text(progress.done)} of these {noun}s {'is' if progress.done == 1 else 'are'} new.")
    kind = kind_of_run(learner, progress, before)
    rate = f"{progress.seconds:.2f} s of training, {short_count(progress.per_second)} {noun}s/s"
    lines.append(f"{rate}; {kind_text(kind)}" if kind else rate)
    if save is None:
        lines.append("Not kept: --save NAME would put it into the library.")
    else:
        player = shlex.quote(SAVE + plain(save))
        seat = "--second" if Side.SECOND in learner.sides else "--first"
        lines.append(f"Saved as {quoted(save)}. To play against it: noughts play {seat} {player}")
    return lines


def truth(learner: Learner, exact: Scoreboard) -> list[str]:
    """How it fares now against anybody, which its own games do not tell."""
    return ["", "Exact chances, whatever its own games were:", "", *results_lines(learner.game, exact, learner.sides)]
