"""Who sits at the table, and at which game: words to change both, and practice from any position."""

from cli.plain.move_writing import how_to_write
from cli.plain.spoken import one_line
from cli.plain.table import Table
from cli.shared.arguments import chosen_player, full_label
from engine.game import BadText, Game, Side
from engine.games import GAMES, parse_game
from engine.match import Match
from engine.space import TooLarge
from lab.board.opponents import by_strength, candidates, level_for, level_name, lost_note, sentence
from lab.board.session import HUMAN, seating_for
from lab.board.teaching import why_nobody_learns
from lab.words.sanitise import plain
from learners.core.player import Player
from learners.core.plural import plural
from learners.players.levels import Level
from saves.errors import LibraryError
from saves.library.library import Library

MOST_OWN = 20
"""How many of one's own saves are listed among the players, the newest: each takes a moment to judge."""
ADVICE = "Only a save of your own can learn: write against save:NAME."


def seated(label: str, game: Game, library: Library) -> Player | None:
    """Who sits there: nobody for a person. Raises `BadText`, `LibraryError`, `TooLarge`."""
    return None if label == HUMAN else chosen_player(label, game, library)


def sit_against(table: Table, label: str) -> None:
    """Change the opponent, who sits down opposite the first person. Raises `BadText`, `LibraryError`, `TooLarge`."""
    if not label:
        table.say("Say against whom, as in: against perfect. The word players lists everybody.")
        return
    opponent = seated(full_label(label, table.library), table.game, table.library)
    own = Side(table.session.seats.index(None))
    table.sit(table.game, (None, opponent) if own is Side.FIRST else (opponent, None))


def choose_game(table: Table, name: str) -> None:
    """Play another game, against whom a newcomer meets there. Raises `BadText`."""
    if not name:
        for game in GAMES:
            table.say(f"  {game.name}: {game.title}. {game.summary}")
        return
    seating = seating_for(parse_game(name.lower()))
    seats = (seated(label, seating.game, table.library) for label in (seating.first, seating.second))
    table.say(f"{seating.game.title}. {seating.game.summary}")
    table.sit(seating.game, (next(seats), next(seats)))
    table.say(how_to_write(seating.game))


def practise(table: Table, match: Match) -> None:
    """Go on from a moment of another game; who cannot play it leaves the seat to a person."""
    if match.game is not table.game:
        table.say(f"{match.game.title}. {match.game.summary}")
        seats: list[Player | None] = []
        for label in table.session.labels:
            try:
                seats.append(seated(label, match.game, table.library))
            except (BadText, LibraryError, TooLarge) as error:
                table.say(f"{one_line(error)}. A person takes the seat.")
                seats.append(None)
        table.sit(match.game, (seats[Side.FIRST], seats[Side.SECOND]))
        table.say(how_to_write(match.game))
    table.session.begin_at(match)
    table.say("Practice: this game counts in no score and is not kept.")


def list_players(table: Table, _: str = "") -> None:
    """Who can be played against, the weakest first."""
    game = table.game
    table.say("Working out how strong everybody is.")
    everybody = [each for each in candidates(game, table.library.entries()) if not each.is_person]
    own = [each for each in everybody if each.own]
    listed = [each for each in everybody if not each.own] + own[:MOST_OWN]
    for each in listed:
        if each.key not in table.levels:
            table.levels[each.key] = level_for(table.library, each, game)
    levels = {each.key: table.levels[each.key] for each in listed}
    for each in by_strength(listed, levels):
        known = levels[each.key]
        strength = sentence(game, each, known, noting_lost=False)
        learns = " It can learn." if each.learns else ""
        table.say(f"  {plain(each.label)}: {level_name(each, known)}. {strength}{learns}")
    for side in sorted({side for known in levels.values() if isinstance(known, Level) for side in known.lost}):
        table.say(lost_note(game, side))
    if len(own) > MOST_OWN:
        older = len(own) - MOST_OWN
        table.say(f"  and {older:,} older {plural('save', older)}, listed by the command noughts players")
    table.say("Play one of them with the word against, as in: against perfect")


def switch_learning(table: Table, _: str = "") -> None:
    """Let the saves at the table learn from now on, or no longer."""
    pupils = table.session.pupils
    if not pupils:
        table.say(why_nobody_learns(table.session.seats, ADVICE))
        return
    table.learning = not table.learning
    who = " and ".join(plain(pupil.label) for pupil in pupils)
    table.say(f"{who} {'learns from each game from now on' if table.learning else 'learns no more'}.")
