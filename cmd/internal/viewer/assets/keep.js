// Taking things away: files and the command line.

import { download, make } from "./report/dom.js";

// save hands a result of a job to the browser's downloads.
export async function save(job, name) {
  try {
    download(await job.file(name), name);
  } catch (error) {
    document.getElementById("sentence").textContent = error.message;
    document.getElementById("fault").hidden = false;
  }
}

// commandLine shows what to type for the same result, with a button to copy it; nothing if the
// result does not say.
export function commandLine({ command: text }) {
  if (!text) return [];
  const words = text.split(" ").flatMap((word, k) => [k ? " " : "", make("span", { textContent: word })]); // flags break as a whole
  const button = make("button", { type: "button", textContent: "Copy" });
  const code = make("code", { id: "command", tabIndex: 0 }, ...words);
  button.addEventListener("click", async () => {
    getSelection().selectAllChildren(code); // for where the clipboard is closed to pages
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  return [make("div", { className: "command" }, make("p", { className: "soft", textContent: "The same on the command line:" }),
    make("div", {}, code, button))];
}
