"""The program as a child process: found or missing, stopped, and several at once."""

import errno
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from conftest import need

import nervure
from nervure import GraphLearner

SLOW = {"method": "sparse", "confidence": True}


@pytest.fixture(scope="module")
def noisy(leaf):
    """Signals that take long enough to be interrupted."""
    return leaf.X + 0.3 * leaf.X.std() * np.random.default_rng(2).normal(size=leaf.X.shape)


def test_a_missing_program_is_named_with_what_to_do(monkeypatch, field, tmp_path):
    monkeypatch.setenv("NERVURE_BINARY", str(tmp_path / "nowhere"))
    with pytest.raises(nervure.ProgramNotFound, match=r"NERVURE_BINARY names .*nowhere, and there is no program there"):
        nervure.learn_graph(field)
    monkeypatch.delenv("NERVURE_BINARY")
    monkeypatch.setattr("nervure._program.__file__", str(tmp_path / "_program.py"))
    with pytest.raises(FileNotFoundError, match="pip install --force-reinstall"):
        GraphLearner().fit(field)
    assert issubclass(nervure.ProgramNotFound, nervure.NervureError)


def test_a_program_that_cannot_run_is_an_error(monkeypatch, field, tmp_path):
    broken = tmp_path / "nervure"
    broken.write_bytes(b"\x7fELF nonsense")
    broken.chmod(0o755)
    monkeypatch.setenv("NERVURE_BINARY", str(broken))
    with pytest.raises(nervure.NervureError, match="cannot be started"):
        nervure.learn_graph(field)


@pytest.mark.skipif(os.name != "posix", reason="a script stands for the program")
def test_a_program_that_fails_is_an_error_with_its_words(monkeypatch, field, tmp_path):
    failing = tmp_path / "nervure"
    failing.write_text("#!/bin/sh\necho 'nervure: no space left on device' >&2\nexit 1\n")
    failing.chmod(0o755)
    monkeypatch.setenv("NERVURE_BINARY", str(failing))
    with pytest.raises(nervure.NervureError, match=r"^no space left on device$"):
        nervure.learn_graph(field)


def test_the_command_is_the_program(leaf):
    for command in ([sys.executable, "-m", "nervure"], [str(Path(sys.executable).parent / "nervure")]):
        if not Path(command[0]).exists():
            continue
        ran = subprocess.run([*command, "version"], capture_output=True, check=True)
        assert ran.stdout == subprocess.run([nervure.program(), "version"], capture_output=True, check=True).stdout
        assert subprocess.run([*command, "learn", "nowhere.csv"], capture_output=True).returncode == 2


def test_warnings_are_those_of_python(noisy):
    with pytest.warns(nervure.NervureWarning, match="no graph explains the signals exactly") as caught:
        graph = nervure.learn_graph(noisy, confidence=False)
    assert [str(w.message) for w in caught if w.category is nervure.NervureWarning] == graph.warnings
    assert {Path(w.filename).name for w in caught} == {"test_program.py"}


def test_a_warning_is_given_once_unless_a_filter_says_otherwise():
    """As a fit in a loop, or in a search, would say it each time."""
    script = textwrap.dedent("""
        import sys, warnings, numpy as np, nervure
        if sys.argv[1]:
            warnings.simplefilter(sys.argv[1])
        rng = np.random.default_rng(2)
        X = rng.normal(size=(30, 5))
        for _ in range(3):
            with warnings.catch_warnings():  # as many packages do, after which Python has forgotten what it gave
                pass
            nervure.learn_graph(X)
    """)
    for action, times in {"": 1, "always": 3, "ignore": 0}.items():
        ran = subprocess.run([sys.executable, "-c", script, action], capture_output=True, text=True, check=True)
        assert ran.stderr.count("NervureWarning: these signals show no graph") == times, ran.stderr


