"""Failures as a filter before other players: the closing idea of Riechel's paper, which prints no figures for it."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from engine.games import parse_game
from engine.stop import Stop
from learners import is_player, parse_learner, parse_player
from learners.core.learner import BOTH
from learners.core.player import Player
from learners.core.spec import split_preset
from learners.failures.learner import Failures
from learners.papers.report import UNPRINTED, Finding, FindingTable, PaperResult, Source
from learners.papers.running import Paper, PaperPart, ReportShare
from learners.papers.trainings import Losses, losses_by_opponent, seeds_text, train
from learners.players.filtered import FilteredPlayer
from learners.players.searcher import stoppable

SOURCE: Final = Source(
    "filter",
    "Failures as a filter before another player",
    "an idea of James A. Riechel, 2007; the figures are ours",
    "A player never makes a move that a reasoner recorded as a failure, unless all moves of the position are.",
    topic="failures as a filter, ours",
)
GAME: Final = parse_game("tictactoe")
PRESET: Final = "riechel-2007"
GAMES: Final = 1_000_000
"""How many games the reasoner plays against itself, as in Riechel's figures."""
LEARNER_GAMES: Final = 1_000
"""How many games a learner behind the filter trains against itself."""
SEEDS: Final = 20
PLAYERS: Final = ("random", "minimax:2", "uct:100", "menace:steady", "q:exact")


class FilterRun(NamedTuple):
    """The probabilities in per cent that a player loses, without and behind the filter: see `losses_by_opponent`."""

    without: Losses
    behind: Losses


def play(name: str, seed: int, report: ReportShare, stop: Stop) -> FilterRun:
    """Train the reasoner with a seed, and let it filter the moves of a player with the same seed. Raises `Stopped`."""
    failures = Failures(GAME, PRESET, seed)
    train(failures, GAMES, report, stop)
    player = _player(name, seed, stop)
    filtered = FilteredPlayer(player, failures)
    without, behind = (
        losses_by_opponent(failures.space, BOTH, stoppable(each, stop).policy()) for each in (player, filtered)
    )
    return FilterRun(without, behind)


def _player(name: str, seed: int, stop: Stop) -> Player:
    if is_player(name):
        label = f"{name}/{seed}" if name.startswith("uct") else name
        return parse_player(label, GAME)
    stem, preset = split_preset(name)
    kind = parse_learner(stem)
    learner = kind(GAME, kind.spec.usual_preset(GAME, preset), seed)
    train(learner, LEARNER_GAMES, lambda _share: None, stop)
    return learner


def filter_paper(count: int = SEEDS) -> Paper[FilterRun]:
    return Paper(SOURCE, [PaperPart(name, partial(play, name), seeds=count) for name in PLAYERS], _tables)


def _tables(results: Mapping[str, Sequence[FilterRun]], seed: int) -> PaperResult:
    return tuple(_table(name, runs, seeds_text(seed, len(runs))) for name, runs in results.items()), ()


def _table(name: str, runs: Sequence[FilterRun], about: str) -> FindingTable:
    findings = [
        Finding(f"games in 100 lost {whom}, {when}", UNPRINTED, tuple(getattr(run, key)[whom] for run in runs), 1)
        for whom in runs[0].without
        for key, when in (("without", "unfiltered"), ("behind", "filtered"))
    ]
    return FindingTable.of(name, about, *findings)
