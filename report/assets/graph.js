// GraphView: an interactive graph in an element of a page.
//
//   const view = new GraphView(element, {
//     vertices: [{name, x, y}],            // y points up
//     edges: [[i, j, weight, confidence]], // confidence may be null; a fifth entry, true, marks an edge, and
//                                          // a sixth is the evidence for it: [partial, low, high, q]
//     directed: true,                      // edges are arrows from i to j
//     kept: 12,                            // the first 12 edges are the graph, others what its cut dropped; default all
//     columns: [{name, text: […]} or {name, numbers: […]}],
//     geographic: true,                    // the first layout is that of a map
//     layouts: [{name: "force", x, y}],    // to choose from; the first is where the vertices are
//     marked: "only here",                 // what edges are that are marked
//     community: [0, 0, 1],                // of each vertex, to colour by
//   }, { tools: true, table: true });      // what stands around the graph
//
// It shows the heaviest edges down to a cut, or those that are sure enough, tells about what is pointed at, and
// dispatches "cut" ({edges, threshold}), "select" ({index, name}) and "state" events; the last whenever something
// has changed that a link to the view has: see graph_state.js.

import { download, make } from "./dom.js";
import { Camera, mixed } from "./graph_camera.js";
import { Frames } from "./graph_frames.js";
import { attachHand } from "./graph_hand.js";
import { GraphModel } from "./graph_model.js";
import { edgeTable, fillLegend, fillNote, saving, tools } from "./graph_panel.js";
import { aFrame, Look, paintFocus, paintGraph, paintMore } from "./graph_paint.js";
import { partPanel, within } from "./graph_part.js";
import { edgeTip, sentence, vertexTip } from "./graph_tip.js";
import { picture } from "./graph_picture.js";
import { applyState, stateOf, Undo } from "./graph_state.js";
import { byGroup, byNumber, palette } from "./palette.js";
import { count } from "./words.js";

const nothing = { vertex: -1, edge: -1 };
const mostGliding = 20_000; // vertices; more jump
const still = 120; // milliseconds after which a view is drawn in full

export class GraphView extends EventTarget {
  constructor(element, data, { tools: withTools = true, table = true } = {}) {
    super();
    this.model = new GraphModel(data);
    this.camera = new Camera();
    this.geographic = data.geographic ?? false;
    this.marked = data.marked ?? "";
    this.layouts = data.layouts ?? [];
    this.layout = this.layouts[0] ?? null;
    this.column = null; // that colours the vertices; null for their components
    this.communities = data.community ? { name: "community", labels: data.community } : null;
    this.hovered = nothing;
    this.selected = -1;
    this.home = { x: this.model.x.slice(), y: this.model.y.slice() }; // where vertices are without a layout
    this.moved = new Map(); // places of vertices that were moved by hand
    this.part = new Set(); // vertices that were selected together
    this.lassoing = false;
    this.lasso = []; // being drawn, in pixels
    this.past = new Undo();
    this.names = []; // that are written, and where
    this.frames = new Frames((layer) => this.paint(layer));
    this.under = make("canvas", { className: "graph-under", "aria-hidden": "true" });
    this.over = make("canvas", { className: "graph-over", tabIndex: 0, role: "application" });
    this.tip = make("div", { className: "graph-tip", hidden: true });
    this.spoken = make("div", { className: "unseen", role: "status" });
    this.legend = make("div", { className: "graph-legend" });
    this.note = make("p", { className: "graph-note", hidden: true });
    this.panel = withTools ? tools(this) : null;
    this.stage = make("div", { className: "graph-stage" }, this.under, this.over, this.tip, this.spoken);
    this.table = table ? edgeTable(this) : null;
    this.partList = table ? partPanel(this) : null;
    element.classList.add("graph");
    const foot = make("div", { className: "graph-foot" }, this.legend, this.panel?.zoom, withTools ? saving(this) : null);
    element.replaceChildren(...[this.panel?.element, this.note, this.stage, foot, this.partList?.element, this.table?.element].filter(Boolean));
    this.restyle();
    this.changed();
    attachHand(this, this.over);
    new ResizeObserver(() => this.resize()).observe(this.stage);
    this.resize();
  }

  // setEdges replaces the edges; the first kept of them are the graph.
  setEdges(edges, kept) {
    this.model.setEdges(edges, kept);
    this.recolor();
    this.changed();
  }

  // remember keeps how the view is, so that one can go back to it; of a gesture only the first.
  remember(gesture) {
    this.past.remember(stateOf(this), gesture);
    this.panel?.update();
  }

  // undo goes back to how the view was before the last filter, selection or move.
  undo() {
    const state = this.past.back();
    if (state) this.show(state);
  }

  // state is what a link to the view has, and show brings the view there.
  get state() { return stateOf(this); }
  show(state) { applyState(this, state); }

