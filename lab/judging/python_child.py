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
from collections import namedtuple
from collections.abc import Mapping
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from inspect import Parameter, getattr_static, isbuiltin, isfunction, ismethod, signature
from itertools import product
from json import dumps, loads
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
METHODS = (
    "act getaction chooseaction selectaction getmove choosemove selectmove makemove bestmove findbestmove "
    "move play choose predict"
).split()
"""The methods by which objects are asked, the first that there is: get_action, or getAction."""
RESETS = "reset newgame resetgame startgame restart".split()
"""The methods that objects with a state of their own have, to be called before a game."""
ROLES = (
    ("mask", "mask"),
    ("config", "configuration|config|conf|cfg"),
    ("depth", "depth|tiefe|profondeur|profundidad|profundidade|profundita"),
    ("other", "opponent|enemy|other|human|gegner|adversaire|oponente|rival|avversario"),
    ("side", "player|side|ai|computer|mark|marker|turn|symbol|letter|piece|token|disc|me|color|colour|role|who"),
    ("side", "spieler|joueur|jugador|jogador|giocatore|speler"),
    ("moves", "moves|actions|legal|valid|available|empty|free|possible|options|columns|locations|coups|jugadas|mosse"),
    ("board", "board|state|obs|observation|grid|position|cells|squares|field|game|s|b"),
    ("board", "brett|spielbrett|spielfeld|feld|plateau|grille|damier|tablero|tabuleiro|griglia|bord"),
)
"""What a parameter is for, by a word in its name, in some languages."""
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
        others = [name for name, each in vars(module).items() if type(each) is agent]
        also = "; %s has also %s" % (module.__name__, ", ".join(others)) if others else ""
        return known_of(made(agent), game, module)._replace(
            note="An object of %s is judged, made without arguments%s" % (agent.__name__, also)
        )
    if hasattr(agent, "action_probabilities"):
        return Known([AskForm("OpenSpiel policy", openspiel_policy(agent, game))], by_history=True)
    if hasattr(agent, "step") and not hasattr(agent, "predict"):
        if hasattr(agent, "provides_policy") or hasattr(agent, "restart"):
            return Known([openspiel_bot(agent, game)], by_history=True)
        return Known([AskForm("OpenSpiel agent", openspiel_agent(agent, game))], by_history=True)
    if all(callable(getattr(agent, name, None)) for name in ("set_state", "set_symbol", "act")) and fits(agent.act, 0):
        return shown_states(agent, game)
    name, ask = "", agent
    if not isfunction(agent) and not ismethod(agent) and not isbuiltin(agent):
        name = method_of(agent, METHODS)
        if not name and not callable(agent):
            raise CannotAsk(
                "%s is not an agent: give a function of a position, an OpenSpiel policy, "
                "or an object with act(observation)" % type(agent).__name__
            )
        ask = getattr(agent, name) if name else agent
    if name == "predict" and "deterministic" in (parameters_of(ask) or ()):
        ask = predicting(ask)
    forms, promised = called_forms(ask, game, module, name or "function")
    reset = method_of(agent, RESETS)
    if not reset or not fits(getattr(agent, reset), 0):
        return Known(forms, promised=promised)
    begin = getattr(agent, reset)
    forms = [AskForm(form.name + ", " + reset + "()", form.call, replaying(form.call, begin)) for form in forms]
    return Known(forms, by_history=True, replays=True, promised=promised)


def made(agent: Any) -> Any:
    """Return an object of a class. Raises `CannotAsk`."""
    if not fits(agent, 0):
        raise CannotAsk(
            "%s is a class that needs arguments: give an object of it, as in agent = %s(...)"
            % (agent.__name__, agent.__name__)
        )
    return agent()


def method_of(agent: Any, known: Any) -> str:
    """Return the first method with one of these names, however it is written; empty if there is none."""
    methods = {name.replace("_", "").lower(): name for name in reversed(dir(agent)) if not name.startswith("_")}
    return next((methods[name] for name in known if name in methods and callable(getattr(agent, methods[name]))), "")


