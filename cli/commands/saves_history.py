"""`noughts saves history` and `diff`: a save at its checkpoints, and the differences of two memories."""

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Final

import click

from cli.shared.arguments import chosen_library
from cli.shared.common import library_and_json, print_result
from cli.shared.completion import SaveName
from cli.shared.sampled_results import sampled_document
from cli.shared.score_documents import results_document
from engine.evaluate import Policy, Results, scoreboard
from engine.game import Position
from engine.known_positions import known_positions
from engine.plural import counted_noun, plural
from engine.space import Space, TooLarge
from lab.judging.notation.written_boards import read_position
from lab.memory.shifts import Names, names_of, shift_text, why_text
from lab.results.exact_results import Timeline
from lab.results.score_lines import TELLING
from lab.results.tables import untrained_lines
from lab.text.columns import columns
from lab.text.numbers import count_text, percent_number, percent_text
from lab.text.sanitise import plain
from learners import kind_of, revive
from learners.comparison import Difference, Shift, Switch, differences, shifts
from learners.core.learner import Learner
from learners.core.snapshot import Snapshot
from learners.players.plain import VERDICT
from learners.race.sampling import judge_known
from learners.rewind import moments, rewind_to
from saves.encoding.memory import require_running

USUAL_CHANGES: Final = 10
"""The default number of changes that are listed."""
WIDTH: Final = 80
"""The width of the list of changes, in columns."""


@click.command()
@click.argument("name", type=SaveName())
@click.option("--position", metavar="TEXT", help="Also show how likely each move was in that position.")
@library_and_json
def history(name: str, position: str | None, *, as_json: bool) -> None:
    """Show the exact results of NAME at each checkpoint.

    In a game that is too large for them, show how often its moves keep what is
    known of some positions.

    A checkpoint can be used like a save, written NAME@50: in play, evaluate,
    diff, and train --from.

    \b
    Examples:
      noughts saves history riechel
      noughts saves history riechel --position 'XO./.X./... O'
    """
    snapshot = chosen_library().load(name)
    game = snapshot.game
    if not game.learnable and position is None:
        print_known_history(name, snapshot, as_json=as_json)
        return
    shown_position = None if position is None else read_position(position, game)
    if shown_position is not None:
        require_running(game, shown_position)
    timeline = Timeline(snapshot)
    learners = {rounds: timeline.at(rounds).learner for rounds in timeline.moments}
    results = {rounds: scoreboard(each.space, each.policy()) for rounds, each in learners.items()}
    learner = learners[timeline.moments[-1]]
    noun = plural(learner.spec.round_noun, 2)
    document: dict[str, object] = {
        "name": name,
        "learner": learner.spec.name,
        "game": game.name,
        "counted_in": noun,
        "moments": [
            {"rounds": rounds, **results_document(results[rounds], each.trained_sides)}
            for rounds, each in learners.items()
        ],
    }
    lines = [
        f"{plain(name)}: {learner.spec.title}, {game.title}; exact losses in per cent",
        "",
        *_loss_table(learner, results, noun),
        *untrained_lines(learner),
    ]
    if shown_position is not None:
        policies = {rounds: each.policy() for rounds, each in learners.items()}
        switches = [timeline.narrow(switch) for switch in timeline.switches(learner.space.edges(shown_position))]
        text = game.to_text(shown_position)
        document |= {"position": text, **_chances_document(learner, shown_position, policies, switches)}
        lines += ["", f"The probability of each move in {text}:", ""]
        lines += _chance_table(learner, shown_position, policies, noun)
        lines += [_switch_text(learner, switch) for switch in switches]
    print_result(lines, document, as_json=as_json)


