package baseline

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline/internal/field"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
)

// Field learns the graph of a Gaussian field, and how the field lives on it: signals are
// y = ĝ(Θ)·z + noise with white z, where Θ is the Laplacian of the graph plus a diagonal. The
// kernel is that of a field of order α, whose precision matrix is Θ^α: 1 for a field whose
// edges are its partial correlations, 2 for voltages, pressures or temperatures in
// equilibrium and for images, 4 for smoother ones ([lindgren2011], [borovitskiy2021]); or that
// of diffusion, e^(−Θ). If the precision is not the Laplacian itself, pairs of vertices that
// are two steps apart have partial correlations, too, and methods that read edges off the
// precision matrix find edges that skip a vertex.
//
// The kernel is chosen by how likely held-out signals are, in blocks of consecutive ones: the
// simplest that is not clearly worse than the best. Weights, diagonal, noise and, where
// excitations differ in size, the scales of the vertices then maximise the likelihood of all
// signals, among the pairs that the root of their covariance speaks for.
//
// That root turns the signals into such of order one, of which [GGL] learns and cuts the graph.
// Where noise blurs the root and the model describes the signals, edges are those of the
// likelihood that are worth more than chance, at the price that Benjamini and Hochberg's rule
// over all pairs gives them. Where noise hides all high frequencies, the graph is that of order one;
// where no kernel describes the signals, orders above two are not taken. The weight of an edge
// is −Θ_ij/√(Θ_ii Θ_jj).
//
// No edge is negative, unless a pair of vertices has a negative partial correlation beyond chance,
// given the positive edges. Then negative ones are admitted at a price ([lauritzen2022]), and all
// that are found are pruned on the path of GGL without one. That graph, whose edges have
// negative weights where vertices move against each other, is taken if it makes held-out signals
// clearly likelier than one of as many positive edges. It is of order one, and so is a field
// with negative correlations: positive fields of any kernel have none.
//
// For order one, Field is [GGL], as far as it learns all pairs at once; of a graph without negative
// edges and with few triangles, learned from at least five independent signals for each vertex, edges
// then go that only close a triangle: those that are not clearly beyond chance, and weaker than a path
// past a third vertex. With fewer than three times as many signals as vertices, or more than 1000
// vertices, no other order is tried.
type Field struct {
	Order float64 `param:"order,omitzero" about:"order of the field: 1 if edges are partial correlations, 2 for voltages, pressures or images, 4 for smoother ones; 0 means chosen by held-out signals"`
	Heat  bool    `param:"heat,omitzero" about:"1 for signals that have diffused over the graph, instead of an order"`
	// Signed is 1 for graphs with negative edges, 2 for none, and 0 for the choice by held-out signals.
	Signed int     `param:"signed,omitzero" about:"1 to allow negative partial correlations, as edges of negative weight, 2 to forbid them; 0 means chosen by held-out signals"`
	Engine int     `param:"engine,omitzero" about:"1 to learn order 1 vertex by vertex, for any number of vertices, 2 for all pairs at once; 0 means the first from 500 vertices on"`
	Scale  float64 `param:"scale,omitzero" about:"kappa of the kernel over the frequencies of the learned graph, or tau of heat, as in --kernel matern:ALPHA,KAPPA and heat:TAU; 0 means fitted"`
}

var fieldEntry = register(method.Entry{
	Default: Field{}, Source: "lindgren2011", MostVertices: mostLocalVertices,
	NewOwn: func() method.Kept { return &FieldFit{} },
	About:  "Gaussian field on the graph: of any order, or one that has diffused, with graph, kernel and noise by likelihood",
})

// Name returns "field".
func (Field) Name() string { return "field" }

// Capabilities keeps the contract of [method.Capable].
func (Field) Capabilities() []method.Capability {
	return []method.Capability{method.CutUsesOrder, method.DirectOnly, method.SignedEdges, method.TakesScores}
}

// CommonMode keeps the contract of [method.CommonModeUser].
func (Field) CommonMode(*mat.Dense, []kernel.Kernel) method.CommonMode { return method.OwnCommonMode }

const (
	// FieldSignalsPerVertex is how many signals for each vertex it takes to tell orders apart: the
	// small eigenvalues of their covariance carry the graph.
	FieldSignalsPerVertex = 3
)

