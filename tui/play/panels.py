"""The panels around the board that show a memory and a score: the wall, and the curve of a person against a machine."""

from itertools import accumulate
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from engine.game import Move, Position
from engine.plural import counted_noun
from lab.board.session import Session
from lab.memory.card_filter import merges_twins, shared_card
from lab.text.axes import Axes, even_end
from lab.text.curves import Series
from lab.text.numbers import count_text
from learners.core.learner import PERSON, Learner
from learners.core.player import Player
from tui.shell.parts import FRAME, entitle, fitting_text, text_with_keys
from tui.widgets.line_chart import LineChart
from tui.widgets.palette import theme_colour
from tui.widgets.tiles import FRAMED, TIGHT
from tui.widgets.wall import Wall

FRAMED_FROM: Final = 22
"""The least number of lines of the screen, without its bars, with which the wall has a whole frame, not only an upper
border."""
AIR: Final = 1
"""The lines between the frame and rows of cards."""
ROWS_FROM: Final = 32
"""From this height on, the wall has rows of whole cards, in about a third of the lines; below, a line of small ones."""

Turn = tuple[Position, Move | None]
"""A position, and the move made there, if one was."""


def wall_lines(room: int, rows: int, board: int) -> int:
    """Return the height of the wall with its frame on a screen of `room` lines, for boards of `rows` lines.

    Where it would take more than about a quarter of the lines, it makes way for the board: then it has none. Where the
    panel of the board does not need more than `board` lines, the wall has the others.
    """
    if room >= ROWS_FROM:
        card, edges = rows + FRAME, FRAME + AIR
        free_lines = max((room - edges) // 3, room - board - edges)
        return edges + max(1, free_lines // card) * card
    lines = rows + (FRAME if room >= FRAMED_FROM else 1)
    return lines if lines <= (room + 2) // 4 else 0


def own_turns(session: Session, player: Player | None) -> list[tuple[Position, Move]]:
    """Return the positions in which a player has moved, with its moves."""
    match = session.match
    turns = zip(match.positions, match.moves, strict=False)
    return [turn for turn in turns if session.seats[session.game.side(turn[0])] is player]


def last_turn(session: Session, player: Player | None) -> Turn | None:
    """Return a player's last turn; for a player with boxes, the last one in which a box chose.

    Before the first move, return the position that the player faces.
    """
    turns = own_turns(session, player)
    if isinstance(player, Learner) and merges_twins(player):
        turns = [turn for turn in turns if shared_card(player, turn[0]) is not None] or turns
    if turns:
        return turns[-1]
    is_to_move = session.player is player and session.match.outcome is None
    return (session.match.position, None) if is_to_move else None


CARDS: Final = Binding.Group("cards", compact=True)


class BoardWall(Wall):
    """A wall beside a board: its keys are those of the cards, and Escape gives the focus back to the board."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "go(-1)", "Before", group=CARDS),
        Binding("up", "go_rows(-1)", "Up", group=CARDS),
        Binding("down", "go_rows(1)", "Down", group=CARDS),
        Binding("right", "go(1)", "Next", group=CARDS),
        Binding("escape", "screen.leave_wall", "Back"),
        Binding("enter", "screen.go_on", "Play on", tooltip="plays on from here", show=False),
    ]


class MemoryWall(Vertical):
    """All that a machine remembers, as a strip or as rows of cards."""

    _title = ""
    _offer = ""
    """The offer of the tour, shown in the frame; empty if there is none."""
    _is_grouped = True
    """Whether the cards stand in the order of their groups."""

    def compose(self) -> ComposeResult:
        yield BoardWall(id="wall")

    def fit(self, lines: int, rows: int) -> None:
        """Show cards with boards of `rows` lines in `lines` lines: as large as they fit, or none."""
        self.display = lines > rows
        has_whole_cards = lines >= rows + AIR + 2 * FRAME
        self.set_class(not has_whole_cards, "-strip").set_class(lines < rows + FRAME, "-bare")
        self.query_one(Wall).draw_as(FRAMED if has_whole_cards else TIGHT)

    def offer(self, offer: str) -> None:
        """Offer the tour in the frame, if there is an offer."""
        self._offer = offer
        self.set_class(bool(offer), "-offering")
        self._entitle()

    def _entitle(self) -> None:
        if self.has_class("-bare") and self._offer:  # there is no lower border
            self.border_title = text_with_keys(self._offer)
        else:
            groups = self.query_one(Wall).groups_text if self._is_grouped else ""
            entitle(self, self._title, self._offer or fitting_text(self, groups, ""))

    def show(self, session: Session, player: Player | None, last: Turn | None, *, folded: bool) -> None:
        """Draw the memory of `player`, beginning at its last move, with what it used in this game lit.

        With `folded`, show only the positions of its cards.
        """
        if not isinstance(player, Learner) or not self.display:
            return
        wall, words = self.query_one(Wall), player.view.words
        edges: list[int] = player.view.cards().tolist()
        turns, lit = own_turns(session, player), dict[int, int]()
        if not player.spec.parameters:
            lit = dict.fromkeys((int(player.cell[player.space.edge(*turn)]) for turn in turns), 0)
        used: list[int] = []
        if session.match.outcome is not None and merges_twins(player):  # first, all on one page
            cards = [shared_card(player, position) for position, _ in turns]
            used = [*dict.fromkeys(card for card in cards if card is not None)]
        wall.closed = folded
        wall.show(player, used + [edge for edge in edges if edge not in used], lit=lit, empty=words.none)
        self._is_grouped = not used
        self._title = f"The wall · {count_text(len(edges))} {words.noun_for(len(edges))}"
        if folded:
            self._title += " · closed: x opens it"
        elif used:
            self._title += " · this game's first"
        self._entitle()
        last_card = None if last is None or not merges_twins(player) else shared_card(player, last[0])
        if last_card is not None and not wall.has_focus:
            wall.turn_to(last_card)

    @property
    def looked_at(self) -> int | None:
        """The edge of the card under the cursor, while the wall has the focus."""
        wall = self.query_one(Wall)
        return wall.edge if wall.has_focus and self.display and not wall.closed else None


class ScoreCurve(Vertical):
    """How far a person is ahead of a machine after each game."""

    def compose(self) -> ComposeResult:
        yield LineChart()

    def show(self, session: Session, *, shown: bool, awaiting: bool) -> None:
        """Draw the curve, if it is to be `shown` and a person has played a machine that is not `awaiting` its seat."""
        self.display = shown and bool(session.results) and not awaiting and session.labels.count(PERSON) == 1
        leads = [float(lead) for lead in accumulate(session.results, initial=0)]
        title = fitting_text(self, "You against it · wins less losses", "You against it")
        entitle(self, title, counted_noun(len(session.results), "game"))
        axes = Axes(
            even_end(max(10, len(session.results))),
            low=min(-1.0, *leads, 0.0),
            high=max(1.0, *leads, 0.0),
            number_text=lead_text,
            step=1.0,
            logarithmic=False,
        )
        line = Series(
            f"you {lead_text(leads[-1])}", [*enumerate(leads)], theme_colour(self, "role-lit"), "y", steps=True
        )
        self.query_one(LineChart).show([line], axes)


def lead_text(lead: float) -> str:
    """Return a lead in won games: `+2`, `0`, `−1`."""
    return f"{lead:+.0f}".replace("-", "−") if round(lead) else "0"
