// Jobs that run on the server, which is this machine unless it was told otherwise.

import { checkReadable } from "./readable.js";

const silence = "the server does not answer: is nervure serve still running?";
const patience = 15_000; // milliseconds without a connection, after which the job has been deleted

// ask sends a request and returns the answer, or throws the sentence that says
// why there is none.
async function ask(method, path, body) {
  let answer;
  try {
    answer = await fetch(path, { method, body });
  } catch {
    throw new Error(silence);
  }
  if (answer.ok) return answer;
  const said = await answer.json().catch(() => ({}));
  throw new Error(said.error || `the server answered ${answer.status}`);
}

// remember keeps which job runs, {path, run}, for as long as the tab is open; recall
// returns it, or null.
const key = "nervure-job";
function remember(job) {
  try {
    if (job) sessionStorage.setItem(key, JSON.stringify(job));
    else sessionStorage.removeItem(key);
  } catch {
    // a browser that lets pages keep nothing
  }
}

function recall() {
  try {
    return JSON.parse(sessionStorage.getItem(key));
  } catch {
    return null;
  }
}

class ServerJob {
  constructor(onEvent = () => {}) {
    this.onEvent = onEvent;
    this.over = false;
    this.path = null;
  }

  run(run, files) {
    this.begin(run, files).catch((error) => this.end({ code: 2, error: error.message, files: [] }));
    return this;
  }

  async begin(run, files) {
    const { id } = await (await ask("POST", "api/jobs")).json();
    this.path = `api/jobs/${id}`;
    for (const [name, blob] of files) {
      if (this.over) break;
      this.onEvent({ event: "words", text: `sending ${name} …` });
      await checkReadable(name, blob);
      await ask("PUT", this.fileURL(name), blob);
    }
    if (!this.over) await ask("POST", `${this.path}/run`, JSON.stringify(run));
    if (this.over) { // stopped meanwhile
      this.remove();
      return;
    }
    remember({ path: this.path, run });
    this.listen();
  }

  // follow hears of a job that an earlier load of the page has started.
  follow(path) {
    this.path = path;
    this.listen();
    return this;
  }

  listen() {
    this.stream = new EventSource(`${this.path}/events`);
    this.stream.onmessage = ({ data }) => {
      const event = JSON.parse(data);
      if (event.event === "end") this.end(event);
      else this.onEvent(event);
    };
    this.stream.onopen = () => { this.lost = clearTimeout(this.lost); };
    this.stream.onerror = () => {
      if (this.stream.readyState === EventSource.CLOSED) {
        // Not at once: a page that is being left loses its stream as well.
        setTimeout(() => this.end({ code: 1, error: "the job no longer exists: start it again", files: [] }), 500);
        return;
      }
      this.onEvent({ event: "lost" }); // the browser tries again by itself
      this.lost ??= setTimeout(() => this.end({ code: 1, error: silence, files: [] }), patience);
    };
  }

  // adopt gives the server the results of a run that it no longer has, so that it can
  // convert and show them.
  async adopt(files) {
    this.over = true;
    const { id } = await (await ask("POST", "api/jobs")).json();
    this.path = `api/jobs/${id}`;
    for (const [name, blob] of files) await ask("PUT", `${this.path}/results/${name}`, blob);
    await ask("POST", `${this.path}/adopt`);
    // The browser keeps them, the server need not.
    addEventListener("pagehide", ({ persisted }) => { if (!persisted) fetch(this.path, { method: "DELETE", keepalive: true }).catch(() => {}); });
  }

  fileURL(name) { return `${this.path}/files/${encodeURIComponent(name)}`; }

  end(event) {
    if (this.over) return;
    this.over = true;
    this.close();
    remember(null);
    this.onEvent({ ...event, event: "end" });
  }

  // stop asks the job to end with the best graph it has; its stream tells when.
  stop() {
    if (this.path) ask("POST", `${this.path}/stop`).catch(() => {});
    if (!this.stream) this.end({ code: 130, error: "stopped before it started; nothing was written", files: [] });
  }

  close() {
    clearTimeout(this.lost);
    this.stream?.close();
  }

  remove() {
    if (!this.over) remember(null);
    this.over = true;
    this.close();
    if (this.path) ask("DELETE", this.path).catch(() => {}); // it may be gone already
  }

  async file(name) { return (await ask("GET", this.fileURL(name))).blob(); }

  openReport() { window.open(`${this.fileURL("report.html")}?view`, "_blank", "noopener"); }
}

// differences resolves to how two graphs differ, as the program says it.
async function differences(first, second) {
  const { id } = await (await ask("POST", "api/jobs")).json(), path = `api/jobs/${id}`;
  try {
    for (const [name, graph] of [["first", first], ["second", second]]) await ask("PUT", `${path}/files/${name}.json`, graph);
    return await (await ask("POST", `${path}/differences`)).json();
  } finally {
    ask("DELETE", path).catch(() => {}); // it is not needed any more
  }
}

// look gives the server a graph to make a page of, and resolves to a job that has both.
async function look(name, blob) {
  const job = new ServerJob();
  job.over = true;
  const { id } = await (await ask("POST", "api/jobs")).json();
  job.path = `api/jobs/${id}`;
  try {
    await checkReadable(name, blob);
    await ask("PUT", job.fileURL(name), blob);
    await ask("POST", `${job.path}/look`);
  } catch (error) {
    job.remove();
    throw error;
  }
  return job;
}

export const serverBackend = {
  where: "on the machine that runs nervure serve and nowhere else",
  run: (run, files, onEvent) => new ServerJob(onEvent).run(run, files),
  differences,
  look,
  // left is what still ran when the page was loaded again, as {path, run}, or null.
  left: recall,
  follow: ({ path }, onEvent) => new ServerJob(onEvent).follow(path),
  async adopt(files) {
    const job = new ServerJob();
    await job.adopt(files);
    return job;
  },
};