// A FieldFit is what only [Field] has to say.
type FieldFit struct {
	Kernel string       // such as matern:2
	Noise  float64      // standard deviation of the noise, over that of the signals
	Trials []FieldTrial // how likely held-out signals are by each kernel; nil if it was given
	// OnlyOrderOne says why no other order was tried, or could be taken; empty if others were.
	OnlyOrderOne string
	Misfit       bool // no kernel describes the signals well, and order two stands for all above
	Hidden       bool // noise hides what tells neighbours apart, and edges are those of order one
	// Local is how the graph of order one was learned vertex by vertex; nil if it was not.
	Local *LocalFit
	// Signs is what makes held-out signals likelier if edges may be negative; nil if that was not
	// tried.
	Signs *SignTrial

	kernel field.Kernel
	few    string // what makes the kernel that was asked for doubtful
	// vertices are those of the signals that it was learned from; nil as long as these are all.
	vertices []int
	units    []float64    // logarithms of what the signals of vertices were multiplied by first
	root     linalg.Dense // and what made them signals of order one; empty if nothing did
}

// A FieldTrial is a kernel that was tried.
type FieldTrial struct {
	Kernel string
	Gain   float64 // of the log-likelihood of a held-out signal over the first, in nats
	StdErr float64 // of that gain, or of that over the order beside which it was tried
}

// FieldFitOf returns what only [Field] has to say of a result; nil if it is another method's.
func FieldFitOf(r *method.Result) *FieldFit {
	fit, _ := r.Own.(*FieldFit)
	return fit
}

// Learn keeps the contract of [method.Method]; [FieldFitOf] has what only this method says.
func (f Field) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	return fieldEntry.Run(ctx, f, p, f.learn)
}

// A fieldRun learns a field.
type fieldRun struct {
	*FieldFit

	problem      method.Problem
	engine       engine                        // that learns order one
	signs        signChoice                    // whether edges may be negative
	negative     bool                          // the graph has edges of either sign
	y            linalg.Dense                  // the signals as rows, in units that suit a field
	observations float64                       // how many independent signals they count for
	models       map[field.Kernel]*field.Model // as far as trials learned them from some of the signals
}

func (f Field) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	r := &fieldRun{
		FieldFit: &FieldFit{kernel: field.Kernel{Order: f.Order}}, problem: p, engine: engine(f.Engine),
		signs: signChoice(f.Signed), models: map[field.Kernel]*field.Model{},
	}
	result, err := r.learn(ctx, f.Order == 0 && !f.Heat)
	if result == nil {
		return nil, err
	}
	r.Kernel = r.kernel.String()
	result.Method, result.Own = Field{
		Order: r.kernel.Order, Heat: r.kernel == field.Heat,
		Signed: r.chosenSigns(f.Signed), Engine: f.Engine, Scale: f.Scale,
	}, r.FieldFit
	return result, nil // the status says whether it was interrupted
}

// learn learns the kernel, if it is open, and the graph.
func (r *fieldRun) learn(ctx context.Context, open bool) (*method.Result, error) {
	few := r.fewSignals()
	switch {
	case !open && few != "" && r.kernel.Order != 1:
		r.few = few + ", too few for the kernel that was asked for"
	case open:
		r.OnlyOrderOne = r.notCompared(few)
	}
	if r.OnlyOrderOne != "" || r.kernel.Order == 1 {
		return r.orderOne(ctx)
	}
	if !open && r.signs == openSigns {
		r.signs = positiveOnly // a kernel is asked for of fields without negative edges
	}
	result, err := r.anyOrder(ctx, open)
	if open && err != nil && result == nil && ctx.Err() == nil { // every set of signals has a field of order one
		r.OnlyOrderOne, r.root, r.units = "the signals fit no field of another order", linalg.Dense{}, nil
		return r.orderOne(ctx)
	}
	return result, err
}

// anyOrder learns the kernel, if it is open, and the graph where that may be another than of order one.
func (r *fieldRun) anyOrder(ctx context.Context, open bool) (*method.Result, error) {
	if err := r.readSignals(); err != nil {
		return nil, err
	}
	r.observations = prepare.EffectiveObservations(r.problem.Y)
	if open && (r.signs == eitherSign || r.signs == openSigns && movesApart(r.problem.Y)) {
		if result, err := r.signedFirst(ctx); result != nil || err != nil {
			return result, err
		}
	}
	if open && r.Trials == nil {
		if err := r.choose(ctx); err != nil {
			return nil, err
		}
	}
	if r.kernel.Order == 1 {
		return r.orderOne(ctx)
	}
	return r.learnEdges(ctx)
}

