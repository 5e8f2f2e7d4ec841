"""A PettingZoo environment of any game. Imported only when it is used, since pettingzoo is an extra."""

from typing import Any, Final

import numpy as np

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ImportError as error:
    raise ImportError("an environment needs the package pettingzoo: pip install pettingzoo") from error

from engine.game import BadText, Game, IllegalMove
from engine.games import GAMES, game_of
from engine.match import Match
from lab.judging.notation.observation import action_count, action_mask, planes
from noughts.openspiel_state import reward

AGENTS: Final = ["first", "second"]
RENDER_MODES: Final = ["ansi", "human"]


class BoardEnv(AECEnv):  # type: ignore[misc]  # pettingzoo ships no types
    """Two agents that move in turn; see `env`.

    Its attributes and the three protected methods that it calls are those in PettingZoo's guide to custom environments.
    """

    def __init__(self, game: Game, render_mode: str | None = None) -> None:
        """Make the environment of a game. Raises `BadText`, `TooLarge`."""
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise BadText(f"no render mode {render_mode!r}; there are {', '.join(RENDER_MODES)} and None")
        self.game = game
        self.render_mode = render_mode
        self.metadata = {"name": f"noughts_{game.name}", "render_modes": RENDER_MODES, "is_parallelizable": False}
        self.possible_agents = [*AGENTS]
        count, shape = action_count(game), planes(game, game.start, 0).shape
        view = spaces.Dict(
            {"observation": spaces.Box(0, 1, shape, np.int8), "action_mask": spaces.Box(0, 1, (count,), np.int8)}
        )
        self.observation_spaces = dict.fromkeys(AGENTS, view)
        self.action_spaces = {agent: spaces.Discrete(count) for agent in AGENTS}
        self.reset()

    def observation_space(self, agent: str) -> Any:  # noqa: ANN401  a space of gymnasium
        """Return what an agent observes; see `env`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:  # noqa: ANN401
        """Return the actions of an agent: the numbers of the moves."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. The rules involve no chance, so `seed` changes nothing."""
        self.match = Match(self.game)
        self.agents = [*AGENTS]
        self.agent_selection = AGENTS[self.match.side]
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: dict[str, Any]() for agent in AGENTS}

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the planes and the mask of legal actions, all 0 for the agent that is not to move."""
        mask = action_mask(self.game, self.match.position)
        if agent != self.agent_selection or self.terminations[agent]:
            mask[:] = 0
        return {"observation": planes(self.game, self.match.position, AGENTS.index(agent)), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Make a move for the agent whose turn it is; after the end of the game, `action` is `None`."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        player = AGENTS.index(agent)
        try:
            self.match.play(int(action if action is not None else -1))
        except IllegalMove:
            self.match.resign()
        for number, each in enumerate(AGENTS):
            self.rewards[each] = reward(self.match.outcome, number)
        if self.match.outcome is not None:
            self.terminations = dict.fromkeys(AGENTS, True)
        self.agent_selection = AGENTS[1 - player]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Return the text of the position, or print it, as `render_mode` says."""
        text = self.game.to_text(self.match.position)
        if self.render_mode == "human":
            print(text)  # noqa: T201  what rendering for people means
            return None
        return text

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


def env(game: str | Game = GAMES[0].name, render_mode: str | None = None) -> BoardEnv:
    """Return a PettingZoo environment (AEC) of a game. Needs the package pettingzoo.

    The agents are `first` and `second`. An observation is a dictionary: `observation`, int8 of shape (rows, columns,
    planes), and `action_mask`, int8 of shape (actions,). The first plane is 1 where the agent's pieces stand, the
    second where its opponent's do; where pieces belong to nobody, there is a plane for each kind of piece. The reward
    at the end is 1, 0 or −1. An illegal move loses. `render_mode` is `ansi` or `human`. Raises `BadText`,
    `ImportError` and `TooLarge`.
    """
    return BoardEnv(game_of(game), render_mode)
