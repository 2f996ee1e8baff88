// The graph behind the picture: which edges are shown, and who is joined to whom.

// The ways to say which edges are shown. Those but the first go by what is known of edges: where a limit
// begins, whether an edge is within it, and in which order edges come.
const heavier = (a, b) => Math.abs(b[2]) - Math.abs(a[2]) || a[0] - b[0] || a[1] - b[1];
const surer = (a, b) => (b[3] ?? 0) - (a[3] ?? 0) || heavier(a, b);
const q = (edge) => edge[5]?.[3] ?? 1;
const filters = {
  number: null,
  confidence: { limit: 0.9, sign: "≥", within: (edge, limit) => (edge[3] ?? 0) >= limit, before: surer, first: "surest first" },
  q: { limit: 0.1, sign: "≤", within: (edge, limit) => q(edge) <= limit, before: (a, b) => q(a) - q(b) || heavier(a, b), first: "smallest q first" },
};

const readableEdges = 200, readablePerVertex = 3; // edges, beyond which a drawing is a tangle

export class GraphModel {
  // vertices: [{name, x, y}], y upwards; columns: [{name, text: […]} or {name, numbers: […]}].
  // community: a number for each vertex, or nothing.
  constructor({ vertices, edges = [], directed = false, kept, columns = [], community = null }) {
    this.names = vertices.map((v) => v.name);
    this.x = Float64Array.from(vertices, (v) => v.x);
    this.y = Float64Array.from(vertices, (v) => v.y);
    this.columns = columns;
    this.community = community;
    this.directed = directed;
    this.noun = directed ? "arrow" : "edge"; // what an edge is called
    this.joint = directed ? "→" : "–"; // between the names of its ends
    this.setEdges(edges, kept);
  }

  // setEdges takes [i, j, weight, confidence or null, mark, evidence]. The first kept of them are the
  // graph, others the candidates that its cut dropped. Both are ranked by the size of the weight; if
  // there are more than can be told apart, the surest come first and the rest are hidden.
  setEdges(edges, kept = edges.length) {
    this.readable = Math.max(readableEdges, readablePerVertex * this.names.length);
    this.hasConfidence = edges.some((e) => e[3] !== null && e[3] !== undefined);
    this.hasEvidence = edges.some((e) => e[5]);
    this.surestFirst = this.hasConfidence && kept > this.readable;
    this.edges = [...edges.slice(0, kept), ...edges.slice(kept).sort(heavier)];
    this.kept = kept;
    this.heaviest = this.edges.reduce((most, e) => Math.max(most, Math.abs(e[2])), 0);
    this.filterBy("number");
  }

  // ways lists by what edges can be filtered.
  get ways() {
    return ["number", ...(this.hasConfidence ? ["confidence"] : []), ...(this.hasEvidence ? ["q"] : [])];
  }

  // filterBy shows edges by their number, or those of the graph whose confidence or q is within a limit.
  filterBy(way, limit = filters[way]?.limit) {
    this.way = way;
    this.limit = limit ?? null;
    const before = filters[way]?.before ?? (this.surestFirst ? surer : heavier);
    this.edges = [...this.edges.slice(0, this.kept).sort(before), ...this.edges.slice(this.kept)];
    this.setCut(filters[way] ? this.edges.slice(0, this.kept).filter((e) => filters[way].within(e, limit)).length : Math.min(this.kept, this.readable));
  }

  // within says what limit edges are within, such as "q ≤ 0.1"; empty if they are shown by their number.
  get within() {
    return filters[this.way] ? `${this.way} ${filters[this.way].sign} ${Number(this.limit.toFixed(2))}` : "";
  }

  // first says which edges come first.
  get first() {
    return filters[this.way]?.first ?? (this.surestFirst ? "surest first" : "heaviest first");
  }

  // setCut shows the k edges of highest rank.
  setCut(k) {
    this.cut = Math.max(0, Math.min(Math.round(k), this.edges.length));
    this.shown = this.edges.slice(0, this.cut);
    this.neighbours = this.names.map(() => []);
    this.strength = new Float64Array(this.names.length);
    this.shown.forEach(([i, j, weight], e) => {
      this.neighbours[i].push({ vertex: j, edge: e });
      this.neighbours[j].push({ vertex: i, edge: e });
      this.strength[i] += Math.abs(weight);
      this.strength[j] += Math.abs(weight);
    });
    this.component = components(this.neighbours);
    this.places = new Map(this.directed ? this.shown.map(([i, j], e) => [i * this.names.length + j, e]) : []);
  }

  // opposite returns the arrow shown that leads the other way, or -1.
  opposite(e) {
    const [i, j] = this.shown[e];
    return this.places.get(j * this.names.length + i) ?? -1;
  }

  // negative is true if an edge is shown between vertices that move against each other.
  get negative() {
    return this.shown.some((e) => e[2] < 0);
  }

  // threshold is the least weight shown, by size, or null.
  get threshold() {
    if (this.cut === 0) return null;
    if (this.surestFirst || filters[this.way]) return this.shown.reduce((least, e) => Math.min(least, Math.abs(e[2])), Infinity);
    const last = Math.abs(this.edges[this.cut - 1][2]);
    return this.cut > this.kept && this.kept > 0 ? Math.min(last, Math.abs(this.edges[this.kept - 1][2])) : last;
  }

  index(name) {
    return this.names.indexOf(name);
  }

  // find returns the vertex that somebody may mean, or -1: the name itself, one that
  // begins with it, one that contains it.
  find(text) {
    const exact = this.index(text);
    const sought = text.trim().toLowerCase();
    if (exact >= 0 || sought === "") return exact;
    const lower = this.names.map((n) => n.toLowerCase());
    for (const fits of [(n) => n === sought, (n) => n.startsWith(sought), (n) => n.includes(sought)]) {
      const at = lower.findIndex(fits);
      if (at >= 0) return at;
    }
    return -1;
  }
}

// components labels each vertex with the first vertex of its component.
function components(neighbours) {
  const label = new Int32Array(neighbours.length).fill(-1);
  for (let first = 0; first < label.length; first++) {
    if (label[first] >= 0) continue;
    const open = [first];
    label[first] = first;
    while (open.length) {
      for (const { vertex } of neighbours[open.pop()]) {
        if (label[vertex] < 0) {
          label[vertex] = first;
          open.push(vertex);
        }
      }
    }
  }
  return label;
}
