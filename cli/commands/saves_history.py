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

SHOWN: Final = 10
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
        known_history(name, snapshot, as_json=as_json)
        return
    where = None if position is None else read_position(position, game)
    if where is not None:
        require_running(game, where)
    timeline = Timeline(snapshot)
    learners = [(rounds, timeline.at(rounds).learner) for rounds in timeline.moments]
    exact = [(rounds, scoreboard(each.space, each.policy())) for rounds, each in learners]
    trained = {rounds: each.trained_sides for rounds, each in learners}
    learner = learners[-1][1]
    noun = plural(learner.spec.round_noun, 2)
    document: dict[str, object] = {
        "name": name,
        "learner": learner.spec.name,
        "game": game.name,
        "counted_in": noun,
        "moments": [{"rounds": rounds, **results_document(results, trained[rounds])} for rounds, results in exact],
    }
    lines = [
        f"{plain(name)}: {learner.spec.title}, {game.title}; exact losses in per cent",
        "",
        *_losses(learner, exact, noun),
        *untrained_lines(learner),
    ]
    if where is not None:
        policies = [(rounds, each.policy()) for rounds, each in learners]
        changed = [timeline.narrowed(switch) for switch in timeline.switches(learner.space.edges(where))]
        document |= {"position": game.to_text(where), **_moves_document(learner, where, policies, changed)}
        lines += ["", f"The probability of each move in {game.to_text(where)}:", ""]
        lines += [*_moves(learner, where, policies, noun), *(_switch_text(learner, switch) for switch in changed)]
    print_result(lines, document, as_json=as_json)


def known_history(name: str, snapshot: Snapshot, *, as_json: bool) -> None:
    """Show how often a learner's moves keep the value of known positions, by checkpoint. Raises `TooLarge`."""
    game, spec = snapshot.game, kind_of(snapshot).spec
    if not known_positions(game):
        raise TooLarge(f"{game.title} is too large for exact results, and no position of it is known")
    found = [(rounds, judge_known(revive(rewind_to(snapshot, rounds)))) for rounds in moments(snapshot)]
    noun = plural(spec.round_noun, 2)
    rows = [
        (count_text(rounds), percent_number(known.won.share), percent_number(known.kept.share))
        for rounds, known in found
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
        "moments": [{"rounds": rounds, **sampled_document(None, known)} for rounds, known in found],
    }
    print_result(lines, document, as_json=as_json)


def _losses(learner: Learner, exact: Sequence[tuple[int, Mapping[str, Results]]], noun: str) -> list[str]:
    sides = learner.trained_sides
    head = ["", *(text for side in sides for text in (f"as {learner.game.mark(side)}:", *[""] * len(TELLING)))]
    names = [noun, *[*TELLING.values(), "perfect moves"] * len(sides)]
    rows = []
    for rounds, results in exact:
        row = [count_text(rounds)]
        for found in (results[side.name.lower()] for side in sides):
            row += [*_lost(found), percent_number(found.perfect_moves)]
        rows.append(row)
    return columns([head, names, *rows], ">" * len(names))


def _lost(results: Results) -> list[str]:
    return [percent_number(results.against[opponent].loss) for opponent in TELLING]


def _moves(learner: Learner, position: Position, policies: Sequence[tuple[int, Policy]], noun: str) -> list[str]:
    edges = learner.space.edges(position)
    names = [learner.game.move_name(int(learner.space.move[edge])) for edge in edges]
    rows = [[count_text(rounds), *(percent_number(policy[edge]) for edge in edges)] for rounds, policy in policies]
    return columns([[noun, *names], *rows], ">" * (len(names) + 1))


