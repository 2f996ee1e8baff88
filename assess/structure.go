package assess

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/prepare"
)

// A StructureTest says whether a model sees a graph in signals at all, by signals that
// were held out. Three rivals stand for no graph:
//
//   - shuffled signals: those held out, with the values of each vertex put into
//     another order, by itself. Each vertex keeps its values; what vertices have
//     in common is gone. If the graph codes them as well as the signals, it says
//     nothing about the signals.
//   - the mean of the other vertices, for predicting a vertex;
//   - the signals themselves, for the codes: a share of their energy.
type StructureTest struct {
	HeldOut    int     // signals
	CodeError  float64 // ‖y − Dx‖²/‖y‖², the mean over these
	Shuffled   float64 // the same when shuffled
	CodeScore  float64 // by how many standard errors the logarithms of the two differ
	Prediction float64 // share of the errors of the mean of the others that the graph takes away
	// PredictionScore is by how many standard errors it is above zero.
	PredictionScore float64
	Structure       bool // the model sees a graph
}

const (
	// sureScore is the standard errors at which a score is no chance: one noise in
	// seven hundred reaches it, by either of two scores.
	sureScore = 3.2
	// atOnce is the score that needs no second look.
	atOnce = 6
	// shuffles is how often signals are shuffled.
	shuffles = 5
	// structureParts is how many parts signals are split into; each is held out once.
	structureParts = 4
	// leastHeldOut is the fewest signals by which anything can be said.
	leastHeldOut = 5
	// mostFitVertices is where dense dictionaries end.
	mostFitVertices = 1000
)

// StructureOptions say how to look at the fit.
type StructureOptions struct {
	Seed    uint64 // of which signals are held out, and of their shuffles
	Threads int    // zero means 1; the result does not depend on it
}

// TestStructure learns again, as result was learned from y, from three quarters of the
// signals and looks at the others, and does so for each quarter unless the first
// is clear. A certified result needs no such proof, and is
// answered at once. Signals that are too few, or vertices too many, are an
// *input.Error. If ctx ends, its cause is returned.
func TestStructure(ctx context.Context, y *mat.Dense, result *learn.Result, o StructureOptions) (*StructureTest, error) {
	if result.Certified {
		return &StructureTest{Structure: true}, nil
	}
	n, m := y.Dims()
	switch {
	case m/structureParts < leastHeldOut:
		return nil, &input.Error{Op: "assess", Field: input.Field("signals"), Msg: fmt.Sprintf("got %d, want at least %d to hold some out", m, leastHeldOut*structureParts)}
	case n > mostFitVertices:
		return nil, &input.Error{Op: "assess", Field: input.Field("vertices"), Msg: fmt.Sprintf("got %d, want at most %d to look at held-out signals", n, mostFitVertices)}
	}
	g := newLook(y, result, o.Seed)
	again := result.Options
	again.Starts, again.Threads, again.Kernels = 1, max(o.Threads, 1), learn.KernelsGiven
	again.Cut = graph.Cut{Rule: graph.CutThreshold} // the fit, not the cut, is in question
	var f *StructureTest
	for part := range structureParts {
		if err := g.at(ctx, part, result.Model, again); err != nil {
			return nil, err
		}
		// What is clear at once needs no further look.
		if f = g.outcome(); part == 0 && max(f.CodeScore, f.PredictionScore) > atOnce {
			break
		}
	}
	return f, nil
}

// A look gathers how held-out signals fit, part by part.
type look struct {
	y      *mat.Dense
	result *learn.Result
	seed   uint64
	part   []int // of each signal

	held     []int // signals, in the order of what follows
	seen     learn.HeldOutFit
	left     []float64 // what codes leave over
	shuffled []float64 // and what they leave of shuffled signals
}

