package plan

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/prepare"
)

// A curve is a plan at work.
type curve struct {
	options Options
	model   *model
	rows    prepare.Rows // what rows are to each other
	pilot   *nervure.Signals
	own     *nervure.Analysis // of the pilot; nil without one
	equal   map[int]bool      // vertices of the pilot that were learned as one with another
	plan    *document.Plan

	sizes     []int
	simulated map[int][]outcome // by size
	parts     map[int][]outcome // of the pilot, by size
}

// An outcome is what was learned from some signals; scores of parts of a pilot have no meaning but
// for the number of edges found.
type outcome struct {
	all, sure found
	assessed  bool // edges have a confidence
	done      bool
}

// found is what some edges have to do with those of the model.
type found struct {
	metrics.Score
	likely float64 // how many true edges are expected among those of the model that were found
}

func newCurve(o Options, m *model) *curve {
	return &curve{
		options: o, model: m, simulated: map[int][]outcome{}, parts: map[int][]outcome{},
		plan: &document.Plan{
			Vertices: m.truth.Vertices(), Edges: m.truth.EdgeCount(), Model: m.name, Kernel: m.kernel,
			Recall: o.Recall, Repeats: o.Repeats, Seed: o.Learn.Seed,
		},
	}
}

func (c *curve) warn(sentence string) { c.plan.Warnings = append(c.plan.Warnings, sentence) }

// run tries the sizes, and larger ones if they were not given and too few edges are sure.
func (c *curve) run(ctx context.Context, usual []int) (*document.Plan, error) {
	sizes, given := usual, len(c.options.Sizes) > 0
	if given {
		sizes = c.options.Sizes
	}
	for doubled := 0; ; doubled++ {
		if err := c.try(ctx, sizes); err != nil && ctx.Err() == nil {
			return nil, err
		}
		c.conclude()
		next := 2 * c.sizes[len(c.sizes)-1]
		reached := c.plan.EnoughSure != nil || c.plan.Enough != nil && !c.assessed()
		if given || reached || doubled == MostDoublings || ctx.Err() != nil || next > mostValues/c.plan.Vertices {
			break
		}
		sizes = []int{next}
	}
	if ctx.Err() == nil {
		return c.plan, nil
	}
	if c.plan.Interrupted = true; len(c.plan.Points) == 0 {
		return nil, context.Cause(ctx)
	}
	return c.plan, context.Cause(ctx)
}

// assessed reports whether edges have a confidence at the last size.
func (c *curve) assessed() bool {
	return len(c.plan.Points) > 0 && c.plan.Points[len(c.plan.Points)-1].Sure != nil
}

// A trial is signals to learn from.
type trial struct {
	size, repeat int
	part         bool // of the pilot
}

// try learns from signals of these numbers, every size once before any is tried again, so that an
// interruption leaves something of each.
func (c *curve) try(ctx context.Context, sizes []int) error {
	var trials []trial
	for repeat := range c.options.Repeats {
		for _, size := range sizes {
			trials = append(trials, trial{size, repeat, false})
			if c.pilot != nil && size < c.plan.Pilot {
				trials = append(trials, trial{size, repeat, true})
			}
		}
	}
	for _, size := range sizes {
		c.sizes = append(c.sizes, size)
		c.simulated[size] = make([]outcome, c.options.Repeats)
		c.parts[size] = make([]outcome, c.options.Repeats)
	}
	var lock sync.Mutex
	faults := make([]error, len(trials))
	done := 0
	c.options.Progress(done, len(trials))
	linalg.ForEach(c.options.Learn.Threads, len(trials), func(_, k int) {
		if ctx.Err() != nil {
			return
		}
		t := trials[k]
		o, err := c.learn(ctx, t)
		lock.Lock()
		defer lock.Unlock()
		if faults[k] = err; err != nil {
			return
		}
		if t.part {
			c.parts[t.size][t.repeat] = o
		} else {
			c.simulated[t.size][t.repeat] = o
		}
		done++
		c.options.Progress(done, len(trials))
	})
	for _, err := range faults {
		if err != nil {
			return err
		}
	}
	return nil
}

// learn learns from the signals of a trial and holds the graph against the truth of the model.
func (c *curve) learn(ctx context.Context, t trial) (outcome, error) {
	o := c.options.Learn
	o.Threads = 1
	set := &nervure.Signals{Names: c.model.truth.Names()}
	if t.part {
		set = c.partOf(t)
	} else {
		seed := rng.Stream(o.Seed, "plan", t.size, t.repeat).Uint64()
		y, err := c.model.signals(t.size, seed)
		if err != nil {
			return outcome{}, err
		}
		set.Y = y
		// What was done to the pilot before it was learned from need not be done again.
		o.Prepare = prepare.AsTheyAre(prepare.Options{CommonMode: prepare.No, Scores: prepare.No})
		o.Prepare.Rows, o.BadSensors = c.rows, prepare.ReportFaults
	}
	a, err := nervure.Learn(ctx, set, o)
	if err == nil {
		err = errors.Join(a.Faults...)
	}
	if err != nil {
		return outcome{}, fmt.Errorf("%d signals: %w", t.size, err)
	}
	return c.score(a)
}

