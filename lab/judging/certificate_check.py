"""Verify a certificate of Noughts: python check.py FILE. Exit code 0 if all that it claims is true, else 1."""

import hashlib, pathlib, sys  # noqa: E401, I001  a file of few lines


def lines_of(columns: int, rows: int, length: int) -> list[list[int]]:
    """Return all lines of this many squares, which are numbered row by row."""
    lines = []
    for square in range(columns * rows):
        row, column = divmod(square, columns)
        for down, right in (0, 1), (1, 0), (1, 1), (1, -1):
            if row + (length - 1) * down < rows and 0 <= column + (length - 1) * right < columns:
                lines.append([square + i * (down * columns + right) for i in range(length)])
    return lines


def check(text: str) -> str:  # noqa: C901  one file, to be read from top to bottom
    """Return a sentence on what was checked. Raises `ValueError` for a false claim, other errors for a bad text."""
    body, _, digest = text.rpartition("sha256 ")
    if hashlib.sha256(body.encode()).hexdigest() + "\n" != digest:
        raise ValueError("it was changed: its digest is another")
    head, game, rules, *lines = body.splitlines()
    number = dict(zip(rules.split()[::2], map(int, rules.split()[1::2])))  # noqa: B905
    columns, rows, length, falls = (number[name] for name in ("columns", "rows", "row", "falls"))
    size, marks, misnamed = columns * rows, "XO", ("misere" in game) > number["misere"]
    in_a_row = lines_of(columns, rows, length)
    claims = dict(line.split(" ", 2)[1:] for line in lines if line.startswith("claim "))
    entries = [line.split() for line in lines if not line.startswith("claim ")]
    strategy = {(board.replace("/", ""), mark): moves for board, mark, *moves in entries}
    known = bool(claims) and {*claims} <= {*marks} and {*claims.values()} <= {"wins every game", "never loses"}
    if head != "noughts certificate 1" or not known or misnamed or len(strategy) + len(claims) != len(lines):
        raise ValueError("it has another form, other rules than its game, or an entry or a claim twice")

    def end(board: str):  # type: ignore[no-untyped-def]  # noqa: ANN202
        """Return who has won, or None, and whether the game is over."""
        for line in in_a_row:
            if board[line[0]] != "." and len({board[square] for square in line}) == 1:
                return marks[marks.index(board[line[0]]) ^ number["misere"]], True
        return None, "." not in board

    used = set()
    for mark, claim in claims.items():
        stack, seen = ["." * size], set()
        while stack:
            board = stack.pop()
            if board in seen:
                continue
            seen.add(board)
            (winner, over), mover = end(board), marks[(size - board.count(".")) % 2]
            if over:
                if winner != mark and (winner or claim != "never loses"):
                    raise ValueError(f"as {mark}, {claim}: not with {board}")
                continue
            legal = {}
            for square in range(size):
                if board[square] == "." and not (falls and "." in board[square + columns :: columns]):
                    legal["abcdefghijklmnop"[square % columns] + str(rows - square // columns)] = square
            by_column = {name[0]: square for name, square in legal.items()} if falls else {}
            moves = [*legal]
            if mover == mark:
                used.add((board, mark))
                moves = strategy.get((board, mark)) or ["none"]  # no move at all is not legal either
            for move in moves:
                square = legal[move] if move in legal else by_column[move]
                stack.append(board[:square] + mover + board[square + 1 :])
    if used != set(strategy):
        raise ValueError("it has entries for positions that cannot occur")
    return f"{game}, {rules}: " + ", ".join(f"as {m} it {c}" for m, c in claims.items()) + f", in {len(used)} positions"


if __name__ == "__main__":
    path = sys.argv[1] if sys.argv[1:] else sys.exit("name a certificate: python check.py FILE")
    try:
        print("verified,", check(pathlib.Path(path).read_text("utf-8")))  # noqa: T201
    except (ValueError, KeyError, IndexError, OSError, TypeError) as problem:
        sys.exit(f"NOT verified: {type(problem).__name__}: {problem}")
