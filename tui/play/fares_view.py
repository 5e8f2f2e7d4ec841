"""How a machine at the board fares exactly, as the side that it plays and, where there is room, as the other one."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.worker import get_current_worker

from engine.evaluate import Results, scoreboard
from engine.game import Side
from engine.space import space_of
from engine.stop import Stopped
from lab.words.learner_facts import fares_text, fares_width, verdict
from learners.core.learner import BOTH, Learner
from learners.core.player import Player
from learners.players.searchers import until
from tui.shell.live_text import Steady
from tui.shell.worker_errors import WarnsOfWorkerErrors

WAITING: Final = "…"
Mind = tuple[str, str, bytes]
"""What a player's results hang on: its game, how it is written, and what it remembers."""


def mind_of(player: Player) -> Mind:
    """Changes when the player has learned."""
    return player.game.name, player.label, player.memory.tobytes() if isinstance(player, Learner) else b""


class FaresView(WarnsOfWorkerErrors, Vertical):
    """The exact results of one player, worked out once and again when it has learned."""

    DEFAULT_CSS = """
    FaresView {
        height: auto;
        margin-top: 1;
        & > #fares-title { color: $primary; text-style: bold; }
    }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self._known: dict[tuple[str, str], tuple[Mind, Mapping[str, Results]]] = {}
        """By game and label."""
        self._sought: Mind | None = None
        self._shown: tuple[Player, Side] | None = None

    def compose(self) -> ComposeResult:
        yield Steady(id="fares-title")
        yield Steady(id="fares")

    def show(self, player: Player | None, side: Side) -> None:
        """Tell how `player` fares as `side`; nothing where no machine plays.

        What is not known yet is worked out in the background. Until then it is told as it was before it learned.
        """
        title, fares = self.query_one("#fares-title", Steady), self.query_one("#fares", Steady)
        self._shown = None if player is None else (player, side)
        title.tell("" if player is None else "How it fares, exactly")
        if player is None:
            fares.tell("")
        elif not player.game.numbered:
            fares.tell(f"{player.game.title} is too large for exact results.")
        else:
            mind = mind_of(player)
            known, exact = self._known.get(mind[:2], (None, None))
            fares.tell(WAITING if exact is None else self._text(player, side, exact))
            if mind not in (known, self._sought):
                self._sought = mind
                self.find(player, mind)

    def _text(self, player: Player, side: Side, exact: Mapping[str, Results]) -> Text:
        """The table, of both sides where there is room and it plays both, and the worst of it as a sentence."""
        plays = player.sides if isinstance(player, Learner) else BOTH
        own = {side.name.lower(): exact[side.name.lower()]}
        both = side in plays and self.size.width >= fares_width(len(plays))
        told = {each.name.lower(): exact[each.name.lower()] for each in plays} if both else own
        return Text.assemble(verdict(player.game, own), "\n", fares_text(player.game, told))

    @work(thread=True, exclusive=True, group="fares", exit_on_error=False)
    def find(self, player: Player, mind: Mind) -> None:
        """Work the results out."""
        worker = get_current_worker()
        with suppress(Stopped):
            policy = until(player, lambda: worker.is_cancelled).policy()
            exact = scoreboard(space_of(player.game), policy)
            if not worker.is_cancelled:
                self.app.call_from_thread(self.found, mind, exact)

    def found(self, mind: Mind, exact: Mapping[str, Results]) -> None:
        self._known[mind[:2]] = mind, exact
        self._sought = None
        if self._shown is not None:
            self.show(*self._shown)
