// The graph behind the picture: which edges are shown, and who is joined to whom.

// The ways to say which edges are shown. Those but the first go by what is known of edges: where a limit
// begins, whether an edge is within it, and in which order edges come.
const heavier = (a, b) => Math.abs(b[2]) - Math.abs(a[2]) || a[0] - b[0] || a[1] - b[1];
const surer = (a, b) => (b[3] ?? 0) - (a[3] ?? 0) || heavier(a, b);
const q = (edge) => edge[5]?.[3] ?? 1;
const share = () => 1;
const filters = {
  number: null,
  weight: { limit: (model) => model.heaviest / 10, most: (model) => model.heaviest, sign: "≥", within: (edge, limit) => Math.abs(edge[2]) >= limit, before: heavier, first: "heaviest first" },
  confidence: { limit: () => 0.9, most: share, sign: "≥", within: (edge, limit) => (edge[3] ?? 0) >= limit, before: surer, first: "surest first" },
  q: { limit: () => 0.1, most: share, sign: "≤", within: (edge, limit) => q(edge) <= limit, before: (a, b) => q(a) - q(b) || heavier(a, b), first: "smallest q first" },
};

export const signs = ["all", "positive", "negative"]; // of edges, to filter by
export const everyCommunity = -1;

const readableEdges = 200, readablePerVertex = 3; // edges, beyond which a drawing is a tangle
const manyEdges = 5000; // that are not drawn at once: the surest come first

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
    this.hasSigns = edges.some((e) => e[2] < 0) && edges.some((e) => e[2] > 0);
    this.surestFirst = this.hasConfidence && kept > Math.min(this.readable, manyEdges);
    this.heaviest = edges.reduce((most, e) => Math.max(most, Math.abs(e[2])), 0);
    this.graph = edges.slice(0, kept);
    this.candidates = edges.slice(kept).sort(heavier);
    this.sign = signs[0];
    this.only = everyCommunity;
    this.filterBy("number");
  }

  // ways lists by what edges can be filtered.
  get ways() {
    return ["number", "weight", ...(this.hasConfidence ? ["confidence"] : []), ...(this.hasEvidence ? ["q"] : [])];
  }

  // communities lists those that have more than one vertex, the largest first, as {label, size}.
  get communities() {
    const size = new Map();
    for (const label of this.community ?? []) size.set(label, (size.get(label) ?? 0) + 1);
    return [...size].map(([label, members]) => ({ label, size: members })).filter((c) => c.size > 1).sort((a, b) => b.size - a.size || a.label - b.label);
  }

  // restrict shows edges of one sign, and those within one community, alone.
  restrict({ sign = this.sign, community = this.only }) {
    Object.assign(this, { sign, only: community });
    this.filterBy(this.way, this.limit ?? undefined);
  }

  // has reports whether a vertex is of the community that is shown.
  has(i) {
    return this.only === everyCommunity || this.community[i] === this.only;
  }

  get isRestricted() { return this.sign !== signs[0] || this.only !== everyCommunity; }

  // filterBy shows edges by their number, or those of the graph whose weight, confidence or q is within a limit.
  filterBy(way, limit = filters[way]?.limit(this)) {
    this.way = way;
    this.limit = limit ?? null;
    const fits = (e) => (this.sign === signs[0] || e[2] < 0 === (this.sign === "negative")) && this.has(e[0]) && this.has(e[1]);
    const own = this.graph.filter(fits).sort(filters[way]?.before ?? (this.surestFirst ? surer : heavier));
    this.kept = own.length;
    this.edges = [...own, ...this.candidates.filter(fits)];
    this.setCut(filters[way] ? own.findLastIndex((e) => filters[way].within(e, limit)) + 1 : Math.min(this.kept, this.readable));
  }

  // most is the largest limit of the way edges are filtered by.
  get most() { return filters[this.way]?.most(this) ?? this.edges.length; }

  // within says what limit edges are within, such as "q ≤ 0.1"; empty if they are shown by their number.
  get within() {
    if (!filters[this.way]) return "";
    return `${this.way} ${filters[this.way].sign} ${this.way === "weight" ? Number(this.limit.toPrecision(3)) : Number(this.limit.toFixed(2))}`;
  }

  // first says which edges come first.
  get first() {
    return filters[this.way]?.first ?? (this.surestFirst ? "surest first" : "heaviest first");
  }

  // setCut shows the k edges of highest rank.
  setCut(k) {
    this.cut = Math.max(0, Math.min(Math.round(k), this.edges.length));
    this.shown = this.edges.slice(0, this.cut);
    this.negative = this.shown.some((e) => e[2] < 0); // an edge between vertices that move against each other
    const n = this.names.length;
    this.degree = new Int32Array(n);
    this.strength = new Float64Array(n);
    for (const edge of this.shown) { // which are not taken apart as lists: that takes long
      const i = edge[0], j = edge[1], size = Math.abs(edge[2]);
      this.degree[i]++;
      this.degree[j]++;
      this.strength[i] += size;
      this.strength[j] += size;
    }
    this.start = new Int32Array(n + 1); // what vertex i is joined to is at places start[i] to start[i + 1]
    for (let i = 0; i < n; i++) this.start[i + 1] = this.start[i] + this.degree[i];
    const next = this.start.slice();
    this.ends = new Int32Array(2 * this.cut);
    this.by = new Int32Array(2 * this.cut); // which edges
    this.shown.forEach((edge, e) => {
      const i = edge[0], j = edge[1];
      this.ends[next[i]] = j;
      this.by[next[i]++] = e;
      this.ends[next[j]] = i;
      this.by[next[j]++] = e;
    });
    this.component = this.components();
    this.places = new Map(this.directed ? this.shown.map(([i, j], e) => [i * n + j, e]) : []);
  }

  // near lists what a vertex is joined to, by edges of falling rank.
  near(i) {
    return Array.from({ length: this.degree[i] }, (_, k) => ({ vertex: this.ends[this.start[i] + k], edge: this.by[this.start[i] + k] }));
  }

  // inside lists the edges shown that have both ends in a set of vertices.
  inside(set) {
    const list = [];
    for (const i of set) for (let k = this.start[i]; k < this.start[i + 1]; k++) if (this.shown[this.by[k]][0] === i && set.has(this.ends[k])) list.push(this.by[k]);
    return list.sort((a, b) => a - b);
  }

  // opposite returns the arrow shown that leads the other way, or -1.
  opposite(e) {
    if (!this.directed) return -1;
    const [i, j] = this.shown[e];
    return this.places.get(j * this.names.length + i) ?? -1;
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
    if (exact >= 0 || text.trim() === "") return exact;
    return this.matches(text, 1)[0] ?? -1;
  }

  // matches lists at most that many vertices that a text may mean, those whose names begin with it first.
  matches(text, most) {
    const sought = text.trim().toLowerCase(), found = [[], [], []];
    this.names.forEach((name, i) => {
      const lower = name.toLowerCase(), at = lower.indexOf(sought);
      if (at >= 0) found[lower === sought ? 0 : at === 0 ? 1 : 2].push(i);
    });
    return found.flat().slice(0, most);
  }

  // components labels each vertex with the first vertex of its component.
  components() {
    const label = new Int32Array(this.names.length).fill(-1);
    for (let first = 0; first < label.length; first++) {
      if (label[first] >= 0) continue;
      const open = [first];
      label[first] = first;
      while (open.length) {
        const i = open.pop();
        for (let k = this.start[i]; k < this.start[i + 1]; k++) {
          const vertex = this.ends[k];
          if (label[vertex] < 0) {
            label[vertex] = first;
            open.push(vertex);
          }
        }
      }
    }
    return label;
  }
}
