"""The characters and colours of the squares of small boards."""

from dataclasses import replace

import pytest
from rich.style import Style
from textual.color import Color

from lab.memory.matchbox import BEADS, Square, SquareKind
from lab.text.ascii import ascii_text
from tui.shell.filters import contrast
from tui.widgets.palette import PLAIN

COLOURS = tuple(Style(color=dark) for dark, _ in BEADS)
STEPS = tuple(Style(color=f"rgb({30 * step},0,0)") for step in range(9))
COLOURED = replace(PLAIN, beads=COLOURS, values=STEPS, struck=STEPS)


def bar(kind, level, **others):
    return COLOURED.look(Square(kind, level=level, **others))


@pytest.mark.parametrize(
    ("share", "text"), [(0, "·"), (0.001, "▁"), (1 / 7, "▁"), (1 / 3, "▃"), (0.5, "▄"), (0.6, "▅"), (1, "▇")]
)
def test_a_bar_is_as_high_as_the_share_and_never_missing(share, text):
    assert bar(SquareKind.BEAD, share, hue=1)[0] == bar(SquareKind.SHARE, share)[0] == text


def test_bars_of_beads_are_in_their_colours():
    assert [bar(SquareKind.BEAD, 0.5, hue=hue)[1] for hue in range(1, 10)] == [*COLOURS]


@pytest.mark.parametrize("kind", [SquareKind.VALUE, SquareKind.STRUCK])
def test_values_and_failures_run_through_one_scale(kind):
    found = [bar(kind, level)[1].color for level in (0, 0.5, 1)]
    assert found == [STEPS[step].color for step in (0, 4, 8)]
    assert bar(kind, 0)[0] != "·", "a certain loss is known, too"


def test_every_glyph_has_its_own_in_ascii():
    glyphs = {bar(kind, level / 8)[0] for kind in (SquareKind.SHARE, SquareKind.STRUCK) for level in range(9)}
    letters = {ascii_text(glyph) for glyph in glyphs}
    assert len(letters) == len(glyphs)
    assert not letters & {"X", "O", "B", "W", "?"}


@pytest.mark.parametrize(("ground", "paper"), [(0, "#121212"), (0, "#2e3440"), (1, "#e0e0e0"), (1, "#fdf6e3")])
def test_every_bead_colour_is_readable_and_distinct(ground, paper):
    colours = [Color.parse(pair[ground]) for pair in BEADS]
    assert len(set(colours)) == len(BEADS) == 9
    assert min(contrast(colour, Color.parse(paper)) for colour in colours) >= 3
