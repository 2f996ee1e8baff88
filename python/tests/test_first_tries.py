"""Options and tables that people try first."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import need

import nervure


def test_a_long_data_frame_is_a_row_for_each_value() -> None:
    pd = need("pandas")
    rng = np.random.default_rng(1)
    values = rng.normal(size=(60, 3))
    values[:, 1] += values[:, 0]
    hours = pd.date_range("2024-01-01", periods=60, freq="h")
    long = pd.DataFrame({"time": np.repeat(hours, 3), "sensor": np.tile(list("abc"), 60), "value": values.ravel()})
    wide = pd.DataFrame(values, columns=list("abc"), index=hours)
    expected = nervure.learn_graph(wide)
    for frame in (long, long.sort_values(["sensor", "time"]), long.set_index("time")):
        with pytest.warns(UserWarning, match="a row for each value"):
            graph = nervure.learn_graph(frame)
        assert graph.names == ["a", "b", "c"]
        assert np.array_equal(graph.adjacency, expected.adjacency)


def test_no_edges_and_parameters_of_no_method_are_refused_in_a_sentence() -> None:
    values = np.random.default_rng(1).normal(size=(30, 3))
    with pytest.raises(nervure.InvalidSignals, match="n_edges: got 0, want a whole number of at least 1"):
        nervure.learn_graph(values, n_edges=0)
    with pytest.raises(nervure.InvalidSignals, match='params "rho" needs method glasso'):
        nervure.learn_graph(values, params={"rho": 1})
