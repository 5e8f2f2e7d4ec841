"""The program without what only Linux and macOS have: every module of it can be imported on Windows."""

import subprocess
import sys

import pytest

from docs.import_graph import PACKAGES, ROOT, module_graph

IMPORT_ALL = """
import os, signal, socket, sys
from importlib import import_module

def import_all():
    failed = []
    for name in MODULES:
        try:
            import_module(name)
        except Exception as error:
            failed.append(f"{name}: {error!r}")
    return failed

failed = import_all()  # with them all libraries, which are not at issue
for name in MODULES:
    sys.modules.pop(name, None)
for name in ("fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty"):
    sys.modules[name] = None
for module, names in HIDDEN.items():
    for name in names.split():
        vars(sys.modules[module]).pop(name, None)
sys.platform = "win32"
print(*failed, *import_all(), sep="\\n")
"""
WINDOWS_SIGNALS = {"SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM"}
POSIX_SIGNALS = (
    "SIGALRM SIGBUS SIGCHLD SIGCONT SIGHUP SIGIO SIGKILL SIGPIPE SIGPROF SIGQUIT SIGSTOP SIGSYS SIGTRAP SIGTSTP "
    "SIGTTIN SIGTTOU SIGURG SIGUSR1 SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU SIGXFSZ"
)
HIDDEN = {
    "signal": f"{POSIX_SIGNALS} SIG_BLOCK SIG_UNBLOCK SIG_SETMASK ITIMER_REAL alarm getitimer pause pthread_kill "
    "pthread_sigmask setitimer siginterrupt sigpending sigtimedwait sigwait sigwaitinfo",
    "os": "O_CLOEXEC O_DIRECTORY O_NOCTTY O_NOFOLLOW O_NONBLOCK O_SYNC WNOHANG chown chroot fchmod fchown fork forkpty "
    "getegid geteuid getgid getgroups getloadavg getpgid getpgrp getpriority getresuid getsid getuid initgroups killpg "
    "lchown major mkfifo mknod nice openpty posix_fallocate pread preadv pwrite sched_getaffinity sched_setaffinity "
    "sendfile setgid setpgid setpriority setsid setuid statvfs sync sysconf tcgetpgrp tcsetpgrp ttyname uname wait4",
    "socket": "AF_UNIX SO_REUSEPORT socketpair",
}


LEFT_OUT = {"noughts.pettingzoo_env", "tui.shell.input_driver"}
"""The modules for an extra, and for the driver of POSIX terminals: imported only where they are used."""


@pytest.mark.long
def test_every_module_can_be_imported_on_windows():
    modules = sorted(name for name in module_graph() if not name.endswith("__main__") and name not in LEFT_OUT)
    assert {name.partition(".")[0] for name in modules} >= set(PACKAGES)
    done = subprocess.run(
        [sys.executable, "-c", f"MODULES = {modules!r}\nHIDDEN = {HIDDEN!r}\n{IMPORT_ALL}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout.strip(), done.stderr, done.returncode) == ("", "", 0)


def test_no_signal_is_hidden_that_windows_has():
    assert not WINDOWS_SIGNALS & set(POSIX_SIGNALS.split())
