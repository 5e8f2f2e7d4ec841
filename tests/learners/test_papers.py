"""The papers: what they print, what is exact about them, and their runs over a few seeds."""

import subprocess
import sys
import threading
from itertools import product as product_of
from threading import Event
from time import process_time

import pytest

from engine.evaluate import perfect_policy, uniform_policy
from engine.game import BadText, Outcome, Side
from engine.games import parse_game
from engine.known_positions import known_positions
from engine.smallest.answers import FewestAnswers
from engine.smallest.shipped import shipped_answers
from engine.solve import values
from engine.spaces import space_of
from engine.stop import Stopped
from learners.core.generator import LARGEST_SEED
from learners.core.player import Choice
from learners.menace.learner import Menace
from learners.papers import PAPERS, parse_paper
from learners.papers.filter import PLAYERS, filter_paper
from learners.papers.gardner import STAND_INS, gardner, play
from learners.papers.hochmuth import EXPERIMENTS, ONE_OF_ONE, ONE_OF_THREE, GeneticExperiment, hochmuth
from learners.papers.java import java
from learners.papers.michie import michie
from learners.papers.nim import is_safe, is_safe_by_rule
from learners.papers.notakto import all_elements, element_product, reduce_product
from learners.papers.report import Report, Source, Verdict
from learners.papers.riechel import riechel
from learners.papers.running import Paper, PaperPart
from learners.papers.smallest import never_loses
from learners.papers.sutton import sutton
from learners.papers.thill import NetworkExperiment, kept_share, thill, won_share
from learners.papers.tromp import SIZES, tromp
from saves.gallery.paper_reports import load
from tests.waiting import wait_until

PRINTED = {
    "riechel": """362,880 19,107 0.3354
        138 558 304 705 862  4,493 3,350 2,157 76,570 5,656
        93,787 3,824 2,389 1,571,823 6,409  993,787 3,824 2,389 16,635,566 6,409""",
    "hochmuth": "19,683 827 2,480 23,129 373 457 692 480 320",
    "michie": "304 287",
    "gardner": "24",
    "java": "2 1 −1",
    "lecture": "1 0",
    "data-tree": "89,796 203,716 39,588 21,408 28,800 8.400775 1.788229 346.445",
    "notakto": "18 4 0",
    "nim": "35 0 0 0 0",
    "smallest": "22 74 96",
    "courses": "",
    "filter": "",
    "sutton": "1,000",
    "thill": "350,000…1,600,000 90…94",
    "tromp": "",
}
"""The figures of the sources, written down from them once more."""
SMALL = {
    "riechel": riechel(2),
    "hochmuth": hochmuth(
        tuple(GeneticExperiment(each.name, each.preset, 3, 2, 20, each.curve) for each in EXPERIMENTS)
    ),
    "michie": michie(2),
    "gardner": gardner(2),
    "java": java(2),
    "lecture": parse_paper("lecture"),
    "data-tree": parse_paper("data-tree"),
    "notakto": parse_paper("notakto"),
    "nim": parse_paper("nim"),
    "smallest": parse_paper("smallest"),
    "courses": parse_paper("courses"),
    "filter": filter_paper(2),
    "sutton": sutton(2),
    "thill": thill(
        (
            NetworkExperiment(parse_game("mnk:4,4,4+gravity"), "small", 2, (100, 200)),
            NetworkExperiment(parse_game("connectfour"), "small", 2, (100, 200)),
        )
    ),
    "tromp": tromp(SIZES[:1]),
}
"""Every paper, over few seeds, and populations that are too small for anything."""
NAMES = pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.long) if name in {"courses", "smallest", "tromp"} else name
        for name in SMALL
    ],
)
COUNTS = {
    "riechel": [7, 22, 12, 10, 0],
    "hochmuth": [8, 9, 3, 3, 0],
    "michie": [3, 0, 2, 0, 0],
    "gardner": [1, 0, 2, 0, 0],
    "java": [11, 0, 5, 0, 0],
    "lecture": [9, 0, 2, 0, 0],
    "data-tree": [8, 0, 0, 0, 0],
    "notakto": [8, 0, 0, 0, 0],
    "nim": [5, 0, 0, 0, 0],
    "smallest": [3, 0, 0, 0, 0],
    "courses": [0, 0, 0, 0, 0],
    "filter": [0, 0, 0, 0, 0],
    "sutton": [1, 0, 0, 0, 0],
    "thill": [0, 0, 0, 2, 6],
    "tromp": [21, 0, 0, 0, 0],
}
"""How many findings of each paper at full size have each verdict."""
FRESH = (1_001, 20_001, 80_001, 300_001, 7_000_001)
"""First seeds of further runs."""


