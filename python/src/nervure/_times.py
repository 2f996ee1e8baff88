"""When observations were made: dates of a data frame, which are no vertices.

What numbers and texts are, the program decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import numpy as np
import numpy.typing as npt

from ._errors import InvalidSignals
from ._stack import warn

Array = npt.NDArray[Any]


@dataclass
class Apart:
    """What a data frame has besides vertices."""

    times: Array | None = None  # of the observations, as datetime64 in UTC, ascending unless in a long table
    columns: list[int] = field(default_factory=list)  # those that are no vertices


def is_frame(X: Any) -> bool:
    """Whether signals are a data frame of pandas or Polars."""
    return all(hasattr(X, name) for name in ("columns", "dtypes", "shape"))


def apart(X: Any, like: Sequence[Any] | None = None, long: bool = False) -> Apart:
    """Find the dates in a data frame: its index, or a column.

    With like, the names of columns that were found to be no vertices before, those are none again, and the times do
    not matter. In a long table, times come once for each sensor.
    """
    found = Apart()
    if not is_frame(X):
        return found
    index = getattr(X, "index", None)
    if like is None and index is not None and is_dated(index):
        found.times = _dates(index)
        if not long:
            found.times = _ascending(found.times, "the index of X", "X.sort_index()")
    for number, name in enumerate(X.columns):
        column = _column(X, number)
        if like is not None:
            if name in like or is_dated(column):
                found.columns.append(number)
        elif is_dated(column):
            found.columns.append(number)
            _take(found, X, name, _dates(column), long)
    return found


def vertices(X: Any, found: Apart) -> Any:
    """A data frame without the columns that are no vertices."""
    if not found.columns:
        return X
    kept = sorted(set(range(len(X.columns))) - set(found.columns))
    return X.iloc[:, kept] if hasattr(X, "iloc") else X[:, kept]


def _take(found: Apart, X: Any, name: Any, times: Array, long: bool) -> None:
    """Make the times of a column those of the observations, if they are the first."""
    if found.times is not None:
        warn(f"column {name!r} holds dates or times and is left out: other times are known")
        return
    sort = f"X.sort_values({name!r})" if hasattr(X, "sort_values") else f"X.sort({name!r})"
    found.times = times if long else _ascending(times, f"column {name!r}", sort)


def _ascending(times: Array, what: str, sort: str) -> Array | None:
    """Refuse times that go back; those that are not all there are none."""
    lacking = np.flatnonzero(np.isnat(times))
    if len(lacking):
        warn(f"{what} has no time for observation {lacking[0] + 1}: the times are left out")
        return None
    back = np.flatnonzero(times[1:] < times[:-1])
    if len(back):
        raise InvalidSignals(f"{what} goes back in time after observation {back[0] + 1}: sort it first, with {sort}")
    return times


def _column(X: Any, number: int) -> Any:
    return X.iloc[:, number] if hasattr(X, "iloc") else X[:, number]


def is_dated(column: Any) -> bool:
    """Whether a column, or an index, holds days or moments."""
    kind, name = getattr(column.dtype, "kind", ""), str(column.dtype)
    if kind == "O" and name == "object":
        return any(isinstance(value, (date, np.datetime64)) for value in column) and all(
            isinstance(value, (date, np.datetime64)) or value is None or value != value for value in column
        )
    return kind == "M" or name.startswith(("Date", "period", "date", "timestamp"))


def _dates(column: Any) -> Array:
    """The times of a column, or an index, in UTC; those without a zone are taken for it."""
    if not hasattr(column, "to_period") and not hasattr(column, "to_timestamp"):  # as pandas has them
        return np.asarray(column.to_numpy())  # of Polars, which keeps UTC
    import pandas as pd

    if str(column.dtype).startswith("period"):
        column = pd.PeriodIndex(column).to_timestamp()
    return np.asarray(pd.DatetimeIndex(pd.to_datetime(pd.Index(column), utc=True)).tz_localize(None))
