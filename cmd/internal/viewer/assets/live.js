// Live shows a job while it works: the graph as it forms, how well it explains
// the signals, and what the program says.

import { calm } from "./report/dom.js";
import { GraphView } from "./report/graph.js";
import { count, short } from "./report/words.js";
import { Curve } from "./curve.js";

// duration words the seconds that are left.
const duration = (s) => s < 120 ? `${Math.max(Math.ceil(s), 1)} s` : s < 7200 ? `${Math.round(s / 60)} min` : `${(s / 3600).toFixed(1)} h`;

const element = (id) => document.getElementById(id);
const isNarrow = () => matchMedia("(max-width: 900px)").matches; // one column; see page.css

export class Live {
  constructor() {
    this.curve = new Curve(element("curve"));
    addEventListener("themechange", () => this.view?.restyle());
    for (const name of ["wheel", "touchmove"]) addEventListener(name, () => { this.left = true; }, { passive: true });
    this.clear();
  }

  clear() {
    this.stopClock();
    this.view = null;
    this.names = [];
    this.places = null;
    this.what = "";
    this.left = false; // the reader has scrolled since it began
    element("graph").replaceChildren();
    element("verdict").hidden = true;
    this.hideGraph();
    element("log").textContent = "";
  }

  hideGraph() {
    element("graph").hidden = true;
    this.curve.clear();
  }

  // begin makes room for a run; name is what it learns from.
  begin(name, isComparison) {
    this.clear();
    this.name = name;
    element("live").hidden = false;
    element("said").hidden = false;
    element("live-title").textContent = isComparison ? `Comparing methods on ${name}` : `Learning from ${name}`;
    this.announce(element("live-title").textContent);
    element("stop").hidden = false;
    element("stop").removeAttribute("aria-disabled");
    this.begun = performance.now();
    this.clock = setInterval(() => this.tick(), second);
    this.say("starting …");
    element("live").scrollIntoView({ block: isNarrow() ? "start" : "nearest" });
  }

  // again makes room for a run that is over.
  again(title) {
    this.clear();
    element("live").hidden = false;
    element("said").hidden = element("stop").hidden = true;
    element("live-title").textContent = title;
    this.say("");
    this.announce(title);
  }

  // reveal brings the graph before the eyes where it would be below the form, unless the
  // reader has gone elsewhere.
  reveal() {
    if (!isNarrow() || this.left) return;
    element("live").scrollIntoView({ block: "start", behavior: calm() ? "auto" : "smooth" });
  }

  hide() { element("live").hidden = true; }

  // say writes how far it has come; while it works, with how long it has taken, and a guess of how long it still takes.
  say(text, left = null) {
    this.saying = { text, left, at: performance.now() };
    this.tick();
  }

  tick() {
    const { text, left, at } = this.saying, now = performance.now();
    const words = [text];
    if (this.clock) words.push(`${Math.floor((now - this.begun) / second)} s`);
    if (Number.isFinite(left)) words.push(`about ${duration(left - (now - at) / second)} left`);
    element("status").textContent = words.filter(Boolean).join(" · ");
  }

  stopClock() { this.clock = clearInterval(this.clock); }

  // announce tells those who do not see the page what a glance would tell: that it has begun, its stages, its end.
  announce(text) {
    if (text !== this.announced) element("spoken").textContent = text;
    this.announced = text;
  }

  take(event) {
    switch (event.event) {
      case "queued":
        this.say(`waiting for ${count(event.ahead, "job")} …`);
        break;
      case "lost":
        this.say("connection to the server lost; reconnecting …");
        break;
      case "begin":
        this.what = event.what;
        this.curve.renew();
        this.say(`${this.stage(event) || event.what} …`, event.seconds_left);
        break;
      case "stage":
        this.say(`${this.stage(event)} …`, event.seconds_left);
        break;
      case "step":
        this.step(event);
        break;
      case "half":
        this.say(`${this.stage(event) || this.what} · half-sample ${event.done} of ${event.of}`, event.seconds_left);
        break;
      case "vertices":
        this.names = event.vertices;
        break;
      case "graph":
        this.draw(event);
        break;
      case "words":
        this.hear(event.text);
        break;
    }
  }

  // stage says in which of its stages a run is.
  stage({ stage, stages, stage_name: name }) {
    if (!stage) return "";
    const words = `${stage} of ${stages}: ${name}`;
    this.announce(words);
    return words;
  }

  step(event) {
    const { start, round, residual, edges } = event;
    const words = [`start ${start}, round ${round}`, count(edges, "edge")];
    if (event.stage) words.unshift(this.stage(event));
    if (Number.isFinite(residual)) words.push(`${short(100 * residual)}% unexplained`);
    this.say(words.join(" · "), event.seconds_left);
    this.curve.add(residual, edges);
  }

  draw({ edges, x, y, directed }) {
    this.places = { x, y };
    element("graph").hidden = false;
    if (this.view) {
      this.view.setEdges(edges);
      this.view.setPlaces(x, y);
      return;
    }
    const vertices = this.names.map((name, i) => ({ name, x: x[i], y: y[i] }));
    this.view = new GraphView(element("graph"), { vertices, edges, directed }, { tools: false, table: false });
    this.reveal();
  }

  // hear logs a line. Files that the program wrote are not on the reader's disk.
  hear(line) {
    if (line.startsWith("wrote ")) return;
    const log = element("log");
    log.append(`${line}\n`);
    log.scrollTop = log.scrollHeight;
  }

  end({ code, error }) {
    this.stopClock();
    if (document.activeElement === element("stop")) element("live-title").focus(); // who uses keys goes on from here
    element("stop").hidden = true;
    element("live-title").textContent = this.name ? `${this.name}: ${ends[code] ?? "failed"}` : "";
    this.say(code === 130 ? withoutFiles(error) : "");
  }
}

const second = 1000; // milliseconds
const ends = { 0: "done", 130: "stopped early" };

// withoutFiles is a sentence without where a file was written: the reader sees the
// graph, and saves it where he likes.
function withoutFiles(sentence) {
  return sentence.replace(/,? was written to graph\.json/, "").replace("; nothing was written", "");
}
