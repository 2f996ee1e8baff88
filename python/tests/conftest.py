"""Signals with known graphs, and the program that the package runs."""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nervure

# Shells start what runs in the background with Ctrl-C ignored, and children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


def need(module: str) -> Any:
    """A module that a test needs: the test is left out without it, except in CI, where it fails."""
    if os.environ.get("CI") == "true":
        return importlib.import_module(module)
    return pytest.importorskip(module)


# A test that takes many seconds is left to make test-all.
long = pytest.mark.skipif(os.environ.get("NERVURE_TEST_ALL") != "true", reason="left to make test-all")

REPOSITORY = Path(__file__).resolve().parents[2]


def nervure_command(*arguments: object) -> subprocess.CompletedProcess[bytes]:
    """Run the program as a user would in a terminal."""
    return subprocess.run(
        [nervure.program(), *map(str, arguments)], capture_output=True, check=True, stdin=subprocess.DEVNULL
    )


class Sample:
    """Signals and the graph that is behind them."""

    def __init__(self, signals: np.ndarray, truth: np.ndarray, names: list[str]) -> None:
        self.X, self.truth, self.names = signals, truth, names


@pytest.fixture(scope="session")
def leaf(tmp_path_factory) -> Sample:
    """The sample that the demo learns from."""
    out = tmp_path_factory.mktemp("leaf")
    nervure_command("demo", "--out", out)
    with open(out / "signals.csv", encoding="utf-8") as file:
        names = file.readline().strip().split(",")
        X = np.loadtxt(file, delimiter=",")
    truth = np.zeros((len(names), len(names)))
    for line in (out / "truth.csv").read_text().splitlines()[1:]:
        source, target, weight = line.split(",")[:3]
        i, j = names.index(source), names.index(target)
        truth[i, j] = truth[j, i] = float(weight)
    return Sample(X, truth, names)


@pytest.fixture(scope="session")
def field() -> np.ndarray:
    """Correlated measurements along a path of eight vertices, which the method field is chosen for."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 8))
    for k in range(1, 8):
        X[:, k] = 0.8 * X[:, k - 1] + 0.6 * X[:, k]
    return X + 20


@pytest.fixture(scope="session")
def instances() -> Path:
    """Graphs and signals that were made elsewhere: NERVURE_INSTANCES, or shared/instances beside the repository."""
    for place in (os.environ.get("NERVURE_INSTANCES"), REPOSITORY.parent / "shared" / "instances"):
        if place and Path(place).is_dir():
            return Path(place)
    pytest.skip("there are no instances: NERVURE_INSTANCES names their directory")


@pytest.fixture(autouse=True)
def no_traces(tmp_path_factory, monkeypatch):
    """The package leaves nothing in the directory for temporary files."""
    scratch = tmp_path_factory.mktemp("scratch with spaces and ünïcödé")
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(name, str(scratch))
    monkeypatch.setattr("tempfile.tempdir", None)
    yield
    assert not list(scratch.glob("nervure-*"))
