"""Find the forms in which an object could be asked."""

from __future__ import annotations

from inspect import isbuiltin, isfunction, ismethod
from itertools import product
from typing import Any

from .boards import LETTERS, SHAPES, constants_of, pieces_for
from .callables import (
    MADE,
    RESETS,
    askable,
    fits,
    methods_of,
    named_roles,
    parameters_of,
    roles_of,
    unbound,
    without_arguments,
)
from .calling import Arguments, Target
from .forms import O_FIRST, AskForm, CannotAsk, Known
from .libraries import kaggle, openspiel_agent, openspiel_bot, openspiel_policy, predicting, shown_states
from .own_games import own_games
from .source import code_of, imports_numpy, letter_cases, types_hashed


def known_of(agent: Any, game: Any, module: Any) -> Known:
    """Return how to ask an object. Raises `CannotAsk`."""
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
    """Return the forms of an object, or of a class, with a reset before each game if there is a method for that."""
    name = next(iter(methods_of(agent, RESETS)), "")
    if not name or not fits(unbound(agent, name) if isinstance(agent, type) else getattr(agent, name), 0):
        return known
    forms = [
        form._replace(name="%s, %s()" % (form.name, name), begin=replaying(form, name, agent)) for form in known.forms
    ]
    return known._replace(forms=forms, by_history=True, replays=True)


def known_class(kind: Any, game: Any, module: Any) -> Known:
    """Return how to ask objects of a class: one made without arguments, one for each side, or one for each game.

    A class of games can be asked as well: a game is played up to the position, and then asked.
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


def replaying(form: AskForm, reset: str, agent: Any) -> Any:
    """Return a function that resets an object with a state, and shows it its own decisions before a position."""

    def begin(question: Any) -> None:
        getattr(agent if form.make is None else form.make(question), reset)()
        for earlier in question["before"]:
            form.call(earlier)

    return begin


def swapping(form: AskForm) -> AskForm:
    """Return a form that asks with each side in the place of the other."""
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
        if game["name"].startswith("nim:"):
            plain.insert(0, ("heaps", ""))
        if names == ["board"]:
            plain.insert(0, ("position", ""))
        options = [(*each, None) for each in plain] + options
    elif not any(each.role == "board" for each in target.made):
        options = [each for each in options if each[2].kind is target.kind]
    if not options:
        raise CannotAsk("%s looks at a game, and there is no class of one that could be played" % words)
    forms = [Arguments(target, shape, pieces, game, constants, played).form(words) for shape, pieces, played in options]
    by_name = [*(parameters_of(ask) or ())] == ["board", "side", "moves"]
    usual = ("tuple", "012", None) if by_name and target.kind is None else ("heaps", "", None)
    promised = options.index(usual) if usual in options else None
    forms += [
        swapping(form)
        for form, (_, pieces, _) in zip(forms, options)
        if game["places"] and pieces not in ("own", "own12", "planes", "turns", "")
    ]
    return Known(forms, any(each.remembers or each.falls for each in own), promised=promised)
