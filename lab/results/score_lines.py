"""A table of exact results in plain text, and the names of opponents. Imports no learner, since that is slow."""

from collections.abc import Collection, Mapping
from typing import Final

from engine.evaluate import Results
from engine.game import Game, Side
from engine.plural import counted_noun
from lab.text.columns import columns
from lab.text.numbers import percent_text

READER: Final = "reader"
"""The name of the best responder."""
READER_NOTE: Final = "reader: a player that has read its memory, and makes it lose as often as possible"
"""What the name means, where it stands nearby; in a sentence, one of `READERS` does."""
READERS: Final = "a player that has read its memory", f"a {READER} of its memory", f"a {READER}"
"""The best responder in a sentence, from the longest wording to the shortest."""
NAMES: Final = {"random": "random", "perfect": "perfect", "self": "itself", "best_responder": READER}
"""The names of the opponents, by their keys in `engine.evaluate.OPPONENTS`."""
TELLING: Final = {"random": "random", "perfect": "perfect", "best_responder": READER}
"""The opponents that show best how strong a player is, each in a word or two."""
IN_SENTENCES: Final = {"random": "random play", "perfect": "perfect play", "best_responder": READERS[0]}
"""The names of the same opponents within a sentence."""


def shorten_reader(sentence: str) -> str:
    """Return a sentence with the best responder's short name, for places where `READER` is explained nearby."""
    return sentence.replace(READERS[0], READERS[-1])


def results_by_mark(game: Game, exact: Mapping[str, Results]) -> list[tuple[str, Results]]:
    """Return the results of each side with the mark of the side."""
    return [(mark, exact[side]) for side, mark in zip(("first", "second"), game.marks, strict=True) if side in exact]


def results_lines(game: Game, scores: Mapping[str, Results], sides: Collection[Side] = tuple(Side)) -> list[str]:
    """Return a table of the player's chances as each of `sides`: a line for each opponent, then lines on its moves."""
    shown = results_by_mark(game, {side.name.lower(): scores[side.name.lower()] for side in sides})
    ends = ("win", "draw", "loss") if game.has_draws else ("win", "loss")
    head = [""]
    for mark, _ in shown:
        head += [f"as {mark}:", *[""] * (len(ends) - 1)]
    rows = [head, ["against", *ends * len(shown)]]
    for opponent, name in NAMES.items():
        if opponent == "self" and len(sides) < len(Side):
            continue  # it plays one side only
        chances = [results.against[opponent] for _, results in shown]
        rows.append([name, *(percent_text(getattr(each, end)) for each in chances for end in ends)])
    table = columns(rows, "<" + ">" * (len(rows[0]) - 1))
    return [*table, *(_moves_line(mark, results) for mark, results in shown)]


def _moves_line(mark: str, results: Results) -> str:
    decisions = counted_noun(round(results.decisions), "decision")
    losing = counted_noun(round(results.losing_pairs), "losing move")
    # a perfect move that loses is one of a position in which every move does
    where = ", in lost positions only" if results.perfect_moves == 1 and results.losing_pairs else ""
    return (
        f"As {mark}: {decisions}, {percent_text(results.perfect_moves)} of the moves perfect, {losing} possible{where}"
    )
