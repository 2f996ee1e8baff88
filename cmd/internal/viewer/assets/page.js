// The page: choose signals, set options, run, watch, keep.

import { Ask } from "./ask.js";
import { showBeside } from "./beside.js";
import { browserBackend } from "./backend_browser.js";
import { serverBackend } from "./backend_server.js";
import { showComparison } from "./comparison.js";
import { Live } from "./live.js";
import { Past, when } from "./past.js";
import { showResult } from "./result.js";
import { Runs } from "./runs.js";
import { followTheme } from "./theme.js";

const element = (id) => document.getElementById(id);

class Page {
  constructor(config, runs) {
    this.config = config;
    this.runs = runs;
    this.backend = config.backend === "server" ? serverBackend : browserBackend;
    this.job = null;
    this.turn = 0; // counts jobs
    this.ask = new Ask(config, {
      onLearn: () => this.run(this.ask.learnRun()),
      onCompare: () => this.run(this.ask.compareRun()),
      onFault: (sentence) => this.fail(sentence),
      onChange: () => this.forgive(),
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
    this.live.begin(run.compare ? "Comparing methods" : "Learning");
    this.ask.busy(true);
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
      if (this.runs.heads.length) await this.open(this.runs.heads[0]);
      document.body.dataset.state = "ready";
    }
  }

  stop() {
    this.live.say("stopping …");
    element("stop").disabled = true;
    this.job?.stop();
  }

  async end(run, event) {
    this.ask.busy(false);
    this.live.end(event);
    try {
      if (event.code !== 0 && event.code !== 130) this.fail(event.error);
      else if (!event.files.some((name) => ["comparison.json", "report.html"].includes(name))) this.fail(event.error);
      else await this.keep(run, event, await this.show(event));
    } catch (error) {
      this.fail(error.message);
    }
    this.past.fill();
    document.body.dataset.state = event.code === 0 ? "done" : event.code === 130 ? "stopped" : "failed";
  }

  // show shows the results of the job, and resolves to what is listed of them.
  async show(end) {
    if (end.files.includes("comparison.json")) {
      this.live.hideGraph();
      const { methods, recommendation } = await showComparison(this.job, (method) => this.ask.choose(method));
      return { kind: "compare", method: `${methods.length} compared`, verdict: recommendation?.method ? `recommended: ${recommendation.method}` : "none recommended" };
    }
    const { method, verdict, edges, confidence } = await showResult(this.job, end, this.live, this.config);
    this.live.reveal();
    return { kind: "learn", method, verdict, edges, sure: confidence?.at_least_0_9 };
  }

  // keep puts the results among the past runs. They are there to be seen whether or not
  // that succeeds.
  async keep({ read }, { code, files: names }, head) {
    try {
      const files = new Map(await Promise.all(names.map(async (name) => [name, await this.job.file(name)])));
      const run = await this.runs.add({ ...head, label: read.files[0], stopped: code === 130, time: Date.now() }, files);
      this.past.current = run?.id ?? null;
    } catch (error) {
      this.live.hear(`this run could not be kept for later: ${error.message}`);
    }
  }

  // open shows a past run again.
  async open(run) {
    this.turn++;
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
    } catch (error) {
      this.fail(error.message);
    }
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
