import numpy as np
import pytest
from conftest import need

import nervure


def test_methods_are_ranked(leaf):
    pd = need("pandas")
    table = nervure.compare(leaf.X, leaf.truth, methods=["sparse", "correlation", "tree"], n_jobs=2, folds=2)
    assert isinstance(table, pd.DataFrame)
    assert set(table.index) == {"sparse", "correlation", "tree"}
    assert table.loc["sparse", "f1"] == 1
    assert table.loc["sparse", "recommended"]
    assert table["rank"].tolist() == [1, 2, 3]
    assert table.attrs["recommendation"]["method"] == "sparse"


def test_bad_methods_are_refused(field):
    with pytest.raises(ValueError, match="nonsense"):
        nervure.compare(field, methods=["nonsense"])
    with pytest.raises(ValueError, match="truth: got shape"):
        nervure.compare(field, np.eye(3))


def test_the_arrows_of_a_true_graph_are_kept():
    nx = need("networkx")
    rng = np.random.default_rng(3)
    X = np.zeros((600, 3))
    for t in range(1, 600):
        X[t] = rng.normal(size=3) + np.array([0.9 * X[t - 1, 2], 0.9 * X[t - 1, 0], 0])  # 2 → 0 → 1
    W = np.zeros((3, 3))
    W[2, 0] = W[0, 1] = 1
    for right, wrong in ((W, W.T), (nx.DiGraph([(2, 0), (0, 1)]), nx.DiGraph([(0, 2), (1, 0)]))):
        shares = [
            nervure.compare(X, truth, methods=["causal"], n_edges=2).loc["causal", "f1"] for truth in (right, wrong)
        ]
        assert shares == [1, 0]
