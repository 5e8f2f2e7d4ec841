"""What stands beside the board: who is ahead, what a machine thinks, its exact results, and its lessons."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.worker import Worker, get_current_worker

from engine.game import Game, Move, Position, Side
from engine.rating import RatedMove, best_of, rate_moves
from engine.stop import Stopped
from lab.advice.advice import bar_text
from lab.board.event_sentences import curve_text, effect_text, lesson_lines, signed_text
from lab.board.teaching import Lesson
from lab.memory.card_filter import cells_of, merges, shared_card
from lab.memory.matchbox import Matchbox, card_box
from lab.results.exact_results import BY_HEART_NOTE
from lab.results.tables import by_opponent_text, by_opponent_width, worst_case_text
from lab.text.sanitise import plain
from learners.core.learner import Learner, trained_sides
from learners.core.player import Player
from learners.core.plural import counted_noun
from learners.core.view import Card
from learners.players.searcher import stoppable
from learners.players.seeds import SeedResults, exact_results
from saves.library.library import SAVE
from tui.shell.guards import warn_of_failure
from tui.shell.parts import LiveText
from tui.widgets.thoughts import thoughts_text
from tui.widgets.tiles import lines_of, palette_of

USUAL_ROOM = 30
"""The width of the bar, in columns, before the screen has a size."""


class EvaluationBar(LiveText):
    """Shows who is ahead. Computes it in the background, since in a large game this takes a search."""

    wanted: tuple[Game, Position] | None = None
    """The position whose evaluation is shown or being computed."""
    best: RatedMove | None = None
    """The best move in that position, or `None` once the game is over."""
    known = False
    """Whether the evaluation has been computed."""
    room = USUAL_ROOM
    """The width available for the bar, in columns. The screen sets it, since a new widget has no size yet."""

    def show(self, game: Game, position: Position, room: int) -> None:
        """Show who is ahead in a position, in at most `room` columns."""
        self.display, self.room = True, room or USUAL_ROOM
        if self.wanted != (game, position):
            self.wanted, self.known = (game, position), False
            self.set_text("" if game.numbered else "…")
            self.find(game, position)
        else:
            self._draw()

    def hide(self) -> None:
        """Show nothing."""
        self.display, self.wanted = False, None

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        warn_of_failure(self.app, event)

    @work(thread=True, exclusive=True, group="bar", exit_on_error=False)
    def find(self, game: Game, position: Position) -> None:
        """Find the best move of a position."""
        worker = get_current_worker()
        with suppress(Stopped):
            rated = rate_moves(game, position, lambda: worker.is_cancelled)
            self.app.call_from_thread(self.found, game, position, best_of(rated)[0] if rated else None)

    def found(self, game: Game, position: Position, best: RatedMove | None) -> None:
        """Show an evaluation, unless another position is on the board by now."""
        if self.wanted == (game, position):
            self.best, self.known = best, True
            self._draw()

    def _draw(self) -> None:
        if self.known and self.wanted is not None:
            self.set_text(bar_text(*self.wanted, self.best, self.room))


def memory_tile(player: Player, position: Position) -> Matchbox:
    """A position as a small board with the player's symbols on the squares."""
    return card_box(player.game, Card(position, player.thoughts(position), ""))


def shared_tile(learner: Learner, edge: int, position: Position, drawn: Move | None) -> Matchbox:
    """The card that belongs to a position, oriented like the board, with the move `drawn` from it highlighted.

    If several moves share a number, only one shows it: the drawn move, or else the first.
    """
    thoughts = learner.thoughts(position)
    cells = cells_of(learner, position, thoughts)
    shown = {cells[thought.move]: thought for thought in sorted(thoughts, key=lambda thought: -thought.move)}
    shown |= {cells[thought.move]: thought for thought in thoughts if thought.move == drawn}
    caption = learner.view.title(learner.view.card(edge))
    played = [] if drawn is None else [drawn]
    return card_box(learner.game, Card(position, tuple(shown.values()), caption), drawn=played)


