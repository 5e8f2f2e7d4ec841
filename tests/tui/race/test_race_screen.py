import re
from dataclasses import replace
from functools import partial
from threading import Event
from time import process_time

import numpy as np
import pytest
from textual.events import Key
from textual.widgets import Button, OptionList, ProgressBar, Static

from engine.games import parse_game
from lab.jobs import JobState
from lab.race.race_text import SIDES, ShownMeasure, band_text, best_text, entrant_text, share_figure
from lab.results.score_lines import READER
from learners.failures.learner import Failures
from learners.menace.learner import Menace
from learners.race.entrants import MAX_ENTRANTS, default_entrants, parse_entrant
from learners.race.measures import MEASURES, MEMORY_READER, SAMPLED_MEASURES, judging_of
from learners.race.race import race
from saves.library.library import Library
from saves.paths import library_path
from tests.saves.brains import train
from tests.tui.piloting import DEADLINE, running
from tests.tui.ways import fill, open_race
from tui.race.race_view import RaceView
from tui.race.screen import RaceScreen
from tui.widgets.form import FormDialog
from tui.widgets.line_chart import LineChart

TICTACTOE = parse_game("tictactoe")
LINE_UP = [entrant.text for entrant in default_entrants(TICTACTOE)]
MANY = "3,000"


@pytest.fixture(autouse=True)
def _light(monkeypatch):
    """Train in one thread, so that the screen gets processor time."""
    monkeypatch.setattr("lab.race.race_job.race", partial(race, threads=1))


def field_of(pilot):
    return [entrant.text for entrant in pilot.screen.entrants]


def listed(pilot):
    return [str(option.prompt) for option in entrant_list(pilot).options]


def entrant_list(pilot):
    return pilot.screen.query_one("#race-entrants", OptionList)


def chart(pilot):
    return pilot.screen.query_one("#race-chart", LineChart)


def title(pilot):
    return pilot.title_of("#race-plot")


def progress(pilot):
    """How far the race is, in words."""
    return pilot.text_of("#race-state")


def note(pilot):
    """What is to be known about the results."""
    return pilot.text_of("#race-note")


def button(pilot, name):
    return pilot.screen.query_one(f"#race-{name}", Button)


def numbers(pilot):
    return [int(line.split()[0]) for line in listed(pilot)]


async def take(pilot, *texts):
    pilot.screen.set_entrants(tuple(parse_entrant(text, TICTACTOE) for text in texts))
    await pilot.pause()


async def start(pilot, games="50", machines="3"):
    await fill(pilot, games=games, machines=machines)
    pilot.screen.action_start()  # after a key the pilot would wait for an idle processor, and a race leaves none
    await pilot.until(lambda: pilot.app.race is not None)


async def until_state(pilot, state):
    def reached():
        race, drawn = pilot.app.race, pilot.screen.drawn_state
        return race.view.state is state and drawn and drawn[0] == (race, race.view)

    await pilot.until(reached)


def line_of(pilot, number):
    (line,) = (line for line in listed(pilot) if line.startswith(f"{number} "))
    return line


@pytest.mark.long
async def test_one_key_starts_a_race_of_the_entrants_and_shows_it_until_its_end(monkeypatch):
    monkeypatch.setattr("tui.race.race_view.CHART_PAUSE", 0)  # each result is drawn
    async with running(size=(120, 40)) as pilot:
        await open_race(pilot)
        assert field_of(pilot) == LINE_UP
        assert numbers(pilot) == [1, 2, 3, 4, 5]
        assert progress(pilot) == "Press g or Start."
        await fill(pilot, games="50", machines="3")
        await pilot.press("g")
        await pilot.until(lambda: pilot.app.race is not None)
        await until_state(pilot, JobState.FINISHED)
        count = len(LINE_UP)
        bar = pilot.screen.query_one("#race-bar", ProgressBar)
        assert (bar.progress, bar.total) == (3 * 50 * count, 3 * 50 * count)
        assert "after 50 games" in pilot.text_of("#race-heads")
        *_, standings = race(pilot.app.race.entrants, range(1, 4), 50)
        bands = ShownMeasure(MEASURES[0], None).bands(standings)
        for number, (entrant, shares) in enumerate(zip(default_entrants(TICTACTOE), bands, strict=True), 1):
            assert line_of(pilot, number).startswith(f"{number} {entrant_text(entrant)} ")
            assert line_of(pilot, number).endswith(share_figure(shares[1, -1])), (
                "a whole name is worth more than a band"
            )
        medians = [bands[number - 1][1, -1] for number in numbers(pilot)]
        assert medians == sorted(medians), "whoever loses least comes first"
        assert note(pilot) == "5 is as it began: its first generation takes more games than that"
        state, share = progress(pilot), share_figure(medians[0])
        ahead = [number for number, shares in enumerate(bands) if share_figure(shares[1, -1]) == share]
        assert state == f"Finished: {3 * count} machines. {best_text(pilot.app.race.entrants, ahead, share)}"
        for number, shares in enumerate(bands, 1):
            end_of_curve = re.compile(rf" {number} .*{re.escape(share_figure(shares[1, -1]) + ' %')} *│$", re.MULTILINE)
            await pilot.until(lambda end=end_of_curve: end.search(pilot.screen_text))
        standings = pilot.app.race.view.standings
        behind = (*standings.judged[:-1], standings.judged[-1].copy())
        behind[-1][:, -2:] = np.nan  # two marks behind the others
        view, seen = pilot.screen.query_one(RaceView), ShownMeasure(MEASURES[0], None)
        view.show(pilot.app.race, replace(standings, judged=behind), seen, 0.0, log=False)
        curves = chart(pilot).series
        for number, (shares, curve) in enumerate(zip(bands, curves, strict=True), 1):
            assert curve.points[-1] == (standings.marks[-3], shares[1, -3])
            assert curve.label.endswith(f" {share_figure(shares[1, -3])} %"), "as the list, of the same games"
            assert line_of(pilot, number).endswith(share_figure(shares[1, -3]))
        assert not button(pilot, "start").disabled
        assert button(pilot, "stop").disabled


