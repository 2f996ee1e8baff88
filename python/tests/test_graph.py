import json
import pickle

import numpy as np
import pytest
from conftest import need, nervure_command

import nervure

pytestmark = pytest.mark.filterwarnings("ignore::nervure.NervureWarning")


def test_the_graph_of_the_leaf_is_exact(leaf):
    graph = nervure.learn_graph(leaf.X, names=leaf.names)
    assert graph.verdict == "exact"
    assert graph.method == "sparse"
    assert graph.names == leaf.names
    assert np.array_equal(graph.adjacency > 0, leaf.truth > 0)
    scale = leaf.truth.sum() / graph.adjacency.sum()
    assert np.allclose(graph.adjacency * scale, leaf.truth, rtol=1e-6)
    assert graph.warnings == []
    assert np.all(graph.confidence == 1)


@pytest.mark.parametrize("instance", ["N20/1", "N20/2", "N20/3", "N50/1", "N50/2"])
def test_the_graphs_of_the_instances_are_exact(instances, instance):
    size, number = instance.split("/")
    read = lambda kind: np.loadtxt(instances / size / f"{kind}_{number}.csv", delimiter=",")  # noqa: E731
    graph = nervure.learn_graph(read("Y").T, confidence=False)
    assert graph.verdict == "exact"
    assert np.array_equal(graph.adjacency > 0, read("W") > 0)


@pytest.mark.parametrize(
    "options", [{}, {"method": "ggl"}, {"method": "causal"}, {"method": "knn", "params": {"k": 2}}]
)
def test_the_answer_equals_the_command_line_byte_for_byte(leaf, tmp_path, options):
    rng = np.random.default_rng(5)
    X = leaf.X[:60, :12] + 0.02 * rng.normal(size=(60, 12))
    np.save(tmp_path / "signals.npy", X)
    words = [w for key, value in options.items() if key == "method" for w in ("--method", value)]
    words += [w for key, value in options.get("params", {}).items() for w in ("--param", f"{key}={value}")]
    command = ["learn", tmp_path / "signals.npy", *words]
    nervure_command(*command, "--out", tmp_path / "theirs.csv", "--summary", tmp_path / "theirs.json")
    graph = nervure.learn_graph(X, **options)
    graph.save(tmp_path / "ours.csv")
    assert (tmp_path / "ours.csv").read_bytes() == (tmp_path / "theirs.csv").read_bytes()
    theirs, ours = json.loads((tmp_path / "theirs.json").read_text()), dict(graph.summary)
    for summary in (theirs, ours):
        del summary["seconds"], summary["run"], summary["command"]  # which have other files
    assert ours == theirs


def test_the_laplacian_is_that_of_the_program(leaf, tmp_path):
    np.save(tmp_path / "signals.npy", np.column_stack([leaf.X, np.zeros(len(leaf.X))]))  # a vertex without edges
    nervure_command(
        "learn",
        tmp_path / "signals.npy",
        "--laplacian",
        tmp_path / "L.npy",
        "--codes",
        tmp_path / "X.npy",
        "--out",
        tmp_path / "g.csv",
    )
    graph = nervure.learn_graph(np.load(tmp_path / "signals.npy"))
    assert np.allclose(graph.laplacian, np.load(tmp_path / "L.npy"), rtol=0, atol=1e-15)
    assert np.array_equal(graph.codes, np.load(tmp_path / "X.npy").T)


def test_signals_are_their_codes_times_the_atoms(leaf):
    graph = nervure.learn_graph(leaf.X)
    frequencies, modes = np.linalg.eigh(graph.laplacian)
    polynomials = [np.polynomial.Polynomial(k["coefficients"]) for k in graph.summary["kernels"]]
    atoms = np.hstack([modes * p(frequencies) @ modes.T for p in polynomials])
    assert np.allclose(graph.codes @ atoms.T, leaf.X, atol=1e-8 * np.abs(leaf.X).max())
    assert np.count_nonzero(graph.codes, axis=1).max() <= graph.summary["sparsity"]


def test_other_packages_get_the_same_graph(leaf):
    graph = nervure.learn_graph(leaf.X, names=leaf.names)
    W = graph.adjacency
    nx = need("networkx")
    assert np.array_equal(nx.to_numpy_array(graph.to_networkx(), nodelist=leaf.names), W)
    need("scipy")
    assert np.array_equal(graph.to_scipy().toarray(), W)
    index, weight = graph.edge_index()
    assert index.shape == (2, 2 * graph.n_edges)
    assert index.dtype == np.int64
    again = np.zeros_like(W)
    again[index[0], index[1]] = weight
    assert np.array_equal(again, W)
    need("pandas")
    table = graph.to_pandas()
    assert list(table.columns) == ["source", "target", "weight", "confidence"]
    assert table.weight.tolist() == graph.weights.tolist()
    assert table.source[0] == leaf.names[graph.edges[0, 0]]


