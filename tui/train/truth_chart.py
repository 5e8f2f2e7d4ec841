"""The curves of truth: how many games a learner in training loses to whom, exactly, at each moment that is known."""

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
from tui.shell.live_text import Steady
from tui.widgets.chart import Chart, Curve

CURVES: Final = (
    Curve("random", "", "success", sign="r"),
    Curve("perfect", "", "foreground", sign="p"),
    Curve("best_responder", "", "error", sign="b"),
)
MARGIN: Final = 2
"""The columns before the legend."""
LIMITS: Final = (-0.05, 1.02)
"""Where the axis of losses begins and ends: a line at nought stands above it."""


class TruthChart(Chart):
    """Losses as one side over the rounds, a line for each opponent that has much to tell."""

    DEFAULT_CSS = """
    TruthChart > #truth-title { height: 1; padding: 0 0 0 2; }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self.shares, self.log_counts = True, False

    def compose(self) -> ComposeResult:
        yield Steady(id="truth-title")
        yield from super().compose()

    def tell(self, known: Mapping[int, ExactResults], learner: Learner, side: Side, rounds: int) -> None:
        """Draw what is known of that side by the number of rounds, ascending, on an axis that reaches `rounds`."""
        key = side.name.lower()
        points = [
            (at, {curve.key: exact[key].against[curve.key].loss for curve in CURVES}) for at, exact in known.items()
        ]
        self.query_one("#truth-title", Steady).tell(self._title(learner, side, known[max(known)] if known else {}))
        self.curves = self._named(points[-1][1] if points else {})
        self.show(points, rounds=rounds, marks=learner.game.marks)

    def _title(self, learner: Learner, side: Side, last: ExactResults) -> Text:
        """Whose losses are drawn; beside it the last ones of the other side, if it has one, where there is room."""
        lost, never = f"Lost as {learner.game.mark(side)}", side in untrained(learner)
        tail = ", untrained" if never else ", exactly"
        if side.other not in learner.sides:
            return Text(lost + tail, "bold", no_wrap=True)
        seen = last[side.other.name.lower()].against if last else {}
        losses = [(f"{curve.sign}{{}}{percent_number(seen[curve.key].loss)}", curve) for curve in CURVES if seen]
        shortest = tail if never else ""
        for words, shown, gap in ((tail, losses, " "), (tail, losses, ""), (shortest, losses, ""), (tail, [], "")):
            title = Text.assemble(
                (lost + words, "bold"),
                (f"  o: as {learner.game.mark(side.other)}", "dim"),
                *((f" {gap}{loss.format(gap)}", self._colour(curve)) for loss, curve in shown),
                no_wrap=True,
            )
            if title.cell_len + MARGIN <= self.size.width:
                break
        return title

    def _named(self, last: Mapping[str, float]) -> tuple[Curve, ...]:
        """The curves with their last values, in short words where the legend would not find room."""
        for best, unit in (("best responder", " %"), ("best responder", ""), ("best", "")):
            names = {"random": "random", "perfect": "perfect", "best_responder": best}
            told = {key: f"{name} {percent_number(last[key])}{unit}" if last else name for key, name in names.items()}
            if len("  ".join(told.values())) + MARGIN <= self.size.width:
                break
        return tuple(replace(curve, label=told[curve.key]) for curve in CURVES)

    def _limits(self, low: float, top: float) -> tuple[float, float]:
        return LIMITS
