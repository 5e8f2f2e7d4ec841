"""Agents of other libraries, each asked as its library asks it."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from .boards import Fields
from .callables import parameters_of
from .forms import AskForm, CannotAsk, Known
from .own_games import own_games


def predicting(predict: Any) -> Any:
    """Return a function that asks `predict` of stable-baselines3, which returns an action and a state of its own."""
    masked = "action_masks" in parameters_of(predict)

    def ask(observation: Any, action_masks: Any = None) -> Any:
        more = {"action_masks": action_masks} if masked else {}
        answer = predict(observation, deterministic=True, **more)
        return answer[0] if isinstance(answer, tuple) and len(answer) == 2 else answer

    return ask if masked else lambda observation: ask(observation)


def kaggle(ask: Any, game: Any) -> Any:
    """Return a function that asks an agent as Kaggle's environments do."""
    configuration = Fields(
        rows=game["rows"], columns=game["columns"], inarow=game["in_a_row"], timeout=2, actTimeout=2, episodeSteps=1000
    )

    def call(question: Any) -> Any:
        board = list(question["board"])
        step = sum(cell != 0 for cell in board)
        observation = Fields(board=board, mark=question["side"], step=step, remainingOverageTime=60)
        return ask(observation, configuration)

    return call


def shown_states(agent: Any, game: Any) -> Known:
    """Return how to ask an agent as the best-known program for Sutton and Barto's book does: set_state, then act.

    The module of the agent has the class of states; the agent's symbol, 1 or −1, is the side that it plays.
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
    """Return the form of a bot: ask for its policy if it has one, else for a move, after a restart and the moves."""
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
    """Return a function that asks an agent of OpenSpiel's environment for reinforcement learning."""
    environment = import_module("open_spiel.python.rl_environment").Environment(game["open_spiel"] or game["name"])

    def call(question: Any) -> Any:
        environment.set_state(openspiel_state(environment.game, question))
        output = agent.step(environment.get_time_step(), is_evaluation=True)
        chances = getattr(output, "probs", None)
        if chances is None or not len(chances):
            return output.action
        return {move: float(chances[move]) for move in question["moves"]}

    return call
