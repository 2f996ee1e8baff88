// The page: choose signals, set options, run, watch, keep.

import { make } from "./report/dom.js";
import { ViewLink } from "./report/graph_link.js";
import { count } from "./report/words.js";
import { Ask } from "./ask.js";
import { showBeside } from "./beside.js";
import { browserBackend } from "./backend_browser.js";
import { serverBackend } from "./backend_server.js";
import { showComparison } from "./comparison.js";
import { save } from "./keep.js";
import { Live } from "./live.js";
import { Past, when } from "./past.js";
import { showGraphFile, showResult } from "./result.js";
import { Runs } from "./runs.js";
import { Source } from "./source.js";
import { followTheme } from "./theme.js";

// labelOf is the name of what a run learns from.
const labelOf = ({ read }) => read.files[0].replace(/^sample:/, "sample ");

const element = (id) => document.getElementById(id);

class Page {
  constructor(config, runs) {
    this.config = config;
    this.runs = runs;
    this.backend = config.backend === "server" ? serverBackend : browserBackend;
    this.job = null;
    this.turn = 0; // counts jobs
    this.running = false;
    this.link = new ViewLink();
    addEventListener("hashchange", () => {
      const { followed } = this;
      if (followed && !this.running) this.open(followed, this.link.read());
    });
    this.ask = new Ask(config, {
      onLearn: () => this.run(this.ask.learnRun()),
      onCompare: () => this.run(this.ask.compareRun()),
      onGraph: (file) => this.look(file),
      onFault: (sentence) => this.fail(sentence),
      onChange: () => this.clear(),
    });
    this.live = new Live();
    this.past = new Past(runs, {
      onOpen: (run) => this.open(run),
      onBeside: (a, b) => this.beside(a, b),
      onFault: (sentence) => this.fail(sentence),
    });
    element("stop").addEventListener("click", () => this.stop());
    element("where").textContent = `Computation runs ${this.backend.where}.`;
  }

  // run starts a run; see asked.js.
  run(run) {
    this.watch(run, (onEvent) => this.backend.run(run, this.ask.files(run), onEvent));
  }

  // watch shows a job from its start to its end.
  watch(run, start) {
    this.job?.remove();
    this.forgive();
    element("welcome").hidden = element("result").hidden = element("sides").hidden = element("past").hidden = true;
    this.link.leave();
    this.live.begin(labelOf(run), Boolean(run.compare));
    this.ask.busy(true);
    this.running = true;
    document.body.dataset.state = "running";
    const turn = ++this.turn;
    this.job = start((event) => {
      if (turn !== this.turn) return; // of a job that was left
      if (event.event === "end") this.end(run, event);
      else this.live.take(event);
    });
  }

  // goOn takes up what was there before the page was loaded again: a job that still runs,
  // or else the last result.
  async goOn() {
    const left = this.backend.left();
    if (left) this.watch(left.run, (onEvent) => this.backend.follow(left, onEvent));
    else {
      const { followed } = this;
      if (this.runs.heads.length) await this.open(followed ?? this.runs.heads[0], followed && this.link.read());
      document.body.dataset.state = "ready";
    }
  }

  stop() {
    if (!this.running) return;
    this.live.say("stopping …");
    element("stop").setAttribute("aria-disabled", "true"); // not disabled: that would take the focus from it
    this.job?.stop();
  }

  async end(run, event) {
    this.ask.busy(false);
    this.running = false;
    this.live.end(event);
    try {
      if (![0, 70, 130].includes(event.code)) this.fail(event.error);
      else if (!event.files.some((name) => ["comparison.json", "report.html"].includes(name))) this.fail(event.error);
      else {
        const head = await this.show(event);
        const facts = head.edges === undefined ? head.verdict : `${count(head.edges, "edge")}, ${head.verdict}`;
        this.live.announce(`${labelOf(run)}: ${event.code === 130 ? "stopped early" : "done"}. ${facts}`);
        await this.keep(run, event, head);
        if (event.code === 70) this.fail(event.error); // which cost a part of the results
      }
      const report = event.files.find((name) => name.startsWith("nervure-fault-")); // of a fault in this browser
      if (report) element("sentence").append(" ", make("button", { type: "button", textContent: "Save the report of the fault", onclick: () => save(this.job, report) }));
    } catch (error) {
      this.fail(error.message);
    }
    this.past.fill();
    document.body.dataset.state = [0, 70].includes(event.code) ? "done" : event.code === 130 ? "stopped" : "failed";
  }

