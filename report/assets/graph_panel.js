// What stands around the canvas: the tools above it, the legend and the table below.

import { make } from "./dom.js";
import { count, short } from "./words.js";

let serial = 0; // of the lists of names on a page

// tools returns the controls of a view.
export function tools(view) {
  const names = make("datalist", { id: `graph-names-${++serial}` }, ...view.model.names.map((name) => make("option", { value: name })));
  const search = make("input", { type: "search", list: names.id, placeholder: "name", autocomplete: "off", spellcheck: false });
  search.addEventListener("input", () => {
    if (view.model.index(search.value) >= 0) view.focus(search.value);
    else if (search.value === "") view.select(-1);
  });
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    const found = view.model.find(search.value);
    search.setCustomValidity(found < 0 && search.value !== "" ? "no vertex name contains this text" : "");
    search.reportValidity();
    if (found >= 0) view.focus(view.model.names[found]);
  });

  const slider = make("input", { type: "range", min: 0, step: 1, "aria-label": `number of ${view.model.noun}s shown, heaviest first` });
  slider.addEventListener("input", () => view.setCut(Number(slider.value)));
  const tally = make("output", {});

  const choice = make("select", {}, make("option", { value: "component" }, "component"),
    ...view.model.columns.map((c, k) => make("option", { value: String(k) }, c.name)));
  choice.addEventListener("change", () => view.colorBy(choice.value));

  const button = (text, label, act) => {
    const b = make("button", { type: "button", "aria-label": label, title: label }, text);
    b.addEventListener("click", act);
    return b;
  };
  const element = make("div", { className: "graph-tools" },
    make("label", { className: "graph-search" }, "Find a vertex", search, names),
    make("label", { className: "graph-cut" }, make("span", {}, view.model.directed ? "Directed edges" : "Edges", tally), slider),
    make("label", { className: "graph-color", hidden: view.model.columns.length === 0 }, "Colour by", choice),
    make("div", { className: "graph-zoom", role: "group", "aria-label": "zoom" },
      button("−", "zoom out", () => view.zoomBy(1 / 1.4)), button("+", "zoom in", () => view.zoomBy(1.4)), button("Fit", "show the whole graph", () => view.fit())));
  const update = () => {
    const { edges, cut, kept, threshold } = view.model;
    slider.max = String(edges.length);
    slider.value = String(cut);
    slider.setAttribute("aria-valuetext", count(cut, view.model.noun));
    const least = threshold === null ? "" : ` · weight ≥ ${short(threshold)}`;
    // Edges of the graph may be lighter than those that its cut dropped: the weight is that of the latter only.
    const beyond = cut > kept ? ` · ${cut - kept} beyond the cut, with weight ≥ ${short(edges[cut - 1][2])}` : `${least}${cut === kept && kept < edges.length ? " · the chosen cut" : ""}`;
    tally.textContent = `${cut} of ${edges.length}${beyond}`;
    choice.value = view.column ? String(view.model.columns.indexOf(view.column)) : "component";
  };
  return { element, update };
}

// legend fills an element with what colours and lines mean.
export function fillLegend(element, view) {
  const { model } = view;
  const items = [];
  for (const entry of view.paintBy.legend) {
    const mark = make("i", {});
    if (Array.isArray(entry)) {
      mark.style.background = entry[0];
      items.push(make("span", {}, mark, entry[1]));
      continue;
    }
    mark.className = "ramp";
    mark.style.background = `linear-gradient(90deg, ${entry.from}, ${entry.to})`;
    items.push(make("span", {}, `${view.column.name} ${short(entry.low)}`, mark, short(entry.high)));
  }
  if (model.shown.length) items.push(make("span", {}, "line width: weight"));
  if (model.directed && model.shown.length) items.push(make("span", {}, "arrows: from source to target"));
  if (model.hasConfidence) items.push(make("span", {}, "confidence 0", make("i", { className: "fade" }), "1"));
  if (model.cut > model.kept) items.push(make("span", {}, make("i", { className: "dashes" }), "edges that were cut"));
  if (view.geographic) items.push(make("span", {}, "north is up"));
  element.replaceChildren(...items);
}

const mostRows = 1000; // of the table; a filter reaches the rest

// edgeTable is the graph as text: collapsed, filled when it is opened.
export function edgeTable(view) {
  const filter = make("input", { type: "search", placeholder: "filter by name", "aria-label": "filter edges by vertex name" });
  const body = make("tbody", {});
  const head = make("tr", {}, ...(view.model.directed ? ["source", "target"] : ["vertex", "vertex"]).map((title) => make("th", {}, title)), make("th", { className: "number" }, "weight"), make("th", { className: "number" }, "confidence"));
  const note = make("p", {});
  const element = make("details", { className: "graph-table" }, make("summary", {}, "Edges as a table"), filter,
    make("div", { tabIndex: 0, role: "region", "aria-label": "edges" }, make("table", {}, make("thead", {}, head), body)), note);
  const update = () => {
    if (!element.open) return;
    const { model } = view, sought = filter.value.trim().toLowerCase();
    head.lastChild.hidden = !model.hasConfidence;
    const all = [...model.shown.keys()].filter((e) => sought === "" || model.shown[e].slice(0, 2).some((i) => model.names[i].toLowerCase().includes(sought)));
    body.replaceChildren(...all.slice(0, mostRows).map((e) => {
      const [i, j, weight, confidence] = model.shown[e];
      return make("tr", { className: e >= model.kept ? "is-dropped" : "" }, make("td", {}, model.names[i]), make("td", {}, model.names[j]),
        make("td", { className: "number" }, short(weight)), model.hasConfidence ? make("td", { className: "number" }, short(confidence)) : null);
    }));
    note.textContent = all.length > mostRows ? `The ${mostRows} heaviest of ${all.length} ${model.noun}s.` : `${count(all.length, model.noun)}, heaviest first.`;
  };
  filter.addEventListener("input", update);
  element.addEventListener("toggle", update);
  return { element, update };
}
