"""The checkpoints of a save: the learner at each, and references to them."""

from engine.evaluate import scoreboard
from engine.games import parse_game
from lab.results.exact_results import Timeline
from learners import revive
from learners.rewind import rewound
from saves.library.library import Library
from saves.paths import library_path
from tests.saves.brains import her, train

HEXAPAWN = parse_game("hexapawn")
HER = her()
MOMENTS = (0, 1, 2, 5, 10, 20)


def test_a_timeline_has_the_learner_at_each_checkpoint():
    timeline = Timeline(HER)
    assert timeline.moments == MOMENTS
    assert timeline.seen(5) is None
    then, learner = timeline.at(5), revive(rewound(HER, 5))
    assert timeline.seen(5) is timeline.at(5) is then
    assert then.exact == {"second": scoreboard(learner.space, learner.policy())["second"]}
    assert then.loss("perfect") == then.exact["second"].against["perfect"].loss
    assert [timeline.next_to(5, step) for step in (-9, -1, 0, 1, 9)] == [0, 2, 5, 10, 20]


def test_a_reference_to_a_checkpoint_is_parsed_and_written():
    library = Library(library_path())
    library.save("her", HER)
    player = library.player("save:her@1,0", HEXAPAWN)
    assert (player.label, player.rounds) == ("save:her@10", 10)
    assert train(player, 10).stats == HER.stats
