// The result of a job: what was found, how far to trust it, and how to take it away.

import { make } from "./report/dom.js";
import { GraphView } from "./report/graph.js";
import { short } from "./report/words.js";
import { duration } from "./duration.js";
import { commandLine, save } from "./keep.js";
import { readGraph } from "./report_data.js";

const element = (id) => document.getElementById(id);

// showResult reads what the job wrote, shows it, and resolves to its summary.
export async function showResult(job, end, live, config) {
  const [graph, summary] = await Promise.all([job.file("report.html").then(readGraph), job.file("summary.json").then(async (blob) => JSON.parse(await blob.text()))]);
  showGraph(graph, live);
  const place = element("result");
  element("verdict").replaceChildren(verdict(summary, end));
  element("verdict").hidden = false;
  place.replaceChildren(...said("warnings", summary.warnings), ...said("notes", summary.notes), numbers(summary), keeping(job, end, config), ...commandLine(summary));
  place.hidden = false;
  return summary;
}

// showGraphFile shows a graph of which there is no summary, and resolves to the number of its edges.
export async function showGraphFile(job, end, live, config) {
  const graph = await job.file("report.html").then(readGraph), place = element("result");
  showGraph(graph, live);
  element("verdict").hidden = true;
  place.replaceChildren(keeping(job, end, config));
  place.hidden = false;
  return graph.kept;
}

// showGraph draws the finished graph where it formed.
function showGraph(graph, live) {
  const seen = new Map(live.names.map((name, k) => [name, k]));
  const formed = live.places && graph.vertices.every(({ name }) => seen.has(name));
  const vertices = formed ? graph.vertices.map(({ name }) => ({ name, x: live.places.x[seen.get(name)], y: live.places.y[seen.get(name)] })) : graph.vertices;
  element("graph").hidden = false;
  live.view = new GraphView(element("graph"), { ...graph, vertices });
  live.view.arrange(graph.layouts[0].name); // from where it formed
}

// verdict is what the program says about the graph, and what it chose and found.
function verdict(summary, end) {
  const [first, ...rest] = summary.verdict_reasons;
  const box = make("div", { className: `verdict ${["exact", "supported"].includes(summary.verdict) ? "good" : ""}` });
  if (end.code === 130) box.append(make("b", { textContent: "Stopped early. " }));
  box.append(make("b", { textContent: sentence(summary.verdict) }), ` ${sentence(first)}`);
  for (const line of [...rest, ...(summary.findings ?? [])]) box.append(make("p", { textContent: sentence(line) }));
  return box;
}

const capital = (words) => `${words[0].toUpperCase()}${words.slice(1)}`;
const sentence = (words) => `${capital(words)}.`;

// said lists the warnings, or the notes about how the file was read, if there are any.
function said(kind, list) {
  if (!list?.length) return [];
  const items = list.map((text) => make("li", { textContent: capital(text) }));
  return [make("ul", { className: kind, ariaLabel: capital(kind) }, ...items)];
}

function numbers(s) {
  const rows = [
    ["Vertices", s.vertices], ["Signals", s.signals], [s.directed ? "Directed edges" : "Edges", s.edges],
    ["Edges with confidence 0.9 or higher", s.confidence?.at_least_0_9],
    ["Residual", s.residual == null ? null : short(s.residual)],
    ["Kernels", s.kernels?.map(({ name }) => name).join(", ")],
    ["Atoms per signal", s.sparsity || null],
    ["Preprocessing", s.preparation?.sentence],
    ["Method", s.method], ["Rounds", s.rounds], ["Time", duration(s.seconds)], ["Seed", s.seed],
  ].filter(([, value]) => value !== null && value !== undefined && value !== "");
  return make("details", { open: true }, make("summary", { textContent: "Numbers" }),
    make("dl", { className: "numbers" }, ...rows.map(([label, value]) => make("div", { className: String(value).length > 24 ? "wide" : "" }, make("dt", { textContent: label }), make("dd", { textContent: value })))));
}

// keeping has buttons for all that can be taken away.
function keeping(job, end, config) {
  const button = (name, text, title) => make("button", { type: "button", textContent: text, title, id: `save-${name.replace(".", "-")}`, onclick: () => save(job, name) });
  const box = make("div", { className: "keep" });
  if (end.files.includes("report.html")) {
    box.append(make("div", {},
      make("button", { type: "button", className: "primary", id: "open-report", textContent: "Open the report", onclick: () => job.openReport() }),
      button("report.html", "Save the report", "A single page with everything, to keep or to share")));
  }
  const formats = config.graphs.map((format) => button(`graph.${format}`, `.${format}`, `The graph as .${format}`));
  box.append(make("div", { role: "group", ariaLabel: "Save the graph" }, make("span", { textContent: "Save the graph: " }), ...formats));
  if (end.files.includes("summary.json")) box.append(make("div", {}, make("span", { textContent: "Save the numbers: " }), button("summary.json", ".json", "All numbers of the run")));
  return box;
}