def print_known_history(name: str, snapshot: Snapshot, *, as_json: bool) -> None:
    """Show how often a learner's moves keep the value of known positions, by checkpoint. Raises `TooLarge`."""
    game, spec = snapshot.game, kind_of(snapshot).spec
    if not known_positions(game):
        raise TooLarge(f"{game.title} is too large for exact results, and no position of it is known")
    results = [(rounds, judge_known(revive(rewind_to(snapshot, rounds)))) for rounds in moments(snapshot)]
    noun = plural(spec.round_noun, 2)
    rows = [
        (count_text(rounds), percent_number(known.won.share), percent_number(known.kept.share))
        for rounds, known in results
        if known is not None
    ]
    lines = [
        f"{plain(name)}: {spec.title}, {game.title}; in how many known positions its move keeps the value, in per cent",
        "",
        *columns([(noun, "won ones", "all"), *rows], ">>>"),
    ]
    document = {
        "name": name,
        "learner": spec.name,
        "game": game.name,
        "counted_in": noun,
        "moments": [{"rounds": rounds, **sampled_document(None, known)} for rounds, known in results],
    }
    print_result(lines, document, as_json=as_json)


def _loss_table(learner: Learner, results: Mapping[int, Mapping[str, Results]], noun: str) -> list[str]:
    """Return the losses and the share of perfect moves as each side, with a line for each number of rounds."""
    side_headings, headings = [""], [noun]
    for side in learner.trained_sides:
        side_headings += [f"as {learner.game.mark(side)}:", *[""] * len(TELLING)]
        headings += [*TELLING.values(), "perfect moves"]
    rows = []
    for rounds, by_side in results.items():
        row = [count_text(rounds)]
        for side in learner.trained_sides:
            side_results = by_side[side.name.lower()]
            row += [*_loss_texts(side_results), percent_number(side_results.perfect_moves)]
        rows.append(row)
    return columns([side_headings, headings, *rows], ">" * len(headings))


def _loss_texts(results: Results) -> list[str]:
    return [percent_number(results.against[opponent].loss) for opponent in TELLING]


def _chance_table(learner: Learner, position: Position, policies: Mapping[int, Policy], noun: str) -> list[str]:
    edges = learner.space.edges(position)
    names = [learner.game.move_name(int(learner.space.move[edge])) for edge in edges]
    rows = [
        [count_text(rounds), *(percent_number(policy[edge]) for edge in edges)] for rounds, policy in policies.items()
    ]
    return columns([[noun, *names], *rows], ">" * (len(names) + 1))


def _chances_document(
    learner: Learner, position: Position, policies: Mapping[int, Policy], switches: Sequence[Switch]
) -> dict[str, object]:
    names = {edge: learner.game.move_name(int(learner.space.move[edge])) for edge in learner.space.edges(position)}
    return {
        "chances": [
            {"rounds": rounds, **{name: float(policy[edge]) for edge, name in names.items()}}
            for rounds, policy in policies.items()
        ],
        "switches": [
            {"rounds": switch.rounds, "since": switch.since, "move": names[switch.edge], "given_up": switch.given_up}
            for switch in switches
        ],
    }


def _switch_text(learner: Learner, switch: Switch) -> str:
    name = learner.game.move_name(int(learner.space.move[switch.edge]))
    change = "given up" if switch.given_up else "taken up again"
    if switch.rounds - switch.since == 1:
        return f"{name} was {change} in {learner.spec.round_noun} {count_text(switch.rounds)}."
    between = f"{count_text(switch.since)} and {counted_noun(switch.rounds, learner.spec.round_noun)}"
    return f"{name} was {change} between {between}."


@click.command()
@click.argument("first", metavar="A", type=SaveName())
@click.argument("second", metavar="B", type=SaveName())
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help=f"Show all changes, not only the {USUAL_CHANGES} that matter most, and list every move.",
)
@library_and_json
def diff(first: str, second: str, *, everything: bool, as_json: bool) -> None:
    """Show how differently the saves A and B play, what matters most first.

    That is how often play reaches a position, times the change of its value.
    Positions that are lost already, or that neither reaches, come last.
    Positions that are the same by symmetry are told once. With --all, a table
    of every move follows: its probability in both, and its number in memory.

    \b
    Examples:
      noughts saves diff riechel michie
      noughts saves diff mine@50 mine --all
    """
    library = chosen_library()
    learners = [revive(library.load(name)) for name in (first, second)]
    moves = differences(*learners)
    changes = shifts(*learners)
    results = [scoreboard(learner.space, learner.policy()) for learner in learners]
    if as_json:
        document = {
            "a": first,
            "b": second,
            "game": learners[0].game.name,
            "positions": [_change_document(learners[0].space, change, names_of(first, second)) for change in changes],
            "differences": [_difference_document(learners[0], move) for move in moves],
            "results": {
                key: results_document(scores, learner.trained_sides)
                for key, scores, learner in zip("ab", results, learners, strict=True)
            },
        }
        print_result([], document, as_json=True)
        return
    lines = _diff_lines((first, second), learners, changes, moves, everything=everything)
    if changes:
        lines.append("")
    lines += _comparison_table(learners, results, [plain(first), plain(second)])
    if everything and moves:
        headings = ("position", "move", "played", "", "", "number", "", "", "value")
        rows = [_difference_row(learners[0], move) for move in moves]
        lines += ["", *columns([headings, *rows], "<<>>><><<")]
    print_result(lines, {}, as_json=False)


