// Jobs that run in this browser, in a worker: nothing leaves the machine.

import { readLine } from "./lines.js";
import { checkReadable } from "./readable.js";

const patience = 10_000; // milliseconds that a job may take over stopping
const outputs = ["graph.json", "summary.json", "report.html", "comparison.json"];
const runFile = ".run.json";
const command = ["run", runFile, "--progress", "json", "--until-eof"];

let compiling = null;

// program fetches and compiles the learner, once. Some hosts inflate by themselves.
function program() {
  compiling ??= (async () => {
    const answer = await fetch("nervure.wasm.gz");
    if (!answer.ok) throw new Error(`nervure.wasm.gz cannot be loaded: ${answer.status}`);
    const packed = new Uint8Array(await answer.arrayBuffer());
    if (packed[0] !== 0x1f) return WebAssembly.compile(packed);
    const inflated = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compile(await new Response(inflated).arrayBuffer());
  })();
  compiling.catch(() => { compiling = null; });
  return compiling;
}

// execute runs one command line and resolves to its exit code and files.
async function execute(worker, args, files, wanted, onLine) {
  const module = await program();
  const inputs = await Promise.all([...files].map(async ([name, blob]) => {
    await checkReadable(name, blob);
    return [name, new Uint8Array(await blob.arrayBuffer())];
  }));
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => (data.line === undefined ? resolve(data) : onLine(data.line));
    worker.onerror = (event) => reject(new Error(event.message || "the worker failed"));
    worker.postMessage({ module, args, files: inputs, wanted }, inputs.map(([, bytes]) => bytes.buffer));
  });
}

// writeFile runs one command line and resolves to the file that it writes.
async function writeFile(args, inputs, name) {
  const worker = new Worker(new URL("worker.js", import.meta.url));
  const said = [];
  const { code, files } = await execute(worker, args, inputs, [name], (line) => said.push(line));
  worker.terminate();
  if (code !== 0) throw new Error(said.join(" ").replace(/^nervure: /, ""));
  return new Blob([files[0][1]]);
}

// differences resolves to how two graphs differ, as the program says it.
async function differences(first, second) {
  const written = await writeFile(["evaluate", "first.json", "--against", "second.json", "--out", "differences.json"], [["first.json", first], ["second.json", second]], "differences.json");
  return JSON.parse(await written.text());
}

// pageOf resolves to a graph and a page with it, as a job keeps them.
async function pageOf(name, blob) {
  const graph = await writeFile(["convert", name, "--out", "graph.json"], [[name, blob]], "graph.json");
  const page = await writeFile(["plot", "graph.json", "--title", name, "--out", "report.html"], [["graph.json", graph]], "report.html");
  return new Map([["graph.json", graph], ["report.html", page]]);
}

// drawnAs writes a graph that was drawn as a file that the program reads.
function drawnAs({ edges, directed = false }, names) {
  const list = edges.map(([i, j, weight, confidence]) => ({ source: names[i], target: names[j], weight, ...(confidence === undefined ? {} : { confidence }) }));
  return new Blob([JSON.stringify({ directed, multigraph: false, graph: {}, nodes: names.map((id) => ({ id })), edges: list })]);
}

class BrowserJob {
  constructor(run, files, onEvent) {
    this.results = new Map();
    this.onEvent = onEvent;
    this.over = false;
    this.names = []; // of the vertices, and
    this.drawn = null; // the graph that was drawn last
    if (!run) { // a run that is over
      this.results = new Map(files);
      this.over = true;
      return;
    }
    this.worker = new Worker(new URL("worker.js", import.meta.url));
    this.run(run, files);
  }

  async run(run, files) {
    let complaint = "";
    this.onEvent({ event: "words", text: "loading nervure …" });
    try {
      const hear = (line) => {
        if (line.startsWith("nervure: ")) complaint = line.slice("nervure: ".length).replace(`${runFile}: `, "");
        else for (const event of readLine(line)) this.hear(event);
      };
      const { code, files: results } = await execute(this.worker, command, [...files, [runFile, new Blob([JSON.stringify(run)])]], outputs, hear);
      for (const [name, bytes] of results) this.results.set(name, new Blob([bytes]));
      this.end(code, code === 0 ? "" : complaint || "the job ended without an error message");
    } catch (error) {
      this.end(1, `the job cannot be run: ${error.message}`);
    }
  }

  // hear passes an event on, and keeps what may have to do as the result.
  hear(event) {
    if (event.event === "vertices") this.names = event.vertices;
    if (event.event === "graph") this.drawn = event;
    if (!this.over) this.onEvent(event);
  }

  end(code, error) {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.insist);
    this.worker.terminate();
    this.onEvent({ event: "end", code, error, files: [...this.results.keys()] });
  }

  // stop asks the job to end with the best graph it has. If it does not, it is ended, and the graph that was drawn
  // last is kept.
  stop() {
    this.worker.postMessage({ stop: true });
    this.insist = setTimeout(() => this.endAtOnce(), patience);
  }

  async endAtOnce() {
    if (this.over) return;
    this.worker.terminate();
    if (!this.drawn) {
      this.end(130, "stopped before there was a graph; nothing was written");
      return;
    }
    try {
      this.results = await pageOf("drawn.json", drawnAs(this.drawn, this.names));
      this.end(130, "this is the best graph so far, as it was drawn last: it was not pruned or tested, and has no verdict");
    } catch (error) {
      this.end(1, `stopped, and the graph so far cannot be kept: ${error.message}`);
    }
  }

  remove() {
    this.over = true;
    this.worker?.terminate();
    this.results.clear();
  }

  // file returns a result as a blob; the graph in any format.
  async file(name) {
    if (!this.results.has(name)) this.results.set(name, await writeFile(["convert", "graph.json", "--out", name], [["graph.json", this.results.get("graph.json")]], name));
    return this.results.get(name);
  }

  // openReport shows the report in a page that may run its scripts, and nothing else.
  openReport() {
    const page = window.open("report_frame.html"); // before anything is waited for, or it is taken for a pop-up
    const html = this.file("report.html").then((blob) => blob.text());
    addEventListener("message", async function hand(event) {
      if (event.source !== page || event.data !== "ready") return;
      removeEventListener("message", hand);
      page.postMessage({ report: await html }, location.origin);
    });
  }
}

export const browserBackend = {
  where: "in this browser; your data do not leave it",
  run: (run, files, onEvent) => new BrowserJob(run, files, onEvent),
  differences,
  look: async (name, blob) => new BrowserJob(null, await pageOf(name, blob)),
  left: () => null, // a job ends with its page
  adopt: (files) => new BrowserJob(null, files),
};
