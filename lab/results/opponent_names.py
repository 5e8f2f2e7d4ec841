"""The names of the opponents in tables of exact results."""

from typing import Final

BY_HEART: Final = "knows by heart"
BY_HEART_NOTE: Final = "knows by heart: whoever knows how it plays, and makes it lose as often as possible"
"""What the best responder is called where there is little room, and what that means."""
NAMES: Final = {"random": "random", "perfect": "perfect", "self": "itself", "best_responder": BY_HEART}
"""By their keys in `engine.evaluate.OPPONENTS`."""
TELLING: Final = {"random": "random", "perfect": "perfect", "best_responder": "by heart"}
"""The opponents that show best how strong a player is, each in a word or two."""
IN_SENTENCES: Final = {
    "random": "random play",
    "perfect": "perfect play",
    "best_responder": "one who knows it by heart",
}
"""The same opponents as a sentence names them."""