  // replace redraws what applyState has changed.
  replace() {
    const { x, y } = this.layout ?? this.home, [toX, toY] = [Float64Array.from(x), Float64Array.from(y)];
    for (const [i, [atX, atY]] of this.moved) [toX[i], toY[i]] = [atX, atY];
    this.setPlaces(toX, toY);
    this.cutChanged();
    this.select(this.selected);
    this.partList?.update();
  }

  // setCut shows the k heaviest edges, those of the graph before those its cut dropped.
  setCut(k) {
    if (this.model.within) this.model.filterBy("number");
    this.model.setCut(k);
    this.cutChanged();
  }

  // filterBy shows edges by their "number", or those whose "weight", "confidence" or "q" is within a limit.
  filterBy(way, limit) {
    this.model.filterBy(way, limit);
    this.cutChanged();
  }

  // restrict shows edges of one sign ("all", "positive", "negative"), or within one community
  // (its number, or -1), alone.
  restrict(to) {
    this.model.restrict(to);
    this.cutChanged();
  }

  cutChanged() {
    if (!this.column) this.recolor();
    this.changed();
    this.dispatchEvent(new CustomEvent("cut", { detail: { edges: this.model.cut, threshold: this.model.threshold } }));
  }

  // setPlaces moves the vertices, gently where nobody minds.
  setPlaces(x, y) {
    const { model } = this, fromX = model.x.slice(), fromY = model.y.slice();
    if (!this.layout) this.home = { x, y };
    const view = this.camera, from = { scale: view.scale, left: view.left, top: view.top };
    this.frames.move("places", (share) => {
      for (let i = 0; i < model.x.length; i++) {
        model.x[i] = share === 1 ? x[i] : fromX[i] + share * (x[i] - fromX[i]);
        model.y[i] = share === 1 ? y[i] : fromY[i] + share * (y[i] - fromY[i]);
      }
      if (!this.touched) this.lookFrom(mixed(from, view.overview(Float64Array.from(x), Float64Array.from(y)), share), true);
      else this.redraw("under", "over");
    }, model.x.length > mostGliding);
  }

  // arrange moves the vertices to a layout, by its name. Whoever wants to see the
  // communities apart wants to see which is which.
  arrange(name) {
    const layout = this.layouts.find((l) => l.name === name);
    if (!layout) return;
    this.layout = layout;
    this.moved = new Map();
    this.touched = false;
    this.setPlaces(layout.x, layout.y);
    if (name === "community" && !this.column) this.colorBy("community");
    else this.changed();
  }

  // colorBy colours vertices by "component" or "community", or by a column: its name, or
  // its number.
  colorBy(what) {
    this.column = this.columnOf(what);
    this.recolor();
    this.changed();
  }

  columnOf(what) {
    const { columns } = this.model, own = { component: null, community: this.communities };
    return (what in own ? own[what] : columns[what] ?? columns.find((c) => c.name === what)) ?? null;
  }

  // savePicture hands the graph as it is on screen, but light, to the browser's
  // downloads: "svg" or "png".
  async savePicture(kind) {
    download(await picture(this, kind), `graph.${kind}`);
  }

  // focus selects a vertex by its name and brings it to the middle.
  focus(name) {
    const i = this.model.index(name);
    if (i < 0) return;
    const view = this.camera, from = { scale: view.scale, left: view.left, top: view.top };
    const scale = Math.max(view.scale, view.home * Math.min(4, Math.max(1, Math.sqrt(this.model.names.length / 40))));
    this.touched = true;
    this.frames.move("camera", (share) => this.lookFrom(mixed(from, view.centred(this.model.x[i], this.model.y[i], scale), share)));
    this.select(i);
  }

  // fit shows the whole graph.
  fit() {
    const view = this.camera, from = { scale: view.scale, left: view.left, top: view.top };
    this.touched = false;
    this.frames.move("camera", (share) => this.lookFrom(mixed(from, view.overview(this.model.x, this.model.y), share), share === 1));
  }

  // looking is where one looks: the place in the middle, and how much of the plane one sees from left to right;
  // lookAt goes there.
  get looking() {
    const view = this.camera;
    return [view.toPlaneX(view.width / 2), view.toPlaneY(view.height / 2), view.width / view.scale];
  }

  lookAt(x, y, wide) {
    if (![x, y, wide].every(Number.isFinite) || wide <= 0) return;
    this.touched = true;
    this.lookFrom(this.camera.centred(x, y, this.camera.width / wide));
  }

  // visibleEdges returns the edges that are drawn, as [i, j, weight, confidence].
  visibleEdges() {
    return this.model.shown.map((e) => [...e]);
  }

