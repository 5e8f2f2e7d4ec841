"""Games, their position graphs, exact values and search. No learning, no screen, no files but compiled kernels.

`engine.games` lists the games, and `engine.game` defines what a game is. Most other modules work for any game.
"""
