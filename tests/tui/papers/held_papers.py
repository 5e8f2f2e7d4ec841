"""Papers for tests: one that waits halfway until it is released, and one that fails."""

from threading import Event

from engine.stop import Stopped
from learners.papers.report import Curves, Figure, Finding, FindingTable, Source
from learners.papers.running import Paper, PaperPart


class Held:
    def __init__(self) -> None:
        self.go_on = Event()
        self.paper = Paper(
            Source("held", "A held paper", "nobody, 2026", "Waits."),
            [PaperPart("waiting", self.wait)],
            lambda _found, seed: (
                (
                    FindingTable(
                        "Waited", "", (Finding("seed", Figure("1", "x", 1, 1), (seed,), known="[b]chosen[/]"),)
                    ),
                ),
                (
                    Curves("Figure 1", "", ("up",), ((1, (1,)), (10, (5,))), log=False),
                    Curves("Figure 2", "", ("down",), ((1, (9,)), (10, (5,))), log=True),
                ),
            ),
        )

    def wait(self, _seed, tell, stop):
        tell(0.5)
        while not self.go_on.wait(0.001):
            if stop():
                raise Stopped


def wrong(_seed, _tell, _stop):
    raise OSError("[red]no room[/]")


WRONG = Paper(Source("wrong", "", "", ""), [PaperPart("", wrong)], lambda *_: ((), ()))
