"""The line of keys at the bottom."""

from textual.widgets import Footer


class KeyLine(Footer):
    """The keys that can be pressed now, made anew only when they are others: Textual would at each change of focus."""

    _shown: object = None

    async def recompose(self) -> None:
        if not self.is_attached:
            return
        keys = [
            (active.binding, active.enabled, active.tooltip)
            for active in self.screen.active_bindings.values()
            if active.binding.show
        ]
        if keys != self._shown:
            self._shown = keys
            await super().recompose()
