"""What the package adds to the time of the program, for 50 vertices and 200 signals.

Prints the median time of the command line on a file, of learn_graph on an array, and their
difference. Both learn the same graph and write the same files in the same place, so that the difference is what
Python costs: writing the array, starting the child, reading the answer.
"""

from __future__ import annotations

import statistics
import subprocess
import time
from collections.abc import Callable

import numpy as np

import nervure
from nervure._scratch import Scratch

REPEATS = 31


def timed(work: Callable[[], object]) -> float:
    """Seconds that a piece of work takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def main() -> None:
    """Measure, in turns so that both see the same load."""
    X = np.random.default_rng(0).normal(size=(200, 50))
    with Scratch() as here:
        np.save(here / "signals.npy", X)
        command = [nervure.program(), "learn", here / "signals.npy", "--method", "correlation", "--quiet"]
        for flag, name in (("--out", "graph.json"), ("--summary", "summary.json"), ("--model", "model.json")):
            command += [flag, here / name]
        alone, package = [], []
        for _ in range(REPEATS):
            alone.append(timed(lambda: subprocess.run(command, check=True)))
            package.append(timed(lambda: nervure.learn_graph(X, method="correlation")))
    program, python = (1000 * statistics.median(times) for times in (alone, package))
    print(
        f"program {program:.1f} ms, package {python:.1f} ms, overhead {python - program:.1f} ms (medians of {REPEATS})"
    )


if __name__ == "__main__":
    main()
