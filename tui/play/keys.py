"""The keys of Play: what they are called, what they do, and the page of help about them."""

from typing import Final

from textual.binding import Binding, BindingType

from lab.board.event_sentences import Commands

COMMANDS: Final = Commands(
    enter="Press",
    pick="Pick",
    new="n",
    debrief="d",
    swap="s",
    hint="h",
    draw="=",
    against="o to choose it",
    choose_pupil="choose one with o, or train one with t",
)
HELP: Final = """\
# Play

Pick a square by its digit, with the arrows and Enter, or with the mouse. To move a piece, pick it, then its new square.
On a board of more than nine squares, the digits pick in the row of the cursor.

On the right lies the box that the machine used last: its beads in their squares, the drawn one ringed, or what else
it knows of each move. `= c3` marks a square that shares the beads of c3 by symmetry. Where that would tell what is
best, the box stays closed until you press **x**. Below it stands what has just happened, and at the bottom is the
wall: all that the machine remembers. Click a box there, or go there by **Tab** and the arrows, and it opens in place of
the last one, until **Escape**. **f** shows the exact results of the machine, over all games that can be played.

**h** gives a hint: first what to look for, then the move. **x** is the X-ray: it shows in the squares what the machine
thinks, or its most likely answer to your move (`any` or `6 alike`: several are as likely; among stones, those that it
then takes are marked); pressed again, what best play leads to (`+2` is a win in two moves, `=` a draw, `−2` a loss in
two, `~` an estimate); pressed again, nothing. In Connect Four it also shows the squares that win once they can be
played: `●!` is one that ● gets if the other moves run out. **y** shows who is ahead; after the game, which games taught
the machine its last move. **B** turns the blunder check on or off: it holds back a move that gives something away, and
says why. Pick the move again to play it anyway.

**d** reviews the game, during it or after it: what decided it, what was better and why, and what was learned from it.
You can play on from any position. **H** lists all your games, **m** shows your play over time. **C** copies the
position or the game as text, or takes another one to play on from. Games that begin in the middle are practice: they
count in no score and are not stored.

**u** takes back a move, a resignation, or a new game that was begun by mistake. **F** resigns. **=** offers a draw,
which a machine accepts unless best play wins for it. **Space** pauses the machine, and lets it go on.

With **i** a save of your own learns while it plays: after each game you see what changed in its memory, and the save is
stored. **T** lets it play 1,000 games without you, at once: against itself if it has learned both sides, else against
a perfect player. A game that was learned from cannot be taken back.
"""
BINDINGS: Final[list[BindingType]] = [
    Binding("n", "new_game", "New game", tooltip="begins a new game"),
    Binding("u", "take_back", "Undo", tooltip="takes back what came last"),
    Binding("h", "hint", "Hint", tooltip="says what to look for; again, the move"),
    Binding("x", "xray", "X-ray", tooltip="shows what it thinks; again, best play"),
    Binding("o", "players", "Opponent", tooltip="chooses the game, and who plays"),
    Binding("d", "debrief", "Debrief", tooltip="goes through the game: what decided it"),
    Binding("s", "swap", "Swap sides", tooltip="changes the sides", show=False),
    Binding("i", "learn", "Learn", tooltip="lets it learn from you, or not", show=False),
    Binding("T", "train_on", "Train on", tooltip="plays 1,000 games, without you", show=False),
    Binding("f", "figures", "Figures", tooltip="shows the exact results, or hides them", show=False),
    Binding("H", "games", "Games", tooltip="lists all your games", show=False),
    Binding("m", "yourself", "You", tooltip="shows your play over time", show=False),
    Binding("y", "bar", "Who is ahead", tooltip="shows who leads; after a game, why", show=False),
    Binding("B", "check", "Blunder check", tooltip="holds bad moves back", show=False),
    Binding("C", "copy", "Copy and paste", tooltip="copies the game, or takes another", show=False),
    Binding("F", "resign", "Resign", tooltip="gives the game up; press it twice", show=False),
    Binding(
        "equals_sign", "offer_draw", "Offer a draw", tooltip="accepted unless it can win", key_display="=", show=False
    ),
    Binding("space", "pause", "Pause", tooltip="stops the machine, or lets it go on", show=False),
    *(Binding(str(digit), f"pick({digit - 1})", show=False, system=True) for digit in range(1, 10)),
]
