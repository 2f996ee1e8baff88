"""Signals as Python has them, and the files that the program reads them from."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from datetime import time as clock
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ._errors import InvalidSignals
from ._times import Apart, apart, is_dated, is_frame, vertices

CHUNK = 1 << 23  # bytes that are converted or copied at a time
COMPARED = 32  # lines of a file that are compared with those mapped, the first and the last among them

Array = npt.NDArray[Any]


@dataclass
class Signals:
    """Signals as they were given: rows are observations, columns are vertices."""

    values: Array  # two dimensions of numbers, in any order and precision
    names: list[str] | None  # of the vertices
    mask: Array | None = None  # true where a value is missing
    columns: list[Any] | None = None  # of the data frame that are numbers, as they are called there
    left_out: list[Any] = field(default_factory=list)  # its columns that are no vertices
    times: Array | None = None  # of the observations, in UTC and ascending
    texts: dict[int, tuple[str, list[str]]] = field(default_factory=dict)  # columns of texts, by their places
    is_table: bool = False  # a data frame whose columns have names
    may_be_long: bool = False  # a table that may have a row for each value
    rows: list[str] = field(default_factory=list)  # names in the index of a data frame whose columns have none

    @property
    def shape(self) -> tuple[int, int]:
        """Number of observations and of vertices."""
        rows, columns = self.values.shape
        return rows, columns

    @property
    def size(self) -> int:
        """Bytes of a file of the signals."""
        return (20 if self.is_table else 8) * self.values.size

    def write(self, directory: Path) -> dict[str, Any]:
        """Write the signals to a file, and return what a document says about reading it.

        A data frame becomes a table with a header: what its columns are is for the program to decide, as in a file.
        """
        if self.is_table:
            path = directory / "signals.csv"
            self._write_table(path, with_times=self.may_be_long)
            return {"files": [str(path)], **({} if self.may_be_long else self._write_times(directory))}
        path, names = self.write_array(directory)
        return {"files": [str(path)], **({"names": str(names)} if names else {}), **self._write_times(directory)}

    def write_array(self, directory: Path) -> tuple[Path, Path | None]:
        """Return a file of the signals as an array, and one of the names of the vertices, if they have any."""
        path = _file_behind(self.values) if self.mask is None else None
        if path is None:
            path = directory / "signals.npy"
            write_npy(path, self.values, self.mask)
        return path, None if self.names is None else write_names(directory, self.names)

    def write_alone(self, directory: Path, stem: str) -> Path:
        """Write the signals to a single file, with their names and times in it if they have any."""
        if not (self.is_table or self.names or self.times is not None):
            path = directory / f"{stem}.npy"
            write_npy(path, self.values, self.mask)
            return path
        path = directory / f"{stem}.csv"
        self._write_table(path, with_times=True)
        return path

    def _write_table(self, path: Path, with_times: bool = False) -> None:
        names = list(self.labels)
        columns = dict(self.texts)
        if with_times and self.times is not None:
            moved = {place + 1: column for place, column in columns.items()}
            times = np.where(np.isnat(self.times), "", np.datetime_as_string(self.times)).tolist()
            columns = {0: ("time", times), **moved}
        texts = {place: iter(cells) for place, (_, cells) in sorted(columns.items())}
        for place in texts:
            names.insert(place, columns[place][0])
        step = max(1, CHUNK // (64 * self.values.shape[1]))
        # The mark of UTF-8 is for the program to take off: one that begins a name is a part of it.
        with open(path, "w", encoding="utf-8-sig", newline="") as file:
            file.write(",".join(map(_quoted, names)) + "\n")
            for start in range(0, len(self.values), step):
                for row in self.floats(start=start, stop=start + step).tolist():
                    cells = ["" if value != value else repr(value) for value in row]
                    for place, column in texts.items():
                        cells.insert(place, next(column))
                    file.write(",".join(cells) + "\n")

    def _write_times(self, directory: Path) -> dict[str, str]:
        """Write the times of the observations, if they are known."""
        if self.times is None:
            return {}
        listed = directory / "times.txt"
        listed.write_text("".join(f"{time}\n" for time in np.datetime_as_string(self.times)), newline="\n")
        return {"times": str(listed)}

    @property
    def labels(self) -> list[str]:
        """The names of the vertices, as the program makes them up if there are none."""
        return self.names or [f"v{k}" for k in range(self.values.shape[1])]

    def floats(self, offset: float | None = None, start: int = 0, stop: int | None = None) -> npt.NDArray[np.float64]:
        """A copy of some signals, NaN where values are missing; with an offset, logarithms of what is that much more."""
        values = self.values[start:stop].astype(np.float64)
        if self.mask is not None:
            values[self.mask[start:stop]] = np.nan
        if offset is None:
            return values
        moved = values + offset
        refused = np.argwhere(moved <= 0)
        if len(refused):
            row, column = refused[0]
            added, what = (
                ("", "add an offset to every value first") if offset == 0 else (f" + {offset:g}", "use a larger offset")
            )
            raise InvalidSignals(
                f'log: vertex "{self.labels[column]}", observation {row + 1}: '
                f"{float(values[row, column])!r}{added} has no logarithm: {what} (log_offset)"
            )
        return np.log(moved)


@dataclass
class File:
    """A file of signals, which the program reads."""

    path: str
    names: list[str] | None = None
    size: int = 0  # of what has to be written

    def write(self, directory: Path) -> dict[str, Any]:
        """Return what a document says about reading the file."""
        if self.names is None:
            return {"files": [self.path]}
        return {"files": [self.path], "names": str(write_names(directory, self.names))}

    @property
    def labels(self) -> list[str]:
        """The names of the vertices."""
        if self.names is None:
            raise InvalidSignals("the names of the vertices are in the file: give a known graph as a file as well")
        return self.names


def write_names(directory: Path, names: list[str]) -> Path:
    """Write the names of vertices to a file."""
    _check_names(names)
    listed = directory / "names.txt"
    # The mark of UTF-8 is for the program to take off: one that begins a name is a part of it.
    listed.write_text("".join(f"{name}\n" for name in names), encoding="utf-8-sig", newline="\n")
    return listed


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def as_signals(
    X: Any, names: Sequence[str] | None = None, who: str = "nervure", left_out: Sequence[Any] | None = None
) -> Signals:
    """Understand arrays, data frames, masked arrays and nested lists.

    New signals, whose times do not matter, leave those columns out that were left out before.
    """
    if hasattr(X, "tocsr") or type(X).__module__.startswith(("scipy.sparse", "sparse.")):
        raise TypeError("sparse data was passed, but signals are dense: use X.toarray() to convert it to a dense array")
    if X is None:
        raise InvalidSignals("X is None: want an array or a data frame, rows are observations and columns are vertices")
    headed = is_frame(X) and left_out is None and names is None and _is_header(X.columns)
    may_be_long = headed and _may_be_long(X)
    besides = apart(X, left_out, may_be_long)
    dropped = [list(X.columns)[number] for number in besides.columns]
    X = vertices(X, besides)
    texts: dict[int, tuple[str, list[str]]] = {}
    if headed:
        texts = _texts(X)
        X = vertices(X, Apart(columns=list(texts)))
        dropped += [name for name, _ in texts.values()]
    columns = column_names(X)
    labels = list(X.columns) if is_frame(X) else None
    mask = np.ma.getmask(X) if isinstance(X, np.ma.MaskedArray) else np.ma.nomask
    values = _numbers(X)
    if values.ndim != 2:
        hint = ""
        if values.ndim == 1:
            hint = " Reshape your data: X.reshape(1, -1) is a single signal."
        elif values.ndim == 3:
            hint = " learn_graphs takes recordings of several subjects, of shape (subjects, observations, vertices)."
        raise InvalidSignals(
            f"Expected 2D array, got {('scalar' if values.ndim == 0 else f'{values.ndim}D')} array instead.{hint}"
        )
    rows, count = values.shape
    if rows == 0:
        raise InvalidSignals(
            f"Found array with 0 sample(s) (shape={values.shape}) while a minimum of 1 is required by {who}."
        )
    if count == 0:
        raise InvalidSignals(
            f"Found array with 0 feature(s) (shape={values.shape}) while a minimum of 1 is required by {who}."
        )
    if names is not None:
        try:
            columns = [str(name) for name in names]
        except TypeError as fault:
            raise InvalidSignals(f"names: got {names!r}, want a list of strings") from fault
        if len(columns) != count:
            raise InvalidSignals(f"there are {len(columns)} names and {count} columns of signals")
    if columns is not None:
        _check_names(columns)
    given = None if mask is np.ma.nomask else np.asarray(mask)
    is_table = headed and count + len(texts) > 1 and _is_header(labels or [])
    times = besides.times
    may_be_long = is_table and may_be_long and times is not None and not bool(np.all(times[1:] > times[:-1]))
    called = _row_names(X, labels)
    return Signals(values, columns, given, labels, dropped, times, texts, is_table, may_be_long, called)


WIDE = 4  # times as many columns as rows look as if they were observations


def transposed(signals: Signals | File) -> str | None:
    """What to say of signals that look as if vertices were in rows, if they do."""
    if isinstance(signals, File):
        return None  # the program looks at it
    rows, columns = signals.shape
    listed = ", ".join(map(str, signals.rows[:2])) if signals.rows else ""
    if columns <= rows or not (columns >= WIDE * rows or listed):
        return None
    called = f" (called {listed}, …)" if listed else ""
    return (
        f"X has {rows} rows{called} and {columns} columns, and rows are observations, columns are vertices: "
        "if vertices are in rows, pass X.T"
    )


def _row_names(X: Any, columns: list[Any] | None) -> list[str]:
    """The names in the index of a data frame whose columns are only numbered or dated."""
    if columns is None or any(isinstance(name, str) and _is_text(name) for name in columns):
        return []
    index = list(getattr(X, "index", ()))
    return index if index and all(isinstance(name, str) and _is_text(name) for name in index) else []


def _is_header(names: Iterable[Any]) -> bool:
    """Whether names of columns are the header of a table, which they are not if all are numbers."""
    return all(isinstance(name, str) and name == name.strip() for name in names) and any(map(_is_text, names))


def _is_text(name: str) -> bool:
    try:
        float(name.replace(",", "."))
    except ValueError:
        return True
    return False


def _may_be_long(X: Any) -> bool:
    """Whether a data frame may have times, sensors and a row for each value, which the program decides."""
    columns = [X.iloc[:, number] if hasattr(X, "iloc") else X[:, number] for number in range(len(X.columns))]
    sensor_and_value = 2
    return sum(not is_dated(column) and _kind(column) is None for column in columns) <= sensor_and_value


def _texts(X: Any) -> dict[int, tuple[str, list[str]]]:
    """The columns of texts of a data frame by their places, as cells of a table."""
    found = {}
    for number, name in enumerate(X.columns):
        column = X.iloc[:, number] if hasattr(X, "iloc") else X[:, number]
        if _kind(column) == "texts":
            cells = ["" if value is None or value != value else _quoted(str(value)) for value in column.to_list()]
            found[number] = (name, cells)
    return found


def _check_names(names: list[str]) -> None:
    """Refuse names that vertices cannot have."""
    seen: set[str] = set()
    for number, name in enumerate(names):
        if name in seen:
            raise InvalidSignals(f"two columns are called {name!r}: rename one")
        seen.add(name)
        if not name.strip():
            raise InvalidSignals(f"column {number} has no name: name every column, or none")
        if "\n" in name or "\r" in name:
            raise InvalidSignals(f"the name {name!r} of a vertex has a line break in it")
        try:
            name.encode()
        except UnicodeEncodeError as fault:
            raise InvalidSignals(f"the name {name!r} of a vertex is not valid Unicode") from fault


def column_names(X: Any) -> list[str] | None:
    """The names of a data frame's columns, or None if they are only numbered."""
    columns = getattr(X, "columns", None)
    if columns is None or not hasattr(X, "shape"):
        return None
    return names_of(columns)


