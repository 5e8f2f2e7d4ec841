"""The settings of matchbox machines, and the presets, most of them after published machines.

steady      learns well from every seed: many beads at the beginning, an empty box is refilled, and it plays both sides
michie      D. Michie, "Experiments on the mechanization of game-learning", The Computer Journal 6 (1963)
scroggs     the two machines of M. Scroggs' online MENACE
blog        a Java program that never draws a counter, but plays the move with the most; in self-play it credits the
            loser's moves with the winner's reward
blog-fixed  the same without that mistake
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
    "boxes": "all",
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
    "steady": {**MICHIE, "plays": "both", "beads": "16,8,4,2", "empty": "refill"},
    "michie": MICHIE,
    "scroggs": {**MICHIE, "plays": "both", "beads": "8,4,2,1"},
    "blog": BLOG,
    "blog-fixed": {**BLOG, "credit": "own"},
    "her": {**MICHIE, "plays": "second", "beads": "1", "win": 0, "draw": 0, "singles": True, "teaches": "last"},
}

PRESET_WORDS: Final[Mapping[str, str]] = {
    "steady": "learns well from every seed: many beads, empty boxes are refilled",
    "michie": "D. Michie's machine of 1961, which plays the first side only",
    "scroggs": "the two machines of M. Scroggs' online MENACE",
    "blog": "a program that always plays the move with the most beads, with its mistake",
    "blog-fixed": "the same without that mistake",
    "her": "M. Gardner's hexapawn robot of 1962: a lost game takes the last move's only bead",
}

PRESET_ROUNDS: Final[Mapping[str, int]] = {
    "michie": 220,  # the games of Michie's tournament
    "scroggs": 10_000,
    "blog": 10_000,
    "blog-fixed": 10_000,
    "her": 50,
}
"""How many games to train, for each preset that needs fewer than `LearnerSpec.usual_rounds`."""

SETTINGS: Final[Mapping[str, SettingKind]] = {
    "plays": OneOf(("first", "second", "both"), "the sides that it has boxes for", title="sides"),
    "beads": Wholes(
        1,
        1000,
        16,
        "the beads of each move at the beginning, by the machine's first, second … move",
        title="first beads",
    ),
    "win": Whole(-1000, 1000, "the beads to add for each move of a game it won", title="beads for a win"),
    "draw": Whole(-1000, 1000, "the beads to add for each move of a drawn game", title="beads for a draw"),
    "loss": Whole(
        -1000,
        1000,
        "the beads to add for each move of a game it lost; below 0 takes beads away",
        title="beads for a loss",
    ),
    "pick": OneOf(
        ("drawn", "fullest"), "draw a bead, or play the move with the most beads, ties at random", title="choice"
    ),
    "merge": OneOf((True, False), "symmetric moves of a position share their beads", title="symmetric moves share"),
    "singles": OneOf((False, True), "positions with a single move have boxes, too", title="boxes of one move"),
    "least": Whole(0, 1000, "the fewest beads of a move", title="fewest beads"),
    "empty": OneOf(
        ("resign", "refill", "keep"),
        "with an empty box, resign, or refill it; or keep the last beads of every box",
        title="empty box",
    ),
    "teaches": OneOf(
        ("all", "last"), "a game changes all boxes that were opened, or only the last one", title="boxes changed"
    ),
    "credit": OneOf(
        ("own", "winner"), "in self-play, the loser's moves get their own reward, or the winner's", title="credit"
    ),
    "boxes": OneOf(
        ("all", "smallest"),
        "a box for every decision, or only the fewest that suffice; elsewhere it plays any move",
        title="boxes",
    ),
}