class ThoughtsView(Vertical):
    """Shows what one player thinks of the position on the board."""

    DEFAULT_CSS = """
    ThoughtsView {
        height: auto;
        & > .heading { color: $text-muted; margin-top: 1; }
        & > #memory-title { text-style: bold; margin: 0; }
    }
    """

    def compose(self) -> ComposeResult:
        yield LiveText(id="memory-title")
        yield LiveText(id="memory-moves")
        yield LiveText(id="memory-twins-title", classes="heading")
        yield LiveText(id="memory-twins")

    def show(
        self, player: Player | None, position: Position, name: str, played: tuple[Position, Move] | None = None
    ) -> None:
        """Show what `player` thinks of a position, unless the game is over.

        `played` is the last move of the player, with the position in which it was made.
        """
        self.workers.cancel_node(self)
        title, moves, twins_title, twins = (self.query_one(f"#memory-{part}", LiveText) for part in PARTS)
        over = player is not None and player.game.outcome(position) is not None
        twins_title.display = twins.display = isinstance(player, Learner) and not over
        if player is None:
            title.set_text("No machine plays")
            moves.set_text("Choose an opponent with o to look inside its memory.")
            return
        title.set_text(plain(name, 40) if over else f"{plain(name, 40)}, if it had to move here")
        if over:
            moves.set_text("The game is over.")
            return
        width = max(20, self.size.width or 40)
        if not isinstance(player, Learner):
            self.find(player, position, width)
        else:
            moves.set_text(thoughts_text(player.game, player.thoughts(position), width))
            heading, tiles = learner_tiles(player, position, played)
            twins_title.set_text(heading)
            twins.set_text(lines_of(tiles, width, palette_of(self)))

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        warn_of_failure(self.app, event)

    @work(thread=True, exit_on_error=False)
    def find(self, player: Player, position: Position, width: int) -> None:
        """Show the thoughts of a player that is not a learner; in the background, since its search may take long."""
        worker = get_current_worker()
        with suppress(Stopped):
            thinker = stoppable(player, lambda: worker.is_cancelled)
            self.app.call_from_thread(self.found, thoughts_text(player.game, thinker.thoughts(position), width))

    def found(self, thoughts: Text) -> None:
        self.query_one("#memory-moves", LiveText).set_text(thoughts)


def learner_tiles(
    learner: Learner, position: Position, played: tuple[Position, Move] | None = None
) -> tuple[str, list[Matchbox]]:
    """A heading, and small boards: the position and its twins, or cards if the learner merges twins.

    The cards are those of the position before the learner's last move, `played`, and of this position.
    """
    tiles = []
    if merges(learner):
        for opened, drawn in (*([played] if played else []), (position, None)):
            edge = shared_card(learner, opened)
            if edge is not None:
                tiles.append(shared_tile(learner, edge, opened, drawn))
        twins = ""
    else:
        tiles = [memory_tile(learner, twin) for twin in twins_of(learner.game, position)]
        others = len(tiles) - 1
        twins = counted_noun(others, "symmetric twin") if others else "no symmetric twin"
    shown = {square.text for tile in tiles for square in (*tile.squares, *tile.below)}
    coloured = any(thought.hue for thought in learner.thoughts(position))  # the list of moves names the colours
    symbols = {} if coloured else learner.view.words.legend
    # entries for single symbols are listed if the symbol is shown; longer ones explain a scale, and are always listed
    legend = [f"{sign} {meaning}" for sign, meaning in symbols.items() if sign in shown or len(sign) > 1]
    return "\n".join(filter(None, ("  ".join(legend), twins))), tiles


def twins_of(game: Game, position: Position) -> list[Position]:
    """The distinct positions that the symmetries of a game map a position to, beginning with the position itself."""
    return list(dict.fromkeys(game.transform(position, symmetry) for symmetry in game.symmetries))


PARTS = ("title", "moves", "twins-title", "twins")


WAITING: Final = "…"
Version = tuple[str, str, bytes]
"""What a player's results depend on: its game, its label, and its memory."""


def version_of(player: Player) -> Version:
    """The version of a player, which changes when the player learns."""
    return player.game.name, player.label, player.memory.tobytes() if isinstance(player, Learner) else b""


