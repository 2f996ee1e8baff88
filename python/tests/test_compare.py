import numpy as np
import pytest

import nervure


def test_methods_are_ranked(leaf):
    pd = pytest.importorskip("pandas")
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
