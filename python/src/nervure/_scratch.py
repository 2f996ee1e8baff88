"""Where the files lie that the package and the program exchange."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path
from types import TracebackType

from ._errors import NervureError

PREFIX = "nervure-"
UNWRITABLE = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EROFS, errno.EACCES, errno.EIO, errno.EFBIG)
SHARED = Path("/dev/shm")  # memory that looks like a disk, on Linux
SMALL = 1 << 26  # bytes of signals that go there; larger ones would be a second copy in memory
RESULTS = 8  # times the signals that results may take
SPARE = 1 << 24


class Scratch:
    """A directory of its own, removed with all that is in it at the end of the context."""

    def __init__(self, size: int = 0) -> None:
        shared = SHARED if size <= SMALL and _has_room(RESULTS * size + SPARE) else None
        try:
            self._held = tempfile.TemporaryDirectory(prefix=PREFIX, dir=shared, ignore_cleanup_errors=True)
        except OSError as fault:
            raise NervureError(f"there is no directory for temporary files: {fault}") from fault

    def __enter__(self) -> Path:
        return Path(self._held.__enter__())

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._held.__exit__(kind, fault, trace)
        if isinstance(fault, OSError) and fault.errno in UNWRITABLE:
            raise NervureError(
                f"temporary files cannot be written to {Path(self._held.name).parent}: {fault.strerror}; "
                "the environment variable TMPDIR names another directory"
            ) from fault


def is_scratch(path: str) -> bool:
    """Whether a file lies in such a directory."""
    return os.path.basename(os.path.dirname(path)).startswith(PREFIX)


def _has_room(size: int) -> bool:
    """Whether shared memory has room, and the user has not named another place."""
    if any(os.environ.get(name) for name in ("TMPDIR", "TEMP", "TMP")) or not os.access(SHARED, os.W_OK | os.X_OK):
        return False
    there = os.statvfs(SHARED)
    return there.f_bavail * there.f_frsize >= size
