// Charts as SVG. They are drawn for one width and scale with the page, so that they
// print; colours come from the style sheet.

import { draw, make } from "./dom.js";
import { clipped, short } from "./words.js";

// frameIn is the room of a chart: on a narrow screen it is drawn narrower, so that
// its letters stay as large.
function frameIn(element) {
  const narrow = element.clientWidth > 0 && element.clientWidth < 440;
  return { width: narrow ? 360 : 520, height: narrow ? 240 : 280, left: 58, right: 14, top: 14, bottom: 40 };
}

const dotted = 16; // points up to which each has a dot

// A scale maps values to pixels and knows its ticks.
function linear(low, high, from, to) {
  const span = high - low || 1, raw = span / 5, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => span / s <= 5.5);
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * span; k++) ticks.push(Number((k * step).toPrecision(12)));
  return { at: (v) => from + ((v - low) / span) * (to - from), ticks };
}

function logarithmic(low, high, from, to) {
  let a = Math.log10(low), b = Math.log10(high), ticks = [];
  if (b - a > 2) {
    [a, b] = [Math.floor(a + 1e-9), Math.ceil(b - 1e-9)];
    for (let k = a; k <= b; k += Math.ceil((b - a) / 6)) ticks.push(10 ** k);
  } else { // within a decade or two, steps of 1, 2, 5
    const pad = Math.max(0.08, (1 - (b - a)) / 2);
    [a, b] = [a - pad, b + pad];
    ticks = Array.from({ length: 12 }, (_, k) => [1, 2, 5][k % 3] * 10 ** (Math.floor(a) + Math.floor(k / 3))).filter((v) => Math.log10(v) >= a && Math.log10(v) <= b);
  }
  return { at: (v) => from + ((Math.max(Math.log10(v), a) - a) / (b - a)) * (to - from), ticks };
}

// lineChart draws series [{name, look, points: [[x, y]…], dots}] into an element, dots without
// a line if a series asks for it. marks are
// [{x, words}], turns places where something new begins; tell(x) is what the reader is
// told about the nearest point.
export function lineChart(element, { series, x, y, marks = [], turns = [], tell, label }) {
  const all = series.flatMap((s) => s.points).filter(([, v]) => v !== null && (!y.log || v > 0));
  if (!all.length) {
    element.replaceChildren(make("p", { className: "fine" }, "Nothing to draw."));
    return;
  }
  const extent = (k) => [all.reduce((m, p) => Math.min(m, p[k]), Infinity), all.reduce((m, p) => Math.max(m, p[k]), -Infinity)];
  const frame = frameIn(element);
  let [x0, x1] = x.range ?? extent(0), [y0, y1] = extent(1);
  for (const { x: at } of marks) [x0, x1] = [Math.min(x0, at), Math.max(x1, at)];
  if (x0 === x1) [x0, x1] = [x0 - 1, x1 + 1];
  if (!y.log) [y0, y1] = [Math.min(0, y0), y1 === y0 && y1 === 0 ? 1 : Math.max(0, y1)];
  if (y.log) y0 = Math.max(y0, y1 * 1e-18);
  const right = frame.width - frame.right, bottom = frame.height - frame.bottom;
  const sx = linear(x0, x1, frame.left, right), sy = (y.log ? logarithmic : linear)(y0, y1, bottom, frame.top);
  const svg = draw("svg", { class: "chart", viewBox: `0 0 ${frame.width} ${frame.height}`, role: "img", "aria-label": label });
  for (const tick of sy.ticks) {
    svg.append(draw("line", { class: "grid", x1: frame.left, x2: right, y1: sy.at(tick), y2: sy.at(tick) }),
      draw("text", { x: frame.left - 9, y: sy.at(tick) + 4, "text-anchor": "end" }, short(tick)));
  }
  for (const tick of sx.ticks.filter((v) => !x.whole || Number.isInteger(v))) {
    svg.append(draw("text", { x: sx.at(tick), y: bottom + 18, "text-anchor": "middle" }, short(tick)));
  }
  svg.append(draw("line", { class: "axis", x1: frame.left, x2: right, y1: bottom, y2: bottom }),
    draw("text", { x: (frame.left + right) / 2, y: frame.height - 4, "text-anchor": "middle" }, x.label));
  for (const turn of turns) svg.append(draw("line", { class: "turn", x1: sx.at(turn), x2: sx.at(turn), y1: frame.top, y2: bottom }));
  for (const { name, look, points, dots } of series) {
    const path = points.filter(([, v]) => v !== null && (!y.log || v > 0)).map(([a, b]) => `${sx.at(a).toFixed(1)},${sy.at(b).toFixed(1)}`);
    if (dots || path.length <= dotted) for (const p of path) svg.append(draw("circle", { class: `bar ${look}`, cx: p.split(",")[0], cy: p.split(",")[1], r: 3 }));
    if (!dots) svg.append(draw("polyline", { class: `curve ${look}`, points: path.join(" "), "data-name": name }));
  }
  for (const { x: at, words } of marks) {
    const px = sx.at(at), left = px > frame.width * 0.6;
    svg.append(draw("line", { class: "mark", x1: px, x2: px, y1: frame.top, y2: bottom }),
      draw("text", { class: "mark-words", x: px + (left ? -7 : 7), y: frame.top + 10, "text-anchor": left ? "end" : "start" }, words));
  }
  const parts = [svg];
  if (series.length > 1) parts.unshift(keyLine(series));
  if (tell) parts.push(readout(svg, frame, all, sx, sy, tell));
  element.replaceChildren(...parts);
}

