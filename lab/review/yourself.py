"""A person beside the machines: where they gave something away in their games, and the exercises made of that.

Everything is computed from the games in the library; nothing else is kept. A MENACE that has played equally many games
is asked how likely it gives something away in the same positions.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from statistics import fmean
from typing import Final

from engine.game import Game, Position, Side
from engine.match import Match, Record, replay_record
from engine.plural import counted_noun
from engine.solve import edge_values
from engine.spaces import space_of
from engine.stop import Stop, never, unless_stopped
from engine.tactics import threats, wins
from lab.review.finished_games import SHORT_NAME, player_text
from lab.text.axes import Points
from lab.text.columns import columns, cut
from lab.text.numbers import percent_text
from learners.core.learner import PERSON
from learners.core.snapshot import CHECKPOINTS
from learners.menace.learner import Menace
from saves.library.game_record import GameFilter, PlayedGames, StoredGame

COMES_BACK_AFTER: Final = (1, 3, 10, 30)
"""The numbers of further games after which a position comes back as an exercise."""
WINDOW: Final = 10
"""The number of games over whose positions each share of the curve is taken."""
CURVE_FROM: Final = 5
"""The number of games from which on there is a curve."""
MACHINE: Final = "steady"
"""The preset of the MENACE beside the person."""
SETTING: Final = "exercises"
"""The key of the setting for exercises; `off` lists none."""
EXAMPLES: Final = 30
"""The number of games that are an example of a person's."""
KINDS: Final = ("a win at once", "a threat to stop", "a won position", "a drawn position")
"""What can be given away, by kind of position."""


@dataclass(frozen=True)
class Decision:
    """A position in which a person could give something away."""

    game: int
    """The number of the game among the person's games, from 1."""
    match: Match
    labels: tuple[str, str]
    ply: int
    kind: str
    lost: bool
    """Whether the move gave something away."""

    @property
    def position(self) -> Position:
        return self.match.positions[self.ply]

    @property
    def value(self) -> int:
        """The value of the position for the person: 1 if it is won, 0 if it is drawn."""
        edges = space_of(self.match.game).edges(self.position)
        return max(int(edge_values(space_of(self.match.game))[edge]) for edge in edges)

    @property
    def goal(self) -> str:
        return "win it" if self.value > 0 else "hold the draw"


@dataclass(frozen=True)
class Yourself:
    """A person's games of one game against machines, beside a MENACE."""

    game: Game
    decisions: tuple[Decision, ...]
    """The decisions, the oldest first."""
    results: tuple[tuple[str, int], ...]
    """The opponent of each game, and how it ended for the person: 1 for a win, 0 for a draw, -1 for a loss."""
    machine: Mapping[int, Mapping[str, float]]
    """How likely MENACE gives something away in the person's positions, by its number of games, then by kind."""
    who: str = "you"
    """Who played: a person, or for an example `random play`."""

    @property
    def games(self) -> int:
        return len(self.results)

    def share(self, after: int, kind: str | None = None) -> float | None:
        """Return the share of decisions that gave something away, in the last `WINDOW` games up to game `after`."""
        lost = [
            each.lost for each in self.decisions if after - WINDOW < each.game <= after and kind in (None, each.kind)
        ]
        return fmean(lost) if lost else None

    def exercises(self) -> list[Decision]:
        """Return the decisions to play again now: mistakes made 1, 3, 10 or 30 games ago, and not corrected since."""
        return [each for each, games in self.coming_back() if not games]

    def coming_back(self) -> list[tuple[Decision, int]]:
        """Return the mistakes not corrected since, each with the games until it is an exercise, the soonest first."""
        latest = {decision.position: decision for decision in self.decisions}
        waiting = list[tuple[Decision, int]]()
        for decision in latest.values():
            age = self.games - decision.game
            if decision.lost and age <= COMES_BACK_AFTER[-1]:
                waiting.append((decision, min(mark - age for mark in COMES_BACK_AFTER if mark >= age)))
        return sorted(waiting, key=lambda pair: (pair[1], -pair[0].game))


