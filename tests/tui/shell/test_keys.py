"""A key has one meaning on all screens, dialogs and widgets."""

from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest
from textual.binding import BindingsMap
from textual.content import Content
from textual.dom import DOMNode

import tui
from lab.text.columns import whole_clauses
from tests.tui.piloting import is_shown, running
from tui.race.screen import RaceScreen
from tui.shell.bars import KeyLine
from tui.shell.commands import MOVEMENT_KEYS
from tui.shell.modes import KEYS, TITLES
from tui.shell.parts import KEY_NAMES, text_with_keys
from tui.train.screen import TrainScreen

MEANINGS = {
    "b": {"Game"},
    "c": {"Change"},
    "d": {"Debrief", "Back"},  # again, it closes the debrief
    "f": {"Figures"},
    "g": {"Start", "Run"},
    "h": {"Hint"},
    "i": {"Learn"},
    "j": {"Search"},
    "k": {"Save"},
    "m": {"Chart", "You", "Measure"},
    "n": {"New game", "New entrant"},
    "o": {"Opponent"},
    "q": {"Quit", "Back"},
    "s": {"Side", "Swap", "Swap sides"},
    "u": {"Undo"},
    "v": {"Play"},
    "w": {"Turn"},
    "x": {"X-ray"},
    "y": {"Who is ahead", "Why"},
    "z": {"Compare"},
    "A": {"Algorithm"},
    "B": {"Blunder check"},
    "C": {"Copy and paste"},
    "D": {"Depth"},
    "E": {"Endings"},
    "F": {"Resign"},
    "G": {"Moves given up"},
    "H": {"Games"},
    "I": {"Import"},
    "J": {"Memory"},
    "K": {"Back up"},
    "L": {"Scale"},
    "M": {"Main line"},
    "N": {"Skip ahead", "Next mistake"},
    "O": {"Order"},
    "P": {"Open"},
    "Q": {"Exercises"},
    "R": {"Rename"},
    "S": {"Stop"},
    "T": {"Train on"},
    "U": {"Rules"},
    "V": {"Recover"},
    "W": {"Sweep"},
    "X": {"Export"},
    "Z": {"Retry from here"},
    "Y": {"Symmetry"},
    "asterisk": {"Run all"},
    "number_sign": {"Seed"},
    "equals_sign": {"Offer a draw"},
    "plus": {"Marks"},
    "minus": {"Fewer marks"},
    "greater_than_sign": {"Faster"},
    "less_than_sign": {"Slower"},
    "full_stop": {"One step", "Later"},
    "comma": {"Time"},
    "space": {"Pause", "Run", "Replay"},
    "slash": {"Find", "Search the keys"},
    "question_mark": {"Help", "Back"},
    "colon": {"Commands"},
    "enter": {
        *(
            "Look inside",
            "Go through",
            "Open or close",
            "Open the list",
            "Play",
            "Play here",
            "Play on",
            "Race it",
            "Read",
            "Back",
        )
    },
    "escape": {"Back", "Leave the field"},
    "delete": {"Delete", "Remove"},
    "backspace": {"Delete", "Remove"},
    "f1": {"Help", "Back"},
    "f2": {"Take the tour"},
    "f3": {"Back in the tour"},
    "f4": {"Leave the tour"},
    "ctrl+c": {"How to quit"},
    "tab": {"Text"},
    "shift+tab": {"Text"},
    "ctrl+p": {"Commands"},
    "ctrl+z": {"To the shell"},
    **{KEYS[mode]: {title} for mode, title in TITLES.items()},
}
"""The descriptions of each key: different words for one meaning. Movement keys move a cursor, or choose."""


def classes(kind=DOMNode):
    below = {each for child in kind.__subclasses__() for each in (child, *classes(child))}
    return {each for each in below if each.__module__.partition(".")[0] == "tui"} if kind is DOMNode else below


def bindings_of(kind):
    own = BindingsMap(kind.__dict__.get("BINDINGS", ())).key_to_bindings
    return [each for bindings in own.values() for each in bindings]


