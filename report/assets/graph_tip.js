// What is said about a vertex or an edge when it is pointed at.

import { make } from "./dom.js";
import { correlation, count, short } from "./words.js";

const strongest = 6; // neighbours that are listed

const confidenceOf = (edge) => edge[3] ?? null;

// arrow says which way an edge of vertex i leads, if it is an arrow.
function arrow(model, e, i) {
  if (!model.directed) return "";
  return model.shown[e][0] === i ? "→ " : "← ";
}

// vertexTip describes a vertex: its edges, its strongest neighbours, its columns.
export function vertexTip(model, i) {
  const near = model.near(i);
  const parts = [make("strong", {}, model.names[i])];
  parts.push(make("p", {}, near.length ? `${count(near.length, model.noun)}, total weight ${short(model.strength[i])}` : `no ${model.noun} shown`));
  const columns = model.columns.map((c) => [c.name, c.numbers ? short(c.numbers[i]) : c.text[i]]).filter(([, value]) => value !== "" && value !== "–");
  if (columns.length) parts.push(make("table", {}, make("tbody", {}, ...columns.map(([name, value]) => make("tr", {}, make("th", {}, name), make("td", {}, value))))));
  if (near.length) {
    const rows = near.slice(0, strongest).map(({ vertex, edge }) => {
      const cells = [make("th", {}, `${arrow(model, edge, i)}${model.names[vertex]}`), make("td", {}, short(model.shown[edge][2]))];
      if (model.hasConfidence) cells.push(make("td", {}, short(confidenceOf(model.shown[edge]))));
      return make("tr", {}, ...cells);
    });
    const head = [make("th", {}, model.directed ? "→ to, ← from" : "connected to"), make("td", {}, "weight")];
    if (model.hasConfidence) head.push(make("td", {}, "confidence"));
    parts.push(make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows)));
    if (near.length > strongest) parts.push(make("p", {}, `and ${near.length - strongest} more`));
  }
  return parts;
}

// edgeTip describes an edge that is shown.
export function edgeTip(model, e) {
  const edge = model.shown[e];
  const parts = [make("strong", {}, `${model.names[edge[0]]} ${model.joint} ${model.names[edge[1]]}`), make("p", {}, `weight ${short(edge[2])}${edge[2] < 0 ? ", negative: the two move against each other" : ""}`)];
  if (confidenceOf(edge) !== null) parts.push(make("p", {}, `confidence ${short(edge[3])}`));
  if (edge[5]) parts.push(make("p", {}, `partial correlation ${correlation(edge[5])}, q ${short(edge[5][3])}`));
  if (e >= model.kept) parts.push(make("p", {}, "cut"));
  const back = model.opposite(e);
  if (back >= 0) parts.push(make("p", {}, `the other way: weight ${short(model.shown[back][2])}`));
  return parts;
}

// sentence says the same of a vertex for a screen reader.
export function sentence(model, i) {
  const near = model.near(i).slice(0, strongest);
  const joined = near.map(({ vertex, edge }) => `${model.directed ? (model.shown[edge][0] === i ? "to " : "from ") : ""}${model.names[vertex]} ${short(model.shown[edge][2])}`).join(", ");
  return `${model.names[i]}: ${count(model.degree[i], model.noun)}${joined ? `; strongest ${joined}` : ""}`;
}
