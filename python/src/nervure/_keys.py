"""What this package calls keys of the document of a run."""

from __future__ import annotations

# generated: go test ./document -run OtherLanguages -update
# Where in the document the value of a keyword stands.
KEYS = {
    "truth": "compare.truth",
    "bad_sensors": "prepare.bad_sensors",
    "rows": "prepare.rows",
    "season": "prepare.season",
    "difference": "prepare.difference",
    "scores": "prepare.scores",
    "methods": "compare.methods",
    "method": "method.name",
    "params": "method.params",
    "kernels": "kernels.given",
    "n_edges": "cut.edges",
    "folds": "compare.folds",
    "threshold": "cut.threshold",
    "random_state": "seed",
    "time_limit": "time_limit",
    "confidence": "check.confidence",
}
# Keywords that are numbers, and those that are true or false.
NUMBERS = ("n_edges", "folds", "threshold")
SWITCHES = ("difference", "scores", "confidence")
# Keys that are graphs.
GRAPHS = ("compare.truth", "known.allow", "known.forbid", "known.init", "known.prior")
# end of what is generated
