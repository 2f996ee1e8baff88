package report

import (
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

// A round is a point of the curves of a run.
type round struct {
	Start     int          `json:"start"`
	Round     int          `json:"round"`
	Phase     method.Phase `json:"phase"`
	Residual  digits       `json:"residual"`
	Objective digits       `json:"objective"`
	Edges     int          `json:"edges"`
}

// rounds are the last step of each round, and each step of the pruning, at most
// about curvePoints of them, and then the result, whose codes and cut are its own.
func rounds(r *learn.Result) []round {
	var list []round
	history := r.History
	for k, s := range history {
		if k+1 < len(history) && sameRound(s, history[k+1]) {
			continue
		}
		list = append(list, round{s.Start, s.Round, s.Phase, digits(s.Residual), digits(s.Objective), s.Edges})
	}
	step := max(1, len(list)/curvePoints)
	var thin []round
	for k, p := range list {
		if k%step == 0 || k == len(list)-1 {
			thin = append(thin, p)
		}
	}
	return append(thin, round{r.Starts, r.Rounds, learn.Done, digits(r.Residual), digits(r.Objective), r.Graph.EdgeCount()})
}

func sameRound(a, b learn.Step) bool {
	return a.Start == b.Start && a.Round == b.Round && a.Phase != learn.Pruning && b.Phase != learn.Pruning
}
