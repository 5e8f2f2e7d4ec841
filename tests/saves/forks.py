"""Processes that begin with everything imported: the fork server of `multiprocessing` starts them in milliseconds.

process = Forked(function, argument, …)    # a function of a module; what it says is in process.stdout
process.kill()
assert process.wait() == -9
"""

import os
import sys
from functools import partial
from multiprocessing import get_context

say = partial(print, flush=True)
CONTEXT = get_context("forkserver")
PRELOADED = ["tests.campaigns.test_kill", "tests.campaigns.test_concurrency", "tests.saves.test_versions"]
"""What the server imports; it starts with the first process."""
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # no threads in the server


def begin(function, args, *pipes):
    """Call the function, with pipes as standard output and standard error; its result is the exit status."""
    for number, pipe in enumerate(pipes, 1):
        os.dup2(pipe.fileno(), number)
        pipe.close()
    sys.exit(function(*args))


class Forked:
    def __init__(self, function, *args) -> None:
        CONTEXT.set_forkserver_preload(PRELOADED)
        (out, told), (err, complained) = (CONTEXT.Pipe(duplex=False) for _ in range(2))
        self._process = CONTEXT.Process(target=begin, args=(function, args, told, complained))
        self._process.start()
        told.close()
        complained.close()
        self.pid, self.kill = self._process.pid, self._process.kill
        self.stdout, self.stderr = (os.fdopen(os.dup(each.fileno())) for each in (out, err))

    def wait(self):
        """Return the exit status, negative for a signal. What the process has printed must be read before."""
        self.stdout.close()
        self.stderr.close()
        self._process.join()
        return self._process.exitcode
