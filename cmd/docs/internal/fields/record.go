package fields

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/nervure/nervure/cmd/docs/internal/records"
)

// Results is the file of records in the repository: a line of JSON for each.
const Results = "docs/results/fields.jsonl"

// Seeds are those of the committed results. Nothing was chosen or tuned on them, nor may it
// be: development has others.
const Seeds = "2901-2905"

// A Record is what came of a simulated field, or of a set.
type Record struct {
	Set string `json:"set,omitempty"` // empty for simulated fields

	Setting
	Seed uint64 `json:"seed,omitempty"`

	Vertices int `json:"vertices"`
	Signals  int `json:"signals"`
	Edges    int `json:"edges"` // the true ones; zero where only groups are known

	Default Outcome `json:"default"` // with nothing given
	GGL     Outcome `json:"ggl"`
	// Known is how many edges are true of those by the true kernel or spectrum at the true
	// number, of simulated fields. Chosen says that the kernel of Default is right: the one that is
	// nearest to it is the true one, or held-out signals do not tell them apart.
	Known  int  `json:"known,omitempty"`
	Chosen bool `json:"chosen,omitempty"`
}

// An Outcome is what was learned by a method.
type Outcome struct {
	Method   string  `json:"method"`
	Kernel   string  `json:"kernel,omitempty"`
	Edges    int     `json:"edges"`
	Right    int     `json:"right"` // of them: true, or inside a group
	Sure     int     `json:"sure"`  // edges of confidence 0.9 or more
	SureTrue int     `json:"sure_true"`
	Seconds  float64 `json:"seconds"` // processor time, confidence and tests included
}

// Precision is the share of the edges that are right; one if there are none.
func (o Outcome) Precision() float64 {
	if o.Edges == 0 {
		return 1
	}
	return float64(o.Right) / float64(o.Edges)
}

// Recall is the share of the true edges that were found.
func (r Record) Recall(o Outcome) float64 { return float64(o.Right) / float64(r.Edges) }

// F1 is the F1 of the edges, or the share of them inside groups where no edges are known.
func (r Record) F1(o Outcome) float64 {
	if r.Edges == 0 {
		return float64(o.Right) / float64(max(o.Edges, 1))
	}
	return 2 * float64(o.Right) / float64(o.Edges+r.Edges)
}

// KnownF1 is the F1 with the true kernel and the true number of edges.
func (r Record) KnownF1() float64 { return float64(r.Known) / float64(r.Edges) }

// ReadRecords reads a file of records; none if it does not exist yet.
func ReadRecords(path string) ([]Record, error) { return records.Read(path, Record.check) }

func (r Record) check() error {
	if r.Set == "" && !slices.Contains(Settings(), r.Setting) {
		return fmt.Errorf("there is no setting %+v", r.Setting)
	}
	return nil
}

// order puts simulated fields first, by setting and seed.
func order(a, b Record) int {
	return cmp.Or(cmp.Compare(a.Set, b.Set), cmp.Compare(a.Size, b.Size), cmp.Compare(a.Times, b.Times), cmp.Compare(a.Noise, b.Noise),
		cmp.Compare(place(a.Kernel), place(b.Kernel)), cmp.Compare(slices.Index(Graphs, a.Graph), slices.Index(Graphs, b.Graph)),
		cmp.Compare(a.Seed, b.Seed))
}

// place is where a kernel or spectrum is among all.
func place(kernel string) int { return slices.Index(slices.Concat(Kernels, Spectra), kernel) }
