"""Where a warning points to."""

from __future__ import annotations

import sys


def outside() -> int:
    """How far up the caller outside of this package is, for warnings."""
    frame, level = sys._getframe(1), 1
    within = ("nervure.", "sklearn.utils._set_output")  # scikit-learn wraps transform
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(within):
        frame, level = frame.f_back, level + 1
    return level
