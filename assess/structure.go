package assess

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
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
	HeldOut   int     // signals
	CodeError float64 // ‖y − Dx‖²/‖y‖², the mean over these
	Shuffled  float64 // the same when shuffled
	CodeScore float64 // by how many standard errors the logarithms of the two differ
	// Prediction is the share of the errors of the mean of the others that the graph
	// takes away; not a number beyond learn.MostPredictedVertices.
	Prediction float64
	// PredictionScore is by how many standard errors it is above zero; zero beyond them.
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
	// mostHeldOut is the most signals that are held out of a large graph: many
	// vertices make each of them tell enough.
	mostHeldOut = 200
	// mostValues is how many vertices times signals are looked at, unless the graph is
	// large: then learning itself takes no more than a few rounds.
	mostValues = 1_000_000
)

// StructureOptions say how to look at the fit.
type StructureOptions struct {
	Seed    uint64 // of which signals are held out, and of their shuffles
	Threads int    // zero means 1; the result does not depend on it
}

// TestStructure learns again, as result was learned from y, from three quarters of the
// signals and looks at the others, and does so for each quarter unless the first
// is clear. Of a large graph one quarter has to do, so that the test takes no longer
// than learning did; of very many signals, some have to. A certified result needs no
// such proof, and is answered at once. Signals that are too few are an *input.Error.
// If ctx ends, its cause is returned.
func TestStructure(ctx context.Context, y *mat.Dense, result *learn.Result, o StructureOptions) (*StructureTest, error) {
	if result.Certified {
		return &StructureTest{Structure: true}, nil
	}
	if _, m := y.Dims(); m/structureParts < leastHeldOut {
		return nil, input.Errorf("assess", input.Signals, "got %d, want at least %d for held-out tests", m, leastHeldOut*structureParts)
	}
	fit := newCrossFit(y, result, o.Seed)
	again := result.Options
	again.Starts, again.Threads, again.Kernels = 1, max(o.Threads, 1), learn.KernelsGiven
	again.Cut = graph.Cut{Rule: graph.CutThreshold} // the fit, not the cut, is in question
	var test *StructureTest
	for part := range structureParts {
		found, err := checkpoint.Piece(ctx, "part", func(c *checkpoint.Coder, p *heldPart) { c.Struct(p) }, func(ctx context.Context) (heldPart, error) {
			return fit.holdOut(ctx, part, result.Model, again)
		})
		if err != nil {
			return nil, err
		}
		fit.add(found)
		// What is clear at once needs no further look.
		if test = fit.outcome(); result.Large || part == 0 && max(test.CodeScore, test.PredictionScore) > atOnce {
			break
		}
	}
	return test, nil
}

// A crossFit gathers how held-out signals fit, part by part.
type crossFit struct {
	y      *mat.Dense
	result *learn.Result
	seed   uint64
	part   []int // of each signal; −1 for those not looked at

	held     []int // signals, in the order of what follows
	fit      learn.HeldOutFit
	residual []float64 // share of each that codes do not explain
	shuffled []float64 // the same when shuffled
}

// A heldPart is how a part of the signals fits.
type heldPart struct {
	Held               []int // signals, in the order of what follows
	Residual, Shuffled []float64
	Error, MeanError   []float64
}

// add takes in a part.
func (l *crossFit) add(p heldPart) {
	l.held, l.residual, l.shuffled = append(l.held, p.Held...), append(l.residual, p.Residual...), append(l.shuffled, p.Shuffled...)
	l.fit.Error, l.fit.MeanError = append(l.fit.Error, p.Error...), append(l.fit.MeanError, p.MeanError...)
}

func newCrossFit(y *mat.Dense, result *learn.Result, seed uint64) *crossFit {
	n, m := y.Dims()
	l := &crossFit{y: y, result: result, seed: seed, part: make([]int, m)}
	// Signals that follow one another in time and are alike stay together, for
	// else those learned from would tell about those held out.
	block := BlockLength(y)
	order := rng.Stream(seed, "goodness").Perm((m + block - 1) / block)
	some := len(order)
	if !result.Large {
		some = max(min(some, mostValues/n/block), structureParts)
	}
	for s := range l.part {
		if l.part[s] = order[s/block] % structureParts; order[s/block] >= some {
			l.part[s] = -1
		}
	}
	return l
}

// holdOut holds out a part of the signals and learns from the others.
func (l *crossFit) holdOut(ctx context.Context, part int, model learn.Model, o learn.Options) (found heldPart, err error) {
	var held, used []int
	for s, p := range l.part {
		switch p {
		case -1:
		case part:
			held = append(held, s)
		default:
			used = append(used, s)
		}
	}
	if l.result.Large {
		held = held[:min(len(held), mostHeldOut)]
	}
	train, test := signals.Columns(l.y, used), signals.Columns(l.y, held)
	learned, err := learn.Fit(ctx, train, model, o)
	if err != nil {
		return found, err
	}
	train, _ = l.result.RemoveCommonMode(train)
	rest, _ := l.result.RemoveCommonMode(test)
	h, err := learn.CodeHeldOut(learned.Weights, learned.Model, train, rest, o.Threads)
	if err != nil {
		return found, err
	}
	found = heldPart{Held: held, Residual: h.RelativeResidual(), Error: h.Error, MeanError: h.MeanError}
	for k := range shuffles {
		rest, _ := l.result.RemoveCommonMode(shuffledRows(test, l.seed, part*shuffles+k))
		h, err := learn.ResidualsHeldOut(learned.Weights, learned.Model, train, rest, o.Threads)
		if err != nil {
			return found, err
		}
		found.Shuffled = append(found.Shuffled, h.RelativeResidual()...)
	}
	if !(portable.Sum(found.Residual)+portable.Sum(found.Shuffled) <= math.MaxFloat64) {
		// Users read this in a warning: it is a plain sentence.
		return found, errors.New("some signals are so much larger than others that the squares of their values overflow")
	}
	return found, nil
}

// outcome says what the parts looked at so far show.
func (l *crossFit) outcome() *StructureTest {
	f := &StructureTest{
		HeldOut: len(l.residual), CodeError: portable.Mean(l.residual), Shuffled: portable.Mean(l.shuffled),
		CodeScore:  standardScore(logs(l.shuffled), logs(l.residual), l.share(logs(l.residual))),
		Prediction: math.NaN(),
	}
	if len(l.fit.Error) > 0 {
		f.Prediction, f.PredictionScore = l.fit.Prediction(), l.predictionScore()
	}
	f.Structure = f.CodeScore > sureScore || f.PredictionScore > sureScore
	return f
}

// predictionScore returns by how many standard errors predictions are better than
// the mean of the others.
func (l *crossFit) predictionScore() float64 {
	gains := make([]float64, len(l.held))
	for k, e := range l.fit.Error {
		gains[k] = l.fit.MeanError[k] - e
	}
	return standardScore(gains, []float64{0, 0}, l.share(gains))
}

// share returns which share of the held-out signals count as independent: those
// that follow one another in time and fit alike count for fewer.
func (l *crossFit) share(values []float64) float64 {
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

// standardScore returns by how many standard errors the mean of a exceeds that of b,
// where only a share of the values counts.
func standardScore(a, b []float64, share float64) float64 {
	meanA, varA := portable.MeanVariance(a)
	meanB, varB := portable.MeanVariance(b)
	err := math.Sqrt((varA/float64(len(a)) + varB/float64(len(b))) / share)
	if err == 0 {
		return 0
	}
	return (meanA - meanB) / err
}
