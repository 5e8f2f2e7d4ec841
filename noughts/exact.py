"""Exact values of positions, and exact judgements of agents."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import Any, Final

from cli.shared.progress import asking_in_lines
from engine.analysis.rating import RatedMove, rate_moves
from engine.evaluate import OPPONENTS
from engine.game import BadText, Game, Position, Side, quoted
from engine.games import GAMES, game_of
from engine.match import Match
from engine.notation import parse_sides
from engine.spaces import space_of
from lab.judging.agents.python_agent import OBJECT, local_agent
from lab.judging.asking.agent import Agent, player_agent
from lab.judging.asking.ask_all import MAX_SAMPLES, ask_all
from lab.judging.child.forms import CannotAsk
from lab.judging.child.loading import object_named
from lab.judging.judge import AgentResults
from lab.judging.judge import judge as compute_verdict
from lab.judging.notation.form_words import replace_options
from lab.judging.notation.reply import Numbers, Reading
from lab.judging.verdict_text import read_lines, remarks, verdict_lines
from lab.results.tables import ResultTable
from learners import is_player
from learners.core.save_ref import is_save
from learners.fixed import fixed_policy
from noughts.drawing import board_svg, image
from noughts.machine import Machine, PositionLike, given, position_of, save_learner, whole_number
from saves.library.library import Library
from saves.paths import library_path

NAMES: Final = {1: "win", 0: "draw", -1: "loss", None: "unknown"}
"""The names of values."""


@dataclass(frozen=True, repr=False)
class Solution:
    """The result of a position under best play, seen from the side to move."""

    game: Game
    position: Position
    value: str
    """`win`, `draw` or `loss`; `unknown` where a search of limited depth finds no end."""
    plies: int
    """For a win or a loss, the number of moves of both sides until the end: the soonest win, the longest resistance.

    0 for a draw, which has no distance."""
    moves: Mapping[str, tuple[str, int]]
    """The value and the plies of each legal move, by its name; the plies include the move itself."""

    def __repr__(self) -> str:
        """Return the position, its value, and the best moves."""
        ending = f" in {self.plies}" if self.plies else ""
        moves = f" by {' '.join(self.best)}" if self.best else ""
        return f"<{self.game.to_text(self.position)}: {self.value}{ending}{moves}>"

    @property
    def best(self) -> tuple[str, ...]:
        """The names of the best moves; empty if the value is unknown."""
        best = (self.value, self.plies)
        return tuple(name for name, rated in self.moves.items() if rated == best and self.value != NAMES[None])

    def _repr_html_(self) -> str:
        best = {self.game.parse_move(self.position, name): 1.0 for name in self.best}
        return (
            image(board_svg(self.game, self.position, best), self.game.to_text(self.position))
            + f"<p>{escape(repr(self))}</p>"
        )


def solve(position: PositionLike = None, game: str | Game = GAMES[0].name) -> Solution:
    """Return how a position ends under best play: exact where the game is small enough, else by a limited search.

    `position` is a text such as `XO./.X./... O`, or another form that `noughts solve` reads, such as a list of 0, 1 and
    2; by default, the first position of the game. The limited search looks 6 moves ahead: on a large board
    without gravity that takes minutes, and Ctrl+C stops it. Raises `ValueError` for a position that play cannot reach,
    or in which the game is over.
    """
    rules = game_of(game)
    place = position_of(rules, position)
    rated = rate_moves(rules, place)
    if not rated:
        raise BadText(f"the game is over in {rules.to_text(place)}")
    best = max(rated, key=lambda each: each.merit)
    moves = {rules.move_name(each.move): _rating(each) for each in rated}
    return Solution(rules, place, *_rating(best), moves)


def _rating(rated: RatedMove) -> tuple[str, int]:
    return NAMES[rated.value], rated.plies


@dataclass(frozen=True, repr=False)
class Judgement:
    """The verdict on an agent."""

    game: Game
    read: tuple[str, ...]
    """How the agent was read and asked, in sentences."""
    verdict: AgentResults
    notes: tuple[str, ...]
    """Remarks on how the agent was asked, and on its answers, in sentences."""

    @property
    def results(self) -> ResultTable:
        """The agent's results by side and opponent, exact unless `sampled`; `self` only if it plays both sides."""
        scores = {side: self.verdict.scores[side] for side in map(_name, self._sides)}
        if len(scores) < len(Side):
            scores = {
                side: replace(each, against={name: each.against[name] for name in OPPONENTS if name != "self"})
                for side, each in scores.items()
            }
        return ResultTable(self.game, scores, self._sides)

    @property
    def optimal(self) -> Mapping[str, bool | None]:
        """By side, whether the agent secures the value of the game against any opponent.

        `None` if samples cannot tell.
        """
        return {_name(side): optimal for side, optimal in self.verdict.optimal.items()}

    @property
    def sampled(self) -> bool:
        """Whether the agent's answers differ, so that its results are estimates."""
        return self.verdict.sampled is not None

    @property
    def losing_game(self) -> tuple[str, ...] | None:
        """The names of the moves of a shortest game that the agent can lose; `None` if it never loses."""
        lost: tuple[Side, Match] | None = self.verdict.losing
        return None if lost is None else tuple(map(self.game.move_name, lost[1].moves))

    def save(self, name: str, *, replace: bool = False) -> "Judgement":
        """Save what the agent plays as a machine that does not learn, to play or train against as `save:NAME`.

        Raises `ValueError` if the agent's answers depend on the order of the moves, `LibraryError` for a name that is
        taken.
        """
        if self.verdict.answers.histories is not None:
            raise BadText("its answers depend on the order of the moves: it cannot be saved as a table of positions")
        save_learner(name, fixed_policy(self.game, self.verdict.answers.policy), replace=replace)
        return self

    @property
    def _lines(self) -> list[str]:
        return [_in_arguments(each) for each in (*self.read, *verdict_lines(self.game, self.verdict))]

    @property
    def _sides(self) -> tuple[Side, ...]:
        return self.verdict.answers.sides

    def __repr__(self) -> str:
        """Return how the agent was read, the verdict in sentences, and its results."""
        return "\n".join([*self._lines, "", repr(self.results)])

    def _repr_html_(self) -> str:
        lines = "".join(f"<p>{escape(line)}</p>" for line in self._lines)
        return lines + self.results._repr_html_()


