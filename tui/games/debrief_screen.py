"""Debrief: a game move by move, what decided it, what was better, and what was learned from it."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import ClassVar, Final

from rich.text import Text
from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Click
from textual.geometry import Size
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from engine.analysis.debrief import Turn, debrief_in_steps, decisive_mistake, mistakes
from engine.game import Position
from engine.match import Match
from engine.stop import Stop
from lab.advice.advice import LOOKING
from lab.advice.xray import Lens, lenses
from lab.board.event_sentences import lesson_lines
from lab.board.session import GameReview, PlayOn
from lab.pictures.game_pictures import match_picture
from lab.review import debrief
from lab.review.finished_games import short_names
from lab.text.sanitise import plain
from learners.core.learner import PERSON, Learner
from learners.core.player import Player
from learners.core.save_ref import SAVE, short_label
from tui.games.boxes_of_move import BoxesOfMove, box_of_move
from tui.shell.background import EXPECTED_ERRORS
from tui.shell.files import Export
from tui.shell.filters import JOINT
from tui.shell.parts import CORNERS, Options, Panel, Prose, entitle, fitting_text, height_of
from tui.shell.requests import OpenMemory
from tui.shell.screen import LabScreen
from tui.widgets.board import BoardView
from tui.widgets.board_shape import DISCS, board_size, largest_cell
from tui.widgets.game_boards import GameBoards
from tui.widgets.line_chart import LineChart, uses_letters
from tui.widgets.palette import palette_of, theme_colour
from tui.widgets.xray_notes import xray_text

EVALUATING: Final = "Evaluating the moves, the last one first: {} of {} …"
CURVE: Final = 10
"""The lines of the curve below the board in a tall terminal, with a margin."""
MOST_SUMMARY: Final = 5
"""The lines to which the panel of what decided the game grows in a low terminal: see `app.tcss`."""
STEP: Final = 1.0
"""Seconds between two moves while the game is replayed."""
LEARNING_PAUSE: Final = 0.25
"""Seconds between two looks at whether a save has learned from the game."""


class DebriefScreen(LabScreen):
    """Shows a game move by move. Its result is the position to play on from, if one was chosen."""

    mode = "play"
    AUTO_FOCUS = "#debrief-moves"
    HELP = """\
# Debrief

A game move by move. Each move is compared with all others that were possible: by its exact value, or in a game that is
too large for exact values by a search six moves ahead. `??` marks a move that lost a game which could be won or drawn,
`?` a move that missed a win, `!` the only good move.

The arrows go through the game, **Home** and **End** go to its ends, **Space** replays it. **N** goes to the next
mistake, a move that gave something away; the game opens at the one that decided it. **Z** plays the position again
from before the mistake, against the same opponent: until you hold it. **Enter** plays on from the
position on the board, against the same opponent, as practice. The line below the board shows after every move who was
winning: the first side at the top, the second side at the bottom, a draw in the middle.

