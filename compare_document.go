package nervure

import (
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/input"
)

// Document describes the comparison for programs, as nervure compare writes it.
func (c *Comparison) Document() *document.Comparison {
	n, m := c.Preparation.Y.Dims()
	d := &document.Comparison{
		Version: Version(), Vertices: n, Signals: m, SignalsHeldOut: c.SignalsHeldOut, Folds: c.Folds,
		Seed: c.Options.Seed, Threads: c.Options.Threads, Interrupted: c.Interrupted,
		Agreement:   document.Agreement{Methods: []string{}, F1: c.Agreement},
		Preparation: document.NewPreparation(c.Preparation.Report, c.Preparation.Options), Warnings: c.Warnings(),
	}
	if c.Options.Truth != nil {
		edges := c.Options.Truth.EdgeCount()
		d.EdgesTrue = &edges
	}
	for _, row := range c.Methods {
		d.Methods = append(d.Methods, row.document())
		if row.Result != nil {
			d.Agreement.Methods = append(d.Agreement.Methods, row.Name)
		}
	}
	if r := c.Ranking; r != nil {
		d.Recommendation = &document.Recommendation{Method: r.Recommended, Because: r.Because, LeftOut: c.LeftOut, Unjudged: c.Unjudged}
		for _, p := range r.Places {
			if p.Tied {
				d.Recommendation.Ties = append(d.Recommendation.Ties, p.Name)
			}
		}
	}
	return d
}

func (r *Compared) document() document.Compared {
	if r.Result == nil {
		return document.Compared{Method: r.Name, Status: document.Failed, Error: input.Sentence(r.Err)}
	}
	seconds, edges := r.Duration.Seconds(), r.Result.Graph.EdgeCount()
	d := document.Compared{
		Method: r.Name, Status: r.Result.Status, Seconds: &seconds, Edges: &edges, Directed: r.Result.Graph.Directed(), HeldOutError: r.HeldOutError,
		Params: paramsOf(r.Result), Warnings: r.Warnings,
	}
	if r.Score != nil {
		f1, atCount := r.Score.F1(), r.ScoreAtCount.F1()
		d.Precision, d.Recall, d.F1, d.F1AtTrueCount = &r.Score.Precision, &r.Score.Recall, &f1, &atCount
	}
	if p := r.Place; p != nil {
		hidden := r.HeldOut.Explained()
		d.Rank, d.HeldOutGain, d.HeldOutGainError, d.HeldOutShare, d.HiddenExplained = &p.Rank, &p.Gain.Mean, &p.Gain.StdErr, &p.Share, &hidden
		if r.HeldOut.ModelGain != nil {
			own := r.HeldOut.MeanModelGain()
			d.CodeGain, d.CodeGainError = &own.Mean, &own.StdErr
		}
	}
	return d
}

// Reason says why the method failed.
func (r *Compared) Reason() string { return input.Sentence(r.Err) }
