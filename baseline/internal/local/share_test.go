package local

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"reflect"
	"runtime/debug"
	"testing"

	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/task"
)

// A crew does tasks in this process, as workers elsewhere would, and fails as they do.
type crew struct {
	task.Local

	fails func(k int, r *task.Result) error
	asked int
}

func (c *crew) Run(ctx context.Context, tasks []task.Task, data task.Source) iter.Seq2[task.Result, error] {
	return func(yield func(task.Result, error) bool) {
		for r, err := range c.Local.Run(ctx, tasks, data) {
			if c.asked++; err == nil && c.fails != nil {
				err = c.fails(c.asked, &r)
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// Work that others did, in whatever blocks, has the bits of work that was done here, and so has what they failed to do.
func TestWorkOfOthersHasTheSameBits(t *testing.T) {
	draw := rng.Stream(1, "shared")
	x := gridField(t, 9, 0.3, draw).signals(200, draw)
	for _, signs := range []Signs{BySignals, EitherSign, PositiveOnly} {
		o := Options{Signs: signs, Observations: 200, Threads: 2}
		want := Learn(t.Context(), x, o)
		faults := map[string]func(int, *task.Result) error{
			"none": nil,
			"some tasks fail": func(k int, r *task.Result) error {
				if k%3 == 0 {
					*r = task.Result{ID: r.ID, Fault: "given up"}
				}
				return nil
			},
			"some results are cut off": func(k int, r *task.Result) error {
				if k%2 == 0 {
					r.Value = r.Value[:len(r.Value)/2]
				}
				return nil
			},
			"the servers are gone": func(k int, _ *task.Result) error {
				if k > 1 {
					return errors.New("no connection")
				}
				return nil
			},
		}
		for name, fails := range faults {
			for _, rows := range []int{32, 1000} {
				c := &crew{Local: task.Local{Kinds: task.Kinds{TaskKind: new(Worker).Do}, Threads: 3}, fails: fails}
				o.Runner, o.rows = c, rows
				o.Progress = func(Stage, float64) { // a loop over the progress of learning ends where it began
					if !bytes.Contains(debug.Stack(), []byte("testing.tRunner(")) {
						t.Errorf("%s: progress is told from elsewhere", name)
					}
				}
				if got := Learn(t.Context(), x, o); !reflect.DeepEqual(got, want) {
					t.Errorf("signs %d, chunks of %d vertices, %s: other bits", signs, rows, name)
				}
				if c.asked == 0 {
					t.Error("nobody was asked")
				}
			}
		}
	}
}

// Workers refuse what they cannot do, and do not break.
func TestWorkersRefuseBlocksThatAreNotWhole(t *testing.T) {
	draw := rng.Stream(1, "refused")
	x := gridField(t, 4, 0, draw).signals(20, draw)
	data := [][]byte{encodeRows(x)}
	good := &block{rows: 16, chunks: []int{0}, regressions: &regression{vertices: []int32{3}, on: [][]int32{{1, 15}}, signs: []bool{true}, penalty: 0.1}}
	if _, err := new(Worker).Do(t.Context(), checkpoint.Encode(good.code), data); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(b *block, data [][]byte) [][]byte{
		"no signals":         func(_ *block, _ [][]byte) [][]byte { return nil },
		"half a number":      func(_ *block, d [][]byte) [][]byte { return [][]byte{d[0][:len(d[0])-4]} },
		"a vertex too large": func(b *block, d [][]byte) [][]byte { b.regressions.vertices = []int32{16}; return d },
		"larger chunks":      func(b *block, d [][]byte) [][]byte { b.rows = 3; return d },
	} {
		r := *good.regressions
		b := &block{rows: good.rows, chunks: good.chunks, regressions: &r}
		bad := spoil(b, data)
		if _, err := new(Worker).Do(t.Context(), checkpoint.Encode(b.code), bad); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	models := []model{{on: []int32{4}, beta: []float64{0.5}, variance: 1}, {variance: 1}}
	for name, b := range map[string]*block{
		"a slope of no model":        {slopes: &slopes{vertices: []int32{3}, count: 1}},
		"a vertex without a model":   {weighing: &weighing{first: 3, end: 5, vertices: []int32{3}, models: models[:1]}},
		"a pair without a model":     {weighing: &weighing{first: 3, end: 4, vertices: []int32{3, 5}, models: models, pairs: []Edge{{I: 3, J: 6}}}},
		"neighbours without weights": {holding: &holding{vertices: []int32{3}, near: []neighbourhood{{on: []int32{4}}}, bounds: []float64{0}}},
	} {
		b.rows, b.chunks = 16, []int{0}
		if _, err := new(Worker).Do(t.Context(), checkpoint.Encode(b.code), data); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := new(Worker).Do(t.Context(), []byte("nonsense"), data); err == nil {
		t.Error("nonsense: no error")
	}
}
