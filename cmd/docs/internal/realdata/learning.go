package realdata

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nervure/nervure/cmd/docs/internal/records"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/metrics"
)

// A learning is a set in a directory of its own.
type learning struct {
	Measurement
	set   Set
	dir   string
	known Target
}

// measure learns by the method that the tool chooses, with confidence, asks compare
// for advice, and learns by every method with its own number of edges and with the
// number asked for.
func (l *learning) measure(ctx context.Context) (Record, error) {
	r := Record{Set: l.set.Name, Asked: l.set.edges, Chance: l.known.chance()}
	if edges := l.known.Edges(); edges > 0 {
		r.Asked = edges
	}
	auto, err := l.method(ctx, Auto, r.Asked, "--summary", "summary.json")
	if err != nil {
		return r, err
	}
	r.Methods = append(r.Methods, auto)
	if _, err := os.Stat(filepath.Join(l.dir, "summary.json")); err == nil { // without edges, too, there is a verdict
		if err := l.readSummary(&r); err != nil {
			return r, err
		}
		if err := l.countSure(&r); err != nil {
			return r, err
		}
	}
	compared, err := l.compare(ctx, &r)
	if err != nil {
		return r, err
	}
	for _, name := range compared {
		scores, err := l.method(ctx, name, r.Asked, "--confidence", "no")
		if err != nil {
			return r, err
		}
		r.Methods = append(r.Methods, scores)
	}
	return r, nil
}

// method learns by a method with its own number of edges, and with the one asked for.
func (l *learning) method(ctx context.Context, name string, asked int, extra ...string) (Scores, error) {
	s := Scores{Method: name}
	begin := time.Now()
	own, err := l.run(ctx, "learn", name+".csv", append([]string{"--method", name}, extra...)...)
	if err != nil || !own.made {
		s.Failed = "no graph"
		return s, err
	}
	s.Seconds = time.Since(begin).Seconds()
	g, err := l.graph(name + ".csv")
	if err != nil {
		return s, err
	}
	s.Edges = g.EdgeCount()
	if s.Own, err = l.known.score(g); err != nil {
		return s, err
	}
	cut, err := l.run(ctx, "learn", "asked.csv", "--method", name, "--edges", strconv.Itoa(asked), "--confidence", "no")
	s.Interrupted = own.interrupted || cut.interrupted
	if err != nil || !cut.made {
		s.Failed = fmt.Sprintf("no graph of %d edges", asked)
		return s, err
	}
	if g, err = l.graph("asked.csv"); err != nil {
		return s, err
	}
	s.Asked, err = l.known.score(g)
	return s, err
}

func (l *learning) graph(name string) (*graph.Graph, error) {
	return dataio.ReadGraph(filepath.Join(l.dir, name), l.known.names)
}

func (l *learning) readSummary(r *Record) error {
	var summary document.Summary
	if err := l.readJSON("summary.json", &summary); err != nil {
		return err
	}
	if summary.Choice != nil {
		r.Predicted = summary.Choice.Predicted
	}
	r.Vertices, r.Signals = summary.Vertices, summary.Signals
	r.Chosen, r.Verdict, r.Prepared = summary.Method, summary.Verdict, summary.Preparation.Sentence
	return nil
}

// countSure counts the edges that the tool is sure of.
func (l *learning) countSure(r *Record) error {
	g, err := l.graph(Auto + ".csv")
	if err != nil || g.Confidence() == nil {
		return err
	}
	sure := records.SureEdges(g)
	r.Sure, r.SureTrue = new(len(sure)), l.known.Right(sure)
	return nil
}

// compare asks which method to take and returns those that were compared. The
// truth is not there to be seen.
func (l *learning) compare(ctx context.Context, r *Record) ([]string, error) {
	args := []string{"--time-limit", "0"} // so that it can be repeated on other machines
	if l.set.Methods != nil {
		args = append(args, "--methods", strings.Join(l.set.Methods, ","))
	}
	done, err := l.run(ctx, "compare", "comparison.json", args...)
	if err != nil || !done.made {
		return nil, err
	}
	var comparison document.Comparison
	if err := l.readJSON("comparison.json", &comparison); err != nil {
		return nil, err
	}
	r.Interrupted = done.interrupted
	if comparison.Recommendation != nil {
		r.Recommended = comparison.Recommendation.Method
	}
	var names []string
	for _, c := range comparison.Methods {
		if c.Error == "" {
			names = append(names, c.Method)
		}
	}
	return names, nil
}

func (l *learning) readJSON(name string, to any) error {
	text, err := os.ReadFile(filepath.Join(l.dir, name))
	if err != nil {
		return err
	}
	return json.Unmarshal(text, to)
}

// A Target is what is known about the graph of a set: its true edges, or groups
// that edges should not leave.
type Target struct {
	names []string
	truth *graph.Graph      // nil where there are groups
	group map[string]string // vertex → group, nil where there is a truth
}

// readTarget reads what the directory of a set has.
func readTarget(s Set, dir string, names []string) (Target, error) {
	known := Target{names: names}
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
func (k Target) score(g *graph.Graph) (float64, error) {
	if k.truth != nil {
		return metrics.EdgeF1(g, k.truth)
	}
	return float64(k.Right(g.Edges())) / float64(max(g.EdgeCount(), 1)), nil
}

// Right counts the edges that are true, or inside a group.
func (k Target) Right(edges []graph.Edge) int {
	count := 0
	for _, e := range edges {
		if k.truth != nil && k.truth.HasEdge(e.I, e.J) || k.truth == nil && k.group[k.names[e.I]] == k.group[k.names[e.J]] {
			count++
		}
	}
	return count
}

// Edges is how many edges are true, zero if only groups are known.
func (k Target) Edges() int {
	if k.truth == nil {
		return 0
	}
	return k.truth.EdgeCount()
}

// chance is the share of all pairs that are right.
func (k Target) chance() float64 {
	var all []graph.Edge
	for j := range k.names {
		for i := range j {
			all = append(all, graph.Edge{I: i, J: j})
		}
	}
	return float64(k.Right(all)) / float64(len(all))
}
