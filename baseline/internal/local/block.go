package local

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/nervure/nervure/baseline/internal/nearest"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/run"
)

// A block is a part of the work that depends on signals alone: the search between two chunks of vertices or,
// if there is one, something else.
type block struct {
	chunks      []int // of the signals, that it needs
	rows        int   // vertices of each chunk but the last
	signed      bool  // correlations of either sign count
	regressions *regression
	slopes      *slopes
	weighing    *weighing
	holding     *holding
}

// A found is what a block comes to: the nearest of all vertices of its chunks, or of some; the models of its
// vertices; or sums.
type found struct {
	near   [][]nearest.Neighbour
	models [][]model
	sums   [][]float64
}

// vertex returns the vertex at a place of what a search finds: those of its chunks follow each other.
func (b *block) vertex(place int) int {
	return b.chunks[place/b.rows]*b.rows + place%b.rows
}

// isWhole reports whether what was found is all of the block, for n vertices and that many signals.
func (b *block) isWhole(f *found, n, signals int) bool {
	switch {
	case b.regressions != nil:
		return len(f.models) == len(b.regressions.vertices)
	case b.slopes != nil:
		return len(f.near) == len(b.slopes.vertices)
	case b.weighing != nil:
		return f.haveLengths(len(b.weighing.pairs), signals, signals, 1)
	case b.holding != nil:
		return f.haveLengths(len(b.holding.bounds))
	}
	rows := 0
	for _, c := range b.chunks {
		rows += min(b.rows, n-c*b.rows)
	}
	return len(f.near) == rows
}

func (f *found) haveLengths(lengths ...int) bool {
	return slices.EqualFunc(f.sums, lengths, func(s []float64, n int) bool { return len(s) == n })
}

// run does a block with the signals of its chunks. It is nil if ctx ends.
func (b *block) run(ctx context.Context, chunks []linalg.Dense) *found {
	x := signals{func(i int) []float64 { return linalg.Row(chunks[i/b.rows], i%b.rows) }, chunks[0].Cols}
	f := &found{}
	switch {
	case b.regressions != nil:
		f.models = b.regressions.runAll(ctx, x)
	case b.slopes != nil:
		f.near = neighboursOf(b.slopes.run(ctx, chunks, b.slopes.residuals(x), 1))
	case b.weighing != nil:
		f.sums = b.weighing.run(x)
	case b.holding != nil:
		f.sums = [][]float64{b.holding.run(ctx, x)}
	default:
		last := len(chunks) - 1
		rows, columns := searchFor(b.signed).Between(ctx, chunks[0], chunks[last], b.chunks[0]*b.rows, b.chunks[last]*b.rows)
		if last > 0 {
			rows = append(rows, columns...)
		}
		f.near = neighboursOf(rows)
	}
	if b.weighing == nil && ctx.Err() != nil {
		return nil
	}
	return f
}

func neighboursOf(all []nearest.Best) [][]nearest.Neighbour {
	near := make([][]nearest.Neighbour, len(all))
	for i := range all {
		near[i] = all[i].Neighbours()
	}
	return near
}

// runAll returns the models of all vertices, with the variance of their residuals.
func (r *regression) runAll(ctx context.Context, x signals) [][]model {
	models := make([][]model, len(r.vertices))
	var w worker
	rest := make([]float64, x.count)
	for k, i := range r.vertices {
		if run.Ended(ctx) != nil {
			break
		}
		models[k] = r.run(&w, x, k)
		for s := range models[k] {
			models[k][s].variance = x.residual(&models[k][s], int(i), rest)
		}
	}
	return models
}

// residuals returns those of the vertices.
func (s *slopes) residuals(x signals) func(k int) []float64 {
	row := make([]float64, x.count)
	return func(k int) []float64 {
		x.residual(&s.models[k], int(s.vertices[k]), row)
		return row
	}
}

// A weighing is for partial correlations of pairs of vertices, and for the spread of the residuals of some.
type weighing struct {
	first, end int     // whose residuals count for the spread
	vertices   []int32 // these, and whoever else is in a pair
	models     []model // of the vertices
	pairs      []graph.Edge
}

// run returns the partial correlations, and the spread: squares, fourths and count.
func (w *weighing) run(x signals) [][]float64 {
	held := max(heldResiduals/x.count, 1)
	residuals := &lately{x: x, rows: make([][]float64, held), of: make([]int, held), at: map[int]int{}}
	one := make([]float64, x.count)
	partials, of := make([]float64, len(w.pairs)), newSpread(x.count)
	next := 0
	for i := w.first; i < w.end; i++ {
		a := w.model(i)
		copy(one, residuals.residual(a, i))
		of.add(one, a.variance)
		for ; next < len(w.pairs) && w.pairs[next].I == i; next++ {
			j := w.pairs[next].J
			b := w.model(j)
			partials[next] = partial(portable.Dot(one, residuals.residual(b, j))/float64(x.count), a, b, i, j)
		}
	}
	return [][]float64{partials, of.squares, of.fourths, {of.count}}
}

