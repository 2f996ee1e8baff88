package nervure_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/metrics"
)

var (
	measureSets = flag.String("realdata", "", "measure real data anew: all, or the names of sets with commas between them")
	dataDir     = flag.String("data", "", "the directory of the real data sets")
	commandTime = flag.Duration("command-time", 20*time.Minute, "a command on real data is interrupted after so long, and what it has by then counts")
)

// usualData is where the sets lie beside a checkout, if they are there at all:
// most may not be passed on.
const usualData = "../shared/data"

const realDataResults = "docs/results/realdata.jsonl"

// A dataSet is measured signals, and what can be known about their graph.
type dataSet struct {
	name  string
	flags []string // what a user would say about the signals
	rows  int      // the first so many; zero means all

	truth    string  // what the true edges are
	lightest float64 // of them, the weight from which on they count
	groups   string  // the column of vertices.csv that edges should not leave, where there are no true edges
	edges    int     // to ask for where there are no true edges

	methods []string // of compare; nil means all

	// reference is the best F1 at the true number of edges (or share inside groups)
	// of correlation, nearest neighbours, tree, partial correlation and graphical
	// lasso in other software, the penalty of the last chosen by the truth.
	// geography is what the nearest pairs on the map come to.
	reference, geography float64
}

// Those of the table that comes with the data. The last methods of metr_la are
// those that take longest, so that an interrupt leaves the others.
var dataSets = []dataSet{
	{name: "danube", flags: []string{"--log"}, truth: "river tree", reference: 0.90, geography: 0.60},
	{name: "molene", flags: []string{"--difference"}, truth: "Gabriel graph of the map, a proxy", reference: 0.73, geography: 0.83},
	{
		name: "metr_la", truth: "near by road (weight 0.7 or more)", lightest: 0.7, reference: 0.58, geography: 0.30,
		methods: []string{"correlation", "knn", "tree", "trees", "ggm", "glasso", "sparse"},
	},
	{name: "sachs", flags: []string{"--log-offset", "10"}, rows: 853, truth: "signalling network", reference: 0.63},
	{name: "chickenpox", flags: []string{"--log-offset", "1"}, truth: "common border", reference: 0.32, geography: 0.88},
	{name: "animals", truth: "9 groups", groups: "group", edges: 63, reference: 0.70},
	{name: "stocks", truth: "10 sectors", groups: "sector", edges: 84, reference: 0.88},
}

// A realRecord is what came of a data set, a line of the results. Scores are F1,
// or the share of edges inside groups.
type realRecord struct {
	Set         string         `json:"set"`
	Vertices    int            `json:"vertices"`
	Signals     int            `json:"signals"`
	Asked       int            `json:"asked"`  // the true number of edges, or the one asked for
	Chance      float64        `json:"chance"` // the score of edges drawn blindly
	Prepared    string         `json:"prepared"`
	Kernels     []string       `json:"kernels"`
	Sparsity    int            `json:"sparsity"`
	Prediction  *float64       `json:"prediction,omitempty"` // share of a vertex, beyond the mean, that others predict in held-out signals
	Structure   bool           `json:"structure"`            // the tool sees a graph
	Sure        *int           `json:"sure,omitempty"`       // edges of confidence 0.9 or more
	SureTrue    int            `json:"sure_true,omitempty"`  // of them
	Recommended string         `json:"recommended"`
	Interrupted bool           `json:"interrupted,omitempty"` // the comparison
	Methods     []methodScores `json:"methods"`               // sparse first
}

// methodScores are those of the graph as the method cuts it, and with as many
// edges as it was asked for.
type methodScores struct {
	Method      string  `json:"method"`
	Edges       int     `json:"edges"`
	Own         float64 `json:"own"`
	Asked       float64 `json:"asked"`
	Seconds     float64 `json:"seconds"`
	Interrupted bool    `json:"interrupted,omitempty"`
	Failed      string  `json:"failed,omitempty"`
}

