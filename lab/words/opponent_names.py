"""What the opponents of the exact results are called."""

from typing import Final

NAMES: Final = {"random": "random", "perfect": "perfect", "self": "itself", "best_responder": "best responder"}
"""By their keys in `engine.evaluate.OPPONENTS`."""
TELLING: Final = {"random": "random", "perfect": "perfect", "best_responder": "best"}
"""Those that tell how strong a player is, in one word."""
