// The sections below the graph, each from its part of the data.

import { barChart, keyLine, lineChart, strip } from "./chart.js";
import { make } from "./dom.js";
import { Camera } from "./graph_camera.js";
import { palette, signed } from "./palette.js";
import { count, short } from "./words.js";

export function showWeights(element, { weights, kept }) {
  const cut = weights.findIndex(([rank]) => rank > kept);
  const chosen = cut < 0 ? weights : weights.slice(0, cut), dropped = cut < 0 ? [] : weights.slice(cut);
  const series = [{ name: "kept", look: "group-0", points: chosen }, { name: "cut", look: "dropped", points: dropped }];
  lineChart(element, {
    series: series.filter((s) => s.points.length), x: { label: "edges, heaviest first", whole: true }, y: { log: true },
    marks: [{ x: kept + 0.5, words: `cut: ${count(kept, "edge")}` }],
    tell: ([rank, weight]) => `edge ${rank}: weight ${short(weight)}${rank > kept ? ", cut" : ""}`, label: "weights by rank, on a logarithmic scale",
  });
}

export function showSpectrum(element, { spectrum: { points, kernel } }) {
  const series = [{ name: "signals", look: "group-0", points, dots: Boolean(kernel) }, { name: "noise", look: "dropped", points: [[0, 1], [2, 1]] }];
  if (kernel) series.splice(1, 1, { name: kernel.name, look: "group-4", points: kernel.points });
  lineChart(element, {
    series,
    x: { label: "eigenvalue of the graph’s Laplacian", range: [0, 2] }, y: { log: true },
    tell: ([at, energy]) => `at ${short(at)}: ${short(energy)} times the energy of noise`, label: "energy by graph frequency, on a logarithmic scale",
  });
}

// A run counts rounds within starts; here they follow one another.
function turnsOf(rounds) {
  return rounds.map((r, k) => (k > 0 && (r.start !== rounds[k - 1].start || (r.phase === "prune") !== (rounds[k - 1].phase === "prune")) ? k + 0.5 : 0)).filter(Boolean);
}

function roundWords(r) {
  if (r.phase === "done") return "the result";
  return r.phase === "prune" ? `pruning, ${count(r.edges, "edge")} left` : `start ${r.start}, round ${r.round}`;
}

export function showConvergence(element, { rounds }) {
  const series = [{ name: "residual", look: "group-0", points: rounds.map((r, k) => [k + 1, r.residual]) }];
  const differs = rounds.some((r) => Math.abs(r.objective - r.residual) > 0.05 * Math.abs(r.residual));
  if (differs) series.push({ name: "objective", look: "group-1", points: rounds.map((r, k) => [k + 1, r.objective]) });
  lineChart(element, {
    series, x: { label: "rounds", whole: true }, y: { log: true }, turns: turnsOf(rounds),
    tell: ([k]) => `${roundWords(rounds[k - 1])}: residual ${short(rounds[k - 1].residual)}`, label: "residual by round, on a logarithmic scale",
  });
}

export function showEdgeRounds(element, { rounds }) {
  lineChart(element, {
    series: [{ name: "edges", look: "group-0", points: rounds.map((r, k) => [k + 1, r.edges]) }],
    x: { label: "rounds", whole: true }, y: {}, turns: turnsOf(rounds),
    tell: ([k, edges]) => `${roundWords(rounds[k - 1])}: ${count(edges, "edge")}`, label: "edges by round",
  });
}

export function showKernels(element, { kernels }) {
  const series = kernels.map(({ name, values }, k) => ({
    name, look: `group-${k % 8}`, points: values.map((v, q) => [(2 * q) / (values.length - 1), v]),
  }));
  lineChart(element, {
    series, x: { label: "eigenvalue of the graph’s Laplacian", range: [0, 2] }, y: {},
    tell: ([at, value]) => `at ${short(at)}: ${short(value)}`, label: "kernels over 0 to 2",
  });
}

const mostBars = 30;