func (r *realRecord) of(method string) *methodScores {
	for k := range r.Methods {
		if r.Methods[k].Method == method {
			return &r.Methods[k]
		}
	}
	return nil
}

// TestMeasureRealData runs the tool on real data as a user would, with its own
// choices, and writes what came of it. `make realdata` calls it.
func TestMeasureRealData(t *testing.T) {
	if *measureSets == "" {
		t.Skip("make realdata measures real data anew")
	}
	dir := *dataDir
	if dir == "" {
		dir = usualData
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("there is no real data here: %v", err)
	}
	tool := buildTool(t)
	var records []realRecord
	if *measureSets != "all" {
		records = realRecords(t)
	}
	for _, s := range dataSets {
		if *measureSets != "all" && !slices.Contains(strings.Split(*measureSets, ","), s.name) {
			continue
		}
		m := measuring{t: t, tool: tool, set: s, dir: t.TempDir()}
		m.prepare(filepath.Join(dir, s.name))
		r := m.measure()
		records = append(slices.DeleteFunc(records, func(old realRecord) bool { return old.Set == s.name }), r)
		t.Logf("%s: sparse %.3f with %d edges, %.3f with %d; recommended: %s", s.name, r.Methods[0].Own, r.Methods[0].Edges, r.Methods[0].Asked, r.Asked, r.Recommended)
		writeRecords(t, records) // each when it is there, for the next may take long
	}
}

func buildTool(t *testing.T) string {
	t.Helper()
	tool := filepath.Join(t.TempDir(), "nervure")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", tool, "./cmd/nervure").CombinedOutput(); err != nil {
		t.Fatalf("%s\n%v", out, err)
	}
	return tool
}

// realRecords reads the results, in the order of the sets; none if there are none yet.
func realRecords(t *testing.T) []realRecord {
	t.Helper()
	text, err := os.ReadFile(realDataResults)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var records []realRecord
	for line := range strings.Lines(string(text)) {
		var r realRecord
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%s: %v", realDataResults, err)
		}
		records = append(records, r)
	}
	return records
}