def _read(confidence=None, **numbers):
    """A graph of two edges, as the program writes it, with lists of numbers for them."""
    if confidence is not None:
        numbers = {"confidence": confidence, **numbers}
    edges = [{"source": "a", "target": "b", "weight": 2}, {"source": "b", "target": "c", "weight": -0.5}]
    for name, values in numbers.items():
        for edge, value in zip(edges, values, strict=True):
            edge[name] = value
    document = {
        "directed": False,
        "multigraph": False,
        "graph": {},
        "nodes": [{"id": n} for n in "abc"],
        "edges": edges,
    }
    return nervure.LearnedGraph.parse(json.dumps(document).encode(), {"method": "field", "verdict": "supported"})


EVIDENCE = {"partial": [0.25, -1 / 3], "low": [0.1, -0.5], "high": [0.5, 0], "q": [1e-9, 1]}


@pytest.mark.parametrize("confidence", [None, [1, 0.5]])
@pytest.mark.parametrize("evidence", [{}, EVIDENCE])
def test_what_is_known_of_edges_goes_wherever_they_go(tmp_path, confidence, evidence):
    graph = _read(confidence, **evidence)
    want = {} if confidence is None else {"confidence": confidence}
    want |= evidence
    for name in ("confidence", "partial", "low", "high", "q"):
        values = getattr(graph, name)
        assert (None if values is None else values.tolist()) == want.get(name)
    graph.write(tmp_path / "graph.json")
    listed = json.loads((tmp_path / "graph.json").read_text())["edges"]
    assert [list(edge) for edge in listed] == [["source", "target", "weight", *want]] * 2
    again = nervure.LearnedGraph.parse((tmp_path / "graph.json").read_bytes(), graph.summary)
    assert (None if again.q is None else again.q.tolist()) == want.get("q")
    need("networkx")
    assert graph.to_networkx().edges["b", "c"] == {"weight": -0.5, **{name: values[1] for name, values in want.items()}}
    need("pandas")
    table = graph.to_pandas()
    assert list(table.columns) == ["source", "target", "weight", *want]
    assert all(table[name].tolist() == values for name, values in want.items())


def test_saved_graphs_keep_the_evidence_for_edges(tmp_path):
    graph = _read([1, 0.5], **EVIDENCE)
    graph.save(tmp_path / "graph.csv")
    header, first, _ = (tmp_path / "graph.csv").read_text().splitlines()
    assert header == "source,target,weight,confidence,partial,low,high,q"
    assert first == "a,b,2,1,0.25,0.1,0.5,1e-09"


def test_pygsp_gets_the_same_graph(leaf):
    need("pygsp")
    graph = nervure.learn_graph(leaf.X)
    assert np.array_equal(graph.to_pygsp().W.toarray(), graph.adjacency)


def test_directed_graphs_keep_their_arrows():
    rng = np.random.default_rng(3)
    X = np.zeros((400, 3))
    for t in range(1, 400):
        X[t] = rng.normal(size=3) + np.array([0.9 * X[t - 1, 2], 0.9 * X[t - 1, 0], 0])  # 2 → 0 → 1
    graph = nervure.learn_graph(X, method="causal")
    assert graph.directed
    assert graph.adjacency[2, 0] > 0
    assert graph.adjacency[0, 2] == 0
    assert graph.edge_index()[0].shape == (2, graph.n_edges)
    with pytest.raises(ValueError, match="undirected"):
        _ = graph.laplacian
    nx = need("networkx")
    assert isinstance(graph.to_networkx(), nx.DiGraph)


@pytest.mark.parametrize("name", ["graph.graphml", "a b/gräph.json", "graph.csv"])
def test_graphs_are_saved_in_the_format_of_the_name(leaf, tmp_path, name):
    graph = nervure.learn_graph(leaf.X, names=leaf.names)
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    graph.save(path)
    nx = need("networkx")
    if name.endswith("graphml"):
        again = nx.read_graphml(path)
        assert np.array_equal(nx.to_numpy_array(again, nodelist=leaf.names), graph.adjacency)
    with pytest.raises(ValueError, match=r"\.xyz"):
        graph.save(tmp_path / "graph.xyz")


def test_a_graph_is_a_prior_for_the_next(leaf):
    nx = need("networkx")
    graph = nervure.learn_graph(leaf.X, names=leaf.names)
    few = leaf.X[:30]
    answers = [
        nervure.learn_graph(few, names=leaf.names, options=_known(prior), confidence=False).adjacency
        for prior in (graph, graph.adjacency, graph.to_networkx())
    ]
    assert all(np.array_equal(answer, answers[0]) for answer in answers)
    forbidden = nervure.learn_graph(
        leaf.X, names=leaf.names, confidence=False, options={"known": {"forbid": nx.Graph([leaf.names[:2]])}}
    )
    assert forbidden.adjacency[0, 1] == 0 < graph.adjacency[0, 1]
    with pytest.raises(ValueError, match="prior: got shape"):
        nervure.learn_graph(few, options={"known": {"prior": np.eye(3)}})


