"""The secrets of notakto: a monoid of 18 elements that tells who wins on any number of boards.

board    one board up to symmetry, as a mask; boards with a row are closed, and left out of sums
sum      open boards side by side, as their sorted numbers
element  exponents of the generators a, b, c and d, reduced by the relations

A sum is a P-position if the side that has just moved wins. The paper gives each board an element, so that a sum is a
P-position if and only if the product of its elements is one of four. Here, a search finds which boards are of one kind:
those that no sum with two other boards tells apart. Then each kind gets an element that agrees with the search.
"""

from collections.abc import Iterator, Sequence
from functools import cache, reduce
from itertools import combinations_with_replacement, product
from typing import Final

from engine.grid import Grid
from learners.papers.report import UNPRINTED, Figure, Finding, FindingTable, Source, number_figure
from learners.papers.running import Paper, paper_without_chance

SOURCE: Final = Source(
    "notakto",
    "The Secrets of Notakto: Winning at X-only Tic-Tac-Toe",
    "T. E. Plambeck and G. Whitehead, arXiv 1301.1672, 2013",
    "A table of 18 elements tells who wins with any number of boards.",
    topic="notakto, Plambeck 2013",
)
ABSTRACT: Final = "abstract"
GRID: Final = Grid(3, 3)
ROWS: Final = GRID.lines(3)
CENTRE: Final = 4

Element = tuple[int, int, int, int]
"""The exponents of a, b, c and d."""
Sum = tuple[int, ...]

P_POSITIONS: Final[frozenset[Element]] = frozenset({(1, 0, 0, 0), (0, 2, 0, 0), (0, 1, 1, 0), (0, 0, 2, 0)})
"""The elements a, b², bc and c² of P-positions."""


def reduce_product(a: int, b: int, c: int, d: int) -> Element:
    """Return a product of generators as an element, by a² = 1, b³ = b, b²c = c, c³ = ac², b²d = d, cd = ad, d² = c²."""
    while True:
        if d > 1:
            c, d = c + 2, d - 2
        elif (c and d) or c > 2:
            a, c = a + 1, c - 1
        elif b > 2 or (b > 1 and (c or d)):
            b -= 2
        else:
            return a % 2, b, c, d


def element_product(one: Element, other: Element) -> Element:
    return reduce_product(*(x + y for x, y in zip(one, other, strict=True)))


def element_text(element: Element) -> str:
    """Return an element as the paper writes it: `ac²`."""
    powers = ("", "{}", "{}²")
    return "".join(powers[power].format(name) for name, power in zip("abcd", element, strict=True)) or "1"


@cache
def canonical(board: int) -> int:
    """Return the least mask of those symmetric to a board."""
    squares = [square for square in range(GRID.size) if board >> square & 1]
    return min(sum(1 << symmetry[square] for square in squares) for symmetry in GRID.symmetries)


def is_open(board: int) -> bool:
    return all(board & row != row for row in ROWS)


@cache
def boards_after(board: int) -> frozenset[int]:
    """Return the boards after one move, up to symmetry."""
    return frozenset(canonical(board | 1 << square) for square in range(GRID.size) if not board >> square & 1)


@cache
def just_moved_wins(boards: Sum) -> bool:
    """Return whether a sum is a P-position, by search. Without an open board, whoever closed the last one has lost."""
    if not boards:
        return False
    for place, board in enumerate(boards):
        rest = boards[:place] + boards[place + 1 :]
        for after in boards_after(board):
            boards_left = tuple(sorted((*rest, after))) if is_open(after) else rest
            if just_moved_wins(boards_left):
                return False
    return True


@cache
def open_boards() -> tuple[int, ...]:
    """Return all open boards up to symmetry, those with more pieces first."""
    boards = {canonical(board) for board in range(1 << GRID.size)}
    return tuple(sorted(filter(is_open, boards), key=lambda board: (-board.bit_count(), board)))


@cache
def all_elements() -> tuple[Element, ...]:
    exponents = product(range(2), range(3), range(3), range(2))
    return tuple(dict.fromkeys(reduce_product(*each) for each in exponents))