def report_of(paper, seed=1):
    *_, last = paper.run(seed)
    assert last.share == 1
    return last.report


@pytest.fixture(scope="module")
def reports():
    return Reports()


class Reports(dict[str, Report]):
    """The report of each paper, once it is asked for."""

    def __missing__(self, name: str) -> Report:
        self[name] = report_of(SMALL[name])
        return self[name]


def findings(report):
    return [finding for table in report.tables for finding in table.findings]


def verdicts(report, table):
    return {finding.what: finding.verdict for finding in report.tables[table].findings}


def test_every_paper_has_a_small_version_here():
    assert [paper.name for paper in PAPERS] == list(SMALL)


@NAMES
def test_the_figures_are_those_of_the_source(name, reports):
    printed = {finding.figure.printed for finding in findings(reports[name])}
    assert set(PRINTED[name].split()) <= printed


def test_the_post_is_exact_as_published_and_differs_where_it_is_corrected(reports):
    published, corrected = (list(verdicts(reports["data-tree"], table).values()) for table in (0, 1))
    assert published == [*[Verdict.EXACT] * 8, None]
    assert corrected == [*[Verdict.DIFFERS] * 7, Verdict.EXACT, None]
    ties = [table.findings[7].text for table in reports["data-tree"].tables]
    assert ties == ["O2 X3 O4 / X5 O6 X7 / X1 O8 X9"] * 2  # as the post prints ties[[1]], with a1 first
    measured = [finding.mean for finding in reports["data-tree"].tables[1].findings]
    assert measured[:5] == [83_196, 179_116, 44_532, 23_688, 14_976]
    assert [round(each, 6) for each in measured[5:7]] == [8.23929, 1.867337]


def test_only_the_misprints_of_the_lecture_differ(reports):
    differ = [finding for finding in findings(reports["lecture"]) if finding.verdict is Verdict.DIFFERS]
    assert [finding.text for finding in differ] == ["XOO/X--/OX-", "OXO/XO-/XOX and OX-/XOO/XOX"]
    assert reports["lecture"].counts[Verdict.EXACT] == 9


def test_the_java_program_differs_by_its_mistake_and_not_without_it(reports):
    slipped, fixed = (
        next(table for table in reports["java"].tables if table.title == f"{preset}, its rules")
        for preset in ("blog", "blog-fixed")
    )
    assert [finding.verdict for finding in slipped.findings] == [None, *[Verdict.EXACT] * 3, None, Verdict.DIFFERS]
    assert [finding.verdict for finding in fixed.findings] == [None, *[Verdict.EXACT] * 3, None, Verdict.EXACT]


def test_a_database_is_reported_at_every_printed_number_of_games(reports):
    report = reports["riechel"]
    literal = report.tables[4]
    assert literal.title == "literal, 1,000,000 games"
    sizes = literal.findings[4].measured
    assert len(sizes) == 2
    assert all(6300 < size < 6800 for size in sizes)
    games = [finding.measured for finding in literal.findings[:3]]
    assert [sum(each) for each in zip(*games, strict=True)] == [1_000_000] * 2
    assert literal.findings[5].mean == pytest.approx(sum(sizes) / 2 / 19_107)


def test_no_player_loses_more_to_random_play_behind_the_filter(reports):
    report = reports["filter"]
    assert [table.title for table in report.tables] == list(PLAYERS)
    for table in report.tables:
        found = {finding.what.removeprefix("games in 100 lost "): finding.mean for finding in table.findings}
        for mark in "XO":
            behind, without = (found[f"as {mark}, to random, {when}"] for when in ("filtered", "unfiltered"))
            assert behind < without or behind == without == 0, table.title


def test_the_shares_that_one_success_stands_for_are_the_limits_of_its_exact_interval():
    for runs, (lowest, highest) in ((1, ONE_OF_ONE), (3, ONE_OF_THREE)):
        low, high = lowest / 100, highest / 100
        assert 1 - (1 - low) ** runs == pytest.approx(0.025, abs=1e-5)
        assert runs == 1 or (1 - high) ** 3 + 3 * high * (1 - high) ** 2 == pytest.approx(0.025, abs=1e-5)


def test_the_curves_of_evolution_are_those_of_figures_6_to_8(reports):
    """By generation, the best individual of each loses no more than the mean; the last point is the end of the run."""
    drawn = reports["hochmuth"].curves
    assert [curves.title.split(",")[0] for curves in drawn] == ["Figure 6", "Figure 7", "Figure 8"]
    for curves in drawn:
        assert (curves.names, curves.rounds, curves.points[-1][0]) == (("best", "mean"), "generations", 3)
        assert all(0 <= best <= mean <= 10_000 for _, (best, mean) in curves.points if "fitness 2" in curves.title)