func writeRecords(t *testing.T, records []realRecord) {
	t.Helper()
	var text strings.Builder
	for _, s := range dataSets {
		for _, r := range records {
			if r.Set == s.name {
				line, err := json.Marshal(r)
				if err != nil {
					t.Fatal(err)
				}
				text.Write(append(line, '\n'))
			}
		}
	}
	if err := os.WriteFile(realDataResults, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A measuring is a data set in a directory of its own, and the tool to use there.
type measuring struct {
	t      *testing.T
	tool   string
	set    dataSet
	dir    string
	truth  *graph.Graph      // nil where there are groups
	group  map[string]string // of a vertex
	names  []string
	missed bool // a command was interrupted
}

func (m *measuring) path(name string) string { return filepath.Join(m.dir, name) }

// prepare lays out the files as a user would have them.
func (m *measuring) prepare(from string) {
	m.t.Helper()
	rows := strings.SplitAfter(read(m.t, filepath.Join(from, "signals.csv")), "\n")
	if m.set.rows > 0 {
		rows = rows[:m.set.rows+1] // and the header
	}
	m.write("signals.csv", strings.Join(rows, ""))
	m.names = strings.Split(strings.TrimSpace(rows[0]), ",")
	if m.set.groups != "" {
		table := readTable(m.t, filepath.Join(from, "vertices.csv"))
		column := slices.Index(table[0], m.set.groups)
		m.group = map[string]string{}
		for _, line := range table[1:] {
			m.group[line[0]] = line[column]
		}
		return
	}
	kept := "source,target,weight\n"
	for _, line := range readTable(m.t, filepath.Join(from, "truth_edges.csv"))[1:] {
		if number(m.t, line[2]) >= m.set.lightest {
			kept += strings.Join(line, ",") + "\n"
		}
	}
	m.write("truth.csv", kept)
	m.truth = m.graph("truth.csv")
}

func (m *measuring) write(name, text string) {
	m.t.Helper()
	if err := os.WriteFile(m.path(name), []byte(text), 0o600); err != nil {
		m.t.Fatal(err)
	}
}

func readTable(t *testing.T, path string) [][]string {
	t.Helper()
	table, err := csv.NewReader(strings.NewReader(read(t, path))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// run runs the tool on the signals, with what a user would say about them, and
// says whether it wrote the file out, which it may when it is interrupted too.
func (m *measuring) run(command, out string, args ...string) bool {
	m.t.Helper()
	_ = os.Remove(m.path(out)) // of an earlier command
	ctx, cancel := context.WithTimeout(m.t.Context(), *commandTime)
	defer cancel()
	args = slices.Concat([]string{command, "signals.csv"}, m.set.flags, args, []string{"--out", out, "--quiet"})
	cmd := exec.CommandContext(ctx, m.tool, args...)
	cmd.Dir = m.dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Minute
	words, err := cmd.CombinedOutput()
	if m.missed = ctx.Err() != nil; err != nil {
		m.t.Logf("%s: nervure %s: %s", m.set.name, strings.Join(args, " "), words)
	}
	_, none := os.Stat(m.path(out))
	return none == nil
}

func (m *measuring) graph(name string) *graph.Graph {
	m.t.Helper()
	g, err := dataio.ReadGraph(m.path(name), m.names)
	if err != nil {
		m.t.Fatal(err)
	}
	return g
}

// score is the F1 of a graph, or the share of its edges inside groups.
func (m *measuring) score(g *graph.Graph) float64 {
	m.t.Helper()
	if m.truth != nil {
		f1, err := metrics.EdgeF1(g, m.truth)
		if err != nil {
			m.t.Fatal(err)
		}
		return f1
	}
	return float64(m.right(g.Edges())) / float64(max(g.EdgeCount(), 1))
}

// right counts the edges that are true, or inside a group.
func (m *measuring) right(edges []graph.Edge) int {
	isTrue := map[[2]int]bool{}
	if m.truth != nil {
		for _, e := range m.truth.Edges() {
			isTrue[[2]int{e.I, e.J}] = true
		}
	}
	count := 0
	for _, e := range edges {
		if isTrue[[2]int{e.I, e.J}] || m.truth == nil && m.group[m.names[e.I]] == m.group[m.names[e.J]] {
			count++
		}
	}
	return count
}

// chance is the share of all pairs that are right.
func (m *measuring) chance() float64 {
	var all []graph.Edge
	for i := range m.names {
		for j := range i {
			all = append(all, graph.Edge{I: j, J: i})
		}
	}
	return float64(m.right(all)) / float64(len(all))
}

// measure learns by sparse with confidence, asks compare for advice, and learns by
// every method with its own number of edges and with the number asked for.
func (m *measuring) measure() realRecord {
	m.t.Helper()
	r := realRecord{Set: m.set.name, Asked: m.set.edges, Chance: m.chance()}
	if m.truth != nil {
		r.Asked = m.truth.EdgeCount()
	}
	r.Methods = append(r.Methods, m.method("sparse", r.Asked, "--summary", "summary.json"))
	if r.Methods[0].Edges > 0 {
		m.readSummary(&r)
		m.countSure(&r)
	}
	for _, name := range m.compare(&r) {
		if name != "sparse" {
			r.Methods = append(r.Methods, m.method(name, r.Asked))
		}
	}
	return r
}

// method learns by a method with its own number of edges, and with the one asked for.
func (m *measuring) method(name string, asked int, extra ...string) methodScores {
	m.t.Helper()
	s := methodScores{Method: name}
	begin := time.Now()
	if !m.run("learn", name+".csv", append([]string{"--method", name}, extra...)...) {
		s.Failed = "no graph"
		return s
	}
	s.Seconds, s.Interrupted = time.Since(begin).Seconds(), m.missed
	g := m.graph(name + ".csv")
	s.Edges, s.Own = g.EdgeCount(), m.score(g)
	if !m.run("learn", "asked.csv", "--method", name, "--edges", strconv.Itoa(asked), "--confidence", "no") {
		s.Failed = fmt.Sprintf("no graph of %d edges", asked)
		return s
	}
	s.Interrupted = s.Interrupted || m.missed
	s.Asked = m.score(m.graph("asked.csv"))
	return s
}

func (m *measuring) readSummary(r *realRecord) {
	m.t.Helper()
	var summary struct {
		Vertices int                     `json:"vertices"`
		Signals  int                     `json:"signals"`
		Kernels  []struct{ Name string } `json:"kernels"`
		Sparsity int                     `json:"sparsity"`
		Fit      struct {
			Structure  bool     `json:"structure"`
			Prediction *float64 `json:"prediction"`
		} `json:"fit"`
		Preparation struct{ Sentence string }
	}
	if err := json.Unmarshal([]byte(read(m.t, m.path("summary.json"))), &summary); err != nil {
		m.t.Fatal(err)
	}
	r.Structure = summary.Fit.Structure
	r.Vertices, r.Signals, r.Sparsity, r.Prediction = summary.Vertices, summary.Signals, summary.Sparsity, summary.Fit.Prediction
	r.Prepared = summary.Preparation.Sentence
	for _, k := range summary.Kernels {
		r.Kernels = append(r.Kernels, k.Name)
	}
}

// countSure counts the edges that the tool is sure of.
func (m *measuring) countSure(r *realRecord) {
	m.t.Helper()
	g := m.graph("sparse.csv")
	if g.Confidence() == nil {
		return
	}
	var sure []graph.Edge
	for k, e := range g.Edges() {
		if g.Confidence()[k] >= 0.9 {
			sure = append(sure, e)
		}
	}
	count := len(sure)
	r.Sure, r.SureTrue = &count, m.right(sure)
}

// compare asks which method to take and returns those that were compared. The
// truth is not there to be seen.
func (m *measuring) compare(r *realRecord) []string {
	m.t.Helper()
	var args []string
	if m.set.methods != nil {
		args = append(args, "--methods", strings.Join(m.set.methods, ","))
	}
	var comparison struct {
		Methods        []struct{ Method, Error string }
		Recommendation *struct{ Method string }
	}
	if !m.run("compare", "comparison.json", args...) {
		return nil
	}
	r.Interrupted = m.missed
	if err := json.Unmarshal([]byte(read(m.t, m.path("comparison.json"))), &comparison); err != nil {
		m.t.Fatal(err)
	}
	if comparison.Recommendation != nil {
		r.Recommended = comparison.Recommendation.Method
	}
	var names []string
	for _, c := range comparison.Methods {
		if c.Error == "" {
			names = append(names, c.Method)
		}
	}
	return names
}

// On signals that the model has made, all of it comes out right.
func TestMeasuringIsRightOnKnownSignals(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	from := t.TempDir()
	m := measuring{t: t, tool: buildTool(t), set: dataSet{name: "known", methods: []string{"sparse", "tree"}}, dir: t.TempDir()}
	if out, err := exec.CommandContext(t.Context(), m.tool, "generate", "--graph", "er", "--vertices", "12", "--out", from).CombinedOutput(); err != nil {
		t.Fatalf("%s\n%v", out, err)
	}
	copyFile(t, filepath.Join(from, "truth.csv"), filepath.Join(from, "truth_edges.csv"))
	m.prepare(from)
	r := m.measure()
	sparse, tree := r.of("sparse"), r.of("tree")
	if sparse.Own != 1 || sparse.Asked != 1 || r.Recommended != "sparse" || r.Sure == nil || *r.Sure != r.Asked || r.SureTrue != r.Asked {
		t.Errorf("a graph that proves itself is not all right: %+v", r)
	}
	n := r.Vertices
	if tree.Edges != n-1 || math.Abs(r.Chance-float64(r.Asked)/float64(n*(n-1)/2)) > 1e-12 {
		t.Errorf("%d vertices: a tree of %d edges, chance %g with %d true ones", n, tree.Edges, r.Chance, r.Asked)
	}
}
