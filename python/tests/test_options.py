"""Options: every one is a keyword with a type and a description, and the words are those that the program takes."""

import inspect
import re
import typing

import numpy as np
import pytest

import nervure
from nervure import GraphLearner, GroupGraphLearner, _types, compare, learn_graph, learn_graphs, plan

DOORS = [learn_graph, GraphLearner, learn_graphs, GroupGraphLearner, compare, plan]


def _parameters(door):
    return {name: p for name, p in inspect.signature(door).parameters.items() if name not in ("self", "X")}


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_every_option_is_named_typed_and_described(door):
    for name, parameter in _parameters(door).items():
        assert parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY), name
        assert parameter.annotation is not parameter.empty, name
        described = re.search(rf"^    (?:\w+, )*{name}(?:, \w+)*(?: : |$)", door.__doc__, re.MULTILINE)
        assert described, f"{door.__name__} does not describe {name}"


def test_the_function_and_the_estimator_take_the_same_options():
    mine, its = _parameters(learn_graph), _parameters(GraphLearner)
    assert set(its) - set(mine) == {"output", "smoothing"}
    assert set(mine) - set(its) == {"names"}
    for name in mine.keys() & its.keys():
        assert (mine[name].default, mine[name].annotation) == (its[name].default, its[name].annotation), name


def test_the_methods_that_editors_offer_are_those_of_the_program(field):
    with pytest.raises(nervure.InvalidSignals) as refused:
        learn_graph(field, method="nonsense")
    listed = set(re.findall(r"[a-z0-9-]+", str(refused.value).split("want ")[1])) - {"or"}
    assert listed == set(typing.get_args(_types.Method))


@pytest.mark.parametrize(("option", "words"), [("rows", _types.Rows), ("bad_sensors", _types.BadSensors)])
def test_the_words_that_editors_offer_are_those_of_the_program(field, option, words):
    for word in typing.get_args(words):
        learn_graph(field, method="knn", confidence=False, **{option: word})
    with pytest.raises(nervure.InvalidSignals, match=option):
        learn_graph(field, method="knn", **{option: "nonsense"})


def test_a_table_of_vertices_is_kept(leaf, tmp_path):
    names = [f"v{k}" for k in range(24)]
    table = tmp_path / "vertices.csv"
    table.write_text("name,x,y,part\n" + "".join(f"{name},{k % 5},{k // 5},p{k % 2}\n" for k, name in enumerate(names)))
    graph = learn_graph(leaf.X, options={"read": {"vertices": str(table)}}, confidence=False)
    spread = graph.positions - graph.positions.mean(axis=0)
    want = np.array([(k % 5, k // 5) for k in range(24)], dtype=float)
    want -= want.mean(axis=0)
    assert abs(np.corrcoef(spread.ravel(), want.ravel())[0, 1]) > 1 - 1e-9  # another unit
    graph.save(tmp_path / "graph.json")
    assert '"part": "p1"' in (tmp_path / "graph.json").read_text()
