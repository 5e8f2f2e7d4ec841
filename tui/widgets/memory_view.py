"""What a player's mind holds of one position: a line for each move, and the same for its symmetric twins."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from engine.game import Game, Position
from engine.space import space_of
from learners.learner import Learner
from learners.plain import plural
from learners.player import Player, Thought
from tui.figures import percent_text
from tui.safe import plain
from tui.widgets.palette import palette_of
from tui.widgets.tiles import Tile, lines_of


def symbols_of(game: Game, position: Position, thoughts: tuple[Thought, ...]) -> dict[int, str]:
    """The symbol to draw on each square that a move leads to.

    Where several moves lead to a square, the symbol of the likeliest; an enemy piece is not hidden behind an open move.
    """
    cells = game.cells(position)
    symbols: dict[int, str] = {}
    for thought in sorted(thoughts, key=lambda thought: thought.chance):
        square = game.squares(position, thought.move)[-1]
        if cells[square] is None or thought.shut:
            symbols[square] = thought.symbol
        else:
            symbols.pop(square, None)
    return symbols


def memory_tile(player: Player, position: Position) -> Tile:
    """A position as a little board with the player's symbols, and how many of its moves are shut."""
    thoughts = player.thoughts(position)
    shut = sum(thought.shut for thought in thoughts)
    return Tile(player.game, position, symbols_of(player.game, position, thoughts), f"{shut} of {len(thoughts)}")


def lines_of_thoughts(player: Player, position: Position, width: int) -> str:
    """One entry for each legal move: its name, the player's symbol, what is known of it, how likely it is."""
    entries = [
        f"{player.game.move_name(thought.move)} {thought.symbol} {thought.words}"
        + (f" {percent_text(thought.chance)}" if thought.chance else "")
        for thought in player.thoughts(position)
    ]
    widest = max(map(len, entries), default=0) + 2
    columns = max(1, (width + 2) // widest)
    rows = -(-len(entries) // columns)
    return "\n".join("".join(entry.ljust(widest) for entry in entries[row::rows]).rstrip() for row in range(rows))


class MemoryView(Vertical):
    """The mind of one player, for the position on the board."""

    DEFAULT_CSS = """
    MemoryView {
        height: auto;
        & > .heading { color: $text-muted; margin-top: 1; }
        & > #memory-title { color: $primary; text-style: bold; margin: 0; }
    }
    """

    def compose(self) -> ComposeResult:
        yield Static("", id="memory-title", markup=False)
        yield Static("", id="memory-moves", markup=False)
        yield Static("", id="memory-twins-title", classes="heading", markup=False)
        yield Static("", id="memory-twins", markup=False)

    def show(self, player: Player | None, position: Position, name: str) -> None:
        """Draw what `player` holds of a position; nothing at the end of a game."""
        title, moves, twins_title, twins = (self.query_one(f"#memory-{part}", Static) for part in PARTS)
        twins_title.display = twins.display = False
        if player is None:
            title.update("No machine plays")
            moves.update("Choose an opponent with o to look inside its memory.")
            return
        title.update(f"What {plain(name, 40)} holds of this position")
        if player.game.outcome(position) is not None:
            moves.update("The game is over.")
            return
        width = max(20, self.size.width or 40)
        moves.update(lines_of_thoughts(player, position, width))
        if isinstance(player, Learner):
            positions = space_of(player.game).twins(position)
            twins_title.display = twins.display = True
            others = len(positions) - 1
            twins_title.update(
                "".join(f"{symbol} {meaning}  " for symbol, meaning in player.words.legend.items())
                + (f"{others} symmetric {plural('twin', others)}" if others else "no symmetric twin")
            )
            tiles = [memory_tile(player, twin) for twin in positions]
            twins.update(lines_of(tiles, width, palette_of(self)))


PARTS = ("title", "moves", "twins-title", "twins")