  // placeOf returns where on the page, in pixels of its window, a vertex is drawn.
  placeOf(i) {
    const box = this.over.getBoundingClientRect();
    return { x: box.left + this.camera.toScreenX(this.model.x[i]), y: box.top + this.camera.toScreenY(this.model.y[i]) };
  }

  // select marks a vertex, or none (-1), and tells about it.
  select(i) {
    this.selected = i;
    this.hovered = nothing;
    this.spoken.textContent = i >= 0 ? sentence(this.model, i) : "";
    this.showTip();
    this.redraw("over");
    this.dispatchEvent(new CustomEvent("select", { detail: i >= 0 ? { index: i, name: this.model.names[i] } : null }));
    this.tellState();
  }

  tellState() { this.dispatchEvent(new Event("state")); }

  // choose is select, by the reader.
  choose(i) {
    if (i === this.selected) return;
    this.remember();
    this.select(i);
  }

  // setPart selects some vertices together, and lists them.
  setPart(vertices) {
    this.part = new Set(vertices);
    const { size } = this.part, edges = this.model.inside(this.part).length;
    this.spoken.textContent = size ? `${count(size, "vertex")} and ${count(edges, this.model.noun)} between them selected` : "nothing selected";
    this.partList?.update();
    this.changed();
  }

  // togglePart adds the selected vertex to the part, or takes it out of it.
  togglePart() {
    if (this.selected < 0) return;
    this.remember();
    const part = new Set(this.part);
    if (!part.delete(this.selected)) part.add(this.selected);
    this.setPart(part);
  }

  // setLassoing has the next pull of the pointer draw a line around vertices.
  setLassoing(yes) {
    this.lassoing = yes;
    this.lasso = [];
    this.stage.classList.toggle("is-lassoing", yes);
    this.panel?.update();
    this.redraw("over");
  }

  drawLasso(line) {
    this.lasso = line;
    this.redraw("over");
  }

  // endLasso selects what is within the line, if it is whole.
  endLasso(isWhole) {
    const line = this.lasso;
    this.setLassoing(false);
    if (!isWhole || line.length < 3) return;
    this.remember();
    this.setPart(within(this.model, this.camera, line));
  }

  // escape gives up what is begun, or what is selected.
  escape() {
    if (this.lassoing || this.lasso.length) this.setLassoing(false);
    else if (this.selected >= 0) this.choose(-1);
    else if (this.part.size) {
      this.remember();
      this.setPart([]);
    }
  }

  // point says what the pointer is over.
  point(what, at) {
    this.pointer = at;
    if (what.vertex !== this.hovered.vertex || what.edge !== this.hovered.edge) {
      this.hovered = what;
      this.redraw("over");
      this.stage.classList.toggle("is-pointing", what.vertex >= 0 || what.edge >= 0);
    }
    this.showTip();
  }

  // walk selects the neighbour that lies most in a direction.
  walk(dx, dy) {
    const { model } = this;
    if (this.selected < 0) {
      const busiest = model.strength.reduce((best, s, i) => (s > model.strength[best] ? i : best), 0);
      if (model.names.length) this.follow(busiest);
      return;
    }
    let best = -1, most = 0.1; // cosine of the angle
    for (const { vertex } of model.near(this.selected)) {
      const x = model.x[vertex] - model.x[this.selected], y = model.y[vertex] - model.y[this.selected];
      const along = (x * dx + y * dy) / (Math.hypot(x, y) || 1);
      if (along > most) [best, most] = [vertex, along];
    }
    if (best >= 0) this.follow(best);
  }

  // follow selects a vertex, and brings it into sight.
  follow(i) {
    this.remember("walk");
    const px = this.camera.toScreenX(this.model.x[i]), py = this.camera.toScreenY(this.model.y[i]);
    if (px < 20 || py < 20 || px > this.camera.width - 20 || py > this.camera.height - 20) this.focus(this.model.names[i]);
    else this.select(i);
  }

  pan(dx, dy) {
    this.touched = true;
    this.lookFrom({ scale: this.camera.scale, left: this.camera.left + dx, top: this.camera.top + dy });
  }

  zoomBy(factor, px = this.camera.width / 2, py = this.camera.height / 2) {
    this.touched = true;
    this.frames.stop("camera");
    this.camera.zoomAt(factor, px, py);
    this.lookFrom(this.camera);
  }

  moveVertex(i, px, py) {
    this.model.x[i] = this.camera.toPlaneX(px);
    this.model.y[i] = this.camera.toPlaneY(py);
    this.moved.set(i, [this.model.x[i], this.model.y[i]]);
    this.tellState();
    this.hovered = { vertex: i, edge: -1 };
    this.pointer = { x: px, y: py };
    this.redraw("under", "over");
  }

  // restyle reads the colours again, after the theme has changed.
  restyle() {
    this.colors = palette(this.stage);
    this.recolor();
    fillLegend(this.legend, this);
    this.redraw("under", "over");
  }

