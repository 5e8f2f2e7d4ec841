"""`noughts evaluate`: the exact results of a player, computed over the whole game."""

import click

from cli.shared.arguments import chosen_game, chosen_library, chosen_player, full_label, with_failures_of
from cli.shared.common import filter_option, game_option_of, library_and_json, print_result
from cli.shared.completion import complete_player
from cli.shared.progress import reporting_stop, waiting_bar
from cli.shared.sampled_results import report_sampled
from cli.shared.score_documents import results_document, seeds_document, value_document
from engine.game import Game
from engine.spaces import space_of
from lab.results.score_lines import results_lines
from lab.results.tables import seeds_lines, untrained_lines
from lab.text.sanitise import plain
from learners.core.learner import BOTH
from learners.core.player import Player
from learners.players.filtered import FilteredPlayer
from learners.players.levels import SeedResults, exact_results, seed_count


@click.command()
@click.argument("player", metavar="P", shell_complete=complete_player)
@game_option_of("a save")
@filter_option
@library_and_json
def evaluate(player: str, game: Game | None, failures: str | None, *, as_json: bool) -> None:
    """Compute the exact results of player P.

    P plays each side against a random player, perfect play, itself and its best
    responder, the opponent that knows P and makes it lose as often as possible.
    P is random, save:NAME, a checkpoint of a save as in save:NAME@50, minimax or
    alphabeta, also with a depth as in alphabeta:2, or uct, also with a number of
    playouts as in uct:1000 and a seed as in uct:1000/7. Without a seed, uct is
    judged with 30 seeds: their mean, the standard deviation, and with how many of
    them it never loses. A side that a learner was not trained for is untrained:
    in JSON it has "untrained": true.

    With --filter, P does not repeat the failures of a save; its results without the
    filter stand below. P~SAVE means the same in every command that names a player.

    P can also be perfect: it keeps the value of the position, wins as soon as
    possible, and loses as late as possible. perfect:any plays all moves that keep
    the value, each as likely. perfect:stubborn, where it is lost, makes a random
    opponent give the win away as often as possible.

    In a game that is too large for exact results, P plays a number of games
    against random, alphabeta:2 and uct:1000, and chooses moves in positions
    whose scores are known. The errors are stated.

    \b
    Examples:
      noughts evaluate perfect
      noughts evaluate save:riechel --json
      noughts evaluate minimax:2 --filter riechel
    """
    library = chosen_library()
    player = with_failures_of(full_label(player, library), failures)
    rules = chosen_game(game, library, [player])
    machine = chosen_player(player, rules, library)
    if not rules.numbered:
        report_sampled(player, machine, as_json=as_json)
        return
    results = _compute_results(machine)
    scores, trained = results.mean, machine.trained_sides
    heading = f"{plain(player)}, {rules.title}: exact chances"
    if results.has_several:
        heading += f", the mean over {len(results.each)} seeds"
    document = {
        "player": player,
        "game": rules.name,
        **results_document(scores, trained),
        "value": value_document(scores, trained),
        **seeds_document(results),
    }
    lines = [heading, "", *results_lines(rules, scores, trained), *untrained_lines(machine)]
    lines += [f"It does not learn to play {rules.mark(side)}." for side in BOTH if side not in machine.sides]
    lines += seeds_lines(rules, results)
    if isinstance(machine, FilteredPlayer):
        unfiltered = _compute_results(machine.player).mean
        document["unfiltered"] = results_document(unfiltered, trained)
        lines += ["", f"Without the filter, {plain(machine.player.label)}:", ""]
        lines += results_lines(rules, unfiltered, trained)
    print_result(lines, document, as_json=as_json)


def _compute_results(player: Player) -> SeedResults:
    """Return the exact results of a player, with progress: a search takes minutes in a large game."""
    seeds, finished_seeds = seed_count(player), [0]
    space_of(player.game)  # shows progress of its own

    def describe() -> tuple[float, str]:
        done = finished_seeds[-1]
        return done / seeds, f"{done + 1} of {seeds} seeds, " if seeds > 1 else ""

    with waiting_bar("judging", describe) as show:
        return exact_results(player, reporting_stop(show), finished_seeds.append)