async def test_a_race_is_replayed_from_its_first_mark_to_its_last(pilot, monkeypatch):
    def ends():
        return {each.points[-1][0] for each in chart(pilot).series}

    await take(pilot, "failures", "menace:scroggs")
    await start(pilot, "50", "2")
    await until_state(pilot, JobState.FINISHED)
    pilot.app.animation_level = "full"
    monkeypatch.setattr("tui.race.screen.REPLAY_STEP", 1000)
    await pilot.press("space")
    await pilot.until(lambda: ends() == {1} and pilot.text_of("#race-rate") == "Replay: 1 game")
    await pilot.press("space")
    assert not pilot.screen.replay.steps_left
    await pilot.until(lambda: ends() == {50})
    monkeypatch.setattr("tui.race.screen.REPLAY_STEP", 0.001)
    await pilot.press("space")
    await pilot.until(lambda: ends() == {50} and not pilot.screen.replay.steps_left)


@pytest.mark.long
async def test_a_race_stops_at_once_and_keeps_its_results(pilot):
    await take(pilot, "q", "menace:scroggs")
    await start(pilot, "100,000", MANY)
    await until_state_running(pilot)
    assert pilot.form.fields["games"].disabled
    assert button(pilot, "start").disabled
    await pilot.until(lambda: min(pilot.app.race.view.standings.machines) > 1)
    begun = process_time()
    pilot.app.race.stop()
    assert process_time() - begun < 0.3
    await until_state(pilot, JobState.STOPPED)
    assert re.fullmatch(r"Stopped: [0-9,]+ of 6,000 machines done", progress(pilot))
    assert min(pilot.app.race.view.standings.machines) > 0
    assert all("[" in each for each in listed(pilot))
    assert not pilot.form.fields["games"].disabled


async def until_state_running(pilot):
    await pilot.until(lambda: pilot.app.race.view.state is JobState.RUNNING and pilot.screen.drawn_state)


@pytest.mark.long
async def test_a_race_goes_on_behind_other_screens_and_ends_when_the_app_does():
    async with running() as pilot:
        await open_race(pilot)
        await start(pilot, "1,000,000", MANY)
        await until_state_running(pilot)
        await pilot.app.switch_mode("play")
        done = pilot.app.race.view.standings.done
        await pilot.until(lambda: pilot.app.race.view.standings.done > done)
        await pilot.until(lambda: pilot.job_line.startswith("race: "))
        await pilot.app.switch_mode("race")
        await pilot.until(lambda: "Racing" in progress(pilot))
        begun = process_time()
        await pilot.press("q")
        await pilot.until(lambda: not pilot.app.race.running)
        assert process_time() - begun < 2
        await pilot.until(lambda: not pilot.app.is_running)
    assert pilot.app.return_code == 0