class _Interrupt:
    """Raises KeyboardInterrupt in the main thread when an event of the program arrives."""

    def __init__(self, monkeypatch, kind):
        self.kind, self.done = kind, False
        follow = nervure._notebook.Progress.follow

        def followed(progress, event):
            follow(progress, event)
            if event["event"] == kind and not self.done:
                self.done = True
                signal.raise_signal(signal.SIGINT)

        monkeypatch.setattr("nervure._notebook.Progress.follow", followed)


@pytest.mark.filterwarnings("ignore:no graph explains:nervure.NervureWarning")
def test_an_interrupted_fit_keeps_the_best_graph_so_far(monkeypatch, noisy, capsys):
    _Interrupt(monkeypatch, "half")  # there is a graph, and its confidence is being computed
    with pytest.warns(nervure.NervureWarning, match="interrupted"):
        learner = GraphLearner(progress=True, **SLOW).fit(noisy)
    assert learner.graph_.interrupted
    assert learner.summary_["status"] == "interrupted" or learner.confidence_ is None
    assert learner.adjacency_.sum() > 0
    assert learner.transform(noisy[:3]).shape == (3, 24)


def test_an_interruption_with_nothing_learned_is_not_swallowed(monkeypatch, noisy, tmp_path):
    stub = tmp_path / "nervure"
    stub.write_text("#!/bin/sh\ncat > /dev/null\necho 'nervure: interrupted: nothing was written' >&2\nexit 130\n")
    stub.chmod(0o755)
    monkeypatch.setenv("NERVURE_BINARY", str(stub))
    threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        nervure.learn_graph(noisy)


@pytest.mark.skipif(os.name != "posix", reason="a shell script")
@pytest.mark.filterwarnings("ignore:these signals show no graph:nervure.NervureWarning")
def test_a_fault_of_the_program_costs_a_part_alone(monkeypatch, noisy, tmp_path):
    sentence = "a fault of the program, not of your data, ended the confidence of edges: please send report.txt"
    stub = tmp_path / "nervure"
    for learns in ['"$NERVURE_REAL" "$@"\n', ""]:
        stub.write_text(f"#!/bin/sh\n{learns}echo 'nervure: {sentence}' >&2\nexit 70\n")
        stub.chmod(0o755)
        monkeypatch.setenv("NERVURE_REAL", nervure.program())
        with monkeypatch.context() as faulty:
            faulty.setenv("NERVURE_BINARY", str(stub))
            if learns:
                with pytest.warns(nervure.NervureWarning, match=sentence):
                    graph = nervure.learn_graph(noisy, method="ggl", n_edges=20)
                assert graph.adjacency.sum() > 0
            else:
                with pytest.raises(nervure.NervureError, match=sentence):
                    nervure.learn_graph(noisy, method="ggl")


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_in_a_terminal_keeps_the_best_so_far(noisy, tmp_path):
    """The whole group of processes gets SIGINT, as from a terminal."""
    np.save(tmp_path / "x.npy", noisy)
    script = textwrap.dedent(f"""
        import numpy as np, nervure, sys, warnings
        warnings.simplefilter("ignore")
        learner = nervure.GraphLearner(method="sparse", confidence=True, progress=True)
        learner.fit(np.load({str(tmp_path / "x.npy")!r}))
        print(learner.graph_.interrupted, learner.graph_.n_edges > 0)
    """)
    child = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    shown = b""
    while b"confidence" not in shown:
        shown += child.stderr.read(1)
    os.killpg(child.pid, signal.SIGINT)
    out, err = child.communicate(timeout=600)
    assert out.split() == [b"True", b"True"], err


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_the_program_ends_with_python(noisy, tmp_path):
    """A killed kernel leaves no program behind."""
    np.save(tmp_path / "x.npy", np.tile(noisy, (20, 1)))
    script = f"import numpy as np, nervure; nervure.learn_graph(np.load({str(tmp_path / 'x.npy')!r}), method='sparse', progress=True)"
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    child = subprocess.Popen(
        [sys.executable, "-c", script], stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": str(scratch)}
    )
    child.stderr.read(1)
    children = Path(f"/proc/{child.pid}/task/{child.pid}/children")
    if not children.exists():
        child.kill()
        pytest.skip("needs /proc")
    (program,) = children.read_text().split()
    child.kill()
    child.communicate()
    deadline = time.monotonic() + 600
    while Path(f"/proc/{program}/exe").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(f"/proc/{program}/exe").exists()


