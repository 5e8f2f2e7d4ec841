"""Ask a Python object in a process of its own. This package stands alone, and runs with any Python from 3.8 on.

    question   what is known of a position: its board as numbers, the side to move, the moves, the moves before it
    form       how an agent wants to be asked: its arguments, the shape of the board, and what stands for the pieces

`__main__.py` begins the process. It reads JSON line by line, and writes one line for each. The first line has the game,
the name of the object as `agent`, and the `path` for imports; its answer is the profile of the object, or a `table`.
Then each line is a question, with a `text` that names it in messages:

    form, board, side, ..., times     ask up to so many times: different answers, their counts; drew, clock
    form, board, side, ..., seconds   try a form: one answer and what it took, or failed, and whether it was late
    questions, shared                 several questions and what they share: a list of messages
    kept                              whether the object has changed what it keeps: changed
    restart                           let a copy go on that was asked nothing: restarted
    mark, back                        let a copy go on from here; end it, and let the original go on: marked

Instead of any answer, `error` is the reason why the object cannot be asked. The parent process decides what an answer
means.
"""