// keyLine says which look is which series.
export function keyLine(series) {
  return make("ul", { className: "keyline" }, ...series.map(({ name, look }) => make("li", { className: look }, make("i", {}), name)));
}

// readout tells about the point nearest to the pointer, in a line below the chart.
function readout(svg, frame, points, sx, sy, tell) {
  const words = make("p", { className: "readout" });
  const dot = draw("circle", { class: "pointer", r: 4, visibility: "hidden" });
  svg.append(dot);
  svg.addEventListener("pointermove", (event) => {
    const box = svg.getBoundingClientRect(), px = ((event.clientX - box.left) / box.width) * frame.width, py = ((event.clientY - box.top) / box.height) * frame.height;
    const far = ([a, b]) => Math.abs(sx.at(a) - px) + 0.15 * Math.abs(sy.at(b) - py);
    const best = points.reduce((near, p) => (far(p) < far(near) ? p : near));
    dot.setAttribute("cx", sx.at(best[0]));
    dot.setAttribute("cy", sy.at(best[1]));
    dot.setAttribute("visibility", "visible");
    words.textContent = tell(best);
  });
  svg.addEventListener("pointerleave", () => {
    dot.setAttribute("visibility", "hidden");
    words.textContent = "";
  });
  return words;
}

// barChart draws the largest of a list of values with their names; parts has rows of
// values that are stacked, by look.
export function barChart(element, { names, parts, most, tellValue = short, isOdd = () => false, label }) {
  const total = names.map((_, i) => parts.reduce((sum, p) => sum + (p.values[i] ?? 0), 0));
  const order = [...names.keys()].sort((a, b) => total[b] - total[a] || a - b).slice(0, most);
  const { width } = frameIn(element), row = 19, left = 128, right = 64, height = order.length * row + 4;
  const unit = (width - left - right) / (Math.max(...order.map((i) => total[i])) || 1);
  const svg = draw("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
  order.forEach((i, k) => {
    let x = left;
    const odd = isOdd(i) ? " is-odd" : "";
    svg.append(draw("text", { class: `name${odd}`, x: left - 10, y: k * row + 14, "text-anchor": "end" }, clipped(names[i], 17)));
    for (const { values, look } of parts) {
      const wide = (values[i] ?? 0) * unit;
      if (wide > 0) svg.append(draw("rect", { class: `bar ${look}${odd}`, x, y: k * row + 4, width: wide, height: row - 6, rx: 2 }));
      x += wide;
    }
    svg.append(draw("text", { x: x + 7, y: k * row + 14 }, tellValue(total[i])));
  });
  element.append(svg);
}

// strip draws all values as thin bars, in their order, with their median.
export function strip(element, { values, median, isOdd = () => false, tell, label }) {
  const { width } = frameIn(element), height = 92, base = height - 4, top = values.reduce((m, v) => Math.max(m, v ?? 0), 0) || 1;
  const wide = width / values.length, gap = wide > 4 ? 1 : 0;
  const bars = (odd) => values.map((v, i) => (v !== null && isOdd(i) === odd && v > 0
    ? `M${(i * wide).toFixed(2)} ${base}V${(base - (v / top) * (height - 12)).toFixed(1)}H${((i + 1) * wide - gap).toFixed(2)}V${base}Z` : "")).join("");
  const svg = draw("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    draw("path", { class: "bar group-0", d: bars(false) }), draw("path", { class: "bar is-odd", d: bars(true) }),
    draw("line", { class: "axis", x1: 0, x2: width, y1: base, y2: base }));
  if (median > 0) {
    const y = base - (median / top) * (height - 12);
    svg.append(draw("line", { class: "median", x1: 0, x2: width, y1: y, y2: y }));
  }
  const words = make("p", { className: "readout" });
  svg.addEventListener("pointermove", (event) => {
    const box = svg.getBoundingClientRect();
    words.textContent = tell(Math.min(values.length - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * values.length))));
  });
  svg.addEventListener("pointerleave", () => { words.textContent = ""; });
  element.append(svg, words);
}
