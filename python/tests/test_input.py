"""What may be given as signals, and the sentences about what may not."""

import tracemalloc

import numpy as np
import pytest
from conftest import need

import nervure
from nervure._arrays import as_signals, write_npy

FAST = {"method": "correlation"}
pytestmark = pytest.mark.filterwarnings("ignore::nervure.NervureWarning")


def test_all_forms_of_the_same_numbers_give_the_same_graph(field):
    pd, pl = need("pandas"), None
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
    pd = need("pandas")
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
    sparse = need("scipy.sparse")
    with pytest.raises(TypeError, match="toarray"):
        nervure.learn_graph(sparse.csr_array(field))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"n_edges": 3000}, "^n_edges: got 3000 to keep, want 1 to 28$"),
        ({"method": "corelation"}, "correlation"),
        ({"method": "knn", "params": {"q": 1}}, "params"),
        (
            {"method": "knn", "options": {"method": {"sparsity": 3}}},
            "^method.sparsity applies only to method sparse or",
        ),
        (
            {"options": {"prepare": {"detrnd": "yes"}}},
            "prepare.detrnd is not a key of a run; did you mean prepare.detrend",
        ),
        ({"options": {"cut": {"edges": "3"}}}, '^n_edges: got "3", want a whole number'),
        ({"options": {"seed": float("nan")}}, "^options: "),
        ({"options": {"known": {"prior": None}, "sample": {1}}}, r"^options: got \{1\}, want"),
        ({"options": 3}, "^options: got 3, want a dict"),
        ({"kernels": "heat:x"}, "^kernels"),
        ({"n_jobs": 0}, "^n_jobs: got 0"),
        ({"random_state": -1}, "^random_state: got -1"),
        ({"n_edges": 2, "threshold": 0.5}, "^n_edges and threshold cannot be used together$"),
        ({"difference": "perhaps"}, "difference"),
        ({"difference": "perhaps"}, "^difference"),
        ({"season": True}, "^season: got True, want 'auto', False, a number of observations or a list of them$"),
        ({"season": []}, r"^season: got \[\], want"),
        ({"season": 1}, "^season: .*of at least 2"),
        ({"bad_sensors": "hide"}, "^bad_sensors"),
        ({"time_limit": "soon"}, "^time_limit"),
        ({"time_limit": [1]}, r"^time_limit: got \[1\], want a number of seconds, or a string such as '2m'$"),
        ({"names": ["a"]}, "there are 1 names and 8 columns"),
        ({"names": [*"abcdefg", "h\nh"]}, "line break"),
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
    graph = nervure.learn_graph(
        field,
        method="correlation",
        n_edges=5,
        random_state=7,
        n_jobs=1,
        options={"prepare": {"log_offset": 1.5, "center": True}},
    )
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
    read = signals.write(tmp_path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < X.nbytes / 50
    assert list(read) == ["files"]
    assert np.array_equal(np.load(read["files"][0]), X)


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
        assert as_signals(mapped).write_array(scratch)[0] == path
        assert as_signals(np.asarray(mapped)).write_array(scratch)[0] == path
    assert list(scratch.iterdir()) == []
    assert np.array_equal(nervure.learn_graph(mapped, **FAST).adjacency, nervure.learn_graph(field, **FAST).adjacency)
    for part in (mapped[1:], mapped[:, :4], mapped[::-1], mapped.T, mapped + 1, np.ma.array(mapped, mask=field > 20)):
        written = as_signals(part).write_array(scratch)[0]
        assert written.parent == scratch
        assert np.array_equal(np.load(written), np.ma.filled(np.ma.asarray(part), np.nan), equal_nan=True)


def test_changes_in_a_mapped_file_are_seen(tmp_path, field):
    np.save(tmp_path / "x.npy", field)
    for mode, kept in (("r+", True), ("c", False)):
        mapped = np.load(tmp_path / "x.npy", mmap_mode=mode)
        mapped[0, 0] = 5 if kept else 7
        path = as_signals(mapped).write_array(tmp_path)[0]
        assert (path == tmp_path / "x.npy") == kept
        assert np.load(path)[0, 0] == mapped[0, 0]


def test_a_file_of_another_name_or_content_is_written_again(tmp_path, field):
    """The program goes by the suffix, and a name may belong to another file by now."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    np.save(tmp_path / "x.npy", field)
    (tmp_path / "x.npy").rename(tmp_path / "x.csv")
    mapped = np.load(tmp_path / "x.csv", mmap_mode="r")
    assert as_signals(mapped).write_array(scratch)[0].parent == scratch
    for order in "CF":
        for part in (slice(0, 1), slice(-1, None)):
            path = tmp_path / f"{order}.npy"
            np.save(path, np.asarray(field, order=order))
            mapped = np.load(path, mmap_mode="r")
            other = np.asarray(field, order=order).copy(order="K")
            other[part] += 1
            np.save(tmp_path / "other.npy", other)
            (tmp_path / "other.npy").replace(path)  # what is mapped lives on without a name
            written = as_signals(mapped).write_array(scratch)[0]
            assert written.parent == scratch
            assert np.array_equal(np.load(written), field)


def test_columns_that_are_no_numbers_are_refused_by_name(field):
    pd = need("pandas")
    days = pd.date_range("2024-01-01", periods=len(field))
    frame = pd.DataFrame(field, columns=list("abcdefgh"))
    others = {
        "dates or times": [pd.Series(days.time, dtype=object)],
        "durations": [days - days[0]],
        "categories": [pd.Categorical(np.arange(len(field)) % 3)],
    }
    for held, columns in others.items():
        for column in columns:
            with pytest.raises(ValueError, match=rf"^column 'when' holds {held}.*set_index.*drop it$"):
                nervure.learn_graph(frame.assign(when=column), **FAST)
    expected = nervure.learn_graph(frame, **FAST).adjacency
    for fine in (frame.set_index(days), frame.astype(object), frame.astype("Float64")):
        assert np.allclose(nervure.learn_graph(fine, **FAST).adjacency, expected, rtol=1e-9)  # in another order
    assert nervure.learn_graph(frame.assign(flag=frame.a > 20), **FAST).n_vertices == 9


def test_columns_of_polars_that_are_no_numbers_are_refused(field):
    pl = need("polars")
    frame = pl.DataFrame(field, schema=list("abcdefgh"))
    for dtype in (pl.Duration, pl.Time):
        with pytest.raises(ValueError, match=r"^column 'when' holds .*: drop it$"):
            nervure.learn_graph(frame.with_columns(pl.lit(1).cast(pl.Int64).cast(dtype).alias("when")), **FAST)
    with pytest.warns(UserWarning, match=r'column 9, "when", is text and is left out'):
        assert nervure.learn_graph(frame.with_columns(pl.lit("dry").alias("when")), **FAST).n_vertices == 8


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (list("abcdefgg"), "^two columns are called 'g': rename one$"),
        ([*"abcdefg", " "], "^column 7 has no name"),
        ([*"abcdefg", "\udc80"], "^the name .* is not valid Unicode$"),
        (5, "^names: got 5, want a list of strings$"),
    ],
)
def test_bad_names_are_refused_with_a_sentence(field, names, sentence):
    with pytest.raises(ValueError, match=sentence):
        nervure.learn_graph(field, names=names, **FAST)


def test_a_mark_of_utf_8_in_a_name_is_kept(field):
    names = ["\ufeffa", *"bcdefgh"]
    assert nervure.learn_graph(field, names=names, **FAST).names == names


@pytest.mark.parametrize(
    ("X", "sentence"),
    [(None, "^X is None: want an array or a data frame"), ([[1, 2], [3]], "^the rows of X have different lengths")],
)
def test_what_is_no_array_is_refused_with_a_sentence(X, sentence):
    with pytest.raises(nervure.InvalidSignals, match=sentence):
        nervure.learn_graph(X)


def test_switches_are_true_or_false(field):
    def done(**options):
        return nervure.learn_graph(field, **FAST, **options).summary["preparation"]

    for yes, no in ((True, False), (np.True_, np.False_), (1, 0), (np.int64(1), np.int64(0))):
        assert (done(difference=yes)["difference"], done(difference=no)["difference"]) == (True, False)
        assert nervure.learn_graph(field, method="knn", report=yes).report is not None
    for option in ("difference", "confidence", "report", "progress"):
        with pytest.raises(ValueError, match=rf"^{option}: got 2, want True or False"):
            nervure.learn_graph(field, **FAST, **{option: 2})


def test_parameters_are_a_dict_and_kernels_a_list(field):
    with pytest.raises(ValueError, match=r"^params: got \[1\], want a dict such as {'k': 3}$"):
        nervure.learn_graph(field, method="knn", params=[1])
    with pytest.raises(ValueError, match=r"^kernels: got 5, want a string"):
        nervure.learn_graph(field, kernels=5)


def test_options_of_other_functions_are_refused(field):
    with pytest.raises(ValueError, match=r"^confidence does not apply to a comparison$"):
        nervure.compare(field, options={"check": {"confidence": True}})
    with pytest.raises(TypeError, match="unexpected keyword argument 'confidence'"):
        nervure.compare(field, confidence=True)
    with pytest.raises(TypeError, match="unexpected keyword argument 'folds'"):
        nervure.learn_graph(field, folds=3)


def test_an_array_of_several_subjects_is_for_another_function(field):
    with pytest.raises(ValueError, match=r"Expected 2D array, got 3D array instead\. learn_graphs takes"):
        nervure.learn_graph(np.stack([field, field]))


def test_signals_that_look_transposed_are_said_and_left(field):
    pd = need("pandas")
    frame = pd.DataFrame(field[:20], columns=[f"s{k}" for k in range(8)])
    fast = {"method": "correlation", "confidence": False}
    said = "if vertices are in rows, pass X.T"
    for X, words in [
        (frame.T, "X has 8 rows (called s0, s1, …) and 20 columns"),
        (field[:40].T, "X has 8 rows and 40 columns"),
        (field[:20].T, "20 vertices and 8 signals"),  # in the words of the program
    ]:
        with pytest.warns(nervure.NervureWarning) as noted:
            graph = nervure.learn_graph(X, **fast)
        told = [str(note.message) for note in noted if said in str(note.message)]
        assert len(told) == 1, told
        assert words in told[0]
        assert graph.n_vertices == X.shape[1]
    with pytest.warns(nervure.NervureWarning) as noted:
        nervure.learn_graph(pd.DataFrame(field[:5], index=list("abcde"), columns=[f"s{k}" for k in range(8)]), **fast)
    assert not [note for note in noted if "called" in str(note.message)]  # columns have names of vertices


def test_a_file_is_read_as_the_program_reads_it(tmp_path, monkeypatch, field):
    pd = need("pandas")
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame(field[:40], columns=list("abcdefgh"))
    frame.insert(0, "YEAR", range(1960, 2000))
    frame.to_csv("x.csv", index=False)
    for X in ("x.csv", tmp_path / "x.csv", frame):
        with pytest.warns(
            nervure.NervureWarning, match='column 1, "YEAR", counts the rows and is treated as row labels'
        ):
            graph = nervure.learn_graph(X, **FAST)
        assert graph.names == list("abcdefgh")
        assert np.array_equal(graph.adjacency, nervure.learn_graph(field[:40], **FAST).adjacency)
    assert nervure.compare("x.csv", methods=["knn", "tree"]).attrs["vertices"] == 8
    learner = nervure.GraphLearner("ggl").fit(frame)
    assert learner.feature_names_in_.tolist() == list("abcdefgh")
    assert learner.transform(frame[3:5]).shape == (2, 8)
    with pytest.raises(ValueError, match=r"^nowhere.csv: "):
        nervure.learn_graph("nowhere.csv")


def test_names_of_columns_are_kept_whatever_they_are(field):
    pd = need("pandas")
    for names in (
        ['stem, "left"', "a;b", "#c", "NA", "007", "it's ü", "\ufeffg", "-"],
        ["101", "102", "103", "104", "1e5", "106", "107", "108"],
        [" a", "b ", *"cdefgh"],
        [1960, 1961, 1962, 1963, 1964, 1965, 1966, 1967],
    ):
        graph = nervure.learn_graph(pd.DataFrame(field, columns=names), **FAST)
        assert graph.names == [str(name) for name in names]
        assert np.array_equal(graph.adjacency, nervure.learn_graph(field, **FAST).adjacency)
