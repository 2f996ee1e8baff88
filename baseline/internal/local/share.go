package local

import (
	"context"
	"fmt"
	"sync"

	"github.com/nervure/nervure/baseline/internal/nearest"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/task"
)

// The search for candidates and the regressions on them are nearly all of the work. Both consist of blocks that
// depend on nothing but signals, so that they can be done elsewhere, with the same bits.

// TaskKind is the kind of tasks that do a block.
const TaskKind = "field"

const (
	// sharedRows is how many vertices a chunk of signals has. What is found between chunks grows with their
	// number, and memory with their size.
	sharedRows = 4096
	// sharedRegressions is how many vertices are regressed in a task.
	sharedRegressions = 1024
)

// A sharing has blocks of the work done by others.
type sharing struct {
	*learner

	rows   int         // vertices of a chunk of signals
	chunks []task.Hash // of the signals
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

// do has blocks done, and takes what they come to. What others could not do is done here. It reports false if
// ctx ends.
func (s *sharing) do(ctx context.Context, stage Stage, blocks []*block, take func(k int, of *found)) bool {
	tasks, at := make([]task.Task, len(blocks)), map[string]int{}
	for k, b := range blocks {
		t := task.Task{ID: fmt.Sprintf("%s %d", stage, k), Kind: TaskKind, Args: checkpoint.Encode(b.code)}
		for _, c := range b.chunks {
			t.Data = append(t.Data, s.chunks[c])
		}
		tasks[k], at[t.ID] = t, k
	}
	s.tell(stage, 0)
	done, count := make([]bool, len(blocks)), 0
	for result, err := range s.Runner.Run(ctx, tasks, s.source) {
		if err != nil {
			break
		}
		k, of := at[result.ID], &found{}
		if result.Fault != "" || checkpoint.Decode(result.Value, func(c *checkpoint.Coder) { of.code(c, blocks[k]) }) != nil || !blocks[k].isWhole(of, s.x.Rows) {
			continue
		}
		take(k, of)
		done[k] = true
		count++
		s.tell(stage, float64(count)/float64(len(blocks)))
	}
	for k, b := range blocks {
		if done[k] {
			continue
		}
		chunks := make([]linalg.Dense, len(b.chunks))
		for p, c := range b.chunks {
			chunks[p] = s.chunk(c)
		}
		of := b.run(ctx, chunks, s.Threads)
		if of == nil {
			return false
		}
		take(k, of)
	}
	return true
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
	every := make([]int, len(s.chunks))
	for k := range every {
		every[k] = k
	}
	var blocks []*block
	for first := 0; first < len(r.vertices); first += sharedRegressions {
		blocks = append(blocks, &block{rows: s.rows, chunks: every, regressions: r.part(first, min(first+sharedRegressions, len(r.vertices)))})
	}
	models = make([][]model, len(r.vertices))
	whole = s.do(ctx, Regressing, blocks, func(k int, of *found) { copy(models[k*sharedRegressions:], of.models) })
	return models, whole
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
	of := b.run(ctx, chunks, 1)
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
