package pairs

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/simulate"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/synth"
)

// A drawing is a table of signals as it is made, factor by factor.
type drawing struct {
	*rand.Rand
	seed uint64
	y    *mat.Dense // vertices × rows; NaN where a value is missing
	n, m int

	names  []string // of the vertices; nil for a table without a header
	labels []string // of the rows; nil if there are none
}

// A step is a value of a factor: its name, and what it does to the drawing.
type step struct {
	name string
	do   func(*drawing)
}

func nothing(*drawing) {}

// kinds draw signals on a graph, each vertex with mean 0 and deviation 1.
var kinds = []step{
	{"order-1", field(synth.FieldSpec{Order: 1})},
	{"order-2", field(synth.FieldSpec{Order: 2})},
	{"order-4", field(synth.FieldSpec{Order: 4})},
	{"heat", field(synth.FieldSpec{Law: synth.DiffusionField, Tau: 2})},
	{"autoregression", field(synth.FieldSpec{Law: synth.VARField})},
	{"sparse", func(d *drawing) {
		spec := synth.SignalSpec{Count: d.m, Sparsity: min(3, d.n), Seed: d.seed}
		truth, err := synth.Signals(d.graph(0), kernel.Paper(), spec)
		must(err)
		d.y = truth.Signals
	}},
	{"signed", func(d *drawing) {
		y, err := simulate.LargeField(context.Background(), d.graph(0.3), 1, d.m, 0.1, d.seed)
		must(err)
		d.y = y
	}},
	{"noise", func(d *drawing) { d.each(func(_, _ int, _ float64) float64 { return d.NormFloat64() }) }},
	{"one-factor", func(d *drawing) {
		factor, load := make([]float64, d.m), make([]float64, d.n)
		for k := range factor {
			factor[k] = d.NormFloat64()
		}
		for i := range load {
			load[i] = 0.5 + 2*d.Float64()
		}
		d.each(func(i, k int, _ float64) float64 { return load[i]*factor[k] + d.NormFloat64() })
	}},
}

func field(spec synth.FieldSpec) func(*drawing) {
	return func(d *drawing) {
		spec.Count, spec.Seed = d.m, d.seed
		truth, err := synth.Field(d.graph(0), spec)
		must(err)
		d.y = truth.Signals
	}
}

// graph draws a connected graph; a share of its edges is negative.
func (d *drawing) graph(negative float64) *graph.Graph {
	if d.n >= 5 {
		kind := []string{simulate.Sensors, simulate.Tree, simulate.SmallWorld}[d.IntN(3)]
		g, err := simulate.FieldGraph(kind, d.n, negative, d.seed)
		must(err)
		return g
	}
	var ring []graph.Edge
	for i := range d.n {
		weight := 0.5 + d.Float64()
		if d.Float64() < negative {
			weight = -weight
		}
		ring = append(ring, graph.Edge{I: min(i, (i+1)%d.n), J: max(i, (i+1)%d.n), Weight: weight})
	}
	g, err := graph.New(graph.DefaultNames(d.n), ring)
	must(err)
	return g
}

// each changes every value.
func (d *drawing) each(change func(vertex, row int, value float64) float64) {
	d.y.Apply(change, d.y)
}

// standardise gives each vertex mean 0 and deviation 1, as far as it varies.
func (d *drawing) standardise() {
	for i := range d.n {
		row := d.y.RawRowView(i)
		sum, squares := 0.0, 0.0
		for _, v := range row {
			sum += v
		}
		mean := sum / float64(d.m)
		for _, v := range row {
			squares += (v - mean) * (v - mean)
		}
		deviation := math.Sqrt(squares / float64(d.m))
		for k := range row {
			if row[k] -= mean; deviation > 0 {
				row[k] /= deviation
			}
		}
	}
}

// rows are how many there are.
var rows = []step{
	{"N/2", func(d *drawing) { d.m = max(2, d.n/2) }},
	{"N", func(d *drawing) { d.m = d.n }},
	{"3N", func(d *drawing) { d.m = 3 * d.n }},
	{"10N", func(d *drawing) { d.m = 10 * d.n }},
	{"40N", func(d *drawing) { d.m = 40 * d.n }},
}

