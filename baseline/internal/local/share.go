package local

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/nervure/nervure/baseline/internal/nearest"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/task"
)

// All that takes long consists of blocks that depend on nothing but signals and what is known of their vertices,
// so that they can be done elsewhere, with the same bits.

// TaskKind is the kind of tasks that do a block.
const TaskKind = "field"

// sharedRows is how many vertices a chunk of signals has. What is found between chunks grows with their
// number, and memory with their size.
const sharedRows = 4096

// blocksAtATime is how many blocks each thread does here before what they come to is taken.
const blocksAtATime = 4

// A sharing has blocks of the work done by others.
type sharing struct {
	*learner

	rows    int         // vertices of a chunk of signals
	chunks  []task.Hash // of the signals
	spreads []spread    // of the residuals of the models, by block
}

// share names the signals, in chunks of that many vertices.
func share(l *learner, rows int) *sharing {
	s := &sharing{learner: l, rows: rows}
	for first := 0; first < l.x.Rows; first += rows {
		s.chunks = append(s.chunks, task.HashOf(encodeRows(s.chunk(len(s.chunks)))))
	}
	return s
}

// chunk returns the signals of a chunk of vertices.
func (s *sharing) chunk(k int) linalg.Dense {
	return linalg.RowsFrom(s.x, k*s.rows, s.rows)
}

// source returns the signals of a hash.
func (s *sharing) source(hash task.Hash) ([]byte, error) {
	for k, h := range s.chunks {
		if h == hash {
			return encodeRows(s.chunk(k)), nil
		}
	}
	return nil, fmt.Errorf("there are no signals %s", hash)
}

// do has blocks done, and takes what each comes to as soon as it is there, in any order, so that nothing of it is
// kept. What others could not do is done here. It reports false if ctx ends. A stage without a name is not told.
func (s *sharing) do(ctx context.Context, stage Stage, blocks []*block, take func(k int, of *found)) bool {
	tasks, at := make([]task.Task, len(blocks)), map[string]int{}
	for k, b := range blocks {
		t := task.Task{ID: fmt.Sprintf("%s %d", stage, k), Kind: TaskKind, Args: checkpoint.Encode(b.code)}
		for _, c := range b.chunks {
			t.Data = append(t.Data, s.chunks[c])
		}
		tasks[k], at[t.ID] = t, k
	}
	tell := func(share float64) {
		if stage != "" {
			s.tell(stage, share)
		}
	}
	tell(0)
	done, count := make([]bool, len(blocks)), 0
	finish := func(k int, of *found) {
		take(k, of)
		done[k] = true
		count++
		tell(float64(count) / float64(len(blocks)))
	}
	for result, err := range s.Runner.Run(ctx, tasks, s.source) {
		if err != nil {
			break
		}
		k, of := at[result.ID], &found{}
		if result.Fault == "" && checkpoint.Decode(result.Value,
			func(c *checkpoint.Coder) { of.code(c, blocks[k]) }) == nil && blocks[k].isWhole(of, s.x.Rows, s.x.Cols) {
			finish(k, of)
		}
	}
	left := matrix.Where(done, func(_ int, is bool) bool { return !is })
	for some := range slices.Chunk(left, blocksAtATime*s.Threads) { // so that what they come to does not pile up
		results := make([]*found, len(some))
		linalg.ForEach(s.Threads, len(some), func(_, p int) {
			b := blocks[some[p]]
			chunks := make([]linalg.Dense, len(b.chunks))
			for at, c := range b.chunks {
				chunks[at] = s.chunk(c)
			}
			results[p] = b.run(ctx, chunks)
		})
		for p, of := range results {
			if of != nil {
				finish(some[p], of)
			}
		}
	}
	return count == len(blocks)
}

// onAll returns a block that needs all signals.
func (s *sharing) onAll() *block {
	b := &block{rows: s.rows, chunks: make([]int, len(s.chunks))}
	for k := range b.chunks {
		b.chunks[k] = k
	}
	return b
}

// parts calls do with parts of that many things, and returns the block of each.
func (s *sharing) parts(count, most int, fill func(b *block, first, end int)) (blocks []*block) {
	for first := 0; first < count; first += most {
		b := s.onAll()
		fill(b, first, min(first+most, count))
		blocks = append(blocks, b)
	}
	return blocks
}

// search is [nearest.Search.All] for candidates.
func (s *sharing) search(ctx context.Context) []nearest.Best {
	var blocks []*block
	for a := range s.chunks {
		blocks = append(blocks, &block{rows: s.rows, chunks: []int{a}, signed: s.signed})
		for b := a + 1; b < len(s.chunks); b++ {
			blocks = append(blocks, &block{rows: s.rows, chunks: []int{a, b}, signed: s.signed})
		}
	}
	all := searchFor(s.signed).None(s.x.Rows)
	ok := s.do(ctx, Searching, blocks, func(k int, of *found) {
		for place, near := range of.near {
			vertex := blocks[k].vertex(place)
			for _, v := range near {
				all[vertex].Offer(v.Value, int(v.Vertex))
			}
		}
	})
	if !ok {
		return nil
	}
	return all
}

