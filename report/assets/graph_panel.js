// What stands around the canvas: the tools above it, the legend and the table below.

import { make } from "./dom.js";
import { legendOf } from "./graph_legend.js";
import { everyCommunity, signs } from "./graph_model.js";
import { correlation, count, grouped, short } from "./words.js";

let serial = 0; // of the lists of names on a page
const offered = 50; // names at a time
const notches = 200; // of a slider of weights

// tools returns the controls of a view.
export function tools(view) {
  const names = make("datalist", { id: `graph-names-${++serial}` });
  const offer = (text) => names.replaceChildren(...view.model.matches(text, offered).map((i) => make("option", { value: view.model.names[i] })));
  offer("");
  const search = make("input", { type: "search", list: names.id, placeholder: "name", autocomplete: "off", spellcheck: false });
  const goTo = (name) => {
    view.remember();
    view.focus(name);
  };
  search.addEventListener("input", () => {
    offer(search.value);
    if (view.model.index(search.value) >= 0) goTo(search.value);
    else if (search.value === "") view.choose(-1);
  });
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    const found = view.model.find(search.value);
    search.setCustomValidity(found < 0 && search.value !== "" ? "no vertex name contains this text" : "");
    search.reportValidity();
    if (found >= 0) goTo(view.model.names[found]);
  });

  const option = (value) => make("option", { value }, value);
  const slider = make("input", { type: "range", min: 0 });
  slider.addEventListener("input", () => {
    const value = Number(slider.value);
    view.remember("slider");
    if (view.model.within) view.filterBy(view.model.way, value);
    else view.setCut(value);
  });
  slider.addEventListener("change", () => view.past.endGesture());
  const tally = make("output", {});
  const way = make("select", {});
  const by = make("label", { className: "graph-by" }, "Filter by", way);
  const sign = make("select", {}, ...signs.map(option));
  const only = make("select", {}, make("option", { value: everyCommunity }, "all"), ...view.model.communities.map(({ label, size }, k) => make("option", { value: label }, `${k + 1} (${size} vertices)`)));
  const few = view.model.communities.length < 2;

  const choice = make("select", {}, option("component"), ...(view.communities ? [option("community")] : []),
    ...view.model.columns.map((c, k) => make("option", { value: String(k) }, c.name)));
  const layout = make("select", {}, ...view.layouts.map(({ name }) => option(name)));
  for (const [select, act] of [
    [way, (value) => view.filterBy(value)], [sign, (value) => view.restrict({ sign: value })], [only, (value) => view.restrict({ community: Number(value) })],
    [choice, (value) => view.colorBy(value)], [layout, (value) => view.arrange(value)],
  ]) {
    select.addEventListener("change", () => {
      const { value } = select;
      view.remember();
      act(value);
    });
  }
  const bySign = make("label", { className: "graph-sign" }, "Sign", sign);
  const lasso = button("Select a part", "Select a part: draw a line around its vertices", () => view.setLassoing(!view.lassoing));
  const undo = button("Undo", "Undo the last filter, selection or move", () => view.undo());

  const acts = make("div", { className: "graph-acts", role: "group", "aria-label": "select and undo" }, lasso, undo);
  const zoom = make("div", { className: "graph-zoom", role: "group", "aria-label": "zoom" },
    button("−", "zoom out", () => view.zoomBy(1 / 1.4)), button("+", "zoom in", () => view.zoomBy(1.4)), button("Fit", "Fit: show the whole graph", () => view.fit()));
  const element = make("div", { className: "graph-tools" },
    by,
    make("label", { className: "graph-cut" }, make("span", {}, view.model.directed ? "Directed edges" : "Edges", tally), slider),
    bySign,
    make("label", { className: "graph-only", hidden: few }, "Community", only),
    make("label", { className: "graph-search" }, "Find a vertex", search, names),
    make("label", { className: "graph-color", hidden: choice.options.length === 1 }, "Colour by", choice),
    make("label", { className: "graph-layout", hidden: view.layouts.length < 2 }, "Layout", layout),
    acts);
  const update = () => {
    const { ways, within, noun, most } = view.model;
    bySign.hidden = !view.model.hasSigns;
    sign.value = view.model.sign;
    only.value = String(view.model.only);
    lasso.setAttribute("aria-pressed", String(view.lassoing));
    undo.disabled = view.past.states.length === 0;
    if ([...way.options].map((o) => o.value).join() !== ways.join()) way.replaceChildren(...ways.map(option));
    way.value = view.model.way;
    Object.assign(slider, within ? { max: String(most), step: view.model.way === "weight" ? String(most / notches) : "0.01", value: String(view.model.limit) } : { max: String(view.model.edges.length), step: "1", value: String(view.model.cut) });
    slider.setAttribute("aria-label", within ? `${view.model.way === "q" ? "largest q" : `least ${view.model.way}`} of ${noun}s shown` : `number of ${noun}s shown, ${view.model.first}`);
    slider.setAttribute("aria-valuetext", within ? `${within}: ${count(view.model.cut, noun)}` : count(view.model.cut, noun));
    tally.textContent = tallyOf(view.model);
    choice.value = !view.column ? "component" : view.column === view.communities ? "community" : String(view.model.columns.indexOf(view.column));
    layout.value = view.layout?.name ?? "";
  };
  return { element, acts, zoom, update };
}

