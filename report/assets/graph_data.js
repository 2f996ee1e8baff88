// From the document of a report to what a GraphView takes.

// graphData reads the graph, its layouts and its communities.
export function graphData({ names, layouts, order, edges, kept, directed, columns, geographic, community }) {
  const [{ x, y }] = layouts;
  const ways = [...layouts];
  ways.splice(ways.length > 1 ? -1 : 1, 0, { name: "circle", ...circle(order) });
  return { vertices: names.map((name, i) => ({ name, x: x[i], y: y[i] })), edges, kept, directed, columns, geographic, community, layouts: ways };
}

// circle puts vertices around a circle, in an order in which joined ones are near.
function circle(order) {
  const x = [], y = [];
  order.forEach((vertex, k) => {
    const angle = (2 * Math.PI * k) / order.length;
    x[vertex] = Math.sin(angle);
    y[vertex] = Math.cos(angle);
  });
  return { x, y };
}
