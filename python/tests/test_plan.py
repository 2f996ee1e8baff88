"""How many signals it takes."""

from __future__ import annotations

from typing import Any

import pytest

import nervure


def test_plan_from_a_pilot_and_from_its_graph(field: Any) -> None:
    planned = nervure.plan(field, signals=[40, 400], repeats=1, method="ggl", recall=0.5, random_state=2, n_jobs=1)
    assert planned["pilot"] == len(field)
    assert [point["signals"] for point in planned["points"]] == [40, 400]
    assert planned["points"][1]["by"] == ("simulation" if len(field) < 400 else "subsampling")
    assert planned["recall"] == 0.5
    assert planned["seed"] == 2
    assert planned["method"] == "ggl"

    graph = nervure.learn_graph(field, method="ggl")
    assumed = nervure.plan(graph=graph, signals=[40], repeats=1, method="ggl")
    assert "pilot" not in assumed
    assert assumed["edges"] == graph.n_edges


def test_plan_refuses(field: Any) -> None:
    with pytest.raises(TypeError, match="either signals"):
        nervure.plan()
    with pytest.raises(TypeError, match="either signals"):
        nervure.plan(field, graph="graph.csv")
    with pytest.raises(nervure.InvalidSignals, match="numbers of at least 10"):
        nervure.plan(field, signals=[5])
