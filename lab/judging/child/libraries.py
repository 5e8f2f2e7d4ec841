"""Agents of other libraries, each asked as its library asks it."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from .boards import Fields
from .callables import parameters_of
from .forms import AgentProfile, AskForm, CannotAsk
from .own_games import find_own_games


def ask_predict(predict: Any) -> Any:
    """Return a function that asks `predict` of stable-baselines3, which returns an action and a state of its own."""

    def action_in(answer: Any) -> Any:
        return answer[0] if isinstance(answer, tuple) and len(answer) == 2 else answer

    def ask(observation: Any) -> Any:
        return action_in(predict(observation, deterministic=True))

    def ask_masked(observation: Any, action_masks: Any = None) -> Any:
        return action_in(predict(observation, action_masks=action_masks, deterministic=True))

    return ask_masked if "action_masks" in parameters_of(predict) else ask


def ask_kaggle(agent: Any, game: Any) -> Any:
    """Return a function that asks an agent as Kaggle's environments do."""
    configuration = Fields(
        rows=game["rows"], columns=game["columns"], inarow=game["in_a_row"], timeout=2, actTimeout=2, episodeSteps=1000
    )

    def call(question: Any) -> Any:
        board = list(question["board"])
        step = sum(cell != 0 for cell in board)
        observation = Fields(board=board, mark=question["side"], step=step, remainingOverageTime=60)
        return agent(observation, configuration)

    return call


def sutton_profile(agent: Any, game: Any) -> AgentProfile:
    """Return how to ask an agent as the best-known program for Sutton and Barto's book does: set_state, then act.

    The module of the agent has the class of states; the agent's symbol, 1 or −1, is the side that it plays.
    """
    module = sys.modules.get(type(agent).__module__)
    states = [each for each in find_own_games(module, game) if each.pieces == "plus-minus"]
    if not states:
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
        for state in states[0].states(question["history"], (1, -1)):
            agent.set_state(state)

    def call(_: Any) -> Any:
        row, column, *_ = agent.act()
        return row, column

    return AgentProfile([AskForm("set_state(state), act()", call, begin)], by_history=True, sides=(side,))


def openspiel_state(spiel_game: Any, question: Any) -> Any:
    """Return the state after the moves of a question. Raises `CannotAsk` if OpenSpiel's game has other moves."""
    state = spiel_game.new_initial_state()
    for move in question["history"]:
        state.apply_action(move)
    if list(state.legal_actions()) != question["moves"]:
        raise CannotAsk("cannot be asked in %s: OpenSpiel's %s has other moves there" % (question["text"], spiel_game))
    return state


def openspiel_game(agent: Any, game: Any) -> Any:
    """Return the game of OpenSpiel that an agent plays: its own, else ours by its name there.

    Raises `CannotAsk` if that is not known.
    """
    own_game = getattr(agent, "game", None) or getattr(agent, "_game", None)
    if own_game is not None and hasattr(own_game, "new_initial_state"):
        return own_game
    if not game["open_spiel"]:
        raise CannotAsk("it has no attribute 'game', and the name of this game in OpenSpiel is not known")
    return import_module("pyspiel").load_game(game["open_spiel"])


def openspiel_policy(agent: Any, game: Any) -> AskForm:
    spiel_game = openspiel_game(agent, game)

    def call(question: Any) -> Any:
        return dict(agent.action_probabilities(openspiel_state(spiel_game, question)))

    return AskForm("OpenSpiel policy", call)


def openspiel_bot(agent: Any, game: Any) -> AskForm:
    """Return the form of a bot: ask for its policy if it has one, else for a move, after a restart and the moves."""
    spiel_game = openspiel_game(agent, game)
    try:
        has_policy = bool(agent.provides_policy())
        if has_policy:
            dict(agent.get_policy(spiel_game.new_initial_state()))
    except Exception:  # noqa: BLE001  it has none, or says so only here
        has_policy = False

    def begin(question: Any) -> None:
        if not hasattr(agent, "restart"):
            return
        agent.restart()
        if not hasattr(agent, "inform_action"):
            return
        state = spiel_game.new_initial_state()
        for move in question["history"]:
            agent.inform_action(state, state.current_player(), move)
            state.apply_action(move)

    def call(question: Any) -> Any:
        state = openspiel_state(spiel_game, question)
        return dict(agent.get_policy(state)) if has_policy else agent.step(state)

    return AskForm("OpenSpiel bot", call, begin)


def openspiel_agent(agent: Any, game: Any) -> AskForm:
    """Return the form of an agent of OpenSpiel's environment for reinforcement learning."""
    environment = import_module("open_spiel.python.rl_environment").Environment(game["open_spiel"] or game["name"])

    def call(question: Any) -> Any:
        environment.set_state(openspiel_state(environment.game, question))
        output = agent.step(environment.get_time_step(), is_evaluation=True)
        chances = getattr(output, "probs", None)
        if chances is None or not len(chances):
            return output.action
        return {move: float(chances[move]) for move in question["moves"]}

    return AskForm("OpenSpiel agent", call)
