import re
import signal
from threading import Event

import pytest
from textual.widgets import Button

from engine.evaluate import best_response
from engine.game import BadText, Side
from engine.games import GAMES, parse_game
from lab.jobs import JobState
from lab.training.setup import READY_MADE
from lab.training.start import make_job, prepare
from lab.training.training_job import PACES, TrainingJob
from learners import revive
from learners.failures.learner import Failures
from learners.menace.learner import Menace
from saves.library.library import Library
from saves.paths import library_path
from tests.keys import key_event
from tests.saves.brains import train
from tests.tui.piloting import is_shown, make_app, running, saved
from tests.tui.ways import fill, open_library, open_train
from tests.waiting import LIMIT, wait_until
from tui.app import NoughtsApp
from tui.library.memory_screen import MemoryScreen
from tui.library.save_files import export_of
from tui.shell.lab_app import LabApp
from tui.shell.requests import TrainOn
from tui.train.ready_made import READY_KEYS, ready_text
from tui.train.screen import TrainScreen
from tui.train.story import StoryList

MANY = "100,000,000"


READY_MADE_LIST = "#train-ready"


def button(pilot, name):
    return pilot.screen.query_one(f"#{name}", Button)


async def start(pilot, games=MANY, seed="1", pace="1,000 games a second"):
    """Start a training, which takes long unless it is for few games."""
    await fill(pilot, rounds=games, seed=seed)
    pilot.enter(pace=pace if games == MANY else "full speed")
    await pilot.pause()
    button(pilot, "start").focus()
    await pilot.press("g")
    await pilot.until(lambda: pilot.app.job and pilot.app.job.view.done)


async def until_state(pilot, state):
    await pilot.until(lambda: pilot.app.job.view.state is state and pilot.screen.watched.drawn is pilot.app.job.view)


def memory_of(name):
    return Library(library_path()).load(name).memory.tolist()


async def test_a_training_is_set_up_by_keyboard_alone_and_saved(pilot):
    assert pilot.form["name"] == "failures"
    await pilot.pick("game", "misere")
    await pilot.pick("preset", "riechel-2007")
    for name, text in (("rounds", "5_000"), ("seed", "7"), ("name", "my own")):
        pilot.form.fields[name].focus()
        await pilot.press("end", "ctrl+u", *text)
    await pilot.press("enter")
    await pilot.until(lambda: saved() == {"my own": 5000})
    await until_state(pilot, JobState.FINISHED)
    assert pilot.train_state == "Finished; saved as my own"
    await pilot.until(lambda: pilot.form["name"] == "failures")  # a thread finds a free name
    learned = train(Failures(parse_game("misere"), "riechel-2007", 7), 5000)
    assert memory_of("my own") == learned.memory.tolist()


@pytest.mark.long
async def test_a_training_is_started_paused_and_stopped_by_mouse(pilot):
    await pilot.pick("pace", "1,000 games a second")
    await pilot.click(button(pilot, "start"))
    await pilot.until(lambda: pilot.app.job and pilot.app.job.view.done)
    await pilot.until(lambda: is_shown(button(pilot, "pause")))
    await pilot.click(button(pilot, "pause"))
    await until_state(pilot, JobState.PAUSED)
    assert str(button(pilot, "pause").label) == "Resume"
    assert pilot.train_state.startswith("Paused at game ")
    done = pilot.app.job.view.done
    await pilot.until(lambda: not button(pilot, "pause").has_class("-active"))
    await pilot.click(button(pilot, "pause"))
    await pilot.until(lambda: pilot.app.job.view.done > done)
    await pilot.click(button(pilot, "stop"))
    await until_state(pilot, JobState.STOPPED)
    assert saved() == {"failures": pilot.app.job.view.done}
    assert button(pilot, "start").display
    assert not button(pilot, "stop").display
    await pilot.until(lambda: pilot.screen.focused.id == "look")
    await pilot.press("enter")
    await pilot.arrived(MemoryScreen)


@pytest.mark.parametrize(("width", "columns"), [(24, 1), (56, 2)])
def test_each_ready_made_training_is_listed_after_its_key_in_straight_columns(width, columns):
    _, *lines = ready_text(width, with_summaries=False).plain.split("\n")
    names = [name for column in zip(*(re.split(" {2,}", line) for line in lines), strict=True) for name in column]
    assert names == [f"{key} {title}" for key, title in READY_KEYS]
    assert len(lines) * columns == len(names)
    assert max(map(len, lines)) <= width


