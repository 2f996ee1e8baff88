package realdata

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/metrics"
)

// A target is what is known about the graph of a set: its true edges, or groups
// that edges should not leave.
type target struct {
	names []string
	truth *graph.Graph      // nil where there are groups
	group map[string]string // vertex → group, nil where there is a truth
}

// readTarget reads what the directory of a set has.
func readTarget(s Set, dir string, names []string) (target, error) {
	known := target{names: names}
	var err error
	if s.groups != "" {
		known.group, err = readGroups(filepath.Join(dir, "vertices.csv"), s.groups)
	} else {
		known.truth, err = readTruth(filepath.Join(dir, "truth_edges.csv"), s.lightest, names)
	}
	return known, err
}

// readGroups reads a column of a table about vertices, whose first has the names.
func readGroups(path, column string) (map[string]string, error) {
	table, err := readTable(path)
	if err != nil {
		return nil, err
	}
	k := slices.Index(table[0], column)
	if k < 0 {
		return nil, fmt.Errorf("%s has no column %s", path, column)
	}
	group := map[string]string{}
	for _, row := range table[1:] {
		group[row[0]] = row[k]
	}
	return group, nil
}

// readTruth reads an edge list and keeps the edges from some weight on.
func readTruth(path string, lightest float64, names []string) (*graph.Graph, error) {
	all, err := dataio.ReadGraph(path, names)
	if err != nil {
		return nil, err
	}
	return graph.New(names, slices.DeleteFunc(all.Edges(), func(e graph.Edge) bool { return e.Weight < lightest }))
}

// readTable reads a CSV file of a header and some rows.
func readTable(path string) ([][]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	table, err := csv.NewReader(file).ReadAll()
	if err == nil && len(table) == 0 {
		err = fmt.Errorf("%s is empty", path)
	}
	return table, err
}

// score is the F1 of a graph, or the share of its edges inside groups.
func (k target) score(g *graph.Graph) (float64, error) {
	if k.truth != nil {
		return metrics.EdgeF1(g, k.truth)
	}
	return float64(k.right(g.Edges())) / float64(max(g.EdgeCount(), 1)), nil
}

// right counts the edges that are true, or inside a group.
func (k target) right(edges []graph.Edge) int {
	isTrue := map[[2]int]bool{}
	if k.truth != nil {
		for _, e := range k.truth.Edges() {
			isTrue[[2]int{e.I, e.J}] = true
		}
	}
	count := 0
	for _, e := range edges {
		if isTrue[[2]int{e.I, e.J}] || k.truth == nil && k.group[k.names[e.I]] == k.group[k.names[e.J]] {
			count++
		}
	}
	return count
}

// chance is the share of all pairs that are right.
func (k target) chance() float64 {
	var all []graph.Edge
	for j := range k.names {
		for i := range j {
			all = append(all, graph.Edge{I: i, J: j})
		}
	}
	return float64(k.right(all)) / float64(len(all))
}