// heldResiduals is how many numbers of residuals are held, so that few are computed twice.
const heldResiduals = 4 << 20

// Lately has the residuals that were computed last.
type lately struct {
	x    signals
	rows [][]float64
	of   []int       // whose each row is
	at   map[int]int // where that of a vertex is
	next int
}

// residual returns that of a model of vertex i, until the next call.
func (l *lately) residual(m *model, i int) []float64 {
	if k, is := l.at[i]; is {
		return l.rows[k]
	}
	k := l.next
	if l.next = (k + 1) % len(l.rows); l.rows[k] == nil {
		l.rows[k] = make([]float64, l.x.count)
	} else {
		delete(l.at, l.of[k])
	}
	l.x.residual(m, i, l.rows[k])
	l.of[k], l.at[i] = i, k
	return l.rows[k]
}

func (w *weighing) model(i int) *model {
	at, _ := slices.BinarySearch(w.vertices, int32(i))
	return &w.models[at]
}

// A holding holds signals of some vertices and their neighbours out; see [learner.heldOutGains].
type holding struct {
	vertices []int32
	near     []neighbourhood // of each
	bounds   []float64
}

func (h *holding) run(ctx context.Context, x signals) []float64 {
	gains := linalg.NewDense(len(h.vertices), len(h.bounds))
	var t trial
	for k, i := range h.vertices {
		if len(h.near[k].on) > 0 && run.Ended(ctx) == nil {
			t.run(x, int(i), h.near[k], h.bounds, linalg.Row(gains, k))
		}
	}
	return sumOf(gains)
}

// code writes or reads a block.
func (b *block) code(c *checkpoint.Coder) {
	checkpoint.Slice(c, &b.chunks, (*checkpoint.Coder).Int)
	c.Int(&b.rows)
	c.Bool(&b.signed)
	optional(c, &b.regressions, (*regression).code)
	optional(c, &b.slopes, (*slopes).code)
	optional(c, &b.weighing, (*weighing).code)
	optional(c, &b.holding, (*holding).code)
}

// optional writes or reads what may be nil.
func optional[T any](c *checkpoint.Coder, v **T, code func(*T, *checkpoint.Coder)) {
	there := *v != nil
	if c.Bool(&there); !there {
		return
	}
	if *v == nil {
		*v = new(T)
	}
	code(*v, c)
}

func (r *regression) code(c *checkpoint.Coder) {
	c.Int32s(&r.vertices)
	checkpoint.Slice(c, &r.on, (*checkpoint.Coder).Int32s)
	checkpoint.Slice(c, &r.signs, (*checkpoint.Coder).Bool)
	c.Float(&r.penalty)
}

func (s *slopes) code(c *checkpoint.Coder) {
	c.Int32s(&s.vertices)
	codeModels(c, &s.models)
	c.Int(&s.count)
	c.Bool(&s.signed)
}

func (w *weighing) code(c *checkpoint.Coder) {
	c.Int(&w.first)
	c.Int(&w.end)
	c.Int32s(&w.vertices)
	codeModels(c, &w.models)
	checkpoint.Slice(c, &w.pairs, func(c *checkpoint.Coder, e *graph.Edge) {
		c.Int(&e.I)
		c.Int(&e.J)
	})
}

func (h *holding) code(c *checkpoint.Coder) {
	c.Int32s(&h.vertices)
	checkpoint.Slice(c, &h.near, func(c *checkpoint.Coder, of *neighbourhood) {
		c.Int32s(&of.on)
		c.Floats(&of.partial)
	})
	c.Floats(&h.bounds)
}

// fault returns why a block that was read cannot be done with those chunks of signals.
func (b *block) fault(chunks []linalg.Dense) error {
	isSearch := b.regressions == nil && b.slopes == nil && b.weighing == nil && b.holding == nil
	if len(b.chunks) != len(chunks) || len(chunks) == 0 || isSearch && len(chunks) > 2 {
		return fmt.Errorf("a block of %d chunks of signals has %d", len(b.chunks), len(chunks))
	}
	for k, c := range chunks {
		if c.Cols != chunks[0].Cols || c.Rows > b.rows || c.Rows < b.rows && k < len(chunks)-1 {
			return fmt.Errorf("chunk %d has %d signals of %d vertices, and the first one %d of %d", k, c.Cols, c.Rows,
				chunks[0].Cols, b.rows)
		}
	}
	n := (len(chunks)-1)*b.rows + chunks[len(chunks)-1].Rows
	switch {
	case b.regressions != nil:
		return faultOf(n, b.regressions.vertices, b.regressions.on)
	case b.slopes != nil:
		return faultOf(n, b.slopes.vertices, candidatesOf(b.slopes.models))
	case b.weighing != nil:
		return b.weighing.fault(n)
	case b.holding != nil:
		return b.holding.fault(n)
	}
	return nil
}