async def test_what_is_typed_at_once_after_change_is_text_of_the_setting(pilot):
    for key in ("c", *"walk"):
        pilot.app.post_message(key_event(key))
    await pilot.until(lambda: pilot.form["set"] == "walk")


async def test_what_can_be_set_is_told_while_the_presets_are_those_of_the_learner_before():
    async with running(size=(80, 40)) as pilot:
        await open_train(pilot)
        for kind in (Menace, Failures):
            pilot.form.fields["learner"].value = kind.spec.name
            pilot.form.show_hints(running=False)
            setting = next(iter(kind.spec.settings.values())).title
            await pilot.until(lambda setting=setting: f"\n{setting}: " in pilot.text_of(READY_MADE_LIST))


async def test_a_pace_is_known_while_the_paces_are_those_of_the_learner_before(pilot):
    await pilot.pick("pace", "1 move a second")
    pilot.form.fields["learner"].value = "genetic"
    pilot.screen.action_faster(1)
    assert pilot.form.pace.label == "4 moves a second"
    await pilot.until(lambda: pilot.form.pace.label in pilot.form.fields["pace"].values)


@pytest.mark.parametrize(("height", "place"), [(24, "#train-set"), (40, READY_MADE_LIST)])
async def test_while_a_setting_is_written_it_is_told_what_can_be_set(height, place):
    async with running(size=(80, height)) as pilot:
        await open_train(pilot)
        await pilot.press("c")
        pick, walk = (
            f"{setting.title} {key}={value} {setting.syntax.replace('|', ' or ')}: {setting.summary}"
            for (key, setting), value in zip(Failures.spec.settings.items(), ("uniform", "false"), strict=True)
        )

        def told():
            return " ".join(pilot.text_of(place).split())

        await pilot.until(lambda: told() == f"{pick} {walk}")
        await pilot.press(*"walk_back=true")
        await pilot.until(lambda: told() == walk.replace("=false", "=true"))
        await pilot.press("escape")
        await pilot.until(lambda: "5 Q-learner" in pilot.text_of(READY_MADE_LIST))
        await pilot.until(lambda: is_shown(pilot.screen.query_one("#losses")))


REFUSED = [
    ("rounds", "0", "games: '0' is not a whole number from 1 to 100,000,000"),
    ("seed", "x", "seed: 'x' is not a whole number from 0 to"),
    ("name", "[bold]a", "'[bold]a': '[' cannot be in a name"),
    ("name", "riechel", "riechel is taken. riechel 2 is free."),
    ("set", "win=5", "no setting 'win' of failures; there are pick, walk_back"),
]


@pytest.mark.long
async def test_the_form_reports_what_is_impossible_and_nothing_starts(pilot):
    complaint = pilot.form.query_one("ErrorLine")
    for name, text, words in REFUSED:
        await fill(pilot, rounds="10", seed="1", name="a", set="")
        await fill(pilot, **{name: text})
        pilot.form.fields[name].focus()
        await pilot.press("enter")
        await pilot.until(lambda words=words: words in pilot.form_error and is_shown(complaint))
        assert pilot.app.job is None
        assert pilot.wrong_fields == [name]
        assert not any(each.region.overlaps(complaint.region) for each in pilot.form.children if each is not complaint)
    await fill(pilot, rounds="10", seed="1", name="a", set="")
    await pilot.press("enter")
    await pilot.until(lambda: saved() == {"a": 10})
    assert (pilot.form_error, pilot.wrong_fields) == ("", [])


async def test_keys_pause_step_resume_and_stop(pilot):
    await start(pilot)
    await pilot.press("space")
    await until_state(pilot, JobState.PAUSED)
    done = pilot.app.job.view.done
    for step in (1, 2):
        await pilot.press("full_stop")
        await pilot.until(lambda step=step: pilot.app.job.view.done == done + step)
    await until_state(pilot, JobState.PAUSED)
    await pilot.until(lambda: f"game {done + 2:,}" in pilot.screen_text.lower())
    await pilot.press("space")
    await pilot.until(lambda: pilot.app.job.view.done > done + 2)
    await pilot.press("k")
    await pilot.told("Saved as failures.")
    kept = saved()["failures"]
    await pilot.until(lambda: pilot.app.job.view.done > kept)
    assert pilot.app.job.running
    await pilot.press("S")
    await until_state(pilot, JobState.STOPPED)
    assert saved() == {"failures": pilot.app.job.view.done}
    assert saved()["failures"] > kept