@pytest.mark.long
async def test_keys_choose_the_next_measure_side_and_scale(pilot):
    await take(pilot, "failures", "menace/random")
    assert listed(pilot)[1].startswith("2 MENACE, steady ")
    await start(pilot)
    await until_state(pilot, JobState.FINISHED)
    assert note(pilot) == "2 plays X only: s compares on that side"
    standings = pilot.app.race.view.standings
    for measure in (*MEASURES[1:], MEASURES[0]):
        await pilot.press("m")
        names = measure.title, measure.title.replace(MEMORY_READER, f"a {READER}")
        await pilot.until(lambda names=names: title(pilot).lower().startswith(names))
        shares = ShownMeasure(measure, None).bands(standings)[0][:, -1]
        await pilot.until(lambda shares=shares: line_of(pilot, 1).endswith(band_text(shares, one=True)))
    for name in ("first", "second"):
        await pilot.press("s")
        await pilot.until(lambda name=name: title(pilot).endswith(f"as {TICTACTOE.mark(SIDES[name])}"))
    assert line_of(pilot, 2).endswith("plays other side"), "it plays the first side only"
    assert not note(pilot)
    assert chart(pilot).axes.low == 0
    await pilot.press("L")
    await pilot.until(lambda: chart(pilot).axes.low < 0)
    await pilot.sees("≤0.1 %")


@pytest.mark.long
async def test_the_cursor_stays_on_its_entrant_when_the_ranking_changes():
    async with running(size=(120, 40)) as pilot:
        await open_race(pilot)
        await take(pilot, "genetic:swift+population=8", "failures")
        view = pilot.screen.query_one(RaceView)
        entrant_list(pilot).focus()
        await pilot.press("home")
        assert (numbers(pilot), view.entrants.chosen) == ([1, 2], 0)
        await start(pilot, "2,000", "3")
        await until_state(pilot, JobState.FINISHED)
        await pilot.until(lambda: numbers(pilot) == [2, 1])
        assert view.entrants.chosen == 0


async def test_an_entrant_is_added_by_the_dialog_and_removed_by_key():
    Library(library_path()).save("my own", train(Failures(TICTACTOE, "literal", 1), 50))
    async with running() as pilot:
        await open_race(pilot)
        await take(pilot, "failures")
        await pilot.press("n")
        await pilot.arrived(FormDialog)
        dialog = pilot.screen
        await pilot.pick("learner", "menace")
        values = pilot.form.fields["opponent"]
        await pilot.until(lambda: "save:my own" in values.values)
        assert values.value == "self"
        assert "human" not in values.values
        values.value = "save:my own"
        pilot.enter(set="win=many")
        pilot.accept()
        await pilot.until(lambda: "cannot be 'many'" in str(dialog.query_one(".dialog-error", Static).content))
        pilot.enter(set="win=5 draw=2")
        await pilot.until(lambda: "save:my own" in values.values)
        pilot.accept()
        added = "menace:steady/save:my own+win=5+draw=2"
        await pilot.arrived(RaceScreen)
        await pilot.until(lambda: field_of(pilot) == ["failures:literal", added])
        entrant_list(pilot).focus()
        await pilot.press("home", "delete")
        await pilot.until(lambda: field_of(pilot) == [added])
        await pilot.press("delete")
        assert field_of(pilot) == [added]  # a race needs one
        pilot.screen.prepare(default_entrants(TICTACTOE), range(1, 4), 20)
        assert (field_of(pilot), pilot.screen.form.course()) == (LINE_UP, (range(1, 4), 20))


@pytest.mark.long
async def test_what_cannot_be_raced_is_refused(pilot):
    for field, text in (("games", "0"), ("machines", "10,001"), ("seed", "-1")):
        await fill(pilot, **{"games": "1", "machines": "1", "seed": "1", field: text})
        pilot.form.fields[field].focus()
        await pilot.press("enter")
        await pilot.until(lambda start=f"{field}: '{text}'": pilot.form_error.startswith(start))
        assert pilot.wrong_fields == [field]
    assert pilot.app.race is None
    pilot.screen.go_home()
    for field, complaint in ((LINE_UP[:1], "takes part already"), (SEVERAL, "too many")):
        await take(pilot, *field)
        await pilot.press("n")
        await pilot.arrived(FormDialog)
        pilot.accept()
        await pilot.arrived(RaceScreen)
        await pilot.until(lambda complaint=complaint: complaint in pilot.form_error)
        assert field_of(pilot) == [parse_entrant(text, TICTACTOE).text for text in field]


@pytest.mark.long
async def test_entrants_that_can_play_another_game_are_kept(pilot):
    await pilot.pick("game", "hexapawn")
    await pilot.until(lambda: pilot.screen.entrants[0].game.name == "hexapawn")
    assert field_of(pilot) == LINE_UP
    pilot.screen.set_entrants((parse_entrant("menace:her", parse_game("hexapawn")),))
    await pilot.pick("game", "misere")
    await pilot.until(lambda: pilot.screen.entrants[0].game.name == "misere")
    assert field_of(pilot) == LINE_UP
    assert any("menace:her/perfect:any is left out" in line for line in pilot.shown_messages)


