// Drawing the graph on a canvas. Edges of about the same look are stroked together,
// which keeps thousands of them within a frame; what is more than a frame can take is
// drawn later, beneath what is there: the first edges are the surest or heaviest.

import { nameFont, nameLetters, placeNames } from "./graph_labels.js";
import { clipped } from "./words.js";

const levels = 8; // of width and of opacity that are told apart
const tiny = 0.35; // pixels below which an edge is hidden by its ends
const aside = 0.25; // opacity of vertices that are not of the community that is shown

export const aFrame = 6000; // edges that are drawn at once

// signColor is the colour of edges of one sign; where there is but one, colours are for vertices.
function signColor(model, colors, negative) {
  if (negative) return colors.low;
  return model.hasSigns ? colors.accent : colors.edge;
}

// A Look is how large and dark things are drawn in a view of some size.
export class Look {
  constructor(model, camera) {
    const room = Math.sqrt((camera.width * camera.height) / Math.max(model.names.length, 1)); // for a vertex, in pixels
    const least = Math.min(Math.max(room * 0.2, 0.4), 1.3);
    this.unit = Math.min(Math.max(room * 0.075, least), 7) * Math.min(Math.max(camera.zoom, 0.6), room < 6 ? 40 : 8) ** 0.45;
    this.busiest = model.degree.reduce((most, degree) => Math.max(most, degree), 1);
    this.model = model;
    // Where edges are many they step back, or they would hide one another.
    this.ease = Math.min(1, Math.max(0.35, Math.sqrt(150 / Math.max(model.shown.length, 1)) * Math.min(Math.max(camera.zoom, 1), 4) ** 0.5));
    this.radius = (i) => this.unit * (0.75 + 0.6 * Math.sqrt(model.degree[i] / this.busiest));
  }

  // width of an edge, by its weight.
  width(edge) {
    const share = this.model.heaviest > 0 ? Math.sqrt(Math.abs(edge[2]) / this.model.heaviest) : 1;
    return Math.max(Math.min(0.5, this.unit), this.unit * this.ease * (0.1 + 0.62 * share));
  }

  // opacity of an edge, by its confidence.
  opacity(edge) {
    const confidence = edge[3];
    return (0.6 + 0.4 * this.ease) * (confidence === null || confidence === undefined ? 0.55 : 0.12 + 0.78 * confidence);
  }
}

// paintGraph draws everything that does not depend on where the pointer is, and returns
// where names are written, and how far it came: with a most, no more edges are drawn.
export function paintGraph(context, scene, most = Infinity) {
  const { model, camera, look, colors, colorOf } = scene;
  context.save();
  const next = paintEdges(context, scene, 0, most);
  for (let i = 0; i < model.names.length; i++) {
    if (!model.has(i)) context.globalAlpha = aside;
    paintVertex(context, camera, model, i, look.radius(i), colorOf, colors.raised);
    context.globalAlpha = 1;
  }
  const names = paintNames(context, model, camera, look, colors);
  context.restore();
  return { names, next };
}

// paintMore draws further edges beneath what is there, and returns how far it came.
export function paintMore(context, scene, from, most) {
  context.save();
  context.globalCompositeOperation = "destination-over";
  const next = paintEdges(context, scene, from, most);
  context.restore();
  return next;
}

// paintEdges draws at most that many edges, from one of some rank on, and returns the rank of
// the next; those out of sight do not count.
function paintEdges(context, { model, camera, look, colors }, from, most) {
  const bundles = new Map();
  const level = (v, of) => Math.ceil((v / of) * levels);
  const widest = Math.max(Math.min(0.5, look.unit), look.unit * look.ease * 0.72);
  const inSight = sight(model, camera);
  let e = from, drawn = 0;
  for (; e < model.shown.length && drawn < most; e++) {
    const edge = model.shown[e];
    if (!inSight(edge)) continue;
    drawn++;
    const dropped = e >= model.kept;
    const marked = edge[4] === true, negative = edge[2] < 0;
    const key = ((level(look.width(edge), widest) * 64 + level(look.opacity(edge), 1)) << 3) + 4 * dropped + 2 * marked + negative;
    if (!bundles.has(key)) bundles.set(key, { dropped, marked, negative, edges: [], width: look.width(edge), opacity: look.opacity(edge) });
    bundles.get(key).edges.push(e);
  }
  context.lineCap = model.shown.length > aFrame ? "butt" : "round";
  for (const { dropped, marked, negative, edges, width, opacity } of [...bundles.values()].sort((a, b) => b.dropped - a.dropped || a.opacity - b.opacity)) {
    context.beginPath();
    for (const k of edges) traceEdge(context, model, camera, look, k, width);
    context.lineWidth = dropped ? Math.min(width, 1.4) : width;
    context.globalAlpha = dropped ? 0.6 : opacity;
    context.strokeStyle = dropped ? colors.dropped : marked ? colors.high : signColor(model, colors, negative);
    context.setLineDash(dropped ? [4, 4] : []);
    context.stroke();
  }
  context.setLineDash([]);
  context.globalAlpha = 1;
  return e;
}

