"""The parts of the screen of a save: its headline with the time line, and the card under the cursor, large."""

from collections.abc import Sequence
from typing import Final

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from lab.memory.card_filter import merges_twins
from lab.memory.open_box import OpenBox, groups_of, open_box
from lab.results.exact_results import Timeline, TimelinePoint
from lab.results.score_lines import READERS, shorten_reader
from lab.results.tables import exact_text, headline
from lab.text.axes import mark_of
from lab.text.numbers import BARS, percent_text
from lab.training.checkpoints import checkpoints_showing, moment_text
from lab.training.turning_points import TurningPoint, sentence_with_rounds
from learners.core.learner import Learner
from saves.library.library import Library
from tui.library.time_line import TimeLine
from tui.shell.learner_facts import UNTEACHABLE
from tui.shell.parts import Prose, SizedPanel, entitle, fitting_text
from tui.widgets.card_view import HISTORY_HEADING, CardView, card_heading, histories, listed_thoughts, turned_card
from tui.widgets.exact_bars import bars_beside
from tui.widgets.open_box import OpenBoxView, worth_text
from tui.widgets.palette import theme_colour
from tui.widgets.why_strip import WhyStrip

OPPONENT: Final = "perfect"
"""The curve of the time line shows the losses to this opponent."""
COMPUTING: Final = "Computing the exact results …"
HISTORIES_FROM: Final = 18
"""The minimum height of a card's panel, in lines, to list histories below the open box; else its squares show them."""


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
        self.moment_text = ""
        """Which checkpoint is shown."""
        self.checkpoint_note = ""
        """What happened at the checkpoint that is shown; if nothing, what the curve shows."""
        entitle(self, save)

    def compose(self) -> ComposeResult:
        yield Prose(COMPUTING, id="memory-headline", markup=False)
        yield TimeLine(id="memory-time")

    def show(self, timeline: Timeline, moment: TimelinePoint, turning: Sequence[TurningPoint], note: str) -> None:
        """Show a checkpoint. `note` says what happened there, if that is known."""
        is_known = timeline.computed_at(moment.rounds) is not None
        self._show_headline(headline(moment.learner, moment.exact) if is_known else COMPUTING)
        points = [timeline.computed_at(rounds) for rounds in timeline.moments]
        heights = [None if point is None else point.loss(OPPONENT) for point in points]
        marks = checkpoints_showing(turning, timeline.moments)
        self.query_one(TimeLine).show(timeline.moments, moment.rounds, heights, marks)
        self.screen.set_class(len(timeline.moments) == 1, "-single")
        spec = moment.learner.spec
        self.moment_text = moment_text(timeline, moment.rounds, spec.round_noun) if spec.learns else UNTEACHABLE
        self.checkpoint_note = note
        if not note and len(timeline.moments) > 1:
            numbers = [number for number, rounds in enumerate(marks) if rounds == moment.rounds]
            sentences = [f"{mark_of(each)} {sentence_with_rounds(turning[each], spec.round_noun)}" for each in numbers]
            loss = moment.loss(OPPONENT)
            if loss is not None and not sentences:
                sentences = [f"lost to perfect play: {percent_text(loss)}"]
            texts = [" ".join(sentences[start:]) for start in range(len(sentences))]
            with_keys = " · ".join([*texts[:1], "`,` `.` go through time"])
            self.checkpoint_note = fitting_text(self, with_keys, *texts, *map(shorten_reader, texts))
        entitle(self, f"{self.save} · {self.moment_text}", self.checkpoint_note)

    def _show_headline(self, sentence: str) -> None:
        """Show a sentence on the games that a save loses, or the longest short form of it that fits."""
        forms = []
        for reader in READERS:
            form = sentence.replace(READERS[0], reader)
            forms += [form, form.replace(" of games", "").replace(f"; {reader} beats it", f", {reader}")]
        forms.append(f"{forms[-1].partition(' (')[0].removesuffix('.')}.")
        longest = next((form for form in forms if len(form) <= self.content_size.width), forms[-1])
        self.query_one("#memory-headline", Static).update(longest)


