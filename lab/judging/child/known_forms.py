"""Find the forms in which an object could be asked."""

from __future__ import annotations

from inspect import isbuiltin, isfunction, ismethod
from itertools import product
from typing import Any

from .boards import LETTERS, LOWER, SHAPES, find_constants, pieces_for
from .callables import (
    CLASS_ROLES,
    DOCUMENTED,
    RESETS,
    SHORT_NAME,
    arguments_by_name,
    arguments_of,
    can_take,
    find_method,
    make_without_arguments,
    methods_named,
    parameters_of,
    without_self,
)
from .calling import CallForm, Target
from .forms import O_FIRST, AgentProfile, AskForm, CannotAsk
from .libraries import ask_kaggle, ask_predict, openspiel_agent, openspiel_bot, openspiel_policy, sutton_profile
from .own_games import find_own_games
from .source import code_of, hashed_types, mark_cases, may_import_numpy


def find_profile(agent: Any, game: Any, module: Any, *, names_others: bool) -> AgentProfile:
    """Return how to ask an object; with `names_others`, note other objects of its class. Raises `CannotAsk`."""
    if isinstance(agent, type):
        return class_profile(agent, game, module, names_others=names_others)
    if hasattr(agent, "action_probabilities"):
        return AgentProfile([openspiel_policy(agent, game)], by_history=True)
    if hasattr(agent, "step") and not hasattr(agent, "predict"):
        is_bot = hasattr(agent, "provides_policy") or hasattr(agent, "restart")
        form = openspiel_bot(agent, game) if is_bot else openspiel_agent(agent, game)
        return AgentProfile([form], by_history=True)
    if is_shown_states(agent):
        return sutton_profile(agent, game)
    if isfunction(agent) or ismethod(agent) or isbuiltin(agent):
        return call_profile("function", Target(agent, arguments_of(agent)), game, module)
    name = find_method(agent, lambda method: arguments_of(getattr(agent, method)))
    if not name and not callable(agent):
        raise CannotAsk(
            "%s is not an agent: give a function of a position, an OpenSpiel policy, "
            "or an object with act(observation)" % type(agent).__name__
        )
    ask = getattr(agent, name) if name else agent
    if name == "predict" and "deterministic" in (parameters_of(ask) or ()):
        ask = ask_predict(ask)
    profile = call_profile(name or "function", Target(ask, arguments_of(ask)), game, module)
    return with_resets(profile, agent)


def is_shown_states(agent: Any) -> bool:
    """Return whether an agent has the methods of the player in the best-known program for Sutton and Barto's book."""
    names = ("set_state", "set_symbol", "act")
    return all(callable(getattr(agent, name, None)) for name in names) and can_take(agent.act, 0)


def class_profile(kind: Any, game: Any, module: Any, *, names_others: bool) -> AgentProfile:
    """Return how to ask objects of a class: one made without arguments, one for each side, or one for each game.

    A class of games can be asked as well: a game is played up to the position, and then asked.
    """
    start_arguments = arguments_by_name(kind, CLASS_ROLES) or []
    is_game = any(each.kind is kind for each in find_own_games(module, game))
    is_unknown = any(each.role is None for each in start_arguments)
    if is_unknown or not (start_arguments or is_game):
        note = "An object of %s is judged, made without arguments" % kind.__name__
        names = [name for name, value in vars(module).items() if type(value) is kind]
        if names and names_others:
            note += "; %s has also %s" % (module.__name__, ", ".join(names))
        profile = find_profile(make_without_arguments(kind), game, module, names_others=False)
        return profile._replace(note=note)
    sees_game = is_game or any(each.role == "board" for each in start_arguments)
    name = find_method(kind, lambda method: arguments_of(without_self(kind, method), sees_game=sees_game))
    if not name and any("__call__" in vars(each) for each in kind.__mro__):
        name = "__call__"
    if not name:
        raise CannotAsk("%s has no method that chooses a move" % kind.__name__)
    ask = without_self(kind, name)
    target = Target(ask, arguments_of(ask, sees_game=sees_game), kind, tuple(start_arguments), name, {})
    profile = call_profile(name, target, game, module)
    return profile if sees_game else with_resets(profile, kind)  # one that looks at a game is made anew


def with_resets(profile: AgentProfile, agent: Any) -> AgentProfile:
    """Return the forms of an object, or of a class, with a reset before each game if there is a method for that."""
    names = methods_named(agent, RESETS)
    if not names:
        return profile
    reset = without_self(agent, names[0]) if isinstance(agent, type) else getattr(agent, names[0])
    if not can_take(reset, 0):
        return profile
    return profile._replace(
        forms=[reset_form(form, names[0], agent) for form in profile.forms], by_history=True, replays=True
    )


