"""The questions to a Python object, and how its answers are read."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, Final

from engine.game import BadText, Game, Move, Position
from lab.judging.agents.form_trials import FormTrial
from lab.judging.agents.form_tries import TRIAL_SECONDS
from lab.judging.asking.agent import CountedReplies
from lab.judging.asking.histories import order_finder
from lab.judging.notation.reply import USUAL_READING, AgentFailed, Reply, quote_answer, read_reply, unpack_answer

DISTURBED: Final = "it writes into the pipe that carries its answers"
HISTORIES_PER_LINE: Final = 24
"""How many histories one line asks about, so that the answers fit into one line, too."""

NO_MOVE: Final[Sequence[object]] = ([-1], [{"pairs": []}])
"""The answers of a bot of OpenSpiel where its player is not to move: `INVALID_ACTION`, or a policy without moves."""

AskChild = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""A function that asks a question, and returns the message of `child.process`. Raises `AgentFailed`."""


class Questions:
    """Asks the child, and reads its answers: `ask_many` and others as in `Agent`."""

    def __init__(self, title: str, game: Game, ask: AskChild, *, replays: bool, by_history: bool) -> None:
        """Make the questions about an object: see `AgentProfile` for `replays` and `by_history`."""
        self.title, self.game, self.ask, self.replays = title, game, ask, replays
        self.moves_to = lru_cache(10_000)(_usual_order(game)) if by_history else None
        self.position_document = lru_cache(10_000)(partial(_position_document, game))
        self.replies = dict[tuple[Position, str], Reply | None]()
        """The answers read so far, by position and JSON: equal answers in a position are read only once."""
        self.form, self.reading = 0, USUAL_READING
        self.must_reseed = False
        """Whether the next question must seed the object's random generators anew, since trials have seeded them."""
        self.has_drawn, self.reads_clock = False, False

    def question(self, form: int, position: Position, moves: Sequence[Move], **more: object) -> dict[str, Any]:
        """Return the question about a position after these moves; without moves, after those of `_usual_order`."""
        if not moves and position != self.game.start and self.moves_to is not None:
            moves = self.moves_to(position)
        question = {"form": form, **self.position_document(position), "history": list(moves), **more}
        if self.replays:
            question["decisions"] = _own_decisions(self.game, position, moves)
        return question

    def attempt(self, form: int, position: Position, seconds: float, **more: object) -> Mapping[str, Any]:
        """Try a form in a position: see `child.asked_object.AskedObject.try_form`."""
        message = self.ask(self.question(form, position, (), seconds=seconds, **more))
        if "failed" not in message and not message.get("answers"):
            raise self.disturbed(position)
        return message

    def comparisons(self, form: int, position: Position) -> Collection[bool]:
        """For each value that the object compares a square with, return whether a square can hold it."""
        comparisons: Collection[bool] = self.attempt(form, position, TRIAL_SECONDS[0], watched=True).get(
            "comparisons", ()
        )
        return comparisons

    def ignores_pieces(self, trials: Sequence[FormTrial]) -> bool:
        """Return whether the object answers the same if the sides exchange their pieces, as if it could read none.

        A game of the object's own code, which is played up to the position, cannot be shown in this way.
        """
        swapped = {1: 2, 2: 1}
        for trial in trials:
            question = self.question(self.form, trial.position, (), seconds=TRIAL_SECONDS[0])
            swapped_board = [swapped.get(piece, piece) for piece in question["board"]]
            answers = self.ask(question).get("answers")
            if answers is None or answers != self.ask({**question, "board": swapped_board}).get("answers"):
                return False
        return len(self.game.board.pieces) > 1

    def gives_no_move(self, trials: Sequence[FormTrial]) -> bool:
        """Return whether the object has an answer of `NO_MOVE` in all of some trials."""
        answers = (self.attempt(self.form, trial.position, TRIAL_SECONDS[0]).get("answers") for trial in trials)
        return bool(trials) and all(answer in NO_MOVE for answer in answers)

    def ask_many(self, position: Position, times: int, moves: Sequence[Move]) -> CountedReplies:
        counts, remaining = dict[Reply | None, int](), times
        while remaining > 0:
            question = self.question(self.form, position, moves, times=remaining, reseed=self.must_reseed)
            replies = self.read(self.ask(question), position)
            self.must_reseed = False
            for reply, number in replies:
                counts[reply] = counts.get(reply, 0) + number
                remaining -= number
            if any(reply is not None and not reply.single for reply in counts):
                break
        return [*counts.items()]

    def ask_histories(self, histories: Sequence[tuple[Position, Sequence[Move]]]) -> Sequence[CountedReplies]:
        replies = list[CountedReplies]()
        for start in range(0, len(histories), HISTORIES_PER_LINE):
            some = histories[start : start + HISTORIES_PER_LINE]
            replies += self.ask_in_one_line(some, times=2, reseed=self.must_reseed)
            self.must_reseed = False
        return replies

    def ask_seeded(self, position: Position, orders: Sequence[Sequence[Move]], seed: int) -> Sequence[Reply | None]:
        counted = self.ask_in_one_line([(position, moves) for moves in orders], times=1, seed=seed)
        self.must_reseed = True
        return [replies[0][0] for replies in counted]

    def ask_in_one_line(
        self, histories: Sequence[tuple[Position, Sequence[Move]]], **shared: object
    ) -> list[CountedReplies]:
        """Ask after each of a few histories, with the fields `shared` by the questions."""
        questions = [self.question(self.form, position, moves) for position, moves in histories]
        answer = self.ask({"questions": questions, "shared": shared, "text": questions[0]["text"]})
        messages = answer.get("messages")
        if not isinstance(messages, list) or len(messages) != len(histories):
            raise self.disturbed(histories[0][0])
        return [self.read(message, position) for (position, _), message in zip(histories, messages, strict=True)]

    def read(self, message: Mapping[str, Any], position: Position) -> CountedReplies:
        """Read the different answers in a position. Raises `AgentFailed`."""
        try:
            counted = [*zip(message["answers"], map(int, message["counts"]), strict=True)]
            keys = [(position, json.dumps(answer)) for answer, _ in counted]
            self.has_drawn = self.has_drawn or bool(message["drew"])
            self.reads_clock = self.reads_clock or bool(message["clock"])
        except (KeyError, TypeError, ValueError):
            raise self.disturbed(position) from None
        for (answer, _), key in zip(counted, keys, strict=True):
            if key not in self.replies:
                self.replies[key] = self.read_reply(answer, position)
        return [(self.replies[key], number) for (_, number), key in zip(counted, keys, strict=True)]

    def read_reply(self, packed: Any, position: Position) -> Reply | None:  # noqa: ANN401
        try:
            answer = unpack_answer(packed)
        except (TypeError, ValueError, KeyError):
            raise self.disturbed(position) from None
        try:
            return read_reply(answer, self.game, position, self.reading)
        except BadText as error:
            where = self.game.to_text(position)
            raise AgentFailed(f"{self.title} answers {quote_answer(answer)} in {where}: {error}") from error

    def disturbed(self, position: Position) -> AgentFailed:
        """Return the error for a message that does not come from the child: the agent must have written it."""
        return AgentFailed(f"{self.title} ended without an answer in {self.game.to_text(position)}: {DISTURBED}")


