"""Rules and truth: games, their position graphs, exact values, search. No learning, no disk access, no screen.

`engine.games` lists the games; `engine.game` says what a game is. All other modules work for any game.
"""
