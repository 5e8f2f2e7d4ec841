"""The parts of the screen of a save: its headline with the time line, and the card under the cursor, large."""

from collections.abc import Sequence
from typing import Final

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from lab.memory.card_filter import merges
from lab.memory.open_box import OpenBox, groups_of, open_box
from lab.results.exact_results import Timeline, TimelinePoint
from lab.results.score_lines import READERS, briefly
from lab.results.tables import exact_text, headline
from lab.text.axes import mark_of
from lab.text.numbers import BARS, percent_text
from lab.training.checkpoints import checkpoints_showing, moment_text
from lab.training.turning_points import TurningPoint, sentence_with_rounds
from learners.core.learner import Learner
from saves.library.library import Library
from tui.library.time_line import TimeLine
from tui.shell.learner_facts import UNTEACHABLE
from tui.shell.parts import Prose, SizedPanel, entitle, fitting
from tui.widgets.card_view import BEFORE, CardView, heading_of, histories, moves_of, turned_card
from tui.widgets.exact_bars import bars_beside
from tui.widgets.open_box import OpenBoxView, worth_text
from tui.widgets.tiles import theme_colour
from tui.widgets.why_strip import WhyStrip

OPPONENT: Final = "perfect"
"""The curve of the time line shows the losses to this opponent."""
COMPUTING: Final = "Computing the exact results …"
BOTH_FROM: Final = 18
"""The least height of the panel of a card that lists histories below the open box; a lower one has them in squares."""


def figures_text(place: Static, point: TimelinePoint) -> Text:
    """Return the exact results of a checkpoint for `place`: as bars in a vast terminal, else the losses as a table."""
    if not point.exact or not place.screen.has_class("-vast"):
        return exact_text(point.learner, point.exact)
    styles = [theme_colour(place, "role-good"), "dim", theme_colour(place, "role-bad")]
    return bars_beside(point.learner, point.exact, place.size.width, styles)


class MemoryHead(Vertical):
    """Says how strong a save is, and shows its time line."""

    def __init__(self, save: str, *, id: str, classes: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id, classes=classes)
        self.save = save
        self.when = ""
        """Which checkpoint is shown."""
        self.happened = ""
        """What happened at the checkpoint that is shown; if nothing, what the curve shows."""
        entitle(self, save)

    def compose(self) -> ComposeResult:
        yield Prose(COMPUTING, id="memory-headline", markup=False)
        yield TimeLine(id="memory-time")

    def show(self, timeline: Timeline, moment: TimelinePoint, turning: Sequence[TurningPoint], note: str) -> None:
        """Show a checkpoint. `note` says what happened there, if that is known."""
        whole = headline(moment.learner, moment.exact)
        if timeline.seen(moment.rounds) is None:
            whole = COMPUTING
        sentences = [way for reader in READERS for way in _shorter(whole.replace(READERS[0], reader), reader)]
        sentences.append(f"{sentences[-1].partition(' (')[0].removesuffix('.')}.")
        whole = next((each for each in sentences if len(each) <= self.content_size.width), sentences[-1])
        self.query_one("#memory-headline", Static).update(whole)
        known = [timeline.seen(rounds) for rounds in timeline.moments]
        heights = [None if each is None else each.loss(OPPONENT) for each in known]
        seen = checkpoints_showing(turning, timeline.moments)
        self.query_one(TimeLine).show(timeline.moments, moment.rounds, heights, seen)
        self.screen.set_class(len(timeline.moments) == 1, "-single")
        spec = moment.learner.spec
        self.when = moment_text(timeline, moment.rounds, spec.round_noun) if spec.learns else UNTEACHABLE
        self.happened = note
        if not note and len(timeline.moments) > 1:
            lost, told = moment.loss(OPPONENT), [at for at, rounds in enumerate(seen) if rounds == moment.rounds]
            words = [f"{mark_of(each)} {sentence_with_rounds(turning[each], spec.round_noun)}" for each in told]
            if lost is not None and not words:
                words = [f"lost to perfect play: {percent_text(lost)}"]
            ways = [" ".join(words[begin:]) for begin in range(len(words))]
            keys = " · ".join([*ways[:1], "`,` `.` go through time"])
            self.happened = fitting(self, keys, *ways, *map(briefly, ways))
        entitle(self, f"{self.save} · {self.when}", self.happened)


