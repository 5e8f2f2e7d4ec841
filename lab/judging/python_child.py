"""The process in which a Python object is asked. This file stands alone: it runs with any Python from 3.8 on.

    question   what is known of a position: its board as numbers, the side to move, the moves, the moves before it
    form       how an agent wants to be asked: its arguments, the shape of the board, and what stands for the pieces

It reads JSON line by line: first the game and the name of the object, then questions. It answers each with a line:
first the forms in which the object could be asked, then for each question the different answers, with how often each
was given; or with `error`, which says why the object cannot be asked. What an answer means is decided elsewhere.
"""

from __future__ import annotations

import ast
import gc
import os
import random
import re
import signal
import sys
import threading
import time
import warnings
from collections import namedtuple
from collections.abc import Mapping
from functools import partial, wraps
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from inspect import Parameter, currentframe, getattr_static, isbuiltin, isfunction, ismethod, signature
from itertools import product
from json import dumps, loads
from select import select
from time import monotonic, process_time, sleep
from typing import Any, Callable, NamedTuple

BATCH_SECONDS = 0.05
"""After this time, the answers so far are written before the object is asked again."""
WATCH_SECONDS = 1.0
"""The time between two checks that the parent still runs."""
MAX_CHARACTERS = 200
"""A message quotes at most this many characters of an agent's error."""
MAX_BYTES = 10000
"""The size limit of an answer, in bytes."""
MAX_ITEMS = 10000
MAX_DEPTH = 4
PROCESSOR_SHARE = 0.2
"""The least share of the processor that this process has beside other programs: time limits are for processor time."""
AGAIN = 0.05
"""Seconds until a time limit is told again: Python drops an exception in a callback, as of the garbage collection."""
OWN_SECONDS = 1.0
"""The time limit to play some moves in a game of the agent's own code."""
METHODS = (
    "act getaction chooseaction selectaction getmove choosemove selectmove makemove bestmove findbestmove getbestmove "
    "bestaction nextmove aimove getaimove computermove getcomputermove pickmove pickaction decidemove requestmove "
    "determinemove move play choose pick decide predict"
).split()
"""The methods by which objects are asked, the first that can be: get_action, or getAction."""
PLAYS = (
    "makemove playmove domove applymove placemove addmove setmove move play apply applyaction place placepiece "
    "placemark placemarker placesymbol setcell setsquare setmark put push mark step nextstate generatesuccessor "
    "successor drop droppiece dropdisc dropdisk droptoken dropcoin adddisc adddisk addpiece addtoken "
    "insertdisc"
).split()
"""The methods by which a move is made in a game of the agent's own code."""
PLAYED = (("row", "row|r|x|i"), ("column", "col|column|c|y|j"))
"""The parameters of such a method, besides the side: a row and a column, or a square by any other name."""
RESETS = "reset newgame resetgame startgame restart".split()
"""The methods that objects with a state of their own have, to be called before a game."""
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
"""What a parameter is for, by a word in its name, in some languages; `first` is whether the first side moves."""
MADE = (
    ("columns", "width|cols|columns"),
    ("rows", "size|n|dim|dimension|height|rows"),
    *(each for each in ROLES if each[0] in ("other", "side", "board")),
)
"""The same for an object that is made: the size of the board, its side, or the game that it looks at."""
SIDES = tuple(each for each in ROLES if each[0] == "side")
OPTIONAL = ("side", "moves", "mask", "config", "other", "rows", "columns")
"""What a parameter with a default is for, if it is given all the same."""
PAIR = 2
"""A heap and a number of stones."""
SHORT = 2
"""Where a function has several parameters, one with a longer name is for what its name says, such as a depth."""
SHAPES = (
    "lists list tuples tuple ten array vector array-float vector-float lists-up array-up array-float-up text dict"
).split()
"""Shapes of a board: rows of squares; all squares; both as tuples; a list with an unused square 0; rows and squares in
numpy, as whole numbers or as those of numpy.zeros, which are written otherwise; rows from the lowest up, where pieces
fall; a text; an observation with its mask, as PettingZoo's environments give it."""
TYPES = "int8 uint8 int16 int32 float32".split()
"""Types of numbers that arrays may have besides, for agents that look a board up by its bytes: array-int8."""
EMPTY = {"none": None, "space": " ", "nothing": "", "zero": 0, "dot": ".", "underscore": "_", "dash": "-"}
"""What stands on an empty square where the pieces are the marks of the game."""
TEXTS = ("space", "dot", "underscore", "dash")
"""Those that a text can show."""
COUNTED: dict[str, Callable[[int], Any]] = {
    "number": lambda index: str(index + 1),
    "index": lambda index: index,
    "index-1": lambda index: index + 1,
}
"""The same, where each empty square has its number."""
LETTERS = [letters + case for case in ("", "-lower") for letters in (*EMPTY, *COUNTED)]
"""The same, with marks in capitals or not."""
NUMBERS = ("012", "plus-minus", "minus-01", "own", "own12")
"""Pieces as numbers: 1 and 2; 1 and −1; 0 and 1, with −1 for an empty square; 1 and −1, or 1 and 2, but 1 is a piece of
the side to move. There are also planes of 0 and 1."""
PAIRS = (("row", "column"), ("row", "col"), ("r", "c"), ("x", "y"))
"""The attributes of an answer that is a square."""
HASHES = "It calls hash(): of texts, that differs from run to run unless PYTHONHASHSEED is set, and so may its answers"
Position = namedtuple("Position", "board side moves")
O_FIRST = "o-first"
"""The last word of a form for an agent in whose games the other side moves first: it is shown an O for each X."""


class AskForm(NamedTuple):
    """A form, and a function that returns the answer to a question."""

    name: str
    call: Callable[[dict[str, Any]], Any]
    begin: Callable[[dict[str, Any]], Any] | None = None
    """Shows the agent the moves before the position, if it wants them."""
    make: Callable[[dict[str, Any]], Any] | None = None
    """Returns the object that is asked, if it is made by its side or by a game."""


class Known(NamedTuple):
    """How an object can be asked."""

    forms: list[AskForm]
    """The forms in which it could be asked, the likeliest first."""
    by_history: bool = False
    """Whether it must be shown the moves before a position."""
    replays: bool = False
    """Whether it must be begun anew, and shown its own earlier decisions."""
    promised: int | None = None
    """The form whose parameters it has by name."""
    sides: tuple[int, ...] = (1, 2)
    """The sides that it plays."""
    note: str = ""
    """What else a person should know, in a sentence."""


class Expired(BaseException):
    """The time limit of a trial is over."""


class CannotAsk(Exception):
    """The object cannot be asked: the message says why."""


class Fields(dict):  # type: ignore[type-arg]  # Python 3.8 knows no dict[str, Any] here
    """A mapping whose items are attributes as well."""

    def __getattr__(self, name: Any) -> Any:
        if name in self:
            return self[name]
        raise AttributeError(name)


# The forms.


def known_of(agent: Any, game: Any, module: Any) -> Known:
    """Return how an object can be asked. Raises `CannotAsk`."""
    if isinstance(agent, type):
        return known_class(agent, game, module)
    if hasattr(agent, "action_probabilities"):
        return Known([AskForm("OpenSpiel policy", openspiel_policy(agent, game))], by_history=True)
    if hasattr(agent, "step") and not hasattr(agent, "predict"):
        if hasattr(agent, "provides_policy") or hasattr(agent, "restart"):
            return Known([openspiel_bot(agent, game)], by_history=True)
        return Known([AskForm("OpenSpiel agent", openspiel_agent(agent, game))], by_history=True)
    if all(callable(getattr(agent, name, None)) for name in ("set_state", "set_symbol", "act")) and fits(agent.act, 0):
        return shown_states(agent, game)
    if isfunction(agent) or ismethod(agent) or isbuiltin(agent):
        return called("function", Target(agent, roles_of(agent)), game, module)
    name = askable(agent, lambda name: roles_of(getattr(agent, name)))
    if not name and not callable(agent):
        raise CannotAsk(
            "%s is not an agent: give a function of a position, an OpenSpiel policy, "
            "or an object with act(observation)" % type(agent).__name__
        )
    ask = getattr(agent, name) if name else agent
    if name == "predict" and "deterministic" in (parameters_of(ask) or ()):
        ask = predicting(ask)
    return with_resets(called(name or "function", Target(ask, roles_of(ask)), game, module), agent)


