package local

import (
	"context"
	"slices"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/run"
)

// Signals are rows, which need not be in one matrix.
type signals struct {
	row   func(i int) []float64
	count int // of the values of a row
}

func signalsOf(x linalg.Dense) signals {
	return signals{func(i int) []float64 { return linalg.Row(x, i) }, x.Cols}
}

// residual computes that of a model of vertex i, and returns its variance.
func (x signals) residual(m *model, i int, row []float64) (variance float64) {
	copy(row, x.row(i))
	for p, j := range m.on {
		if b := m.beta[p]; b != 0 {
			linalg.Axpy(-b, x.row(int(j)), row)
		}
	}
	return max(portable.Dot(row, row)/float64(x.count), leastVariance)
}

// A worker has the memory of regressions.
type worker struct {
	lasso

	near linalg.Neighbourhood
	rows []int
}

// take sets the regression of vertex i on others up.
func (w *worker) take(x signals, i int, on []int32) {
	k := len(on)
	w.rows = w.rows[:0]
	for _, j := range on {
		w.rows = append(w.rows, int(j))
	}
	moments := w.near.MomentsOf(x.row, x.count, append(w.rows, i))
	w.gram = linalg.Dense{Rows: k, Cols: k, Stride: k + 1, Data: moments.Data}
	w.with = linalg.Row(moments, k)[:k]
	w.reset(k)
}

// A regression is that of some vertices, each on its candidates. It depends on nothing else, so that it can be
// done elsewhere.
type regression struct {
	vertices []int32
	on       [][]int32
	signs    []bool  // models of coefficients of either sign (true) or of none below 0 (false), or of both
	penalty  float64 // of a coefficient, for a residual of size 1; 0 of neighbours, which all stay
}

// run returns the models of vertex k, one of each sign.
func (r *regression) run(w *worker, x signals, k int) []model {
	models := make([]model, len(r.signs))
	w.take(x, int(r.vertices[k]), r.on[k])
	for s, signed := range r.signs {
		w.signed = signed
		w.reset(len(r.on[k]))
		m := model{on: r.on[k]}
		if r.penalty == 0 {
			w.solve(0)
		} else {
			m.penalty, m.variance = w.solveScaled(r.penalty)
		}
		m.beta = slices.Clone(w.beta)
		models[s] = m
	}
	return models
}

// part returns a part of the vertices.
func (r *regression) part(first, end int) *regression {
	return &regression{r.vertices[first:end], r.on[first:end], r.signs, r.penalty}
}

// regress returns the models of a regression by vertex, of each sign. If ctx ends, some have none, and it
// reports false.
func (l *learner) regress(ctx context.Context, r *regression) (models [][]model, whole bool) {
	if l.shared != nil {
		return l.shared.regress(ctx, r)
	}
	x := signalsOf(l.x)
	models = make([][]model, len(r.vertices))
	workers := make([]worker, l.Threads)
	const chunk = 1024
	for first := 0; first < len(models); first += chunk {
		if r.penalty > 0 {
			l.tell(Regressing, float64(first)/float64(len(models)))
		}
		linalg.ForEach(l.Threads, min(chunk, len(models)-first), func(who, k int) {
			if run.Ended(ctx) == nil {
				models[first+k] = r.run(&workers[who], x, first+k)
			}
		})
		if ctx.Err() != nil {
			return models, false
		}
	}
	return models, true
}

// adopt makes the models of some vertices, of one of the signs, those of the learner. Those of others come with
// the variance of their residuals, which are computed where they are needed.
func (l *learner) adopt(vertices []int32, models [][]model, sign int) {
	if l.shared == nil && l.residuals.Data == nil {
		l.residuals = linalg.NewDense(l.x.Rows, l.x.Cols)
	}
	linalg.ForEach(l.Threads, len(vertices), func(_, k int) {
		i := int(vertices[k])
		l.models[i] = models[k][sign]
		if l.shared == nil {
			l.models[i].variance = signalsOf(l.x).residual(&l.models[i], i, linalg.Row(l.residuals, i))
		}
	})
}
