package measure

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/metrics"
)

// A Set is measured signals, and what can be known about their graph.
type Set struct {
	Name  string
	Flags []string // what a user would say about the signals
	rows  int      // the first that many; zero means all
	array bool     // the signals are in signals.npz, not in signals.csv

	Truth    string  // what the true edges are
	lightest float64 // of them, the weight from which on they count
	groups   string  // the column of vertices.csv that edges should not leave, where there are no true edges
	edges    int     // to ask for where there are no true edges

	Methods []string // of compare, and to be measured; nil means all

	// Reference is the best F1 at the true number of edges (or share inside groups)
	// of correlation, nearest neighbours, tree, partial correlation and graphical
	// lasso in other software, the penalty of the last chosen by the truth.
	// Geography is the score of the nearest pairs on the map. Zero means unknown.
	Reference, Geography float64
}

// Sets are those of the page, in its order.
var Sets = []Set{
	{Name: "danube", Flags: []string{"--log"}, Truth: "river tree", Reference: 0.90, Geography: 0.60},
	{Name: "molene", Flags: []string{"--difference"}, Truth: "Gabriel graph of the map, a proxy", Reference: 0.73, Geography: 0.83},
	{
		Name: "metr_la", Truth: "near by road (weight 0.7 or more)", lightest: 0.7, Reference: 0.58, Geography: 0.30,
		Methods: []string{"causal", "cgl", "consensus", "correlation", "ggl", "ggm", "glasso", "knn", "partial", "tree", "trees"},
	},
	{Name: "sachs", Flags: []string{"--log-offset", "10"}, rows: 853, Truth: "signalling network", Reference: 0.63},
	{Name: "chickenpox", Flags: []string{"--log-offset", "1"}, Truth: "common border", Reference: 0.32, Geography: 0.88},
	{Name: "animals", Truth: "9 groups", groups: "group", edges: 63, Reference: 0.70},
	{Name: "stocks", Truth: "10 sectors", groups: "sector", edges: 84, Reference: 0.88},
	{Name: "patches10", array: true, Truth: "pixel grid", Methods: append([]string{"cgl", "ggm", "glasso"}, quick...), Reference: 0.98},
	{Name: "patches20", array: true, Truth: "pixel grid", Methods: quick, Reference: 0.98},
	{Name: "patches28", array: true, Truth: "pixel grid", Methods: quick, Reference: 0.99},
}

// quick are the methods that take less than minutes on hundreds of vertices.
var quick = []string{"consensus", "correlation", "ggl", "partial", "smooth-log", "tree", "trees"}

// SetNamed returns the set of that name, which there is.
func SetNamed(name string) Set {
	return Sets[slices.IndexFunc(Sets, func(s Set) bool { return s.Name == name })]
}

// signals is the name of the file with the signals.
func (s Set) signals() string {
	if s.array {
		return "signals.npz"
	}
	return "signals.csv"
}

// read returns the signals of a set in a directory, as many as it takes, and what is known about their
// graph. A copy of the file with these signals is left in another directory.
func (s Set) read(from, to string) (y *nervure.Signals, known Target, err error) {
	content, err := os.ReadFile(filepath.Join(from, s.signals()))
	if err != nil {
		return nil, known, err
	}
	if s.rows > 0 {
		lines := bytes.SplitAfter(content, []byte("\n"))
		content = bytes.Join(lines[:s.rows+1], nil) // and the header
	}
	path := filepath.Join(to, s.signals())
	if err := os.WriteFile(path, content, 0o600); err != nil {
		return nil, known, err
	}
	if y, err = dataio.ReadSignals(path, dataio.ReadOptions{}); err == nil {
		known, err = s.target(from, y.Names)
	}
	return y, known, err
}

// target reads what the directory of a set has.
func (s Set) target(dir string, names []string) (Target, error) {
	if s.groups == "" {
		all, err := dataio.ReadGraph(filepath.Join(dir, "truth_edges.csv"), names)
		if err != nil {
			return Target{}, err
		}
		kept := slices.DeleteFunc(all.Edges(), func(e graph.Edge) bool { return e.Weight < s.lightest })
		truth, err := graph.New(names, kept)
		return Target{truth: truth, names: names}, err
	}
	rows, err := table(filepath.Join(dir, "vertices.csv"))
	known := Target{names: names, group: map[string]string{}}
	for _, row := range rows {
		group, there := row[s.groups]
		if !there {
			return known, fmt.Errorf("%s has no column %s", dir, s.groups)
		}
		known.group[row[""]] = group
	}
	return known, err
}

