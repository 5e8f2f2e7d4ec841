"""The views beside the board: the box that a machine used last, and the machine's exact results."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from rich.color import Color as RichColor
from rich.style import Style
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.color import Color
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message

from engine.game import Move, Position, Side
from lab.board.opponent_strength import introduction
from lab.memory.matchbox import SquareKind
from lab.memory.open_box import OpenBox, open_box
from lab.results.score_lines import READER_NOTE
from lab.results.tables import by_opponent_text, by_opponent_width, worst_case_text
from learners.core.learner import Learner
from learners.core.player import Player
from learners.core.save_ref import short_label
from learners.players.levels import SeedResults, exact_results
from learners.players.plain import RandomPlayer
from learners.players.searcher import stoppable
from saves.library.library import Library
from tui.shell.background import Background
from tui.shell.parts import LiveText, entitle, fitting_text
from tui.widgets.exact_bars import exact_bars
from tui.widgets.open_box import OpenBoxView
from tui.widgets.palette import STRUCK, palette_of, theme_colour
from tui.widgets.why_strip import WhyStrip

BARS_FROM: Final = 48
"""The minimum height of a screen, in lines, that shows exact results as bars instead of as a table."""
DREW: Final = "drew "
HIDDEN: Final = "Hidden, since it may tell the best move."
"""The text in place of what would reveal too much."""
OPEN_KEY: Final = "`x` shows it"
PRESENT_BOX: Final = "closed until x: you", "are to move here", "x opens it"
"""The text in place of the box for the position on the board, in which a person is to move."""
UNUSED_BOX: Final = "what it knew", "at its last move", "not moved yet"
"""The text until a machine has moved, above the description of the machine."""
SIGN_LEGEND: Final = "+ wins · − loses"
"""What the signs in an open box mean, where words have no room."""
RETURN_KEY: Final = "`Esc`: the last one"
SHUT_BOX_WIDTH: Final = 21
"""The columns of a box that is not open."""


def shut_box(words: tuple[str, str, str]) -> str:
    """Draw a box that is not open, with two lines and a foot."""
    *lines, foot = words
    inside = SHUT_BOX_WIDTH - 2
    middle = "\n".join(f"│{line:^{inside}}│" for line in lines)
    return f"╭{'─' * inside}╮\n{middle}\n╰{f' {foot} ':─^{inside}}╯"


class MachineBox(Vertical, Background):
    """A panel with the box that a machine used last: what the machine knew, and the bead that it drew."""

    DEFAULT_CSS = """
    MachineBox {
        & > #box-note { height: auto; width: 100%; color: $text-muted; text-align: center; }
        &.-closed { align: center middle; & > OpenBoxView { display: none; } }
        &.-folded { align: left top; & > #box-note { text-align: left; } }
    }
    """

    def compose(self) -> ComposeResult:
        yield OpenBoxView(animates=True)
        yield LiveText(id="box-note")
        yield WhyStrip(id="play-why")

    _wanted: tuple[Player | None, tuple[Position, Move | None] | None] = None, None
    _from_wall = False
    """Whether the box was chosen on the wall, and is not the last used one."""

    def ask_why(self, library: Library) -> bool:
        """Show the history of the number of the move that was played last; return whether there is such a number."""
        player, played = self._wanted
        if not isinstance(player, Learner) or played is None or played[1] is None or player.spec.parameters:
            return False
        self.query_one(WhyStrip).ask(library, short_label(player.label), played[0], played[1])
        return True

    def show(
        self,
        player: Player | None,
        played: tuple[Position, Move | None] | None,
        gained: Mapping[int, int] | None,
        *,
        folded: bool,
        introduced: bool,
    ) -> None:
        """Show what `player` knew at its last move, `played`: the position, and the move that it made there.

        `gained` is the latest growth of each number of its memory, by edge, once it has learned from the game. With
        `folded`, nothing is told. With `introduced`, another panel introduces the player.
        """
        self._from_wall = False
        self.workers.cancel_node(self)
        self.set_class(folded or player is None, "-folded")
        self._show_note(self._note_on(player, played, folded=folded, introduced=introduced))
        if folded:
            player = None
        if (player, played) != self._wanted:
            self.query_one(WhyStrip).close()
        self._wanted = player, played
        if player is None:
            self._draw(None)
        elif played is None:
            self._draw(example_of(player))
        elif isinstance(player, Learner):
            self._draw(open_box(player, *played, gained))
        else:  # in the background, since its search may take long
            position, drawn = played
            self.run_in_background(
                "box",
                lambda stop: open_box(stoppable(player, stop), position, drawn),
                partial(self.show_found, self._wanted),
            )

    def _note_on(
        self, player: Player | None, played: tuple[Position, Move | None] | None, *, folded: bool, introduced: bool
    ) -> str:
        """Return the text in place of a box, or above it."""
        is_narrow = self.screen.has_class("-narrow")
        if player is None:
            return "No machine plays: o chooses an opponent."
        if folded:
            if played is None or played[1] is None:
                return introduction(player)
            return HIDDEN if is_narrow else f"{HIDDEN} {introduction(player)}"
        if played is not None:
            return ""
        note = "" if introduced or is_narrow else introduction(player)
        return note if example_of(player) else f"{shut_box(UNUSED_BOX)}\n\n{note}".rstrip()

    def _show_note(self, note: str) -> None:
        text = self.query_one("#box-note", LiveText)
        text.display = bool(note)  # a line without text would take room from the box
        text.set_text(note)

    def look_at(self, learner: Learner, edge: int, *, closed: bool) -> None:
        """Show the box of a card of the wall; with `closed`, say instead that it stays closed until the X-ray is on."""
        self.workers.cancel_node(self)
        self._from_wall, self._wanted = True, (learner, None)
        self.remove_class("-folded")
        self.query_one(WhyStrip).close()
        self._show_note(shut_box(PRESENT_BOX) if closed else "")
        self._draw(None if closed else open_box(learner, learner.view.card(edge).position))

    def bead(self) -> Style | None:
        """Return the style of the bead that was drawn from the box shown, if there is one."""
        box = self.query_one(OpenBoxView).box
        drawn = [] if box is None else [each.look for each in box.squares if each.look.drawn and each.beads is not None]
        return palette_of(self).of_bead(drawn[0].hue) + Style(bold=True) if drawn else None

    def settle(self) -> None:
        """End all motion at once, and show its final state."""
        self.query_one(OpenBoxView).motion.end()

    def _draw(self, box: OpenBox | None) -> None:
        self.query_one(OpenBoxView).show(box)
        self.set_class(box is None, "-closed")
        self._entitle()

    @on(OpenBoxView.Moved)
    def _entitle(self) -> None:
        """Write into the frame what can be seen of the box; the drawn bead is named only once it is ringed."""
        box, played = self.query_one(OpenBoxView).look, self._wanted[1]
        bead_colour = None
        if self._from_wall:
            texts = [RETURN_KEY]
            if box is not None and box.note:
                texts.insert(0, f"{box.note} · {RETURN_KEY}")
            entitle(self, "From the wall" if box is None else box.title, fitting_text(self, *texts))
        elif box is None:
            has_moved = played is not None and played[1] is not None
            entitle(self, "Its last move" if has_moved else "The opponent", OPEN_KEY if has_moved else "")
        elif played is None:
            texts = ["not moved yet"]
            if any(each.look.kind is SquareKind.STRUCK for each in box.squares):
                texts = [f"{STRUCK} struck out: it lost there", "failed: it lost there", *texts]
            title = fitting_text(self, "What it knows · for example", "It knows, for example")
            entitle(self, title, fitting_text(self, *texts))
        else:
            bead_colour = self._entitle_last_box(box)
        self.styles.border = None if bead_colour is None else ("round", Color.from_rich_color(bead_colour))

    def _entitle_last_box(self, box: OpenBox) -> RichColor | None:
        """Write into the frame what the machine knew at its last move; return the colour of a bead that is named."""
        titles = [box.title, box.title.partition(" when ")[0]]
        if box.turned:
            titles = [f"{box.title} · turned to fit the board", f"{box.title} · turned to fit", *titles]
        note = box.note
        has_values = any(each.look.kind is SquareKind.VALUE for each in box.squares)
        if has_values and self.query_one(OpenBoxView).has_signs:
            note = SIGN_LEGEND
        text, bead = Text(fitting_text(self, note, note.partition(" · ")[0])), self.bead()
        names_bead = bead is not None and text.plain.startswith(DREW)
        if bead is not None and names_bead:
            text.stylize(bead, len(DREW), text.plain.index(":"))
        entitle(self, fitting_text(self, *titles), Content.from_rich_text(text))
        return bead.color if bead is not None and names_bead else None

    def show_found(self, wanted: object, box: OpenBox) -> None:
        if wanted == self._wanted:
            self._draw(box)


def example_of(player: Player) -> OpenBox | None:
    """Return the newest box of a machine that has not moved yet; `None` if it has none that belongs to a position."""
    if not isinstance(player, Learner) or player.spec.parameters:
        return None
    edges = [*player.view.newest(1), *player.view.cards()[:1].tolist()]
    return open_box(player, player.view.card(edges[0]).position) if edges else None


def is_spoiler(player: Player, results: SeedResults | None) -> bool:
    """Return whether the moves of a player reveal the best moves, since it searches, or never loses.

    `results` are its exact results, or `None` while they are not known.
    """
    if not isinstance(player, Learner):
        return player.label != RandomPlayer.label
    if not player.game.numbered:
        return False
    return results is None or not any(each.against["best_responder"].loss for each in results.mean.values())


WAITING: Final = "…"
AT_ONCE: Final = 20_000
"""In games of up to this many positions, exact results take milliseconds, so that no screen waits for them."""
Version = tuple[str, str, bytes]
"""What a player's results depend on: its game, its label, and its memory."""


def version_of(player: Player) -> Version:
    """Return the version of a player, which changes when the player learns."""
    return player.game.name, player.label, player.memory.tobytes() if isinstance(player, Learner) else b""


class ExactResultsView(Vertical, Background):
    """Shows the exact results of one player, computed in the background: once, and again after it has learned.

    Posts `Found` when there are new results.
    """

    class Found(Message):
        """Posted when the results of a player are known."""

    DEFAULT_CSS = "ExactResultsView { height: auto; }"

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self._known: dict[tuple[str, str], tuple[Version, SeedResults]] = {}
        """The latest results of each player, by its game and label, with the version that they belong to."""
        self._wanted: Version | None = None
        """The version whose results are being computed."""
        self._shown: tuple[Player, Side] | None = None

    def compose(self) -> ComposeResult:
        yield LiveText(id="exact-table")

    def on_resize(self) -> None:
        """Show what fits into the new width."""
        if self._shown is not None:
            self.show(*self._shown)

    def known(self, player: Player) -> SeedResults | None:
        """Return the results of a player if they are known; those of a learner of a small game are known at once."""
        version = version_of(player)
        known, exact = self._known.get(version[:2], (None, None))
        if known == version:
            return exact
        if not isinstance(player, Learner) or not player.game.numbered or len(player.space.position) > AT_ONCE:
            return None
        exact = exact_results(player)
        self._known[version[:2]] = version, exact
        return exact

    def show(self, player: Player | None, side: Side) -> None:
        """Show the results of `player` as `side`; nothing if `player` is `None`.

        After a player has learned, its earlier results are shown until the new ones are computed.
        """
        results = self.query_one("#exact-table", LiveText)
        self._shown = None if player is None else (player, side)
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
                find = partial(exact_results, player)
                self.run_in_background("exact results", find, partial(self.store, version))

    def _text(self, player: Player, side: Side, results: SeedResults) -> Text:
        """Return the worst result in a sentence, and a table: for all trained sides if they fit, else for `side`.

        If the player was not trained for `side`, the results are those of its trained sides.
        """
        trained, game, width = player.trained_sides, player.game, self.size.width
        judged = [side] if side in trained else [*trained]
        own = {each.name.lower(): results.mean[each.name.lower()] for each in judged}
        shown = own
        if width >= by_opponent_width(len(trained)):
            shown = {each.name.lower(): results.mean[each.name.lower()] for each in trained}
        if self.screen.size.height >= BARS_FROM:
            styles = theme_colour(self, "role-good"), "dim", theme_colour(self, "role-bad")
            table = exact_bars(player, shown, width, styles)
        else:
            table = by_opponent_text(game, shown, losses_only=0 < width < by_opponent_width(1))
        text = Text()
        if side not in trained:
            text.append(f"It was not trained as {game.mark(side)}.\n", "bold")
        if results.has_several:
            text.append(f"The mean over {len(results.each)} seeds.\n")
        note = (f"\n{READER_NOTE}", "dim")
        return Text.assemble(text, worst_case_text(game, own), "\n", table, note)

    def store(self, version: Version, exact: SeedResults) -> None:
        """Store the results of a player, and show them if it is still at the board."""
        self._known[version[:2]] = version, exact
        self._wanted = None
        if self._shown is not None:
            self.show(*self._shown)
        self.post_message(self.Found())