def _shorter(sentence: str, reader: str) -> tuple[str, str]:
    """Return a sentence on games lost to a `reader`, and a shorter way to say it."""
    return sentence, sentence.replace(" of games", "").replace(f"; {reader} beats it", f", {reader}")


class CardPanel(Vertical):
    """Shows a card: as an open box if there is room, and each move with its history."""

    _shown: tuple[Learner | None, int | None, int] = (None, None, 0)
    _asked = 0
    """How often the user asked for the history of a number of this card: each time for that of the next move."""

    def ask_why(self, library: Library, save: str) -> None:
        """Show the history of a number of the card in a save: of the likeliest move first, then of the next ones."""
        learner, edge, turn = self._shown
        if learner is not None and edge is not None:
            card = turned_card(learner, edge, turn)
            moves = moves_of(learner, card)
            self.query_one(WhyStrip).ask(library, save, card.position, moves[self._asked % len(moves)].move)
            self._asked += 1

    def compose(self) -> ComposeResult:
        with SizedPanel(id="memory-box"):
            yield OpenBoxView()
        yield CardView(id="memory-moves")
        yield WhyStrip(id="memory-why")

    def on_resize(self) -> None:
        self.show(*self._shown)

    def show(self, learner: Learner | None, edge: int | None, turn: int) -> None:
        """Show the card of an edge, turned by `turn` as in `turned_card`; without an edge, show nothing."""
        if (learner, edge, turn) != self._shown:
            self.query_one(WhyStrip).close()
            self._asked = 0
        self._shown = learner, edge, turn
        view, drawn, told = self.query_one(OpenBoxView), None, True
        if learner is not None and edge is not None:
            card = turned_card(learner, edge, turn)
            if not learner.spec.parameters:
                own = int(learner.space.move[edge]) if learner.view.words.numbering else None  # the card of one move
                before = histories(learner, card.position, learner.thoughts(card.position))
                listed = self.size.height >= BOTH_FROM  # below the box; else in its squares
                box = open_box(learner, card.position, own, before={} if listed else before)
                rows = len(box.squares) // box.columns if box.squares else 0
                fits = self.size.height > 2 * rows + len(box.below) and (listed or not box.below or not before)
                drawn = box if fits else None
                told = drawn is None or (listed and bool(before)) or bool(learner.view.details(card.position))
        view.show(drawn)
        self._entitle()
        self.set_class(drawn is not None, "-drawn")
        self.set_class(not told, "-untold")
        self.query_one(CardView).show(learner, edge, turn, board_drawn=drawn is not None)

    @on(SizedPanel.Sized)
    def _entitle(self) -> None:
        """Say what the card is, and what its signs mean: what a bead stands for depends on the room of the box."""
        learner, edge, _ = self._shown
        if learner is None or edge is None:
            entitle(self, "")
        else:
            title, view = heading_of(learner, edge), self.query_one(OpenBoxView)
            ways = (" · ".join(title[:count]) for count in range(len(title), 0, -1))
            signs = _signs(learner, edge, view.box, view.worth if view.size else 0.0)
            entitle(self, fitting(self, *ways), fitting(self, *signs))


def _signs(learner: Learner, edge: int, box: OpenBox | None, worth: float) -> tuple[str, ...]:
    """Return what the signs in a card mean, of a bead its `worth`, and its key: the longest way first."""
    board, position = learner.game.board, learner.view.card(edge).position
    keys = ["`w` turns the board"] if merges(learner) else []
    if learner.spec.parameters:
        return (" · ".join(keys),)
    move = learner.game.moves(position)[0]
    name, option = learner.game.move_name(move), board.option(position, move)
    signs = [f"{name}: {option} at {name[: -len(option)]}"] if option else []
    signs += [learner.view.words.numbering] if learner.view.words.numbering else []
    twins = groups_of(learner, position, learner.thoughts(position))[1] if box is not None and merges(learner) else {}
    named = [learner.game.move_label(position, first) for first in twins.values()][:1]
    signs += [f"= {each}: the same as {each}" for each in named]
    signs = [worth_text(worth)] if worth_text(worth) else signs
    if box is not None and any(square.before for square in box.squares):
        keys = [f"{BARS[0]}{BARS[-1]} {BEFORE}", *keys]
    return " · ".join([*signs, *keys]), " · ".join(keys)