def _fit(X, method):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return GraphLearner(method, confidence=False, n_jobs=1).fit(X).adjacency_


def test_many_fits_at_once_from_threads(leaf, field):
    jobs = [(leaf.X, "sparse"), (field, "ggl"), (field, "knn")] * 3
    expected = [_fit(*job) for job in jobs[:3]] * 3
    with ThreadPoolExecutor(6) as pool:
        for answer, want in zip(pool.map(lambda job: _fit(*job), jobs), expected, strict=True):
            assert np.array_equal(answer, want)


def test_many_fits_at_once_from_processes(leaf, field):
    joblib = need("joblib")
    jobs = [(leaf.X, "sparse"), (field, "ggl")] * 2
    expected = [_fit(*job) for job in jobs]
    for answer, want in zip(
        joblib.Parallel(n_jobs=2)(joblib.delayed(_fit)(*job) for job in jobs), expected, strict=True
    ):
        assert np.array_equal(answer, want)


@pytest.mark.skipif(os.name != "posix", reason="a script stands for the program")
@pytest.mark.parametrize("command", ["score", "fit twice"])
def test_an_interruption_ends_what_cannot_be_kept(monkeypatch, field, tmp_path, command):
    """Commands that are soon done, and those that do not stop when asked to."""
    learner = GraphLearner("knn").fit(field)
    stub = tmp_path / "nervure"
    stub.write_text("#!/bin/sh\nexec sleep 3000\n")
    stub.chmod(0o755)
    monkeypatch.setenv("NERVURE_BINARY", str(stub))
    threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
    if command == "fit twice":
        threading.Timer(0.6, signal.raise_signal, [signal.SIGINT]).start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        learner.score(field) if command == "score" else learner.fit(field)
    assert time.monotonic() - begun < 1000


def test_a_relative_path_names_the_program(monkeypatch, field, tmp_path):
    """Without a slash in it, a name would be looked up on the path."""
    place, name = os.path.split(nervure.program())
    monkeypatch.chdir(place)
    monkeypatch.setenv("NERVURE_BINARY", name)
    assert nervure.program() == os.path.join(place, name)
    assert nervure.learn_graph(field, method="knn").n_edges > 0


@pytest.mark.skipif(os.name != "posix", reason="exec")
def test_the_command_says_that_a_program_cannot_run(tmp_path):
    broken = tmp_path / "nervure"
    broken.write_bytes(b"\x7fELF nonsense")
    broken.chmod(0o755)
    ran = subprocess.run(
        [sys.executable, "-m", "nervure", "version"],
        capture_output=True, text=True, env={**os.environ, "NERVURE_BINARY": str(broken)},
    )  # fmt: skip
    assert ran.returncode == 1
    assert ran.stderr == f"nervure: the program {broken} cannot be started: Exec format error\n"


def test_a_full_disk_is_an_error_that_names_the_directory(monkeypatch, field, tmp_path):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    with monkeypatch.context() as patched:
        patched.setattr("nervure._arrays.write_npy", full)
        with pytest.raises(nervure.NervureError, match=f"cannot be written to {tmp_path}: No space left on device"):
            nervure.learn_graph(field)
    monkeypatch.setattr("tempfile.mkdtemp", full)
    with pytest.raises(nervure.NervureError, match=r"no directory for temporary files: .*No space left"):
        nervure.learn_graph(field)