def shown_states(agent: Any, game: Any) -> Known:
    """Ask an agent as the best-known program for Sutton and Barto's book has it: set_state(state), then act().

    Its module has the class of states; its symbol, 1 or −1, tells the side that it plays.
    """
    state_class = getattr(sys.modules.get(type(agent).__module__), "State", None)
    if state_class is None or not hasattr(state_class, "next_state"):
        raise CannotAsk("set_state() and act() are known only with a class State with next_state(row, column, symbol)")
    if getattr(agent, "symbol", 0) not in (1, -1):
        raise CannotAsk(
            "it plays no side yet: give an object of which set_symbol(1) or set_symbol(-1), and then load_policy(), "
            "have been called"
        )
    own = 1 if agent.symbol == 1 else 2

    def begin(question: Any) -> None:
        if question["side"] != own:
            raise CannotAsk("plays only as %s, as its symbol says" % game["marks"][own - 1])
        if hasattr(agent, "reset"):
            agent.reset()
        state, symbol = state_class(), 1
        agent.set_state(state)
        for move in question["history"]:
            state, symbol = state.next_state(*divmod(move, game["columns"]), symbol), -symbol
            agent.set_state(state)

    def call(_: Any) -> Any:
        row, column, *_ = agent.act()
        return row, column

    return Known([AskForm("set_state(state), act()", call, begin)], by_history=True, sides=(own,))


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


def replaying(call: Any, reset: Any) -> Any:
    """Begin a game of an object with a state of its own, and show it its own decisions before this one."""

    def begin(question: Any) -> None:
        reset()
        for earlier in question["before"]:
            call(earlier)

    return begin


def swapping(call: Any) -> Any:
    """Ask with each side in the place of the other."""
    swapped = {1: 2, 2: 1}

    def ask(question: Any) -> Any:
        board = [swapped.get(cell, cell) for cell in question["board"]]
        return call({**question, "board": board, "side": 3 - question["side"]})

    return ask


def roles_of(ask: Any) -> Any:
    """Return what each parameter is for, as (role, name if it is given by keyword)."""
    known_parameters = parameters_of(ask)
    if known_parameters is None:
        return [("board", None)]
    parameters, wanted, asked = list(known_parameters.values()), [], []
    for each in parameters:
        if each.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD):
            continue
        words = re.findall("[a-z]+", re.sub("(?<=[a-z])(?=[A-Z])", " ", each.name).lower().replace("_", " "))
        role = next((role for role, known in ROLES if any(re.fullmatch(known, word) for word in words)), None)
        if words == ["positions"] and len(parameters) > 1:  # those where it may move
            role = "moves"
        optional = each.default is not Parameter.empty
        if optional and role not in ("side", "moves", "mask", "config", "other"):
            continue
        asked.append(each.name)
        wanted.append((role, each.name if optional or each.kind is Parameter.KEYWORD_ONLY else None))
    if not wanted and any(each.kind is Parameter.VAR_POSITIONAL for each in parameters):
        wanted = [("board", None)]
    required = [role for role, name in wanted if name is None]
    usual = {1: ["board"], 2: ["board", "side"], 3: ["board", "side", "moves"]}.get(len(required), [])
    if "board" not in required or None in required or len(set(required)) < len(required):
        strange = len(required) > 1 and any(
            role is None and len(name) > SHORT for name, (role, _) in zip(asked, wanted)
        )
        known = len(usual) == len(required) and all(role in (None, each) for role, each in zip(required, usual))
        if strange or not known:
            raise CannotAsk(
                "%s takes (%s), of which not all are known: give a function of a board, or of (board, side, moves)"
                % (getattr(ask, "__name__", "it"), ", ".join(each.name for each in parameters))
            )
        positional = iter(usual)
        wanted = [(next(positional) if key is None else role, key) for role, key in wanted]
    return wanted


