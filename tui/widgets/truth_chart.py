"""The curves of truth: how many games a learner in training loses to whom, exactly, at each moment that is known."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from rich.text import Text
from textual.app import ComposeResult

from engine.game import Game, Side
from tui.figures import percent_number
from tui.truth import Exact
from tui.widgets.chart import Chart, Curve
from tui.widgets.steady import Steady

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

    def tell(self, known: Mapping[int, Exact], side: Side, game: Game, rounds: int, *, other: bool) -> None:
        """Draw what is known of that side by the number of rounds, ascending, on an axis that reaches `rounds`.

        `other` tells that there is another side to be seen.
        """
        title = Text(f"Lost as {game.mark(side)}, exactly", "bold", no_wrap=True)
        title.append(f"  o: as {game.mark(side.other)}" if other else "", "not bold dim")
        self.query_one("#truth-title", Steady).tell(title)
        key = side.name.lower()
        points = [
            (at, {curve.key: exact[key].against[curve.key].loss for curve in CURVES}) for at, exact in known.items()
        ]
        self.curves = self._named(points[-1][1] if points else {})
        self.show(points, rounds=rounds, marks=game.marks)

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
