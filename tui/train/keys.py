"""The keys of Train: what they are called, what they do, and the page of help about them."""

from typing import Final

from textual.binding import Binding, BindingType

from tui.train.ready_made import READY_KEYS

READY: Final = Binding.Group("Ready made", compact=True)
HELP: Final = f"""\
# Train

Choose what learns, the preset of its rules, its opponent and for how many games or generations, and press **Start**.
Under `settings` single rules can be changed, as in `pick=rounded`. The training is saved in the library under its
name: when it ends, when you pause or stop it, and when you quit; **k** saves it now. It goes on while you look at other
screens.
Against **a person** the learner learns at the board, from the games that you play with it. **A teacher** finds a short
course, after which nobody beats it; the curves compare it with a machine that trains by itself.

The curves show in how many games the learner loses, computed exactly and not played: to perfect play, to random play,
and to the **reader**, which has read its memory and makes it lose as often as possible. **s** shows its other side. The
turning points are numbered on the axis, and listed with their games: **Enter** on one opens the memory at the next
checkpoint. Below are the boxes of the last game, with the beads that their moves have gained or lost. **m** shows the
next chart: exact results, the whole memory, and how it grew.

At the usual pace a training takes about 20 seconds: you see the first games one by one, then tens, thousands and
millions. **>** is faster, up to full speed; **<** is slower, down to single moves. **c** opens the form again: change
its settings, as in `win=5`, and press **Enter** to continue it in two branches. Both train side by side, and both are
saved; **o** shows their losses to another opponent.
Of a population, each gene is a card; its training ends when it is perfect.

One key starts a ready-made training: {", ".join(f"**{key}** {name}" for key, name in READY_KEYS)}.
"""
BINDINGS: Final[list[BindingType]] = [
    Binding("g", "start", "Start", tooltip="starts the training"),
    Binding("space", "pause", "Pause", tooltip="stops the training, or lets it go on"),
    Binding("full_stop", "step", "One step", tooltip="plays one more, then waits", key_display="."),
    Binding("S", "stop", "Stop", tooltip="stops it, and keeps what it has found"),
    Binding("k", "save", "Save", tooltip="saves what it has learned"),
    Binding("c", "change", "Change", tooltip="changes its settings"),
    Binding("m", "chart", "Chart", tooltip="shows the next chart"),
    Binding("s", "side", "Side", tooltip="shows the other side", show=False),
    Binding("o", "opponent", "Opponent", tooltip="shows another opponent", show=False),
    Binding("greater_than_sign", "faster(1)", "Faster", tooltip="goes on faster", key_display=">", show=False),
    Binding("less_than_sign", "faster(-1)", "Slower", tooltip="goes on slower", key_display="<", show=False),
    *(Binding(str(key), f"ready_made({key})", name, group=READY) for key, name in READY_KEYS),
    Binding("escape", "leave", "Back", tooltip="closes the form, or leaves the save", show=False),
]
