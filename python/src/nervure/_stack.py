"""Warnings: where they point to, and how often they are given."""

from __future__ import annotations

import sys
import warnings

from ._errors import NervureWarning

_given: set[str] = set()


def warn(sentence: str) -> None:
    """Warn about a graph or its signals: of each thing once, as fits in a loop or a search say the same.

    If the user has a filter for such warnings, that filter decides how often.
    """
    if not _is_filtered(sentence):
        if sentence in _given:
            return
        _given.add(sentence)
    warnings.warn(sentence, NervureWarning, stacklevel=outside())


def _is_filtered(sentence: str) -> bool:
    return any(
        issubclass(NervureWarning, category) and (message is None or message.match(sentence))
        for _, message, category, _, _ in warnings.filters
    )


def outside() -> int:
    """How far up the caller outside of this package is, for warnings."""
    frame, level = sys._getframe(1), 1
    within = ("nervure.", "sklearn.utils._set_output")  # scikit-learn wraps transform
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(within):
        frame, level = frame.f_back, level + 1
    return level
