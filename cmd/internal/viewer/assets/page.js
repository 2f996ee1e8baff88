// The page: choose signals, set options, run, watch, keep.

import { Ask } from "./ask.js";
import { browserBackend } from "./backend_browser.js";
import { serverBackend } from "./backend_server.js";
import { showComparison } from "./comparison.js";
import { Live } from "./live.js";
import { showResult } from "./result.js";
import { followTheme } from "./theme.js";

const element = (id) => document.getElementById(id);

class Page {
  constructor(config) {
    this.config = config;
    this.backend = config.backend === "server" ? serverBackend : browserBackend;
    this.job = null;
    this.turn = 0; // counts jobs
    this.ask = new Ask(config, {
      onLearn: () => this.run(this.ask.learnCommand()),
      onCompare: () => this.run(this.ask.compareCommand()),
      onFault: (sentence) => this.fail(sentence),
      onChange: () => this.forgive(),
    });
    this.live = new Live();
    element("stop").addEventListener("click", () => this.stop());
    element("where").textContent = `Computation runs ${this.backend.where}.`;
  }

  // run starts a command line; args are those after the program's name.
  run(args) {
    this.job?.remove();
    this.forgive();
    element("welcome").hidden = true;
    element("result").hidden = true;
    this.live.begin(args[0] === "compare" ? "Comparing methods" : "Learning");
    this.ask.busy(true);
    document.body.dataset.state = "running";
    const turn = ++this.turn;
    this.job = this.backend.run(args, this.ask.files(args), (event) => {
      if (turn !== this.turn) return; // of a job that was left
      if (event.event === "end") this.end(args, event);
      else this.live.take(event);
    });
  }

  stop() {
    this.live.say("stopping …");
    element("stop").disabled = true;
    this.job?.stop();
  }

  async end(args, event) {
    this.ask.busy(false);
    this.live.end(event);
    try {
      if (event.code !== 0 && event.code !== 130) this.fail(event.error);
      else if (event.files.includes("comparison.json")) {
        this.live.hideGraph();
        await showComparison(this.job, args, (method) => this.ask.choose(method));
      }
      else if (event.files.includes("graph.json")) await showResult(this.job, args, event, this.live, this.config);
      else this.fail(event.error);
    } catch (error) {
      this.fail(error.message);
    }
    document.body.dataset.state = event.code === 0 ? "done" : event.code === 130 ? "stopped" : "failed";
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
const answer = await fetch("config.json");
globalThis.nervurePage = new Page(await answer.json());
document.body.dataset.state = "ready";
