"""The names of the opponents in tables of exact results."""

from typing import Final

NAMES: Final = {"random": "random", "perfect": "perfect", "self": "itself", "best_responder": "best responder"}
"""By their keys in `engine.evaluate.OPPONENTS`."""
TELLING: Final = {"random": "random", "perfect": "perfect", "best_responder": "best"}
"""The opponents that show best how strong a player is, each in one word."""
