package assess

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
)

// A StructureTest reports whether a model sees a graph in signals at all, by signals that
// were held out. Three rivals stand for no graph:
//
//   - shuffled signals: those held out, with the values of each vertex put into
//     another order, by itself. Each vertex keeps its values; what vertices have
//     in common is gone. If the graph codes them as well as the signals, it says
//     nothing about the signals.
//   - the mean of the other vertices, for predicting a vertex;
//   - the signals themselves, for the codes: a share of their energy.
//
// A method without codes is tested by its edges; see [TestEdges].
type StructureTest struct {
	HeldOut   int     // signals
	Coded     bool    // the method explains signals by codes; else CodeError to CodeScore are zero
	CodeError float64 // ‖y − Dx‖²/‖y‖², the mean over these
	Shuffled  float64 // the same when shuffled
	CodeScore float64 // by how many standard errors the logarithms of the two differ
	// Prediction is, of codes, the share of the errors of the mean of the others that the graph
	// takes away, not a number if there are too many vertices; of edges, the share of the
	// energy of hidden values that they predict.
	Prediction float64
	// PredictionScore is by how many standard errors the prediction, of codes, or the gain, of
	// edges, is above zero; zero beyond them.
	PredictionScore float64
	// Gain is how much likelier held-out signals are with the edges than without, in nats per
	// signal; zero for codes.
	Gain      Estimate
	Structure bool // the model sees a graph, or two vertices depend on each other beyond chance
	// Pair is the largest correlation of two vertices if only that speaks for a graph; else zero.
	Pair float64
	// SharedOnly says that edges only repeat what all vertices share.
	SharedOnly bool
}

const (
	// sureScore is the standard errors at which a score is beyond chance: one noise in
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
	// gapsPerBlock is how many times as long a block of signals in time is as the gap on either
	// side of it. Neighbours in time of signals learned from fit, in noise, too, and shuffled ones
	// do not: without gaps, seven of eight files of noise that keeps 0.9 of each observation had
	// structure. Longer blocks leave more signals to learn from, and fewer blocks to tell by.
	gapsPerBlock = 4
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
	// Independent means that signals do not depend on each other, whatever their order suggests.
	Independent bool
}

func checkThreads(threads int) error {
	if threads < 0 {
		return input.Errorf("assess", "threads", "got %d, want at least 0", threads)
	}
	return nil
}

// TestStructure learns again, as result was learned from y, from three quarters of the
// signals and looks at the others, and does so for each quarter unless the first
// is clear. Of a large graph one quarter has to do, so that the test takes no longer
// than learning did; of very many signals, some have to. A certified result needs no
// such proof, and is answered at once. Signals that are too few are an *input.Error.
// If ctx ends, its cause is returned.
func TestStructure(ctx context.Context, y *mat.Dense, explainer method.Explainer, o StructureOptions) (*StructureTest, error) {
	about := explainer.Explanation()
	if about.Certified {
		return &StructureTest{Coded: true, Structure: true}, nil
	}
	if _, m := y.Dims(); m/structureParts < leastHeldOut {
		return nil, input.Errorf("assess", input.Signals,
			"got %d, want at least %d for held-out tests, or %d independent ones to look for pairs of vertices that depend on each other", m, leastHeldOut*structureParts, leastForPairs)
	}
	if err := checkThreads(o.Threads); err != nil {
		return nil, err
	}
	fit := newCrossFit(y, explainer, about.Truncated > 0, o)
	var test *StructureTest
	for part := range structureParts {
		found, err := checkpoint.Piece(ctx, "part", func(c *checkpoint.Coder, p *heldPart) { c.Struct(p) },
			func(ctx context.Context) (heldPart, error) {
				return fit.holdOut(ctx, part)
			})
		if err != nil {
			return nil, err
		}
		fit.add(found)
		// What is clear at once needs no further look.
		if test = fit.outcome(); fit.large || part == 0 && max(test.CodeScore, test.PredictionScore) > atOnce {
			break
		}
	}
	return test, nil
}

// A crossFit gathers how held-out signals fit, part by part.
type crossFit struct {
	y         *mat.Dense
	explainer method.Explainer
	large     bool
	seed      uint64
	threads   int
	part      []int // of each signal; −1 for those not looked at
	gap       int   // signals on either side of those held out that are not learned from

	held []int // signals, in the order of what follows
	fit  method.HeldOutCodes
}

