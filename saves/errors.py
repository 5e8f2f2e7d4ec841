"""What can go wrong with files, told in one or two lines that say what to do."""


class LibraryError(Exception):
    """Trouble with the library or another file; the message names the path and is fit for a person."""


class NoSuchSave(LibraryError):
    """No save has that name."""


class NoSuchGame(LibraryError):
    """No finished game has that number."""


class NameTaken(LibraryError):
    """Another save, or a brain of the gallery, has that name already."""
