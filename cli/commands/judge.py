"""`noughts judge`: exact results of an agent of another program, or sampled ones in a game that is too large."""

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Final

import click

from cli.commands.app import open_app
from cli.shared.arguments import chosen_game, chosen_library, chosen_player, full_label, parse_new_name
from cli.shared.common import Seconds, game_option, json_option, library_option, print_result, replace_option
from cli.shared.progress import progress_bar
from cli.shared.results import games_lines, known_lines, results_document, sampled_document
from cli.shared.spaces import large_games
from engine.evaluate import OPPONENTS
from engine.game import BadText, Game, Position, Side, quoted
from engine.match import Match
from lab.board.session import GameReview
from lab.judging.judge import (
    PROBES,
    SAMPLES,
    AgentResults,
    Ask,
    AskProgress,
    IllegalMoves,
    ask_all,
    judge,
    player_agent,
)
from lab.judging.line_process import PATIENCE
from lab.judging.policy_file import SUFFIXES, read_policy
from lab.judging.program_agent import command_of, program_agent
from lab.judging.python_agent import python_agent
from lab.judging.python_process import OBJECT
from lab.judging.sampling import GAMES, AskedAgent, Chooses, KnownMoves, SampledGames, judge_known, play_samples
from lab.judging.verdict_text import sampled_verdict_lines, verdict_lines
from lab.results.tables import results_lines
from lab.text.sanitise import plain
from learners import is_player
from learners.core.learner import PERSON, trained_sides
from learners.core.plural import counted_noun
from learners.fixed import fixed_policy
from learners.players.seeds import SEEDS, unseeded
from saves.library.library import SAVE, Library

INTERVAL: Final = 0.1
"""The least time between two updates of the progress, in seconds."""
LostGame = tuple[Side, Match] | None
"""The shortest lost game, and the side of the agent in it; `None` if the agent never loses."""
SIDES: Final = {"first": (Side.FIRST,), "second": (Side.SECOND,), "both": tuple(Side)}


@click.command("judge")
@click.argument("policy", metavar="POLICY")
@game_option
@click.option("--values", is_flag=True, help="The file holds values: the agent plays the move with the highest.")
@click.option("--side", type=click.Choice([*SIDES]), help="The side that the agent plays.  [default: both]")
@click.option(
    "--samples",
    type=click.IntRange(1, 100_000),
    metavar="N",
    help=f"Ask N times in each position.  [default: {PROBES}, or {SAMPLES} if answers differ]  In a game too large for "
    f"exact results: play N games against each opponent as each side.  [default: {GAMES}]",
)
@click.option(
    "--time-limit",
    type=Seconds(0.01, 3600),
    metavar="S",
    default=PATIENCE,
    help=f"The time limit for each answer, in seconds.  [default: {PATIENCE:g}]",
)
@click.option("--save", metavar="NAME", help="Save the agent in the library, to play against it and to inspect it.")
@click.option("--show", is_flag=True, help="In the app, open the shortest game that the agent loses.")
@replace_option
@library_option
@json_option
def judge_command(  # noqa: PLR0913  one parameter an option
    policy: str,
    game: str | None,
    *,
    values: bool,
    side: str | None,
    samples: int | None,
    time_limit: float,
    save: str | None,
    show: bool,
    replace: bool,
    as_json: bool,
) -> int:
    """Judge an agent of another program exactly.

    The report has the agent's exact results and the shortest game that it
    loses. POLICY is a file with a policy (.csv, .tsv or .json), a Python
    object (module:name or file.py:name), a program that reads a position from a
    line and writes a move, or a player as in evaluate. docs/judging.md describes
    them.

    In a game that is too large for exact results, such as connectfour, it plays
    a number of games, as in evaluate, and the errors are stated.

    \b
    Examples:
      noughts judge q_table.csv --values
      noughts judge my_agent.py:choose
      noughts judge './agent --fast' --game mnk:4,3,3
      noughts judge my_agent.py:choose --game connectfour
    """
    if show and as_json:
        raise click.UsageError("--show opens the app, and --json prints: give one of them")
    library = chosen_library()
    label = full_label(policy, library)
    rules = chosen_game(game, library, [label])
    if save is not None:
        save = parse_new_name(library, save, replace=replace)
        library.require_writable()
    if not rules.numbered:
        if save is not None:
            raise BadText(f"{rules.title} is too large to keep the moves of an agent: leave out --save")
        with player_of(policy, label, rules, library, time_limit) as (player, sides):
            sampled, known = sample(player, sides if side is None else SIDES[side], samples or GAMES)
        report_samples(policy, player, sampled, known, as_json=as_json)
        return show_loss(rules, sampled.losing, PERSON) if show else 0
    notes = list[str]()
    with large_games():
        with (
            agent_of(
                policy, label, rules, library, values=values, patience=time_limit, samples=samples, notes=notes
            ) as (ask, sides),
            progress_bar("", asking_text) as show_progress,
        ):
            answers = ask_all(rules, ask, sides if side is None else SIDES[side], samples, rate_limited(show_progress))
        verdict = judge(rules, answers)
    if save is not None:
        library.save(save, fixed_policy(rules, answers.policy).snapshot(), replace=replace)
    print_result(
        lines_of(policy, rules, verdict, notes, save),
        {**document_of(policy, rules, verdict, save), "notes": notes},
        as_json=as_json,
    )
    return show_loss(rules, verdict.losing, PERSON if save is None else SAVE + save) if show else 0