// table reads a table, a map from column to cell for each row; "" is the first column, too.
func table(path string) ([]map[string]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s is empty", path)
	}
	var all []map[string]string
	for _, row := range rows[1:] {
		cells := map[string]string{"": row[0]}
		for k, name := range rows[0] {
			cells[name] = row[k]
		}
		all = append(all, cells)
	}
	return all, nil
}

// A source is signals with what is known about their graph, read when they are wanted.
type source struct {
	name string
	read func() (*nervure.Signals, Target, error)
}

// realSources are the sets of a directory, each in one of its name.
func realSources(data string) (all []source) {
	for _, s := range Sets {
		all = append(all, source{s.Name, func() (*nervure.Signals, Target, error) {
			dir, err := os.MkdirTemp("", "nervure-set-")
			if err != nil {
				return nil, Target{}, err
			}
			defer func() { _ = os.RemoveAll(dir) }()
			return s.read(filepath.Join(data, s.Name), dir)
		}})
	}
	return all
}

// plainSources are folders with signals in a file, and the true edges beside it.
func plainSources(data, pattern, file string) (all []source, err error) {
	folders, err := filepath.Glob(filepath.Join(data, filepath.FromSlash(pattern)))
	for _, f := range folders {
		name, err := filepath.Rel(data, f)
		if err != nil {
			return nil, err
		}
		all = append(all, source{filepath.ToSlash(name), func() (*nervure.Signals, Target, error) {
			y, err := dataio.ReadSignals(filepath.Join(f, file), dataio.ReadOptions{})
			if err != nil {
				return nil, Target{}, err
			}
			known, err := Set{lightest: math.Inf(-1)}.target(f, y.Names)
			return y, known, err
		}})
	}
	return all, err
}

// cells has a cell for each source.
func cells(all []source, measure func(ctx context.Context, s *nervure.Signals, known Target) (Values, error)) (list []Cell) {
	for _, from := range all {
		list = append(list, cell(func(ctx context.Context, _ uint64) (Values, error) {
			s, known, err := from.read()
			if err != nil {
				return nil, err
			}
			return measure(ctx, s, known)
		}, experiment.Text("set", from.name)))
	}
	return list
}

// A Target is what is known about a graph: its true edges, or groups that edges should not leave.
type Target struct {
	truth *graph.Graph // nil where there are groups
	names []string
	group map[string]string // vertex → group
}

func truth(g *graph.Graph) Target { return Target{truth: g, names: g.Names()} }

// Edges is how many edges are true, zero if only groups are known.
func (t Target) Edges() int {
	if t.truth == nil {
		return 0
	}
	return t.truth.EdgeCount()
}

// Right counts the edges that are true, or inside a group.
func (t Target) Right(edges []graph.Edge) (count int) {
	for _, e := range edges {
		if t.truth != nil && t.truth.HasEdge(e.I, e.J) || t.truth == nil && t.group[t.names[e.I]] == t.group[t.names[e.J]] {
			count++
		}
	}
	return count
}

// score is the F1 of a graph, or the share of its edges inside groups.
func (t Target) score(g *graph.Graph) (float64, error) {
	if t.truth != nil {
		return metrics.EdgeF1(g, t.truth)
	}
	return float64(t.Right(g.Edges())) / float64(max(g.EdgeCount(), 1)), nil
}

// chance is the share of all pairs that are right.
func (t Target) chance() float64 {
	var all []graph.Edge
	for j := range t.names {
		for i := range j {
			all = append(all, graph.Edge{I: i, J: j})
		}
	}
	return float64(t.Right(all)) / float64(len(all))
}

// sureFrom is the confidence from which on the tool is sure of an edge.
const sureFrom = 0.9

// sureEdges returns the edges of a graph that the tool is sure of; none without confidence.
func sureEdges(g *graph.Graph) (sure []graph.Edge) {
	edges := g.Edges()
	for k, c := range g.Confidence() {
		if c >= sureFrom {
			sure = append(sure, edges[k])
		}
	}
	return sure
}
