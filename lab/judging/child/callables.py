"""The functions, methods and classes of an agent: which of them are asked, and what their parameters are for."""

from __future__ import annotations

import re
from inspect import Parameter, getattr_static, signature
from typing import Any, Callable, NamedTuple

from .forms import CannotAsk

METHODS = (
    "act getaction chooseaction selectaction getmove choosemove selectmove makemove bestmove findbestmove getbestmove "
    "bestaction nextmove aimove getaimove computermove getcomputermove pickmove pickaction decidemove requestmove "
    "determinemove askmove move play choose pick decide predict"
).split()
"""The names of methods by which objects are asked, preferred ones first; `getaction` stands for get_action, too."""
RESETS = "reset newgame resetgame startgame restart".split()
"""The names of methods to call before a game, for objects that have a state of their own."""
ROLES = (
    ("first", "is|maximizing|ismaximizing"),
    ("mask", "mask"),
    ("config", "configuration|config|conf|cfg"),
    ("depth", "depth|tiefe|profondeur|profundidad|profundidade|profundita"),
    ("other", "opponent|enemy|other|human|gegner|adversaire|oponente|rival|avversario"),
    ("side", "player|side|ai|computer|mark|marker|turn|symbol|letter|piece|token|disc|me|color|colour|role|who"),
    ("side", "spieler|joueur|jugador|jogador|giocatore|speler"),
    ("moves", "moves|actions|legal|valid|available|empty|free|possible|options|columns|locations|coups|jugadas|mosse"),
    ("board", "board|state|obs|observation|grid|position|cells|squares|field|game|piles|heaps|s|b"),
    ("board", "brett|spielbrett|spielfeld|feld|plateau|grille|damier|tablero|tabuleiro|griglia|bord"),
)
"""The roles of parameters, by words in their names, in several languages; `first` is whether the first side moves."""
CLASS_ROLES = (
    ("columns", "width|cols|columns"),
    ("rows", "size|n|dim|dimension|height|rows"),
    ("players", "players"),
    *(each for each in ROLES if each[0] in ("other", "side", "board")),
)
"""As `ROLES`, for the parameters of a class: the board's size, two players, a side, or the game that it looks at."""
SIDE_ROLES = tuple(each for each in ROLES if each[0] == "side")
SET_OVER_DEFAULT = ("side", "moves", "mask", "config", "other", "rows", "columns")
"""The roles of parameters that get a value although they have a default."""
DOCUMENTED = ["board", "side", "moves"]
"""The parameters of a function as the documentation asks for it."""
SHORT_NAME = 2
"""In a function of several parameters, an unknown name of up to this length may stand for board, side or moves."""
VARIADIC = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


class Argument(NamedTuple):
    """An argument that a callable is given."""

    role: str | None
    """What the parameter is for; `None` if that is not known."""
    key: str | None
    """The name of the parameter, if it is given by keyword."""
    name: str


def find_method(agent: Any, check: Callable[[str], Any]) -> str:
    """Return the first of the `METHODS` of an agent that `check` accepts; empty if it has none. Raises `CannotAsk`."""
    refusals = []
    for name in methods_named(agent, METHODS):
        try:
            check(name)
        except CannotAsk as error:
            refusals.append(error)
        else:
            return name
    if refusals:
        raise refusals[0]
    return ""


def methods_named(agent: Any, names: list[str]) -> list[str]:
    """Return the methods that have one of these names in any spelling, in the order of the names."""
    spelled = {name.replace("_", "").lower(): name for name in reversed(dir(agent)) if not name.startswith("_")}
    return [spelled[name] for name in names if name in spelled and callable(getattr(agent, spelled[name]))]


def without_self(kind: Any, name: str) -> Any:
    """Return a method of a class without its first parameter, the object."""
    is_bound = isinstance(getattr_static(kind, name), (staticmethod, classmethod))
    return getattr(kind, name) if is_bound else getattr(kind, name).__get__(object())


def make_without_arguments(kind: Any) -> Any:
    """Return an object of a class. Raises `CannotAsk` if the class needs arguments."""
    if not can_take(kind, 0):
        raise CannotAsk(
            "%s is a class that needs arguments: give an object of it, as in agent = %s(...)"
            % (kind.__name__, kind.__name__)
        )
    return kind()


