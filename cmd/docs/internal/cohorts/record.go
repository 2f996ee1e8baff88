// Package cohorts measures the comparison of groups: how often tests err, what they find beside
// NetworkComparisonTest, and how good the graph of a group is. It keeps what came of it for docs/groups.md.
package cohorts

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/nervure/nervure/cmd/docs/internal/records"
)

// Results is the file of records in the repository: a line of JSON for each.
const Results = "docs/results/groups.jsonl"

// Seed is that of the committed results. Nothing was chosen or tuned on it, nor may it be: development has others.
const Seed = 3301

// Parts are what is measured.
const (
	Size  = "size"  // tests of simulated groups of subjects
	Power = "power" // tests of two groups of people, a row each, beside NetworkComparisonTest
	Pool  = "pool"  // the graph that subjects have in common
	Time  = "time"  // of the command
)

// Parts are in order.
var Parts = []string{Size, Power, Pool, Time}

// A Setting is what studies of one kind have in common.
type Setting struct {
	Part string `json:"part"`
	// Design is how units are compared, in part size; the graph that subjects share, in part pool.
	Design   string  `json:"design,omitempty"`
	Vertices int     `json:"vertices"`
	Units    int     `json:"units,omitempty"` // subjects of each group
	Rows     int     `json:"rows"`            // of each subject, or of each group if a row is a person
	AR       float64 `json:"ar,omitempty"`    // correlation of a row with the one before
	Changes  int     `json:"changes"`         // edges that differ
	By       string  `json:"by,omitempty"`    // who compares or learns; empty for this tool
}

// A Record is what came of the studies of a setting or, in part pool, of one.
type Record struct {
	Setting
	Study int `json:"study,omitempty"` // from 1, in part pool

	Studies      int     `json:"studies,omitempty"`
	Permutations int     `json:"permutations,omitempty"`
	Whole        int     `json:"whole,omitempty"`      // studies where the graphs differ, p ≤ .05
	Strength     int     `json:"strength,omitempty"`   // where their strengths do, p ≤ .05
	VerticesP    float64 `json:"vertices_p,omitempty"` // mean share of the vertices with p ≤ .05
	Found        float64 `json:"found,omitempty"`      // mean share of the edges that differ which are named at q ≤ .1
	False        float64 `json:"false,omitempty"`      // mean share of the named edges that do not differ
	FoundP       float64 `json:"found_p,omitempty"`    // as Found, by p ≤ .05 without any correction
	FalseP       float64 `json:"false_p,omitempty"`    // mean share of the edges that do not differ which have p ≤ .05

	Edges  int `json:"edges,omitempty"`   // true ones
	Drawn  int `json:"drawn,omitempty"`   // edges of the graph that was learned
	Right  int `json:"right,omitempty"`   // true ones among them
	AtTrue int `json:"at_true,omitempty"` // true ones among as many as there are

	Seconds float64 `json:"seconds,omitempty"` // processor time of a study
}

// F1 is that of the edges of a learned graph.
func (r Record) F1() float64 { return 2 * float64(r.Right) / float64(max(1, r.Edges+r.Drawn)) }

// ReadRecords reads a file of records; none if it does not exist yet.
func ReadRecords(path string) ([]Record, error) { return records.Read(path, Record.check) }

func (r Record) check() error {
	if !slices.Contains(Parts, r.Part) || r.Vertices <= 0 {
		return fmt.Errorf("got part %q with %d vertices, want one of %v with some", r.Part, r.Vertices, Parts)
	}
	return nil
}

func order(a, b Record) int {
	return cmp.Or(
		cmp.Compare(slices.Index(Parts, a.Part), slices.Index(Parts, b.Part)),
		cmp.Compare(a.Design, b.Design), cmp.Compare(a.Vertices, b.Vertices), cmp.Compare(a.Units, b.Units),
		cmp.Compare(a.Rows, b.Rows), cmp.Compare(a.AR, b.AR), cmp.Compare(a.Changes, b.Changes),
		cmp.Compare(a.Study, b.Study), cmp.Compare(a.By, b.By),
	)
}
