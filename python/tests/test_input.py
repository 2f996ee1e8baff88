"""What may be given as signals, and the sentences about what may not."""

import tracemalloc

import numpy as np
import pytest

import nervure
from nervure._arrays import as_signals, write_npy

FAST = {"method": "correlation"}
pytestmark = pytest.mark.filterwarnings("ignore::nervure.NervureWarning")


def test_all_forms_of_the_same_numbers_give_the_same_graph(field):
    pd, pl = pytest.importorskip("pandas"), None
    whole = np.round(field * 8)  # exact in all of these
    names = [f"station {k} ñ" for k in range(8)]
    expected = nervure.learn_graph(whole, **FAST)
    frame = pd.DataFrame(whole, columns=names)
    forms = {
        "list": whole.tolist(),
        "Fortran": np.asfortranarray(whole),
        "strided": np.repeat(whole, 2, axis=0)[::2],
        "reversed twice": whole[::-1].copy()[::-1],
        "float32": whole.astype(np.float32),
        "integers": whole.astype(np.int32),
        "big endian": whole.astype(">f8"),
        "objects": whole.astype(object),
        "masked": np.ma.array(whole),
        "pandas": frame,
        "nullable": frame.astype("Float64"),
    }
    try:
        import polars as pl

        forms["polars"] = pl.DataFrame(whole, schema=names)
    except ImportError:
        pass
    for what, X in forms.items():
        graph = nervure.learn_graph(X, **FAST)
        assert np.array_equal(graph.adjacency, expected.adjacency), what
        assert graph.names == (names if hasattr(X, "columns") else [f"v{k}" for k in range(8)]), what


def test_missing_values_are_nan_masked_or_na(field):
    pd = pytest.importorskip("pandas")
    hole = field.copy()
    hole[3, 2] = np.nan
    masked = np.ma.array(field, mask=np.isnan(hole))
    frame = pd.DataFrame(field).astype("Float64")
    frame.iloc[3, 2] = pd.NA
    graphs = [nervure.learn_graph(X, **FAST) for X in (hole, np.asfortranarray(hole), masked, frame)]
    assert graphs[0].summary["preparation"]["missing"] == 1
    for graph in graphs[1:]:
        assert np.array_equal(graph.adjacency, graphs[0].adjacency)
    assert not np.array_equal(graphs[0].adjacency, nervure.learn_graph(field, **FAST).adjacency)


@pytest.mark.parametrize(
    ("X", "error", "sentence"),
    [
        (np.zeros(5), ValueError, "Expected 2D array, got 1D array"),
        (np.zeros((2, 2, 2)), ValueError, "Expected 2D array, got 3D array"),
        (np.zeros((0, 3)), ValueError, r"0 sample\(s\)"),
        (np.zeros((3, 0)), ValueError, r"0 feature\(s\)"),
        (np.ones((4, 3)) * 1j, ValueError, "Complex data not supported"),
        ([["a", "b"], ["c", "d"]], ValueError, "numbers"),
        (np.array([["a", 1.0], [2.0, 3.0]], dtype=object), ValueError, "could not convert string"),
        (np.array([["2020-01-01", "2020-01-02"]], dtype="M8[D]"), ValueError, "Dates and times"),
        (np.array([[1, np.inf], [2, 3], [4, 5]]), ValueError, r"the value at index \[0, 1\] \(v1\) is not finite"),
        (np.ones((20, 3)), ValueError, "only 0 of 3 vertices vary, want at least 2"),
        (np.array([[1.0, 2.0, 3.0]]), ValueError, "signals: got 1, want at least 2"),
    ],
)
def test_bad_signals_are_refused_with_a_sentence(X, error, sentence):
    with pytest.raises(error, match=sentence) as fault:
        nervure.learn_graph(X)
    assert "signals.npy" not in str(fault.value)


