"""`noughts judge`: exact results of an agent of another program, or sampled ones in a game that is too large."""

import shlex
from contextlib import suppress
from dataclasses import replace as replace_
from typing import TYPE_CHECKING, Final

import click

from cli.commands.app import open_app
from cli.shared import common
from cli.shared.agents import AskOptions, add_ask_options, identify_agent, is_file, is_own, is_python, open_agent
from cli.shared.board_text import board_lines, join_blocks
from cli.shared.common import print_error
from cli.shared.progress import asking_bar, reporting_stop, waiting_bar
from cli.shared.score_documents import LostGame, flaws_document, losing_document, results_document, value_document
from cli.shared.signals import interrupt_on_signals
from engine.game import BadText, Game, Side
from engine.notation import parse_sides
from lab.judging.asking.agent import Agent
from lab.judging.asking.answers import Answers
from lab.judging.asking.ask_all import LEAST_SAMPLES, MAX_SAMPLES, MOST_SAMPLES, PROBES, SAMPLED_GAMES, ask_all
from lab.judging.forms_text import FORMS
from lab.judging.judge import AgentResults, judge
from lab.judging.verdict_text import read_lines, remarks, verdict_lines
from lab.results.score_lines import results_lines
from lab.signals import SIGNAL_EXIT
from lab.text.sanitise import plain

if TYPE_CHECKING:  # imports what only `--mend` needs
    from lab.judging.mending import Mend

STOPPED: Final = (
    "stopped: the answers so far give no verdict, and are not kept\n"
    "It is sooner known with --side, --deterministic, --samples 1, or with --as, which says its form"
)
ONE_ORDER: Final = (
    "It is asked after one order of the moves to each position; in a sample of positions, another order changed no "
    "answer"
)
BOARDS_IN_ROW: Final = 4
"""The number of boards side by side."""
DIGITS: Final = 6
"""Decimal places of the bounds of intervals in JSON."""

NOT_MENDED: Final = "stopped: it is judged, and what would mend it is not known"
STOPPED_GAMES: Final = "stopped: the games so far are not kept\nIt is sooner known with --samples 10, --side or --as"


