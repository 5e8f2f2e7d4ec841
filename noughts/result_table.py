"""Exact results as a small object that prints itself as a table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape

from engine.evaluate import Chances, Results
from engine.game import Game, Side


@dataclass(frozen=True, repr=False)
class ResultTable(Mapping[str, Mapping[str, Chances]]):
    """Exact chances by side and opponent: `table["first"]["random"].loss`.

    The opponents are `random`, `perfect`, `self`, and `best_responder`: the one that has read its memory, and makes it
    lose as often as possible. Chances are from 0 to 1, and have no sampling error.
    """

    game: Game
    results: Mapping[str, Results]
    """By side, with counts of decisions and of losing moves; see `engine.evaluate.Results`."""
    trained: Sequence[Side]
    """The sides that it was trained for; on another it plays as an untrained one does."""

    def __getitem__(self, side: str) -> Mapping[str, Chances]:
        """The chances as a side, by opponent."""
        return self.results[side].against

    def __iter__(self) -> Iterator[str]:
        """The sides."""
        return iter(self.results)

    def __len__(self) -> int:
        """The number of sides."""
        return len(self.results)

    @property
    def never_loses(self) -> bool:
        """Whether no opponent can make it lose, on any of the sides."""
        return all(results.against["best_responder"].loss == 0 for results in self.results.values())

    def to_dict(self) -> dict[str, dict[str, dict[str, float]]]:
        """Return plain dictionaries: `{"first": {"random": {"win": …, "draw": …, "loss": …}, …}, …}`."""
        return {side: {name: asdict(chances) for name, chances in self[side].items()} for side in self}

    def rows(self) -> list[tuple[str, str, float, float, float]]:
        """Return a row for each side and opponent: the mark, the opponent, and the chances to win, draw, lose."""
        return [
            (self.game.mark(Side[side.upper()]), name.replace("_", " "), each.win, each.draw, each.loss)
            for side in self
            for name, each in self[side].items()
        ]

    def __repr__(self) -> str:
        """The table in plain text, in per cent."""
        lines = [f"{'as':<4}{'against':<16}{'win':>8}{'draw':>8}{'loss':>8}"]
        lines += [
            f"{mark:<4}{name:<16}" + "".join(f"{100 * each:8.2f}" for each in row) for mark, name, *row in self.rows()
        ]
        return "\n".join([*lines, *self._untrained()])

    def _untrained(self) -> list[str]:
        """A line for each side that it was not trained for."""
        return [
            f"as {self.game.mark(side)}: untrained"
            for side in Side
            if side.name.lower() in self and side not in self.trained
        ]

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{each}</th>" for each in ("as", "against", "win %", "draw %", "loss %"))
        body = "".join(
            f"<tr><td>{escape(mark)}</td><td>{escape(name)}</td>"
            + "".join(f"<td>{100 * each:.2f}</td>" for each in row)
            + "</tr>"
            for mark, name, *row in self.rows()
        )
        notes = "".join(f"<p>{escape(line)}</p>" for line in self._untrained())
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}"
