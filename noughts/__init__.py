"""Noughts as a library: train, inspect and judge machines from Python.

    import noughts as nt

    machine = nt.learner("menace", game="mnk:4,3,3", seed=1).train(10_000, against="random")
    machine.results()

`docs/api.md` describes every name. Nothing is imported before it is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from noughts.exact import judge, solve
    from noughts.listing import games, learners, saves
    from noughts.machine import Machine, learner, load
    from noughts.openspiel_state import state
    from noughts.pettingzoo_env import env
    from noughts.playing import game, play
    from noughts.racing import race
    from noughts.teaching import teach

_MODULES: Final = {
    "Machine": "noughts.machine",
    "env": "noughts.pettingzoo_env",
    "game": "noughts.playing",
    "games": "noughts.listing",
    "judge": "noughts.exact",
    "learner": "noughts.machine",
    "learners": "noughts.listing",
    "load": "noughts.machine",
    "play": "noughts.playing",
    "race": "noughts.racing",
    "saves": "noughts.listing",
    "solve": "noughts.exact",
    "state": "noughts.openspiel_state",
    "teach": "noughts.teaching",
}
"""The module of each public name, imported when the name is first used."""

__all__ = [
    "Machine",
    "env",
    "game",
    "games",
    "judge",
    "learner",
    "learners",
    "load",
    "play",
    "race",
    "saves",
    "solve",
    "state",
    "teach",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401  a public name of any type
    """Import a public name when it is first used. Raises `ImportError` if a package of the program is hidden."""
    if name == "__version__":
        from importlib.metadata import version  # slow to import

        return version("noughts")
    if name not in _MODULES:
        raise AttributeError(f"module 'noughts' has no attribute {name!r}")
    from noughts.home import hidden_package  # imports pathlib

    if problem := hidden_package():
        raise ImportError(problem)
    found = getattr(import_module(_MODULES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return [*__all__]
