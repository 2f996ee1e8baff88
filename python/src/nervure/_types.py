"""The words that keywords take, for editors and type checkers. The program checks them, too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

Auto: TypeAlias = Literal["auto"]
Method: TypeAlias = Literal[
    "auto",
    "sparse",
    "field",
    "maretic2017",
    "causal",
    "cgl",
    "consensus",
    "correlation",
    "ddgl",
    "diffusion",
    "gaussian-kernel",
    "ggl",
    "ggm",
    "glasso",
    "kernel-inversion",
    "knn",
    "modules",
    "partial",
    "sigrep",
    "smooth-l2",
    "smooth-log",
    "spectral-templates",
    "tree",
    "trees",
]
Rows: TypeAlias = Literal["auto", "time", "independent"]
BadSensors: TypeAlias = Literal["mask", "report", "drop"]
Output: TypeAlias = Literal["denoised", "codes"]
Switch: TypeAlias = bool | Auto
Season: TypeAlias = Switch | float | Sequence[float]
Kernels: TypeAlias = str | Sequence[str]
Seed: TypeAlias = int | np.random.RandomState | np.random.Generator

# Signals are whatever can be understood as a table of numbers, or the path of one.
SignalsLike: TypeAlias = Any
# A graph that is known: a file, a learned graph, one of NetworkX, or a matrix.
GraphLike: TypeAlias = Any