@pytest.mark.long
async def test_an_entrant_removed_while_another_game_is_checked_stays_removed(monkeypatch):
    going = Event()

    def slowly(*what):
        assert going.wait(DEADLINE)
        return parse_entrant(*what)

    async with running() as pilot:
        await open_race(pilot)
        monkeypatch.setattr("tui.race.screen.parse_entrant", slowly)
        await pilot.pick("game", "hexapawn")
        pilot.screen.action_remove()
        assert field_of(pilot) == LINE_UP[:-1]
        going.set()
        await pilot.until(lambda: pilot.screen.entrants[0].game.name == "hexapawn")
        assert field_of(pilot) == LINE_UP[:-1]


SEVERAL = [f"menace:scroggs+win={win}" for win in range(4, 4 + MAX_ENTRANTS)]


@pytest.mark.long
async def test_another_race_can_start_after_one_failed_or_was_stopped(monkeypatch):
    def fail(*_):
        raise RuntimeError("[bold]no more room\x1b[31m")

    async with running() as pilot:
        await open_race(pilot)
        await take(pilot, "failures")
        with monkeypatch.context() as broken:
            broken.setattr(Failures, "train", fail)
            await start(pilot)
            await until_state(pilot, JobState.FAILED)
        assert progress(pilot) == "[bold]no more room[31m"
        await start(pilot, "1,000,000", MANY)
        await until_state_running(pilot)
        await pilot.press("S")
        await until_state(pilot, JobState.STOPPED)
        await fill(pilot, games="50", machines="3")
        await pilot.press("g")
        await until_state(pilot, JobState.FINISHED)


async def test_start_waits_for_the_first_entrants():
    async with running() as pilot:
        for key in "ag":
            pilot.app.post_message(Key(key, key))
        await pilot.until(lambda: pilot.app.race is not None)
        pilot.app.race.stop()


@pytest.mark.long
async def test_a_game_too_large_for_exact_results_is_raced_by_samples(monkeypatch):
    judging_of(parse_game("connectfour"))  # is kept for all tests, with the usual number of games
    monkeypatch.setattr("learners.race.measures.SAMPLED_GAMES", 1)
    async with running() as pilot:
        await open_race(pilot)
        await pilot.pick("game", "connectfour")
        await pilot.until(lambda: field_of(pilot) == ["ntuple:thill", "ntuple:small"])
        assert not pilot.shown_messages, "nobody has chosen the entrants that are gone"
        numbers = [pilot.form.fields[name] for name in ("games", "machines")]
        assert [each.value for each in numbers] == ["50,000", "3"]
        measures = [measure.name for measure in SAMPLED_MEASURES]
        assert pilot.form.fields["measure"].values == measures
        await start(pilot, games="2")
        await until_state(pilot, JobState.FINISHED)
        assert title(pilot) == "Lost against random, both sides"
        assert note(pilot).startswith("Sampled results: standard error up to ")
        assert not any(line.endswith("–") for line in listed(pilot))
        for _ in measures:
            pilot.screen.action_next("measure")
            await pilot.pause()
        await pilot.pick("game", "tictactoe")
        await pilot.until(lambda: pilot.screen.entrants[0].game is TICTACTOE)
        await pilot.until(lambda: not pilot.screen.query_one("#race-note").display)
        assert title(pilot) == "Lost against random, both sides"
        assert [each.value for each in numbers] == ["2", "20"]  # what was typed stays


@pytest.mark.long
async def test_the_scrollbar_of_a_long_list_of_entrants_covers_no_share():
    async with running(size=(60, 20)) as pilot:
        await open_race(pilot)
        await take(pilot, *(f"{each}/random" for each in LINE_UP[:4]), *LINE_UP[:4])
        await pilot.until(lambda: entrant_list(pilot).show_vertical_scrollbar)
        await pilot.until(lambda: re.search(r"3 Q-learner, exact +– *.?│", pilot.screen_text))


@pytest.mark.parametrize(("size", "names"), [((60, 20), ["l"]), ((80, 24), ["l", "s"])])
async def test_in_a_narrow_terminal_only_the_best_save_is_drawn_before_a_race(size, names):
    library = Library(library_path())
    library.save("short", train(Failures(TICTACTOE, "literal", 1), 20))
    library.save("long", train(Menace(TICTACTOE, "michie", 1), 2000))
    async with running(size=size) as pilot:
        await open_race(pilot)
        await take(pilot, "failures", "menace")
        await pilot.until(lambda: pilot.screen.earlier)
        await pilot.until(lambda: sorted(each.letter for each in chart(pilot).series) == names)