def test_sparse_matrices_are_refused(field):
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(TypeError, match="toarray"):
        nervure.learn_graph(sparse.csr_array(field))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"n_edges": 3000}, "^n_edges: got 3000 to keep, want 1 to 28$"),
        ({"method": "corelation"}, "correlation"),
        ({"method": "knn", "params": {"q": 1}}, "params"),
        ({"method": "knn", "sparsity": 3}, "^sparsity applies only to method sparse$"),
        ({"kernels": "heat:x"}, "^kernels"),
        ({"n_jobs": 0}, "^n_jobs: got 0"),
        ({"random_state": -1}, "^random_state: got -1"),
        ({"n_edges": 2, "threshold": 0.5}, "^n_edges and threshold cannot be used together$"),
        ({"center": "perhaps"}, "center"),
        ({"names": ["a"]}, "there are 1 names and 8 columns"),
        ({"names": list("abcdefg") + ["h\nh"]}, "line break"),
        ({"names": list("abcdefgg")}, "g"),
    ],
)
def test_bad_options_are_refused_in_the_words_of_python(field, options, sentence):
    with pytest.raises(ValueError, match=sentence) as fault:
        nervure.learn_graph(field, **options)
    assert "--" not in str(fault.value)


def test_unknown_options_are_refused(field):
    with pytest.raises(TypeError, match="'edges'"):
        nervure.learn_graph(field, edges=3)


def test_options_are_those_of_the_command(field):
    graph = nervure.learn_graph(field, method="correlation", n_edges=5, random_state=7, n_jobs=1, log_offset=1.5, center=True)
    assert graph.n_edges == 5
    assert (graph.summary["seed"], graph.summary["threads"]) == (7, 1)
    preparation = graph.summary["preparation"]
    assert preparation["log"]
    assert preparation["log_offset"] == 1.5
    assert preparation["centered"]
    logarithms = nervure.learn_graph(np.log(field + 1.5), method="correlation", n_edges=5)
    assert np.allclose(graph.adjacency, logarithms.adjacency)


def test_seeds_may_be_generators(field):
    assert nervure.learn_graph(field, random_state=np.random.RandomState(3), **FAST).summary["seed"] > 0
    assert nervure.learn_graph(field, random_state=np.random.default_rng(3), **FAST).summary["seed"] > 0


@pytest.mark.parametrize("order", ["C", "F"])
def test_a_large_array_is_not_copied(tmp_path, order):
    X = np.asarray(np.random.default_rng(0).normal(size=(40_000, 100)), order=order)  # 32 MB
    tracemalloc.start()
    signals = as_signals(X)
    path, flags = signals.write(tmp_path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < X.nbytes / 50
    assert flags == []
    assert np.array_equal(np.load(path), X)


@pytest.mark.parametrize("dtype", [np.float32, np.int16])
def test_other_numbers_are_converted_a_part_at_a_time(tmp_path, dtype):
    X = np.arange(4_000_000).reshape(-1, 100).astype(dtype)
    tracemalloc.start()
    write_npy(tmp_path / "x.npy", X[::-1])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 25
    assert np.array_equal(np.load(tmp_path / "x.npy"), X[::-1].astype(float))


def test_a_mapped_file_is_named_and_not_written_again(tmp_path, field):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    for order in "CF":
        path = tmp_path / f"sïgnals {order}.npy"
        np.save(path, np.asarray(field, order=order))
        mapped = np.load(path, mmap_mode="r")
        assert as_signals(mapped).write(scratch)[0] == path
        assert as_signals(np.asarray(mapped)).write(scratch)[0] == path
    assert list(scratch.iterdir()) == []
    assert np.array_equal(nervure.learn_graph(mapped, **FAST).adjacency, nervure.learn_graph(field, **FAST).adjacency)
    for part in (mapped[1:], mapped[:, :4], mapped[::-1], mapped.T, mapped + 1, np.ma.array(mapped, mask=field > 20)):
        written = as_signals(part).write(scratch)[0]
        assert written.parent == scratch
        assert np.array_equal(np.load(written), np.ma.filled(np.ma.asarray(part), np.nan), equal_nan=True)


def test_changes_in_a_mapped_file_are_seen(tmp_path, field):
    np.save(tmp_path / "x.npy", field)
    for mode, kept in (("r+", True), ("c", False)):
        mapped = np.load(tmp_path / "x.npy", mmap_mode=mode)
        mapped[0, 0] = 5 if kept else 7
        path = as_signals(mapped).write(tmp_path)[0]
        assert (path == tmp_path / "x.npy") == kept
        assert np.load(path)[0, 0] == mapped[0, 0]
