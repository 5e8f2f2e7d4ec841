"""What asks a Python object, in a process of its own: this package stands alone, and runs with any Python from 3.8 on.

    question   what is known of a position: its board as numbers, the side to move, the moves, the moves before it
    form       how an agent wants to be asked: its arguments, the shape of the board, and what stands for the pieces

`__main__.py` begins the process. It reads JSON line by line: first the game and the name of the object, then questions.
It answers each with a line: first the forms in which the object could be asked, then for each question the different
answers, with how often each was given; or with `error`, which says why the object cannot be asked. What an answer means
is decided elsewhere.
"""
