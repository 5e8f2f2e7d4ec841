"""Rules of style are read once, and every screen and app looks as it would if each had read them itself."""

import pytest
from textual.css import stylesheet as textual_stylesheet
from textual.css.stylesheet import Stylesheet, StylesheetParseError

from lab.modes import KEYS
from tests.tui.piloting import running, screen_text, until
from tui.library.screen import LibraryScreen
from tui.shell.stylesheet import ReadOnce

VARIABLES = {"primary": "#336699"}


@pytest.fixture
def read(monkeypatch):
    """The sources that are read from now on."""
    sources = []

    def parse(scope, css, *args, **kwargs):
        sources.append(css)
        return the_real(scope, css, *args, **kwargs)

    the_real = textual_stylesheet.parse
    monkeypatch.setattr(textual_stylesheet, "parse", parse)
    return sources


def sheet(css, variables, kind=ReadOnce):
    made = kind(variables=variables)
    made.add_source(css, ("here", ""))
    return made


def test_a_source_is_read_once_for_all_sheets_and_under_each_set_of_variables(read):
    css = "Read { color: $primary; }"
    one = sheet(css, VARIABLES)
    for each in (one, one.copy(), sheet(css, dict(VARIABLES))):
        each.reparse()
        each.parse()
        assert each.css == sheet(css, VARIABLES, Stylesheet).css
    assert read == [css] * 4  # three of them by the sheets of Textual
    other = {"primary": "#ff0000"}
    one.set_variables(other)
    one.reparse()
    assert one.css == sheet(css, other, Stylesheet).css != sheet(css, VARIABLES).css
    one.set_variables(VARIABLES)
    one.reparse()
    assert one.css == sheet(css, VARIABLES).css
    assert read == [css] * 6


def test_where_something_is_wrong_what_was_read_before_stays():
    one = sheet("Read { color: red; }", VARIABLES)
    before = one.css
    one.add_source("Read { colour: red; }", ("there", ""))
    for _ in range(2):
        one.set_variables(VARIABLES)
        with pytest.raises(StylesheetParseError):
            one.reparse()
    assert "\n".join(rule.css for rule in one._rules) == before


async def test_a_screen_that_was_open_in_another_app_has_nothing_left_to_be_read(read):
    async def shown(theme):
        async with running() as pilot:
            pilot.app.theme = theme
            await pilot.press(KEYS["library"])
            await until(pilot, lambda: isinstance(pilot.app.screen, LibraryScreen))
            await pilot.pause()
            widgets = pilot.app.screen.walk_children(with_self=True)
            return screen_text(pilot), [(widget.css_identifier, widget.styles.base.css) for widget in widgets]

    text, styles = await shown("textual-dark")
    assert len(styles) > 20
    read.clear()
    assert await shown("textual-dark") == (text, styles)
    assert read == []
    light = await shown("textual-light")
    assert read
    assert light[0] == text
    assert light[1] != styles
    assert await shown("textual-dark") == (text, styles)
