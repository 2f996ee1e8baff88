// Drawing the graph on a canvas. Edges of about the same look are stroked together,
// which keeps thousands of them within a frame.

import { nameFont, nameLetters, placeNames } from "./graph_labels.js";
import { clipped } from "./words.js";

const levels = 8; // of width and of opacity that are told apart

// A Look is how large and dark things are drawn in a view of some size.
export class Look {
  constructor(model, camera) {
    const room = Math.sqrt((camera.width * camera.height) / Math.max(model.names.length, 1));
    this.unit = Math.min(Math.max(room * 0.075, 1.3), 7) * Math.min(Math.max(camera.zoom, 0.6), 8) ** 0.45;
    this.busiest = model.neighbours.reduce((most, list) => Math.max(most, list.length), 1);
    this.model = model;
    // Where edges are many they step back, or they would hide one another.
    this.ease = Math.min(1, Math.max(0.35, Math.sqrt(150 / Math.max(model.shown.length, 1)) * Math.min(Math.max(camera.zoom, 1), 4) ** 0.5));
    this.radius = (i) => this.unit * (0.75 + 0.6 * Math.sqrt(model.neighbours[i].length / this.busiest));
  }

  // width of an edge, by its weight.
  width([, , weight]) {
    const share = this.model.heaviest > 0 ? Math.sqrt(Math.abs(weight) / this.model.heaviest) : 1;
    return Math.max(0.5, this.unit * this.ease * (0.1 + 0.62 * share));
  }

  // opacity of an edge, by its confidence.
  opacity([, , , confidence]) {
    return (0.6 + 0.4 * this.ease) * (confidence === null || confidence === undefined ? 0.55 : 0.12 + 0.78 * confidence);
  }
}

// paintGraph draws everything that does not depend on where the pointer is, and returns
// where names are written.
export function paintGraph(context, { model, camera, look, colors, colorOf, background }) {
  context.save();
  if (background) {
    context.fillStyle = background;
    context.fillRect(0, 0, camera.width, camera.height);
  }
  paintEdges(context, model, camera, look, colors);
  model.names.forEach((_, i) => paintVertex(context, camera, model, i, look.radius(i), colorOf(i), colors.raised));
  const names = paintNames(context, model, camera, look, colors);
  context.restore();
  return names;
}

function paintEdges(context, model, camera, look, colors) {
  const bundles = new Map();
  const level = (v, most) => Math.ceil((v / most) * levels);
  const widest = Math.max(0.5, look.unit * look.ease * 0.72);
  model.shown.forEach((edge, e) => {
    const dropped = e >= model.kept;
    const marked = edge[4] === true, negative = edge[2] < 0;
    const key = `${dropped}/${marked}/${negative}/${level(look.width(edge), widest)}/${level(look.opacity(edge), 1)}`;
    if (!bundles.has(key)) bundles.set(key, { dropped, marked, negative, edges: [], width: look.width(edge), opacity: look.opacity(edge) });
    bundles.get(key).edges.push(e);
  });
  context.lineCap = "round";
  for (const { dropped, marked, negative, edges, width, opacity } of [...bundles.values()].sort((a, b) => b.dropped - a.dropped || a.opacity - b.opacity)) {
    context.beginPath();
    for (const e of edges) traceEdge(context, model, camera, look, e, width);
    context.lineWidth = dropped ? Math.min(width, 1.4) : width;
    context.globalAlpha = dropped ? 0.6 : opacity;
    context.strokeStyle = dropped ? colors.dropped : marked ? colors.high : negative ? colors.low : colors.edge;
    context.setLineDash(dropped ? [4, 4] : []);
    context.stroke();
  }
  context.setLineDash([]);
  context.globalAlpha = 1;
}

const headAngle = 0.42; // between the line of an arrow and each side of its head

// traceEdge adds the line of an edge to the path. An arrow ends at the rim of the vertex it
// leads to, and one of two that lead both ways runs to the right of the middle.
function traceEdge(context, model, camera, look, e, width) {
  const [i, j] = model.shown[e];
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

function paintVertex(context, camera, model, i, radius, fill, rim) {
  const px = camera.toScreenX(model.x[i]), py = camera.toScreenY(model.y[i]);
  if (px < -radius || py < -radius || px > camera.width + radius || py > camera.height + radius) return;
  context.beginPath();
  context.arc(px, py, radius, 0, 2 * Math.PI);
  context.fillStyle = fill;
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
export function paintFocus(context, { model, camera, look, colors, colorOf, names }, { vertex, edge, selected }) {
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
      paintVertex(context, camera, model, i, radius, colorOf(i), colors.raised);
      context.beginPath();
      context.arc(camera.toScreenX(model.x[i]), camera.toScreenY(model.y[i]), radius + 1.5, 0, 2 * Math.PI);
      context.lineWidth = i === centre ? 2.5 : 1.2;
      context.strokeStyle = colors.accent;
      context.stroke();
    }
  };
  const around = (i) => show(model.neighbours[i].map((n) => n.edge), [...model.neighbours[i].map((n) => n.vertex), i], i);
  if (selected >= 0) around(selected);
  if (vertex >= 0 && vertex !== selected) around(vertex);
  if (edge >= 0) show([edge], model.shown[edge].slice(0, 2), -1);
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
