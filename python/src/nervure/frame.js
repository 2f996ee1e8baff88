// Runs in a notebook, after a frame with a learned graph: the frame gets the height that its page
// asks for, and the page is told whether the notebook is dark.
(() => {
  const dot = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

  // ground is the colour behind a frame: that of the nearest element that has one.
  function ground(frame) {
    for (let e = frame.parentElement; e; e = e.parentElement) {
      dot.clearRect(0, 0, 1, 1);
      dot.fillStyle = getComputedStyle(e).backgroundColor;
      dot.fillRect(0, 0, 1, 1);
      const color = dot.getImageData(0, 0, 1, 1).data;
      if (color[3] > 127) return color;
    }
    return null;
  }

  function isDark(frame) {
    const { classList } = document.body; // of VS Code, whose notebooks have no ground of their own
    if (classList.contains("vscode-light") || classList.contains("vscode-high-contrast-light")) return false;
    if (classList.contains("vscode-dark") || classList.contains("vscode-high-contrast")) return true;
    const color = ground(frame);
    if (!color) return matchMedia("(prefers-color-scheme: dark)").matches;
    return 0.299 * color[0] + 0.587 * color[1] + 0.114 * color[2] < 128;
  }

  function attend(frame) {
    const tell = () => frame.contentWindow?.postMessage({ nervure: { dark: isDark(frame) } }, "*");
    const change = () => { tell(); setTimeout(tell, 500); }; // themes may arrive in parts
    let told = false;
    const themes = new MutationObserver(change);
    for (const element of [document.documentElement, document.body]) {
      themes.observe(element, { attributes: true, attributeFilter: ["class", "style", "theme", "data-theme", "data-jp-theme-light", "data-jp-theme-name"] });
    }
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", change);
    frame.addEventListener("load", change);
    addEventListener("message", ({ source, data }) => {
      const height = data?.nervure?.height;
      if (!frame.isConnected || source !== frame.contentWindow || !(height > 0)) return;
      frame.style.height = `${Math.min(height + 2, 4000)}px`; // with its border
      if (!told) tell();
      told = true;
    });
  }

  for (const frame of document.querySelectorAll("iframe.nervure-graph:not([data-attended])")) {
    frame.dataset.attended = "";
    attend(frame);
  }
})();
