// How a graph is looked at, as plain values: what is filtered, coloured, laid out, selected
// and moved. A link has it in words, and undoing goes back to one that was remembered.

import { everyCommunity, signs } from "./graph_model.js";

const mostRemembered = 100;

// stateOf takes down how a view is; what is as at first is left out.
export function stateOf(view) {
  const { model } = view, state = {};
  if (model.within) Object.assign(state, { by: model.way, limit: model.limit });
  else if (model.cut !== Math.min(model.kept, model.readable)) state.edges = model.cut;
  if (model.sign !== signs[0]) state.sign = model.sign;
  if (model.only !== everyCommunity) state.community = model.only;
  if (view.layout && view.layout !== view.layouts[0]) state.layout = view.layout.name;
  if (view.column) state.color = view.column.name;
  if (view.selected >= 0) state.vertex = model.names[view.selected];
  if (view.part.size) state.part = [...view.part].sort((a, b) => a - b);
  if (view.moved.size) state.moved = [...view.moved].map(([i, [x, y]]) => [i, x, y]);
  return state;
}

// applyState brings a view to a state. What a state says that this graph does not have is
// left out.
export function applyState(view, state) {
  const { model } = view, n = model.names.length;
  model.sign = signs.includes(state.sign) ? state.sign : signs[0];
  model.only = model.communities.some((c) => c.label === state.community) ? state.community : everyCommunity;
  if (model.ways.includes(state.by) && Number.isFinite(state.limit)) model.filterBy(state.by, state.limit);
  else {
    model.filterBy("number");
    if (Number.isFinite(state.edges)) model.setCut(state.edges);
  }
  view.part = new Set((state.part ?? []).filter((i) => i < n));
  view.column = view.columnOf(state.color ?? "component");
  view.layout = view.layouts.find((l) => l.name === state.layout) ?? view.layouts[0] ?? null;
  view.moved = new Map((state.moved ?? []).filter(([i, ...at]) => i < n && at.every(Number.isFinite)).map(([i, x, y]) => [i, [x, y]]));
  view.selected = state.vertex === undefined ? -1 : model.index(state.vertex);
  view.replace();
}

// wordsOf writes a state as the fragment of an address, and readWords reads it.
export function wordsOf({ part, moved, look, ...rest }) {
  const words = new URLSearchParams(Object.entries(rest).map(([key, value]) => [key, typeof value === "number" ? String(Number(value.toPrecision(6))) : value]));
  if (part) words.set("part", ranges(part));
  if (look) words.set("look", look.map((v) => Number(v.toPrecision(6))).join("_"));
  if (moved) words.set("moved", moved.map((at) => at.map((v) => Number(v.toPrecision(6))).join("_")).join("*"));
  return words.toString();
}

export function readWords(text) {
  const words = new URLSearchParams(text), state = {};
  for (const [key, value] of words) {
    if (["limit", "edges", "community"].includes(key)) state[key] = Number(value);
    else if (key === "part") state.part = listed(value);
    else if (key === "moved") state.moved = value.split("*").map((at) => at.split("_").map(Number));
    else if (key === "look") state.look = value.split("_").map(Number);
    else state[key] = value;
  }
  return state;
}

// ranges writes ascending whole numbers such as 1, 2, 3, 7 as "1-3.7".
function ranges(list) {
  const runs = [];
  for (const i of list) {
    if (runs.length && runs.at(-1)[1] === i - 1) runs.at(-1)[1] = i;
    else runs.push([i, i]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(".");
}

const mostListed = 1e6; // vertices that a text may stand for

function listed(text) {
  const list = [];
  for (const run of text.split(".")) {
    const [from, to = from] = run.split("-").map(Number);
    if (!(from >= 0 && to - from < mostListed)) continue;
    for (let i = from; i <= to; i++) list.push(i);
  }
  return list;
}

// An Undo has what a view can go back to.
export class Undo {
  constructor() {
    this.states = [];
    this.gesture = null; // what the last state was remembered for, until it ends
  }

  // remember keeps a state; of a gesture, such as the pull of a slider, only the first.
  remember(state, gesture = null) {
    if (gesture && gesture === this.gesture) return;
    this.gesture = gesture;
    this.states.push(state);
    if (this.states.length > mostRemembered) this.states.shift();
  }

  endGesture() { this.gesture = null; }

  back() {
    this.gesture = null;
    return this.states.pop();
  }
}
