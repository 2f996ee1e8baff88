// readLine makes events of a line that the program writes while it works: JSON is
// an event, its graph another, the names of vertices a third; all else is words.
export function readLine(line) {
  let told = null;
  if (line.startsWith("{")) {
    try {
      told = JSON.parse(line);
    } catch {
      // words that begin with a brace
    }
  }
  if (!told?.event) return [{ event: "words", text: line }];
  const events = [];
  const { graph, ...rest } = told;
  if (graph) {
    const { vertices, ...drawing } = graph;
    if (vertices) events.push({ event: "vertices", vertices });
    events.push({ ...drawing, event: "graph" });
    if (told.event === "graph") return events; // nothing but the graph
  }
  return [...events, rest];
}
