"""Ask a Python object in a process of its own. This package stands alone, and runs with any Python from 3.8 on.

    question   what is known of a position: its board as numbers, the side to move, the moves, the moves before it
    form       how an agent wants to be asked: its arguments, the shape of the board, and what stands for the pieces

`__main__.py` begins the process. It reads JSON line by line: first the game and the name of the object, then questions.
It writes one line for each: first the forms in which the object could be asked, then for each question the different
answers, with how often each was given; or `error`, the reason why the object cannot be asked. The parent process
decides what an answer means.
"""
