"""Train OpenSpiel's tabular Q-learners on tic-tac-toe as its example does, and print how they play, as JSON.

    python bench/peer_qlearner.py SEED EPISODES

Run with the interpreter of the peers' environment. The output has the probability of each move by position: its squares
from the top left, each X, O or a dot. Moves are the numbers of squares, from 0.
"""

import json
import sys

import numpy as np
import pyspiel
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import tabular_qlearner

GAME = "tic_tac_toe"


def new_agents(environment: rl_environment.Environment) -> list[tabular_qlearner.QLearner]:
    actions = environment.action_spec()["num_actions"]
    return [tabular_qlearner.QLearner(player_id=player, num_actions=actions) for player in range(2)]


def train(environment: rl_environment.Environment, agents: list[tabular_qlearner.QLearner], episodes: int) -> None:
    """Let the learners play against each other, as OpenSpiel's examples do."""
    for _ in range(episodes):
        step = environment.reset()
        while not step.last():
            action = agents[step.observations["current_player"]].step(step).action
            step = environment.step([action])
        for agent in agents:
            agent.step(step)


def train_agents(seed: int, episodes: int) -> list[tabular_qlearner.QLearner]:
    np.random.seed(seed)  # noqa: NPY002  the learners draw from it
    environment = rl_environment.Environment(GAME)
    agents = new_agents(environment)
    train(environment, agents, episodes)
    return agents


def time_step(state: pyspiel.State) -> rl_environment.TimeStep:
    players = range(2)
    observations = {
        "info_state": [state.observation_tensor(player) for player in players],
        "legal_actions": [state.legal_actions(player) for player in players],
        "current_player": state.current_player(),
    }
    return rl_environment.TimeStep(observations, None, None, rl_environment.StepType.MID)


def policy_of(agents: list[tabular_qlearner.QLearner]) -> dict[str, dict[str, float]]:
    policy: dict[str, dict[str, float]] = {}
    waiting = [pyspiel.load_game(GAME).new_initial_state()]
    while waiting:
        state = waiting.pop()
        board = str(state).replace("\n", "").replace("x", "X").replace("o", "O")
        if state.is_terminal() or board in policy:
            continue
        agent, legal = agents[state.current_player()], state.legal_actions()
        chances = agent.step(time_step(state), is_evaluation=True).probs
        policy[board] = {str(action): float(chances[action]) for action in legal}
        waiting += [state.child(action) for action in legal]
    return policy


if __name__ == "__main__":
    print(json.dumps(policy_of(train_agents(int(sys.argv[1]), int(sys.argv[2])))))
