"""Processes that begin with everything imported: a prepared process without threads forks them.

A fresh interpreter takes half a second until it can save, a forked one 3 ms:

    with Forks() as forks:
        process = forks.start(function, argument, …)    # a function of a module, what it prints is in process.stdout
        process.kill()
        assert process.wait() == -9
"""

import gc
import os
import pickle
import signal
import socket
import struct
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Self

ROOT = Path(__file__).parent.parent.parent
NUMBER = struct.Struct("i")


class KillAtCall:
    """Count the calls, and kill this process at a given one."""

    def __init__(self, last) -> None:
        self.calls, self._last = 0, last

    def __call__(self) -> None:
        self.calls += 1
        if self.calls == self._last:
            os.kill(os.getpid(), signal.SIGKILL)


class Forks:
    """The process that forks. It ends with the block, or with the process that started it.

    It calls `prepare` once, before it forks.
    """

    def __init__(self, prepare=None) -> None:
        self._prepare = prepare

    def __enter__(self) -> Self:
        self._line, far = socket.socketpair()
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
        command = [sys.executable, __file__, str(far.fileno())]
        self._server = subprocess.Popen(command, env=environment, cwd=ROOT, pass_fds=[far.fileno()])
        far.close()
        self._send(pickle.dumps(self._prepare))
        return self

    def __exit__(self, *_) -> None:
        self._line.close()
        assert self._server.wait() == 0

    def start(self, function, *args):
        """Import this function, and fork a process that calls it; its result is the exit status."""
        (out, told), (err, complained) = os.pipe(), os.pipe()
        request = pickle.dumps((function, args))
        socket.send_fds(self._line, [NUMBER.pack(len(request))], [told, complained])
        self._line.sendall(request)
        os.close(told)
        os.close(complained)
        return Forked(self, self._answer(), os.fdopen(out), os.fdopen(err))

    def wait(self, pid):
        self._send(pickle.dumps(pid))
        return self._answer()

    def _send(self, request):
        self._line.sendall(NUMBER.pack(len(request)) + request)

    def _answer(self):
        return NUMBER.unpack(received(self._line, NUMBER.size))[0]


class Forked:
    def __init__(self, forks, pid, stdout, stderr) -> None:
        self.pid, self.stdout, self.stderr, self._forks = pid, stdout, stderr, forks

    def kill(self):
        os.kill(self.pid, signal.SIGKILL)  # a process that has ended keeps its number until it is waited for

    def wait(self):
        """Return the exit status, negative for a signal. What the process has printed must be read before."""
        self.stdout.close()
        self.stderr.close()
        return self._forks.wait(self.pid)


def received(line, size):
    data = line.recv(size, socket.MSG_WAITALL)
    assert len(data) == size
    return data


def serve(line):
    prepare = pickle.loads(received(line, *NUMBER.unpack(received(line, NUMBER.size))))  # noqa: S301  from the parent
    if prepare is not None:
        prepare()
    while True:
        size, fds, *_ = socket.recv_fds(line, NUMBER.size, 2)
        if not size:
            return
        request = pickle.loads(received(line, *NUMBER.unpack(size)))  # noqa: S301  from the parent process
        if isinstance(request, int):
            answer = os.waitstatus_to_exitcode(os.waitpid(request, 0)[1])
        else:
            gc.freeze()
            answer = os.fork()
            if not answer:
                line.close()
                begin(*request, *fds)
        for fd in fds:
            os.close(fd)
        line.sendall(NUMBER.pack(answer))


def begin(function, args, stdout, stderr):
    """Call the function; its result is the exit status. If it raises `SystemExit`, the interpreter ends as usual."""
    os.dup2(stdout, 1)
    os.dup2(stderr, 2)
    os.close(stdout)
    os.close(stderr)
    code = 1
    try:
        code = function(*args) or 0
        sys.stdout.flush()
    except SystemExit:
        raise
    except BaseException:  # noqa: BLE001  this is where a process ends
        traceback.print_exc()
        sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
