"""The rules of style, read once: Textual 8.2.8 reads those of every widget anew for each screen that opens.

It also makes the nodes that stand for the parts of a widget anew whenever a rule may have changed, and each is garbage
in a loop: of a hundred keys 2 MB, of screens that are left aside.
"""

from typing import Final

from textual.cache import LRUCache
from textual.css.model import RuleSet
from textual.css.styles import RulesMap
from textual.css.stylesheet import Stylesheet
from textual.css.types import CSSLocation
from textual.dom import DOMNode

Source = tuple[str, CSSLocation, bool, int, str]
Sources = LRUCache[Source, list[RuleSet]]
MOST_SOURCES: Final = 1024
MOST_THEMES: Final = 3
"""A person who goes through all themes needs the rules of the last few."""
READ: Final[LRUCache[frozenset[tuple[str, str]], Sources]] = LRUCache(MOST_THEMES)
"""What has been read so far, by the variables that stood for the colours."""


class Rule(RuleSet):
    """A rule known by itself, as it was, but without a call: for each widget every rule is looked for in a set."""

    __hash__ = object.__hash__


def _read(variables: dict[str, str]) -> Sources:
    key = frozenset(variables.items())
    if key not in READ:
        READ[key] = LRUCache(MOST_SOURCES)
    return READ[key]


class ReadOnce(Stylesheet):
    """A style sheet that shares what it reads with its copies, and with those of later apps."""

    def __init__(self, *, variables: dict[str, str] | None = None) -> None:
        super().__init__(variables=variables)
        self._read = _read(self._variables)

    def copy(self) -> Stylesheet:
        copied = ReadOnce(variables=self._variables.copy())
        copied.source = self.source.copy()
        return copied

    def set_variables(self, variables: dict[str, str]) -> None:
        super().set_variables(variables)
        self._read = _read(variables)

    def reparse(self) -> None:
        """Take what has been read under the variables of today; where something is wrong, all stays as it was."""
        self.parse()

    @classmethod
    def replace_rules(cls, node: DOMNode, rules: RulesMap, animate: bool = False) -> None:  # noqa: FBT001, FBT002
        """Give a widget its rules, each by itself, but only where it had others: mostly it had the same."""
        if node.styles.base._rules == rules:  # noqa: SLF001  all else copies them
            node.notify_style_update()
        else:
            super().replace_rules(node, rules, animate)

    def _process_component_classes(self, node: DOMNode) -> None:
        """Give the parts of a widget their rules, but keep the nodes that stand for them: each is a loop of its own."""
        parts, changed = node._component_styles, False  # noqa: SLF001  as all that is called here
        for name in sorted(node._get_component_classes()):  # noqa: SLF001
            part = parts[name].base.node if name in parts else None
            before = None
            if part is None:
                part = DOMNode(classes=name)
                part._attach(node)  # noqa: SLF001
            else:
                before = part.styles.base.get_rules()
            self.apply(part, animate=False)
            parts[name] = part.styles
            changed = changed or part.styles.base.get_rules() != before
        if changed:
            node.refresh()

    def _parse_rules(
        self,
        css: str,
        read_from: CSSLocation,
        is_default_rules: bool = False,  # noqa: FBT001, FBT002  as Textual has it
        tie_breaker: int = 0,
        scope: str = "",
    ) -> list[RuleSet]:
        source = (css, read_from, is_default_rules, tie_breaker, scope)
        if source not in self._read:
            self._read[source] = [Rule(**vars(rule)) for rule in super()._parse_rules(*source)]
        return self._read[source]
