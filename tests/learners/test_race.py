"""Races: every machine has the same results as alone, whatever runs beside it; and a race can be stopped."""

from threading import active_count
from time import process_time

import numpy as np
import pytest

from engine.game import BadText, Side
from engine.games import GAMES, parse_game
from engine.spaces import space_of
from learners import parse_player
from learners.core.snapshot import ITSELF
from learners.failures.learner import Failures
from learners.race.entrants import MAX_ENTRANTS, Entrant, default_entrants, parse_entrant, require_entrants
from learners.race.measures import Floats, judge_policy
from learners.race.race import FIRST_ALLOCATED, MAX_MACHINES, Standings, marks_to, race
from tests.learners.test_truth import judged_slowly
from tests.saves.brains import train
from tests.sizes import with_games

TICTACTOE, MISERE, HEXAPAWN = (parse_game(name) for name in ("tictactoe", "misere", "hexapawn"))
SMALL_POPULATION = "genetic:swift+population=40"


def last(entrants, seeds, budget, **options) -> Standings:
    *_, standings = race(entrants, seeds, budget, **options)
    return standings


def alone(entrant: Entrant, seed: int, marks: tuple[int, ...]) -> Floats:
    """The results of a machine that is trained by itself, and judged by the evaluator."""
    machine = entrant.machine(seed)
    by_game = machine.spec.round_statistic == machine.spec.games_statistic
    moments = [(0, machine.policy())]
    for rounds in marks if by_game else range(1, 10_000):
        if moments[-1][0] >= marks[-1] or machine.perfect:
            break
        train(machine, rounds - machine.rounds)
        moments.append((machine.stats()[machine.spec.games_statistic], machine.policy()))
    within = [[policy for games, policy in moments if games <= mark][-1] for mark in marks]
    return np.array([judged_slowly(machine.space, policy) for policy in within])


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("text", "game", "budget"),
    [
        ("failures", TICTACTOE, 3000),
        ("failures:riechel-2007", MISERE, 500),
        ("menace", TICTACTOE, 700),
        ("menace:scroggs/alphabeta:2+win=5+empty=refill", TICTACTOE, 500),
        ("menace:blog", HEXAPAWN, 500),
        ("menace:her", HEXAPAWN, 50),
        (SMALL_POPULATION, TICTACTOE, 200_000),
        ("genetic:swift+population=8", HEXAPAWN, 20_000),
    ],
)
def test_a_machine_has_the_same_results_as_alone(text, game, budget):
    entrant = parse_entrant(text, game)
    standings = last([entrant], range(3, 5), budget)
    assert standings.marks == marks_to(budget)
    assert (standings.machines, standings.finished) == ((2,), True)
    assert standings.done == standings.total == 2 * budget
    for seed, judged in zip(standings.seeds, standings.judged[0], strict=True):
        np.testing.assert_allclose(judged, alone(entrant, seed, standings.marks), rtol=0, atol=1e-12)


def test_the_number_of_threads_changes_no_result():
    entrants = [parse_entrant(text, TICTACTOE) for text in ("failures", "menace:scroggs", SMALL_POPULATION)]
    one, three = (last(entrants, range(7, 12), 1000, threads=threads) for threads in (1, 3))
    assert one.machines == three.machines == (5, 5, 5)
    for each, other in zip(one.judged, three.judged, strict=True):
        assert np.array_equal(each, other)


def test_result_arrays_grow_as_machines_begin_and_keep_earlier_results():
    entrants = [parse_entrant(text, HEXAPAWN) for text in ("failures", "menace:her")]
    course = race(entrants, range(MAX_MACHINES), 100_000)
    assert {len(judged) for judged in next(course).judged} == {FIRST_ALLOCATED}
    course.close()
    many = 3 * FIRST_ALLOCATED
    for entrant, judged in zip(entrants, last(entrants, range(many), 5).judged, strict=True):
        for seed in (0, FIRST_ALLOCATED - 1, FIRST_ALLOCATED, 2 * FIRST_ALLOCATED, many - 1):
            np.testing.assert_allclose(judged[seed], alone(entrant, seed, marks_to(5)), rtol=0, atol=1e-12)


def test_a_race_stops_at_once_and_keeps_what_it_has():
    threads = active_count()
    asked = []
    course = race(
        [parse_entrant("failures", TICTACTOE), parse_entrant("menace:scroggs", TICTACTOE)],
        range(1000),
        20_000,
        stop=lambda: bool(asked),
    )
    before = next(standings for standings in course if min(standings.machines))
    asked.append(process_time())
    *_, standings = course
    assert process_time() - asked[0] < 2
    assert active_count() == threads
    assert not standings.finished
    assert 0 < min(before.machines) <= min(standings.machines) < 1000
    assert before.done <= standings.done < standings.total
    for entrant, judged, machines in zip(standings.entrants, standings.judged, standings.machines, strict=True):
        whole = ~np.isnan(judged).any(axis=(1, 2, 3))
        assert int(whole.sum()) == machines
        alone_again = last([entrant], range(1), 20_000).judged[0][0]
        assert np.array_equal(judged[0], alone_again)


def test_progress_between_distant_marks_is_reported_and_can_be_stopped():
    course = race([parse_entrant("failures", TICTACTOE)], range(1), 100_000_000)
    first = next(course).done
    later = next(standings.done for standings in course if standings.done != first)
    assert first < later < 100_000_000
    begun = process_time()
    course.close()
    assert process_time() - begun < 2


