// A part of the graph that was selected together: which vertices a line encloses, and the
// list of them and of the edges between them.

import { download, make } from "./dom.js";
import { edgeRows, rowsNote } from "./graph_panel.js";
import { count, short } from "./words.js";

const mostVertices = 1000; // that are listed

// within lists the vertices within a line, given in pixels of the camera.
export function within(model, camera, line) {
  const corners = line.map(({ x, y }) => [camera.toPlaneX(x), camera.toPlaneY(y)]);
  const [left, right] = [Math.min, Math.max].map((f) => corners.reduce((at, [x]) => f(at, x), corners[0][0]));
  const list = [];
  for (let i = 0; i < model.names.length; i++) {
    if (model.x[i] >= left && model.x[i] <= right && model.has(i) && encloses(corners, model.x[i], model.y[i])) list.push(i);
  }
  return list;
}

// encloses reports whether a ray from a point crosses the closed line an odd number of times.
function encloses(corners, x, y) {
  let inside = false;
  for (let k = 0, last = corners.length - 1; k < corners.length; last = k++) {
    const [ax, ay] = corners[k], [bx, by] = corners[last];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

// partPanel lists the part that is selected.
export function partPanel(view) {
  const title = make("h3", {}), vertexBody = make("tbody", {}), vertexHead = make("tr", {}), edgeBody = make("tbody", {}), edgeHead = make("tr", {});
  const note = make("p", {});
  const table = (label, head, body) => make("div", { tabIndex: 0, role: "region", "aria-label": label }, make("table", {}, make("thead", {}, head), body));
  const act = (text, label, run) => {
    const button = make("button", { type: "button", title: label }, text);
    button.addEventListener("click", run);
    return button;
  };
  const element = make("section", { className: "graph-part", "aria-label": "selected part", hidden: true },
    make("div", { className: "graph-part-head" }, title,
      act("Save as CSV", "the edges between these vertices", () => download(new Blob([csv(view)], { type: "text/csv" }), "part.csv")),
      act("Clear", "select nothing", () => {
        view.remember();
        view.setPart([]);
        view.over.focus();
      })),
    make("div", { className: "graph-part-lists" }, table("vertices of the part", vertexHead, vertexBody), table("edges of the part", edgeHead, edgeBody)), note);
  const update = () => {
    const { model, part } = view;
    element.hidden = part.size === 0;
    if (element.hidden) {
      vertexBody.replaceChildren();
      edgeBody.replaceChildren();
      return;
    }
    const edges = model.inside(part), vertices = [...part].sort((a, b) => model.degree[b] - model.degree[a] || a - b);
    title.textContent = `Selected part: ${count(part.size, "vertex")}, ${count(edges.length, model.noun)} between them`;
    vertexHead.replaceChildren(...["vertex", ...model.columns.map((c) => c.name)].map((name) => make("th", {}, name)), make("th", { className: "number" }, `${model.noun}s`), make("th", { className: "number" }, "total weight"));
    vertexBody.replaceChildren(...vertices.slice(0, mostVertices).map((i) => make("tr", {}, make("td", {}, model.names[i]),
      ...model.columns.map((c) => make("td", {}, c.numbers ? short(c.numbers[i]) : c.text[i])),
      make("td", { className: "number" }, String(model.degree[i])), make("td", { className: "number" }, short(model.strength[i])))));
    edgeRows(model, edgeHead, edgeBody, edges);
    note.textContent = `${rowsNote(part.size, "vertex", `those with most ${model.noun}s first`)} ${rowsNote(edges.length, model.noun, model.first)}`;
  };
  return { element, update };
}

// csv is the part as an edge list, with all that is known of its edges.
function csv({ model, part }) {
  const quoted = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const head = ["source", "target", "weight", ...(model.hasConfidence ? ["confidence"] : []), ...(model.hasEvidence ? ["partial", "low", "high", "q"] : [])];
  const rows = model.inside(part).map((e) => {
    const [i, j, weight, confidence, , known] = model.shown[e];
    return [quoted(model.names[i]), quoted(model.names[j]), weight, ...(model.hasConfidence ? [confidence ?? ""] : []), ...(model.hasEvidence ? known ?? ["", "", "", ""] : [])].join(",");
  });
  return `${[head.join(","), ...rows].join("\n")}\n`;
}