// faultOf says what is wrong with vertices of n, and with the candidates that each has.
func faultOf(n int, vertices []int32, on [][]int32) error {
	if len(on) != len(vertices) {
		return fmt.Errorf("there are %d vertices and candidates of %d", len(vertices), len(on))
	}
	for _, some := range append(on[:len(on):len(on)], vertices) {
		for _, v := range some {
			if v < 0 || int(v) >= n {
				return fmt.Errorf("there is no vertex %d of %d", v, n)
			}
		}
	}
	return nil
}

func (w *weighing) fault(n int) error {
	isMissing := func(i int) bool {
		_, is := slices.BinarySearch(w.vertices, int32(i))
		return !is
	}
	for i := w.first; i < w.end; i++ {
		if isMissing(i) {
			return fmt.Errorf("there is no model of vertex %d", i)
		}
	}
	for k, e := range w.pairs {
		if e.I < w.first || e.I >= w.end || isMissing(e.J) || k > 0 && e.I < w.pairs[k-1].I {
			return fmt.Errorf("pair %d is of vertices %d and %d, which are not next or have no models", k, e.I, e.J)
		}
	}
	return faultOf(n, w.vertices, candidatesOf(w.models))
}

func (h *holding) fault(n int) error {
	on := make([][]int32, len(h.near))
	for k, of := range h.near {
		if on[k] = of.on; len(of.partial) != len(of.on) {
			return fmt.Errorf("vertex %d of %d has %d neighbours and %d partial correlations", k, len(h.near), len(of.on), len(of.partial))
		}
	}
	return faultOf(n, h.vertices, on)
}

func candidatesOf(models []model) [][]int32 {
	on := make([][]int32, len(models))
	for k := range models {
		on[k] = models[k].on
	}
	return on
}

// code writes or reads what a block comes to.
func (f *found) code(c *checkpoint.Coder, b *block) {
	checkpoint.Slice(c, &f.near, func(c *checkpoint.Coder, of *[]nearest.Neighbour) {
		values, vertices := make([]float64, len(*of)), make([]int32, len(*of))
		for k, v := range *of {
			values[k], vertices[k] = v.Value, v.Vertex
		}
		c.Floats(&values)
		c.Int32s(&vertices)
		if c.Reading() {
			if len(values) != len(vertices) {
				c.Fail()
				return
			}
			*of = make([]nearest.Neighbour, len(values))
			for k := range values {
				(*of)[k] = nearest.Neighbour{Value: values[k], Vertex: vertices[k]}
			}
		}
	})
	at := 0
	checkpoint.Slice(c, &f.models, func(c *checkpoint.Coder, of *[]model) {
		var on []int32
		if b.regressions != nil && at < len(b.regressions.on) {
			on = b.regressions.on[at]
		}
		checkpoint.Slice(c, of, func(c *checkpoint.Coder, m *model) { m.code(c, on) })
		at++
	})
	checkpoint.Slice(c, &f.sums, (*checkpoint.Coder).Floats)
}

// codeModels writes or reads models with their candidates.
func codeModels(c *checkpoint.Coder, models *[]model) {
	checkpoint.Slice(c, models, func(c *checkpoint.Coder, m *model) {
		c.Int32s(&m.on)
		m.code(c, m.on)
	})
}

// code writes or reads a model on candidates that are known. Of coefficients only those that are not 0 are kept.
func (m *model) code(c *checkpoint.Coder, on []int32) {
	var at []int32
	var values []float64
	for k, v := range m.beta {
		if v != 0 {
			at, values = append(at, int32(k)), append(values, v)
		}
	}
	c.Int32s(&at)
	c.Floats(&values)
	c.Float(&m.variance)
	c.Float(&m.penalty)
	if !c.Reading() {
		return
	}
	m.on, m.beta = on, make([]float64, len(on))
	for k, p := range at {
		if p < 0 || int(p) >= len(on) || k >= len(values) {
			c.Fail()
			return
		}
		m.beta[p] = values[k]
	}
}

// encodeRows returns rows as bytes, with the number of values of each first.
func encodeRows(x linalg.Dense) []byte {
	data := binary.LittleEndian.AppendUint64(make([]byte, 0, 8*(1+x.Rows*x.Cols)), uint64(x.Cols))
	for i := range x.Rows {
		for _, v := range linalg.Row(x, i) {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
		}
	}
	return data
}

// decodeRows reads them.
func decodeRows(data []byte) (linalg.Dense, error) {
	values := len(data)/8 - 1
	cols := uint64(0)
	if values > 0 {
		cols = binary.LittleEndian.Uint64(data)
	}
	if cols == 0 || uint64(values)%cols != 0 || len(data)%8 != 0 {
		return linalg.Dense{}, fmt.Errorf("%d bytes are no signals", len(data))
	}
	x := linalg.NewDense(values/int(cols), int(cols))
	for k := range x.Data {
		x.Data[k] = math.Float64frombits(binary.LittleEndian.Uint64(data[8+8*k:]))
	}
	return x, nil
}
