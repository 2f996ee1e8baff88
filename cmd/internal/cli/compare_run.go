package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/signals"
	"github.com/nervure/nervure/solver"
)

// comparedData is what all methods are given.
type comparedData struct {
	signals  *signals.Set
	truth    *graph.Graph // on the vertices of the signals, or nil
	prepared *preparation
}

func (r *compareRun) read(c console) (*comparedData, error) {
	signals, err := r.source.read(c, r.quiet)
	if err != nil {
		return nil, err
	}
	n, _ := signals.Y.Dims()
	if field, sentence := r.learner.options.Cut.Fault(n); sentence != "" {
		return nil, misuse("%s: %s", faultFlags[field], sentence)
	}
	data := &comparedData{signals: signals}
	if r.truth != "" {
		data.truth, err = readGraph(r.truth, signals.Names)
	}
	return data, err
}

// compare runs the methods until all are done or ctx ends. A method that ctx
// cut short is left out.
func (r *compareRun) compare(ctx context.Context, c console, data *comparedData) (*compareRecord, error) {
	threads, restore := useThreads(r.threads)
	defer restore()
	l := r.learner
	l.options.Names, l.options.Threads = data.signals.Names, threads

	y := data.prepared.y
	n, m := y.Dims()
	record := &compareRecord{
		Version: version(), Vertices: n, Signals: m, Seed: l.options.Seed, Threads: threads,
		Preparation: data.prepared.record(), Warnings: data.prepared.warnings,
	}
	if data.truth != nil {
		edges := data.truth.EdgeCount()
		record.EdgesTrue = &edges
	}
	if record.Folds = r.foldsFor(y); record.Folds == 0 && r.folds != 0 {
		few := fmt.Sprintf("methods are not ranked: %s are too few to hold some out", plural(m, "signal"))
		record.Warnings = append(slices.Clip(record.Warnings), few)
		if !r.quiet {
			fmt.Fprintln(c.err, wrapped("warning: "+few))
		}
	}
	bar := newProgress(c.err, r.progress)
	defer bar.clear()
	show := bar.show
	if bar.mode == progressPlain {
		show = func(learn.Step) {} // methods are the steps here
	}
	var graphs []*graph.Graph
	for k, method := range r.methods {
		if ctx.Err() != nil {
			break
		}
		l.method = method
		bar.begin(fmt.Sprintf("%s (%d of %d)", method, k+1, len(r.methods)))
		result, err := l.learn(ctx, y, show)
		if ctx.Err() != nil && (result == nil || result.status == solver.Interrupted) {
			break
		}
		row := newMethodRecord(method, result, err)
		if result != nil {
			graphs = append(graphs, result.graph)
			l := l.asChosen(result)
			if err := row.score(result, data.truth); err != nil {
				return nil, err
			}
			if data.truth == nil && method == sparseMethod {
				bar.begin(fmt.Sprintf("%s (%d of %d), held-out error", method, k+1, len(r.methods)))
				record.SignalsHeldOut = row.holdOut(l.heldOutError(ctx, y, show))
			}
			if record.Folds > 0 {
				bar.begin(fmt.Sprintf("%s (%d of %d), held-out signals", method, k+1, len(r.methods)))
				row.assess(l.assess(ctx, y, record.Folds, show))
			}
		}
		record.Methods = append(record.Methods, row)
		if bar.mode == progressPlain {
			fmt.Fprintln(c.err, row.sentence())
		}
	}
	record.Interrupted = ctx.Err() != nil
	record.rank()
	return record, record.agree(graphs)
}

// score compares a graph with the truth, if that is known.
func (m *methodRecord) score(result *learned, truth *graph.Graph) error {
	if truth == nil {
		return nil
	}
	own, err := metrics.Edges(result.graph, truth)
	if err != nil {
		return err
	}
	heaviest, err := metrics.EdgesAtCount(result.weights, truth)
	if err != nil {
		return err
	}
	f1, f1AtCount := own.F1(), heaviest.F1()
	m.Precision, m.Recall, m.F1, m.F1AtTrueCount = &own.Precision, &own.Recall, &f1, &f1AtCount
	return nil
}
