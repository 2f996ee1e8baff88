// Live shows a job while it works: the graph as it forms, how well it explains
// the signals, and what the program says.

import { calm } from "./report/dom.js";
import { GraphView } from "./report/graph.js";
import { count, short } from "./report/words.js";
import { Curve } from "./curve.js";

// duration words seconds for people.
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

  begin(title) {
    this.clear();
    element("live").hidden = false;
    element("said").hidden = false;
    element("live-title").textContent = title;
    element("stop").hidden = false;
    element("stop").disabled = false;
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
  }

  // reveal brings the graph before the eyes where it would be below the form, unless the
  // reader has gone elsewhere.
  reveal() {
    if (!isNarrow() || this.left) return;
    element("live").scrollIntoView({ block: "start", behavior: calm() ? "auto" : "smooth" });
  }

  hide() { element("live").hidden = true; }

  say(text) { element("status").textContent = text; }

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
        this.say(`${this.stage(event) || event.what} …`);
        break;
      case "stage":
        this.say(`${this.stage(event)} …`);
        break;
      case "step":
        this.step(event);
        break;
      case "half":
        this.say(`${this.stage(event) || this.what} · half-sample ${event.done} of ${event.of}`);
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

  // stage says in which of its stages a run is, and how long it will still take.
  stage({ stage, stages, stage_name: name, seconds_left: left }) {
    if (!stage) return "";
    return `${stage} of ${stages}: ${name}${Number.isFinite(left) ? `, about ${duration(left)} left` : ""}`;
  }

  step(event) {
    const { start, round, residual, edges } = event;
    const words = [`start ${start}, round ${round}`, count(edges, "edge")];
    if (event.stage) words.unshift(this.stage(event));
    if (Number.isFinite(residual)) words.push(`${short(100 * residual)}% unexplained`);
    this.say(words.join(" · "));
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
    if (document.activeElement === element("stop")) element("live-title").focus(); // who uses keys goes on from here
    element("stop").hidden = true;
    element("live-title").textContent = code === 0 ? "Done" : code === 130 ? "Stopped" : "Failed";
    this.say(code === 130 ? withoutFiles(error) : "");
  }
}

// withoutFiles is a sentence without where a file was written: the reader sees the
// graph, and saves it where he likes.
function withoutFiles(sentence) {
  return sentence.replace(/,? was written to graph\.json/, "").replace("; nothing was written", "");
}
