package nervure_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/figure"
	"github.com/nervure/nervure/graph"
)

const realDataPage = "docs/real-data.md"

// The commands, tables and figures of docs/real-data.md are what was run and
// measured last; what was not is empty. `go test . -run RealDataPage -update`
// writes them anew.
func TestRealDataPageIsWhatWasMeasured(t *testing.T) {
	page := read(t, realDataPage)
	tables := realTables(realRecords(t))
	measured := results{}
	if _, err := os.Stat(robustResults); err == nil {
		measured = benchmarks(t, robustResults)
		checkRobustRows(t, measured)
	}
	for _, g := range robustGroups {
		tables[g.name] = g.table(measured)
	}
	for name, table := range tables {
		page = withEvidence(t, realDataPage, page, name, inPage(table))
	}
	kept := walked(t)
	for _, s := range walk {
		page = withEvidence(t, realDataPage, page, s.name, s.inPage(t, kept))
	}
	for _, m := range maps {
		text := ""
		if found, ok := kept[m.file]; ok {
			hold(t, m.path(), m.draw(t, found))
			text = fmt.Sprintf("\n![%s](results/molene-%s.svg)\n\n", m.title, m.name)
		}
		page = withEvidence(t, realDataPage, page, m.name, text)
	}
	hold(t, realDataPage, page)
}

// checkRobustRows holds the rows of the tables to those that were measured.
func checkRobustRows(t *testing.T, measured results) {
	t.Helper()
	shown := map[string]bool{}
	for _, g := range robustGroups {
		for _, r := range g.rows {
			if shown[g.row(r)] = true; measured[g.row(r)] == nil {
				t.Errorf("%s has no %s", robustResults, g.row(r))
			}
		}
	}
	for name := range measured {
		if !shown[name] {
			t.Errorf("%s has %s, which no table shows", robustResults, name)
		}
	}
}

// inPage is a table with its marker's blank lines, nothing without rows.
func inPage(table experiment.Table) string {
	if len(table.Rows) == 0 {
		return ""
	}
	return "\n" + table.Markdown() + "\n"
}

// walked is what was kept of the walk: name → text.
func walked(t *testing.T) map[string]string {
	t.Helper()
	kept := map[string]string{}
	if _, err := os.Stat(walkResults); err != nil {
		return kept
	}
	for _, f := range txtar.Parse([]byte(read(t, walkResults))).Files {
		kept[f.Name] = string(f.Data)
	}
	return kept
}

// inPage is the commands with what they printed, alone if they were not run.
func (s step) inPage(t *testing.T, kept map[string]string) string {
	t.Helper()
	text, ran := kept[s.name]
	var shown strings.Builder
	for command := range strings.Lines(s.commands) {
		if shown.WriteString("$ " + command); ran && !strings.Contains(text, "$ "+command) {
			t.Errorf("%s: %s was not run; make realdata runs it", walkResults, command)
		}
	}
	if !ran {
		text = shown.String()
	}
	return "\n```console\n" + text + "```\n\n"
}

// A mapped graph is one of the walk, drawn where the stations are.
type mapped struct {
	name, file, title string
	against           bool // the proxy
}

var maps = []mapped{
	{"map", "graph.csv", "The graph learned from hourly changes of temperature; lines are as wide as the confidence of their edges", false},
	{"against", "graph.csv", "The same edges beside the Gabriel graph of the stations", true},
}

func (m mapped) path() string { return fmt.Sprintf("docs/results/molene-%s.svg", m.name) }

func (m mapped) draw(t *testing.T, found string) string {
	t.Helper()
	n := figure.Network{Title: m.title}
	var names []string
	rows := readTable(t, "examples/molene/vertices.csv")[1:]
	for _, row := range rows {
		names = append(names, row[0])
	}
	// A degree of longitude is shorter than one of latitude, by the cosine of the latter.
	shrink := math.Cos(number(t, rows[0][1]) * math.Pi / 180)
	for _, row := range rows {
		n.Vertices = append(n.Vertices, figure.Vertex{Name: stationName(row[0]), X: shrink * number(t, row[2]), Y: number(t, row[1])})
	}
	g, err := dataio.DecodeGraph(strings.NewReader(found), m.file, dataio.CSV, names)
	if err != nil {
		t.Fatal(err)
	}
	truth, err := dataio.ReadGraph("examples/molene/truth.csv", names)
	if err != nil {
		t.Fatal(err)
	}
	isTrue, isFound := edgeSet(truth), edgeSet(g)
	for k, e := range g.Edges() {
		edge := figure.Edge{From: e.I, To: e.J, Weight: e.Weight}
		if c := g.Confidence(); c != nil && !m.against {
			edge.Weight = c[k]
		}
		if m.against && !isTrue[[2]int{e.I, e.J}] {
			edge.Kind = figure.Wrong
		}
		n.Edges = append(n.Edges, edge)
	}
	for _, e := range truth.Edges() {
		if m.against && !isFound[[2]int{e.I, e.J}] {
			n.Edges = append(n.Edges, figure.Edge{From: e.I, To: e.J, Kind: figure.Missed})
		}
	}
	var svg strings.Builder
	if err := n.SVG(&svg); err != nil {
		t.Fatal(err)
	}
	return svg.String()
}

// stationName is a name as people write it: VANNES_SENE is Vannes Sene.
func stationName(s string) string {
	words := strings.Split(strings.ToLower(s), "_")
	for k, w := range words {
		if w != "" {
			words[k] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, " ")
}

func edgeSet(g *graph.Graph) map[[2]int]bool {
	set := map[[2]int]bool{}
	for _, e := range g.Edges() {
		set[[2]int{e.I, e.J}] = true
	}
	return set
}

// A map of a graph that is the proxy itself has no fault in it.
func TestMapOfTheProxyHasNoFault(t *testing.T) {
	svg := mapped{file: "proxy.csv", title: "proxy", against: true}.draw(t, read(t, "examples/molene/truth.csv"))
	if got := strings.Count(svg, "<line"); got != 65 || strings.Contains(svg, `class="wrong"`) || strings.Contains(svg, `class="missed"`) {
		t.Errorf("%d lines, want the 65 of the proxy and no fault", got)
	}
	if !strings.Contains(svg, ">Vannes Sene<") {
		t.Error("a station has no name")
	}
}

func TestUnmeasuredRealTablesAreEmpty(t *testing.T) {
	for name, table := range realTables(nil) {
		if inPage(table) != "" {
			t.Errorf("%s: %v out of nothing", name, table.Rows)
		}
	}
	for _, g := range robustGroups {
		if text := inPage(g.table(results{})); text != "" {
			t.Errorf("%s out of nothing", text)
		}
	}
}
