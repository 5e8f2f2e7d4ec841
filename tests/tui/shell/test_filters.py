"""Filters of drawn lines, and copied text: only printable characters, and only ASCII if requested."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import BLACK

from lab.text.sanitise import without_controls
from tests.tui.piloting import make_app
from tui.shell.filters import AS_ASCII, PRINTABLE


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"])))
def test_ascii_text_keeps_its_width(text):
    [drawn] = AS_ASCII.apply([Segment(text, Style(bold=True))], BLACK)
    assert drawn.text.isascii()
    assert len(drawn.text) == cell_len(text)
    assert drawn.style == Style(bold=True)


@given(st.text())
def test_unprintable_characters_are_replaced_and_the_width_is_kept(text):
    [drawn] = PRINTABLE.apply([Segment(text, Style(bold=True))], BLACK)
    assert without_controls(drawn.text) == drawn.text
    assert cell_len(drawn.text) == cell_len(text)
    assert drawn.style == Style(bold=True)


def test_printable_text_is_not_changed():
    segments = [Segment("[X] é 日本", Style(bold=True)), Segment("│", None)]
    assert PRINTABLE.apply(segments, BLACK) == segments


def test_a_lone_surrogate_is_copied_as_a_question_mark():
    app = make_app()
    app.copy_to_clipboard("a\udcffb")
    assert app.clipboard == "a?b"