def called_forms(ask: Any, game: Any, module: Any, name: Any) -> Any:
    """Return the forms in which a callable could be asked, and the index of the one that its parameters name."""
    roles = roles_of(ask)
    names = [role for role, _ in roles]
    words = "%s(%s)" % (name, ", ".join(names))
    if "config" in names:
        if names != ["board", "config"]:
            raise CannotAsk("%s is not known: give a function of (observation, configuration)" % words)
        return [AskForm("Kaggle, " + words, kaggle(ask, game))], None
    if "depth" in names and game["falls"]:
        raise CannotAsk("%s is not known: give a function that searches to a depth of its own" % words)
    code = code_of(ask, module)
    cases = letter_cases(code, game)
    letters = [each for each in LETTERS if each.endswith("-lower") in cases]
    shapes = [*SHAPES, *["%s-%s" % each for each in product(("array", "vector"), types_hashed(code))]]
    options = [(shape, pieces) for shape in shapes for pieces in pieces_for(shape, letters, game)]
    arrays = ["array", "vector"] if imports_numpy(code) else []
    options += [(shape, pieces) for shape in arrays for pieces in letters if not pieces.startswith("index")]
    constants = constants_of(module, game)
    if constants:
        options = [(shape, "constants") for shape in ("lists", "list", "tuple", "ten", *arrays)] + options
    first = ("array", "planes") if name == "act" else None
    options.sort(key=lambda option: option != first)
    forms = [
        AskForm("%s, %s, %s" % (words, shape, pieces), caller(ask, roles, shape, pieces, game, constants))
        for shape, pieces in options
    ]
    by_name = [*(parameters_of(ask) or ())] == ["board", "side", "moves"]
    promised = options.index(("tuple", "012")) if by_name else None
    forms += [
        AskForm("%s, %s" % (form.name, O_FIRST), swapping(form.call))
        for form, (_, pieces) in zip(forms, options)
        if game["places"] and pieces not in ("own", "own12", "planes")
    ]
    if names == ["board"]:
        forms.insert(0, AskForm(words + ", position", lambda question: ask(native(question))))
    return forms, promised


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


def is_array(shape: Any) -> bool:
    return shape.split("-")[0] in ("array", "vector")


def constants_of(module: Any, game: Any) -> Any:
    """Return the constants X, O and EMPTY of a module, as the pieces of a board."""
    names = [*game["marks"], "EMPTY"]
    if game["marks"] == ["X", "O"] and all(hasattr(module, name) for name in names):
        return [module.EMPTY, module.X, module.O]
    return None


def native(question: Any) -> Any:
    return Position(tuple(question["board"]), question["side"], tuple(question["moves"]))


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


def caller(ask: Any, roles: Any, shape: Any, pieces: Any, game: Any, constants: Any) -> Any:
    """Return a function that asks with these arguments."""
    rows, columns = game["rows"], game["columns"]

    kind, up = shape.split("-")[0], shape.endswith("-up")

    def shaped(cells: Any, question: Any) -> Any:
        if kind == "dict":
            return Fields(observation=planes(question, game), action_mask=mask(question, game))
        if pieces == "planes":
            return planes(question, game)
        if kind == "tuple":
            return tuple(cells)
        if kind == "ten":
            return [0 if isinstance(cells[0], int) else " ", *cells]
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
        cells, own, other = pieces_of(question, pieces, game, constants)
        board = shaped(cells, question)
        before = shaped(cells, question)
        moves = list(question["moves"])
        if game["falls"] and kind != "tuple":
            moves = [move % columns for move in moves]
        elif kind in ("lists", "tuples", "array"):
            moves = [divmod(move, columns) for move in moves]
        elif kind == "ten":
            moves = [move + 1 for move in moves]
        values = {"board": board, "side": own, "other": other, "moves": moves, "mask": None, "depth": len(moves)}
        if any(role == "mask" for role, _ in roles):
            values["mask"] = mask(question, game)
        answer = ask(
            *[values[role] for role, key in roles if key is None],
            **{key: values[role] for role, key in roles if key is not None},
        )
        found = placed(answer, board, before, own, shape)
        if up and isinstance(found, OnSquare):
            row, column = divmod(found.square, columns)
            return OnSquare((rows - 1 - row) * columns + column)
        return found

    return call


