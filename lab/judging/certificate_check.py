"""Verify a certificate of Noughts: python check.py FILE. Exit code 0 if all that it claims is true, else 1."""

import hashlib, pathlib, sys  # noqa: E401, I001  a file of few lines


def check(text: str) -> str:  # noqa: C901  one file, to be read from top to bottom
    """Return a sentence on what was checked. Raises `ValueError` for a false claim, other errors for a bad text."""
    body, _, digest = text.rpartition("sha256 ")
    if hashlib.sha256(body.encode()).hexdigest() + "\n" != digest:
        raise ValueError("it was changed: its digest is another")
    head, game, rules, *lines = body.splitlines()
    number = dict(zip(rules.split()[::2], map(int, rules.split()[1::2])))  # noqa: B905
    columns, rows, length, falls = (number[name] for name in ("columns", "rows", "row", "falls"))
    size, marks, misnamed = columns * rows, "XO", ("misere" in game) > number["misere"]
    ways = [(r, c, dr, dc) for r in range(rows) for c in range(columns) for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1))]
    in_a_row = [[(r + i * dr) * columns + c + i * dc for i in range(length)] for r, c, dr, dc in ways
                if r + (length - 1) * dr < rows and 0 <= c + (length - 1) * dc < columns]  # fmt: skip
    claims = dict(line.split(" ", 2)[1:] for line in lines if line.startswith("claim "))
    entries = [line.split() for line in lines if not line.startswith("claim ")]
    strategy = {(board.replace("/", ""), mark): moves for board, mark, *moves in entries}
    known = bool(claims) and {*claims} <= {*marks} and {*claims.values()} <= {"wins every game", "never loses"}
    if head != "noughts certificate 1" or not known or misnamed or len(strategy) + len(claims) != len(lines):
        raise ValueError("it has another form, other rules than its game, or an entry or a claim twice")

    def winner(board: str):  # type: ignore[no-untyped-def]  # noqa: ANN202
        rowed = [board[line[0]] for line in in_a_row if len({board[s] for s in line}) == 1 and board[line[0]] != "."]
        return (marks[marks.index(rowed[0]) ^ number["misere"]] if rowed else None), bool(rowed) or "." not in board

    used = set()
    for mark, claim in claims.items():
        stack, seen = ["." * size], set()
        while stack:
            board = stack.pop()
            if board in seen:
                continue
            seen.add(board)
            (won, over), mover = winner(board), marks[(size - board.count(".")) % 2]
            if over:
                if won != mark and (won or claim != "never loses"):
                    raise ValueError(f"as {mark}, {claim}: not with {board}")
                continue
            free = [s for s in range(size) if board[s] == "." and not (falls and "." in board[s + columns :: columns])]
            legal = {"abcdefghijklmnop"[s % columns] + str(rows - s // columns): s for s in free}
            if mover == mark:
                used.add((board, mark))
            for move in (strategy.get((board, mark)) or [""]) if mover == mark else legal:
                named = legal if move in legal else {name[0]: s for name, s in legal.items() if falls}
                square = named[move]
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
