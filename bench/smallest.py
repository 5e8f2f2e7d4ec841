"""Find the fewest answers of every game that is listed here, and write them to `engine/smallest/proved.jsonl`.

A case that is already there and proved is kept. The seconds that the solver has for each of the others can be given.
"""

import sys
from pathlib import Path

from engine.game import Side
from engine.games import parse_game
from engine.smallest import answers, shipped
from engine.smallest.answers import CannotHold, Counting
from engine.smallest.shipped import Case
from engine.spaces import space_of

SMALL = [parse_game(name) for name in ("tictactoe", "misere", "hexapawn", "notakto", "nim:3,4,5", "wild")]
LARGER = [parse_game(name) for name in ("mnk:4,3,3", "hexapawn:4,4", "morris", "notakto:2")]
CASES = [
    *(Case(game, side, counting) for game in SMALL for counting in Counting for side in Side),
    *(Case(game, side, symmetric=False) for game in SMALL for side in Side),
    *(Case(game, side) for game in LARGER for side in Side),
]


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else answers.SECONDS
    path = Path(shipped.__file__).with_name(shipped.FILE)
    known = {case: shipped.read_answers(case) for case in shipped.cases()} if path.exists() else {}
    lines = {case: shipped.line_of(case, answer) for case, answer in known.items()}
    for case in CASES:
        before = known.get(case)
        if before is not None and before.proved:
            continue
        space, side = space_of(case.game), case.side
        try:
            answer = answers.fewest_answers(
                space, side, symmetric=case.symmetric, counting=case.counting, seconds=seconds
            )
        except CannotHold as error:
            print(f"{case.game.name}: {error}", flush=True)
            continue
        print(
            case,
            "nothing found" if answer is None else f"{answer.entries} ({answer.bound}), {answer.seconds:.1f} s",
            flush=True,
        )
        if answer is not None and (before is None or (answer.entries, -answer.bound) < (before.entries, -before.bound)):
            lines[case] = shipped.line_of(case, answer)
            path.write_text("".join(f"{line}\n" for line in lines.values()), "utf-8")


if __name__ == "__main__":
    main()
