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
    sampled: SampledGames | None, known: KnownMoves | None, played: Share | None = None
) -> dict[str, object]:
    shares = {} if known is None else {"won": known.won, "kept": known.kept, **known.sets}
    return {
        "sampled": None if sampled is None else _games_document(sampled),
        "known_positions": None if known is None else {name: _share_document(each) for name, each in shares.items()},
        "played_positions": None if played is None else _share_document(played),
    }


def _games_document(sampled: SampledGames) -> dict[str, object]:
    def chances(side: Side) -> dict[str, dict[str, float]]:
        found = {label: sides[side] for label, sides in sampled.against.items()}
        errors = {label: Share(round(each.loss * sampled.games), sampled.games).error for label, each in found.items()}
        return {label: {**asdict(each), "error": round(errors[label], DIGITS)} for label, each in found.items()}

    by_side = {side.name.lower(): chances(side) for side in sampled.sides}
    return {"games": sampled.games, "opening": OPENING_PLIES, **by_side}


def _share_document(found: Share) -> dict[str, object]:
    return {
        "count": found.count,
        "of": found.of,
        "share": round(found.share, DIGITS),
        "error": round(found.error, DIGITS),
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
    widest = min(INTERVAL_SIZE * 0.5 / sqrt(sampled.games), 1.0)  # of a share of one half
    games = counted_noun(sampled.games, "game")
    return [
        f"{game.title} is too large for exact results: {games} each, after {OPENING_PLIES} random moves",
        f"(a share is off by {percent_text(widest)} at most, in 95 of 100 cases):",
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
        self._show, self._what, self._begun, self._share = show, "", monotonic(), 0.0

    def begin(self, what: str) -> Callable[[float], object]:
        """Begin a step; return a function to call with the share of it that is done, from 0 to 1."""
        self._what, self._begun = what, monotonic()
        self._report(0.0)
        return self._report

    def _report(self, share: float) -> None:
        self._share = share
        self.show()

    def show(self) -> None:
        passed, share = monotonic() - self._begun, self._share
        left = f"{share_text(share)}, {duration_text(passed * (1 - share) / share)} left" if share else ""
        self._show((share, f"{self._what}, {left or f'for {duration_text(passed)}'}"))


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
    with progress_bar("", lambda step: step) as show:
        steps = _Steps(show)
        told = player.stoppable(reporting_stop(steps.show)) if isinstance(player, Searcher) else player
        sampled = play_samples(told, report=steps.begin("playing games"), sides=sides, games=games)
        known = judge_known(told, sides=sides, report=steps.begin("moving in known positions"))
        late = [turn for turns in sampled.late_turns.values() for turn in turns]
        played = judge_late(player.game, late, report=steps.begin("judging late moves"))
        game, agent = player.game, player if isinstance(player, AskedAgent) else None
        steps.begin("asking again")
        uncompared = [] if agent is None or agent.is_compared() else [UNCOMPARED]
    read = [] if agent is None else [*read_lines(agent.ask), *uncompared]
    lines = [f"{plain(label)}, {game.title}", "", *([*read, ""] if read else [])]
    lines += games_lines(game, sampled)
    if played is not None:
        late_moves = f"Of its {played.of:,} moves there with at most {KNOWN_FROM} empty squares"
        lines += ["", f"{late_moves}, {percent_text(played.share)} keep the exact value"]
    lines += ["", *known_lines(known)] if known is not None else []
    document: dict[str, object] = {"player": label, "game": game.name}
    found = sampled_document(sampled, known, played)
    if judged:
        verdict = sampled_verdict_lines(game, sampled.losing, agent)
        lines += ["", *verdict] if verdict else []
        flaws = ((), ()) if agent is None else (agent.illegal.values(), agent.missing)
        form = None if agent is None else agent.ask.form or None
        document |= {"form": form, **found, **losing_document(game, sampled.losing)}
        document |= {**flaws_document(game, *flaws), "asked": None if agent is None else agent.asked, "save": None}
        document["notes"] = [] if agent is None else [*agent.ask.notes, *uncompared]
    else:
        document |= found
    print_result(lines, document, as_json=as_json)
    return sampled
