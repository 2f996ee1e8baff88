// A link to a view: the fragment of the page's address says how the graph is looked at.

import { make } from "./dom.js";
import { readWords, wordsOf } from "./graph_state.js";

const settle = 250; // milliseconds: browsers refuse to change an address all the time

// A ViewLink keeps the address of the page in step with a view. More words than those of the view,
// such as whose it is, come from own.
export class ViewLink {
  constructor(own = () => ({})) {
    this.own = own;
    this.view = null;
  }

  // read returns what the address says, with what it does not know as texts.
  read() { return readWords(location.hash.slice(1)); }

  // follow brings a view to a state, if one is given, and keeps the address in step with it.
  follow(view, state = null) {
    this.view = view;
    if (state && Object.keys(state).length) {
      view.show(state);
      if (state.look) view.lookAt(...state.look);
    }
    view.addEventListener("state", () => {
      clearTimeout(this.due);
      if (this.view === view) this.due = setTimeout(() => this.write(), settle);
    });
    this.write();
    if (!view.panel) return;
    const button = make("button", { type: "button", className: "graph-link", title: "copy the address of this page, with filters, selection, layout and zoom" }, "Copy link");
    button.addEventListener("click", () => this.copy(button));
    view.panel.acts.append(button);
  }

  // leave empties the address.
  leave() {
    this.view = null;
    clearTimeout(this.due);
    this.put("");
  }

  write() {
    const { view } = this;
    if (view) this.put(wordsOf({ ...this.own(), ...view.state, ...(view.touched ? { look: view.looking } : {}) }));
  }

  put(words) {
    if (words === location.hash.slice(1)) return;
    try {
      history.replaceState(history.state, "", words ? `#${words}` : `${location.pathname}${location.search}`);
    } catch {
      // a page within another has no address of its own
    }
  }

  async copy(button) {
    clearTimeout(this.due);
    this.write();
    try {
      await navigator.clipboard.writeText(location.href);
      button.textContent = "Copied";
    } catch {
      button.textContent = "See address bar"; // where the clipboard is closed to pages
    }
    setTimeout(() => { button.textContent = "Copy link"; }, 2000);
  }
}
