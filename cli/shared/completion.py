"""What a shell completes: learners, presets, players, papers and saves. Imports nothing heavy until a shell asks.

Each function is a `shell_complete` of click: it returns what an argument that begins with `typed` can be.
"""

from collections.abc import Iterator, Mapping

import click
from click.shell_completion import CompletionItem

from cli.shared.common import chosen_library_path


def complete_learner(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    from learners import LEARNERS

    return _matching(typed, {kind.spec.name: kind.spec.summary for kind in LEARNERS})


def complete_preset(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Return the presets of the learner that was typed before; of all learners if none was."""
    from learners import LEARNERS

    learner = context.params.get("learner")
    presets = {name for kind in LEARNERS if learner in (None, kind.spec.name) for name in kind.spec.presets}
    return _matching(typed, dict.fromkeys(sorted(presets)))


def complete_paper(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    from learners.papers import PAPERS

    return _matching(typed, {paper.name: paper.source.title for paper in PAPERS})


class SaveName(click.ParamType):  # type: ignore[type-arg]  # not generic in click 8.1
    """The name of a save, also where it is written as the label of a player, `save:NAME`."""

    name = "save"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        del param, ctx
        return value.removeprefix("save:")

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        del param
        return _matching(incomplete, dict.fromkeys(_save_names(ctx)))


def complete_player(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    from learners import PLAYERS
    from learners.core.save_ref import SaveRef

    labels = [*(kind.label for kind in PLAYERS), *(SaveRef(name).label for name in _save_names(context))]
    return _matching(typed, dict.fromkeys(labels))


def complete_entrant(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    from learners import LEARNERS

    labels = [kind.spec.label(preset) for kind in LEARNERS for preset in kind.spec.presets]
    return [*_matching(typed, dict.fromkeys(labels)), *complete_player(context, parameter, typed)]


def _matching(typed: str, words: Mapping[str, str | None]) -> list[CompletionItem]:
    return [CompletionItem(word, help=about) for word, about in words.items() if word.startswith(typed)]


def _save_names(context: click.Context) -> Iterator[str]:
    """Yield the names of the saves; none if the library cannot be read: a shell has no place for an error."""
    from saves.errors import LibraryError
    from saves.library.library import Library

    try:
        with context.scope():
            library = Library(chosen_library_path())
        yield from (entry.name for entry in library.entries())
    except LibraryError:
        return
