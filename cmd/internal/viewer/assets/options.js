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
const threeWays = [["auto", "automatic"], ["yes", "yes"], ["no", "no"]];

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
      field("Edges", number("edges", "automatic"), "Number of heaviest edges to keep. If empty, the number is chosen from the signals."),
      field("Confidence", choose("confidence", [["auto", "automatic"], ["yes", "yes"], ["no", "no"]]), "Learns again from halves of the signals to estimate how likely each edge is to be true. Takes about ten times as long."),
      this.advanced());
    this.describe();
  }

  advanced() {
    return make("details", {}, make("summary", { textContent: "More options" }),
      make("h3", { textContent: "Preprocessing" }),
      tick("log", "take logarithms (flows, prices, counts)"),
      field("Remove means", choose("center", threeWays), "Remove the mean of each vertex if it differs significantly from zero."),
      field("Scale to unit variance", choose("scale", threeWays), "Divide each vertex by its standard deviation if the signals are measurements."),
      field("Common mode", choose("common-mode", [["auto", "automatic"], ["remove", "remove"], ["keep", "keep"]]), "Variation common to all vertices, such as the weather or the market."),
      make("h3", { textContent: "Time series and sensors" }),
      field("Broken sensors", choose("bad-sensors", [["mask", "set aside the values at fault"], ["drop", "leave the whole sensor out"], ["report", "only list them"]]), "How to treat readings that look like sensor faults: stuck, repeated codes, spikes, jumps."),
      field("Cycles", number("season", "automatic"), "Remove cycles of that many observations: 24, or 24,168 for two; no for none. If empty, those that are clear."),
      field("Trend", choose("detrend", threeWays), "Remove a smooth trend of each vertex if it is clear."),
      field("Differences", choose("difference", threeWays), "Learn from the changes between observations. Automatic: try both where observations depend on one another, and keep what predicts better."),
      make("h3", { textContent: "Model" }),
      field("Kernels", make("input", { type: "text", name: "kernel", placeholder: "automatic", spellcheck: false }), "How patterns spread: heat:2, highpass:1 or wavelet:1, separated by spaces, or free to learn polynomials; matern:2 learns a field, such as voltages or pressures."),
      field("Atoms per signal", number("sparsity", "automatic"), "Maximum number of patterns that make up a signal."),
      field("Weight threshold", number("threshold", "at the gap"), "Cut edges below this weight, instead of giving a number of edges."),
      field("Maximum rounds", number("rounds", "automatic"), "Rounds of coding and graph update."),
      make("h3", { textContent: "Other" }),
      field("Seed", number("seed", "1"), "Random seed: the same seed gives the same graph."),
      field("Variable", make("input", { type: "text", name: "variable", placeholder: "the only one", spellcheck: false }), `Array or sheet to read from a ${this.variables} file that holds several.`));
  }

  // describe shows what the chosen method is and what it can be tuned by.
  describe() {
    const { about, params } = this.methods.find(({ name }) => name === this.method.value);
    this.about.textContent = `${about[0].toUpperCase()}${about.slice(1)}.`;
    this.params.replaceChildren(...params.map(({ name, meaning }) => field(name, number(`param ${name}`, "default"), meaning)));
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
      log: read("log").checked, difference: text("difference"), detrend: text("detrend"), season: text("season").replaceAll(" ", ""), "bad-sensors": text("bad-sensors"),
      center: text("center"), scale: text("scale"), "common-mode": text("common-mode"),
      kernel: text("kernel").split(/\s+/).filter(Boolean),
      sparsity: text("sparsity"), edges: text("edges"), threshold: text("threshold"), rounds: text("rounds"),
      confidence: text("confidence"), seed: text("seed"), variable: text("variable"),
    };
  }
}