@cache
def kinds() -> tuple[tuple[int, ...], ...]:
    """Return the open boards by kind: the winner of a sum with up to two other boards is the same within a kind."""
    others = [each for count in range(3) for each in combinations_with_replacement(open_boards(), count)]
    boards_by_winners: dict[tuple[bool, ...], list[int]] = {}
    for board in open_boards():
        winners = tuple(just_moved_wins(tuple(sorted((board, *each)))) for each in others)
        boards_by_winners.setdefault(winners, []).append(board)
    return tuple(map(tuple, boards_by_winners.values()))


@cache
def element_of_board() -> dict[int, Element]:
    """Return the element of each open board.

    Exchanging d with ad, bd or abd makes four assignments that agree with the search; this is the first. Raises
    `ValueError` if there is none.
    """
    elements = next(_assignments([kind[0] for kind in kinds()], {}), None)
    if elements is None:
        raise ValueError("no elements agree with the search")
    return {board: elements[kind[0]] for kind in kinds() for board in kind}


def _assignments(boards: Sequence[int], given: dict[int, Element]) -> Iterator[dict[int, Element]]:
    """Yield every way to give elements to the rest of the boards, after those `given`."""
    if not boards:
        yield given
        return
    for element in all_elements():
        if element not in given.values() and _agrees(boards[0], element, given):
            yield from _assignments(boards[1:], {**given, boards[0]: element})


def _agrees(board: int, element: Element, given: dict[int, Element]) -> bool:
    """Return whether search agrees with an element for a board, in sums with up to two boards that have an element."""
    elements = {**given, board: element}
    for count in range(3):
        for others in combinations_with_replacement(elements, count):
            total = reduce(element_product, (elements[each] for each in others), element)
            if (total in P_POSITIONS) is not just_moved_wins(tuple(sorted((board, *others)))):
                return False
    return True


def quotient_table() -> FindingTable:
    boards = element_of_board()
    elements, count = {(0, 0, 0, 0), *boards.values()}, 0
    while len(elements) > count:
        count = len(elements)
        elements |= {element_product(one, other) for one in elements for other in elements}
    sums = list(combinations_with_replacement(boards, 3))
    wrong = 0
    for each in sums:
        total = reduce(element_product, (boards[board] for board in each))
        wrong += (total in P_POSITIONS) is not just_moved_wins(tuple(sorted(each)))
    return FindingTable.of(
        "The quotient",
        "each kind of open board gets an element that agrees with a search",
        Finding("elements", number_figure("18", ABSTRACT), (len(elements),)),
        Finding("types of P-positions", number_figure("4", ABSTRACT), (len(elements & P_POSITIONS),)),
        Finding("the P-positions", Figure("a, b², bc, c²", "the quotient"), _elements_text(elements & P_POSITIONS)),
        Finding("open boards up to symmetry", UNPRINTED, (len(boards),)),
        Finding("kinds of these, told apart by sums with two other boards", UNPRINTED, (len(kinds()),)),
        Finding("sums of three boards", UNPRINTED, (len(sums),)),
        Finding("of these, sums where the elements are wrong", number_figure("0", "the quotient"), (wrong,)),
    )


def _elements_text(elements: set[Element]) -> str:
    return ", ".join(map(element_text, sorted(elements, reverse=True)))


def openings_table() -> FindingTable:
    start, boards = 0, element_of_board()
    winning = [square for square in range(GRID.size) if just_moved_wins((canonical(1 << square),))]
    after_centre = canonical(1 << CENTRE)
    first = [not just_moved_wins((start,) * count) for count in (1, 2, 3)]
    return FindingTable.of(
        "The first move",
        "searched",
        Finding("moves that win on one board", Figure("b2", "one board"), " ".join(map(GRID.name, winning))),
        Finding("element of an empty board", Figure("c", "the quotient"), element_text(boards[start])),
        Finding("element with the centre taken", Figure("c²", "the quotient"), element_text(boards[after_centre])),
        Finding(
            "who wins on one, two and three empty boards",
            Figure("first, second, first", "the strategy"),
            ", ".join("first" if wins else "second" for wins in first),
        ),
    )


def notakto() -> Paper[FindingTable]:
    return paper_without_chance(SOURCE, {"the quotient": quotient_table, "the first move": openings_table})