@pytest.mark.long
async def test_during_a_training_only_the_pace_and_the_settings_can_change(pilot):
    await start(pilot)
    await pilot.until(lambda: pilot.form.fields["rounds"].disabled)
    for name in ("learner", "game", "preset", "opponent", "rounds", "seed", "name"):
        assert pilot.form.fields[name].disabled
    assert not pilot.form.fields["set"].disabled
    await pilot.pick("pace", "1 move a second")
    await pilot.until(lambda: pilot.app.job.view.moves == ())
    done = pilot.app.job.view.done
    pilot.enter(pace="full speed")
    await pilot.until(lambda: pilot.app.job.view.done > done + 100_000)


@pytest.mark.long
async def test_of_two_trainings_started_at_once_only_one_begins(pilot):
    await start(pilot)
    job = pilot.app.job
    late = TrainingJob(Failures(GAMES[0], "literal", 2), 9, "late", PACES[0], lambda _: None)
    pilot.app.train(late)  # it must not replace the other job: nobody could then stop that one
    assert pilot.app.job is job
    assert late.view.state is JobState.STARTING
    await pilot.told("failures is still training: stop it first.")


@pytest.mark.long
async def test_a_training_runs_behind_other_screens_and_is_not_replaced():
    Library(library_path()).save("half", train(Failures(GAMES[0], "literal", 11), 30))
    async with running() as pilot:
        await open_train(pilot)
        await start(pilot)
        job = pilot.app.job
        for key in ("p", "l"):
            await pilot.press(key)
            done = job.view.done
            await pilot.until(lambda done=done: job.view.done > done)
            await pilot.until(lambda: pilot.job_line.startswith(f"{job.name}: "))
        await pilot.sees("half")
        await pilot.press("T")
        await pilot.told("failures is still training: stop it first.")
        assert pilot.app.job is job
        assert isinstance(pilot.screen, TrainScreen)
        await pilot.until(lambda: pilot.screen.watched.drawn and pilot.screen.watched.drawn.done > done)
        job.pause()
        pilot.app.clear_notifications()
        pilot.screen.go(TrainOn("half", Library(library_path()).load("half"), 10))  # as T asks for in Play
        await pilot.told("failures is still training: stop it first.")
        assert job.paused
        await pilot.press("p")
        job.stop()
        await pilot.until(lambda: pilot.job_line == "failures: stopped")
        await pilot.press("t")
        await pilot.until(lambda: pilot.train_state == "Stopped; saved as failures")
        await pilot.until(lambda: pilot.form["name"] == "failures 2")


async def test_quitting_saves_what_was_learned():
    async with running() as pilot:
        await open_train(pilot)
        await start(pilot)
        done = pilot.app.job.view.done
        await pilot.press("q")
        await pilot.until(lambda: not pilot.app.is_running)
    assert pilot.app.return_code == 0
    assert saved()["failures"] >= done


@pytest.mark.long
async def test_a_training_that_would_start_while_the_app_ends_does_not_keep_it_open(monkeypatch):
    end = LabApp._exit_unless_unsaved

    def start_another_and_end(app, **options):
        late = make_job(prepare(READY_MADE[0].setup("late"), app.library), app.library, PACES[0])
        app.train(late)
        wait_until(lambda: app.job is not late or late.view.done)
        end(app, **options)

    async with running() as pilot:
        await open_train(pilot)
        await start(pilot)
        monkeypatch.setattr(NoughtsApp, "_exit_unless_unsaved", start_another_and_end)
        await pilot.press("q")
        await pilot.until(lambda: not pilot.app.is_running)
    assert pilot.app.trouble == ""
    assert "late" not in saved()


async def train_on(pilot, name):
    await open_library(pilot, name)
    await pilot.press("T")
    await pilot.until(
        lambda: isinstance(pilot.screen, TrainScreen) and pilot.screen.is_ready and pilot.form["name"] == name
    )