def with_resets(known: Known, agent: Any) -> Known:
    """Return the forms of an object, or of a class of objects, that is begun anew before each game if it can be."""
    name = next(iter(methods_of(agent, RESETS)), "")
    if not name or not fits(unbound(agent, name) if isinstance(agent, type) else getattr(agent, name), 0):
        return known
    forms = [
        form._replace(name="%s, %s()" % (form.name, name), begin=replaying(form, name, agent)) for form in known.forms
    ]
    return known._replace(forms=forms, by_history=True, replays=True)


def known_class(kind: Any, game: Any, module: Any) -> Known:
    """Return how to ask objects of a class: one without arguments, one for each side, or one for each game.

    The class may also be that of a game, which is played up to the position, and then asked.
    """
    made, is_game = named_roles(kind, MADE) or [], any(each.kind is kind for each in own_games(module, game))
    unknown = any(each.role is None for each in made)
    if unknown or not (made or is_game):
        others = [name for name, each in vars(module).items() if type(each) is kind]
        also = "; %s has also %s" % (module.__name__, ", ".join(others)) if others else ""
        note = "An object of %s is judged, made without arguments%s" % (kind.__name__, also)
        return known_of(without_arguments(kind), game, module)._replace(note=note)
    sees = any(each.role == "board" for each in made) or is_game
    name = askable(kind, lambda name: roles_of(unbound(kind, name), sees=sees))
    if not name and any("__call__" in vars(each) for each in kind.__mro__):
        name = "__call__"
    if not name:
        raise CannotAsk("%s has no method that chooses a move" % kind.__name__)
    ask = unbound(kind, name)
    known = called(name, Target(ask, roles_of(ask, sees=sees), kind, tuple(made), name, {}), game, module)
    return known if sees else with_resets(known, kind)  # one that looks at a game is made anew


def askable(agent: Any, roles: Any) -> str:
    """Return the first method whose parameters are known; empty if there is none. Raises `CannotAsk`."""
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


def unbound(kind: Any, name: str) -> Any:
    """Return a method of a class, without the parameter for the object."""
    static = isinstance(getattr_static(kind, name), (staticmethod, classmethod))
    return getattr(kind, name) if static else getattr(kind, name).__get__(object())


def without_arguments(kind: Any) -> Any:
    """Return an object of a class. Raises `CannotAsk`."""
    if not fits(kind, 0):
        raise CannotAsk(
            "%s is a class that needs arguments: give an object of it, as in agent = %s(...)"
            % (kind.__name__, kind.__name__)
        )
    return kind()


def methods_of(agent: Any, known: Any) -> list[str]:
    """Return the methods with these names, however they are written, in the order of the names."""
    methods = {name.replace("_", "").lower(): name for name in reversed(dir(agent)) if not name.startswith("_")}
    return [methods[name] for name in known if name in methods and callable(getattr(agent, methods[name]))]