// sight returns a function that reports whether an edge can be seen: the frame around it
// reaches into the view, and is not tiny.
function sight(model, camera) {
  const { x, y } = model, slack = 20, scale = camera.scale;
  const left = camera.toPlaneX(-slack), right = camera.toPlaneX(camera.width + slack), low = camera.toPlaneY(camera.height + slack), high = camera.toPlaneY(-slack);
  return (edge) => { // not taken apart as a list, which takes long
    const ax = x[edge[0]], ay = y[edge[0]], bx = x[edge[1]], by = y[edge[1]];
    if ((ax < left && bx < left) || (ax > right && bx > right) || (ay < low && by < low) || (ay > high && by > high)) return false;
    return model.shown.length <= aFrame || Math.max(Math.abs(ax - bx), Math.abs(ay - by)) * scale > tiny;
  };
}

const headAngle = 0.42; // between the line of an arrow and each side of its head

// traceEdge adds the line of an edge to the path. An arrow ends at the rim of the vertex it
// leads to, and one of two that lead both ways runs to the right of the middle.
function traceEdge(context, model, camera, look, e, width) {
  const i = model.shown[e][0], j = model.shown[e][1];
  let ax = camera.toScreenX(model.x[i]), ay = camera.toScreenY(model.y[i]), bx = camera.toScreenX(model.x[j]), by = camera.toScreenY(model.y[j]);
  const length = Math.hypot(bx - ax, by - ay);
  if (!model.directed || length === 0) {
    context.moveTo(ax, ay);
    context.lineTo(bx, by);
    return;
  }
  const ux = (bx - ax) / length, uy = (by - ay) / length;
  const shift = model.opposite(e) >= 0 ? width / 2 + 1.5 : 0;
  const back = Math.min(look.radius(j) + width / 2 + 1, length / 2), side = Math.min(3.5 + 1.9 * width, length / 2);
  [ax, ay] = [ax - uy * shift, ay + ux * shift];
  [bx, by] = [bx - uy * shift - ux * back, by + ux * shift - uy * back];
  context.moveTo(ax, ay);
  context.lineTo(bx, by);
  for (const turn of [headAngle, -headAngle]) {
    const cos = Math.cos(turn), sin = Math.sin(turn);
    context.moveTo(bx - side * (ux * cos - uy * sin), by - side * (uy * cos + ux * sin));
    context.lineTo(bx, by);
  }
}

const small = 1; // pixels of radius below which a circle is as good as a square

function paintVertex(context, camera, model, i, radius, colorOf, rim) {
  const px = camera.toScreenX(model.x[i]), py = camera.toScreenY(model.y[i]);
  if (px < -radius || py < -radius || px > camera.width + radius || py > camera.height + radius) return;
  context.fillStyle = colorOf(i);
  if (radius < small) {
    context.fillRect(px - radius, py - radius, 2 * radius, 2 * radius);
    return;
  }
  context.beginPath();
  context.arc(px, py, radius, 0, 2 * Math.PI);
  context.fill();
  if (radius > 2.5) {
    context.lineWidth = Math.min(1.5, radius / 4);
    context.strokeStyle = rim;
    context.stroke();
  }
}

