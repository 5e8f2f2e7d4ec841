"""Sweeps as they run outside tests: a real pool, a real Dask cluster, real signals; and one result whatever happens."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random

import pytest

from saves.sweeps.part import part_path
from tests.cli.cli_run import without_progress
from tests.waiting import LIMIT, wait_until

ROOT = Path(__file__).parents[2]
DEFINITION = (
    *("--learner", "menace", "--game", "hexapawn", "--opponent", "self,random", "--grid", "win=1,3,5"),
    *("--grid", "empty=resign,refill", "--games", "1000"),
)
SEEDS = 400
"""The number of seeds: enough for a run of some seconds."""
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for the workers in /proc"),
]


def start(*arguments: str, **options) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "noughts", "sweep", *arguments]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **options}
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, env=environment, start_new_session=True, **pipes)


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=LIMIT)
    return process.returncode, out, without_progress(err)


def begin(output: Path, *options: str, seeds: int = SEEDS) -> subprocess.Popen[str]:
    return start(*DEFINITION, "--seeds", str(seeds), "--out", str(output), *options)


def children(process: subprocess.Popen[str]) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended meanwhile
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            if int(parent) == process.pid and b"spawn_main" in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
    return found


def wait_for_rows(process: subprocess.Popen[str], output: Path, size: int = 30_000) -> None:
    """Wait until some batches have come in."""
    files = [part_path(output), part_path(output).with_name(part_path(output).name + "-wal")]
    wait_until(
        lambda: process.poll() is not None or sum(path.stat().st_size for path in files if path.exists()) > size,
        "batches come in",
    )
    assert process.poll() is None, finish(process)


@pytest.fixture(scope="module", name="expected")
def _expected(tmp_path_factory) -> bytes:
    output = tmp_path_factory.mktemp("expected") / "found.csv"
    code, _, err = finish(begin(output, "--workers", "1"))
    assert (code, err) == (0, "")
    return output.read_bytes()


def test_two_processes_give_the_bytes_of_one(tmp_path, expected):
    output = tmp_path / "found.csv"
    code, out, err = finish(begin(output, "--workers", "2"))
    assert (code, err) == (0, "")
    assert out.startswith("12 points × 400 seeds: 4,800 machines, 4,800,000 games")
    assert output.read_bytes() == expected
    assert [path.name for path in tmp_path.iterdir()] == ["found.csv"]


def test_workers_that_are_killed_again_and_again_cost_nothing_but_time(tmp_path, expected):
    output, random = tmp_path / "found.csv", Random(1)
    process = begin(output, "--workers", "2")
    wait_for_rows(process, output)
    for _ in range(3):
        wait_until(lambda: process.poll() is not None or children(process), "there are workers")
        if victims := children(process):
            os.kill(random.choice(victims), signal.SIGKILL)
            wait_until(lambda seen=set(victims): process.poll() is not None or not seen & set(children(process)))
    code, _, err = finish(process)
    assert (code, err) == (0, "")
    assert output.read_bytes() == expected


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_keeps_finished_batches_and_ends_all_processes(tmp_path, expected, number):
    output = tmp_path / "found.csv"
    process = begin(output, "--workers", "2")
    wait_for_rows(process, output)
    workers = children(process)
    assert len(workers) == 2
    if number == signal.SIGINT:
        os.killpg(process.pid, number)  # as a terminal does: the workers get it too
    else:
        process.send_signal(number)
    code, out, err = finish(process)
    assert (code, out) == (128 + number, "")
    assert err.count("\n") == 1
    assert "of 4,800 machines are kept. Resume with: noughts sweep resume" in err
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers), "workers end")
    assert finish(start("resume", str(output)))[0] == 0
    assert output.read_bytes() == expected


def test_after_a_kill_the_workers_end_and_the_sweep_goes_on(tmp_path, expected):
    output = tmp_path / "found.csv"
    process = begin(output, "--workers", "2")
    wait_for_rows(process, output)
    workers = children(process)
    assert len(workers) == 2
    process.kill()
    finish(process)
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers), "workers end with their parent")
    code, _, _ = finish(start("resume", str(output), "--workers", "1"))
    assert code == 0
    assert output.read_bytes() == expected


def test_a_sweep_that_is_running_is_not_started_twice(tmp_path):
    output = tmp_path / "found.csv"
    process = begin(output, "--workers", "1")
    wait_for_rows(process, output, size=1)
    wait_until(lambda: children(process))
    for second in (begin(output), start("resume", str(output)), start("show", str(output))):
        code, _, err = finish(second)
        assert code == 1
        assert err.count("\n") == 1
        assert "this sweep is already running; wait until it has ended" in err
    process.send_signal(signal.SIGINT)
    assert finish(process)[0] == 130


@contextmanager
def dask(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "dask", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, cwd=folder, env=environment, **quiet) as process:
        try:
            yield process
        finally:
            process.kill()


class DaskCluster:
    def __init__(self, folder: Path, stack: ExitStack) -> None:
        file = folder / "scheduler.json"
        where = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
        self.scheduler = stack.enter_context(dask(folder, "scheduler", *where))
        wait_until(lambda: file.exists() and file.read_text().endswith("}"), "the scheduler has begun")
        self.address = json.loads(file.read_text())["address"]
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(folder))
        self.workers = [stack.enter_context(dask(folder, "worker", self.address, *options)) for _ in range(3)]


@pytest.fixture(name="cluster")
def _cluster(tmp_path_factory) -> Iterator[DaskCluster]:
    pytest.importorskip("distributed")
    with ExitStack() as stack:
        yield DaskCluster(tmp_path_factory.mktemp("dask"), stack)


def test_a_dask_cluster_gives_the_same_bytes_although_a_worker_is_killed(tmp_path, expected, cluster):
    output = tmp_path / "found.csv"
    process = begin(output, "--scheduler", cluster.address)
    wait_for_rows(process, output)
    cluster.workers[0].kill()
    code, _, err = finish(process)
    assert (code, err) == (0, "")
    assert output.read_bytes() == expected


def test_a_lost_scheduler_is_reported_in_one_line_and_finished_batches_are_kept(tmp_path, expected, cluster):
    output = tmp_path / "found.csv"
    process = begin(output, "--scheduler", cluster.address)
    wait_for_rows(process, output)
    cluster.scheduler.kill()
    code, out, err = finish(process)
    assert (code, out, err.count("\n")) == (1, "", 1), err
    assert err.startswith(f"noughts: the scheduler at {cluster.address} is gone; ")
    code, _, err = finish(start("resume", str(output), "--scheduler", cluster.address))
    assert (code, err.count("\n")) == (1, 1), err
    assert "no scheduler answers at" in err
    assert finish(start("resume", str(output)))[0] == 0
    assert output.read_bytes() == expected


def test_a_signal_during_a_sweep_on_a_cluster_keeps_finished_batches(tmp_path, cluster):
    output = tmp_path / "found.csv"
    process = begin(output, "--scheduler", cluster.address)
    wait_for_rows(process, output)
    process.send_signal(signal.SIGINT)
    code, out, err = finish(process)
    assert (code, out, err.count("\n")) == (130, "", 1), err
    assert "of 4,800 machines are kept" in err
