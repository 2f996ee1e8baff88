// Shows the report that the page which opened this one hands over.
"use strict";

addEventListener("message", ({ origin, data }) => {
  if (origin !== location.origin || typeof data.report !== "string") return;
  document.open();
  document.write(data.report);
  document.close();
});
opener?.postMessage("ready", location.origin);
