// columns are what a graph file knows about its vertices beside their names and
// places, to colour them by.
export function columns(nodes) {
  const keys = [...new Set(nodes.flatMap((node) => Object.keys(node)))].filter((key) => !["id", "name", "x", "y"].includes(key));
  return keys.map((name) => {
    const values = nodes.map((node) => node[name] ?? "");
    return values.every((value) => value === "" || typeof value === "number")
      ? { name, numbers: values.map((value) => (value === "" ? NaN : value)) } : { name, text: values.map(String) };
  });
}
