"""`noughts teach`: the shortest course that teaches a machine never to lose."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.shared import common
from cli.shared.completion import complete_learner, complete_preset
from cli.shared.progress import reporting_stop, waiting_bar
from cli.shared.signals import collect_signals
from cli.shared.streams import is_stream, require_one_document, require_writable, write_to
from engine.game import BadText, Game
from engine.games import GAMES
from engine.notation import parse_sides
from engine.plural import counted_noun

if TYPE_CHECKING:  # imports numpy
    from lab.exact.shortest_course import Teaching


@click.command()
@click.argument("learner", metavar="LEARNER[:PRESET]", shell_complete=complete_learner)
@common.game_option_of("the preset")
@click.option("--preset", metavar="NAME", shell_complete=complete_preset, help="A named set of settings.")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="Change a setting; can be repeated.")
@click.option("--side", metavar="SIDE", help=f"The side to teach: {common.SIDE_WORDS}.  [default: all that can hold]")
@click.option(
    "--seconds", type=common.Seconds(0.1, 86_400), default=60, help="The time of a search, per side.  [default: 60]"
)
@click.option("--honest", is_flag=True, help="Also: how many games it takes if the machine draws its own moves.")
@common.path_option("--out", help="Keep the course in FILE; - is standard output, instead of the lesson.")
@common.replace_option
@common.json_option
def teach(  # noqa: PLR0913  one parameter an option
    *,
    learner: str,
    game: Game | None,
    preset: str | None,
    settings: tuple[str, ...],
    side: str | None,
    seconds: float,
    honest: bool,
    out: Path | None,
    replace: bool,
    as_json: bool,
) -> int:
    """Find the shortest course that teaches LEARNER never to lose.

    A teacher chooses the moves of the machine's opponent and, where the machine
    draws its move by chance, that move too. The course is the list of games, each
    played by the real machine, which learns from it. After the course, no player
    beats the machine.

    bound is the proved minimum of games. For a machine that strikes moves that lost
    (failures, menace:her), an integer program finds the course; pip install
    'noughts[exact]' lets it prove more. For any other learner, the teacher plays
    games that the machine can still lose, chosen by several rules; the bound is 1.

    With --honest, the teacher chooses only the opponent's moves. For machines like
    menace:her, the expected number of games with the best teacher is computed
    exactly, in half a minute, and compared with runs of the real machine. With
    any other machine, the teacher plays what beats its memory most often, in up to
    21 runs.

    LEARNER is written as for train.

    \b
    Examples:
      noughts teach her --game hexapawn
      noughts teach failures --side X --out course.json
      noughts train failures --course course.json --save taught
    """
    from cli.shared.arguments import game_of_preset, with_preset  # these import numpy
    from engine.compiling.compile_thread import wait_unless
    from engine.stop import Stopped
    from lab.exact.course_file import course_text
    from lab.exact.shortest_course import teach_course
    from lab.signals import SIGNAL_EXIT
    from lab.training.setup import parse_settings
    from learners import parse_learner
    from learners.courses.finding import find_course, prepare_teaching

    name, preset = with_preset(learner, preset)
    kind = parse_learner(name or "")
    rules = game or game_of_preset(kind, preset) or GAMES[0]
    preset = kind.spec.usual_preset(rules, preset)
    require_one_document(out, as_json=as_json)
    if out is not None:
        require_writable(out, replace=replace)
    game_counts = [0]
    with (
        collect_signals() as received,
        waiting_bar("finding the course", lambda: (0.0, f"{counted_noun(game_counts[-1], 'game')}, ")) as show,
        wait_unless(lambda: bool(received)),
    ):
        show_progress = reporting_stop(show)

        def stop() -> bool:
            return show_progress() or bool(received)

        try:
            values = parse_settings(kind, settings)
            chosen_sides = () if side is None else parse_sides(rules, side)
            _, sides = prepare_teaching(kind, rules, preset, values, chosen_sides, stop)
            if honest and len(sides) > 1:
                raise BadText(f"--honest is about one side: add --side {rules.marks[0]} or --side {rules.marks[1]}")
            report = game_counts.append
            course = find_course(kind, rules, preset, values, sides, seconds=seconds, stop=stop, report=report)
            teaching = teach_course(course, stop, report, honest=seconds if honest else 0.0)
        except Stopped:
            common.print_error("stopped before the course was found: nothing was written")
            return SIGNAL_EXIT + received[0]
    if out is not None:
        write_to(out, course_text(course), replace=replace)
    if is_stream(out):
        return 0
    print_teaching(teaching, out, as_json=as_json)
    return 0


def print_teaching(teaching: "Teaching", out: Path | None, *, as_json: bool) -> None:
    """Print what a course has taught, and where it is kept."""
    from cli.shared.score_documents import results_document  # these import numpy
    from engine.evaluate import scoreboard
    from lab.exact.course_file import course_document
    from lab.exact.lesson import install_lines
    from lab.exact.shortest_course import SELF_TAUGHT_MACHINES, honest_document, losses_document, teaching_lines
    from lab.results.score_lines import results_lines

    course, sides = teaching.course, tuple(teaching.course.games)
    final = scoreboard(teaching.learner.space, teaching.learner.policy())
    document = {
        **course_document(course),
        "final": results_document(final, sides),
        "losses": losses_document(teaching.losses),
        "honest_luck": honest_document(teaching.honest),
        "without_teacher": {
            "opponent": teaching.opponent,
            "machines": SELF_TAUGHT_MACHINES,
            "losses": losses_document(teaching.self_taught),
        },
    }
    lines = [
        f"{teaching.learner.spec.title} ({course.preset}), {course.game.title}",
        "",
        *teaching_lines(teaching),
        "",
        "After the course, exactly",
        "",
        *results_lines(course.game, final, sides),
        *install_lines(course),
    ]
    if out is not None:
        advice = f"To save a machine that it has taught: noughts train {course.learner} --course {out} --save NAME"
        lines += ["", f"Kept in {out}.", advice]
    common.print_result(lines, document, as_json=as_json)
