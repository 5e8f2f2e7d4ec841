"""Statistics, exact results and the newest changes of a learner, as lines of text and as JSON."""

from collections.abc import Collection
from dataclasses import asdict, replace
from typing import Any, Final

from cli.shared.board_text import beside, board
from engine.game import Game, Side
from engine.plural import counted_noun
from lab.judging.sampling import KNOWN_FROM, OPENING, KnownMoves, SampledGames, Share
from lab.memory.card_filter import cells_of
from lab.text.columns import columns
from lab.text.numbers import count_text, percent_text
from learners.core.learner import BOTH, Learner
from learners.core.view import Card
from learners.players.seeds import Scoreboard, SeedResults

INTERVAL_SIZE: Final = 2
"""The margin of error that is stated, in standard errors."""

NEWEST: Final = 4
"""The number of newest changes that are shown."""
DIGITS: Final = 12
"""Decimal places of chances in JSON, so that documents do not differ by rounding errors."""


def statistics_lines(learner: Learner) -> list[str]:
    """Return a table of the learner's statistics: label, count, and share of the games if there is one."""
    stats = learner.stats()
    games = stats["games"]
    rows = [(learner.view.words.games_label, count_text(games), "")]
    for label, count in learner.view.endings(stats).items():
        share = percent_text(count / games) if games else ""
        rows.append((label.format(*learner.game.marks), count_text(count), share))
    rows += [(label, count_text(stats[key]), "") for key, label in learner.spec.stat_labels.items()]
    return columns(rows, "<>>")


def results_document(scores: Scoreboard, trained: Collection[Side] = BOTH) -> dict[str, dict[str, Any]]:
    """For each side, the chances against each opponent, and the counts of decisions and of losing moves.

    A side that is not among the `trained` ones has `"untrained": true`.
    """
    return {
        side: {
            **{
                opponent: {name: round(chance, DIGITS) + 0.0 for name, chance in asdict(chances).items()}
                for opponent, chances in results.against.items()
            },
            "decisions": results.decisions,
            "perfect_moves": round(results.perfect_moves, DIGITS),
            "losing_pairs": results.losing_pairs,
            "exploitability": round(results.exploitability, DIGITS),
            **({} if Side[side.upper()] in trained else {"untrained": True}),
        }
        for side, results in scores.items()
    }


def value_document(scores: Scoreboard, sides: Collection[Side]) -> dict[str, Any]:
    """Return the exploitability as each side that is played, and NashConv, their sum, if both are."""
    each = {side.name.lower(): round(scores[side.name.lower()].exploitability, DIGITS) for side in sides}
    return {"exploitability": each, "nash_conv": round(sum(each.values()), DIGITS) if len(each) == len(Side) else None}


def seeds_document(found: SeedResults) -> dict[str, object]:
    """Return the spread of results over several seeds as a part of a JSON object; nothing for a single seed."""
    if not found.several:
        return {}
    return {
        "seeds": len(found.each),
        "deviations": results_document(found.deviation),
        "unbeaten_seeds": {side.name.lower(): found.unbeaten([side]) for side in Side},
    }


def sampled_document(sampled: SampledGames | None, known: KnownMoves | None) -> dict[str, object]:
    """Return the results in a game that is too large for exact results: sampled games, and moves in known positions."""
    games = (
        None
        if sampled is None
        else {
            "games": sampled.games,
            "opening": OPENING,
            **{
                side.name.lower(): {
                    label: {
                        **asdict(sides[side]),
                        "error": round(Share(round(sides[side].loss * sampled.games), sampled.games).error, DIGITS),
                    }
                    for label, sides in sampled.against.items()
                }
                for side in sampled.sides
            },
        }
    )
    moves = (
        None
        if known is None
        else {
            name: _share_document(each)
            for name, each in (("won", known.won), ("kept", known.kept), *known.sets.items())
        }
    )
    kept = None if sampled is None or sampled.kept is None else _share_document(sampled.kept)
    return {"sampled": games, "known_positions": moves, "played_positions": kept}


