// The colours of the style sheet, for canvases.

const groups = 10;

// palette reads the colours that hold at an element now.
export function palette(element) {
  const probe = document.createElement("span");
  probe.hidden = true;
  element.append(probe);
  const read = (name) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const colors = {};
  for (const name of ["paper", "raised", "ink", "soft", "faint", "line", "accent", "edge", "dropped", "low", "mid", "high", "ramp-from", "ramp-to", "warn", "bad"]) {
    colors[name] = read(name);
  }
  colors.groups = Array.from({ length: groups }, (_, k) => read(`group-${k}`));
  probe.remove();
  return colors;
}

// lightPalette reads the colours as they are on paper, whatever the screen has.
export function lightPalette(element) {
  const root = document.documentElement, theme = root.dataset.theme;
  root.dataset.theme = "light";
  const colors = palette(element);
  if (theme === undefined) delete root.dataset.theme;
  else root.dataset.theme = theme;
  return colors;
}

const channels = new Map();

function rgb(color) {
  if (!channels.has(color)) channels.set(color, color.match(/[\d.]+/g).slice(0, 3).map(Number));
  return channels.get(color);
}

// between mixes two colours; share 0 is the first.
export function between(from, to, share) {
  const a = rgb(from), b = rgb(to), t = Math.min(1, Math.max(0, share));
  return `rgb(${a.map((v, k) => Math.round(v + t * (b[k] - v))).join(",")})`;
}

// signed is the colour of a value in [-1, 1]: low, through mid, to high.
export function signed(colors, value) {
  return value < 0 ? between(colors.mid, colors.low, -value) : between(colors.mid, colors.high, value);
}

// How vertices are coloured: a function from vertex to colour, and what the legend
// says, as [colour, words] or {from, to, low, high}.

// byGroup gives each of a list of labels a colour, the most frequent first; what
// comes after the last colour shares a quiet one.
export function byGroup(labels, colors, { quiet = () => false, name = (label) => label } = {}) {
  const size = new Map();
  for (const label of labels) if (!quiet(label)) size.set(label, (size.get(label) ?? 0) + 1);
  const order = [...size.keys()].sort((a, b) => size.get(b) - size.get(a)); // stable: ties in order of appearance
  const rank = new Map(order.map((label, k) => [label, k]));
  const of = (label) => (rank.has(label) && rank.get(label) < groups ? colors.groups[rank.get(label)] : colors.faint);
  const legend = order.slice(0, groups).map((label) => [of(label), name(label, size.get(label))]);
  if (order.length > groups) legend.push([colors.faint, `${order.length - groups} more`]);
  return { of: (i) => of(labels[i]), legend };
}

// byNumber colours vertices by a number, NaN or null quietly.
export function byNumber(numbers, colors) {
  const known = numbers.filter((v) => v !== null && Number.isFinite(v));
  const low = known.reduce((a, b) => Math.min(a, b), Infinity), high = known.reduce((a, b) => Math.max(a, b), -Infinity);
  const of = (i) => {
    const v = numbers[i];
    if (v === null || !Number.isFinite(v)) return colors.faint;
    return between(colors["ramp-from"], colors["ramp-to"], high > low ? (v - low) / (high - low) : 1);
  };
  return { of, legend: known.length ? [{ from: colors["ramp-from"], to: colors["ramp-to"], low, high }] : [] };
}
