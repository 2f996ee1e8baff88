// The comparison of methods as a table, with the one that is recommended.

import { make } from "./report/dom.js";
import { duration } from "./duration.js";
import { commandLine, save } from "./keep.js";

// showComparison reads what compare wrote, shows it, and resolves to it; use is called
// with the method that somebody wants to go on with.
export async function showComparison(job, use) {
  const record = JSON.parse(await (await job.file("comparison.json")).text());
  const place = document.getElementById("result");
  place.replaceChildren(recommended(record), table(record, use), explained(),
    make("div", { className: "keep" }, make("div", {}, make("button", { type: "button", textContent: "Save the comparison", onclick: () => save(job, "comparison.json") }))),
    ...commandLine(record));
  place.hidden = false;
  return record;
}

function recommended({ recommendation, interrupted }) {
  const box = make("div", { className: "verdict good" });
  if (interrupted) box.append(make("b", { textContent: "Stopped early: not all methods were run. " }));
  if (recommendation?.method) box.append(make("b", { textContent: `Recommended: ${recommendation.method}` }), `, because ${recommendation.because}.`);
  else box.append(recommendation ? `No method is recommended, because ${recommendation.because}.` : "No method is recommended: no signals were held out.");
  return box;
}

function table({ methods, recommendation }, use) {
  const ranked = [...methods].sort((a, b) => (a.rank ?? 99) - (b.rank ?? 99));
  const head = ["Rank", "Method", "Edges", "Held-out gain", "Of best", "Time", ""];
  const row = (m) => {
    const cells = m.error ? [make("td", { colSpan: 4, className: "soft", textContent: m.error })]
      : [m.edges, m.held_out_gain == null ? "–" : `${m.held_out_gain.toFixed(2)} ± ${(m.held_out_gain_stderr ?? 0).toFixed(2)}`, m.held_out_share == null ? "–" : `${Math.round(100 * m.held_out_share)} %`, duration(m.seconds)].map((v) => make("td", { textContent: v, className: "number" }));
    return make("tr", { className: m.method === recommendation?.method ? "best" : "" },
      make("td", { textContent: m.rank ?? "–", className: "number" }), make("th", { scope: "row", textContent: m.method }), ...cells,
      make("td", {}, m.error ? "" : make("button", { type: "button", textContent: "Use", onclick: () => use(m.method), ariaLabel: `Use ${m.method}` })));
  };
  return make("div", { className: "cells", tabIndex: 0, role: "group", ariaLabel: "Methods compared" },
    make("table", { className: "methods", id: "methods" }, make("thead", {}, make("tr", {}, ...head.map((text) => make(text ? "th" : "td", { textContent: text })))), make("tbody", {}, ...ranked.map(row))));
}

const explained = () => make("p", { className: "soft", textContent: "Held-out gain: increase in the log-likelihood of a signal due to edges learned from other signals, in nats per signal. Of best: the gain in percent of the largest. Edges between vertices two steps apart raise it, too, so the graph with the highest gain is not always the best." });
