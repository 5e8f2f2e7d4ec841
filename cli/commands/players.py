"""`noughts players`: the list of opponents."""

from collections.abc import Sequence
from dataclasses import asdict

import click

from cli.shared.arguments import chosen_game, chosen_library
from cli.shared.common import game_option, library_and_json, print_result
from cli.shared.progress import reporting_stop, waiting_bar
from cli.shared.score_documents import DIGITS
from engine.game import Game
from engine.spaces import space_of
from lab.board.opponent_strength import level_name, lost_notes, strength_text
from lab.board.opponents import Candidate, LevelOrReason, Levels, candidates, level_for, sort_by_strength
from lab.board.own_level import own_level, own_level_text
from lab.text.columns import columns, cut
from lab.text.sanitise import plain
from learners.players.levels import Level
from learners.uct.search import usual_playouts
from saves.library.library import Library

NAME_WIDTH = 30
"""The maximum width of a player's label, in columns."""


@click.command()
@game_option
@library_and_json
def players(game: Game | None, *, as_json: bool) -> None:
    """List the opponents, from weakest to perfect.

    A level is derived from the share of games that a player loses: the average
    of its losses to random play, to perfect play, and to a player that has read
    its memory, and makes it lose as often as possible. Shares are the mean over
    the sides that it was trained for, without a side that always loses to perfect
    play. What uct plays depends on a seed: its shares are the mean over 30 seeds,
    with the standard deviation. Connect Four is too large for exact results:
    there, a level is how often a player keeps the exact value of known positions;
    and the opponent at your level is named, which errs as often as you in the
    positions of your newest games.

    \b
    Examples:
      noughts players
      noughts players --game hexapawn --json
    """
    library = chosen_library()
    rules = chosen_game(game, library, [])
    machines = [each for each in candidates(rules, library.entries()) if not each.is_person]
    levels = _find_levels(library, machines, rules)
    machines = sort_by_strength(machines, levels)
    notes = lost_notes(rules, levels.values())
    notes.append(f"uct without a number plays up to {usual_playouts(rules):,} random games for each move.")
    rows = [_row(rules, machine, levels[machine.key]) for machine in machines]
    yours = own_level(library.games, rules)
    if yours is not None and yours.games:
        notes.append(own_level_text(yours))
    document = {
        "game": rules.name,
        "yours": None if yours is None else {**asdict(yours), "opponent": yours.opponent},
        "players": [_document(rules, machine, levels[machine.key]) for machine in machines],
    }
    heading = f"{rules.title}: opponents, the weakest first"
    print_result([heading, "", *columns(rows, "<<<<"), *notes], document, as_json=as_json)


def _find_levels(library: Library, machines: Sequence[Candidate], game: Game) -> Levels:
    """Return the level of each player, with progress: in a large game this takes minutes."""
    levels = Levels()
    if game.numbered:
        space_of(game)  # shows progress of its own

    def describe() -> tuple[float, str]:
        number = f"{len(levels) + 1} of {len(machines)} players"
        return len(levels) / len(machines), f"{number}, {machines[len(levels)].label}, "

    with waiting_bar("judging", describe) as show:
        for machine in machines:
            show()
            levels[machine.key] = level_for(library, machine, reporting_stop(show))
    return levels


def _row(game: Game, machine: Candidate, level: LevelOrReason) -> tuple[str, ...]:
    name = cut(plain(machine.label), NAME_WIDTH)
    mark = "learns" if machine.learns else ""
    return name, level_name(machine, level), mark, strength_text(game, machine, level, with_lost_sides=False)


def _document(game: Game, machine: Candidate, level: LevelOrReason) -> dict[str, object]:
    document: dict[str, object] = {
        "player": machine.label,
        "level": None if isinstance(level, str) else level.name,
        "learns": machine.learns,
        "sides": None if isinstance(level, str) else [side.name.lower() for side in level.plays],
        "sentence": strength_text(game, machine, level),
    }
    if isinstance(level, Level):
        document |= {
            "judged": [side.name.lower() for side in level.judged],
            "untrained": [side.name.lower() for side in level.untrained],
            "losses": {opponent: round(share, DIGITS) for opponent, share in level.losses.items()},
            "seeds": level.seeds,
            "deviations": {opponent: round(share, DIGITS) for opponent, share in level.deviations.items()},
            "unbeaten_seeds": level.unbeaten,
        }
    return document