def shown_states(agent: Any, game: Any) -> Known:
    """Ask an agent as the best-known program for Sutton and Barto's book has it: set_state(state), then act().

    Its module has the class of states; its symbol, 1 or −1, tells the side that it plays.
    """
    module = sys.modules.get(type(agent).__module__)
    own = next((each for each in own_games(module, game) if each.pieces == "plus-minus"), None)
    if own is None:
        raise CannotAsk("set_state() and act() are known only with a class State with next_state(row, column, symbol)")
    if getattr(agent, "symbol", 0) not in (1, -1):
        raise CannotAsk(
            "it plays no side yet: give an object of which set_symbol(1) or set_symbol(-1), and then load_policy(), "
            "have been called"
        )
    side = 1 if agent.symbol == 1 else 2

    def begin(question: Any) -> None:
        if question["side"] != side:
            raise CannotAsk("plays only as %s, as its symbol says" % game["marks"][side - 1])
        if hasattr(agent, "reset"):
            agent.reset()
        for state in own.states(question["history"], (1, -1)):
            agent.set_state(state)

    def call(_: Any) -> Any:
        row, column, *_ = agent.act()
        return row, column

    return Known([AskForm("set_state(state), act()", call, begin)], by_history=True, sides=(side,))


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

    A function that takes anything may hand it on to the one that it wraps: its own are those of that one.
    """
    try:
        found = signature(ask).parameters
    except (TypeError, ValueError):
        return None
    cells = getattr(ask, "__closure__", None) or ()
    wrapped = [cell.cell_contents for cell in cells if callable(cell.cell_contents)]
    anything = all(each.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD) for each in found.values())
    return parameters_of(wrapped[0]) if anything and len(wrapped) == 1 else found


def predicting(predict: Any) -> Any:
    """Ask `predict` of stable-baselines3, which returns an action and a state of its own."""
    masked = "action_masks" in parameters_of(predict)

    def ask(observation: Any, action_masks: Any = None) -> Any:
        more = {"action_masks": action_masks} if masked else {}
        answer = predict(observation, deterministic=True, **more)
        return answer[0] if isinstance(answer, tuple) and len(answer) == 2 else answer

    return ask if masked else lambda observation: ask(observation)


def replaying(form: AskForm, reset: str, agent: Any) -> Any:
    """Begin a game of an object with a state of its own, and show it its own decisions before this one."""

    def begin(question: Any) -> None:
        getattr(agent if form.make is None else form.make(question), reset)()
        for earlier in question["before"]:
            form.call(earlier)

    return begin


def swapping(form: AskForm) -> AskForm:
    """Ask with each side in the place of the other."""
    swapped = {1: 2, 2: 1}

    def other(question: Any) -> Any:
        board = [swapped.get(cell, cell) for cell in question["board"]]
        return {**question, "board": board, "side": 3 - question["side"]}

    make = form.make
    return AskForm(
        "%s, %s" % (form.name, O_FIRST),
        lambda question: form.call(other(question)),
        make=make and (lambda question: make(other(question))),
    )


class Wanted(NamedTuple):
    """A parameter."""

    role: str | None
    """What it is for; `None` if that is not known."""
    key: str | None
    """Its name if it is given by keyword."""
    name: str


def named_roles(ask: Any, known: Any) -> list[Wanted] | None:
    """Return what each parameter is for, by its name; `None` if the parameters of a callable cannot be found."""
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
    """Return what each parameter is for. Raises `CannotAsk` if one is not known.

    An agent that `sees` the board elsewhere needs no parameter for it.
    """
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
    """Return the arguments for some parameters, by position and by keyword."""
    by_keyword = {each.key: values[each.role] for each in wanted if each.key is not None}
    return [values[each.role] for each in wanted if each.key is None], by_keyword


class Target(NamedTuple):
    """What is asked: a function, or a method of an object that is made first."""

    ask: Any
    wanted: list[Wanted]
    kind: Any = None
    """The class of the object, …"""
    made: tuple[Wanted, ...] = ()
    """… what it is made by, …"""
    method: str = ""
    """… and its method."""
    kept: Any = None
    """The objects that were made, by what each was made by."""

    def object_for(self, values: Any) -> Any:
        """Return the object: one for the same arguments, unless it looks at a game."""
        played = values["game"]
        if type(played) is self.kind:
            return played
        arguments = given(self.made, {**values, "board": played})
        if any(each.role == "board" for each in self.made):
            return self.kind(*arguments[0], **arguments[1])
        key = repr(arguments)
        if key not in self.kept:
            self.kept[key] = self.kind(*arguments[0], **arguments[1])
        return self.kept[key]


def called(name: str, target: Target, game: Any, module: Any) -> Known:
    """Return the forms in which a callable could be asked. Raises `CannotAsk`."""
    names, ask = [each.role for each in target.wanted], target.ask
    words = "%s(%s)" % (name, ", ".join(map(str, names)))
    if "config" in names:
        if names != ["board", "config"]:
            raise CannotAsk("%s is not known: give a function of (observation, configuration)" % words)
        return Known([AskForm("Kaggle, " + words, kaggle(ask, game))])
    if "depth" in names and game["falls"]:
        raise CannotAsk("%s is not known: give a function that searches to a depth of its own" % words)
    code = code_of(ask, module)
    cases = letter_cases(code, game)
    letters = [each for each in LETTERS if each.endswith("-lower") in cases]
    constants, arrays = constants_of(module, game), ["array", "vector"] if imports_numpy(code) else []
    own = [each for each in own_games(module, game) if not each.pieces.endswith("-lower") or each.pieces in letters]
    options: list[Any] = [("game", each.pieces, each) for each in own]
    if "board" in names and not any(each.role == "board" for each in target.made):
        shapes = [*SHAPES, *["%s-%s" % each for each in product(("array", "vector"), types_hashed(code))]]
        plain = [(shape, pieces) for shape in shapes for pieces in pieces_for(shape, letters, game)]
        plain += [(shape, pieces) for shape in arrays for pieces in letters if not pieces.startswith("index")]
        if constants:
            plain = [(shape, "constants") for shape in ("lists", "list", "tuple", "ten", *arrays)] + plain
        plain.sort(key=lambda option: name != "act" or option != ("array", "planes"))
        plain = [("position", "")] * (names == ["board"]) + [("heaps", "")] * is_nim(game) + plain
        options = [(*each, None) for each in plain] + options
    elif not any(each.role == "board" for each in target.made):
        options = [each for each in options if each[2].kind is target.kind]
    if not options:
        raise CannotAsk("%s looks at a game, and there is no class of one that could be played" % words)
    forms = [
        caller(", ".join(filter(None, (words, shape, pieces))), target, shape, pieces, game, constants, played)
        for shape, pieces, played in options
    ]
    by_name = [*(parameters_of(ask) or ())] == ["board", "side", "moves"]
    usual = ("tuple", "012", None) if by_name and target.kind is None else ("heaps", "", None)
    promised = options.index(usual) if usual in options else None
    forms += [
        swapping(form)
        for form, (_, pieces, _) in zip(forms, options)
        if game["places"] and pieces not in ("own", "own12", "planes", "turns", "")
    ]
    return Known(forms, any(each.remembers or each.falls for each in own), promised=promised)


# Games of its own code.


class OwnGame(NamedTuple):
    """A class of games in the agent's code, and how to play them."""

    kind: Any
    play: str
    wanted: list[str]
    """The arguments of its method that makes a move."""
    style: str
    """How it numbers squares, or columns: from 0 or 1, or by row and column (y-x), or the other way (x-y)."""
    pieces: str
    """What stands for the sides, as in other forms; `turns` if the game itself knows whose turn it is."""
    size: tuple[int, int]
    """The numbers of rows and of columns."""
    place: tuple[str, ...] = ()
    """Where its board is: the names of attributes."""
    marks: tuple[Any, ...] = ()
    """What it has on its board for the side that moves first, and for the other."""
    remembers: bool = False
    """Whether it is not the same after another order of the moves."""
    falls: bool = False
    """Whether a move is a column."""
    order: tuple[int, ...] = ()
    """Where each square is on its board: rows and columns may be in any order where pieces fall."""

    def states(self, moves: Any, marks: Any) -> Any:
        """Yield the game at its start, and after each of some moves."""
        rows, columns = self.size
        made = [
            each for each in named_roles(self.kind, MADE) or [] if each.key is None or each.role in ("rows", "columns")
        ]
        arguments = given(made, {"rows": rows, "columns": columns, "side": marks[0], "other": marks[1]})
        state = self.kind(*arguments[0], **arguments[1])
        yield state
        for number, move in enumerate(moves):
            written = self.written(move)
            row, column = written if isinstance(written, tuple) else (None, written)
            values = {"row": row, "column": column, "side": marks[number % 2], "square": written}
            after = getattr(state, self.play)(*[values[each] for each in self.wanted])
            state = after if type(after) is self.kind else state
            yield state

    def written(self, move: Any) -> Any:
        """Return a square as this game has it."""
        pair = divmod(move, self.size[1])
        if self.falls:
            return pair[1] + int(self.style)
        return pair if self.style == "y-x" else pair[::-1] if self.style == "x-y" else move + int(self.style)

    def cells(self, state: Any) -> Any:
        """Return what stands on its squares."""
        found = dict(boards_in(state, self.size[0] * self.size[1]))[self.place]
        return [found[each] for each in self.order]

    def orders(self) -> Any:
        """Return the orders in which its board may have the squares."""
        rows, columns = self.size
        by_rows = [tuple(range(start, start + columns)) for start in range(0, rows * columns, columns)]
        by_columns = [tuple(range(row, rows * columns, rows)) for row in range(rows)]
        either = [each[::step] for each in (by_rows, by_columns) for step in (1, -1)]
        return [sum(lines, ()) for lines in (either if self.falls else [by_rows])]

    def tried(self, marks: Any) -> Any:
        """Return this game if its moves change the squares that they name, and no others; else `None`."""
        rows, columns = self.size
        moves = (1, columns + 2, 2 * columns)
        landed = [(rows - 1) * columns + move % columns for move in moves] if self.falls else moves
        boards = [dict(boards_in(state, rows * columns)) for state in self.states(moves, marks)]
        for place, order in product(boards[0], self.orders()):
            cells = [each.get(place, []) for each in boards]
            steps = [zip(cells[step], cells[step + 1]) for step in range(len(moves))]
            changes = [[at for at, (old, new) in enumerate(both) if old != new] for both in steps]
            if changes != [[order[move]] for move in landed]:
                continue
            seen = tuple(cells[-1][at] for (at,) in changes)
            if seen[0] == seen[2] != seen[1]:
                two_orders = [[*self.states(order, marks)][-1] for order in ((0, 1, 2, 3), (2, 3, 0, 1))]
                one, other = map(written_out, two_orders)
                return self._replace(place=place, marks=seen[:2], remembers=one != other, order=order)
        return None


def own_games(module: Any, game: Any) -> list[OwnGame]:
    """Return the classes of games in a module, or imported there, that can be played; one for each kind of pieces.

    If there is none, those in the modules from which it imports something.
    """
    size = game["rows"], game["columns"]
    if module is None or not game["places"] or min(size) < len("XOX"):
        return []
    names = {getattr(each, "__module__", None): None for each in [*vars(module).values()][:MAX_ITEMS]}
    others = [each for name, each in sys.modules.items() if name in names and beside(each, module)]
    return games_among(classes_in(module), module, game) or games_among(
        [each for other in others for each in classes_in(other)], module, game
    )


def classes_in(module: Any) -> list[Any]:
    return [each for each in [*vars(module).values()][:MAX_ITEMS] if isinstance(each, type)]


def beside(one: Any, other: Any) -> bool:
    """Return whether two modules are files in the same folder."""
    files = [getattr(each, "__file__", None) for each in (one, other)]
    return all(files) and len({os.path.dirname(os.path.abspath(str(each))) for each in files}) == 1


