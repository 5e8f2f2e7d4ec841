"""A table in the text of a program, or as Python prints it: read as data, and never run."""

import ast
import re
from collections.abc import Sequence
from typing import Any, Final

from engine.game import BadText

MAX_CHARACTERS: Final = 2**23
TYPE_CALLS: Final = re.compile(
    r"\b(?:(?:np\.|numpy\.)?(?:array|u?int\d*|float\d*|str_)|defaultdict|OrderedDict|Counter)\("
    r"(?:<.*?>+, |int, |float, )?"
)
"""What Python writes before a number, a list or a dict of a special type."""
SCRIPT_SIGNS: Final = re.compile(
    r"^\s*//.*|^\s*/\*[^*]*\*/|^(?:(?:export|default|const|let|var)\b[ \t]*)+", re.MULTILINE
)
TYPED_NAME: Final = re.compile(r"^(\w+)\s*:[^=\n]*=", re.MULTILINE)
"""What JavaScript and TypeScript write around a table, and Python does not write."""
CONSTANTS: Final = {"null": None, "undefined": None, "true": True, "false": False}


class _ConstantReplacer(ast.NodeTransformer):
    """Replaces the names of constants by their values, and any other name by itself as a text."""

    def __init__(self) -> None:
        self.constants: dict[str, Any] = {**CONSTANTS}

    def visit_Name(self, node: ast.Name) -> ast.Constant:
        return ast.Constant(self.constants.get(node.id, node.id))

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        if len({ast.unparse(key) for key in node.keys if key}) < len(node.keys):
            raise BadText("a key is given twice")
        return self.generic_visit(node)


def read_literal(text: str) -> object:
    """Return the only dict in a text, or else the only list. Everything in it must be constant. Raises `BadText`."""
    if len(text) > MAX_CHARACTERS:
        raise BadText(f"it is longer than {MAX_CHARACTERS:,} characters\nSave it as JSON, or as a pickle")
    python = TYPE_CALLS.sub("(", TYPED_NAME.sub(r"\1 =", SCRIPT_SIGNS.sub("", text)))
    try:
        tables = _tables_in(ast.parse(python.strip()).body)
        (table,) = [table for table in tables if isinstance(table, dict)] or tables
    except BadText:
        raise
    except (ValueError, TypeError, SyntaxError, MemoryError) as error:
        raise BadText(
            "it is not what Python writes of dicts, lists, tuples, numbers and texts alone, one table and constants\n"
            "Save it as JSON, or as a pickle of a dict"
        ) from error
    return table


def _tables_in(statements: Sequence[ast.stmt]) -> list[object]:
    """Return the dicts and lists in a program of constants. Raises `TypeError` or `ValueError` for anything else."""
    replacer, tables = _ConstantReplacer(), list[object]()
    for statement in statements:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            continue
        if not isinstance(statement, (ast.Assign, ast.AnnAssign, ast.Expr)) or statement.value is None:
            raise TypeError("a statement that is neither a constant nor a table")
        value = ast.literal_eval(replacer.visit(statement.value))
        if isinstance(value, (dict, list)):
            tables.append(value)
        elif isinstance(statement, ast.Assign):
            names = [target.id for target in statement.targets if isinstance(target, ast.Name)]
            replacer.constants |= dict.fromkeys(names, value)
    return tables