def names_of(index: Iterable[Any]) -> list[str] | None:
    """The names in an index of a data frame, or None if they are only numbers."""
    listed = list(index)
    if listed == list(range(len(listed))):
        return None
    return [
        name if isinstance(name, str) else " ".join(map(str, name)) if isinstance(name, tuple) else str(name)
        for name in listed
    ]


def _numbers(X: Any) -> Array:
    """The values as an array of numbers, without a copy if they are one."""
    if isinstance(X, np.ndarray):
        values = np.asarray(X)
    elif hasattr(X, "columns") and hasattr(X, "to_numpy"):
        values = _frame(X)
    else:
        try:
            values = np.asarray(X)
        except ValueError as fault:
            if "inhomogeneous" not in str(fault):
                raise
            raise InvalidSignals("the rows of X have different lengths: want as many values in each") from fault
    if values.dtype.kind == "c":
        raise InvalidSignals("Complex data not supported: signals are real numbers")
    if values.dtype.kind in "mM":
        raise InvalidSignals("Dates and times were passed: signals are real numbers; leave such columns out")
    if values.dtype.kind in "USV":
        raise InvalidSignals(f"Unable to convert {values.dtype} to numbers: signals are real numbers")
    if values.dtype.kind == "O":
        try:
            values = values.astype(np.float64)
        except ValueError as fault:
            raise InvalidSignals(f"Unable to convert the signals to numbers: {fault}") from fault
    return values


