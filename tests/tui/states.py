"""The main states of all screens: for each, a function that leads to it from the newly opened app."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final
from unittest.mock import patch

from textual.command import CommandPalette
from textual.widgets import OptionList

from engine.games import parse_game
from lab.board.opponents import save_candidate
from lab.jobs import JobState
from learners.failures.learner import Failures
from saves.library.library import Library
from saves.paths import library_path
from tests.saves.brains import train
from tests.sweeps import InProcessWorkers
from tests.tui.piloting import SteadyPilot
from tests.tui.ways import look_inside, open_library, open_race, open_sweep, open_train, open_tree
from tui.games.debrief_screen import DebriefScreen
from tui.games.screen import GamesScreen
from tui.library.compare_screen import CompareScreen
from tui.library.other_dialog import OtherDialog
from tui.play.players_dialog import PlayersDialog
from tui.play.screen import PlayScreen
from tui.shell.dialog import HelpPage, Prompt
from tui.shell.modes import KEYS
from tui.tree.search_screen import SearchScreen
from tui.tree.step_replay import UctReplay
from tui.widgets.copy_dialog import CopyDialog
from tui.widgets.form import FormDialog

App = SteadyPilot
Way = Callable[[App], Awaitable[object]]


def keep(name: str, game: str, preset: str, games: int) -> None:
    Library(library_path()).save(name, train(Failures(parse_game(game), preset, 1), games))


def then(way: Way, key: str, kind: type) -> Way:
    """Go this way, and open a screen of this class by a key."""

    async def go(pilot: App) -> None:
        await way(pilot)
        await pilot.press(key)
        await pilot.arrived(kind)

    return go


async def played(pilot: App) -> None:
    await pilot.seated("human", "save:riechel")
    await pilot.press("5")
    await pilot.until(lambda: len(pilot.screen.session.match.moves) == 2)
    await pilot.press("down")
    await pilot.until(lambda: "reader" in pilot.exact_table)


async def advised(pilot: App) -> None:
    await played(pilot)
    await pilot.press("x", "y", "h", "h")


async def ended(pilot: App) -> None:
    await pilot.seated("human", "save:riechel")
    await pilot.press("F", "F")
    await pilot.until(lambda: pilot.screen.session.match.outcome)


async def debriefed(pilot: App) -> None:
    await pilot.seated("human", "save:riechel")
    for move, plies in (("5", 2), ("8", 4), ("9", 6)):
        await pilot.press(move)
        await pilot.until(lambda plies=plies: len(pilot.screen.session.match.moves) == plies)
    await pilot.press("F", "F")
    await pilot.until(lambda: pilot.screen.session.match.outcome)
    await pilot.press("d")
    await pilot.arrived(DebriefScreen)


async def palette(pilot: App) -> None:
    await played(pilot)
    await pilot.press("colon")
    await pilot.arrived(CommandPalette)
    await pilot.press(*"motion")
    await pilot.until(lambda: pilot.screen.query_one("CommandList").option_count == 1)


async def form(pilot: App) -> None:
    await open_train(pilot)
    pilot.enter(seed="1")


async def trained(pilot: App) -> None:
    await open_train(pilot)
    for name, value in (("rounds", "20,000"), ("seed", "1")):
        pilot.enter(**{name: value})
    await pilot.press("g")
    await pilot.until(lambda: pilot.app.job and pilot.app.job.view.state is JobState.FINISHED)
    await pilot.until(lambda: pilot.form["name"] == "failures 2")
    pilot.app.job.view = replace(pilot.app.job.view, seconds=0.25)  # differs from run to run
    pilot.screen.set_focus(None)  # whether the button still has it depends on the time
    await pilot.until(lambda: pilot.screen.watched.drawn is pilot.app.job.view)
    await pilot.until(lambda: pilot.screen.watched.story.stall)  # what is found last
    await pilot.until(lambda: any(each is pilot.screen.watched.story.stall for each in pilot.screen.watched.drawn_with))


async def listed(pilot: App) -> None:
    keep("pawns", "hexapawn", "literal", 500)
    keep("an evening in winter", "tictactoe", "riechel-2007", 2000)
    keep("the other way round", "misere", "literal", 1200)
    await open_library(pilot, "pawns", "an evening in winter", "the other way round")
    await pilot.press("right")
    known, keys = pilot.app.portraits, [save_candidate(each).key for each in pilot.screen.table.saves_in_view]
    await pilot.until(lambda: all(each in known and known[each].is_complete for each in keys))
    await pilot.until(lambda: all(each in pilot.app.levels for each in keys))


async def looked_inside(pilot: App) -> None:
    keep("an evening in winter", "tictactoe", "riechel-2007", 2000)
    await look_inside(pilot, "an evening in winter")
    await pilot.press("s")
    await pilot.until(lambda: pilot.screen.filter.side is not None)
    await pilot.press("right")


async def offered(pilot: App) -> None:
    await played(pilot)
    await pilot.press("o")
    dialog = await pilot.arrived(PlayersDialog)
    await pilot.until(lambda: dialog.next_without_level() is None)
    await pilot.press("escape")
    await pilot.arrived(PlayScreen)
    await pilot.press("o")  # now all levels are known, and the list is in their order
    await pilot.arrived(PlayersDialog)


async def compared(pilot: App) -> None:
    keep("an evening in winter", "tictactoe", "riechel-2007", 2000)
    await look_inside(pilot, "an evening in winter")
    await pilot.press("z")
    others = (await pilot.arrived(OtherDialog)).query_one(OptionList)
    await pilot.until(lambda: others.highlighted == 0)
    await pilot.press("down", "down", "down", "enter")
    await pilot.until(lambda: isinstance(pilot.screen, CompareScreen) and pilot.screen.differences)


async def walked(pilot: App) -> None:
    await open_tree(pilot)
    await pilot.press("down", "right", "right", "down", "right")
    await pilot.until(lambda: "c3" in pilot.text_of("#tree-numbers").partition("\n")[0])


async def searched(pilot: App) -> None:
    await open_tree(pilot)
    await pilot.press("j")
    await pilot.until(lambda: isinstance(pilot.screen, SearchScreen) and pilot.screen.both)
    await pilot.press("2")
    await pilot.until(lambda: pilot.screen.both and len(pilot.screen.replay.steps) == 23)
    await pilot.press("N")
    await pilot.until(lambda: any(node.cut for node in pilot.screen.replay.visited.values()))


async def played_out(pilot: App) -> None:
    await open_tree(pilot)
    await pilot.press("j")
    await pilot.until(lambda: isinstance(pilot.screen, SearchScreen) and pilot.screen.both)
    await pilot.press("A", "A")
    await pilot.until(lambda: isinstance(pilot.screen.replay, UctReplay))
    await pilot.press(*"NNNNNNNNNN", "right", "right", "right")


async def raced(pilot: App) -> None:
    await open_race(pilot)
    for name, value in (("games", "20,000"), ("machines", "7")):
        pilot.enter(**{name: value})
    pilot.screen.action_start()
    await pilot.until(lambda: pilot.app.race and pilot.app.race.view.state is JobState.FINISHED)
    race = pilot.app.race
    race.view = replace(race.view, standings=replace(race.view.standings, seconds=0.25))  # differs from run to run
    pilot.screen.set_focus(None)
    await pilot.until(lambda: pilot.screen.drawn_state[0] == (race, race.view))


async def swept(pilot: App) -> None:
    await open_sweep(pilot)
    screen = pilot.screen
    for name, value in (("rounds", "1,000"), ("machines", "5")):
        pilot.enter(**{name: value})
    with patch("lab.sweep.sweep_job.Processes", InProcessWorkers):
        screen.action_start()
        await pilot.until(lambda: pilot.app.sweep and pilot.app.sweep.view.state is JobState.FINISHED)
    sweep = pilot.app.sweep
    sweep.path = Path(sweep.path.name)  # the folder differs from run to run
    sweep.view = replace(sweep.view, seconds=5)
    await pilot.until(lambda: screen.drawn_state[:2] == (sweep, sweep.view))
    screen.view.map.cursor = 0, 0  # it followed the best cell, which differs from run to run while machines come in
    await pilot.press("right")


async def papers(pilot: App) -> None:
    await pilot.press(KEYS["papers"])
    await pilot.until(lambda: pilot.screen.mode == "papers" and pilot.screen.drawn)


async def toured(pilot: App) -> None:
    await pilot.seated("human", "save:riechel")
    await pilot.press("f2")
    await pilot.seated("save:MENACE", "human")  # which the tour puts at the board
    await pilot.until(lambda: pilot.screen.table.can_move and not pilot.app.tour.seats_pupil)


STATES: Final[dict[str, Way]] = {
    "play": played,
    "advice": advised,
    "debrief": debriefed,
    "players": offered,
    "copy": then(played, "C", CopyDialog),
    "games": then(ended, "H", GamesScreen),
    "tour": toured,
    "palette": palette,
    "help": then(played, "f1", HelpPage),
    "form": form,
    "train": trained,
    "library": listed,
    "rename": then(listed, "R", Prompt),
    "memory": looked_inside,
    "boxes": partial(look_inside, name="michie"),
    "genome": partial(look_inside, name="hochmuth"),
    "compare": compared,
    "tree": walked,
    "search": searched,
    "playouts": played_out,
    "race": raced,
    "entrant": then(open_race, "n", FormDialog),
    "sweep": swept,
    "papers": papers,
}
"""To add a state: a coroutine that leads to it from the opened app and waits until it is drawn, and a line here."""
