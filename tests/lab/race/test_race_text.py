"""A race in words."""

from engine.games import parse_game
from lab.race.race_text import best_text
from learners.race.entrants import parse_entrant


def test_the_best_are_named_in_one_sentence_and_told_apart():
    texts = "q", "menace:steady", "menace:steady+win=5", "td"
    entrants = [parse_entrant(text, parse_game("tictactoe")) for text in texts]
    assert best_text(entrants, [0, 3], "0") == "Best: Q-learner and TD learner, 0 %."
    game = parse_game("tictactoe")
    save = parse_entrant("random", game)
    save.fixed.label = "save:a, b"
    assert best_text([save], [0], "0") == "Best: save:a, b, 0 %."
    assert best_text(entrants, [2], "4.5") == "Best: MENACE (steady, win 5), 4.5 %."
