// Options: what may be chosen, each with a default that needs no thought and a
// sentence that says what it is.

import { make } from "./report/dom.js";

function field(label, control, about) {
  return make("label", { className: "field" }, make("span", { textContent: label }), control, make("small", { textContent: about }));
}

function choose(name, choices) {
  return make("select", { name }, ...choices.map(([value, text]) => make("option", { value, textContent: text })));
}

const number = (name, placeholder, more = {}) => make("input", { type: "text", inputMode: "numeric", name, placeholder, spellcheck: false, ...more });
const tick = (name, text) => make("label", { className: "tick" }, make("input", { type: "checkbox", name }), ` ${text}`);
const threeWays = [["auto", "as the signals tell"], ["yes", "yes"], ["no", "no"]];

export class Options {
  constructor(place, config) {
    this.place = place;
    this.methods = config.methods;
    this.variables = config.variables.map((name) => `.${name}`).join(" or ");
    this.method = choose("method", config.methods.map(({ name }) => [name, name]));
    this.about = make("small", {});
    this.params = make("div", { className: "params" });
    this.method.addEventListener("change", () => this.describe());
    place.append(
      make("label", { className: "field" }, make("span", { textContent: "Method" }), this.method, this.about),
      this.params,
      field("Edges", number("edges", "as many as there are"), "How many of the heaviest edges to keep. Left empty, the number is found from the signals."),
      field("Confidence", choose("confidence", [["auto", "where it is quick"], ["yes", "yes"], ["no", "no"]]), "Learns again from halves of the signals and says how likely each edge is a true one. Takes some ten times as long."),
      this.advanced());
    this.describe();
  }

  advanced() {
    return make("details", {}, make("summary", { textContent: "More options" }),
      make("h3", { textContent: "Preparation" }),
      tick("log", "take logarithms (flows, prices, counts)"),
      tick("difference", "take changes from each observation to the next"),
      field("Remove means", choose("center", threeWays), "The mean of each vertex is taken away where it is not chance."),
      field("Scale to one", choose("scale", threeWays), "Each vertex is divided by its standard deviation if it is a measurement in units of its own."),
      field("Common mode", choose("common-mode", [["auto", "as the signals tell"], ["remove", "remove"], ["keep", "keep"]]), "What moves all vertices together, such as the weather or the market."),
      make("h3", { textContent: "Model" }),
      field("Kernels", make("input", { type: "text", name: "kernel", placeholder: "chosen", spellcheck: false }), "How patterns spread: heat:2, highpass:1, wavelet:1 … with blanks between, or free to learn them."),
      field("Atoms a signal", number("sparsity", "chosen"), "How many patterns make up a signal at most."),
      field("Lightest weight kept", number("threshold", "at the gap"), "Instead of a number of edges: cut below this weight."),
      field("Most rounds", number("rounds", "as many as it takes"), "Of coding and graph update."),
      make("h3", { textContent: "Other" }),
      field("Seed", number("seed", "1"), "Every random draw comes from it: the same seed gives the same graph."),
      field("Variable", make("input", { type: "text", name: "variable", placeholder: "the only one", spellcheck: false }), `Which array of a ${this.variables} file, if it has several.`));
  }

  // describe shows what the chosen method is and what it can be tuned by.
  describe() {
    const { about, params } = this.methods.find(({ name }) => name === this.method.value);
    this.about.textContent = `${about[0].toUpperCase()}${about.slice(1)}.`;
    this.params.replaceChildren(...params.map(({ name, meaning }) => field(name, number(`param ${name}`, "chosen"), meaning)));
  }

  choose(method) {
    this.method.value = method;
    this.describe();
  }

  values() {
    const read = (name) => this.place.querySelector(`[name="${name}"]`);
    const text = (name) => read(name).value.trim();
    return {
      method: this.method.value,
      params: [...this.params.querySelectorAll("input")].filter(({ value }) => value.trim()).map(({ name, value }) => `${name.replace("param ", "")}=${value.trim()}`),
      log: read("log").checked, difference: read("difference").checked,
      center: text("center"), scale: text("scale"), "common-mode": text("common-mode"),
      kernel: text("kernel").split(/\s+/).filter(Boolean),
      sparsity: text("sparsity"), edges: text("edges"), threshold: text("threshold"), rounds: text("rounds"),
      confidence: text("confidence"), seed: text("seed"), variable: text("variable"),
    };
  }
}