// tallyOf says how many edges are shown, and which.
function tallyOf({ edges, cut, kept, threshold, within, surestFirst }) {
  if (within) return `${cut} of ${kept} · ${within}`;
  // Edges of the graph may be lighter than those that its cut dropped: the weight is that of the latter only.
  if (cut > kept) return `${cut} of ${edges.length} · ${cut - kept} ${cut - kept === 1 ? "was" : "were"} cut, weight ≥ ${short(Math.abs(edges[cut - 1][2]))}`;
  const least = threshold === null ? "" : surestFirst ? ` · confidence ≥ ${short(edges[cut - 1][3])}` : ` · weight ≥ ${short(threshold)}`;
  return `${cut} of ${edges.length}${least}${cut === kept && kept < edges.length ? " · the chosen cut" : ""}`;
}

function button(text, label, act) {
  const b = make("button", { type: "button", "aria-label": label, title: label }, text);
  b.addEventListener("click", act);
  return b;
}

// saving has the buttons that save the picture.
export function saving(view) {
  return make("div", { className: "graph-save", role: "group", "aria-label": "save the picture" }, make("span", {}, "Save the picture"),
    button("SVG", "save the picture as SVG", () => view.savePicture("svg")), button("PNG", "save the picture as PNG", () => view.savePicture("png")));
}

// fillNote says so if not all edges of the graph are shown.
export function fillNote(element, { model, panel }) {
  element.hidden = model.cut >= model.kept || (!model.within && model.kept <= model.readable);
  if (model.within) {
    element.textContent = `Showing ${grouped(model.cut)} of ${count(model.kept, model.noun)}: ${model.within}.`;
    return;
  }
  const first = model.surestFirst ? "surest" : "heaviest";
  element.textContent = `Showing the ${grouped(model.cut)} ${first} of ${grouped(model.kept)} ${model.noun}s${panel ? "; move the slider for more" : ""}.`;
}

// fillLegend fills an element with what colours and lines mean.
export function fillLegend(element, view) {
  element.replaceChildren(...legendOf(view, view.paintBy).map(({ before = "", mark, after = "" }) => {
    if (!mark) return make("span", {}, after);
    const sign = make("i", { className: mark.shape === "dot" ? "" : mark.shape });
    if (mark.color) sign.style.background = mark.color;
    if (mark.shape === "ramp") sign.style.background = `linear-gradient(90deg, ${mark.from}, ${mark.to})`;
    return make("span", {}, before, sign, after);
  }));
}

const mostRows = 1000; // of the table; a filter reaches the rest

// edgeColumns lists what is known of edges: the title of the column, what it says, and what that means.
export function edgeColumns(model) {
  return [
    ["weight", true, (edge) => short(edge[2])],
    ["confidence", model.hasConfidence, (edge) => short(edge[3])],
    ["partial correlation", model.hasEvidence, (edge) => correlation(edge[5]), "given all other vertices, with its 90 % interval"],
    ["q", model.hasEvidence, (edge) => short(edge[5]?.[3]), "false discovery rate at which the edge passes the test of being stronger than a floor"],
  ].filter(([, there]) => there).map(([name, , say, about]) => ({ name, say, about: about ?? "" }));
}

// edgeRows fills a table with edges, by their ranks.
export function edgeRows(model, head, body, list) {
  const columns = edgeColumns(model);
  head.replaceChildren(...(model.directed ? ["source", "target"] : ["vertex", "vertex"]).map((title) => make("th", {}, title)),
    ...columns.map(({ name, about }) => make("th", { className: "number", title: about }, name)));
  body.replaceChildren(...list.slice(0, mostRows).map((e) => {
    const edge = model.shown[e];
    return make("tr", { className: e >= model.kept ? "is-dropped" : "" }, make("td", {}, model.names[edge[0]]), make("td", {}, model.names[edge[1]]),
      ...columns.map(({ say }) => make("td", { className: "number" }, say(edge))));
  }));
}

// rowsNote says how many there are, and whether all are listed.
export function rowsNote(total, noun, first) {
  return total > mostRows ? `The first ${mostRows} of ${count(total, noun)}, ${first}.` : `${count(total, noun)}, ${first}.`;
}

// edgeTable is the graph as text: collapsed, filled when it is opened.
export function edgeTable(view) {
  const filter = make("input", { type: "search", placeholder: "filter by name", "aria-label": "filter edges by vertex name" });
  const body = make("tbody", {});
  const head = make("tr", {});
  const note = make("p", {});
  const element = make("details", { className: "graph-table" }, make("summary", {}, "Edges as a table"), filter,
    make("div", { tabIndex: 0, role: "region", "aria-label": "edges" }, make("table", {}, make("thead", {}, head), body)), note);
  const update = () => {
    if (!element.open) return;
    const { model } = view, sought = filter.value.trim().toLowerCase();
    const all = [...model.shown.keys()].filter((e) => sought === "" || model.shown[e].slice(0, 2).some((i) => model.names[i].toLowerCase().includes(sought)));
    edgeRows(model, head, body, all);
    note.textContent = rowsNote(all.length, model.noun, model.first);
  };
  filter.addEventListener("input", update);
  element.addEventListener("toggle", update);
  return { element, update };
}
