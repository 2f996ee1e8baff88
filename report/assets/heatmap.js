// The weights as a table of colours.

import { make } from "./dom.js";
import { between, palette } from "./palette.js";
import { clipped, short } from "./words.js";

const heatLetters = 13; // of a name
const leastRow = 10; // pixels of a row with a name
const shades = 32; // of a colour
const heatReach = 5; // pixels around the pointer in which a cell is found

export class HeatMap {
  // If it is directed, a cell is the weight from its row to its column.
  constructor(element, names, order, directed = false) {
    Object.assign(this, { element, names, order, directed, edges: [] });
    this.rank = new Int32Array(order.length);
    order.forEach((vertex, k) => { this.rank[vertex] = k; });
    this.canvas = make("canvas", { role: "img" });
    this.words = make("p", { className: "readout" });
    element.replaceChildren(this.canvas, ...(directed ? [make("p", { className: "fine" }, "Rows are sources, columns are targets.")] : []), this.words);
    this.canvas.addEventListener("pointermove", (event) => this.tell(event));
    this.canvas.addEventListener("pointerleave", () => { this.words.textContent = ""; });
    new ResizeObserver(() => this.paint()).observe(this.canvas);
  }

  // show takes the edges to show, [i, j, weight, …].
  show(edges) {
    this.edges = edges;
    this.found = null;
    this.canvas.setAttribute("aria-label", `Weights between ${this.names.length} vertices, ${edges.length} of them non-zero. The table of edges above lists the same values as text.`);
    this.due ??= requestAnimationFrame(() => {
      this.due = undefined;
      this.paint();
    });
  }

  // at is where each edge stands in the table, made when somebody points there.
  get at() {
    this.found ??= new Map(this.edges.flatMap((e) => this.bothWays(e).map(([i, j]) => [this.key(i, j), e])));
    return this.found;
  }

  // bothWays lists where an edge stands in the table.
  bothWays([i, j]) {
    return this.directed ? [[i, j]] : [[i, j], [j, i]];
  }

  key(i, j) {
    return this.rank[i] * this.names.length + this.rank[j];
  }

  // measure finds the size of a cell, and the room for names, which are written where
  // rows are high enough.
  measure(context) {
    context.font = "10.5px system-ui, sans-serif";
    const n = this.names.length;
    const widest = n * leastRow > this.size ? Infinity : this.names.reduce((most, name) => Math.max(most, context.measureText(clipped(name, heatLetters)).width), 0);
    const roomy = (this.size - widest - 24) / n >= leastRow;
    this.margin = roomy ? widest + 16 : 8;
    this.cell = (this.size - this.margin - 8) / n;
    this.canvas.style.aspectRatio = `${this.size} / ${Math.ceil(n * this.cell + 16)}`;
    return roomy;
  }

  paint(density = devicePixelRatio || 1) {
    this.size = this.canvas.clientWidth;
    if (!this.size) return;
    const colors = palette(this.element), context = this.canvas.getContext("2d"), n = this.names.length;
    const named = this.measure(context), { margin, cell } = this, side = Math.max(cell - (cell > 6 ? 1 : 0), 1.3);
    this.canvas.width = Math.round(this.size * density);
    this.canvas.height = Math.round((n * cell + 16) * density);
    context.setTransform(density, 0, 0, density, 0, 0);
    const most = this.edges.reduce((m, e) => Math.max(m, Math.abs(e[2])), 0) || 1;
    const shade = (k) => 0.12 + (0.88 * k) / shades;
    const ramps = [[colors["ramp-from"], colors["ramp-to"]], [colors.mid, colors.low]].map(([from, to]) => Array.from({ length: shades + 1 }, (_, k) => between(from, to, shade(k))));
    const taken = cell < 1 ? new Uint8Array((this.size + 1) ** 2) : null; // where cells are smaller than a pixel, the shade of the heaviest edge so far
    for (const e of this.edges) {
      const k = Math.round(shades * Math.sqrt(Math.abs(e[2]) / most));
      context.fillStyle = ramps[e[2] < 0 ? 1 : 0][k];
      for (const [a, b] of this.bothWays(e)) {
        const x = margin + this.rank[b] * cell, y = 8 + this.rank[a] * cell, pixel = Math.round(y) * (this.size + 1) + Math.round(x);
        if (taken?.[pixel] > k) continue;
        if (taken) taken[pixel] = k + 1;
        context.fillRect(x, y, side, side);
      }
    }
    context.fillStyle = colors.line; // the diagonal
    if (taken) {
      context.strokeStyle = colors.line;
      context.beginPath();
      context.moveTo(margin, 8);
      context.lineTo(margin + n * cell, 8 + n * cell);
      context.stroke();
    } else for (let k = 0; k < n; k++) context.fillRect(margin + k * cell, 8 + k * cell, side, side);
    if (!named) return;
    context.font = "10.5px system-ui, sans-serif";
    context.textAlign = "right";
    context.textBaseline = "middle";
    context.fillStyle = colors.soft;
    this.order.forEach((vertex, k) => context.fillText(clipped(this.names[vertex], heatLetters), margin - 6, 8 + (k + 0.5) * cell));
  }

  // tell says which pair is under the pointer; where cells are tiny, the nearest edge.
  tell(event) {
    const box = this.canvas.getBoundingClientRect(), n = this.names.length, { cell } = this;
    const column = Math.floor((event.clientX - box.left - this.margin) / cell), row = Math.floor((event.clientY - box.top - 8) / cell);
    if (Math.min(row, column) < 0 || Math.max(row, column) >= n) {
      this.words.textContent = "";
      return;
    }
    const edge = this.nearest(row, column, Math.floor(heatReach / cell / 2));
    const [i, j] = edge ? [edge[0], edge[1]] : [this.order[row], this.order[column]];
    this.words.textContent = i === j ? this.names[i] : `${this.names[i]} ${this.directed ? "→" : "–"} ${this.names[j]}: ${edge ? `weight ${short(edge[2])}${edge[2] < 0 ? ", negative" : ""}` : "not connected"}`;
  }

  nearest(row, column, reach) {
    const n = this.names.length;
    for (let far = 0; far <= reach; far++) {
      for (let r = Math.max(0, row - far); r <= Math.min(n - 1, row + far); r++) {
        for (let c = Math.max(0, column - far); c <= Math.min(n - 1, column + far); c++) {
          if (this.at.has(r * n + c)) return this.at.get(r * n + c);
        }
      }
    }
    return null;
  }
}
