// The page: reads the data and fills the sections.

import { GraphView } from "./graph.js";
import { inFrame } from "./frame.js";
import { graphData } from "./graph_data.js";
import { ViewLink } from "./graph_link.js";
import { HeatMap } from "./heatmap.js";
import { showAtoms, showConvergence, showEdgeRounds, showKernels, showSignalResidual, showSpectrum, showUsage, showVertexResidual, showWeights } from "./sections.js";
import { showSensors } from "./timeline.js";

const data = JSON.parse(document.getElementById("data").textContent);
const place = (id) => document.getElementById(id);

const view = new GraphView(place("graph"), graphData(data));
const heatmap = new HeatMap(place("heatmap"), data.names, data.order, data.directed);
heatmap.show(view.model.edges.slice(0, data.kept)); // all of them, even where the drawing begins with fewer
view.addEventListener("cut", () => heatmap.show(view.visibleEdges()));
if (data.sensors) showSensors(place("sensors"), data);
showWeights(place("weights"), data);
if (data.spectrum) showSpectrum(place("spectrum"), data);

let paintAtoms = () => {};
if (place("convergence")) {
  showConvergence(place("convergence"), data);
  showEdgeRounds(place("edge-rounds"), data);
  showKernels(place("kernels"), data);
  showUsage(place("usage"), data);
  if (data.atoms) paintAtoms = showAtoms(place("atoms"), data);
  else place("atoms-section").hidden = true;
}
if (place("vertex-residual")) {
  showVertexResidual(place("vertex-residual"), data);
  showSignalResidual(place("signal-residual"), data);
}

// Light and dark: as the system has it, until the reader says otherwise. Paper is light.
const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)"), toggle = place("theme");
const isDark = () => (root.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
function repaint(density) {
  toggle.textContent = isDark() ? "Light" : "Dark";
  view.restyle();
  view.changed();
  heatmap.paint(density);
  paintAtoms(density);
}
toggle.addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  repaint();
});
dark.addEventListener("change", () => repaint());
repaint();
inFrame((isDark) => {
  root.dataset.theme = isDark ? "dark" : "light";
  repaint();
});

let themeOnScreen;
addEventListener("beforeprint", () => {
  themeOnScreen = root.dataset.theme;
  root.dataset.theme = "light";
  repaint(3);
  view.print();
});
addEventListener("afterprint", () => {
  if (themeOnScreen === undefined) delete root.dataset.theme;
  else root.dataset.theme = themeOnScreen;
  repaint();
  view.resize();
});

place("copy")?.addEventListener("click", async () => {
  const command = place("command");
  getSelection().selectAllChildren(command); // for where the clipboard is closed to pages
  try {
    await navigator.clipboard.writeText(command.textContent);
    place("copy").textContent = "Copied";
  } catch {
    place("copy").textContent = "Selected";
  }
});

const link = new ViewLink();
link.follow(view, link.read());
addEventListener("hashchange", () => view.show(link.read()));

window.nervure = { view, heatmap };
