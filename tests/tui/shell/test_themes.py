"""Themes and their contrast, and the filters of drawn lines."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import BLACK, WHITE, Color

from lab.text.sanitise import without_controls
from tests.tui.piloting import make_app, running
from tui.shell.filters import AS_ASCII, PRINTABLE, Contrast, contrast, legible_pair
from tui.shell.looks import CONTRASTS, ROLE_COLOURS, THEMES
from tui.shell.parts import Prose

COLOURS = st.builds(Color, *[st.integers(0, 255)] * 3)
SEEN_AT_A_GLANCE = 10
"""A distance of colours that is obvious; one of 2.3 is just noticeable."""
VISIONS = {
    "normal": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
"""How linear red, green and blue are seen: Machado, Oliveira, Fernandes (2009), severity 1."""


def seen(colour, vision):
    """A colour in CIE L*a*b*, as it appears with this type of colour vision."""
    parts = np.array(colour.normalized)
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    mixed = np.clip(np.array(vision) @ linear, 0, 1)
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = (np.cbrt(part) if part > 0.008856 else 7.787 * part + 16 / 116 for part in to_xyz @ mixed / WHITE_POINT)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


WHITE_POINT = np.array([0.95047, 1, 1.08883])


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [("#000", "#fff", 21), ("#777777", "#ffffff", 4.48), ("#0000ff", "#ffffff", 8.59), ("#777", "#777", 1)],
)
def test_contrast_is_that_of_the_guidelines(one, other, ratio):
    assert round(contrast(Color.parse(one), Color.parse(other)), 2) == ratio


@given(COLOURS, COLOURS, st.sampled_from([4.5, 7.0]))
def test_unreadable_colours_are_changed_and_readable_ones_are_not(ink, ground, least):
    assert contrast(*legible_pair(ink, ground, least)) >= least
    if contrast(ink, ground) >= least:
        assert legible_pair(ink, ground, least) == (ink, ground)


def test_a_shade_stays_between_its_neighbours():
    shades = [legible_pair(WHITE, Color(grey, grey, grey), 7.0)[1].r for grey in range(256)]
    assert all(one <= other for one, other in pairwise(shades))
    assert len(set(shades)) > 20


def test_the_contrast_filter_keeps_texts_and_other_styles():
    style = Style(color="#404040", bgcolor="#000000", dim=True, bold=True, reverse=True)
    [shown] = Contrast(7.0).apply([Segment("a", style)], BLACK)
    assert (shown.text, shown.style.bold, shown.style.reverse, shown.style.dim) == ("a", True, True, False)
    assert contrast(*map(Color.from_rich_color, (shown.style.color, shown.style.bgcolor))) >= 7.0
    unknown = [Segment("a", Style(bold=True)), Segment("b")]
    assert Contrast(7.0).apply(unknown, BLACK) == unknown


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_every_colour_of_a_theme_can_be_read_on_its_grounds(theme):
    least = {"high-contrast": 7.0, "colour-blind": 4.5}[theme.name.rpartition("-")[0]]
    assert CONTRASTS[theme.name].min_ratio == least
    for ground in (theme.background, theme.surface, theme.panel):
        assert contrast(Color.parse(theme.foreground), Color.parse(ground)) >= least
    if least == 7.0:
        for ink in (theme.primary, theme.secondary, theme.warning, theme.error, theme.success, theme.accent):
            assert contrast(Color.parse(ink), Color.parse(theme.background)) >= least


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("theme", [theme for theme in THEMES if "blind" in theme.name], ids=lambda theme: theme.name)
def test_colours_with_a_meaning_differ_for_every_type_of_vision(theme, vision):
    ground, least = Color.parse(theme.background), CONTRASTS[theme.name].min_ratio
    named = (theme.primary, theme.warning, theme.success, theme.error, theme.foreground)
    inks = [legible_pair(Color.parse(ink), ground, least)[0] for ink in named]
    for one, other in combinations(inks, 2):
        assert np.linalg.norm(seen(one, VISIONS[vision]) - seen(other, VISIONS[vision])) >= SEEN_AT_A_GLANCE


@pytest.mark.long
async def test_roles_of_colours_are_readable_and_distinct_in_every_theme():
    async with running(make_app()) as pilot:
        for name in sorted(pilot.app.available_themes):
            pilot.app.theme = name
            variables = pilot.app.get_css_variables()
            roles = {role: variables[f"role-{role}"] for role in (*ROLE_COLOURS, "heat")}
            if any("ansi" in colour for colour in roles.values()):
                continue  # the terminal chooses these colours
            ground = Color.parse(variables["background"])
            for role, colour in roles.items():
                assert contrast(Color.parse(colour), ground) >= 4.4, (name, role)
            for one, other in (("first", "second"), ("first", "heat"), ("second", "heat"), ("good", "bad")):
                apart = seen(Color.parse(roles[one]), VISIONS["normal"]) - seen(
                    Color.parse(roles[other]), VISIONS["normal"]
                )
                assert np.linalg.norm(apart) >= SEEN_AT_A_GLANCE, (name, one, other)


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"])))
def test_ascii_text_keeps_its_width(text):
    [drawn] = AS_ASCII.apply([Segment(text, Style(bold=True))], BLACK)
    assert drawn.text.isascii()
    assert len(drawn.text) == cell_len(text)
    assert drawn.style == Style(bold=True)


def test_a_dot_between_words_is_no_full_stop_in_ascii_and_one_between_squares_stays_a_dot():
    lines = ("Game 1 · you are X", " adds · ", "lost 2 % · m next", "X · O │ · · ·")
    drawn = [AS_ASCII.apply([Segment(line, Style())], BLACK)[0].text for line in lines]
    assert drawn == ["Game 1 - you are X", " adds - ", "lost 2 % - m next", "X . O | . . ."]


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


async def test_no_line_of_a_sentence_begins_with_a_per_cent_sign(pilot):
    text = Prose("plays 12 % less", markup=False)
    text.styles.width = 9
    await pilot.screen.mount(text)
    await pilot.pause()
    lines = text.render_lines(text.size.region)
    assert [line.text.rstrip() for line in lines] == ["plays", "12 % less"]