def _frame(X: Any) -> Array:
    """The values of a data frame; missing ones of pandas' nullable types are NaN."""
    _check_columns(X)
    values = np.asarray(X.to_numpy())
    if values.dtype.kind == "O":
        try:
            values = np.asarray(X.to_numpy(dtype=np.float64, na_value=np.nan))
        except TypeError:
            pass  # not pandas, or not numbers, which the caller finds out
        except ValueError as fault:
            raise InvalidSignals(f"Unable to convert the signals to numbers: {fault}") from fault
    return values


def _check_columns(X: Any) -> None:
    """Refuse columns of a data frame that are no numbers, though they could be made into some."""
    for number, name in enumerate(X.columns):
        held = _kind(X.iloc[:, number] if hasattr(X, "iloc") else X[:, number])
        if held is not None:
            index = f"set it as the index, with X.set_index({name!r}), or " if hasattr(X, "set_index") else ""
            raise InvalidSignals(f"column {name!r} holds {held}, and signals are numbers: {index}drop it")


def _kind(column: Any) -> str | None:
    """What a column holds, if it is certain that it is no numbers."""
    held = _held(column.dtype)
    if held is None and getattr(column.dtype, "kind", "") == "O":  # anything, also numbers
        others = (_OTHERS[kind] for value in column for kind in _OTHERS if isinstance(value, kind))
        held = next(others, None)
    return held


