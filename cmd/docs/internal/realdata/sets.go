// Package realdata runs the tool on measured signals as a user would, and keeps
// what came of it for docs/real-data.md.
package realdata

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/nervure/nervure/cmd/docs/internal/records"
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

// HasEdges reports whether the true edges are known, and not only groups.
func (s Set) HasEdges() bool { return s.groups == "" }

// quick are the methods that take less than minutes on hundreds of vertices.
var quick = []string{"consensus", "correlation", "ggl", "partial", "smooth-log", "tree", "trees"}

// signals is the name of the file with the signals.
func (s Set) signals() string {
	if s.array {
		return "signals.npz"
	}
	return "signals.csv"
}

// SetNamed returns the set of that name.
func SetNamed(name string) (Set, bool) {
	k := slices.IndexFunc(Sets, func(s Set) bool { return s.Name == name })
	if k < 0 {
		return Set{}, false
	}
	return Sets[k], true
}

// Results is the file of records in the repository: a line of JSON for each set.
const Results = "docs/results/realdata.jsonl"

// A Record is what came of a set. Scores are F1, or the share of edges inside
// groups.
type Record struct {
	Set         string   `json:"set"`
	Vertices    int      `json:"vertices"`
	Signals     int      `json:"signals"`
	Asked       int      `json:"asked"`  // the true number of edges, or the one asked for
	Chance      float64  `json:"chance"` // the score of edges drawn blindly
	Prepared    string   `json:"prepared"`
	Chosen      string   `json:"chosen"`              // the method that learn took
	Verdict     string   `json:"verdict"`             // on its graph
	Predicted   *float64 `json:"predicted,omitempty"` // share of the energy of hidden values that edges predict in held-out signals
	Sure        *int     `json:"sure,omitempty"`      // edges of confidence 0.9 or more
	SureTrue    int      `json:"sure_true,omitempty"` // of them
	Recommended string   `json:"recommended"`
	Interrupted bool     `json:"interrupted,omitempty"` // the comparison
	Methods     []Scores `json:"methods"`               // learn without flags first, by the name Auto
}

// Scores are those of a method: of the graph as the method cuts it, and with as
// many edges as it was asked for.
type Scores struct {
	Method      string  `json:"method"`
	Edges       int     `json:"edges"`
	Own         float64 `json:"own"`
	Asked       float64 `json:"asked"`
	Seconds     float64 `json:"seconds"`
	Interrupted bool    `json:"interrupted,omitempty"`
	Failed      string  `json:"failed,omitempty"`
}

// Auto is the name by which scores of learn are kept that was given no method.
const Auto = "auto"

// Of returns the scores of a method, nil if it was not run.
func (r *Record) Of(method string) *Scores {
	for k := range r.Methods {
		if r.Methods[k].Method == method {
			return &r.Methods[k]
		}
	}
	return nil
}

// ReadRecords reads a file of records; none if it does not exist yet. Every record
// is of one of Sets.
func ReadRecords(path string) ([]Record, error) {
	return records.Read(path, Record.check)
}

func (r Record) check() error {
	if place(r) < 0 {
		return fmt.Errorf("there is no set %q", r.Set)
	}
	return nil
}

// place is that of a record in the order of Sets.
func place(r Record) int {
	return slices.IndexFunc(Sets, func(s Set) bool { return s.Name == r.Set })
}

// keep puts a record into a file of records, in the place of the one of the same set.
func keep(path string, r Record) error {
	return records.Keep(path, r, Record.check, func(a, b Record) int { return cmp.Compare(place(a), place(b)) })
}
