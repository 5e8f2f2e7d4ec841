"""Lines are drawn as Textual draws them, with less made and less kept."""

import inspect
import re
from weakref import ref

import pytest
from rich.segment import Segment
from rich.style import Style
from textual import strip as textual_strip
from textual._styles_cache import StylesCache
from textual.cache import FIFOCache
from textual.color import Color
from textual.strip import Strip

from tests.tui.piloting import running, screen_text
from tui.shell.lean import ENTRIES

BOLD = Style(bold=True)


def line():
    return Strip([Segment("noughts ", BOLD), Segment("and"), Segment(" crosses")])


def caches(strip):
    return {name for name in ENTRIES if name in dir(strip) and has(strip, name)}


def has(strip, name):
    try:
        getattr(Strip, name).__get__(strip)
    except AttributeError:
        return False
    return True


def test_the_caches_of_a_strip_are_those_that_textual_makes():
    source = inspect.getsource(textual_strip.Strip)
    made = re.findall(r"self\.(_\w+): FIFOCache\[.*?\] = FIFOCache\((\d+)\)", source, re.DOTALL)
    assert {name: int(size) for name, size in made} == ENTRIES
    none = re.findall(r"self\.(_\w+): [\w |\[\]]+ = None", source)
    assert {*ENTRIES, *none, "_segments", "_cell_length"} == {*Strip.__slots__}


@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("_divide_cache", lambda strip: strip.divide([3, 8, 19])),
        ("_crop_cache", lambda strip: strip.crop(2, 9)),
        ("_style_cache", lambda strip: strip.apply_style(BOLD)),
        ("_line_length_cache", lambda strip: strip.adjust_cell_length(30)),
        ("_crop_extend_cache", lambda strip: strip.crop_extend(2, 30, None)),
        ("_offsets_cache", lambda strip: strip.apply_offsets(3, 4)),
    ],
)
def test_a_strip_gets_a_cache_when_it_is_looked_into_and_keeps_what_it_holds(name, use):
    strip = line()
    assert caches(strip) == set()
    first = use(strip)
    assert name in caches(strip)
    assert isinstance(getattr(strip, name), FIFOCache)
    assert use(strip) is first
    assert "".join(piece.text for piece in (first if isinstance(first, list) else [first])).strip() in strip.text


def test_a_strip_has_nothing_else_than_before():
    strip = line()
    assert (strip.cell_length, strip.link_ids, len(strip), list(line())) == (19, {""}, 3, list(strip))
    assert strip == line()
    with pytest.raises(AttributeError):
        _ = strip._other_cache


async def test_most_strips_of_a_screen_need_few_caches():
    async with running() as pilot:
        assert "NOUGHTS" in screen_text(pilot)
        strips = [each for node in pilot.app.screen.walk_children() for each in node._styles_cache._cache.values()]
        assert len(strips) > 20
        assert sum(len(caches(each)) for each in strips) < 3 * len(strips)


def test_the_colours_of_an_edge_are_remembered_without_the_lines_of_the_widget():
    lines = StylesCache()
    one, other = (lines.get_inner_outer(Color(1, 2, 3), Color(4, 5, 6)) for _ in range(2))
    assert one is other
    assert StylesCache().get_inner_outer(Color(1, 2, 3), Color(4, 5, 6)) is one
    gone = ref(lines)
    del lines
    assert gone() is None