def test_her_has_its_boxes_and_forgets_no_lost_game(reports):
    boxes, moves, _, winner = reports["gardner"].tables[0].findings
    assert (boxes.mean, moves.text, winner.verdict) == (19, "2, 10, 7", Verdict.EXACT)
    (curves,) = reports["gardner"].curves
    ends = [numbers for _, numbers in curves.points][-1]
    assert list(ends) == [table.findings[0].measured[0] for table in reports["gardner"].tables[1:]]
    assert len(curves.points) == 50


def test_figures_for_connect_four_are_not_compared_on_a_smaller_board(reports):
    small, full = ([each.verdict for each in table.findings[:2]] for table in reports["thill"].tables)
    assert small == [Verdict.ANOTHER_BOARD] * 2
    assert full == [Verdict.UNDECIDED] * 2


@NAMES
def test_seeds_end_at_the_largest(name):
    paper, last = SMALL[name], SMALL[name].last_seed
    assert last == (
        LARGEST_SEED
        if name in {"lecture", "data-tree", "notakto", "nim", "smallest", "courses", "tromp"}
        else LARGEST_SEED - 1
    )
    for seed in (-1, last + 1, 10**40):
        with pytest.raises(BadText, match=rf"{name} a whole number from 0 to {last:,}"):
            next(paper.run(seed))


def at_work():
    """The threads that run tasks."""
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("papers ")]


def endless(_seed, report, stop):
    report(0.25)
    wait_until(stop)
    ended.set()
    raise Stopped


ended = Event()
SOURCE = Source("name", "title", "by", "about")


def test_a_run_reports_progress_and_can_be_stopped():
    ended.clear()
    paper = Paper(SOURCE, [PaperPart("one", endless), PaperPart("other", endless)], lambda *_: ((), ()))
    reported, stopped_at = [], 0.0

    def stop():
        nonlocal stopped_at
        enough = bool(reported) and reported[-1].share == 0.25
        stopped_at = stopped_at or (process_time() if enough else 0.0)
        return enough

    for progress in paper.run(1, stop):
        reported += [progress]
    assert process_time() - stopped_at < 5
    assert (reported[-1].share, reported[-1].what, reported[-1].report) == (0.25, "one", None)
    assert ended.is_set()
    assert at_work() == []


def test_a_part_that_is_stopped_ends_the_run_without_a_report():
    def stopped(_seed, _report, _stop):
        raise Stopped

    run = Paper(SOURCE, [PaperPart("one", stopped)], lambda *_: ((), ())).run(1)
    assert {progress.report for progress in run} == {None}


def test_a_closed_run_ends_its_threads():
    ended.clear()
    running = Paper(SOURCE, [PaperPart("one", endless)], lambda *_: ((), ())).run(1)
    next(running)
    assert at_work() != []
    running.close()
    assert ended.is_set()
    assert at_work() == []


def test_an_error_in_a_task_is_raised():
    def wrong(_seed, _report, _stop):
        raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        list(Paper(SOURCE, [PaperPart("one", wrong)], lambda *_: ((), ())).run(1))


@pytest.mark.long
@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.name)
def test_the_verdicts_of_every_paper_at_full_size(paper):
    """Every paper as it is run for a person; what was found once must be found again."""
    counts = [report_of(paper).counts[verdict] for verdict in Verdict]
    assert counts == COUNTS[paper.name]


@pytest.mark.long
@pytest.mark.parametrize("paper", [paper for paper in PAPERS if paper.seeds > 1], ids=lambda paper: paper.name)
def test_the_verdicts_of_every_paper_do_not_depend_on_the_seed(paper):
    """No other seeds contradict a verdict that comes with the program.

    They may leave a figure undecided, or decide it. Five more runs of every paper with chance, each from other seeds.
    """
    reports = [load(paper.name).report, *(report_of(paper, seed) for seed in FRESH)]
    for same in zip(*map(findings, reports), strict=True):
        found = [each.verdict for each in same]
        reproduced = Verdict.EXACT in found or Verdict.WITHIN in found
        assert not (reproduced and Verdict.DIFFERS in found), f"{same[0].what}, {same[0].figure}: {found}"


