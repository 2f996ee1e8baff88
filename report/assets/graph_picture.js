// A picture of the graph to keep: as on screen, with what its colours mean below, in
// light colours on white.

import { legendOf } from "./graph_legend.js";
import { paintFocus, paintGraph } from "./graph_paint.js";
import { SvgContext } from "./graph_svg.js";
import { between, lightPalette } from "./palette.js";
import { count } from "./words.js";

const density = 2; // pixels of a PNG for one on screen, or those that the screen has
const legendFont = "12.5px system-ui, sans-serif";
const legendLine = 22, legendMargin = 16, markGap = 7, itemGap = 20; // pixels
const markWidth = { dot: 10, line: 26, ramp: 64, fade: 48, dashes: 26 };

// picture resolves to a blob, "svg" or "png".
export async function picture(view, kind) {
  const colors = lightPalette(view.stage), paintBy = view.coloured(colors), { width } = view.camera;
  const scene = view.scene(colors, paintBy), legend = legendOf(view, paintBy, colors);
  const rule = new SvgContext(); // measures
  const rows = legendRows(rule, legend, width), height = view.camera.height + rows.length * legendLine + legendMargin;
  const paint = (context) => {
    const { names } = paintGraph(context, scene);
    paintFocus(context, { ...scene, names }, { vertex: -1, edge: -1, selected: view.selected, part: view.part });
    paintLegend(context, rows, view.camera.height, colors);
  };
  if (kind === "svg") {
    const context = new SvgContext(), { names, cut, noun } = view.model;
    paint(context);
    return new Blob([context.document(width, height, `Graph of ${count(names.length, "vertex")} and ${count(cut, noun)}`)], { type: "image/svg+xml" });
  }
  const canvas = document.createElement("canvas"), scale = Math.max(density, devicePixelRatio || 1);
  Object.assign(canvas, { width: Math.round(width * scale), height: Math.round(height * scale) });
  const context = canvas.getContext("2d");
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, height);
  paint(context);
  return new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
}

// legendRows breaks a legend into lines, each item with its place.
function legendRows(context, legend, width) {
  context.font = legendFont;
  const rows = [[]];
  let x = legendMargin;
  for (const item of legend) {
    const { before = "", mark, after = "" } = item;
    const first = before ? context.measureText(before).width + markGap : 0, sign = mark ? markWidth[mark.shape] + markGap : 0;
    const whole = first + sign + context.measureText(after).width;
    if (rows.at(-1).length && x + whole > width - legendMargin) {
      rows.push([]);
      x = legendMargin;
    }
    rows.at(-1).push({ ...item, x, markAt: x + first, afterAt: x + first + sign });
    x += whole + itemGap;
  }
  return rows;
}

function paintLegend(context, rows, top, colors) {
  context.save();
  context.font = legendFont;
  context.textBaseline = "middle";
  rows.forEach((row, k) => {
    const y = top + (k + 0.5) * legendLine;
    for (const { before, mark, after, x, markAt, afterAt } of row) {
      context.fillStyle = colors.soft;
      if (before) context.fillText(before, x, y);
      context.fillText(after, afterAt, y);
      if (mark) paintMark(context, mark, markAt, y, colors);
    }
  });
  context.restore();
}

function paintMark(context, mark, x, y, colors) {
  const wide = markWidth[mark.shape], steps = 16; // of a ramp
  if (mark.shape === "dot") {
    context.beginPath();
    context.arc(x + wide / 2, y, wide / 2, 0, 2 * Math.PI);
    context.fillStyle = mark.color;
    context.fill();
    return;
  }
  if (mark.shape === "dashes" || mark.shape === "line") {
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + wide, y);
    context.lineWidth = mark.color ? 3 : 1.4;
    context.strokeStyle = mark.color ?? colors.dropped;
    context.setLineDash(mark.color ? [] : [4, 4]);
    context.stroke();
    context.setLineDash([]);
    return;
  }
  const [from, to, tall] = mark.shape === "ramp" ? [mark.from, mark.to, 8] : ["rgb(255,255,255)", colors.edge, 4];
  for (let k = 0; k < steps; k++) {
    context.fillStyle = between(from, to, k / (steps - 1));
    context.fillRect(x + (wide * k) / steps, y - tall / 2, wide / steps + 0.3, tall);
  }
}