// drifts are what changes with time.
var drifts = []step{
	{"none", nothing},
	{"season", func(d *drawing) {
		period := float64(min(24, max(3, d.m/3)))
		d.each(func(i, k int, v float64) float64 {
			return v + 2*math.Sin(2*math.Pi*float64(k)/period+float64(i)/4)
		})
	}},
	{"trend", func(d *drawing) {
		d.each(func(i, k int, v float64) float64 { return v + float64(i%3)*5*float64(k)/float64(d.m) })
	}},
	{"common-mode", func(d *drawing) {
		mode := make([]float64, d.m)
		for k := range mode {
			mode[k] = 5 * d.NormFloat64()
		}
		d.each(func(_, k int, v float64) float64 { return v + mode[k] })
	}},
	{"jump", func(d *drawing) {
		at, vertex := d.m/2, d.IntN(d.n)
		d.each(func(i, k int, v float64) float64 {
			if i == vertex && k >= at {
				return v + 15
			}
			return v
		})
	}},
	{"spikes", func(d *drawing) {
		d.each(func(_, _ int, v float64) float64 {
			if d.Float64() < 0.01 {
				return v + 40*d.NormFloat64()
			}
			return v
		})
	}},
}

// margins are the distributions of values.
var margins = []step{
	{"normal", nothing},
	{"t2", margin(func(z float64) float64 {
		u := share(z)
		return (2*u - 1) / math.Sqrt(2*u*(1-u))
	})},
	{"counts", margin(func(z float64) float64 { return math.Floor(math.Exp(min(1+0.7*z, 20))) })},
	{"levels", margin(func(z float64) float64 { return 3 + math.Round(max(-2, min(2, z))) })},
	{"zeros", margin(func(z float64) float64 { return max(0, z) })},
	{"exponential", margin(func(z float64) float64 { return -math.Log(1 - share(z)) })},
}

func margin(of func(z float64) float64) func(*drawing) {
	return func(d *drawing) { d.each(func(_, _ int, z float64) float64 { return of(z) }) }
}

// share is the probability of a normal value below z, and neither 0 nor 1.
func share(z float64) float64 { return min(max(0.5*math.Erfc(-z/math.Sqrt2), 1e-12), 1-1e-12) }

// scales are the units.
var scales = []step{
	{"none", nothing},
	{"mixed", func(d *drawing) {
		for i := range d.n {
			unit := math.Pow(10, 12*d.Float64()-6)
			for k := range d.m {
				d.y.Set(i, k, d.y.At(i, k)*unit)
			}
		}
	}},
	{"1e-150", margin(func(v float64) float64 { return v * 1e-150 })},
	{"1e150", margin(func(v float64) float64 { return v * 1e150 })},
	{"offset-1e8", margin(func(v float64) float64 { return v + 1e8 })},
}

// copies are vertices with the values of others.
var copies = []step{
	{"none", nothing},
	{"two", func(d *drawing) { p := d.Perm(d.n); d.copy(p[0], p[1], 1) }},
	{"three", func(d *drawing) { p := d.Perm(d.n); d.copy(p[0], p[1], 1); d.copy(p[0], p[2], 1) }},
	{"pairs", func(d *drawing) {
		p := d.Perm(d.n)
		for k := 1; k < d.n; k += 2 {
			d.copy(p[k-1], p[k], 1)
		}
	}},
	{"negated", func(d *drawing) { p := d.Perm(d.n); d.copy(p[0], p[1], -1) }},
}

func (d *drawing) copy(from, to int, sign float64) {
	for k := range d.m {
		d.y.Set(to, k, sign*d.y.At(from, k))
	}
}

// constants are vertices that never vary.
var constants = []step{
	{"none", nothing},
	{"one", func(d *drawing) { d.freeze(1, 3.5) }},
	{"third", func(d *drawing) { d.freeze((d.n+2)/3, 0) }},
	{"all-but-two", func(d *drawing) { d.freeze(d.n-2, 1) }},
}

func (d *drawing) freeze(count int, value float64) {
	for _, i := range d.Perm(d.n)[:count] {
		for k := range d.m {
			d.y.Set(i, k, value)
		}
	}
}

