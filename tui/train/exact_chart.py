"""The chart of exact results: the share of games that a learner loses to each opponent, at each known checkpoint."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from rich.text import Text
from textual.app import ComposeResult

from engine.game import Side
from lab.training.exact_history import ExactResults
from lab.words.learner_facts import untrained
from lab.words.numbers import percent_number
from learners.core.learner import Learner
from tui.shell.live_text import LiveText
from tui.widgets.chart import Chart, Curve

CURVES: Final = (
    Curve("random", "", "success", sign="r"),
    Curve("perfect", "", "foreground", sign="p"),
    Curve("best_responder", "", "error", sign="b"),
)
MARGIN: Final = 2
"""The columns before the legend."""
LIMITS: Final = (-0.05, 1.02)
"""The ends of the axis of losses, which lies a little below zero so that a curve at zero is visible."""


class ExactChart(Chart):
    """Shows exact losses as one side over the rounds, a curve for each opponent."""

    DEFAULT_CSS = """
    ExactChart > #exact-title { height: 1; padding: 0 0 0 2; }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self.shares, self.log_counts = True, False

    def compose(self) -> ComposeResult:
        yield LiveText(id="exact-title")
        yield from super().compose()

    def show_side(self, known: Mapping[int, ExactResults], learner: Learner, side: Side, rounds: int) -> None:
        """Draw the results of a side by number of rounds, ascending, on an axis that ends at `rounds`."""
        key = side.name.lower()
        points = [
            (at, {curve.key: exact[key].against[curve.key].loss for curve in CURVES}) for at, exact in known.items()
        ]
        self.query_one("#exact-title", LiveText).set_text(
            self._title(learner, side, known[max(known)] if known else {})
        )
        self.curves = self._named(points[-1][1] if points else {})
        self.show(points, rounds=rounds, marks=learner.game.marks)

    def _title(self, learner: Learner, side: Side, last: ExactResults) -> Text:
        """Which losses are drawn; beside that the last losses of the other side, where there is room."""
        lost, never = f"Lost as {learner.game.mark(side)}", side in untrained(learner)
        tail = ", untrained" if never else ", exactly"
        if side.other not in learner.sides:
            return Text(lost + tail, "bold", no_wrap=True)
        results = last[side.other.name.lower()].against if last else {}
        losses = [(f"{curve.sign}{{}}{percent_number(results[curve.key].loss)}", curve) for curve in CURVES if results]
        shortest = tail if never else ""
        for words, listed, gap in ((tail, losses, " "), (tail, losses, ""), (shortest, losses, ""), (tail, [], "")):
            title = Text.assemble(
                (lost + words, "bold"),
                (f"  o: as {learner.game.mark(side.other)}", "dim"),
                *((f" {gap}{loss.format(gap)}", self._colour(curve)) for loss, curve in listed),
                no_wrap=True,
            )
            if title.cell_len + MARGIN <= self.size.width:
                break
        return title

    def _named(self, last: Mapping[str, float]) -> tuple[Curve, ...]:
        """The curves with their last values; their names are shortened where the legend has no room."""
        for best, unit in (("best responder", " %"), ("best responder", ""), ("best", "")):
            names = {"random": "random", "perfect": "perfect", "best_responder": best}
            labels = {key: f"{name} {percent_number(last[key])}{unit}" if last else name for key, name in names.items()}
            if len("  ".join(labels.values())) + MARGIN <= self.size.width:
                break
        return tuple(replace(curve, label=labels[curve.key]) for curve in CURVES)

    def _limits(self, low: float, top: float) -> tuple[float, float]:
        return LIMITS
