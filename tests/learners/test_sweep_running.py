"""A sweep gathers every machine once, whatever its workers do."""

import signal
import sys
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from itertools import count
from multiprocessing import active_children
from socket import create_server
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from engine.game import BadText
from learners.sweep import running
from learners.sweep.batch import Batch, Rows, run_batch
from learners.sweep.program import OtherProgram
from learners.sweep.running import ATTEMPTS, run
from learners.sweep.workers import Cluster, Processes, SweepFailed
from tests.sweeps import InProcessWorkers, WorkerDied, small_plan
from tests.waiting import wait_until


def missing(plan):
    return [(number, plan.definition.seeds) for number in range(len(plan.points))]


def machines(rows):
    return [(each.number, seed) for each in rows for seed in each.seeds]


def text(kept):
    return "".join(rows.text for rows in sorted(kept, key=lambda rows: (rows.number, rows.seeds.start)))


def whole(plan):
    return "".join(run_batch(plan.batch(number, plan.definition.seeds)).text for number in range(len(plan.points)))


@pytest.mark.parametrize("seed", range(5))
def test_every_machine_is_gathered_once_although_workers_die(seed):
    plan, kept = small_plan(), []
    workers = InProcessWorkers(deaths=4, seed=seed)
    last = [*run(plan, missing(plan), workers, kept.extend, lambda: False)][-1]
    assert workers.deaths == 0
    assert sorted(machines(kept)) == [(point, each) for point in range(8) for each in plan.definition.seeds]
    assert (last.done, last.total) == (40, 40)
    assert text(kept) == whole(plan)


def test_batches_grow_to_the_time_that_they_should_take(monkeypatch):
    monkeypatch.setattr(running, "BATCH_SECONDS", 0.1)
    monkeypatch.setattr(running, "SHORT_SECONDS", 0.01)
    plan = small_plan(seeds=1000, grid={}, opponent="self", games=1)
    workers = InProcessWorkers()

    def clock() -> float:
        """The time that all batches so far took, at a thousandth of a second for a machine."""
        return sum(len(batch.seeds) for batch in workers.batches) / 1000

    for _ in run(plan, missing(plan), workers, lambda _: None, lambda: False, clock=clock):
        pass
    sizes = [len(batch.seeds) for batch in workers.batches]
    assert sizes[0] == 1
    assert max(sizes) > 10
    assert sum(sizes) == 1000
    assert sizes[-1] < max(sizes), "short again, so that all workers end together"


def test_a_batch_whose_workers_die_every_time_ends_the_sweep():
    class Deadly(InProcessWorkers):
        def submit(self, batch):
            if batch.number != 2:
                return super().submit(batch)
            self.batches.append(batch)
            return dead()

    plan, kept = small_plan(seeds=1), []
    workers = Deadly()
    with pytest.raises(SweepFailed, match=r"workers died 5 times at menace:steady\+win=3\+empty=resign"):
        for _ in run(plan, missing(plan), workers, kept.extend, lambda: False):
            pass
    assert len([batch for batch in workers.batches if batch.number == 2]) == ATTEMPTS
    assert {rows.number for rows in kept} == {*range(8)} - {2}, "all others came in first"


def dead():
    future = Future()
    future.set_exception(WorkerDied())
    return future


class Answering(InProcessWorkers):
    """Workers that all give this answer to a batch."""

    def __init__(self, answer: Callable[[Batch], Rows]) -> None:
        super().__init__()
        self.answer = answer

    def submit(self, batch: Batch) -> Future[Rows]:
        future: Future[Rows] = Future()
        try:
            future.set_result(self.answer(batch))
        except (ImportError, OtherProgram, ValueError) as error:
            future.set_exception(error)
        return future


OTHER = "noughts 0.0.9 (source 0)"
NO_PROGRAM = ModuleNotFoundError("No module named 'learners'")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (
            lambda batch: run_batch(replace(batch, program=OTHER)),
            r"runs noughts .* one of noughts 0\.0\.9 \(source 0\): install the same",
        ),
        (Mock(side_effect=NO_PROGRAM), "install noughts .* in the Python of the scheduler and of every worker"),
        (
            Mock(side_effect=ValueError("no luck\nand more")),
            r"^menace:steady\+win=1\+empty=resign failed: ValueError: no luck$",
        ),
    ],
    ids=["a batch of another program", "no program", "an error"],
)
def test_an_answer_that_is_no_result_ends_the_sweep_and_is_not_kept(answer, message):
    plan, kept = small_plan(), []
    with pytest.raises(SweepFailed, match=message):
        list(run(plan, missing(plan), Answering(answer), kept.extend, lambda: False))
    assert kept == []


