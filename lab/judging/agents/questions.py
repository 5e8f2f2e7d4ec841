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
AT_ONCE: Final = 24
"""How many histories one line asks about, so that the answers fit into one line, too."""

NO_MOVE: Final[Sequence[object]] = ([-1], [{"pairs": []}])
"""The answers of a bot of OpenSpiel where its player is not to move: `INVALID_ACTION`, or a policy without moves."""

AskChild = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""A function that asks a question, and returns the message of `child.process`. Raises `AgentFailed`."""


class Questions:
    """Asks the child, and reads its answers: `ask_many` and others as in `Agent`."""

    def __init__(self, text: str, game: Game, ask: AskChild, *, replays: bool, by_history: bool) -> None:
        self.text, self.game, self.ask, self.replays = text, game, ask, replays
        self.moves_to = lru_cache(10_000)(_usual_order(game)) if by_history else None
        self.shown_as = lru_cache(10_000)(partial(_position, game))
        self.known = dict[tuple[Position, str], Reply | None]()
        """The answers read so far: equal answers in a position are read only once."""
        self.form, self.reading = 0, USUAL_READING
        self.drew, self.afresh, self.clock = False, False, False

    def question(self, form: int, position: Position, moves: Sequence[Move], **more: object) -> dict[str, Any]:
        """Return the question about a position after these moves; without moves, after those of `_usual_order`."""
        if not moves and position != self.game.start and self.moves_to is not None:
            moves = self.moves_to(position)
        asked = {"form": form, **self.shown_as(position), "history": list(moves), **more}
        if self.replays:
            asked["decisions"] = _own_decisions(self.game, position, moves)
        return asked

    def attempt(self, form: int, position: Position, seconds: float, **more: object) -> Mapping[str, Any]:
        message = self.ask(self.question(form, position, (), seconds=seconds, **more))
        if "failed" not in message and not message.get("answers"):
            raise self.disturbed(position)
        return message

    def compared(self, form: int, position: Position) -> Collection[bool]:
        """For each value that the object compares a square with, return whether a square can hold it."""
        found: Collection[bool] = self.attempt(form, position, TRIAL_SECONDS[0], watched=True).get("comparisons", ())
        return found

    def ignores_pieces(self, trials: Sequence[FormTrial]) -> bool:
        """Return whether the object answers the same if the sides exchange their pieces, as if it could read none.

        A game of the object's own code, which is played up to the position, cannot be shown in this way.
        """
        swapped = {1: 2, 2: 1}
        for trial in trials:
            question = self.question(self.form, trial.position, (), seconds=TRIAL_SECONDS[0])
            other = {**question, "board": [swapped.get(piece, piece) for piece in question["board"]]}
            one, two = (self.ask(each).get("answers") for each in (question, other))
            if one is None or one != two:
                return False
        return len(self.game.board.pieces) > 1

    def gives_no_move(self, trials: Sequence[FormTrial]) -> bool:
        """Return whether the object has an answer of `NO_MOVE` in all of some trials."""
        answers = (self.attempt(self.form, each.position, TRIAL_SECONDS[0]).get("answers") for each in trials)
        return bool(trials) and all(answer in NO_MOVE for answer in answers)

    def ask_many(self, position: Position, times: int, moves: Sequence[Move]) -> CountedReplies:
        counts, left = dict[Reply | None, int](), times
        while left > 0:
            message = self.ask(self.question(self.form, position, moves, times=left, reseed=self.afresh))
            self.afresh = False
            replies = self.read(message, position)
            for reply, count in replies:
                counts[reply] = counts.get(reply, 0) + count
                left -= count
            if any(reply is not None and not reply.single for reply in counts):
                break
        return [*counts.items()]

    def ask_histories(self, histories: Sequence[tuple[Position, Sequence[Move]]]) -> Sequence[CountedReplies]:
        found = list[CountedReplies]()
        for start in range(0, len(histories), AT_ONCE):
            found += self.ask_each(histories[start : start + AT_ONCE], times=2, reseed=self.afresh)
            self.afresh = False
        return found

    def ask_seeded(self, position: Position, orders: Sequence[Sequence[Move]], seed: int) -> Sequence[Reply | None]:
        found = self.ask_each([(position, moves) for moves in orders], times=1, seed=seed)
        self.afresh = True
        return [replies[0][0] for replies in found]

    def ask_each(self, histories: Sequence[tuple[Position, Sequence[Move]]], **how: object) -> list[CountedReplies]:
        """Ask after each of a few histories in one line."""
        each = [self.question(self.form, position, moves) for position, moves in histories]
        answers = self.ask({"questions": each, "shared": how, "text": each[0]["text"]}).get("messages")
        if not isinstance(answers, list) or len(answers) != len(histories):
            raise self.disturbed(histories[0][0])
        return [self.read(one, position) for (position, _), one in zip(histories, answers, strict=True)]

    def read(self, message: Mapping[str, Any], position: Position) -> CountedReplies:
        try:
            given = [*zip(message["answers"], map(int, message["counts"]), strict=True)]
            written = [json.dumps(answer) for answer, _ in given]
            self.drew = self.drew or bool(message["drew"])
            self.clock = self.clock or bool(message["clock"])
        except (KeyError, TypeError, ValueError):
            raise self.disturbed(position) from None
        for (answer, _), text in zip(given, written, strict=True):
            if (position, text) not in self.known:
                self.known[position, text] = self.reply(answer, position)
        return [(self.known[position, text], times) for (_, times), text in zip(given, written, strict=True)]

    def reply(self, packed: Any, position: Position) -> Reply | None:  # noqa: ANN401
        try:
            given = unpack_answer(packed)
        except (TypeError, ValueError, KeyError):
            raise self.disturbed(position) from None
        try:
            return read_reply(given, self.game, position, self.reading)
        except BadText as error:
            where = self.game.to_text(position)
            raise AgentFailed(f"{self.text} answers {quote_answer(given)} in {where}: {error}") from error

    def disturbed(self, position: Position) -> AgentFailed:
        """Return the error for a message that does not come from the child: the agent must have written it."""
        return AgentFailed(f"{self.text} ended without an answer in {self.game.to_text(position)}: {DISTURBED}")


class Copies:
    """Copies of the child, which are asked instead of it: see `Agent.restart`, `mark` and `go_back`."""

    def __init__(self, ask: AskChild) -> None:
        self.ask, self.marks, self.begun = ask, 0, False

    def restart(self) -> bool:
        """Restore the first state: ask a copy of the child that was asked nothing."""
        while self.marks:
            self.go_back()
        self.begun = self.begun or bool(self.ask({"text": "its first state", "restart": True}).get("restarted"))
        return self.begun and self.mark()

    def mark(self) -> bool:
        marked = bool(self.ask({"text": "its state", "mark": True}).get("marked"))
        self.marks += marked
        return marked

    def go_back(self) -> None:
        self.ask({"text": "its state", "back": True})
        self.marks -= 1


def _position(game: Game, position: Position) -> dict[str, Any]:
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
    here, side, found = game.start, game.side(position), list[dict[str, Any]]()
    for number, move in enumerate(moves):
        if game.side(here) is side:
            found.append({**_position(game, here), "history": list(moves[:number])})
        here = game.play(here, move)
    return found
