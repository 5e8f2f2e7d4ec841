"""What a shell completes: learners, presets, players, papers and saves. Imports nothing heavy until a shell asks.

Each function is a `shell_complete` of click: it returns what an argument that begins with `typed` can be.
"""

from collections.abc import Iterator

import click
from click.shell_completion import CompletionItem

from cli.shared.common import chosen_library_path


def complete_learner(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    from learners import LEARNERS

    found = [CompletionItem(kind.spec.name, help=kind.spec.summary) for kind in LEARNERS]
    return [item for item in found if item.value.startswith(typed)]


def complete_preset(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Return the presets of the learner that was typed before; of all learners if none was."""
    from learners import LEARNERS

    chosen = context.params.get("learner")
    presets = {name for kind in LEARNERS if chosen in (None, kind.spec.name) for name in kind.spec.presets}
    return [CompletionItem(name) for name in sorted(presets) if name.startswith(typed)]


def complete_paper(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    from learners.papers import PAPERS

    found = [CompletionItem(paper.name, help=paper.source.title) for paper in PAPERS]
    return [item for item in found if item.value.startswith(typed)]


def complete_save(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in _save_names(context) if name.startswith(typed)]


def complete_player(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    from learners import PLAYERS
    from learners.core.save_ref import SaveRef

    known = [*(kind.label for kind in PLAYERS), *(SaveRef(name).label for name in _save_names(context))]
    return [CompletionItem(label) for label in known if label.startswith(typed)]


def complete_entrant(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Return learners with their presets, and players."""
    from learners import LEARNERS

    machines = [kind.spec.label(preset) for kind in LEARNERS for preset in kind.spec.presets]
    found = [CompletionItem(text) for text in machines if text.startswith(typed)]
    return [*found, *complete_player(context, parameter, typed)]


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