def _share_document(found: Share) -> dict[str, object]:
    return {
        "count": found.count,
        "of": found.of,
        "share": round(found.share, DIGITS),
        "error": round(found.error, DIGITS),
    }


def newest_cards(learner: Learner) -> list[Card]:
    """Return the newest changes of the learner's memory, the newest first; a numbered card has its own move only."""
    return [_own_card(learner, edge) for edge in learner.view.newest(NEWEST)]


def _own_card(learner: Learner, edge: int) -> Card:
    card = learner.view.card(edge)
    if not learner.view.words.numbering:
        return card
    own = int(learner.space.move[edge])
    return replace(card, thoughts=tuple(thought for thought in card.thoughts if thought.move == own))


def newest_document(learner: Learner) -> list[dict[str, object]]:
    """Return the position, move and number of each of the newest changes, newest first.

    Empty for a memory of parameters.
    """
    game = learner.game
    if learner.spec.parameters:
        return []
    return [
        {"number": int(learner.memory[cell]), "position": game.to_text(card.position), "move": game.move_name(move)}
        for card in newest_cards(learner)
        for move, cell in cells_of(learner, card.position, card.thoughts).items()
    ]


def newest_lines(learner: Learner) -> list[str]:
    """Return the newest changes as boards side by side, each with its moves below."""
    game, cards, words = learner.game, newest_cards(learner), learner.view.words
    blocks = [
        [f"{words.noun} {card.caption}", *board(game, card.position), *columns(_move_rows(learner, card), "<<")]
        for card in cards
    ]
    return ["", f"{learner.view.words.newest}:", *beside(blocks)] if cards else []


def _move_rows(learner: Learner, card: Card) -> list[tuple[str, str]]:
    """Each move on a card, with the words about it; without them on a numbered card, whose caption says the rest."""
    game, numbered = learner.game, learner.view.words.numbering
    return [(game.move_name(thought.move), "" if numbered else thought.words) for thought in card.thoughts]


def games_lines(game: Game, sampled: SampledGames) -> list[str]:
    """Return a table with a line for each opponent: the shares of games won, drawn and lost as each side."""
    rows: list[tuple[str, ...]] = [
        ("", *(text for side in sampled.sides for text in (f"as {game.mark(side)}:", "", ""))),
        ("against", *("win", "draw", "loss") * len(sampled.sides)),
    ]
    for label, sides in sampled.against.items():
        chances = sides.values()
        rows.append((label, *(percent_text(share) for each in chances for share in (each.win, each.draw, each.loss))))
    widest = INTERVAL_SIZE * Share(sampled.games // 2, sampled.games).error
    games = counted_noun(sampled.games, "game")
    return [
        f"{game.title} is too large for exact results: {games} each, after {OPENING} random moves",
        f"(a share is off by {percent_text(widest)} at most, in 95 of 100 cases):",
        "",
        *columns(rows, "<" + ">>>" * len(sampled.sides)),
        *([] if sampled.kept is None else ["", _kept_line(sampled.kept)]),
    ]


def _kept_line(kept: Share) -> str:
    """Return how many of its moves in the games it played keep the value."""
    return (
        f"Of its {kept.of:,} moves there with at most {KNOWN_FROM} empty squares, "
        f"{percent_text(kept.share)} keep the exact value"
    )


def known_lines(known: KnownMoves) -> list[str]:
    """Return how often its moves keep the value of known positions."""
    sets = ", ".join(f"{name} {percent_text(each.share)}" for name, each in known.sets.items())
    share, error = percent_text(known.won.share), percent_text(INTERVAL_SIZE * known.won.error)
    return [
        f"In {known.won.of:,} won positions with known scores its move keeps the win in {share} (± {error}):",
        sets,
        f"In all {known.kept.of:,} known positions it keeps the value in {percent_text(known.kept.share)}",
    ]