// regress is [learner.regress].
func (s *sharing) regress(ctx context.Context, r *regression) (models [][]model, whole bool) {
	stage := Regressing
	if r.penalty == 0 {
		stage = ""
	}
	blocks := s.parts(len(r.vertices), blockVertices, func(b *block, first, end int) { b.regressions = r.part(first, end) })
	models = make([][]model, len(r.vertices))
	whole = s.do(ctx, stage, blocks, func(k int, of *found) { copy(models[k*blockVertices:], of.models) })
	return models, whole
}

// fewestSlopes is how many vertices are held against all others in a task, if there are few.
const fewestSlopes = 32

// slopes is [slopes.run] with all signals.
func (s *sharing) slopes(ctx context.Context, of *slopes) []nearest.Best {
	most := min(max(len(of.vertices)/8, fewestSlopes), blockVertices)
	blocks := s.parts(len(of.vertices), most, func(b *block, first, end int) {
		b.slopes = &slopes{vertices: of.vertices[first:end], models: of.models[first:end], count: of.count, signed: of.signed}
	})
	all := make([]nearest.Best, len(of.vertices))
	s.do(ctx, "", blocks, func(k int, f *found) {
		for p, near := range f.near {
			to := &all[k*most+p]
			*to = nearest.NewBest(of.count, 0)
			for _, v := range near {
				to.Offer(v.Value, int(v.Vertex))
			}
		}
	})
	return all
}

// weigh is [learner.weigh], for which the spread is kept.
func (s *sharing) weigh(ctx context.Context, pairs []graph.Edge) {
	parts := make([][]graph.Edge, (s.x.Rows+blockVertices-1)/blockVertices)
	for rest := pairs; len(rest) > 0; {
		b := rest[0].I / blockVertices
		next := slices.IndexFunc(rest, func(e graph.Edge) bool { return e.I/blockVertices != b })
		if next < 0 {
			next = len(rest)
		}
		parts[b], rest = rest[:next], rest[next:]
	}
	blocks := s.parts(s.x.Rows, blockVertices, func(b *block, first, end int) {
		b.weighing = s.weighing(first, end, parts[first/blockVertices])
	})
	s.spreads = make([]spread, len(blocks))
	s.do(ctx, "", blocks, func(k int, of *found) {
		for p, v := range of.sums[0] {
			parts[k][p].Weight = v
		}
		s.spreads[k] = spread{of.sums[1], of.sums[2], of.sums[3][0]}
	})
}

// weighing returns that of some vertices, with pairs of which they are the first.
func (s *sharing) weighing(first, end int, pairs []graph.Edge) *weighing {
	w := &weighing{first: first, end: end, pairs: pairs}
	for i := first; i < end; i++ {
		w.vertices = append(w.vertices, int32(i))
	}
	for _, e := range pairs {
		w.vertices = append(w.vertices, int32(e.J))
	}
	slices.Sort(w.vertices)
	w.vertices = slices.Compact(w.vertices)
	for _, i := range w.vertices {
		w.models = append(w.models, s.models[i].needed())
	}
	return w
}

// needed returns the model without the candidates whose coefficient is 0.
func (m *model) needed() model {
	few := model{variance: m.variance, penalty: m.penalty}
	for k, b := range m.beta {
		if b != 0 {
			few.on, few.beta = append(few.on, m.on[k]), append(few.beta, b)
		}
	}
	return few
}

// heldOutGains is [learner.heldOutGains].
func (s *sharing) heldOutGains(ctx context.Context, all []neighbourhood, bounds []float64) []float64 {
	vertices := allOf(len(all))
	blocks := s.parts(len(all), blockVertices, func(b *block, first, end int) {
		b.holding = &holding{vertices[first:end], all[first:end], bounds}
	})
	parts := make([][]float64, len(blocks))
	s.do(ctx, "", blocks, func(k int, of *found) { parts[k] = of.sums[0] })
	sums := make([]float64, len(bounds))
	for _, part := range parts { // in their order, whichever came first
		for k, v := range part {
			sums[k] += v
		}
	}
	return sums
}

// A Worker does tasks of [TaskKind]. It keeps the signals of the last one, which the next one will need
// again.
type Worker struct {
	mu     sync.Mutex
	chunks map[*byte]linalg.Dense // by the data that they were read from
}

// Do keeps the contract of [task.Func].
func (w *Worker) Do(ctx context.Context, args []byte, data [][]byte) ([]byte, error) {
	b := &block{}
	if err := checkpoint.Decode(args, b.code); err != nil {
		return nil, err
	}
	chunks, err := w.read(data)
	if err == nil {
		err = b.fault(chunks)
	}
	if err != nil {
		return nil, err
	}
	of := b.run(ctx, chunks)
	if of == nil {
		return nil, context.Cause(ctx)
	}
	return checkpoint.Encode(func(c *checkpoint.Coder) { of.code(c, b) }), nil
}

// read returns the signals of chunks of data.
func (w *Worker) read(data [][]byte) ([]linalg.Dense, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	chunks, held := make([]linalg.Dense, len(data)), map[*byte]linalg.Dense{}
	for k, d := range data {
		if len(d) == 0 {
			return nil, fmt.Errorf("chunk %d of the signals is empty", k)
		}
		x, ok := w.chunks[&d[0]]
		if !ok {
			var err error
			if x, err = decodeRows(d); err != nil {
				return nil, err
			}
		}
		chunks[k], held[&d[0]] = x, x
	}
	w.chunks = held
	return chunks, nil
}