def test_an_error_in_a_thread_is_raised(monkeypatch):
    entrant = parse_entrant("failures", TICTACTOE)
    trained = Failures.train

    def fail(self, games):
        if self.seed == 3:
            raise BadText("no more room")
        trained(self, games)

    monkeypatch.setattr(Failures, "train", fail)
    with pytest.raises(BadText, match="no more room"):
        last([entrant], range(1, 50), 100)


@pytest.mark.parametrize(
    ("text", "written", "opponent"),
    [
        ("failures", "failures:literal", ITSELF),
        (" failures:literal+pick=uniform ", "failures:literal", ITSELF),
        ("failures+walk_back=true", "failures:literal+walk_back=true", ITSELF),
        ("menace", "menace:steady", ITSELF),
        ("menace:michie", "menace:michie/perfect:any", "perfect:any"),
        ("menace/random+win=+5", "menace:steady/random+win=5", "random"),
        ("menace:scroggs/self", "menace:scroggs", ITSELF),
        ("menace:michie+plays=both", "menace:michie+plays=both", ITSELF),
        ("menace/minimax:3+beads=3,2+loss=-2", "menace:steady/minimax:3+beads=3,2+loss=-2", "minimax:3"),
        ("genetic:hochmuth-crossover-.3", "genetic:hochmuth-crossover-.3", ITSELF),
    ],
)
def test_an_entrant_has_one_written_form(text, written, opponent):
    entrant = parse_entrant(text, TICTACTOE)
    assert (entrant.text, entrant.opponent) == (written, opponent)
    again = parse_entrant(entrant.text, TICTACTOE)
    assert (again.text, again.settings) == (entrant.text, entrant.settings)


@pytest.mark.parametrize(
    ("text", "game", "complaint"),
    [
        ("menace:mishie", "tictactoe", "no preset 'mishie' of menace; there are steady"),
        ("menace:her", "tictactoe", "the preset her fits hexapawn, not tictactoe"),
        ("menace+wins=3", "tictactoe", "no setting 'wins' of menace; there are plays"),
        ("menace+win=many", "tictactoe", "win (beads for a win) cannot be 'many'; it is a whole number"),
        ("menace/human", "tictactoe", "no player 'human'"),
        ("menace:michie/self", "tictactoe", "michie plays X only: train it against somebody else"),
        ("genetic/random", "tictactoe", "genetic plays against every reply there is: nobody else can train it"),
        ("failures", "connectfour", "which remembers every position"),
    ],
)
def test_an_entrant_that_cannot_take_part_is_refused_with_the_reason(text, game, complaint):
    with pytest.raises(BadText) as raised:
        parse_entrant(text, parse_game(game))
    assert complaint in str(raised.value)


def test_an_opponent_can_be_a_save_and_must_fit():
    first_only = parse_entrant("menace:michie/random", TICTACTOE).machine(1)
    both = parse_entrant("failures", TICTACTOE).machine(1)
    known = {"save:a + b": both, "save:first only": first_only}

    def meet(label, _game):
        return known[label]

    entrant = parse_entrant("menace/save:a + b+win=5", TICTACTOE, meet)
    assert (entrant.player, entrant.text) == (both, "menace:steady/save:a + b+win=5")
    with pytest.raises(BadText, match="does not play O"):
        parse_entrant("menace/save:first only", TICTACTOE, meet)
    with pytest.raises(BadText, match="plays Tic-tac-toe, not Mis"):
        parse_entrant("menace/save:a + b", MISERE, meet)


def test_a_race_needs_distinct_entrants_and_not_too_many():
    one = parse_entrant("failures", TICTACTOE)
    with pytest.raises(BadText, match="nobody takes part"):
        require_entrants([])
    with pytest.raises(BadText, match="'failures:literal' takes part already"):
        require_entrants([one, parse_entrant("failures:literal", TICTACTOE)])
    with pytest.raises(BadText, match="too many"):
        require_entrants([one] * (MAX_ENTRANTS + 1))


@with_games(*[game for game in GAMES if game.learnable])
def test_the_default_entrants_can_race_and_play_both_sides(game):
    entrants = default_entrants(game)
    require_entrants(entrants)
    standings = last(entrants, range(2), 200)
    assert standings.finished
    assert all(entrant.machine(1).sides == tuple(Side) for entrant in entrants)


def test_in_a_game_too_large_for_tables_the_default_entrants_are_networks():
    assert [entrant.text for entrant in default_entrants(parse_game("connectfour"))] == ["ntuple:thill", "ntuple:small"]
    with pytest.raises(BadText, match="no learner can learn"):
        default_entrants(parse_game("hexapawn:7,7"))


def test_each_machine_of_a_search_that_depends_on_a_seed_has_a_seed_of_its_own():
    entrants = [parse_entrant(text, TICTACTOE) for text in ("uct:30", "uct:30/1", "perfect")]
    own, one, perfect = (judged[:, -1] for judged in last(entrants, range(4), 10).judged)
    for seed in range(4):
        policy = parse_player(f"uct:30/{seed}", TICTACTOE).policy()
        assert np.allclose(own[seed], judge_policy(space_of(TICTACTOE), policy))
    assert not np.allclose(own[0], own[1])
    assert np.allclose(one, own[1])
    assert np.allclose(perfect, perfect[0])
