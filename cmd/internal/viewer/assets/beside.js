// Two runs side by side: which edges both have, and which only one.

import { make } from "./report/dom.js";
import { GraphView } from "./report/graph.js";
import { count, short } from "./report/words.js";
import { when } from "./past.js";
import { readGraph } from "./report_data.js";

const sure = 0.9, mostListed = 12;
let shown = []; // the views of the two runs
addEventListener("themechange", () => shown.forEach((view) => view.restyle()));

const element = (id) => document.getElementById(id);

// compareEdges splits the edges of two graphs, by the names of their vertices. If only
// one has arrows, their direction does not count.
export function compareEdges(a, b) {
  const arrows = a.directed && b.directed;
  const keyed = (data) => {
    const edges = new Map();
    for (const edge of data.edges.slice(0, data.kept)) {
      const ends = edge.slice(0, 2).map((i) => data.vertices[i].name);
      const key = JSON.stringify(arrows ? ends : ends.sort());
      if (!edges.has(key)) edges.set(key, { ends, edge });
    }
    return edges;
  };
  const inA = keyed(a), inB = keyed(b);
  const only = (one, other) => [...one].filter(([key]) => !other.has(key)).map(([, entry]) => entry);
  return { arrows, both: [...inA].filter(([key]) => inB.has(key)).map(([, entry]) => entry), onlyA: only(inA, inB), onlyB: only(inB, inA) };
}

// showBeside fills the place for it with two runs and their files.
export async function showBeside([runA, filesA], [runB, filesB]) {
  const [a, b] = await Promise.all([filesA, filesB].map((files) => readGraph(files.get("report.html"))));
  const { both, onlyA, onlyB, arrows } = compareEdges(a, b);
  const place = element("sides"), noun = arrows ? "arrow" : "edge";
  const all = both.length + onlyA.length + onlyB.length;
  const words = make("p", { className: "verdict good", id: "sides-words" }, make("b", { textContent: `${count(both.length, noun)} in both` }),
    `, ${onlyA.length} only in the first, ${onlyB.length} only in the second${all ? ` (${Math.round((100 * both.length) / all)}% shared)` : ""}.`, ...vertexWords(a, b));
  const first = side(runA, a, onlyA, both, a), second = side(runB, b, onlyB, both, a);
  place.replaceChildren(
    make("div", { className: "bar" }, make("h2", { textContent: "Two runs side by side", tabIndex: -1 }), make("button", { type: "button", id: "sides-close", textContent: "Close", onclick: () => { place.hidden = true; } })),
    words, make("div", { className: "sides" }, first.element, second.element));
  place.hidden = false;
  shown = [first.draw(), second.draw()];
  place.scrollIntoView({ block: "start" });
}

function vertexWords(a, b) {
  const names = (data) => new Set(data.vertices.map((v) => v.name));
  const inA = names(a), inB = names(b), missing = [...inA].filter((n) => !inB.has(n)).length, added = [...inB].filter((n) => !inA.has(n)).length;
  return missing || added ? [make("p", { textContent: `${count(missing, "vertex")} only in the first, ${added} only in the second.` })] : [];
}

// side is one of the runs. Vertices that both have lie where the first has them.
function side(run, data, only, both, first) {
  const stage = make("div", {});
  const at = new Map(first.vertices.map((v) => [v.name, v]));
  const here = new Set(only.map(({ edge }) => edge));
  const known = data.vertices.every((v) => at.has(v.name));
  const vertices = data.vertices.map((v) => (known ? { ...at.get(v.name) } : v));
  const edges = data.edges.slice(0, data.kept).map((edge) => [...edge, here.has(edge)]);
  const list = [...only].sort((x, y) => y.edge[2] - x.edge[2]).slice(0, mostListed);
  const isSure = ({ edge }) => (edge[3] ?? 0) >= sure;
  const facts = [`${run.method}, ${run.verdict}`, `${count(data.kept, "edge")}, ${both.length} of them in both`, ...(run.sure === undefined ? [] : [`${only.filter(isSure).length} sure ones only here`])];
  const table = list.length ? [make("details", {}, make("summary", { textContent: `Only here${only.length > mostListed ? `: the ${mostListed} heaviest of ${only.length}` : ""}` }),
    make("ul", { className: "plain" }, ...list.map(({ ends, edge }) => make("li", { textContent: `${ends.join(data.directed ? " → " : " – ")}: weight ${short(edge[2])}${edge[3] === null || edge[3] === undefined ? "" : `, confidence ${short(edge[3])}`}` }))))] : [];
  return {
    element: make("div", { className: "side" }, make("h3", { textContent: `${run.label}, ${when(run.time)}` }), make("p", { className: "soft", textContent: facts.join(" · ") }), stage, ...table),
    draw: () => new GraphView(stage, { vertices, edges, directed: data.directed, marked: "only in this run" }, { tools: false, table: false }),
  };
}