_OTHERS: dict[type, str] = {
    str: "texts",
    bytes: "texts",
    date: "dates or times",
    clock: "dates or times",
    np.datetime64: "dates or times",
    timedelta: "durations",
    np.timedelta64: "durations",
}


def _held(dtype: Any) -> str | None:
    """What a column of a type holds, if it is certain that it is no numbers."""
    kind, name = getattr(dtype, "kind", ""), str(dtype)
    if kind == "m" or name.startswith(("Duration", "timedelta", "duration")):
        return "durations"
    if kind == "M" or name.startswith(("Date", "Time", "period", "date", "time")):
        return "dates or times"
    if name.startswith(("category", "Categorical", "Enum")):
        return "categories"
    if kind == "U" or name.startswith(("str", "String", "Utf8", "large_string")):
        return "texts"
    return None


def _file_behind(values: Array) -> Path | None:
    """The .npy file that an array is mapped from, if the array is all of it and float64.

    The name may belong to another file by now. NumPy does not tell, so contents are compared.
    """
    if not isinstance(values, np.ndarray) or values.dtype != np.dtype("<f8"):
        return None
    mapped = values
    while not isinstance(mapped, np.memmap) and isinstance(mapped.base, np.ndarray):
        mapped = mapped.base
    path = getattr(mapped, "filename", None)
    if not isinstance(mapped, np.memmap) or path is None or mapped.mode == "c":
        return None
    if os.path.splitext(path)[1] != ".npy":  # the program goes by the suffix
        return None
    try:
        with open(path, "rb") as file:
            version = np.lib.format.read_magic(file)
            read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
            shape, fortran, dtype = read(file)
            start = file.tell()
            size = os.fstat(file.fileno()).st_size
    except (OSError, ValueError):
        return None
    in_order = values.flags.f_contiguous if fortran else values.flags.c_contiguous
    if (shape, dtype, start, size) != (
        values.shape,
        values.dtype,
        mapped.offset,
        start + values.nbytes,
    ) or not in_order:
        return None
    if mapped.mode != "r":
        mapped.flush()  # what was changed in memory
    lines = values.T if fortran else values
    if lines.size:
        now = np.memmap(path, values.dtype, "r", start, lines.shape)
        some = np.unique(np.linspace(0, len(lines) - 1, COMPARED).astype(np.intp))
        if any(now[k].tobytes() != lines[k].tobytes() for k in some):
            return None
    return Path(os.path.abspath(path))


def write_npy(path: Path, values: Array, mask: Array | None = None) -> None:
    """Write an array as float64, a part at a time."""
    fortran = values.flags.f_contiguous and not values.flags.c_contiguous
    lines = values.T if fortran else values
    masked = None if mask is None else mask.T if fortran else mask
    step = max(1, CHUNK // (8 * max(1, lines.shape[1])))
    with open(path, "wb", buffering=0) as file:
        header = {"descr": "<f8", "fortran_order": bool(fortran), "shape": values.shape}
        np.lib.format.write_array_header_1_0(file, header)
        for start in range(0, lines.shape[0], step):
            part = np.ascontiguousarray(lines[start : start + step], dtype="<f8")
            if masked is not None:
                part = np.where(masked[start : start + step], np.nan, part)
            view = memoryview(part.data).cast("B")
            while len(view):  # a raw file may take less than all
                view = view[file.write(view) :]


def read_npy(path: Path) -> npt.NDArray[np.float64]:
    """Read an array that the program has written."""
    return np.asarray(np.load(path, allow_pickle=False), dtype=np.float64)
