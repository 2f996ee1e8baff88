// Documents of runs, as nervure run takes them, from the form.

// number is what was typed as a number, or as it was typed: the program says what is wrong then.
function number(text) {
  const value = Number(text);
  return text === "" || Number.isNaN(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER ? text : value;
}

// season is what a text says of cycles: nothing, auto, no, or their periods.
function season(text) {
  if (["", "auto", "no"].includes(text)) return { season: text };
  return { season: "yes", periods: text.split(",").map(number) };
}

// asked is what learning and comparing have in common.
function asked(source, options) {
  const { log, difference, detrend, "bad-sensors": broken, center, scale, "common-mode": common, kernel, sparsity, edges, seed, variable } = options;
  return {
    version: 1,
    read: { files: [source.name], transpose: source.transposed, variable },
    prepare: { log, difference: chosen(difference), detrend: chosen(detrend), bad_sensors: chosen(broken, "mask"), center: chosen(center), scale: chosen(scale), common_mode: chosen(common), ...season(options.season) },
    kernels: { given: kernel },
    method: { sparsity: number(sparsity) },
    cut: { edges: number(edges) },
    seed: number(seed),
  };
}

// chosen is a choice, or nothing if it is the default.
const chosen = (value, byDefault = "auto") => (value === byDefault ? "" : value);

// plain leaves out what is empty, so that a run says no more than was chosen.
function plain(value) {
  if (Array.isArray(value)) return value.length ? value : undefined;
  if (typeof value !== "object") return value === "" || value === false ? undefined : value;
  const entries = Object.entries(value).map(([key, inner]) => [key, plain(inner)]).filter(([, inner]) => inner !== undefined);
  return entries.length ? Object.fromEntries(entries) : undefined;
}

// cutAt is where edges are cut, if a threshold was typed.
function cutAt(threshold) {
  if (threshold === "" || threshold === "auto") return { rule: threshold };
  return { rule: "threshold", threshold: number(threshold) };
}

export function learnRun(source, vertices, options) {
  const { read, method, cut, ...rest } = asked(source, options);
  const params = Object.fromEntries(options.params.map((param) => param.split("=")).map(([key, text]) => [key, number(text)]));
  return plain({
    ...rest, read: { ...read, vertices: vertices ?? "" },
    method: { ...method, name: chosen(options.method), params, rounds: number(options.rounds) },
    cut: { ...cut, ...cutAt(options.threshold) }, check: { confidence: chosen(options.confidence) },
    write: { graph: "graph.json", summary: "summary.json", report: "report.html" },
  });
}

export function compareRun(source, options) {
  return { ...plain(asked(source, options)), compare: {}, write: { comparison: "comparison.json" } };
}
