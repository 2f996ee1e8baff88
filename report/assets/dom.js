// Building a page from values. Text is only ever set as text, so that a name
// cannot become markup.

// make returns an element with properties and children; strings become text.
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes("-") || key === "role" || key === "for" || key === "list") element.setAttribute(key, value);
    else element[key] = value;
  }
  element.append(...children.filter((c) => c !== null && c !== undefined));
  return element;
}

// draw returns an SVG element with attributes and children.
export function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.filter((c) => c !== null && c !== undefined));
  return element;
}

// calm reports whether the reader has asked for no motion.
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// download hands a blob to the browser's downloads.
export function download(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = make("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
