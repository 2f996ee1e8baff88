// Pointer, touch, wheel and keys on the graph.

import { edgeAt, vertexAt } from "./graph_camera.js";

const slack = 4; // pixels that a click may move
const step = 1.3; // of one key or button press

// attachHand lets a view be moved by hand.
export function attachHand(view, canvas) {
  const down = new Map(); // pointers that press, by id
  let grip = null; // what the first of them holds
  let apart = 0; // distance between two fingers

  const spot = (event) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const reach = (event) => (event.pointerType === "touch" ? 14 : 4);
  const under = (event, at) => {
    const vertex = vertexAt(view.model, view.camera, view.look.radius, at.x, at.y, reach(event));
    return { vertex, edge: vertex < 0 ? edgeAt(view.model, view.camera, at.x, at.y, reach(event) + 1) : -1 };
  };
  const spread = () => {
    const [a, b] = [...down.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.hypot(a.x - b.x, a.y - b.y) };
  };

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    const at = spot(event);
    down.set(event.pointerId, at);
    canvas.setPointerCapture(event.pointerId);
    if (down.size === 1 && (view.lassoing || event.shiftKey)) {
      view.drawLasso([at]);
      return;
    }
    if (down.size === 1) grip = { ...under(event, at), from: at, last: at, moved: false };
    if (down.size === 2) ({ apart } = spread());
  });
  canvas.addEventListener("pointermove", (event) => {
    const at = spot(event);
    if (!down.has(event.pointerId)) {
      if (event.pointerType !== "touch") view.point(under(event, at), at);
      return;
    }
    down.set(event.pointerId, at);
    if (view.lasso.length) {
      view.drawLasso([...view.lasso, at]);
      return;
    }
    if (down.size === 2) {
      const now = spread();
      if (apart > 0) view.zoomBy(now.apart / apart, now.x, now.y);
      ({ apart } = now);
      grip.moved = true;
      return;
    }
    if (!grip || down.size > 1) return;
    if (!grip.moved && Math.hypot(at.x - grip.from.x, at.y - grip.from.y) < slack) return;
    if (!grip.moved && grip.vertex >= 0) view.remember();
    grip.moved = true;
    if (grip.vertex >= 0) view.moveVertex(grip.vertex, at.x, at.y);
    else view.pan(at.x - grip.last.x, at.y - grip.last.y);
    grip.last = at;
    view.stage.classList.add("is-dragging");
  });
  const release = (event) => {
    if (!down.delete(event.pointerId)) return;
    if (view.lasso.length) view.endLasso(event.type === "pointerup");
    if (grip && !grip.moved && event.type === "pointerup" && down.size === 0) {
      view.choose(grip.vertex);
      if (grip.vertex < 0 && grip.edge >= 0) view.point(grip, grip.from);
    }
    if (down.size === 0) {
      grip = null;
      view.stage.classList.remove("is-dragging");
    }
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", (event) => {
    if (event.pointerType !== "touch") view.point({ vertex: -1, edge: -1 });
  });
  canvas.addEventListener("dblclick", (event) => {
    const at = spot(event);
    view.zoomBy(2, at.x, at.y);
  });

  // A page must scroll past the graph: the wheel zooms once the graph has the focus.
  canvas.addEventListener("wheel", (event) => {
    if (document.activeElement !== canvas && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const at = spot(event);
    const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : 1);
    view.zoomBy(Math.exp(-Math.max(-200, Math.min(200, pixels)) / 300), at.x, at.y);
  }, { passive: false });

  const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  canvas.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "z") {
      view.undo();
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in directions) {
      const [dx, dy] = directions[event.key];
      if (event.shiftKey) view.pan(-40 * dx, 40 * dy);
      else view.walk(dx, dy);
    } else if (event.key === "+" || event.key === "=") view.zoomBy(step);
    else if (event.key === "-" || event.key === "_") view.zoomBy(1 / step);
    else if (event.key === "0") view.fit();
    else if (event.key === " ") view.togglePart();
    else if (event.key === "Escape") view.escape();
    else return;
    event.preventDefault();
  });
}
