"""What this package calls keys of the document of a run."""

from __future__ import annotations

# Where in the document the value of a keyword stands.
KEYS = {
    "method": "method.name",
    "params": "method.params",
    "kernels": "kernels.given",
    "n_edges": "cut.edges",
    "threshold": "cut.threshold",
    "season": "prepare.season",
    "difference": "prepare.difference",
    "rows": "prepare.rows",
    "scores": "prepare.scores",
    "bad_sensors": "prepare.bad_sensors",
    "confidence": "check.confidence",
    "time_limit": "time_limit",
    "random_state": "seed",
    "truth": "compare.truth",
    "methods": "compare.methods",
    "folds": "compare.folds",
}
# Keywords of version 0.2, in whose place there is options= now.
OLD = {
    "sparsity": "method.sparsity",
    "coder": "method.coder",
    "rounds": "method.rounds",
    "step": "method.params.step",
    "beta": "method.params.beta",
    "recipe": "method.name",
    "degree": "kernels.degree",
    "approx": "kernels.approximation",
    "log": "prepare.log",
    "log_offset": "prepare.log_offset",
    "detrend": "prepare.detrend",
    "center": "prepare.center",
    "scale": "prepare.scale",
    "common_mode": "prepare.common_mode",
    "block": "check.block",
    "sample": "sample",
    "allow": "known.allow",
    "forbid": "known.forbid",
    "init": "known.init",
    "prior": "known.prior",
    "prior_weight": "known.prior_weight",
}