  // print draws at once, sharp enough for paper.
  print() {
    this.restyle();
    this.resize(3);
    this.paint("under", Infinity);
  }

  recolor() {
    this.paintBy = this.coloured(this.colors);
  }

  // coloured says which colour of a palette each vertex has, and what it means.
  coloured(colors) {
    const { model, column } = this;
    if (column?.numbers) return byNumber(column.numbers, colors);
    if (column?.text) return byGroup(column.text, colors, { quiet: (text) => text === "" });
    const groups = column ? column.labels : [...model.component], word = column ? "community" : "component";
    const size = new Map();
    for (const label of groups) size.set(label, (size.get(label) ?? 0) + 1);
    const by = byGroup(groups, colors, { quiet: (label) => size.get(label) === 1, name: (_, members) => `${word} of ${members}` });
    const alone = [...size.values()].filter((members) => members === 1).length;
    const fewer = !column && model.cut < model.kept; // edges than the graph has: it may be joined all the same
    if (alone) by.legend.push([colors.faint, fewer ? `${count(alone, "vertex")} with no edge shown` : `${alone} isolated ${alone === 1 ? "vertex" : "vertices"}`]);
    return by;
  }

  changed() {
    this.hovered = nothing;
    this.look = new Look(this.model, this.camera);
    this.panel?.update();
    this.table?.update();
    this.partList?.update();
    fillLegend(this.legend, this);
    fillNote(this.note, this);
    this.tellState();
    this.over.setAttribute("aria-label", `Graph of ${count(this.model.names.length, "vertex")} and ${count(this.model.cut, this.model.noun)}. Arrow keys move between vertices, Space adds a vertex to the selected part, plus and minus zoom, 0 fits the graph, Control+Z undoes, Escape clears the selection.`);
    this.showTip();
    this.redraw("under", "over");
  }

  lookFrom(place, home = false) {
    this.camera.set(place);
    if (home) this.camera.home = place.scale;
    this.look = new Look(this.model, this.camera);
    this.showTip();
    this.redraw("under", "over");
    this.tellState();
  }

  resize(density = devicePixelRatio || 1) {
    const { clientWidth: width, clientHeight: height } = this.stage;
    if (width === 0 || height === 0) return;
    Object.assign(this.camera, { width, height });
    this.density = density;
    for (const canvas of [this.under, this.over]) {
      canvas.width = Math.round(width * density);
      canvas.height = Math.round(height * density);
    }
    const all = this.camera.overview(this.model.x, this.model.y);
    this.camera.home = all.scale;
    this.lookFrom(this.touched ? this.camera : all);
  }

  // redraw asks for layers to be painted with the next frame.
  redraw(...layers) {
    this.frames.ask(...layers);
  }

  // scene is what is painted, in some colours.
  scene(colors, paintBy) {
    return { model: this.model, camera: this.camera, look: this.look, colors, colorOf: paintBy.of, names: this.names };
  }

  // paint draws a layer, with at most that many edges at once.
  paint(layer, most = aFrame) {
    const context = this[layer].getContext("2d");
    context.setTransform(this.density, 0, 0, this.density, 0, 0);
    context.clearRect(0, 0, this.camera.width, this.camera.height);
    const scene = this.scene(this.colors, this.paintBy);
    if (layer === "over") {
      paintFocus(context, scene, { ...this.hovered, selected: this.selected, part: this.part, lasso: this.lasso });
      return;
    }
    const { names, next } = paintGraph(context, scene, most);
    this.names = names;
    clearTimeout(this.filling);
    if (next < this.model.shown.length) this.filling = setTimeout(() => this.fill(context, scene, next), still);
  }

  // fill draws the edges that a frame has no time for, from one on, over many frames.
  fill(context, scene, next) {
    if (next >= this.model.shown.length) return;
    const done = paintMore(context, scene, next, aFrame);
    this.filling = setTimeout(() => this.fill(context, scene, done));
  }

  showTip() {
    const { vertex, edge } = this.hovered;
    const about = vertex >= 0 ? vertex : edge >= 0 ? -1 : this.selected;
    this.tip.hidden = about < 0 && edge < 0;
    if (this.tip.hidden) return;
    this.tip.replaceChildren(...(about >= 0 ? vertexTip(this.model, about) : edgeTip(this.model, edge)));
    const at = edge >= 0 && about < 0 ? this.pointer : { x: this.camera.toScreenX(this.model.x[about]), y: this.camera.toScreenY(this.model.y[about]) };
    const { offsetWidth: wide, offsetHeight: high } = this.tip, gap = 16;
    const left = at.x + gap + wide < this.camera.width ? at.x + gap : Math.max(4, at.x - gap - wide);
    const top = Math.max(4, Math.min(at.y + gap, this.camera.height - high - 4));
    this.tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }
}