def placed(answer: Any, board: Any, before: Any, own: Any, shape: Any) -> Any:
    """Return the square, if the answer is the board after the move, or the board was changed; else the answer."""
    for after in (answer, board if answer is None else None):
        if after is None or type(after) is not type(before) or getattr(after, "ndim", 1) == 0:
            continue
        one, two = flat(after), flat(before)
        # on an empty board, numbers may as well be probabilities, which say the same
        doubtful = after is not board and not isinstance(own, str) and all(each in (0, None) for each in two)
        if len(one) != len(two) or doubtful:
            continue
        changed = [index for index, (new, old) in enumerate(zip(one, two)) if new != old]
        if len(changed) == 1 and one[changed[0]] == own:
            return OnSquare(changed[0] - (shape == "ten"))
    if shape == "ten" and isinstance(answer, int) and not isinstance(answer, bool):
        return OnSquare(answer - 1)
    return answer


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
            agent = made(agent)  # a method wants an object
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
        if calls_hash(code_of(agent, module)):
            self.known = self.known._replace(note="; ".join(filter(None, (self.known.note, HASHES))))
        self.generators = Generators(agent, module)
        self.drew = False

    def opening(self) -> dict[str, Any]:
        """Return what the parent must know before it asks: the forms of the object, and how it can be asked."""
        names = [form.name for form in self.known.forms]
        return {**self.known._asdict(), "forms": names, "unseen": self.generators.unseen}

    def answer(self, question: Any) -> dict[str, Any]:
        """Return the different answers to a question, or to many; or in a trial the one answer within a time limit."""
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
        before = None if self.drew or "seed" in question else self.generators.state()
        until = time.monotonic() + BATCH_SECONDS
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
            if time.monotonic() > until or (isinstance(one, dict) and "pairs" in one):
                break
        after = self.generators.state() if before is not None else {}
        self.drew = self.drew or any(after[name] != state for name, state in (before or {}).items())
        return {"answers": found, "times": times, "drew": self.drew}

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

        def expire(*_: Any) -> None:
            raise Expired

        if any(word in form.name for word in ("array", "vector", "planes", "mask")):
            try:
                import_module("numpy")  # an import that is interrupted cannot be repeated
            except ImportError as error:
                return {"failed": error_text(error)}
        self.generators.seed(0)
        has_timer = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
        before: Any = signal.getsignal(signal.SIGALRM) if has_timer else None
        left = 0.0, 0.0
        try:  # the timer may end at any moment from its start to its stop: the outer statement catches all of them
            try:
                if has_timer:
                    signal.signal(signal.SIGALRM, expire)
                    left = signal.setitimer(signal.ITIMER_REAL, question["seconds"])
                if form.begin is not None:
                    form.begin(question)
                return {"answers": [packed(form.call(question))], "times": [1], "drew": False}
            except Expired:
                raise
            except BaseException as error:  # noqa: BLE001  a trial tells only whether it failed
                return {"failed": error_text(error)}
            finally:
                if has_timer:
                    signal.setitimer(signal.ITIMER_REAL, 0)
        except Expired:
            return {"failed": "no answer within %g s" % question["seconds"], "late": True}
        finally:
            if has_timer:  # a program that judges its own function keeps its alarm
                signal.signal(signal.SIGALRM, before or signal.SIG_DFL)
                signal.setitimer(signal.ITIMER_REAL, *left)


def main() -> None:
    """Answer questions until the input ends."""
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    own = os.getpid()
    lines, answers = own_streams()

    def write(message: Any) -> None:
        if os.getpid() != own:  # the agent forked: only the parent answers
            os._exit(0)
        try:
            answers.write(dumps(message) + "\n")
            answers.flush()
        except OSError:  # the agent has closed it
            os._exit(1)

    start = loads(next(iter(lines)))
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = start["path"] or [each for each in sys.path if os.path.abspath(each) != here]
    try:
        agent, module = object_named(start["agent"])
        asked = Asked(start["agent"], agent, module, start["game"])
    except CannotAsk as refusal:
        write({"error": str(refusal)})
        return
    write(asked.opening())
    for line in lines:
        question = loads(line)
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


def end_with(parent: Any) -> None:
    """End this process soon after its parent, even while the agent is busy."""
    while os.getppid() == parent:
        time.sleep(WATCH_SECONDS)
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
