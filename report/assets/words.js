// Numbers and counts as people read them.

// short is a number in four digits, without a row of zeros.
export function short(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  if (value !== 0 && (size < 1e-4 || size >= 1e6)) {
    const [digits, power] = value.toExponential(2).split("e");
    return `${Number(digits) === 1 ? "" : `${Number(digits)}·`}10${superscript(Number(power))}`;
  }
  return String(Number(value.toPrecision(4)));
}

// correlation is a partial correlation and its interval, such as 0.31 [0.22, 0.40]; "–" if there is none.
export function correlation(evidence) {
  if (!evidence) return "–";
  const [partial, low, high] = evidence.map((value) => value.toFixed(2).replace(/^-(0\.00)$/, "$1"));
  return `${partial} [${low}, ${high}]`;
}

function superscript(power) {
  return [...String(power)].map((c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c])).join("");
}

// count is "1 edge" or "3 edges".
export function count(n, noun) {
  if (n === 1) return `1 ${noun}`;
  return `${n} ${noun === "vertex" ? "vertices" : `${noun}s`}`;
}

// clipped is a name that fits where there is room for that many letters.
export function clipped(name, most) {
  const letters = [...name];
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : name;
}

// grouped is a whole number with a comma after thousands.
export function grouped(n) {
  return n.toLocaleString("en");
}
