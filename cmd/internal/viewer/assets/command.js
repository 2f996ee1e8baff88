// Command lines: from the form to arguments, and from arguments to what one types.

// signalArgs are those that every command takes.
function signalArgs(source, options) {
  const args = [source.name];
  if (source.transposed) args.push("--transpose");
  const { log, difference, detrend, season, "bad-sensors": broken, center, scale, "common-mode": common, kernel, sparsity, edges, seed, variable } = options;
  if (variable) args.push("--variable", variable);
  if (log) args.push("--log");
  if (season) args.push("--season", season);
  for (const [flag, value] of [["detrend", detrend], ["difference", difference]]) {
    if (value !== "auto") args.push(`--${flag}=${value}`);
  }
  if (broken !== "mask") args.push("--bad-sensors", broken);
  for (const [flag, value] of [["center", center], ["scale", scale], ["common-mode", common]]) {
    if (value && value !== "auto") args.push(`--${flag}`, value);
  }
  for (const spec of kernel) args.push("--kernel", spec);
  if (sparsity) args.push("--sparsity", sparsity);
  if (edges) args.push("--edges", edges);
  if (seed && seed !== "1") args.push("--seed", seed);
  return args;
}

export function learnArgs(source, vertices, options) {
  const args = ["learn", ...signalArgs(source, options)];
  if (vertices) args.push("--vertices", vertices);
  if (options.method !== "auto") args.push("--method", options.method);
  for (const param of options.params) args.push("--param", param);
  if (options.threshold) args.push("--threshold", options.threshold);
  if (options.rounds) args.push("--rounds", options.rounds);
  if (options.confidence !== "auto") args.push("--confidence", options.confidence);
  return [...args, "--out", "graph.json", "--summary", "summary.json", "--report", "report.html"];
}

export function compareArgs(source, options) {
  return ["compare", ...signalArgs(source, options), "--out", "comparison.json"];
}

// typed is a command line as one types it in a shell.
export function typed(args) {
  const quoted = (arg) => (/^[\p{L}\p{N}_./:,=+-]+$/u.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`);
  return ["nervure", ...args].map(quoted).join(" ");
}
