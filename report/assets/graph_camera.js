// Where in the plane one looks, and what lies under a point of the screen.

const margin = 40; // pixels left free around a graph that is fitted

export class Camera {
  constructor() {
    this.width = this.height = 1;
    this.scale = 1; // pixels per unit
    this.home = 1; // the scale at which everything fits
    this.left = this.top = 0; // of the origin, in pixels
  }

  toScreenX(x) { return this.left + x * this.scale; }
  toScreenY(y) { return this.top - y * this.scale; }
  toPlaneX(px) { return (px - this.left) / this.scale; }
  toPlaneY(py) { return (this.top - py) / this.scale; }

  // zoom is how much nearer than home one looks.
  get zoom() { return this.scale / this.home; }

  // overview returns the camera from which all places can be seen.
  overview(x, y) {
    let x0 = Infinity, x1 = -Infinity, y0 = Infinity, y1 = -Infinity;
    for (let i = 0; i < x.length; i++) {
      x0 = Math.min(x0, x[i]); x1 = Math.max(x1, x[i]);
      y0 = Math.min(y0, y[i]); y1 = Math.max(y1, y[i]);
    }
    if (!(x1 >= x0)) x0 = x1 = y0 = y1 = 0;
    const free = (size) => Math.max(size - 2 * Math.min(margin, size / 8), 1);
    const wide = x1 - x0, high = y1 - y0;
    const scale = wide > 0 || high > 0 ? Math.min(wide > 0 ? free(this.width) / wide : Infinity, high > 0 ? free(this.height) / high : Infinity) : 1;
    return { scale, left: this.width / 2 - ((x0 + x1) / 2) * scale, top: this.height / 2 + ((y0 + y1) / 2) * scale };
  }

  set({ scale, left, top }) {
    Object.assign(this, { scale, left, top });
  }

  // zoomAt comes nearer by a factor, with the plane held fast under a point.
  zoomAt(factor, px, py) {
    const scale = Math.min(Math.max(this.scale * factor, this.home / 4), this.home * 80);
    const by = scale / this.scale;
    this.set({ scale, left: px + (this.left - px) * by, top: py + (this.top - py) * by });
  }

  // centred returns the camera that has a place in its middle.
  centred(x, y, scale = this.scale) {
    return { scale, left: this.width / 2 - x * scale, top: this.height / 2 + y * scale };
  }
}

// mixed is the camera between two others.
export function mixed(a, b, share) {
  // Scales are mixed as ratios, so that a zoom feels even.
  const scale = a.scale * (b.scale / a.scale) ** share;
  const t = b.scale === a.scale ? share : (scale - a.scale) / (b.scale - a.scale);
  return { scale, left: a.left + t * (b.left - a.left), top: a.top + t * (b.top - a.top) };
}

// vertexAt returns the vertex nearest to a point within reach, or -1. A look at every
// vertex takes less than a tenth of a millisecond for thousands of them.
export function vertexAt(model, camera, radius, px, py, reach) {
  let best = -1, least = Infinity;
  for (let i = 0; i < model.names.length; i++) {
    if (!model.has(i)) continue;
    const distance = Math.hypot(camera.toScreenX(model.x[i]) - px, camera.toScreenY(model.y[i]) - py);
    if (distance <= radius(i) + reach && distance < least) [best, least] = [i, distance];
  }
  return best;
}

const beside = 2; // pixels by which one of two arrows that lead both ways is to the right of the middle, or a little more

// edgeAt returns the shown edge nearest to a point within reach, or -1. Most of
// many are ruled out by the frame around them.
export function edgeAt(model, camera, px, py, reach) {
  let best = -1, least = reach;
  const x = camera.toPlaneX(px), y = camera.toPlaneY(py), near = (reach + beside) / camera.scale;
  model.shown.forEach((edge, e) => {
    const i = edge[0], j = edge[1];
    const fromX = model.x[i], fromY = model.y[i], toX = model.x[j], toY = model.y[j];
    if (Math.min(fromX, toX) > x + near || Math.max(fromX, toX) < x - near || Math.min(fromY, toY) > y + near || Math.max(fromY, toY) < y - near) return;
    let ax = camera.toScreenX(fromX), ay = camera.toScreenY(fromY);
    const bx = camera.toScreenX(model.x[j]) - ax, by = camera.toScreenY(model.y[j]) - ay;
    if (model.opposite(e) >= 0) {
      const length = Math.hypot(bx, by) || 1;
      [ax, ay] = [ax - (by / length) * beside, ay + (bx / length) * beside];
    }
    const along = Math.min(1, Math.max(0, ((px - ax) * bx + (py - ay) * by) / (bx * bx + by * by || 1)));
    const distance = Math.hypot(ax + along * bx - px, ay + along * by - py);
    if (distance < least) [best, least] = [e, distance];
  });
  return best;
}
