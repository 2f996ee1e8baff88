// Two runs side by side: which edges both have, which only one, and which clearly differ. What is
// clear is for the program to say: see nervure evaluate --against.

import { make } from "./report/dom.js";
import { GraphView } from "./report/graph.js";
import { correlation, count, short } from "./report/words.js";
import { when } from "./past.js";
import { readGraph } from "./report_data.js";

const sure = 0.9, mostListed = 12;
let shown = []; // the views of the two runs
addEventListener("themechange", () => shown.forEach((view) => view.restyle()));

const element = (id) => document.getElementById(id);
const inFirst = (e) => e.weight_a !== null, inSecond = (e) => e.weight_b !== null;
const numbers = (e) => correlation([e.partial, e.low, e.high]);
const rate = (q) => (q < 1e-4 ? "< 0.0001" : short(q));

// showBeside fills the place for it with two runs, their reports and how they differ.
export async function showBeside([runA, runB], reports, differences) {
  const [a, b] = await Promise.all(reports.map(readGraph));
  const { edges } = differences, place = element("sides");
  const onlyA = edges.filter((e) => !inSecond(e)), onlyB = edges.filter((e) => !inFirst(e));
  const first = side(runA, a, onlyA, differences.a, differences, a), second = side(runB, b, onlyB, differences.b, differences, a);
  place.replaceChildren(
    make("div", { className: "bar" }, make("h2", { textContent: "Two runs side by side", tabIndex: -1 }), make("button", { type: "button", id: "sides-close", textContent: "Close", onclick: () => { place.hidden = true; } })),
    summary(differences, onlyA.length, onlyB.length), ...different(differences), make("div", { className: "sides" }, first.element, second.element));
  place.hidden = false;
  shown = [first.draw(), second.draw()];
  place.scrollIntoView({ block: "start" });
}

// summary says in words what the numbers are.
function summary({ a, b, directed, edges_both: both, tested, different: clear, fdr }, onlyA, onlyB) {
  const all = both + onlyA + onlyB, noun = directed ? "arrow" : "edge";
  const box = make("div", { className: "verdict good" }, make("div", { id: "sides-words" }, make("b", { textContent: `${count(both, noun)} in both` }),
    `, ${onlyA} only in the first, ${onlyB} only in the second${all ? ` (${Math.round((100 * both) / all)}% shared)` : ""}.`));
  const say = (text) => box.append(make("p", { textContent: text }));
  if (tested) say(`Strength: of ${count(tested, noun)} tested, ${clear === 0 ? "none clearly differs" : clear === 1 ? "1 clearly differs" : `${clear} clearly differ`} (false discovery rate ${fdr}).`);
  else if (both) say("Strengths were not tested: at least one of the runs has no partial correlations with intervals.");
  const sides = [[a, "first", "second"], [b, "second", "first"]].filter(([of]) => of.clearly_only);
  if (sides.length) say(`Clearly there, and not drawn in the other: ${sides.map(([of, here]) => `${of.clearly_only} of the ${here}`).join(", ")}. What is not drawn has no interval, so these are not tested.`);
  if (tested || sides.length) say("All of this assumes independent recordings. Two runs on the same file are not.");
  for (const [of, here] of [[a, "first"], [b, "second"]]) {
    if (of.vertices_only?.length) say(`${count(of.vertices_only.length, "vertex")} only in the ${here}, whose ${noun}s are not compared.`);
  }
  return box;
}

// different is the table of strengths that clearly differ.
function different({ edges, directed }) {
  const list = edges.filter((e) => e.difference && e.clear).sort((x, y) => x.difference.q - y.difference.q || Math.abs(y.difference.partial) - Math.abs(x.difference.partial));
  if (!list.length) return [];
  const titles = [directed ? "Arrow" : "Edge", "First", "Second", "Difference", "q"];
  const row = (e) => make("tr", {}, make("th", { scope: "row", textContent: ends(e, directed) }), ...[numbers(e.a), numbers(e.b), numbers(e.difference), rate(e.difference.q)].map((textContent) => make("td", { textContent })));
  return [make("h3", { textContent: `Partial correlations that clearly differ${list.length > mostListed ? `: the surest ${mostListed} of ${list.length}` : ""}` }),
    make("div", { className: "cells", tabIndex: 0, role: "group", ariaLabel: "Partial correlations that clearly differ" }, make("table", { className: "differences", id: "differences" },
      make("thead", {}, make("tr", {}, ...titles.map((textContent) => make("th", { textContent })))), make("tbody", {}, ...list.slice(0, mostListed).map(row))))];
}

const ends = (e, directed) => `${e.source} ${directed ? "→" : "–"} ${e.target}`;

// side is one of the runs, with the edges that only it has and what was counted. Vertices that both have lie where the first has them.
function side(run, data, only, counts, { directed, edges_both: both }, first) {
  const stage = make("div", {});
  const at = new Map(first.vertices.map((v) => [v.name, v]));
  const key = (i, j) => JSON.stringify(directed ? [i, j] : [i, j].sort());
  const here = new Map(only.map((e) => [key(e.source, e.target), e]));
  const known = data.vertices.every((v) => at.has(v.name));
  const vertices = data.vertices.map((v) => (known ? { ...at.get(v.name) } : v));
  const confidence = new Map(); // of what is only here
  const edges = data.edges.slice(0, data.kept).map((edge) => {
    const one = here.get(key(data.vertices[edge[0]].name, data.vertices[edge[1]].name));
    if (one) confidence.set(one, edge[3] ?? null);
    return [...edge.slice(0, 4), one !== undefined, edge[5]];
  });
  const weight = (e) => e.weight_a ?? e.weight_b;
  const list = [...only].sort((x, y) => y.clear - x.clear || Math.abs(weight(y)) - Math.abs(weight(x)));
  const facts = [`${run.method}, ${run.verdict}`, `${count(data.kept, "edge")}, ${both} of them in both`];
  if (counts.evidence) facts.push(`${count(counts.clearly_only, "clear edge")} drawn only here`);
  else if (run.sure !== undefined) facts.push(`${[...confidence.values()].filter((c) => c >= sure).length} sure ones only here`);
  const line = (e) => {
    const known = e.a ?? e.b, trust = confidence.get(e) ?? null;
    const words = [`weight ${short(weight(e))}`, ...(trust === null ? [] : [`confidence ${short(trust)}`]), ...(known ? [`partial correlation ${numbers(known)}`, `q ${rate(known.q)}`] : [])];
    return make("li", {}, ...(e.clear ? [make("b", { textContent: "Clearly " })] : []), `${ends(e, directed)}: ${words.join(", ")}`);
  };
  const table = list.length ? [make("details", {}, make("summary", { textContent: `Only here${list.length > mostListed ? `: the first ${mostListed} of ${list.length}` : ""}` }), make("ul", { className: "plain" }, ...list.slice(0, mostListed).map(line)))] : [];
  return {
    element: make("div", { className: "side" }, make("h3", { textContent: `${run.label}, ${when(run.time)}` }), make("p", { className: "soft", textContent: facts.join(" · ") }), stage, ...table),
    draw: () => new GraphView(stage, { vertices, edges, directed: data.directed, marked: "only in this run" }, { tools: false, table: false }),
  };
}
