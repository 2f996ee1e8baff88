"""From glasso to nervure: the same signals for both."""

import time

import numpy as np
import pandas as pd
from gallery import COLORS, GREY, Panel, draw
from sklearn.covariance import GraphicalLassoCV

import nervure

# A known graph, the veins of a leaf, and sparse signals on it.
patterns = pd.read_csv("examples/leaf/signals.csv")
veins = pd.read_csv("examples/leaf/truth.csv")
vertices = pd.read_csv("examples/leaf/vertices.csv", index_col="name")
places = vertices.loc[patterns.columns].to_numpy()
true = pd.DataFrame(0.0, patterns.columns, patterns.columns)
for source, target, weight in veins.itertuples(index=False):
    true.loc[source, target] = true.loc[target, source] = weight
true = true.to_numpy()

# As many signals of a Gaussian field on the same graph.
precision = np.diag(true.sum(0) + 0.2) - true
mix = np.linalg.cholesky(np.linalg.inv(precision))
noise = np.random.default_rng(1).normal(size=patterns.shape)
field = (noise @ mix.T).round(6)


def by_glasso(X: np.ndarray) -> np.ndarray:
    """Scale, fit, and take the partial correlations."""
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    P = GraphicalLassoCV().fit(scaled).precision_
    return np.abs(P) / np.sqrt(np.outer(np.diag(P), np.diag(P)))


def by_nervure(X: np.ndarray) -> np.ndarray:
    """Do all of that, and choose the method."""
    return nervure.GraphLearner().fit(X).adjacency_


def f1(pairs: np.ndarray) -> float:
    """Return the harmonic mean of precision and recall."""
    right = np.count_nonzero(true[tuple(pairs.T)])
    return 2 * right / (len(pairs) + len(veins))


panels = []
print(f"True edges: {len(veins)}")
for kind, X in {"field": field, "patterns": patterns.to_numpy()}.items():
    for learn in (by_glasso, by_nervure):
        start = time.perf_counter()
        weights = np.triu(learn(X), 1)
        seconds = time.perf_counter() - start
        pairs = np.argwhere(weights)
        pairs = pairs[np.argsort(-weights[tuple(pairs.T)])]
        right = true[tuple(pairs.T)] > 0
        print(
            f"{kind:8} {learn.__name__:10} {len(pairs):3} edges,"
            f" {right.sum()} true, F1 {f1(pairs):.2f},"
            f" of the heaviest {f1(pairs[: len(veins)]):.2f},"
            f" in {seconds:.1f} s"
        )
        title = f"{kind} {learn.__name__}".replace("_", " ").capitalize()
        colors = np.where(right, GREY, COLORS[4])
        panels.append(
            Panel(title, places, pairs, colors=colors, dashed=~right)
        )
draw(
    "glasso.svg",
    panels,
    legend={"true edges": GREY, "false edges (dashed)": COLORS[4]},
    height=4,
)