// partOf returns signals of the pilot: consecutive ones if they follow each other in time.
func (c *curve) partOf(t trial) *nervure.Signals {
	_, m := c.pilot.Y.Dims()
	r := rng.Stream(c.options.Learn.Seed, "part of a pilot", t.size, t.repeat)
	columns := r.Perm(m)[:t.size]
	if c.rows == prepare.RowsTime {
		from := r.IntN(m - t.size + 1)
		columns = matrix.Span(from, from+t.size)
	}
	slices.Sort(columns)
	return &nervure.Signals{Y: matrix.Columns(c.pilot.Y, columns), Names: c.pilot.Names, Times: matrix.Pick(c.pilot.Times, columns)}
}

// score holds a graph against the truth of the model.
func (c *curve) score(a *nervure.Analysis) (outcome, error) {
	all, err := c.found(a.Graph)
	if err != nil {
		return outcome{}, err
	}
	o := outcome{all: all, assessed: a.Confidence != nil || a.Graph.EdgeCount() == 0, done: true}
	sure, err := sureOf(a.Graph)
	if err == nil {
		o.sure, err = c.found(sure)
	}
	return o, err
}

// found counts what a graph has of the model, in which equal vertices are one: edges that the others of
// them were given besides are no more of them found.
func (c *curve) found(g *graph.Graph) (found, error) {
	if len(c.equal) > 0 {
		var err error
		if g, err = edgesWhere(g, func(_ int, e graph.Edge) bool { return !c.equal[e.I] && !c.equal[e.J] }); err != nil {
			return found{}, err
		}
	}
	score, err := metrics.Edges(g, c.model.truth)
	f := found{Score: score}
	for _, e := range g.Edges() {
		f.likely += c.model.likely[[2]int{e.I, e.J}]
	}
	return f, err
}

// sureOf returns a graph with only those edges that are sure.
func sureOf(g *graph.Graph) (*graph.Graph, error) {
	confidence := g.Confidence()
	return edgesWhere(g, func(k int, _ graph.Edge) bool { return confidence != nil && confidence[k] >= nervure.SureLevel })
}

// edgesWhere returns a graph with only those edges for which a condition holds.
func edgesWhere(g *graph.Graph, holds func(k int, e graph.Edge) bool) (*graph.Graph, error) {
	var kept []graph.Edge
	for k, e := range g.Edges() {
		if holds(k, e) {
			kept = append(kept, e)
		}
	}
	return graph.New(g.Names(), kept)
}

// conclude makes points of what has been learned, and says how many signals are enough.
func (c *curve) conclude() {
	c.plan.Points = nil
	for _, size := range c.sizes {
		simulated := finished(c.simulated[size])
		if len(simulated) == 0 {
			continue
		}
		p := document.PlanPoint{Signals: size, By: document.BySimulation, Repeats: len(simulated)}
		parts := finished(c.parts[size])
		if c.own != nil && size == c.plan.Pilot {
			if o, err := c.score(c.own); err == nil {
				parts = []outcome{o}
			}
		}
		if len(parts) > 0 {
			p.By = document.BySubsampling
		}
		p.All = c.rates(simulated, parts, func(o outcome) found { return o.all })
		if !slices.ContainsFunc(simulated, func(o outcome) bool { return !o.assessed }) {
			sure := c.rates(simulated, parts, func(o outcome) found { return o.sure })
			p.Sure = &sure
		}
		c.plan.Points = append(c.plan.Points, p)
	}
	c.plan.Enough = enough(c.plan.Points, c.options.Recall, func(p document.PlanPoint) (float64, bool) { return p.All.Recall, true })
	c.plan.EnoughSure = enough(c.plan.Points, c.options.Recall, func(p document.PlanPoint) (float64, bool) {
		if p.Sure == nil {
			return 0, false
		}
		return p.Sure.Recall, true
	})
}

func finished(list []outcome) []outcome {
	return slices.DeleteFunc(slices.Clone(list), func(o outcome) bool { return !o.done })
}

// rates returns what to expect by simulated signals and, if there are any, by parts of the pilot.
// These say how many edges are found, and the simulated ones how many of them are true. Edges of the pilot
// count by how likely they are: those that are none are the weakest, and hardly ever found again.
func (c *curve) rates(simulated, parts []outcome, of func(outcome) found) document.PlanRates {
	var all, correct int
	var edges, recall []float64
	expected := c.model.expected()
	for _, o := range simulated {
		s := of(o)
		all, correct = all+s.Found, correct+s.Correct
		edges, recall = append(edges, float64(s.Found)), append(recall, s.likely/expected)
	}
	var r document.PlanRates
	if all > 0 {
		precision := float64(correct) / float64(all)
		r.Precision = &precision
		if len(parts) > 0 {
			edges, recall = nil, nil
			for _, o := range parts {
				count := float64(of(o).Found)
				edges, recall = append(edges, count), append(recall, min(count*precision/float64(c.plan.Edges), 1))
			}
		}
	}
	if r.Edges, _ = meanAndDeviation(edges); r.Edges == 0 {
		r.Precision = nil // of nothing
	}
	r.Recall, r.RecallSD = meanAndDeviation(recall)
	return r
}

// meanAndDeviation returns the mean and the standard deviation of numbers; that of one is 0.
func meanAndDeviation(list []float64) (mean, deviation float64) {
	for _, v := range list {
		mean += v / float64(len(list))
	}
	for _, v := range list {
		deviation += float64((v-mean)*(v-mean)) / float64(max(len(list)-1, 1))
	}
	return mean, math.Sqrt(deviation)
}
