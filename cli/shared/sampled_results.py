"""The results of a player in a game that is too large for exact ones: as lines of text and as JSON."""

from collections.abc import Callable
from dataclasses import asdict
from math import sqrt
from time import monotonic
from typing import Final

from cli.shared.common import print_result
from cli.shared.progress import Show, progress_bar, reporting_stop
from cli.shared.score_documents import DIGITS, flaws_document, losing_document
from engine.game import Game, Side
from engine.plural import counted_noun
from lab.judging.asking.ask_all import SAMPLED_GAMES
from lab.judging.asking.asked_agent import AskedAgent
from lab.judging.verdict_text import UNCOMPARED, read_lines, sampled_verdict_lines
from lab.text.columns import columns
from lab.text.numbers import duration_text, percent_text, share_text
from lab.text.sanitise import plain
from learners.players.searcher import Searcher
from learners.race.sampling import (
    KNOWN_FROM,
    OPENING_PLIES,
    Chooser,
    KnownMoves,
    SampledGames,
    Share,
    judge_known,
    judge_late,
    play_samples,
)

INTERVAL_SIZE: Final = 2
"""The margin of error that is stated, in standard errors."""


def sampled_document(
    sampled: SampledGames | None, known: KnownMoves | None, late_share: Share | None = None
) -> dict[str, object]:
    """Return results in games, in known positions, and in late positions of the games; `None` what is not known."""
    known_document = None
    if known is not None:
        shares = {"won": known.won, "kept": known.kept, **known.sets}
        known_document = {name: _share_document(share) for name, share in shares.items()}
    return {
        "sampled": None if sampled is None else _games_document(sampled),
        "known_positions": known_document,
        "played_positions": None if late_share is None else _share_document(late_share),
    }


def _games_document(sampled: SampledGames) -> dict[str, object]:
    def side_document(side: Side) -> dict[str, dict[str, float]]:
        document = {}
        for label, sides in sampled.against.items():
            chances = sides[side]
            error = Share(round(chances.loss * sampled.games), sampled.games).error
            document[label] = {**asdict(chances), "error": round(error, DIGITS)}
        return document

    by_side = {side.name.lower(): side_document(side) for side in sampled.sides}
    return {"games": sampled.games, "opening": OPENING_PLIES, **by_side}


def _share_document(share: Share) -> dict[str, object]:
    return {
        "count": share.count,
        "of": share.of,
        "share": round(share.share, DIGITS),
        "error": round(share.error, DIGITS),
    }


def games_lines(game: Game, sampled: SampledGames) -> list[str]:
    """Return a table with a line for each opponent: the shares of games won, drawn and lost as each side."""
    rows: list[tuple[str, ...]] = [
        ("", *(text for side in sampled.sides for text in (f"as {game.mark(side)}:", "", ""))),
        ("against", *("win", "draw", "loss") * len(sampled.sides)),
    ]
    for label, sides in sampled.against.items():
        chances = sides.values()
        rows.append((label, *(percent_text(share) for each in chances for share in (each.win, each.draw, each.loss))))
    largest_error = min(INTERVAL_SIZE * 0.5 / sqrt(sampled.games), 1.0)  # of a share of one half
    games = counted_noun(sampled.games, "game")
    return [
        f"{game.title} is too large for exact results: {games} each, after {OPENING_PLIES} random moves",
        f"(a share is off by {percent_text(largest_error)} at most, in 95 of 100 cases):",
        "",
        *columns(rows, "<" + ">>>" * len(sampled.sides)),
    ]


def known_lines(known: KnownMoves) -> list[str]:
    sets = ", ".join(f"{name} {percent_text(each.share)}" for name, each in known.sets.items())
    share, error = percent_text(known.won.share), percent_text(INTERVAL_SIZE * known.won.error)
    return [
        f"In {known.won.of:,} won positions with known scores its move keeps the win in {share} (± {error}):",
        sets,
        f"In all {known.kept.of:,} known positions it keeps the value in {percent_text(known.kept.share)}",
    ]


class _Steps:
    """Shows what share of a step of the work is done, and the time left; while nothing is done yet, the time so far."""

    def __init__(self, show: Show[tuple[float, str]]) -> None:
        self._show, self._step, self._start, self._share = show, "", monotonic(), 0.0

    def begin(self, step: str) -> Callable[[float], object]:
        """Begin a step; return a function to call with the share of it that is done, from 0 to 1."""
        self._step, self._start = step, monotonic()
        self._report(0.0)
        return self._report

    def _report(self, share: float) -> None:
        self._share = share
        self.show()

    def show(self) -> None:
        seconds, share = monotonic() - self._start, self._share
        text = f"for {duration_text(seconds)}"
        if share:
            text = f"{share_text(share)}, {duration_text(seconds * (1 - share) / share)} left"
        self._show((share, f"{self._step}, {text}"))


def report_sampled(  # noqa: PLR0913  what the command was given
    label: str,
    player: Chooser,
    sides: tuple[Side, ...] = tuple(Side),
    games: int = SAMPLED_GAMES,
    *,
    judged: bool = False,
    as_json: bool,
) -> SampledGames:
    """Play games of a player, and print the results; with `judged`, also the shortest game that it lost."""
    game, agent = player.game, player if isinstance(player, AskedAgent) else None
    uncompared = []
    with progress_bar("", lambda step: step) as show:
        steps = _Steps(show)
        if isinstance(player, Searcher):
            player = player.stoppable(reporting_stop(steps.show))
        sampled = play_samples(player, report=steps.begin("playing games"), sides=sides, games=games)
        known = judge_known(player, sides=sides, report=steps.begin("moving in known positions"))
        late_turns = [turn for turns in sampled.late_turns.values() for turn in turns]
        late_share = judge_late(game, late_turns, report=steps.begin("judging late moves"))
        steps.begin("asking again")
        if agent is not None and not agent.is_compared():
            uncompared.append(UNCOMPARED)
    lines = [f"{plain(label)}, {game.title}", ""]
    if agent is not None and (read_lines(agent.ask) or uncompared):
        lines += [*read_lines(agent.ask), *uncompared, ""]
    lines += games_lines(game, sampled)
    if late_share is not None:
        late_moves = f"Of its {late_share.of:,} moves there with at most {KNOWN_FROM} empty squares"
        lines += ["", f"{late_moves}, {percent_text(late_share.share)} keep the exact value"]
    if known is not None:
        lines += ["", *known_lines(known)]
    document: dict[str, object] = {"player": label, "game": game.name}
    if judged:
        verdict = sampled_verdict_lines(game, sampled.losing, agent)
        if verdict:
            lines += ["", *verdict]
        document["form"] = None if agent is None else agent.ask.form or None
    document |= sampled_document(sampled, known, late_share)
    if judged:
        flaws = ((), ()) if agent is None else (agent.illegal.values(), agent.missing)
        document |= {**losing_document(game, sampled.losing), **flaws_document(game, *flaws)}
        document |= {"asked": None if agent is None else agent.asked, "save": None}
        document["notes"] = [] if agent is None else [*agent.ask.notes, *uncompared]
    print_result(lines, document, as_json=as_json)
    return sampled
