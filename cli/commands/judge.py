"""`noughts judge`: the exact results of an agent of another program."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Final

import click

from cli.commands.app import open_app
from cli.shared.arguments import chosen_game, chosen_library, chosen_player, full_label, parse_new_name
from cli.shared.common import game_option, json_option, library_option, replace_option, report
from cli.shared.progress import progress_bar
from cli.shared.results import results_document, results_lines
from cli.shared.spaces import large_games
from engine.evaluate import OPPONENTS
from engine.game import BadText, Game, Side, quoted
from lab.board.game_review import GameReview
from lab.judging.judge import SAMPLES, Ask, Asking, Verdict, ask_all, judge, player_agent
from lab.judging.policy_file import SUFFIXES, PolicyFile, read_policy
from lab.judging.program_agent import PATIENCE, command_of, program_agent
from lab.judging.python_agent import OBJECT, python_agent
from lab.words.judging import verdict_lines
from lab.words.sanitise import plain
from learners import is_player
from learners.core.learner import PERSON, trained_sides
from learners.core.plural import counted_noun
from learners.fixed import fixed_policy
from saves.library.library import SAVE, Library

INTERVAL: Final = 0.1
"""The least time between two updates of the progress, in seconds."""
SIDES: Final = {"first": (Side.FIRST,), "second": (Side.SECOND,), "both": tuple(Side)}


@click.command("judge")
@click.argument("policy", metavar="POLICY")
@game_option
@click.option("--values", is_flag=True, help="The numbers of the file are values: it plays the move with the highest.")
@click.option("--side", type=click.Choice([*SIDES]), help="The side that it plays.  [default: both]")
@click.option(
    "--samples",
    type=click.IntRange(1, 100_000),
    metavar="N",
    help=f"Ask N times in each position.  [default: {SAMPLES} where answers differ]",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(0.01, 3600),
    metavar="S",
    default=PATIENCE,
    help=f"The seconds that a program has for an answer.  [default: {PATIENCE:g}]",
)
@click.option("--save", metavar="NAME", help="Keep it in the library, to play against and to inspect.")
@click.option("--show", is_flag=True, help="Open the shortest game that it loses in the app.")
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

    The report has its exact results and the shortest game that it loses. POLICY
    is a file with a policy (.csv or .json), a Python object (module:name or
    file.py:name), a program that reads a position from a line and writes a
    move, or a player as in evaluate. docs/judging.md describes them.

    \b
    Examples:
      noughts judge q_table.csv --values
      noughts judge my_agent.py:choose
      noughts judge './agent --fast' --game mnk:4,3,3
    """
    if show and as_json:
        raise click.UsageError("--show opens the app, and --json prints: give one of them")
    library = chosen_library()
    label = full_label(policy, library)
    rules = chosen_game(game, library, [label])
    if save is not None:
        save = parse_new_name(library, save, replace=replace)
        library.require_writable()
    notes = list[str]()
    with large_games():
        with (
            agent_of(policy, label, rules, library, values=values, patience=time_limit, notes=notes) as (ask, sides),
            progress_bar("", asking_text) as show_progress,
        ):
            answers = ask_all(rules, ask, sides if side is None else SIDES[side], samples, rate_limited(show_progress))
        verdict = judge(rules, answers)
    if save is not None:
        library.save(save, fixed_policy(rules, answers.policy).snapshot(), replace=replace)
    report(lines_of(policy, rules, verdict, notes, save), document_of(policy, rules, verdict, save), as_json=as_json)
    if not show:
        return 0
    if verdict.losing is None:
        raise BadText("there is no game to show: it never loses")
    loser, match = verdict.losing
    agent = PERSON if save is None else SAVE + save
    players = (agent, PERSON) if loser is Side.FIRST else (PERSON, agent)
    return open_app(review=GameReview(match, players), game=rules.name)


def asking_text(asking: Asking) -> tuple[float, str]:
    """How far the questions have come."""
    return asking.share, counted_noun(asking.asked, "position") + " asked"


def rate_limited(show: Callable[[Asking], None]) -> Callable[[Asking], None]:
    """Return `show`, limited to one call in `INTERVAL` seconds: an agent may answer within microseconds."""
    shown = monotonic()

    def show_now(asking: Asking) -> None:
        nonlocal shown
        if monotonic() - shown >= INTERVAL:
            shown = monotonic()
            show(asking)

    return show_now


@contextmanager
def agent_of(  # noqa: PLR0913  what the command was given
    policy: str, label: str, game: Game, library: Library, *, values: bool, patience: float, notes: list[str]
) -> Iterator[tuple[Ask, tuple[Side, ...]]]:
    """How to ask POLICY, and the sides that it plays. Remarks for the report are added to `notes`. Raises `BadText`."""
    path = Path(policy)
    if path.suffix.lower() in SUFFIXES:
        read = read_policy(path, game, values=values)
        notes += file_notes(read)
        sides = tuple(each for each in Side if any(game.side(position) is each for position in read.replies))
        yield read.replies.get, sides
    elif label.startswith(SAVE) or is_player(label):
        player = chosen_player(label, game, library)
        yield player_agent(player), tuple(trained_sides(player))
    elif OBJECT.fullmatch(policy):
        with python_agent(policy, game) as ask:
            yield ask, tuple(Side)
    elif command := command_of(policy):
        with program_agent(command, policy, game, patience) as ask:
            yield ask, tuple(Side)
    else:
        raise BadText(
            f"{quoted(policy)} is not a file that can be read (.csv, .json), a Python object (module:name), "
            "a program or a player\nAn example: noughts judge my_agent.py:choose"
        )


def file_notes(read: PolicyFile) -> list[str]:
    """What a person should know about how a file was read."""
    notes = []
    if read.unreachable:
        notes.append(f"{counted_noun(read.unreachable, 'position')} that play cannot reach were left out")
    if read.first_number:
        notes.append("Its squares are numbered from 1")
    return notes


def lines_of(policy: str, game: Game, verdict: Verdict, notes: list[str], save: str | None) -> list[str]:
    """The verdict for a person."""
    sides = verdict.answers.sides
    table = results_lines(game, verdict.scores, sides)
    kept = [f"Saved as {save}: noughts play --second {SAVE}{save}"] if save is not None else []
    return [f"{plain(policy)}, {game.title}", "", *verdict_lines(game, verdict), *notes, "", *table, *kept]


def document_of(policy: str, game: Game, verdict: Verdict, save: str | None) -> dict[str, object]:
    """The verdict as a JSON object: that of `evaluate`, with the shortest lost game and the flaws of the answers."""
    answers, sampled = verdict.answers, verdict.sampled
    return {
        "player": policy,
        "game": game.name,
        **results_document(verdict.scores, answers.sides),
        "optimal": {side.name.lower(): secure for side, secure in verdict.optimal.items()},
        "losing_side": None if verdict.losing is None else verdict.losing[0].name.lower(),
        "losing_game": None if verdict.losing is None else [game.move_name(move) for move in verdict.losing[1].moves],
        "illegal": [{"position": game.to_text(each.position), "moves": list(each.moves)} for each in answers.illegal],
        "missing": [game.to_text(position) for position in answers.missing],
        "asked": answers.asked,
        "sampled": None
        if sampled is None
        else {
            "samples": sampled.samples,
            "positions": sampled.positions,
            "standard_errors": {
                side: {each: round(errors[each], 6) for each in OPPONENTS} for side, errors in sampled.errors.items()
            },
        },
        "save": save,
    }
