// SvgContext takes what is painted on a canvas down as SVG. It knows the part of the
// canvas that the graph is painted with.

const kept = ["fillStyle", "strokeStyle", "lineWidth", "lineCap", "lineJoin", "globalAlpha", "font", "textBaseline"];
const digits = (v) => String(Math.round(v * 100) / 100);
const escaped = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

export class SvgContext {
  constructor() {
    Object.assign(this, { fillStyle: "#000", strokeStyle: "#000", lineWidth: 1, lineCap: "butt", lineJoin: "miter", globalAlpha: 1, font: "10px sans-serif", textBaseline: "alphabetic" });
    this.dash = [];
    this.stack = [];
    this.parts = [];
    this.path = "";
    this.ruler = document.createElement("canvas").getContext("2d");
  }

  // document is all that was painted, on white.
  document(width, height, title) {
    return `<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="${digits(width)}" height="${digits(height)}" viewBox="0 0 ${digits(width)} ${digits(height)}">\n`
      + `<title>${escaped(title)}</title>\n<rect width="100%" height="100%" fill="#ffffff"/>\n${this.parts.join("\n")}\n</svg>\n`;
  }

  save() { this.stack.push([kept.map((name) => this[name]), this.dash]); }

  restore() {
    const [values, dash] = this.stack.pop();
    kept.forEach((name, k) => { this[name] = values[k]; });
    this.dash = dash;
  }

  setLineDash(dash) { this.dash = dash; }
  beginPath() { this.path = ""; }
  moveTo(x, y) { this.path += `M${digits(x)} ${digits(y)}`; }
  lineTo(x, y) { this.path += `L${digits(x)} ${digits(y)}`; }

  // arc is a whole circle: no other is painted.
  arc(x, y, r) {
    const [left, right, radius] = [x - r, x + r, r].map(digits);
    this.path += `M${left} ${digits(y)}A${radius} ${radius} 0 1 1 ${right} ${digits(y)}A${radius} ${radius} 0 1 1 ${left} ${digits(y)}Z`;
  }

  stroke() { this.add("path", { d: this.path, fill: "none", ...this.pen() }); }
  fill() { this.add("path", { d: this.path, ...this.brush() }); }
  fillRect(x, y, width, height) { this.add("rect", { x: digits(x), y: digits(y), width: digits(width), height: digits(height), ...this.brush() }); }
  strokeText(text, x, y) { this.write(text, x, y, { fill: "none", ...this.pen() }); }
  fillText(text, x, y) { this.write(text, x, y, this.brush()); }

  measureText(text) {
    this.ruler.font = this.font;
    return this.ruler.measureText(text);
  }

  pen() {
    const pen = { stroke: this.strokeStyle, "stroke-width": digits(this.lineWidth), "stroke-linecap": this.lineCap, "stroke-linejoin": this.lineJoin };
    if (this.dash.length) pen["stroke-dasharray"] = this.dash.join(" ");
    if (this.globalAlpha < 1) pen["stroke-opacity"] = digits(this.globalAlpha);
    return pen;
  }

  brush() {
    return this.globalAlpha < 1 ? { fill: this.fillStyle, "fill-opacity": digits(this.globalAlpha) } : { fill: this.fillStyle };
  }

  // write sets text by its baseline, which all programs know.
  write(text, x, y, look) {
    const [, weight, size, family] = this.font.match(/^(?:(\d+) )?([\d.]+)px (.*)$/);
    const at = this.textBaseline === "middle" ? y + 0.35 * Number(size) : y;
    this.add("text", { x: digits(x), y: digits(at), "font-family": family, "font-size": size, ...(weight ? { "font-weight": weight } : {}), ...look }, escaped(text));
  }

  add(tag, attributes, content = "") {
    const list = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(String(value))}"`).join("");
    this.parts.push(content ? `<${tag}${list} xml:space="preserve">${content}</${tag}>` : `<${tag}${list}/>`);
  }
}
