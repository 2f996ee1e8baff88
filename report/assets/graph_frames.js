// Movements, and when to paint: once a frame, and only what has changed.

import { calm } from "./dom.js";

const glide = 350; // milliseconds of a movement

export class Frames {
  // paint draws a layer.
  constructor(paint) {
    this.paint = paint;
    this.stale = new Set(); // layers to paint
    this.motions = new Map(); // what moves, by a key: a function of time that reports whether it goes on
    this.next = null;
  }

  // move calls act with shares from 0 to 1, in place of an older movement of that key;
  // only with 1 at once, or if the reader wants no motion.
  move(key, act, atOnce = false) {
    if (atOnce || calm()) {
      act(1);
      return;
    }
    const begun = performance.now();
    this.motions.set(key, (now) => {
      const share = Math.min(1, Math.max(0, (now - begun) / glide));
      act(share * share * (3 - 2 * share));
      return share < 1;
    });
    this.ask();
  }

  stop(key) {
    this.motions.delete(key);
  }

  // ask has layers painted with the next frame.
  ask(...layers) {
    for (const layer of layers) this.stale.add(layer);
    this.next ??= requestAnimationFrame((now) => {
      this.next = null;
      for (const [key, act] of [...this.motions]) if (!act(now)) this.motions.delete(key);
      for (const layer of this.stale) this.paint(layer);
      this.stale.clear();
      if (this.motions.size) this.ask();
    });
  }
}