@pytest.fixture(scope="module")
def bound():
    """For each key, its descriptions, and the classes that bind it."""
    for module in walk_packages([str(Path(tui.__file__).parent)], "tui."):
        import_module(module.name)
    found = {}
    for kind in classes():
        for binding in bindings_of(kind):
            found.setdefault(binding.key, {}).setdefault(binding.description, set()).add(kind.__name__)
    return {key: said for key, said in found.items() if key not in MOVEMENT_KEYS}


def test_every_key_has_one_meaning(bound):
    assert {key: set(said) for key, said in bound.items()} == MEANINGS, bound


def test_what_a_key_does_is_said_in_clauses_that_fit(bound):  # in the palette at 80 and at 60 columns
    told = {each.tooltip for kind in classes() for each in bindings_of(kind) if each.tooltip}
    assert len(told) > len(bound) / 2
    assert not {each for each in told if len(each) > 40 or not whole_clauses(each, 27)}


@pytest.mark.parametrize("mode", KEYS)
def test_only_the_app_has_the_key_of_a_mode(bound, mode):
    assert bound[KEYS[mode]] == {TITLES[mode]: {"NoughtsApp"}}


FREE = {"Start", "Help", "Quit"}
TYPING = {"Leave the field", "Help"}


def described(pilot):
    return {entry.description for entry in pilot.screen.query_one(KeyLine).visible_entries()}


@pytest.mark.long
async def test_the_keys_are_those_that_can_be_pressed_now(pilot):
    await pilot.press("t")
    await pilot.arrived(TrainScreen)
    await pilot.until(lambda: described(pilot) >= FREE)
    pilot.form.fields["seed"].focus()  # letters are typed into it
    await pilot.until(lambda: described(pilot) == TYPING)
    pilot.screen.query_one("#start").focus()
    await pilot.until(lambda: described(pilot) >= FREE)


@pytest.mark.long
async def test_keys_that_do_not_fit_are_left_out_except_help_and_quit():
    async with running(size=(200, 40)) as pilot:
        await pilot.press("t")
        await pilot.arrived(TrainScreen)
        await pilot.until(lambda: "Ready made" in described(pilot))
        wide = described(pilot)
        await pilot.resize_terminal(60, 20)
        await pilot.until(lambda: described(pilot) < wide)
        assert described(pilot) >= FREE
        assert "Pause" not in described(pilot)  # which has no effect yet
        last = pilot.screen_text.splitlines()[-1]
        assert all(text in last for text in described(pilot))


async def test_a_click_on_a_key_in_a_frame_presses_it_though_a_field_has_the_focus(pilot):
    await pilot.press(KEYS["race"])
    race = await pilot.arrived(RaceScreen)
    plot = race.query_one("#race-plot")
    await pilot.until(lambda: is_shown(plot) and "m measure" in pilot.screen_text)
    before = race.form["measure"], race.form["seed"]
    race.form.fields["seed"].focus()
    bottom = plot.region.bottom - 1
    line = pilot.screen_text.splitlines()[bottom]
    await pilot.click(offset=(line.index("measure"), bottom))
    await pilot.until(lambda: race.form["measure"] != before[0])
    assert race.form["seed"] == before[1]


async def test_a_click_on_a_key_presses_it(pilot):
    line = pilot.screen.query_one(KeyLine)
    await pilot.until(lambda: is_shown(line) and line.key_columns())
    columns = next(columns for key, columns in line.key_columns() if key.action == "help")
    await pilot.click(line, offset=(columns.start + 1, 0))
    await pilot.until(lambda: len(pilot.app.screen_stack) == 2)


def test_each_key_in_a_frame_can_be_written_as_markup():  # as Textual keeps the text of a frame
    for key in KEY_NAMES:
        spans = Content.from_markup(text_with_keys(f"a `{key}` b").markup).spans
        assert [f"app.press('{KEY_NAMES[key]}')" in str(each.style) for each in spans] == [True, True]
