package nervure

import (
	"cmp"
	"runtime"
	"time"

	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/internal/auto"
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
// How long a method takes, its [method.Clock] tells. While a method is chosen, the
// rest is that of a field of order one: the sparse method takes so much longer that
// choosing is over before a third of its run. With more than 1000 vertices, the field is learned
// meanwhile, and tells. It looks at nothing but steps and a clock.
type Estimator struct {
	options Options
	clock   func() time.Duration // since the run began

	vertices, signals int
	method            method.Method // nil until it is chosen
	steps             method.Clock  // nil until learning begins, or if the method has none
	learningBegun     time.Duration
	stage             Stage
	since             time.Duration // when the stage began
	spent             map[Stage]time.Duration

	proved   bool // the graph is: it needs no test, and its confidence takes no time
	done, of int  // half-samples, or halves that the sparse method was tried on
	doneAt   time.Duration
}

// NewEstimator returns an estimator for a run with these options that begins now.
func NewEstimator(o Options) *Estimator {
	begun := time.Now()
	return newEstimator(o, func() time.Duration { return time.Since(begun) })
}

func newEstimator(o Options, clock func() time.Duration) *Estimator {
	if o.Method == nil {
		o.Method = methodFor(o)
	}
	e := &Estimator{options: o, clock: clock, stage: Preparing, spent: map[Stage]time.Duration{}}
	if !auto.Is(o.Method) {
		e.method = o.Method
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
		e.beginLearning(s.Choice, now)
	case s.Stage == Learning:
		e.follow(s.Method, now)
	case s.Stage == ChoosingMethod && auto.IsLearningField(s.Method.Phase): // which is then taken, but for rare cases
		if e.steps == nil {
			e.beginLearning(&MethodChoice{Method: auto.FieldName()}, e.since)
		}
		e.steps.Follow(s.Method, now-e.learningBegun)
	case s.Stage == ChoosingMethod && s.Method.Phase != "": // whether it leads anywhere is not known
	case s.Of > 0:
		e.done, e.of, e.doneAt = s.Done, s.Of, now
	default:
		e.proved = s.Stage == AssessingEdges && e.isCoded() && e.options.Structure != No && e.stage != TestingStructure
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

// beginLearning makes the clock of the method.
func (e *Estimator) beginLearning(choice *MethodChoice, now time.Duration) {
	if choice != nil {
		chosen, _ := MethodByName(choice.Method)
		e.method = chosen.Default
	}
	e.learningBegun = now
	if timed, ok := e.method.(method.Timed); ok {
		e.steps = timed.Clock(method.Size{
			Vertices: e.vertices, Signals: e.signals, Threads: cmp.Or(e.options.Threads, runtime.GOMAXPROCS(0)),
			Halves: 2 * assess.HalfSamplePairs(max(e.vertices, 1), max(e.signals, 1)), Choosing: e.spent[ChoosingMethod],
		})
	}
}

// follow takes in a step of the method.
func (e *Estimator) follow(s method.Step, now time.Duration) {
	if e.steps == nil {
		return
	}
	e.steps.Follow(s, now-e.learningBegun)
	stage := Learning
	if e.steps.Pruning() {
		stage = Pruning
	}
	if e.stage != stage {
		e.begin(stage, now)
	}
}

// stages lists those that the run is expected to have.
func (e *Estimator) stages() []Stage {
	var list []Stage
	if auto.Is(e.options.Method) {
		list = append(list, ChoosingMethod)
	}
	list = append(list, Learning)
	if e.isCoded() {
		list = append(list, Pruning)
	}
	if e.options.Structure != No && (e.method == nil || !method.Has(e.method, method.DirectedEdges)) {
		list = append(list, TestingStructure)
	}
	if e.isConfident(e.isCoded()) {
		list = append(list, AssessingEdges)
	}
	if e.stage == CheckingRest {
		list = append(list, CheckingRest)
	}
	return list
}

// isCoded reports whether the method explains signals by codes, or is likely to.
func (e *Estimator) isCoded() bool { return e.method == nil || method.Has(e.method, method.HasCodes) }

// isConfident reports whether edges are likely to get a confidence.
func (e *Estimator) isConfident(coded bool) bool {
	values := e.vertices * e.signals
	switch {
	case e.options.Confidence == No || e.method != nil && method.Has(e.method, method.DirectedEdges):
		return false
	case e.options.Confidence == Yes:
		return true
	case coded:
		return e.vertices <= ConfidenceVertices && values <= ConfidenceValues
	}
	return isFieldSize(e.vertices, values)
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
		if e.steps == nil {
			p.Left = e.choosingLeft(now)
			return p
		}
	}
	left, ok := e.leftOfStage(now)
	for _, s := range list[at:] {
		expected, known := e.expected(s, now)
		left, ok = left+expected, ok && known
	}
	if ok {
		p.Left = left
	}
	return p
}

// fieldShare is the share of the time of learning a field that its tests take.
const fieldShare = 0.6

// choosingLeft estimates the rest of a run that chooses a method, if it takes that of fields;
// negative if nothing was tried yet.
func (e *Estimator) choosingLeft(now time.Duration) time.Duration {
	if e.done == 0 {
		return -1
	}
	whole := (e.doneAt - e.since) * time.Duration(e.of) / time.Duration(e.done)
	left := method.Rest(whole, now-e.since) + whole // learning takes about as long
	if e.isConfident(false) {
		left += time.Duration(fieldShare * float64(whole))
	}
	return left
}

// leftOfStage estimates the rest of the present stage.
func (e *Estimator) leftOfStage(now time.Duration) (time.Duration, bool) {
	switch {
	case e.stage == Learning || e.stage == Pruning || e.stage == ChoosingMethod:
		if e.steps == nil {
			return 0, false
		}
		return e.steps.Left(now - e.learningBegun)
	case e.stage == AssessingEdges && e.done > 0:
		each := float64(e.doneAt-e.since) / float64(e.done)
		return max(time.Duration(each*float64(e.of-e.done))-(now-e.doneAt), 0), true
	}
	whole, ok := e.expected(e.stage, now)
	return method.Rest(whole, now-e.since), ok
}

// expected estimates a stage that has not begun.
func (e *Estimator) expected(s Stage, now time.Duration) (time.Duration, bool) {
	part, ok := map[Stage]method.Part{
		Pruning: method.PruningPart, TestingStructure: method.StructurePart,
		AssessingEdges: method.ConfidencePart,
	}[s]
	switch {
	case !ok || s == AssessingEdges && e.proved:
		return 0, true
	case e.steps == nil: // learning again from halves takes about as long
		return e.spent[Learning], e.stage != Learning
	}
	return e.steps.Expected(part, now-e.learningBegun)
}

// confidenceTime is how long the confidence can be expected to take.
func (a *Analysis) confidenceTime() time.Duration {
	if a.explanation() == nil {
		return time.Duration(fieldShare * float64(a.Duration))
	}
	return confidenceFactor * a.Duration
}

// confidenceFactor is how many times as long as learning the confidence takes for a
// method with codes, at least.
const confidenceFactor = 2
