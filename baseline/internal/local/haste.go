package local

import (
	"context"
	"math"
	"time"

	"github.com/nervure/nervure/baseline/internal/nearest"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/run"
)

// What there is no time to do for all signals and vertices is done for as many as there is time for:
// candidates are looked for by some of the signals, vertices are regressed on fewer of them, and
// those that nobody came to have the neighbours that others have found.

// A Haste is what a graph rests on that was learned in a hurry.
type Haste struct {
	Signals    int // that candidates were looked for by
	Candidates int // of a vertex, at least
	Vertices   int // that were regressed
}

const (
	// fewestSignals is how many signals candidates are looked for by at first.
	fewestSignals = 64
	// fewestCandidates is how many a vertex is regressed on at least.
	fewestCandidates = 6
	// safely is the share of the time left that work is expected to take.
	safely = 0.75
	// searchingShare is the share of the time for an answer that goes into candidates.
	searchingShare = 0.4
)

// A clock says how much time there is.
type clock struct {
	end     time.Time
	limited bool
}

// clockOf returns that of a context, or of a part of the time it has left.
func clockOf(ctx context.Context, share float64) clock {
	end, limited := ctx.Deadline()
	if limited && share < 1 {
		now := time.Now()
		end = now.Add(time.Duration(share * float64(end.Sub(now))))
	}
	return clock{end, limited}
}

// times returns how many times as much as what took so long there is time for.
func (c clock) times(took time.Duration) float64 {
	if !c.limited {
		return math.Inf(1)
	}
	return safely * max(time.Until(c.end).Seconds(), 0) / max(took.Seconds(), 1e-6)
}

// hurry begins to do what there is time for, and returns the context to do it in: that of the run as long as
// it has not ended, then the one for an answer. That is nil if nobody waits for one.
func (l *learner) hurry(ctx context.Context) context.Context {
	l.shared = nil // others would need longer
	if l.Soon = true; l.haste == nil {
		l.haste = &Haste{Signals: l.x.Cols, Candidates: candidates, Vertices: l.x.Rows}
	}
	if ctx.Err() == nil {
		return ctx
	}
	if l.Late == nil {
		return nil
	}
	return l.Late()
}

// searchInTime finds candidates by as many of the signals as there is time for. It is nil if there is none.
func (l *learner) searchInTime(ctx context.Context) []nearest.Best {
	if ctx.Err() == nil {
		if found := l.searchBefore(l.hurry(ctx), clockOf(ctx, 1)); found != nil {
			return found
		}
	}
	late := l.hurry(ctx)
	if late == nil {
		return nil
	}
	return l.searchBefore(late, clockOf(late, searchingShare))
}

// searchBefore is searchInTime with a clock.
func (l *learner) searchBefore(ctx context.Context, left clock) (found []nearest.Best) {
	count := l.x.Cols
	if left.limited {
		count = min(count, fewestSignals)
	}
	for {
		begun := time.Now()
		s := searchFor(l.signed)
		s.X, s.Threads, s.Progress = someSignals(l.x, count), l.Threads, func(share float64) { l.tell(Searching, share) }
		more := s.All(ctx)
		if more == nil {
			return found
		}
		l.haste.Signals, found = count, more
		next := int(min(float64(count)*left.times(time.Since(begun)), float64(l.x.Cols)))
		if next == count || next < min(2*count, l.x.Cols) {
			return found
		}
		count = next
	}
}

// someSignals returns that many of the signals, at equal distances, of mean square 1.
func someSignals(x linalg.Dense, count int) linalg.Dense {
	if count >= x.Cols {
		return x
	}
	some := linalg.NewDense(x.Rows, count)
	for i := range x.Rows {
		from, to := linalg.Row(x, i), linalg.Row(some, i)
		for t := range to {
			to[t] = from[t*x.Cols/count]
		}
		if size := math.Sqrt(portable.Dot(to, to) / float64(count)); size > 0 {
			for t := range to {
				to[t] /= size
			}
		}
	}
	return some
}

// regressInTime regresses the vertices that have no models yet, on as many of their candidates as there is time
// for. It reports false if nobody waits for that, or no vertex has a model.
func (l *learner) regressInTime(ctx context.Context, found []nearest.Best, models [][]model) bool {
	if ctx.Err() == nil {
		l.regressBefore(l.hurry(ctx), found, models)
	}
	if ctx.Err() != nil {
		late := l.hurry(ctx)
		if late == nil {
			return false
		}
		l.regressBefore(late, found, models)
	}
	l.haste.Vertices = 0
	for i := range models {
		if models[i] == nil {
			models[i] = []model{{variance: 1}}
			continue
		}
		l.haste.Vertices++
	}
	return l.haste.Vertices > 0
}

// hurriedRegressions is how many vertices are regressed before it is asked again how many candidates there is time for.
const hurriedRegressions = 256

// regressBefore is regressInTime until ctx ends.
func (l *learner) regressBefore(ctx context.Context, found []nearest.Best, models [][]model) {
	left := clockOf(ctx, safely)
	var open []int32
	for i := range models {
		if models[i] == nil {
			open = append(open, int32(i))
		}
	}
	workers := make([]worker, l.Threads)
	parts := (len(open) + hurriedRegressions - 1) / hurriedRegressions
	for p := range parts {
		l.tell(Regressing, float64(p)/float64(parts))
		r := &regression{signs: []bool{l.signed}, penalty: l.penalty}
		for k := p; k < len(open); k += parts { // from all over, so that whoever is left out has neighbours that are not
			r.vertices = append(r.vertices, open[k])
			r.on = append(r.on, found[open[k]].First(l.haste.Candidates))
		}
		begun := time.Now()
		linalg.ForEach(l.Threads, len(r.vertices), func(who, k int) {
			if run.Ended(ctx) == nil {
				models[r.vertices[k]] = r.run(&workers[who], signalsOf(l.x), k)
			}
		})
		if ctx.Err() != nil {
			return
		}
		if share := left.times(time.Since(begun)) / float64(max(parts-p-1, 1)); share < 1 { // products of candidates take most of it
			l.haste.Candidates = max(int(float64(l.haste.Candidates)*math.Sqrt(share)), fewestCandidates)
		}
	}
}