def _diff_lines(
    pair: tuple[str, str],
    learners: Sequence[Learner],
    changes: Sequence[Shift],
    moves: Sequence[Difference],
    *,
    everything: bool,
) -> list[str]:
    """Return how many positions and moves differ, and the changes that matter most, or `everything`."""
    names = names_of(*pair)
    title = (" → " if names is None else " and ").join(map(plain, pair))
    count = f"{counted_noun(len(moves), 'move')} {'differs' if len(moves) == 1 else 'differ'}"
    given_up = count_text(sum(move.given_up for move in moves))
    lines = [
        f"{title}, {learners[0].game.title}: they play differently in {counted_noun(len(changes), 'position')}",
        f"(symmetric ones counted once); {count}, {given_up} given up",
        "",
    ]
    listed = changes if everything else changes[:USUAL_CHANGES]
    for change in listed:
        lines += _change_lines(learners[0].space, change, names)
    if len(listed) < len(changes):
        lines.append(f"and {count_text(len(changes) - len(listed))} more: --all tells them")
    return lines


def _change_lines(space: Space, change: Shift, names: Names | None) -> list[str]:
    position = f"{space.game.to_text(int(space.position[change.row]))}  "
    room = max(30, WIDTH - len(position))
    first, *others = wrap(f"{shift_text(space, change, names)} {why_text(change, names)}", room)
    return [f"{position}{first}", *(f"{'':{len(position)}}{line}" for line in others)]


def _change_document(space: Space, change: Shift, names: Names | None) -> dict[str, object]:
    return {
        "position": space.game.to_text(int(space.position[change.row])),
        "changed": change.size,
        "reached": change.reach,
        "values": list(change.values),
        "sentence": shift_text(space, change, names),
    }


def _comparison_table(
    learners: Sequence[Learner], results: Sequence[Mapping[str, Results]], names: Sequence[str]
) -> list[str]:
    """Return the losses of both learners as each side that both play."""
    game = learners[0].game
    sides = [side for side in learners[0].sides if side in learners[1].sides]
    headings, rows = ["lost, in %"], [[name] for name in names]
    for side in sides:
        headings += [f"{game.mark(side)} {opponent}" for opponent in TELLING.values()]
        for row, by_side in zip(rows, results, strict=True):
            row.extend(_loss_texts(by_side[side.name.lower()]))
    return columns([headings, *rows], "<" + ">" * (len(headings) - 1))


def _difference_row(learner: Learner, move: Difference) -> tuple[str, ...]:
    space, game = learner.space, learner.game
    position = int(space.position[space.source[move.edge]])
    before, after = move.numbers or ("", "")
    return (
        game.to_text(position),
        game.move_name(int(space.move[move.edge])),
        percent_text(move.chances[0]),
        "→",
        percent_text(move.chances[1]),
        str(before),
        "→" if move.numbers else "",
        str(after),
        VERDICT[move.value],
    )


def _difference_document(learner: Learner, move: Difference) -> dict[str, object]:
    space, game = learner.space, learner.game
    return {
        "position": game.to_text(int(space.position[space.source[move.edge]])),
        "move": game.move_name(int(space.move[move.edge])),
        "chances": list(move.chances),
        "numbers": None if move.numbers is None else list(move.numbers),
        "given_up": move.given_up,
        "value": move.value,
    }