def reset_form(form: AskForm, reset: str, agent: Any) -> AskForm:
    """Return a form that calls a method to reset the object, and shows it its own decisions before a position."""

    def begin(question: Any) -> None:
        asked = agent if form.make is None else form.make(question)
        getattr(asked, reset)()
        for decision in question["decisions"]:
            form.call(decision)

    return form._replace(name="%s, %s()" % (form.name, reset), begin=begin)


def swapped_form(form: AskForm) -> AskForm:
    """Return a form that asks with each side in the place of the other."""
    swapped = {1: 2, 2: 1}

    def swap(question: Any) -> Any:
        board = [swapped.get(cell, cell) for cell in question["board"]]
        return {**question, "board": board, "side": 3 - question["side"]}

    make = form.make
    return AskForm(
        "%s, %s" % (form.name, O_FIRST),
        lambda question: form.call(swap(question)),
        make=None if make is None else lambda question: make(swap(question)),
    )


def call_profile(name: str, target: Target, game: Any, module: Any) -> AgentProfile:
    """Return the forms in which a callable could be asked. Raises `CannotAsk`."""
    roles = [each.role for each in target.arguments]
    words = "%s(%s)" % (name, ", ".join(map(str, roles)))
    if "config" in roles:
        if roles != ["board", "config"]:
            raise CannotAsk("%s is not known: give a function of (observation, configuration)" % words)
        return AgentProfile([AskForm("Kaggle, " + words, ask_kaggle(target.ask, game))])
    if "depth" in roles and game["falls"]:
        raise CannotAsk("%s is not known: give a function that searches to a depth of its own" % words)
    code, constants = code_of(target.ask, module), find_constants(module, game)
    cases = mark_cases(code, game)
    letters = [each for each in LETTERS if each.endswith(LOWER) in cases]
    own_games = [
        each for each in find_own_games(module, game) if not each.pieces.endswith(LOWER) or each.pieces in letters
    ]
    boards: list[tuple[str, str]] = []
    games = own_games
    if "board" in roles and not target.has_board():
        boards = boards_to_try(name, roles, code, letters, constants, game)
    elif not target.has_board():
        games = [each for each in own_games if each.kind is target.kind]
    call_forms = [CallForm(target, shape, pieces, game, constants) for shape, pieces in boards]
    call_forms += [CallForm(target, "game", each.pieces, game, constants, each) for each in games]
    if not call_forms:
        raise CannotAsk("%s looks at a game, and there is no class of one that could be played" % words)
    forms = [each.ask_form(words) for each in call_forms]
    if game["places"]:
        without_swap = ("own", "own12", "planes", "turns", "")
        forms += [swapped_form(form) for form, each in zip(forms, call_forms) if each.pieces not in without_swap]
    return AgentProfile(
        forms, by_history=any(each.remembers or each.falls for each in own_games), promised=promised_form(call_forms)
    )


def boards_to_try(
    name: str, roles: list[str | None], code: Any, letters: list[str], constants: Any, game: Any
) -> list[tuple[str, str]]:
    """Return the shapes and pieces of the boards that a function or method of this name may take, likely ones first."""
    arrays = ["array", "vector"] if may_import_numpy(code) else []
    typed_arrays = ["%s-%s" % each for each in product(("array", "vector"), hashed_types(code))]
    boards = [(shape, pieces) for shape in [*SHAPES, *typed_arrays] for pieces in pieces_for(shape, letters, game)]
    boards += [(shape, pieces) for shape in arrays for pieces in letters if not pieces.startswith("index")]
    if constants:
        boards = [(shape, "constants") for shape in ("lists", "list", "tuple", "ten", *arrays)] + boards
    if name == "act":  # as agents for PettingZoo
        boards.remove(("array", "planes"))
        boards.insert(0, ("array", "planes"))
    if game["name"].startswith("nim:"):
        boards.insert(0, ("heaps", ""))
    if roles == ["board"]:
        boards.insert(0, ("position", ""))
    return boards


def promised_form(call_forms: list[CallForm]) -> int | None:
    """Return the index of the form that parameters called board, side and moves promise, or else of heaps.

    Three short names, as in `lambda b, s, m: ...`, promise it as well.
    """
    target = call_forms[0].target
    names = [*(parameters_of(target.ask) or ())]
    has_short_names = all(len(name) <= SHORT_NAME for name in names)
    is_documented = names == DOCUMENTED or (has_short_names and [each.role for each in target.arguments] == DOCUMENTED)
    promised = ("tuple", "012") if is_documented and target.kind is None else ("heaps", "")
    for index, each in enumerate(call_forms):
        if (each.shape, each.pieces) == promised:
            return index
    return None
