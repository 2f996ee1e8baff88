// Where names are written: as many as fit without touching one another or a vertex,
// those of strong vertices first. Zooming in makes room for more.

import { clipped } from "./words.js";

export const nameLetters = 22; // of a name that are drawn
export const nameFont = "12px system-ui, sans-serif";
const crowded = 1100; // square pixels a vertex below which no names are written
const perName = 4500; // square pixels
const mostTried = 600; // names
const tall = 15; // pixels of a line, with the halo around its letters
const bucket = 32; // pixels of the squares that boxes are looked up by

// Boxes finds out whether a rectangle touches one that is taken.
class Boxes {
  constructor() {
    this.squares = new Map();
  }

  squaresOf({ left, top, right, bottom }) {
    const keys = [];
    for (let cx = Math.floor(left / bucket); cx <= right / bucket; cx++) for (let cy = Math.floor(top / bucket); cy <= bottom / bucket; cy++) keys.push(`${cx},${cy}`);
    return keys;
  }

  take(box) {
    for (const key of this.squaresOf(box)) {
      if (this.squares.has(key)) this.squares.get(key).push(box);
      else this.squares.set(key, [box]);
    }
  }

  free(box) {
    const apart = (other) => other.right <= box.left || other.left >= box.right || other.bottom <= box.top || other.top >= box.bottom;
    return this.squaresOf(box).every((key) => (this.squares.get(key) ?? []).every(apart));
  }
}

// placeNames returns the names to write, as {vertex, text, x, y, wide}: x is the left
// end, y the middle of the line. context measures.
export function placeNames(context, model, camera, look) {
  const at = (i) => [camera.toScreenX(model.x[i]), camera.toScreenY(model.y[i])];
  const area = camera.width * camera.height, near = [];
  for (let i = 0; i < model.names.length; i++) {
    const px = camera.toScreenX(model.x[i]), py = camera.toScreenY(model.y[i]);
    if (px > -20 && py > -20 && px < camera.width + 20 && py < camera.height + 20 && model.has(i)) near.push(i);
    if (near.length > area / crowded) return []; // a few names would only seem to matter
  }
  near.sort((a, b) => model.strength[b] - model.strength[a] || a - b);
  const boxes = new Boxes(), placed = [];
  for (const i of near) {
    const [px, py] = at(i), r = Math.max(look.radius(i) - 2, 1);
    boxes.take({ left: px - r, right: px + r, top: py - r, bottom: py + r });
  }
  context.font = nameFont;
  for (const i of near.slice(0, mostTried)) {
    if (placed.length >= area / perName) break;
    const text = clipped(model.names[i], nameLetters), wide = context.measureText(text).width;
    for (const [x, y] of spots(model, i, ...at(i), look.radius(i) + 4, wide)) {
      const box = { left: x - 2, right: x + wide + 2, top: y - tall / 2, bottom: y + tall / 2 };
      if (box.left < 0 || box.right > camera.width || box.top < 0 || box.bottom > camera.height || !boxes.free(box)) continue;
      boxes.take(box);
      placed.push({ vertex: i, text, x, y, wide });
      break;
    }
  }
  return placed;
}

// spots are where the name of a vertex may stand: first those that no edge crosses, and
// of these those away from its neighbours, with a liking for the right.
function spots(model, i, px, py, off, wide) {
  const sides = [[px + off, py, 1, 0], [px - off - wide, py, -1, 0], [px - wide / 2, py - off - 6, 0, 1], [px - wide / 2, py + off + 6, 0, -1]];
  const cost = ([, , dx, dy]) => {
    const along = model.near(i).map(({ vertex }) => {
      const x = model.x[vertex] - model.x[i], y = model.y[vertex] - model.y[i];
      return (x * dx + y * dy) / (Math.hypot(x, y) || 1); // cosine of the angle
    });
    const mean = along.reduce((sum, c) => sum + c, 0) / (along.length || 1);
    return (along.some((c) => c > 0.8) ? 10 : 0) + mean - (dx > 0 ? 0.4 : 0);
  };
  return sides.map((side) => [cost(side), side]).sort((a, b) => a[0] - b[0]).map(([, side]) => side);
}