def _moves_document(
    learner: Learner, position: Position, policies: Sequence[tuple[int, Policy]], changed: Sequence[Switch]
) -> dict[str, object]:
    names = {edge: learner.game.move_name(int(learner.space.move[edge])) for edge in learner.space.edges(position)}
    return {
        "chances": [
            {"rounds": rounds, **{name: float(policy[edge]) for edge, name in names.items()}}
            for rounds, policy in policies
        ],
        "switches": [
            {"rounds": switch.rounds, "since": switch.since, "move": names[switch.edge], "given_up": switch.given_up}
            for switch in changed
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
@click.argument("one", metavar="A", type=SaveName())
@click.argument("other", metavar="B", type=SaveName())
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help=f"Show all changes, not only the {SHOWN} that matter most, and list every move.",
)
@library_and_json
def diff(one: str, other: str, *, everything: bool, as_json: bool) -> None:
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
    snapshots = [library.load(name) for name in (one, other)]
    learners = [revive(snapshot) for snapshot in snapshots]
    found = differences(*learners)
    changes = shifts(*learners)
    exact = [scoreboard(learner.space, learner.policy()) for learner in learners]
    game = learners[0].game
    names = [plain(name) for name in (one, other)]
    given_up = sum(each.given_up for each in found)
    said = names_of(one, other)
    pair = (" → " if said is None else " and ").join(names)
    told = changes if everything else changes[:SHOWN]
    moves = f"{counted_noun(len(found), 'move')} {'differs' if len(found) == 1 else 'differ'}"
    lines = [
        f"{pair}, {game.title}: they play differently in {counted_noun(len(changes), 'position')}",
        f"(symmetric ones counted once); {moves}, {count_text(given_up)} given up",
        "",
        *(line for each in told for line in _change_lines(learners[0].space, each, said)),
    ]
    if len(told) < len(changes):
        lines.append(f"and {count_text(len(changes) - len(told))} more: --all tells them")
    lines += [*([""] if told else []), *_beside(learners, exact, names)]
    if everything and found:
        rows = [_row(learners[0], each) for each in found]
        lines += ["", *columns([("position", "move", "played", "", "", "number", "", "", "value"), *rows], "<<>>><><<")]
    document = {
        "a": one,
        "b": other,
        "game": game.name,
        "positions": [_change_document(learners[0].space, each, said) for each in (changes if as_json else ())],
        "differences": [_difference_document(learners[0], each) for each in (found if as_json else ())],
        "results": {
            key: results_document(scores, learner.trained_sides)
            for key, scores, learner in zip("ab", exact, learners, strict=True)
        },
    }
    print_result(lines, document, as_json=as_json)


def _change_lines(space: Space, change: Shift, names: Names | None) -> list[str]:
    position = f"{space.game.to_text(int(space.position[change.row]))}  "
    room = max(30, WIDTH - len(position))
    first, *rest = wrap(f"{shift_text(space, change, names)} {why_text(change, names)}", room)
    return [f"{position}{first}", *(f"{'':{len(position)}}{line}" for line in rest)]


def _change_document(space: Space, change: Shift, names: Names | None) -> dict[str, object]:
    return {
        "position": space.game.to_text(int(space.position[change.row])),
        "changed": change.size,
        "reached": change.reach,
        "values": list(change.values),
        "sentence": shift_text(space, change, names),
    }


def _beside(learners: Sequence[Learner], exact: Sequence[Mapping[str, Results]], names: Sequence[str]) -> list[str]:
    game = learners[0].game
    sides = [side for side in learners[0].sides if side in learners[1].sides]
    rows = [
        (name, *(text for side in sides for text in _lost(results[side.name.lower()])))
        for name, results in zip(names, exact, strict=True)
    ]
    head = ("lost, in %", *(f"{game.mark(side)} {word}" for side in sides for word in TELLING.values()))
    return columns([head, *rows], "<" + ">" * (len(head) - 1))


def _row(learner: Learner, each: Difference) -> tuple[str, ...]:
    space, game = learner.space, learner.game
    position = int(space.position[space.source[each.edge]])
    before, after = each.numbers or ("", "")
    return (
        game.to_text(position),
        game.move_name(int(space.move[each.edge])),
        percent_text(each.chances[0]),
        "→",
        percent_text(each.chances[1]),
        str(before),
        "→" if each.numbers else "",
        str(after),
        VERDICT[each.value],
    )


def _difference_document(learner: Learner, each: Difference) -> dict[str, object]:
    space, game = learner.space, learner.game
    return {
        "position": game.to_text(int(space.position[space.source[each.edge]])),
        "move": game.move_name(int(space.move[each.edge])),
        "chances": list(each.chances),
        "numbers": None if each.numbers is None else list(each.numbers),
        "given_up": each.given_up,
        "value": each.value,
    }