def show_loss(game: Game, losing: LostGame, agent: str) -> int:
    """Open the app with a lost game. Raises `BadText` if there is none."""
    if losing is None:
        raise BadText("there is no game to show: it never loses")
    loser, match = losing
    players = (agent, PERSON) if loser is Side.FIRST else (PERSON, agent)
    return open_app(review=GameReview(match, players), game=game.name)


def sample(player: Chooses, sides: tuple[Side, ...], games: int) -> tuple[SampledGames, KnownMoves | None]:
    """Sample the results of a player in a game that is too large for exact ones."""
    with progress_bar("playing", lambda share: (share, "")) as show:
        return play_samples(player, report=show, sides=sides, games=games), judge_known(player, sides=sides)


def report_samples(
    policy: str, player: Chooses, sampled: SampledGames, known: KnownMoves | None, *, as_json: bool
) -> None:
    """Print the sampled results of a player."""
    game, agent = player.game, player if isinstance(player, AskedAgent) else None
    lines = [f"{plain(policy)}, {game.title}", "", *games_lines(game, sampled)]
    lines += ["", *known_lines(known)] if known is not None else []
    verdict = sampled_verdict_lines(game, sampled.losing, agent)
    document = {
        "player": policy,
        "game": game.name,
        **sampled_document(sampled, known),
        **losing_document(game, sampled.losing),
        **flaws_document(game, () if agent is None else agent.illegal.values(), () if agent is None else agent.missing),
        "asked": None if agent is None else agent.asked,
        "save": None,
    }
    print_result([*lines, "", *verdict] if verdict else lines, document, as_json=as_json)


def asking_text(asking: AskProgress) -> tuple[float, str]:
    """The progress of the questions, as a fraction from 0 to 1, and in words."""
    return asking.share, counted_noun(asking.asked, "position") + " asked"


def rate_limited(show: Callable[[AskProgress], None]) -> Callable[[AskProgress], None]:
    """Return `show`, limited to one call in `INTERVAL` seconds: an agent may answer within microseconds."""
    shown = monotonic()

    def show_now(asking: AskProgress) -> None:
        nonlocal shown
        if monotonic() - shown >= INTERVAL:
            shown = monotonic()
            show(asking)

    return show_now


@contextmanager
def agent_of(  # noqa: PLR0913  what the command was given
    policy: str,
    label: str,
    game: Game,
    library: Library,
    *,
    values: bool,
    patience: float,
    samples: int | None,
    notes: list[str],
) -> Iterator[tuple[Ask, tuple[Side, ...]]]:
    """Yield a function that asks POLICY, and the sides that POLICY plays; add remarks to `notes`. Raises `BadText`."""
    batches = (PROBES, SAMPLES - PROBES) if samples is None else (samples,)
    if is_file(policy):
        read = read_policy(Path(policy), game, values=values)
        notes += read.notes
        sides = tuple(each for each in Side if any(game.side(position) is each for position in read.replies))
        yield read.replies.get, sides
    elif is_own(label):
        player = chosen_player(label, game, library)
        if unseeded(player) is not None:
            notes.append(f"It plays with seed 0: noughts evaluate {label} has its results over {SEEDS} seeds")
        yield player_agent(player), tuple(trained_sides(player))
    else:
        with outside_agent(policy, game, patience, batches) as ask:
            yield ask, tuple(Side)


