// The first cells of a file, so that one sees whether it is the right one and
// which way round it is.

import { make } from "./report/dom.js";
import { count } from "./report/words.js";

const shownRows = 6, shownColumns = 7;
const headBytes = 256 * 1024, countedBytes = 64 * 1024 * 1024;

// preview resolves to an element, and a hint if rows and columns look swapped.
export async function preview(source) {
  if (source.sample) return { element: make("p", { className: "soft", textContent: `built-in sample (${source.sample.name})` }) };
  try {
    if (["csv", "tsv", "txt", "dat"].includes(source.format)) return await table(source);
    if (source.format === "npy") return await array(source);
  } catch {
    // What is wrong with a file the learner says best, when it reads it.
  }
  return { element: make("p", { className: "soft", textContent: sizeInWords(source.file.size) }) };
}

const sizeInWords = (n) => (n < 1e3 ? `${n} bytes` : n < 1e6 ? `${(n / 1e3).toFixed(0)} kB` : `${(n / 1e6).toFixed(1)} MB`);

// head reads the beginning of a file, and counts its lines as far as that is quick.
async function head(source) {
  const reader = source.bytes().getReader();
  const pieces = [];
  let kept = 0, read = 0, lines = 0, last = 10, whole = true;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (kept < headBytes) {
      pieces.push(value.slice(0, headBytes - kept));
      kept += pieces.at(-1).length;
    }
    for (const byte of value) if (byte === 10) lines++;
    last = value.at(-1) ?? last;
    read += value.length;
    if (read > countedBytes) {
      whole = false;
      await reader.cancel();
      break;
    }
  }
  const text = new TextDecoder().decode(await new Blob(pieces).arrayBuffer());
  return { text: text.replace(/^\uFEFF/, ""), lines: lines + (whole && last !== 10 ? 1 : 0), whole, cut: read > headBytes };
}

// cells splits text into rows of cells; quoted ones may hold the separator.
export function cells(text, separator) {
  const rows = [[]];
  let cell = "", quoted = false;
  const close = () => {
    rows.at(-1).push(cell.trim());
    cell = "";
  };
  for (let k = 0; k < text.length && rows.length <= shownRows + 2; k++) {
    const c = text[k];
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[k + 1] === '"') cell += text[++k];
      else quoted = false;
    } else if (c === '"' && cell.trim() === "") quoted = true;
    else if (c === separator) close();
    else if (c === "\n") {
      close();
      rows.push([]);
    } else if (c !== "\r") cell += c;
  }
  if (cell || rows.at(-1).length) close();
  return rows.filter((row) => row.some((value) => value !== ""));
}

// withoutRemarks drops the lines above a table that begin with #, unless their first cell is no more than that.
function withoutRemarks(text) {
  const remarks = text.match(/^(#(?![,;\t]).*\n|[ \t\r]*\n)*/)[0];
  return { table: text.slice(remarks.length), above: remarks.split("\n").length - 1 };
}

// separatorOf is the tab or the semicolon if each of the first lines has as many of them, and the comma otherwise: commas
// may stand in the numbers between semicolons.
function separatorOf(source, text) {
  if (source.format === "tsv") return "\t";
  const lines = text.split("\n", 6).filter((line) => line.trim() !== "");
  if (lines.length > 1) lines.pop(); // it may be cut
  const times = (line, c) => line.split(c).length;
  const same = (c) => times(lines[0] ?? "", c) > 1 && lines.every((line) => times(line, c) === times(lines[0], c));
  return ["\t", ";"].find(same) ?? ",";
}

const missing = /^(|nan|na|n\/a|null|none)$/i;
const isText = (cell) => !missing.test(cell) && Number.isNaN(Number(cell.replace(",", ".")));

async function table(source) {
  const { text, lines, whole, cut } = await head(source);
  const { table, above } = withoutRemarks(text), separator = separatorOf(source, table);
  const all = cells(table, separator);
  const rows = cut || all.length > shownRows + 1 ? all.slice(0, shownRows + 1) : all;
  if (!rows.length) throw new Error("nothing to show");
  const width = Math.max(...rows.map((row) => row.length));
  const labelled = width > 1 && rows.every((row) => isText(row[0])) && !rows[0].slice(1).some(isText); // names in the first column alone
  const header = rows.length > 1 && !labelled && rows[0].some(isText);
  const body = header ? rows.slice(1) : rows.slice(0, shownRows);
  const observations = lines - above - (header ? 1 : 0);
  const words = `${whole ? "" : "more than "}${count(observations, "row")} × ${count(width, "column")}${header ? ", with names in the first row" : labelled ? ", with names in the first column" : ""}`;
  const fields = (row, tag) => row.slice(0, shownColumns).map((value) => make(tag, { textContent: shorten(value) })).concat(width > shownColumns ? [make(tag, { textContent: "…" })] : []);
  const drawn = make("table", {},
    ...(header ? [make("thead", {}, make("tr", {}, ...fields(rows[0], "th")))] : []),
    make("tbody", {}, ...body.map((row) => make("tr", {}, ...fields(row, "td")))));
  return {
    element: make("div", {}, make("p", { className: "soft", textContent: words }), make("div", { className: "cells", tabIndex: 0, role: "group", ariaLabel: "The first cells of the file" }, drawn)),
    hint: labelled ? "Only the first column has names: are the vertices in rows?"
      : whole && width > 2 * observations ? "There are more columns than rows: are the vertices in rows?" : "",
  };
}

function shorten(value) {
  const number = Number(value);
  if (value !== "" && Number.isFinite(number) && value.length > 6) return String(Number(number.toPrecision(3)));
  return value.length > 14 ? `${value.slice(0, 13)}…` : value;
}

// array tells the shape of a NumPy array.
async function array(source) {
  const { text } = await head(source);
  const [, rows, columns] = text.slice(0, 400).match(/'shape': \((\d+), ?(\d+)\)/).map(Number);
  return {
    element: make("p", { className: "soft", textContent: `${count(rows, "row")} × ${count(columns, "column")}` }),
    hint: columns > 2 * rows ? "There are more columns than rows: are the vertices in rows?" : "",
  };
}