def person_side(record: Record) -> Side | None:
    """Return the side of the only person in a game; `None` if there are two people, or none."""
    return Side(record.players.index(PERSON)) if record.players.count(PERSON) == 1 else None


def decisions_in(record: Record, number: int) -> list[Decision]:
    """Return the positions of a game in which the person could give something away."""
    game, side, match = record.game, person_side(record), replay_record(record)
    space, decisions = space_of(game), list[Decision]()
    for ply, move in enumerate(match.moves):
        position = match.positions[ply]
        values = {int(space.move[edge]): int(edge_values(space)[edge]) for edge in space.edges(position)}
        if game.side(position) is side and len({*values.values()}) > 1:
            best = max(values.values())
            kind = _kind_of(game, position, best)
            decisions.append(Decision(number, match, record.players, ply, kind, lost=values[move] < best))
    return decisions


def _kind_of(game: Game, position: Position, value: int) -> str:
    """Return what can be given away in a position of this value, one of `KINDS`."""
    win, threat, won, drawn = KINDS
    if wins(game, position):
        return win
    if threats(game, position):
        return threat
    return won if value > 0 else drawn


def yourself(games: PlayedGames, game: Game) -> Yourself:
    """Return a person's games of a game beside MENACE. Raises `LibraryError`, `TooLarge`."""
    return beside_menace(own_games(games, game))


def own_games(games: PlayedGames, game: Game, stop: Stop = never) -> Yourself:
    """Return a person's games of a game, without MENACE. Raises `LibraryError`, `TooLarge`, `Stopped`."""
    space_of(game)
    stored = games.read(games.numbers(GameFilter(game.name)))
    records = [each.record for each in reversed(stored) if isinstance(each, StoredGame)]
    return _games_of(game, [record for record in records if person_side(record) is not None], stop)


def random_games(game: Game, players: tuple[str, str], stop: Stop = never) -> Yourself:
    """Return random games, always the same ones, as an example of a person's. Raises `TooLarge`, `Stopped`."""
    random, records = Random(1), list[Record]()  # noqa: S311  games
    for _ in range(EXAMPLES):
        match = Match(game)
        while match.outcome is None:
            match.play(random.choice(game.moves(match.position)))
        records.append(match.record(players))
    return replace(_games_of(game, records, stop), who="random play")


def _games_of(game: Game, records: Sequence[Record], stop: Stop) -> Yourself:
    decisions, results = list[Decision](), list[tuple[str, int]]()
    for number, record in enumerate(unless_stopped(records, stop, every=1), 1):
        decisions += decisions_in(record, number)
        side, winner = Side(record.players.index(PERSON)), record.outcome.winner
        result = 0
        if winner is not None:
            result = 1 if winner is side else -1
        results.append((record.players[side.other], result))
    return Yourself(game, tuple(decisions), tuple(results), {})


def beside_menace(you: Yourself, stop: Stop = never) -> Yourself:
    """Add how likely a MENACE gives something away, after several numbers of games up to yours. Raises `Stopped`."""
    game, games, decisions = you.game, you.games, you.decisions
    if not decisions or not Menace.spec.fits(game):
        return you
    machine, space, shares = Menace(game, MACHINE, seed=1), space_of(game), dict[int, dict[str, float]]()
    marks = sorted({checkpoint for checkpoint in CHECKPOINTS if checkpoint < games} | {games})
    for mark in unless_stopped(marks, stop, every=1):
        machine.train(mark - machine.rounds)
        policy, values = machine.policy(), edge_values(space)
        chances: dict[str, list[float]] = {}
        for decision in decisions:
            edges = space.edges(decision.position)
            best = max(values[edge] for edge in edges)
            chance = float(sum(policy[edge] for edge in edges if values[edge] < best))
            chances.setdefault(decision.kind, []).append(chance)
        shares[mark] = {kind: fmean(of_kind) for kind, of_kind in chances.items()}
        shares[mark][""] = fmean(chance for of_kind in chances.values() for chance in of_kind)
    return replace(you, machine=shares)