def games_among(classes: Any, module: Any, game: Any) -> list[OwnGame]:
    """Return the classes of games among these that can be played; one for each kind of pieces."""
    size = game["rows"], game["columns"]
    constants, found = constants_of(module, game), {}  # type: ignore[var-annotated]
    for kind, play in [(each, play) for each in classes for play in methods_of(each, PLAYS)]:
        if not hasattr(getattr(kind, play), "__code__"):  # of a class that is not written in Python, such as a queue
            continue
        wanted = [each.role or "square" for each in named_roles(unbound(kind, play), (*PLAYED, *SIDES)) or []]
        place, falls = sorted({*wanted} - {"side"}), game["falls"]
        if place not in (["square"], ["column"] if falls else ["column", "row"]) or len({*wanted}) < len(wanted):
            continue
        pieces_known = ("constants", "space", "space-lower", "012", "plus-minus") if "side" in wanted else ("turns",)
        styles = [*"01"] * (len(place) == 1) + ["y-x", "x-y"] * (not falls)
        for pieces, style in product(pieces_known, styles):
            candidate = OwnGame(kind, play, wanted, style, pieces, size, falls=falls)
            marks = marks_of(pieces, game, constants)
            try:
                attempt = partial(candidate.tried, marks)
                tried = limited(OWN_SECONDS, OWN_SECONDS / PROCESSOR_SHARE, attempt)[0] if marks else None
            except BaseException:  # noqa: BLE001, S112  it is no game, or wants something else
                continue
            if tried is not None:
                found.setdefault((kind, pieces), tried)
    return [*found.values()]


def boards_in(thing: Any, size: int, depth: int = 2) -> Any:
    """Yield the boards that an object has, as the names of attributes and what stands on the squares."""
    cells: list[Any] = []
    if isinstance(thing, dict):
        cells = [*thing.values()]
    elif isinstance(thing, (list, tuple, str)) or hasattr(thing, "tolist"):
        cells = flat(thing)
    if size <= len(cells) <= size + 1:  # the first one may be unused
        yield (), cells[-size:]
    fields = thing._asdict() if hasattr(thing, "_asdict") else getattr(thing, "__dict__", {})
    for name, each in fields.items() if depth else ():
        for place, found in boards_in(each, size, depth - 1):
            yield (name, *place), found


def written_out(thing: Any, depth: int = 5) -> Any:
    """Return all that an object has, to be compared; objects of the same type that have nothing are alike."""
    if isinstance(thing, (str, int, float, type(None))):
        return thing
    if hasattr(thing, "tolist"):
        return repr(thing.tolist())
    if isinstance(thing, dict) and depth:
        return [(written_out(key, depth - 1), written_out(each, depth - 1)) for key, each in thing.items()]
    if isinstance(thing, (list, tuple)) and depth:
        return [written_out(each, depth - 1) for each in thing]
    if isinstance(thing, (set, frozenset)):
        return sorted(map(repr, thing))
    return type(thing).__name__, written_out(getattr(thing, "__dict__", {}), depth - 1) if depth else None


def limited(seconds: float, wait: float, call: Any) -> Any:
    """Return what a function returns, and the seconds that it took.

    Raises `Expired` if it takes more seconds of processor time, which other programs do not prolong, or longer than it
    may wait, where the system has timers.
    """
    cpu, wall, over = process_time(), monotonic(), False

    def expire(*_: Any) -> None:
        if not over:
            raise Expired

    def took() -> float:
        return max(process_time() - cpu, (monotonic() - wall) * PROCESSOR_SHARE)

    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        return call(), took()
    collects = gc.isenabled()
    gc.disable()  # a collection, whose time depends on all that there is, is no part of the call
    timers = ((signal.SIGPROF, signal.ITIMER_PROF, seconds), (signal.SIGALRM, signal.ITIMER_REAL, wait))
    before = [(number, signal.getsignal(number), kind, signal.getitimer(kind)) for number, kind, _ in timers]
    try:  # a timer may end at any moment, but not twice within AGAIN
        try:
            for number, kind, limit in timers:
                signal.signal(number, expire)
                signal.setitimer(kind, limit, AGAIN)
            return call(), took()
        finally:
            over = True
    finally:  # a program that judges its own function keeps its timers
        over = True
        for _, kind, _ in timers:
            signal.setitimer(kind, 0)
        for number, handler, kind, left in before:
            signal.signal(number, handler or signal.SIG_DFL)
            signal.setitimer(kind, *left)
        if collects:
            gc.enable()


# What it reads of a board.


WATCHED = ("lists", "list", "tuples", "tuple", "ten")
"""The shapes whose squares are values of Python."""
COMPARED: list[bool] = []
"""Whether each thing with which a watched square was compared can stand there."""


def watched(cells: Any, mine: Any, other: Any) -> Any:
    """Return what stands on some squares, and for the sides, as values that note what they are compared with.

    An agent that misreads the board looks for a piece that cannot stand there, as for a 2 among 1 and −1.
    """
    kinds: Any = {}

    def value(here: Any, empty: Any) -> Any:
        kind: Any = type(here)
        known = [each for each in (empty, mine, other) if each is not None]

        def equal(one: Any, two: Any) -> bool:
            if type(two) in (int, str, float):
                COMPARED.append(two in known)
            return kind.__eq__(one, two) is True

        if kind not in (int, str):
            return here
        if (kind, *known) not in kinds:
            more = {"__eq__": equal, "__ne__": lambda one, two: not equal(one, two), "__hash__": kind.__hash__}
            kinds[(kind, *known)] = type(kind.__name__, (kind,), more)
        return kinds[(kind, *known)](here)

    empties = {each for each in cells if each not in (mine, other)}
    usual = empties.pop() if len(empties) == 1 else None  # each has its number
    found = [value(each, usual if each in (mine, other) else each) for each in cells]
    return found, value(mine, usual), value(other, usual)


def code_of(ask: Any, module: Any) -> list[Any]:
    """Return the nodes of the code of an agent, as far as it can be read."""
    names = [getattr(ask, "__module__", None), type(getattr(ask, "__self__", None)).__module__]
    found: list[Any] = []
    for each in [module, *(sys.modules.get(str(name)) for name in names)]:
        try:
            with open(each.__file__, encoding="utf-8") as code:
                found += ast.walk(ast.parse(code.read()))
        except Exception:  # noqa: BLE001, S112  it has no file, or none that can be read
            continue
    return found


def types_hashed(code: Any) -> list[str]:
    """Return the types of numbers in the code of an agent that looks boards up by their bytes, but for usual ones."""
    words: set[Any] = {each.attr for each in code if isinstance(each, ast.Attribute)}
    words |= {each.value for each in code if isinstance(each, ast.Constant)}
    return [each for each in TYPES if each in words] if words & {"tobytes", "tostring", "data"} else []


def calls_hash(code: Any) -> bool:
    """Return whether an agent may take the hash of a text, which is another one each time that Python is started."""
    called = [each.func for each in code if isinstance(each, ast.Call)]
    return any(getattr(each, "id", "") == "hash" for each in called) and not os.environ.get("PYTHONHASHSEED")


CLOCKS = "time time_ns monotonic monotonic_ns perf_counter perf_counter_ns process_time localtime gmtime ctime strftime"
DATES = {"now", "utcnow", "today"}
CLOCK_READ: set[str] = set()
"""The functions of the module time that were called, but for the times of a log."""


def watch_clocks() -> None:
    """Note from now on which clocks are read."""
    for name in CLOCKS.split():
        setattr(time, name, noting(getattr(time, name)))


