"""Errors of files. Each message is one or two lines for a person, and says what to do."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

WHAT_TO_DO: Final = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), "free some space and try again"),
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), "change the permissions and try again"),
    **dict.fromkeys(
        (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG, errno.ELOOP),
        "check the name, or choose another",
    ),
}
"""What a person can do about a system error, by its number in `errno`."""
UNCHANGED: Final = ". Nothing was changed"


def reason(error: OSError) -> str:
    """Return the reason why the system refused an operation, and what to do about it."""
    return f"{error.strerror or error}; {WHAT_TO_DO.get(error.errno or 0, 'try again')}"


class LibraryError(Exception):
    """A problem with the library or another file. The message contains the path."""


@contextmanager
def file_errors(failure: str, after: str = "") -> Iterator[None]:
    """Translate errors of the system in the block to `LibraryError`: what failed, the reason, and then `after`."""
    try:
        yield
    except OSError as error:
        raise LibraryError(f"{failure}: {reason(error)}{after}") from error


class NotALibrary(LibraryError):
    """The file is not a library of Noughts, or too damaged to be recognized as one."""


class Damaged(LibraryError):
    """The library is damaged. `saves.library.recovery` replaces it by its newest backup and what can still be read."""


class CommitUnknown(LibraryError):
    """The disk failed during a commit, or the file was replaced: the change may or may not be in the library."""


class NoSuchSave(LibraryError):
    """No save has this name."""


class NoSuchGame(LibraryError):
    """No finished game has this number."""


class NameTaken(LibraryError):
    """Another save, possibly one of the gallery, already has this name."""
