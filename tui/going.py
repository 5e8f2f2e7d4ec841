"""An app whose screens may close while they open, and which may end meanwhile."""

from textual._context import active_message_pump
from textual.app import App
from textual.widget import Widget


class EndsAnytime(App[None]):
    """Textual 8.2.8 tells a widget that goes, as all do when the app ends, to set up parts that it never gave it.

    Whatever then fails would end the app as a failure.
    """

    def _handle_exception(self, error: Exception) -> None:
        node = active_message_pump.get(None)
        if not (isinstance(node, Widget) and not node.is_mounted and self._goes(node)):
            super()._handle_exception(error)

    def _goes(self, node: Widget) -> bool:
        return self._exit or any(each._closing or each._pruning for each in node.ancestors_with_self)  # noqa: SLF001  nothing else tells
