import pickle
import subprocess
import sys

import numpy as np
import pytest
from conftest import long, need, nervure_command

import nervure
from nervure import GraphLearner

pytestmark = pytest.mark.filterwarnings("ignore::nervure.NervureWarning")


@pytest.fixture(scope="module")
def learner(leaf):
    return GraphLearner().fit(leaf.X)


def test_what_was_learned_is_there(leaf, learner):
    assert learner.verdict_ == "exact"
    assert np.array_equal(learner.adjacency_ > 0, leaf.truth > 0)
    assert np.allclose(np.diag(learner.laplacian_), 1)
    assert learner.edges_.shape == (35, 2)
    assert learner.weights_.shape == learner.confidence_.shape == (35,)
    assert learner.codes_.shape == (200, 48)
    assert learner.kernels_ == ["heat:2", "highpass:1"]
    assert learner.warnings_ == []
    assert learner.summary_["edges"] == 35
    assert learner.n_features_in_ == 24
    assert not hasattr(learner, "feature_names_in_")
    assert isinstance(learner.graph_, nervure.LearnedGraph)


def test_nothing_is_there_before_fit(leaf):
    learner = GraphLearner()
    for name in ("adjacency_", "laplacian_", "codes_", "verdict_", "summary_", "edges_", "graph_"):
        assert not hasattr(learner, name)
    for use in (learner.transform, learner.score):
        with pytest.raises(ValueError, match="not fitted"):
            use(leaf.X)


def test_names_come_from_data_frames(leaf):
    pd = need("pandas")
    frame = pd.DataFrame(leaf.X, columns=leaf.names)
    learner = GraphLearner(confidence=False).fit(frame)
    assert learner.feature_names_in_.tolist() == leaf.names == learner.graph_.names
    assert learner.get_feature_names_out().tolist() == leaf.names
    with pytest.raises(ValueError, match="feature names should match"):
        learner.transform(frame[leaf.names[::-1]])
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        learner.transform(leaf.X)


def test_transform_denoises_with_few_atoms(leaf, learner):
    # Coding is greedy, and misses the best atoms of a few signals.
    assert np.mean(np.abs(learner.transform(leaf.X) - leaf.X).max(axis=1) < 1e-8) > 0.95
    noise = 0.02 * leaf.X.std() * np.random.default_rng(0).normal(size=leaf.X.shape)
    denoised = learner.transform(leaf.X + noise)
    assert np.linalg.norm(denoised - leaf.X) < 0.8 * np.linalg.norm(noise)


def test_transform_fills_gaps(leaf, learner):
    hole = leaf.X.copy()
    hole[0, 3] = np.nan
    filled = learner.transform(hole)
    assert np.isfinite(filled).all()


def test_codes_of_the_same_signals_are_those_of_fit(leaf, learner):
    coder = GraphLearner(output="codes").fit(leaf.X)
    codes = coder.transform(leaf.X)
    assert codes.shape == coder.codes_.shape
    assert np.mean(((codes != 0) == (coder.codes_ != 0)).all(axis=1)) > 0.95  # coding is greedy
    names = coder.get_feature_names_out()
    assert len(names) == codes.shape[1]
    assert names[0] == "heat:2@x0"


def test_new_signals_are_encoded_as_the_program_does(leaf, learner, tmp_path):
    np.save(tmp_path / "signals.npy", leaf.X)
    nervure_command("learn", tmp_path / "signals.npy", "--model", tmp_path / "model.json", "--out", tmp_path / "g.csv")
    new = leaf.X[:7] + 0.01
    np.save(tmp_path / "new.npy", new)
    nervure_command("encode", tmp_path / "new.npy", "--model", tmp_path / "model.json", "--out", tmp_path / "out.npy")
    assert np.array_equal(learner.transform(new), np.load(tmp_path / "out.npy"))


def test_methods_without_codes_smooth_along_the_edges(field):
    learner = GraphLearner("ggl", smoothing=2.0).fit(field)
    new = field[:5] + 0.1
    expected = (
        field.mean(axis=0) + np.linalg.solve(np.eye(8) + 2.0 * learner.laplacian_, (new - field.mean(axis=0)).T).T
    )
    assert np.allclose(learner.transform(new), expected)
    with pytest.raises(AttributeError, match="the method ggl has no codes"):
        _ = learner.graph_.codes
    with pytest.raises(ValueError, match="ggl"):
        learner.set_params(output="codes").transform(field)


