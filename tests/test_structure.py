"""The import rules that the contracts in `pyproject.toml` do not state, checked in the source and at run time."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from docs.draw_architecture import FILE, picture
from docs.import_graph import (
    PACKAGES,
    ROOT,
    Graph,
    folder_graph,
    import_cycles,
    imports_within,
    module_graph,
    syntax_tree,
)

DISK = {"glob", "io", "os", "pathlib", "shutil", "sqlite3", "tempfile"}
DRAWING = {"click", "rich", "textual"}
HEAVY = {"numba", "llvmlite"}
PLOTS = {"matplotlib", "plotext"}
COMPILING = "engine/compiling/compiler.py"
PREFETCHING = "engine/compiling/prefetch_kernel.py"
"""The one module that configures the compiler."""
CODE_CACHE = "engine/compiling/code_cache.py"
"""The one module that touches the folder for compiled code."""
OWN_SOURCE = ["engine/compiling/source_digest.py", "learners/sweep/program.py"]
"""The modules that read the source of the program: what computes digests of files, and what names the program."""
PLUGINS = "engine/plugins.py"
"""The module that looks for plug-ins among the installed packages."""
WORKERS = "learners/sweep/workers.py"
"""The one module that starts processes, which needs `os` to count cores and to end a worker."""
CONTRACTS = (
    "engine/game.py",
    "engine/match.py",
    "engine/space.py",
    *(f"learners/core/{each}.py" for each in ("learner", "player", "snapshot", "view")),
)
"""The modules whose classes plug-ins implement or are given."""
SHARED_FOLDERS = {"tui", "tui.shell", "tui.widgets"}
"""The folders of `tui` that are not a mode."""


@pytest.fixture(scope="module", name="modules")
def _modules() -> dict[str, set[str]]:
    return module_graph()


def described(graph: Graph) -> dict[frozenset[str], list[tuple[str, str]]]:
    """Every cycle with the imports that close it."""
    return {cycle: imports_within(graph, cycle) for cycle in import_cycles(graph)}


def test_no_modules_import_each_other_in_a_cycle(modules: Graph):
    assert "lab.text.numbers" in modules, "the source was found"
    assert described(modules) == {}


def test_no_folders_import_each_other_in_a_cycle(modules: Graph):
    assert described(folder_graph(modules)) == {}


def test_no_mode_imports_another_mode(modules: Graph):
    modes = {folder for folder in folder_graph(modules) if folder.startswith("tui")} - SHARED_FOLDERS
    assert len(modes) >= 6
    assert set(imports_within(folder_graph(modules), modes)) == set()


def test_the_picture_of_the_architecture_is_up_to_date():
    assert FILE.read_text("utf-8") == picture(), "run `make pictures`"


def test_a_cycle_is_found():
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": {"d"}, "f": {"a"}}
    assert import_cycles(graph) == {frozenset("abc"), frozenset("de")}
    assert imports_within(graph, "abc") == [("a", "b"), ("b", "c"), ("c", "a")]


def test_lazy_and_type_only_imports_and_names_in_strings_count(modules: Graph):
    assert "cli.commands.play" in modules["cli.__main__"], "named in a string"
    assert "cli.plain.dialogue" in modules["cli.commands.play"], "imported in a function"
    assert "tui.train.screen" in modules["tui.app"], "made from a template"


def modules_after(program: str) -> set[str]:
    """The top-level modules that a fresh interpreter has loaded after running `program`."""
    done = subprocess.run(
        [sys.executable, "-c", f"{program}\nimport sys; print('\\nmodules', *sys.modules)"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return {name.partition(".")[0] for name in done.stdout.rpartition("\nmodules ")[2].split()}


@pytest.mark.parametrize(
    ("program", "left_out"),
    [
        ("import engine.evaluate, learners.core.training", DRAWING | HEAVY | {"sqlite3", "platformdirs"}),
        ("import saves.library.library, saves.formats, saves.settings", DRAWING | HEAVY),
        ("import tui.app", HEAVY | PLOTS),
    ],
)
def test_import_stays_light(program: str, left_out: set[str]):
    assert modules_after(program) & left_out == set()


def files(*packages: str) -> Iterator[Path]:
    for package in packages:
        yield from sorted((ROOT / package).rglob("*.py"))


@cache
def imported(path: Path) -> set[str]:
    """The modules that a file imports anywhere, also inside functions."""
    found = set()
    for node in ast.walk(syntax_tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return {name.partition(".")[0] for name in found}


def files_that_import(modules: set[str], *packages: str) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in files(*packages) if imported(path) & modules]


def test_type_checkers_of_others_read_every_package():
    assert [each for each in PACKAGES if not (ROOT / each / "py.typed").is_file()] == []


def test_only_kernels_import_the_compiler():
    assert files_that_import(HEAVY, *PACKAGES) == [COMPILING, PREFETCHING]


def test_engine_and_learners_do_not_touch_the_disk():
    assert files_that_import(DISK, "engine", "learners") == sorted([CODE_CACHE, PLUGINS, *OWN_SOURCE, WORKERS])


def test_only_saves_imports_sqlite():
    assert all(user.startswith("saves/") for user in files_that_import({"sqlite3"}, *PACKAGES))


def named_classes(body: list[ast.stmt], outer: str = "") -> Iterator[str]:
    """The classes of a module by the names that they are used by: a class within another one by both."""
    for node in (each for each in body if isinstance(each, ast.ClassDef)):
        yield outer + node.name
        yield from named_classes(node.body, f"{outer}{node.name}.")


def test_no_two_classes_have_the_same_name():
    """One word for one thing: see `docs/glossary.md`."""
    places: dict[str, list[str]] = {}
    for path in files(*PACKAGES):
        for name in named_classes(syntax_tree(path).body):
            places.setdefault(name, []).append(str(path.relative_to(ROOT)))
    assert len(places) > 300
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}


def undocumented_methods(trees: Iterable[ast.Module]) -> set[str]:
    """The public methods without a docstring whose contract no other class has, by the same name."""
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    methods = [(node.name, each) for node in classes for each in node.body if isinstance(each, ast.FunctionDef)]
    documented = {each.name for _, each in methods if ast.get_docstring(each)}
    public = [(name, each.name) for name, each in methods if not name.startswith("_") and not each.name.startswith("_")]
    return {f"{name}.{method}" for name, method in public if method not in documented}


def test_a_method_is_documented_or_overrides_one_that_is():
    source = "class A:\n def a(self): 'Do.'\nclass B(A[int]):\n def a(self): ...\n def b(self): ..."
    assert undocumented_methods([ast.parse(source)]) == {"B.b"}
    used_by_others = [*files("saves", "noughts"), *(ROOT / each for each in CONTRACTS)]
    assert undocumented_methods(map(syntax_tree, used_by_others)) == set()


def dataclasses_of_arrays() -> Iterator[tuple[str, bool]]:
    """Each dataclass with a field that is an array, or a container of arrays; and whether `==` compares its fields."""
    trees = {path: syntax_tree(path) for path in files(*PACKAGES)}
    given = (node for tree in trees.values() for node in tree.body if isinstance(node, ast.Assign))
    names = {ast.unparse(each.targets[0]) for each in given if "NDArray[" in ast.unparse(each.value)}
    names -= {node.name for tree in trees.values() for node in tree.body if isinstance(node, ast.ClassDef)}
    assert {"Memory", "Policy"} <= names
    array = re.compile(rf"\b(NDArray|{'|'.join(names)})\b")
    for path, tree in trees.items():
        for node in (each for each in ast.walk(tree) if isinstance(each, ast.ClassDef)):
            made = " ".join(map(ast.unparse, node.decorator_list))
            fields = [ast.unparse(each.annotation) for each in node.body if isinstance(each, ast.AnnAssign)]
            if "dataclass" in made and any(array.search(kind) and "Callable" not in kind for kind in fields):
                yield f"{path.relative_to(ROOT)}:{node.name}", "eq=False" not in made


def test_no_comparison_of_fields_meets_an_array():
    """It would raise an error; before Python 3.13 only if the arrays were not the same object."""
    found = dict(dataclasses_of_arrays())
    assert len(found) > 10
    assert [name for name, compared in found.items() if compared] == []


CURSORS = {"execute", "executemany", "executescript", "cursor"}
"""The methods of a connection that return a cursor."""
READ_AT_ONCE = {"close", "fetchone", "fetchall", "lastrowid", "rowcount"}


def open_cursors(source: str) -> list[int]:
    """The lines that hold a cursor longer than one expression, unless `with closing(…)` closes it.

    An error would keep such a cursor in its traceback. From Python 3.12 on, a connection with an open cursor stays
    open after `close` until the garbage collector has found the cursor: it keeps its locks, and the log of its file.
    """
    tree = ast.parse(source)
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}

    def is_short(call: ast.AST) -> bool:
        parent = parents[call]
        read = isinstance(parent, ast.Attribute) and parent.attr in READ_AT_ONCE
        closed = isinstance(parent, ast.Call) and ast.unparse(parent.func) == "closing"
        return isinstance(parent, ast.Expr) or read or closed

    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute))
    return sorted(node.lineno for node in calls if node.func.attr in CURSORS and not is_short(node))


def test_a_cursor_that_stays_open_is_found():
    closed = "db.execute(a)\ndb.execute(a).fetchone()\nwith closing(db.execute(a)) as rows: list(rows)"
    assert open_cursors(closed) == []
    assert open_cursors("rows = db.execute(a)\n[each for each in db.execute(a)]\nlist(db.cursor())") == [1, 2, 3]


def test_no_cursor_stays_open_after_an_error():
    found = {str(path.relative_to(ROOT)): open_cursors(path.read_text(encoding="utf-8")) for path in files("saves")}
    assert len(found) > 20
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_nothing_is_pickled():
    reads_data_only = ["lab/judging/files/data_pickle.py"]  # by an unpickler that builds data and runs nothing
    assert files_that_import({"pickle", "marshal", "shelve", "dill", "joblib"}, *PACKAGES) == reads_data_only


@pytest.mark.long
def test_a_kernel_imports_the_compiler():
    """Otherwise the test above could not fail."""
    assert modules_after("import learners.failures.kernel") >= HEAVY
