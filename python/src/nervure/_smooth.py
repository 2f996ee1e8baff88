"""Signals that are smooth along the edges of a graph, for methods without codes."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from ._arrays import CHUNK, Signals, read_npy, write_npy
from ._graph import Floats, LearnedGraph
from ._program import run


def means(signals: Signals, offset: float | None) -> Floats:
    """The mean of each vertex over its values, of their logarithms if there is an offset to them."""
    total, count = np.zeros(signals.shape[1]), np.zeros(signals.shape[1])
    step = max(1, CHUNK // (8 * signals.shape[1]))
    for start in range(0, signals.shape[0], step):
        part = signals.floats(slice(start, start + step), offset)
        there = ~np.isnan(part)
        total += np.where(there, part, 0).sum(axis=0)
        count += there.sum(axis=0)
    return np.divide(total, count, out=np.zeros_like(total), where=count > 0)


def smooth(graph: LearnedGraph, signals: Signals, mean: Floats, smoothing: float, offset: float | None) -> Floats:
    """The signals x that minimise ‖x − y‖² + smoothing · xᵀLx around the mean; what is missing counts as the mean."""
    values = signals.floats(slice(None), offset) - mean
    values[np.isnan(values)] = 0
    if graph.n_edges:
        values = _filtered(graph, values, smoothing)
    values += mean
    return values if offset is None else np.exp(values) - offset


def _filtered(graph: LearnedGraph, values: Floats, smoothing: float) -> Floats:
    with tempfile.TemporaryDirectory(prefix="nervure-") as scratch:
        here = Path(scratch)
        graph.write(here / "graph.json")
        write_npy(here / "signals.npy", values)
        named = Signals(values, graph.names).write_names(here)
        command: list[Any] = ["filter", here / "graph.json", here / "signals.npy", *named, "--out", here / "out.npy"]
        run(
            [
                *map(str, command),
                "--denoise",
                repr(float(smoothing)),
                "--laplacian",
                "normalised",
                "--center",
                "no",
                "--quiet",
            ]
        )
        return read_npy(here / "out.npy")
