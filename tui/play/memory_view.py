"""What a player thinks of one position: a line for each move; of a learner also cards or symmetric positions."""

from contextlib import suppress

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.worker import Worker, get_current_worker

from engine.game import Game, Move, Position
from engine.stop import Stopped
from lab.memory.card_filter import cells_of, merges, shared_card
from lab.text.sanitise import plain
from learners.core.cards import Card
from learners.core.learner import Learner
from learners.core.player import Player
from learners.core.plural import counted_noun
from learners.players.searcher import stoppable
from tui.shell.live_text import LiveText
from tui.shell.messages import warn_of_failure
from tui.widgets.mark_styles import palette_of
from tui.widgets.thoughts import thoughts_text
from tui.widgets.tiles import Tile, card_tile, lines_of


def memory_tile(player: Player, position: Position) -> Tile:
    """A position as a small board with the player's symbols on the squares."""
    return card_tile(player.game, Card(position, player.thoughts(position), ""))


def shared_tile(learner: Learner, edge: int, position: Position, drawn: Move | None) -> Tile:
    """The card that belongs to a position, oriented like the board, with the move `drawn` from it highlighted.

    If several moves share a number, only one shows it: the drawn move, or else the first.
    """
    thoughts = learner.thoughts(position)
    cells = cells_of(learner, position, thoughts)
    shown = {cells[thought.move]: thought for thought in sorted(thoughts, key=lambda thought: -thought.move)}
    shown |= {cells[thought.move]: thought for thought in thoughts if thought.move == drawn}
    caption = learner.view.title(learner.view.card(edge))
    played = [] if drawn is None else [drawn]
    return card_tile(learner.game, Card(position, tuple(shown.values()), caption), drawn=played)


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
) -> tuple[str, list[Tile]]:
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
    shown = {letter for tile in tiles for symbol in (*tile.symbols.values(), *tile.beads) for letter in symbol.text}
    coloured = any(thought.hue for thought in learner.thoughts(position))  # the list of moves names the colours
    symbols = {} if coloured else learner.view.words.legend
    # entries for single symbols are listed if the symbol is shown; longer ones explain a scale, and are always listed
    legend = [f"{sign} {meaning}" for sign, meaning in symbols.items() if sign in shown or len(sign) > 1]
    return "\n".join(filter(None, ("  ".join(legend), twins))), tiles


def twins_of(game: Game, position: Position) -> list[Position]:
    """The distinct positions that the symmetries of a game map a position to, beginning with the position itself."""
    return list(dict.fromkeys(game.transform(position, symmetry) for symmetry in game.symmetries))


PARTS = ("title", "moves", "twins-title", "twins")