def test_a_field_denoises_and_fills_as_the_program_does(field, tmp_path):
    learner = GraphLearner(kernels="matern:2").fit(field)  # which implies the method field
    assert learner.graph_.method == "field"
    assert learner.kernels_[0].startswith("matern:2,")
    hole = field[:7].copy()
    hole[0, 3] = np.nan
    filled = learner.transform(hole)
    assert np.isfinite(filled).all()
    np.save(tmp_path / "signals.npy", field)
    graph, model = tmp_path / "g.csv", tmp_path / "m.json"
    nervure_command("learn", tmp_path / "signals.npy", "--kernel", "matern:2", "--model", model, "--out", graph)
    np.save(tmp_path / "new.npy", hole)
    nervure_command("encode", tmp_path / "new.npy", "--model", model, "--out", tmp_path / "out.npy")
    assert np.array_equal(filled, np.load(tmp_path / "out.npy"))
    with pytest.raises(ValueError, match="the method field has no codes"):
        learner.set_params(output="codes").transform(field)


def test_smoothing_undoes_logarithms_and_refuses_differences(field):
    learner = GraphLearner("ggl", options={"prepare": {"log": True, "log_offset": 2.0}}, smoothing=0.0).fit(field)
    assert np.allclose(learner.transform(field), field)
    with pytest.raises(ValueError, match="differences"):
        GraphLearner("ggl", difference=True).fit(field).transform(field)


def test_the_score_prefers_true_edges(field):
    train, test = field[:200], field[200:]
    path = np.diag(np.ones(7), 1)
    good = GraphLearner("ggl").fit(train)
    poor = GraphLearner("correlation", n_edges=1).fit(train)
    assert np.array_equal(np.triu(good.adjacency_, 1) > 0, path > 0)
    assert good.score(test) > poor.score(test) > 0


def test_parameters_are_kept_as_given():
    given = {"method": "knn", "params": {"k": 3}, "kernels": ["heat:1"], "n_edges": 4}
    learner = GraphLearner(**given)
    assert {name: learner.get_params()[name] for name in given} == given
    assert learner.set_params(n_edges=5) is learner
    assert learner.n_edges == 5
    with pytest.raises(ValueError, match="edgs"):
        learner.set_params(edgs=5)
    assert repr(GraphLearner("knn", n_edges=4)).replace("'", "") == "GraphLearner(method=knn, n_edges=4)"


def test_an_estimator_survives_pickling(leaf, learner):
    again = pickle.loads(pickle.dumps(learner))
    assert np.array_equal(again.adjacency_, learner.adjacency_)
    assert np.array_equal(again.transform(leaf.X[:3]), learner.transform(leaf.X[:3]))


def test_clones_are_not_fitted_but_equal(learner):
    base = need("sklearn.base")
    again = base.clone(learner)
    assert again.get_params() == learner.get_params()
    assert not hasattr(again, "graph_")


def test_pipelines_and_grid_search(field):
    need("sklearn")
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    pipeline = make_pipeline(StandardScaler(), GraphLearner("correlation", n_jobs=1))
    search = GridSearchCV(pipeline, {"graphlearner__n_edges": [1, 7, 28]}, cv=3).fit(field)
    assert search.best_params_ == {"graphlearner__n_edges": 7}
    assert search.transform(field).shape == field.shape
    assert np.isfinite(search.score(field))


def test_best_graph_is_that_of_compare(field):
    need("sklearn")
    from sklearn.model_selection import GridSearchCV, KFold

    import nervure

    def search(methods):
        grid = GridSearchCV(
            GraphLearner(n_jobs=1),
            {"method": methods},
            cv=KFold(5),
            scoring=nervure.graph_scores,
            refit=nervure.best_graph,
        )
        return grid.fit(field).best_params_["method"]

    for methods in (["correlation", "knn", "tree"], ["knn", "ggl"]):
        table = nervure.compare(field, methods=methods)
        assert search(methods) == table.index[table["recommended"]][0]
        assert table.attrs["recommendation"]["rule"] in ("direct edges", "fewest edges")


