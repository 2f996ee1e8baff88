// The page within another one, such as a notebook, as the Python package puts it there.

// inFrame has the page around say whether it is dark, and tells it how high the frame should be.
// A page that stands for itself is left alone.
export function inFrame(setDark) {
  if (parent === window || !document.documentElement.classList.contains("is-embedded")) return;
  document.querySelector(".warnings")?.removeAttribute("open"); // the notebook has them already
  const main = document.querySelector("main");
  const tell = () => parent.postMessage({ nervure: { height: Math.ceil(main.getBoundingClientRect().bottom + scrollY) } }, "*");
  addEventListener("message", ({ source, data }) => {
    if (source !== parent || typeof data?.nervure?.dark !== "boolean") return;
    setDark(data.nervure.dark);
    tell();
  });
  new ResizeObserver(tell).observe(main);
}
