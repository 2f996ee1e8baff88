// The list of past runs: to see one again, to put two side by side, to forget them.

import { make } from "./report/dom.js";
import { count } from "./report/words.js";
import { mostBytes, mostRuns } from "./runs.js";

const element = (id) => document.getElementById(id);

// when is the time of a run as people read it.
export function when(time) {
  return new Date(time).toLocaleString("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
}

export class Past {
  // onOpen gets a run, onBeside two of them.
  constructor(runs, { onOpen, onBeside, onFault }) {
    Object.assign(this, { runs, onOpen, onBeside, onFault });
    this.ticked = []; // ids of up to two runs, the older choice first
    this.current = null; // id of the run that is shown
    this.beside = make("button", { type: "button", id: "beside", textContent: "Put side by side", disabled: true, onclick: () => this.compare() });
    this.fill();
  }

  // fill writes the list again.
  fill(current = this.current) {
    this.current = current;
    const { heads, lasting } = this.runs, place = element("past");
    this.ticked = this.ticked.filter((id) => heads.some((run) => run.id === id));
    place.hidden = heads.length === 0;
    const titles = ["", "Signals", "Time", "Method", "Verdict", "Edges", "Sure edges", ""];
    const number = [5, 6];
    const table = make("table", { className: "runs", id: "runs" },
      make("thead", {}, make("tr", {}, ...titles.map((text, k) => make(text ? "th" : "td", { textContent: text, className: number.includes(k) ? "number" : "", title: text === "Sure edges" ? "with confidence 0.9 or higher" : "" })))),
      make("tbody", {}, ...heads.map((run) => this.row(run))));
    place.replaceChildren(make("h2", { textContent: "Past runs" }), make("div", { className: "cells", tabIndex: 0, role: "group", ariaLabel: "Past runs" }, table),
      make("div", { className: "row" }, this.beside, make("button", { type: "button", id: "forget-all", textContent: "Forget all", onclick: () => this.forget(null) })),
      make("p", { className: "soft", textContent: lasting ? `Kept in this browser and nowhere else: the latest ${count(mostRuns, "run")}, up to ${mostBytes / 1e6} MB.` : "This browser lets the page keep nothing: the list ends with this visit." }));
    this.tick();
  }

  row(run) {
    const box = make("input", { type: "checkbox", checked: this.ticked.includes(run.id), disabled: run.kind === "compare", ariaLabel: `Put ${run.label} of ${when(run.time)} side by side`, onchange: () => this.choose(run.id, box.checked) });
    box.dataset.run = run.id;
    const cell = (title, text, className = "") => make("td", { className, textContent: text ?? "–", "data-title": title });
    return make("tr", { className: run.id === this.current ? "is-current" : "" }, make("td", { className: "pick" }, box),
      make("th", { scope: "row" }, make("button", { type: "button", className: "link", textContent: run.label, title: "See this run again", onclick: () => this.onOpen(run) })),
      cell("Time", when(run.time)), cell("Method", run.method), cell("Verdict", run.stopped ? `${run.verdict} (stopped early)` : run.verdict),
      cell("Edges", run.edges, "number"), cell("Sure edges", run.sure, "number"),
      make("td", { className: "forget" }, make("button", { type: "button", textContent: "Forget", ariaLabel: `Forget ${run.label} of ${when(run.time)}`, onclick: () => this.forget(run.id) })));
  }

  // choose ticks a run; a third takes the place of the first.
  choose(id, yes) {
    this.ticked = [...this.ticked.filter((other) => other !== id), ...(yes ? [id] : [])].slice(-2);
    this.tick();
  }

  tick() {
    for (const box of element("past").querySelectorAll("input[data-run]")) box.checked = this.ticked.includes(box.dataset.run);
    this.beside.disabled = this.ticked.length !== 2;
    this.beside.title = this.beside.disabled ? "Tick two runs first" : "";
  }

  compare() {
    const two = this.runs.heads.filter((run) => this.ticked.includes(run.id)).reverse(); // the older first
    if (two.length === 2) this.onBeside(...two);
  }

  async forget(id) {
    try {
      await (id ? this.runs.forget(id) : this.runs.forgetAll());
      this.fill();
    } catch (error) {
      this.onFault(error.message);
    }
  }
}
