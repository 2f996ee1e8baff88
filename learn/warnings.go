package learn

import (
	"fmt"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/learn/internal/job"
	"github.com/nervure/nervure/learn/internal/large"
	"github.com/nervure/nervure/method"
)

// doubts says in plain words what speaks against trusting the answer.
func (c call) doubts(a *job.Answer) []string {
	m, n := c.task.Data.Rows.Dims()
	var doubts []string
	doubt := func(format string, args ...any) { doubts = append(doubts, fmt.Sprintf(format, args...)) }
	switch {
	case a.Certified && a.Unexplained > 0:
		doubt("%d of %d signals have no exact code on the graph that explains all others: check them", a.Unexplained, m)
		return doubts
	case a.Certified || a.Status == method.Interrupted:
		return nil
	}
	switch {
	case a.Unexplained == 0:
		doubt("every signal is explained exactly, but the signals do not determine the graph: more signals or fewer atoms per signal are needed")
	case a.Large && a.Residual < large.TruncationShare && 4*a.Model.Sparsity <= n:
		// The residual is what truncating atoms leaves.
	case c.paper == nil:
		doubt("no graph explains the signals exactly: the residual is %.2g of their energy, so edges are estimates (noise, other kernels or more atoms per signal)", a.Residual)
	}
	switch {
	case a.Threshold.Rule != graph.CutAuto || a.Threshold.Gap >= job.WeakGap:
	case len(a.Path) > 0 && a.Large:
		doubt("the sorted weights show no clear gap: the %d edges are those whose weights are too large to be noise", a.Graph.EdgeCount())
	case len(a.Path) > 0:
		doubt("the sorted weights show no clear gap: the number of edges, %d, was chosen where removing further edges starts to hurt the held-out fit", a.Graph.EdgeCount())
	default:
		doubt("the sorted weights show no clear gap (ratio %.2g): the number of edges, %d, is a guess; set the number or a threshold if you know better",
			a.Threshold.Gap, a.Graph.EdgeCount())
	}
	if a.Large && c.options.Coder != "" {
		doubt("coder %s was not used: from %d vertices on, signals are coded by pursuit around each atom", c.options.Coder, c.options.LargeFrom)
	}
	if m < n {
		doubt("%d signals are few for %d vertices", m, n)
	}
	return doubts
}
