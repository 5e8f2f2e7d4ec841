"""What can go wrong with files, told in one or two lines that say what to do."""

import errno
from typing import Final

WHAT_TO_DO: Final = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), "make room and try again"),
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), "allow it and try again"),
    **dict.fromkeys(
        (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG, errno.ELOOP), "choose another name"
    ),
}


def reason(error: OSError) -> str:
    """Why the system refused, and what to do about it."""
    return f"{error.strerror or error}; {WHAT_TO_DO.get(error.errno or 0, 'try again')}"


class LibraryError(Exception):
    """Trouble with the library or another file; the message names the path and is fit for a person."""


class Foreign(LibraryError):
    """What lies there is no library of Noughts, or looks like none."""


class Damaged(LibraryError):
    """The library is damaged; `saves.recovery.recovery` salvages what can still be read."""


class Unsure(LibraryError):
    """Whether a change was kept cannot be known: the disk failed at the very end."""


class NoSuchSave(LibraryError):
    """No save has that name."""


class NoSuchGame(LibraryError):
    """No finished game has that number."""


class NameTaken(LibraryError):
    """Another save, or a brain of the gallery, has that name already."""
