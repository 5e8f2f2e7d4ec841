"""The exact results of a machine at the board: for the side that it plays and, if they fit, for the other one."""

from contextlib import suppress
from typing import Final

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.worker import Worker, get_current_worker

from engine.game import Side
from engine.stop import Stopped
from lab.memory.learner_facts import by_opponent_text, by_opponent_width, worst_case_text
from lab.results.opponent_names import BY_HEART_NOTE
from learners.core.learner import Learner, trained_sides
from learners.core.player import Player
from learners.players.seeds import SeedResults, exact_results
from tui.shell.live_text import LiveText
from tui.shell.messages import warn_of_failure

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
