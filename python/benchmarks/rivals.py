"""Lets scikit-learn learn from a field: rivals.py DIRECTORY PROGRAM VERTICES SIGNALS PENALTY

Called by `go run ./cmd/docs measure sizes`. Reads DIRECTORY/signals.bin: standardised signals as float64, vertex by
vertex. Writes the pairs with an entry in the precision matrix to DIRECTORY/edges.csv, and prints the processor time of
the fit and the penalty as JSON. PROGRAM is "scikit-learn" for one fit at the penalty, or "scikit-learn own choice" for
GraphicalLassoCV. Needs scikit-learn 1.9.
"""

from __future__ import annotations

import json
import pathlib
import sys
import time
import warnings

import numpy as np
from sklearn.covariance import GraphicalLasso, GraphicalLassoCV


def main() -> None:
    """Fit as the arguments say."""
    directory, program, vertices, signals, penalty = sys.argv[1:]
    path = pathlib.Path(directory)
    y = np.fromfile(path / "signals.bin").reshape(int(vertices), int(signals)).T
    model = GraphicalLassoCV() if "own choice" in program else GraphicalLasso(alpha=float(penalty))
    begin = time.process_time()
    warnings.simplefilter("ignore")  # of convergence: what comes of it counts
    try:
        model.fit(y)
    except FloatingPointError as fault:  # it gives up on matrices that are too ill-conditioned for it
        print(json.dumps({"seconds": time.process_time() - begin, "penalty": float(penalty), "failed": str(fault)}))
        return
    seconds = time.process_time() - begin
    used = getattr(model, "alpha_", float(penalty))
    with (path / "edges.csv").open("w") as file:
        file.writelines(f"{i},{j}\n" for i, j in zip(*np.nonzero(np.triu(model.precision_, 1)), strict=True))
    print(json.dumps({"seconds": seconds, "penalty": float(used)}))


main()
