// What a graph file knows about its vertices beside their names.

const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

// find returns the attribute that has one of these names, whatever the case.
function find(nodes, names) {
  const keys = Object.keys(nodes[0] ?? {});
  return keys.find((key) => names.includes(key.toLowerCase()) && nodes.every((node) => isNumber(node[key])));
}

// placed gives vertices their places: real ones where the file has them, else
// those where they lay while the graph was learned.
export function placed(nodes, live) {
  const [x, y] = [find(nodes, ["x"]), find(nodes, ["y"])];
  if (x && y) return { vertices: nodes.map((node) => ({ name: node.id, x: node[x], y: node[y] })) };
  const [lat, lon] = [find(nodes, ["lat", "latitude"]), find(nodes, ["lon", "lng", "long", "longitude"])];
  if (lat && lon) {
    const middle = nodes.reduce((sum, node) => sum + node[lat], 0) / nodes.length;
    const shrink = Math.cos((middle * Math.PI) / 180);
    return { vertices: nodes.map((node) => ({ name: node.id, x: shrink * node[lon], y: node[lat] })), geographic: true };
  }
  const index = new Map(live.names.map((name, k) => [name, k]));
  return { vertices: nodes.map(({ id }) => ({ name: id, x: live.places.x[index.get(id)], y: live.places.y[index.get(id)] })) };
}

// columns are the other attributes, to colour vertices by.
export function columns(nodes) {
  const keys = [...new Set(nodes.flatMap((node) => Object.keys(node)))].filter((key) => key !== "id" && key !== "name");
  return keys.map((name) => {
    const values = nodes.map((node) => node[name] ?? "");
    return values.every((value) => value === "" || isNumber(value))
      ? { name, numbers: values.map((value) => (value === "" ? NaN : value)) } : { name, text: values.map(String) };
  });
}