@contextmanager
def player_of(
    policy: str, label: str, game: Game, library: Library, patience: float
) -> Iterator[tuple[Chooses, tuple[Side, ...]]]:
    """Yield POLICY as a player of a game that is too large for a table, and its sides. Raises `BadText`."""
    if is_file(policy):
        raise BadText(
            f"{quoted(policy)} is a table of moves, and {game.title} is too large for one: "
            "give a Python object (module:name) or a program"
        )
    if is_own(label):
        player = chosen_player(label, game, library)
        yield player, tuple(trained_sides(player))
    else:
        with outside_agent(policy, game, patience) as ask:
            yield AskedAgent(game, ask), tuple(Side)


def is_file(policy: str) -> bool:
    """Whether POLICY names a file with a policy, by its suffix."""
    return Path(policy).suffix.lower() in SUFFIXES


def is_own(label: str) -> bool:
    """Whether a label names a player of Noughts, such as a save."""
    return label.startswith(SAVE) or is_player(label)


@contextmanager
def outside_agent(policy: str, game: Game, patience: float, batches: Sequence[int] = (1,)) -> Iterator[Ask]:
    """Yield a function that asks a Python object or a program; `batches`: see `python_agent`. Raises `BadText`."""
    if OBJECT.fullmatch(policy):
        with python_agent(policy, game, patience, batches) as ask:
            yield ask
    elif command := command_of(policy):
        with program_agent(command, policy, game, patience) as ask:
            yield ask
    else:
        raise BadText(
            f"{quoted(policy)} is not a file that can be read (.csv, .tsv, .json), a Python object (module:name), "
            "a program or a player\n"
            + (
                f"Name the function in it: noughts judge {shlex.quote(policy)}:NAME"
                if policy.endswith(".py")
                else "An example: noughts judge my_agent.py:choose"
            )
        )


def lines_of(policy: str, game: Game, verdict: AgentResults, notes: list[str], save: str | None) -> list[str]:
    """The verdict for a person: first the notes on how POLICY was read, since the verdict depends on them."""
    sides = verdict.answers.sides
    table = results_lines(game, verdict.scores, sides)
    lines = [f"{plain(policy)}, {game.title}", "", *notes, *verdict_lines(game, verdict), "", *table]
    if save is None:
        return lines
    seat = "--second" if Side.SECOND in sides else "--first"
    return [*lines, f"Saved as {save}: noughts play {seat} {shlex.quote(SAVE + save)}"]


def document_of(policy: str, game: Game, verdict: AgentResults, save: str | None) -> dict[str, object]:
    """The verdict as a JSON object: that of `evaluate`, with the shortest lost game and the flaws of the answers."""
    answers, sampled = verdict.answers, verdict.sampled
    return {
        "player": policy,
        "game": game.name,
        **results_document(verdict.scores, answers.sides),
        "optimal": {side.name.lower(): secure for side, secure in verdict.optimal.items()},
        **losing_document(game, verdict.losing),
        **flaws_document(game, answers.illegal, answers.missing),
        "asked": answers.asked,
        "sampled": None
        if sampled is None
        else {
            "samples": sampled.samples,
            "positions": sampled.positions,
            "standard_errors": {
                side: {each: round(errors[each], 6) for each in OPPONENTS} for side, errors in sampled.errors.items()
            },
            "best_responder_loss": {
                side: [round(each, 6) for each in bounds] for side, bounds in sampled.ranges.items()
            },
        },
        "save": save,
    }


def losing_document(game: Game, losing: LostGame) -> dict[str, object]:
    """The shortest lost game as a part of a JSON object."""
    return {
        "losing_side": None if losing is None else losing[0].name.lower(),
        "losing_game": None if losing is None else [game.move_name(move) for move in losing[1].moves],
    }


def flaws_document(game: Game, illegal: Iterable[IllegalMoves], missing: Iterable[Position]) -> dict[str, object]:
    """The illegal and the missing answers as a part of a JSON object."""
    return {
        "illegal": [{"position": game.to_text(each.position), "moves": list(each.moves)} for each in illegal],
        "missing": [game.to_text(position) for position in missing],
    }