// orderOne learns the graph of order one.
func (r *fieldRun) orderOne(ctx context.Context) (*method.Result, error) {
	if r.OnlyOrderOne != "" {
		r.kernel.Order = 1
	}
	if n, _ := r.problem.Y.Dims(); r.engine.isLocal(n) {
		return r.learnLocal(ctx)
	}
	result, err := r.cutEdges(ctx, r.problem, GGL{}, r.signs)
	if err == nil && !r.negative && r.problem.Cut == (graph.Cut{}) {
		withoutClosing(ctx, r.problem.Y, result)
	}
	return result, err
}

// fewSignals says that there are too few signals for other orders than one; empty if not.
func (r *fieldRun) fewSignals() string {
	n, m := r.problem.Y.Dims()
	if m >= FieldSignalsPerVertex*n {
		return ""
	}
	return fmt.Sprintf("%d signals are fewer than %d for each of %d vertices", m, FieldSignalsPerVertex, n)
}

// Relearn keeps the contract of [method.Relearner].
func (f Field) Relearn(ctx context.Context, p method.Problem, edges int) (*graph.Graph, error) {
	if n, _ := p.Y.Dims(); f.Order == 1 && !engine(f.Engine).isLocal(n) {
		fit := GGL{}.fit()
		fit.soft = signChoice(f.Signed) == eitherSign
		return fit.relearn(ctx, p, edges)
	}
	p.Cut = graph.Cut{Rule: graph.CutEdges, Edges: edges}
	r, err := f.Learn(ctx, p)
	if err != nil {
		return nil, err
	}
	return r.Graph, nil
}

// fieldKinds are what fields of each kernel are like.
var fieldKinds = map[string]string{
	"matern:1":   "order 1: edges are partial correlations",
	"matern:1.5": "order 1.5: between partial correlations and voltages in equilibrium",
	"matern:2":   "order 2: like voltages or pressures in equilibrium, or images",
	"matern:3":   "order 3: smoother than pressures in equilibrium",
	"matern:4":   "order 4: smoother than pressures in equilibrium",
	"heat":       "heat: as if diffused over the graph",
}

// Findings keeps the contract of [method.Reporter].
func (fit *FieldFit) Findings(r *method.Result) []string {
	if fit.OnlyOrderOne != "" {
		return slices.Concat([]string{"order 1: " + fit.OnlyOrderOne}, fit.signFinding(r), fit.localFinding())
	}
	findings := fit.signFinding(r)
	if kind, known := fieldKinds[fit.Kernel]; known { // another was asked for, and is among the parameters
		findings = append([]string{kind}, findings...)
		if fit.Misfit {
			findings[0] += "; no kernel describes the signals fully, so higher orders were not taken"
		}
	}
	if fit.few != "" {
		findings = append(findings, fit.few)
	}
	if fit.Hidden {
		findings = append(findings, "noise hides the high frequencies of the field, which tell neighbours apart: "+
			"edges are those of order 1")
	}
	return append(findings, fit.localFinding()...)
}

// MarshalBinary keeps the contract of [method.Kept].
func (fit *FieldFit) MarshalBinary() ([]byte, error) { return checkpoint.Marshal(fit.code) }

// UnmarshalBinary keeps the contract of [method.Kept].
func (fit *FieldFit) UnmarshalBinary(data []byte) error { return checkpoint.Decode(data, fit.code) }

func (fit *FieldFit) code(c *checkpoint.Coder) {
	c.String(&fit.Kernel)
	c.Float(&fit.Noise)
	checkpoint.Slice(c, &fit.Trials, func(c *checkpoint.Coder, t *FieldTrial) { c.Struct(t) })
	c.String(&fit.OnlyOrderOne)
	c.Bool(&fit.Misfit)
	c.Bool(&fit.Hidden)
	checkpoint.Pointer(c, &fit.Local)
	checkpoint.Pointer(c, &fit.Signs)
	c.Struct(&fit.kernel)
	c.String(&fit.few)
	c.Floats(&fit.units)
	c.Struct(&fit.root)
}
