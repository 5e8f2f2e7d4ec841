"""Find the courses that come with the program, and write them to `learners/courses/found.jsonl`.

The seconds that each has can be given. A course that is there already and no longer is kept.
"""

import sys
from pathlib import Path

from engine.game import Side
from engine.games.hexapawn import THREE_BY_THREE as HEXAPAWN
from engine.games.tictactoe import TICTACTOE
from learners import parse_learner
from learners.courses import course as shipping
from learners.courses import finding
from learners.courses.course import Pupil

BOTH = (("failures", "literal"), ("failures", "riechel-2007"), ("menace", "steady"), ("td", "exact"), ("q", "exact"))
PUPILS = (
    Pupil("menace", "her", HEXAPAWN, Side.SECOND),
    Pupil("menace", "michie", TICTACTOE, Side.FIRST),
    *(Pupil(*kind, TICTACTOE, side) for kind in BOTH for side in Side),
)


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else finding.SECONDS
    path = Path(shipping.__file__).with_name(shipping.FILE)
    known = shipping.shipped_courses() if path.exists() else {}
    for pupil in PUPILS:
        kind, game = parse_learner(pupil.learner), pupil.game
        before = known.get(pupil)
        try:
            found = finding.find_course(kind, game, pupil.preset, {}, [pupil.side], seconds=seconds)
        except finding.CannotTeach as error:
            print(pupil, error, flush=True)
            continue
        print(
            pupil, found.length, found.bound, found.strikes, found.least_strikes, f"{found.seconds:.1f} s", flush=True
        )
        if before is None or (found.length, -found.bound) < (before.length, -before.bound):
            known[pupil] = found
    path.write_text("".join(f"{shipping.line_of(course)}\n" for course in known.values()), "utf-8")


if __name__ == "__main__":
    main()
