"""The imports between the project's modules, read from the source code without running it.

A module is named as in an import (`lab.text.numbers`), a folder likewise (`lab.text`). Imports inside functions,
imports for type checkers only, and modules named in a string (`"cli.commands.play:play"`) count like any other.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("noughts", "engine", "learners", "saves", "lab", "cli", "tui")
ANY_NAME = "[a-z_]+"

Graph = Mapping[str, set[str]]


def module_paths() -> dict[str, Path]:
    """Return every module of all packages, with its file."""
    paths = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in paths}


@cache
def syntax_tree(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text("utf-8"))


@cache
def module_graph() -> dict[str, set[str]]:
    """Return for every module the modules that it imports."""
    paths = module_paths()
    return {module: set(_modules_named(syntax_tree(path), paths)) - {module} for module, path in paths.items()}


def folder_graph(modules: Graph) -> dict[str, set[str]]:
    """Return for every folder the other folders that its modules import."""
    folders: dict[str, set[str]] = {}
    for module, imported in modules.items():
        folders.setdefault(folder_of(module), set()).update(map(folder_of, imported))
    return {folder: imported - {folder} for folder, imported in folders.items()}


def folder_of(module: str) -> str:
    """Return the folder of a module, as a dotted name."""
    is_package = ROOT.joinpath(*module.split("."), "__init__.py").is_file()  # a folder alone may be left over
    return module if is_package else module.rpartition(".")[0]


def import_cycles(graph: Graph) -> set[frozenset[str]]:
    """Return the groups of nodes that import one another, directly or indirectly (strongly connected components)."""
    reached = {node: _reachable(graph, node) for node in graph}
    groups = {frozenset(other for other in reached[node] if node in reached[other]) for node in graph}
    return groups - {frozenset()}


def imports_within(graph: Graph, nodes: Iterable[str]) -> list[tuple[str, str]]:
    """Return the imports among these nodes, as sorted pairs of importer and imported node."""
    group = set(nodes)
    return sorted((importer, imported) for importer in group for imported in graph[importer] & group)


def transitive_reduction(graph: Graph) -> dict[str, set[str]]:
    """Return the graph without the imports that a longer chain implies."""
    reached = {node: _reachable(graph, node) for node in graph}
    return {
        node: {each for each in names if not any(each in reached[other] for other in names)}
        for node, names in graph.items()
    }


def levels(graph: Graph) -> dict[str, int]:
    """Return the length of the longest chain of imports that starts at each node. Raises `CycleError`."""
    lengths: dict[str, int] = {}
    for node in TopologicalSorter(graph).static_order():
        lengths[node] = max((lengths[imported] + 1 for imported in graph[node]), default=0)
    return lengths


def _reachable(graph: Graph, start: str) -> set[str]:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        new = graph[waiting.pop()] - seen
        seen |= new
        waiting += new
    return seen


def _modules_named(tree: ast.Module, known: Mapping[str, Path]) -> Iterator[str]:
    """Yield the known modules that a file imports or names in a string."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                submodule = f"{node.module}.{alias.name}"
                if submodule in known:
                    yield submodule
                elif node.module in known:
                    yield node.module
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            name = node.value.partition(":")[0]
            if "." in name and name in known:
                yield name
        elif isinstance(node, ast.JoinedStr):
            yield from _modules_that_match(node, known)


def _modules_that_match(template: ast.JoinedStr, known: Iterable[str]) -> Iterator[str]:
    """Yield the modules that a template such as `f"tui.{mode}.screen"` can name."""
    parts = [part.value if isinstance(part, ast.Constant) else None for part in template.values]
    if isinstance(parts[0], str) and parts[0].split(".")[0] in PACKAGES and "." in parts[0]:
        pattern = "".join(ANY_NAME if part is None else re.escape(str(part)) for part in parts)
        yield from (module for module in known if re.fullmatch(pattern, module))
