"""What is shown while a run lasts and after it: in terminals and in notebooks."""

from __future__ import annotations

import html
import shutil
import sys
import time
from pathlib import Path
from typing import Any

from ._program import Event


def in_notebook() -> bool:
    """Whether this is the kernel of a notebook."""
    interactive = sys.modules.get("IPython")
    shell = interactive.get_ipython() if interactive else None
    return shell is not None and hasattr(shell, "kernel")


def embedded(report: str) -> str:
    """A report as a part of a notebook: the verdict and the graph, in a frame that shares no style.

    A script beside it makes the frame as high as what it shows, and as dark as the notebook.
    """
    page = report.replace('<html lang="en">', '<html lang="en" class="is-embedded">', 1)
    script = Path(__file__).with_name("frame.js").read_text(encoding="utf-8")
    return (
        f'<iframe class="nervure-graph" srcdoc="{html.escape(page)}" title="the learned graph" '
        'style="width: 100%; height: 640px; border: 1px solid rgba(128, 128, 128, 0.35); border-radius: 8px" '
        f'sandbox="allow-scripts allow-downloads allow-popups"></iframe><script>{script}</script>'
    )


class Progress:
    """A bar, and a line that says what is being done. Use it as a context: the line is removed at its end."""

    PAUSE = 0.1  # seconds between two lines; no eye follows more
    BAR = 10  # characters of the bar in a terminal

    def __init__(self, asked: bool | str) -> None:
        self.notebook = in_notebook()
        self.shown = asked is True or (
            asked == "auto" and (self.notebook or bool(getattr(sys.stderr, "isatty", bool)()))
        )
        self.begun = time.monotonic()
        self.last = 0.0
        self.width = 0
        self.wide = 0
        self.what = "learning"
        self.display: Any = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self.width:
            sys.stderr.write("\r" + " " * self.width + "\r")
            sys.stderr.flush()
        if self.display is not None:
            self.display.update({"text/html": "", "text/plain": ""}, raw=True)

    def follow(self, event: Event) -> None:
        """Show an event, unless the last one was shown just now."""
        if not self.shown:
            return
        part = 0.0  # of the stage, as far as it is known
        detail = ""
        if event["event"] == "begin":
            self.what = event.get("what", self.what)
        elif event["event"] == "step":
            detail = f"round {event.get('round', 0)}, {event.get('edges', 0)} edges"
            if event.get("residual") is not None:
                detail += f", residual {event['residual']:.2g}"
        elif event.get("of"):
            part = min(event.get("done", 0) / event["of"], 1.0)
            detail = f"{event.get('done', 0)} of {event['of']}"
        share = (event["stage"] - 1 + part) / event["stages"] if event.get("stages") else part
        now = time.monotonic()
        if now - self.last >= self.PAUSE or event["event"] == "begin":
            self.last = now
            self._show(f"nervure: {self.what}" + (f", {detail}" if detail else ""), share, now - self.begun)

    def _show(self, words: str, share: float, seconds: float) -> None:
        if self.notebook:
            self._show_notebook(words, share, seconds)
            return
        full = round(share * self.BAR)
        end = f" [{'#' * full}{'.' * (self.BAR - full)}] {seconds:.0f} s"
        room = max(0, shutil.get_terminal_size().columns - 1 - len(end))
        line = words[:room].ljust(min(room, self.wide)) + end
        self.wide = max(self.wide, len(words))  # so that the bar does not jump
        sys.stderr.write("\r" + line.ljust(self.width))
        sys.stderr.flush()
        self.width = len(line)

    def _show_notebook(self, words: str, share: float, seconds: float) -> None:
        from IPython.display import display

        bundle = {
            "text/html": f'<progress value="{share:.3f}" style="width: 16em; vertical-align: middle"></progress> {html.escape(words)} ({seconds:.0f} s)',
            "text/plain": f"{words} ({seconds:.0f} s)",
        }
        if self.display is None:
            self.display = display(bundle, raw=True, display_id=True)  # type: ignore[no-untyped-call]
        else:
            self.display.update(bundle, raw=True)
