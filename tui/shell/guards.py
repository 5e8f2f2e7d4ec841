"""An app whose screens may be left at any moment, also while they open, and which may end meanwhile."""

import traceback
from collections.abc import Awaitable, Callable
from typing import TypeVar, cast

from rich.text import Text
from textual._context import active_message_pump
from textual.errors import NoWidget
from textual.events import Event, MouseDown, MouseEvent, MouseMove
from textual.widget import Widget

from lab.words.sanitise import showing
from tui.shell.garbage import Tidy

Result = TypeVar("Result")


def goes(node: Widget) -> bool:
    """Whether it is about to be gone, as all is when the app ends: parts of it may be so already."""
    return node.app._exit or any(each._closing or each._pruning for each in node.ancestors_with_self)  # noqa: SLF001  nothing else tells


class EndsAnytime(Tidy):
    """What happens to a widget that goes, as all do when the app ends, is no failure.

    Textual 8.2.8 tells such a one to set up parts that it never gave it; and threads come back to it with what they
    have found.
    """

    @property
    def ends(self) -> bool:
        """Whether it is about to."""
        return self._exit

    def _handle_exception(self, error: Exception) -> None:
        node = active_message_pump.get(None)
        if not (isinstance(node, Widget) and not node.is_mounted and goes(node)):
            super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """Tell what broke without the values of variables: Textual 8.2.8 stands still where one cannot be told."""
        told = "\n".join(map(showing, traceback.format_exc().splitlines()))
        self.panic(Text(f"{told}\nA fault of Noughts. What was learned is kept, unless a line below says no."))

    async def on_event(self, event: Event) -> None:
        """Take the mouse from what holds it by no button, or can no more: Textual 8.2.8 would send every click there.

        A bar that is clicked fast holds it only once the button is up again; of one that goes up elsewhere nobody
        hears.
        """
        holder = self.mouse_captured
        if isinstance(event, MouseEvent) and not event.is_forwarded and holder is not None:
            anew = isinstance(event, MouseDown) or (isinstance(event, MouseMove) and not event.button)
            if anew or not self._takes_mouse(holder):
                self.capture_mouse(None)
        await super().on_event(event)

    def _takes_mouse(self, widget: Widget) -> bool:
        """Whether it is on this screen, shown, and enabled."""
        try:
            self.screen.find_widget(widget)
        except NoWidget:
            return False
        return widget.is_attached and not widget.is_disabled

    def call_from_thread(
        self, callback: Callable[..., Result | Awaitable[Result]], *args: object, **kwargs: object
    ) -> Result:
        """Call it in the thread of the screen, and wait for its result: `None` where it belongs to what goes."""
        owner = getattr(callback, "__self__", None)

        def call() -> Result | Awaitable[Result]:
            gone = isinstance(owner, Widget) and goes(owner)
            return cast("Result", None) if gone else callback(*args, **kwargs)

        return super().call_from_thread(call)
