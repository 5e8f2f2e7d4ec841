"""The game at the board as one state machine, for every front end.

Each command of a person is a method. It changes the table at once, never blocks, and returns the steps that follow, in
order: events to show, and tasks to run. Only the `work` of a task blocks. It may run in another thread, as
`lab.board.events` says; methods must all be called in the same thread. Nothing is printed or formatted here.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from engine.analysis.rating import RatedMove, best_of, rate_moves
from engine.game import Game, Move
from engine.match import Match
from engine.stop import Stop
from lab.advice.xray import OFF
from lab.board import events
from lab.board.aftermath import Aftermath
from lab.board.board_advice import BoardAdvice
from lab.board.library_work import PROBLEMS, load_players
from lab.board.seating import Seating
from lab.board.session import BoardGame, GameReview, Seats, Session, Undoable, review_of
from lab.board.teaching import Lesson
from lab.memory.open_box import groups_of
from learners.core.learner import Learner
from learners.core.player import Choice, Player, Thought
from learners.players.searcher import stoppable
from saves.library.library import Library

LOADING: Final = "loading"
RELOADING: Final = "reloading"
THINKING: Final = "thinking"
ANSWERING: Final = "answering"

Start = Callable[[Session], events.Step]
"""A function that starts the first game of a session, and returns what happened."""


class Table:
    def __init__(
        self,
        session: Session,
        library: Library,
        *,
        learning: bool = False,
        checking: bool = False,
        in_training: Callable[[str], bool] = lambda _label: False,
    ) -> None:
        """Put a session at the table; `in_training` tells whether a save, given by its label, is being trained."""
        self.session = session
        self.library = library
        self.learning = learning
        """Whether saves are to learn from each game, also while no save that can learn is at the board."""
        self.paused = False
        """Whether machines wait before they move."""
        self.aftermath = Aftermath(library, in_training, lambda: self.session.current, self._let_machine_move)
        self.advice = BoardAdvice(lambda: self.session, checking=checking)
        self._earlier: tuple[Session, bool] | None = None
        """The session that made way for other players and can be taken back, and whether its saves learned."""
        self._loading: Seating | None = None
        """The players that are being loaded; the result of an older request, another object, is dropped."""
        self._thinking: object = None
        """Identifies the newest task that chooses a machine's move; the result of an older one is dropped."""

    # What is at the board.

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def match(self) -> Match:
        return self.session.match

    @property
    def loading(self) -> bool:
        return self._loading is not None

    @property
    def awaited(self) -> Seating | None:
        """The players that are being loaded while nobody sits at the board yet."""
        return None if self.match.moves or self.session.seats != (None, None) else self._loading

    @property
    def seating(self) -> Seating:
        """The game, the labels of its players, and the rules of their series."""
        session = self.session
        return Seating(session.game, *session.labels, session.sides, session.length, self.learning)

    @property
    def can_move(self) -> bool:
        return not self._refusal()

    @property
    def impossible(self) -> set[str]:
        """The names of the commands that do nothing in this game, whoever is to move."""
        session, over = self.session, self.match.outcome is not None
        without = {
            "resign": over or not session.has_person,
            "offer_draw": over or not session.has_person or not self.game.has_draws,
            "pause": over or session.seats == (None, None),
            "switch_learning": not session.pupils,
        }
        return {name for name, does_nothing in without.items() if does_nothing}

    @property
    def is_learning(self) -> bool:
        """Whether saves are learning from the last game."""
        return self.aftermath.is_learning

    @property
    def was_learned(self) -> bool:
        return self.aftermath.was_learned(self.match)

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """What saves have learned from the game at the board."""
        return self.aftermath.lessons(self.match)

    @property
    def keeps_game(self) -> bool:
        """Whether taking back brings back an unfinished game of other players."""
        if self._earlier is None or self.session.undoable is not None:
            return False
        match = self._earlier[0].match
        return bool(match.moves) and match.outcome is None

    def review(self) -> GameReview:
        """Return the game at the board for review, with what saves have learned from it or are about to."""
        match = self.match

        def lessons() -> Sequence[Lesson] | None:
            return None if self.is_learning and self.aftermath.was_learned(match) else self.aftermath.lessons(match)

        return replace(review_of(self.session), lessons=lessons() or (), awaited=lessons if self.is_learning else None)

    def _refusal(self) -> events.Steps:
        if self.loading:
            return [events.Refused(events.Obstacle.LOADING)]
        if self.match.outcome is not None:
            return [events.Refused(events.Obstacle.GAME_OVER)]
        return [] if self.session.player is None else [events.Refused(events.Obstacle.NOT_YOUR_TURN)]

    # Who plays.

    def open(self) -> events.Steps:
        return [self._seated_event(), *self._let_machine_move()]

    def seat(self, seating: Seating, unfinished: BoardGame | None = None, score: str = "") -> events.Steps:
        """Load these players and begin a session; the game's usual machine replaces a player that cannot be loaded.

        If all players are found, they resume the `unfinished` game, and keep the `score` of an earlier session. Taking
        back brings back a game that was not over.
        """
        match = self.match
        earlier = (self.session, self.learning) if match.moves and match.outcome is None else None

        def start(session: Session) -> events.Step:
            if session.labels == (seating.first, seating.second):
                session.restore_score(score)
                if unfinished is not None:
                    session.current = unfinished
            return events.GameStarted()

        return self._load(seating, start, earlier)

    def seat_for_now(self, seating: Seating) -> events.Steps:
        """Seat players so that taking back their first game brings back this session with its game."""
        return self._load(seating, lambda _session: events.GameStarted(), (self.session, self.learning))

    def seat_players(self, game: Game, seats: Seats) -> events.Steps:
        """Begin a session of players that are loaded already, with the same kind of series as before."""
        before = self.session
        session = Session(game, seats, before.random, before.sides, before.length)
        return self._begin(session, lambda _session: events.GameStarted(), learning=self.learning)

    def practise(self, match: Match, labels: tuple[str, str], aim: int | None = None) -> events.Steps:
        """Play on from a position, between the players with these labels; `aim` is the result that a retry is to hold.

        The usual machine of the game replaces a player that cannot be loaded, or cannot play that game.
        """
        session = self.session
        if labels == session.labels and match.game is session.game:
            session.begin_at(match, aim)
            return [events.PracticeStarted(), *self._let_machine_move()]

        def start(session: Session) -> events.Step:
            session.begin_at(match, aim, first=True)
            return events.PracticeStarted()

        return self._load(Seating(match.game, *labels), start, (session, self.learning))

    def _load(self, seating: Seating, start: Start, earlier: tuple[Session, bool] | None = None) -> events.Steps:
        library, request = self.library, replace(seating)
        self._loading = request

        def use(loaded: tuple[Seats, list[events.SeatFilled]]) -> events.Steps:
            seats, filled = loaded
            session = Session(seating.game, seats, self.session.random, seating.sides, seating.length)
            return [*filled, *self._begin(session, start, earlier, learning=seating.learning)]

        def find(_stop: Stop) -> tuple[Seats, list[events.SeatFilled]]:
            return load_players(library, seating)

        return [events.make_task(LOADING, find, use, lambda: self._loading is request, self._stop_loading)]

    def reload(self, label: str) -> events.Steps:
        """Seat a save again in its present state. If it was trained meanwhile, the game begins anew.

        A game in which a person has moved goes on instead, and is marked as outdated.
        """
        session, library = self.session, self.library

        def use(player: Player | None) -> events.Steps:
            if player is None:
                return []
            seated = next((seat for seat in session.seats if seat is not None and seat.label == label), None)
            session.replace_player(player)
            if isinstance(seated, Learner) and isinstance(player, Learner) and seated.rounds != player.rounds:
                return self._after_training()
            return []

        def find(_stop: Stop) -> Player | None:
            try:
                return library.player(label, session.game)
            except PROBLEMS:
                return None  # deleted meanwhile: it keeps its seat as it was

        return [events.make_task(RELOADING, find, use)]

    def _after_training(self) -> events.Steps:
        session = self.session
        if session.current.practice or not session.has_person:
            return []
        if session.match.outcome is not None:
            return self.new_game()
        if session.person_has_moved:
            session.current.outdated = True
            return []
        session.restart()
        return [events.GameStarted(), *self._let_machine_move()]

    def _stop_loading(self) -> events.Steps:
        self._loading = None
        return self._let_machine_move()

    def _begin(
        self, session: Session, start: Start, earlier: tuple[Session, bool] | None = None, *, learning: bool = False
    ) -> events.Steps:
        if session.game is not self.session.game:  # a game new to a person does not show its best moves unasked
            self.advice.lens_kind = OFF
        self.session, self._earlier, self._loading = session, earlier, None
        self.learning = learning
        event = start(session)
        return [self._seated_event(), event, *self._let_machine_move()]

    def _seated_event(self) -> events.Seated:
        session = self.session
        misplaced = tuple((player.label, side) for player, side in session.misplaced)
        return events.Seated(session.game, session.labels, misplaced)

    def go_on(self) -> events.Steps:
        """Begin another game; after a retry that fell short of its aim, begin at the same position again."""
        current = self.session.current
        if current.falls_short:
            return self.practise(current.match.until(current.began), self.session.labels, current.aim)
        return self.new_game()

    def new_game(self) -> events.Steps:
        before = self.session.labels
        self.session.new_game()
        return [*self._seated_if_changed(before), events.GameStarted(), *self._let_machine_move()]

    def swap(self) -> events.Steps:
        self.session.swap()
        return [self._seated_event(), events.GameStarted(), *self._let_machine_move()]

    def _seated_if_changed(self, before: tuple[str, str]) -> events.Steps:
        return [self._seated_event()] if self.session.labels != before else []

    # Moves.

    def play(self, move: Move) -> events.Steps:
        """Make a person's move; if the blunder check is on, check the move first. Raises `IllegalMove`."""
        return self._refusal() or self.advice.check(move, self._play)

    def resign(self) -> events.Steps:
        return self._refusal() or self._play(None)

    def _play(self, move: Move | None, reason: str = "", thought: Thought | None = None) -> events.Steps:
        session = self.session
        side, label = session.match.side, session.labels[session.match.side]
        session.play(move, reason, thought)
        chance = None if thought is None else thought.chance
        return [events.MovePlayed(side, label, move, reason, chance), *self._after_move()]

    def _after_move(self) -> events.Steps:
        session, current = self.session, self.session.current
        if current.record is None:
            return self._let_machine_move()
        ended = events.GameEnded(current.record, current.practice)
        return [ended, *self.aftermath.begin(session, current.record, learning=self.learning)]

    def pause(self) -> events.Steps:
        """Pause the machines, or let them move again."""
        self.paused = not self.paused
        return self._let_machine_move()

    def _let_machine_move(self) -> events.Steps:
        """Return the task that chooses the move of the machine to move, if it is a machine's turn."""
        session = self.session
        player, match, random = session.player, session.match, session.random
        if match.outcome is not None or player is None or self.paused or self.is_learning or self.loading:
            return []
        position, machine, request = match.position, player, object()
        self._thinking = request

        def is_wanted() -> bool:
            return self._thinking is request and not self.paused and self.session.is_now(match, position)

        def find(stop: Stop) -> tuple[Choice, Thought | None]:
            thinker = stoppable(machine, stop)
            thoughts, choice = thinker.thoughts(position), thinker.choose(position, random)
            shown, _ = groups_of(machine, position, thoughts, choice.move)
            return choice, next((thought for thought in shown if thought.move == choice.move), None)

        def use(chosen: tuple[Choice, Thought | None]) -> events.Steps:
            choice, thought = chosen
            return self._play(choice.move, choice.reason, thought)

        return [events.make_task(THINKING, find, use, is_wanted)]

    @property
    def undoable(self) -> Undoable | None:
        """What `take_back` would undo; `None` if there is nothing to undo."""
        if self.was_learned:
            return None
        if self.session.undoable is not None:
            return self.session.undoable
        return None if self._earlier is None else Undoable.NEW_GAME

    def take_back(self) -> events.Steps:
        """Undo back to a person's last decision, or one move of two machines; without a move, undo the new game."""
        session = self.session
        if self.was_learned:
            return [events.Refused(events.Obstacle.LEARNED)]
        labels, current = session.labels, session.current
        if session.take_back():
            withdrawal = self.aftermath.withdraw(current) if session.current is current else []
            return [events.TakenBack(), *self._seated_if_changed(labels), *withdrawal, *self._let_machine_move()]
        if self._earlier is None:
            return [events.Refused(events.Obstacle.NOTHING_TO_TAKE_BACK)]
        (self.session, self.learning), self._earlier = self._earlier, None
        return [events.TakenBack(), self._seated_event(), *self._let_machine_move()]

    # The end of a game.

    def offer_draw(self) -> events.Steps:
        """Offer a draw: a machine answers at once; another person agrees by the same command."""
        session, match, state = self.session, self.match, self.advice.state
        opponent = session.seats[match.side.other]
        if not self.game.has_draws:
            return [events.Refused(events.Obstacle.NO_DRAWS)]
        if self._refusal() or session.draw_is_early:
            return [events.Refused(events.Obstacle.DRAW_TOO_EARLY)]
        if opponent is not None:
            return [self._answer_draw(opponent.label)]
        if state.draw_offered:
            return self._agree()
        state.draw_offered = True
        return [events.DrawOffered(match.side)]

    def _answer_draw(self, label: str) -> events.Task:
        game, position = self.game, self.match.position

        def use(rated: tuple[RatedMove, ...]) -> events.Steps:
            best = best_of(rated)[0]
            accepts = (best.value or best.estimate) >= 0  # the machine neither wins nor seems ahead
            return self._agree() if accepts else [events.DrawRefused(label)]

        return self.advice.task(ANSWERING, lambda stop: rate_moves(game, position, stop), use)

    def _agree(self) -> events.Steps:
        self.session.agree()
        return [events.DrawAgreed(), *self._after_move()]

    def switch_learning(self) -> events.Steps:
        """Let the saves at the board learn from each game, or stop learning."""
        pupils = self.session.pupils
        if not pupils:
            return [events.Refused(events.Obstacle.NOBODY_LEARNS)]
        self.learning = not self.learning
        return [events.LearningSwitched(self.learning, tuple(pupil.label for pupil in pupils))]

    def give_hint(self) -> events.Steps:
        """Give a hint: the first call in a position says what to look for, the second names the move."""
        return self._refusal() or self.advice.give_hint()
