"""Words of a board in plain Python, for what is not searched: see `engine.connect_solver.board_kernel`."""

from collections.abc import Iterator

from engine.connect_solver.games import Shape


class WordBoard:
    def __init__(self, shape: Shape) -> None:
        """Take the shape of a board."""
        self.shape = shape
        self.width = shape.rows + 1
        self.columns = shape.column_words
        self.bottom = shape.bottom
        self.full = sum(self.columns)

    def possible(self, taken: int) -> int:
        """Return the squares that can be played."""
        return (taken + self.bottom) & self.full

    def completing(self, pieces: int) -> int:
        """Return the squares, taken or not, that complete a line of these pieces."""
        found, length = 0, self.shape.length
        for step in (1, self.width - 1, self.width, self.width + 1):
            for gap in range(length):
                line = self.full
                for place in range(-gap, length - gap):
                    if place:
                        line &= pieces >> place * step if place > 0 else pieces << -place * step
                found |= line
        return found

    def key(self, own: int, taken: int) -> int:
        """Return the key of a position and of its mirror image."""
        return min(own + taken, self.mirrored(own) + self.mirrored(taken))

    def mirrored(self, word: int) -> int:
        last = (self.shape.columns - 1) * self.width
        return sum(
            (word >> at & (1 << self.width) - 1) << last - at
            for at in range(0, self.shape.columns * self.width, self.width)
        )

    def forced(self, own: int, taken: int) -> int | None:
        """Return the only reply to a threat; `None` if there is no threat, or if the side to move wins at once."""
        possible = self.possible(taken)
        if self.completing(own) & possible:
            return None
        threats = self.completing(taken ^ own) & possible
        return threats & -threats or None

    def is_quiet(self, own: int, taken: int) -> bool:
        """Return whether the side to move neither wins at once nor must stop a threat."""
        return not (self.completing(own) | self.completing(taken ^ own)) & self.possible(taken)

    def after(self, own: int, taken: int) -> Iterator[tuple[int, int]]:
        """Yield the positions after each move, of which none may win."""
        possible = self.possible(taken)
        for column in self.columns:
            if move := possible & column:
                yield taken ^ own, taken | move

    def before(self, own: int, taken: int) -> Iterator[tuple[int, int]]:
        """Yield the positions before each move that can have been the last."""
        other = taken ^ own
        for column in self.columns:
            top = 1 << (taken & column).bit_length() >> 1
            if top & other:
                yield other ^ top, taken ^ top

    def positions(self, plies: int) -> list[dict[int, tuple[int, int]]]:
        """Return all positions with up to so many pieces that nobody has won, by ply and key.

        Of mirror images only one.
        """
        found: list[dict[int, tuple[int, int]]] = [{0: (0, 0)}]
        for _ in range(plies):
            reached: dict[int, tuple[int, int]] = {}
            for own, taken in found[-1].values():
                wins = self.completing(own)
                for other, after in self.after(own, taken):
                    if not wins & after & ~taken:
                        reached.setdefault(self.key(other, after), (other, after))
            found.append(reached)
        return found