export function showUsage(element, { names, kernels, usage }) {
  const stands = new Set(usage.odd), isOdd = (i) => stands.has(i);
  const parts = usage.counts.map((values, k) => ({ name: kernels[k].name, values, look: `group-${k % 8}` }));
  const sums = parts.map(({ values }) => values.reduce((a, b) => a + b, 0));
  element.replaceChildren(keyLine(parts.map((p, k) => ({ ...p, name: `${p.name}: ${count(sums[k], "time")}` }))));
  const most = names.length > mostBars ? 16 : mostBars;
  if (names.length > most) {
    const total = names.map((_, i) => parts.reduce((sum, p) => sum + p.values[i], 0));
    strip(element, { values: total, median: 0, isOdd, tell: (i) => `${names[i]}: ${total[i]}`, label: "usage of all vertices, in file order" });
    element.append(make("p", { className: "fine" }, `All ${names.length} vertices in file order, then the ${most} most used:`));
  }
  barChart(element, { names, parts, most, tellValue: String, label: "number of signals that use each vertex" });
}

// showResidual draws what is left over: all of it in its order, and the largest.
function showResidual(element, nameOf, { values, count: all, largest, median, odd }, what) {
  const stands = new Set(odd), isOdd = (i) => stands.has(i);
  element.replaceChildren();
  if (all > largest.length) strip(element, { values, median, isOdd, tell: (i) => `${nameOf(i)}: ${short(values[i])}`, label: `residual of all ${what}, in file order` });
  if (all > values.length) element.append(make("p", { className: "fine" }, `The first ${values.length} of ${all} ${what} in file order, then the largest of all:`));
  barChart(element, {
    names: largest.map(({ at }) => nameOf(at)), parts: [{ values: largest.map(({ value }) => value), look: "group-0" }],
    most: largest.length, isOdd: (k) => isOdd(largest[k].at), label: `the ${what} with the largest residuals`,
  });
}

export function showVertexResidual(element, { names, residual }) {
  showResidual(element, (i) => names[i], residual.vertex, "vertices");
}

export function showSignalResidual(element, { residual }) {
  showResidual(element, (k) => `signal ${k + 1}`, residual.signal, "signals");
}

// showAtoms draws each atom on the graph; it returns how to draw them again.
export function showAtoms(element, data) {
  const pictures = data.atoms.map((atom) => {
    const canvas = make("canvas", { role: "img", "aria-label": `atom of ${data.kernels[atom.kernel].name} at ${data.names[atom.vertex]}` });
    element.append(make("figure", {}, canvas, make("figcaption", {}, `${data.kernels[atom.kernel].name} at ${data.names[atom.vertex]}`)));
    return { canvas, atom };
  });
  const paint = (density) => pictures.forEach(({ canvas, atom }) => paintAtom(canvas, atom, data, density));
  new ResizeObserver(() => paint()).observe(element);
  return paint;
}

function paintAtom(canvas, atom, { layouts: [{ x, y }], edges, kept, names }, density = devicePixelRatio || 1) {
  const camera = new Camera(), colors = palette(canvas.parentElement), context = canvas.getContext("2d");
  Object.assign(camera, { width: canvas.clientWidth, height: canvas.clientHeight });
  canvas.width = Math.round(camera.width * density);
  canvas.height = Math.round(camera.height * density);
  camera.set(camera.overview(x, y));
  context.setTransform(density, 0, 0, density, 0, 0);
  context.beginPath();
  for (const [i, j] of edges.slice(0, kept)) {
    context.moveTo(camera.toScreenX(x[i]), camera.toScreenY(y[i]));
    context.lineTo(camera.toScreenX(x[j]), camera.toScreenY(y[j]));
  }
  context.strokeStyle = colors.faint;
  context.globalAlpha = 0.45;
  context.lineWidth = names.length > 500 ? 0.4 : 1;
  context.stroke();
  context.globalAlpha = 1;
  const most = atom.values.reduce((m, v) => Math.max(m, Math.abs(v)), 0) || 1;
  const radius = Math.min(Math.max(Math.sqrt((camera.width * camera.height) / names.length) * 0.11, 1.2), 7);
  const order = [...names.keys()].sort((a, b) => Math.abs(atom.values[a]) - Math.abs(atom.values[b]));
  for (const i of order) {
    const share = Math.sign(atom.values[i]) * Math.sqrt(Math.abs(atom.values[i]) / most);
    context.beginPath();
    context.arc(camera.toScreenX(x[i]), camera.toScreenY(y[i]), radius * (0.75 + 0.6 * Math.abs(share)), 0, 2 * Math.PI);
    context.fillStyle = signed(colors, share);
    context.fill();
    if (i === atom.vertex) {
      context.strokeStyle = colors.ink;
      context.lineWidth = 1.5;
      context.stroke();
    }
  }
}
