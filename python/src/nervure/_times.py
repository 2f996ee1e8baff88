"""When observations were made: times of a data frame, which are no vertices."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import numpy as np
import numpy.typing as npt

from ._errors import InvalidSignals, NervureWarning
from ._stack import outside

Array = npt.NDArray[Any]

# The words that names of columns of times consist of, as the program reads them in tables; those in
# SURE are enough by themselves.
SURE = {
    "time", "times", "timestamp", "timestamps", "date", "datetime", "dates", "epoch", "ts", "t", "unix", "unixtime",
    "posix", "posixtime", "epochtime", "zeit", "datum", "zeitstempel", "uhrzeit", "localtime",
}  # fmt: skip
BESIDE = {
    "utc", "gmt", "cet", "local", "stamp", "since", "1970", "s", "sec", "secs", "second", "seconds", "ms", "msec",
    "milliseconds", "us", "µs", "usec", "ns", "min", "minutes", "h", "hours", "days", "of", "at", "recorded",
    "measured", "measurement", "observation", "sampling", "sample", "start", "begin", "index",
}  # fmt: skip
LEAST_EVEN, LEAST_UNEVEN = 5, 10  # fewer numbers may rise by chance
EPOCHS = tuple(np.datetime64(f"{year}-01-01", "s").astype(np.int64) for year in (1980, 2100))


@dataclass
class Apart:
    """What a data frame has besides vertices."""

    times: Array | None = None  # of the observations, as datetime64 in UTC, ascending
    columns: list[int] = field(default_factory=list)  # those that are no vertices


def is_frame(X: Any) -> bool:
    """Whether signals are a data frame of pandas or Polars."""
    return all(hasattr(X, name) for name in ("columns", "dtypes", "shape"))


def apart(X: Any, like: Sequence[Any] | None = None) -> Apart:
    """Find the times in a data frame: its index, or a column.

    With like, the names of columns that were found to be no vertices before, those are none again, and the times do
    not matter.
    """
    found = Apart()
    if not is_frame(X):
        return found
    index = getattr(X, "index", None)
    if like is None and index is not None and _is_dated(index):
        found.times = _ascending(_dates(index), "the index of X", "X.sort_index()")
    for number, name in enumerate(X.columns):
        column = _column(X, number)
        if like is not None:
            if name in like or _is_dated(column):
                found.columns.append(number)
        elif _is_dated(column):
            found.columns.append(number)
            _take(found, X, name, _dates(column))
        elif says_time(name) and _is_number(column.dtype) and len(X.columns) > 1:
            times, is_label = numbers_as_times(_floats(column))
            if times is not None:
                found.columns.append(number)
                _take(found, X, name, times)
            elif is_label and len(X.columns) > 2:
                found.columns.append(number)
                _warn(f"column {name!r} only rises or only falls and is left out: rename it if it is a vertex")
    return found


def vertices(X: Any, found: Apart) -> Any:
    """A data frame without the columns that are no vertices."""
    if not found.columns:
        return X
    kept = sorted(set(range(len(X.columns))) - set(found.columns))
    return X.iloc[:, kept] if hasattr(X, "iloc") else X[:, kept]


def _take(found: Apart, X: Any, name: Any, times: Array) -> None:
    """Make the times of a column those of the observations, if they are the first."""
    if found.times is not None:
        _warn(f"column {name!r} holds dates or times and is left out: other times are known")
        return
    sort = f"X.sort_values({name!r})" if hasattr(X, "sort_values") else f"X.sort({name!r})"
    found.times = _ascending(times, f"column {name!r}", sort)


def _ascending(times: Array, what: str, sort: str) -> Array | None:
    """Refuse times that go back; those that are not all there are none."""
    lacking = np.flatnonzero(np.isnat(times))
    if len(lacking):
        _warn(f"{what} has no time for observation {lacking[0] + 1}: the times are left out")
        return None
    back = np.flatnonzero(times[1:] < times[:-1])
    if len(back):
        raise InvalidSignals(f"{what} goes back in time after observation {back[0] + 1}: sort it first, with {sort}")
    return times


def _warn(words: str) -> None:
    warnings.warn(words, NervureWarning, stacklevel=outside())


def _column(X: Any, number: int) -> Any:
    return X.iloc[:, number] if hasattr(X, "iloc") else X[:, number]


def _is_dated(column: Any) -> bool:
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


# ---- numbers


def says_time(name: Any) -> bool:
    """Whether a name is that of a column of times, such as "time" or "Timestamp (UTC)"; "travel time" is not."""
    words = re.findall(r"[^\W_]+", name.lower()) if isinstance(name, str) else []
    return all(word in SURE | BESIDE for word in words) and any(word in SURE for word in words)


def numbers_as_times(values: Array) -> tuple[Array | None, bool]:
    """The times that numbers stand for, None if for none, and whether they are labels at least."""
    times = _compact_dates(values)
    if times is None:
        times = _epochs(values)
    return times, times is not None or _is_monotone(values)


def _epochs(values: Array) -> Array | None:
    """Numbers as seconds, milli-, micro- or nanoseconds since 1970, if they are of the years 1980 to 2099."""
    for per_second in (1, 10**3, 10**6, 10**9):
        seconds = values / per_second
        if len(values) and np.all((seconds >= EPOCHS[0]) & (seconds < EPOCHS[1])):
            return np.round(seconds * 1e6).astype(np.int64).astype("M8[us]")
    return None


def _compact_dates(values: Array) -> Array | None:
    """Whole numbers such as 20240131, 2024013113, 202401311305 or 20240131130559 as times, all of one length."""
    if not len(values) or not np.all(values == np.trunc(values)):
        return None
    for missing in (10**6, 10**4, 10**2, 1):  # of the digits down to the second
        if not np.all((values * missing >= 1800e10) & (values * missing < 2200e10)):
            continue
        digits = [f"{int(value) * missing:014d}" for value in values]
        try:
            return np.array([f"{d[:4]}-{d[4:6]}-{d[6:8]}T{d[8:10]}:{d[10:12]}:{d[12:]}" for d in digits], dtype="M8[s]")
        except ValueError:  # there is no such day or hour
            return None
    return None


def _is_monotone(values: Array) -> bool:
    """Whether numbers only rise, or only fall, and are enough for that not to be by chance."""
    if len(values) < LEAST_EVEN:
        return False
    steps = np.diff(values)
    if not np.all(steps * steps[0] > 0):
        return False
    return len(values) >= LEAST_UNEVEN or bool(np.all(np.abs(steps - steps[0]) <= 1e-3 * abs(steps[0])))


def _is_number(dtype: Any) -> bool:
    """Whether a column of a type holds numbers."""
    is_numeric = getattr(dtype, "is_numeric", None)  # of Polars
    return bool(is_numeric()) if callable(is_numeric) else getattr(dtype, "kind", "") in "iuf"


def _floats(column: Any) -> Array:
    """Numbers of a column, NaN where they are missing."""
    if hasattr(column, "iloc"):
        return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan))
    return np.asarray(column.to_numpy(), dtype=np.float64)
