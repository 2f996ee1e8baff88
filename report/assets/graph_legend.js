// What colours and lines of a drawing mean: on the page, and in a saved picture.

import { short } from "./words.js";

// legendOf lists it, as {before, mark, after}: words around a mark, which has a shape
// (dot, line, ramp, fade or dashes) and its colours, or none.
export function legendOf(view, paintBy, colors = view.colors) {
  const { model } = view, items = [];
  for (const entry of paintBy.legend) {
    if (Array.isArray(entry)) items.push({ mark: { shape: "dot", color: entry[0] }, after: entry[1] });
    else items.push({ before: `${view.column.name} ${short(entry.low)}`, mark: { shape: "ramp", from: entry.from, to: entry.to }, after: short(entry.high) });
  }
  if (model.shown.length) items.push({ after: "line width: weight" });
  if (model.hasSigns) items.push({ mark: { shape: "line", color: colors.accent }, after: "positive" });
  if (model.negative) items.push({ mark: { shape: "line", color: colors.low }, after: "negative: the two move against each other" });
  if (model.directed && model.shown.length) items.push({ after: "arrows: from source to target" });
  if (model.hasConfidence) items.push({ before: "confidence 0", mark: { shape: "fade" }, after: "1" });
  if (model.cut > model.kept) items.push({ mark: { shape: "dashes" }, after: "edges that were cut" });
  if (view.marked && model.shown.some((e) => e[4])) items.push({ mark: { shape: "line", color: colors.high }, after: view.marked });
  if (view.geographic && view.layout === view.layouts[0]) items.push({ after: "north is up" });
  return items;
}