def print_forms(context: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001  click's contract
    if value:
        click.echo(FORMS.strip())
        context.exit()


def require_solver_for(context: click.Context, _parameter: click.Parameter, mends: bool) -> bool:  # noqa: FBT001  a callback
    """Refuse `--mend` at once if there is no solver, before the agent is asked."""
    if mends and not context.resilient_parsing:
        from engine.smallest.integer_program import require_solver  # imports numpy

        require_solver()
    return mends


@click.command("judge")
@click.argument("policy", metavar="POLICY")
@common.game_option_of("a save")
@add_ask_options()
@click.option(
    "--forms",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=print_forms,
    help="List the forms of agents that are known.",
)
@click.option("--side", metavar="SIDE", help=f"The side that the agent plays: {common.SIDE_WORDS}.  [default: both]")
@click.option(
    "--samples",
    type=click.IntRange(1, MAX_SAMPLES),
    metavar="N",
    help=f"Ask N times in each position.  [default: {PROBES}; {LEAST_SAMPLES} to {MOST_SAMPLES} if answers differ]  In "
    f"a game too large for exact results: play N games against each opponent as each side.  [default: {SAMPLED_GAMES}]",
)
@click.option("--deterministic", is_flag=True, help="The agent always answers the same: ask once in each position.")
@click.option(
    "--mend",
    "mends",
    is_flag=True,
    callback=require_solver_for,
    help="Find the fewest answers to change so that it never loses.",
)
@click.option("--save", metavar="NAME", help="Save the agent in the library, to play against it and to inspect it.")
@click.option("--show", is_flag=True, help="In the app, open the shortest game that the agent loses.")
@common.filter_option
@common.replace_option
@common.library_and_json
def judge_command(  # noqa: PLR0913  one parameter an option
    policy: str,
    game: Game | None,
    *,
    options: AskOptions,
    side: str | None,
    samples: int | None,
    deterministic: bool,
    mends: bool,
    save: str | None,
    show: bool,
    failures: str | None,
    replace: bool,
    as_json: bool,
) -> int:
    """Judge an agent of another program exactly.

    The report has the agent's exact results and the shortest game that it
    loses. POLICY is a file with a policy (.csv, .tsv, .json, .jsonl, .npy, .npz
    or .pkl), a Python object (module:name or file.py:name), a program that
    reads a position from a line and writes a move, or a player as in evaluate.
    --forms and docs/judging.md describe them.

    In a game that is too large for exact results, such as connectfour, it plays
    a number of games, as in evaluate, and the errors are stated.

    \b
    Examples:
      noughts judge q_table.csv --values
      noughts judge my_agent.py:choose
      noughts judge my_agent.py:model --python ~/venv --as 'vector, own'
      noughts judge './agent --fast' --game mnk:4,3,3
    """
    if show and as_json:
        raise click.UsageError("--show opens the app, and --json prints: give one of them")
    label, rules = identify_agent(policy, game, options)
    if is_python(policy):
        policy = label
    if failures is not None:
        from cli.shared.arguments import with_failures_of  # imports all learners

        if is_file(policy) or not is_own(label):
            raise BadText("--filter needs a player: keep the agent with --save NAME, and judge save:NAME with --filter")
        policy = label = with_failures_of(label, failures)
    sides = None if side is None else parse_sides(rules, side)
    options = replace_(options, sides=sides or tuple(Side))
    if save is not None:
        save = parse_writable_name(save, replace=replace)
    if not rules.numbered:
        refuse_table_options(rules, mends=mends, saves=save is not None)
        losing = judge_large(policy, label, rules, options, sides, samples or SAMPLED_GAMES, as_json=as_json)
        return show_loss(rules, losing) if show else 0
    agent, answers, all_answers, code = ask_agent(
        label, rules, options, sides, samples, certain=deterministic, mends=mends
    )
    mending = None
    if all_answers is not None:
        mending, code = mend_agent(rules, all_answers)
    verdict = judge(rules, answers)
    if save is not None:
        save_answers(save, rules, answers, replace=replace)
    common.print_result(
        [*verdict_report(policy, rules, verdict, agent, save), *mending_lines(rules, mending)],
        {**verdict_document(policy, rules, verdict, agent, save), **mending_document(rules, mending)},
        as_json=as_json,
    )
    return show_loss(rules, verdict.losing, save) if show and not code else code


def refuse_table_options(game: Game, *, mends: bool, saves: bool) -> None:
    """Refuse options that need a table of all positions, in a game that is too large for one. Raises `BadText`."""
    if mends:
        raise BadText(f"{game.title} is too large to mend an agent: leave out --mend")
    if saves:
        raise BadText(f"{game.title} is too large to keep the moves of an agent: leave out --save")


def ask_agent(  # noqa: PLR0913  what the command was given
    label: str,
    game: Game,
    options: AskOptions,
    sides: tuple[Side, ...] | None,
    samples: int | None,
    *,
    certain: bool,
    mends: bool,
) -> tuple[Agent, Answers, Answers | None, int]:
    """Return the agent, its answers, its answers in all positions if it is to be mended, and the exit code.

    Raises `Exit`.
    """
    answers = all_answers = None
    with suppress(KeyboardInterrupt), interrupt_on_signals() as received, open_agent(label, game, options) as agent:
        if certain:
            agent = replace_(agent, is_certain=True)  # noqa: PLW2901  the same agent, described better
        with asking_bar() as report:
            answers = ask_all(game, agent, sides or agent.sides, samples, report)
            if mends and answers.histories is not None:
                raise BadText("its answers depend on the order of the moves: it cannot be mended by positions")
            if mends and not answers.is_stopped:
                all_answers = ask_all(game, agent, answers.sides, samples, report, everywhere=True)
    if answers is None:
        print_error(STOPPED)
        raise click.exceptions.Exit(SIGNAL_EXIT + received[0])
    return agent, answers, all_answers, SIGNAL_EXIT + received[0] if received else 0


def mend_agent(game: Game, answers: Answers) -> "tuple[Mend | None, int]":
    """Return how to mend an agent, and the exit code. An interruption or a failure does not lose the verdict."""
    from lab.judging.mending import mend  # imports the integer program

    try:
        with suppress(KeyboardInterrupt), interrupt_on_signals() as received, waiting_bar("mending it") as show:
            mending = mend(game, answers.policy, answers.sides, stop=reporting_stop(show))
            return replace_(mending, seen=answers.samples if answers.counts else 0), 0
    except BadText as error:
        print_error(str(error))
        return None, 1
    print_error(NOT_MENDED)
    return None, SIGNAL_EXIT + received[0]


def parse_writable_name(name: str, *, replace: bool) -> str:
    """Parse the name of a new save in the library, and require that it can be written: before the agent is asked."""
    from cli.shared.arguments import chosen_library, parse_new_name  # imports all learners

    library = chosen_library()
    name = parse_new_name(library, name, replace=replace)
    library.require_writable()
    return name


def save_answers(name: str, game: Game, answers: Answers, *, replace: bool) -> None:
    """Save the answers of an agent as a player. Raises `BadText`, `LibraryError`."""
    from cli.shared.arguments import chosen_library  # imports all learners
    from learners.fixed import fixed_policy

    if answers.histories is not None:
        raise BadText("its answers depend on the order of the moves: it cannot be saved as a table of positions")
    chosen_library().save(name, fixed_policy(game, answers.policy).snapshot(), replace=replace)


def judge_large(  # noqa: PLR0913, PLR0917  what the command was given
    policy: str,
    label: str,
    game: Game,
    options: AskOptions,
    sides: tuple[Side, ...] | None,
    games: int,
    *,
    as_json: bool,
) -> LostGame:
    from cli.shared.arguments import chosen_library, chosen_player  # imports all learners, as do those below
    from cli.shared.sampled_results import report_sampled
    from lab.judging.asking.asked_agent import AskedAgent

    if is_own(label):
        player = chosen_player(label, game, chosen_library())
        sides = sides or player.trained_sides
        return report_sampled(policy, player, sides, games, judged=True, as_json=as_json).losing
    try:
        with open_agent(label, game, options) as agent:
            notes = (*agent.notes, ONE_ORDER) if agent.by_history else agent.notes
            asked_agent = AskedAgent(game, replace_(agent, notes=notes))
            return report_sampled(policy, asked_agent, sides or agent.sides, games, judged=True, as_json=as_json).losing
    except KeyboardInterrupt:
        print_error(STOPPED_GAMES)
        raise


def show_loss(game: Game, losing: LostGame, save: str | None = None) -> int:
    from lab.board.session import GameReview  # imports all learners
    from learners.core.learner import PERSON
    from learners.core.save_ref import SaveRef

    if losing is None:
        raise BadText("there is no game to show: it never loses")
    loser, match = losing
    agent = PERSON if save is None else SaveRef(save).label
    players = (agent, PERSON) if loser is Side.FIRST else (PERSON, agent)
    return open_app(review=GameReview(match, players), game=game)


def verdict_report(policy: str, game: Game, verdict: AgentResults, agent: Agent, save: str | None) -> list[str]:
    sides = verdict.answers.sides
    table = results_lines(game, verdict.scores, sides)
    lines = [f"{plain(policy)}, {game.title}", "", *read_lines(agent), *verdict_lines(game, verdict), "", *table]
    if save is None:
        return lines
    from learners.core.save_ref import SaveRef  # imports all learners

    seat = "--second" if Side.SECOND in sides else "--first"
    return [*lines, f"Saved as {save}: noughts play {seat} {shlex.quote(SaveRef(save).label)}"]


def verdict_document(
    policy: str, game: Game, verdict: AgentResults, agent: Agent, save: str | None
) -> dict[str, object]:
    """Return the verdict as JSON: that of `evaluate`, with the shortest lost game and the flaws of the answers."""
    answers, sampled = verdict.answers, verdict.sampled
    scores = results_document(verdict.scores, answers.sides)
    value = value_document(verdict.scores, answers.sides)
    if sampled is not None:
        for side, opponents in sampled.intervals.items():
            for opponent, chances in opponents.items():
                bounds = {ending: interval_document(*interval) for ending, interval in chances.items()}
                scores[side][opponent] |= {"intervals": bounds, **bounds["loss"]}
            value["exploitability"][side + "_interval"] = interval_document(*sampled.exploitability[side])
    return {
        "player": policy,
        "game": game.name,
        **scores,
        "form": agent.form or None,
        "convention": agent.convention,
        "exact": sampled is None,
        "histories": answers.histories is not None,
        "value": value,
        "optimal": {side.name.lower(): secure for side, secure in verdict.optimal.items()},
        "wins_given_away": verdict.wins_given_away,
        "late_wins": verdict.late_wins,
        **losing_document(game, verdict.losing),
        **flaws_document(game, answers.illegal, answers.missing),
        "asked": answers.asked,
        "sampled": None if sampled is None else {"samples": sampled.samples, "positions": sampled.positions},
        "save": save,
        "notes": [*agent.notes, *remarks(answers)],
    }


def mending_lines(game: Game, mending: "Mend | None") -> list[str]:
    if mending is None:
        return []
    from lab.judging.mending import mend_blocks, mend_sentence

    lines, blocks = ["", mend_sentence(game, mending)], mend_blocks(game, mending, board_lines)
    for start in range(0, len(blocks), BOARDS_IN_ROW):
        lines += ["", *join_blocks(blocks[start : start + BOARDS_IN_ROW])]
    return lines


def mending_document(game: Game, mending: "Mend | None") -> dict[str, object]:
    if mending is None:
        return {}
    positions = [
        {"position": game.to_text(position), "move": game.move_name(move)} for position, move in mending.moves.items()
    ]
    return {
        "mend": {
            "entries": len(mending.moves),
            "bound": mending.bound,
            "proved": mending.proved,
            "positions": positions,
            "impossible": [side.name.lower() for side in mending.impossible],
        }
    }


def interval_document(low: float, high: float) -> dict[str, float]:
    return {"low": round(low, DIGITS), "high": round(high, DIGITS)}
