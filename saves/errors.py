"""What can go wrong with files, told in one or two lines that say what to do."""


class LibraryError(Exception):
    """Trouble with the library or another file; the message names the path and is fit for a person."""


class NoSuchSave(LibraryError):  # noqa: N818 -- it says what is the matter; "Error" would add nothing
    """No save has that name."""


class NameTaken(LibraryError):  # noqa: N818 -- likewise
    """Another save, or a brain of the gallery, has that name already."""
