"""What `noughts train` reports of a run: its summary in lines, and its JSON."""

import shlex
from collections.abc import Mapping

from cli.shared.results import statistics_lines
from cli.shared.sampled_results import known_lines, sampled_document
from cli.shared.score_documents import results_document
from engine.evaluate import scoreboard
from engine.game import Side, quoted
from engine.plural import counted_noun, plural
from engine.stop import Stop
from lab.results.score_lines import results_lines
from lab.results.tables import untrained_lines
from lab.text.numbers import count_text, short_count
from lab.text.sanitise import plain
from lab.training.setup import averages_per_game, averages_text
from lab.training.stalled import find_stall
from learners.core.learner import Learner
from learners.core.save_ref import SaveRef
from learners.core.snapshot import ITSELF
from learners.core.training import Progress
from learners.race.sampling import judge_known


def report_run(
    machine: Learner, progress: Progress, stats_before: Mapping[str, int], save: str | None, stop: Stop
) -> tuple[list[str], dict[str, object]]:
    """Return a run as lines and as JSON, with the results of the machine, and since when it has learned nothing."""
    machine.drop_tables()  # the tables of a large game take much memory
    result_lines, result_document = compute_results(machine)
    lines = summary(machine, progress, stats_before, save)
    document = run_document(machine, progress, stats_before, save)
    document["stopped_learning"] = None
    stall = find_stall(progress.snapshot, stop)
    if stall is not None:
        sentence = stall.sentence(machine.spec.round_noun)
        lines.append(sentence)
        document["stopped_learning"] = {"since": stall.rounds, "sentence": sentence}
    return [*lines, "", *result_lines], {**document, **result_document}


def summary(learner: Learner, progress: Progress, stats_before: Mapping[str, int], save: str | None) -> list[str]:
    seed, noun = f"seed {learner.seed}", learner.spec.round_noun
    opponent = "itself" if learner.opponent == ITSELF else plain(learner.opponent)
    heading = f"{learner.spec.title} ({learner.preset}), {learner.game.title}, against {opponent}, {seed}"
    lines = [heading, "", *statistics_lines(learner), ""]
    if progress.perfect:
        lines.append(f"Perfect after {counted_noun(learner.rounds, noun)}: no opponent can beat it.")
    elif not progress.finished:
        lines.append(f"Stopped after {count_text(progress.done)} of {counted_noun(progress.total, noun)}.")
    if progress.finished and progress.done < learner.rounds:
        lines.append(f"This run: {counted_noun(progress.done, noun)}.")
    averages = averages_of_run(learner, progress, stats_before)
    rate = f"{progress.seconds:.2f} s of training, {short_count(progress.per_second)} {plural(noun, 2)}/s"
    lines.append(f"{rate}; {averages_text(averages)}" if averages else rate)
    if save is None:
        lines.append("Not saved. To save a training: --save NAME")
    else:
        player = shlex.quote(SaveRef(plain(save)).label)
        seat = "--second" if Side.SECOND in learner.trained_sides else "--first"
        lines.append(f"Saved as {quoted(save)}. To play against it: noughts play {seat} {player}")
    return lines


def run_document(
    learner: Learner, progress: Progress, stats_before: Mapping[str, int], save: str | None
) -> dict[str, object]:
    """Return the run as JSON. `trained` counts the rounds of this run, the statistics all training of the learner.

    `stats_before` are the statistics at the start of the run.
    """
    snapshot, seconds = progress.snapshot, progress.seconds
    games = snapshot.stats[learner.spec.games_statistic] - stats_before[learner.spec.games_statistic]
    return {
        "learner": snapshot.learner,
        "game": snapshot.game.name,
        "preset": snapshot.preset,
        "opponent": snapshot.opponent,
        "settings": dict(snapshot.settings),
        "seed": snapshot.seed,
        **learner.spec.json_stats(snapshot.stats),
        **averages_of_run(learner, progress, stats_before),
        "trained": progress.done,
        "planned": progress.total,
        "seconds": round(seconds, 6),
        f"{plural(learner.spec.round_noun, 2)}_per_second": round(progress.per_second, 1),
        "games_per_second": round(games / seconds if seconds else 0.0, 1),
        "save": save,
        "history": [learner.spec.json_stats(stats) for stats in snapshot.history],
    }


def averages_of_run(learner: Learner, progress: Progress, stats_before: Mapping[str, int]) -> dict[str, float]:
    if learner.spec.round_statistic != "games":
        return {}
    return averages_per_game(stats_before, progress.snapshot.stats)


def compute_results(machine: Learner) -> tuple[list[str], dict[str, object]]:
    """Return the exact results of a machine as lines and as JSON; in a large game, those in known positions."""
    if not machine.game.learnable:
        known = judge_known(machine)
        lines = [] if known is None else known_lines(known)
        lines.append("To sample games against others: noughts evaluate save:NAME")
        return lines, {"exact": None, **sampled_document(None, known)}
    exact = scoreboard(machine.space, machine.policy())
    heading = "Exact chances, independent of its training games:"
    lines = [*results_lines(machine.game, exact, machine.trained_sides), *untrained_lines(machine)]
    return [heading, "", *lines], {"exact": results_document(exact, machine.trained_sides)}