@pytest.mark.parametrize(
    ("error", "lacks"),
    [
        (RuntimeError("Error during deserialization of the task graph. This frequently\noccurs if"), True),
        (NO_PROGRAM, True),
        (RuntimeError("no luck"), False),
    ],
)
def test_a_cluster_without_the_program_is_recognised(error, lacks):
    assert Cluster.lacks_program(Cluster.__new__(Cluster), error) is lacks


@pytest.mark.parametrize(("threads", "said"), [({}, "no worker is connected"), ({"a": 1, "b": 3}, "4 threads of")])
def test_of_a_silent_cluster_what_is_known_is_said(threads, said):
    cluster = Cluster.__new__(Cluster)
    cluster._address, cluster._client = "tcp://head:8786", Mock(status="running", nthreads=lambda: threads)
    assert cluster.missing.startswith(said)


def test_what_is_missing_is_said_and_ends_the_sweep_in_time(monkeypatch):
    class Absent(InProcessWorkers):
        missing = "no worker is connected"

        def submit(self, _):
            return Future()

    monkeypatch.setattr(running, "INTERVAL_SECONDS", 0)
    clock = count()
    plan, said = small_plan(), []
    progress = run(plan, missing(plan), Absent(), lambda _: None, lambda: False, 100, clock=lambda: next(clock))
    with pytest.raises(SweepFailed, match="no worker is connected"):
        said.extend(each.waiting for each in progress)
    assert set(said) == {"", "no worker is connected"}


@pytest.mark.parametrize("speaks", [False, True])
def test_an_address_where_no_scheduler_answers_is_refused_in_a_line(monkeypatch, speaks):
    pytest.importorskip("distributed")
    monkeypatch.setattr("learners.sweep.workers.PATIENCE_SECONDS", 0.2)
    with create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1] if speaks else 1
        with pytest.raises(BadText, match="no scheduler answers at") as raised:
            Cluster(f"tcp://127.0.0.1:{port}")
    assert "\n" not in str(raised.value)


def test_a_scheduler_that_greets_and_then_says_nothing_is_refused_in_a_line(monkeypatch):
    class Silent:
        def __init__(self, *_given, **_options) -> None:
            raise TimeoutError

    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=Silent))
    monkeypatch.setattr("learners.sweep.workers.logging.disable", lambda: None)
    with pytest.raises(BadText, match="no scheduler answers at 'tls://head:8786': timeout"):
        Cluster("tls://head:8786")


def test_a_sweep_stops_when_asked_and_keeps_finished_batches(monkeypatch):
    monkeypatch.setattr(running, "BATCH_SECONDS", 0.01)
    monkeypatch.setattr(running, "SHORT_SECONDS", 0.001)
    plan, kept, asked = small_plan(seeds=1000), [], count()
    progress = [*run(plan, missing(plan), InProcessWorkers(), kept.extend, lambda: next(asked) >= 5)]
    assert 0 < progress[-1].done == len(machines(kept)) < 8000


def test_an_error_of_the_disk_is_raised():
    def full(_rows):
        raise BadText("the disk is full")

    plan = small_plan()
    with pytest.raises(BadText, match="the disk is full"):
        list(run(plan, missing(plan), InProcessWorkers(), full, lambda: False))


@pytest.mark.long
def test_processes_run_batches_and_a_pool_is_replaced_when_one_is_killed():
    plan, kept = small_plan(), []
    before = set(active_children())
    workers = Processes(2)
    killed = []

    def keep(rows):
        kept.extend(rows)
        if not killed:
            killed.extend(set(active_children()) - before)
            killed[0].kill()

    list(run(plan, missing(plan), workers, keep, lambda: False))
    workers.close(finished=True)
    assert text(kept) == whole(plan)
    assert len(machines(kept)) == 40
    assert killed[0].exitcode == -signal.SIGKILL
    wait_until(lambda: set(active_children()) <= before)


def test_without_the_package_a_cluster_is_refused_with_advice(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BadText, match=r"pip install 'noughts\[cluster\]'"):
        Cluster("tcp://head:8786")


def test_only_what_is_missing_runs():
    plan, kept = small_plan(), []
    progress = [*run(plan, [(3, range(2, 4))], InProcessWorkers(), kept.extend, lambda: False)]
    assert sorted(machines(kept)) == [(3, 2), (3, 3)]
    assert [progress[0].done, progress[-1].done] == [38, 40]


@pytest.mark.parametrize("address", ["head", "tcp://head", "tcp://head:port", "tcp:// :1", "a b:1", ""])
def test_an_invalid_address_is_refused(address):
    pytest.importorskip("distributed")
    with pytest.raises(BadText, match="is not the address of a scheduler: write it as tcp://head:8786"):
        Cluster(address)
