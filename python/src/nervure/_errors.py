"""What can go wrong, and what is doubtful."""

from __future__ import annotations


class NervureError(RuntimeError):
    """The program failed: the disk is full, or there is a bug."""


class ProgramNotFound(NervureError, FileNotFoundError):  # noqa: N818
    """The program nervure is missing."""


class InvalidSignals(ValueError):  # noqa: N818
    """The signals or an option cannot be used. The message is the program's sentence."""


class NervureWarning(UserWarning):
    """Something is doubtful about a learned graph."""