class CardPanel(Vertical):
    """Shows a card: as an open box if there is room, and each move with its history."""

    _shown: tuple[Learner | None, int | None, int] = (None, None, 0)
    _questions = 0
    """How often the user asked for the history of a number of this card: each time for that of the next move."""

    def ask_why(self, library: Library, save: str) -> None:
        """Show the history of a number of the card in a save: of the likeliest move first, then of the next ones."""
        learner, edge, turn = self._shown
        if learner is not None and edge is not None:
            card = turned_card(learner, edge, turn)
            moves = listed_thoughts(learner, card)
            self.query_one(WhyStrip).ask(library, save, card.position, moves[self._questions % len(moves)].move)
            self._questions += 1

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
            self._questions = 0
        self._shown = learner, edge, turn
        box, has_list = None, True
        if learner is not None and edge is not None and not learner.spec.parameters:
            box, has_list = self._choose_box(learner, edge, turn)
        self.query_one(OpenBoxView).show(box)
        self._entitle()
        self.set_class(box is not None, "-drawn")
        self.set_class(not has_list, "-untold")
        self.query_one(CardView).show(learner, edge, turn, board_drawn=box is not None)

    def _choose_box(self, learner: Learner, edge: int, turn: int) -> tuple[OpenBox | None, bool]:
        """Return the open box of a card, `None` if it does not fit, and whether there is something to list below it."""
        position = turned_card(learner, edge, turn).position
        own_move = int(learner.space.move[edge]) if learner.view.words.numbering else None  # the card of one move
        before = histories(learner, position, learner.thoughts(position))
        lists_histories = self.size.height >= HISTORIES_FROM
        box = open_box(learner, position, own_move, before={} if lists_histories else before)
        rows = len(box.squares) // box.columns if box.squares else 0
        shows_histories = lists_histories or not box.below or not before
        if self.size.height <= 2 * rows + len(box.below) or not shows_histories:
            return None, True
        return box, (lists_histories and bool(before)) or bool(learner.view.details(position))

    @on(SizedPanel.Sized)
    def _entitle(self) -> None:
        """Say what the card is, and what its signs mean: what a bead stands for depends on the room of the box."""
        learner, edge, _ = self._shown
        if learner is None or edge is None:
            entitle(self, "")
            return
        parts, view = card_heading(learner, edge), self.query_one(OpenBoxView)
        titles = (" · ".join(parts[:count]) for count in range(len(parts), 0, -1))
        legends = _legends(learner, edge, view.box, view.worth if view.size else 0.0)
        entitle(self, fitting_text(self, *titles), fitting_text(self, *legends))


def _legends(learner: Learner, edge: int, box: OpenBox | None, worth: float) -> tuple[str, ...]:
    """Return what the signs in a card mean, of a bead its `worth`, and its key: the longest text first."""
    keys = ["`w` turns the board"] if merges_twins(learner) else []
    if learner.spec.parameters:
        return (" · ".join(keys),)
    bead_text = worth_text(worth)
    signs = [bead_text] if bead_text else _sign_texts(learner, edge, box)
    if box is not None and any(square.before for square in box.squares):
        keys.insert(0, f"{BARS[0]}{BARS[-1]} {HISTORY_HEADING}")
    return " · ".join([*signs, *keys]), " · ".join(keys)


def _sign_texts(learner: Learner, edge: int, box: OpenBox | None) -> list[str]:
    """Return what the names of moves with options mean, the numbers, and the sign of a move that is the same."""
    texts, position = [], learner.view.card(edge).position
    move = learner.game.moves(position)[0]
    name, option = learner.game.move_name(move), learner.game.board.option(position, move)
    if option:
        texts.append(f"{name}: {option} at {name[: -len(option)]}")
    if learner.view.words.numbering:
        texts.append(learner.view.words.numbering)
    if box is not None and merges_twins(learner):
        _, twins = groups_of(learner, position, learner.thoughts(position))
        if twins:
            label = learner.game.move_label(position, next(iter(twins.values())))
            texts.append(f"= {label}: the same as {label}")
    return texts