def test_a_graph_survives_pickling(leaf):
    graph = nervure.learn_graph(leaf.X)
    again = pickle.loads(pickle.dumps(graph))
    assert np.array_equal(again.adjacency, graph.adjacency)
    assert np.array_equal(again.codes, graph.codes)
    assert str(again) == str(graph)


def test_what_a_graph_shows_of_itself(leaf):
    graph = nervure.learn_graph(leaf.X)
    assert repr(graph) == "<LearnedGraph: exact, 24 vertices, 35 edges, method sparse>"
    assert str(graph).startswith("exact: 35 edges explain all 200 signals")
    assert "<iframe" not in graph._repr_html_()
    framed = nervure.learn_graph(leaf.X, report=True)._repr_html_()
    assert framed.startswith("<iframe")
    assert "is-embedded" in framed
    assert "allow-same-origin" not in framed


@pytest.fixture(scope="module")
def noisy(leaf):
    return leaf.X[:60] + 0.05 * np.random.default_rng(4).normal(size=(60, 24))


def _known(prior):
    return {"known": {"prior": prior, "prior_weight": 100}, "method": {"rounds": 1}}


def _prior(X, prior, **options):
    return nervure.learn_graph(X, options=_known(prior), confidence=False, **options).adjacency


def test_data_frames_are_matrices_in_the_order_of_their_names(leaf, noisy):
    pd = need("pandas")
    names, W = leaf.names, leaf.truth
    frame = pd.DataFrame(W, index=names, columns=names)
    expected = _prior(noisy, W, names=names)
    mixed = np.random.default_rng(0).permutation(names).tolist()
    only_columns = pd.DataFrame(frame.loc[mixed, mixed].to_numpy(), columns=mixed)
    for same in (frame, frame.loc[mixed, mixed[::-1]], only_columns, pd.DataFrame(W)):
        assert np.array_equal(_prior(noisy, same, names=names), expected)
    assert np.array_equal(_prior(noisy, pd.DataFrame(W)), expected)
    with pytest.raises(ValueError, match=rf"^prior: the data frame has no column for vertex '{names[0]}'$"):
        _prior(noisy, frame.rename(columns={names[0]: "x"}), names=names)
    with pytest.raises(ValueError, match=rf"^prior: the data frame has no row for vertex '{names[0]}'$"):
        _prior(noisy, frame.rename(index={names[0]: "x"}), names=names)
    wide = frame.assign(x=0.0)
    wide.loc["x"] = 0.0
    with pytest.raises(ValueError, match=r"25 columns for 24 vertices: 'x' is no vertex$"):
        _prior(noisy, wide, names=names)


def test_sparse_matrices_are_graphs(leaf, noisy):
    sparse = need("scipy.sparse")
    expected = _prior(noisy, leaf.truth)
    for form in (sparse.csr_array, sparse.coo_matrix):
        assert np.array_equal(_prior(noisy, form(leaf.truth)), expected)


def test_numbers_of_nodes_are_those_of_columns(leaf, noisy):
    nx = need("networkx")
    numbered = nx.from_numpy_array(leaf.truth)
    assert np.array_equal(_prior(noisy, numbered), _prior(noisy, leaf.truth))
    with pytest.raises(ValueError, match=r"^prior: there is no column 24: the columns are 0 to 23$"):
        _prior(noisy, nx.Graph([(0, 24)]))
    with pytest.raises(ValueError, match=r'^prior: an edge ends at "0"'):
        _prior(noisy, numbered, names=leaf.names)


def test_bad_graphs_are_refused_without_temporary_files(leaf, noisy):
    nx = need("networkx")
    for prior, sentence in (
        (nx.Graph([("q", "v1")]), '^prior: an edge ends at "q"'),
        (-leaf.truth, "prior: it has [0-9]+ edges of negative weight, and this model needs weights from 0 up$"),
        (np.triu(leaf.truth), "^prior: the matrix is not symmetric$"),
        (nx.DiGraph([("v0", "v1")]), "^known.prior: the graph is directed"),
        (leaf.truth * np.nan, "^prior: the matrix has values that are not finite$"),
        (object(), "^prior: got object, want a file"),
    ):
        with pytest.raises(ValueError, match=sentence) as fault:
            _prior(noisy, prior)
        assert "nervure-" not in str(fault.value)


def test_graphs_are_equal_to_themselves_only(leaf):
    one, other = (nervure.learn_graph(leaf.X, method="knn") for _ in range(2))
    assert one == one
    assert one != other
    assert len({one, other}) == 2


def test_matrices_are_computed_once_and_read_only(monkeypatch, leaf):
    graph = nervure.learn_graph(leaf.X)
    matrices = {name: getattr(graph, name) for name in ("adjacency", "confidence_matrix", "laplacian")}
    monkeypatch.delattr(nervure.LearnedGraph, "_fill")
    for name, matrix in matrices.items():
        assert getattr(graph, name) is matrix
        assert not matrix.flags.writeable