class ExactResultsView(Vertical):
    """Shows the exact results of one player, computed in the background: once, and again after it has learned."""

    DEFAULT_CSS = """
    ExactResultsView {
        height: auto;
        margin-top: 1;
        & > #exact-title { text-style: bold; }
    }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self._known: dict[tuple[str, str], tuple[Version, SeedResults]] = {}
        """The latest results of each player, by its game and label, with the version that they belong to."""
        self._wanted: Version | None = None
        """The version whose results are being computed."""
        self._shown: tuple[Player, Side] | None = None

    def compose(self) -> ComposeResult:
        yield LiveText(id="exact-title")
        yield LiveText(id="exact-table")

    def show(self, player: Player | None, side: Side) -> None:
        """Show the results of `player` as `side`; nothing if `player` is `None`.

        After a player has learned, its earlier results are shown until the new ones are computed.
        """
        title, results = self.query_one("#exact-title", LiveText), self.query_one("#exact-table", LiveText)
        self._shown = None if player is None else (player, side)
        title.set_text("" if player is None else "Its exact results")
        if player is None:
            results.set_text("")
        elif not player.game.numbered:
            results.set_text(f"{player.game.title} is too large for exact results.")
        else:
            version = version_of(player)
            known, exact = self._known.get(version[:2], (None, None))
            results.set_text(WAITING if exact is None else self._text(player, side, exact))
            if version not in (known, self._wanted):
                self._wanted = version
                self.find(player, version)

    def _text(self, player: Player, side: Side, found: SeedResults) -> Text:
        """The worst result as a sentence, and a table: for all trained sides if they fit, else for `side` only.

        If the player was not trained for `side`, the results are those of its trained sides.
        """
        trained, game, exact = trained_sides(player), player.game, found.mean
        judged = [side] if side in trained else [*trained]
        own = {each.name.lower(): exact[each.name.lower()] for each in judged}
        room = self.size.width >= by_opponent_width(len(trained))
        shown = {each.name.lower(): exact[each.name.lower()] for each in trained} if room else own
        never = f"It was not trained as {game.mark(side)}.\n" if side not in trained else ""
        table = by_opponent_text(game, shown)
        mean = f"The mean over {len(found.each)} seeds.\n" if found.several else ""
        note = (f"\n{BY_HEART_NOTE}", "dim")
        return Text.assemble((never, "bold"), mean, worst_case_text(game, own), "\n", table, note)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        warn_of_failure(self.app, event)

    @work(thread=True, exclusive=True, group="exact results", exit_on_error=False)
    def find(self, player: Player, version: Version) -> None:
        """Compute the results of a player."""
        worker = get_current_worker()
        with suppress(Stopped):
            self.app.call_from_thread(self.found, version, exact_results(player, lambda: worker.is_cancelled))

    def found(self, version: Version, exact: SeedResults) -> None:
        """Store the results of a player, and show them if it is still at the board."""
        self._known[version[:2]] = version, exact
        self._wanted = None
        if self._shown is not None:
            self.show(*self._shown)


MIN_CURVE: Final = 6
"""The minimum width of a curve, in columns."""


class LessonsView(LiveText):
    """Shows what saves learn from games at the board; hidden while none learns."""

    DEFAULT_CSS = """
    LessonsView { height: auto; margin-bottom: 1; }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self.lessons: dict[str, Lesson] = {}
        """What each save learned from its last game, by label."""
        self.curves: dict[str, list[int]] = {}
        """What each save had gained in total after each game since learning began, by label."""

    def follow(self, pupils: Sequence[Learner]) -> None:
        """Show these saves from now on; if they are not the same as before, start new curves."""
        labels = [pupil.label for pupil in pupils]
        if labels != [*self.curves]:
            self.lessons, self.curves = {}, {label: [0] for label in labels}
        self._draw()

    def add(self, lesson: Lesson) -> None:
        """Add what a save learned from a game."""
        label = lesson.learner.label
        self.lessons[label] = lesson
        curve = self.curves.setdefault(label, [0])
        curve.append(curve[-1] + lesson.gained)

    def forget(self, label: str) -> None:
        """Remove the last lesson of a save: it learned nothing from the newest game."""
        self.lessons.pop(label, None)

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        self.display = bool(self.curves)
        text = Text()
        for label, curve in self.curves.items():
            lesson = self.lessons.get(label)
            text.append(f"{plain(label.removeprefix(SAVE), 20)} learns{'' if lesson else ' from each game'}\n", "bold")
            if lesson is None:
                continue
            text.append(f"{effect_text(lesson.effect)}\n", "not bold")
            for line in lesson_lines(lesson.words):
                text.append(f"  {plain(line)}\n", "dim")
            head = f"{lesson.learner.view.words.growth_title} so far {signed_text(curve[-1])} "
            text.append(head, "dim")
            text.append(f"{curve_text(curve, max(MIN_CURVE, self.size.width - len(head)))}\n", "not dim")
        text.rstrip()
        self.set_text(text)
