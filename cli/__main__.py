"""The command line. `noughts` alone opens the app; the commands do the same things without a screen."""

import gc
import os
import re
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from traceback import walk_tb
from typing import Final, NoReturn

import click

from cli.commands.app import open_app
from cli.shared.common import LazyGroup, chosen_library_path, library_option, print_error
from cli.shared.signals import ignore_signals, insist_on_interrupts
from engine import plugins
from engine.compiling.compile_thread import announce_compiling, is_compiling
from lab.signals import SIGNAL_EXIT
from lab.text.ascii import replace_missing_glyphs

FAILED: Final = 1
INTERRUPTED: Final = SIGNAL_EXIT + signal.SIGINT
MAX_WORD: Final = 80
"""The maximum length of a word in a message about wrong usage, so that the correct usage still fits."""

COMMANDS: Final = {
    "play": ("cli.commands.play:play", "Play a game, in the app or line by line."),
    "train": ("cli.commands.train:train", "Train LEARNER against itself or another player."),
    "race": ("cli.commands.race:race_command", "Race learners: equal numbers of games, many machines of each."),
    "sweep": ("cli.commands.sweep:sweep", "Train many machines at each point of a grid of settings."),
    "saves": ("cli.commands.saves:saves", "List, show, compare, export, import, delete or recover saves."),
    "picture": ("cli.commands.picture:picture", "Draw a save or a game: SVG, PNG, or its numbers as CSV."),
    "film": ("cli.commands.picture:film", "Draw a training or a game as an SVG that moves."),
    "games": ("cli.commands.games:games", "List the games that can be played, or have been."),
    "evaluate": ("cli.commands.evaluate:evaluate", "Compute the exact results of player P."),
    "teach": ("cli.commands.teach:teach", "Find the shortest course that teaches LEARNER never to lose."),
    "why": ("cli.commands.why:why", "Tell which games made the number of MOVE in POSITION what it is."),
    "judge": ("cli.commands.judge:judge_command", "Judge an agent of another program exactly."),
    "grade": ("cli.commands.grade:grade", "Grade submissions: which keep what is required?"),
    "certify": ("cli.commands.certify:certify", "Write a strategy that never loses, and its checker."),
    "players": ("cli.commands.players:players", "List the opponents, from weakest to perfect."),
    "search": ("cli.commands.search:search", "Search a position: minimax, alpha-beta, UCT, solver."),
    "solve": ("cli.commands.solve:solve", "Print the exact scores of the positions in FILE."),
    "smallest": ("cli.commands.smallest:smallest", "Find the fewest answers that keep a player from losing."),
    "tree": ("cli.commands.tree:tree", "Count the game tree, to the end or to a depth."),
    "papers": ("cli.commands.papers:papers", "Repeat the experiments of paper NAME, or of all papers."),
    "plugins": ("cli.commands.plugins:plugins_command", "List what other packages add to the program."),
    "cache": ("cli.commands.cache:cache", "Show or clear the cache: large games, and compiled kernels."),
    "locate": ("cli.commands.locate:locate", "Print the paths of the library and the settings."),
}
WITHOUT_GAMES: Final = frozenset({"plugins", "cache", "locate"})
"""The commands that use no games, so that plug-ins do not concern them, or that name the ones left out themselves."""
HELP: Final = ("-h", "--help")
NEED_SPACES: Final = COMMANDS.keys() - WITHOUT_GAMES - {"play", "games", "judge", "grade", "certify", "solve", "papers"}
"""The commands for which `keep_large_spaces` is opened here. The others build no large space, or open it themselves."""


