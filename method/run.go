package method

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/signals"
)

// Run is the body of Learn for methods that learn from vertices that vary, so
// that all of them treat names, constant vertices, missing values and cuts alike.
// It checks the problem and the parameters of m, draws missing values from what the
// other vertices suggest unless the method takes them, sets aside vertices that cannot
// be learned from, calls learn with the rest under names v0, v1, …, and puts its graphs
// back among all vertices.
//
// The result of learn has the weights, and as Graph what the method's own cut
// keeps of them; nil means all. A cut that the problem asks for is Run's to make.
// A nil Method means m. Status [Interrupted] says that ctx ended.
func Run(ctx context.Context, m Method, p Problem, learn func(context.Context, Problem) (*Result, error)) (*Result, error) {
	return Entry{Default: m}.Run(ctx, m, p, learn)
}

// Run is [Run] for a method with an entry, which may bound the number of vertices.
func (e Entry) Run(ctx context.Context, m Method, p Problem, learn func(context.Context, Problem) (*Result, error)) (*Result, error) {
	screening, err := e.check(m, p)
	if err != nil {
		return nil, err
	}
	p.Threads = cmp.Or(p.Threads, runtime.GOMAXPROCS(0))
	n, _ := p.Y.Dims()
	names := p.Names
	if names == nil {
		names = graph.DefaultNames(n)
	}
	inner, filled := p, 0
	if len(screening.Vertices) < n { // otherwise there is no need of a second copy
		inner.Y = matrix.Rows(p.Y, screening.Vertices)
	}
	if !e.Has(TakesMissing) {
		if inner.Y, filled, err = fillMissing(ctx, inner.Y); err != nil {
			return nil, err
		}
	}
	inner.Names = graph.DefaultNames(len(screening.Vertices))
	r, err := checkpoint.Piece(ctx, m.Name(), func(c *checkpoint.Coder, r **Result) { e.codeResult(c, r, m) },
		func(ctx context.Context) (*Result, error) {
			return learn(ctx, inner)
		})
	if err != nil {
		return nil, err
	}
	if r.Method == nil {
		r.Method = m
	}
	switch {
	case p.Cut != graph.Cut{}:
		r.Graph, r.Cut = p.Cut.Apply(r.Weights), cmp.Or(p.Cut.Rule, graph.CutAuto)
	case r.Graph == nil:
		r.Graph, r.Cut = r.Weights, OwnCut
	default:
		r.Cut = OwnCut
	}
	r.Graph, r.Weights = r.Graph.Embed(screening.Vertices, names), r.Weights.Embed(screening.Vertices, names)
	if own, ok := r.Own.(ByVertex); ok {
		r.Own = own.OnVertices(screening.Vertices, names, screening.Aside)
	}
	r.Aside, r.Filled = screening.Aside, filled
	r.Warnings = slices.Concat(screening.Sentences(), r.Warnings, filledSentence(filled))
	if r.Status == Interrupted {
		return r, context.Cause(ctx)
	}
	return r, nil
}

// check reports what makes a problem or a parameter unusable, and finds the
// vertices that can be learned from. A vertex is lost beside much larger ones only
// if the method compares their scales.
func (e Entry) check(m Method, p Problem) (signals.Screening, error) {
	if p.Y == nil {
		return signals.Screening{}, input.Errorf(m.Name(), input.Signals, "got none")
	}
	n, _ := p.Y.Dims()
	if e.MostVertices > 0 && n > e.MostVertices {
		return signals.Screening{}, input.Errorf(m.Name(), input.Vertices, "got %d, want at most %d", n, e.MostVertices)
	}
	screen := signals.ScreenInOwnUnits
	if e.Has(UsesScales) {
		screen = signals.Screen
	}
	screening, err := screen(m.Name(), p.Y, p.Names)
	if err != nil {
		return screening, err
	}
	if err := p.Known.refusedBy(m); err != nil {
		return screening, err
	}
	fault := p.Cut.Fault
	if e.Has(DirectedEdges) {
		fault = p.Cut.DirectedFault
	}
	if field, sentence := fault(n); sentence != "" {
		return screening, input.Errorf(m.Name(), input.Field(field), "%s", sentence)
	}
	return screening, checkParams(m)
}

func filledSentence(count int) []string {
	switch count {
	case 0:
		return nil
	case 1:
		return []string{"1 missing value was drawn from what the other vertices suggest"}
	}
	return []string{fmt.Sprintf("%d missing values were drawn from what the other vertices suggest", count)}
}

// fillMissing fills missing values. If time is up, that belongs to what makes a usable
// answer; if somebody has stopped the run, there is none yet.
func fillMissing(ctx context.Context, y *mat.Dense) (*mat.Dense, int, error) {
	z, filled, err := signals.FillMissing(ctx, y)
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return signals.FillMissing(run.Grace(ctx), y)
	}
	return z, filled, err
}

// codeResult codes what a method m comes to, so that it is not run again when a run goes
// on; see package checkpoint. What a method has to say beyond that is coded by itself.
func (e Entry) codeResult(c *checkpoint.Coder, result **Result, m Method) {
	if c.Reading() {
		*result = &Result{}
	}
	r := *result
	if !c.Reading() && r.Status == Interrupted { // for want of time: with more it would be another
		c.Fail()
		return
	}
	as := reflect.New(reflect.TypeOf(m))
	chosen := r.Method != nil
	if c.Bool(&chosen); chosen {
		if !c.Reading() {
			if reflect.TypeOf(r.Method) != as.Elem().Type() {
				c.Fail()
				return
			}
			as.Elem().Set(reflect.ValueOf(r.Method))
		}
		if c.Struct(as.Interface()); c.Reading() {
			r.Method = as.Elem().Interface().(Method)
		}
	}
	own := r.Own != nil
	if c.Bool(&own); own {
		e.codeOwn(c, r)
	}
	c.Graph(&r.Graph)
	c.Graph(&r.Weights)
	c.Int(&r.Rounds)
	checkpoint.Text(c, &r.Status)
	checkpoint.Slice(c, &r.Warnings, (*checkpoint.Coder).String)
}

// codeOwn codes what only this method has to say. Results whose Own cannot be kept are not kept either.
func (e Entry) codeOwn(c *checkpoint.Coder, r *Result) {
	if e.NewOwn == nil {
		c.Fail()
		return
	}
	own := e.NewOwn()
	if !c.Reading() {
		own = r.Own.(Kept)
	}
	c.Binary(own)
	r.Own = own
}
