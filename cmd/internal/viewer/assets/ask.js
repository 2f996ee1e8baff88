// Ask is the form: the signals, what to do with them, and the command line that
// comes of it.

import { make } from "./report/dom.js";
import { learnRun, compareRun } from "./asked.js";
import { Options } from "./options.js";
import { preview } from "./preview.js";
import { Source } from "./source.js";

const element = (id) => document.getElementById(id);

export class Ask {
  constructor(config, { onLearn, onCompare, onGraph, onFault, onChange }) {
    this.config = config;
    this.onGraph = onGraph;
    this.onFault = onFault;
    this.onChange = onChange;
    this.source = null; // a Source
    this.vertices = null; // a File about vertices
    this.isBusy = false;
    this.options = new Options(element("options"), config);
    element("ask").addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.source && !this.isBusy) onLearn();
    });
    element("compare").addEventListener("click", () => { if (!this.isBusy) onCompare(); });
    element("formats").textContent = config.signals.map((name) => `.${name}`).join(", ");
    element("graph-formats").textContent = config.opens.map((name) => `.${name}`).join(", ");
    element("graph-file").addEventListener("change", () => {
      const [file] = element("graph-file").files;
      element("graph-file").value = "";
      if (file && this.fits(file)) onGraph(file);
    });
    element("samples").append(...config.samples.map((sample) => make("button", {
      type: "button", textContent: sample.name.replace("sample:", ""), title: sample.about,
      onclick: () => this.take(Source.ofSample(sample)),
    })));
    this.acceptFiles();
  }

  acceptFiles() {
    const input = element("file");
    input.addEventListener("change", () => {
      if (input.files[0]) this.takeFile(input.files[0]);
      input.value = "";
    });
    for (const name of ["dragover", "drop", "dragleave"]) {
      addEventListener(name, (event) => {
        event.preventDefault();
        element("drop").classList.toggle("over", name === "dragover");
        if (name === "drop" && event.dataTransfer.files[0]) this.takeFile(event.dataTransfer.files[0]);
      });
    }
  }

  async takeFile(file) {
    if (!this.fits(file)) return;
    if (await this.isGraph(file)) this.onGraph(file);
    else this.take(Source.ofFile(file));
  }

  // fits reports whether a file can be taken, and says so if not.
  fits(file) {
    const { max_upload: most } = this.config;
    if (!most || file.size <= most) return true;
    this.onFault(`${file.name} is larger than the upload limit of ${Math.round(most / 1e6)} MB: use the command line, or start nervure serve with a larger --max-upload`);
    return false;
  }

  // isGraph reports whether a file is a graph, not signals: by its extension, or by the columns of an edge list.
  async isGraph(file) {
    const { format } = Source.ofFile(file);
    if (!this.config.opens.includes(format)) return false;
    if (!this.config.signals.includes(format)) return true;
    if (!["csv", "tsv"].includes(format)) return false;
    const [first] = (await file.slice(0, 200).text()).split("\n", 1);
    return /^\uFEFF?"?source"?[,;\t]"?target"?([,;\t]|\s*$)/i.test(first);
  }

  async take(source) {
    this.source = source;
    this.vertices = null;
    this.onChange();
    element("settings").hidden = false;
    element("ask").classList.add("chosen");
    this.busy(this.isBusy);
    const place = element("chosen");
    place.hidden = false;
    place.replaceChildren(make("p", { className: "name" }, make("b", { textContent: source.label })));
    const shown = await preview(source);
    if (this.source !== source) return;
    place.append(shown.element, this.questions(shown));
  }

  // questions asks what a file does not tell by itself.
  questions(shown) {
    const box = make("div", { className: "questions" });
    if (this.source.sample) return box;
    const radio = (value, text, checked) => make("label", {},
      make("input", { type: "radio", name: "rows", value, checked, onchange: () => { this.source.transposed = value === "vertices"; } }), ` ${text}`);
    this.source.transposed = false;
    box.append(make("fieldset", {}, make("legend", { textContent: "What does a row hold?" }),
      radio("observations", "an observation; columns are vertices", true),
      radio("vertices", "a vertex; columns are observations", false)));
    if (shown.hint) box.append(make("p", { className: "hint", textContent: shown.hint }));
    const about = make("input", { type: "file", id: "vertices", accept: [...this.config.vertices, "gz"].map((name) => `.${name}`).join(","), onchange: () => { this.vertices = about.files[0] ?? null; } });
    box.append(make("label", { className: "field" }, make("span", { textContent: "Vertex attributes (optional)" }), about,
      make("small", { textContent: "A table with one row per vertex: its name and, for example, its coordinates (lat and lon, or x and y) or group." })));
    return box;
  }

  choose(method) {
    this.options.choose(method);
    element("options-title").scrollIntoView({ block: "start" });
  }

  // busy says that a run is at work. The buttons stay where the focus may be: a browser takes it from one that is disabled.
  busy(yes) {
    this.isBusy = yes;
    for (const name of ["learn", "compare"]) {
      element(name).disabled = !this.source;
      element(name).setAttribute("aria-disabled", String(yes));
    }
  }

  learnRun() { return learnRun(this.source, this.verticesName(), this.options.values()); }
  compareRun() { return compareRun(this.source, this.options.values()); }

  verticesName() {
    if (this.source.sample) return this.source.sample.name;
    if (!this.vertices) return null;
    const { name } = Source.ofFile(this.vertices);
    return name === this.source.name ? `vertices-${name}` : name; // each has a name of its own
  }

  // files are those that a run names.
  files(run) {
    const files = new Map();
    if (this.source.file) files.set(this.source.name, this.source.file);
    if (this.vertices && !run.compare) files.set(this.verticesName(), this.vertices);
    return files;
  }
}
