package cli

import (
	"cmp"
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/learn"
)

// weightsKept bounds what a summary says of the weights of a large graph.
const weightsKept = 20_000

// A traceRecord is how things stood at a step.
type traceRecord struct {
	Start     int         `json:"start"`
	Round     int         `json:"round"`
	Phase     learn.Phase `json:"phase"`
	Residual  *float64    `json:"residual"`
	Objective *float64    `json:"objective"`
	Edges     int         `json:"edges"` // of positive weight
}

func newTraceRecord(s learn.Step) *traceRecord {
	return &traceRecord{s.Start, s.Round, s.Phase, finite(s.Residual), finite(s.Objective), s.Edges}
}

// traceRecords keeps the last step of each phase of a round.
func traceRecords(steps []learn.Step) []traceRecord {
	var list []traceRecord
	for _, s := range steps {
		t := *newTraceRecord(s)
		if k := len(list) - 1; k >= 0 && s.Phase != learn.Pruning && list[k].Start == t.Start && list[k].Round == t.Round && list[k].Phase == t.Phase {
			list[k] = t
			continue
		}
		list = append(list, t)
	}
	return list
}

// heaviestWeights lists weights in descending order, as many as a summary keeps.
func heaviestWeights(g *graph.Graph) []float64 {
	list := make([]float64, 0, g.EdgeCount())
	for _, e := range g.Edges() {
		list = append(list, e.Weight)
	}
	slices.SortFunc(list, func(a, b float64) int { return cmp.Compare(b, a) })
	return list[:min(len(list), weightsKept)]
}
