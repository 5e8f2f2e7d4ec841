"""A training by a teacher, who chooses its own moves and the learner's luck: the shortest course, game by game."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Final

from engine.compiling.compile_thread import wait_unless
from engine.game import Move, Position, Side
from engine.plural import counted_noun
from engine.stop import Stop, Stopped
from lab.exact.lesson import GameText, bracketed_moves, course_sentence, describe_game, install_lines
from lab.exact.shortest_course import MAX_LISTED, self_taught_rounds
from lab.results.exact_results import ExactResults, exact_of
from lab.training.training_job import Pace, TrainingJob
from lab.training.training_story import StoryLine, TrainingStory
from learners.core.learner import Learner
from learners.core.snapshot import Snapshot
from learners.core.training import Progress, TrainingPlan, run
from learners.courses.course import SEED, Course, TaughtGame, own_changes, play_course, progress_of
from learners.courses.finding import find_course

SEARCH_SECONDS: Final = 20.0
"""The time limit of the search for the course of a side, in seconds."""
GAMES_BEFORE, GAMES_AFTER = 40, 10
"""The numbers of games listed before and after the present game of a long course."""


class TeachingJob(TrainingJob):
    """Finds the course of a new learner, trains another one without a teacher for comparison, and plays the course."""

    def __init__(self, learner: Learner, name: str, pace: Pace, keep: Callable[[Snapshot], None]) -> None:
        """Prepare the training as in `TrainingJob`; the number of rounds is known once the course is found."""
        super().__init__(learner, 1, name, pace, keep)
        self.starting = "Finding the course …"
        self.course: Course | None = None
        self.known: Mapping[int, ExactResults] = {}
        """The learner's exact results after each game of a short course."""
        self.alone: Mapping[int, ExactResults] = {}
        """The exact results of a machine without a teacher, by number of games."""
        self._games: Iterator[TaughtGame] = iter(())
        self._planned: tuple[tuple[Side, tuple[Move, ...]], ...] = ()
        self._told = list[GameText]()
        """The games played so far, in words."""
        self._struck = [0]
        """The number of moves struck after 0, 1, 2 … games."""

    def work(self, stop: Stop) -> bool:
        learner = self.learner

        def report(games: int) -> None:
            self.starting = f"Finding the course: {counted_noun(games, 'game')} …"
            self.view = replace(self.view)

        try:
            with wait_unless(stop):
                kind, game, preset = type(learner), learner.game, learner.preset
                course = find_course(
                    kind, game, preset, learner.settings, seconds=SEARCH_SECONDS, stop=stop, report=report
                )
                self_taught, story = kind(game, preset, SEED, learner.settings), TrainingStory()
                for progress in run(self_taught, TrainingPlan(self_taught_rounds(course)), stop):
                    story.update_points(progress.snapshot, stop)
        except Stopped:
            return False
        self.alone, self.known = story.known, {0: exact_of(learner)}
        self._planned = tuple((side, moves) for side, games in course.games.items() for moves in games)
        self._games, self.course = play_course(learner, course), course
        self.view = replace(self.view, total=course.length)
        return super().work(stop)

    def train_rounds(self, rounds: int, stop: Stop) -> Iterator[Progress]:
        return progress_of(self.learner, map(self._note_game, islice(self._games, rounds)), rounds, stop)

    def _note_game(self, taught: TaughtGame) -> TaughtGame:
        self._told.append(describe_game(self.learner, taught))
        if self.course is not None:
            self._struck.append(self._struck[-1] + own_changes(self.learner, self.course.games, taught.changes))
            if self.course.length <= MAX_LISTED:
                self.known = {**self.known, taught.number: exact_of(self.learner)}
        return taught

    def lines(self, done: int) -> tuple[list[StoryLine], int]:
        """Return the games of the course as lines, and the place of the last game played among them.

        Of a long course, return only the lines around that game.
        """
        first, last = 0, len(self._planned)
        if len(self._planned) > MAX_LISTED:
            first, last = max(0, done - GAMES_BEFORE), done + GAMES_AFTER
        lines = [
            StoryLine(number, f"game {number:,}: {self._told[number - 1].moves}", "✓")
            for number in range(first + 1, done + 1)
        ]
        for number, (side, moves) in enumerate(self._planned[done:last], done + 1):
            lines.append(StoryLine(number, f"game {number:,}: {bracketed_moves(self.game, side, moves)}"))
        return lines, max(0, done - first - 1)

    def aim(self, done: int) -> tuple[Position, Move] | None:
        """Return the last decision of the machine in the next game, which is played for it: position and move."""
        if done >= len(self._planned):
            return None
        side, moves = self._planned[done]
        position, decision = self.game.start, None
        for move in moves:
            if self.game.side(position) is side:
                decision = position, move
            position = self.game.play(position, move)
        return decision

    def remaining_text(self, done: int) -> str:
        """Return how many moves are left to strike: `41 of 3,084 left`; if they are not counted, how many games."""
        if self.course is None:
            return ""
        if self.course.strikes:
            return f"{self.course.strikes - self._struck[done]:,} of {self.course.strikes:,} left"
        return f"{counted_noun(len(self._planned) - done, 'game')} left"

    def learned_text(self, done: int) -> str:
        """Return what the last game has taught; empty before the first."""
        return self._told[done - 1].learned if done else ""

    def verdict_text(self) -> str:
        """Return what the course teaches, what is proved of its length, and what a better course needs."""
        if self.course is None:
            return ""
        return " ".join([course_sentence(self.course, "it"), *install_lines(self.course)])