@pytest.mark.long
async def test_training_on_from_the_library_can_be_started_or_cancelled():
    half = train(Failures(GAMES[0], "riechel-2007", 11), 3000)
    Library(library_path()).save("half", half)
    async with running() as pilot:
        await train_on(pilot, "half")
        await pilot.sees("Continues after 3,000 games")
        await pilot.until(lambda: 3000 in (pilot.screen.watched.story.known))
        await pilot.press("escape")
        await pilot.until(lambda: pilot.form["name"] == "failures")
        await pilot.until(lambda: not pilot.form.fields["seed"].disabled)
        await pilot.until(lambda: "Press g or Start." in pilot.screen_text)
        await train_on(pilot, "half")
        assert pilot.form["seed"] == "11"
        assert pilot.form.fields["name"].disabled
        assert pilot.form["preset"] == "riechel-2007"
        await pilot.until(lambda: "Continues after" in pilot.train_state)
        assert not pilot.form.fields["rounds"].disabled
        await start(pilot, "2000", "11")
        await until_state(pilot, JobState.FINISHED)
        await pilot.until(lambda: pilot.form["name"] == "failures")
        assert not any(field.disabled for field in pilot.form.fields.values())
        pilot.form.put(set="empty=refill")
        await pilot.pick("learner", "td")
        await pilot.until(lambda: not pilot.form["set"])
    assert saved() == {"half": 5000}
    assert memory_of("half") == train(Failures(GAMES[0], "riechel-2007", 11), 5000).memory.tolist()


@pytest.mark.long
async def test_start_pressed_at_once_waits_for_the_proposed_name(monkeypatch):
    free, ready = Library.free_name, Event()
    monkeypatch.setattr(Library, "free_name", lambda library, name: (ready.wait(LIMIT), free(library, name))[1])
    async with running() as pilot:
        await pilot.press("t")
        await pilot.arrived(TrainScreen)
        await pilot.press("g")
        assert pilot.form["name"] == ""
        ready.set()
        await pilot.until(lambda: pilot.app.job is not None and pilot.app.job.name == "failures")


@pytest.mark.long
async def test_start_pressed_twice_starts_once(pilot):
    await fill(pilot, rounds="3000")
    screen = pilot.screen
    screen.action_start()
    screen.action_start()
    await pilot.until(lambda: saved() == {"failures": 3000})
    await until_state(pilot, JobState.FINISHED)
    assert pilot.shown_messages == []
    assert pilot.form_error == ""


@pytest.mark.long
async def test_a_training_that_could_not_be_saved_says_so_and_can_be_saved_again():
    library_path().parent.mkdir(exist_ok=True)
    library_path().write_bytes(b"not a library at all")
    async with running() as pilot:
        await open_train(pilot)
        await pilot.told("You can train, but nothing can be saved.")
        await start(pilot, "100")
        await until_state(pilot, JobState.FINISHED)
        assert "Not saved: " in pilot.train_state
        library_path().unlink()
        await pilot.press("k")
        await pilot.until(lambda: pilot.train_state == "Finished; saved as failures")
    assert saved() == {"failures": 100}
    assert pilot.app.trouble == ""


@pytest.mark.long
async def test_quitting_reports_what_could_not_be_saved():
    library_path().write_bytes(b"not a library at all")
    async with running() as pilot:
        await open_train(pilot)
        await start(pilot)
        await pilot.press("q")
        await pilot.told("Repeat to discard it.")
        assert pilot.app.job.unsaved
        await pilot.press("q")
        await pilot.until(lambda: not pilot.app.is_running)
    assert pilot.app.trouble.startswith("failures was not saved: ")
    assert library_path().read_bytes() == b"not a library at all"


@pytest.mark.long
@pytest.mark.parametrize("during", ["stop_and_save", "_may_discard"])
async def test_a_signal_ends_the_app_even_while_the_user_quits(during, monkeypatch):
    library_path().write_bytes(b"not a library at all")
    does = getattr(LabApp, during)

    def is_told_then(app, *values):
        result = does(app, *values)
        app.signals._receive(signal.SIGTERM, None)
        return result

    async with running() as pilot:
        await open_train(pilot)
        await start(pilot)
        monkeypatch.setattr(NoughtsApp, during, is_told_then)
        await pilot.press("q")
        await pilot.until(lambda: not pilot.app.is_running)
    assert pilot.app.trouble.startswith("failures was not saved: ")


def offered(pilot, name):
    return pilot.form.fields[name].values