  // show shows the results of the job, and resolves to what is listed of them.
  async show(end) {
    if (end.files.includes("comparison.json")) {
      this.live.hideGraph();
      const { methods, recommendation } = await showComparison(this.job, (method) => this.ask.choose(method));
      return { kind: "compare", method: `${methods.length} compared`, verdict: recommendation?.method ? `recommended: ${recommendation.method}` : "none recommended" };
    }
    if (!end.files.includes("summary.json")) {
      const edges = await showGraphFile(this.job, end, this.live, this.config);
      this.live.reveal();
      return { kind: "graph", method: end.code === 130 ? "as drawn last" : "from a file", verdict: "not tested", edges };
    }
    const { method, verdict, edges, confidence } = await showResult(this.job, end, this.live, this.config);
    this.live.reveal();
    return { kind: "learn", method, verdict, edges, sure: confidence?.at_least_0_9 };
  }

  // look opens a graph from a file.
  async look(file) {
    if (this.running) {
      this.fail("a run is at work: stop it before you open a graph");
      return;
    }
    this.clear();
    element("welcome").hidden = true;
    const source = Source.ofFile(file), turn = ++this.turn;
    this.live.again(source.label);
    this.live.say("opening …");
    document.body.dataset.state = "running";
    try {
      this.job?.remove();
      this.job = null;
      this.job = await this.backend.look(source.name, file);
      if (turn !== this.turn) return;
      const end = { code: 0, files: ["graph.json", "report.html"] }, head = await this.show(end);
      this.live.say("");
      this.live.announce(`${source.label} is open: ${count(head.edges, "edge")}`);
      await this.keep({ read: { files: [source.label] } }, end, head);
      document.body.dataset.state = "done";
    } catch (error) {
      this.live.hide();
      this.fail(error.message);
      document.body.dataset.state = "failed";
    }
    this.past.fill();
  }

  // keep puts the results among the past runs. They are there to be seen whether or not
  // that succeeds.
  async keep({ read }, { code, files: names }, head) {
    try {
      const files = new Map(await Promise.all(names.map(async (name) => [name, await this.job.file(name)])));
      const run = await this.runs.add({ ...head, label: labelOf({ read }), stopped: code === 130, time: Date.now() }, files);
      this.past.current = run?.id ?? null;
      this.follow(run);
    } catch (error) {
      this.live.hear(`this run could not be kept for later: ${error.message}`);
    }
  }

  // open shows a past run again.
  async open(run, state = null) {
    this.turn++;
    this.running = false;
    this.forgive();
    this.ask.busy(false);
    element("welcome").hidden = element("result").hidden = element("sides").hidden = true;
    try {
      const files = await this.runs.files(run.id);
      this.job?.remove();
      this.job = await this.backend.adopt(files);
      this.live.again(`${run.label}, ${when(run.time)}`);
      await this.show({ code: run.stopped ? 130 : 0, files: [...files.keys()] });
      this.past.fill(run.id);
      this.follow(run, state);
    } catch (error) {
      this.fail(error.message);
    }
  }

  // follow keeps the address in step with the graph of a run, which is kept in this browser.
  follow(run, state = null) {
    this.link.leave();
    if (!run || run.kind === "compare" || !this.live.view) return;
    this.link = new ViewLink(() => ({ run: run.id }));
    this.link.follow(this.live.view, state);
  }

  // followed is the run that the address leads to, or null.
  get followed() {
    const { run: id } = this.link.read();
    return this.runs.heads.find((run) => run.id === id) ?? null;
  }

  // clear takes away what is shown of an earlier file; it is still among the past runs.
  clear() {
    this.forgive();
    if (this.running) return; // its heading says of which file it is
    this.turn++;
    this.link.leave();
    this.live.clear();
    this.live.hide();
    element("result").hidden = element("sides").hidden = true;
    element("welcome").hidden = false;
    this.past.fill(null);
    document.body.dataset.state = "ready";
  }

  async beside(...runs) {
    this.forgive();
    try {
      const files = await Promise.all(runs.map((run) => this.runs.files(run.id)));
      const differences = await this.backend.differences(...files.map((of) => of.get("graph.json")));
      await showBeside(runs, files.map((of) => of.get("report.html")), differences);
    } catch (error) {
      this.fail(error.message);
    }
  }

  fail(sentence) {
    const fault = element("fault");
    element("sentence").textContent = sentence;
    fault.hidden = false;
    element("welcome").hidden = true;
    if (!this.live.view) this.live.hide();
    fault.scrollIntoView({ block: "nearest" });
  }

  forgive() { element("fault").hidden = true; }
}

followTheme(element("theme"));
const [answer, runs] = await Promise.all([fetch("config.json"), Runs.open()]);
globalThis.nervurePage = new Page(await answer.json(), runs);
await nervurePage.goOn();