@pytest.mark.parametrize(
    ("gain", "edges", "direct", "exact", "want"),
    [
        ([10, 9.5, 8], [90, 30, 20], [0, 0, 0], [0, 0, 0], 1),  # the sparsest that is adequate
        ([10, 9.5, 5.1], [90, 30, 40], [0, 0, 1], [0, 0, 0], 2),  # direct edges that gain half
        ([10, 9.5, 4.9], [90, 30, 40], [0, 0, 1], [0, 0, 0], 1),  # not such that gain less
        ([10, 9.5, 1], [90, 30, 40], [0, 0, 0], [0, 0, 1], 2),  # what is exact
        ([-2, -1, float("nan")], [90, 30, 40], [0, 0, 0], [0, 0, 0], 1),  # nothing gains
    ],
)
def test_best_graph_goes_by_gain_and_edges(gain, edges, direct, exact, want):
    import nervure

    needed = [0.5 if d else 0.93 for d in direct]
    columns = {"gain": gain, "edges": edges, "direct": direct, "exact": exact, "share_needed": needed}
    assert nervure.best_graph({f"mean_test_{name}": np.array(v) for name, v in columns.items()}) == want


def test_set_output_gives_data_frames(field):
    need("sklearn")
    pd = need("pandas")
    frame = pd.DataFrame(field, columns=list("abcdefgh"))
    out = GraphLearner("ggl").set_output(transform="pandas").fit_transform(frame)
    assert out.columns.tolist() == list("abcdefgh")


@pytest.mark.parametrize("method", [pytest.param("auto", marks=long), "sparse"])
def test_scikit_learn_is_content(method):
    checks = need("sklearn.utils.estimator_checks")
    learner = GraphLearner(method)
    if method == "sparse":
        learner.set_params(kernels=["heat:1"], output="codes", options={"method": {"rounds": 2}})
    results = checks.check_estimator(learner, on_skip=None, on_fail=None)
    failed = {r["check_name"]: r["exception"] for r in results if r["status"] in ("failed", "xfail")}
    assert not failed
    assert len(results) > 30


def test_without_scikit_learn_and_pandas(leaf, tmp_path):
    """NumPy is all that is needed."""
    np.save(tmp_path / "x.npy", leaf.X)
    script = f"""
import sys
for name in ("sklearn", "pandas", "scipy", "networkx", "IPython", "joblib", "matplotlib"):
    sys.modules[name] = None
import numpy as np, nervure
X = np.load({str(tmp_path / "x.npy")!r})
learner = nervure.GraphLearner(confidence=False)
assert "GraphLearner(confidence=False)" == repr(learner), learner
assert learner.set_params(n_edges=35).get_params()["n_edges"] == 35
assert np.linalg.norm(learner.fit_transform(X) - X) < 0.05 * np.linalg.norm(X)
assert learner.score(X) != 0
try:
    learner.set_params(nonsense=1)
except ValueError as fault:
    assert "nonsense" in str(fault)
try:
    nervure.GraphLearner().transform(X)
except ValueError as fault:
    assert "not fitted" in str(fault)
rows = nervure.compare(X, methods=["correlation", "knn"])
assert sorted(row["method"] for row in rows) == ["correlation", "knn"]
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", script], check=True)


def test_vertices_without_edges_are_not_smoothed(field):
    learner = GraphLearner("ggl", n_edges=2, smoothing=5.0).fit(field)
    alone = np.setdiff1d(np.arange(8), learner.edges_)
    smoothed = learner.transform(field)
    assert len(alone) >= 4
    assert np.allclose(smoothed[:, alone], field[:, alone])
    assert not np.allclose(smoothed[:, learner.edges_[0]], field[:, learner.edges_[0]])


def test_directed_graphs_do_not_smooth(field):
    learner = GraphLearner("causal").fit(field)
    with pytest.raises(ValueError, match=r"^the method causal learns a directed graph"):
        learner.transform(field)


@pytest.mark.parametrize(
    ("options", "X", "sentence"),
    [
        ({"log": True}, 0.0, "observation 3: 0.0 has no logarithm: add an offset to every value first .log_offset.$"),
        (
            {"log": True, "log_offset": 2.0},
            -2.5,
            r"observation 3: -2.5 \+ 2 has no logarithm: use a larger offset .log_offset.$",
        ),
    ],
)
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_what_has_no_logarithm_is_refused(field, options, X, sentence):
    learner = GraphLearner("ggl", options={"prepare": options}).fit(field)
    new = field.copy()
    new[2, 1] = X
    with pytest.raises(ValueError, match=rf'^log: vertex "v1", {sentence}'):
        learner.transform(new)


@pytest.mark.filterwarnings("default")
def test_warnings_about_names_point_to_the_caller(field):
    pd = need("pandas")
    learner = GraphLearner("ggl").fit(pd.DataFrame(field, columns=list("abcdefgh")))
    for use in (learner.transform, learner.score):
        with pytest.warns(UserWarning, match="valid feature names") as caught:
            use(field)
        assert caught[0].filename == __file__
