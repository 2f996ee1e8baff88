// Curve draws what is left unexplained, round by round, on a logarithmic scale.

import { draw, make } from "./report/dom.js";
import { short } from "./report/words.js";

const width = 600, height = 90, margin = 6;
const most = 1500; // points drawn: beyond, every other one is dropped

const percent = (share) => `${short(Number((100 * share).toPrecision(3)))}%`;

export class Curve {
  constructor(place) {
    this.place = place;
    this.line = draw("path", { class: "curve-line", fill: "none" });
    this.label = make("span", {});
    const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": "Unexplained share of the signals, by step" }, this.line);
    place.append(make("p", { className: "soft" }, "Unexplained: ", this.label), svg);
    this.clear();
  }

  clear() {
    this.points = [];
    this.first = undefined;
    this.old = false;
    this.every = 1;
    this.seen = 0;
    this.place.hidden = true;
  }

  // renew begins a new curve when there is something to draw.
  renew() { this.old = true; }

  add(residual) {
    if (!Number.isFinite(residual) || residual <= 0) return;
    if (this.old) this.clear();
    if (this.seen++ % this.every === 0) this.points.push(Math.log10(residual));
    if (this.points.length > most) {
      this.points = this.points.filter((_, k) => k % 2 === 0);
      this.every *= 2;
    }
    this.first ??= residual;
    this.label.textContent = `${percent(this.first)} at first, ${percent(residual)} now`;
    this.place.hidden = false;
    this.pending ??= requestAnimationFrame(() => {
      this.pending = undefined;
      this.paint();
    });
  }

  paint() {
    const low = Math.min(...this.points), high = Math.max(...this.points, low + 0.1);
    const x = (k) => margin + (k / Math.max(1, this.points.length - 1)) * (width - 2 * margin);
    const y = (v) => margin + ((high - v) / (high - low)) * (height - 2 * margin);
    this.line.setAttribute("d", this.points.map((v, k) => `${k ? "L" : "M"}${x(k).toFixed(1)},${y(v).toFixed(1)}`).join(""));
  }
}