def judge(  # noqa: PLR0913  most have a default
    agent: str | Machine | Callable[..., Any],
    game: str | Game | None = None,
    *,
    side: str | None = None,
    samples: int | None = None,
    form: str | None = None,
    numbers: str = Numbers.CHANCES.value,
) -> Judgement:
    """Judge an agent in every position that it can meet, and compute its exact results.

    `agent` is a function of `(board, side, moves)` that returns a move or probabilities, an OpenSpiel policy, an object
    with `act`, a machine, or the label of a player; `docs/judging.md` describes them. A text `file.py:name` or
    `module:name` names a Python object, as on the command line; a class that needs no arguments stands for one of its
    objects. `uct` without a seed is judged as it plays with seed 0. The agent is called in this process, and in a copy
    of it, some thousand times, so one that learns is changed; `noughts judge` runs an agent that you do not trust in a
    process of its own. Long work says how far it is in lines on standard error.

    `side` is `first`, `second` or `both`; by default, the sides that a machine or a player was trained for, or the
    sides as which a function can be asked. `samples` is how often an agent is asked in each position if its answers
    differ. For a function or an object, `form` has words that say how it sees the board, such as `list, own`; `noughts
    judge --forms` lists them. `numbers` says what its numbers for moves are: `chances`, `counts` or `values`.

    Raises `ValueError` for answers that cannot be read, `TooLarge` for a game that is too large.
    """
    rules = game_of(agent.game if isinstance(agent, Machine) and game is None else game or GAMES[0])
    space_of(rules)
    if numbers not in {each.value for each in Numbers}:
        raise BadText(f"numbers cannot be {numbers!r}; they are {', '.join(each.value for each in Numbers)}")
    count = None if samples is None else whole_number("samples", samples, 1, MAX_SAMPLES)
    sides = None if side is None else parse_sides(rules, given("side", side))
    words = None if form is None else given("form", form)
    try:
        asked = _asked(agent, rules, Reading(Numbers(numbers)), words, sides or tuple(Side))
        answers = ask_all(rules, asked, sides or asked.sides, count, asking_in_lines())
    except BadText as error:
        error.args = (_in_arguments(str(error)),)
        raise
    notes = tuple(map(_in_arguments, (*asked.notes, *remarks(answers))))
    read = tuple(map(_in_arguments, read_lines(asked)))
    return Judgement(rules, read, compute_verdict(rules, answers), notes)


OPTIONS: Final = {
    "--as '": "form='",
    "--as": "form",
    "--values": "numbers='values'",
    "--counts": "numbers='counts'",
    "add --side": "give side",
}
"""The options of `noughts judge` in messages, each with the argument of `judge` that replaces it."""


def _in_arguments(message: str) -> str:
    return replace_options(message, OPTIONS)


def _asked(
    agent: str | Machine | Callable[..., Any], game: Game, reading: Reading, form: str | None, sides: tuple[Side, ...]
) -> Agent:
    """Return an agent in the form in which the judge asks it, as some of `sides`."""
    module, note = None, ""
    if isinstance(agent, str) and OBJECT.fullmatch(agent) and not (is_save(agent) or is_player(agent)):
        try:
            agent, module, note = object_named(agent)
        except CannotAsk as refusal:
            raise BadText(str(refusal)) from refusal
    if isinstance(agent, Machine) and agent.game != game:
        raise BadText(f"{quoted(agent.learner.label)} plays {agent.game.title}, not {game.title}")
    if isinstance(agent, (str, Machine)):
        if form is not None or reading != Reading():
            raise BadText("form and numbers say how a function or an object is asked: leave them out")
        player = agent.learner if isinstance(agent, Machine) else Library(library_path()).player(agent, game)
        return player_agent(player)
    return local_agent(agent, game, reading, form, sides, module=module, note=note)


def _name(side: Side) -> str:
    return side.name.lower()