// A heldPart is how a part of the signals fits.
type heldPart struct {
	Held               []int // signals, in the order of what follows
	Residual, Shuffled []float64
	Error, MeanError   []float64
}

// add takes in a part.
func (l *crossFit) add(p heldPart) {
	l.held = append(l.held, p.Held...)
	l.fit.Residual, l.fit.Shuffled = append(l.fit.Residual, p.Residual...), append(l.fit.Shuffled, p.Shuffled...)
	l.fit.Error, l.fit.MeanError = append(l.fit.Error, p.Error...), append(l.fit.MeanError, p.MeanError...)
}

func newCrossFit(y *mat.Dense, explainer method.Explainer, large bool, o StructureOptions) *crossFit {
	n, m := y.Dims()
	l := &crossFit{y: y, explainer: explainer, large: large, seed: o.Seed, threads: max(o.Threads, 1), part: make([]int, m)}
	// Signals that follow one another in time and are alike stay together, for
	// else those learned from would tell about those held out.
	block := BlockLength(y)
	if block > 1 && !o.Independent {
		alike := block
		block = min(gapsPerBlock*alike, m/leastBlocks) // alike at least, which is as limited
		l.gap = min(alike, block/2)
	}
	order := rng.Stream(o.Seed, "goodness").Perm((m + block - 1) / block)
	some := len(order)
	if !large {
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
func (l *crossFit) holdOut(ctx context.Context, part int) (found heldPart, err error) {
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
	if l.large {
		held = held[:min(len(held), mostHeldOut)]
	}
	used = apartFrom(used, held, l.gap)
	train, test := matrix.Columns(l.y, used), matrix.Columns(l.y, held)
	shuffled := func(yield func(*mat.Dense) bool) {
		for k := range shuffles {
			if !yield(shuffledRows(test, l.seed, part*shuffles+k)) {
				return
			}
		}
	}
	h, err := l.explainer.HoldOut(ctx, train, test, shuffled, l.threads)
	if err != nil {
		return found, err
	}
	found = heldPart{held, h.Residual, h.Shuffled, h.Error, h.MeanError}
	if !(portable.Sum(found.Residual)+portable.Sum(found.Shuffled) <= math.MaxFloat64) {
		return found, errOverflow
	}
	return found, nil
}

// apartFrom returns those of the signals used that are more than gap away from all that are held
// out; both ascend.
func apartFrom(used, held []int, gap int) []int {
	if gap == 0 {
		return used
	}
	return slices.DeleteFunc(used, func(s int) bool {
		next, _ := slices.BinarySearch(held, s-gap)
		return next < len(held) && held[next] <= s+gap
	})
}

// errOverflow is read by users in a warning: it is a plain sentence.
var errOverflow = errors.New("some signals are so much larger than others that the squares of their values overflow")

// outcome says what the parts looked at so far show.
func (l *crossFit) outcome() *StructureTest {
	f := &StructureTest{
		HeldOut: len(l.held), Coded: true, CodeError: portable.Mean(l.fit.Residual), Shuffled: portable.Mean(l.fit.Shuffled),
		CodeScore:  standardScore(logs(l.fit.Shuffled), logs(l.fit.Residual), l.share(logs(l.fit.Residual))),
		Prediction: math.NaN(),
	}
	if len(l.fit.Error) > 0 {
		f.Prediction, f.PredictionScore = l.prediction(), l.predictionScore()
	}
	f.Structure = f.CodeScore > sureScore || f.PredictionScore > sureScore
	return f
}

// prediction returns the share of the errors of the mean that the graph takes away.
func (l *crossFit) prediction() float64 {
	var e, r float64
	for k, v := range l.fit.Error {
		e, r = e+v, r+l.fit.MeanError[k]
	}
	if r == 0 {
		return 0
	}
	return 1 - e/r
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
	inTime := matrix.Sorted(len(values), func(a, b int) int { return cmp.Compare(l.held[a], l.held[b]) })
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
	for _, row := range matrix.Each(out) {
		r.Shuffle(len(row), func(a, b int) { row[a], row[b] = row[b], row[a] })
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