@pytest.mark.long
async def test_the_form_offers_what_fits_the_game_and_the_learner():
    Library(library_path()).save("pawns", train(Failures(parse_game("hexapawn"), "literal", 1), 5))
    async with running() as pilot:
        await open_train(pilot)
        await pilot.until(lambda: offered(pilot, "opponent")[:5] == ["self", "human", "teacher", "random", "perfect"])
        await pilot.pick("learner", "menace")
        await pilot.until(lambda: pilot.form["name"] == "menace")
        assert offered(pilot, "preset") == ["steady", "michie", "scroggs", "blog", "blog-fixed"]
        await pilot.until(lambda: offered(pilot, "opponent")[:5] == ["self", "human", "teacher", "random", "perfect"])
        await pilot.pick("preset", "michie")
        await pilot.until(lambda: offered(pilot, "opponent")[:4] == ["human", "teacher", "random", "perfect"])
        assert pilot.form["opponent"] == "perfect:any"  # one side cannot play itself
        assert "save:riechel" in offered(pilot, "opponent")
        await pilot.pick("preset", "blog")
        await pilot.until(lambda: offered(pilot, "opponent")[0] == "self")
        await pilot.pick("game", "hexapawn")
        await pilot.until(lambda: offered(pilot, "opponent")[-1] == "save:pawns")
        assert offered(pilot, "preset")[-1] == "her"
        assert pilot.form["preset"] == "blog"
        await pilot.pick("opponent", "save:pawns")
        await pilot.pick("game", "misere")
        await pilot.until(lambda: "save:pawns cannot play this game" in pilot.form_error)
        await pilot.until(lambda: pilot.form["opponent"] == "self")
        assert "her" not in offered(pilot, "preset")


@pytest.mark.long
async def test_a_preset_brings_its_own_rounds_and_opponent_until_others_are_chosen(pilot):

    async def shows(rounds, opponent):
        await pilot.until(lambda: (pilot.form["rounds"], pilot.form["opponent"]) == (rounds, opponent))

    await pilot.pick("learner", "menace")
    await shows("100,000", "self")
    await pilot.pick("preset", "michie")
    await shows("220", "perfect:any")
    await pilot.pick("preset", "scroggs")
    await shows("10,000", "self")
    await pilot.until(lambda: "random" in offered(pilot, "opponent"))
    await pilot.pick("opponent", "random")
    await fill(pilot, rounds="77")
    await pilot.pick("preset", "blog")
    await shows("77", "random")
    await pilot.pick("learner", "failures")
    await pilot.pick("learner", "menace")
    await shows("77", "self")


@pytest.mark.long
async def test_a_menace_with_changed_settings_is_trained_against_an_opponent_and_continued(pilot):
    opponent = "save:riechel"
    await pilot.pick("learner", "menace")
    await pilot.until(lambda: opponent in offered(pilot, "opponent"))
    await pilot.pick("opponent", opponent)
    await fill(pilot, set="win=5  beads=9,8,7", name="a")
    await start(pilot, "200", "3")
    await until_state(pilot, JobState.FINISHED)
    learner = Menace(GAMES[0], "steady", 3, {"win": 5, "beads": "9,8,7"})
    learner.set_opponent(Library(library_path()).opponent(opponent, GAMES[0]))
    assert memory_of("a") == train(learner, 200).memory.tolist()
    await train_on(pilot, "a")
    assert pilot.form["opponent"] == opponent
    assert sorted(pilot.form["set"].split()) == ["beads=9,8,7", "win=5"]
    await pilot.until(lambda: "perfect" in offered(pilot, "opponent"))
    assert pilot.form["opponent"] == opponent
    assert not pilot.form.fields["opponent"].disabled
    await start(pilot, "100", "3")
    await pilot.until(lambda: saved() == {"a": 300})
    assert Library(library_path()).load("a").opponent == opponent


@pytest.mark.long
async def test_against_a_person_the_learner_is_saved_and_learns_at_the_board(pilot):
    await pilot.pick("learner", "menace")
    await pilot.until(lambda: "human" in offered(pilot, "opponent"))
    await pilot.pick("opponent", "human")
    await fill(pilot, name="pupil")
    button(pilot, "start").focus()
    await pilot.press("g")
    await pilot.seated("human", "save:pupil")
    assert pilot.screen.table.learning
    assert pilot.app.job is None
    assert saved() == {"pupil": 0}
    assert Library(library_path()).load("pupil").opponent == "human"
    await pilot.press("t")
    await pilot.until(lambda: pilot.form["name"] == "menace")


