import io
import sys

import numpy as np
import pytest
from conftest import need

import nervure


class _Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_one_line_that_is_removed(leaf, monkeypatch):
    terminal = _Terminal()
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(sys, "stderr", terminal)
    nervure.learn_graph(leaf.X)
    shown = terminal.getvalue()
    assert "nervure: learning" in shown
    assert "\n" not in shown
    assert shown.endswith("\r")
    assert max(map(len, shown.split("\r"))) < 40
    assert "[..........] " in shown
    bars = [line.split("[")[1].split("]")[0] for line in shown.split("\r") if "[" in line]
    assert [bar.count("#") for bar in bars] == sorted(bar.count("#") for bar in bars)  # it never goes back


@pytest.mark.parametrize("progress", ["auto", False])
def test_nothing_is_shown_where_nobody_looks(leaf, capfd, progress):
    nervure.learn_graph(leaf.X, progress=progress)
    assert capfd.readouterr() == ("", "")


def test_a_notebook_shows_the_graph(leaf, tmp_path):
    nbformat = need("nbformat")
    nbclient = need("nbclient")
    need("ipykernel")
    np.save(tmp_path / "x.npy", leaf.X)
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [
        nbformat.v4.new_code_cell(
            f"import numpy as np, nervure\nX = np.load({str(tmp_path / 'x.npy')!r})\nnervure.learn_graph(X)"
        ),
        nbformat.v4.new_code_cell("nervure.GraphLearner().fit(X)"),
    ]
    nbclient.NotebookClient(notebook, timeout=1200).execute()
    for cell in notebook.cells:
        (answer,) = [output for output in cell.outputs if output.output_type == "execute_result"]
        assert answer.data["text/html"].startswith('<iframe class="nervure-graph"')
        assert "nervure-graph:not([data-attended])" in answer.data["text/html"]  # what makes it high and dark enough
        assert answer.data["text/plain"]
        bars = [output for output in cell.outputs if output.output_type == "display_data"]
        assert all(bar.data["text/html"] == "" for bar in bars)  # the bar has gone
