package local

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/nervure/nervure/baseline/internal/nearest"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/run"
)

// A block is a part of the work that depends on signals alone: the search between two chunks of vertices or, if
// there are any, regressions.
type block struct {
	chunks      []int // of the signals, that it needs
	rows        int   // vertices of each chunk but the last
	signed      bool  // correlations of either sign count
	regressions *regression
}

// A found is what a block comes to: the nearest of all vertices of its chunks, or the models of its
// vertices.
type found struct {
	near   [][]nearest.Neighbour
	models [][]model
}

// vertex returns the vertex at a place of what a search finds: those of its chunks follow each other.
func (b *block) vertex(place int) int {
	return b.chunks[place/b.rows]*b.rows + place%b.rows
}

// isWhole reports whether what was found is of all vertices of the block, of n in all.
func (b *block) isWhole(f *found, n int) bool {
	if b.regressions != nil {
		return len(f.models) == len(b.regressions.vertices)
	}
	rows := 0
	for _, c := range b.chunks {
		rows += min(b.rows, n-c*b.rows)
	}
	return len(f.near) == rows
}

// run does a block with the signals of its chunks. It is nil if ctx ends.
func (b *block) run(ctx context.Context, chunks []linalg.Dense, threads int) *found {
	if b.regressions != nil {
		return b.regress(ctx, chunks, threads)
	}
	s := searchFor(b.signed)
	s.Threads = threads
	last := len(chunks) - 1
	rows, columns := s.Between(ctx, chunks[0], chunks[last], b.chunks[0]*b.rows, b.chunks[last]*b.rows)
	if rows == nil {
		return nil
	}
	if last > 0 {
		rows = append(rows, columns...)
	}
	f := &found{near: make([][]nearest.Neighbour, len(rows))}
	for i := range rows {
		f.near[i] = rows[i].Neighbours()
	}
	return f
}

func (b *block) regress(ctx context.Context, chunks []linalg.Dense, threads int) *found {
	r := b.regressions
	x := signals{func(i int) []float64 { return linalg.Row(chunks[i/b.rows], i%b.rows) }, chunks[0].Cols}
	f := &found{models: make([][]model, len(r.vertices))}
	workers := make([]worker, threads)
	linalg.ForEach(threads, len(r.vertices), func(who, k int) {
		if run.Ended(ctx) == nil {
			f.models[k] = r.run(&workers[who], x, k)
		}
	})
	if ctx.Err() != nil {
		return nil
	}
	return f
}

// code writes or reads a block.
func (b *block) code(c *checkpoint.Coder) {
	checkpoint.Slice(c, &b.chunks, (*checkpoint.Coder).Int)
	c.Int(&b.rows)
	c.Bool(&b.signed)
	regress := b.regressions != nil
	if c.Bool(&regress); !regress {
		return
	}
	if b.regressions == nil {
		b.regressions = &regression{}
	}
	r := b.regressions
	c.Int32s(&r.vertices)
	checkpoint.Slice(c, &r.on, (*checkpoint.Coder).Int32s)
	checkpoint.Slice(c, &r.signs, (*checkpoint.Coder).Bool)
	c.Float(&r.penalty)
}

// fault returns why a block that was read cannot be done with those chunks of signals.
func (b *block) fault(chunks []linalg.Dense) error {
	if len(b.chunks) != len(chunks) || len(chunks) == 0 || b.regressions == nil && len(chunks) > 2 {
		return fmt.Errorf("a block of %d chunks of signals has %d", len(b.chunks), len(chunks))
	}
	for k, c := range chunks {
		if c.Cols != chunks[0].Cols || c.Rows > b.rows || c.Rows < b.rows && k < len(chunks)-1 {
			return fmt.Errorf("chunk %d has %d signals of %d vertices, and the first one %d of %d", k, c.Cols, c.Rows, chunks[0].Cols, b.rows)
		}
	}
	if b.regressions == nil {
		return nil
	}
	n, r := (len(chunks)-1)*b.rows+chunks[len(chunks)-1].Rows, b.regressions
	if len(r.on) != len(r.vertices) {
		return fmt.Errorf("there are %d vertices and candidates of %d", len(r.vertices), len(r.on))
	}
	for k, on := range r.on {
		for _, v := range append(on[:len(on):len(on)], r.vertices[k]) {
			if v < 0 || int(v) >= n {
				return fmt.Errorf("there is no vertex %d of %d", v, n)
			}
		}
	}
	return nil
}

// code writes or reads what a block comes to. Of coefficients only those that are not 0 are kept.
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
}

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