def curves_of(you: Yourself) -> tuple[Points, Points]:
    """Return two curves over the games: what the person gave away, and what MENACE did."""
    own = list[tuple[int, float]]()
    for number in range(1, you.games + 1):
        share = you.share(number)
        if share is not None:
            own.append((number, share))
    return own, [(mark, shares[""]) for mark, shares in you.machine.items()]


def yourself_lines(you: Yourself, *, exercises: bool) -> list[str]:
    if not you.decisions:
        return [summary_text(you)]
    lines = [summary_text(you), "", *kind_lines(you), "", *result_lines(you), ""]
    curve: list[tuple[str, ...]] = [("games", f"you, last {WINDOW} games", "MENACE, same positions")]
    for mark, shares in you.machine.items():
        share = you.share(mark)
        curve.append((f"{mark:,}", "" if share is None else percent_text(share), percent_text(shares[""])))
    lines += columns(curve, ">>>")
    due = you.exercises() if exercises else []
    if due:
        rows = [(f"game {each.game:,}", you.game.to_text(each.position), f"{each.kind}, {each.goal}") for each in due]
        lines += ["", "Positions that you gave away come back:", *columns(rows, "<<<")]
    return lines


def summary_text(you: Yourself) -> str:
    if not you.games:
        return f"No games of {you.game.title} against a machine yet."
    lost = sum(each.lost for each in you.decisions)
    games = counted_noun(you.games, "game")
    if not you.decisions:
        return f"{games}: no position yet in which you could give something away."
    if len(you.decisions) == 1:
        return f"{games}: in the only position with something to lose, you {'lost' if lost else 'kept'} it."
    positions = f"{len(you.decisions):,} positions with something to lose"
    if lost:
        return f"{games}: in {lost} of {positions}, you lost it."
    if len(you.decisions) == 2:
        return f"{games}: in both positions with something to lose, you kept it."
    return f"{games}: in all {positions}, you kept it."


def kind_lines(you: Yourself) -> list[str]:
    latest, unknown = you.machine.get(you.games, {}), "…" if Menace.spec.fits(you.game) else "–"
    rows: list[tuple[str, ...]] = [("given away", "seen", you.who.partition(" ")[0], "MENACE")]
    for kind in KINDS:
        lost = [each.lost for each in you.decisions if each.kind == kind]
        if lost:
            machine = percent_text(latest[kind]) if kind in latest else unknown
            rows.append((kind, str(len(lost)), percent_text(fmean(lost)), machine))
    return columns(rows, "<>>>")


def result_lines(you: Yourself) -> list[str]:
    """Return how the games against each opponent ended, the most frequent one first."""
    results = {"won": 1, "drawn": 0, "lost": -1}
    if not you.game.has_draws:
        del results["drawn"]
    rows = [("against", "games", *results)]
    for label, count in Counter(label for label, _ in you.results).most_common():
        counts = (str(you.results.count((label, result))) for result in results.values())
        name = player_text(label, PERSON) if you.who == Yourself.who else you.who
        rows.append((cut(name, SHORT_NAME), str(count), *counts))
    return columns(rows, "<" + ">" * (len(results) + 1))


def yourself_document(you: Yourself, *, exercises: bool) -> dict[str, object]:
    own, _ = curves_of(you)
    due = you.exercises() if exercises else []
    kinds = {}
    for kind in KINDS:
        lost = [each.lost for each in you.decisions if each.kind == kind]
        kinds[kind.replace(" ", "_")] = {"met": len(lost), "given_away": sum(lost)}
    return {
        "game": you.game.name,
        "games": you.games,
        "kinds": kinds,
        "curve": [{"games": number, "share": round(share, 12)} for number, share in own],
        "menace": [
            {"games": mark, "share": round(shares[""], 12)}
            | {kind.replace(" ", "_"): round(share, 12) for kind, share in shares.items() if kind}
            for mark, shares in you.machine.items()
        ],
        "exercises": [
            {"game": each.game, "position": you.game.to_text(each.position), "kind": each.kind, "value": each.value}
            for each in due
        ],
    }