**x** shows what the machines and best play see in each square. **J** opens the memory of the machine at its last
decision: its box, its failures or its gene. **C** copies the game as text.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,d", "back", "Back", key_display="esc"),
        Binding("left", "go(-1)", "Before", show=False),
        Binding("right", "go(1)", "After", show=False),
        Binding("home", "go(-1000)", "Beginning", show=False),
        Binding("end", "go(1000)", "End", show=False),
        Binding("N", "next_mistake", "Next mistake", tooltip="goes to the next bad move"),
        Binding("Z", "retry", "Retry from here", tooltip="plays on from here, until you hold it"),
        Binding("space", "replay", "Replay", tooltip="plays the game once more"),
        Binding("x", "xray", "X-ray", tooltip="shows what moves lead to"),
        Binding("J", "memory", "Memory", tooltip="opens the machine's memory"),
        Binding("C", "copy", "Copy and paste", tooltip="copies the game, or takes another", show=False),
    ]

    def __init__(self, review: GameReview) -> None:
        super().__init__()
        self.review = review
        self.names = short_names(review.labels)
        self.turns: tuple[Turn, ...] = ()
        """The evaluations of the last moves, as far as they are computed, and then of all."""
        self.seats: tuple[Player | None, ...] = ()
        """The machines that played, as they are now; `None` for a person, or for a machine that is gone."""
        self.verdicts: tuple[str, ...] = (EVALUATING.format(0, len(review.match.moves)),)
        """What decided the game, the longest way to say it first."""
        self.is_evaluating = True
        """Whether moves without an evaluation may still get one."""
        self.lens_number = 0
        self.shown_first = len(review.match.moves)
        """The number of moves before the position that the screen went to by itself."""
        self.replaying: Timer | None = None
        self.awaiting: Timer | None = None

    @property
    def match(self) -> Match:
        return self.review.match

    @property
    def ply(self) -> int:
        """The number of moves before the position that is shown: the row of the list that is highlighted."""
        return self.query_one(MoveList).highlighted or 0

    @ply.setter
    def ply(self, ply: int) -> None:
        self.query_one(MoveList).highlighted = max(0, min(len(self.match.moves), ply))

    def body(self) -> Iterable[Widget]:
        with Horizontal(id="debrief", classes="" if self.match.moves else "-unplayed"):
            with Vertical(id="debrief-left", classes="panel"):
                yield BoardView(self.match.game, id="debrief-board")
                yield Static("", id="debrief-worth", markup=False)
                yield LineChart(id="debrief-curve")
            with Vertical(id="debrief-right"):
                with entitle(Panel(id="debrief-summary", classes="panel"), "What decided it"):
                    yield Static("", id="debrief-ending", markup=False)
                    yield Prose("", id="debrief-verdict", markup=False)
                with Vertical(id="debrief-list", classes="panel"):
                    yield MoveList(id="debrief-moves", markup=False)
                with entitle(Panel(id="debrief-words", classes="panel"), "This move"):
                    yield Prose("", id="debrief-turn", markup=False)
                with entitle(Vertical(id="debrief-game", classes="panel"), "The game"):
                    yield GameBoards()
                yield BoxesOfMove(id="debrief-boxes")

    def set_up(self) -> None:
        super().set_up()
        begun, _, last = debrief.match_ending_text(self.match, self.names).rpartition(" ")
        ending = self._draw_marks(f"{begun}{JOINT}{last}")  # which does not stand alone in a line
        self.query_one("#debrief-ending", Static).update(ending)
        self.query_one(BoardView).can_focus = False
        self._list_moves()
        self.ply = len(self.match.moves)
        self.run_in_steps("debrief", self._evaluate_in_steps, self.show_turns, self.show_failure)
        self._load_seats()
        if self.review.awaited is not None:
            self.awaiting = self.set_interval(LEARNING_PAUSE, self._look_for_lessons)

    def _load_seats(self) -> None:
        self.run_in_background("seats", lambda _: tuple(map(self._seat, self.review.labels)), self.show_seats)

    def _look_for_lessons(self) -> None:
        """Show what saves have learned from the game once they are done; the machines then have what they learned."""
        lessons = None if self.review.awaited is None else self.review.awaited()
        if lessons is not None and self.awaiting is not None:
            self.awaiting.stop()
            self.review = replace(self.review, lessons=lessons)
            self._load_seats()

    def ineffective_actions(self) -> frozenset[str]:
        return frozenset(("next_mistake",) if self.is_evaluated and not mistakes(self.turns) else ())

    @property
    def is_evaluated(self) -> bool:
        return len(self.turns) == len(self.match.moves)

    def current_export(self) -> Export | None:
        """Return the game move by move, with what is known of its moves."""
        match, labels, turns = self.match, self.review.labels, self.turns if self.is_evaluated else ()
        return Export("game", lambda: match_picture(match, labels, match.game.title, turns))

    def _evaluate_in_steps(self, stop: Stop) -> Iterator[tuple[tuple[Turn, ...], tuple[str, ...]]]:
        """Compare every move with its alternatives; yield the last ones so far, and ways to say what decided the game.

        The last mistake decides it, whatever the moves before are found to be.
        """
        match, count = self.match, len(self.match.moves)
        decided = ""
        for turns, looking in debrief_in_steps(match, stop):
            if len(turns) < count:
                if not decided and mistakes(turns):
                    decided, *_ = debrief.verdict_parts(match, turns, stop)
                yield turns, (f"{decided} {EVALUATING.format(len(turns), count)}".lstrip(),)
                continue
            decided, earlier, final = debrief.verdict_parts(match, turns, stop)
            more = f"({LOOKING})" if looking else ""
            ways = ((decided, earlier, final, more), (decided, final, more))  # the list marks earlier mistakes
            yield turns, tuple(" ".join(filter(None, way)) for way in ways)

    def show_turns(self, examined: tuple[tuple[Turn, ...], tuple[str, ...]]) -> None:
        """Show the evaluations; go to the decisive mistake once it is known, unless the user is elsewhere."""
        turns, self.verdicts = self.turns, _ = examined
        self.refresh_bindings()
        self._list_moves()
        last = decisive_mistake(turns, self.match.outcome)
        at = self.ply
        if last is not None and at in {self.shown_first, len(self.match.moves)}:
            self.ply = self.shown_first = last.ply + 1
        if self.ply == at:  # another move is drawn by itself
            self.draw()

    def show_failure(self, error: str) -> None:
        """Say why the moves are not evaluated: none is compared any more."""
        self.is_evaluating = False
        self.verdicts = (plain(f"Not evaluated: {error}"),)
        self.draw()

    def _seat(self, label: str) -> Player | None:
        """Return a machine that played; `None` if it was deleted, since the game can be reviewed without it."""
        with suppress(*EXPECTED_ERRORS):
            return None if label == PERSON else self.lab.library.player(label, self.match.game)
        return None

    def show_seats(self, seats: tuple[Player | None, ...]) -> None:
        self.seats = seats
        self.draw()

    def _list_moves(self) -> None:
        moves = self.query_one(MoveList)
        lines = debrief.move_lines(self.match, self.turns, self.names, moves.scrollable_content_region.width)
        shown = [self._draw_marks(line) for line in [Text("   the beginning", "dim"), *lines]]
        if not moves.option_count:
            moves.add_options(map(Option, shown))
        for row, line in enumerate(shown):
            if moves.get_option_at_index(row).prompt != line:
                moves.replace_option_prompt_at_index(row, line)
        place = self.query_one("#debrief-list")
        entitle(place, "Moves", debrief.marks_text(self.turns, max(0, place.outer_size.width - CORNERS)))

    def adapt_to_size(self) -> None:
        self._list_moves()
        super().adapt_to_size()

    def _lessons(self) -> str:
        """Return what was learned from the game, a line for each learner."""
        return "\n".join(
            plain(f"{short_label(lesson.learner.label)} learned: {'; '.join(lesson_lines(lesson.words, 3))}")
            for lesson in self.review.lessons
        )

    @property
    def lens(self) -> Lens:
        every = self._lenses
        return every[self.lens_number % len(every)]

    @property
    def _lenses(self) -> list[Lens]:
        game = self.match.game
        return lenses(self.seats or (None, None), game, game.side(self.position))

    @property
    def position(self) -> Position:
        return self.match.positions[self.ply]

    def draw(self) -> None:
        match, board = self.match, self.query_one(BoardView)
        game, at = match.game, self.ply
        board.show(game, self.position)
        board.last = game.board.squares(match.positions[at - 1], match.moves[at - 1]) if at else ()
        board.show_row([label == PERSON for label in self.review.labels])
        board.show_xray(self.lens)
        self.query_one(GameBoards).show(match, at)
        curve = self.query_one("#debrief-curve", LineChart)
        if curve.display:
            curve.show(*self._chart)
        left = self.query_one("#debrief-left")
        room = left.content_size - Size(0, CURVE)
        tall = bool(match.moves) and self.has_class("-tall") and room.height > 0
        board.styles.height = board_size(game, *largest_cell(game, room)).height if tall else "1fr"
        lessons = f"\n\n{self._lessons()}" if tall and self.review.lessons else ""
        columns, lines = self.query_one("#debrief-summary").content_size
        lines = lines if self.has_class("-tall") else MOST_SUMMARY
        lines -= height_of(str(self.query_one("#debrief-ending", Static).content), columns)
        verdict = next((way for way in self.verdicts if height_of(way, columns) <= lines), self.verdicts[-1])
        self.query_one("#debrief-verdict", Static).update(self._draw_marks(verdict))
        self.query_one("#debrief-turn", Static).update(
            self._draw_marks(Text.assemble(self._turn_text(), (lessons, "dim")))
        )
        self.query_one("#debrief-worth", Static).update(self._worth_text())
        bare = board.is_bare and game.outcome(self.position) is None
        wide, seen = left.outer_size.width - CORNERS, board.texts.values()
        lens = xray_text(game, self.lens, wide, seen, looking=board.is_looking, bare=bare)
        entitle(left, fitting_text(left, f"Debrief · {game.title}", "Debrief"), lens)
        box = box_of_move(self.review, self.seats, at) if tall else None
        self.query_one(BoxesOfMove).show(box)
        loading = not self.seats and any(label.startswith(SAVE) for label in self.review.labels)
        self.query_one("#debrief").set_class(box is None and not loading, "-boxless")

    @property
    def _chart(self) -> debrief.Chart:
        """The value of the game after each move, with the signs that stand for the sides on the board."""
        game = self.match.game
        signs = DISCS if game.board.discs and not game.board.heaps else game.marks
        return debrief.value_chart(self.match, self.turns, signs, theme_colour(self, "role-lit"))

    def _draw_marks(self, text: str | Text) -> Text:
        """Return a text with the marks of the sides as the board shows them."""
        return palette_of(self).draw_marks(Text(text) if isinstance(text, str) else text, self.match.game)

    def _turn_text(self) -> str:
        game, known = self.match.game, {turn.ply: turn for turn in self.turns}
        if not self.ply:
            return f"{game.mark(game.side(self.position))} begins."
        turn = known.get(self.ply - 1)
        if turn is None:
            return "It is being compared with the other moves …" if self.is_evaluating else ""
        name = self.names[turn.side.other]
        return " ".join(debrief.turn_text(game, turn, known.get(self.ply), name, self.review.chance(self.ply)))

    def _worth_text(self) -> Text:
        """Return who was ahead where there is no chart."""
        worth = self.query_one("#debrief-worth")
        if not worth.display:
            return Text()
        style = theme_colour(self, "role-lit")
        return debrief.value_lines(self._chart, self.ply, worth.size.width, style, letters=uses_letters(self))

    @on(BoardView.LookingChanged)
    @on(OptionList.OptionHighlighted, "#debrief-moves")
    def draw_move(self) -> None:
        self.draw()

    @on(LineChart.Chosen)
    def go_to_move(self, message: LineChart.Chosen) -> None:
        self.action_go(round(message.rounds) - self.ply)

    def action_go(self, moves: int) -> None:
        self.ply += moves

    def action_next_mistake(self) -> None:
        """Go to the next mistake; after the last, to the first."""
        places = [turn.ply + 1 for turn in mistakes(self.turns)]
        if not places:
            self.lab.warn("The moves are still being evaluated.")
            return
        self.ply = next((ply for ply in places if ply > self.ply), places[0])

    def action_replay(self) -> None:
        """Start to replay the game, from the beginning if it is at its end; or stop the replay."""
        if self.replaying is not None:
            self._stop_replay()
            return
        if self.ply == len(self.match.moves):
            self.action_go(-self.ply)
        self.replaying = self.set_interval(STEP, self._replay_move)

    def _replay_move(self) -> None:
        if self.app.screen is not self:
            self._stop_replay()
            return
        self.action_go(1)
        if self.ply == len(self.match.moves):
            self._stop_replay()

    def _stop_replay(self) -> None:
        if self.replaying is not None:
            self.replaying.stop()
            self.replaying = None

    def action_xray(self) -> None:
        self.lens_number = (self.lens_number + 1) % len(self._lenses)
        self.draw()

    @on(OptionList.OptionSelected, "#debrief-moves")
    def action_play_on(self) -> None:
        self._play_on(self.ply, None)

    def _play_on(self, ply: int, aim: int | None) -> None:
        if self.match.game.outcome(self.match.positions[ply]) is not None:
            self.lab.warn("The game is over here: go back to a position to play on from.")
        else:
            self.dismiss(PlayOn(self.match.until(ply), self.review.labels, aim))

    def action_retry(self) -> None:
        """Play the position again against the same opponent; after a mistake, the position before the mistake."""
        mistake = next((turn for turn in mistakes(self.turns) if turn.ply + 1 == self.ply), None)
        if mistake is None:
            self._play_on(self.ply, None)
        else:
            is_own = self.review.labels[mistake.side] == PERSON
            self._play_on(self.ply - 1, mistake.value if is_own else None)

    @work
    async def action_memory(self) -> None:
        """Open the memory of a learner at its last decision before this position; without one, at its next decision."""
        game, positions = self.match.game, self.match.positions
        for position in (*reversed(positions[: self.ply]), *positions[self.ply :]):
            seat = self.seats[game.side(position)] if self.seats else None
            if isinstance(seat, Learner) and game.outcome(position) is None:
                await self.request(OpenMemory(short_label(seat.label), position))
                return
        self.lab.warn("No machine with a memory played here.")

    @work
    async def action_copy(self) -> None:
        from tui.widgets.copy_dialog import CopyDialog

        match = await self.ask(CopyDialog(self.match))
        if match is not None:
            self.dismiss(PlayOn(match, self.review.labels))


class MoveList(Options):
    """Lists the moves of a game. A click selects a move; only Enter plays on from there."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "Play on", tooltip="plays on from here")]

    def on_resize(self) -> None:
        self.call_after_refresh(self.scroll_to_highlight)  # only then does it know its lines

    def on_click(self, event: Click) -> None:
        event.prevent_default()
        move = event.style.meta.get("option", self.option_count)
        if move < self.option_count:  # the list may have become shorter since the click
            self.highlighted = move