def can_take(ask: Any, count: int) -> bool:
    """Return whether a callable takes this number of positional arguments."""
    try:
        signature(ask).bind(*range(count))
    except TypeError:
        return False
    except ValueError:  # its signature is not known
        return count <= 1
    return True


def parameters_of(ask: Any) -> Any:
    """Return the parameters of a callable, by name; `None` if they are not known.

    If a function that accepts anything wraps another one, the parameters are those of the wrapped function.
    """
    try:
        parameters = signature(ask).parameters
    except (TypeError, ValueError):
        return None
    cells = getattr(ask, "__closure__", None) or ()
    wrapped = [cell.cell_contents for cell in cells if callable(cell.cell_contents)]
    takes_anything = all(each.kind in VARIADIC for each in parameters.values())
    return parameters_of(wrapped[0]) if takes_anything and len(wrapped) == 1 else parameters


def arguments_by_name(ask: Any, roles: tuple[tuple[str, str], ...]) -> list[Argument] | None:
    """Return the arguments of a callable with the roles that the names of its parameters tell.

    `roles` is a table as `ROLES`. Return `None` if the parameters are not known.
    """
    parameters = parameters_of(ask)
    if parameters is None:
        return None
    arguments: list[Argument] = []
    for each in parameters.values():
        if each.kind in VARIADIC:
            continue
        role = role_of(each.name, roles, is_alone=len(parameters) == 1)
        has_default = each.default is not Parameter.empty
        if not has_default or role in SET_OVER_DEFAULT:
            by_keyword = has_default or each.kind is Parameter.KEYWORD_ONLY
            arguments.append(Argument(role, each.name if by_keyword else None, each.name))
    return arguments


def role_of(name: str, roles: tuple[tuple[str, str], ...], *, is_alone: bool) -> str | None:
    """Return the role of a parameter by the words of its name; `is_alone` if there is no other parameter."""
    with_spaces = re.sub("(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ")
    words = re.findall("[a-z]+", with_spaces.lower())
    if words == ["positions"] and not is_alone:  # those where it may move
        return "moves"
    for role, names in roles:
        if any(re.fullmatch(names, word) for word in words):
            is_empty_mark = role == "side" and ("empty" in words or "blank" in words)
            return None if is_empty_mark else role
    return None


def arguments_of(ask: Any, *, sees_game: bool = False) -> list[Argument]:
    """Return the arguments to ask with; one is the board, unless the agent sees a game. Raises `CannotAsk`."""
    arguments = arguments_by_name(ask, ROLES)
    if arguments is None:
        return [Argument("board", None, "")]
    parameters = parameters_of(ask).values()
    if not arguments and any(each.kind is Parameter.VAR_POSITIONAL for each in parameters):
        arguments = [Argument("board", None, "")]
    positional = [each for each in arguments if each.key is None]
    roles = [each.role for each in positional]
    if (sees_game or "board" in roles) and None not in roles and len(set(roles)) == len(roles):
        return arguments
    if roles[:2] == ["board", "board"] and len(positional[1].name) <= SHORT_NAME:  # in (b, s, m), s is no state
        roles[1] = None
    usual = DOCUMENTED[: len(roles)]
    is_usual = len(roles) == len(usual) > 0 and all(role in (None, each) for role, each in zip(roles, usual))
    has_strange_name = len(roles) > 1 and any(each.role is None and len(each.name) > SHORT_NAME for each in arguments)
    if has_strange_name or not is_usual or sees_game:
        raise CannotAsk(
            "%s takes (%s), of which not all are known: give a function of a board, or of (board, side, moves)"
            % (getattr(ask, "__name__", "it"), ", ".join(each.name for each in parameters))
        )
    by_keyword = [each for each in arguments if each.key is not None]
    return [each._replace(role=role) for each, role in zip(positional, usual)] + by_keyword


def call_with(ask: Any, arguments: Any, values: Any) -> Any:
    """Call with the values of the arguments' roles."""
    positional, by_keyword = argument_values(arguments, values)
    return ask(*positional, **by_keyword)


def argument_values(arguments: Any, values: Any) -> tuple[list[Any], dict[str, Any]]:
    """Return the values of arguments by their roles: those by position, and those by keyword."""
    by_keyword = {each.key: values[each.role] for each in arguments if each.key is not None}
    return [values[each.role] for each in arguments if each.key is None], by_keyword