// paintNames writes the names that there is room for.
function paintNames(context, model, camera, look, colors) {
  const names = placeNames(context, model, camera, look);
  context.font = nameFont;
  context.textBaseline = "middle";
  context.lineJoin = "round";
  for (const { text, x, y } of names) paintName(context, text, x, y, colors);
  return names;
}

function paintName(context, text, x, y, colors) {
  context.lineWidth = 3.5;
  context.strokeStyle = colors.raised;
  context.globalAlpha = 0.85;
  context.strokeText(text, x, y);
  context.globalAlpha = 1;
  context.fillStyle = colors.ink;
  context.fillText(text, x, y);
}

// paintFocus draws what is pointed at or selected over the rest: a vertex with its
// edges and neighbours, or an edge with its ends.
export function paintFocus(context, { model, camera, look, colors, colorOf, names }, { vertex, edge, selected, part = new Set(), lasso = [] }) {
  context.save();
  const show = (edges, vertices, centre) => {
    context.strokeStyle = colors.accent;
    context.lineCap = "round";
    for (const e of edges) {
      context.beginPath();
      context.lineWidth = Math.max(look.width(model.shown[e]), 1.5) + (e < model.kept ? 1 : 0);
      traceEdge(context, model, camera, look, e, context.lineWidth);
      context.setLineDash(e < model.kept ? [] : [4, 4]);
      context.stroke();
    }
    context.setLineDash([]);
    for (const i of vertices) {
      const radius = look.radius(i) + (i === centre ? 2 : 0.5);
      paintVertex(context, camera, model, i, radius, colorOf, colors.raised);
      context.beginPath();
      context.arc(camera.toScreenX(model.x[i]), camera.toScreenY(model.y[i]), radius + 1.5, 0, 2 * Math.PI);
      context.lineWidth = i === centre ? 2.5 : 1.2;
      context.strokeStyle = colors.accent;
      context.stroke();
    }
  };
  const around = (i) => show(model.near(i).map((n) => n.edge), [...model.near(i).map((n) => n.vertex), i], i);
  if (part.size) paintPart(context, model, camera, look, colors, part);
  if (selected >= 0) around(selected);
  if (vertex >= 0 && vertex !== selected) around(vertex);
  if (edge >= 0) show([edge], model.shown[edge].slice(0, 2), -1);
  if (lasso.length) paintLasso(context, lasso, colors);
  const named = new Set([selected, vertex].filter((i) => i >= 0));
  context.font = "600 13px system-ui, sans-serif";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  for (const i of named) {
    const text = clipped(model.names[i], nameLetters), wide = context.measureText(text).width;
    const px = camera.toScreenX(model.x[i]), py = camera.toScreenY(model.y[i]), off = look.radius(i) + 7;
    const plain = names.find((name) => name.vertex === i); // which is written over
    const y = plain?.y ?? py, x = plain ? Math.max(2, plain.x - (plain.x < px ? wide - plain.wide : 0)) : px + off + wide < camera.width ? px + off : px - off - wide;
    context.fillStyle = colors.raised; // so that letters of other names do not show through
    context.fillRect(x - 3, y - 9, wide + 6, 18);
    paintName(context, text, x, y, colors);
  }
  context.restore();
}

// paintPart draws the part that was selected: its edges, and rings around its vertices.
function paintPart(context, model, camera, look, colors, part) {
  context.strokeStyle = colors.accent;
  context.lineWidth = Math.max(1.5, Math.min(look.unit, 3));
  context.beginPath();
  for (const e of model.inside(part)) traceEdge(context, model, camera, look, e, context.lineWidth);
  context.stroke();
  context.beginPath();
  for (const i of part) {
    const px = camera.toScreenX(model.x[i]), py = camera.toScreenY(model.y[i]), radius = look.radius(i) + 2;
    context.moveTo(px + radius, py);
    context.arc(px, py, radius, 0, 2 * Math.PI);
  }
  context.stroke();
}

function paintLasso(context, lasso, colors) {
  context.beginPath();
  for (const { x, y } of lasso) context.lineTo(x, y);
  context.closePath();
  context.strokeStyle = context.fillStyle = colors.accent;
  context.lineWidth = 1.5;
  context.setLineDash([5, 4]);
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 0.12;
  context.fill();
  context.globalAlpha = 1;
}