@click.group(
    cls=LazyGroup, lazy_commands=COMMANDS, invoke_without_command=True, context_settings={"help_option_names": [*HELP]}
)
@library_option
@click.option("--serve", is_flag=True, help="Open the app in a browser instead of here.")
@click.option("--host", metavar="NAME", help="With --serve: this computer's name or address.  [default: localhost]")
@click.option("--port", type=click.IntRange(1, 65535), metavar="N", help="With --serve: the port.  [default: 8000]")
@click.option(
    "--visitors",
    type=click.IntRange(1, 1000),
    metavar="N",
    help="With --serve: the most visitors at once.  [default: 40]",
)
@click.option("--same-library", is_flag=True, help="With --serve: all visitors share one library.")
@click.version_option(package_name="noughts", message="noughts %(version)s")
@click.pass_context
def noughts(  # noqa: PLR0913  one parameter for each option
    context: click.Context, *, serve: bool, host: str | None, port: int | None, visitors: int | None, same_library: bool
) -> int:
    """Noughts, a learning lab for small board games.

    Play, watch machines learn, look inside their memory, and compare what they
    know with exact results. Without a command, the app opens.

    \b
    Examples:
      noughts
      noughts play --plain --game hexapawn
      noughts train menace --save mine
      noughts train --help
    """
    if serve and context.invoked_subcommand is None:
        from cli.commands.serve import HOST, PORT, VISITORS
        from cli.commands.serve import serve as serve_app

        return serve_app(
            chosen_library_path(),
            HOST if host is None else host,
            port or PORT,
            visitors=visitors or VISITORS,
            same_library=same_library,
        )
    if serve or same_library or any(each is not None for each in (host, port, visitors)):
        raise click.UsageError("--serve takes no command; --host, --port, --visitors and --same-library need --serve")
    if context.invoked_subcommand is None:
        return open_app()
    context.with_resource(insist_on_interrupts())
    if context.obj and context.invoked_subcommand not in WITHOUT_GAMES and plugins.are_installed():
        from cli.commands.plugins import report_plugins  # imports all learners

        report_plugins()
    if context.invoked_subcommand in NEED_SPACES:
        from cli.shared.spaces import keep_large_spaces  # imports numpy

        context.with_resource(keep_large_spaces())
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code. A user's mistake is reported in at most two lines."""
    _open_closed_streams()
    replace_missing_glyphs()
    words = sys.argv[1:] if arguments is None else list(arguments)
    asks_for_help = any(word in HELP for word in words)
    try:
        code: int | None = noughts.main(words, prog_name="noughts", standalone_mode=False, obj=not asks_for_help)
    except (click.Abort, KeyboardInterrupt) as error:
        if isinstance(error.__cause__, EOFError) and _is_cut_off(error.__cause__):
            return _report_failure(error.__cause__)
        gc.freeze()  # skips a slow garbage collection at the exit, after a large search
        return INTERRUPTED
    except click.ClickException as error:
        return _report_click_error(error)
    except Exception as error:
        if not isinstance(error, _expected_errors()) and not _is_cut_off(error):
            raise
        return _report_failure(error)
    return code or 0


def run() -> NoReturn:
    """Run the program and exit. Once a signal has ended a command, further signals are ignored."""
    announce_compiling(_report_compiling)
    try:
        code = main()
    except KeyboardInterrupt:  # a second signal, while the first was handled
        code = INTERRUPTED
    if code >= SIGNAL_EXIT:
        ignore_signals()
    _exit_if_compiling(code)
    _drop_unwritten()
    sys.exit(code)


def _report_compiling() -> None:
    """Say that kernels are compiled if standard error is no terminal, where no progress is shown."""
    if not sys.stderr.isatty():
        print_error("compiling for the first time, which takes some seconds")


def _drop_unwritten() -> None:
    """Drop output whose write error was already reported.

    Otherwise Python would write it again at its end, and exit with 120. Standard error counts as well: the app draws to
    it, and its terminal may be gone.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _exit_if_compiling(code: int) -> None:
    """Exit at once while kernels are being compiled: `sys.exit` would wait for their end, for seconds."""
    if is_compiling():
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError):
                stream.flush()
        os._exit(code)


def _open_closed_streams() -> None:
    """Replace standard streams that were closed at the start, which are `None` in Python, with empty ones."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  stays open


def _report_click_error(error: click.ClickException) -> int:
    words = re.split(r"[ \n]+", error.format_message())  # a name may hold other white space
    message = " ".join(word if len(word) <= MAX_WORD else f"{word[:MAX_WORD]}…" for word in words)
    if isinstance(error, click.UsageError) and error.ctx:
        message += f"\nSee {error.ctx.command_path} --help"
    print_error(message)
    return error.exit_code


def _report_failure(error: Exception) -> int:
    if _is_cut_off(error):
        folder = sys.pycache_prefix or Path(__file__).parents[1]
        print_error(
            "a file that Python has compiled is cut off, as on a full disk\n"
            f"Delete the folders __pycache__ in {folder}, and try again"
        )
    elif isinstance(error, MemoryError):
        print_error("there is too little memory for this: close other programs, or choose a smaller game")
    elif isinstance(error, OSError) and error.strerror:
        print_error(_system_error_text(error))
    else:
        print_error(str(error))
    return FAILED


def _system_error_text(error: OSError) -> str:
    from saves.errors import reason  # not needed to print help, as below
    from saves.paths import escape_controls

    if _is_output_error(error):
        return f"standard output cannot be written: {error.strerror}. The command itself may have succeeded"
    if isinstance(error.filename, str | bytes) and error.filename:
        return f"{escape_controls(os.fsdecode(error.filename))}: {error.strerror}"
    return f"the system refused: {reason(error)}"


def _is_cut_off(error: BaseException) -> bool:
    """Return whether an error comes from reading a compiled module: Python may write half of one on a full disk."""
    files = [frame.f_code.co_filename for frame, _ in walk_tb(error.__traceback__)]
    return isinstance(error, (EOFError, ValueError, TypeError)) and "_bootstrap_external" in files[-1]


def _is_output_error(error: OSError) -> bool:
    """Return whether an error comes from writing to standard output, which only `click.echo` without `err` does."""
    frames = (frame for frame, _ in walk_tb(error.__traceback__))
    return any(frame.f_code is click.echo.__code__ and not frame.f_locals["err"] for frame in frames)


def _expected_errors() -> tuple[type[Exception], ...]:
    from engine.game import BadText, IllegalMove
    from engine.space import TooLarge
    from saves.errors import LibraryError

    return BadText, IllegalMove, TooLarge, LibraryError, OSError, MemoryError
