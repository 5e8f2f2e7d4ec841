"""The rules of matchbox machines, each a setting, and the machines that were built by them.

michie      D. Michie, "Experiments on the mechanization of game-learning", The Computer Journal 6 (1963)
scroggs     the two machines of M. Scroggs' online MENACE
blog        a Java program whose counters are never drawn, only compared; playing itself, it credits the loser's moves
            with the winner's reward
blog-fixed  the same without that slip
her         the hexapawn robot of M. Gardner's column (Scientific American, March 1962): the last move of a lost game
            loses its only bead
"""

from collections.abc import Mapping
from typing import Final

from learners.core.settings import OneOf, Setting, SettingKind, Whole, Wholes

MICHIE: Final[Mapping[str, Setting]] = {
    "plays": "first",
    "beads": "4,3,2,1",
    "win": 3,
    "draw": 1,
    "loss": -1,
    "pick": "drawn",
    "merge": True,
    "singles": False,
    "least": 0,
    "empty": "resign",
    "teaches": "all",
    "credit": "own",
}
BLOG: Final[Mapping[str, Setting]] = {
    **MICHIE,
    "plays": "both",
    "beads": "10",
    "win": 2,
    "pick": "fullest",
    "merge": False,
    "singles": True,
    "least": 1,
    "credit": "winner",
}

PRESETS: Final[Mapping[str, Mapping[str, Setting]]] = {
    "michie": MICHIE,
    "scroggs": {**MICHIE, "plays": "both", "beads": "8,4,2,1"},
    "blog": BLOG,
    "blog-fixed": {**BLOG, "credit": "own"},
    "her": {**MICHIE, "plays": "second", "beads": "1", "win": 0, "draw": 0, "singles": True, "teaches": "last"},
}
"""Every machine's rules, the default first."""

SETTING_KINDS: Final[Mapping[str, SettingKind]] = {
    "plays": OneOf(("first", "second", "both"), "the sides that it has boxes for"),
    "beads": Wholes(1, 1000, 16, "how many beads each move begins with, by the machine's first, second … move"),
    "win": Whole(-1000, 1000, "beads added for each move of a game it won"),
    "draw": Whole(-1000, 1000, "beads added for each move of a drawn game"),
    "loss": Whole(-1000, 1000, "beads added for each move of a game it lost: below 0 takes beads away"),
    "pick": OneOf(("drawn", "fullest"), "draw a bead, or play the move with the most beads, ties at random"),
    "merge": OneOf((True, False), "symmetric moves of a position share their beads"),
    "singles": OneOf((False, True), "positions with a single move have boxes too"),
    "least": Whole(0, 1000, "a move never has fewer beads"),
    "empty": OneOf(
        ("resign", "refill", "keep"), "an empty box: resign or begin anew; or keep: what would empty it is spared"
    ),
    "teaches": OneOf(("all", "last"), "a game changes all boxes that were opened, or the last one only"),
    "credit": OneOf(("own", "winner"), "playing itself, a loser's moves get its own loss, or the winner's reward"),
}
