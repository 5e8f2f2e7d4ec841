"""Wild tic-tac-toe: each side places an X or an O, as it likes, and whoever completes three in a row wins.

The first side wins by either piece in the centre, and by no other move.
"""

from engine.games.mnk import Mnk


class Wild(Mnk):
    def __init__(self) -> None:
        super().__init__(3, 3, 3, ["wild"])
        self.name, self.title = "wild", "Wild tic-tac-toe"