// gaps are values that are missing.
var gaps = []step{
	{"none", nothing},
	{"cells", func(d *drawing) { d.lose(func(_, _ int) bool { return d.Float64() < 0.1 }) }},
	{"column", func(d *drawing) { v := d.IntN(d.n); d.lose(func(i, _ int) bool { return i == v }) }},
	{"rows", func(d *drawing) {
		lost := d.Perm(d.m)[:1+d.m/20]
		empty := make([]bool, d.m)
		for _, k := range lost {
			empty[k] = true
		}
		d.lose(func(_, k int) bool { return empty[k] })
	}},
	{"block", func(d *drawing) { d.lose(func(i, k int) bool { return i < (d.n+2)/3 && k < d.m/2 }) }},
}

func (d *drawing) lose(lost func(vertex, row int) bool) {
	d.each(func(i, k int, v float64) float64 {
		if lost(i, k) {
			return math.NaN()
		}
		return v
	})
}

// times are the labels of the rows.
var times = []step{
	{"none", nothing},
	{"hourly", clock(func(_ *drawing, k int) float64 { return float64(k) })},
	{"irregular", clock(func(d *drawing, k int) float64 { return float64(k) + 0.9*d.Float64() })},
	{"gaps", clock(func(d *drawing, k int) float64 { return float64(k + 30*(4*k/d.m)) })},
	{"repeated", clock(func(d *drawing, k int) float64 { return float64(k - k%7/6) })},
}

func clock(hours func(d *drawing, row int) float64) func(*drawing) {
	return func(d *drawing) {
		start := time.Date(2024, 1, 30, 22, 0, 0, 0, time.UTC)
		for k := range d.m {
			at := start.Add(time.Duration(hours(d, k) * float64(time.Hour)))
			d.labels = append(d.labels, at.Format("2006-01-02 15:04:05"))
		}
	}
}

// headers are the names of the vertices.
var headers = []step{
	{"plain", func(d *drawing) { d.names = graph.DefaultNames(d.n) }},
	{"odd", func(d *drawing) {
		odd := []string{"a b", "7", "Zürich, \"HB\"", "π/2", "<b>&amp;", "-x", "NaN", "x\ty", "1e5", "日本"}
		for i := range d.n {
			d.names = append(d.names, odd[i%len(odd)]+strings.Repeat("'", i/len(odd)))
		}
	}},
	{"missing", nothing},
}

// csv is the table as text.
func (d *drawing) csv(groups bool) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	write := func(label, group string, cells []string) {
		if d.labels != nil {
			cells = append([]string{label}, cells...)
		}
		if groups {
			cells = append(cells, group)
		}
		must(w.Write(cells))
	}
	if d.names != nil {
		write("time", "group", append([]string(nil), d.names...))
	}
	for k := range d.m {
		cells := make([]string, d.n)
		for i := range cells {
			if v := d.y.At(i, k); !math.IsNaN(v) {
				cells[i] = strconv.FormatFloat(v, 'g', -1, 64)
			}
		}
		label := ""
		if d.labels != nil {
			label = d.labels[k]
		}
		write(label, fmt.Sprint("g", k%2), cells)
	}
	w.Flush()
	must(w.Error())
	return b.String()
}

// must ends the test binary: what it is given cannot fail unless this package is wrong.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// draw makes the table of a case. Cycles, trends and jumps are in what margins are made of.
func (c *kase) draw() *drawing {
	d := &drawing{Rand: rng.Stream(c.seed, "pairs"), seed: c.seed, n: c.vertices}
	c.do("rows", rows, d)
	d.y = mat.NewDense(d.n, d.m, nil)
	c.do("kind", kinds, d)
	d.standardise()
	c.do("drift", drifts, d)
	d.standardise()
	c.do("margins", margins, d)
	c.do("scale", scales, d)
	c.do("copies", copies, d)
	c.do("constants", constants, d)
	c.do("gaps", gaps, d)
	c.do("times", times, d)
	c.do("names", headers, d)
	return d
}

func (c *kase) do(factor string, steps []step, d *drawing) {
	for _, s := range steps {
		if s.name == c.values[factor] {
			s.do(d)
			return
		}
	}
	panic(fmt.Sprintf("%s has no value %q", factor, c.values[factor]))
}
