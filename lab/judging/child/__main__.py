"""Begin the process that asks an object. Python runs this file by its path, without Noughts being installed.

The folder becomes a package with a private name, and is not searched for modules, since modules of the agent may have
the same names.
"""

import sys

PACKAGE = "_noughts_child"


def begin() -> None:
    if not getattr(sys.flags, "safe_path", False):
        del sys.path[0]  # this folder
    from importlib import import_module
    from os.path import dirname
    from types import ModuleType

    package = sys.modules[PACKAGE] = ModuleType(PACKAGE)
    package.__path__ = [dirname(__file__)]
    import_module(PACKAGE + ".process").main()


if __name__ == "__main__":
    begin()
