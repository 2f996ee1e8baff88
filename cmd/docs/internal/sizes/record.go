// Package sizes learns graphs from simulated fields of up to a hundred thousand vertices, lets other
// programs do the same, holds the two ways to learn a field against each other, and keeps what came
// of it for docs/performance.md and docs/fields.md.
package sizes

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/nervure/nervure/cmd/docs/internal/records"
)

// Results is the file of records in the repository: a line of JSON for each.
const Results = "docs/results/sizes.jsonl"

// Seeds are those of the committed results. Nothing was chosen or tuned on them, nor may it be:
// development has others.
const Seeds = "3201-3203"

// The parts of the measurement.
const (
	BySize   = "sizes"    // fields of 400 to 100,000 vertices, nothing given
	OrderTwo = "order-2"  // fields of order two, of which one of order one is learned at size
	Crossing = "crossing" // from 900 to 1100 vertices
	Engines  = "engines"  // vertex by vertex, and all pairs at once, where both can be had
	Rivals   = "rivals"   // other programs on the same signals
)

// Parts are all parts, in the order of the records.
var Parts = []string{BySize, OrderTwo, Crossing, Engines, Rivals}

// Who learned: the tool in four ways, or another program.
const (
	Default           = "default"            // nothing given
	WithoutConfidence = "without confidence" // and neither tested
	Local             = "local"              // order one vertex by vertex
	Dense             = "dense"              // order one for all pairs at once
)

// A Record is what one learner made of a field or a set.
type Record struct {
	Part string `json:"part"`
	Set  string `json:"set,omitempty"` // empty for simulated fields

	Setting
	Seed uint64 `json:"seed,omitempty"`
	By   string `json:"by"`

	Vertices int `json:"vertices"`
	Edges    int `json:"edges"` // the true ones

	Outcome
}

// An Outcome is what was learned.
type Outcome struct {
	Found    int     `json:"found"`           // edges
	Right    int     `json:"right"`           // of them
	Wrong    int     `json:"wrong,omitempty"` // of these, those of the wrong sign
	Sure     int     `json:"sure,omitempty"`  // edges of confidence 0.9 or more
	SureTrue int     `json:"sure_true,omitempty"`
	Seconds  float64 `json:"seconds"`           // processor time
	Memory   float64 `json:"memory,omitempty"`  // most beyond what there was before, in MB (10⁶ bytes)
	Method   string  `json:"method,omitempty"`  // that was taken
	Kernel   string  `json:"kernel,omitempty"`  // of the field
	Verdict  string  `json:"verdict,omitempty"` // on the graph
	Sampled  int     `json:"sampled,omitempty"` // vertices that were held against all others
	Exact    int     `json:"exact,omitempty"`   // of them, those that lack no neighbour
	Penalty  float64 `json:"penalty,omitempty"` // of a graphical lasso
	Failed   string  `json:"failed,omitempty"`  // why there is no graph
}

// F1 is that of the edges.
func (r Record) F1() float64 { return 2 * float64(r.Right) / float64(r.Found+r.Edges) }

// ReadRecords reads a file of records; none if it does not exist yet.
func ReadRecords(path string) ([]Record, error) { return records.Read(path, Record.check) }

func (r Record) check() error {
	if !slices.Contains(Parts, r.Part) || r.Edges == 0 {
		return fmt.Errorf("there is no part %q with %d edges", r.Part, r.Edges)
	}
	return nil
}

// keep puts a record into a file of records, in the place of the same learner's of the same field.
func keep(path string, r Record) error { return records.Keep(path, r, Record.check, order) }

func order(a, b Record) int {
	return cmp.Or(cmp.Compare(slices.Index(Parts, a.Part), slices.Index(Parts, b.Part)), cmp.Compare(a.Set, b.Set),
		a.compare(b.Setting), cmp.Compare(a.Seed, b.Seed), cmp.Compare(a.By, b.By))
}