def noting(read: Any) -> Any:
    @wraps(read)
    def call(*arguments: Any) -> Any:
        here: Any = currentframe()
        if here.f_back.f_globals.get("__name__") != "logging":
            CLOCK_READ.add(read.__name__)
        return read(*arguments)

    return call


def is_method_call(node: Any) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)


def imports_numpy(code: Any) -> bool:
    """Return whether an agent may want arrays of texts: if its code, as far as it can be read, imports numpy."""
    names = [each.module or "" for each in code if isinstance(each, ast.ImportFrom)]
    names += [alias.name for each in code if isinstance(each, ast.Import) for alias in each.names]
    return not code or any(name.split(".")[0] == "numpy" for name in names)


def letter_cases(code: Any, game: Any) -> set[bool]:
    """Return whether an agent may want marks in small letters: what is true of those in its code; both if none are."""
    marks, found = "".join(game["marks"]), set()
    for text in {each.value for each in code if isinstance(each, ast.Constant) and isinstance(each.value, str)}:
        letters = "".join(filter(str.isalpha, text))
        for small, known in ((False, marks), (True, marks.lower())):
            if letters and not letters.strip(known):
                found.add(small)
    return found or {False, True}


def pieces_for(shape: Any, letters: Any, game: Any) -> list[str]:
    """Return what may stand for the pieces on a board of this shape."""
    if shape.endswith("-up") and not game["falls"]:
        return []
    if shape == "dict":
        return ["planes"]
    if is_array(shape):
        return [*NUMBERS, "planes"] if shape == "array" else [*NUMBERS]
    if shape == "ten":
        return [*letters]
    if shape == "text":
        return [each for each in letters if each.replace("-lower", "") in TEXTS] + ["012"]
    return [*letters, *NUMBERS]


def is_nim(game: Any) -> bool:
    return bool(game["name"].startswith("nim:"))


def is_array(shape: Any) -> bool:
    return shape.split("-")[0] in ("array", "vector")


def constants_of(module: Any, game: Any) -> Any:
    """Return the constants X, O and EMPTY of a module, or of a class in it, as the pieces of a board."""
    if game["marks"] != ["X", "O"]:
        return None
    for place in [module, *(each for each in vars(module).values() if isinstance(each, type))]:
        for names in (("EMPTY", "X", "O"), ("Empty", "X", "O"), ("NONE", "X", "O"), ("E", "X", "O")):
            if all(hasattr(place, name) for name in names):
                return [getattr(place, name) for name in names]
    return None


def marks_of(pieces: Any, game: Any, constants: Any) -> Any:
    """Return what stands for the first and for the second side; `None` if there are no such pieces."""
    if pieces == "constants":
        return constants and constants[1:]
    question = {"board": [], "side": 1}
    return game["marks"] if pieces == "turns" else pieces_of(question, pieces, game, constants)[1:]


def pieces_of(question: Any, pieces: Any, game: Any, constants: Any) -> Any:
    """Return what stands on each square, and what stands for the side to move and for the other side."""
    board, side = question["board"], question["side"]
    other = 3 - side
    if pieces == "constants":
        return [constants[cell] for cell in board], constants[side], constants[other]
    if pieces in LETTERS:
        name, *lower = pieces.split("-lower")
        marks = [mark.lower() if lower else mark for mark in (*game["marks"], *game["more_marks"])]
        empty = [COUNTED[name](index) if name in COUNTED else EMPTY[name] for index in range(len(board))]
        cells = [marks[cell - 1] if cell else empty[index] for index, cell in enumerate(board)]
        return cells, marks[side - 1], marks[other - 1]
    if pieces == "minus-01":
        return [cell - 1 for cell in board], side - 1, other - 1
    if pieces == "plus-minus":
        code = {0: 0, 1: 1, 2: -1}
        return [code.get(cell, cell) for cell in board], code[side], code[other]
    if pieces in ("own", "own12"):
        code = {0: 0, side: 1, other: -1 if pieces == "own" else 2}
        return [code.get(cell, cell) for cell in board], 1, code[other]
    return list(board), side, other


def caller(
    name: str, target: Target, shape: Any, pieces: Any, game: Any, constants: Any, own: OwnGame | None
) -> AskForm:
    """Return the form that asks with these arguments."""
    rows, columns = game["rows"], game["columns"]
    kind, up = shape.split("-")[0], shape.endswith("-up")
    masked = any(each.role == "mask" for each in target.wanted)

    def shaped(cells: Any, question: Any) -> Any:
        if kind == "heaps":
            return heaps_of(question, columns)
        if kind == "position":
            return Position(tuple(question["board"]), question["side"], tuple(question["moves"]))
        if kind == "dict":
            return Fields(observation=planes(question, game), action_mask=mask(question, game))
        if pieces == "planes":
            return planes(question, game)
        if kind == "tuple":
            return tuple(cells)
        if kind == "ten":
            unused = [0 if isinstance(cells[0], int) else " "]
            return [*(watched(unused, None, None)[0] if question.get("watched") else unused), *cells]
        if kind == "text":
            return "".join(map(str, cells))
        lines = [cells[start : start + columns] for start in range(0, rows * columns, columns)]
        lines = lines[::-1] if up else lines
        if is_array(shape):
            import numpy

            usual = "float64" if "float" in shape else "int64"
            name: Any = next((word for word in shape.split("-") if word in TYPES), usual)
            if pieces in LETTERS or pieces == "constants":
                name = "object" if None in cells else None
            squares = numpy.array(lines, name)
            return squares if kind == "array" else squares.reshape(-1)
        if kind == "tuples":
            return tuple(map(tuple, lines))
        return lines if kind == "lists" else list(cells)

    def call(question: Any) -> Any:
        question = {**question, "masked": masked}
        values = values_of(question, shaped, shape, pieces, game, constants, own)
        ask = target.ask if target.kind is None else getattr(target.object_for(values), target.method)
        arguments = given(target.wanted, values)
        answer = ask(*arguments[0], **arguments[1])
        if kind == "heaps":
            return taken(answer, values["board"], values["before"], columns)
        found = placed(answer, values["board"], values["before"], values["side"], shape, own)
        if up and isinstance(found, OnSquare):
            row, column = divmod(found.square, columns)
            return OnSquare((rows - 1 - row) * columns + column)
        return found

    def make(question: Any) -> Any:
        return target.object_for(values_of(question, shaped, shape, pieces, game, constants, own))

    return AskForm(name, call, make=None if target.kind is None else make)


