package nervure

import (
	"cmp"
	"math"
	"runtime"
	"time"

	"github.com/nervure/nervure/assess"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

// Pruning is a part of [Learning] that an [Estimator] tells apart: the sparse method
// takes edges away. No [Step] has it as its stage.
const Pruning Stage = "pruning"

// A Progress is how far a run has come.
type Progress struct {
	Stage Stage         // that the run is in
	Index int           // of it, from 1
	Of    int           // stages that the run is expected to have; some may turn out to be unnecessary
	Left  time.Duration // an estimate; negative if there is none yet
}

// An Estimator follows the [Steps] of a run and estimates how long it will still take.
// What is still to be done is told from what was done before: learning from a half of
// the signals takes about half as long as a search took, without what follows it; a
// point of the pruning path about as long as the one before. While a method is chosen, the
// rest is that of ggl: the sparse method takes so much longer that choosing is over
// before a third of its run. It looks at nothing but steps and a clock.
type Estimator struct {
	options Options
	clock   func() time.Duration // since the run began

	vertices, signals int
	method            method.Method // nil until it is chosen
	stage             Stage
	since             time.Duration // when the stage began
	spent             map[Stage]time.Duration

	searches    int // of the sparse method, begun
	round       int // of the present search
	mostRounds  int // of a search that is over
	searching   time.Duration
	searchBegun time.Duration

	weightsAt, pathAt time.Duration // when ggl had its weights and its path, since the stage began

	proved            bool // the graph is: it needs no test, and its confidence takes no time
	firstEdges, edges int  // of the pruning path
	done, of          int  // half-samples, or halves that the sparse method was tried on
	doneAt            time.Duration
}

// NewEstimator returns an estimator for a run with these options that begins now.
func NewEstimator(o Options) *Estimator {
	begun := time.Now()
	return newEstimator(o, func() time.Duration { return time.Since(begun) })
}

func newEstimator(o Options, clock func() time.Duration) *Estimator {
	e := &Estimator{options: o, clock: clock, stage: Preparing, spent: map[Stage]time.Duration{}}
	if _, auto := o.Method.(AutoMethod); !auto && o.Method != nil {
		e.method = withKernels(o.Method, o.Kernels)
	} else if o.Kernels != nil {
		e.method = learn.Sparse{}
	}
	return e
}

// Follow takes in a step and returns how far the run has come.
func (e *Estimator) Follow(s Step) Progress {
	now := e.clock()
	switch {
	case s.Stage == Preparing && s.Preparation != nil:
		e.vertices, e.signals = s.Preparation.Y.Dims()
	case s.Stage == Learning && s.Method.Phase == "":
		e.begin(Learning, now)
		if s.Choice != nil {
			e.method = learn.Sparse{}
			if s.Choice.Method == fieldMethod.Name() {
				e.method = fieldMethod
			}
		}
		e.searchBegun = now
	case s.Stage == Learning:
		e.follow(s.Method, now)
	case s.Of > 0:
		e.done, e.of, e.doneAt = s.Done, s.Of, now
	default:
		e.proved = s.Stage == AssessingEdges && e.isSparse() && e.options.Structure != No && e.stage != TestingStructure
		e.begin(s.Stage, now)
	}
	return e.progress(now)
}

// Now returns how far the run has come, when there is no step to follow.
func (e *Estimator) Now() Progress { return e.progress(e.clock()) }

func (e *Estimator) begin(stage Stage, now time.Duration) {
	e.spent[e.stage] += now - e.since
	e.stage, e.since = stage, now
	e.done, e.of = 0, 0
}

// follow takes in a step of the method.
func (e *Estimator) follow(s method.Step, now time.Duration) {
	switch s.Phase {
	case baseline.WeightsLearned:
		e.weightsAt = now - e.since
	case baseline.PathFollowed:
		e.pathAt = now - e.since
	case learn.Pruning:
		if e.stage != Pruning {
			e.endSearch(now)
			e.begin(Pruning, now)
			e.firstEdges = s.Edges
		}
		e.edges = s.Edges
	case learn.Polishing:
	default:
		if e.stage == Pruning { // another number of atoms is tried
			e.begin(Learning, now)
			e.searchBegun = now
			e.round = 0
		}
		if s.Round == 1 && s.Phase == learn.Coding {
			if e.round > 0 {
				e.endSearch(now)
			}
			e.searches++
		}
		e.round = s.Round
	}
}

func (e *Estimator) endSearch(now time.Duration) {
	e.searching += now - e.searchBegun
	e.mostRounds = max(e.mostRounds, e.round)
	e.searchBegun = now
}

// stages lists those that the run is expected to have.
func (e *Estimator) stages() []Stage {
	var list []Stage
	if _, auto := e.options.Method.(AutoMethod); auto || e.options.Method == nil && e.options.Kernels == nil {
		list = append(list, ChoosingMethod)
	}
	list = append(list, Learning)
	if e.isSparse() {
		list = append(list, Pruning)
		if e.options.Structure != No {
			list = append(list, TestingStructure)
		}
	}
	if e.confident() {
		list = append(list, AssessingEdges)
	}
	if e.options.Sample >= 0 && e.stage == CheckingRest {
		list = append(list, CheckingRest)
	}
	return list
}

// isSparse says whether the method is sparse, or likely to be.
func (e *Estimator) isSparse() bool {
	if e.method == nil {
		return true
	}
	_, ok := e.method.(learn.Sparse)
	return ok
}

// confident says whether edges are likely to get a confidence.
func (e *Estimator) confident() bool {
	values := e.vertices * e.signals
	_, ggl := e.method.(baseline.GGL)
	switch {
	case e.options.Confidence == No:
		return false
	case e.options.Confidence == Yes:
		return true
	case ggl:
		return e.vertices <= FieldConfidenceVertices && values <= FieldConfidenceValues
	}
	return e.isSparse() && e.vertices <= ConfidenceVertices && values <= ConfidenceValues
}

func (e *Estimator) progress(now time.Duration) Progress {
	list := e.stages()
	p := Progress{Stage: e.stage, Index: 1, Of: len(list), Left: -1}
	at := 0
	for k, s := range list {
		if s == e.stage {
			p.Index, at = k+1, k+1
		}
	}
	switch e.stage {
	case Preparing:
		return p
	case ChoosingMethod:
		p.Left = e.choosingLeft(now)
		return p
	}
	left, ok := e.leftOfStage(now)
	for _, s := range list[at:] {
		expected, known := e.expected(s)
		left, ok = left+expected, ok && known
	}
	if ok {
		p.Left = left
	}
	return p
}

// choosingLeft estimates the rest of a run that chooses a method, if it takes ggl;
// negative if nothing was tried yet.
func (e *Estimator) choosingLeft(now time.Duration) time.Duration {
	if e.done == 0 {
		return -1
	}
	whole := (e.doneAt - e.since) * time.Duration(e.of) / time.Duration(e.done)
	left := rest(whole, now-e.since) + whole // learning takes about as long
	field := *e
	if field.method = fieldMethod; field.confident() {
		left += time.Duration(fieldShare * float64(whole))
	}
	return left
}

// search returns how long one search of the sparse method takes, and whether one is
// known.
func (e *Estimator) search(now time.Duration) (time.Duration, bool) {
	switch {
	case e.searching > 0:
		over := e.searches
		if e.stage == Learning {
			over--
		}
		return e.searching / time.Duration(max(over, 1)), true
	case e.round > 1: // the present one, as far as it has come
		share := min(float64(e.round)/float64(e.usualRounds()), 0.9)
		return time.Duration(float64(now-e.searchBegun) / share), true
	}
	return 0, false
}

// usualRounds is how many rounds a search has.
func (e *Estimator) usualRounds() int {
	if e.mostRounds > 0 {
		return e.mostRounds
	}
	if e.vertices >= learn.DefaultLargeFrom {
		return 3
	}
	return 10
}

// usualSearches is how many searches the sparse method makes.
func (e *Estimator) usualSearches() int {
	if s, ok := e.method.(learn.Sparse); ok && s.Options.Kernels != learn.KernelsAuto && s.Model.Kernels != nil || e.vertices >= learn.DefaultLargeFrom {
		return 1
	}
	return max(5, e.searches)
}

// rest is what is left of a stage. One that takes longer than expected goes on for a while.
func rest(whole, spent time.Duration) time.Duration { return max(whole-spent, spent/10) }

// leftOfStage estimates the rest of the present stage.
func (e *Estimator) leftOfStage(now time.Duration) (time.Duration, bool) {
	spent := now - e.since
	switch e.stage {
	case Learning:
		if !e.isSparse() {
			whole, ok := e.fieldTime()
			return rest(whole, spent), ok
		}
		one, ok := e.search(now)
		return rest(one*time.Duration(e.usualSearches()), spent), ok
	case Pruning:
		if path := e.pathLeft(); path >= 0 {
			return time.Duration(float64(spent) * path), true
		}
		whole, ok := e.expected(Pruning)
		return rest(whole, spent), ok
	case AssessingEdges:
		if e.done == 0 {
			whole, ok := e.expected(AssessingEdges)
			return rest(whole, spent), ok
		}
		each := float64(e.doneAt-e.since) / float64(e.done)
		return max(time.Duration(each*float64(e.of-e.done))-(now-e.doneAt), 0), true
	}
	whole, ok := e.expected(e.stage)
	return rest(whole, spent), ok
}

// fieldTime estimates how long ggl, ddgl or cgl take to learn: weights, a path, and the
// same for each fold.
func (e *Estimator) fieldTime() (time.Duration, bool) {
	threads := float64(cmp.Or(e.options.Threads, runtime.GOMAXPROCS(0)))
	rounds := math.Ceil(fieldFolds / threads)
	switch {
	case e.pathAt > 0:
		return time.Duration((1 + foldShare*rounds) * float64(e.pathAt)), true
	case e.weightsAt > 0:
		return time.Duration((1 + foldShare*rounds) * (1 + weightPaths) * float64(e.weightsAt)), true
	case e.spent[ChoosingMethod] > 0:
		return e.spent[ChoosingMethod], true
	}
	return 0, false
}

// pathLeft returns how many times as long as the pruning path has taken it will still
// take; every step removes a share of the edges.
func (e *Estimator) pathLeft() float64 {
	last := math.Log(float64(max(e.vertices/2, 1)))
	gone, left := math.Log(float64(e.firstEdges))-math.Log(float64(e.edges)), math.Log(float64(max(e.edges, 1)))-last
	if gone <= 0 {
		return -1
	}
	return max(left, 0) / gone
}

// expected estimates a stage that has not begun.
func (e *Estimator) expected(s Stage) (time.Duration, bool) {
	now := e.clock()
	one, known := e.search(now)
	switch s {
	case Pruning:
		if e.vertices >= learn.DefaultLargeFrom {
			return time.Duration(largePruningSearches * float64(one)), known
		}
		return time.Duration(pruningSearches * float64(one)), known
	case TestingStructure:
		return time.Duration(structureSearches * float64(one)), known
	case AssessingEdges:
		if e.proved {
			return 0, true
		}
		if !e.isSparse() {
			if e.stage == Learning {
				whole, ok := e.fieldTime()
				return time.Duration(fieldShare * float64(whole)), ok
			}
			return time.Duration(fieldShare * float64(e.spent[Learning])), e.spent[Learning] > 0
		}
		halves := 2 * float64(assess.HalfSamplePairs(max(e.vertices, 1), max(e.signals, 1)))
		return time.Duration(halfSearches * halves * float64(one)), known
	}
	return 0, true
}

// How long parts of a run take, in searches of the sparse method; measured by
// BenchmarkTimeLeft. They need not be right to more than a factor of two.
const (
	pruningSearches      = 9.0
	largePruningSearches = 0.4
	structureSearches    = 0.7
	halfSearches         = 0.5

	fieldFolds  = 5.0  // of ggl
	foldShare   = 0.85 // of the time of weights and path that a fold takes
	weightPaths = 1.0  // how many times as long as the weights their path takes
	fieldShare  = 0.6  // of the time that ggl takes to learn
)

// confidenceTime is how long the confidence can be expected to take.
func (a *Analysis) confidenceTime() time.Duration {
	if a.Sparse == nil {
		return time.Duration(fieldShare * float64(a.Duration))
	}
	return confidenceFactor * a.Duration
}

// confidenceFactor is how many times as long as learning the confidence takes for the
// sparse method, at least.
const confidenceFactor = 2
