// The graph of a run, as its report draws it: with the edges that its cut dropped, its
// layouts and its communities.

import { graphData } from "./report/graph_data.js";

const data = /<script type="application\/json" id="data">(.*?)<\/script>/s; // which has no < itself

// readGraph resolves to what a GraphView takes. report is a blob; nothing in it is run.
export async function readGraph(report) {
  return graphData(JSON.parse((await report.text()).match(data)[1]));
}
