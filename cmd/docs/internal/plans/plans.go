// Package plans holds what plans predict against what is found once the signals are there, for
// docs/method.md.
package plans

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/cmd/docs/internal/records"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/plan"
	"github.com/nervure/nervure/synth"
)

// Results is the file of records in the repository: a line of JSON for each.
const Results = "docs/results/plan.jsonl"

// Seeds are those of the committed results. Nothing was chosen or tuned on them, nor may it be:
// development has others.
const Seeds = "1001-1005"

// Grid is the set of fields on grids; other sets have the names of their folders.
const Grid = "grid"

// A Record is a plan for a number of signals, and what was found with them.
type Record struct {
	Set       string `json:"set"`
	Seed      uint64 `json:"seed,omitempty"`
	Edges     int    `json:"edges"`   // the true ones
	Pilot     int    `json:"pilot"`   // signals
	Signals   int    `json:"signals"` // planned for, those of the pilot among them
	Predicted Rates  `json:"predicted"`
	Found     Rates  `json:"found"`
}

// Rates are shares of edges, of all that are drawn and of those that are sure.
type Rates struct {
	Recall        float64 `json:"recall"`
	Precision     float64 `json:"precision"`
	SureRecall    float64 `json:"sure_recall"`
	SurePrecision float64 `json:"sure_precision"`
}

// Errors returns how far the predicted recall is from the one found, of all edges and of sure ones.
func (r Record) Errors() (all, sure float64) {
	return math.Abs(r.Predicted.Recall - r.Found.Recall), math.Abs(r.Predicted.SureRecall - r.Found.SureRecall)
}

// ReadRecords reads a file of records; none if it does not exist yet.
func ReadRecords(path string) ([]Record, error) { return records.Read(path, Record.check) }

func (r Record) check() error {
	if r.Set == "" || r.Pilot <= 0 || r.Signals <= r.Pilot {
		return fmt.Errorf("got a plan of set %q from %d to %d signals, want a name and more signals than before", r.Set, r.Pilot, r.Signals)
	}
	return nil
}

// A Measurement says what to measure.
type Measurement struct {
	Seeds   []uint64 // of fields on grids
	Data    string   // directory of measured sets, one in each; none if empty
	Threads int      // as in [nervure.Options]
	Log     io.Writer

	side   int   // of the grids; zero means 10
	pilots []int // signals of their pilots; nil means 100 and 200
}

// sets are the folders of Data that plans are made for, from half of their signals: the networks of
// NetSim that have 10, 15 and 50 vertices.
const sets = "sim0[234]_*"

// Measure plans, says what came of it, and writes it to a file of records, where others stay; to
// none if the path is empty.
func (m Measurement) Measure(ctx context.Context, results string) error {
	for _, seed := range m.Seeds {
		if err := m.grids(ctx, seed, results); err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
	}
	if m.Data == "" {
		return nil
	}
	folders, err := filepath.Glob(filepath.Join(m.Data, sets))
	if err != nil {
		return err
	}
	for _, folder := range folders {
		set, err := dataio.ReadSignals(filepath.Join(folder, "signals.csv"), dataio.ReadOptions{})
		if err != nil {
			return err
		}
		truth, err := dataio.ReadGraph(filepath.Join(folder, "truth_edges.csv"), set.Names)
		if err != nil {
			return err
		}
		_, count := set.Y.Dims()
		if err := m.compare(ctx, Record{Set: filepath.Base(folder), Pilot: count / 2}, set.Y, truth, []int{count}, results); err != nil {
			return fmt.Errorf("%s: %w", folder, err)
		}
	}
	return nil
}

// grids plans for twice and four times the signals of pilots on a grid of random weights.
func (m Measurement) grids(ctx context.Context, seed uint64, results string) error {
	side := cmp.Or(m.side, 10)
	pilots := m.pilots
	if pilots == nil {
		pilots = []int{100, 200}
	}
	drawn, err := synth.Graph(synth.GraphSpec{Family: synth.FamilyGrid, Vertices: side * side, Weights: synth.UniformWeights, Seed: seed})
	if err != nil {
		return err
	}
	field, err := synth.Field(drawn.Graph, synth.FieldSpec{Count: 4 * slices.Max(pilots), Seed: seed})
	if err != nil {
		return err
	}
	for _, pilot := range pilots {
		if err := m.compare(ctx, Record{Set: Grid, Seed: seed, Pilot: pilot}, field.Signals, drawn.Graph, []int{2 * pilot, 4 * pilot}, results); err != nil {
			return err
		}
	}
	return nil
}

// compare plans from the first signals, learns from more of them, and keeps both.
func (m Measurement) compare(ctx context.Context, r Record, y *mat.Dense, truth *graph.Graph, sizes []int, results string) error {
	r.Edges = truth.EdgeCount()
	first := func(count int) *nervure.Signals {
		return &nervure.Signals{Y: matrix.Columns(y, matrix.Span(0, count)), Names: truth.Names()}
	}
	planned, err := plan.FromPilot(ctx, first(r.Pilot), plan.Options{Learn: nervure.Options{Threads: m.Threads}, Sizes: sizes})
	if err != nil {
		return err
	}
	for k, size := range sizes {
		r.Signals, r.Predicted = size, predicted(planned.Points[k])
		a, err := nervure.Learn(ctx, first(size), nervure.Options{Threads: m.Threads})
		if err != nil {
			return err
		}
		if r.Found, err = found(a.Graph, truth); err != nil {
			return err
		}
		fmt.Fprintln(m.Log, r.sentence())
		if results == "" {
			continue
		}
		if err := records.Keep(results, r, Record.check, order); err != nil {
			return err
		}
	}
	return nil
}

func order(a, b Record) int {
	return cmp.Or(cmp.Compare(a.Set, b.Set), cmp.Compare(a.Seed, b.Seed), cmp.Compare(a.Pilot, b.Pilot), cmp.Compare(a.Signals, b.Signals))
}

func predicted(p document.PlanPoint) Rates {
	share := func(v *float64) float64 {
		if v == nil {
			return 0
		}
		return rounded(*v)
	}
	r := Rates{Recall: rounded(p.All.Recall), Precision: share(p.All.Precision)}
	if p.Sure != nil {
		r.SureRecall, r.SurePrecision = rounded(p.Sure.Recall), share(p.Sure.Precision)
	}
	return r
}

func found(g, truth *graph.Graph) (Rates, error) {
	sure, err := graph.New(g.Names(), records.SureEdges(g))
	if err != nil {
		return Rates{}, err
	}
	all, err := metrics.Edges(g, truth)
	if err != nil {
		return Rates{}, err
	}
	some, err := metrics.Edges(sure, truth)
	return Rates{rounded(all.Recall), rounded(all.Precision), rounded(some.Recall), rounded(some.Precision)}, err
}

// rounded keeps four digits.
func rounded(v float64) float64 { return math.Round(10_000*v) / 10_000 }

// sentence says what came of a plan.
func (r Record) sentence() string {
	return fmt.Sprintf("%s %d, %d to %d signals: recall %.2f predicted, %.2f found; of sure edges %.2f and %.2f",
		r.Set, r.Seed, r.Pilot, r.Signals, r.Predicted.Recall, r.Found.Recall, r.Predicted.SureRecall, r.Found.SureRecall)
}