def test_the_elements_of_notakto_obey_the_relations_of_the_paper():
    a, b, c, d = (tuple(int(place == each) for place in range(4)) for each in range(4))
    one = reduce_product(0, 0, 0, 0)
    square = {each: element_product(each, each) for each in (a, b, c, d)}
    assert square[a] == one
    assert element_product(square[b], b) == b
    assert element_product(square[b], c) == c
    assert element_product(square[c], c) == element_product(a, square[c])
    assert element_product(square[b], d) == d
    assert element_product(c, d) == element_product(a, d)
    assert square[d] == square[c]
    assert len(all_elements()) == 18
    for each, other, third in product_of(all_elements(), repeat=3):
        assert element_product(element_product(each, other), third) == element_product(
            each, element_product(other, third)
        )


def test_a_wrong_rule_of_nim_would_be_noticed():
    assert [is_safe(heaps) for heaps in ((1, 2, 3), (1, 4, 5), (1, 1, 1), (2, 2, 3))] == [True, True, False, False]
    assert [is_safe(heaps, misere=True) for heaps in ((1, 2, 3), (0, 0, 1), (0, 1, 1))] == [True, True, False]
    assert is_safe_by_rule((0, 0, 1), misere=False) != is_safe((0, 0, 1), misere=True)


def test_a_smallest_machine_with_a_wrong_answer_would_be_noticed():
    game = parse_game("tictactoe")
    found = shipped_answers(game, Side.SECOND)
    assert never_loses(game, Side.SECOND, found)
    for position in list(found.moves)[:5]:
        fewer = {each: move for each, move in found.moves.items() if each != position}
        assert not never_loses(game, Side.SECOND, FewestAnswers(fewer, 57, 57, 0.0))


def test_the_share_of_won_games_is_that_of_the_games_that_begin_in_won_positions():
    game = parse_game("mnk:3,3,3+gravity")
    space, policy = space_of(game), uniform_policy(space_of(game))
    perfect = perfect_policy(space, "any")

    def won(position, side):
        """The probability that random play as this side wins against perfect play."""
        outcome = game.outcome(position)
        if outcome is not None:
            return float(outcome == Outcome.won_by(side))
        chances = policy if game.side(position) is side else perfect
        return sum(chances[edge] * won(int(space.position[space.target[edge]]), side) for edge in space.edges(position))

    shares = []
    for position, value in zip(space.position.tolist(), values(space).tolist(), strict=True):
        side = game.side(position)
        if game.outcome(position) is None and value == (1 if side is Side.FIRST else -1):
            ends = [game.outcome(game.play(position, move)) for move in game.moves(position)]
            if Outcome.won_by(side) not in ends:
                shares.append(won(position, side))
    assert len(shares) > 10
    assert won_share(space, policy) == pytest.approx(sum(shares) / len(shares))


def test_the_share_of_kept_wins_is_that_of_the_moves_that_keep_them():
    game = parse_game("connectfour")
    won = [each for each in known_positions(game) if each.value > 0]

    class Told:
        """A player that keeps the first wins of the list, and none of the others."""

        label = "chosen"

        def __init__(self, kept) -> None:
            self.game = game
            self.kept = {each.position for each in won[:kept]}

        def choose(self, position, random):
            known = next(each for each in won if each.position == position)
            keeps = position in self.kept
            return Choice(next((move for move in known.moves if known.keeps(move)), None) if keeps else None, "by plan")

    assert [kept_share(Told(kept)) for kept in (0, 100, len(won))] == [0, 100 / len(won), 1]


def test_her_is_taught_by_a_player_that_varies_its_moves(reports, monkeypatch):
    taught = []
    monkeypatch.setattr(Menace, "set_opponent", lambda _, opponent: taught.append(opponent.label))
    monkeypatch.setattr(Menace, "train", lambda *_: None)
    for stand_in in STAND_INS:
        play(stand_in, 1, lambda _: None, lambda: False)
    assert taught == ["perfect:any", "random"]
    said = ["perfect plays any move that keeps the value" in table.about for table in reports["gardner"].tables]
    assert said == [False, True, False]


def test_the_same_seed_gives_the_same_report(reports):
    again = report_of(michie(2))
    assert again.tables == reports["michie"].tables
    assert report_of(michie(2), 5).tables != again.tables


def test_a_paper_at_full_size_stops_soon():
    begun = Event()
    for progress in riechel(100).run(1, begun.is_set):
        if progress.share and not begun.is_set():
            begun.set()
            stopped_at = process_time()
        assert progress.report is None
    assert process_time() - stopped_at < 1


@pytest.mark.long
def test_nothing_is_compiled_before_a_paper_is_run():
    program = "import sys, learners.papers; print('numba' in sys.modules, 'rich' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