def values_of(question: Any, shaped: Any, shape: Any, pieces: Any, game: Any, constants: Any, own: Any) -> Any:
    """Return the value of each role."""
    kind, columns, moves = shape.split("-")[0], game["columns"], list(question["moves"])
    if own is None:
        cells, mine, other = pieces_of(question, pieces, game, constants)
        if question.get("watched") and kind in WATCHED:
            cells, mine, other = watched(cells, mine, other)
        board, before = shaped(cells, question), shaped(cells, question)
    else:
        number, in_turn = sum(cell != 0 for cell in question["board"]) % 2, own.marks
        if pieces != "turns":
            _, mine, other = pieces_of({**question, "board": []}, pieces, game, constants)
            in_turn = (other, mine) if number else (mine, other)
        mine, other = in_turn[number], in_turn[1 - number]
        board, before = ([*own.states(in_order(question), in_turn)][-1] for _ in range(2))
    if own is not None:
        moves = [own.written(move) for move in moves]
    elif game["falls"] and kind != "tuple":
        moves = [move % columns for move in moves]
    elif kind in ("lists", "tuples", "array"):
        moves = [divmod(move, columns) for move in moves]
    elif kind == "ten":
        moves = [move + 1 for move in moves]
    elif kind == "heaps":
        moves = [(move // columns, before[move // columns] - move % columns) for move in moves]
    return {
        "board": board,
        "game": None if own is None else board,
        "before": before,
        "side": mine,
        "other": other,
        "first": question["side"] == 1,
        "moves": moves,
        "mask": question.get("masked") and mask(question, game),
        "depth": len(moves),
        "rows": game["rows"],
        "columns": columns,
    }


def in_order(question: Any) -> list[int]:
    """Return moves to a position: those that were played, or the sides in turn, each with its squares in order."""
    board, side = question["board"], question["side"]
    if question["history"]:
        return list(question["history"])
    two = [[square for square, cell in enumerate(board) if cell == each] for each in (side, 3 - side)]
    number = sum(map(len, two))
    first, second = two[:: -1 if number % 2 else 1]
    return [(second if at % 2 else first)[at // 2] for at in range(number)]


def placed(answer: Any, board: Any, before: Any, side: Any, shape: Any, own: Any) -> Any:
    """Return the square, if the answer is the board after the move, or the board was changed; else the answer."""
    for after in (answer, board if answer is None or (own is not None and answer is True) else None):
        if after is None or type(after) is not type(before) or getattr(after, "ndim", 1) == 0 or shape == "position":
            continue
        one, two = (flat(each) if own is None else own.cells(each) for each in (after, before))
        # on an empty board, numbers may as well be probabilities, which say the same
        doubtful = after is not board and not isinstance(side, str) and all(each in (0, None) for each in two)
        if len(one) != len(two) or (doubtful and own is None):
            continue
        changed = [index for index, (new, old) in enumerate(zip(one, two)) if new != old]
        if len(changed) == 1 and (own is not None or one[changed[0]] == side):
            return OnSquare(changed[0] - (shape == "ten"))
    if shape == "ten" and isinstance(answer, int) and not isinstance(answer, bool):
        return OnSquare(answer - 1)
    return answer


def heaps_of(question: Any, columns: int) -> list[int]:
    """Return the number of stones in each heap of nim, a row of the board."""
    board = question["board"]
    return [sum(board[start : start + columns]) for start in range(0, len(board), columns)]


def taken(answer: Any, after: Any, before: Any, columns: int) -> Any:
    """Return the leftmost stone that is taken, given a heap and how many stones to take, or the heaps that are left.

    The object may have changed the heaps instead of an answer. Raises `CannotAsk` for anything else.
    """
    left = after if answer is None else answer
    if answer is None or (isinstance(answer, (list, tuple)) and len(answer) == len(before) > PAIR):
        changed = [index for index, (new, old) in enumerate(zip(left, before)) if new != old]
        if not changed:
            return None
        answer = (changed[0], before[changed[0]] - left[changed[0]]) if len(changed) == 1 else (-1, 0)
    if not isinstance(answer, (list, tuple)) or [hasattr(each, "__index__") for each in answer] != [True] * PAIR:
        raise CannotAsk("answers %s, which is no heap and number of stones" % written(answer))
    heap, number = answer
    legal = 0 <= heap < len(before) and 0 < number <= before[heap]
    return OnSquare(heap * columns + before[heap] - number if legal else -1)


class OnSquare(NamedTuple):
    """An answer that is the number of a square."""

    square: int


def flat(board: Any) -> list[Any]:
    if hasattr(board, "tolist"):
        board = board.tolist()
    cells: list[Any] = []
    for each in board:
        cells.extend(each if isinstance(each, (list, tuple)) else [each])
    return cells


def mask(question: Any, game: Any) -> Any:
    import numpy

    found = numpy.zeros(game["actions"], numpy.int8)
    found[question["moves"]] = 1
    return found


def planes(question: Any, game: Any) -> Any:
    """Return planes of the side to move and of the other one, shape (rows, columns, 2), as PettingZoo has them."""
    import numpy

    board, side = numpy.array(question["board"]), question["side"]
    found = numpy.stack([board == side, board == 3 - side], axis=-1)
    return found.reshape(game["rows"], game["columns"], 2).astype(numpy.int8)


def kaggle(ask: Any, game: Any) -> Any:
    """Ask as Kaggle's environments do."""
    configuration = Fields(
        rows=game["rows"], columns=game["columns"], inarow=game["in_a_row"], timeout=2, actTimeout=2, episodeSteps=1000
    )

    def call(question: Any) -> Any:
        board = list(question["board"])
        step = sum(cell != 0 for cell in board)
        observation = Fields(board=board, mark=question["side"], step=step, remainingOverageTime=60)
        return ask(observation, configuration)

    return call


# OpenSpiel.


def openspiel_state(played: Any, question: Any) -> Any:
    state = played.new_initial_state()
    for move in question["history"]:
        state.apply_action(move)
    if list(state.legal_actions()) != question["moves"]:
        raise CannotAsk("cannot be asked in %s: OpenSpiel's %s has other moves there" % (question["text"], played))
    return state


def openspiel_game(agent: Any, game: Any) -> Any:
    found = getattr(agent, "game", None) or getattr(agent, "_game", None)
    if found is not None and hasattr(found, "new_initial_state"):
        return found
    if not game["open_spiel"]:
        raise CannotAsk("it has no attribute 'game', and the name of this game in OpenSpiel is not known")
    return import_module("pyspiel").load_game(game["open_spiel"])


def openspiel_policy(agent: Any, game: Any) -> Any:
    played = openspiel_game(agent, game)
    return lambda question: dict(agent.action_probabilities(openspiel_state(played, question)))


def openspiel_bot(agent: Any, game: Any) -> AskForm:
    """Ask a bot: for its policy, if it has one; else for a move, after a restart and the moves so far."""
    played = openspiel_game(agent, game)
    try:
        known = agent.provides_policy() and dict(agent.get_policy(played.new_initial_state())) is not None
    except Exception:  # noqa: BLE001  it has none, or says so only here
        known = False

    def begin(question: Any) -> None:
        if hasattr(agent, "restart"):
            agent.restart()
            replayed = played.new_initial_state()
            for move in question["history"] if hasattr(agent, "inform_action") else ():
                agent.inform_action(replayed, replayed.current_player(), move)
                replayed.apply_action(move)

    def call(question: Any) -> Any:
        state = openspiel_state(played, question)
        return dict(agent.get_policy(state)) if known else agent.step(state)

    return AskForm("OpenSpiel bot", call, begin)


def openspiel_agent(agent: Any, game: Any) -> Any:
    """Ask an agent of OpenSpiel's environment for reinforcement learning."""
    environment = import_module("open_spiel.python.rl_environment").Environment(game["open_spiel"] or game["name"])

    def call(question: Any) -> Any:
        environment.set_state(openspiel_state(environment.game, question))
        output = agent.step(environment.get_time_step(), is_evaluation=True)
        chances = getattr(output, "probs", None)
        if chances is None or not len(chances):
            return output.action
        return {move: float(chances[move]) for move in question["moves"]}

    return call


# Random numbers.


class Generators:
    """The generators of random numbers that the agent may use, as far as they are found."""

    def __init__(self, agent: Any, module: Any) -> None:
        numpy: Any = sys.modules.get("numpy.random")
        near = [agent, *[*vars(module).values()][:MAX_ITEMS]]
        held = [each for place in near for each in getattr(place, "__dict__", {}).values()]
        seen = [*{id(each): each for each in [*gc.get_objects(), *near, *held]}.values()]
        self.own = [each for each in seen if type(each) is random.Random]
        self.arrays = [each for each in seen if numpy is not None and type(each) is numpy.Generator]
        self.older = [each for each in seen if numpy is not None and type(each) is numpy.RandomState]
        secret = sys.modules.get("secrets", os.urandom)
        self.unseen = any(
            isinstance(each, random.SystemRandom) or each is secret or each is os.urandom
            for each in vars(module).values()
        )
        """Whether it may use random numbers that cannot be repeated."""

    def watch(self, agent: Any) -> bool:
        """Take on the generators of an object that was made later. Return whether there are any."""
        numpy: Any = sys.modules.get("numpy.random")
        known: Any = {random.Random: self.own}
        if numpy is not None:
            known.update({numpy.Generator: self.arrays, numpy.RandomState: self.older})
        reached, left, found = {id(agent)}, [agent], False
        while left and len(reached) < MAX_ITEMS:
            each = left.pop()
            if type(each) in known:
                found = True
                known[type(each)] += [] if any(one is each for one in known[type(each)]) else [each]
            near = [] if isinstance(each, (type, type(sys))) or callable(each) else gc.get_referents(each)
            left += [one for one in near if id(one) not in reached]
            reached.update(map(id, near))
        return found

    def state(self) -> dict[str, Any]:
        """Return what changes when a random number is drawn."""
        found: dict[str, Any] = {"own": [random.getstate(), *(each.getstate() for each in self.own)]}
        if "numpy.random" in sys.modules:
            older = [sys.modules["numpy.random"].get_state(), *(each.get_state() for each in self.older)]
            found["numpy"] = [[name, key.tobytes(), rest] for name, key, *rest in older]
            found["arrays"] = [repr(each.bit_generator.state) for each in self.arrays]
        torch: Any = sys.modules.get("torch")
        if hasattr(torch, "get_rng_state"):
            found["torch"] = torch.get_rng_state().numpy().tobytes()
        return found

    def seed(self, number: Any = None) -> None:
        """Begin anew with a seed, so that the same numbers are drawn; without one, with a seed from the system."""
        random.seed(number)
        for each in self.own:
            each.seed(number)
        if "numpy.random" in sys.modules:
            sys.modules["numpy.random"].seed(number)
        for each in self.older:
            each.seed(number)
        for each in self.arrays:
            each.bit_generator.state = type(each.bit_generator)(number).state
        torch: Any = sys.modules.get("torch")
        if hasattr(torch, "manual_seed"):
            if number is None:
                torch.seed()
            else:
                torch.manual_seed(number)


# Answers as JSON.


def packed(answer: Any, depth: Any = 0) -> Any:
    """Return an answer in a form that JSON has. Raises `CannotAsk` for anything but moves, numbers, texts and lists."""
    if answer is None or isinstance(answer, (bool, float, str)):
        return answer
    if isinstance(answer, int):
        if answer.bit_length() > MAX_BYTES:
            raise ValueError("a number with too many digits")
        return answer
    if isinstance(answer, OnSquare):
        return {"square": packed(answer.square)}
    if depth > MAX_DEPTH:
        raise CannotAsk("it is nested too deeply")
    if hasattr(answer, "detach"):  # a tensor of torch
        answer = answer.detach().cpu().numpy()
    if hasattr(answer, "tolist"):
        return packed(answer.tolist(), depth + 1)
    if hasattr(answer, "numpy"):  # a tensor of tensorflow
        return packed(answer.numpy(), depth + 1)
    if isinstance(answer, Mapping):
        return {"pairs": [[packed(key, depth + 1), packed(each, depth + 1)] for key, each in some(answer.items())]}
    if isinstance(answer, (set, frozenset)):
        return {"set": sorted((packed(each, depth + 1) for each in some(answer)), key=repr)}
    if isinstance(answer, (list, tuple)):
        return [packed(each, depth + 1) for each in some(answer)]
    for names in PAIRS:
        if all(hasattr(answer, name) for name in names):
            return [packed(getattr(answer, name), depth + 1) for name in names]
    for kind in (int, float):
        if isinstance(getattr(answer, "value", None), kind):  # a member of an enumeration
            return answer.value
    if hasattr(answer, "__index__"):
        return answer.__index__()
    if hasattr(answer, "__float__"):
        return float(answer)
    if hasattr(answer, "cr_frame"):  # Python warns of one that is not closed
        answer.close()
        raise CannotAsk("it waits for something: give a function without 'async'")
    raise CannotAsk("%s is not a move" % type(answer).__name__)


def some(items: Any) -> list[Any]:
    found: list[Any] = []
    for each in items:
        if len(found) > MAX_ITEMS:
            raise CannotAsk("these are more than %s numbers" % format(MAX_ITEMS, ","))
        found.append(each)
    return found


def written(answer: Any) -> str:
    """Return an answer in quotes, for a message."""
    try:
        words = repr(answer)
    except BaseException:  # noqa: BLE001  writing it runs code of the agent
        words = type(answer).__name__
    return words if len(words) <= MAX_CHARACTERS else words[:MAX_CHARACTERS] + "..."


def error_text(error: Any) -> str:
    """Return an error of the agent in one line; by its type alone if it cannot be written."""
    if isinstance(error, EOFError):
        return "EOFError: it asks for input"
    try:
        words = " ".join(str(error)[:MAX_CHARACTERS].split())
    except BaseException:  # noqa: BLE001  writing it runs code of the agent
        words = ""
    return "%s: %s" % (type(error).__name__, words) if words else type(error).__name__


# The process.


def object_named(text: Any) -> Any:
    """Return the object that `module:name` or `file.py:name` names, and the module that it is in.

    Raises `CannotAsk`.
    """
    place, _, path = text.rpartition(":")
    try:
        module = module_of_file(place) if place.endswith(".py") else module_named(place)
    except CannotAsk:
        raise
    except (EOFError, SystemExit) as end:
        raise CannotAsk(
            "%s %s when it is imported, so it cannot be judged: put what plays a game with a person "
            "below 'if __name__ == \"__main__\":'"
            % (place, "ends" if isinstance(end, SystemExit) else "asks for input")
        ) from None
    except BaseException as error:
        advice = import_advice(error, place)
        raise CannotAsk("%s cannot be imported: %s%s" % (text, error_text(error), advice)) from error
    agent = module
    for each in path.split("."):
        if not hasattr(agent, each):
            name = getattr(agent, "__name__", type(agent).__name__)
            raise CannotAsk("%s: there is no %r in %s" % (text, each, name))
        if isinstance(agent, type) and isfunction(getattr_static(agent, each)):
            agent = without_arguments(agent)  # a method wants an object
        agent = getattr(agent, each)
    return agent, module


def import_advice(error: Any, place: Any) -> str:
    """Return what helps to import a file: where the module is that was not found, or that the file is in a package."""
    if not isinstance(error, ImportError) or not place.endswith(".py"):
        return ""
    missing, folder = str(error.name).split(".")[0], os.path.dirname(os.path.abspath(place))
    if "relative import" in str(error):
        parts = os.path.basename(folder), os.path.splitext(os.path.basename(place))[0]
        return "; name it as a part of its package, as in %s.%s:NAME, in %s" % (*parts, os.path.dirname(folder))
    while folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
        if any(os.path.exists(os.path.join(folder, missing + end)) for end in ("", ".py")):
            return "; it is in %s: begin there" % folder
    return ""


def module_named(name: Any) -> Any:
    """Import a module. The current folder is searched last, so that its modules hide no others."""
    here = os.getcwd()
    if here not in sys.path:
        sys.path.append(here)
    return import_module(name)


def module_of_file(path: Any) -> Any:
    """Import a file, which can import the modules beside it, and those of the current folder."""
    if not os.path.isfile(path):
        raise CannotAsk("there is no file %r" % path)
    name = os.path.splitext(os.path.basename(path))[0]
    spec: Any = spec_from_file_location(name, path)
    sys.path += [os.path.dirname(os.path.abspath(path)), os.getcwd()]
    module = module_from_spec(spec)
    sys.modules.setdefault(name, module)
    spec.loader.exec_module(module)
    return module


class Asked:
    """The object, once it is imported."""

    def __init__(self, text: Any, agent: Any, module: Any, game: Any) -> None:
        self.text = text
        try:
            self.known = known_of(agent, game, module)
        except CannotAsk:
            raise
        except BaseException as error:
            raise CannotAsk("%s cannot be asked: %s" % (text, error_text(error))) from error
        code = code_of(agent, module)
        self.sees_dates = bool(DATES & {each.func.attr for each in code if is_method_call(each)})
        if calls_hash(code):
            self.known = self.known._replace(note="; ".join(filter(None, (self.known.note, HASHES))))
        self.generators = Generators(agent, module)
        self.drew = False
        self.seen: list[Any] = []
        """The objects that were looked through for generators, and the forms that make one for each position."""

    def opening(self) -> dict[str, Any]:
        """Return what the parent must know before it asks: the forms of the object, and how it can be asked."""
        names = [form.name for form in self.known.forms]
        return {**self.known._asdict(), "forms": names, "unseen": self.generators.unseen}

    def answer(self, question: Any) -> dict[str, Any]:
        """Return the different answers to a question, or to many; or in a trial the one answer within a time limit."""
        if "restart" in question:  # it could not be copied
            return {"restarted": False}
        if "many" in question:
            return {"many": [self.answer({**each, **question["all"]}) for each in question["many"]]}
        form = self.known.forms[question["form"]]
        if "seconds" in question:
            return self.tried(form, question)
        if question.get("afresh"):
            self.generators.seed()
        found: list[Any] = []
        times: list[int] = []
        where = question["text"]
        self.made(form, question)
        before = None if self.drew or "seed" in question else self.generators.state()
        until = monotonic() + BATCH_SECONDS
        while sum(times) < question["times"]:
            answer = self.asked(form, question)
            try:
                one = packed(answer)
            except CannotAsk as refusal:
                raise CannotAsk("answers %r in %s: %s" % (written(answer), where, refusal)) from refusal
            except BaseException as error:
                raise CannotAsk("gives an answer in %s that cannot be read: %s" % (where, error_text(error))) from error
            if one in found:
                times[found.index(one)] += 1
            else:
                found.append(one)
                times.append(1)
            if monotonic() > until or (isinstance(one, dict) and "pairs" in one):
                break
        after = self.generators.state() if before is not None else {}
        self.drew = self.drew or any(after[name] != state for name, state in (before or {}).items())
        return {"answers": found, "times": times, "drew": self.drew, "clock": self.sees_dates or bool(CLOCK_READ)}

    def made(self, form: AskForm, question: Any) -> None:
        """Make the object for a question beforehand, so that its generators are known.

        One with generators of its own that is made for each position draws numbers that cannot be repeated.
        """
        if form.make is None:
            return
        try:
            agent = form.make(question)
            kept = form.make(question) is agent
        except CannotAsk:
            raise
        except BaseException as error:
            raise CannotAsk("failed in %s: %s" % (question["text"], error_text(error))) from error
        if not any(each is (agent if kept else form) for each in self.seen):
            self.seen.append(agent if kept else form)
            self.drew = (self.generators.watch(agent) and not kept) or self.drew

    def asked(self, form: AskForm, question: Any) -> Any:
        """Return the answer to one question; before it, show the earlier decisions and set the seed, if asked to."""
        try:
            if form.begin is not None:
                form.begin(question)
            if "seed" in question:
                self.generators.seed(question["seed"])
            return form.call(question)
        except CannotAsk:
            raise
        except BaseException as error:
            raise CannotAsk("failed in %s: %s" % (question["text"], error_text(error))) from error

    def tried(self, form: AskForm, question: Any) -> dict[str, Any]:
        """Return the answer in a trial."""
        if any(word in form.name for word in ("array", "vector", "planes", "mask")):
            try:
                import_module("numpy")  # an import that is interrupted cannot be repeated
            except ImportError as error:
                return {"failed": error_text(error)}
        try:
            self.made(form, question)  # it may load a table, which takes longer than an answer
        except CannotAsk as refusal:
            return {"failed": str(refusal)}

        def attempt() -> dict[str, Any]:
            try:
                self.generators.seed(0)
                if form.begin is not None:
                    form.begin(question)
                COMPARED.clear()
                answer = packed(form.call(question))
            except Expired:
                raise
            except BaseException as error:  # noqa: BLE001  a trial tells only whether it failed
                return {"failed": error_text(error)}
            return {"answers": [answer], "times": [1], "drew": False, "compared": [*{*COMPARED}]}

        try:
            seconds = question["seconds"]
            found, took = limited(seconds, question.get("wait", seconds / PROCESSOR_SHARE), attempt)
        except Expired:
            return {"failed": "no answer within %g s" % question["seconds"], "late": True}
        return dict(found, took=took)


def main() -> None:
    """Answer questions until the input ends."""
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    own = {os.getpid()}
    lines, answers = own_streams()

    def write(message: Any) -> None:
        if os.getpid() not in own:  # the agent forked: only the parent answers
            os._exit(0)
        try:
            answers.write(dumps(message) + "\n")
            answers.flush()
        except OSError:  # the agent has closed it
            os._exit(1)

    start = loads(next(iter(lines)))
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = start["path"] or [each for each in sys.path if os.path.abspath(each) != here]
    watch_clocks()
    try:
        agent, module = object_named(start["agent"])
        asked = Asked(start["agent"], agent, module, start["game"])
    except CannotAsk as refusal:
        write({"error": str(refusal)})
        return
    CLOCK_READ.clear()
    write(asked.opening())
    go_on = copied()
    if go_on is None:
        own.add(os.getpid())
        write({"restarted": True})
    for line in lines:
        question = loads(line)
        if "restart" in question and go_on is not None:
            go_on()
        try:
            message = asked.answer(question)
        except CannotAsk as refusal:
            message = {"error": "%s %s" % (asked.text, refusal)}
        except BaseException:  # noqa: BLE001  an error whose own words or type cannot be read
            message = {"error": "%s failed in %s" % (asked.text, question.get("text", "a position"))}
        if len(dumps(message)) >= MAX_BYTES:
            where = question["text"]
            message = {
                "error": "%s answers more than %s characters in %s" % (asked.text, format(MAX_BYTES, ","), where)
            }
        write(message)


def copied() -> Any:
    """Copy this process, and return a function that ends it and lets the copy go on: an agent that was asked nothing.

    In the copy, return `None` once that is called. If there can be no copy, the function does nothing.
    """
    ready, wake = os.pipe()
    original = os.getpid()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python warns of threads, which the copy does not have
            copy = os.fork()
    except OSError:
        return lambda: None

    def go_on() -> None:
        os.write(wake, b".")
        os.waitpid(copy, 0)
        os._exit(1)

    if copy:
        return go_on
    os.close(wake)
    while not select([ready], [], [], WATCH_SECONDS)[0]:
        if os.getppid() != original:
            os._exit(1)
    if not os.read(ready, 1):
        os._exit(1)
    threading.Thread(target=end_with, args=(original,), daemon=True).start()
    return None


def end_with(parent: Any) -> None:
    """End this process soon after its parent, even while the agent is busy."""
    while os.getppid() == parent:
        sleep(WATCH_SECONDS)
    os._exit(1)


def own_streams() -> Any:
    """Return the input and the output of this process. The agent gets an empty input, and prints to standard error."""
    lines = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    if sys.stderr is None:  # it was closed
        sys.stderr = open(os.devnull, "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), 1)
    with open(os.devnull, encoding="utf-8") as nothing:
        os.dup2(nothing.fileno(), 0)
    return lines, answers


if __name__ == "__main__":
    main()
