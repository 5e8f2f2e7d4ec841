"""The functions, methods and classes of an agent: which of them are asked, and what their parameters are for."""

from __future__ import annotations

import re
from inspect import Parameter, getattr_static, signature
from typing import Any, NamedTuple

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
MADE = (
    ("columns", "width|cols|columns"),
    ("rows", "size|n|dim|dimension|height|rows"),
    ("players", "players"),
    *(each for each in ROLES if each[0] in ("other", "side", "board")),
)
"""As `ROLES`, for the parameters of a class: the board's size, two players, a side, or the game that it looks at."""
SIDES = tuple(each for each in ROLES if each[0] == "side")
OPTIONAL = ("side", "moves", "mask", "config", "other", "rows", "columns")
"""The roles of parameters that get a value although they have a default."""
SHORT = 2
"""In a function of several parameters, an unknown name of up to this length may stand for board, side or moves."""


class Wanted(NamedTuple):
    """A parameter of a callable."""

    role: str | None
    """What the parameter is for; `None` if that is not known."""
    key: str | None
    """The name of the parameter, if it is given by keyword."""
    name: str


def askable(agent: Any, roles: Any) -> str:
    """Return the first method whose parameters are all known; empty if there is none. Raises `CannotAsk`."""
    refusals = []
    for name in methods_of(agent, METHODS):
        try:
            roles(name)
        except CannotAsk as error:
            refusals.append(error)
        else:
            return name
    if refusals:
        raise refusals[0]
    return ""


def methods_of(agent: Any, known: Any) -> list[str]:
    """Return the methods that have one of these names in any spelling, in the order of the names."""
    methods = {name.replace("_", "").lower(): name for name in reversed(dir(agent)) if not name.startswith("_")}
    return [methods[name] for name in known if name in methods and callable(getattr(agent, methods[name]))]


def unbound(kind: Any, name: str) -> Any:
    """Return a method of a class without its first parameter, the object."""
    static = isinstance(getattr_static(kind, name), (staticmethod, classmethod))
    return getattr(kind, name) if static else getattr(kind, name).__get__(object())


def without_arguments(kind: Any) -> Any:
    """Return an object of a class, made without arguments. Raises `CannotAsk`."""
    if not fits(kind, 0):
        raise CannotAsk(
            "%s is a class that needs arguments: give an object of it, as in agent = %s(...)"
            % (kind.__name__, kind.__name__)
        )
    return kind()


def fits(ask: Any, count: Any) -> bool:
    """Return whether a callable takes this number of positional arguments."""
    try:
        signature(ask).bind(*range(count))
    except TypeError:
        return False
    except ValueError:
        return bool(count <= 1)
    return True


def parameters_of(ask: Any) -> Any:
    """Return the parameters of a callable, by name; `None` if they are not known.

    If a function that accepts anything wraps another one, the parameters are those of the wrapped function.
    """
    try:
        found = signature(ask).parameters
    except (TypeError, ValueError):
        return None
    cells = getattr(ask, "__closure__", None) or ()
    wrapped = [cell.cell_contents for cell in cells if callable(cell.cell_contents)]
    anything = all(each.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD) for each in found.values())
    return parameters_of(wrapped[0]) if anything and len(wrapped) == 1 else found


def named_roles(ask: Any, known: Any) -> list[Wanted] | None:
    """Return the role of each parameter, by its name; `None` if the parameters of a callable are not known."""
    parameters = parameters_of(ask)
    if parameters is None:
        return None
    wanted: list[Wanted] = []
    for each in parameters.values():
        if each.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD):
            continue
        words = re.findall("[a-z]+", re.sub("(?<=[a-z])(?=[A-Z])", " ", each.name).lower().replace("_", " "))
        role = next((role for role, names in known if any(re.fullmatch(names, word) for word in words)), None)
        if words == ["positions"] and len(parameters) > 1:  # those where it may move
            role = "moves"
        if role == "side" and {"empty", "blank"} & {*words}:  # what stands on an empty square
            role = None
        optional = each.default is not Parameter.empty
        if not optional or role in OPTIONAL:
            key = each.name if optional or each.kind is Parameter.KEYWORD_ONLY else None
            wanted.append(Wanted(role, key, each.name))
    return wanted


def roles_of(ask: Any, *, sees: bool = False) -> list[Wanted]:
    """Return each role; one is the board, unless the agent `sees` it elsewhere. Raises `CannotAsk`."""
    wanted = named_roles(ask, ROLES)
    if wanted is None:
        return [Wanted("board", None, "")]
    parameters = parameters_of(ask).values()
    if not wanted and any(each.kind is Parameter.VAR_POSITIONAL for each in parameters):
        wanted = [Wanted("board", None, "")]
    required = [each.role for each in wanted if each.key is None]
    if (sees or "board" in required) and None not in required and len(set(required)) == len(required):
        return wanted
    usual = {1: ["board"], 2: ["board", "side"], 3: ["board", "side", "moves"]}.get(len(required), [])
    strange = len(required) > 1 and any(each.role is None and len(each.name) > SHORT for each in wanted)
    known = usual and all(role in (None, each) for role, each in zip(required, usual))
    if strange or not known or sees:
        raise CannotAsk(
            "%s takes (%s), of which not all are known: give a function of a board, or of (board, side, moves)"
            % (getattr(ask, "__name__", "it"), ", ".join(each.name for each in parameters))
        )
    positional = iter(usual)
    return [each._replace(role=next(positional)) if each.key is None else each for each in wanted]


def given(wanted: Any, values: Any) -> tuple[list[Any], dict[str, Any]]:
    """Return the arguments for some parameters, first those by position, then those by keyword."""
    by_keyword = {each.key: values[each.role] for each in wanted if each.key is not None}
    return [values[each.role] for each in wanted if each.key is None], by_keyword
