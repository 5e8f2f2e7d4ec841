"""The forms of agents that the judge knows, as text for people."""

from typing import Final

FORMS: Final = """
A Python object (module:name, file.py:name) is a function, an object with a method act, get_action, choose_action,
select_action, get_move, choose_move, make_move, best_move, play, choose, predict or the like, or a class that is made
without arguments, by a side (Agent("X")), by the size of the board, or by a game (Bot(game)).
Each form has a name; --as takes words of it, as in --as 'list, own'.

  function(board, side, moves), tuple, 012   choose((1, 2, 0, 0, 1, 0, 0, 0, 0), 2, (2, 3, 5, 6, 7, 8))
  function(board), position                  one argument with .board, .side and .moves
  function(board), lists, constants          [[X, O, EMPTY], …] with the constants of the module (CS50)
  function(board, side), list, space         ["X", "O", " ", …], "O"
  function(board), vector, own               a numpy array: 1 for the side to move, -1 for the other side
  function(board), text, dash                "XO--X----"
  get_move(board), game, space               an object of a class of its own code, played up to the position
  ask_move(board), game, turns               ask_move(game), and a class of games with play_move(move) (easyAI)
  act(board, mask), array, planes            planes of both sides and a mask of moves (PettingZoo)
  predict(board), array, plus-minus          predict(observation, deterministic=True) (stable-baselines3)
  Kaggle, function(board, config)            agent(observation, configuration)
  OpenSpiel policy                           action_probabilities(state), also in C++
  OpenSpiel bot                              step(state), or get_policy(state)
  OpenSpiel agent                            step(time_step, is_evaluation=True)

  arguments   board, side, other (the other side), first (whether X moves), moves, mask, depth (the number of empty
              squares), in any order, by the names of the parameters
  shapes      lists (rows), list, tuples, tuple, ten (squares 1 to 9 of a list), array (rows in numpy), vector (squares
              in numpy), array-float, vector-float (as numpy.zeros has them), text, dict; where pieces fall, lists-up,
              array-up, array-float-up (the lowest row first); array-int8 and other types of numpy, if it uses tobytes;
              heaps (of nim, as numbers of stones; it answers with a heap, from 0, and a number, or with what is left);
              game (with make_move(square, letter), place(row, column, symbol), apply(move) or the like)
  pieces      constants (X, O and EMPTY of the module, or of a class in it); turns (as its game has them); X and O, with
              none (None), space, nothing, zero, dot, underscore or dash on an empty square, or its number: number ("1"
              …), index (from 0), index-1; all these also with x and o, as in space-lower; 012, plus-minus (1 and -1),
              minus-01 (0 and 1, and -1 on an empty square), own (1 and -1: of the side to move and the other side),
              own12 (1 and 2 likewise), planes
  o-first     in its games O moves first: it is shown an O for each X; x-first: it is not
  answers     from-0 or from-1 (the number of the first square), y-x or x-y (pairs are row and column, or the other
              way), from-bottom or from-top (a1 is the bottom left square, or the top left one); score-move or
              move-score (a move and its score, as a search returns them), or move-alone; of values, after-first and
              the like, as in files
  state       an object with reset(), new_game() or restart() is begun anew, and shown its own earlier decisions

It answers with a move (b2, or 4, from 0 or 1), a row and a column (or the other way), a set of moves, probabilities,
values (--values) or counts (--counts) for each move, or the board after its move.

A file (.csv, .tsv, .txt, .json, .jsonl, .npy, .npz, .pkl, also with .gz; .py, .js or .ts with a table alone) has a
policy or a table of values. Its words for --as:

  who moves first   x-first, o-first, mine (1, or X, is the side to move), yours (2, or O, is the side to move)
  squares           from-0, from-1, numpad (7, 8, 9 at the top); y-x or x-y (pairs are row and column, or column and
                    row), taken (in nim: a heap and how many stones are taken, not left); from-bottom (a1 is
                    the bottom left square), from-top (the top left one)
  packed boards     big, little (in base 3: the first square has the largest place value, or the smallest), big-signed,
                    little-signed (of digits -1, 0, 1), big-4, little-4 (two bits a square), decimal (digits without
                    leading zeros), bits-big, bits-little (two bitboards, as two numbers or one); squares-0 to
                    squares-2 and planes-0 to planes-2 (one-hot, and which of three is empty); minus-01 (a square is
                    0 or 1, or -1 or None if it is empty)
  images            symmetric (positions stand for their mirror images and rotations) or whole (they do not)
  values            after-mover, after-next, after-first, after-second: of positions or moves, for the side that has
                    moved, the side to move next, the first or the second side

Any other command is a program that reads a position from each line, as in XO./.X./... O, and writes a move.
"""