func newLook(y *mat.Dense, result *learn.Result, seed uint64) *look {
	_, m := y.Dims()
	l := &look{y: y, result: result, seed: seed, part: make([]int, m)}
	// Signals that follow one another in time and are alike stay together, for
	// else those learned from would tell about those held out.
	block := BlockFor(y)
	order := rng.Stream(seed, "goodness").Perm((m + block - 1) / block)
	for s := range l.part {
		l.part[s] = order[s/block] % structureParts
	}
	return l
}

// at holds out a part of the signals and learns from the others.
func (l *look) at(ctx context.Context, part int, model learn.Model, o learn.Options) error {
	var held, used []int
	for s, p := range l.part {
		if p == part {
			held = append(held, s)
		} else {
			used = append(used, s)
		}
	}
	train, test := columns(l.y, used), columns(l.y, held)
	learned, err := learn.Fit(ctx, train, model, o)
	if err != nil {
		return err
	}
	train = l.result.AsCoded(train)
	h, err := learn.CodeHeldOut(learned.Weights, learned.Model, train, l.result.AsCoded(test), o.Threads)
	if err != nil {
		return err
	}
	l.held, l.left = append(l.held, held...), append(l.left, h.RelativeResidual()...)
	l.seen.Error, l.seen.MeanError = append(l.seen.Error, h.Error...), append(l.seen.MeanError, h.MeanError...)
	for k := range shuffles {
		h, err := learn.CodeHeldOut(learned.Weights, learned.Model, train, l.result.AsCoded(shuffledRows(test, l.seed, part*shuffles+k)), o.Threads)
		if err != nil {
			return err
		}
		l.shuffled = append(l.shuffled, h.RelativeResidual()...)
	}
	return nil
}

// outcome says what the parts looked at so far show.
func (l *look) outcome() *StructureTest {
	f := &StructureTest{
		HeldOut: len(l.left), CodeError: stat.Mean(l.left, nil), Shuffled: stat.Mean(l.shuffled, nil),
		CodeScore:  apart(logs(l.shuffled), logs(l.left), l.share(logs(l.left))),
		Prediction: l.seen.Prediction(),
	}
	gains := make([]float64, len(l.held))
	for k, e := range l.seen.Error {
		gains[k] = l.seen.MeanError[k] - e
	}
	f.PredictionScore = apart(gains, []float64{0, 0}, l.share(gains))
	f.Structure = f.CodeScore > sureScore || f.PredictionScore > sureScore
	return f
}

// share returns which share of the held-out signals count as independent: those
// that follow one another in time and fit alike count for fewer.
func (l *look) share(values []float64) float64 {
	inTime := make([]int, len(values))
	for k := range inTime {
		inTime[k] = k
	}
	slices.SortFunc(inTime, func(a, b int) int { return cmp.Compare(l.held[a], l.held[b]) })
	series := mat.NewDense(1, len(values), nil)
	for at, k := range inTime {
		series.Set(0, at, values[k])
	}
	return min(prepare.EffectiveObservations(series)/float64(len(values)), 1)
}

// shuffledRows returns y with the entries of each row in random order.
func shuffledRows(y *mat.Dense, seed uint64, k int) *mat.Dense {
	r := rng.Stream(seed, "shuffled", k)
	out := mat.DenseCopyOf(y)
	n, m := out.Dims()
	for i := range n {
		row := out.RawRowView(i)
		r.Shuffle(m, func(a, b int) { row[a], row[b] = row[b], row[a] })
	}
	return out
}

func logs(values []float64) []float64 {
	out := make([]float64, len(values))
	for k, v := range values {
		out[k] = math.Log(max(v, 1e-18))
	}
	return out
}

// apart returns by how many standard errors the mean of a exceeds that of b,
// where only a share of the values counts.
func apart(a, b []float64, share float64) float64 {
	meanA, varA := stat.MeanVariance(a, nil)
	meanB, varB := stat.MeanVariance(b, nil)
	err := math.Sqrt((varA/float64(len(a)) + varB/float64(len(b))) / share)
	if err == 0 {
		return 0
	}
	return (meanA - meanB) / err
}
