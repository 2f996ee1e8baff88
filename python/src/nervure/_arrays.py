"""Signals as Python has them, and the files that the program reads them from."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ._errors import InvalidSignals

CHUNK = 1 << 23  # bytes that are converted or copied at a time

Array = npt.NDArray[Any]


@dataclass
class Signals:
    """Signals as they were given: rows are observations, columns are vertices."""

    values: Array  # two dimensions of numbers, in any order and precision
    names: list[str] | None  # of the vertices
    mask: Array | None = None  # true where a value is missing

    @property
    def shape(self) -> tuple[int, int]:
        """Number of observations and of vertices."""
        rows, columns = self.values.shape
        return rows, columns

    def write(self, directory: Path) -> tuple[Path, list[str]]:
        """Return a file of the signals, and the flags that say how it is to be read."""
        path = _file_behind(self.values) if self.mask is None else None
        if path is None:
            path = directory / "signals.npy"
            write_npy(path, self.values, self.mask)
        return path, self.write_names(directory)

    def write_names(self, directory: Path) -> list[str]:
        """Write the names of the vertices, if they have any, and return the flag that tells of them."""
        if self.names is None:
            return []
        if broken := next((name for name in self.names if "\n" in name or "\r" in name), None):
            raise InvalidSignals(f"the name {broken!r} of a vertex has a line break in it")
        listed = directory / "names.txt"
        listed.write_text("".join(f"{name}\n" for name in self.names), encoding="utf-8", newline="\n")
        return ["--names", str(listed)]

    def floats(self, rows: slice, offset: float | None = None) -> npt.NDArray[np.float64]:
        """A copy of some signals, NaN where values are missing; with an offset, logarithms of what is that much more."""
        part = self.values[rows].astype(np.float64)
        if self.mask is not None:
            part[self.mask[rows]] = np.nan
        return part if offset is None else np.log(part + offset)


def as_signals(X: Any, names: Sequence[str] | None = None, who: str = "nervure") -> Signals:
    """Understand arrays, data frames, masked arrays and nested lists."""
    if hasattr(X, "tocsr") or type(X).__module__.startswith(("scipy.sparse", "sparse.")):
        raise TypeError("sparse data was passed, but signals are dense: use X.toarray() to convert it to a dense array")
    columns = column_names(X)
    mask = np.ma.getmask(X) if isinstance(X, np.ma.MaskedArray) else np.ma.nomask
    values = _numbers(X)
    if values.ndim != 2:
        hint = ""
        if values.ndim == 1:
            hint = " Reshape your data: X.reshape(1, -1) is a single signal."
        raise InvalidSignals(
            f"Expected 2D array, got {('scalar' if values.ndim == 0 else f'{values.ndim}D')} array instead.{hint}"
        )
    rows, vertices = values.shape
    if rows == 0:
        raise InvalidSignals(
            f"Found array with 0 sample(s) (shape={values.shape}) while a minimum of 1 is required by {who}."
        )
    if vertices == 0:
        raise InvalidSignals(
            f"Found array with 0 feature(s) (shape={values.shape}) while a minimum of 1 is required by {who}."
        )
    if names is not None:
        columns = [str(name) for name in names]
        if len(columns) != vertices:
            raise InvalidSignals(f"there are {len(columns)} names and {vertices} columns of signals")
    return Signals(values, columns, None if mask is np.ma.nomask else np.asarray(mask))


def column_names(X: Any) -> list[str] | None:
    """The names of a data frame's columns, or None if they are only numbered."""
    columns = getattr(X, "columns", None)
    if columns is None or not hasattr(X, "shape"):
        return None
    listed = list(columns)
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
        values = np.asarray(X)
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
    values = np.asarray(X.to_numpy())
    if values.dtype.kind == "O":
        try:
            values = np.asarray(X.to_numpy(dtype=np.float64, na_value=np.nan))
        except TypeError:
            pass  # not pandas, or not numbers, which the caller finds out
        except ValueError as fault:
            raise InvalidSignals(f"Unable to convert the signals to numbers: {fault}") from fault
    return values


def _file_behind(values: Array) -> Path | None:
    """The .npy file that an array is mapped from, if the array is all of it and float64."""
    if not isinstance(values, np.ndarray) or values.dtype != np.dtype("<f8"):
        return None
    mapped = values
    while not isinstance(mapped, np.memmap) and isinstance(mapped.base, np.ndarray):
        mapped = mapped.base
    path = getattr(mapped, "filename", None)
    if not isinstance(mapped, np.memmap) or path is None or mapped.mode == "c":
        return None
    try:
        with open(path, "rb") as file:
            version = np.lib.format.read_magic(file)
            read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
            shape, fortran, dtype = read(file)
            start = file.tell()
    except (OSError, ValueError):
        return None
    in_order = values.flags.f_contiguous if fortran else values.flags.c_contiguous
    if (shape, dtype, start) != (values.shape, values.dtype, mapped.offset) or not in_order:
        return None
    if mapped.mode != "r":
        mapped.flush()  # what was changed in memory
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