@pytest.mark.long
async def test_a_ready_made_training_starts_by_one_key(pilot):
    await pilot.press("2")
    await pilot.until(lambda: pilot.app.job is not None)
    await until_state(pilot, JobState.FINISHED)
    await pilot.until(lambda: pilot.form["name"] == "menace 2")
    assert pilot.form["opponent"] == "random"
    assert pilot.shown_messages == []
    assert saved() == {"menace": 100_000}
    kept = Library(library_path()).load("menace")
    assert (kept.preset, kept.opponent) == ("steady", "random")


@pytest.mark.long
async def test_the_form_folds_while_it_trains_and_opens_by_a_key():
    async with running(size=(60, 20)) as pilot:
        await open_train(pilot)
        fields = [
            pilot.form.fields[name]
            for name in ("learner", "game", "preset", "opponent", "set", "rounds", "seed", "name")  # the pace has keys
        ]
        await pilot.until(lambda: all(is_shown(field) for field in fields))
        assert is_shown(button(pilot, "start"))
        assert not is_shown(button(pilot, "stop"))
        await start(pilot, "100")
        await until_state(pilot, JobState.FINISHED)
        await pilot.until(lambda: not any(is_shown(field) for field in fields))
        await pilot.until(lambda: pilot.screen.watched.drawn is pilot.app.job.view)
        for selector in ("#start", "#change", "#train-state", "#summary"):
            assert is_shown(pilot.screen.query_one(selector))
        await pilot.press("c")
        await pilot.until(lambda: all(is_shown(field) for field in fields))
        await pilot.press("c")
        await pilot.until(lambda: not any(is_shown(field) for field in fields))


async def test_a_click_on_a_box_opens_its_memory():
    async with running(size=(120, 40)) as pilot:
        await open_train(pilot)
        await start(pilot, "100")
        await until_state(pilot, JobState.FINISHED)
        boxes = "#newest"
        await pilot.until(lambda: "╭" in (pilot.shown_text(boxes) or ""))
        first = pilot.text_of(boxes).splitlines()[0].index("╭")
        await pilot.click(boxes, offset=(first + 2, 2))
        memory = await pilot.arrived(MemoryScreen)
        await pilot.until(lambda: memory.edges)
        assert memory.save == "failures"
        assert len(memory.edges) == 1


@pytest.mark.long
async def test_a_click_starts_a_ready_made_training(pilot):
    await pilot.press("t")
    await pilot.arrived(TrainScreen)
    await pilot.until(lambda: "5 Q-learner" in pilot.text_of(READY_MADE_LIST))
    lines = pilot.text_of(READY_MADE_LIST).split("\n")
    row = next(row for row, line in enumerate(lines) if "5 Q-learner" in line)
    await pilot.click(READY_MADE_LIST, offset=(lines[row].index("Q-learner"), row))
    await pilot.until(lambda: pilot.app.job is not None and pilot.app.job.view.snapshot.learner == "q")


async def test_a_teacher_trains_a_machine_that_nobody_beats():
    async with running(make_app("hexapawn")) as pilot:
        await open_train(pilot)
        await pilot.until(lambda: "teacher" in offered(pilot, "opponent"))
        await fill(pilot, opponent="teacher", pace="full speed")
        assert pilot.form.fields["rounds"].disabled
        await pilot.press("g")
        await pilot.until(lambda: pilot.app.job and pilot.app.job.view.state is JobState.FINISHED)
        await until_state(pilot, JobState.FINISHED)
        story, job = pilot.screen.query_one(StoryList), pilot.app.job
        assert [line.rounds for line in story.story] == [*range(1, job.view.total + 1)]
        assert story.highlighted == job.view.total - 1
        await pilot.until(lambda: pilot.train_summary)
        assert job.verdict_text().startswith(pilot.train_summary), "as many of its clauses as fit"
        assert pilot.train_title.endswith(" as B"), "the side that was taught"
        await pilot.until(lambda: saved() == {"failures": job.view.total})
    learner = revive(Library(library_path()).load("failures"))
    assert best_response(learner.space, Side.SECOND, learner.policy()).loss == 0


@pytest.mark.parametrize("path", ["a.json", "/b c/d e.txt", "a.svg", "a.csv"])
def test_a_file_is_named_after_its_format(path):
    assert export_of(None, "a save").parse_path(path) == path


@pytest.mark.parametrize("path", ["a", "a.tsv", "a.JSON.gz", ".txt"])
def test_an_unknown_suffix_is_refused(path):
    with pytest.raises(BadText, match=r"\.json or \.txt"):
        export_of(None, "a save").parse_path(path)
