// What is wrong with which sensor, and when: a row for each, bars by kind.

import { keyLine } from "./chart.js";
import { draw, make } from "./dom.js";
import { clipped, count } from "./words.js";

const kinds = ["stuck", "code", "spikes", "noise", "unit jump", "drift", "clock slip", "copy"]; // each has a colour of its own
const kindLook = (kind) => `group-${Math.max(0, kinds.indexOf(kind))}`;
const rowHeight = 24, thinnest = 3; // pixels

export function showSensors(element, { sensors }) {
  const narrow = element.clientWidth > 0 && element.clientWidth < 600;
  const width = narrow ? 360 : 1040, left = narrow ? 96 : 150, right = width - 16, { rows, from, to, clock, more } = sensors;
  const bottom = rows.length * rowHeight + 4, height = bottom + 40;
  const at = (v) => left + ((v - from) / (to - from || 1)) * (right - left);
  const svg = draw("svg", { class: "chart timeline", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `faults of ${count(rows.length, "sensor")} over time; the list below has the same as text` });
  const words = clock ? clockWords(from, to) : (v) => String(Math.round(v));
  for (const tick of ticks(clock ? from : from + 0.5, clock ? to : to - 0.5, narrow ? 1 : 5)) {
    svg.append(draw("line", { class: "grid", x1: at(tick), x2: at(tick), y1: 0, y2: bottom }),
      draw("text", { x: at(tick), y: bottom + 18, "text-anchor": at(tick) > right - 40 ? "end" : at(tick) < left + 40 ? "start" : "middle" }, words(tick)));
  }
  rows.forEach(({ name, faults }, k) => {
    const y = k * rowHeight;
    svg.append(draw("line", { class: "grid", x1: left, x2: right, y1: y + rowHeight, y2: y + rowHeight }),
      draw("text", { class: "name", x: left - 10, y: y + 17, "text-anchor": "end" }, clipped(name, narrow ? 12 : 20)));
    for (const { kind, runs, words: said } of faults) {
      for (const [begun, over] of runs) {
        const wide = Math.max(at(over) - at(begun), thinnest);
        svg.append(draw("rect", { class: `bar ${kindLook(kind)}`, x: Math.min(at(begun), right - wide), y: y + 5, width: wide, height: rowHeight - 9, rx: 2 }, draw("title", {}, `${name}: ${said}`)));
      }
    }
  });
  svg.append(draw("line", { class: "axis", x1: left, x2: right, y1: bottom, y2: bottom }),
    draw("text", { x: (left + right) / 2, y: height - 3, "text-anchor": "middle" }, clock ? "time" : "observation"));
  const seen = kinds.filter((kind) => rows.some(({ faults }) => faults.some((f) => f.kind === kind)));
  element.replaceChildren(keyLine(seen.map((kind) => ({ name: kind, look: kindLook(kind) }))), svg,
    ...(more ? [make("p", { className: "fine" }, `and ${count(more, "sensor")} with fewer values at fault`)] : []));
}

// ticks are evenly spaced from the first to the last.
function ticks(first, last, steps) {
  return Array.from({ length: steps + 1 }, (_, k) => first + ((last - first) * k) / steps);
}

// clockWords writes times as briefly as what they span allows.
function clockWords(from, to) {
  const day = 86_400_000, span = to - from, date = { day: "numeric", month: "short" };
  const parts = span < 6 * day ? { ...date, hour: "2-digit", minute: "2-digit" } : span < 300 * day ? date : { ...date, year: "numeric" };
  const format = new Intl.DateTimeFormat("en-GB", { ...parts, timeZone: "UTC" });
  return (v) => format.format(v);
}