class Copies:
    """Copies of the child, which are asked instead of it: see `Agent.restart`, `mark` and `go_back`."""

    def __init__(self, ask: AskChild) -> None:
        self.ask = ask
        self.marks = 0
        """How many copies `mark` has made that have not ended."""
        self.has_restarted = False

    def restart(self) -> bool:
        """Restore the first state: ask a copy of the child that was asked nothing."""
        while self.marks:
            self.go_back()
        if not self.has_restarted:
            self.has_restarted = bool(self.ask({"text": "its first state", "restart": True}).get("restarted"))
        return self.has_restarted and self.mark()

    def mark(self) -> bool:
        is_marked = bool(self.ask({"text": "its state", "mark": True}).get("marked"))
        if is_marked:
            self.marks += 1
        return is_marked

    def go_back(self) -> None:
        self.ask({"text": "its state", "back": True})
        self.marks -= 1


def _position_document(game: Game, position: Position) -> dict[str, Any]:
    pieces = game.board.pieces
    return {
        "board": [0 if piece is None else pieces.index(piece) + 1 for piece in game.board.cells(position)],
        "side": game.side(position) + 1,
        "moves": list(game.moves(position)),
        "text": game.to_text(position),
    }


def _usual_order(game: Game) -> Callable[[Position], Sequence[Move]]:
    """Return a function that finds an order of moves to a position, always the same one."""
    orders_to = order_finder(game)
    return lambda position: min(orders_to(position))


def _own_decisions(game: Game, position: Position, moves: Sequence[Move]) -> list[dict[str, Any]]:
    """Return the questions about the earlier positions in which the side to move has moved."""
    before, side, decisions = game.start, game.side(position), list[dict[str, Any]]()
    for number, move in enumerate(moves):
        if game.side(before) is side:
            decisions.append({**_position_document(game, before), "history": list(moves[:number])})
        before = game.play(before, move)
    return decisions
